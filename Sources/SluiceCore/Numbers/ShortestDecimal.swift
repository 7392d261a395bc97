// The shortest decimal that converts back to a floating-point value, and among several the one nearest to the value.
//
// A positive value is `c * 2^q`, with natural `c`. All numbers that round to the value are at most half a unit in the
// last place away, which is `2^q / 2`. Let `10^k` be the greatest power of ten that is not above `2^q`. In units of
// `10^k`, the interval of these numbers is at least 1 and less than 10 wide. So the interval contains a natural number,
// and at most one multiple of 10. The result is that multiple without its trailing zeros. In an interval without a multiple,
// the result is the natural number nearest to the value (R. Giulietti, "The Schubfach way to render doubles", 2020, which also
// proves the precision required).
//
// Two methods:
//
// 1. The product of `c` and a 128-bit power of ten is the value in units of `10^k`: an integer and a fraction of 64 bits. The
//    error of the fraction is less than two units in the last place. The result is certain if the difference of every
//    comparison is greater than the error.
// 2. Otherwise, and for powers of two, whose lower neighbor is nearer, the value and both ends of the interval are computed as
//    in Schubfach.

/// The shortest decimal that identifies a floating-point value: `digits * 10^exponent`.
struct ShortestDecimal: Equatable {
    /// The digits, which may end with zeros.
    private(set) var digits: UInt64
    private(set) var exponent: Int

    /// Computes the shortest decimal of a magnitude.
    ///
    /// - Parameters:
    ///   - pattern: The bit pattern, that of a positive finite number.
    ///   - format: The format of the pattern.
    @inline(__always)
    init(of pattern: UInt64, in format: FloatFormat) {
        guard let value = BinaryValue(common: pattern, in: format) else {
            self = ShortestDecimal(exactly: BinaryValue(pattern, in: format))
            return
        }
        exponent = value.exponentOfTen(isLowerNeighborNearer: false)
        let power = DecimalPowers.five(to: 0 &- exponent)
        let shift = value.shift(byTenTo: 0 &- exponent)
        let scaled = value.significand &<< shift
        let upper = scaled.multipliedFullWidth(by: power.high)
        let (fraction, carries) = upper.low.addingReportingOverflow(
            scaled.multipliedFullWidth(by: power.low).high)
        let whole = carries ? upper.high &+ 1 : upper.high

        // The last digit with the fraction, and half a unit in the last place, in units of 2^-60. A multiple of 10 is in the
        // interval if the last digit is further away from 5 than from both ends of ten less that half.
        let five: UInt64 = 5 &<< 60
        let tens = whole / 10 &* 10
        let last = (whole &- tens) &<< 60 | fraction &>> 4
        let fromFive = Int64(bitPattern: last &- five)
        let half = power.high &>> (5 &- shift)
        let excess = Int64(bitPattern: fromFive.magnitude &+ half &- five)
        let fromMiddle = Int64(bitPattern: fraction &- 1 &<< 63)
        if isUncertain(excess) || isUncertain(fromMiddle) {
            self = ShortestDecimal(exactly: value)
            return
        }
        let nearest = whole &+ fraction &>> 63
        let nearestTen = fromFive > 0 ? tens &+ 10 : tens
        // A selection without a branch, because the processor cannot predict the choice.
        let isTen = UInt64(bitPattern: (0 &- excess) &>> 63)
        digits = nearest ^ (nearest ^ nearestTen) & isTen
    }

    /// Returns the shortest decimal of a positive double that is a normal number below 2^53 and not an integer; of all others, a decimal without
    /// digits.
    @inline(__always)
    static func ofFraction(_ pattern: UInt64) -> ShortestDecimal {
        let format = Double.format
        let isCommon = pattern &- format.hiddenBit < format.maximumPlainPattern &- format.hiddenBit
        if !isCommon || format.integer(of: pattern) != nil {
            return ShortestDecimal(digits: 0, exponent: 0)
        }
        return ShortestDecimal(of: pattern, in: format)
    }

    private init(digits: UInt64, exponent: Int) { (self.digits, self.exponent) = (digits, exponent) }

    /// Computes the shortest decimal of any value.
    @inline(never)
    private init(exactly value: BinaryValue) {
        exponent = value.exponentOfTen(isLowerNeighborNearer: value.isPowerOfTwo)
        let power = RoundedUpPower(exponent: 0 &- exponent)
        let shift = value.shift(byTenTo: 0 &- exponent)
        // Four times the value and the ends of the interval, rounded to odd: inexact results end with a bit that is set.
        let quadruple = value.significand &* 4
        let point = power.product(with: quadruple &<< shift)
        var low = power.product(with: (quadruple &- (value.isPowerOfTwo ? 1 : 2)) &<< shift)
        var high = power.product(with: (quadruple &+ 2) &<< shift)
        // An end of the interval rounds to the value only if the significand is even.
        if value.significand & 1 != 0 {
            low &+= 1
            high &-= 1
        }

        let whole = point / 4
        let tens = whole / 10 &* 10
        if whole >= 10 {
            let (fitsBelow, fitsAbove) = (low <= 4 &* tens, 4 &* tens &+ 40 <= high)
            if fitsBelow != fitsAbove {
                digits = fitsBelow ? tens : tens &+ 10
                return
            }
        }
        // The interval contains a neighbor. The nearer one is chosen, or the even one if both are equally near. The interval
        // extends at least as far above the value as below, so only the lower neighbor can be nearer but not in the interval.
        let middle = 4 &* whole &+ 2
        let isAbove = low > 4 &* whole || point > middle || (point == middle && whole & 1 != 0)
        digits = isAbove ? whole &+ 1 : whole
    }

    /// Computes the shortest decimal by the second method only, to test that method.
    static func exact(of pattern: UInt64, in format: FloatFormat) -> ShortestDecimal {
        ShortestDecimal(exactly: BinaryValue(pattern, in: format))
    }

    /// The number without trailing zeros.
    var normalized: ShortestDecimal {
        var result = self
        while result.digits % 10 == 0, result.digits > 0 {
            result.digits /= 10
            result.exponent += 1
        }
        return result
    }
}

/// Whether the sign of a difference may be wrong because its terms have errors of less than two.
@inline(__always)
private func isUncertain(_ difference: Int64) -> Bool { UInt64(bitPattern: difference &+ 2) <= 4 }

/// A positive floating-point value: `significand * 2^exponent`.
private struct BinaryValue {
    let significand: UInt64
    let exponent: Int
    /// Whether the lower neighbor is half as far away as the upper one.
    let isPowerOfTwo: Bool

    /// Creates a normal value that is not a power of two; nil for others.
    @inline(__always)
    init?(common pattern: UInt64, in format: FloatFormat) {
        let fraction = pattern & (format.hiddenBit &- 1)
        let field = Int(truncatingIfNeeded: pattern &>> UInt64(truncatingIfNeeded: format.significandBits))
        if fraction == 0 || field == 0 { return nil }
        significand = fraction | format.hiddenBit
        exponent = field &- format.exponentBias &- format.significandBits
        isPowerOfTwo = false
    }

    init(_ pattern: UInt64, in format: FloatFormat) {
        let fraction = pattern & (format.hiddenBit &- 1)
        let field = Int(truncatingIfNeeded: pattern &>> UInt64(truncatingIfNeeded: format.significandBits))
        significand = field == 0 ? fraction : fraction | format.hiddenBit
        exponent = max(field, 1) &- format.exponentBias &- format.significandBits
        isPowerOfTwo = fraction == 0 && field > 1
    }

    /// Returns the exponent of the greatest power of ten that is at most `2^exponent`, or three quarters of that.
    ///
    /// 1262611 / 2^22 is close enough to the base-10 logarithm of 2, and 524031 / 2^22 to that of 4/3.
    @inline(__always)
    func exponentOfTen(isLowerNeighborNearer: Bool) -> Int {
        (exponent &* 1_262_611 &- (isLowerNeighborNearer ? 524_031 : 0)) &>> 22
    }

    /// Returns the number of bits by which the significand is shifted, so that the product of 192 bits with the scaled power
    /// has its point above the lower 128 bits. From 1 to 4 if `10^power` is the inverse of ``exponentOfTen``.
    @inline(__always)
    func shift(byTenTo power: Int) -> UInt64 {
        UInt64(truncatingIfNeeded: exponent &+ DecimalPowers.binaryExponent(ofTenTo: power) &+ 1)
    }
}

/// A power of ten, scaled to 128 bits as in ``DecimalPowers`` but rounded up.
private struct RoundedUpPower {
    let high: UInt64
    let low: UInt64

    init(exponent: Int) {
        let power = DecimalPowers.five(to: exponent)
        let step: UInt64 = DecimalPowers.exactFives.contains(exponent) ? 0 : 1
        let (sum, carries) = power.low.addingReportingOverflow(step)
        low = sum
        high = carries ? power.high &+ 1 : power.high
    }

    /// Returns the upper 64 bits of the product of 192 bits, rounded to odd. The rounding up of the power causes an excess of
    /// at most 1 in the next 64 bits.
    func product(with factor: UInt64) -> UInt64 {
        let upper = factor.multipliedFullWidth(by: high)
        let (middle, carries) = upper.low.addingReportingOverflow(factor.multipliedFullWidth(by: low).high)
        return (carries ? upper.high &+ 1 : upper.high) | (middle > 1 ? 1 : 0)
    }
}
