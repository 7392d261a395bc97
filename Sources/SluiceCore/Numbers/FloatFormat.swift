/// The properties of a binary format that the decimal conversion needs. All are constants that the compiler folds.
struct FloatFormat {
    /// The number of stored bits of the significand: 52 in a double.
    let significandBits: Int

    let exponentBits: Int

    /// The exponent of the greatest power of ten that the format represents exactly: 22 in a double, as 5^22 < 2^53 < 5^23.
    let exactPower: Int

    /// The greatest mantissa with which one exact operation is tried.
    let exactMantissa: UInt64

    /// The range of useful powers. Below `smallestPower`, `w * 10^q` is less than half the least subnormal for every 64-bit
    /// `w`. Above `maximumPower`, the value is beyond the greatest finite number for every `w` but 0.
    let smallestPower: Int
    let maximumPower: Int

    @inline(__always)
    var exponentBias: Int { 1 &<< (exponentBits &- 1) &- 1 }

    /// The implicit bit of normal numbers, which is also the bit pattern of the least normal number.
    @inline(__always)
    var hiddenBit: UInt64 { 1 &<< UInt64(truncatingIfNeeded: significandBits) }

    @inline(__always)
    var signBit: UInt64 { 1 &<< UInt64(truncatingIfNeeded: significandBits &+ exponentBits) }

    /// The bit pattern of infinity, the first one above the finite numbers.
    @inline(__always)
    var infinity: UInt64 { (2 &<< UInt64(truncatingIfNeeded: exponentBits &- 1) &- 1) &* hiddenBit }

    /// Returns the integer with a bit pattern, which must not be above ``maximumPlainPattern``; nil for a fraction.
    @inline(__always)
    func integer(of pattern: UInt64) -> UInt64? {
        let field = Int(truncatingIfNeeded: pattern &>> UInt64(truncatingIfNeeded: significandBits))
        // The position of the first bit before the point.
        let first = field &- exponentBias
        if first < 0 { return pattern == 0 ? 0 : nil }
        let significand = pattern & (hiddenBit &- 1) | hiddenBit
        if first >= significandBits {
            return significand &<< UInt64(truncatingIfNeeded: first &- significandBits)
        }
        // The bits below the point are the last ones: none of them is left after the others are shifted out.
        if pattern &<< UInt64(truncatingIfNeeded: first &+ 64 &- significandBits) != 0 { return nil }
        return significand &>> UInt64(truncatingIfNeeded: significandBits &- first)
    }

    /// The bit pattern of the greatest number that is written without an exponent: 2^53 for a double, 2^24 for a float.
    /// Half-precision numbers are never large enough for an exponent.
    @inline(__always)
    var maximumPlainPattern: UInt64 {
        if exponentBits <= 5 { return infinity }
        return UInt64(truncatingIfNeeded: exponentBias &+ significandBits &+ 1) &* hiddenBit
    }
}

/// A floating-point type that numbers convert to. `@inline(__always)` in all functions and a concrete type in the caller
/// make the generic code as fast as three copies.
protocol DecimalFloat: BinaryFloatingPoint {
    static var format: FloatFormat { get }

    /// Creates a value from an integer with no more bits than the significand. Signed integers convert in one instruction.
    init(mantissa: Int64)

    /// Creates the value with a bit pattern, which must not be wider than the type.
    init(pattern: UInt64)
}

extension Double: DecimalFloat {
    @inline(__always)
    static var format: FloatFormat {
        // All mantissas of 15 digits, instead of all up to 2^53: whether one of 16 digits is less than 2^53 cannot be predicted.
        FloatFormat(
            significandBits: 52, exponentBits: 11, exactPower: 22, exactMantissa: 999_999_999_999_999,
            smallestPower: -342, maximumPower: 308)
    }

    @inline(__always)
    init(mantissa: Int64) {
        self.init(mantissa)
    }

    @inline(__always)
    init(pattern: UInt64) {
        self.init(bitPattern: pattern)
    }
}

extension Float: DecimalFloat {
    @inline(__always)
    static var format: FloatFormat {
        FloatFormat(
            significandBits: 23, exponentBits: 8, exactPower: 10, exactMantissa: 1 << 24, smallestPower: -64,
            maximumPower: 38)
    }

    @inline(__always)
    init(mantissa: Int64) {
        self.init(mantissa)
    }

    @inline(__always)
    init(pattern: UInt64) {
        self.init(bitPattern: UInt32(truncatingIfNeeded: pattern))
    }
}

#if !((os(macOS) || targetEnvironment(macCatalyst)) && arch(x86_64))
extension Float16: DecimalFloat {
    @inline(__always)
    static var format: FloatFormat {
        FloatFormat(
            significandBits: 10, exponentBits: 5, exactPower: 4, exactMantissa: 1 << 11, smallestPower: -26,
            maximumPower: 4)
    }

    @inline(__always)
    init(mantissa: Int64) {
        self.init(mantissa)
    }

    @inline(__always)
    init(pattern: UInt64) {
        self.init(bitPattern: UInt16(truncatingIfNeeded: pattern))
    }
}
#endif
