/// A type that a stream of JSON tokens can fill.
///
/// The standard library's scalars, `Optional`, `Array`, `Dictionary` and `Set` conform, and so does every
/// ``JSONModel``. A raw-value enum conforms by saying so: `enum Color: String, JSONConvertible`.
public protocol JSONConvertible {
    /// How tokens become a value of this type. Reached through ``JSONShape/of(_:)``, which keeps one per type.
    static var jsonShape: JSONShape { get }
}

/// A model whose plan is known: what `@JSONModel` makes of a struct or class, or a type with a plan by hand.
///
/// ```swift
/// struct Point: JSONModel {
///     let x: Double
///     let y: Double
///     static let plan = ModelPlan<Point>(JSONField(\.x, key: "x"), JSONField(\.y, key: "y"))
/// }
/// ```
public protocol JSONModel: JSONConvertible {
    /// The type of the plan: a ``ModelPlan`` of the model, or of its superclass.
    associatedtype Plan: JSONModelPlan
    /// How the keys of a JSON object go to the properties. Built once: make it a `static let`.
    static var plan: Plan { get }
}

extension JSONModel {
    public static var jsonShape: JSONShape { .model(Self.self) }
}

/// What can serve as a model's plan: a ``ModelPlan`` of any type.
public protocol JSONModelPlan: Sendable {
    /// The plan without its model's type.
    var erasedPlan: AnyModelPlan { get }
}

/// A type that a key of a JSON object can become, so that it may be the key of a dictionary.
public protocol JSONDictionaryKey: Hashable {
    /// The key that this text stands for, or nil if it stands for none.
    init?(jsonKey: String)
}

extension JSONDictionaryKey where Self: LosslessStringConvertible {
    /// Makes the value whose description the key is, or returns nil.
    public init?(jsonKey: String) { self.init(jsonKey) }
}

extension JSONDictionaryKey where Self: RawRepresentable, RawValue: JSONDictionaryKey {
    /// Makes the value whose raw value the key is, or returns nil.
    public init?(jsonKey: String) {
        guard let raw = RawValue(jsonKey: jsonKey), let value = Self(rawValue: raw) else { return nil }
        self = value
    }
}

extension String: JSONDictionaryKey {
    public init(jsonKey: String) { self = jsonKey }
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
