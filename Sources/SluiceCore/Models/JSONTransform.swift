/// A conversion between what stands in the text and a type that has no JSON form of its own, both ways.
///
/// ```swift
/// enum HexColor: JSONTransform {
///     static func decode(_ json: String) throws -> Color { try Color(hex: json) }
///     static func encode(_ color: Color) throws -> String { color.hex }
/// }
/// ```
///
/// The transform of a property applies to the innermost elements where the property is an optional, array, set or
/// dictionary, or up to three of them one in another.
///
/// For one property: `@JSONTransform(HexColor.self)`. For every value of the type: `decoder.register(HexColor.self)`, or,
/// stated by the type itself, ``JSONShape/transformed(by:)``. An error that it throws arrives inside an issue with path and
/// offset. It may decode again inside itself.
public protocol JSONTransform {
    /// What stands in the text: any type that can be decoded, `JSONValue` for any JSON.
    associatedtype JSON: JSONConvertible
    /// What it becomes.
    associatedtype Value
    /// Makes the value of what stands in the text.
    static func decode(_ json: JSON) throws -> Value
    /// Makes of a value what is to stand in the text.
    static func encode(_ value: Value) throws -> JSON
}
