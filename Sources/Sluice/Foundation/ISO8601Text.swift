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
    /// In the hours around the beginning of 2001, a date is more precise than a femtosecond. Such a date is written with
    /// the digits of its shortest decimal form.
    case shortest
}

extension Date {
    /// Returns the date in ISO 8601 and UTC, such as `2024-05-06T07:08:09Z`.
    ///
    /// - Throws: `JSONModelError.ConversionFailure` if the year is not in 0000...9999, or the date is not finite.
    func iso8601(_ fraction: ISO8601Fraction) throws(JSONModelError.ConversionFailure) -> String {
        guard let text = ISO8601Text(secondsSinceReferenceDate: timeIntervalSinceReferenceDate, fraction: fraction)
        else { throw .invalid("the date is outside the years 0000 to 9999 of ISO 8601") }
        return text.string
    }
}

/// A date and time to be written, the reverse of `ISO8601Moment`.
private struct ISO8601Text {
    /// The whole seconds since 2001-01-01T00:00:00Z.
    private var seconds: Int
    /// The digits of the fraction, 0 to 9 each.
    private var digits: [UInt8] = []

    /// Splits a time into seconds and fraction, or returns nil if the year is not in 0000...9999.
    init?(secondsSinceReferenceDate time: Double, fraction: ISO8601Fraction) {
        // The bounds are the beginning of the year 0 and the end of the year 9999.
        guard time >= -63_145_526_400, time < 252_423_993_600 else { return nil }
        let whole = time.rounded(.down)
        seconds = Int(whole)
        switch fraction {
        case .none: break
        case .milliseconds: takeNearest(time - whole, digits: 3)
        case .shortest where time == whole: break
        case .shortest where abs(time) < ISO8601Moment.exactRange: takeDecimal(of: time)
        case .shortest:
            // Outside the exact range, twelve digits distinguish any two dates.
            let count = (1..<15).first { count in
                whole + Self.nearest(time - whole, digits: count) / Self.power(count) == time
            }
            takeNearest(time - whole, digits: count ?? 15)
        }
        guard seconds < 252_423_993_600 else { return nil }
    }

    /// Returns the fraction rounded to a number of digits, as one integer.
    private static func nearest(_ fraction: Double, digits count: Int) -> Double {
        (fraction * power(count)).rounded()
    }

    /// Sets the digits to the rounded fraction. Rounding may carry into the next second.
    private mutating func takeNearest(_ fraction: Double, digits count: Int) {
        var value = Self.nearest(fraction, digits: count)
        if value == Self.power(count) {
            value = 0
            seconds += 1
        }
        digits = Self.padded(String(Int(value)), to: count)
    }

    /// Sets the digits to the fraction of the shortest decimal form of a time that is not a whole number of seconds.
    private mutating func takeDecimal(of time: Double) {
        guard let decimal = DecimalDigits(number: "\(time.magnitude)"), decimal.exponent < 0 else { return }
        let count = -decimal.exponent
        digits = Array(Self.padded(String(decimal.significand), to: count).suffix(count))
        if time < 0 { ISO8601Moment.subtractFromOne(&digits) }
    }

    private static func padded(_ digits: String, to count: Int) -> [UInt8] {
        Array(repeating: 0, count: max(count - digits.utf8.count, 0)) + digits.utf8.map { $0 - UInt8(ascii: "0") }
    }

    private static func power(_ count: Int) -> Double { (0..<count).reduce(1) { power, _ in power * 10 } }

    var string: String {
        let since1970 = seconds + 978_307_200
        let days = since1970.dividedDown(by: 86_400)
        let second = since1970 - days * 86_400
        let (year, month, day) = Self.civil(daysSince1970: days)
        return String(unsafeUninitializedCapacity: 24 + digits.count) { memory in
            var writer = Writer(memory: memory)
            writer.write(year, digits: 4)
            writer.write("-")
            writer.write(month, digits: 2)
            writer.write("-")
            writer.write(day, digits: 2)
            writer.write("T")
            writer.write(second / 3_600, digits: 2)
            writer.write(":")
            writer.write(second / 60 % 60, digits: 2)
            writer.write(":")
            writer.write(second % 60, digits: 2)
            if !digits.isEmpty { writer.write(".") }
            for digit in digits { writer.write(Int(digit), digits: 1) }
            writer.write("Z")
            return writer.count
        }
    }

    /// Returns the date of a number of days since 1970-01-01, by Howard Hinnant's algorithm `civil_from_days`.
    private static func civil(daysSince1970 days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = shifted.dividedDown(by: 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }
}

extension Int {
    /// Returns the quotient, rounded down for negative numbers as well.
    fileprivate func dividedDown(by divisor: Int) -> Int {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}

private struct Writer {
    let memory: UnsafeMutableBufferPointer<UInt8>
    var count = 0

    mutating func write(_ character: Unicode.Scalar) {
        memory[count] = UInt8(ascii: character)
        count += 1
    }

    mutating func write(_ value: Int, digits: Int) {
        var rest = value
        for index in stride(from: count + digits - 1, through: count, by: -1) {
            memory[index] = UInt8(ascii: "0") + UInt8(rest % 10)
            rest /= 10
        }
        count += digits
    }
}
