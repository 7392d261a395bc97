import SluiceCore

/// A JSON Schema, draft 2020-12: an object of keywords.
struct Schema: ExpressibleByDictionaryLiteral {
    var keywords: JSONObject

    init(_ keywords: JSONObject) { self.keywords = keywords }

    init(dictionaryLiteral keywords: (String, JSONValue)...) { self.keywords = JSONObject(keywords) }

    /// Creates a schema from its JSON. `true` accepts any JSON, and `false` none.
    init(_ json: JSONValue) {
        switch json {
        case .object(let keywords): self.keywords = keywords
        case .bool(false): self = .nothing
        default: self = .any
        }
    }

    /// Accepts any JSON.
    static let any: Schema = [:]
    /// Accepts no JSON.
    static let nothing: Schema = ["not": [:]]
    static let null: Schema = ["type": "null"]

    var json: JSONValue { .object(keywords) }

    subscript(keyword: String) -> JSONValue? {
        get { keywords[keyword] }
        set { keywords[keyword] = newValue }
    }

    /// Whether the schema certainly accepts any JSON.
    var isAny: Bool {
        keywords.isEmpty || keywords["anyOf"]?.array?.contains { $0.object?.isEmpty ?? false } ?? false
    }

    /// The keywords that describe a schema and accept all JSON.
    private static let annotations: Set<String> = ["title", "description", "default", "$comment"]

    /// The keywords that apply to some types only, and therefore accept null.
    private static let typed: Set<String> = [
        "type", "enum", "properties", "required", "additionalProperties", "items", "prefixItems", "minItems",
        "minimum", "maximum",
        "exclusiveMinimum", "exclusiveMaximum", "format", "pattern", "contentMediaType", "contentSchema",
        "contentEncoding",
        "propertyNames", "minProperties", "maxProperties", "dependentRequired",
    ]

    /// Returns the schema that also accepts null.
    func nullable() -> Schema {
        if isAny { return self }
        var copy = self
        let keys = Set(keywords.keys).subtracting(Self.annotations)
        if keys == ["anyOf"], let schemas = self["anyOf"]?.array {
            if !schemas.contains(Self.null.json) { copy["anyOf"] = .array(schemas + [Self.null.json]) }
            return copy
        }
        guard keys.isSubset(of: Self.typed), let type = self["type"] else {
            return ["anyOf": [json, Self.null.json]]
        }
        let types = type.array ?? [type]
        if !types.contains("null") { copy["type"] = .array(types + ["null"]) }
        if let values = self["enum"]?.array, !values.contains(.null) { copy["enum"] = .array(values + [.null]) }
        return copy
    }

    /// Returns the schema that also accepts null in strings of JSON.
    func nullableInText() -> Schema {
        var copy = self
        if let contents = self["contentSchema"] { copy["contentSchema"] = Schema(contents).nullable().json }
        if let schemas = self["anyOf"]?.array {
            copy["anyOf"] = .array(schemas.map { Schema($0).nullableInText().json })
        }
        return copy
    }

    /// Returns the schema of values that one of several schemas accepts.
    static func any(of schemas: [Schema]) -> Schema {
        var distinct: [JSONValue] = []
        for schema in schemas where !distinct.contains(schema.json) { distinct.append(schema.json) }
        return distinct.count == 1 ? schemas[0] : ["anyOf": .array(distinct)]
    }

    /// Returns the schema of any JSON, of which this schema describes the expected part.
    func orAny() -> Schema { isAny ? self : .any(of: [self, .any]) }

    /// Returns the schema with constraints that apply together with its own.
    func constrained(by constraints: [Schema]) -> Schema {
        var copy = self
        if constraints.count == 1, let only = constraints.first, only.keywords.count == 1,
            let keyword = only.keywords.keys.first,
            self[keyword] == nil
        {
            copy[keyword] = only[keyword]
        } else if !constraints.isEmpty {
            copy["allOf"] = .array((self["allOf"]?.array ?? []) + constraints.map(\.json))
        }
        return copy
    }

    /// Returns the schema with a description, unless it has one.
    ///
    /// - Parameter wrapsReferences: Whether `$ref` permits no other keywords.
    func described(_ text: String?, wrapsReferences: Bool) -> Schema {
        guard let text, self["description"] == nil else { return self }
        if wrapsReferences, self["$ref"] != nil {
            return ["description": .string(text), "anyOf": [json]]
        }
        var copy: Schema = ["description": .string(text)]
        for (keyword, value) in keywords { copy[keyword] = value }
        return copy
    }

    /// Returns the schema with the keywords that the structured output of language models permits.
    ///
    /// - Parameter hasBounds: Whether bounds of numbers are permitted, which Anthropic's interface rejects.
    func strict(hasBounds: Bool) -> Schema {
        func strict(_ schema: JSONValue) -> JSONValue { Schema(schema).strict(hasBounds: hasBounds).json }
        var copy: Schema = [:]
        for (keyword, value) in keywords {
            switch keyword {
            case "type", "description", "title", "pattern", "enum", "$ref", "required", "additionalProperties":
                copy[keyword] = value
            case "minimum", "maximum": if hasBounds { copy[keyword] = value }
            case "const": copy["enum"] = [value]
            case "format": if Self.strictFormats.contains(value.string ?? "") { copy[keyword] = value }
            case "anyOf", "oneOf": copy["anyOf"] = .array((value.array ?? []).map(strict))
            case "items": copy[keyword] = strict(value)
            case "properties": copy[keyword] = .object((value.object ?? [:]).mapValues(strict))
            default: break
            }
        }
        return copy
    }

    private static let strictFormats: Set<String> = [
        "date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid",
    ]
}
