import SluiceCore

/// The exact value of a JSON number: 1.50 has the significand 15 and the exponent −1.
///
/// The significand has no trailing zeros.
struct DecimalDigits: Equatable {
    var isNegative = false
    var significand: UInt128 = 0
    var exponent = 0

    /// Returns the digits of a number; nil if they do not fit in 128 bits. Up to 38 digits always fit.
    static func of(_ number: NumberToken) -> DecimalDigits? {
        if number.isTruncated { return DecimalDigits(all: number) }
        guard number.mantissa != 0 else { return DecimalDigits(isNegative: number.isNegative) }
        var (digits, exponent) = (number.mantissa, number.exponent)
        while case (let quotient, let digit) = digits.quotientAndRemainder(dividingBy: 10), digit == 0 {
            (digits, exponent) = (quotient, exponent + 1)
        }
        return DecimalDigits(isNegative: number.isNegative, significand: UInt128(digits), exponent: exponent)
    }

    private init(isNegative: Bool, significand: UInt128 = 0, exponent: Int = 0) {
        (self.isNegative, self.significand, self.exponent) = (isNegative, significand, exponent)
    }

    /// Takes the digits of a number with more digits than its mantissa. Returns nil if they do not fit.
    private init?(all number: NumberToken) {
        let digits = Array(number.significantDigits)
        let count = digits.lastIndex { $0 != 0 }.map { $0 + 1 } ?? 0
        isNegative = number.isNegative
        exponent = number.exponent + NumberToken.mantissaDigits - count
        for digit in digits.prefix(count) {
            let (product, overflows) = significand.multipliedReportingOverflow(by: 10)
            let (sum, carries) = product.addingReportingOverflow(UInt128(digit))
            if overflows || carries { return nil }
            significand = sum
        }
    }

    /// Parses a number that matches the JSON grammar. Returns nil if the digits do not fit in 128 bits.
    init?(number text: String) {
        guard let digits = JSONNumber(unchecked: text).withToken({ Self.of($0) }) else { return nil }
        self = digits
    }
}
