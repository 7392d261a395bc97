extension JSONConvertible {
    /// Returns the JSON Schema of the type, draft 2020-12, under the default options.
    ///
    /// ```swift
    /// let schema = Repository.jsonSchema()
    /// let text = try JSONModelEncoder().encode(schema, as: .string)
    /// ```
    ///
    /// The schema describes the JSON that a ``JSONModelDecoder`` accepts or, with ``JSONSchemaForm/encoding``, that a
    /// ``JSONModelEncoder`` writes. With ``JSONSchemaForm/strict``, the schema is for the structured output of language models.
    /// ``JSONModelDecoder/jsonSchema(of:strict:)`` and ``JSONModelEncoder/jsonSchema(of:)`` return the schema under other
    /// options.
    ///
    /// A type without a valid plan, or without a schema of the form, has a schema that rejects all JSON. Its `$comment` is the
    /// reason.
    ///
    /// - Parameter form: The documents that the schema describes.
    public static func jsonSchema(_ form: JSONSchemaForm = .decoding) -> JSONValue {
        do throws(JSONModelError) {
            return try JSONShape.of(Self.self).schema(
                form, planCache: .standard, coercion: .strict, writing: EncodingOptions())
        } catch {
            let reason = error.issues.first?.description ?? "\(Self.self) has no schema"
            return [
                "$schema": "https://json-schema.org/draft/2020-12/schema", "not": [:], "$comment": .string(reason),
            ]
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
    ///   - strict: Whether the schema is for the structured output of language models: ``JSONSchemaForm/strict``.
    /// - Throws: ``JSONModelError`` of the kind ``JSONIssue/Kind/invalidPlan(_:)`` for a plan that is unusable, or a type
    ///   without a strict schema.
    public func jsonSchema<T: JSONConvertible>(
        of type: T.Type, strict: Bool = false
    ) throws(JSONModelError) -> JSONValue {
        var writing = EncodingOptions()
        writing.planOptions = options.planOptions
        return try JSONShape.of(type).schema(
            strict ? .strict : .decoding, planCache: planCache, coercion: coercion, writing: writing)
    }
}

extension JSONModelEncoder {
    /// Returns the JSON Schema of the JSON that the encoder writes for a type, draft 2020-12.
    ///
    /// - Parameter type: The type.
    /// - Throws: ``JSONModelError`` for a plan that is unusable.
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
