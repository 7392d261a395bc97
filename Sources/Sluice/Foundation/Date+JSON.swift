#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Date: JSONFillable {
    /// A string in ISO 8601 with its time zone, with or without a fraction (`2024-05-06T07:08:09.5+02:00`), or a
    /// number, of seconds since 1970.
    public static var jsonShape: JSONShape {
        .scalar(Self.self, expecting: "a date (ISO 8601 text, or seconds since 1970)") { scalar in
            if let moment = try scalar.withUTF8({ try ISO8601Moment($0) }) {
                return Date(timeIntervalSinceReferenceDate: moment.secondsSinceReferenceDate)
            }
            if let seconds = scalar.double { return Date(timeIntervalSince1970: seconds) }
            throw scalar.bool == nil ? JSONScalarProblem.outOfRange : .mismatch
        }
    }
}
