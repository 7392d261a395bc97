/// The documents that a JSON Schema describes.
public enum JSONSchemaForm: Sendable, Hashable, CaseIterable {
    /// The documents that a decoder accepts.
    case decoding
    /// The documents that an encoder writes.
    case encoding
    /// Documents that a decoder accepts, in the subset of JSON Schema that the structured output of language models requires.
    ///
    /// All properties are required, optional properties may be `null`, and objects have no other properties. The schema has no
    /// keyword that the interfaces of language models reject. OpenAI requires this form for structured output and for functions with
    /// `strict`, Anthropic for tools with `strict`, and Gemini accepts it as `responseJsonSchema`.
    case strict
    /// Documents that a decoder accepts, as the input of a tool: `input_schema` of Anthropic, `inputSchema` of the Model Context Protocol,
    /// and the parameters of a function without `strict`.
    ///
    /// The root is an object without alternatives. A property with a default or an optional type may be left out. A property with several
    /// keys has its first one, and values that a coercion converts are not described.
    case tool
    /// The documents of ``strict``, in the subset of OpenAPI that Gemini accepts as `responseSchema` and as the parameters of a function.
    ///
    /// Models in properties are inlined, so that a model that contains itself has no schema. `nullable` states that a value may be null, and
    /// `propertyOrdering` the order of the properties.
    case gemini
}

/// The schema that a shape states itself, instead of the schema of its category. At most one property besides the description is not
/// nil.
///
/// The properties are not the cases of an enum: an enum stores the number of the case in unused bits of a closure's address, which the
/// leak sanitizer does not recognize as an address then.
package final class SchemaHint {
    /// A schema.
    package private(set) var schema: (@Sendable (JSONSchemaForm) -> JSONValue)?
    /// The schema of a transform, which returns nil for the schema of the type that the transform converts.
    package private(set) var transform: (@Sendable () -> JSONValue?)?
    /// The schema of another shape, which describes a value that is decoded later.
    package private(set) var shape: (() -> JSONShape)?
    /// The raw values of a type. The closure calls its argument with the address of each raw value.
    package private(set) var rawValues: (((UnsafeRawPointer) -> Void) -> Void)?
    /// Whether a type with raw values accepts other values, too.
    package private(set) var hasFallback = false
    /// The description of the schema.
    package private(set) var description: (@Sendable () -> String)?

    init(schema: @escaping @Sendable (JSONSchemaForm) -> JSONValue) { self.schema = schema }

    init(transform: @escaping @Sendable () -> JSONValue?) { self.transform = transform }

    init(shape: @escaping () -> JSONShape) { self.shape = shape }

    init(rawValues: @escaping ((UnsafeRawPointer) -> Void) -> Void, hasFallback: Bool) {
        (self.rawValues, self.hasFallback) = (rawValues, hasFallback)
    }

    /// Creates a copy of a hint, or a hint without a schema, with a description.
    init(_ other: SchemaHint?, description: @escaping @Sendable () -> String) {
        if let other {
            (schema, transform, shape) = (other.schema, other.transform, other.shape)
            (rawValues, hasFallback) = (other.rawValues, other.hasFallback)
        }
        self.description = description
    }
}

extension JSONShape {
    /// Returns the shape with a JSON Schema, which `jsonSchema(_:)` of the module SluiceSchemas and the schemas of models contain.
    ///
    /// Sluice does not know the scalars that the closures of a ``scalar(_:expecting:read:write:)`` accept, or the strings that a
    /// transform accepts. State the schema where the shape is made:
    ///
    /// ```swift
    /// struct Color: JSONConvertible {
    ///     var rgb: Int
    ///     static var jsonShape: JSONShape {
    ///         .transformed(by: HexColor()).schema(["type": "string", "pattern": "^#[0-9a-f]{6}$"])
    ///     }
    /// }
    /// ```
    ///
    /// - Parameter schema: The schema of decoded and of encoded values. Evaluated when a schema is requested. Keywords that
    ///   ``JSONSchemaForm/strict`` does not permit are omitted there.
    public func schema(_ schema: @autoclosure @escaping @Sendable () -> JSONValue) -> JSONShape {
        self.schema { _ in schema() }
    }

    /// Returns the shape with a description for its JSON Schema. `@JSONModel` calls this method with the documentation comment of
    /// an enum with raw values.
    ///
    /// - Parameter text: The description. Evaluated when a schema is requested.
    public func describing(_ text: @autoclosure @escaping @Sendable () -> String) -> JSONShape {
        JSONShape(self, hint: SchemaHint(schemaHint, description: text))
    }

    /// Returns the shape with a JSON Schema that depends on the form.
    package func schema(_ schema: @escaping @Sendable (JSONSchemaForm) -> JSONValue) -> JSONShape {
        JSONShape(self, hint: SchemaHint(schema: schema))
    }

    /// Returns the shape with the schema of another shape.
    func described(by other: @escaping () -> JSONShape) -> JSONShape {
        JSONShape(self, hint: SchemaHint(shape: other))
    }
}
