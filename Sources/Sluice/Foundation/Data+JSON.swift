#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Data: JSONFillable {
    /// A string in base64 (RFC 4648, section 4): with its padding, without white space. The empty one is no bytes.
    public static var jsonShape: JSONShape {
        .scalar(Self.self, expecting: "base64 text") { scalar in
            guard let data = scalar.withUTF8({ Data(strictBase64: $0) }) else { throw JSONScalarProblem.mismatch }
            guard let data else {
                let text = scalar.withUTF8 { quoted($0) } ?? ""
                throw JSONScalarProblem.invalid("\(text) is not base64")
            }
            return data
        }
    }

    /// Foundation's own reader takes padding after a whole group, and a last digit with bits that are of no byte.
    init?(strictBase64 text: UnsafeBufferPointer<UInt8>) {
        guard text.count % 4 == 0 else { return nil }
        let equals = UInt8(ascii: "=")
        let padding = text.last != equals ? 0 : text[text.count - 2] != equals ? 1 : 2
        self.init(count: text.count / 4 * 3 - padding)
        let isBase64 = withUnsafeMutableBytes { Base64.decode(text.dropLast(padding), into: $0) }
        if !isBase64 { return nil }
    }
}

private enum Base64 {
    /// False if a byte is no digit, or if bits are left that are not 0.
    static func decode(
        _ digits: Slice<UnsafeBufferPointer<UInt8>>, into bytes: UnsafeMutableRawBufferPointer
    ) -> Bool {
        var bits: UInt32 = 0
        var held = 0
        var filled = 0
        for byte in digits {
            guard let digit = digit(byte) else { return false }
            bits = bits << 6 | UInt32(digit)
            held += 6
            if held >= 8 {
                held -= 8
                bytes[filled] = UInt8(truncatingIfNeeded: bits >> held)
                filled += 1
            }
        }
        return bits & (1 << held - 1) == 0
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0") + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
