/// Decides the forms of objects: models, dictionaries and unions.
struct ObjectForms {
    enum Form {
        case model
        case dictionary(ValueObservation)
        /// The cases are the variants of the object.
        case union(tag: String)
        /// A model with a union of the contents of a member.
        case content(ContentUnion)
    }

    /// A union in a model: the members of all cases, and the contents of each.
    struct ContentUnion {
        let tag: String
        let key: String
        let common: ObjectObservation
        let contents: [(tag: String, value: ValueObservation)]
        /// The number of objects that were divided.
        let count: Int
    }

    private let options: InferenceOptions
    private var forms: [ObjectIdentifier: Form] = [:]
    /// The objects whose members have a form.
    private var visited: Set<ObjectIdentifier> = []

    init(_ options: InferenceOptions) { self.options = options }

    subscript(object: ObjectObservation) -> Form { forms[ObjectIdentifier(object.resolved)] ?? .model }

    /// Decides the forms of all objects in a value that have none, or have changed.
    mutating func update(_ root: ValueObservation) {
        visited = []
        visit(root)
    }

    private mutating func visit(_ value: ValueObservation) {
        if let elements = value.elements { visit(elements) }
        if let objects = value.objects?.resolved, objects.count > 0 { visit(objects) }
    }

    private mutating func visit(_ object: ObjectObservation) {
        guard visited.insert(ObjectIdentifier(object)).inserted else { return }
        let form = form(of: object)
        forms[ObjectIdentifier(object)] = form
        switch form {
        case .model: visitMembers(object)
        case .dictionary(let value): visit(value)
        case .union: for variant in object.liveVariants { visitMembers(variant.objects) }
        case .content(let union):
            visitMembers(union.common.resolved)
            for content in union.contents { visit(content.value) }
        }
    }

    private mutating func visitMembers(_ object: ObjectObservation) {
        for field in object.fields { visit(field.value) }
    }

    private func form(of object: ObjectObservation) -> Form {
        switch forms[ObjectIdentifier(object)] {
        case .content(let union) where union.count == object.count: return .content(union)
        case .union(let tag): if case .tagged(let own) = object.tagging, own.key == tag { return .union(tag: tag) }
        default: break
        }
        if case .tagged(let divisor) = object.tagging, case let tag = divisor.key {
            switch MemberKey.isExpressible(tag) ? UnionEvidence(object).form : nil {
            case .whole: return .union(tag: tag)
            case .content(let key): return .content(contentUnion(object, tag: tag, key: key))
            case nil: object.removeTags()
            }
        }
        if let value = object.dictionaryValue { return .dictionary(value) }
        if object.keys.isEmpty || object.fields.contains(where: { !MemberKey.isExpressible($0.key) })
            || options.infersDictionaries && isDictionary(object)
        {
            return .dictionary(object.makeDictionary())
        }
        return .model
    }

    private func contentUnion(_ object: ObjectObservation, tag: String, key: String) -> ContentUnion {
        let common = ObjectObservation(tagging: .none)
        var contents: [(tag: String, value: ValueObservation)] = []
        for variant in object.liveVariants {
            common.count += variant.objects.count
            common.mergeMembers(variant.objects)
            if let field = variant.objects.field(key) { contents.append((variant.tag, field.value)) }
        }
        common.removeField(key)
        return ContentUnion(tag: tag, key: key, common: common, contents: contents, count: object.count)
    }

    // MARK: Dictionaries

    /// Whether the keys of objects are data: all of them look like data, or many keys have values that are alike.
    private func isDictionary(_ object: ObjectObservation) -> Bool {
        let fields = object.fields.filter { $0.count > 0 }
        guard let first = fields.first, areAlike(fields) else { return false }
        if fields.allSatisfy({ MemberKey.isData($0.key) }) { return true }
        guard fields.count >= Bounds.dictionaryKeys else { return false }
        if object.count > 1 {
            // Each object has few of the keys.
            return fields.reduce(0) { $0 + $1.count } * 2 <= fields.count * object.count
        }
        return first.value.kinds == .object || fields.count >= Bounds.dictionaryKeys * 3
    }

    private func areAlike(_ fields: [ObjectObservation.Field]) -> Bool {
        guard let first = fields.first(where: { !$0.value.kinds.isEmpty }) else { return false }
        let values = fields.map(\.value)
        if values.contains(where: { $0.kinds.isMixed || first.value.conflicts(with: $0) }) { return false }
        let objects = values.compactMap { $0.onlyObjects }
        guard objects.count > 1 else { return true }
        if objects.contains(where: { $0.dictionaryValue != nil }) { return true }
        // Objects are alike if they have most keys in common.
        let keys = objects.map(\.keys)
        let all = keys.reduce(into: Set<String>()) { $0.formUnion($1) }
        return keys.reduce(0) { $0 + $1.count } * 2 >= all.count * objects.count
    }
}
