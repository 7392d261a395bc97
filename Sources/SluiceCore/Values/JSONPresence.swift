/// A value, `null` or a missing key. A property of this type is never required.
///
/// ```swift
/// let nickname: JSONPresence<String>      // {} is .absent, {"nickname": null} is .null
/// ```
///
/// The encoder omits `.absent` and writes `.null`.
public enum JSONPresence<Value> {
    /// The key is missing.
    case absent
    /// The value is `null`.
    case null
    /// A value.
    case value(Value)

    /// The value; nil for `.absent` and `.null`.
    public var value: Value? { if case .value(let value) = self { value } else { nil } }
    /// Whether the key is missing.
    public var isAbsent: Bool { if case .absent = self { true } else { false } }
    /// Whether the value is `null`.
    public var isNull: Bool { if case .null = self { true } else { false } }
}

extension JSONPresence: Sendable where Value: Sendable {}
extension JSONPresence: Equatable where Value: Equatable {}
extension JSONPresence: Hashable where Value: Hashable {}
