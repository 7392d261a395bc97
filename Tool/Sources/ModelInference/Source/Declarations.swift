import SluiceCore

/// A declaration of a model.
enum Declaration {
    case model(Model)
    case union(Union)
    case enumeration(Enumeration)
    case scalarUnion(ScalarUnion)

    struct Model {
        let name: String
        let strategy: InferenceOptions.Keys
        let properties: [Property]
        var comment: String?
    }

    struct Property {
        let name: String
        /// The key, if the key strategy does not derive it.
        let key: String?
        let type: ValueType
        /// Whether the property is a union in the object of the model.
        var isFlattened = false
        var comment: String?
    }

    /// An enum with payloads.
    struct Union {
        let name: String
        let strategy: InferenceOptions.Keys
        /// The key of the tag; nil if the name of a case is the key of its payload.
        let tag: String?
        /// The key of the payload; nil if the payload has the keys of the whole object.
        let content: String?
        let cases: [Case]
        /// The case for unknown tags; nil without one.
        let fallback: Fallback?
        var comment: String?
    }

    /// The case for unknown tags.
    struct Fallback {
        let name: String
        /// The type of the payload; nil for one of the other cases.
        var payload: ValueType?
    }

    /// An enum without a tag, whose payloads are scalars of different kinds.
    struct ScalarUnion {
        let name: String
        let types: [ValueType]
    }

    /// An enum of strings.
    struct Enumeration {
        let name: String
        let strategy: InferenceOptions.Keys
        let cases: [Case]
        /// The name of the case for unknown strings; nil without one.
        let fallback: String?
        var comment: String?
    }

    struct Case {
        let name: String
        /// The name in the JSON, if the key strategy does not derive it.
        let key: String?
        /// Further names in the JSON.
        var others: [String] = []
        /// The type of the payload; nil for a case without one.
        var payload: ValueType?
        var comment: String?
    }
}

/// Makes the declarations of all models.
final class DeclarationBuilder {
    private let options: InferenceOptions
    private let forms: ObjectForms
    private let root: ValueObservation
    /// Whether nil properties are written as null.
    let writesNulls: Bool

    private var declarations: [Declaration?] = []
    private var names: [ObjectIdentifier: String] = [:]
    private var enumerations: [Set<String>: String] = [:]
    private var typeNames: TypeNames
    /// The names that the keys of each model suggest, and the models with the keys.
    private var suggestions: [ObjectIdentifier: [(name: String, parent: ObjectIdentifier?)]] = [:]
    /// The names of the enums of scalars, by their cases.
    private var scalarUnions: [[ValueType]: String] = [:]
    /// The dictionaries around the next value, inside of the innermost declaration.
    private var openDictionaries: Set<ObjectIdentifier> = []
    /// The number of declarations around the next value.
    private var depth = 0
    /// The declarations that are completed later, because too many are around them.
    private var later: [() -> Void] = []

    private(set) var rootType = ValueType.any
    /// The types that contain themselves.
    var recursiveTypes: Set<String> { typeNames.recursive }
    var all: [Declaration] { declarations.compactMap { $0 } }

    init(_ observer: ModelObserver, name: String) {
        options = observer.options
        typeNames = TypeNames(prefix: options.prefix)
        root = observer.root
        var forms = ObjectForms(options)
        for path in options.dictionaries { forms.makeDictionaries(in: root, at: path.components[...]) }
        forms.update(root)
        let models = EqualModels(root, name: name, forms)
        self.forms = models.merge()
        writesNulls = Self.writesNulls(root, self.forms, options)

        var suggestions = suggestions
        var walk = ModelWalk(self.forms) { candidate in
            suggestions[ObjectIdentifier(candidate.object), default: []].append(
                (candidate.name, candidate.parent.map { ObjectIdentifier($0) }))
        }
        walk.visit(root, name: name)
        self.suggestions = suggestions
        rootType = type(of: root, name, in: nil, isIndirect: false, isRoot: true).withoutTransform
        while let complete = later.popLast() { complete() }
    }

    // MARK: Nulls

    private static func writesNulls(_ root: ValueObservation, _ forms: ObjectForms, _ options: InferenceOptions)
        -> Bool
    {
        switch options.nulls {
        case .omit: return false
        case .write: return true
        case .automatic: break
        }
        var (missing, null) = (0, 0)
        var visited: Set<ObjectIdentifier> = []
        var walk = ModelWalk(forms) { candidate in
            guard visited.insert(ObjectIdentifier(candidate.object)).inserted else { return }
            for field in candidate.members.fields where field.value.presentCount > 0 {
                let isMissing = field.count < candidate.members.count
                if isMissing, field.value.nulls == 0 { missing += 1 }
                if !isMissing, field.value.nulls > 0 { null += 1 }
            }
        }
        walk.visit(root, name: "")
        return null > missing
    }

    // MARK: Types

    private func type(
        of value: ValueObservation, _ name: String, in parent: String?, isIndirect: Bool, isRoot: Bool = false
    ) -> ValueType {
        let type = presentType(of: value, name, in: parent, isIndirect: isIndirect, isRoot: isRoot)
        return value.nulls > 0 && type != .any ? .optional(type) : type
    }

    /// The type of the values other than null.
    private func presentType(
        of value: ValueObservation, _ name: String, in parent: String?, isIndirect: Bool, isRoot: Bool = false
    ) -> ValueType {
        let kinds = value.kinds
        if value.isOpaque { return .any }
        if kinds.isMixed {
            return kinds.isSubset(of: [.bool, .number, .string]) ? .named(scalarUnion(value)) : .any
        }
        let inner = isRoot ? name : Names.singular(name)
        switch kinds {
        case .bool: return .bool
        case .number: return numberType(value.numbers)
        case .string: return stringType(value.strings, name, in: parent)
        case .array:
            guard let elements = value.elements, elements.count > 0 else { return .array(.any) }
            return .array(type(of: elements, inner, in: parent, isIndirect: true, isRoot: isRoot))
        case .object:
            guard let object = value.objects?.resolved else { return .any }
            switch forms[object] {
            case .empty: return .dictionary(.any)
            case .dictionary(let values):
                guard values.count > 0, openDictionaries.insert(ObjectIdentifier(object)).inserted else {
                    return .dictionary(.any)
                }
                defer { openDictionaries.remove(ObjectIdentifier(object)) }
                return .dictionary(type(of: values, inner, in: parent, isIndirect: true, isRoot: isRoot))
            case .model: return modelType(object, object, name, in: parent, isIndirect: isIndirect)
            case .content(let union):
                return modelType(object, union.common.resolved, name, in: parent, isIndirect: isIndirect, union)
            case .union(let tag): return unionType(object, tag, name, in: parent, isIndirect: isIndirect)
            }
        default: return .any
        }
    }

    private func numberType(_ numbers: NumberObservation) -> ValueType {
        switch numbers.type {
        case .int: .int
        case .uint64: .uint64
        case .int128: .int128
        case .double: .double
        case .any: .number
        }
    }

    /// Returns the name of an enum of scalars, such as `IntOrString`.
    private func scalarUnion(_ value: ValueObservation) -> String {
        var types: [ValueType] = []
        if value.kinds.contains(.bool) { types.append(.bool) }
        if value.kinds.contains(.number) { types.append(numberType(value.numbers)) }
        if value.kinds.contains(.string) { types.append(.string) }
        if let known = scalarUnions[types] { return known }
        let name = typeNames.add(types.map(\.scalarName).joined(separator: "Or"), in: nil)
        scalarUnions[types] = name
        declarations.append(.scalarUnion(Declaration.ScalarUnion(name: name, types: types)))
        return name
    }

    private func stringType(_ strings: StringObservation, _ name: String, in parent: String?) -> ValueType {
        let formats = strings.formats
        if options.purpose == .decoding {
            if options.infersDates, formats.contains(.anyDate) { return .date }
            if options.infersUUIDs, formats.contains(.anyUUID) { return .uuid }
        }
        if options.infersDates, formats.contains(.date) { return .date }
        if options.infersDates, formats.contains(.millisecondDate) { return .millisecondDate }
        if options.infersUUIDs, formats.contains(.uuid) { return .uuid }
        if options.infersURLs, formats.contains(.url) { return .url }
        if options.infersEnums, let values = strings.distinct?.strings, values.count > 1,
            strings.count >= values.count * Bounds.enumRepetitions
        {
            return .named(enumeration(values, name, in: parent))
        }
        return .string
    }

    // MARK: Names

    /// The name that the keys of a model suggest. Several members of one model with different keys are named after that model.
    private func suggestedName(_ object: ObjectObservation, _ name: String) -> String {
        let all = suggestions[ObjectIdentifier(object)] ?? []
        guard Set(all.map(\.name)).count > 1, let parent = all[0].parent, all.allSatisfy({ $0.parent == parent }),
            let parentName = names[parent], case let singular = Names.singular(parentName), singular != parentName
        else { return name }
        return singular
    }

    private func reserveDeclaration() -> Int {
        declarations.append(nil)
        return declarations.count - 1
    }

    // MARK: Declarations

    private func enumeration(_ values: [String], _ name: String, in parent: String?) -> String {
        if let known = enumerations[Set(values)] { return known }
        let typeName = typeNames.add(name, in: parent)
        enumerations[Set(values)] = typeName
        let members = MemberNames(values, options.keys, ofCases: true)
        declarations.append(
            .enumeration(
                Declaration.Enumeration(
                    name: typeName, strategy: members.strategy,
                    cases: zip(values, members.names).enumerated().map { index, pair in
                        Declaration.Case(name: pair.1, key: members.needsKey[index] ? pair.0 : nil)
                    }, fallback: Names.fallback(besides: members.names))))
        return typeName
    }

    /// Returns the type of objects that are declared; nil if they are not.
    ///
    /// A value that would contain itself is stored elsewhere, because its size would be infinite: a model is then a class. No
    /// conformance of a class but that to `Sendable` is synthesized, so that with others, such a value is any JSON.
    private func declared(_ object: ObjectObservation, in parent: String?, isIndirect: Bool) -> ValueType? {
        guard let known = names[ObjectIdentifier(object)] else { return nil }
        if isIndirect || typeNames.addPart(known, to: parent) { return .named(known) }
        guard options.conformances.allSatisfy({ $0 == "Sendable" }) else { return .any }
        typeNames.makeRecursive(known)
        return .named(known)
    }

    /// Completes a declaration whose name and place are known.
    private func complete(_ body: @escaping () -> Void) {
        guard depth < ModelWalk.maximumDepth else { return later.append(body) }
        let dictionaries = openDictionaries
        openDictionaries = []
        depth += 1
        body()
        depth -= 1
        openDictionaries = dictionaries
    }

    private func modelType(
        _ object: ObjectObservation, _ members: ObjectObservation, _ name: String, in parent: String?,
        isIndirect: Bool,
        _ union: ObjectForms.ContentUnion? = nil
    ) -> ValueType {
        if let type = declared(object, in: parent, isIndirect: isIndirect) { return type }
        let typeName = typeNames.add(suggestedName(object, name), in: parent)
        names[ObjectIdentifier(object)] = typeName
        if !isIndirect { _ = typeNames.addPart(typeName, to: parent) }
        let index = reserveDeclaration()
        complete { [self] in declare(members, typeName, union, at: index) }
        return .named(typeName)
    }

    private func declare(
        _ members: ObjectObservation, _ typeName: String, _ union: ObjectForms.ContentUnion?, at index: Int
    ) {
        var keys = members.fields.filter { $0.count > 0 && $0.key != union?.tag }.map(\.key)
        let keyCount = keys.count
        if let union { keys.append(union.key) }
        let memberNames = MemberNames(keys, options.keys)
        var properties: [Declaration.Property] = []
        for (position, key) in keys.prefix(keyCount).enumerated() {
            guard let field = members.field(key) else { continue }
            properties.append(
                Declaration.Property(
                    name: memberNames.names[position],
                    key: memberNames.needsKey[position] ? JSONPath([.key(key)]).description : nil,
                    type: propertyType(field, of: members, in: typeName)))
        }
        if let union {
            let name = contentType(union, in: typeName)
            properties.append(
                Declaration.Property(
                    name: memberNames.names[keyCount], key: nil, type: .named(name), isFlattened: true))
        }
        declarations[index] = .model(
            Declaration.Model(name: typeName, strategy: memberNames.strategy, properties: properties))
    }

    private func propertyType(
        _ field: ObjectObservation.Field, of object: ObjectObservation, in parent: String
    ) -> ValueType {
        let value = field.value
        let type = presentType(of: value, Names.type(field.key), in: parent, isIndirect: false)
        let isMissing = field.count < object.count
        let isNull = value.nulls > 0
        let result: ValueType
        if options.purpose == .decoding {
            let isOptional = isMissing || isNull && type != .any
            return (isOptional ? .optional(type) : type).withPlainDates
        }
        switch (isMissing, isNull) {
        case (false, false): result = type
        // Any JSON includes null.
        case (false, true) where type == .any: result = .any
        case (true, false): result = writesNulls ? .presence(type) : .optional(type)
        case (false, true): result = writesNulls ? .optional(type) : .presence(type)
        case (true, true): result = .presence(type)
        }
        return result.takesTransform ? result : result.withoutTransform
    }

    private func unionType(
        _ object: ObjectObservation, _ tag: String, _ name: String, in parent: String?, isIndirect: Bool
    ) -> ValueType {
        if let type = declared(object, in: parent, isIndirect: isIndirect) { return type }
        let typeName = typeNames.add(name, in: parent)
        names[ObjectIdentifier(object)] = typeName
        if !isIndirect { _ = typeNames.addPart(typeName, to: parent) }
        let index = reserveDeclaration()
        complete { [self] in
            let payloads = object.liveVariants.map { variant in
                variant.objects.keys.isEmpty
                    ? nil
                    : modelType(
                        variant.objects, variant.objects, Names.type(variant.tag), in: typeName, isIndirect: false)
            }
            declarations[index] = .union(
                self.union(typeName, tag: tag, content: nil, object.liveVariants.map(\.tag), payloads))
        }
        return .named(typeName)
    }

    private func contentType(_ content: ObjectForms.ContentUnion, in parent: String) -> String {
        let typeName = typeNames.add(Names.type(content.key), in: parent)
        _ = typeNames.addPart(typeName, to: parent)
        let index = reserveDeclaration()
        let payloads: [ValueType?] = content.contents.map { variant in
            type(
                of: variant.value, Names.type(variant.tag) + Names.type(content.key), in: typeName,
                isIndirect: false
            ).withoutTransform
        }
        declarations[index] = .union(
            union(typeName, tag: content.tag, content: content.key, content.contents.map(\.tag), payloads))
        return typeName
    }

    private func union(
        _ name: String, tag: String, content: String?, _ tags: [String], _ payloads: [ValueType?]
    ) -> Declaration.Union {
        let members = MemberNames(tags, options.keys, ofCases: true)
        return Declaration.Union(
            name: name, strategy: members.strategy, tag: tag, content: content,
            cases: tags.indices.map { index in
                Declaration.Case(
                    name: members.names[index], key: members.needsKey[index] ? tags[index] : nil,
                    payload: payloads[index])
            }, fallback: Declaration.Fallback(name: Names.fallback(besides: members.names), payload: .any))
    }
}
