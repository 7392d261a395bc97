import CKernels

/// Vectorized searches for the end of a string's plain characters, of white space and of digits; also copies and comparisons.
///
/// A step reads 16 bytes if the C header has vector code for the processor, and otherwise a word of eight bytes. The searches
/// do not know the end of the input. The caller passes the last address at which 16 bytes can be read. A search stops at a
/// matching byte, or beyond that address.
@usableFromInline package enum Kernels {
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
        #if arch(x86_64)
        // The bit after the 32 bytes ends the count of the equal ones.
        let differences = UInt64(truncatingIfNeeded: sluice_differences(at, pattern)) | 1 &<< 32
        return differences.trailingZeroBitCount >= count
        #elseif arch(arm64)
        return sluice_is_equal(at, pattern, count) != 0
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
    @inlinable package static func word(_ at: UnsafePointer<UInt8>) -> UInt64 {
        UInt64(littleEndian: UnsafeRawPointer(at).loadUnaligned(as: UInt64.self))
    }
}

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

    /// Copies at least 16 bytes. Returns whether none of the bytes is a quote, a backslash or a control character.
    @inline(__always)
    static func copyWhole(_ from: UnsafePointer<UInt8>, _ count: Int, to: UnsafeMutablePointer<UInt8>) -> Bool {
        #if arch(x86_64) || arch(arm64)
        return sluice_copy_whole(from, count, to) != 0
        #else
        return portableCopyPlain(from, count, to: to) == count
        #endif
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
    @inlinable package static func putSmall(
        _ low: UInt64, _ high: UInt64, to: UnsafeMutablePointer<UInt8>, until other: UInt8
    ) -> Int {
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

extension Kernels {
    /// Whether two byte sequences of the same length are equal. Reads no other bytes.
    @inline(__always)
    @inlinable package static func haveEqualBytes(
        _ a: UnsafePointer<UInt8>, _ b: UnsafePointer<UInt8>, _ count: Int
    ) -> Bool {
        let (a, b) = (UnsafeRawPointer(a), UnsafeRawPointer(b))
        guard count >= 8 else {
            if count >= 4 {
                let last = count &- 4
                return (a.loadUnaligned(as: UInt32.self) ^ b.loadUnaligned(as: UInt32.self))
                    | (a.loadUnaligned(fromByteOffset: last, as: UInt32.self)
                        ^ b.loadUnaligned(fromByteOffset: last, as: UInt32.self)) == 0
            }
            for at in 0..<count
            where a.load(fromByteOffset: at, as: UInt8.self) != b.load(fromByteOffset: at, as: UInt8.self) {
                return false
            }
            return true
        }
        var at = 0
        while at < count &- 8 {
            if a.loadUnaligned(fromByteOffset: at, as: UInt64.self)
                != b.loadUnaligned(fromByteOffset: at, as: UInt64.self)
            {
                return false
            }
            at &+= 8
        }
        return a.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
            == b.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
    }
}

extension UInt8 {
    /// Whether this byte is white space between tokens.
    @inlinable package var isBlank: Bool { self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 }
}
