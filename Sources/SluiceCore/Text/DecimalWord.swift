import CKernels

/// Decimal digits in the bytes of a word.
@usableFromInline package enum DecimalWord {
    /// The characters `0`, to add to the digits of a word.
    @inline(__always)
    @inlinable package static var zeros: UInt64 { 0x3030_3030_3030_3030 }

    /// Returns the eight digits of a number below 10^8 with leading zeros, the first in the lowest byte.
    ///
    /// Splits the number in halves, quarters and digits. Each division by a constant is a multiplication and a shift of all
    /// parts at once, which leaves enough room between the parts.
    @inline(__always)
    @inlinable package static func eight(_ value: UInt64) -> UInt64 {
        let upper = (value &* 109_951_163) &>> 40
        let halves = upper | (value &- upper &* 10_000) &<< 32
        let hundreds = ((halves &* 5_243) &>> 19) & 0x0000_007F_0000_007F
        let quarters = hundreds | (halves &- hundreds &* 100) &<< 16
        let tens = ((quarters &* 103) &>> 10) & 0x000F_000F_000F_000F
        return tens | (quarters &- tens &* 10) &<< 8
    }

    /// Returns the eight digits of each of two numbers below 10^8.
    @inline(__always)
    @inlinable package static func sixteen(_ upper: UInt64, _ lower: UInt64) -> (upper: UInt64, lower: UInt64) {
        #if arch(x86_64) || arch(arm64)
        let digits = sluice_sixteen_digits(upper, lower)
        return (digits.upper, digits.lower)
        #else
        return (eight(upper), eight(lower))
        #endif
    }
}
