#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A time in decimal, as a text or a number states it: whole seconds since 1970-01-01T00:00:00Z, and the digits of a fraction.
///
/// Texts and numbers become dates here, and dates become texts and numbers, so that equal times make equal dates whatever their form.
///
/// A fraction of at most six digits is rounded like the argument of `Date(timeIntervalSince1970:)`. A longer fraction, which states
/// more than a `Double` since 1970 may hold, is rounded to the nearest date. Each date has a decimal time that makes this date.
struct DecimalTime {
    /// The seconds, rounded down.
    var seconds: Int
    /// The digits of the fraction, 0 to 9 each. The last one is not 0.
    var digits: [UInt8] = []

    /// The seconds from 1970 to 2001, where the seconds of a date begin.
    static let secondsTo2001 = 978_307_200
    /// The distance from 2001-01-01T00:00:00Z in seconds below which every time is rounded to the nearest date.
    ///
    /// In this range a date is more precise than a `Double` since 1970, and than the sum of whole seconds and a rounded fraction.
    private static let exactRange = 65_536
    /// The number of digits up to which a fraction is rounded as a part of the seconds since 1970.
    static let shortDigits = 6
    /// The range of whole seconds, in which a `Double` holds each of them.
    private static let range = -(1 << 53)..<(1 << 53)

    /// Creates a time from a fraction that may end with zeros.
    init(seconds: Int, digits: some Collection<UInt8>) {
        self.seconds = seconds
        self.digits = Array(digits)
        while self.digits.last == 0 { self.digits.removeLast() }
    }

    // MARK: Dates

    /// The date of this time.
    var date: Date { Self.date(seconds, digits) }

    /// Returns the date of a time whose fraction may end with zeros.
    static func date(_ seconds: Int, _ digits: some Collection<UInt8>) -> Date {
        let whole = seconds - secondsTo2001
        if digits.isEmpty { return Date(timeIntervalSinceReferenceDate: Double(whole)) }
        if isNear2001(whole) { return nearest(whole, digits) }
        let first = digits.prefix(18)
        return date(seconds, first.reduce(0) { $0 * 10 + Int($1) }, first.count)
    }

    /// Returns the date of a time far from 2001 with a fraction of at most 18 digits.
    private static func date(_ seconds: Int, _ fraction: Int, _ count: Int) -> Date {
        var (fraction, count) = (fraction, count)
        while count > 0, fraction % 10 == 0 { (fraction, count) = (fraction / 10, count - 1) }
        let whole = seconds - secondsTo2001
        if count > shortDigits {
            // The error of the rounded fraction is far below the precision of the sum.
            return Date(timeIntervalSinceReferenceDate: Double(whole) + Double(fraction) / power(count))
        }
        let (product, overflow) = seconds.multipliedReportingOverflow(by: Int(power(count)))
        let scaled = product &+ fraction
        // A quotient of exact numbers is rounded once.
        if !overflow, range.contains(scaled) {
            return Date(timeIntervalSince1970: Double(scaled) / power(count))
        }
        let text = number(seconds, padded(String(fraction), to: count), shift: 0)
        return Date(timeIntervalSince1970: Double(text) ?? Double(seconds))
    }

    private static func isNear2001(_ whole: Int) -> Bool { whole >= -exactRange && whole < exactRange }

    /// Returns the date that is nearest to seconds since 2001 and a fraction.
    private static func nearest(_ whole: Int, _ digits: some Collection<UInt8>) -> Date {
        let time = DecimalTime(seconds: whole, digits: digits)
        return Date(timeIntervalSinceReferenceDate: Double(time.number(shift: 0)) ?? Double(whole))
    }

    /// Creates the time of a date with the fewest digits that make the same date. Fails for a date outside the range of whole seconds.
    init?(_ date: Date) {
        let time = date.timeIntervalSinceReferenceDate
        let whole = time.rounded(.down)
        guard let integer = Int(exactly: whole), Self.range.contains(integer) else { return nil }
        seconds = integer + Self.secondsTo2001
        if time == whole { return }
        if Self.isNear2001(integer) {
            digits = Self.shortestFraction(of: time)
            return
        }
        // Twelve digits distinguish any two dates.
        let count = (1..<15).first { count in
            let value = Self.scaled(time - whole, count)
            return Self.date(seconds, Int(value), count) == date
        }
        self = rounded(time - whole, count ?? 15)
    }

    /// Returns the milliseconds of a date since 1970, rounded; nil for a date outside the range of whole seconds.
    static func milliseconds(_ date: Date) -> Int? {
        let time = date.timeIntervalSinceReferenceDate
        let whole = time.rounded(.down)
        guard let integer = Int(exactly: whole), range.contains(integer) else { return nil }
        return (integer + secondsTo2001) * 1000 + Int(scaled(time - whole, 3))
    }

    /// Returns the milliseconds since 1970 if they are the time of the date with the fewest digits.
    static func exactMilliseconds(_ date: Date) -> Int? {
        guard let milliseconds = milliseconds(date) else { return nil }
        let (seconds, fraction) = milliseconds.dividedDown(by: 1000)
        let whole = seconds - secondsTo2001
        if fraction == 0 { return date.timeIntervalSinceReferenceDate == Double(whole) ? milliseconds : nil }
        return !isNear2001(whole) && self.date(seconds, fraction, 3) == date ? milliseconds : nil
    }

    /// Returns milliseconds below 1000 without the zeros at their end, and the number of their digits.
    static func shortened(_ milliseconds: Int) -> (value: Int, count: Int) {
        if milliseconds == 0 { return (0, 0) }
        if milliseconds % 100 == 0 { return (milliseconds / 100, 1) }
        return milliseconds % 10 == 0 ? (milliseconds / 10, 2) : (milliseconds, 3)
    }

    /// Returns the time with a fraction that is rounded to a number of digits. Rounding may carry into the next second.
    private func rounded(_ fraction: Double, _ count: Int) -> DecimalTime {
        let value = Self.scaled(fraction, count)
        if value == Self.power(count) { return DecimalTime(seconds: seconds + 1, digits: []) }
        return DecimalTime(seconds: seconds, digits: Self.padded(String(Int(value)), to: count))
    }

    /// Returns a fraction in units of its last digit, rounded.
    private static func scaled(_ fraction: Double, _ count: Int) -> Double { (fraction * power(count)).rounded() }

    /// Returns the digits of the fraction in the shortest decimal form of a time that is not a whole number of seconds.
    private static func shortestFraction(of time: Double) -> [UInt8] {
        guard let decimal = DecimalDigits(number: "\(time.magnitude)"), decimal.exponent < 0 else { return [] }
        let count = -decimal.exponent
        let digits = Array(padded(String(decimal.significand), to: count).suffix(count))
        return time < 0 ? subtractedFromOne(digits) : digits
    }

    // MARK: Numbers

    /// Creates the time of a JSON number in units of `10^-shift` seconds. Fails for a number outside the range of whole seconds, and for
    /// one with too many digits.
    init?(number text: String, shift: Int) {
        guard text.utf8.first != UInt8(ascii: "+"), var number = DecimalDigits(number: text) else { return nil }
        number.exponent -= shift
        guard number.significand != 0 else {
            self.init(seconds: 0, digits: [])
            return
        }
        guard (-100...16).contains(number.exponent) else { return nil }
        var significand = Self.padded(String(number.significand), to: max(1 - number.exponent, 1))
        if number.exponent > 0 { significand += Array(repeating: 0, count: number.exponent) }
        let fractionCount = max(-number.exponent, 0)
        let whole = significand.dropLast(fractionCount)
        guard whole.count <= 17 else { return nil }
        let magnitude = whole.reduce(0) { $0 * 10 + Int($1) }
        let fraction = Array(significand.suffix(fractionCount))
        if !number.isNegative {
            self.init(seconds: magnitude, digits: fraction)
        } else if fraction.contains(where: { $0 != 0 }) {
            self.init(seconds: -magnitude - 1, digits: Self.subtractedFromOne(fraction))
        } else {
            self.init(seconds: -magnitude, digits: [])
        }
        guard Self.range.contains(seconds) else { return nil }
    }

    /// Returns the JSON number of the time in units of `10^-shift` seconds. A whole number has no decimal point.
    func number(shift: Int) -> String { Self.number(seconds, digits, shift: shift) }

    private static func number(_ seconds: Int, _ digits: [UInt8], shift: Int) -> String {
        let isNegative = seconds < 0
        let isBelow = isNegative && !digits.isEmpty
        let fraction = isBelow ? subtractedFromOne(digits) : digits
        let shifted =
            fraction.count < shift ? fraction + Array(repeating: 0, count: shift - fraction.count) : fraction
        var whole = String((isBelow ? seconds + 1 : seconds).magnitude)
        whole += text(shifted.prefix(shift))
        whole = String(whole.drop { $0 == "0" })
        let rest = shifted.dropFirst(shift)
        return (isNegative ? "-" : "") + (whole.isEmpty ? "0" : whole) + (rest.isEmpty ? "" : "." + text(rest))
    }

    private static func text(_ digits: some Collection<UInt8>) -> String {
        String(decoding: digits.map { $0 + UInt8(ascii: "0") }, as: UTF8.self)
    }

    // MARK: Digits

    /// Returns the digits of 1 minus a fraction other than 0.
    private static func subtractedFromOne(_ digits: [UInt8]) -> [UInt8] {
        guard let last = digits.lastIndex(where: { $0 != 0 }) else { return digits }
        var result = digits
        for index in 0..<last { result[index] = 9 - digits[index] }
        result[last] = 10 - digits[last]
        return result
    }

    private static func padded(_ digits: String, to count: Int) -> [UInt8] {
        Array(repeating: 0, count: max(count - digits.utf8.count, 0)) + digits.utf8.map { $0 - UInt8(ascii: "0") }
    }

    private static func power(_ count: Int) -> Double { (0..<count).reduce(1) { power, _ in power * 10 } }
}

extension Int {
    /// Returns the quotient, rounded down for negative numbers as well, and the remainder.
    func dividedDown(by divisor: Int) -> (quotient: Int, remainder: Int) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
