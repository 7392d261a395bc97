/// A JSON number as its source hands it to the driver: the text, and the parts that every conversion starts from.
///
/// The value is `(isNegative ? -1 : 1) * mantissa * 10^exponent`, exactly when `isTruncated` is false, and
/// otherwise at least that and less than with a mantissa one greater.
///
///     -65.613616999999977   mantissa 65613616999999977, exponent -15, isNegative
///     505874924095815681    mantissa 505874924095815681, exponent 0, isInteger
///     123456789012345678901 mantissa 1234567890123456789, exponent 2, isInteger, isTruncated
///
/// From here on: `integer(_:into:)` in IntegerConversion.swift, `floatingPoint(_:)` in FloatConversion.swift.
@usableFromInline
struct NumberToken {
    /// The number's text, borrowed: valid as long as the source says, which is during the driver's call.
    let text: UnsafePointer<UInt8>
    let count: Int

    /// The first 19 significant digits, or as many as there are. Leading zeros are not significant, others are.
    let mantissa: UInt64

    /// The power of ten that belongs to the mantissa. A written exponent saturates far out of every format's
    /// range and far within Int's, so that sums of it with digit counts neither overflow nor come back in range.
    let exponent: Int

    let isNegative: Bool

    /// The text has neither a fraction nor an exponent part. `1.0` is not an integer in this sense.
    let isInteger: Bool

    /// There are more than 19 significant digits: the rest is in the text alone, and counted by the exponent.
    let isTruncated: Bool

    /// The most decimal digits that always fit 64 bits.
    @inline(__always)
    static var mantissaDigits: Int { 19 }

    /// For a source that has found the parts on its own way over the text.
    @inline(__always)
    init(
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

    /// The significant digits of the text, first to last, for the conversions that need more than the mantissa.
    var significantDigits: SignificantDigits {
        SignificantDigits(text: text, count: count)
    }
}

/// Walks the digits of a number's text by value, without the leading zeros, over the point, up to the exponent.
///
/// Cold code alone uses it, so it goes by bytes and keeps the rules of the format in one place.
struct SignificantDigits: Sequence, IteratorProtocol {
    private var cursor: UnsafePointer<UInt8>
    private let end: UnsafePointer<UInt8>

    init(text: UnsafePointer<UInt8>, count: Int) {
        cursor = text
        end = text + count
        while cursor < end, cursor.pointee < UInt8(ascii: "1") {  // the sign, the point and 0 are all below 1
            cursor += 1
        }
    }

    mutating func next() -> UInt64? {
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
