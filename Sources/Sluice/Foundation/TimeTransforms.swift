#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

// Transforms for single properties whose dates or durations do not follow the decoder's `dateStrategy`.

/// The transforms of durations. Each has a short form in `@JSONTransform`, such as `@JSONTransform(.durationSeconds)`.
public enum _JSONTransforms {
    /// A transform between a duration and a number of seconds, exact to the attosecond.
    ///
    /// Durations are numbers of seconds without a transform, too. This transform also rejects numbers with digits below an
    /// attosecond, which are otherwise rounded. The number is not converted through `Double`, so 0.1 is exactly a tenth of a
    /// second.
    public struct DurationSeconds: JSONTransform {
        /// Creates the transform.
        public init() {}

        /// Makes a duration from a number of seconds.
        ///
        /// - Throws: `JSONModelError.ConversionFailure` if the number has digits below an attosecond, or is beyond the range
        ///   of `Duration`.
        public func decode(_ json: Decimal) throws -> Duration {
            // The description of a decimal has all digits and no exponent.
            let text = json.description
            guard let digits = DecimalDigits(number: text), json.isFinite else {
                throw JSONModelError.ConversionFailure.outOfRange
            }
            guard digits.exponent >= -18 else {
                throw JSONModelError.ConversionFailure.invalid("\(json) is finer than an attosecond, 1e-18 seconds")
            }
            return try Duration(JSONNumber(unchecked: text), of: .seconds)
        }

        /// Makes the number of seconds of a duration.
        ///
        /// - Throws: `JSONModelError.ConversionFailure` if the seconds are beyond the range of `Int64`.
        public func encode(_ duration: Duration) throws -> Decimal {
            // The number has at most 37 digits. A decimal holds 38.
            guard let digits = DecimalDigits(number: try duration.number(of: .seconds).description),
                let value = Decimal(digits)
            else {
                throw JSONModelError.ConversionFailure.outOfRange
            }
            return value
        }
    }

    /// A transform between a duration and a number of milliseconds.
    ///
    /// The number is converted like the number of seconds of a duration without a transform.
    public struct DurationMilliseconds: JSONTransform {
        /// Creates the transform.
        public init() {}

        /// Makes a duration from a number of milliseconds. Digits below an attosecond are rounded.
        ///
        /// - Throws: `JSONModelError.ConversionFailure` if the number is beyond the range of `Duration`.
        public func decode(_ json: JSONNumber) throws -> Duration {
            try Duration(json, of: .milliseconds)
        }

        /// Makes the number of milliseconds of a duration, with all digits.
        ///
        /// - Throws: `JSONModelError.ConversionFailure` if the seconds are beyond the range of `Int64`.
        public func encode(_ duration: Duration) throws -> JSONNumber { try duration.number(of: .milliseconds) }
    }
}

// The date strategies, in their short form.

extension JSONTransform where Self == JSONDateStrategy {
    /// A date as ``JSONDateStrategy/iso8601``.
    public static var iso8601: Self { JSONDateStrategy.iso8601 }

    /// A date as ``JSONDateStrategy/iso8601WithFractionalSeconds``.
    public static var iso8601WithFractionalSeconds: Self { JSONDateStrategy.iso8601WithFractionalSeconds }

    /// A date as ``JSONDateStrategy/secondsSince1970``.
    public static var seconds: Self { .secondsSince1970 }

    /// A date as ``JSONDateStrategy/millisecondsSince1970``.
    public static var milliseconds: Self { .millisecondsSince1970 }
}

extension JSONTransform where Self == _JSONTransforms.DurationSeconds {
    /// A duration as a number of seconds, exact to the attosecond.
    public static var durationSeconds: Self { Self() }
}

extension JSONTransform where Self == _JSONTransforms.DurationMilliseconds {
    /// A duration as a number of milliseconds.
    public static var durationMilliseconds: Self { Self() }
}
