/// A type that can be decoded from JSON and encoded to JSON.
///
/// The standard library's scalars, `Optional`, `Array`, `Dictionary` and `Set` conform, and so does every
/// ``JSONModel``. A raw-value enum declares the conformance: `enum Color: String, JSONConvertible`. Any other type returns
/// a shape with both conversions, such as ``JSONShape/scalar(_:expecting:read:write:)``.
public protocol JSONConvertible {
    /// The conversions between tokens and values of this type. Call ``JSONShape/of(_:)``, which keeps one shape per type.
    static var jsonShape: JSONShape { get }
}

/// A type with a plan: a struct or class with `@JSONModel`, or a type whose plan is written by hand.
///
/// ```swift
/// struct Point: JSONModel {
///     let x: Double
///     let y: Double
///     static let plan = ModelPlan<Point>(JSONField(\.x, key: "x"), JSONField(\.y, key: "y"))
/// }
/// ```
public protocol JSONModel: JSONConvertible {
    /// The type of the plan: a ``ModelPlan`` of the model or of its superclass.
    associatedtype Plan: JSONModelPlan
    /// The assignment of JSON keys to properties. The plan is built once: make this property a `static let`.
    static var plan: Plan { get }
}

extension JSONModel {
    public static var jsonShape: JSONShape { .model(Self.self) }
}

/// A type that can serve as a model's plan: a ``ModelPlan`` of any model.
public protocol JSONModelPlan: Sendable {
    /// The plan without the model's type.
    var erasedPlan: AnyModelPlan { get }
}

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

// MARK: Containers

// Types are cast to `JSONConvertible`, so these conformances are in the file of the protocol. See `WritableContainer`.

extension Optional: JSONConvertible where Wrapped: JSONConvertible {
    @inlinable public static var jsonShape: JSONShape { _jsonShape(of: JSONShape.of(Wrapped.self)) }
}

extension Array: JSONConvertible where Element: JSONConvertible {
    @inlinable public static var jsonShape: JSONShape { _jsonShape(of: JSONShape.of(Element.self)) }
}

extension Set: JSONConvertible where Element: JSONConvertible {
    @inlinable public static var jsonShape: JSONShape { _jsonShape(of: JSONShape.of(Element.self)) }
}

extension Dictionary: JSONConvertible where Key: JSONDictionaryKey, Value: JSONConvertible {
    @inlinable public static var jsonShape: JSONShape { _jsonShape(of: JSONShape.of(Value.self)) }
}
