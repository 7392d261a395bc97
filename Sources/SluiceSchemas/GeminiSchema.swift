import SluiceCore

/// Converts a strict schema to the subset of OpenAPI 3.0 that the interface of Gemini calls `Schema`.
///
/// Source: the reference of the type `Schema` in the interface of Gemini. References are not part of the subset, so definitions are
/// inlined.
struct GeminiSchema {
    private let definitions: JSONObject
    /// The references that are being inlined.
    private var open: [String] = []
    /// The model that contains itself; nil for the model at the root.
    private(set) var recursiveModel: String?

    init(_ definitions: JSONObject) { self.definitions = definitions }

    /// Returns the schema in the subset; nil for a schema that contains itself.
    mutating func expand(_ schema: Schema) -> Schema? {
        if let reference = schema["$ref"]?.string { return inline(reference) }
        // A single alternative only adds a description to a reference.
        if let alternatives = schema["anyOf"]?.array { return any(of: alternatives, in: schema) }
        // The subset has one type for a schema.
        if let types = schema["type"]?.array, types.count(where: { $0 != "null" }) > 1 {
            return any(of: types.map { ["type": $0] }, in: schema)
        }
        var copy: Schema = [:]
        for (keyword, value) in schema.keywords {
            switch keyword {
            case "type":
                copy["type"] = value.array.map { $0.first { $0 != "null" } ?? "null" } ?? value
                if value.array?.contains("null") == true { copy["nullable"] = true }
            // The values of an enum are strings.
            case "enum":
                let values = (value.array ?? []).filter { $0 != .null }
                if values.allSatisfy({ $0.string != nil }) { copy["enum"] = .array(values) }
            case "format": if value == "date-time" { copy["format"] = value }
            case "items":
                guard let items = expand(Schema(value)) else { return nil }
                copy["items"] = items.json
            case "properties":
                var properties = JSONObject()
                for (name, property) in value.object ?? [:] {
                    guard let property = expand(Schema(property)) else { return nil }
                    properties[name] = property.json
                }
                copy["properties"] = .object(properties)
                copy["propertyOrdering"] = .array(properties.keys.map { .string($0) })
            case "additionalProperties": break
            default: copy[keyword] = value
            }
        }
        return copy
    }

    private mutating func inline(_ reference: String) -> Schema? {
        if reference == "#" { return nil }
        let name = reference.split(separator: "/").last.map(String.init) ?? ""
        guard let definition = definitions[name] else { return nil }
        guard !open.contains(reference) else {
            recursiveModel = definition["title"]?.string ?? name
            return nil
        }
        open.append(reference)
        defer { open.removeLast() }
        return expand(Schema(definition))
    }

    private mutating func any(of alternatives: [JSONValue], in schema: Schema) -> Schema? {
        var expanded: [Schema] = []
        for alternative in alternatives where alternative != Schema.null.json {
            guard let one = expand(Schema(alternative)) else { return nil }
            expanded.append(one)
        }
        var copy = expanded.count == 1 ? expanded[0] : ["anyOf": .array(expanded.map(\.json))]
        if expanded.count < alternatives.count { copy["nullable"] = true }
        for keyword in ["title", "description"] { if let text = schema[keyword] { copy[keyword] = text } }
        return copy
    }
}
