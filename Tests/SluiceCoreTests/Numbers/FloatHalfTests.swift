#if !((os(macOS) || targetEnvironment(macCatalyst)) && arch(x86_64))
import Testing

@testable import SluiceCore

@Suite("Conversions to halves") struct FloatHalfTests {
    /// All finite patterns but the sign.
    static let patterns = 0..<Float16.infinity.bitPattern

    /// The exact value of a half, which is a whole number of 2^-25 as is each halfway point.
    static func exact(_ pattern: UInt16) -> ExactDecimal {
        ExactDecimal(UInt128(Float(Float16(bitPattern: pattern)) * 0x1p25), twoTo: -25)
    }

    @Test func `the decimal text of every half gives the same half`() {
        for pattern in FloatHalfTests.patterns {
            for text in [FloatHalfTests.exact(pattern).text(whole: 1), "\(Float16(bitPattern: pattern))"] {
                expect(text, is: pattern)
                expect("-" + text, is: pattern | 0x8000)
            }
        }
    }

    /// Exactly halfway, and a little to each side, in few digits and in many. The last point is where overflow
    /// begins, and a tie there would go to the even pattern, infinity.
    @Test func `halfway points round to even and their neighbors to the nearest half`() {
        for pattern in FloatHalfTests.patterns {
            let halfway = ExactDecimal(above: UInt64(pattern), in: Float16.format)
            expect(halfway.text(whole: 1), is: pattern + pattern % 2)
            expect(halfway.text(whole: 0, zeros: 25), is: pattern + pattern % 2)
            for count in [0, 1, 20] {
                expect(halfway.raised(after: count).text(whole: 2), is: pattern + 1)
                expect(halfway.lowered(before: count).text(whole: 2), is: pattern)
            }
        }
    }

    private func expect(_ text: String, is pattern: UInt16) {
        let expected = pattern == Float16.infinity.bitPattern ? nil : pattern
        let result = float(text, as: Float16.self)?.bitPattern
        if result != expected { Issue.record("\(text) is \(result as Any) and not \(expected as Any)") }
    }

    @Test(
        arguments: [
            ("2049", 2048), ("2051", 2052), ("65504", 65504), ("65519", 65504),
            ("65519.99999999999999999999", 65504), ("2.98e-8", 0), ("2.9802322387695312e-8", 0),
            ("2.98023223876953125e-8", 0), ("1e-26", 0), ("1e-30", 0), ("2.98023223876953126e-8", 0x1p-24),
            ("6.1e-5", 0x1.ff8p-15), ("1.0004882812500000", 1),
        ] as [(String, Float16)])
    func `chosen numbers round correctly`(text: String, value: Float16) {
        #expect(float(text, as: Float16.self) == value)
    }

    @Test(arguments: [
        "65520", "65520.0", "65536", "1e5", "2047e2", "1e999999999999", "6.552e4", "99999999999999999999",
    ])
    func `numbers beyond the range of Float16 are refused`(text: String) {
        #expect(float(text, as: Float16.self) == nil)
        #expect(float("-" + text, as: Float16.self) == nil)
    }

    // MARK: Random numbers

    /// The half nearest to the text, by the standard library's double of it and the list of all halves. A double
    /// holds each halfway point, so that rounding to it takes no number to the other side of one: only numbers
    /// that it takes exactly there need their text compared.
    static func reference(_ text: String) -> UInt16? {
        let magnitude = abs(Double(text)!)
        var low = 0
        var high = Int(Float16.infinity.bitPattern)
        while high - low > 1 {
            let middle = (low + high) / 2
            if Double(Float16(bitPattern: UInt16(middle))) <= magnitude { low = middle } else { high = middle }
        }
        let next =
            low + 1 == Int(Float16.infinity.bitPattern) ? 65536 : Double(Float16(bitPattern: UInt16(low + 1)))
        let halfway = (Double(Float16(bitPattern: UInt16(low))) + next) / 2
        var pattern = magnitude > halfway ? low + 1 : low
        if magnitude == halfway {
            let point = ExactDecimal(above: UInt64(low), in: Float16.format)
            let value = ExactDecimal(text)
            pattern = value < point ? low : value == point ? low + low % 2 : low + 1
        }
        guard pattern < Int(Float16.infinity.bitPattern) else { return nil }
        return UInt16(pattern) | (text.hasPrefix("-") ? 0x8000 : 0)
    }

    @Test func `random halves equal the reference`() {
        NumberCases.run(0.15, "Float16") { generator in
            let text = generator.floatText(Float16.self)
            let result = float(text, as: Float16.self)?.bitPattern
            let expected = FloatHalfTests.reference(text)
            return result == expected ? nil : "\(text) is \(result as Any) and not \(expected as Any)"
        }
    }
}
#endif
