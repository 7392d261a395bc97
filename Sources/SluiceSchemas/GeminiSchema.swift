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
        if let alternatives = schema["anyOf"]?.array { return any(of: alternatives.map { Schema($0) }, in: schema) }
        // The subset has one type for a schema.
        if let types = schema["type"]?.array, types.count(where: { $0 != "null" }) > 1 {
            return any(of: types.map { schema.ofType($0) }, in: schema.annotations)
        }
        var copy: Schema = [:]
        for (keyword, value) in schema.keywords {
            switch keyword {
            case "type":
                copy["type"] = value.array.map { $0.first { $0 != "null" } ?? "null" } ?? value
                if value.array?.contains("null") == true { copy["nullable"] = true }
            case "enum", "additionalProperties": break
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
            default: copy[keyword] = value
            }
        }
        if let values = schema["enum"]?.array?.filter({ $0 != .null }), !values.isEmpty {
            let numbers = values.compactMap(\.number)
            // The values of an enum are strings. Numbers are stated by their bounds.
            if numbers.count == values.count {
                copy.limit(to: numbers)
            } else if values.allSatisfy({ $0.string != nil }) {
                copy["enum"] = .array(values)
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

    /// Returns a schema whose values match one of several schemas, and the other keywords of the schema around them.
    private mutating func any(of alternatives: [Schema], in schema: Schema) -> Schema? {
        var expanded: [Schema] = []
        for alternative in alternatives where alternative.json != Schema.null.json {
            guard let one = expand(alternative) else { return nil }
            expanded.append(one)
        }
        var others = schema
        others["anyOf"] = nil
        guard let others = expand(others) else { return nil }
        var copy = expanded.count == 1 ? expanded[0] : ["anyOf": .array(expanded.map(\.json))]
        for (keyword, value) in others.keywords { copy[keyword] = value }
        let acceptsNull =
            expanded.count < alternatives.count && (others["type"] == nil || others["nullable"] != nil)
        copy["nullable"] = acceptsNull || expanded.contains { $0["nullable"] != nil } ? true : nil
        return copy
    }
}

extension Schema {
    /// The title and the description.
    fileprivate var annotations: Schema {
        Schema(
            JSONObject(keywords.filter { ["title", "description"].contains($0.key) }.map { ($0.key, $0.value) }))
    }

    /// Returns the schema of the values of one type, without annotations.
    fileprivate func ofType(_ type: JSONValue) -> Schema {
        if type == "null" { return .null }
        var copy = self
        for keyword in annotations.keywords.keys { copy[keyword] = nil }
        copy["type"] = type
        if let values = self["enum"]?.array {
            copy["enum"] = .array(
                values.filter {
                    ($0.string != nil) == (type == "string") && ($0.bool != nil) == (type == "boolean")
                })
        }
        return copy
    }

    /// Limits a schema to some numbers. Consecutive integers are one range.
    fileprivate mutating func limit(to numbers: [JSONNumber]) {
        var ranges: [(first: JSONNumber, last: JSONNumber)] = []
        for number in numbers.sorted(by: { $0.double ?? 0 < $1.double ?? 0 }) {
            if self["type"] == "integer", let last = ranges.last?.last.double, last.magnitude < 0x1p52,
                number.double == last + 1
            {
                ranges[ranges.count - 1].last = number
            } else {
                ranges.append((number, number))
            }
        }
        if ranges.count == 1 {
            (self["minimum"], self["maximum"]) = (.number(ranges[0].first), .number(ranges[0].last))
            return
        }
        let type = self["type"]
        self["type"] = nil
        self["anyOf"] = .array(
            ranges.map { range in
                var schema: Schema = ["minimum": .number(range.first), "maximum": .number(range.last)]
                schema["type"] = type
                return schema.json
            })
    }
}
