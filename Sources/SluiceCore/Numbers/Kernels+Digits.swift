import CKernels

extension Kernels {
    /// Reads decimal digits into `value`, which must be zero. Short numbers, the most frequent, are read byte by byte.
    ///
    /// - Parameter first: The first readable address.
    /// - Returns: The address of the first byte that is not a digit, or an address beyond `last`.
    @inline(__always)
    static func firstDigits(
        _ at: UnsafePointer<UInt8>, first: UnsafePointer<UInt8>, last: UnsafePointer<UInt8>,
        into value: inout UInt64
    ) -> UnsafePointer<UInt8> {
        let leading = at[0] &- 0x30
        if leading > 9 { return at }
        let second = at[1] &- 0x30
        if second > 9 {
            value = UInt64(leading)
            return at + 1
        }
        let third = at[2] &- 0x30
        if third > 9 {
            value = UInt64(leading &* 10 &+ second)
            return at + 2
        }
        return digits(at, first: first, last: last, into: &value)
    }

    /// Reads decimal digits into `value`, which wraps.
    ///
    /// - Parameters:
    ///   - first: The first readable address.
    ///   - last: The last address at which 16 bytes can be read.
    /// - Returns: The address of the first byte that is not a digit, or an address beyond `last`.
    @inline(__always)
    static func digits(
        _ start: UnsafePointer<UInt8>, first: UnsafePointer<UInt8>, last: UnsafePointer<UInt8>,
        into value: inout UInt64
    ) -> UnsafePointer<UInt8> {
        #if arch(x86_64) || arch(arm64)
        if start <= last {
            let count = sluice_digit_count(start)
            let end = start + count
            if count < 16, end - first >= 16 {
                value = sluice_append_digits(value, end, count)
                return end
            }
        }
        #endif
        return portableDigits(start, last: last, into: &value)
    }

    /// Returns the number of decimal digits from a position on, at most 16.
    ///
    /// - Precondition: 16 bytes can be read.
    @inline(__always)
    static func digitCount(_ at: UnsafePointer<UInt8>) -> Int {
        #if arch(x86_64) || arch(arm64)
        sluice_digit_count(at)
        #else
        (0..<16).first { at[$0] &- 0x30 > 9 } ?? 16
        #endif
    }

    /// Appends the `count` decimal digits before `end`, at most 16, to a number, which wraps.
    ///
    /// - Precondition: The 16 bytes before `end` can be read.
    @inline(__always)
    static func appendDigits(to number: UInt64, before end: UnsafePointer<UInt8>, _ count: Int) -> UInt64 {
        #if arch(x86_64) || arch(arm64)
        sluice_append_digits(number, end, count)
        #else
        (0..<count).reduce(number) { $0 &* 10 &+ UInt64(end[$1 &- count] &- 0x30) }
        #endif
    }

    /// Returns the length of the number at a digit or minus sign; 0 if the number is malformed, or long, or the processor has no
    /// vector code.
    ///
    /// - Precondition: 17 bytes can be read.
    @inline(__always)
    static func numberLength(_ at: UnsafePointer<UInt8>) -> Int {
        #if arch(x86_64) || arch(arm64)
        sluice_number_length(at)
        #else
        0
        #endif
    }

    /// Returns the length of a number of up to 31 bytes after the sign; otherwise like `numberLength(_:)`.
    ///
    /// - Precondition: 33 bytes can be read.
    @inline(__always)
    static func longNumberLength(_ at: UnsafePointer<UInt8>) -> Int {
        #if arch(x86_64) || arch(arm64)
        sluice_long_number_length(at)
        #else
        0
        #endif
    }

    @inline(never)
    static func portableDigits(
        _ start: UnsafePointer<UInt8>, last: UnsafePointer<UInt8>, into value: inout UInt64
    ) -> UnsafePointer<UInt8> {
        var at = start
        while at <= last {
            let digits = word(at) ^ (ones &* 0x30)
            // A byte of ten or more has its high bit set, or the addition sets that bit. Exact up to the first such byte.
            let others = ((digits &+ ones &* 0x76) | digits) & highs
            if others != 0 {
                let count = others.trailingZeroBitCount &>> 3
                if count == 0 { return at }
                let aligned = digits &<< UInt64(truncatingIfNeeded: 64 &- count &* 8)
                value = value &* DigitRun.powerOfTen(count) &+ DigitRun.value(ofEight: aligned)
                return at + count
            }
            value = value &* 100_000_000 &+ DigitRun.value(ofEight: digits)
            at += 8
        }
        return at
    }
}
