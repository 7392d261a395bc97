#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

// Ready-made transforms, for single properties that differ from what the decoder has for all dates.

/// A date as ISO 8601 text, whatever the decoder says of dates. Written as ``JSONDateStrategy/automatic`` does.
public enum JSONISO8601Date: JSONTransform {
    /// Makes the date of ISO 8601 text.
    ///
    /// - Throws: `JSONModelError.ConversionFailure` if the text is not a date in ISO 8601 with a time zone.
    public static func decode(_ json: String) throws -> Date {
        var text = json
        return try text.withUTF8 { try Date(iso8601: $0) }
    }

    /// Makes the text of a date, in UTC.
    ///
    /// - Throws: `JSONModelError.ConversionFailure` if the date is infinite, or lies before the year 0 or after 9999.
    public static func encode(_ date: Date) throws -> String { try date.iso8601(.shortest) }
}

/// A date as a number of seconds since 1970. A whole number of seconds is written without a decimal point.
public enum JSONSecondsDate: JSONTransform {
    /// Makes the date of a number of seconds.
    ///
    /// - Throws: `JSONModelError.ConversionFailure` if the number is beyond the finite range of `Double`.
    public static func decode(_ json: JSONNumber) throws -> Date {
        guard let seconds = json.double else { throw JSONModelError.ConversionFailure.outOfRange }
        return Date(timeIntervalSince1970: seconds)
    }

    /// Makes the number of seconds of a date.
    ///
    /// - Throws: `JSONModelError.ConversionFailure` if the date is infinite.
    public static func encode(_ date: Date) throws -> JSONNumber { try date.secondsNumber }
}

/// A date as a number of milliseconds since 1970. A whole number of milliseconds is written without a decimal point.
public enum JSONMillisecondsDate: JSONTransform {
    /// Makes the date of a number of milliseconds.
    ///
    /// - Throws: `JSONModelError.ConversionFailure` if the number is beyond the finite range of `Double`.
    public static func decode(_ json: JSONNumber) throws -> Date {
        guard let milliseconds = json.double else { throw JSONModelError.ConversionFailure.outOfRange }
        return Date(millisecondsSince1970: milliseconds)
    }

    /// Makes the number of milliseconds of a date.
    ///
    /// - Throws: `JSONModelError.ConversionFailure` if the date is infinite.
    public static func encode(_ date: Date) throws -> JSONNumber { try date.millisecondsNumber }
}

/// A duration as a number of seconds, exact to the attosecond: 0.1 is a tenth of a second, not what a `Double` makes
/// of it.
public enum JSONDurationSeconds: JSONTransform {
    /// Makes the duration of a number of seconds.
    ///
    /// - Throws: `JSONModelError.ConversionFailure` if the number has digits below an attosecond, or is beyond the range of `Duration`.
    public static func decode(_ json: Decimal) throws -> Duration {
        // A decimal's own text has no exponent, so nothing is lost on this way to its digits.
        guard let digits = DecimalDigits(number: "\(json)") else {
            throw JSONModelError.ConversionFailure.outOfRange
        }
        guard digits.exponent >= -18 else {
            throw JSONModelError.ConversionFailure.invalid("\(json) is finer than an attosecond, 1e-18 seconds")
        }
        guard let attoseconds = digits.times(tenTo: 18), let magnitude = Int128(exactly: attoseconds) else {
            throw JSONModelError.ConversionFailure.outOfRange
        }
        let (seconds, rest) = (digits.isNegative ? -magnitude : magnitude).quotientAndRemainder(
            dividingBy: 1_000_000_000_000_000_000)
        guard let seconds = Int64(exactly: seconds) else { throw JSONModelError.ConversionFailure.outOfRange }
        return Duration(secondsComponent: seconds, attosecondsComponent: Int64(rest))
    }

    /// Makes the number of seconds of a duration.
    ///
    /// - Throws: `JSONModelError.ConversionFailure` if the number does not fit in a `Decimal`.
    public static func encode(_ duration: Duration) throws -> Decimal {
        let (seconds, rest) = duration.components
        let attoseconds = Int128(seconds) * 1_000_000_000_000_000_000 + Int128(rest)
        // 37 digits at most, and a decimal takes 38.
        guard let digits = DecimalDigits(number: "\(attoseconds)e-18"), let value = Decimal(digits) else {
            throw JSONModelError.ConversionFailure.outOfRange
        }
        return value
    }
}

extension DecimalDigits {
    /// The magnitude times a power of ten that makes an integer of it; nil where that does not fit.
    fileprivate func times(tenTo power: Int) -> UInt128? {
        guard significand != 0 else { return 0 }
        var result = significand
        for _ in 0..<(exponent + power) {
            let (product, overflow) = result.multipliedReportingOverflow(by: 10)
            if overflow { return nil }
            result = product
        }
        return result
    }
}
