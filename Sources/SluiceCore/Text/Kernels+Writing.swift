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

    static func portableCopyPlain(
        _ from: UnsafePointer<UInt8>, _ count: Int, to: UnsafeMutablePointer<UInt8>
    ) -> Int {
        var at = 0
        while at < count {
            guard count >= 8 else {
                let byte = from[at]
                if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { return at }
                to[at] = byte
                at += 1
                continue
            }
            // The last word may overlap bytes that were copied before.
            at = min(at, count - 8)
            let bytes = word(from + at)
            UnsafeMutableRawPointer(to + at).storeBytes(of: bytes.littleEndian, as: UInt64.self)
            let found = specialBytes(bytes)
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

    static func portablePutSmall(_ low: UInt64, _ high: UInt64, to: UnsafeMutablePointer<UInt8>) -> Int {
        UnsafeMutableRawPointer(to).storeBytes(of: low.littleEndian, as: UInt64.self)
        UnsafeMutableRawPointer(to + 8).storeBytes(of: high.littleEndian, as: UInt64.self)
        let found = specialBytes(low)
        if found != 0 { return found.trailingZeroBitCount &>> 3 }
        return 8 + specialBytes(high).trailingZeroBitCount &>> 3
    }
}
