import SluiceCore

/// Makes the declarations of the models that a JSON Schema describes.
///
/// A schema for which Swift has no type, such as `not` or an array of mixed elements, is any JSON.
final class SchemaModels {
    private let options: InferenceOptions
    private let root: JSONValue
    private let rootName: String
    private var declarations: [Declaration?] = []
    private var typeNames: TypeNames
    /// The types of definitions, by their pointers.
    private var definitions: [String: ValueType] = [:]
    /// The pointers of the references that are being followed.
    private var openReferences: Set<String> = []
    private var scalarUnions: [[ValueType]: String] = [:]

    private(set) var rootType = ValueType.any
    var all: [Declaration] { declarations.compactMap { $0 } }
    var recursiveTypes: Set<String> { typeNames.recursive }

    init(_ schema: JSONValue, name: String, _ options: InferenceOptions) {
        (root, rootName, self.options) = (schema, name, options)
        typeNames = TypeNames(prefix: options.prefix)
        rootType = type(of: schema, name, in: nil, isIndirect: true, pointer: "#")
    }

    // MARK: Types

    /// Returns the type of the values that a schema accepts.
    ///
    /// - Parameters:
    ///   - isIndirect: Whether the values are in an array or a dictionary.
    ///   - pointer: The pointer of a definition, whose type may contain itself.
    private func type(
        of schema: JSONValue, _ name: String, in parent: String?, isIndirect: Bool, pointer: String? = nil
    ) -> ValueType {
        if let reference = schema["$ref"]?.string {
            return type(at: reference, name, in: parent, isIndirect: isIndirect)
        }
        if let parts = schema["allOf"]?.array {
            guard let schema = merged(schema, parts) else { return .any }
            return type(of: schema, name, in: parent, isIndirect: isIndirect, pointer: pointer)
        }
        if let cases = (schema["anyOf"] ?? schema["oneOf"])?.array {
            return type(of: cases, name, in: parent, isIndirect: isIndirect, pointer: pointer)
        }
        if let values = schema["enum"]?.array ?? schema["const"].map({ [$0] }) {
            return type(of: values, name, in: parent, pointer: pointer)
        }
        guard let kinds = schema["type"]?.array?.map(\.string) ?? schema["type"].map({ [$0.string] }) else {
            let isObject = schema["properties"] != nil
            return isObject ? objectType(schema, name, in: parent, isIndirect: isIndirect, pointer: pointer) : .any
        }
        let types = kinds.filter { $0 != "null" }.map { kind -> ValueType in
            switch kind {
            case "boolean": .bool
            case "integer": Self.integerType(schema)
            case "number": .double
            case "string": stringType(schema)
            case "array": arrayType(schema, name, in: parent)
            case "object": objectType(schema, name, in: parent, isIndirect: isIndirect, pointer: pointer)
            default: .any
            }
        }
        return union(types, isOptional: kinds.contains("null"))
    }

    /// Returns the type of values of one of several types.
    private func union(_ types: [ValueType], isOptional: Bool) -> ValueType {
        let different = types.reduce(into: [ValueType]()) { if !$0.contains($1) { $0.append($1) } }
        let type: ValueType
        if different.count == 1 {
            type = different[0]
        } else if !different.isEmpty, let name = scalarUnion(different) {
            type = .named(name)
        } else {
            return .any
        }
        if case .optional = type { return type }
        return isOptional && type != .any ? .optional(type) : type
    }

    /// Returns the name of an enum of scalars; nil if a value could be of several of the types.
    private func scalarUnion(_ types: [ValueType]) -> String? {
        let order: [ValueType] = [.bool, .int, .uint64, .double, .string]
        let sorted = types.compactMap { order.firstIndex(of: $0) }.sorted().map { order[$0] }
        guard sorted.count == types.count, sorted.count(where: { ![.bool, .string].contains($0) }) < 2 else {
            return nil
        }
        if let known = scalarUnions[sorted] { return known }
        let name = typeNames.add(sorted.map(\.scalarName).joined(separator: "Or"), in: nil)
        scalarUnions[sorted] = name
        declarations.append(.scalarUnion(Declaration.ScalarUnion(name: name, types: sorted)))
        return name
    }

    private static func integerType(_ schema: JSONValue) -> ValueType {
        let bounds = [schema["minimum"], schema["maximum"]].compactMap { $0?.number }
        if bounds.allSatisfy({ $0.exactly(Int64.self) != nil }) { return .int }
        if bounds.allSatisfy({ $0.exactly(UInt64.self) != nil }) { return .uint64 }
        return .int128
    }

    private func stringType(_ schema: JSONValue) -> ValueType {
        switch schema["format"] {
        case "date-time" where options.infersDates: .date
        case "uuid" where options.infersUUIDs: .uuid
        case "uri" where options.infersURLs, "uri-reference" where options.infersURLs: .url
        default: .string
        }
    }

    private func arrayType(_ schema: JSONValue, _ name: String, in parent: String?) -> ValueType {
        guard schema["prefixItems"] == nil, let items = schema["items"], items.object != nil else {
            return .array(.any)
        }
        return .array(type(of: items, Names.singular(name), in: parent, isIndirect: true))
    }

    // MARK: References

    private func type(at pointer: String, _ name: String, in parent: String?, isIndirect: Bool) -> ValueType {
        if let known = definitions[pointer] { return use(known, in: parent, isIndirect: isIndirect) }
        guard let schema = value(at: pointer), openReferences.insert(pointer).inserted else { return .any }
        defer { openReferences.remove(pointer) }
        let last = pointer.split(separator: "/").last.map(String.init) ?? name
        let type = type(of: schema, Names.type(last), in: nil, isIndirect: true, pointer: pointer)
        definitions[pointer] = type
        return use(type, in: parent, isIndirect: isIndirect)
    }

    /// Returns a type that is stored in the values of another. If these would then contain themselves, its values are stored elsewhere.
    private func use(_ type: ValueType, in parent: String?, isIndirect: Bool) -> ValueType {
        guard !isIndirect, let name = type.storedName, !typeNames.addPart(name, to: parent) else { return type }
        guard options.conformances.allSatisfy({ $0 == "Sendable" }) else { return .any }
        typeNames.makeRecursive(name)
        return type
    }

    /// Returns the schema at a pointer, such as `#/$defs/Order`.
    private func value(at pointer: String) -> JSONValue? {
        guard pointer.hasPrefix("#") else { return nil }
        var value: JSONValue? = root
        for step in pointer.dropFirst().split(separator: "/") {
            let key = String(step).replacing("~1", with: "/").replacing("~0", with: "~")
            if case .array = value { value = Int(key).flatMap { value?[$0] } } else { value = value?[key] }
        }
        return value
    }

    /// Returns one schema of an object for all of several schemas; nil if a part has no properties.
    private func merged(_ schema: JSONValue, _ parts: [JSONValue]) -> JSONValue? {
        var properties = schema["properties"]?.object ?? [:]
        var required = schema["required"]?.array ?? []
        for part in parts {
            let part = part["$ref"]?.string.flatMap(value) ?? part
            if parts.count == 1, properties.isEmpty { return part }
            guard let members = part["properties"]?.object else { return nil }
            for (key, value) in members { properties[key] = value }
            required += part["required"]?.array ?? []
        }
        return ["type": "object", "properties": .object(properties), "required": .array(required)]
    }

    // MARK: Declarations

    private func reserve(_ name: String, in parent: String?, isIndirect: Bool, pointer: String?) -> (String, Int) {
        let typeName = typeNames.add(name, in: parent)
        if let pointer { definitions[pointer] = .named(typeName) }
        if !isIndirect { _ = typeNames.addPart(typeName, to: parent) }
        declarations.append(nil)
        return (typeName, declarations.count - 1)
    }

    private func objectType(
        _ schema: JSONValue, _ name: String, in parent: String?, isIndirect: Bool, pointer: String?,
        without tag: String? = nil
    ) -> ValueType {
        guard let members = schema["properties"]?.object, !members.isEmpty else {
            guard let values = schema["additionalProperties"], values.object != nil else {
                return .dictionary(.any)
            }
            return .dictionary(type(of: values, Names.singular(name), in: parent, isIndirect: true))
        }
        let (typeName, index) = reserve(
            pointer == "#" ? name : schema["title"]?.string.map(Names.type) ?? name, in: parent,
            isIndirect: isIndirect, pointer: pointer)
        let required = Set(schema["required"]?.array?.compactMap(\.string) ?? [])
        let keys = members.map(\.key).filter { $0 != tag }
        let memberNames = MemberNames(keys, options.keys)
        let properties = keys.enumerated().map { position, key in
            let type = type(of: members[key] ?? true, Names.type(key), in: typeName, isIndirect: false)
            return Declaration.Property(
                name: memberNames.names[position],
                key: memberNames.needsKey[position] ? JSONPath([.key(key)]).description : nil,
                type: required.contains(key) ? type : type.madeOptional,
                comment: members[key]?["description"]?.string)
        }
        declarations[index] = .model(
            Declaration.Model(
                name: typeName, strategy: memberNames.strategy, properties: properties,
                comment: schema["description"]?.string))
        return .named(typeName)
    }

    /// Returns the type of one of several values.
    private func type(of values: [JSONValue], _ name: String, in parent: String?, pointer: String?) -> ValueType {
        let texts = values.compactMap(\.string)
        let isOptional = values.contains(.null)
        guard texts.count + (isOptional ? 1 : 0) == values.count, !texts.contains(""), options.infersEnums else {
            let kinds = values.filter { $0 != .null }.map { value -> ValueType in
                switch value {
                case .bool: .bool
                case .number(let number): number.exactly(Int64.self) != nil ? .int : .double
                case .string: .string
                default: .any
                }
            }
            return union(kinds, isOptional: isOptional)
        }
        let (typeName, index) = reserve(name, in: parent, isIndirect: true, pointer: pointer)
        let members = MemberNames(texts, .asDeclared, ofCases: true)
        declarations[index] = .enumeration(
            Declaration.Enumeration(
                name: typeName, strategy: members.strategy,
                cases: texts.indices.map { index in
                    Declaration.Case(name: members.names[index], key: members.needsKey[index] ? texts[index] : nil)
                }, fallback: nil))
        return isOptional ? .optional(.named(typeName)) : .named(typeName)
    }

    /// Returns the type of values of one of several schemas.
    private func type(
        of cases: [JSONValue], _ name: String, in parent: String?, isIndirect: Bool, pointer: String?
    ) -> ValueType {
        let present = cases.filter { $0["type"] != "null" }
        let isOptional = present.count < cases.count
        let type: ValueType
        if present.count == 1 {
            type = self.type(of: present[0], name, in: parent, isIndirect: isIndirect, pointer: pointer)
        } else if present.contains(where: { $0["format"] == "date-time" }), options.infersDates,
            present.allSatisfy({ $0["format"] == "date-time" || $0["type"] == "number" })
        {
            // A date in ISO 8601, or seconds since 1970.
            type = .date
        } else if let tagged = taggedUnion(present, name, in: parent, isIndirect: isIndirect, pointer: pointer) {
            type = tagged
        } else if present.allSatisfy({ ["boolean", "integer", "number", "string"].contains($0["type"]?.string) }) {
            type = union(
                present.map { self.type(of: $0, name, in: parent, isIndirect: isIndirect) }, isOptional: false)
        } else {
            type = .any
        }
        return isOptional && type != .any ? type.madeOptional : type
    }

    /// Returns the enum of objects that are divided by a required member with one text; nil if they are not.
    private func taggedUnion(
        _ cases: [JSONValue], _ name: String, in parent: String?, isIndirect: Bool, pointer: String?
    ) -> ValueType? {
        let objects = cases.map { $0["$ref"]?.string.flatMap(value) ?? $0 }
        guard options.infersUnions, let first = objects.first?["properties"]?.object else { return nil }
        for (tag, _) in first {
            let texts = objects.compactMap { object -> String? in
                guard object["required"]?.array?.contains(.string(tag)) == true else { return nil }
                let schema = object["properties"]?[tag]
                return schema?["const"]?.string
                    ?? schema?["enum"]?.array.flatMap { $0.count == 1 ? $0[0].string : nil }
            }
            guard texts.count == objects.count, Set(texts).count == texts.count, !texts.contains("") else {
                continue
            }
            let (typeName, index) = reserve(name, in: parent, isIndirect: isIndirect, pointer: pointer)
            let members = MemberNames(texts, options.keys, ofCases: true)
            let cases = texts.indices.map { index in
                let hasMembers = (objects[index]["properties"]?.object?.count ?? 0) > 1
                return Declaration.Case(
                    name: members.names[index], key: members.needsKey[index] ? texts[index] : nil,
                    payload: hasMembers
                        ? objectType(
                            objects[index], Names.type(texts[index]), in: typeName, isIndirect: false, pointer: nil,
                            without: tag) : nil)
            }
            declarations[index] = .union(
                Declaration.Union(
                    name: typeName, strategy: members.strategy, tag: tag, content: nil, cases: cases, fallback: nil)
            )
            return .named(typeName)
        }
        return nil
    }
}

extension ValueType {
    /// The optional type, or the type if it is optional.
    fileprivate var madeOptional: ValueType { if case .optional = self { self } else { .optional(self) } }

    /// The declared type whose values are stored in those of this type.
    fileprivate var storedName: String? {
        switch self {
        case .named(let name): name
        case .optional(let inner): inner.storedName
        default: nil
        }
    }
}
