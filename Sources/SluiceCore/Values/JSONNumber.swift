/// A number with all its digits, as in the JSON. Conversions to numeric types start from these digits.
public struct JSONNumber: Sendable, Hashable, CustomStringConvertible {
    /// The digits of the number, as in the JSON.
    public let description: String

    init(_ token: NumberToken) {
        description = String(checkedUTF8: UnsafeBufferPointer(start: token.text, count: token.count))
    }

    /// Creates a number from a string that matches the number grammar of JSON.
    package init(unchecked text: String) { description = text }

    /// Creates a number from an integer.
    public init(_ value: some BinaryInteger) { description = String(value) }

    /// Creates a number from a double, with the fewest digits that represent the value; nil for infinity and NaN.
    public init?(_ value: Double) {
        guard value.isFinite else { return nil }
        description = "\(value)"
    }

    /// The number as an `Int`; nil for a fraction, or for a value out of range.
    public var int: Int? { exactly(Int.self) }

    /// The number as a correctly rounded `Double`; nil beyond the finite range.
    public var double: Double? { withToken { $0.floatingPoint(Double.self) } }

    /// Returns the number as an integer type; nil for a fraction, or for a value out of range. `1e2` and `1.0` are integers.
    public func exactly<T: FixedWidthInteger>(_ type: T.Type) -> T? {
        withToken { token in
            var value = T.zero
            return token.integer(type, into: &value) == .exact ? value : nil
        }
    }

    private func withToken<R>(_ body: (NumberToken) -> R) -> R {
        var text = description
        return text.withUTF8 { body(NumberToken(checked: $0.baseAddress!, count: $0.count)) }
    }
}
