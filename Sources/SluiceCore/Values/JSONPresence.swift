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

extension JSONPresence: JSONConvertible where Value: JSONConvertible {
    public static var jsonShape: JSONShape {
        let shape = JSONShape.wrapped(Self.self, around: JSONShape.of(Value.self)) { value, target, _, _ in
            let value = value.assumingMemoryBound(to: Value.self).move()
            target.assumingMemoryBound(to: Self.self).initialize(to: .value(value))
        } takeApart: { field, value, _ in
            guard case .value(let inner) = field.assumingMemoryBound(to: Self.self).pointee else { return }
            value.assumingMemoryBound(to: Value.self).initialize(to: inner)
        }
        let inner = JSONShape.of(Value.self).presence
        shape.setPresence { address in
            switch address.assumingMemoryBound(to: Self.self).pointee {
            case .absent: return .absent
            case .null: return .null
            case .value(let value):
                return inner.map { inner in withUnsafePointer(to: value) { inner($0) } } ?? .value
            }
        }
        shape.convertNull = { $0.assumingMemoryBound(to: Self.self).initialize(to: .null) }
        shape.makeAbsent = { $0.assumingMemoryBound(to: Self.self).initialize(to: .absent) }
        return shape
    }
}
