/// What the decimal conversion has to know of a binary format, all of it constants that fold into the code.
struct FloatFormat {
    /// The stored bits of the significand: 52 in a double.
    let significandBits: Int

    let exponentBits: Int

    /// The greatest power of ten that the format holds exactly: 10^22 in a double, as 5^22 < 2^53 < 5^23.
    let exactPower: Int

    /// Below `smallestPower`, `w * 10^q` is less than half the least subnormal for every 64-bit `w`, and above
    /// `largestPower` it is beyond the greatest finite number for every `w` but 0.
    let smallestPower: Int
    let largestPower: Int

    @inline(__always)
    var exponentBias: Int { 1 &<< (exponentBits &- 1) &- 1 }

    /// The bit that normal numbers have and don't store, which is also the least normal number's pattern.
    @inline(__always)
    var hiddenBit: UInt64 { 1 &<< UInt64(truncatingIfNeeded: significandBits) }

    /// Infinity's pattern, the first that is not a finite number's.
    @inline(__always)
    var infinity: UInt64 { (2 &<< UInt64(truncatingIfNeeded: exponentBits &- 1) &- 1) &* hiddenBit }
}

/// A floating-point type that numbers convert to. `@inline(__always)` all the way down and a concrete type at the
/// top make the generic code as good as three copies.
protocol DecimalFloat: BinaryFloatingPoint {
    static var format: FloatFormat { get }

    /// An integer of no more bits than the significand has, signed, because that converts in one instruction.
    init(mantissa: Int64)

    /// Makes the number with this bit pattern, which is no wider than the type.
    init(pattern: UInt64)
}

extension Double: DecimalFloat {
    @inline(__always)
    static var format: FloatFormat {
        FloatFormat(significandBits: 52, exponentBits: 11, exactPower: 22, smallestPower: -342, largestPower: 308)
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
        FloatFormat(significandBits: 23, exponentBits: 8, exactPower: 10, smallestPower: -64, largestPower: 38)
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
        FloatFormat(significandBits: 10, exponentBits: 5, exactPower: 4, smallestPower: -26, largestPower: 4)
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
