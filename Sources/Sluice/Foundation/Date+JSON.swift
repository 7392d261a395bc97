#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Date: JSONConvertible {
    /// The shape of a date: ``JSONDateStrategy/automatic``.
    ///
    /// The value is an ISO 8601 string with a time zone, with or without a fraction (`2024-05-06T07:08:09.5+02:00`), or a
    /// number of seconds since 1970.
    public static var jsonShape: JSONShape { JSONDateStrategy.automatic.shape }
}
