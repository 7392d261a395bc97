import CKernels

/// Detects encodings other than UTF-8 by the first bytes (RFC 4627, section 3, and the byte order marks).
package enum Encoding {
    /// The byte order mark of UTF-8.
    package static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// Whether the bytes begin with the byte order mark of UTF-8.
    package static func hasByteOrderMark(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        bytes.count >= 3 && bytes[0] == 0xEF && bytes[1] == 0xBB && bytes[2] == 0xBF
    }

    /// Whether the first bytes of an input determine its encoding: four bytes, or two characters of ASCII.
    static func isDetermined(by first: some Collection<UInt8>) -> Bool {
        let bytes = first.prefix(4)
        return bytes.count == 4 || bytes.count >= 2 && bytes.prefix(2).allSatisfy { 1..<0x80 ~= $0 }
    }

    /// Returns the name of the encoding; nil for UTF-8, and if the bytes do not determine the encoding.
    @inline(__always)
    package static func other(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
        // JSON in UTF-8 begins with two ASCII characters, except for a root that is a scalar, and after a byte order mark.
        guard bytes.count >= 2, bytes[0] == 0 || bytes[0] >= 0x80 || bytes[1] == 0 else { return nil }
        return otherBeyondASCII(bytes)
    }

    @inline(never)
    private static func otherBeyondASCII(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
        let a = bytes[0]
        let b = bytes[1]
        let c = bytes.count >= 4 ? bytes[2] : 1
        let d = bytes.count >= 4 ? bytes[3] : 1
        switch (a, b, c, d) {
        case (0xFF, 0xFE, 0, 0), (1..., 0, 0, 0): return "UTF-32 (little-endian)"
        case (0, 0, 0xFE, 0xFF), (0, 0, 0, 1...): return "UTF-32 (big-endian)"
        case (0xFF, 0xFE, _, _), (1..., 0, 1..., 0): return "UTF-16 (little-endian)"
        case (0xFE, 0xFF, _, _), (0, 1..., 0, 1...): return "UTF-16 (big-endian)"
        default: return nil
        }
    }
}

/// The result of validating the bytes of a string.
enum UTF8Verdict {
    case ascii, utf8, invalid
}

/// Validates strict UTF-8 (Unicode 15, table 3-7): no surrogates, no overlong forms, no values beyond U+10FFFF.
enum UTF8Validation {
    private static var highBits: UInt64 { 0x8080_8080_8080_8080 }
    /// The leads of three-byte sequences, one bit each for 0xE0 to 0xEF, that allow any continuation as the second byte.
    private static var plainLeads: UInt64 { 0b1101_1111_1111_1110 }

    /// Validates the bytes, by words if possible. Reads no byte beyond `count`.
    @inline(__always)
    static func verdict(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> UTF8Verdict {
        if isASCII(bytes, count) { return .ascii }
        return firstError(bytes, count) == nil ? .utf8 : .invalid
    }

    /// Whether all bytes are ASCII. Reads no byte beyond `count`.
    @inline(__always)
    static func isASCII(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        let raw = UnsafeRawPointer(bytes)
        if count >= 8 {
            // The last word may overlap the previous one.
            var seen = raw.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
            var at = 0
            while at < count &- 8 {
                seen |= raw.loadUnaligned(fromByteOffset: at, as: UInt64.self)
                at &+= 8
            }
            return seen & highBits == 0
        }
        if count >= 4 {
            let seen =
                raw.loadUnaligned(as: UInt32.self)
                | raw.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self)
            return seen & 0x8080_8080 == 0
        }
        if count == 0 { return true }
        // The first, middle and last byte are all bytes of one, two or three.
        return bytes[0] | bytes[count &>> 1] | bytes[count &- 1] < 0x80
    }

    /// Returns the offset of the first ill-formed sequence, or nil if the bytes are valid.
    static func firstError(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int? {
        // The vector code returns no offset.
        count > 32 && sluice_is_utf8(bytes, count) != 0 ? nil : portableFirstError(bytes, count)
    }

    /// Whether the bytes are valid.
    ///
    /// - Precondition: 32 bytes can be read, even if `count` is less.
    @inline(__always)
    static func isValid(readable bytes: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        count < 32 && sluice_is_short_utf8(bytes, count) != 0 || firstError(bytes, count) == nil
    }

    @inline(never)
    static func portableFirstError(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int? {
        let raw = UnsafeRawPointer(bytes)
        var at = 0
        while at < count {
            if bytes[at] < 0x80 {
                if at &+ 8 <= count {
                    let word = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: at, as: UInt64.self))
                    at &+= (word & highBits).trailingZeroBitCount &>> 3
                } else {
                    at &+= 1
                }
                continue
            }
            // Consecutive three-byte characters (CJK, Kana), except for leads with additional rules: two per step, then one.
            while at &+ 8 <= count {
                let word = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: at, as: UInt64.self))
                guard word & 0xC0C0_F0C0_C0F0 == 0x8080_E080_80E0 else { break }
                // The low halves of the leads must be 1...12, 14 or 15.
                guard plainLeads &>> (word & 0x0F) & 1 != 0, plainLeads &>> (word &>> 24 & 0x0F) & 1 != 0 else {
                    break
                }
                at &+= 6
            }
            let lead = bytes[at]
            if lead > 0xE0, lead < 0xED, at &+ 4 <= count {
                let word = UInt32(littleEndian: raw.loadUnaligned(fromByteOffset: at, as: UInt32.self))
                if word & 0x00C0_C0F0 == 0x0080_80E0 {
                    at &+= 3
                    continue
                }
                return at
            }
            if lead < 0x80 { continue }
            let length = sequenceLength(bytes + at, count &- at)
            if length == 0 { return at }
            at &+= length
        }
        return nil
    }

    /// Returns the length of the multi-byte sequence at `bytes`, or 0 if the sequence is ill-formed or incomplete.
    @inline(__always)
    private static func sequenceLength(_ bytes: UnsafePointer<UInt8>, _ left: Int) -> Int {
        let lead = bytes[0]
        guard left >= 2 else { return 0 }
        let second = bytes[1]
        switch lead {
        case 0xC2...0xDF:
            return second & 0xC0 == 0x80 ? 2 : 0
        case 0xE0...0xEF:
            let low: UInt8 = lead == 0xE0 ? 0xA0 : 0x80
            let high: UInt8 = lead == 0xED ? 0x9F : 0xBF
            guard left >= 3, second >= low, second <= high, bytes[2] & 0xC0 == 0x80 else { return 0 }
            return 3
        case 0xF0...0xF4:
            let low: UInt8 = lead == 0xF0 ? 0x90 : 0x80
            let high: UInt8 = lead == 0xF4 ? 0x8F : 0xBF
            guard left >= 4, second >= low, second <= high, bytes[2] & 0xC0 == 0x80, bytes[3] & 0xC0 == 0x80
            else { return 0 }
            return 4
        default:
            return 0
        }
    }
}
