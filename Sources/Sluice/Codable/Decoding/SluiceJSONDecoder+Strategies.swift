#if Foundation || canImport(Darwin)
import Foundation
#else
import FoundationEssentials
#endif

extension SluiceJSONDecoder {
    /// How dates are decoded.
    public enum DateDecodingStrategy: Sendable {
        /// By the initializer of `Date`: seconds since 2001.
        case deferredToDate
        /// Seconds since 1970.
        case secondsSince1970
        /// Milliseconds since 1970.
        case millisecondsSince1970
        /// Strings in the format of ISO 8601 and RFC 3339, without a fraction of a second.
        case iso8601
        /// By a closure.
        @preconcurrency case custom(@Sendable (_ decoder: any Decoder) throws -> Date)
    }

    /// How binary data is decoded.
    public enum DataDecodingStrategy: Sendable {
        /// By the initializer of `Data`: an array of bytes.
        case deferredToData
        /// Base64.
        case base64
        /// By a closure.
        @preconcurrency case custom(@Sendable (_ decoder: any Decoder) throws -> Data)
    }

    /// How infinities and NaN are decoded, which are not representable in JSON.
    public enum NonConformingFloatDecodingStrategy: Sendable {
        /// They are errors.
        case `throw`
        /// From these strings.
        case convertFromString(positiveInfinity: String, negativeInfinity: String, nan: String)
    }

    /// How keys are converted before they are compared with the keys of a type.
    public enum KeyDecodingStrategy: Sendable {
        /// Not at all.
        case useDefaultKeys
        /// From `snake_case` to `snakeCase`. Underscores at the start and at the end stay.
        case convertFromSnakeCase
        /// By a closure, which receives the path of the key. Of equal results in one object, the first is used.
        @preconcurrency case custom(@Sendable (_ codingPath: [any CodingKey]) -> any CodingKey)
    }
}

#if Foundation || canImport(Darwin)
extension SluiceJSONDecoder.DateDecodingStrategy {
    /// By a formatter.
    public static func formatted(_ formatter: DateFormatter) -> Self {
        .custom { decoder in
            let container = try decoder.singleValueContainer()
            guard let date = formatter.date(from: try container.decode(String.self)) else {
                throw DecodingError.dataCorruptedError(
                    in: container, debugDescription: "Date string does not match format expected by formatter.")
            }
            return date
        }
    }
}
#endif
