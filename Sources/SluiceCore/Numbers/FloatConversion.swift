// A number as a floating-point value: the nearest one, the even one of two as near. Three ways, the fastest first:
//
// 1. Mantissa and power of ten are exact in the format, so that one multiplication or division rounds once
//    (W. D. Clinger, "How to Read Floating Point Numbers Accurately", PLDI 1990).
// 2. A 64-bit mantissa times a 128-bit power of five decides nearly every other case (M. Eisel's and D. Lemire's
//    way: D. Lemire, "Number Parsing at a Gigabyte per Second", Software: Practice and Experience 51, 2021).
// 3. Exact arithmetic on all digits, in FloatExact.swift.

extension NumberToken {
    /// The nearest value, or nil if that would be infinite. Underflow goes to subnormals and zero; zero keeps its
    /// sign.
    @inline(__always)
    func floatingPoint<F: DecimalFloat>(_: F.Type) -> F? {
        exactOperation(F.self) ?? nearest(F.self)
    }

    /// Way 1, nil where it doesn't apply. A truncated mantissa is always too great for it.
    @inline(__always)
    private func exactOperation<F: DecimalFloat>(_: F.Type) -> F? {
        let format = F.format
        let offset = UInt(bitPattern: exponent &+ format.exactPower)
        guard mantissa <= format.hiddenBit &<< 1, offset <= UInt(2 &* format.exactPower) else { return nil }
        let magnitude = F(mantissa: Int64(bitPattern: mantissa))
        let value: F
        if exponent == 0 {
            value = magnitude
        } else if exponent < 0 {
            value = magnitude / F(DecimalPowers.ten(to: -exponent))
        } else {
            value = magnitude * F(DecimalPowers.ten(to: exponent))
        }
        // Only a half overflows so soon: 2047 * 10^4.
        guard format.exponentBits > 5 || value.isFinite else { return nil }
        return isNegative ? -value : value
    }

    /// Ways 2 and 3.
    @inline(never)
    private func nearest<F: DecimalFloat>(_: F.Type) -> F? {
        let format = F.format
        let pattern = nearestPattern(in: format)
        guard pattern < format.infinity else { return nil }
        let value = F(pattern: pattern)
        return isNegative ? -value : value
    }

    /// The pattern of the magnitude.
    @inline(__always)
    private func nearestPattern(in format: FloatFormat) -> UInt64 {
        guard mantissa != 0, exponent >= format.smallestPower else { return 0 }
        guard exponent <= format.largestPower else { return format.infinity }
        let low = FloatProduct(of: mantissa, tenTo: exponent, in: format)
        if low.isCertain {
            guard isTruncated else { return low.pattern }
            // The value is between two mantissas. Rounding keeps their order, so if they agree, it does too.
            let high = FloatProduct(of: mantissa &+ 1, tenTo: exponent, in: format)
            if high.isCertain, high.pattern == low.pattern {
                return low.pattern
            }
        }
        return exactPattern(near: low.pattern, in: format)
    }
}

/// Way 2: the float nearest to `w * 10^q`.
///
/// With `w` shifted up to 64 bits and `5^q` cut to its first 128, the product's upper 128 bits `H` are at most
/// less than two below those of the true product. What matters is on which side of the halfway point between two
/// neighbours that is, and only where the bits below the rounded ones are those of a halfway point, or one less,
/// can it be unclear. For those few, the power's lower half joins in, which leaves one doubt: `H + 1` is halfway.
struct FloatProduct {
    /// The magnitude's pattern, which is infinity's or more on overflow.
    let pattern: UInt64

    /// False if the value is so near the middle between `pattern` and the next that exact arithmetic must decide.
    let isCertain: Bool

    /// `w` isn't 0, and `q` is in the format's range of powers.
    @inline(__always)
    init(of w: UInt64, tenTo q: Int, in format: FloatFormat) {
        let zeros = w.leadingZeroBitCount
        let normal = w &<< UInt64(truncatingIfNeeded: zeros)
        let power = DecimalPowers.five(to: q)
        var (high, low) = normal.multipliedFullWidth(by: power.high)

        // The product's first bit is its highest or the one below. Its weight is the float's exponent.
        let top = Int(truncatingIfNeeded: high &>> 63)
        let exponent = format.exponentBias &+ DecimalPowers.binaryExponent(ofTenTo: q) &+ 63 &- zeros &+ top
        let field = exponent > 1 ? exponent : 1
        // Subnormals lose as many bits more as their exponent is too small.
        let shift = 62 &- format.significandBits &+ top &+ field &- exponent
        guard shift <= 64 else {
            self.init(pattern: 0, isCertain: true)
            return
        }
        let base = UInt64(truncatingIfNeeded: field &- 1) &<< UInt64(truncatingIfNeeded: format.significandBits)
        let half: UInt64 = 1 &<< UInt64(truncatingIfNeeded: shift &- 1)
        let below = half &- 1
        let rest = high & (below | half)
        if rest == below || (rest == half && low == 0) {
            let more = normal.multipliedFullWidth(by: power.low)
            let (sum, carries) = low.addingReportingOverflow(more.high)
            low = sum
            high = carries ? high &+ 1 : high
            let floor = base &+ (high &>> (UInt64(truncatingIfNeeded: shift &- 1))) &>> 1
            let isExact = DecimalPowers.exactFives.contains(q)
            if high & (below | half) == half, low == 0 {
                // Halfway or just above it, and a power that was cut says above.
                let isTie = isExact && more.low == 0
                self.init(pattern: isTie ? floor &+ floor & 1 : floor &+ 1, isCertain: true)
                return
            }
            if high & (below | half) == below, low == .max, !isExact {
                self.init(pattern: floor, isCertain: false)
                return
            }
        }
        // No tie from here on. A carry out of the significand goes to the exponent, where it belongs.
        let rounded = (high &>> UInt64(truncatingIfNeeded: shift &- 1)) &+ 1
        self.init(pattern: base &+ rounded &>> 1, isCertain: true)
    }

    @inline(__always)
    private init(pattern: UInt64, isCertain: Bool) {
        self.pattern = pattern
        self.isCertain = isCertain
    }
}
