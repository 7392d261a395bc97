import SluiceCore

/// Makes the declarations of the models that a JSON Schema describes.
///
/// A schema for which Swift has no type, such as `not` or an array of mixed elements, is any JSON.
final class SchemaModels {
    private let options: InferenceOptions
    private let document: SchemaDocument
    /// The pointer of the schema whose models are made.
    private let rootPointer: String
    private var declarations: [Declaration?] = []
    private var typeNames: TypeNames
    /// The types of definitions, by their pointers, and of schemas that combine others, by their JSON.
    private var definitions: [String: ValueType] = [:]
    /// The number of times that the type of each definition is being made.
    private var openDefinitions: [String: Int] = [:]
    /// The definitions that accept null.
    private var nullableDefinitions: Set<String> = []
    private var scalarUnions: [[ValueType]: String] = [:]

    private(set) var rootType = ValueType.any
    var all: [Declaration] { declarations.compactMap { $0 } }
    var recursiveTypes: Set<String> { typeNames.recursive }

    /// - Parameters:
    ///   - path: The path of the schema in its document.
    ///   - document: The document with the definitions.
    init(_ schema: JSONValue, at path: JSONPath, in document: JSONValue, name: String, _ options: InferenceOptions)
    {
        self.document = SchemaDocument(root: document)
        self.options = options
        rootPointer = SchemaDocument.pointer(to: path)
        typeNames = TypeNames(prefix: options.prefix)
        rootType = type(of: schema, name, in: nil, isIndirect: true, pointer: rootPointer)
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
        var merged = schema
        if let parts = schema["allOf"]?.array {
            // A single part is the schema, with a description.
            if parts.count == 1, parts[0]["$ref"] != nil, schema["properties"] == nil {
                return type(of: parts[0], name, in: parent, isIndirect: isIndirect, pointer: pointer)
            }
            merged = document.merged(schema)
        }
        if pointer == nil, schema["allOf"] != nil || schema.hasAlternativeReferences {
            // The members of the parts or alternatives are members of the type, and may have an equal schema.
            let pointer = schema.description
            return defined(at: pointer, in: parent, isIndirect: isIndirect) {
                type(ofMerged: merged, name, in: parent, isIndirect: true, pointer: pointer)
            }
        }
        return type(ofMerged: merged, name, in: parent, isIndirect: isIndirect, pointer: pointer)
    }

    /// Returns the type of the values that a schema without parts and references accepts.
    private func type(
        ofMerged schema: JSONValue, _ name: String, in parent: String?, isIndirect: Bool, pointer: String?
    ) -> ValueType {
        if let pointer, schema.acceptsNull { nullableDefinitions.insert(pointer) }
        if let cases = schema.alternatives {
            let hasMembers = schema["properties"]?.object?.isEmpty == false
            return hasMembers
                ? objectType(schema, name, in: parent, isIndirect: isIndirect, pointer: pointer)
                : type(of: cases, schema, name, in: parent, isIndirect: isIndirect, pointer: pointer)
        }
        if let values = schema["enum"]?.array ?? schema["const"].map({ [$0] }) {
            return type(of: values, schema, name, in: parent, pointer: pointer)
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
        guard let schema = document[pointer] else { return .any }
        let last = pointer.split(separator: "/").last.map(SchemaDocument.unescaped) ?? name
        return defined(at: pointer, in: parent, isIndirect: isIndirect) {
            type(of: schema, Names.type(last), in: nil, isIndirect: true, pointer: pointer)
        }
    }

    /// Returns the type of a definition, which is made once and may contain itself.
    private func defined(
        at pointer: String, in parent: String?, isIndirect: Bool, _ make: () -> ValueType
    ) -> ValueType {
        if let known = definitions[pointer] { return use(known, in: parent, isIndirect: isIndirect) }
        // Inside of itself, the definition may lead to a type that is declared by now. If it does not, it has no type.
        guard openDefinitions[pointer, default: 0] < 2 else { return .any }
        openDefinitions[pointer, default: 0] += 1
        defer { openDefinitions[pointer, default: 1] -= 1 }
        let type = make()
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

    // MARK: Declarations

    private func reserve(_ name: String, in parent: String?, isIndirect: Bool, pointer: String?) -> (String, Int) {
        let typeName = typeNames.add(name, in: parent)
        if let pointer {
            let type = ValueType.named(typeName)
            let isNullable = nullableDefinitions.contains(pointer)
            definitions[pointer] = isNullable ? ValueType.optional(type) : type
        }
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
            pointer == rootPointer ? name : schema["title"]?.string.map(Names.type) ?? name, in: parent,
            isIndirect: isIndirect, pointer: pointer)
        let required = Set(schema["required"]?.array?.compactMap(\.string) ?? [])
        let keys = members.map(\.key).filter { $0 != tag }
        let union = schema.alternatives.flatMap { self.union(of: $0, in: schema) }
        // The name of the enum is not in the schema.
        let unionKey = union?.tagging.tag ?? "content"
        let memberNames = MemberNames(keys + (union == nil ? [] : [unionKey]), options.keys)
        var properties = keys.enumerated().map { position, key in
            let type = type(of: members[key] ?? true, Names.type(key), in: typeName, isIndirect: false)
            return Declaration.Property(
                name: memberNames.names[position],
                key: memberNames.needsKey[position] ? JSONPath([.key(key)]).description : nil,
                type: required.contains(key) ? type : type.madeOptional,
                comment: members[key]?["description"]?.string)
        }
        if let union {
            let type = unionType(
                union, true, Names.type(unionKey), in: typeName, isIndirect: false, pointer: nil)
            properties.append(
                Declaration.Property(name: memberNames.names[keys.count], key: nil, type: type, isFlattened: true))
        }
        declarations[index] = .model(
            Declaration.Model(
                name: typeName, strategy: memberNames.strategy, properties: properties,
                comment: schema["description"]?.string))
        return .named(typeName)
    }

    /// Returns the type of one of several values.
    private func type(
        of values: [JSONValue], _ schema: JSONValue, _ name: String, in parent: String?, pointer: String?
    ) -> ValueType {
        let texts = values.compactMap(\.string).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        let isOptional = values.contains(.null)
        guard values.allSatisfy({ $0.string != nil || $0 == .null }), !texts.isEmpty, !texts.contains(""),
            options.infersEnums
        else {
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
                }, fallback: nil, comment: schema["description"]?.string))
        return isOptional ? .optional(.named(typeName)) : .named(typeName)
    }

    /// Returns the type of values of one of several schemas.
    private func type(
        of cases: [JSONValue], _ schema: JSONValue, _ name: String, in parent: String?, isIndirect: Bool,
        pointer: String?
    ) -> ValueType {
        let present = cases.filter { !$0.isNullSchema }
        let isOptional = present.count < cases.count
        let type: ValueType
        if present.isEmpty {
            type = .any
        } else if present.count == 1 {
            type = self.type(of: present[0], name, in: parent, isIndirect: isIndirect, pointer: pointer)
        } else if present.contains(where: { $0["format"] == "date-time" }), options.infersDates,
            present.allSatisfy({ $0["format"] == "date-time" || $0["type"] == "number" })
        {
            // A date in ISO 8601, or seconds since 1970.
            type = .date
        } else if let values = Self.values(of: present) {
            type = self.type(of: values, schema, name, in: parent, pointer: pointer)
        } else if let union = union(of: present, in: schema) {
            type = unionType(union, schema, name, in: parent, isIndirect: isIndirect, pointer: pointer)
        } else if present.allSatisfy({ ["boolean", "integer", "number", "string"].contains($0["type"]?.string) }) {
            type = self.union(
                present.map { self.type(of: $0, name, in: parent, isIndirect: isIndirect) }, isOptional: false)
        } else {
            type = .any
        }
        return isOptional && type != .any ? type.madeOptional : type
    }

    /// Returns the values that schemas list; nil if a schema is another one.
    private static func values(of schemas: [JSONValue]) -> [JSONValue]? {
        let values = schemas.map { $0["const"].map { [$0] } ?? $0["enum"]?.array ?? [] }
        return values.contains([]) ? nil : Array(values.joined())
    }

    // MARK: Unions

    /// Returns the enum that alternatives of a schema describe; nil if they do not describe one.
    private func union(of alternatives: [JSONValue], in schema: JSONValue) -> SchemaUnion? {
        guard options.infersUnions else { return nil }
        // The schema of an enum states that an object has one name.
        let isExclusive = schema["allOf"]?.array?.contains { $0["oneOf"] != nil } == true
        return SchemaUnion(alternatives, isExclusive: isExclusive, resolve: document.resolved)
    }

    private func unionType(
        _ union: SchemaUnion, _ schema: JSONValue, _ name: String, in parent: String?, isIndirect: Bool,
        pointer: String?
    ) -> ValueType {
        let (typeName, index) = reserve(name, in: parent, isIndirect: isIndirect, pointer: pointer)
        let members = MemberNames(union.cases.map { $0.names[0] }, options.keys, ofCases: true)
        let cases = union.cases.enumerated().map { position, one in
            let type = one.value.map { valueType($0, Names.type(one.names[0]), of: union, in: typeName) }
            let isNamed = members.needsKey[position] || one.names.count > 1
            return Declaration.Case(
                name: members.names[position], key: isNamed ? one.names[0] : nil,
                others: Array(one.names.dropFirst()),
                payload: one.isOptional ? type?.madeOptional : type, comment: one.description)
        }
        declarations[index] = .union(
            Declaration.Union(
                name: typeName, strategy: members.strategy, tag: union.tagging.tag, content: union.tagging.content,
                cases: cases,
                fallback: union.fallback.map { fallback($0, of: union, cases, in: typeName) },
                comment: schema["description"]?.string))
        return .named(typeName)
    }

    private func fallback(
        _ fallback: SchemaUnion.Fallback, of union: SchemaUnion, _ cases: [Declaration.Case], in typeName: String
    ) -> Declaration.Fallback {
        let name = Names.fallback(besides: cases.map(\.name))
        let empty = cases.filter { $0.payload == nil }.map(\.name)
        switch fallback {
        case .value(let schema):
            return Declaration.Fallback(
                name: name, payload: valueType(schema, Names.type(name), of: union, in: typeName))
        case .name, .nothing:
            // A fallback without a value is one of the cases.
            if let known = empty.last(where: Names.fallbacks.contains) { return Declaration.Fallback(name: known) }
            if case .nothing = fallback, let last = empty.last { return Declaration.Fallback(name: last) }
            return Declaration.Fallback(name: name, payload: .string)
        }
    }

    /// Returns the type of the value of a case.
    private func valueType(
        _ schema: JSONValue, _ name: String, of union: SchemaUnion, in typeName: String
    ) -> ValueType {
        if case .internal(let tag) = union.tagging, schema["properties"]?[tag] != nil {
            return objectType(schema, name, in: typeName, isIndirect: false, pointer: nil, without: tag)
        }
        return type(of: schema, name, in: typeName, isIndirect: false)
    }
}

extension JSONValue {
    /// The schemas of which a value must be valid for one.
    fileprivate var alternatives: [JSONValue]? { (self["anyOf"] ?? self["oneOf"])?.array }

    /// Whether several alternatives, or one beside members, are a type together and refer to other schemas.
    fileprivate var hasAlternativeReferences: Bool {
        guard let alternatives, alternatives.contains(where: { $0["$ref"] != nil }) else { return false }
        return self["properties"] != nil || alternatives.count(where: { !$0.isNullSchema }) > 1
    }

    /// Whether the schema accepts null alone.
    fileprivate var isNullSchema: Bool { self["type"] == "null" || self["const"] == .null }

    /// Whether the schema lists null among its types, values or alternatives.
    fileprivate var acceptsNull: Bool {
        self["type"]?.array?.contains("null") == true || self["enum"]?.array?.contains(.null) == true
            || alternatives?.contains(where: \.isNullSchema) == true
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
