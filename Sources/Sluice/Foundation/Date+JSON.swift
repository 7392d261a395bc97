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
    @_documentation(visibility: internal) public static var jsonShape: JSONShape {
        JSONDateStrategy.automatic.shape
    }
}

extension Date: JSONDictionaryKey {
    /// Creates a date from an ISO 8601 string with a time zone, or from a number of seconds since 1970, or returns nil.
    ///
    /// The date strategy of a decoder does not apply to keys.
    @_documentation(visibility: internal) public init?(jsonKey: String) {
        var text = jsonKey
        if let date = text.withUTF8({ text in try? Date(iso8601: text) }) {
            self = date
        } else if let seconds = Double(jsonKey: jsonKey) {
            self.init(number: jsonKey, seconds, shift: 0)
        } else {
            return nil
        }
    }

    /// The ISO 8601 string in UTC with the fewest fractional digits that decode to the same date. A date before the year 0 or after 9999
    /// is a number of seconds since 1970.
    @_documentation(visibility: internal) public var jsonKey: String {
        (try? iso8601(.shortest)) ?? (try? secondsNumber.description) ?? "\(timeIntervalSince1970)"
    }
}

extension Date: PatternedKey {
    package static var keyPatterns: [String] {
        [ISO8601Moment.pattern, #"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?"#]
    }
}
