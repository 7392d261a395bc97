import TestSupport
import Testing

@testable import SluiceCore

/// The digits of numbers, which are stored as text or as a value.
struct JSONNumberTests {
    /// Texts around the limits of both forms.
    private static let texts: [String] =
        [
            "0", "-0", "-0.0", "0.0", "1e2", "1E2", "1.50", "-1.5e-3", "123456789012345", "1234567890123456",
            "9999999999999999999", "10000000000000000000", "-9999999999999999999", "18446744073709551615",
            "18446744073709551616", "-65.613616999999977", "0.0000000000000", "0.00000000000000",
            "-0.00000000000000000000000", "0.000000000000000000000000", "0.00000000000000000000012",
            "0.000000000000000000000012", "1000000000000000000.0", "100000000000000000.0", "1234567890123456.0e0",
            "1.234567890123456e0", "1234567890.12345678E+1", "1.50000000000000000", "123456789012345678.90",
        ]
        + (0..<30).flatMap { count in
            ["1", "9", "5"].flatMap { digit -> [String] in
                let digits = String(repeating: digit, count: count)
                let zeros = String(repeating: "0", count: count)
                return ["1\(digits)", "-7.\(digits)3", "0.\(zeros)\(digit)", "\(digit)\(digits).5", "2.\(zeros)"]
            }
        }.filter { !$0.hasSuffix(".") }

    private static func randomText(_ random: inout SeededRandom) -> String {
        func digits(_ count: Int) -> String {
            String((0..<count).map { _ in "0123456789".randomElement(using: &random)! })
        }
        let whole = random.below(3) == 0 ? "0" : "\(1 + random.below(9))" + digits(random.below(20))
        let fraction = random.below(3) == 0 ? "" : "." + digits(1 + random.below(24))
        let exponent = random.below(6) == 0 ? random.pick(["e0", "E1", "e-7", "e+12"]) : ""
        return random.pick(["", "-"]) + whole + fraction + exponent
    }

    private static var allTexts: [String] {
        var random = SeededRandom(seed: 77, index: 0)
        return texts + (0..<20_000).map { _ in randomText(&random) }
    }

    @Test(arguments: JSONModelDecoder.Source.allCases) func `every digit is kept`(_ source: JSONModelDecoder.Source)
        throws
    {
        let decoder = JSONModelDecoder(from: source)
        let texts = Self.allTexts
        let document = "[\(texts.joined(separator: ","))]"
        let values = try decoder.decode([JSONValue].self, from: document)
        #expect(values.map(\.description) == texts)
        #expect(try decoder.decode([JSONNumber].self, from: document).map(\.description) == texts)
        #expect(try JSONModelEncoder().encode(values, as: .string) == document)
        #expect(try JSONModelEncoder().encode(JSONValue.array(values), as: .string) == document)
        #expect(try decoder.decode(JSONRaw.self, from: JSONValue.array(values)).description == document)
    }

    @Test func `conversions are those of the digits`() throws {
        for text in Self.allTexts {
            let number = JSONNumber(unchecked: text)
            withNumber(text) { token in
                #expect(number.double == token.floatingPoint(Double.self), "\(text)")
                #expect(number.int == (try? JSONModelDecoder().decode(Int.self, from: text)), "\(text)")
            }
            let value = JSONValue.number(number)
            #expect(try JSONModelDecoder().decode(Double.self, from: value) == number.double, "\(text)")
        }
    }

    @Test func `numbers are equal if their digits are`() {
        let numbers = Self.texts.map { JSONNumber(unchecked: $0) }
        for (text, number) in zip(Self.texts, numbers) {
            for (otherText, other) in zip(Self.texts, numbers) {
                #expect((number == other) == (text == otherText), "\(text) and \(otherText)")
                if text == otherText { #expect(number.hashValue == other.hashValue) }
            }
        }
    }

    @Test func `numbers are made from integers and doubles`() {
        #expect(JSONNumber(Int64.min).description == "-9223372036854775808")
        #expect(JSONNumber(UInt64.max).description == "18446744073709551615")
        #expect(JSONNumber(Int128.max).description == "170141183460469231731687303715884105727")
        #expect(JSONNumber(-1_234_567_890_123_456).int == -1_234_567_890_123_456)
        #expect(JSONNumber(65.613616999999977)?.description == "65.61361699999998")
        #expect(JSONNumber(Double.leastNonzeroMagnitude)?.description == "5e-324")
        #expect(JSONNumber(-0.0)?.description == "-0.0")
        #expect(JSONNumber(.infinity) == nil)
    }
}
