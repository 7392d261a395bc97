#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

// Transforms for single properties whose dates or durations do not follow the decoder's `dateStrategy`.

/// The transforms of this library. Each has a short form in `@JSONTransform`, such as `@JSONTransform(.seconds)`.
public enum _JSONTransforms {
    /// A transform between a date and an ISO 8601 string.
    ///
    /// The transform does not depend on the decoder's `dateStrategy`. A date is encoded like by
    /// ``JSONDateStrategy/automatic``.
    public struct ISO8601Date: JSONTransform {
        /// Creates the transform.
        public init() {}

        /// Makes a date from an ISO 8601 string.
        ///
        /// - Throws: `JSONModelError.ConversionFailure` if the string is not an ISO 8601 date with a time zone.
        public func decode(_ json: String) throws -> Date {
            var text = json
            return try text.withUTF8 { try Date(iso8601: $0) }
        }

        /// Makes the string of a date, in UTC.
        ///
        /// - Throws: `JSONModelError.ConversionFailure` if the date is infinite, before the year 0, or after 9999.
        public func encode(_ date: Date) throws -> String { try date.iso8601(.shortest) }

        /// The schema of a string with a date and a time.
        public var jsonSchema: JSONValue? { ["type": "string", "format": "date-time"] }
    }

    /// A transform between a date and an ISO 8601 string with milliseconds.
    ///
    /// The transform does not depend on the decoder's `dateStrategy`. A date is encoded like by
    /// ``JSONDateStrategy/iso8601WithFractionalSeconds``.
    public struct ISO8601DateWithFractionalSeconds: JSONTransform {
        /// Creates the transform.
        public init() {}

        /// Makes a date from an ISO 8601 string.
        ///
        /// - Throws: `JSONModelError.ConversionFailure` if the string is not an ISO 8601 date with a time zone.
        public func decode(_ json: String) throws -> Date {
            var text = json
            return try text.withUTF8 { try Date(iso8601: $0) }
        }

        /// Makes the string of a date, in UTC and rounded to the nearest millisecond.
        ///
        /// - Throws: `JSONModelError.ConversionFailure` if the date is infinite, before the year 0, or after 9999.
        public func encode(_ date: Date) throws -> String { try date.iso8601(.milliseconds) }
    }

    /// A transform between a date and a number of seconds since 1970.
    ///
    /// A whole number of seconds is written without a decimal point.
    public struct SecondsDate: JSONTransform {
        /// Creates the transform.
        public init() {}

        /// Makes a date from a number of seconds.
        ///
        /// - Throws: `JSONModelError.ConversionFailure` if the number is beyond the finite range of `Double`.
        public func decode(_ json: JSONNumber) throws -> Date {
            guard let seconds = json.double else { throw JSONModelError.ConversionFailure.outOfRange }
            return Date(number: json.description, seconds, shift: 0)
        }

        /// Makes the number of seconds of a date.
        ///
        /// - Throws: `JSONModelError.ConversionFailure` if the date is infinite.
        public func encode(_ date: Date) throws -> JSONNumber { try date.secondsNumber }
    }

    /// A transform between a date and a number of milliseconds since 1970.
    ///
    /// A whole number of milliseconds is written without a decimal point.
    public struct MillisecondsDate: JSONTransform {
        /// Creates the transform.
        public init() {}

        /// Makes a date from a number of milliseconds.
        ///
        /// - Throws: `JSONModelError.ConversionFailure` if the number is beyond the finite range of `Double`.
        public func decode(_ json: JSONNumber) throws -> Date {
            guard let milliseconds = json.double else { throw JSONModelError.ConversionFailure.outOfRange }
            return Date(number: json.description, milliseconds, shift: 3)
        }

        /// Makes the number of milliseconds of a date.
        ///
        /// - Throws: `JSONModelError.ConversionFailure` if the date is infinite.
        public func encode(_ date: Date) throws -> JSONNumber { try date.millisecondsNumber }
    }

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
            return try Duration(number: text, of: .seconds)
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
            try Duration(number: json.description, of: .milliseconds)
        }

        /// Makes the number of milliseconds of a duration, with all digits.
        ///
        /// - Throws: `JSONModelError.ConversionFailure` if the seconds are beyond the range of `Int64`.
        public func encode(_ duration: Duration) throws -> JSONNumber { try duration.number(of: .milliseconds) }
    }
}

// MARK: Shapes

// Properties are read and written by the strategies' kernels, without a string or a number between.

extension _JSONTransforms.ISO8601Date: ShapedTransform {
    package var shape: JSONShape { JSONDateStrategy.shortestISO8601.shape }
}

extension _JSONTransforms.ISO8601DateWithFractionalSeconds: ShapedTransform {
    package var shape: JSONShape { JSONDateStrategy.iso8601WithFractionalSeconds.shape }
}

extension _JSONTransforms.SecondsDate: ShapedTransform {
    package var shape: JSONShape { JSONDateStrategy.secondsSince1970.shape }
}

extension _JSONTransforms.MillisecondsDate: ShapedTransform {
    package var shape: JSONShape { JSONDateStrategy.millisecondsSince1970.shape }
}

extension JSONTransform where Self == _JSONTransforms.ISO8601Date {
    /// A date as an ISO 8601 string.
    public static var iso8601: Self { Self() }
}

extension JSONTransform where Self == _JSONTransforms.ISO8601DateWithFractionalSeconds {
    /// A date as an ISO 8601 string with milliseconds.
    public static var iso8601WithFractionalSeconds: Self { Self() }
}

extension JSONTransform where Self == _JSONTransforms.SecondsDate {
    /// A date as a number of seconds since 1970.
    public static var seconds: Self { Self() }
}

extension JSONTransform where Self == _JSONTransforms.MillisecondsDate {
    /// A date as a number of milliseconds since 1970.
    public static var milliseconds: Self { Self() }
}

extension JSONTransform where Self == _JSONTransforms.DurationSeconds {
    /// A duration as a number of seconds, exact to the attosecond.
    public static var durationSeconds: Self { Self() }
}

extension JSONTransform where Self == _JSONTransforms.DurationMilliseconds {
    /// A duration as a number of milliseconds.
    public static var durationMilliseconds: Self { Self() }
}
