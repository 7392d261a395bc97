/// What a look at the bytes of a string tells.
enum UTF8Verdict {
    case ascii, utf8, invalid
}

/// Strict UTF-8 (Unicode 15, table 3-7): no surrogates, no overlong forms, nothing beyond U+10FFFF.
enum UTF8Validation {
    private static let highBits: UInt64 = 0x8080_8080_8080_8080

    /// Looks at all bytes once, by words where it can; never reads outside of `count` bytes.
    @inline(__always)
    static func verdict(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> UTF8Verdict {
        let raw = UnsafeRawPointer(bytes)
        if count >= 8 {
            // The last word may overlap the one before it.
            var seen = raw.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
            var at = 0
            while at < count &- 8 {
                seen |= raw.loadUnaligned(fromByteOffset: at, as: UInt64.self)
                at &+= 8
            }
            if seen & highBits == 0 { return .ascii }
        } else if count >= 4 {
            let seen =
                raw.loadUnaligned(as: UInt32.self)
                | raw.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self)
            if seen & 0x8080_8080 == 0 { return .ascii }
        } else {
            var seen: UInt8 = 0
            for at in 0..<count { seen |= bytes[at] }
            if seen < 0x80 { return .ascii }
        }
        return firstError(bytes, count) == nil ? .utf8 : .invalid
    }

    /// The offset of the first ill-formed sequence, or nil if there is none.
    @inline(never)
    static func firstError(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int? {
        let raw = UnsafeRawPointer(bytes)
        var at = 0
        while at < count {
            let lead = bytes[at]
            if lead < 0x80 {
                if at &+ 8 <= count, raw.loadUnaligned(fromByteOffset: at, as: UInt64.self) & highBits == 0 {
                    at &+= 8
                } else {
                    at &+= 1
                }
                continue
            }
            // Runs of three-byte characters (CJK, Kana), but for the leads with rules of their own.
            if lead > 0xE0, lead < 0xED, at &+ 4 <= count {
                let word = UInt32(littleEndian: raw.loadUnaligned(fromByteOffset: at, as: UInt32.self))
                if word & 0x00C0_C0F0 == 0x0080_80E0 {
                    at &+= 3
                    continue
                }
                return at
            }
            let length = sequenceLength(bytes + at, count &- at)
            if length == 0 { return at }
            at &+= length
        }
        return nil
    }

    /// The length of the multi-byte sequence at `bytes`, or 0 if it is ill-formed or cut off.
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
