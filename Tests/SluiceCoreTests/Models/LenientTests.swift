import TestSupport
import Testing

@testable import SluiceCore

@Suite(.tags(.coercion)) struct LenientTests {
    // MARK: Strings as numbers

    @Test(arguments: [
        ("0", 0), ("-0", 0), ("+0", 0), ("7", 7), ("+7", 7), ("-7", -7), ("007", 7), ("-007", -7), ("7.", 7),
        ("7.0", 7), ("7.000e0", 7), ("70e-1", 7), ("0.7E1", 7), (".7e+1", 7), ("7e0005", 700_000), (" 7 ", 7),
        ("\t\r\n7\n", 7), ("9223372036854775807", Int.max), ("-9223372036854775808", Int.min),
        ("00000000000000000000000000000009223372036854775807.0", Int.max),
    ])
    func `strings with integers become integers`(text: String, value: Int) throws {
        #expect(try coerce(.string(text), .lenient) == value)
        #expect(try coerce(.string(text), to: Int?.self, .lenient) == value)
    }

    @Test(arguments: [
        "", " ", "-", "+", ".", "-.", "e5", ".e5", "1e", "1e+", "1.5.2", "1,5", "1 2", "--1", "+-1", "0x10", "1f",
        "nan", "inf", "Infinity", "40个", "个40", "１", "1\u{A0}", "\u{3000}1", "1_000", "1,000", "true", "−1",
    ])
    func `strings without a number are mismatches`(text: String) {
        #expect(refusal(of: .string(text), as: Int.self, .lenient) == .mismatch)
        #expect(refusal(of: .string(text), as: Double.self, .lenient) == .mismatch)
        #expect(refusal(of: .string(text), as: UInt128?.self, .lenient) == .mismatch)
    }

    @Test func `numbers that do not fit are errors under lenient coercion`() {
        #expect(refusal(of: "1.5", as: Int.self, .lenient) == .notAnInteger)
        #expect(refusal(of: .number("1.5"), as: Int.self, .lenient) == .notAnInteger)
        #expect(refusal(of: "9223372036854775808", as: Int.self, .lenient) == .outOfRange)
        #expect(refusal(of: "-1", as: UInt.self, .lenient) == .outOfRange)
        #expect(refusal(of: "1e309", as: Double.self, .lenient) == .outOfRange)
        #expect(refusal(of: "1e99999999999999999999", as: Double.self, .lenient) == .outOfRange)
    }

    /// From the least to the greatest value, as text, and not a step further.
    private func checkBounds<T: FixedWidthInteger & JSONConvertible>(_ type: T.Type) throws {
        for value in [T.min, T.min + 1, 0, 1, T.max - 1, T.max] {
            #expect(try coerce(.string("\(value)"), to: T.self, .lenient) == value)
            #expect(try coerce(.string(" \(value).000 "), to: T?.self, .lenient) == value)
            #expect(try coerce(.string("\(value)"), to: T??.self, .mjExtension) == value)
        }
        #expect(refusal(of: .string(T.textAbove), as: T.self, .lenient) == .outOfRange)
        #expect(refusal(of: .string(T.textAbove), as: T.self, .mjExtension) == .outOfRange)
        #expect(refusal(of: .string(T.textBelow), as: T.self, .lenient) == .outOfRange)
        #expect(refusal(of: .string(T.textBelow + "个"), as: T.self, .mjExtension) == .outOfRange)
        #expect(try coerce(.bool(true), to: T.self, .lenient) == 1)
        #expect(try coerce(.bool(false), to: T?.self, .lenient) == 0)
    }

    @Test func `integer types of every width accept strings within their bounds`() throws {
        for type in IntegerTypes.all { try checkBounds(type) }
    }

    @Test(arguments: [
        ("0.1", 0.1), (".5", 0.5), ("5.", 5), ("-.5e-3", -0.0005),
        ("+1.7976931348623157e308", .greatestFiniteMagnitude), ("0.30000000000000004", 0.1 + 0.2), ("1e-400", 0),
        ("0000.000", 0), ("123456789012345678901", 1.2345678901234568e20),
    ])
    func `strings with decimal numbers become doubles`(text: String, value: Double) throws {
        #expect(try coerce(.string(text), .lenient) == value)
        #expect(try coerce(.string(text), to: Double?.self, .lenient) == value)
    }

    @Test func `strings and booleans become floats and halves without double rounding`() throws {
        // From the digits: by way of a double it would be rounded twice.
        #expect(try coerce("1.000000178813934326171875000000001", .lenient) == Float(1).nextUp.nextUp)
        #expect(try coerce("65504", .lenient) == Float16(65504))
        #expect(refusal(of: "65520", as: Float16.self, .lenient) == .outOfRange)
        #expect(try coerce("-0", to: Double.self, .lenient).sign == .minus)
        #expect(try coerce(.bool(true), .lenient) == 1.0)
        #expect(try coerce(.bool(true), .lenient) == Float(1))
        #expect(try coerce(.bool(false), .lenient) == Float16(0))
    }

    // MARK: Strings

    @Test(arguments: ["0", "-0.0", "19.95", "1.50", "1E+2", "123456789012345678901234567890", "99.99", "1e400"])
    func `a number becomes a string with the same digits`(text: String) throws {
        #expect(try coerce(.number(text), .lenient) == text)
        #expect(try coerce(.number(text), to: String?.self, .mjExtension) == text)
    }

    @Test func `booleans become strings`() throws {
        #expect(try coerce(.bool(true), .lenient) == "true")
        #expect(try coerce(.bool(false), to: String?.self, .lenient) == "false")
    }

    // MARK: Booleans

    @Test(arguments: ["true", "yes", "1", "TRUE", "Yes", "yEs", " true\n"]) func `words for true become true`(
        text: String
    ) throws { #expect(try coerce(.string(text), .lenient) == true) }

    @Test(arguments: ["false", "no", "0", "FALSE", "No", "\tno "]) func `words for false become false`(text: String)
        throws
    { #expect(try coerce(.string(text), to: Bool?.self, .lenient) == false) }

    @Test(arguments: ["", "2", "1.0", "01", "t", "y", "on", "off", "yes!", "truе", "\u{11}"])
    func `other strings are not booleans`(text: String) {
        #expect(refusal(of: .string(text), as: Bool.self, .lenient) == .mismatch)
    }

    @Test func `the numbers 0 and 1 become booleans`() throws {
        for text in ["1", "1.0", "1.000e0", "10e-1", "0.01E2"] {
            #expect(try coerce(.number(text), .lenient) == true)
        }
        for text in ["0", "-0", "0.00", "0e99"] {
            #expect(try coerce(.number(text), to: Bool?.self, .lenient) == false)
        }
    }

    @Test(arguments: [
        "1.5", "-5", "1e400", "-1", "2", "0.5", "1e-400", "256", "257", "1.00000000000000000000000000000001",
        "0.00000000000000000000000000001", "18446744073709551616",
    ])
    func `numbers other than 0 and 1 are not booleans`(text: String) {
        #expect(refusal(of: .number(text), as: Bool.self, .lenient) == .mismatch)
        #expect(refusal(of: .number(text), as: Bool?.self, .lenient) == .mismatch)
    }

    // MARK: What stays

    @Test func `values that strict coercion accepts are the same under every coercion`() throws {
        for coercion in [JSONCoercion.strict, .lenient, .mjExtension, .mjExtension(decimalSeparator: ",")] {
            #expect(try coerce("007", coercion) == "007")
            #expect(try coerce(.number("7"), to: Int?.self, coercion) == 7)
            #expect(try coerce(.number("1.5"), coercion) == 1.5)
            #expect(try coerce(.bool(true), to: Bool??.self, coercion) == true)
        }
    }

    @Test func `strict coercion converts no scalars`() {
        #expect(refusal(of: "1", as: Int.self, .strict) == .mismatch)
        #expect(refusal(of: .number("1"), as: String.self, .strict) == .mismatch)
        #expect(refusal(of: .number("1"), as: Bool.self, .strict) == .mismatch)
        #expect(refusal(of: .bool(true), as: Double?.self, .strict) == .mismatch)
    }

    @Test func `strings do not become containers`() {
        #expect(refusal(of: "[1]", as: [Int].self, .lenient) == .mismatch)
        #expect(refusal(of: "{}", as: [String: Int].self, .mjExtension) == .mismatch)
    }
}
