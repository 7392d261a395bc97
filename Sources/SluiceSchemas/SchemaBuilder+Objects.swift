// The schema of a model's object: the properties of the tree of its fields' paths.

import SluiceCore

/// The schema of a value on the path of a field, or of a field.
private struct PathSchema {
    var schema: Schema
    /// Whether the value is always present.
    var isRequired: Bool
}

/// The members that a model's object has besides those of its fields.
struct OtherMembers {
    /// The schemas of the members, all of which are required.
    var required: [(key: String, schema: Schema)] = []
    /// Whether a schema around this one has further members.
    var isOpen = false
}

extension SchemaBuilder {
    /// Returns the schema of a model's object.
    mutating func object(_ plan: ResolvedPlan, with others: OtherMembers = OtherMembers()) -> Schema {
        let root = PathTrie()
        // The keys of fields that are not decoded are known keys, which a decoder ignores. Those of a flattened enum are no extra keys, and
        // otherwise stated by the schemas of the cases, unless another field may read them, too.
        let hasExtra = plan.fields.contains(where: \.isExtra)
        let namesIgnored = form == .decoding && (plan.unknownKeys == .reject || hasExtra)
        for (index, field) in plan.fields.enumerated() {
            // A path that does not fit is a defect of the plan, or is not written.
            for (rank, path) in paths(of: field).enumerated() {
                _ = root.insert(path, .init(field: index, rank: rank))
            }
            let flattened = plan.flattenedEnums.first { $0.field == index }
            // An encoder writes no extra key that is one of an enum.
            guard namesIgnored || form == .encoding && hasExtra && flattened != nil else { continue }
            for key in field.hiddenKeys
            where hasExtra || flattened.map({ plan.reads(key, besides: $0) }) ?? true {
                root.reserve(key: key)
            }
        }
        let descriptions = plan.erasedPlan.memberDescriptions
        var fields = FieldSchemas(plan: plan, descriptions: descriptions, form)
        inlined.append(plan)
        defer { inlined.removeLast() }
        let hasEnums = !plan.flattenedEnums.isEmpty
        var schema = object(root, &fields, isCollected: false)
        if form != .decoding { schema["additionalProperties"] = nil }
        addMembers(others.required, to: &schema)
        if let extra = plan.fields.first(where: { $0.isExtraWritten(form) }) {
            locate(extra, of: plan)
            let values = extraValues(extra)
            schema["additionalProperties"] = isStrict ? false : values.json
        } else if closesObjects || rejectsUnknownKeys(plan), !others.isOpen {
            // Members of flattened enums are not those of this schema.
            schema[hasEnums ? "unevaluatedProperties" : "additionalProperties"] = false
        }
        if isForLanguageModel, let first = plan.flattenedEnums.first {
            locate(plan.fields[first.field], of: plan)
            report("an enum in the object of a model has no \(form) schema")
        }
        if form == .tool { schema["dependentRequired"] = dependentKeys(of: plan) }
        let constraints = candidateConstraints(plan) + groupConstraints(plan) + flattenedEnums(plan)
        return schema.constrained(by: isForLanguageModel ? [] : constraints)
    }

    /// Adds required members before all others.
    private func addMembers(_ members: [(key: String, schema: Schema)], to schema: inout Schema) {
        if members.isEmpty { return }
        var properties = JSONObject(members.map { ($0.key, $0.schema.json) })
        for (key, value) in schema["properties"]?.object ?? [:] where properties[key] == nil {
            properties[key] = value
        }
        let keys = members.map { JSONValue.string($0.key) }
        schema["properties"] = .object(properties)
        schema["required"] = .array(keys + (schema["required"]?.array ?? []).filter { !keys.contains($0) })
    }

    private func paths(of field: FieldInfo) -> [JSONPath] {
        if field.layout == nil { return [] }
        switch form {
        case .decoding: return field.paths
        case .strict, .tool, .gemini: return Array(field.paths.prefix(1))
        case .encoding: return field.writtenPath.map { [$0] } ?? []
        }
    }

    /// Makes a field the location for messages.
    private mutating func locate(_ field: FieldInfo, of plan: ResolvedPlan) {
        location = "\(field.modelName ?? plan.modelName).\(field.name)"
    }

    /// Notes that the value of a node has no schema of the form, for the first field at or below the node.
    private mutating func report(_ reason: String, at node: PathTrie, of plan: ResolvedPlan) {
        if let first = node.leaves.first { locate(plan.fields[first.field], of: plan) }
        report(reason)
    }

    // MARK: Objects and arrays on paths

    private mutating func object(_ node: PathTrie, _ fields: inout FieldSchemas, isCollected: Bool)
        -> Schema
    {
        var (properties, required) = (JSONObject(), [JSONValue]())
        for (component, child) in node.children {
            guard case .key(let key) = component else { continue }
            let part = self.part(child, &fields, isCollected: isCollected)
            properties[key] = part.schema.json
            if part.isRequired { required.append(.string(key)) }
        }
        var schema: Schema = ["type": "object", "properties": .object(properties)]
        if !required.isEmpty || isStrict { schema["required"] = .array(required) }
        if closesObjects || fields.closesParts { schema["additionalProperties"] = false }
        return schema
    }

    private mutating func part(_ node: PathTrie, _ fields: inout FieldSchemas, isCollected: Bool)
        -> PathSchema
    {
        guard let leaf = node.leaf else {
            return node.children.isEmpty
                ? PathSchema(schema: .any, isRequired: false) : container(node, &fields, isCollected: isCollected)
        }
        if node.children.isEmpty || form == .encoding && node.startsWithLeaf {
            return field(leaf, &fields, isCollected: isCollected)
        }
        let inner = fields.openingParts { container(node, &$0, isCollected: isCollected) }
        if form == .encoding { return inner }
        if isStrict {
            locate(fields.plan.fields[leaf.field], of: fields.plan)
            report("a value of which other properties read parts has no \(form) schema")
        }
        let whole = field(leaf, &fields, isCollected: isCollected)
        return PathSchema(
            schema: ["allOf": [whole.schema.json, inner.schema.json]],
            isRequired: whole.isRequired || inner.isRequired)
    }

    /// Returns the schema of an object or array on the path of a field.
    private mutating func container(_ node: PathTrie, _ fields: inout FieldSchemas, isCollected: Bool)
        -> PathSchema
    {
        var part: PathSchema
        switch node.children[0].component {
        case .key:
            let schema = object(node, &fields, isCollected: isCollected)
            part = PathSchema(schema: schema, isRequired: !(schema["required"]?.array ?? []).isEmpty)
        case .index: part = positions(node, &fields, isCollected: isCollected)
        case .anyIndex, .anyKey: part = collection(node, &fields, isCollected: isCollected)
        }
        if isStrict { part.isRequired = true }
        // A value that does not fit on the path of lossy fields is dropped, like one that is missing.
        if form == .decoding, !part.isRequired, node.leaves.allSatisfy({ fields.isCollectedLossily($0.field) }) {
            part.schema = part.schema.orAny()
        }
        // Null ends a path early.
        if !part.isRequired, form == .decoding { part.schema = part.schema.nullable() }
        return part
    }

    /// The greatest number of elements that a schema describes one by one.
    private static var maximumPrefixLength: Int { 1000 }

    /// Returns the schema of an array of which fields read single elements.
    private mutating func positions(_ node: PathTrie, _ fields: inout FieldSchemas, isCollected: Bool)
        -> PathSchema
    {
        if isStrict { report("a single element of an array has no \(form) schema", at: node, of: fields.plan) }
        var items: [Int: Schema] = [:]
        var count = 0
        for (component, child) in node.children {
            guard case .index(let index) = component else { continue }
            let part = fields.openingParts { self.part(child, &$0, isCollected: isCollected) }
            // An element before a written one is null.
            items[index] = form == .encoding && !part.isRequired ? part.schema.nullable() : part.schema
            if part.isRequired { count = max(count, index + 1) }
        }
        let length = min((items.keys.max() ?? -1) + 1, Self.maximumPrefixLength)
        let gap = form == .encoding ? Schema.null : .any
        var schema: Schema = [
            "type": "array", "prefixItems": .array((0..<length).map { (items[$0] ?? gap).json }),
        ]
        if count > 0 { schema["minItems"] = .number(JSONNumber(count)) }
        if form == .encoding, items.keys.allSatisfy({ $0 < length }) { schema["items"] = false }
        return PathSchema(schema: schema, isRequired: count > 0)
    }

    /// Returns the schema of an array or object of which fields collect values.
    private mutating func collection(
        _ node: PathTrie, _ fields: inout FieldSchemas, isCollected: Bool
    )
        -> PathSchema
    {
        let isRequired = !isCollected && node.leaves.contains { fields.isAlwaysPresent($0.field, form, writing) }
        guard node.children[0].component == .anyIndex else {
            if isStrict {
                report(
                    "the members of an object with unknown keys have no \(form) schema", at: node, of: fields.plan)
            }
            // The keys of the members are not kept, so only an empty object can be written.
            if form == .encoding {
                return PathSchema(schema: ["type": "object", "maxProperties": 0], isRequired: isRequired)
            }
            let values = fields.openingParts { part(node.children[0].node, &$0, isCollected: true) }.schema
            return PathSchema(
                schema: ["type": "object", "additionalProperties": values.json], isRequired: isRequired)
        }
        let items = fields.openingParts { part(node.children[0].node, &$0, isCollected: true) }.schema
        return PathSchema(schema: ["type": "array", "items": items.json], isRequired: isRequired)
    }

    // MARK: Fields

    private mutating func field(_ leaf: PathTrie.Leaf, _ fields: inout FieldSchemas, isCollected: Bool)
        -> PathSchema
    {
        let info = fields.plan.fields[leaf.field]
        guard let layout = info.layout else { return PathSchema(schema: .any, isRequired: false) }
        locate(info, of: fields.plan)
        let coercion = form == .decoding ? info.coercion ?? coercion : .strict
        let text = fields.descriptions[leaf.field]
        if isCollected {
            let schema = elements(info.element ?? layout.element, isLossy: info.declared.isLossy, coercion)
            return PathSchema(
                schema: schema.described(text, wrapsReferences: isStrict), isRequired: isStrict)
        }
        var schema = present(layout, coercion)
        let isRequired: Bool
        let mayBeNull: Bool
        let distinguishesNull = layout.shape.nullValues != nil
        switch form {
        case .decoding:
            isRequired = info.isRequired && info.paths.count == 1
            // An optional flattened model is nil if all its members are null.
            mayBeNull =
                layout.isOptional || distinguishesNull || info.defaultsOnNull || info.paths.count > 1
                || info.group != nil
            // A candidate is ignored if an earlier one is present. Null is not a value of another type.
            if leaf.rank > 0 || mayBeNull && info.acceptsAny(coercion) {
                schema = schema.orAny()
            } else if info.acceptsAny(coercion) {
                schema = .any(of: [schema, Self.notNull])
            }
        case .tool: (isRequired, mayBeNull) = (info.isRequired, distinguishesNull)
        case .strict, .gemini:
            (isRequired, mayBeNull) = (true, layout.isOptional || distinguishesNull || info.defaultsOnNull)
        case .encoding:
            isRequired = fields.isAlwaysPresent(leaf.field, form, writing)
            mayBeNull = distinguishesNull || layout.isOptional && writing.writesNulls
        }
        if mayBeNull {
            schema = schema.nullable()
            if form == .decoding { schema = schema.nullableInText() }
        }
        schema = schema.described(text, wrapsReferences: isStrict)
        if form == .decoding || form == .tool, let value = defaultValue(of: info, layout) {
            schema["default"] = value
        }
        return PathSchema(schema: schema, isRequired: isRequired)
    }

    /// Returns the JSON of a field's default; nil if the field has none, or another one each time.
    private func defaultValue(of info: FieldInfo, _ layout: LayoutReference) -> JSONValue? {
        guard info.defaultsWhenMissing, !info.declared.isDefaultIsolated, let make = info.declared.makeDefault
        else {
            return nil
        }
        func value() -> JSONValue? {
            layout.withTemporaryMemory { memory in
                make(memory)
                defer { layout.destroy(memory) }
                return encoded(memory, layout)
            }
        }
        let first = value()
        return first == value() ? first : nil
    }

    // MARK: Constraints

    /// The constraints of fields with several keys: the first candidate that is present has the type of the field.
    private mutating func candidateConstraints(_ plan: ResolvedPlan) -> [Schema] {
        guard form == .decoding else { return [] }
        return plan.fields.filter { $0.paths.count > 1 }.compactMap { field in
            guard let layout = field.layout else { return nil }
            let coercion = field.coercion ?? coercion
            let isFree = !field.isRequired
            let schema = field.acceptsAny(coercion) ? .any : present(layout, coercion)
            let notNull = self.notNull(layout)
            if isFree, schema.isAny { return nil }
            var alternatives: [Schema] = []
            var earlier: [Schema] = []
            for path in field.paths {
                let candidate = presence(path.components[...], schema.isAny ? notNull : schema)
                alternatives.append(
                    earlier.isEmpty ? candidate : candidate.constrained(by: [["not": Schema.any(of: earlier).json]])
                )
                earlier.append(presence(path.components[...], notNull))
            }
            if isFree { alternatives.append(["not": Schema.any(of: earlier).json]) }
            return .any(of: alternatives)
        }
    }

    private static let notNull: Schema = ["not": Schema.null.json]

    /// The schema of any JSON except null, and except null in a string if strings are read as JSON.
    private func notNull(_ layout: LayoutReference) -> Schema {
        guard layout.readsText || layout.kind == .converted && layout.contents != nil else { return Self.notNull }
        return ["not": Schema.any(of: [.null, Self.embedded(.null)]).json]
    }

    /// The constraints that a flattened model is present as a whole or not at all.
    private mutating func groupConstraints(_ plan: ResolvedPlan) -> [Schema] {
        guard form == .decoding else { return [] }
        return plan.groups.compactMap { group in
            let fields = group.fields.map { plan.fields[$0] }.filter { !$0.paths.isEmpty }
            let needed = fields.filter { $0.isNeededInGroup }.map { presence(of: $0) }
            let rest = fields.filter { !$0.isNeededInGroup && !$0.takesNull }.flatMap(\.paths).map {
                notNull($0.components[...])
            }
            if needed.isEmpty, rest.isEmpty { return nil }
            let whole: Schema = ["allOf": .array((needed + rest).map(\.json))]
            let none: Schema = ["not": Schema.any(of: fields.map { presence(of: $0) }).json]
            return .any(of: [whole, none])
        }
    }

    /// The keys that each key of an optional flattened model requires, which is present as a whole or not at all; nil without such keys.
    /// Interfaces of language models take no other constraint of an object at the root.
    private func dependentKeys(of plan: ResolvedPlan) -> JSONValue? {
        var dependent = JSONObject()
        for group in plan.groups {
            let fields = group.fields.map { plan.fields[$0] }
            let needed = fields.filter { $0.isNeededInGroup }.compactMap { $0.paths.first?.onlyKey }
            for key in fields.compactMap({ $0.paths.first?.onlyKey }) where needed.contains(where: { $0 != key }) {
                dependent[key] = .array(needed.filter { $0 != key }.map { .string($0) })
            }
        }
        return dependent.isEmpty ? nil : .object(dependent)
    }

    /// The schema of an object with a value for a field. A value that the default or nil replaces is none.
    private mutating func presence(of field: FieldInfo) -> Schema {
        let coercion = field.coercion ?? coercion
        let schema = field.acceptsAny(coercion) ? field.layout.map { present($0, coercion) } ?? .any : .any
        var notNull = field.layout.map { self.notNull($0) } ?? Self.notNull
        if let layout = field.layout, field.paths.count == 1, !layout.isOptional, !field.defaultsOnNull {
            // Null is a value of any JSON.
            if layout.isAnyJSON {
                notNull = .any
            } else if layout.contents?.isAnyJSON == true {
                notNull = Self.notNull
            }
        }
        return .any(of: field.paths.map { presence($0.components[...], schema.isAny ? notNull : schema) })
    }

    /// The schema of an object or array with a value at a path that is not null.
    private func presence(_ path: ArraySlice<JSONPath.Component>, _ schema: Schema) -> Schema {
        guard let component = path.first else { return schema }
        let inner = presence(path.dropFirst(), schema).json
        switch component {
        case .key(let key):
            return ["type": "object", "required": [.string(key)], "properties": .object([key: inner])]
        case .index(let index) where index < Self.maximumPrefixLength:
            let items = repeatElement(Schema.any.json, count: index) + [inner]
            return ["type": "array", "prefixItems": .array(items), "minItems": .number(JSONNumber(index + 1))]
        case .index(let index): return ["type": "array", "minItems": .number(JSONNumber(index + 1))]
        case .anyIndex: return ["type": "array"]
        case .anyKey: return ["type": "object"]
        }
    }

    /// The schema of an object without null at a path of keys.
    private func notNull(_ path: ArraySlice<JSONPath.Component>) -> Schema {
        guard let component = path.first else { return Self.notNull }
        guard case .key(let key) = component else { return .any }
        return ["properties": .object([key: notNull(path.dropFirst()).json])]
    }

    /// The schema of the values of extra keys.
    private mutating func extraValues(_ extra: FieldInfo) -> Schema {
        elements(extra.element, isLossy: extra.declared.isLossy, extra.coercion ?? coercion)
    }

    /// The constraints of the enums whose keys are members of the model's object.
    private mutating func flattenedEnums(_ plan: ResolvedPlan) -> [Schema] {
        plan.flattenedEnums.compactMap { flattened in
            let info = plan.fields[flattened.field]
            guard let layout = info.layout, let inner = layout.table?.plan, let union = inner.union else {
                return nil
            }
            let isClosed = form == .decoding && plan.unknownKeys == .reject
            let keys = flattened.keys.names.map(\.text).sorted()
            let extra = plan.fields.first { $0.isExtraWritten(form) }.map { extraValues($0) }
            let others = UnreadKeys(
                all: keys, known: keys.filter { plan.reads($0, besides: flattened) }, extra: extra)
            let schema = self.union(
                union, of: inner, isPart: true, unread: isClosed || extra != nil ? others : nil)
            guard layout.isOptional else { return schema }
            if form == .encoding { return schema.orAny() }
            let tags = flattened.tagging.tag.map { [$0] } ?? keys
            let presence = Schema.any(of: tags.map { ["required": [.string($0)]] })
            var absence: Schema = ["not": presence.json]
            if let extra { absence["properties"] = .object(JSONObject(keys.map { ($0, extra.json) })) }
            let isOpen = !isClosed && rejectsUnknownKeys(inner)
            return .any(of: [schema, isOpen ? absence.withAnyMembers() : absence])
        }
    }
}

/// The fields of a plan, with their descriptions.
private struct FieldSchemas {
    let plan: ResolvedPlan
    let descriptions: [String?]
    /// Whether an object on a path has no other keys than those of paths, because the extra keys cannot hold them.
    private(set) var closesParts: Bool

    init(plan: ResolvedPlan, descriptions: [String?], _ form: JSONSchemaForm) {
        (self.plan, self.descriptions) = (plan, descriptions)
        let extra = plan.fields.first(where: \.isExtra)
        closesParts = form == .decoding && extra.map { !$0.declared.isLossy && $0.element?.kind != .value } ?? false
    }

    /// Makes the schema of an array, or of a value that another field reads as a whole, below which every key is allowed.
    mutating func openingParts(_ make: (inout FieldSchemas) -> PathSchema) -> PathSchema {
        let closed = closesParts
        closesParts = false
        defer { closesParts = closed }
        return make(&self)
    }

    /// Whether a field drops the values that fail among those that the field collects.
    func isCollectedLossily(_ field: Int) -> Bool {
        plan.fields[field].collects && plan.fields[field].declared.isLossy
    }

    /// Whether the value of a field is part of every document.
    func isAlwaysPresent(_ field: Int, _ form: JSONSchemaForm, _ writing: EncodingOptions) -> Bool {
        let info = plan.fields[field]
        switch form {
        case .strict, .gemini: return true
        case .tool: return info.isRequired
        case .decoding: return info.isRequired && info.paths.count == 1
        case .encoding:
            guard info.group == nil, let layout = info.layout, layout.shape.nullValues == nil else { return false }
            // The payload of an optional may be absent, too.
            var shape = layout.shape
            while let payload = shape.payload {
                shape = payload
                if shape.nullValues != nil { return false }
            }
            return layout.nilTest == .never || layout.isOptional && writing.writesNulls
        }
    }
}

extension JSONPath {
    /// The key of a path of one key; nil for other paths.
    fileprivate var onlyKey: String? {
        if components.count == 1, case .key(let key) = components[0] { key } else { nil }
    }
}

extension FieldInfo {
    /// Whether a value of another type is replaced by the default or nil.
    fileprivate func acceptsAny(_ coercion: JSONCoercion) -> Bool {
        defaultsOnMismatch || coercion.keepsOnMismatch && (layout?.isOptional == true || defaultsWhenMissing)
    }

    /// Whether null is a value of the field, or stands for one.
    fileprivate var takesNull: Bool {
        guard let layout, paths.count == 1 else { return true }
        return layout.isOptional || defaultsOnNull || layout.shape.nullValues != nil || layout.isAnyJSON
    }

    /// Whether the field has all members that no other field has.
    fileprivate func isExtraWritten(_ form: JSONSchemaForm) -> Bool {
        guard form == .encoding else { return isExtra }
        return if case .extra = declared.role { declared.isEncoded } else { false }
    }
}

extension _AnyModelPlan {
    /// The descriptions of the resolved plan's fields, in their order.
    fileprivate var memberDescriptions: [String?] {
        let texts = descriptions.map { $0.members() }
        return fields.filter { $0.offset != nil }.flatMap { field -> [String?] in
            if case .flattened(let child) = field.role, child().union == nil { return child().memberDescriptions }
            return [texts.lazy.compactMap { $0[field.name] }.first]
        }
    }
}
