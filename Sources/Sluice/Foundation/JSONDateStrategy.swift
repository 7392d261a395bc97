#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// How dates stand in the JSON.
public struct JSONDateStrategy: Sendable {
    fileprivate enum Rule: Sendable {
        case automatic, iso8601, iso8601WithFractionalSeconds
        case secondsSince1970, millisecondsSince1970
        #if Foundation || canImport(Darwin)
        case format(DateFormat)
        #endif
        case custom(
            decode: @Sendable (borrowing JSONScalar) throws -> Date, encode: @Sendable (Date) throws -> JSONValue)
    }

    private let rule: Rule
    /// How a date is filled and written by this strategy. Made once with it, for a shape lives as long as its strategy.
    package let shape: JSONShape

    private init(_ rule: Rule) {
        self.rule = rule
        shape = .scalar(Date.self, expecting: rule.expectation) { scalar in
            try rule.decode(scalar)
        } write: { date in
            try rule.encode(date)
        }
    }

    /// ISO 8601 text, or a number of seconds since 1970; the default.
    ///
    /// A number whose date lies outside the years 1 to 9999 is an error: such numbers are milliseconds more often than
    /// seconds.
    ///
    /// Written as text, with as many digits of a fraction as it takes to read the same date back: none for a whole second.
    /// A date before the year 0 or after 9999 is an error.
    public static let automatic = JSONDateStrategy(.automatic)

    /// ISO 8601 text with its time zone, with or without a fraction (`2024-05-06T07:08:09.5+02:00`). Written in UTC
    /// in whole seconds, `2024-05-06T05:08:09Z`: a fraction is cut off.
    public static let iso8601 = JSONDateStrategy(.iso8601)

    /// Reads what ``iso8601`` reads. Written with milliseconds, the nearest: `2024-05-06T05:08:09.500Z`.
    public static let iso8601WithFractionalSeconds = JSONDateStrategy(.iso8601WithFractionalSeconds)

    /// A number of seconds since 1970, with or without a fraction.
    public static let secondsSince1970 = JSONDateStrategy(.secondsSince1970)

    /// A number of milliseconds since 1970, with or without a fraction.
    public static let millisecondsSince1970 = JSONDateStrategy(.millisecondsSince1970)

    #if Foundation || canImport(Darwin)
    /// Text of a format, in Unicode's letters (`yyyy-MM-dd HH:mm:ss`) and the Gregorian calendar, with English names.
    ///
    /// Needs the package trait `Foundation`.
    ///
    /// - Parameters:
    ///   - format: the format's letters.
    ///   - timeZone: the one that a text without its own is in, and that dates are written in.
    public static func format(_ format: String, timeZone: TimeZone = .gmt) -> JSONDateStrategy {
        JSONDateStrategy(.format(DateFormat(format, timeZone: timeZone)))
    }
    #endif

    /// A way of one's own.
    ///
    /// - Parameters:
    ///   - decode: makes the date; throws ``/SluiceCore/JSONModelError.ConversionFailure``, or an error of its own, which arrives inside an
    ///     issue with path and offset.
    ///   - encode: makes the JSON.
    public static func custom(
        decode: @escaping @Sendable (borrowing JSONScalar) throws -> Date,
        encode: @escaping @Sendable (Date) throws -> JSONValue
    ) -> JSONDateStrategy {
        JSONDateStrategy(.custom(decode: decode, encode: encode))
    }

    /// Makes a date of a string or number.
    ///
    /// - Throws: `JSONModelError.ConversionFailure`, or what a custom strategy throws.
    public func decode(_ scalar: borrowing JSONScalar) throws -> Date { try rule.decode(scalar) }

    /// Makes the JSON of a date, a string or number.
    ///
    /// - Throws: `JSONModelError.ConversionFailure` for a date that this strategy has no JSON for: one that is infinite, or in ISO
    ///   8601 one before the year 0 or after 9999; or what a custom strategy throws.
    public func encode(_ date: Date) throws -> JSONValue { try rule.encode(date) }
}

// MARK: Reading

extension JSONDateStrategy.Rule {
    var expectation: String {
        switch self {
        case .automatic: "a date (ISO 8601 text, or seconds since 1970)"
        case .iso8601, .iso8601WithFractionalSeconds: "a date (ISO 8601 text)"
        case .secondsSince1970: "a date (seconds since 1970)"
        case .millisecondsSince1970: "a date (milliseconds since 1970)"
        #if Foundation || canImport(Darwin)
        case .format(let format): "a date (\(format.format))"
        #endif
        case .custom: "a date"
        }
    }

    func decode(_ scalar: borrowing JSONScalar) throws -> Date {
        switch self {
        case .automatic:
            if let date = try Date(iso8601: scalar) { return date }
            return try Self.plausibleDate(secondsSince1970: scalar)
        case .iso8601, .iso8601WithFractionalSeconds:
            guard let date = try Date(iso8601: scalar) else { throw JSONModelError.ConversionFailure.mismatch }
            return date
        case .secondsSince1970:
            return Date(timeIntervalSince1970: try Self.number(scalar))
        case .millisecondsSince1970:
            return Date(millisecondsSince1970: try Self.number(scalar))
        #if Foundation || canImport(Darwin)
        case .format(let format):
            guard let text = scalar.string else { throw JSONModelError.ConversionFailure.mismatch }
            guard let date = format.date(text) else {
                throw JSONModelError.ConversionFailure.invalid("\(quoted(text)) is not like \(format.format)")
            }
            return date
        #endif
        case .custom(let decode, _):
            return try decode(scalar)
        }
    }

    /// The seconds since 1970 of the years 1 to 9999.
    private static let plausibleSeconds = -62_135_596_800.0..<253_402_300_800.0

    private static func plausibleDate(
        secondsSince1970 scalar: borrowing JSONScalar
    ) throws(JSONModelError.ConversionFailure) -> Date {
        let seconds = try number(scalar)
        if plausibleSeconds.contains(seconds) { return Date(timeIntervalSince1970: seconds) }
        let text = scalar.numberText.map { String($0.prefix(40)) } ?? "\(seconds)"
        throw .invalid(
            "\(text) seconds since 1970 lie outside the years 1 to 9999",
            hint: plausibleSeconds.contains(seconds / 1000)
                ? "for milliseconds, use JSONDateStrategy.millisecondsSince1970" : nil)
    }

    private static func number(_ scalar: borrowing JSONScalar) throws(JSONModelError.ConversionFailure) -> Double {
        if let number = scalar.double { return number }
        throw scalar.numberText == nil ? .mismatch : .outOfRange
    }
}

extension Date {
    /// The date that ISO 8601 text stands for; nil for another kind of scalar.
    fileprivate init?(iso8601 scalar: borrowing JSONScalar) throws(JSONModelError.ConversionFailure) {
        let text = scalar.withUTF8 { text -> Result<Date, JSONModelError.ConversionFailure> in
            Result { () throws(JSONModelError.ConversionFailure) in try Date(iso8601: text) }
        }
        guard let text else { return nil }
        self = try text.get()
    }

    /// The date that ISO 8601 text stands for.
    init(iso8601 text: UnsafeBufferPointer<UInt8>) throws(JSONModelError.ConversionFailure) {
        self.init(timeIntervalSinceReferenceDate: try ISO8601Moment(text).secondsSinceReferenceDate)
    }

    init(millisecondsSince1970 milliseconds: Double) { self.init(timeIntervalSince1970: milliseconds / 1000) }
}

// MARK: Writing

extension JSONDateStrategy.Rule {
    func encode(_ date: Date) throws -> JSONValue {
        switch self {
        case .automatic: .string(try date.iso8601(.shortest))
        case .iso8601: .string(try date.iso8601(.none))
        case .iso8601WithFractionalSeconds: .string(try date.iso8601(.milliseconds))
        case .secondsSince1970: .number(try date.secondsNumber)
        case .millisecondsSince1970: .number(try date.millisecondsNumber)
        #if Foundation || canImport(Darwin)
        case .format(let format): .string(format.text(date))
        #endif
        case .custom(_, let encode): try encode(date)
        }
    }
}

extension Date {
    /// The seconds since 1970. A whole number has no decimal point.
    var secondsNumber: JSONNumber {
        get throws(JSONModelError.ConversionFailure) { try Self.number(timeIntervalSince1970) }
    }

    /// The milliseconds since 1970. A whole number has no decimal point.
    var millisecondsNumber: JSONNumber {
        get throws(JSONModelError.ConversionFailure) { try Self.number(millisecondsSince1970) }
    }

    private static func number(_ value: Double) throws(JSONModelError.ConversionFailure) -> JSONNumber {
        if let integer = Int(exactly: value) { return JSONNumber(integer) }
        guard let number = JSONNumber(value) else { throw .invalid("\(value) is no number of JSON") }
        return number
    }

    /// Whole, if they are as near to it as a date's seconds can tell: what was read in milliseconds is written so.
    private var millisecondsSince1970: Double {
        let seconds = timeIntervalSince1970
        let whole = (seconds * 1000).rounded()
        return abs(whole / 1000 - seconds) <= seconds.ulp ? whole : seconds * 1000
    }
}
