/// A JSON number as passed from the source to the driver: its bytes, and the parts that every conversion needs.
///
/// If `isTruncated` is false, the value is exactly `(isNegative ? -1 : 1) * mantissa * 10^exponent`. Otherwise the
/// magnitude is at least that, and less than with a mantissa greater by one.
///
///     -65.613616999999977   mantissa 65613616999999977, exponent -15, isNegative
///     505874924095815681    mantissa 505874924095815681, exponent 0, isInteger
///     123456789012345678901 mantissa 1234567890123456789, exponent 2, isInteger, isTruncated
///
/// For conversions see `integer(_:into:)` in IntegerConversion.swift and `floatingPoint(_:)` in FloatConversion.swift.
@usableFromInline
package struct NumberToken {
    /// The bytes of the number, borrowed: valid during the driver's call.
    @usableFromInline package let text: UnsafePointer<UInt8>
    @usableFromInline package let count: Int

    /// The first 19 significant digits, or fewer. Leading zeros are not significant, other zeros are.
    @usableFromInline package let mantissa: UInt64

    /// The power of ten of the mantissa. An exponent in the input saturates far beyond the range of every format and far
    /// within that of `Int`, so that sums with digit counts neither overflow nor return to the range.
    @usableFromInline package let exponent: Int

    @usableFromInline package let isNegative: Bool

    /// Whether the number has neither a fraction nor an exponent part. `1.0` is not an integer in this sense.
    @usableFromInline package let isInteger: Bool

    /// Whether the number has more than 19 significant digits. The exponent counts the digits beyond the mantissa.
    @usableFromInline package let isTruncated: Bool

    /// The greatest number of decimal digits that always fit in 64 bits.
    @inline(__always)
    package static var mantissaDigits: Int { 19 }

    /// Creates a token from parts that the source has found while scanning.
    @inline(__always)
    @inlinable package init(
        text: UnsafePointer<UInt8>, count: Int, mantissa: UInt64, exponent: Int,
        isNegative: Bool, isInteger: Bool, isTruncated: Bool
    ) {
        self.text = text
        self.count = count
        self.mantissa = mantissa
        self.exponent = exponent
        self.isNegative = isNegative
        self.isInteger = isInteger
        self.isTruncated = isTruncated
    }

    /// The number of digits before the decimal point of a number other than 0, without an exponent; 0 or less for a magnitude below 1.
    package var wholeDigitCount: Int {
        (isTruncated ? Self.mantissaDigits : String(mantissa).utf8.count) &+ exponent
    }

    /// The significant digits from first to last, for conversions that need more than the mantissa.
    package var significantDigits: SignificantDigits {
        SignificantDigits(text: text, count: count)
    }
}

/// The values of a number's digits, without leading zeros and the point, up to the exponent.
///
/// Only rarely used code reads these digits, one byte at a time, so that the rules of the format stay in one type.
package struct SignificantDigits: Sequence, IteratorProtocol {
    private var cursor: UnsafePointer<UInt8>
    private let end: UnsafePointer<UInt8>

    init(text: UnsafePointer<UInt8>, count: Int) {
        cursor = text
        end = text + count
        while cursor < end, cursor.pointee < UInt8(ascii: "1") {  // the sign, the point and 0 are all below 1
            cursor += 1
        }
    }

    package mutating func next() -> UInt64? {
        guard cursor < end else { return nil }
        if cursor.pointee == UInt8(ascii: ".") {
            cursor += 1
        }
        guard cursor < end else { return nil }
        let digit = cursor.pointee &- UInt8(ascii: "0")
        guard digit <= 9 else {
            cursor = end
            return nil
        }
        cursor += 1
        return UInt64(digit)
    }
}
