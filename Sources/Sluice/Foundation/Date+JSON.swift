#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Date: JSONConvertible {
    /// A string in ISO 8601 with its time zone, with or without a fraction (`2024-05-06T07:08:09.5+02:00`), or a
    /// number, of seconds since 1970: ``JSONDateStrategy/automatic``.
    public static var jsonShape: JSONShape { JSONDateStrategy.automatic.shape }
}
