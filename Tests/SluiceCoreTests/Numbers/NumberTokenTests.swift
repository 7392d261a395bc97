import Foundation
import Testing

@testable import SluiceCore

@Suite("Number tokens") struct NumberTokenTests {
    struct Parts: Equatable, Sendable {
        var mantissa: UInt64
        var exponent = 0
        var flags = ""

        init(_ mantissa: UInt64, _ exponent: Int = 0, _ flags: String = "") {
            self.mantissa = mantissa
            self.exponent = exponent
            self.flags = flags
        }

        init(_ token: NumberToken) {
            flags = (token.isNegative ? "-" : "") + (token.isInteger ? "i" : "") + (token.isTruncated ? "t" : "")
            (mantissa, exponent) = (token.mantissa, token.exponent)
        }

        init(_ text: String) { self = withNumber(text) { Parts($0) } }
    }

    @Test(arguments: [
        ("0", Parts(0, 0, "i")), ("-0", Parts(0, 0, "-i")), ("7", Parts(7, 0, "i")), ("-42", Parts(42, 0, "-i")),
        ("1234567", Parts(1_234_567, 0, "i")), ("12345678", Parts(12_345_678, 0, "i")),
        ("-12345678", Parts(12_345_678, 0, "-i")), ("123456789", Parts(123_456_789, 0, "i")),
        ("505874924095815681", Parts(505_874_924_095_815_681, 0, "i")),
        ("9999999999999999999", Parts(9_999_999_999_999_999_999, 0, "i")),
        ("10000000000000000000", Parts(1_000_000_000_000_000_000, 1, "it")),
        ("-18446744073709551615", Parts(1_844_674_407_370_955_161, 1, "-it")),
        ("123456789012345678901", Parts(1_234_567_890_123_456_789, 2, "it")),
    ])
    func `integers have a mantissa and no exponent`(text: String, parts: Parts) { #expect(Parts(text) == parts) }

    @Test(arguments: [
        ("0.0", Parts(0, -1)), ("-0.0", Parts(0, -1, "-")), ("1.5", Parts(15, -1)), ("0.125", Parts(125, -3)),
        ("-65.613616999999977", Parts(65_613_616_999_999_977, -15, "-")),
        ("43.420273000000009", Parts(43_420_273_000_000_009, -15)),
        ("-140.99778900000005", Parts(14_099_778_900_000_005, -14, "-")), ("1234567.8", Parts(12_345_678, -1)),
        ("12345678.9", Parts(123_456_789, -1)), ("123456789.0", Parts(1_234_567_890, -1)),
        ("0.12345678", Parts(12_345_678, -8)), ("0.000000000000000001", Parts(1, -18)),
        ("0.0000000000000000000001", Parts(1, -22)),
        ("0.00001234567890123456789", Parts(1_234_567_890_123_456_789, -23)),
        ("0.000012345678901234567890", Parts(1_234_567_890_123_456_789, -23, "t")),
        ("1.0000000000000000000", Parts(1_000_000_000_000_000_000, -18, "t")),
        ("12345678901234567890.5", Parts(1_234_567_890_123_456_789, 1, "t")),
    ])
    func `fractions have a negative exponent`(text: String, parts: Parts) { #expect(Parts(text) == parts) }

    @Test(arguments: [
        ("1e2", Parts(1, 2)), ("1E2", Parts(1, 2)), ("1e+2", Parts(1, 2)), ("-1e-2", Parts(1, -2, "-")),
        ("1.5e3", Parts(15, 2)), ("12345678e1", Parts(12_345_678, 1)),
        ("1e00000000000000000000000002", Parts(1, 2)), ("1.2345678e-100", Parts(12_345_678, -107)),
        ("1234567.1234567e10", Parts(12_345_671_234_567, 3)), ("0e5", Parts(0, 5)),
        ("123456789012345678901e-2", Parts(1_234_567_890_123_456_789, 0, "t")),
        ("1.7976931348623157e308", Parts(17_976_931_348_623_157, 292)),
    ])
    func `exponents are added to the exponent of the mantissa`(text: String, parts: Parts) {
        #expect(Parts(text) == parts)
    }

    @Test func `exponents of any length saturate`() {
        for digits in [17, 18, 19, 20, 21, 100, 10_000] {
            let nines = String(repeating: "9", count: digits)
            for (text, sign) in [("1e\(nines)", 1), ("1.25e+\(nines)", 1), ("1e-\(nines)", -1)] {
                let exponent = Parts(text).exponent * sign
                #expect(exponent > 1 << 50 && exponent < 1 << 62)
            }
        }
    }

    /// A long fraction and a great exponent may cancel out.
    @Test func `zeros and exponents cancel`() {
        let zeros = String(repeating: "0", count: 100_000)
        #expect(Parts("0.\(zeros)25e100002") == Parts(25))
        #expect(Parts("1\(zeros)e-100000") == Parts(1_000_000_000_000_000_000, -18, "t"))
    }

    /// All digit counts around the eight-byte steps, before and behind the point, against plain text handling.
    @Test func `integer and fraction parts of every length are parsed`() {
        let digits = "9182736450192837465564738291019"
        for whole in 1...22 {
            for fraction in 0...22 {
                for tail in ["", "e7", "E-12"] {
                    let text = digits.prefix(whole) + (fraction > 0 ? "." + digits.suffix(fraction) : "")
                    let all = text.filter { $0 != "." }
                    let exponent = (tail.isEmpty ? 0 : Int(tail.dropFirst())!) - fraction
                    let expected = Parts(
                        UInt64(all.prefix(19))!, exponent + max(all.count - 19, 0),
                        (fraction == 0 && tail.isEmpty ? "i" : "") + (all.count > 19 ? "t" : ""))
                    #expect(Parts(text + tail) == expected, "\(text)\(tail)")
                }
            }
        }
    }

    /// Bytes that belong to the text around the number must not count, on either side.
    @Test(arguments: ["7", "-3", "1234567", "12345678", "65.613616999999977", "1.5e10", "12345678901234567890123"])
    func `adjacent bytes do not affect a number`(text: String) {
        for around in ["0", "9", ".", "e", "-", ","] {
            let padding = String(repeating: around, count: 16)
            let bytes = Array((padding + text + padding).utf8)
            let parts = Parts(text)
            bytes.withUnsafeBufferPointer { buffer in
                let token = NumberToken(checked: buffer.baseAddress! + 16, count: text.utf8.count)
                #expect(Parts(token) == parts)
            }
        }
    }

    /// What a lexer would never pass must still not lead out of the text.
    @Test(arguments: ["-", ".", "e", "1.", "1e", "1e+", "-.", "--------", "eeeeeeeee", ".........", "1..2345678"])
    func `parsing a malformed number is memory-safe`(text: String) {
        _ = Parts(text)
        _ = float(text, as: Double.self)
        _ = integer(text, as: Int128.self)
    }
}
