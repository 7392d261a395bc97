#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Decimal: JSONConvertible {
    /// The shape of a number that is decoded exactly from its digits, without a `Double`.
    ///
    /// A number is out of range if `Decimal` would have to round the digits (38 digits always fit), or if the exponent of
    /// the last digit other than 0 is outside −128...127.
    @_documentation(visibility: internal) public static var jsonShape: JSONShape {
        .scalar(Self.self, expecting: "a number") { scalar in
            guard let number = scalar.number else { throw JSONModelError.ConversionFailure.mismatch }
            guard let digits = DecimalDigits.of(number), let value = Decimal(digits) else {
                throw JSONModelError.ConversionFailure.outOfRange
            }
            return value
        } write: { value in
            guard let number = JSONNumber(value) else {
                throw JSONModelError.ConversionFailure.invalid("\(value) is not a JSON number")
            }
            return .number(number)
        } text: { value, out in
            guard value.isFinite else {
                throw JSONModelError.ConversionFailure.invalid("\(value) is not a JSON number")
            }
            value.write(to: &out)
        }
        .schema(["type": "number"])
    }

    /// Writes the digits like `description`.
    private func write(to out: inout OutputBuffer) {
        let exponent = self.exponent
        guard exponent <= 0, exponent >= -40, let shift = Self.lengthShift else { return out.text(description) }
        let significand = withUnsafeBytes(of: self) { bytes in
            let words = Int(bytes[1] >> shift & 0xF)
            return (0..<words).reversed().reduce(into: UInt128(0)) { value, word in
                value = value << 16 | UInt128(bytes.loadUnaligned(fromByteOffset: 4 + 2 * word, as: UInt16.self))
            }
        }
        out.reserve(96)
        if significand == 0 { return out.byte(UInt8(ascii: "0")) }
        if isSignMinus { out.byte(UInt8(ascii: "-")) }
        let start = out.count
        significand >> 64 == 0
            ? out.natural(UInt64(truncatingIfNeeded: significand)) : out.integer(significand)
        if exponent < 0 { out.insertPoint(before: -exponent, from: start) }
    }

    /// The position of the number of words in the second byte of a decimal, which the platforms place differently; nil if the memory of a
    /// decimal is not that of NSDecimal: an exponent, flags with the number of words, and up to eight words of 16 bits.
    private static let lengthShift: UInt8? = {
        guard MemoryLayout<Decimal>.size == 20 else { return nil }
        // Five words, of which the last one is 1.
        return withUnsafeBytes(of: twoTo64) { bytes in
            guard bytes[0] == 0, bytes[4..<12].allSatisfy({ $0 == 0 }), bytes[12] == 1 else { return nil }
            return bytes[1] & 0xF == 5 ? 0 : bytes[1] >> 4 == 5 ? 4 : nil
        }
    }()

    /// Creates the value of the digits, or returns nil if the value does not fit.
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
    /// Creates a number with all digits of a decimal.
    ///
    /// Returns nil if the decimal is not a finite number, because JSON has no such value.
    ///
    /// - Parameter value: The decimal.
    public init?(_ value: Decimal) {
        guard value.isFinite else { return nil }
        self.init(unchecked: value.description)
    }
}
