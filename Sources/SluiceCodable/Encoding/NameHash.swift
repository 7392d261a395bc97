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

    /// The characters outside of ASCII that are canonically equivalent to a character of ASCII, so that strings with them are equal.
    private static let equivalents: [Unicode.Scalar: Unicode.Scalar] = [
        "\u{37E}": ";", "\u{1FEF}": "`", "\u{212A}": "K",
    ]

    @inline(never)
    private static func ofOther(_ name: String) -> UInt64 {
        var text = name
        if let hash = text.withUTF8({ ofASCII($0) }) { return hash }
        let scalars = name.unicodeScalars
        guard scalars.allSatisfy({ $0.isASCII || equivalents[$0] != nil }) else {
            return UInt64(truncatingIfNeeded: name.hashValue)
        }
        return of(String(String.UnicodeScalarView(scalars.map { equivalents[$0] ?? $0 })))
    }

    /// Returns the hash of ASCII text; nil for other text.
    private static func ofASCII(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64? {
        let count = UInt64(bytes.count)
        var (hash, all): (UInt64, UInt64) = (0, 0)
        func add(_ low: UInt64, _ high: UInt64) {
            all |= low | high
            hash = mix(low ^ hash, high, count)
        }
        if let base = bytes.baseAddress, bytes.count > 15 {
            var at = 0
            while at < bytes.count {
                at = min(at, bytes.count - 16)
                add(Kernels.word(base + at), Kernels.word(base + at + 8))
                at += 16
            }
        } else {
            // The words of a small string.
            var words = SIMD2<UInt64>()
            for at in bytes.indices { words[at / 8] |= UInt64(bytes[at]) &<< UInt64(at % 8 * 8) }
            add(words[0], words[1])
        }
        return all & 0x8080_8080_8080_8080 == 0 ? hash : nil
    }

    @inline(__always)
    private static func mix(_ low: UInt64, _ high: UInt64, _ count: UInt64) -> UInt64 {
        let product = (low ^ 0x9E37_79B9_7F4A_7C15).multipliedFullWidth(
            by: (high ^ count &<< 56) ^ 0xD6E8_FEB8_6659_FD93)
        return (product.high ^ product.low) &* 0x2545_F491_4F6C_DD1D
    }
}
