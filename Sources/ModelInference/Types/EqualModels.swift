/// Finds models that describe the same objects, and merges them.
///
/// Two models are merged if they have the same keys, or the same name and most keys in common, unless the values under a key
/// differ in type. A model is not merged with a model that it contains, except in arrays and dictionaries.
struct EqualModels {
    /// A model, with the name that its key suggests.
    struct Candidate {
        let object: ObjectObservation
        let name: String
        /// The model with the key.
        let parent: ObjectObservation?
    }

    private var forms: ObjectForms
    private let root: ValueObservation
    private let rootName: String

    /// The greatest number of searches, because each takes the time of all models.
    private static let greatestCount = 2_000

    init(_ root: ValueObservation, name: String, _ forms: ObjectForms) {
        (self.root, self.forms, rootName) = (root, forms, name)
    }

    /// Merges equal models, and returns the forms of the rest.
    mutating func merge() -> ObjectForms {
        for _ in 0..<Self.greatestCount {
            guard let (one, other) = nextPair() else { break }
            other.mergedInto = one
            one.merge(other)
            forms.update(root)
        }
        return forms
    }

    private func nextPair() -> (ObjectObservation, ObjectObservation)? {
        var byName: [String: [ObjectObservation]] = [:]
        var byKeys: [Set<String>: [ObjectObservation]] = [:]
        var pair: (ObjectObservation, ObjectObservation)?
        var walk = ModelWalk(forms) { candidate in
            guard pair == nil, case let object = candidate.object, case let keys = object.keys, !keys.isEmpty else {
                return
            }
            let known = byKeys[keys, default: []] + byName[candidate.name, default: []]
            if let match = known.first(where: { isEqual($0, object, isNamesake: $0.keys != keys) }) {
                pair = (match, object)
            }
            byKeys[keys, default: []].append(object)
            byName[candidate.name, default: []].append(object)
        }
        walk.visit(root, name: rootName)
        return pair
    }

    private func isEqual(_ one: ObjectObservation, _ other: ObjectObservation, isNamesake: Bool) -> Bool {
        if one === other { return false }
        let (keys, otherKeys) = (one.keys, other.keys)
        if isNamesake {
            let common = keys.intersection(otherKeys).count
            guard common * 10 >= keys.union(otherKeys).count * 6 else { return false }
        } else if keys.count == 1, let key = keys.first, case let pair = (one.field(key), other.field(key)),
            pair.0?.value.kinds != pair.1?.value.kinds
        {
            return false
        }
        if one.conflicts(with: other) || hasOtherForms(one, other) { return false }
        return !contains(one, other) && !contains(other, one)
    }

    /// Whether a member is a model in one object, and not in the other.
    private func hasOtherForms(_ one: ObjectObservation, _ other: ObjectObservation) -> Bool {
        one.fields.contains { field in
            guard let objects = field.value.onlyObjects, let others = other.field(field.key)?.value.onlyObjects
            else {
                return false
            }
            return switch (forms[objects], forms[others]) {
            case (.model, .model), (.dictionary, .dictionary), (.union, .union), (.content, .content): false
            default: true
            }
        }
    }

    /// Whether a model contains another one, directly and not in an array or a dictionary.
    private func contains(_ outer: ObjectObservation, _ inner: ObjectObservation) -> Bool {
        var visited: Set<ObjectIdentifier> = []
        var open = [outer]
        while let object = open.popLast() {
            guard visited.insert(ObjectIdentifier(object)).inserted else { continue }
            for part in forms.directParts(of: object) {
                if part === inner { return true }
                open.append(part)
            }
        }
        return false
    }
}

extension ObjectForms {
    /// The objects whose values are stored in those of an object.
    func directParts(of object: ObjectObservation) -> [ObjectObservation] {
        func parts(_ objects: ObjectObservation) -> [ObjectObservation] {
            objects.fields.compactMap { $0.value.onlyObjects }
        }
        return switch self[object] {
        case .model: parts(object)
        case .dictionary: []
        case .union: object.liveVariants.flatMap { parts($0.objects) }
        case .content(let union): parts(union.common.resolved) + union.contents.compactMap { $0.value.onlyObjects }
        }
    }
}

/// Visits all models of a value, in the order of their declarations, with the names that their keys suggest.
struct ModelWalk {
    private let forms: ObjectForms
    private let body: (EqualModels.Candidate) -> Void
    private var visited: Set<ObjectIdentifier> = []

    init(_ forms: ObjectForms, _ body: @escaping (EqualModels.Candidate) -> Void) {
        (self.forms, self.body) = (forms, body)
    }

    /// Visits the root, whose elements have its name.
    mutating func visit(_ value: ValueObservation, name: String) { visit(value, name, in: nil, isRoot: true) }

    private mutating func visit(
        _ value: ValueObservation, _ name: String, in parent: ObjectObservation?, isRoot: Bool = false
    ) {
        let inner = isRoot ? name : Names.singular(name)
        if let elements = value.elements, value.kinds == .array {
            visit(elements, inner, in: parent, isRoot: isRoot)
        }
        guard let object = value.onlyObjects else { return }
        switch forms[object] {
        case .model: visit(object, name, in: parent)
        case .dictionary(let values): visit(values, inner, in: parent, isRoot: isRoot)
        case .union:
            guard visited.insert(ObjectIdentifier(object)).inserted else { return }
            for variant in object.liveVariants where !variant.objects.keys.isEmpty {
                visit(variant.objects, Names.type(variant.tag), in: nil)
            }
        case .content(let union):
            guard visited.insert(ObjectIdentifier(object)).inserted else { return }
            visit(union.common.resolved, name, in: parent)
            for content in union.contents {
                visit(content.value, Names.type(content.tag) + Names.type(union.key), in: nil)
            }
        }
    }

    private mutating func visit(_ object: ObjectObservation, _ name: String, in parent: ObjectObservation?) {
        body(EqualModels.Candidate(object: object, name: name, parent: parent))
        guard visited.insert(ObjectIdentifier(object)).inserted else { return }
        for field in object.fields where field.count > 0 { visit(field.value, Names.type(field.key), in: object) }
    }
}
