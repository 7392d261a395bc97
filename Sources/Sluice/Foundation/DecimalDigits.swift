/// The exact value of a JSON number: 1.50 has the significand 15 and the exponent −1.
///
/// The significand has no trailing zeros.
struct DecimalDigits: Equatable {
    var isNegative = false
    var significand: UInt128 = 0
    var exponent = 0

    /// Returns the digits of a number; nil if they do not fit in 128 bits.
    static func of(_ number: NumberToken) -> DecimalDigits? {
        if number.isTruncated {
            let text = UnsafeBufferPointer(start: number.text, count: number.count)
            return DecimalDigits(number: String(decoding: text, as: UTF8.self))
        }
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

    /// Parses a number that matches the JSON grammar.
    ///
    /// Returns nil if the digits do not fit in 128 bits. Up to 38 digits always fit.
    init?(number text: String) {
        var digits = text.utf8[...]
        var zeros = 0
        var isFraction = false
        if digits.first == UInt8(ascii: "-") {
            isNegative = true
            digits.removeFirst()
        }
        while let byte = digits.popFirst() {
            switch byte {
            case UInt8(ascii: "."):
                isFraction = true
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                if isFraction { exponent -= 1 }
                // Zeros are counted until another digit follows. Leading and trailing zeros change the exponent only.
                zeros += 1
                guard byte != UInt8(ascii: "0") else { continue }
                guard significand == 0 || multiply(zeros) else { return nil }
                let (sum, overflow) = significand.addingReportingOverflow(UInt128(byte - UInt8(ascii: "0")))
                guard !overflow else { return nil }
                significand = sum
                zeros = 0
            default:
                exponent += Self.writtenExponent(digits)
                digits = digits[digits.endIndex...]
            }
        }
        exponent = significand == 0 ? 0 : exponent + zeros
    }

    private mutating func multiply(_ factorsOfTen: Int) -> Bool {
        for _ in 0..<factorsOfTen {
            let (product, overflow) = significand.multipliedReportingOverflow(by: 10)
            if overflow { return false }
            significand = product
        }
        return true
    }

    /// The value of an exponent, `[+-]?\d+`, limited to a magnitude of about 1,000,000,000.
    private static func writtenExponent(_ text: Substring.UTF8View) -> Int {
        let value = text.reduce(0) { value, byte in
            byte < UInt8(ascii: "0") ? value : min(value * 10 + Int(byte - UInt8(ascii: "0")), 1_000_000_000)
        }
        return text.first == UInt8(ascii: "-") ? -value : value
    }
}
