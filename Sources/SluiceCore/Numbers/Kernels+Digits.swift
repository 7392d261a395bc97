extension Kernels {
    /// Reads decimal digits into `value`, which must be zero. Short numbers, the most frequent, are read byte by byte.
    ///
    /// - Returns: The address of the first byte that is not a digit, or an address beyond `last`.
    @inline(__always)
    static func firstDigits(
        _ at: UnsafePointer<UInt8>, last: UnsafePointer<UInt8>, into value: inout UInt64
    ) -> UnsafePointer<UInt8> {
        let first = at[0] &- 0x30
        if first > 9 { return at }
        let second = at[1] &- 0x30
        if second > 9 {
            value = UInt64(first)
            return at + 1
        }
        let third = at[2] &- 0x30
        if third > 9 {
            value = UInt64(first &* 10 &+ second)
            return at + 2
        }
        return digits(at, last: last, into: &value)
    }

    /// Reads decimal digits into `value`, which wraps.
    ///
    /// - Returns: The address of the first byte that is not a digit, or an address beyond `last`.
    @inline(__always)
    static func digits(
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
