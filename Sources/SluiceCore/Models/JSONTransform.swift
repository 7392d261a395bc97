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
    /// The JSON Schema of the JSON; nil, the default, for the schema of the type `JSON`.
    var jsonSchema: JSONValue? { get }
}

extension JSONTransform {
    /// Nil: the schema is that of the type `JSON`.
    @_documentation(visibility: internal) public var jsonSchema: JSONValue? { nil }
}

/// A transform whose values have a shape of their own, which reads and writes the same JSON without the transform's intermediate value.
package protocol ShapedTransform: JSONTransform {
    /// The shape of the transform's values.
    var shape: JSONShape { get }
}

extension JSONShape {
    /// Returns the shape of a type whose values a transform converts.
    ///
    /// A type that returns this shape from ``JSONConvertible/jsonShape`` has its own conversion. The type can be used for
    /// properties and for the elements of containers without an attribute and without
    /// ``JSONModelDecoder/register(_:)``.
    ///
    /// ```swift
    /// struct Color: JSONConvertible {
    ///     var rgb: Int
    ///     static var jsonShape: JSONShape { .transformed(by: HexColor()) }
    /// }
    /// ```
    ///
    /// A transform that is registered for the type, or named by a property, takes precedence over the type's own.
    ///
    /// - Parameter transform: The transform, whose `Value` is the type. Its `JSON` is the type that is decoded and encoded
    ///   instead. A ``JSONModelError/ConversionFailure`` of the transform becomes an issue of the matching kind. Any other
    ///   error becomes the ``JSONIssue/underlying`` error of an issue.
    public static func transformed<T: JSONTransform>(by transform: T) -> JSONShape {
        converted(by: transform, isFixed: false)
    }

    /// Returns the shape of values that an explicitly named transform converts. Decoder options do not replace the shape.
    @usableFromInline
    static func fixed<T: JSONTransform>(by transform: T) -> JSONShape { converted(by: transform, isFixed: true) }

    private static func converted<T: JSONTransform>(by transform: T, isFixed: Bool) -> JSONShape {
        if let shaped = transform as? any ShapedTransform {
            return isFixed ? JSONShape(fixing: shaped.shape) : shaped.shape
        }
        let inner = JSONShape.of(T.JSON.self)
        // A transform is asked when a schema is requested.
        let hint = SchemaHint(transform: { transform.jsonSchema })
        return converted(T.Value.self, around: inner, isFixed: isFixed, buffersValue: true, schemaHint: hint) {
            [expectation = inner.expectation] json, target, _, _ in
            let json = json.assumingMemoryBound(to: T.JSON.self).move()
            do {
                target.assumingMemoryBound(to: T.Value.self).initialize(to: try transform.decode(json))
            } catch let problem as JSONModelError.ConversionFailure {
                throw PartFailure(json, for: T.Value.self, expectation: expectation, problem)
            }
        } makeEncodedForm: { value, json in
            let value = value.assumingMemoryBound(to: T.Value.self).pointee
            json.assumingMemoryBound(to: T.JSON.self).initialize(to: try transform.encode(value))
        }
    }
}

extension PartFailure {
    /// Creates the failure of a value that a transform could not convert.
    ///
    /// - Parameter expectation: The expected value in messages.
    init<Value>(
        _ value: Any, for type: Value.Type, expectation: String, _ problem: JSONModelError.ConversionFailure
    ) {
        let name = String(describing: type)
        switch problem {
        case .mismatch: self.init(.typeMismatch(expected: name, found: Self.description(of: value)))
        case .outOfRange: self.init(.numberOutOfRange(type: name, text: Self.description(of: value)))
        case .notAnInteger: self.init(.notAnInteger(type: name, text: Self.description(of: value)))
        case .invalid(let why, let hint):
            self.init(.invalidValue(expected: expectation, reason: why), hint: hint)
        }
    }

    /// Describes a value in a message: the contents of a scalar, or the kind of a container.
    private static func description(of value: Any) -> String {
        switch value {
        case let value as JSONValue:
            switch value {
            case .array: return "an array"
            case .object: return "an object"
            default: return shortened(value.description)
            }
        case let text as String: return shortened(String(reflecting: text))
        case is any JSONModel: return "an object"
        default: break
        }
        let mirror = Mirror(reflecting: value)
        switch mirror.displayStyle {
        case .collection, .set: return "an array"
        case .dictionary: return "an object"
        case .optional: return mirror.children.first.map { description(of: $0.value) } ?? "null"
        default: return shortened(String(describing: value))
        }
    }

    private static func shortened(_ text: String) -> String {
        text.count > JSONScalar.shownLength ? "\(text.prefix(JSONScalar.shownLength))…" : text
    }
}
