/// A conversion in both directions between JSON and a type without a JSON form of its own.
///
/// ```swift
/// enum HexColor: JSONTransform {
///     static func decode(_ json: String) throws -> Color { try Color(hex: json) }
///     static func encode(_ color: Color) throws -> String { color.hex }
/// }
/// ```
///
/// If a property is an optional, array, set or dictionary, nested up to three deep, its transform applies to the innermost
/// elements.
///
/// Use `@JSONTransform(HexColor.self)` for one property, `decoder.register(HexColor.self)` for every value of the type, or
/// ``JSONShape/transformed(by:)`` in the type itself. An error of the transform is reported in an issue with path and
/// location. A transform may decode other JSON.
public protocol JSONTransform {
    /// The type that is decoded and encoded: any ``JSONConvertible`` type, or ``JSONValue`` for any JSON.
    associatedtype JSON: JSONConvertible
    /// The type of the property.
    associatedtype Value
    /// Converts decoded JSON to a value.
    ///
    /// - Throws: ``JSONModelError/ConversionFailure`` for an issue of the matching kind, or any other error.
    static func decode(_ json: JSON) throws -> Value
    /// Converts a value to the JSON that is encoded.
    static func encode(_ value: Value) throws -> JSON
}
