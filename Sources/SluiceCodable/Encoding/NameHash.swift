import SluiceCore

/// A hash of a name. Equal strings have equal hashes, also if their characters have different code points.
enum NameHash {
    @inline(__always)
    static func of(_ name: String) -> UInt64 {
        if StringBytes.isKnown {
            let string = StringBytes(name)
            if let count = string.smallASCIICount {
                return mix(string.low, string.high & 0x00FF_FFFF_FFFF_FFFF, count)
            }
        }
        return ofOther(name)
    }

    @inline(never)
    private static func ofOther(_ name: String) -> UInt64 {
        var text = name
        let hash = text.withUTF8 { isASCII($0) ? ofASCII($0) : nil }
        return hash ?? ofUnicode(name)
    }

    private static func isASCII(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let base = bytes.baseAddress, bytes.count >= 8 else { return bytes.allSatisfy { $0 < 0x80 } }
        var at = 0
        var all: UInt64 = 0
        while at < bytes.count {
            at = min(at, bytes.count - 8)
            all |= Kernels.word(base + at)
            at += 8
        }
        return all & 0x8080_8080_8080_8080 == 0
    }

    private static func ofUnicode(_ name: String) -> UInt64 {
        guard var ascii = SingletonCharacters.ascii(of: name) else {
            return UInt64(truncatingIfNeeded: name.hashValue)
        }
        return ascii.withUTF8 { ofASCII($0) }
    }

    private static func ofASCII(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
        var low: UInt64 = 0
        var high: UInt64 = 0
        let count = UInt64(bytes.count)
        guard let base = bytes.baseAddress else { return mix(0, 0, 0) }
        if bytes.count <= 15 {
            for at in bytes.indices {
                let byte = UInt64(bytes[at])
                if at < 8 { low |= byte &<< UInt64(8 * at) } else { high |= byte &<< UInt64(8 * at - 64) }
            }
            return mix(low, high, count)
        }
        var at = 0
        var hash: UInt64 = 0
        while at < bytes.count {
            at = min(at, bytes.count - 16)
            hash = mix(Kernels.word(base + at) ^ hash, Kernels.word(base + at + 8), count)
            at += 16
        }
        return hash
    }

    @inline(__always)
    private static func mix(_ low: UInt64, _ high: UInt64, _ count: UInt64) -> UInt64 {
        let product = (low ^ 0x9E37_79B9_7F4A_7C15).multipliedFullWidth(
            by: (high ^ count &<< 56) ^ 0xD6E8_FEB8_6659_FD93)
        return (product.high ^ product.low) &* 0x2545_F491_4F6C_DD1D
    }
}

/// The characters outside of ASCII that are canonically equivalent to a character of ASCII, so that strings with them are equal.
enum SingletonCharacters {
    /// Returns the equal string of ASCII, or nil.
    static func ascii(of name: String) -> String? {
        var ascii = String.UnicodeScalarView()
        for scalar in name.unicodeScalars {
            switch scalar {
            case "\u{37E}": ascii.append(";")
            case "\u{1FEF}": ascii.append("`")
            case "\u{212A}": ascii.append("K")
            case _ where scalar.isASCII: ascii.append(scalar)
            default: return nil
            }
        }
        return String(ascii)
    }
}
