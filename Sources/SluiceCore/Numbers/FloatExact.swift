// Way 3 of FloatConversion.swift, for the numbers that the product of 64 by 128 bits leaves undecided.

extension NumberToken {
    /// The pattern of the float nearest to the number's magnitude, which is known to be `pattern`'s or the next.
    ///
    /// Compares the number with the point halfway between the two, both as natural numbers: with `digits * 10^q`
    /// and `odd * 2^p`, each negative power goes to the other side as a positive one.
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

    /// The longest halfway point has 768 digits, among the greatest subnormals of a double. So a number that agrees
    /// with one in its first 800 digits is equal if no others but zeros follow, and above it if there are any.
    private static var comparedDigits: Int { 800 }

    /// The magnitude as `digits * 10^power`, of the first 800 digits. `isCut` tells of others that aren't 0.
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
