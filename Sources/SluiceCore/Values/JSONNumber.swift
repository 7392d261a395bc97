/// A number as it stands in the text: no digit is lost, whatever type it is asked for as.
public struct JSONNumber: Sendable, Hashable, CustomStringConvertible {
    /// The number's text.
    public let description: String

    init(_ token: NumberToken) {
        description = String(checkedUTF8: UnsafeBufferPointer(start: token.text, count: token.count))
    }

    /// A number of this text, which is JSON's grammar.
    package init(unchecked text: String) { description = text }

    /// The number of an integer.
    public init(_ value: some BinaryInteger) { description = String(value) }

    /// The number of a double, by its shortest text; nil if it is not finite, which JSON cannot say.
    public init?(_ value: Double) {
        guard value.isFinite else { return nil }
        description = "\(value)"
    }

    /// The number as an `Int`; nil for a fraction, or one that does not fit.
    public var int: Int? { exactly(Int.self) }

    /// The number as a `Double`, rounded correctly; nil beyond the finite range.
    public var double: Double? { withToken { $0.floatingPoint(Double.self) } }

    /// The number as an integer type; nil for a fraction, or one that does not fit. `1e2` and `1.0` are integers.
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
