#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The JSON form of dates: of all dates of a decoder or an encoder, or as the transform of one property.
///
/// ```swift
/// @JSONTransform(JSONDateStrategy.format("yyyy-MM-dd")) let birthday: Date
/// @JSONTransform(.seconds) let joined: Date
/// ```
public struct JSONDateStrategy: JSONTransform {
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
    /// The shape of dates in this form. The strategy keeps its shape alive.
    package let shape: JSONShape

    private init(_ rule: Rule) {
        self.rule = rule
        let shape: JSONShape
        if case .custom(let decode, let encode) = rule {
            shape = .scalar(Date.self, expecting: rule.expectation, read: decode, write: encode)
        } else {
            shape = .scalar(Date.self, expecting: rule.expectation) { scalar in
                try rule.decode(scalar)
            } write: { date in
                try rule.encode(date)
            } text: { date, out in
                try rule.write(date, to: &out)
            }
        }
        self.shape = shape.schema { rule.schema($0) }
    }

    /// An ISO 8601 string, or a number of seconds since 1970. This strategy is the default.
    ///
    /// A string needs a time zone and may have a fraction of a second (`2024-05-06T07:08:09.5+02:00`). A number whose
    /// date is outside the years 1 to 9999 is an error, because such a number usually counts milliseconds.
    ///
    /// A date is encoded as a string in UTC, with the fewest fractional digits that decode to the same date. A date before
    /// the year 0 or after 9999 is an error.
    ///
    /// In every strategy, equal times make equal dates, whether a string or a number states them: a fraction of a second is
    /// rounded like the argument of `Date(timeIntervalSince1970:)`, or to the nearest date if it has more than six digits.
    public static let automatic = JSONDateStrategy(.automatic)

    /// An ISO 8601 string with a time zone, and with or without a fraction of a second (`2024-05-06T07:08:09.5+02:00`).
    ///
    /// A date is encoded in UTC with whole seconds: `2024-05-06T05:08:09Z`. The fraction is truncated.
    public static let iso8601 = JSONDateStrategy(.iso8601)

    /// An ISO 8601 string. Decodes the same strings as ``iso8601``.
    ///
    /// A date is encoded in UTC, rounded to the nearest millisecond: `2024-05-06T05:08:09.500Z`.
    public static let iso8601WithFractionalSeconds = JSONDateStrategy(.iso8601WithFractionalSeconds)

    /// A number of seconds since 1970-01-01T00:00:00Z, with or without a fraction.
    ///
    /// A date is encoded with digits that decode to the same date. A date of whole milliseconds has at most three digits after the point.
    public static let secondsSince1970 = JSONDateStrategy(.secondsSince1970)

    /// A number of milliseconds since 1970-01-01T00:00:00Z, with or without a fraction.
    ///
    /// A date is encoded with digits that decode to the same date. A date of whole milliseconds is a whole number.
    public static let millisecondsSince1970 = JSONDateStrategy(.millisecondsSince1970)

    #if Foundation || canImport(Darwin)
    /// A string in a date format, in the Gregorian calendar and with English names.
    ///
    /// On platforms other than Apple's, this strategy needs the package trait `Foundation`.
    ///
    /// - Parameters:
    ///   - format: The pattern, in the letters of Unicode Technical Standard 35, such as `yyyy-MM-dd HH:mm:ss`.
    ///   - timeZone: The time zone of encoded dates, and of decoded strings that state no time zone.
    public static func format(_ format: String, timeZone: TimeZone = .gmt) -> JSONDateStrategy {
        formats.withLock {
            $0.value(for: Format(pattern: format, timeZone: timeZone)) {
                JSONDateStrategy(.format(DateFormat(format, timeZone: timeZone)))
            }
        }
    }

    private struct Format: Hashable {
        let pattern: String
        let timeZone: TimeZone
    }

    /// The strategies of the formats that were used last: equal ones share their formatter, and the plans of decoders.
    private static let formats = Lock(RecentValues<Format, JSONDateStrategy>())
    #endif

    /// A custom conversion.
    ///
    /// Such a strategy is equal only to its copies. A decoder resolves its plans for each strategy, so that a strategy is best made once.
    ///
    /// - Parameters:
    ///   - decode: Makes the date. The closure may throw a ``/SluiceCore/JSONModelError/ConversionFailure`` or any other
    ///     error. The error is reported in an issue with path and location.
    ///   - encode: Makes the JSON. An error is reported in an issue with the path.
    public static func custom(
        decode: @escaping @Sendable (borrowing JSONScalar) throws -> Date,
        encode: @escaping @Sendable (Date) throws -> JSONValue
    ) -> JSONDateStrategy {
        JSONDateStrategy(.custom(decode: decode, encode: encode))
    }

    /// Makes a date from a string or number.
    ///
    /// - Parameter scalar: The string or number.
    /// - Throws: `JSONModelError.ConversionFailure`, or an error of a custom strategy.
    @_documentation(visibility: internal) public func decode(_ scalar: borrowing JSONScalar) throws -> Date {
        try rule.decode(scalar)
    }

    /// Makes a date from a JSON value.
    ///
    /// - Parameter json: The string or number.
    /// - Throws: `JSONModelError.ConversionFailure`, or an error of a custom strategy.
    @_documentation(visibility: internal) public func decode(_ json: JSONValue) throws -> Date {
        var decoder = JSONModelDecoder()
        decoder.dateStrategy = self
        do throws(JSONModelError) {
            return try decoder.decode(Date.self, from: json)
        } catch {
            let issue = error.issues[0]
            if let underlying = issue.underlying { throw underlying }
            switch issue.kind {
            case .invalidValue(_, let reason):
                throw JSONModelError.ConversionFailure.invalid(reason, hint: issue.hint)
            case .numberOutOfRange: throw JSONModelError.ConversionFailure.outOfRange
            default: throw JSONModelError.ConversionFailure.mismatch
            }
        }
    }

    /// Makes the string or number of a date.
    ///
    /// - Parameter date: The date.
    /// - Throws: `JSONModelError.ConversionFailure` if the date is infinite or, in ISO 8601, before the year 0 or after
    ///   9999, or an error of a custom strategy.
    @_documentation(visibility: internal) public func encode(_ date: Date) throws -> JSONValue {
        try rule.encode(date)
    }
}

// Properties are read and written by the shape, without a value between.
extension JSONDateStrategy: ShapedTransform {}

extension JSONDateStrategy: Hashable {
    /// Whether two strategies are the same. A custom strategy is equal only to its copies.
    @_documentation(visibility: internal) public static func == (a: JSONDateStrategy, b: JSONDateStrategy) -> Bool {
        a.shape === b.shape
    }

    /// Hashes the identity of the strategy.
    @_documentation(visibility: internal) public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(shape))
    }
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

    /// The schema of a date.
    func schema(_ form: JSONSchemaForm) -> JSONValue {
        let text: JSONValue = ["type": "string", "format": "date-time"]
        switch self {
        case .automatic where form == .decoding:
            let seconds: JSONValue = [
                "type": "number", "minimum": -62_135_596_800, "exclusiveMaximum": 253_402_300_800,
            ]
            return ["anyOf": [text, seconds]]
        case .automatic, .iso8601, .iso8601WithFractionalSeconds: return text
        case .secondsSince1970, .millisecondsSince1970: return ["type": "number"]
        #if Foundation || canImport(Darwin)
        case .format: return ["type": "string"]
        #endif
        case .custom: return form == .encoding ? [:] : ["type": ["string", "number", "boolean"]]
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
            return Date(number: scalar, try Self.number(scalar), shift: 0)
        case .millisecondsSince1970:
            return Date(number: scalar, try Self.number(scalar), shift: 3)
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

    /// The range of seconds since 1970 for the years 1 to 9999.
    private static let plausibleSeconds = -62_135_596_800.0..<253_402_300_800.0

    private static func plausibleDate(
        secondsSince1970 scalar: borrowing JSONScalar
    ) throws(JSONModelError.ConversionFailure) -> Date {
        let seconds = try number(scalar)
        if plausibleSeconds.contains(seconds) { return Date(number: scalar, seconds, shift: 0) }
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
    /// Parses an ISO 8601 string, or returns nil if the scalar is not a string.
    fileprivate init?(iso8601 scalar: borrowing JSONScalar) throws(JSONModelError.ConversionFailure) {
        let text = scalar.withUTF8 { text -> Result<Date, JSONModelError.ConversionFailure> in
            Result { () throws(JSONModelError.ConversionFailure) in try Date(iso8601: text) }.mapError { failure in
                #if Foundation || canImport(Darwin)
                // A time follows the letter T. Without one, the text has another form, such as that of a day or of a database.
                let hasTime = text.count > 10 && text[10] | 0x20 == UInt8(ascii: "t")
                if case .invalid(let reason, hint: nil) = failure, !hasTime {
                    return .invalid(reason, hint: "for another form, use JSONDateStrategy.format")
                }
                #endif
                return failure
            }
        }
        guard let text else { return nil }
        self = try text.get()
    }

    /// Parses an ISO 8601 string.
    init(iso8601 text: UnsafeBufferPointer<UInt8>) throws(JSONModelError.ConversionFailure) {
        self = try ISO8601Moment(text).date
    }

    /// Creates the date of a number in units of `10^-shift` seconds since 1970, given its text in a scalar and its value.
    fileprivate init(number scalar: borrowing JSONScalar, _ value: Double, shift: Int) {
        self.init(number: scalar.numberText ?? "", value, shift: shift)
    }

    /// Creates the date of a number in units of `10^-shift` seconds since 1970, given its text and its value.
    init(number text: String, _ value: Double, shift: Int) {
        let seconds = shift == 3 ? value / 1000 : value
        if Date.isShort(text, value, seconds, shift) {
            self.init(timeIntervalSince1970: seconds)
        } else {
            // Beyond the precision of a date, the value alone is as good.
            self = DecimalTime(number: text, shift: shift)?.date ?? Date(timeIntervalSince1970: seconds)
        }
    }

    /// Whether a number is far from 2001 and has at most six digits after the decimal point of its seconds. Its seconds are rounded once.
    private static func isShort(_ text: String, _ value: Double, _ seconds: Double, _ shift: Int) -> Bool {
        guard value.magnitude < 9e15, (seconds - 978_307_200).magnitude > 70_000 else { return false }
        var digits: Int?
        for byte in text.utf8 {
            if let count = digits { digits = count + 1 }
            if byte == UInt8(ascii: ".") { digits = 0 }
            if byte | 0x20 == UInt8(ascii: "e") { return false }
        }
        return (digits ?? 0) <= (shift == 0 ? 6 : 0)
    }
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

extension JSONDateStrategy.Rule {
    /// Writes the JSON of a date.
    func write(_ date: Date, to out: inout OutputBuffer) throws {
        switch self {
        case .automatic: try writeISO8601(date, .shortest, &out)
        case .iso8601: try writeISO8601(date, .none, &out)
        case .iso8601WithFractionalSeconds: try writeISO8601(date, .milliseconds, &out)
        case .secondsSince1970:
            guard let milliseconds = DecimalTime.exactMilliseconds(date) else { return try writeText(date, &out) }
            let (seconds, fraction) = milliseconds.magnitude.quotientAndRemainder(dividingBy: 1000)
            if milliseconds < 0 { out.byte(UInt8(ascii: "-")) }
            out.integer(seconds)
            let digits = DecimalTime.shortened(Int(fraction))
            out.fraction(digits.value, digits.count)
        case .millisecondsSince1970:
            guard let milliseconds = DecimalTime.exactMilliseconds(date) else { return try writeText(date, &out) }
            out.integer(milliseconds)
        default: try writeText(date, &out)
        }
    }

    private func writeText(_ date: Date, _ out: inout OutputBuffer) throws {
        switch try encode(date) {
        case .string(let text): out.string(text)
        case let value: out.text(value.description)
        }
    }

    private func writeISO8601(_ date: Date, _ fraction: ISO8601Fraction, _ out: inout OutputBuffer) throws {
        out.reserve(8)
        out.byte(UInt8(ascii: "\""))
        try date.write(fraction, to: &out)
        out.reserve(8)
        out.byte(UInt8(ascii: "\""))
    }
}

extension Date {
    /// The seconds since 1970. A whole number has no decimal point.
    var secondsNumber: JSONNumber {
        get throws(JSONModelError.ConversionFailure) { try number(shift: 0) }
    }

    /// The milliseconds since 1970. A whole number has no decimal point.
    var millisecondsNumber: JSONNumber {
        get throws(JSONModelError.ConversionFailure) { try number(shift: 3) }
    }

    /// Returns the number of units of `10^-shift` seconds since 1970, which is decoded as the same date.
    ///
    /// The number has the fewest digits up to microseconds. Other dates are written like `timeIntervalSince1970`.
    private func number(shift: Int) throws(JSONModelError.ConversionFailure) -> JSONNumber {
        let value = shift == 3 ? timeIntervalSince1970 * 1000 : timeIntervalSince1970
        if let time = DecimalTime(self) {
            let isShort = time.digits.count <= DecimalTime.shortDigits
            if !isShort, DecimalTime(number: "\(value)", shift: shift)?.date == self, let number = JSONNumber(value)
            {
                return number
            }
            return JSONNumber(unchecked: time.number(shift: shift))
        }
        // The precision of the date is a second or less.
        if let integer = Int(exactly: value) { return JSONNumber(integer) }
        guard let number = JSONNumber(value) else { throw .invalid("\(value) is not a JSON number") }
        return number
    }
}
