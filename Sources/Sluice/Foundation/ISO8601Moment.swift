#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A date and time in ISO 8601, in the profile of RFC 3339, such as `2024-05-06T07:08:09Z`.
///
/// A decimal point and a fraction may follow the seconds. The second 60 and the time 24:00:00 are those of the next minute and day, as for
/// Foundation. The time zone is `Z` or an offset (`+02:00`, `+0200`, `+02`).
/// The calendar is the proleptic Gregorian calendar.
struct ISO8601Moment {
    /// The date that the text states.
    let date: Date

    /// Parses a date and time.
    ///
    /// - Throws: `JSONModelError.ConversionFailure` with the reason, if the text is not a date and time.
    init(_ text: UnsafeBufferPointer<UInt8>) throws(JSONModelError.ConversionFailure) {
        var cursor = Cursor(text: text)
        guard let year = cursor.digits(4), cursor.take("-"), let month = cursor.digits(2), cursor.take("-"),
            let day = cursor.digits(2), cursor.take("T") || cursor.take("t"), let hour = cursor.digits(2),
            cursor.take(":"), let minute = cursor.digits(2), cursor.take(":"), let second = cursor.digits(2)
        else { throw cursor.problem("is not like 2024-05-06T07:08:09Z") }
        if cursor.take(",") {
            throw cursor.problem("has a comma before the fraction of the second; RFC 3339 requires a point")
        }
        guard let fraction = cursor.fraction() else { throw cursor.problem("has no digit after the decimal sign") }
        guard cursor.at < text.count else {
            throw cursor.problem("lacks its time zone: Z, or an offset such as +02:00")
        }
        guard let offset = cursor.offset(), cursor.at == text.count else {
            throw cursor.problem("has no time zone that can be read: Z, or an offset such as +02:00")
        }
        guard (1...12).contains(month), (1...Self.days(in: month, of: year)).contains(day) else {
            throw cursor.problem("is not a calendar day")
        }
        let isEndOfDay = hour == 24 && minute == 0 && second == 0 && fraction.allSatisfy { $0 == UInt8(ascii: "0") }
        guard hour < 24 && minute < 60 && second <= 60 || isEndOfDay else {
            throw cursor.problem("is not a time of day")
        }
        let seconds =
            Self.daysSince1970(year, month, day) * 86_400 + hour * 3_600 + minute * 60 + second - offset
        date = DecimalTime.date(seconds, fraction.lazy.map { $0 - UInt8(ascii: "0") })
    }

    /// The regular expression of the texts that are read.
    static let pattern: String = {
        let day =
            "[0-9]{4}-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8]))"
        let leapDay = "([0-9]{2}(0[48]|[2468][048]|[13579][26])|([02468][048]|[13579][26])00)-02-29"
        let time = #"([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)(\.[0-9]+)?"#
        return #"(\#(day)|\#(leapDay))[Tt](\#(time)|24:00:00(\.0+)?)([Zz]|[+-]([01][0-9]|2[0-3])(:?[0-5][0-9])?)"#
    }()

    private static func days(in month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Returns the days since 1970-01-01, by Howard Hinnant's algorithm `days_from_civil`.
    ///
    /// Its years begin in March, so that the leap day is the last day of a year.
    private static func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let shifted = month > 2 ? year : year - 1
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }
}

/// A cursor that reads the parts of a date and time from left to right.
///
/// A method returns `false` or nil if the text does not match.
private struct Cursor {
    let text: UnsafeBufferPointer<UInt8>
    var at = 0

    init(text: UnsafeBufferPointer<UInt8>) { self.text = text }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard at < text.count, text[at] == UInt8(ascii: character) else { return false }
        at += 1
        return true
    }

    private mutating func digit() -> Int? {
        guard at < text.count, case let digit = text[at] &- UInt8(ascii: "0"), digit < 10 else { return nil }
        at += 1
        return Int(digit)
    }

    mutating func digits(_ count: Int) -> Int? {
        var value = 0
        for _ in 0..<count {
            guard let digit = digit() else { return nil }
            value = value * 10 + digit
        }
        return value
    }

    /// Reads an optional fraction of a second.
    ///
    /// - Returns: The digits, none without a fraction, or nil if no digit follows the decimal point.
    mutating func fraction() -> Slice<UnsafeBufferPointer<UInt8>>? {
        guard take(".") else { return text[at..<at] }
        let start = at
        guard digit() != nil else { return nil }
        while digit() != nil {}
        return text[start..<at]
    }

    /// Reads the offset from UTC. Returns the offset in seconds, or nil for any other text.
    mutating func offset() -> Int? {
        if take("Z") || take("z") { return 0 }
        let isWest = take("-")
        guard isWest || take("+"), let hours = digits(2), hours < 24 else { return nil }
        var minutes = 0
        if at < text.count {
            _ = take(":")
            guard let value = digits(2), value < 60 else { return nil }
            minutes = value
        }
        let offset = hours * 3_600 + minutes * 60
        return isWest ? -offset : offset
    }

    func problem(_ what: String) -> JSONModelError.ConversionFailure {
        .invalid("\(quoted(text)) \(what)")
    }
}

/// Returns the beginning of a string in quotation marks, for a message.
func quoted(_ text: UnsafeBufferPointer<UInt8>) -> String {
    quoted(String(decoding: text.prefix(200), as: UTF8.self))
}

/// Returns the first 40 characters of a string in quotation marks, for a message.
func quoted(_ text: String) -> String {
    text.count > 40 ? "\"\(text.prefix(40))…\"" : "\"\(text)\""
}
