/// A number of up to 19 significant digits without an exponent, whose digits follow from its value.
///
///     -65.613616999999977    mantissa 65613616999999977, 15 digits after the point, negative
///     0.00000000000012       mantissa 12, 14 digits after the point
struct FixedPointNumber: Hashable {
    /// The digits without the point.
    private let mantissa: UInt64
    /// The number of digits after the point; 0 for a number without a point.
    private let fractionCount: Int8
    private let isNegative: Bool

    /// The greatest number of digits after the point, so that the digits have 24 places.
    private static let maximumFractionDigits = 23
    /// The number of bytes of the longest text, and of the digits that are written after it.
    static let reach = 48

    /// Creates a number with the digits of a token; nil if the token has an exponent, or more digits than fit.
    @inline(__always)
    init?(_ token: NumberToken) {
        let fraction = 0 &- token.exponent
        guard !token.isTruncated, token.isInteger == (fraction == 0), fraction >= 0,
            fraction <= Self.maximumFractionDigits,
            !token.utf8.contains(where: { $0 > UInt8(ascii: "9") })
        else { return nil }
        (mantissa, fractionCount) = (token.mantissa, Int8(truncatingIfNeeded: fraction))
        isNegative = token.isNegative
    }

    /// Calls a closure with the number and its text.
    @inline(__always)
    func withToken<R>(_ body: (NumberToken) -> R) -> R {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.reach) { buffer in
            let text = buffer.baseAddress.unsafelyUnwrapped
            return body(
                NumberToken(
                    text: text, count: write(to: text), mantissa: mantissa, exponent: 0 &- Int(fractionCount),
                    isNegative: isNegative, isInteger: fractionCount == 0, isTruncated: false))
        }
    }

    /// Writes the number.
    ///
    /// - Parameter target: Memory of `reach` bytes.
    /// - Returns: The length of the text.
    @inline(__always)
    func write(to target: UnsafeMutablePointer<UInt8>) -> Int {
        typealias Word = UInt64
        let size = MemoryLayout<Word>.size
        // The minus sign is always written, and overwritten unless the number is negative.
        target.pointee = UInt8(ascii: "-")
        let start = UnsafeMutableRawPointer(target + (isNegative ? 1 : 0))
        let fraction = Int(fractionCount)
        return withUnsafeTemporaryAllocation(byteCount: 6 * size, alignment: size) { buffer in
            // 24 digits with leading zeros. The bytes behind them are copied, and not part of the text.
            let places = buffer.baseAddress.unsafelyUnwrapped
            let (upper, low) = mantissa.quotientAndRemainder(dividingBy: 100_000_000)
            let (top, middle) = upper.quotientAndRemainder(dividingBy: 100_000_000)
            let first = DecimalWord.eight(top)
            let (second, third) = DecimalWord.sixteen(middle, low)
            places.storeBytes(of: first | DecimalWord.zeros, as: Word.self)
            places.storeBytes(of: second | DecimalWord.zeros, toByteOffset: size, as: Word.self)
            places.storeBytes(of: third | DecimalWord.zeros, toByteOffset: 2 * size, as: Word.self)
            for at in 3..<6 { places.storeBytes(of: 0, toByteOffset: at * size, as: Word.self) }
            let zeros =
                first != 0
                ? first.trailingZeroBitCount
                : second != 0 ? 64 + second.trailingZeroBitCount : 128 + third.trailingZeroBitCount
            let digitCount = 24 - zeros / 8
            // A digit is before the point, if only a zero.
            let wholeCount = max(digitCount - fraction, 1)
            func copy(from place: Int, to offset: Int) {
                for at in stride(from: 0, to: 3 * size, by: size) {
                    start.storeBytes(
                        of: places.loadUnaligned(fromByteOffset: place + at, as: Word.self),
                        toByteOffset: offset + at,
                        as: Word.self)
                }
            }
            copy(from: 24 - fraction - wholeCount, to: 0)
            var end = start + wholeCount
            if fraction > 0 {
                start.storeBytes(of: UInt8(ascii: "."), toByteOffset: wholeCount, as: UInt8.self)
                copy(from: 24 - fraction, to: wholeCount + 1)
                end += 1 + fraction
            }
            return end - UnsafeMutableRawPointer(target)
        }
    }
}
