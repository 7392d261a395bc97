import Testing

@testable import SluiceCore

@Suite("Conversions to floating-point numbers") struct FloatConversionTests {
    static let doubles: [(String, Double)] = [
        ("0", 0), ("0e999999999999", 0), ("0.000e-5", 0), ("1", 1), ("1.5", 1.5), ("0.1", 0x1.999999999999ap-4),
        ("1e22", 0x1.0f0cf064dd592p+73), ("1e23", 0x1.52d02c7e14af6p+76), ("8.5e22", 0x1.1ffdbf6b2b2ebp+76),
        ("65.613616999999977", 0x1.06745803cd140p+6), ("123456789012345678", 0x1.b69b4ba630f35p+56),
        // 2^53 and its neighbours: odd ones are ties
        ("9007199254740991", 0x1.fffffffffffffp+52), ("9007199254740992", 0x1p+53), ("9007199254740993", 0x1p+53),
        ("9007199254740994", 0x1.0000000000001p+53), ("9007199254740995", 0x1.0000000000002p+53),
        ("9007199254740993.0", 0x1p+53), ("9007199254740993.00000000000000000000", 0x1p+53),
        ("9007199254740993.00000000000000000001", 0x1.0000000000001p+53),
        ("9007199254740992.99999999999999999999", 0x1p+53),
        // slightly above a tie, with a power of ten that has more than 64 bits
        ("2975839940087145835e28", 0x1.4d9a6afda3569p+154), ("32871798301e40", 0x1.c1d6004e71c23p+167),
        // exact values with more digits than bits
        ("0.500000000000000000", 0.5), ("0.50000000000000000000000000", 0.5), ("1.00000000000000000000000000", 1),
        // both ends of the normal and the subnormal numbers
        ("1.7976931348623157e308", 0x1.fffffffffffffp+1023), ("1.797693134862315807e308", 0x1.fffffffffffffp+1023),
        ("2.2250738585072014e-308", 0x1p-1022), ("2.2250738585072012e-308", 0x1p-1022),
        ("2.2250738585072011e-308", Double.leastNormalMagnitude.nextDown), ("6.631236846766476e-316", 0x1p-1047),
        ("4.9e-324", 0x1p-1074), ("2.4703282292062328e-324", 0x1p-1074), ("2.4703282292062327e-324", 0),
        ("1e-400", 0), ("1e-999999999999", 0),
    ]

    @Test(arguments: doubles) func `doubles equal the standard library's`(text: String, value: Double) {
        #expect(float(text, as: Double.self)?.bitPattern == value.bitPattern)
        #expect(float("-" + text, as: Double.self)?.bitPattern == (-value).bitPattern)
        #expect(Double(text) == value)
    }

    static let floats: [(String, Float)] = [
        ("0", 0), ("0.1", 0x1.99999ap-4), ("16777216", 0x1p+24), ("16777217", 0x1p+24),
        ("16777218", 0x1.000002p+24), ("16777219", 0x1.000004p+24), ("16777217.0000000000000001", 0x1.000002p+24),
        // rounding to a double first would make these ties
        ("1.00000017881393432617187499", 0x1.000002p+0), ("1.00000017881393432617187500", 0x1.000004p+0),
        ("1.00000017881393432617187501", 0x1.000004p+0), ("7.038531e-26", 0x1.5c87fap-84),
        ("1.17549435e-38", 0x1p-126), ("1.1754942e-38", Float.leastNormalMagnitude.nextDown), ("1.4e-45", 0x1p-149),
        ("7.006492321624085e-46", 0), ("7.006492321624086e-46", 0x1p-149), ("1e-60", 0), ("1e-70", 0),
        ("9999999999999999999e-64", 0x1p-149), ("3.4028235e38", 0x1.fffffep+127),
        ("3.40282356e38", 0x1.fffffep+127), ("8.589973e9", 0x1.00004cp+33),
    ]

    @Test(arguments: floats) func `floats equal the standard library's`(text: String, value: Float) {
        #expect(float(text, as: Float.self)?.bitPattern == value.bitPattern)
        #expect(float("-" + text, as: Float.self)?.bitPattern == (-value).bitPattern)
        #expect(Float(text) == value)
    }

    @Test(arguments: [
        "1e309", "1.8e308", "1.797693134862315808e308", "1.7976931348623159e308", "0.1e310", "1e999999999999",
        "99999999999999999999e290",
    ])
    func `numbers beyond the range of Double are refused`(text: String) {
        #expect(float(text, as: Double.self) == nil)
        #expect(float("-" + text, as: Double.self) == nil)
        #expect(float(text, as: Float.self) == nil)
    }

    @Test(arguments: ["3.4028236e38", "3.40282357e38", "340282356779733661637539395458142568448", "1e39"])
    func `numbers beyond the range of Float are refused`(text: String) {
        #expect(float(text, as: Float.self) == nil)
        #expect(float(text, as: Double.self) != nil)
    }

    /// One less than the overflow above, in its last digit.
    @Test func `the greatest double extends to the halfway point`() {
        let halfway = ExactDecimal(above: Double.greatestFiniteMagnitude.bitPattern, in: Double.format)
        #expect(float(halfway.lowered(before: 0).text(whole: 309), as: Double.self) == .greatestFiniteMagnitude)
        #expect(float(halfway.lowered(before: 2000).text(whole: 1), as: Double.self) == .greatestFiniteMagnitude)
        #expect(float(halfway.text(whole: 309), as: Double.self) == nil)
    }

    /// A digit far behind all that a halfway point has must still tell.
    @Test(
        arguments: [0x0000_0000_0000_0001, 0x000F_FFFF_FFFF_FFFE, 0x000F_FFFF_FFFF_FFFF, 0x0010_0000_0000_0000]
            as [UInt64]) func `a nonzero digit after thousands of zeros decides the rounding`(pattern: UInt64)
    {
        let halfway = ExactDecimal(above: pattern, in: Double.format)
        #expect(halfway.digits.count > 700)
        for count in [0, 1, 30, 40, 800, 10_000] {
            let above = halfway.raised(after: count).text(whole: 1)
            let below = halfway.lowered(before: count).text(whole: 1)
            let tie = halfway.text(whole: 1, zeros: count)
            #expect(float(above, as: Double.self)?.bitPattern == pattern + 1)
            #expect(float(below, as: Double.self)?.bitPattern == pattern)
            #expect(float(tie, as: Double.self)?.bitPattern == pattern + pattern % 2)
        }
    }

    /// The way that comes last, alone, from either side of the result.
    @Test(arguments: doubles) func `exact arithmetic gives the same doubles`(text: String, value: Double) {
        guard value != 0, let pattern = float(text, as: Double.self)?.bitPattern else { return }
        withNumber(text) { token in
            #expect(token.exactPattern(near: pattern, in: Double.format) == pattern)
            #expect(token.exactPattern(near: pattern - 1, in: Double.format) == pattern)
        }
    }
}
