// The conversion of a number to the nearest floating-point value, with ties to even. Three methods, the fastest first:
//
// 1. If the format represents the mantissa and the power of ten exactly, one multiplication or division rounds once
//    (W. D. Clinger, "How to Read Floating Point Numbers Accurately", PLDI 1990).
// 2. The product of a 64-bit mantissa and a 128-bit power of five decides nearly every other case (by M. Eisel and
//    D. Lemire: D. Lemire, "Number Parsing at a Gigabyte per Second", Software: Practice and Experience 51, 2021).
//    For normal numbers, 64 bits of the power nearly always suffice. This case is inlined.
// 3. Exact arithmetic uses all digits, in FloatExact.swift.

extension NumberToken {
    /// Returns the nearest value, or nil if that is infinite. Underflow results in subnormals and zero. Zero keeps its
    /// sign.
    @inline(__always)
    func floatingPoint<F: DecimalFloat>(_: F.Type) -> F? {
        if !isTruncated, let value = F.quickly(mantissa, exponent: exponent, isNegative: isNegative) {
            return value
        }
        return nearest(F.self)
    }

    /// The nearest value, or nil if that is infinite.
    package var double: Double? { @inline(__always) get { floatingPoint(Double.self) } }

    /// Applies methods 2 and 3.
    @inline(never)
    private func nearest<F: DecimalFloat>(_: F.Type) -> F? {
        let format = F.format
        let pattern = nearestPattern(in: format)
        guard pattern < format.infinity else { return nil }
        let value = F(pattern: pattern)
        return isNegative ? -value : value
    }

    /// Returns the bit pattern of the magnitude.
    @inline(__always)
    private func nearestPattern(in format: FloatFormat) -> UInt64 {
        guard mantissa != 0, exponent >= format.smallestPower else { return 0 }
        guard exponent <= format.maximumPower else { return format.infinity }
        let low = FloatProduct(of: mantissa, tenTo: exponent, in: format)
        if low.isCertain {
            guard isTruncated else { return low.pattern }
            // The value is between two mantissas. Rounding keeps their order, so equal results for both are the result.
            let high = FloatProduct(of: mantissa &+ 1, tenTo: exponent, in: format)
            if high.isCertain, high.pattern == low.pattern {
                return low.pattern
            }
        }
        return exactPattern(near: low.pattern, in: format)
    }
}

extension DecimalFloat {
    /// Returns the value nearest to `mantissa * 10^exponent`, or nil if one multiplication or division does not
    /// determine the value.
    @inline(__always)
    static func quickly(_ mantissa: UInt64, exponent: Int, isNegative: Bool) -> Self? {
        exactOperation(mantissa, exponent, isNegative) ?? quickProduct(mantissa, exponent, isNegative)
    }

    /// Applies method 1. Returns nil if the method does not apply.
    @inline(__always)
    private static func exactOperation(_ mantissa: UInt64, _ exponent: Int, _ isNegative: Bool) -> Self? {
        let offset = UInt(bitPattern: exponent &+ format.exactPower)
        guard mantissa <= format.exactMantissa, offset <= UInt(2 &* format.exactPower) else { return nil }
        let magnitude = Self(mantissa: Int64(bitPattern: mantissa))
        let value: Self
        if exponent == 0 {
            value = magnitude
        } else if exponent < 0 {
            value = magnitude / Self(DecimalPowers.ten(to: -exponent))
        } else {
            value = magnitude * Self(DecimalPowers.ten(to: exponent))
        }
        // Only a `Float16` can overflow here: 2047 * 10^4.
        guard format.exponentBits > 5 || value.isFinite else { return nil }
        return isNegative ? -value : value
    }

    /// Applies the first multiplication of method 2. Returns nil unless the product decides a normal number.
    ///
    /// The upper half of the product is the true one or one less. The bits below the rounded ones, or all but the lowest of
    /// these, must therefore be neither all ones, which a carry would change, nor all zeros, which may be a tie.
    @inline(__always)
    private static func quickProduct(_ mantissa: UInt64, _ exponent: Int, _ isNegative: Bool) -> Self? {
        let offset = UInt(bitPattern: exponent &- format.smallestPower)
        guard mantissa != 0, offset <= UInt(format.maximumPower &- format.smallestPower) else { return nil }
        let zeros = mantissa.leadingZeroBitCount
        let high = (mantissa &<< UInt64(truncatingIfNeeded: zeros))
            .multipliedFullWidth(by: DecimalPowers.five(to: exponent).high).high
        let top = high &>> 63
        let field =
            format.exponentBias &+ DecimalPowers.binaryExponent(ofTenTo: exponent) &+ 63 &- zeros
            &+ Int(truncatingIfNeeded: top)
        // The exponent of a normal number that rounding up leaves finite.
        guard UInt(bitPattern: field &- 1) < UInt(2 &* format.exponentBias &- 1) else { return nil }
        let below = UInt64(truncatingIfNeeded: 61 &- format.significandBits)
        guard (high &+ 1) & (1 &<< below &- 1) > 1 else { return nil }
        let rounded = (high &>> (below &+ top) &+ 1) &>> 1
        let base = UInt64(truncatingIfNeeded: field &- 1) &<< UInt64(truncatingIfNeeded: format.significandBits)
        return Self(pattern: base &+ rounded | (isNegative ? format.signBit : 0))
    }
}

/// Method 2: the floating-point value nearest to `w * 10^q`.
///
/// With `w` shifted to 64 bits and `5^q` cut to its first 128, the upper 128 bits `H` of the product are less than two
/// below those of the true product. Rounding depends on whether the product is below or above the halfway point between two
/// neighbors. The answer is uncertain only if the bits below the rounded ones are those of a halfway point, or one less.
/// In these few cases the lower half of the power is added, and only `H + 1` equal to a halfway point stays uncertain.
struct FloatProduct {
    /// The bit pattern of the magnitude. On overflow, a pattern of infinity or greater.
    let pattern: UInt64

    /// Whether `pattern` is the result. If the value is too close to the halfway point above, exact arithmetic must decide.
    let isCertain: Bool

    /// Computes the product. `w` must be nonzero, and `q` in the format's range of powers.
    @inline(__always)
    init(of w: UInt64, tenTo q: Int, in format: FloatFormat) {
        let zeros = w.leadingZeroBitCount
        let normal = w &<< UInt64(truncatingIfNeeded: zeros)
        let power = DecimalPowers.five(to: q)
        var (high, low) = normal.multipliedFullWidth(by: power.high)

        // The first bit of the product is its highest bit or the next one. Its weight determines the exponent of the value.
        let top = Int(truncatingIfNeeded: high &>> 63)
        let exponent = format.exponentBias &+ DecimalPowers.binaryExponent(ofTenTo: q) &+ 63 &- zeros &+ top
        let field = exponent > 1 ? exponent : 1
        // Subnormals lose one more bit for each step by which their exponent is too small.
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
                // Halfway or slightly above. A power that was cut means above.
                let isTie = isExact && more.low == 0
                self.init(pattern: isTie ? floor &+ floor & 1 : floor &+ 1, isCertain: true)
                return
            }
            if high & (below | half) == below, low == .max, !isExact {
                self.init(pattern: floor, isCertain: false)
                return
            }
        }
        // No tie is possible from here on. A carry out of the significand increments the exponent, as needed.
        let rounded = (high &>> UInt64(truncatingIfNeeded: shift &- 1)) &+ 1
        self.init(pattern: base &+ rounded &>> 1, isCertain: true)
    }

    @inline(__always)
    private init(pattern: UInt64, isCertain: Bool) {
        self.pattern = pattern
        self.isCertain = isCertain
    }
}
