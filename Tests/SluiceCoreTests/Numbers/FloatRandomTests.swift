import TestSupport
import Testing

@testable import SluiceCore

/// Bitwise comparisons with the standard library, which converts strings to `Double` and `Float` correctly rounded.
@Suite("Conversions of random floating-point numbers") struct FloatRandomTests {
    @Test func `random doubles equal the standard library's`() {
        NumberCases.run(0.4, "Double") { generator in
            let text = generator.floatText(Double.self)
            let reference = Double(text)!
            return complaint(about: text, reference, pattern: reference.magnitude.bitPattern)
        }
    }

    @Test func `random floats equal the standard library's`() {
        NumberCases.run(0.25, "Float") { generator in
            let text = generator.floatText(Float.self)
            let reference = Float(text)!
            return complaint(about: text, reference, pattern: UInt64(reference.magnitude.bitPattern))
        }
    }

    /// The way through a source, which makes tokens of its own: 20 numbers a case, from each source.
    @Test func `numbers decoded from random documents equal the standard library's`() {
        NumberCases.run(0.02, "decoded") { generator in
            generator.below(2) == 0 ? decoded(Double.self, &generator) : decoded(Float.self, &generator)
        }
    }

    private func decoded<F: DecimalFloat & LosslessStringConvertible & JSONConvertible>(
        _: F.Type, _ generator: inout SeededRandom
    ) -> String? {
        var texts: [String] = []
        for _ in 0..<20 {
            let text = generator.floatText(F.self)
            // Within the limits.
            if F(text)!.isFinite, text.utf8.count <= 1_000 { texts.append(text) }
        }
        let json = Array("[\(texts.joined(separator: generator.below(2) == 0 ? "," : " ,\n  "))]".utf8)
        for source in JSONModelDecoder.Source.allCases {
            let decoder = JSONModelDecoder(from: source)
            guard let values = try? decoder.decode([F].self, from: json) else {
                return "\(source) refuses \(String(decoding: json, as: UTF8.self))"
            }
            for (text, value) in zip(texts, values) where value != F(text)! || value.sign != F(text)!.sign {
                return "\(text) is \(value) from \(source)"
            }
        }
        return nil
    }

    private func complaint<F: DecimalFloat>(about text: String, _ reference: F, pattern: UInt64) -> String? {
        withNumber(text) { token in
            let result = token.floatingPoint(F.self)
            let expected = reference.isFinite ? reference : nil
            guard result == expected, result?.sign ?? reference.sign == reference.sign else {
                return "\(text) is \(result as Any) and not \(expected as Any)"
            }
            // Exact arithmetic must come to the same from either neighbour that it may be asked about.
            guard token.mantissa != 0, pattern > 0, text.utf8.count % 4 == 0, abs(token.exponent) < 400 else {
                return nil
            }
            let fromBelow = token.exactPattern(near: pattern - 1, in: F.format)
            let fromIt = reference.isFinite ? token.exactPattern(near: pattern, in: F.format) : pattern
            return fromBelow == pattern && fromIt == pattern ? nil : "\(text), by exact arithmetic"
        }
    }
}

extension SeededRandom {
    /// The text of a number that is likely to be hard for the format.
    mutating func floatText<F: DecimalFloat>(_: F.Type) -> String {
        let format = F.format
        let sign = below(4) == 0 ? "-" : ""
        switch below(16) {
        case 0...2:  // the shortest text of a random pattern
            return sign + "\(F(pattern: next() % format.infinity))"
        case 3...5:  // as many digits as a mantissa may have, over the format's whole range and beyond
            let power = format.smallestPower - 5 + below(format.maximumPower - format.smallestPower + 10)
            return sign + digits(15 + below(6)) + "e\(power)"
        case 6, 7:  // any number of digits, and a point among them
            let count = 1 + below(60)
            let text = digits(count)
            let whole = 1 + below(count)
            let tail = text.dropFirst(whole)
            let power = below(2) == 0 ? "" : "e\(below(format.maximumPower * 2) - format.maximumPower)"
            return sign + text.prefix(whole) + (tail.isEmpty ? "" : "." + tail) + power
        case 8, 9:  // prices and coordinates
            return sign + "\(below(1000)).\(digits(1 + below(17)))"
        case 10, 11:  // integers about as wide as the significand, many of them ties
            let width = format.significandBits + 1 + below(12)
            let integer = next() >> UInt64(64 - width) | 1
            return sign + "\(integer)" + (below(2) == 0 ? "" : "." + String(repeating: "0", count: 1 + below(20)))
        case 12, 13:  // few digits and a power near what is exact
            return sign + digits(1 + below(8)) + "e\(below(40) - 20 + (below(2) == 0 ? 20 : 0))"
        case 14:  // zeros in front
            return sign + "0." + String(repeating: "0", count: below(format.maximumPower)) + digits(1 + below(30))
        default:  // halfway between neighbours, or nearly
            return sign + nearlyHalfway(format)
        }
    }

    private mutating func nearlyHalfway(_ format: FloatFormat) -> String {
        let halfway = ExactDecimal(above: next() % format.infinity, in: format)
        let whole = below(3)
        switch below(4) {
        case 0: return halfway.text(whole: whole, zeros: below(30))
        case 1: return halfway.raised(after: below(60)).text(whole: whole)
        case 2: return halfway.lowered(before: below(60)).text(whole: whole)
        default:  // cut, so that the mantissa's next neighbours lie around the point
            let cut = halfway.digits.prefix(17 + below(10))
            return ExactDecimal(digits: Array(cut), exponent: halfway.point - cut.count).text(whole: whole)
        }
    }
}
