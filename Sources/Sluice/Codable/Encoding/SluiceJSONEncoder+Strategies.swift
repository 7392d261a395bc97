#if Foundation || canImport(Darwin)
import Foundation
#else
import FoundationEssentials
#endif

extension SluiceJSONEncoder {
    /// The layout of the JSON.
    public struct OutputFormatting: OptionSet, Sendable {
        /// The bits of the options, which are those of Foundation.
        @_documentation(visibility: internal) public let rawValue: UInt

        /// Creates a set from the bits of its options.
        @_documentation(visibility: internal) public init(rawValue: UInt) { self.rawValue = rawValue }

        /// One line per value, indented by two spaces.
        public static let prettyPrinted = OutputFormatting(rawValue: 1 << 0)

        /// Keys in the order of their UTF-8 bytes.
        public static let sortedKeys = OutputFormatting(rawValue: 1 << 1)

        /// Slashes are not escaped. By default, `/` is written as `\/`, so that the JSON can be part of HTML.
        public static let withoutEscapingSlashes = OutputFormatting(rawValue: 1 << 3)
    }

    /// How dates are encoded.
    public enum DateEncodingStrategy: Sendable {
        /// By the dates themselves: as seconds since 2001.
        case deferredToDate
        /// As a number of seconds since 1970.
        case secondsSince1970
        /// As a number of milliseconds since 1970.
        case millisecondsSince1970
        /// As an ISO 8601 string in UTC, with whole seconds.
        case iso8601
        #if Foundation || canImport(Darwin)
        /// As a string that a formatter makes.
        ///
        /// On platforms other than Apple's, this strategy needs the package trait `Foundation`.
        case formatted(DateFormatter)
        #endif
        /// By a closure. If the closure encodes nothing, the date becomes an empty object.
        @preconcurrency case custom(@Sendable (Date, any Encoder) throws -> Void)
    }

    /// How `Data` is encoded.
    public enum DataEncodingStrategy: Sendable {
        /// By the data itself: as an array of bytes.
        case deferredToData
        /// As a Base64 string.
        case base64
        /// By a closure. If the closure encodes nothing, the data becomes an empty object.
        @preconcurrency case custom(@Sendable (Data, any Encoder) throws -> Void)
    }

    /// How numbers that are infinite or not a number are encoded.
    public enum NonConformingFloatEncodingStrategy: Sendable {
        /// The number is an error.
        case `throw`
        /// The number becomes one of these strings.
        case convertToString(positiveInfinity: String, negativeInfinity: String, nan: String)
    }

    /// How coding keys become the keys of the JSON. The keys of dictionaries with `String` keys are not changed.
    public enum KeyEncodingStrategy: Sendable {
        /// The text of the coding key.
        case useDefaultKeys
        /// Lowercase words with underscores between them: `oneTwoThree` is `one_two_three`.
        ///
        /// A word begins with an uppercase letter. Consecutive uppercase letters are one word, but the last of them begins the
        /// next word if a lowercase letter follows: `myURLProperty` is `my_url_property`.
        case convertToSnakeCase
        /// A closure that receives the coding path, which ends with the key, and returns the key for the JSON.
        @preconcurrency case custom(@Sendable (_ codingPath: [any CodingKey]) -> any CodingKey)
    }
}
