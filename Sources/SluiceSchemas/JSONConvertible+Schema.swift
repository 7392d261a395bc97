import SluiceCore

extension JSONConvertible {
    /// Returns the JSON Schema of the type, draft 2020-12, under the default options.
    ///
    /// ```swift
    /// let schema = try Repository.jsonSchema()
    /// let text = try JSONModelEncoder().encode(schema, as: .string)
    /// ```
    ///
    /// The schema describes the JSON that a `JSONModelDecoder` accepts or, with `JSONSchemaForm.encoding`, that a
    /// `JSONModelEncoder` writes. The other forms are for language models. See `JSONSchemaForm`.
    /// The methods `jsonSchema(of:)` of a decoder and an encoder return the schema under other options.
    ///
    /// - Parameter form: The documents that the schema describes.
    /// - Throws: `JSONModelError` of the kind `JSONIssue.Kind.invalidPlan` for a plan that is invalid, or a type without a schema
    ///   of the form.
    public static func jsonSchema(_ form: JSONSchemaForm = .decoding) throws(JSONModelError) -> JSONValue {
        switch form {
        case .decoding, .strict, .tool, .gemini: try JSONModelDecoder().jsonSchema(of: Self.self, form)
        case .encoding: try JSONModelEncoder().jsonSchema(of: Self.self)
        }
    }
}

extension JSONModelDecoder {
    /// Returns the JSON Schema of the JSON that the decoder accepts for a type, draft 2020-12.
    ///
    /// The options apply: key strategy, date strategy, transforms, coercion, unknown keys, and the selection of properties. The
    /// limits, and duplicate keys, are not part of a schema.
    ///
    /// - Parameters:
    ///   - type: The type.
    ///   - form: The documents that the schema describes. The form `encoding` describes those that an encoder with the decoder's plans
    ///     writes.
    /// - Throws: `JSONModelError` of the kind `JSONIssue.Kind.invalidPlan` for a plan that is invalid, or a type without a schema of
    ///   the form.
    public func jsonSchema<T: JSONConvertible>(
        of type: T.Type, _ form: JSONSchemaForm = .decoding
    ) throws(JSONModelError) -> JSONValue {
        // An encoder with the plans of the decoder writes the defaults.
        var writing = JSONModelEncoder().options
        writing.planOptions = options.planOptions
        return try JSONShape.of(type).schema(
            form, planCache: planCache, coercion: coercion, writing: writing)
    }
}

extension JSONModelEncoder {
    /// Returns the JSON Schema of the JSON that the encoder writes for a type, draft 2020-12.
    ///
    /// - Parameter type: The type.
    /// - Throws: `JSONModelError` of the kind `JSONIssue.Kind.invalidPlan` for a plan that is invalid.
    public func jsonSchema<T: JSONConvertible>(of type: T.Type) throws(JSONModelError) -> JSONValue {
        try JSONShape.of(type).schema(.encoding, planCache: planCache, coercion: .strict, writing: options)
    }
}

extension JSONShape {
    fileprivate func schema(
        _ form: JSONSchemaForm, planCache: PlanCache, coercion: JSONCoercion, writing: EncodingOptions
    ) throws(JSONModelError) -> JSONValue {
        var builder = SchemaBuilder(form, coercion: coercion, writing: writing)
        return try builder.document(of: try planCache.layout(for: self))
    }
}
