// The schemas of enums with associated values.
//
// A decoder ignores or rejects members that are neither the tag nor those of a payload, and takes an unknown name as the fallback
// case. An encoder writes the tag and the payload only.

import SluiceCore

extension SchemaBuilder {
    /// Returns the schema of an enum.
    ///
    /// - Parameters:
    ///   - isPart: Whether the enum is a part of the object of a model or of another enum.
    ///   - unread: The members of other cases, if the model around limits them; nil if all members are permitted.
    mutating func union(
        _ union: ResolvedUnion, of plan: ResolvedPlan, isPart: Bool = false, unread: UnreadKeys? = nil
    ) -> Schema {
        let coercion = form == .decoding ? plan.erasedPlan.options.coercion ?? coercion : .strict
        var maker = UnionSchemas(
            union: union, plan: plan, coercion: coercion, isPart: isPart,
            rejectsUnknownKeys: form == .decoding && plan.unknownKeys == .reject,
            closesObject: isPart && (rejectsUnknownKeys(plan) || unread != nil), unread: unread)
        inlined.append(plan)
        defer { inlined.removeLast() }
        if case .untagged = union.tagging { return untagged(&maker) }
        var schemas: [Schema] = []
        for (index, one) in union.cases.enumerated() where union.declared.hasName(index) {
            location = "\(plan.modelName).\(one.declared.name)"
            for schema in named(index, maker) {
                schemas.append(withUnknownMembers(schema, one, maker).described(maker.texts[one.declared.name]))
            }
        }
        if let fallback = union.fallback, !isForLanguageModel {
            location = "\(plan.modelName).\(union.cases[fallback].declared.name)"
            if let schema = self.fallback(fallback, maker) {
                // The members of an unknown case are not known, except beside an adjacent tag.
                let isOpen = maker.closesObject && (!maker.closesUnknownCase || maker.unread?.extra != nil)
                let schema = isOpen ? maker.opened(schema, maker.unread?.all) : schema
                schemas.append(schema.described(maker.texts[union.cases[fallback].declared.name]))
            }
        }
        if schemas.count == 1 { return schemas[0] }
        let schema: Schema = [isStrict ? "anyOf" : "oneOf": .array(schemas.map(\.json))]
        return singleName(maker).map { schema.constrained(by: [$0]) } ?? schema
    }

    private mutating func untagged(_ maker: inout UnionSchemas) -> Schema {
        let union = maker.union
        var schemas: [Schema] = []
        for index in union.order {
            let one = union.cases[index]
            location = "\(maker.plan.modelName).\(one.declared.name)"
            var schema: Schema
            if let layout = one.layout {
                schema = maker.isPart ? part(layout, [], isOpen: true) : value(layout, maker.coercion)
                // Any JSON has the members of an object.
                if maker.isPart, schema.isAny { schema = schema.withAnyMembers() }
            } else if index == union.fallback, form == .decoding {
                schema = .any
            } else {
                schema = constant(names(of: one))
            }
            schema = withUnknownMembers(schema, one, maker)
            schemas.append(schema.described(maker.texts[one.declared.name], wrapsReferences: isStrict))
        }
        return .any(of: schemas)
    }

    // MARK: Unknown members

    /// Whether a decoder rejects unknown members of the object of a model or an enum. The payload of a case has its members there, too.
    func rejectsUnknownKeys(_ plan: ResolvedPlan) -> Bool {
        var seen: Set<ObjectIdentifier> = []
        return form == .decoding && rejectsUnknownKeys(plan, &seen)
    }

    private func rejectsUnknownKeys(_ plan: ResolvedPlan, _ seen: inout Set<ObjectIdentifier>) -> Bool {
        guard seen.insert(ObjectIdentifier(plan)).inserted else { return false }
        if plan.unknownKeys == .reject { return true }
        let payloads: [LayoutReference]
        if let union = plan.union {
            guard union.hasPayloadsAsParts else { return false }
            payloads = union.cases.compactMap(\.layout)
        } else {
            payloads = plan.flattenedEnums.compactMap { plan.fields[$0.field].layout }
        }
        return payloads.contains { part($0).map { rejectsUnknownKeys($0, &seen) } ?? false }
    }

    /// Returns the plan of a payload whose members are in an object with other members; nil if there is none.
    private func part(_ payload: LayoutReference) -> ResolvedPlan? {
        switch payload.kind {
        case .model, .composite, .union: payload.table?.plan
        case .converted where payload.contents == nil: payload.element.flatMap { part($0) }
        default: nil
        }
    }

    /// Returns the schema of a case, with unknown members unless the payload whose members are in the object, or else the enum, rejects
    /// them.
    private func withUnknownMembers(_ schema: Schema, _ one: ResolvedUnion.Case, _ maker: UnionSchemas) -> Schema {
        guard maker.closesObject else { return schema }
        let isClosed: Bool
        var names: Set<MemberName> = []
        if case .adjacent(_, let content) = maker.union.tagging { names = [MemberName(content)] }
        if maker.union.hasPayloadsAsParts, let payload = one.layout {
            isClosed = part(payload).map { rejectsUnknownKeys($0) } ?? false
            names = part(payload).map { MemberNames(of: $0).names } ?? []
        } else {
            isClosed = maker.rejectsUnknownKeys
        }
        if isClosed, maker.unread?.extra == nil { return schema }
        let unread = maker.unread.map { $0.extra == nil ? $0.known : $0.all }
        return maker.opened(schema, unread?.filter { !names.contains(MemberName($0)) })
    }

    // MARK: Cases

    /// The names of a case in the documents.
    private func names(of one: ResolvedUnion.Case) -> [String] {
        form == .decoding ? one.names : Array(one.names.prefix(1))
    }

    private func constant(_ names: [String]) -> Schema {
        names.count == 1 && !isStrict
            ? ["const": .string(names[0])] : ["type": "string", "enum": .array(names.map { .string($0) })]
    }

    /// Returns the schema of a tag with one of some names.
    private func tag(_ names: [String], _ maker: UnionSchemas) -> Schema {
        constant(names).coerced(by: maker.coercion)
    }

    /// Returns the schemas of a case that its name selects.
    private mutating func named(_ index: Int, _ maker: UnionSchemas) -> [Schema] {
        let one = maker.union.cases[index]
        let names = names(of: one)
        let known = tag(names, maker)
        switch maker.union.tagging {
        case .external: return external(one, names, maker)
        case .internal(let key):
            guard let layout = one.layout else {
                return [members([(key, known)], isPart: maker.isPart, isClosed: maker.rejectsUnknownKeys)]
            }
            return [part(layout, [(key, known)], isOpen: maker.isPart)]
        case .adjacent(let key, let content):
            var parts = [(key, known)]
            if let layout = one.layout {
                parts.append((content, value(layout, maker.coercion)))
            } else if maker.rejectsUnknownKeys {
                parts.append((content, Self.ignoredValue))
            } else if maker.closesObject {
                parts.append((content, .any))
            }
            let isOptional = form == .decoding && one.layout?.none != nil || one.layout == nil
            return [
                members(
                    parts, optional: isOptional ? [content] : [], isPart: maker.isPart,
                    isClosed: maker.rejectsUnknownKeys)
            ]
        case .untagged: return []
        }
    }

    /// Returns the schemas of a case whose name is a key, or a string for a case without a payload.
    private mutating func external(_ one: ResolvedUnion.Case, _ names: [String], _ maker: UnionSchemas) -> [Schema]
    {
        var schemas: [Schema] = []
        if one.layout == nil, !maker.isPart { schemas.append(constant(names)) }
        guard one.layout != nil || form == .decoding || maker.isPart else { return schemas }
        // Without a payload, the value of the key is ignored. An encoder writes null.
        let ignored: Schema = maker.rejectsUnknownKeys ? Self.ignoredValue : .any
        let payload = one.layout.map { value($0, maker.coercion) } ?? (form == .encoding ? .null : ignored)
        return schemas
            + names.map {
                members([($0, payload)], isPart: maker.isPart, isClosed: maker.rejectsUnknownKeys)
            }
    }

    /// The schema of the value of a case without a value, if unknown members are rejected.
    private static let ignoredValue: Schema = ["maxProperties": 0]

    /// The constraint that an object has one name at most; nil if the cases themselves state this.
    private func singleName(_ maker: UnionSchemas) -> Schema? {
        guard case .external = maker.union.tagging, form == .decoding, maker.knownNames.count > 1 else {
            return nil
        }
        let names = maker.knownNames.map { name -> JSONValue in ["type": "object", "required": [.string(name)]] }
        return ["oneOf": .array(names + [["not": ["anyOf": .array(names)]]])]
    }

    /// Returns the schema of an object with members.
    private func members(
        _ members: [(key: String, schema: Schema)], optional: [String] = [], isPart: Bool, isClosed: Bool = false
    ) -> Schema {
        let required = members.map(\.key).filter { !optional.contains($0) }
        var schema: Schema = [
            "type": "object", "properties": .object(JSONObject(members.map { ($0.key, $0.schema.json) })),
            "required": .array(required.map { .string($0) }),
        ]
        if closesObjects || isClosed, !isPart { schema["additionalProperties"] = false }
        return schema
    }

    /// Returns the schema of a payload whose members are in an object with other members.
    ///
    /// - Parameters:
    ///   - tags: The other members.
    ///   - isOpen: Whether a schema around this one has further members.
    private mutating func part(
        _ layout: LayoutReference, _ tags: [(key: String, schema: Schema)], isOpen: Bool = false
    ) -> Schema {
        switch layout.kind {
        case .model, .composite:
            guard let plan = layout.table?.plan, !inlined.contains(where: { $0 === plan }) else { break }
            var schema: Schema = [:]
            if let text = plan.erasedPlan.modelDescription { schema["description"] = .string(text) }
            for (keyword, value) in object(plan, with: OtherMembers(required: tags, isOpen: isOpen)).keywords {
                schema[keyword] = value
            }
            return schema
        case .dictionary: return entries(of: layout, beside: tags, isOpen: isOpen)
        case .converted where layout.contents == nil:
            if let element = layout.element { return part(element, tags, isOpen: isOpen) }
        case .union:
            guard let plan = layout.table?.plan, let union = plan.union, !inlined.contains(where: { $0 === plan })
            else {
                break
            }
            if isStrict { report("an enum in the object of another enum has no \(form) schema") }
            var schema = members(tags, isPart: true).constrained(by: [self.union(union, of: plan, isPart: true)])
            if closesObjects || rejectsUnknownKeys(plan), !isOpen { schema["unevaluatedProperties"] = false }
            return schema
        default: break
        }
        if tags.isEmpty { return value(layout, coercion) }
        if isStrict { report("a value that contains itself beside a tag has no \(form) schema") }
        // A type that contains itself beside the tag. The members of the inner object are not described.
        return members(tags, isPart: true)
    }

    /// Returns the schema of a dictionary whose entries are in an object with other members.
    private mutating func entries(
        of layout: LayoutReference, beside tags: [(key: String, schema: Schema)], isOpen: Bool
    ) -> Schema {
        var schema = members(tags, isPart: true)
        // The members of a schema around this one are no entries, and have names that are not known here.
        if isOpen { return closesObjects ? schema.withAnyMembers() : schema }
        let dictionary = value(layout, coercion)
        schema["additionalProperties"] = dictionary["additionalProperties"]
        if let names = dictionary["propertyNames"] {
            schema["propertyNames"] = Schema.any(of: [Schema(names), constant(tags.map(\.key))]).json
        }
        return schema
    }

    // MARK: Fallback

    /// Returns the schema of the values that the fallback case represents.
    private mutating func fallback(_ index: Int, _ maker: UnionSchemas) -> Schema? {
        let union = maker.union
        let unknown: Schema = ["not": ["enum": .array(maker.knownNames.map { .string($0) })]]
        func text(_ other: Schema) -> Schema { ["type": "string", "not": other["not"] ?? false] }
        switch union.fallbackValue {
        case .nothing where form == .encoding: return nil
        case .nothing, .tag:
            if let key = union.tagKey {
                var parts = [(key, unknownTag(text(unknown), maker))]
                var optional: [String] = []
                if maker.closesUnknownCase || maker.closesObject, case .adjacent(_, let content) = union.tagging {
                    parts.append((content, .any))
                    optional = [content]
                }
                return members(
                    parts, optional: optional, isPart: maker.isPart, isClosed: maker.closesUnknownCase)
            }
            // A model that rejects unknown keys passes only known names on.
            if maker.isPart, let unread = maker.unread, unread.extra == nil { return nil }
            let name = text(unknown)
            if form == .encoding, !maker.isPart { return name }
            var object: Schema = ["type": "object", "minProperties": 1]
            // A second unknown name is an error if the name is kept.
            let isSingle = union.fallbackValue == .tag || maker.rejectsUnknownKeys
            if isSingle, !maker.isPart { object["maxProperties"] = 1 }
            if let known = anyOf(maker.knownNames) { object["not"] = known.json }
            return maker.isPart ? object.withAnyMembers() : .any(of: [name, object])
        case .whole where union.fallbackNeedsName && form == .decoding:
            guard let layout = union.cases[index].layout else { return nil }
            var named: Schema = ["type": "object", "minProperties": 1]
            if let key = union.tagKey {
                let tag = (key, unknownTag(text(unknown), maker))
                // The tag is a known key of the value.
                if case .internal = union.tagging { return part(layout, [tag], isOpen: maker.isPart) }
                named = members([tag], isPart: true)
            } else if let known = anyOf(maker.knownNames) {
                named["not"] = known.json
            }
            let whole = value(layout, maker.coercion)
            return (maker.isPart ? whole.withAnyMembers() : whole).constrained(by: [named])
        case .whole:
            guard let layout = union.cases[index].layout else { return nil }
            var known: [Schema] = []
            if let tag = union.tagKey {
                let name: Schema = ["enum": .array(maker.knownNames.map { .string($0) })]
                known.append([
                    "type": "object", "required": [.string(tag)], "properties": .object([tag: name.json]),
                ])
            } else {
                known.append(["enum": .array(maker.knownNames.map { .string($0) })])
                if var object = anyOf(maker.knownNames) {
                    object["type"] = "object"
                    known.append(object)
                }
            }
            let whole = value(layout, maker.coercion)
            return (maker.isPart ? whole.withAnyMembers() : whole)
                .constrained(by: [["not": Schema.any(of: known).json]])
        }
    }

    /// Returns the schema of a tag without a known name, with the scalars that a coercion converts to strings.
    private func unknownTag(_ text: Schema, _ maker: UnionSchemas) -> Schema {
        guard maker.coercion.rules != .strict else { return text }
        // A number can be the name of a case. A schema cannot compare its digits.
        let known = constant(maker.knownNames)
        let hasScalars = known.json != known.coerced(by: maker.coercion).json
        return hasScalars ? text : .any(of: [text, ["type": ["number", "boolean"]]])
    }

    /// The schema of objects that have one of some keys.
    private func anyOf(_ keys: [String]) -> Schema? {
        keys.isEmpty ? nil : ["anyOf": .array(keys.map { ["required": [.string($0)]] })]
    }
}

extension ResolvedUnion {
    /// Whether the members of a payload are in the object of the enum.
    fileprivate var hasPayloadsAsParts: Bool {
        switch tagging {
        case .internal, .untagged: true
        case .external, .adjacent: false
        }
    }
}

/// The keys of a flattened enum that its case does not read.
struct UnreadKeys {
    let all: [String]
    /// The keys that the model around, or another enum, may read.
    let known: [String]
    /// The schema of the values that the model around collects as extra keys; nil if the model collects none.
    let extra: Schema?
}

/// The facts about an enum that its schemas need.
private struct UnionSchemas {
    let union: ResolvedUnion
    let plan: ResolvedPlan
    let coercion: JSONCoercion
    /// Whether the enum is a part of the object of a model.
    let isPart: Bool
    /// Whether the enum rejects members that are not those of its case.
    let rejectsUnknownKeys: Bool
    /// Whether the enum, the payload of a case, or the model around rejects unknown members of the object of which the enum is a part.
    let closesObject: Bool
    /// The members of other cases, if the model around limits them; nil if all members are permitted.
    let unread: UnreadKeys?
    /// The descriptions by case.
    let texts: [String: String]
    /// The names of the cases, in the order of the cases.
    let knownNames: [String]

    init(
        union: ResolvedUnion, plan: ResolvedPlan, coercion: JSONCoercion, isPart: Bool, rejectsUnknownKeys: Bool,
        closesObject: Bool, unread: UnreadKeys?
    ) {
        (self.union, self.plan, self.coercion) = (union, plan, coercion)
        (self.isPart, self.closesObject, self.unread) = (isPart, closesObject, unread)
        self.rejectsUnknownKeys = rejectsUnknownKeys
        texts = plan.erasedPlan.descriptions.first?.members() ?? [:]
        knownNames = union.cases.indices.filter { union.declared.hasName($0) }.flatMap { union.cases[$0].names }
    }

    /// Whether an unknown case has no other members than those of its enum.
    var closesUnknownCase: Bool { if case .adjacent = union.tagging { rejectsUnknownKeys } else { false } }

    /// Returns the schema of a case with members that the case does not read; nil for all members.
    func opened(_ schema: Schema, _ keys: [String]?) -> Schema {
        guard let keys else { return schema.withAnyMembers() }
        guard schema["$ref"] == nil else { return schema }
        var properties = schema["properties"]?.object ?? [:]
        for key in keys where properties[key] == nil { properties[key] = unread?.extra?.json ?? true }
        var schema = schema
        schema["properties"] = .object(properties)
        return schema
    }
}

extension Schema {
    /// Returns the schema of an object that states the schemas of all members. A schema around this one then permits members with unknown
    /// names.
    func withAnyMembers() -> Schema {
        var copy = self
        if copy["additionalProperties"] == nil, copy["$ref"] == nil { copy["additionalProperties"] = true }
        return copy
    }

    /// Returns the schema with a description, unless it has one.
    fileprivate func described(_ text: String?) -> Schema { described(text, wrapsReferences: false) }
}
