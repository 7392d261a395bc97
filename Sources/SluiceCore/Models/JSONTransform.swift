/// A conversion in both directions between JSON and a type without a JSON form of its own.
///
/// ```swift
/// struct HexColor: JSONTransform {
///     func decode(_ json: String) throws -> Color { try Color(hex: json) }
///     func encode(_ color: Color) throws -> String { color.hex }
/// }
/// ```
///
/// A transform is a value, so a transform can have parameters: `@JSONTransform(Scaled(by: 10))`. A transform without
/// parameters can be a static member of `JSONTransform`, as in `@JSONTransform(.seconds)`.
///
/// If a property is an optional, array, set or dictionary, nested up to three deep, its transform applies to the innermost
/// elements.
///
/// Use `@JSONTransform(HexColor())` for one property, `decoder.register(HexColor())` for every value of the type, or
/// ``JSONShape/transformed(by:)`` in the type itself. An error of the transform is reported in an issue with path and
/// location. A transform may decode other JSON.
public protocol JSONTransform: Sendable {
    /// The type that is decoded and encoded: any ``JSONConvertible`` type, or ``JSONValue`` for any JSON.
    associatedtype JSON: JSONConvertible
    /// The type of the property.
    associatedtype Value
    /// Converts decoded JSON to a value.
    ///
    /// - Throws: ``JSONModelError/ConversionFailure`` for an issue of the matching kind, or any other error.
    func decode(_ json: JSON) throws -> Value
    /// Converts a value to the JSON that is encoded.
    func encode(_ value: Value) throws -> JSON
}
