/// A `Decodable` value where a decoder or encoder of models expects a ``JSONConvertible`` type.
///
/// Most functions have an overload for `Decodable` types. This type serves for the others, and inside of containers:
///
/// ```swift
/// var feed = decoder.feed(of: JSONCodable<Row>.self, framing: .lines)
/// for row in try feed.push(chunk) { print(row.value) }
/// ```
public struct JSONCodable<Value: Decodable> {
    /// The value.
    public var value: Value

    /// Creates a value that is encoded by its conformance to `Encodable`.
    public init(_ value: Value) { self.value = value }
}

extension JSONCodable: Sendable where Value: Sendable {}
extension JSONCodable: Equatable where Value: Equatable {}
extension JSONCodable: Hashable where Value: Hashable {}
