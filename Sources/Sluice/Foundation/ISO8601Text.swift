#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The number of digits in the written fraction of a second.
enum ISO8601Fraction {
    /// No digits. The fraction is truncated.
    case none
    /// Three digits, rounded to the nearest millisecond.
    case milliseconds
    /// The fewest digits that decode to the same date, and none for a whole second.
    ///
    /// See ``DecimalTime``.
    case shortest
}

extension Date {
    /// Returns the date in ISO 8601 and UTC, such as `2024-05-06T07:08:09Z`.
    ///
    /// - Throws: `JSONModelError.ConversionFailure` if the year is not in 0000...9999, or the date is not finite.
    func iso8601(_ fraction: ISO8601Fraction) throws(JSONModelError.ConversionFailure) -> String {
        var out = OutputBuffer()
        try write(fraction, to: &out)
        return String(decoding: out.written, as: UTF8.self)
    }

    /// Writes the same to a buffer.
    func write(
        _ fraction: ISO8601Fraction, to out: inout OutputBuffer
    ) throws(JSONModelError.ConversionFailure) {
        // The bounds are the beginning of the year 0 and the end of the year 9999.
        let range = -62_167_219_200.0..<253_402_300_800.0
        guard range.contains(timeIntervalSince1970.rounded(.down)), let text = ISO8601Text(self, fraction),
            range.contains(Double(text.seconds))
        else { throw .invalid("the date is outside the years 0000 to 9999 of ISO 8601") }
        text.write(to: &out)
    }
}

/// A date and time to be written, the reverse of `ISO8601Moment`.
private struct ISO8601Text {
    /// The whole seconds since 1970-01-01T00:00:00Z.
    let seconds: Int
    /// The milliseconds that are written, or the first digits of them, and the number of digits.
    private var milliseconds = (value: 0, count: 0)
    /// The digits of a fraction that is finer, 0 to 9 each.
    private var digits: [UInt8] = []

    init?(_ date: Date, _ fraction: ISO8601Fraction) {
        let time = date.timeIntervalSinceReferenceDate
        let whole = time.rounded(.down)
        // The shortest form of a whole second has no digits.
        switch whole == time && fraction == .shortest ? .none : fraction {
        case .none:
            guard let whole = Int(exactly: whole) else { return nil }
            seconds = whole + DecimalTime.secondsTo2001
        case .milliseconds:
            guard let time = DecimalTime.milliseconds(date)?.dividedDown(by: 1000) else { return nil }
            seconds = time.quotient
            milliseconds = (time.remainder, 3)
        case .shortest:
            if let time = DecimalTime.exactMilliseconds(date)?.dividedDown(by: 1000) {
                seconds = time.quotient
                milliseconds = DecimalTime.shortened(time.remainder)
            } else {
                guard let time = DecimalTime(date) else { return nil }
                (seconds, digits) = (time.seconds, time.digits)
            }
        }
    }

    func write(to out: inout OutputBuffer) {
        let (days, second) = seconds.dividedDown(by: 86_400)
        let (year, month, day) = Self.civil(daysSince1970: days)
        out.reserve(32 + digits.count)
        // Three words have `2024-05-`, `06T07:08` and `:09`, the first byte lowest.
        let colon = UInt64(UInt8(ascii: ":"))
        let date = Self.twoDigits(year / 100) | Self.twoDigits(year % 100) &<< 16 | Self.twoDigits(month) &<< 40
        let hyphens = UInt64(UInt8(ascii: "-")) &<< 32 | UInt64(UInt8(ascii: "-")) &<< 56
        let time = Self.twoDigits(second / 3_600) &<< 24 | colon &<< 40 | Self.twoDigits(second / 60 % 60) &<< 48
        out.store(date | hyphens)
        out.store(Self.twoDigits(day) | UInt64(UInt8(ascii: "T")) &<< 16 | time, at: 8)
        out.store(colon | Self.twoDigits(second % 60) &<< 8, at: 16)
        out.cursor += 19
        if !digits.isEmpty { out.byte(UInt8(ascii: ".")) }
        for digit in digits { out.byte(UInt8(ascii: "0") + digit) }
        out.fraction(milliseconds.value, milliseconds.count)
        out.byte(UInt8(ascii: "Z"))
    }

    /// Returns the two digits of a number below 100, the first one lowest.
    @inline(__always)
    private static func twoDigits(_ value: Int) -> UInt64 {
        let value = UInt64(truncatingIfNeeded: value)
        let tens = (value &* 103) &>> 10
        return 0x3030 | tens | (value &- tens &* 10) &<< 8
    }

    /// Returns the date of a number of days since 1970-01-01, by Howard Hinnant's algorithm `civil_from_days`.
    private static func civil(daysSince1970 days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let (era, dayOfEra) = shifted.dividedDown(by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }
}

extension OutputBuffer {
    /// Writes a point and up to three digits of a fraction, given their number; nothing without digits. Requires four reserved bytes.
    mutating func fraction(_ value: Int, _ count: Int) {
        guard count > 0 else { return }
        byte(UInt8(ascii: "."))
        if count > 2 { byte(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value / 100)) }
        if count > 1 { byte(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value / 10 % 10)) }
        byte(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value % 10))
    }
}
