#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

// Transforms for single properties whose dates or durations do not follow the decoder's `dateStrategy`.

/// A transform between a date and an ISO 8601 string.
///
/// The transform does not depend on the decoder's `dateStrategy`. A date is encoded like by
/// ``JSONDateStrategy/automatic``.
public struct JSONISO8601Date: JSONTransform {
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
}

/// A transform between a date and a number of seconds since 1970.
///
/// A whole number of seconds is written without a decimal point.
public struct JSONSecondsDate: JSONTransform {
    /// Creates the transform.
    public init() {}

    /// Makes a date from a number of seconds.
    ///
    /// - Throws: `JSONModelError.ConversionFailure` if the number is beyond the finite range of `Double`.
    public func decode(_ json: JSONNumber) throws -> Date {
        guard let seconds = json.double else { throw JSONModelError.ConversionFailure.outOfRange }
        return Date(timeIntervalSince1970: seconds)
    }

    /// Makes the number of seconds of a date.
    ///
    /// - Throws: `JSONModelError.ConversionFailure` if the date is infinite.
    public func encode(_ date: Date) throws -> JSONNumber { try date.secondsNumber }
}

/// A transform between a date and a number of milliseconds since 1970.
///
/// A whole number of milliseconds is written without a decimal point.
public struct JSONMillisecondsDate: JSONTransform {
    /// Creates the transform.
    public init() {}

    /// Makes a date from a number of milliseconds.
    ///
    /// - Throws: `JSONModelError.ConversionFailure` if the number is beyond the finite range of `Double`.
    public func decode(_ json: JSONNumber) throws -> Date {
        guard let milliseconds = json.double else { throw JSONModelError.ConversionFailure.outOfRange }
        return Date(millisecondsSince1970: milliseconds)
    }

    /// Makes the number of milliseconds of a date.
    ///
    /// - Throws: `JSONModelError.ConversionFailure` if the date is infinite.
    public func encode(_ date: Date) throws -> JSONNumber { try date.millisecondsNumber }
}

/// A transform between a duration and a number of seconds, exact to the attosecond.
///
/// The number is not converted through `Double`, so 0.1 is exactly a tenth of a second.
public struct JSONDurationSeconds: JSONTransform {
    /// Creates the transform.
    public init() {}

    /// Makes a duration from a number of seconds.
    ///
    /// - Throws: `JSONModelError.ConversionFailure` if the number has digits below an attosecond, or is beyond the range
    ///   of `Duration`.
    public func decode(_ json: Decimal) throws -> Duration {
        // The description of a decimal has all digits and no exponent.
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
    public func encode(_ duration: Duration) throws -> Decimal {
        let (seconds, rest) = duration.components
        let attoseconds = Int128(seconds) * 1_000_000_000_000_000_000 + Int128(rest)
        // The number has at most 37 digits. A decimal holds 38.
        guard let digits = DecimalDigits(number: "\(attoseconds)e-18"), let value = Decimal(digits) else {
            throw JSONModelError.ConversionFailure.outOfRange
        }
        return value
    }
}

extension JSONTransform where Self == JSONISO8601Date {
    /// A date as an ISO 8601 string.
    public static var iso8601: Self { Self() }
}

extension JSONTransform where Self == JSONSecondsDate {
    /// A date as a number of seconds since 1970.
    public static var seconds: Self { Self() }
}

extension JSONTransform where Self == JSONMillisecondsDate {
    /// A date as a number of milliseconds since 1970.
    public static var milliseconds: Self { Self() }
}

extension JSONTransform where Self == JSONDurationSeconds {
    /// A duration as a number of seconds, exact to the attosecond.
    public static var durationSeconds: Self { Self() }
}

extension DecimalDigits {
    /// Returns the magnitude multiplied by a power of ten that makes the value an integer, or nil on overflow.
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
