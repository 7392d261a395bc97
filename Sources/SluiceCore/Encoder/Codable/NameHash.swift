/// A hash of a name's bytes.
enum NameHash {
    @inline(__always)
    static func of(_ name: String) -> UInt64 {
        if StringBytes.isKnown {
            let string = StringBytes(name)
            if let count = string.smallCount { return mix(string.low, string.high & 0x00FF_FFFF_FFFF_FFFF, count) }
        }
        return ofLong(name)
    }

    @inline(never)
    private static func ofLong(_ name: String) -> UInt64 {
        var name = name
        return name.withUTF8 { bytes in
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
    }

    @inline(__always)
    private static func mix(_ low: UInt64, _ high: UInt64, _ count: UInt64) -> UInt64 {
        let product = (low ^ 0x9E37_79B9_7F4A_7C15).multipliedFullWidth(
            by: (high ^ count &<< 56) ^ 0xD6E8_FEB8_6659_FD93)
        return (product.high ^ product.low) &* 0x2545_F491_4F6C_DD1D
    }
}
