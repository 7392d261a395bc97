// Method 3 of FloatConversion.swift, for numbers that the product of 64 by 128 bits leaves uncertain.

extension NumberToken {
    /// Returns the bit pattern of the value nearest to the number's magnitude, which must be `pattern` or the next one.
    ///
    /// Compares the number with the point halfway between these two values, both as natural numbers. In `digits * 10^q`
    /// and `odd * 2^p`, each negative power becomes a positive one on the other side.
    @inline(never)
    func exactPattern(near pattern: UInt64, in format: FloatFormat) -> UInt64 {
        var (number, power, isCut) = comparableDigits()
        let field = pattern >> UInt64(format.significandBits)
        let fraction = pattern & (format.hiddenBit - 1)
        let significand = field == 0 ? fraction : fraction | format.hiddenBit
        var halfway = BigNatural(2 * significand + 1)
        let binaryPower = max(Int(field), 1) - format.exponentBias - format.significandBits - 1

        if power >= 0 {
            number.multiply(byFiveTo: power)
        } else {
            halfway.multiply(byFiveTo: -power)
        }
        power -= binaryPower
        if power >= 0 {
            number.shiftLeft(by: power)
        } else {
            halfway.shiftLeft(by: -power)
        }

        if number < halfway {
            return pattern
        }
        if number == halfway, !isCut {
            return pattern + pattern & 1
        }
        return pattern + 1
    }

    /// Whether an integer has the magnitude of a double of at least 2^53.
    @inline(never)
    func hasMagnitude(of double: Double) -> Bool {
        var (number, power, isCut) = comparableDigits()
        number.multiply(byFiveTo: power)
        number.shiftLeft(by: power)
        var value = BigNatural(double.significandBitPattern | 1 << UInt64(Double.significandBitCount))
        value.shiftLeft(by: Int(double.exponent) - Double.significandBitCount)
        return !isCut && number == value
    }

    /// The number of digits to compare. The longest halfway point has 768 digits, among the largest subnormals of a double.
    /// A number with the same first 800 digits is equal if only zeros follow, and greater otherwise.
    private static var comparedDigits: Int { 800 }

    /// Returns the magnitude as `digits * 10^power`, from the first 800 digits. `isCut` is true if any other digit is
    /// nonzero.
    private func comparableDigits() -> (digits: BigNatural, power: Int, isCut: Bool) {
        guard isTruncated else { return (BigNatural(mantissa), exponent, false) }
        var digits = BigNatural(0)
        digits.reserveCapacity(4096)
        var count = 0
        var isCut = false
        var chunk: UInt64 = 0
        var factor: UInt64 = 1
        for digit in significantDigits {
            guard count < NumberToken.comparedDigits else {
                isCut = isCut || digit != 0
                continue
            }
            count += 1
            chunk = chunk * 10 + digit
            factor *= 10
            if factor == 10_000_000_000_000_000_000 {
                digits.multiply(by: factor, adding: chunk)
                chunk = 0
                factor = 1
            }
        }
        digits.multiply(by: factor, adding: chunk)
        return (digits, exponent + NumberToken.mantissaDigits - count, isCut)
    }
}
