import CKernels

// Integers: eight digits at a time, computed side by side in one word.

/// Decimal digits in the bytes of a word.
enum DecimalWord {
    /// The characters `0`, to add to the digits of a word.
    @inline(__always)
    static var zeros: UInt64 { 0x3030_3030_3030_3030 }

    /// Returns the eight digits of a number below 10^8 with leading zeros, the first in the lowest byte.
    ///
    /// Splits the number in halves, quarters and digits. Each division by a constant is a multiplication and a shift of all
    /// parts at once, which leaves enough room between the parts.
    @inline(__always)
    static func eight(_ value: UInt64) -> UInt64 {
        let upper = (value &* 109_951_163) &>> 40
        let halves = upper | (value &- upper &* 10_000) &<< 32
        let hundreds = ((halves &* 5_243) &>> 19) & 0x0000_007F_0000_007F
        let quarters = hundreds | (halves &- hundreds &* 100) &<< 16
        let tens = ((quarters &* 103) &>> 10) & 0x000F_000F_000F_000F
        return tens | (quarters &- tens &* 10) &<< 8
    }

    /// Returns the eight digits of each of two numbers below 10^8.
    @inline(__always)
    static func sixteen(_ upper: UInt64, _ lower: UInt64) -> (upper: UInt64, lower: UInt64) {
        #if arch(x86_64)
        let digits = sluice_sixteen_digits(upper, lower)
        return (digits.upper, digits.lower)
        #else
        return (eight(upper), eight(lower))
        #endif
    }
}

extension OutputBuffer {
    /// Writes an integer of any width. Requires 40 reserved bytes.
    @inline(__always)
    mutating func integer(_ value: some FixedWidthInteger) {
        if value.bitWidth > 64 { return wide(value) }
        let magnitude = value < 0 ? 0 &- UInt64(truncatingIfNeeded: value) : UInt64(truncatingIfNeeded: value)
        // The minus sign is always written, and overwritten unless the number is negative.
        cursor.pointee = UInt8(ascii: "-")
        cursor += value < 0 ? 1 : 0
        natural(magnitude)
    }

    /// Writes integers with commas between them.
    mutating func integers(_ values: UnsafeBufferPointer<Int>) {
        for index in values.indices {
            reserve(64)
            // The first comma is overwritten.
            store(UInt8(ascii: ","))
            cursor += index == 0 ? 0 : 1
            integer(values[index])
        }
        if !values.isEmpty { first = 0 }
    }

    /// Writes a natural number. Requires 32 reserved bytes.
    @inline(__always)
    mutating func natural(_ value: UInt64) {
        if value < 100_000_000 { return firstDigits(value) }
        let (upper, low) = value.quotientAndRemainder(dividingBy: 100_000_000)
        if upper < 100_000_000 {
            firstDigits(upper)
            eightDigits(low)
        } else {
            let (top, middle) = upper.quotientAndRemainder(dividingBy: 100_000_000)
            firstDigits(top)
            let digits = DecimalWord.sixteen(middle, low)
            store(digits.upper | DecimalWord.zeros)
            store(digits.lower | DecimalWord.zeros, at: 8)
            cursor += 16
        }
    }

    /// Writes a number below 10^8 without leading zeros.
    @inline(__always)
    private mutating func firstDigits(_ value: UInt64) {
        if value < 10 { return byte(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: value)) }
        let word = DecimalWord.eight(value)
        let zeros = word.trailingZeroBitCount &>> 3
        store((word | DecimalWord.zeros) &>> UInt64(truncatingIfNeeded: zeros &* 8))
        cursor += 8 &- zeros
    }

    /// Writes a number below 10^8 as eight digits.
    @inline(__always)
    private mutating func eightDigits(_ value: UInt64) {
        store(DecimalWord.eight(value) | DecimalWord.zeros)
        cursor += 8
    }

    @inline(never)
    private mutating func wide(_ value: some FixedWidthInteger) {
        var rest = value < 0 ? 0 &- UInt128(truncatingIfNeeded: value) : UInt128(truncatingIfNeeded: value)
        if value < 0 { byte(UInt8(ascii: "-")) }
        // The number in base 10^16, of up to three digits.
        let base: UInt128 = 10_000_000_000_000_000
        var parts: [UInt64] = []
        repeat {
            parts.append(UInt64(truncatingIfNeeded: rest % base))
            rest /= base
        } while rest > 0
        natural(parts.removeLast())
        for part in parts.reversed() {
            eightDigits(part / 100_000_000)
            eightDigits(part % 100_000_000)
        }
    }
}
