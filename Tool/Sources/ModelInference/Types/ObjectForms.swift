import SluiceCore

/// Decides the forms of objects: models, dictionaries and unions.
struct ObjectForms {
    enum Form {
        case model
        case dictionary(ValueObservation)
        /// Objects without members, which can be equal to any objects.
        case empty
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
    /// The forms, with their objects, so that no other object has the same identifier.
    private var forms: [ObjectIdentifier: (object: ObjectObservation, form: Form)] = [:]

    init(_ options: InferenceOptions) { self.options = options }

    subscript(object: ObjectObservation) -> Form { forms[ObjectIdentifier(object.resolved)]?.form ?? .model }

    /// Decides the forms of all objects in a value that have none, or have changed.
    mutating func update(_ root: ValueObservation) {
        var merging = Merging.uniting
        repeat {
            merging.forgetChanged()
            decideAll(root, &merging)
            // A dictionary unites its values, which may be objects with a form.
        } while !merging.changed.isEmpty
    }

    /// Makes the objects at a path of a value dictionaries. Arrays on the path need no `[*]`.
    func makeDictionaries(in value: ValueObservation, at path: ArraySlice<JSONPath.Component>) {
        if let elements = value.elements {
            let isElement = path.first.map { !$0.isOfObject } ?? false
            makeDictionaries(in: elements, at: isElement ? path.dropFirst() : path)
        }
        guard let object = value.objects?.resolved, object.count > 0 else { return }
        guard let step = path.first else {
            var merging = Merging.uniting
            object.makeDictionary(&merging)
            merging.finish()
            return
        }
        let members = [object] + object.liveVariants.map(\.objects)
        let values = members.flatMap(\.fields).filter { step == .key($0.key) || step == .anyKey }.map(\.value)
        for value in values + (object.dictionaryValue.map { [$0] } ?? []) {
            makeDictionaries(in: value, at: path.dropFirst())
        }
    }

    private mutating func decideAll(_ root: ValueObservation, _ merging: inout Merging) {
        var visited: Set<ObjectIdentifier> = []
        var open = root.liveParts
        while let object = open.popLast()?.resolved {
            guard visited.insert(ObjectIdentifier(object)).inserted else { continue }
            let form = form(of: object, &merging)
            merging.finish()
            forms[ObjectIdentifier(object)] = (object, form)
            let parts: [ObjectObservation] =
                switch form {
                case .model: object.memberParts
                case .empty: []
                case .dictionary(let value): value.liveParts
                case .union: object.liveVariants.flatMap(\.objects.memberParts)
                case .content(let union):
                    union.common.resolved.memberParts + union.contents.flatMap(\.value.liveParts)
                }
            open += parts.reversed()
        }
    }

    private func form(of object: ObjectObservation, _ merging: inout Merging) -> Form {
        switch forms[ObjectIdentifier(object)]?.form {
        case .content(let union) where union.count == object.count: return .content(union)
        case .union(let tag): if case .tagged(let own) = object.tagging, own.key == tag { return .union(tag: tag) }
        default: break
        }
        if case .tagged(let divisor) = object.tagging, case let tag = divisor.key {
            // An enum has no empty tag.
            switch tag.isEmpty ? nil : UnionEvidence(object).form {
            case .whole: return .union(tag: tag)
            case .content(let key): return .content(contentUnion(object, tag: tag, key: key, &merging))
            case nil: object.removeTags(&merging)
            }
        }
        if let value = object.dictionaryValue { return .dictionary(value) }
        if object.keys.isEmpty { return .empty }
        if options.infersDictionaries && object.isDictionary {
            return .dictionary(object.makeDictionary(&merging))
        }
        return .model
    }

    private func contentUnion(_ object: ObjectObservation, tag: String, key: String, _ merging: inout Merging)
        -> ContentUnion
    {
        let common = ObjectObservation(tagging: .none)
        var contents: [(tag: String, value: ValueObservation)] = []
        for variant in object.liveVariants {
            common.count += variant.objects.count
            common.mergeMembers(variant.objects, except: key, &merging)
            if let field = variant.objects.field(key) { contents.append((variant.tag, field.value)) }
        }
        return ContentUnion(tag: tag, key: key, common: common, contents: contents, count: object.count)
    }
}

// MARK: Dictionaries

extension ObjectObservation {
    /// Whether the keys of objects are data: all of them look like data, or many keys have values that are alike.
    var isDictionary: Bool {
        let fields = fields.filter { $0.count > 0 }
        // The values of paths are objects of one kind, also if each has other members.
        if !fields.isEmpty, fields.allSatisfy({ MemberKey.isPath($0.key) && $0.value.onlyObjects != nil }) {
            return true
        }
        guard let first = fields.first, Self.areAlike(fields) else { return false }
        if fields.allSatisfy({ MemberKey.isData($0.key) }) || areOptionalScalars(fields) { return true }
        guard fields.count >= Bounds.dictionaryKeys else { return false }
        if count > 1 {
            // Each object has few of the keys.
            return fields.reduce(0) { $0 + $1.count } * 2 <= fields.count * count
        }
        return first.value.kinds == .object || fields.count >= Bounds.dictionaryKeys * 3
    }

    /// Whether no key is in all objects, and all values are numbers or strings.
    private func areOptionalScalars(_ fields: [Field]) -> Bool {
        fields.count >= Bounds.optionalKeys
            && fields.allSatisfy { field in
                field.count < count && field.value.nulls == 0
                    && (field.value.kinds == .number || field.value.kinds == .string)
            }
    }

    private static func areAlike(_ fields: [Field]) -> Bool {
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

// MARK: Parts

extension ValueObservation {
    /// The objects among the values, and those in arrays.
    fileprivate var liveParts: [ObjectObservation] {
        let own = objects.map(\.resolved).flatMap { $0.count > 0 ? [$0] : nil } ?? []
        return own + (elements?.liveParts ?? [])
    }
}

extension ObjectObservation {
    fileprivate var memberParts: [ObjectObservation] { fields.flatMap(\.value.liveParts) }
}
