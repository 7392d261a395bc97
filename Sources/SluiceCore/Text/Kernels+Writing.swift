import CKernels

extension Kernels {
    /// Copies bytes up to the first quote, backslash or control character.
    ///
    /// - Parameters:
    ///   - count: The number of bytes at `from`. The function may write `count` bytes at `to`, whatever the result.
    /// - Returns: The number of bytes before the first quote, backslash or control character.
    @inline(__always)
    static func copyPlain(_ from: UnsafePointer<UInt8>, _ count: Int, to: UnsafeMutablePointer<UInt8>) -> Int {
        #if arch(x86_64) || arch(arm64)
        if count >= 16 { return Int(bitPattern: UInt(sluice_copy_literal(from, count, to))) }
        #endif
        return portableCopyPlain(from, count, to: to)
    }

    /// Copies bytes up to the first quote, backslash, control character or other given character. See `copyPlain(_:_:to:)`.
    @inline(__always)
    static func copyPlain(
        _ from: UnsafePointer<UInt8>, _ count: Int, to: UnsafeMutablePointer<UInt8>, until other: UInt8
    ) -> Int {
        #if arch(x86_64) || arch(arm64)
        if count >= 16 { return Int(bitPattern: UInt(sluice_copy_literal_until(from, count, to, other))) }
        #endif
        return portableCopyPlain(from, count, to: to, until: other)
    }

    static func portableCopyPlain(
        _ from: UnsafePointer<UInt8>, _ count: Int, to: UnsafeMutablePointer<UInt8>,
        until other: UInt8 = UInt8(ascii: "\"")
    ) -> Int {
        var at = 0
        while at < count {
            guard count >= 8 else {
                let byte = from[at]
                if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == other {
                    return at
                }
                to[at] = byte
                at += 1
                continue
            }
            // The last word may overlap bytes that were copied before.
            at = min(at, count - 8)
            let bytes = word(from + at)
            UnsafeMutableRawPointer(to + at).storeBytes(of: bytes.littleEndian, as: UInt64.self)
            let found = specialBytes(bytes) | equalBytes(bytes, other)
            if found != 0 { return at + found.trailingZeroBitCount &>> 3 }
            at += 8
        }
        return count
    }

    /// Writes 16 bytes. Returns the index of the first quote, backslash or control character, one of which must exist.
    @inline(__always)
    static func putSmall(_ low: UInt64, _ high: UInt64, to: UnsafeMutablePointer<UInt8>) -> Int {
        #if arch(x86_64) || arch(arm64)
        return Int(truncatingIfNeeded: sluice_put_small(low, high, to))
        #else
        return portablePutSmall(low, high, to: to)
        #endif
    }

    /// Writes 16 bytes. Returns the index of the first quote, backslash, control character or other given character.
    @inline(__always)
    static func putSmall(_ low: UInt64, _ high: UInt64, to: UnsafeMutablePointer<UInt8>, until other: UInt8) -> Int
    {
        #if arch(x86_64) || arch(arm64)
        return Int(truncatingIfNeeded: sluice_put_small_until(low, high, to, other))
        #else
        return portablePutSmall(low, high, to: to, until: other)
        #endif
    }

    static func portablePutSmall(
        _ low: UInt64, _ high: UInt64, to: UnsafeMutablePointer<UInt8>, until other: UInt8 = UInt8(ascii: "\"")
    ) -> Int {
        UnsafeMutableRawPointer(to).storeBytes(of: low.littleEndian, as: UInt64.self)
        UnsafeMutableRawPointer(to + 8).storeBytes(of: high.littleEndian, as: UInt64.self)
        let found = specialBytes(low) | equalBytes(low, other)
        if found != 0 { return found.trailingZeroBitCount &>> 3 }
        return 8 + (specialBytes(high) | equalBytes(high, other)).trailingZeroBitCount &>> 3
    }

    /// Returns the high bit of each byte that equals a character. Exact up to the first of these bytes.
    @inline(__always)
    private static func equalBytes(_ word: UInt64, _ character: UInt8) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let differences = word ^ (ones &* UInt64(character))
        return (differences &- ones) & ~differences & (ones &* 0x80)
    }
}
