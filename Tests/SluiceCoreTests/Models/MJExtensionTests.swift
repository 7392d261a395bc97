import TestSupport
import Testing

@testable import SluiceCore

@Suite(.tags(.coercion)) struct MJExtensionTests {
    @Test(arguments: [
        ("40个", 40), ("收藏5", 0), ("", 0), ("hehe", 0), ("-", 0), ("-3x", -3), ("+12 apples", 12), ("  8 ", 8),
        ("120.5", 120), ("-120.99", -120), ("-0.5", 0), (".9", 0), ("1.2.3", 1), ("1,234", 1), ("1e3x", 1000),
        ("12e", 12), ("12e+", 12), ("12.x", 12), ("0x10", 0), ("1.9999e2kg", 199),
        ("9223372036854775807.999", Int.max), ("-9223372036854775808.999", Int.min),
    ])
    func `integers are read from the prefixes of strings`(text: String, value: Int) throws {
        #expect(try coerce(.string(text), .mjExtension) == value)
        #expect(try coerce(.string(text), to: Int?.self, .mjExtension) == value)
    }

    @Test(arguments: [
        ("20.3元", 20.3), ("", 0), ("x", 0), ("1e3x", 1000), ("3e", 3), (".5.5", 0.5), ("-7.", -7), ("nan", 0),
        ("1e-3-", 0.001),
    ])
    func `doubles are read from the prefixes of strings`(text: String, value: Double) throws {
        #expect(try coerce(.string(text), .mjExtension) == value)
        #expect(try coerce(.string(text), to: Float.self, .mjExtension) == Float(value))
    }

    /// Cut from the digits, wherever the point stands and however many of them there are.
    @Test(arguments: [
        ("1.5", "1"), ("-1.5", "-1"), ("0.999", "0"), ("-0.999", "0"), ("1e-5", "0"), ("12345e-2", "123"),
        ("1.23456789e3", "1234"), ("0.00012345e6", "123"), ("1e-99999999999999999999", "0"),
        ("12345678901234567890123456789.5", "12345678901234567890123456789"),
        ("-170141183460469231731687303715884105728.9", "-170141183460469231731687303715884105728"),
        ("1701411834604692317316873037158841057279e-1", "170141183460469231731687303715884105727"),
        (
            "0.0000000000000000000001701411834604692317316873037158841057279e60",
            "170141183460469231731687303715884105727"
        ),
        (
            "10000000000000000000000000000000.00000000000000000000000000000000001",
            "10000000000000000000000000000000"
        ),
    ])
    func `fractions are truncated to integers`(text: String, whole: String) throws {
        #expect(try coerce(.number(text), to: Int128.self, .mjExtension) == Int128(whole))
        #expect(try coerce(.string(text), to: Int128?.self, .mjExtension) == Int128(whole))
    }

    /// Whatever else is cut, a value is either right or an error.
    @Test func `numbers that do not fit are errors under MJExtension coercion`() {
        #expect(refusal(of: .number("256.5"), as: UInt8.self, .mjExtension) == .outOfRange)
        #expect(refusal(of: "-1.5", as: UInt8.self, .mjExtension) == .outOfRange)
        #expect(refusal(of: .number("1e30"), as: Int.self, .mjExtension) == .outOfRange)
        #expect(refusal(of: "1e309 km", as: Double.self, .mjExtension) == .outOfRange)
    }

    @Test func `fractions are truncated for integer types of every width`() throws {
        func check<T: FixedWidthInteger & JSONConvertible>(_ type: T.Type) throws {
            #expect(try coerce(.number("\(T.max).75"), to: T.self, .mjExtension) == T.max)
            #expect(try coerce(.number("\(T.min).75"), to: T?.self, .mjExtension) == T.min)
            #expect(try coerce("100.7元", to: T.self, .mjExtension) == 100)
        }
        for type in IntegerTypes.all { try check(type) }
    }

    @Test(arguments: ["yes", "TRUE", "1", "2", "-0.1", "7 of 9", " 1e-400"])
    func `words for true and strings with nonzero numbers are true`(text: String) throws {
        #expect(try coerce(.string(text), .mjExtension) == true)
    }

    @Test(arguments: ["no", "False", "0", "0.0kg", "", "yr Joking", "hehe", "yes!", "on"])
    func `all other strings are false`(text: String) throws {
        #expect(try coerce(.string(text), to: Bool?.self, .mjExtension) == false)
    }

    @Test func `numbers other than 0 are true`() throws {
        for text in ["1", "-5", "1.5", "1e400", "1e-400"] {
            #expect(try coerce(.number(text), .mjExtension) == true)
        }
        for text in ["0", "-0.0", "0e9"] { #expect(try coerce(.number(text), .mjExtension) == false) }
    }

    @Test func `another decimal separator applies to strings only`() throws {
        let comma = JSONCoercion.mjExtension(decimalSeparator: ",")
        #expect(try coerce("20,3", comma) == 20.3)
        #expect(try coerce("120,5", comma) == 120)
        #expect(try coerce(",5", comma) == 0.5)
        #expect(try coerce("-1,5e3€", comma) == -1500.0)
        #expect(try coerce("20.3", comma) == 20.0)
        #expect(try coerce("0,1", comma) == true)
        // JSON's numbers have a point everywhere.
        #expect(try coerce(.number("20.3"), comma) == 20.3)
        #expect(try coerce(.number("20.3"), comma) == "20.3")
        let arabic = JSONCoercion.mjExtension(decimalSeparator: "\u{66B}")
        #expect(try coerce("20\u{66B}25", arabic) == 20.25)
        #expect(comma != .mjExtension)
        #expect(JSONCoercion.mjExtension(decimalSeparator: ".") == .mjExtension)
    }
}
