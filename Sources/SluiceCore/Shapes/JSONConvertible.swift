/// A type that can be decoded from JSON and encoded to JSON.
///
/// The standard library's scalars, `Optional`, `Array`, `Dictionary` and `Set` conform, and so does every
/// ``JSONModel``. A raw-value enum declares the conformance: `enum Color: String, JSONConvertible`. Any other type returns
/// a shape with both conversions, such as ``JSONShape/scalar(_:expecting:read:write:)``.
public protocol JSONConvertible {
    /// The conversions between tokens and values of this type. Call ``JSONShape/of(_:)``, which keeps one shape per type.
    static var jsonShape: JSONShape { get }
}

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
