// The schema of a type follows its resolved layout: the same tables that the driver and the writer use. All options that change
// plans are therefore applied, such as key strategies, date strategies, transforms, and the selection of properties.
//
// Models are definitions, to which `$ref` refers. A model at the root is the document itself.

import SluiceCore

/// Makes the JSON Schema of a type.
struct SchemaBuilder {
    let form: JSONSchemaForm
    /// The coercion of the decoder.
    let coercion: JSONCoercion
    /// How an encoder writes values. Also used for defaults and raw values.
    let writing: EncodingOptions
    /// The definitions by name.
    private var definitions = JSONObject()
    /// The names of the models, by plan.
    private var names: [ObjectIdentifier: String] = [:]
    private var root: ResolvedPlan?
    /// The plans whose members are part of the current schema.
    var inlined: [ResolvedPlan] = []
    /// The model and property of the current schema, for messages.
    var location = ""
    /// The first reason why a type has no schema of the form.
    private(set) var problem: String?

    init(_ form: JSONSchemaForm, coercion: JSONCoercion, writing: EncodingOptions) {
        self.form = form
        self.coercion = form == .decoding ? coercion : .strict
        self.writing = writing
    }

    /// Whether all properties are required, and the schema has only the keywords that structured output permits.
    var isStrict: Bool { form == .strict || form == .gemini }

    /// Whether a language model writes the documents. Each property has one key then, and the values that a decoder accepts besides are not
    /// described.
    var isForLanguageModel: Bool { isStrict || form == .tool }

    /// Whether objects have no other members than those that the schema names.
    var closesObjects: Bool { form != .decoding }

    /// Returns the schema of a document.
    ///
    /// - Throws: The reason why the type has no schema of the form.
    mutating func document(of layout: LayoutReference) throws(JSONModelError) -> JSONValue {
        let typeName = layout.typeName
        location = typeName
        var schema: Schema
        if let plan = layout.table?.plan, !layout.isOptional {
            root = plan
            schema = model(plan)
        } else {
            schema = value(layout, coercion)
        }
        if isForLanguageModel, schema["type"] != "object" || schema["properties"] == nil {
            location = typeName
            report(
                "a \(form) schema needs a model at its root that is an object: make the value a property of a model"
            )
        }
        if let problem { throw JSONModelError(.invalidPlan(problem), model: typeName) }
        var document: Schema =
            isForLanguageModel ? [:] : ["$schema": "https://json-schema.org/draft/2020-12/schema"]
        for (keyword, value) in schema.keywords { document[keyword] = value }
        if form == .gemini {
            var expansion = GeminiSchema(definitions)
            guard let expanded = expansion.expand(document) else {
                let model = expansion.recursiveModel ?? typeName
                throw JSONModelError(
                    .invalidPlan("\(model): a model that contains itself has no gemini schema"), model: typeName)
            }
            return expanded.json
        }
        if !definitions.isEmpty { document["$defs"] = .object(definitions) }
        return document.json
    }

    /// Notes that the current value has no schema of the form.
    mutating func report(_ reason: String) {
        problem = problem ?? "\(location): \(reason)"
    }

    // MARK: Values

    /// Returns the schema of a value where null is allowed if the type has a value for null.
    mutating func value(_ layout: LayoutReference, _ coercion: JSONCoercion) -> Schema {
        let schema = present(layout, coercion)
        return layout.isOptional || layout.shape.nullValues != nil ? schema.nullable() : schema
    }

    /// Returns the schema of a value that is not null.
    mutating func present(_ layout: LayoutReference, _ coercion: JSONCoercion) -> Schema {
        var shape = layout.shape
        while let payload = shape.payload { shape = payload }
        let hint = shape.schemaHint
        var schema = hint.flatMap { stated(by: $0, layout, coercion) } ?? ofCategory(layout, coercion)
        if layout.readsText, form == .decoding {
            // A string is always read as JSON.
            let text: Schema = ["type": "string"]
            let other = layout.kind == .value ? ["not": text.json] : schema
            schema = .any(of: [other, Self.embedded(schema)])
        }
        return schema.described(hint?.description?(), wrapsReferences: isStrict)
    }

    /// Returns the schema of a value by the category of its shape.
    private mutating func ofCategory(_ layout: LayoutReference, _ coercion: JSONCoercion) -> Schema {
        if let scalar = Schema.scalar(layout.kind, isStrict: isForLanguageModel) {
            return withNonFinite(permitted(scalar).coerced(by: coercion), layout.kind)
        }
        switch layout.kind {
        case .scalar: return form == .encoding ? .any : .anyScalar
        case .array: return array(layout, coercion)
        case .dictionary: return dictionary(layout, coercion)
        case .model, .composite, .union: return reference(to: layout)
        case .converted:
            if let contents = layout.contents { return embedded(contents, coercion) }
            return layout.element.map { value($0, coercion) } ?? .any
        case .value, .raw: return anyJSON("any JSON has no \(form) schema")
        case .recording: return anyJSON("the schema of a type that is only Decodable is unknown")
        default: return .nothing
        }
    }

    private mutating func anyJSON(_ reason: String) -> Schema {
        if isStrict { report(reason) }
        return .any
    }

    /// Returns the schema that a shape states; nil for the schema of its category.
    private mutating func stated(by hint: SchemaHint, _ layout: LayoutReference, _ coercion: JSONCoercion)
        -> Schema?
    {
        if let schema = hint.schema { return stated(schema(form), layout, coercion) }
        if let schema = hint.transform?() { return stated(schema, layout, coercion) }
        if let values = hint.rawValues, let raw = layout.element {
            return rawValues(values, raw, hasFallback: hint.hasFallback).coerced(by: coercion)
        }
        if let shape = hint.shape, let other = try? writing.planCache.unfiltered().layout(for: shape()) {
            // The value is decoded later, and its JSON is encoded as it is.
            let schema = value(other, coercion)
            return isForLanguageModel ? schema : schema.orAny()
        }
        return nil
    }

    /// Returns a schema with the keywords that the form of this builder permits.
    private func permitted(_ schema: Schema) -> Schema {
        isStrict ? schema.strict(hasBounds: form == .gemini) : schema
    }

    /// Returns a stated schema in the form of this builder.
    private func stated(_ json: JSONValue, _ layout: LayoutReference, _ coercion: JSONCoercion) -> Schema {
        let schema = permitted(Schema(json))
        return layout.kind == .scalar && !isStrict ? schema.coerced(by: coercion) : schema
    }

    private mutating func rawValues(
        _ values: ((UnsafeRawPointer) -> Void) -> Void, _ raw: LayoutReference, hasFallback: Bool
    ) -> Schema {
        var schema = present(raw, .strict)
        // An unknown raw value is decoded as the fallback, also a number that the raw type cannot hold.
        if hasFallback, form == .decoding {
            // The closure of a raw type decides itself which numbers it refuses.
            if raw.kind != .scalar {
                if schema["type"] == "integer" { schema["type"] = "number" }
                (schema["minimum"], schema["maximum"]) = (nil, nil)
            }
            return schema
        }
        var known: [JSONValue] = []
        values { value in known += encoded(value, raw).map { [$0] } ?? [] }
        guard !known.isEmpty else { return schema }
        (schema["minimum"], schema["maximum"]) = (nil, nil)
        schema["enum"] = .array(known)
        return schema
    }

    /// Returns the JSON of a value; nil if the value cannot be encoded.
    func encoded(_ value: UnsafeRawPointer, _ layout: LayoutReference) -> JSONValue? {
        try? ModelWriter.withText(value, layout, writing) { text in
            Result { () throws(JSONModelError) in try JSONOutput<JSONValue>.value.make(text) }
        }.get()
    }

    /// Returns the schema of a number that may be infinite or not a number.
    private func withNonFinite(_ schema: Schema, _ kind: ValueKind) -> Schema {
        guard form == .encoding, kind == .double || kind == .float || kind == .half else { return schema }
        switch writing.nonConformingFloats {
        case .throw: return schema
        case .null: return schema.nullable()
        case .write(let infinity, let negativeInfinity, let nan):
            return .any(of: [schema, ["enum": [.string(infinity), .string(negativeInfinity), .string(nan)]]])
        }
    }

    // MARK: Containers

    /// Returns the schema of the elements of a container.
    mutating func elements(_ element: LayoutReference?, isLossy: Bool, _ coercion: JSONCoercion) -> Schema {
        guard let element else { return .any }
        let schema = value(element, coercion)
        // Elements that fail are dropped.
        return isLossy && form == .decoding ? schema.orAny() : schema
    }

    private mutating func array(_ layout: LayoutReference, _ coercion: JSONCoercion) -> Schema {
        let items = elements(layout.element, isLossy: layout.isLossy, coercion)
        return ["type": "array", "items": items.json]
    }

    private mutating func dictionary(_ layout: LayoutReference, _ coercion: JSONCoercion) -> Schema {
        if isStrict { report("a dictionary has no \(form) schema, because its keys are unknown") }
        let values = elements(layout.element, isLossy: layout.isLossy, coercion)
        var schema: Schema = ["type": "object"]
        let keyWitness = layout.withDictionary { $0.keys }
        // A lossy dictionary drops members whose keys are not valid.
        let acceptsAnyKey = layout.isLossy && form == .decoding
        if !acceptsAnyKey, let keys = Schema.keys(keyWitness, form: form) { schema["propertyNames"] = keys.json }
        schema["additionalProperties"] = values.json
        return schema
    }

    /// Returns the schema of a string of JSON.
    ///
    /// - Parameter coercion: The coercion of the string and of its contents.
    private mutating func embedded(_ contents: LayoutReference, _ coercion: JSONCoercion) -> Schema {
        guard !isStrict else { return ["type": "string", "description": "JSON in a string"] }
        let schema = value(contents, coercion)
        let text = Self.embedded(schema)
        if form == .encoding || coercion.rules == .strict { return text }
        // A number or boolean is converted to its text, which is JSON, too.
        return .any(of: [text, ["allOf": [["type": ["number", "boolean"]], schema.json]]])
    }

    /// Returns the schema of a string whose contents have a schema.
    static func embedded(_ contents: Schema) -> Schema {
        ["type": "string", "contentMediaType": "application/json", "contentSchema": contents.json]
    }

    // MARK: Models

    /// Returns a reference to the definition of a model.
    private mutating func reference(to layout: LayoutReference) -> Schema {
        guard let plan = layout.table?.plan else { return .nothing }
        if plan === root { return ["$ref": "#"] }
        let id = ObjectIdentifier(plan)
        if let name = names[id] { return Self.reference(to: name) }
        let name = unusedName(for: plan.modelName)
        names[id] = name
        // The definitions are in the order of their first use.
        definitions[name] = .object([:])
        let outer = (location, inlined)
        (location, inlined) = (plan.modelName, [])
        definitions[name] = model(plan).json
        (location, inlined) = outer
        return Self.reference(to: name)
    }

    private static func reference(to name: String) -> Schema { ["$ref": .string("#/$defs/\(name)")] }

    /// Returns the name of a definition: the name of the model, in the characters that need no escapes in a reference.
    private func unusedName(for model: String) -> String {
        let characters = model.map { character -> Character in
            character.isASCII && (character.isLetter || character.isNumber || character == "_") ? character : "_"
        }
        let base = String(characters)
        var (name, number) = (base, 1)
        while definitions[name] != nil {
            number += 1
            name = "\(base)\(number)"
        }
        return name
    }

    /// Returns the schema of a model.
    private mutating func model(_ plan: ResolvedPlan) -> Schema {
        var schema: Schema = ["title": .string(plan.modelName)]
        if let text = plan.erasedPlan.modelDescription { schema["description"] = .string(text) }
        let body = plan.union.map { union($0, of: plan) } ?? object(plan)
        for (keyword, value) in body.keywords { schema[keyword] = value }
        return schema
    }
}
