/// A type that is converted from and to the keys of a JSON object, for the keys of a dictionary.
///
/// A `LosslessStringConvertible` type is its description. A raw-value type is its raw value.
public protocol JSONDictionaryKey: Hashable {
    /// Creates the value that a key represents, or returns nil.
    init?(jsonKey: String)
    /// The key that represents the value.
    var jsonKey: String { get }
}

extension JSONDictionaryKey where Self: LosslessStringConvertible {
    /// Creates the value whose description equals the key, or returns nil.
    public init?(jsonKey: String) { self.init(jsonKey) }
    /// The description.
    public var jsonKey: String { description }
}

extension JSONDictionaryKey where Self: RawRepresentable, RawValue: JSONDictionaryKey {
    /// Creates the value whose raw value equals the key, or returns nil.
    public init?(jsonKey: String) {
        guard let raw = RawValue(jsonKey: jsonKey), let value = Self(rawValue: raw) else { return nil }
        self = value
    }
    /// The key of the raw value.
    public var jsonKey: String { rawValue.jsonKey }
}

// The types that are both `LosslessStringConvertible` and `RawRepresentable`.
extension JSONDictionaryKey
where Self: LosslessStringConvertible & RawRepresentable, RawValue: JSONDictionaryKey {
    /// Creates the value whose raw value equals the key, or returns nil.
    public init?(jsonKey: String) {
        guard let raw = RawValue(jsonKey: jsonKey), let value = Self(rawValue: raw) else { return nil }
        self = value
    }
    /// The key of the raw value.
    public var jsonKey: String { rawValue.jsonKey }
}

extension String: JSONDictionaryKey {
    public init(jsonKey: String) { self = jsonKey }
    public var jsonKey: String { self }
}
extension Int: JSONDictionaryKey {}
extension Int8: JSONDictionaryKey {}
extension Int16: JSONDictionaryKey {}
extension Int32: JSONDictionaryKey {}
extension Int64: JSONDictionaryKey {}
extension Int128: JSONDictionaryKey {}
extension UInt: JSONDictionaryKey {}
extension UInt8: JSONDictionaryKey {}
extension UInt16: JSONDictionaryKey {}
extension UInt32: JSONDictionaryKey {}
extension UInt64: JSONDictionaryKey {}
extension UInt128: JSONDictionaryKey {}
