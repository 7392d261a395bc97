#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Data: JSONConvertible {
    /// The shape of a base64 string (RFC 4648, section 4).
    ///
    /// The string needs its padding and must not contain white space. An empty string is empty data.
    @_documentation(visibility: internal) public static var jsonShape: JSONShape {
        .scalar(Self.self, expecting: "base64 text") { scalar in
            guard let data = scalar.withUTF8({ Data(strictBase64: $0) }) else {
                throw JSONModelError.ConversionFailure.mismatch
            }
            guard let data else {
                let text = scalar.withUTF8 { quoted($0) } ?? ""
                throw JSONModelError.ConversionFailure.invalid("\(text) is not base64")
            }
            return data
        } write: {
            .string($0.base64EncodedString())
        } text: { data, out in
            // A slash may need an escape.
            out.escapesSlashes
                ? out.string(data.base64EncodedString()) : data.withUnsafeBytes { Base64.write($0, to: &out) }
        }
        .schema(["type": "string", "contentEncoding": "base64"])
    }

    /// Decodes base64, or returns nil if the string is not strictly valid.
    ///
    /// Foundation's decoder accepts padding after a complete group, and unused bits other than 0 in the last digit.
    init?(strictBase64 text: UnsafeBufferPointer<UInt8>) {
        guard text.count % 4 == 0 else { return nil }
        let equals = UInt8(ascii: "=")
        let padding = text.last != equals ? 0 : text[text.count - 2] != equals ? 1 : 2
        let count = text.count / 4 * 3 - padding
        guard count <= 1024 else {
            self.init(count: count)
            if !withUnsafeMutableBytes({ Base64.decode(text, padding: padding, into: $0) }) { return nil }
            return
        }
        // Foundation's access to the bytes of new data costs more than a copy of few bytes.
        let data: Data? = withUnsafeTemporaryAllocation(byteCount: count, alignment: 1) { bytes in
            Base64.decode(text, padding: padding, into: bytes) ? Data(bytes) : nil
        }
        guard let data else { return nil }
        self = data
    }
}

private enum Base64 {
    /// The value of each digit. A byte that is not a digit has the value 64.
    private static let values = {
        var values = Array(repeating: UInt32(64), count: 256)
        for value in 0..<64 { values[Int(text.utf8Start[value])] = UInt32(value) }
        return values
    }()

    private static var text: StaticString { "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/" }

    /// Writes bytes as a string of groups of four digits.
    static func write(_ bytes: UnsafeRawBufferPointer, to out: inout OutputBuffer) {
        let digits = UnsafePointer(text.utf8Start)
        out.reserve(8)
        out.byte(UInt8(ascii: "\""))
        var at = 0
        let end = bytes.count - bytes.count % 3
        while at < end {
            let stop = min(end, at + 3 * 256)
            out.reserve(4 * 256)
            var cursor = out.cursor
            while at < stop {
                let bits = Int(bytes[at]) << 16 | Int(bytes[at &+ 1]) << 8 | Int(bytes[at &+ 2])
                cursor[0] = digits[bits >> 18]
                cursor[1] = digits[bits >> 12 & 63]
                cursor[2] = digits[bits >> 6 & 63]
                cursor[3] = digits[bits & 63]
                cursor += 4
                at &+= 3
            }
            out.cursor = cursor
        }
        out.reserve(8)
        if at < bytes.count {
            let isPair = bytes.count - at == 2
            let bits = Int(bytes[at]) << 16 | (isPair ? Int(bytes[at + 1]) << 8 : 0)
            out.byte(digits[bits >> 18])
            out.byte(digits[bits >> 12 & 63])
            out.byte(isPair ? digits[bits >> 6 & 63] : UInt8(ascii: "="))
            out.byte(UInt8(ascii: "="))
        }
        out.byte(UInt8(ascii: "\""))
    }

    /// Decodes groups of four digits into three bytes each. The last group may have padding.
    ///
    /// - Parameters:
    ///   - text: The digits and the padding.
    ///   - padding: The number of padding characters.
    ///   - bytes: The memory for the decoded bytes.
    /// - Returns: `false` if a byte is not a digit, or if unused bits are not 0.
    static func decode(
        _ text: UnsafeBufferPointer<UInt8>, padding: Int, into bytes: UnsafeMutableRawBufferPointer
    ) -> Bool {
        values.withUnsafeBufferPointer { values in
            var seen: UInt32 = 0
            var filled = 0
            for at in stride(from: 0, to: text.count - (padding > 0 ? 4 : 0), by: 4) {
                let first = values[Int(text[at])]
                let second = values[Int(text[at + 1])]
                let third = values[Int(text[at + 2])]
                let fourth = values[Int(text[at + 3])]
                seen |= first | second | third | fourth
                let bits = first << 18 | second << 12 | third << 6 | fourth
                bytes[filled] = UInt8(truncatingIfNeeded: bits >> 16)
                bytes[filled + 1] = UInt8(truncatingIfNeeded: bits >> 8)
                bytes[filled + 2] = UInt8(truncatingIfNeeded: bits)
                filled += 3
            }
            guard padding > 0 else { return seen < 64 }
            var bits: UInt32 = 0
            for at in (text.count - 4)..<(text.count - padding) {
                let digit = values[Int(text[at])]
                seen |= digit
                bits = bits << 6 | digit
            }
            bits <<= UInt32(6 * padding)
            bytes[filled] = UInt8(truncatingIfNeeded: bits >> 16)
            if padding == 1 { bytes[filled + 1] = UInt8(truncatingIfNeeded: bits >> 8) }
            return seen < 64 && bits & (1 << UInt32(8 * padding) - 1) == 0
        }
    }
}
