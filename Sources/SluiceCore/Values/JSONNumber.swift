/// A number with all its digits, as in the JSON. Conversions to numeric types start from these digits.
///
/// Two numbers are equal if their texts are equal: `1.0` and `1` are not. To compare values, convert both numbers, or compare their
/// canonical JSON.
public struct JSONNumber: Sendable, Hashable, CustomStringConvertible {
    /// The form in memory. Equal digits have the same form.
    enum Form: Hashable {
        /// The digits of any other number.
        case text(String)
        /// A number whose digits a string would not store inline.
        case fixedPoint(FixedPointNumber)
    }

    let form: Form

    init(_ token: NumberToken) {
        if token.count > SmallString.capacity, let number = FixedPointNumber(token) {
            form = .fixedPoint(number)
        } else {
            form = .text(String(checkedUTF8: token.utf8))
        }
    }

    /// Creates a number from a string that matches the number grammar of JSON.
    package init(unchecked text: String) {
        var text = text
        self = text.withUTF8 { JSONNumber(NumberToken(checked: $0.baseAddress!, count: $0.count)) }
    }

    /// The digits of the number, as in the JSON.
    public var description: String {
        switch form {
        case .text(let text): text
        case .fixedPoint(let number): number.withToken { String(checkedUTF8: $0.utf8) }
        }
    }

    /// Creates a number from an integer.
    public init(_ value: some BinaryInteger) { self.init(unchecked: String(value)) }

    /// Creates a number from a double, with the fewest digits that represent the value; nil for infinity and NaN.
    public init?(_ value: Double) {
        guard value.isFinite else { return nil }
        self.init(unchecked: "\(value)")
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

    /// Calls a closure with the token of the number.
    package func withToken<R>(_ body: (NumberToken) -> R) -> R {
        switch form {
        case .text(var text): text.withUTF8 { body(NumberToken(checked: $0.baseAddress!, count: $0.count)) }
        case .fixedPoint(let number): number.withToken(body)
        }
    }
}
