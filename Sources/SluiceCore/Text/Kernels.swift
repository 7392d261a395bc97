import CKernels

/// Vectorized searches for the end of a string's plain characters, of white space and of digits; also copies and comparisons.
///
/// A step reads 16 bytes if the C header has vector code for the processor, and otherwise a word of eight bytes. The searches
/// do not know the end of the input. The caller passes the last address at which 16 bytes can be read. A search stops at a
/// matching byte, or beyond that address.
enum Kernels {
    static var ones: UInt64 { 0x0101_0101_0101_0101 }
    static var highs: UInt64 { 0x8080_8080_8080_8080 }

    /// Returns the address of the first quote, backslash or control character, or an address beyond `last`.
    ///
    /// - Parameters:
    ///   - last: The last address at which 16 bytes can be read.
    ///   - isASCII: Set to false if a byte before the result is not ASCII.
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

    /// Returns the address of the first quote, backslash, control character or byte that is not ASCII, or an address beyond
    /// `last`.
    ///
    /// - Precondition: 16 bytes can be read at `at`, even if `at` is beyond `last`.
    @inline(__always)
    static func plainEnd(_ at: UnsafePointer<UInt8>, last: UnsafePointer<UInt8>) -> UnsafePointer<UInt8> {
        #if arch(x86_64) || arch(arm64)
        sluice_plain_end(at, last)
        #else
        portablePlainEnd(at, last: last)
        #endif
    }

    /// Returns the address of the first byte that is not white space, or an address beyond `last`.
    @inline(__always)
    static func spaceEnd(_ at: UnsafePointer<UInt8>, last: UnsafePointer<UInt8>) -> UnsafePointer<UInt8> {
        #if arch(x86_64) || arch(arm64)
        return sluice_space_end(at, last)
        #else
        return portableSpaceEnd(at, last: last)
        #endif
    }

    /// Whether the first `count` bytes, at most 32, equal those of the pattern. Reads 32 bytes of both.
    @inline(__always)
    static func isEqual(_ at: UnsafePointer<UInt8>, _ pattern: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        #if arch(x86_64) || arch(arm64)
        // The bit after the 32 bytes ends the count of the equal ones.
        let differences = UInt64(truncatingIfNeeded: sluice_differences(at, pattern)) | 1 &<< 32
        return differences.trailingZeroBitCount >= count
        #else
        return portableIsEqual(at, pattern, count)
        #endif
    }

    static func portableIsEqual(
        _ at: UnsafePointer<UInt8>, _ pattern: UnsafePointer<UInt8>, _ count: Int
    ) -> Bool {
        (0..<count).allSatisfy { at[$0] == pattern[$0] }
    }

    /// Copies bytes up to the first quote, backslash or control character.
    ///
    /// Ends earlier at a position beyond `last`, or beyond `outLast` in the copy. Writes up to 16 bytes after the copied bytes.
    ///
    /// - Parameters:
    ///   - last: The last address at which 16 bytes can be read.
    ///   - outLast: The last address at which 16 bytes can be written.
    ///   - isASCII: Set to false if a copied byte is not ASCII.
    /// - Returns: The number of bytes copied.
    @inline(__always)
    static func copyPlain(
        _ at: UnsafePointer<UInt8>, last: UnsafePointer<UInt8>, to out: UnsafeMutablePointer<UInt8>,
        outLast: UnsafeMutablePointer<UInt8>, isASCII: inout Bool
    ) -> Int {
        #if arch(x86_64) || arch(arm64)
        var high: UInt32 = 0
        let count = sluice_copy_plain(at, last, out, outLast, &high)
        if high != 0 { isASCII = false }
        return count
        #else
        return portableCopyPlain(at, last: last, to: out, outLast: outLast, isASCII: &isASCII)
        #endif
    }

    static func portableCopyPlain(
        _ at: UnsafePointer<UInt8>, last: UnsafePointer<UInt8>, to out: UnsafeMutablePointer<UInt8>,
        outLast: UnsafeMutablePointer<UInt8>, isASCII: inout Bool
    ) -> Int {
        var count = 0
        while at + count <= last, out + count <= outLast {
            // The search of a step is limited to the word that is copied.
            let step = at + count
            UnsafeMutableRawPointer(out + count).storeBytes(of: word(step).littleEndian, as: UInt64.self)
            let plain = portableStringEnd(step, last: step, isASCII: &isASCII) - step
            count &+= plain
            if plain < 8 { break }
        }
        return count
    }

    static func portableStringEnd(
        _ start: UnsafePointer<UInt8>, last: UnsafePointer<UInt8>, isASCII: inout Bool
    ) -> UnsafePointer<UInt8> {
        var at = start
        while at <= last {
            let word = word(at)
            let found = specialBytes(word)
            if found != 0 {
                if word & highs & ((found & (0 &- found)) &- 1) != 0 { isASCII = false }
                return at + found.trailingZeroBitCount &>> 3
            }
            if word & highs != 0 { isASCII = false }
            at += 8
        }
        return at
    }

    static func portablePlainEnd(
        _ start: UnsafePointer<UInt8>, last: UnsafePointer<UInt8>
    ) -> UnsafePointer<UInt8> {
        var at = start
        repeat {
            let word = word(at)
            let found = specialBytes(word) | word & highs
            if found != 0 { return at + found.trailingZeroBitCount &>> 3 }
            at += 8
        } while at <= last
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

    /// Returns the high bit of each quote, backslash or control character. Exact up to the first of these bytes, because the
    /// subtraction may then borrow from later bytes.
    @inline(__always)
    static func specialBytes(_ word: UInt64) -> UInt64 {
        let quotes = word ^ (ones &* 0x22)
        let backslashes = word ^ (ones &* 0x5C)
        return ((quotes &- ones) & ~quotes | (backslashes &- ones) & ~backslashes | (word &- ones &* 0x20) & ~word)
            & highs
    }

    /// Returns a word with the high bit of every byte that is zero, and no other bit.
    @inline(__always)
    private static func zeros(_ word: UInt64) -> UInt64 {
        ~((word & ~highs) &+ ~highs | word) & highs
    }

    /// Returns the eight bytes at an address, the first one lowest.
    @inline(__always)
    static func word(_ at: UnsafePointer<UInt8>) -> UInt64 {
        UInt64(littleEndian: UnsafeRawPointer(at).loadUnaligned(as: UInt64.self))
    }
}
