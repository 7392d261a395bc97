import Foundation
import Sluice
import TestSupport
import Testing

@Suite struct DecimalTests {
    @Test(arguments: [
        "0", "-0", "0.0", "1", "-1", "0.1", "-0.1", "1.50", "1e2", "1E+2", "1e-2", "100",
        "19.99", "1234567890.0987654321", "18446744073709551615", "18446744073709551616", "-9223372036854775809",
        "12345678901234567890123456789012345678", "0.00000000000000000000000000000000000001",
        "99999999999999999999999999999999999999", "-0.12345678901234567890123456789012345678",
        "340282366920938463463374607431768211455", "123456789012345678.90123456789012345678",
        "10000000000000000000000000000000000000000000000000000000000000", "1e127", "1e-128", "123e-128",
        "340282366920938463463374607431768211455e127", "0.001e-125", "0.1",
        "1.00000000000000000000000000000000000000000000000000000000000000",
        "0.00000000000000000000000000000000000000000000000000000000001e60",
    ])
    func `decimals are decoded exactly`(text: String) throws {
        let value = try decode(Decimal.self, text)
        #expect(value == Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")))
        #expect(!value.isNaN)
    }

    @Test(arguments: [
        "123456789012345678901234567890123456789012", "340282366920938463463374607431768211456", "1e128", "-1e128",
        "340282366920938463463374607431768211456e126", "1e-129", "1.5e-128", "1e99999999999999999999",
        "-1e-99999999999999999999", "0.1000000000000000055511151231257827021181583404541015625",
    ])
    func `numbers that a decimal would round are refused`(text: String) {
        let issue = issue(Decimal.self, text)
        #expect(issue?.kind == .numberOutOfRange(type: "Decimal", text: text))
        #expect(issue?.description == "\(text) does not fit in Decimal at $ (line 1, column 1, offset 0)")
    }

    @Test func `zero with any exponent is zero`() throws {
        let zeros = try decode(
            [Decimal].self, "[0, -0, 0.000, 0e999999999999999999999, -0.0E-999999999999999999999]")
        #expect(zeros.allSatisfy { $0 == 0 && $0.isZero && !$0.isNaN && $0.sign == .plus })
    }

    @Test func `decimals are not converted through doubles`() throws {
        // As doubles, the first two are equal, and the third has 16 digits too many.
        let text = "[9007199254740993, 9007199254740992, 0.1]"
        let values = try decode([Decimal].self, text)
        #expect(values[0] - values[1] == 1)
        #expect(values[2] * 10 == 1)
        #expect("\(values[2])" == "0.1")
    }

    @Test func `equal decimals have equal hash values`() throws {
        let values = try decode(
            [Decimal].self, "[1.5, 1.50, 1.500000000000000000000000, 15e-1, 0.15e1, 0.000015E5]")
        #expect(Set(values).count == 1)
        #expect(Set(try decode([Decimal].self, "[100, 1e2, 100.0]")).count == 1)
    }

    @Test(arguments: [("\"1.5\"", "a string"), ("true", "a boolean"), ("[]", "an array"), ("{}", "an object")])
    func `values that are not numbers are refused`(text: String, found: String) {
        #expect(issue(Decimal.self, text)?.kind == .typeMismatch(expected: "a number", found: found))
    }

    @Test func `null decodes to optional decimals only`() throws {
        #expect(issue(Decimal.self, "null")?.kind == .nullValue(expected: "a number"))
        #expect(try decode([Decimal?].self, "[null, 0.25, null]") == [nil, 0.25, nil])
    }

    @Test func `a JSONNumber of a decimal has all digits`() throws {
        for text in ["0", "-1.5", "12345678901234567890123456789012345678", "0.1", "1000000000000000000000"] {
            let decimal = try #require(Decimal(string: text))
            let number = try #require(JSONNumber(decimal))
            #expect(number.description == text)
            #expect(try JSONModelDecoder().decode(Decimal.self, from: number.description) == decimal)
        }
        #expect(JSONNumber(Decimal.nan) == nil)
    }
}
