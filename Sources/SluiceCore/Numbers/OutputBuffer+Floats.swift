// Floating-point numbers: the shortest decimal that converts back to the number, in the form of Swift's `description`.
//
//     1.0  -0.0  9007199254740992.0      integers, up to the greatest whose neighbors are at most 1 away
//     65.613616999999977  0.00012        fractions, from 0.0001
//     1.2e-05  1e+16                     other numbers, with an exponent of two digits or more

extension OutputBuffer {
    /// Writes a finite number. Requires 48 reserved bytes.
    @inline(__always)
    mutating func double(_ value: Double) {
        let pattern = value.bitPattern
        number(value.magnitude, pattern: pattern & ~(1 &<< 63), isNegative: pattern &>> 63 != 0)
    }

    /// Writes a finite number. Requires 48 reserved bytes.
    @inline(never)
    mutating func float(_ value: Float) {
        let pattern = UInt64(value.bitPattern)
        number(value.magnitude, pattern: pattern & ~(1 &<< 31), isNegative: pattern &>> 31 != 0)
    }

    #if !((os(macOS) || targetEnvironment(macCatalyst)) && arch(x86_64))
    /// Writes a finite number. Requires 48 reserved bytes.
    @inline(never)
    mutating func half(_ value: Float16) {
        let pattern = UInt64(value.bitPattern)
        number(value.magnitude, pattern: pattern & ~(1 &<< 15), isNegative: pattern &>> 15 != 0)
    }
    #endif

    @inline(__always)
    private mutating func number<F: DecimalFloat>(_ magnitude: F, pattern: UInt64, isNegative: Bool) {
        // Written always, and overwritten unless the number is negative.
        cursor.pointee = UInt8(ascii: "-")
        cursor += isNegative ? 1 : 0
        let hasExponent = pattern > F.format.greatestPlainPattern
        if !hasExponent, let integer = magnitude.integer {
            natural(UInt64(bitPattern: integer))
            store(UInt16(littleEndian: 0x302E))  // ".0"
            cursor += 2
        } else {
            decimal(ShortestDecimal(of: pattern, in: F.format), hasExponent: hasExponent)
        }
    }

    /// Writes a decimal of up to 17 digits that is not an integer, or that has an exponent.
    @inline(__always)
    private mutating func decimal(_ decimal: ShortestDecimal, hasExponent: Bool) {
        var (digits, exponent) = (decimal.digits, decimal.exponent)
        // Give all numbers 16 or 17 digits. Subnormal numbers and short formats have fewer.
        while digits < 1_000_000_000_000_000 {
            digits &*= 10
            exponent &-= 1
        }
        let lead = digits / 10_000_000_000_000_000
        let leadCount = lead == 0 ? 0 : 1
        let rest = SixteenDigits(digits &- lead &* 10_000_000_000_000_000)
        // The position of the point after the first digit of `rest`, and after the first digit of all.
        let point = 16 &+ exponent
        let magnitude = point &+ leadCount

        if hasExponent || magnitude < -3 {
            scientific(lead, rest, exponent: magnitude &- 1)
        } else if magnitude > 0 {
            store(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: lead))
            cursor += leadCount
            store(rest.characters(from: 0))
            store(UInt8(ascii: "."), at: point)
            store(rest.characters(from: point), at: point &+ 1)
            cursor += rest.count &+ 1
        } else {
            store(UInt64(littleEndian: 0x3030_3030_3030_2E30))  // "0.000000"
            cursor += 2 &- magnitude
            store(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: lead))
            cursor += leadCount
            store(rest.characters(from: 0))
            cursor += rest.count
        }
    }

    /// Writes one digit, the others as a fraction, and an exponent.
    @inline(never)
    private mutating func scientific(_ lead: UInt64, _ rest: SixteenDigits, exponent: Int) {
        var fraction = rest.count
        if lead == 0 {
            store(rest.characters(from: 0))
            store(rest.characters(from: 1), at: 2)
            fraction -= 1
        } else {
            store(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: lead))
            store(rest.characters(from: 0), at: 2)
        }
        store(UInt8(ascii: "."), at: 1)
        cursor += fraction == 0 ? 1 : fraction + 2
        store(UInt8(ascii: "e"))
        store(UInt8(ascii: exponent < 0 ? "-" : "+"), at: 1)
        cursor += 2
        if abs(exponent) < 10 { byte(UInt8(ascii: "0")) }
        natural(UInt64(abs(exponent)))
    }
}

/// Sixteen decimal digits, the first in the lowest byte.
private struct SixteenDigits {
    private let word: UInt128

    /// - Precondition: The number is less than 10^16. It has leading zeros.
    @inline(__always)
    init(_ number: UInt64) {
        let (upper, lower) = number.quotientAndRemainder(dividingBy: 100_000_000)
        word = UInt128(DecimalWord.eight(lower)) &<< 64 | UInt128(DecimalWord.eight(upper))
    }

    /// The number of digits without trailing zeros.
    @inline(__always)
    var count: Int { 16 &- word.leadingZeroBitCount &>> 3 }

    /// Returns the digits from a position on as characters. Characters after the last digit are zeros.
    ///
    /// - Parameter position: The position, from 0 to 15.
    @inline(__always)
    func characters(from position: Int) -> UInt128 {
        let zeros = UInt128(DecimalWord.zeros) &<< 64 | UInt128(DecimalWord.zeros)
        return word &>> UInt128(truncatingIfNeeded: position &* 8) | zeros
    }
}
