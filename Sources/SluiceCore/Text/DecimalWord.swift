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

    /// 2^64 divided by 10^6 and by 10^8, rounded up.
    @inline(__always)
    @inlinable package static var millionth: UInt64 { 18_446_744_073_710 }
    @inline(__always)
    @inlinable package static var hundredMillionth: UInt64 { 184_467_440_738 }

    /// Returns the two digits of a number below 100 as characters, the first in the lower byte.
    @inline(__always)
    @inlinable package static func pair(_ value: UInt64) -> UInt16 {
        let digits: StaticString = """
            0001020304050607080910111213141516171819202122232425262728293031323334353637383940414243444546474849\
            5051525354555657585960616263646566676869707172737475767778798081828384858687888990919293949596979899
            """
        let at = UnsafeRawPointer(digits.utf8Start) + Int(truncatingIfNeeded: value &* 2)
        return UInt16(littleEndian: at.loadUnaligned(as: UInt16.self))
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
