/// An enum with associated values whose keys are members of the enclosing model's object.
struct FlattenedEnum {
    let field: Int
    /// The entry of the enum's field, which has no key.
    let entry: EntryReference
    let tagging: JSONTagging
    /// The keys that the enum reads.
    let keys: MemberKeys

    /// Whether an object has a key that determines the case.
    func isPresent(in keys: [String]) -> Bool {
        switch tagging {
        case .internal(let tag), .adjacent(let tag, _): keys.contains(tag)
        case .external, .untagged: keys.contains { self.keys.names.contains($0) }
        }
    }

    /// Returns the defect of a plan with two flattened enums that read the same keys, or nil.
    static func defect(
        of enums: [(field: Int, union: DeclaredUnion, keys: MemberKeys)], in fields: [FieldInfo]
    ) -> String? {
        let extra = fields.first(where: \.isExtra)
        for (index, one) in enums.enumerated() {
            let name = fields[one.field].name
            if one.keys.isOpen, let extra { return "'\(name)' and '\(extra.name)' both take all other keys" }
            for other in enums[..<index] where !one.union.tagging.keys.isDisjoint(with: other.union.tagging.keys) {
                return "'\(fields[other.field].name)' and '\(name)' are enums with the same tag"
            }
        }
        return nil
    }
}

extension ResolvedPlan {
    /// Whether a flattened enum receives the member with a key.
    ///
    /// The enum may refuse a key that neither the enum nor another field has, unless the model itself refuses unknown keys.
    func offers(_ key: String, to flattened: FlattenedEnum) -> Bool {
        flattened.keys.names.contains(key) || unknownKeys == .ignore && !ownKeys.contains(key)
    }
}

/// The keys that a type may read from the members of an object.
struct MemberKeys {
    private(set) var names: Set<String> = []
    /// Whether the type may read any key.
    private(set) var isOpen = false
    private var visited: Set<ObjectIdentifier> = []
    private let strategy: JSONKeyStrategy

    init(of erasedPlan: AnyModelPlan, keys: JSONKeyStrategy) {
        strategy = keys
        add(erasedPlan)
    }

    private mutating func add(_ erasedPlan: AnyModelPlan) {
        guard visited.insert(ObjectIdentifier(erasedPlan)).inserted else { return }
        let keys = erasedPlan.options.keys ?? strategy
        if let union = erasedPlan.union {
            names.formUnion(union.tagging.keys)
            for (index, one) in union.cases.enumerated() {
                guard union.hasName(index) else {
                    // The fallback receives the unknown name, which is a key without a tag, or the whole object.
                    let receivesTag = one.payload?.layout.pointee.kind == .string && union.tagging.tag != nil
                    isOpen = isOpen || !receivesTag
                    continue
                }
                switch union.tagging {
                case .external: names.formUnion(one.names(keys))
                case .adjacent: break
                case .internal, .untagged: if let payload = one.payload { add(payload) }
                }
            }
        }
        for field in erasedPlan.fields {
            switch field.role {
            case .ignored: break
            case .extra: isOpen = true
            case .flattened(let child): add(child())
            case .value: add(field, keys)
            }
        }
    }

    private mutating func add(_ field: DeclaredField, _ keys: JSONKeyStrategy) {
        if field.key == nil { names.insert(keys.key(for: field.name)) }
        for text in (field.key.map { [$0] } ?? []) + field.candidates {
            if case .key(let key)? = (try? JSONPath(parsing: text))?.components.first { names.insert(key) }
        }
    }

    private mutating func add(_ shape: JSONShape) {
        switch shape.category {
        case .model(let model): add(model.plan)
        // A payload that is converted from a value of another type.
        case .adapter(let adapter): add(adapter.inner)
        default: isOpen = true
        }
    }
}

extension JSONTagging {
    /// The keys of the enum besides those of the payload.
    fileprivate var keys: Set<String> {
        switch self {
        case .internal(let tag): [tag]
        case .adjacent(let tag, let content): [tag, content]
        case .external, .untagged: []
        }
    }
}

extension AnyModelPlan {
    /// Whether the model has a flattened enum, directly or in a flattened model.
    var hasFlattenedEnum: Bool {
        fields.contains { field in
            guard case .flattened(let child) = field.role else { return false }
            let erasedPlan = child()
            return erasedPlan.union != nil || erasedPlan.storage == nil && erasedPlan.hasFlattenedEnum
        }
    }
}
