import TestSupport
import Testing

@testable import SluiceCore

/// The coercion of types whose closures convert scalars.
@Suite(.tags(.replay, .embedded)) struct RereadingTests {
    private enum Level: Int, JSONConvertible {
        case none, low
        case high = 10
    }
    private enum Name: String, JSONConvertible {
        case one = "1"
        case yes = "true"
    }

    /// Takes booleans alone.
    private struct Flag: JSONConvertible, Equatable {
        let isSet: Bool
        static var jsonShape: JSONShape {
            .scalar(Self.self, expecting: "a flag") { scalar in
                guard let value = scalar.bool else { throw JSONModelError.ConversionFailure.mismatch }
                return Flag(isSet: value)
            } write: {
                .bool($0.isSet)
            }
        }
    }

    /// Takes numbers, and strings that begin with `#`.
    private struct Ticket: JSONConvertible, Equatable {
        let number: String
        static var jsonShape: JSONShape {
            .scalar(Self.self, expecting: "a ticket") { scalar in
                if let digits = scalar.numberText { return Ticket(number: digits) }
                guard let text = scalar.string else { throw JSONModelError.ConversionFailure.mismatch }
                guard text.hasPrefix("#") else { throw JSONModelError.ConversionFailure.invalid("no #") }
                return Ticket(number: String(text.dropFirst()))
            } write: {
                .string("#\($0.number)")
            }
        }
    }

    private struct Own: Error {}

    private struct Moody: JSONConvertible {
        static var jsonShape: JSONShape {
            .scalar(Self.self, expecting: "a mood") { scalar in
                throw scalar.string == nil ? Own() : JSONModelError.ConversionFailure.mismatch
            } write: { _ in
                .null
            }
        }
    }

    @Test func `custom types of numbers accept strings with numbers`() throws {
        #expect(try coerce("10", .lenient) == Level.high)
        #expect(try coerce(" 01.0 ", to: Level?.self, .lenient) == .low)
        #expect(try coerce(.bool(true), .lenient) == Level.low)
        #expect(try coerce("10级", .mjExtension) == Level.high)
        #expect(try coerce("级", .mjExtension) == Level.none)
        #expect(try coerce(.number("10.9"), .mjExtension) == Level.high)
        #expect(try coerce("10.9", .mjExtension) == Level.high)
    }

    @Test func `custom types of strings accept numbers and booleans`() throws {
        #expect(try coerce(.number("1"), .lenient) == Name.one)
        #expect(try coerce(.bool(true), to: Name?.self, .lenient) == .yes)
        #expect(try coerce("true", .lenient) == Name.yes)
    }

    @Test func `custom types of booleans accept strings and numbers`() throws {
        #expect(try coerce("yes", .lenient) == Flag(isSet: true))
        #expect(try coerce(.number("0"), to: Flag?.self, .lenient) == Flag(isSet: false))
        #expect(try coerce("joking", .mjExtension) == Flag(isSet: false))
        #expect(try coerce(.number("2"), .mjExtension) == Flag(isSet: true))
        #expect(refusal(of: .number("2"), as: Flag.self, .lenient) == .mismatch)
        #expect(refusal(of: "joking", as: Flag.self, .lenient) == .mismatch)
    }

    @Test func `a string that a custom type refuses is tried as a number`() throws {
        #expect(try coerce("#12", .lenient) == Ticket(number: "12"))
        #expect(try coerce("+12", .lenient) == Ticket(number: "12"))
        #expect(refusal(of: "12个", as: Ticket.self, .lenient) == .invalid("no #"))
        // What takes strings is not given a number that one only begins with, or 0.
        #expect(refusal(of: "12个", as: Ticket.self, .mjExtension) == .invalid("no #"))
        #expect(refusal(of: "", as: Ticket.self, .mjExtension) == .invalid("no #"))
    }

    @Test func `the most specific reason is reported`() {
        #expect(refusal(of: "abc", as: Level.self, .lenient) == .mismatch)
        #expect(refusal(of: "7", as: Level.self, .lenient) == .invalid("7 is not one of its values"))
        #expect(refusal(of: "1.5", as: Level.self, .lenient) == .notAnInteger)
        #expect(refusal(of: "1e30", as: Level.self, .lenient) == .outOfRange)
        #expect(refusal(of: "1e30", as: Level.self, .mjExtension) == .outOfRange)
        #expect(refusal(of: .number("7.5"), as: Level.self, .mjExtension) == .invalid("7 is not one of its values"))
        #expect(refusal(of: "abc", as: Name.self, .lenient) == .invalid("\"abc\" is not one of its values"))
        #expect(refusal(of: "10", as: Level.self, .strict) == .mismatch)
    }

    @Test func `errors of the program are thrown unchanged`() {
        #expect(throws: Own.self) { try coerce("12", to: Moody.self, .lenient) }
        #expect(throws: Own.self) { try coerce(.bool(true), to: Moody.self, .lenient) }
    }

    /// A closure may say of any number that it has a fraction.
    @Test func `integers with large exponents are not truncated`() throws {
        struct Picky: JSONConvertible, Equatable {
            let text: String
            static var jsonShape: JSONShape {
                .scalar(Self.self, expecting: "digits") { scalar in
                    guard let text = scalar.numberText else { throw JSONModelError.ConversionFailure.mismatch }
                    guard !text.contains("e") else { throw JSONModelError.ConversionFailure.notAnInteger }
                    return Picky(text: text)
                } write: {
                    .string($0.text)
                }
            }
        }
        #expect(try coerce(.number("1e2"), .mjExtension) == Picky(text: "100"))
        #expect(try coerce(.number("-25e-1"), .mjExtension) == Picky(text: "-2"))
        #expect(refusal(of: .number("1e9999"), as: Picky.self, .mjExtension) == .notAnInteger)
    }
}
