#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Decimal: JSONConvertible {
    /// A number, exactly as its digits stand in the text, never by way of `Double`. One that would have to be
    /// rounded (38 digits always fit), or whose last digit that is not 0 stands beyond the powers −128...127 of ten,
    /// is out of range.
    public static var jsonShape: JSONShape {
        .scalar(Self.self, expecting: "a number") { scalar in
            guard let text = scalar.numberText else { throw JSONModelError.ConversionFailure.mismatch }
            guard let digits = DecimalDigits(number: text), let value = Decimal(digits) else {
                throw JSONModelError.ConversionFailure.outOfRange
            }
            return value
        } write: { value in
            guard let number = JSONNumber(value) else {
                throw JSONModelError.ConversionFailure.invalid("\(value) is no number of JSON")
            }
            return .number(number)
        }
    }

    /// The value of the digits, or nil if it does not fit.
    init?(_ digits: DecimalDigits) {
        guard (-128...127).contains(digits.exponent) else { return nil }
        // Each step is exact: the significand has 128 bits on both sides.
        var significand = Decimal(UInt64(truncatingIfNeeded: digits.significand))
        let high = UInt64(truncatingIfNeeded: digits.significand >> 64)
        if high != 0 { significand += Decimal(high) * Self.twoTo64 }
        self.init(
            sign: digits.isNegative && digits.significand != 0 ? .minus : .plus, exponent: digits.exponent,
            significand: significand)
    }

    private static let twoTo64 = Decimal(UInt64.max) + 1
}

extension JSONNumber {
    /// Makes the number of a decimal, with all of its digits.
    ///
    /// - Returns: nil if the decimal is not a number, which JSON cannot say.
    public init?(_ value: Decimal) {
        guard value.isFinite else { return nil }
        self.init(unchecked: value.description)
    }
}
