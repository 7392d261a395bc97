// The language model of Apple's systems. This file cannot be compiled on Linux: it uses what the documentation of the framework
// FoundationModels states.
#if canImport(FoundationModels)
import FoundationModels
import SluiceCore
import SluiceSchemas

@available(macOS 26, iOS 26, macCatalyst 26, visionOS 26, watchOS 27, *)
extension JSONConvertible {
    /// Returns the schema by which a session of the framework FoundationModels generates JSON of the type.
    ///
    /// ```swift
    /// let response = try await session.respond(to: "Plan a journey to Rome.", schema: Trip.generationSchema())
    /// let trip = try JSONModelDecoder().decode(Trip.self, from: response.content)
    /// ```
    ///
    /// The schema is that of ``/SluiceCore/JSONSchemaForm/tool``. Dictionaries and any JSON have none.
    ///
    /// - Throws: ``/SluiceCore/JSONModelError`` for a type without a schema, or the error of `GenerationSchema`.
    public static func generationSchema() throws -> GenerationSchema {
        let document = try jsonSchema(.tool)
        var converter = SchemaConverter(typeName: String(describing: Self.self), document)
        return try converter.convert()
    }
}

@available(macOS 26, iOS 26, macCatalyst 26, visionOS 26, watchOS 27, *)
extension GeneratedContent: JSONInput {
    /// The JSON of the content. Of content that is still being generated, the part that `decodePartially` decodes.
    public func withContent<R>(
        _ body: (JSONInputContent) throws(JSONModelError) -> R
    ) throws(JSONModelError) -> R { try jsonString.withContent(body) }
}

/// Converts a JSON Schema to schemas of FoundationModels.
@available(macOS 26, iOS 26, macCatalyst 26, visionOS 26, watchOS 27, *)
private struct SchemaConverter {
    private let document: JSONValue
    private let typeName: String
    private var count = 0

    init(typeName: String, _ document: JSONValue) { (self.typeName, self.document) = (typeName, document) }

    mutating func convert() throws -> GenerationSchema {
        let root = try convert(document, named: rootName)
        var dependencies: [DynamicGenerationSchema] = []
        for (name, definition) in document["$defs"]?.object ?? [:] {
            dependencies.append(try convert(definition, named: name))
        }
        return try GenerationSchema(root: root, dependencies: dependencies)
    }

    private var rootName: String { document["title"]?.string ?? typeName }

    private mutating func convert(_ schema: JSONValue, named name: String) throws -> DynamicGenerationSchema {
        let description = schema["description"]?.string
        if let reference = schema["$ref"]?.string {
            let name = reference == "#" ? rootName : String(reference.dropFirst("#/$defs/".count))
            return DynamicGenerationSchema(referenceTo: name)
        }
        if let texts = schema["enum"]?.array ?? schema["const"].map({ [$0] }),
            texts.allSatisfy({ $0.string != nil })
        {
            return DynamicGenerationSchema(name: name, description: description, anyOf: texts.compactMap(\.string))
        }
        if let alternatives = (schema["anyOf"] ?? schema["oneOf"])?.array {
            var choices: [DynamicGenerationSchema] = []
            for alternative in alternatives where alternative["type"] != "null" {
                choices.append(try convert(alternative, named: unusedName(name)))
            }
            return DynamicGenerationSchema(name: name, description: description, anyOf: choices)
        }
        let type = schema["type"]?.array?.first { $0 != "null" } ?? schema["type"]
        switch type?.string {
        case "string": return DynamicGenerationSchema(type: String.self)
        case "integer": return DynamicGenerationSchema(type: Int.self)
        case "number": return DynamicGenerationSchema(type: Double.self)
        case "boolean": return DynamicGenerationSchema(type: Bool.self)
        case "array":
            guard let items = schema["items"], items.object != nil else { break }
            return DynamicGenerationSchema(arrayOf: try convert(items, named: unusedName(name)))
        case "object":
            guard let members = schema["properties"]?.object else { break }
            let required = schema["required"]?.array ?? []
            var properties: [DynamicGenerationSchema.Property] = []
            for (key, member) in members {
                properties.append(
                    DynamicGenerationSchema.Property(
                        name: key, description: member["description"]?.string,
                        schema: try convert(member, named: unusedName(key)),
                        isOptional: !required.contains(.string(key))))
            }
            return DynamicGenerationSchema(name: name, description: description, properties: properties)
        default: break
        }
        throw JSONModelError(
            .invalidPlan("\(typeName): '\(name)' has no schema for FoundationModels"), model: typeName)
    }

    /// Returns a name for a schema inside of another one. References refer to definitions only.
    private mutating func unusedName(_ name: String) -> String {
        count += 1
        return "\(name)_\(count)"
    }
}
#endif
