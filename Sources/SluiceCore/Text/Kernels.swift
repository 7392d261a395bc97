import CKernels

/// The loops over many bytes at once: to the end of a string's plain text, over white space, over digits.
///
/// By 16 bytes where the C header has vector code for the processor, else by words of eight. They know no end of the
/// text: the caller says up to where 16 bytes may be read, and something that stops them lies there, or they stop
/// behind it.
enum Kernels {
    static var ones: UInt64 { 0x0101_0101_0101_0101 }
    static var highs: UInt64 { 0x8080_8080_8080_8080 }

    /// The first quote, backslash or control character from `at` on, or a place beyond `last`.
    ///
    /// - Parameters:
    ///   - last: the last place from which 16 bytes may be read.
    ///   - isASCII: is set to false where a byte before it is not ASCII.
    @inline(__always)
    static func stringEnd(
        _ at: UnsafePointer<UInt8>, last: UnsafePointer<UInt8>, isASCII: inout Bool
    ) -> UnsafePointer<UInt8> {
        #if arch(x86_64) || arch(arm64)
        var high: UInt32 = 0
        let end = sluice_string_end(at, last, &high)
        if high != 0 { isASCII = false }
        return end
        #else
        return portableStringEnd(at, last: last, isASCII: &isASCII)
        #endif
    }

    /// The first byte from `at` on that is no white space, or a place beyond `last`.
    @inline(__always)
    static func spaceEnd(_ at: UnsafePointer<UInt8>, last: UnsafePointer<UInt8>) -> UnsafePointer<UInt8> {
        #if arch(x86_64) || arch(arm64)
        return sluice_space_end(at, last)
        #else
        return portableSpaceEnd(at, last: last)
        #endif
    }

    static func portableStringEnd(
        _ start: UnsafePointer<UInt8>, last: UnsafePointer<UInt8>, isASCII: inout Bool
    ) -> UnsafePointer<UInt8> {
        var at = start
        while at <= last {
            let word = word(at)
            let quotes = word ^ (ones &* 0x22)
            let backslashes = word ^ (ones &* 0x5C)
            // Each is exact up to its first hit, behind which a borrow may have gone on.
            let found =
                ((quotes &- ones) & ~quotes | (backslashes &- ones) & ~backslashes
                    | (word &- ones &* 0x20) & ~word) & highs
            if found != 0 {
                if word & highs & ((found & (0 &- found)) &- 1) != 0 { isASCII = false }
                return at + found.trailingZeroBitCount &>> 3
            }
            if word & highs != 0 { isASCII = false }
            at += 8
        }
        return at
    }

    static func portableSpaceEnd(
        _ start: UnsafePointer<UInt8>, last: UnsafePointer<UInt8>
    ) -> UnsafePointer<UInt8> {
        var at = start
        while at <= last {
            let word = word(at)
            let white =
                zeros(word ^ (ones &* 0x20)) | zeros(word ^ (ones &* 0x0A)) | zeros(word ^ (ones &* 0x0D))
                | zeros(word ^ (ones &* 0x09))
            if white != highs { return at + (~white & highs).trailingZeroBitCount &>> 3 }
            at += 8
        }
        return at
    }

    /// The high bit of every byte that is zero, and no other bit.
    @inline(__always)
    private static func zeros(_ word: UInt64) -> UInt64 {
        ~((word & ~highs) &+ ~highs | word) & highs
    }

    @inline(__always)
    static func word(_ at: UnsafePointer<UInt8>) -> UInt64 {
        UInt64(littleEndian: UnsafeRawPointer(at).loadUnaligned(as: UInt64.self))
    }
}
