/// Finds models that describe the same objects, and merges them.
///
/// Two models are merged if they have the same keys, or the same name and most keys in common, unless the values under a key
/// differ in type. A model that contains such a model is recursive.
final class EqualModels {
    /// A model, with the name that its key suggests.
    struct Candidate {
        let object: ObjectObservation
        /// The objects with the members of all cases, if the model contains a union; else the object.
        let members: ObjectObservation
        /// The union in the model.
        let union: ObjectForms.ContentUnion?
        let name: String
        /// The model with the key.
        let parent: ObjectObservation?
    }

    /// The facts that equal models have in common.
    private struct Model: Hashable {
        let keys: Set<String>
        /// The keys of the union in the model.
        let tag: String?
        let content: String?

        init(_ candidate: Candidate) {
            keys = candidate.members.keys
            (tag, content) = (candidate.union?.tag, candidate.union?.key)
        }

        func isSimilar(to other: Model) -> Bool {
            guard tag == other.tag, content == other.content else { return false }
            let common = keys.intersection(other.keys).count
            return common * 10 >= (keys.count + other.keys.count - common) * 6
        }
    }

    private typealias Entry = (candidate: Candidate, model: Model)

    private var forms: ObjectForms
    private let root: ValueObservation
    private let rootName: String
    private var byName: [String: [Entry]] = [:]
    private var byModel: [Model: [Entry]] = [:]

    /// The greatest number of different models with one name, or with the same keys, that are compared with a model.
    private static let maximumComparedCount = 32
    /// The greatest number of searches, each of which takes the time of all models. A search finds all pairs but those that merges
    /// make equal.
    private static let maximumSearches = 50

    init(_ root: ValueObservation, name: String, _ forms: ObjectForms) {
        (self.root, self.forms, rootName) = (root, forms, name)
    }

    /// Merges equal models, and returns the forms of the rest.
    func merge() -> ObjectForms {
        for _ in 0..<Self.maximumSearches {
            guard mergesAny() else { break }
            forms.update(root)
        }
        return forms
    }

    private func mergesAny() -> Bool {
        (byName, byModel) = ([:], [:])
        var merging = Merging.uniting
        var walk = ModelWalk(forms) { [self] candidate in
            let model = Model(candidate)
            if model.keys.isEmpty { return }
            let isKnown = { (entry: Entry) in entry.candidate.object.resolved === candidate.object }
            let namesakes = byName[candidate.name, default: []]
            let equals = byModel[model, default: []]
            guard !namesakes.contains(where: isKnown) else { return }
            let match =
                equals.first { isEqual($0, (candidate, model)) }
                ?? namesakes.first { $0.model != model && isEqual($0, (candidate, model)) }
            if let match {
                merging.merge(candidate.object, into: match.candidate.object.resolved)
                merging.finish()
                return
            }
            if namesakes.count < Self.maximumComparedCount {
                byName[candidate.name, default: []].append((candidate, model))
            }
            if equals.count < Self.maximumComparedCount, !equals.contains(where: isKnown) {
                byModel[model, default: []].append((candidate, model))
            }
        }
        walk.visit(root, name: rootName)
        return !merging.changed.isEmpty
    }

    private func isEqual(_ one: Entry, _ other: Entry) -> Bool {
        let (object, otherObject) = (one.candidate.object.resolved, other.candidate.object)
        if object === otherObject { return false }
        let (members, otherMembers) = (one.candidate.members.resolved, other.candidate.members.resolved)
        if one.model != other.model {
            guard one.model.isSimilar(to: other.model) else { return false }
        } else if one.model.keys.count == 1, let key = one.model.keys.first,
            members.field(key)?.value.kinds != otherMembers.field(key)?.value.kinds
        {
            return false
        }
        return !members.conflicts(with: otherMembers) && !hasOtherForms(members, otherMembers)
    }

    /// Whether a member is a model in one object, and not in the other.
    private func hasOtherForms(_ one: ObjectObservation, _ other: ObjectObservation) -> Bool {
        one.fields.contains { field in
            guard let objects = field.value.innerObjects, let others = other.field(field.key)?.value.innerObjects
            else {
                return false
            }
            return switch (forms[objects], forms[others]) {
            case (.model, .model), (.dictionary, .dictionary), (.union, .union), (.content, .content): false
            case (.empty, _), (_, .empty): false
            default: true
            }
        }
    }
}

extension ValueObservation {
    /// The objects, if all values other than null are observed objects, or arrays of such objects.
    fileprivate var innerObjects: ObjectObservation? {
        kinds == .array && !isOpaque ? elements?.innerObjects : onlyObjects
    }
}

/// Visits all models of a value, in the order of their declarations, with the names that their keys suggest.
struct ModelWalk {
    private let forms: ObjectForms
    private let body: (EqualModels.Candidate) -> Void
    private var visited: Set<ObjectIdentifier> = []
    private var openDictionaries: Set<ObjectIdentifier> = []
    /// The number of models around the next value.
    private var depth = 0
    /// The values that are visited later, because too many models are around them.
    private var later: [(value: ValueObservation, name: String, parent: ObjectObservation?)] = []

    /// The greatest number of models around each other that are visited by recursion. Merged models can be around each other in any
    /// number.
    static let maximumDepth = 48

    init(_ forms: ObjectForms, _ body: @escaping (EqualModels.Candidate) -> Void) {
        (self.forms, self.body) = (forms, body)
    }

    /// Visits the root, whose elements have its name.
    mutating func visit(_ value: ValueObservation, name: String) {
        visit(value, name, in: nil, isRoot: true)
        while let next = later.popLast() { visit(next.value, next.name, in: next.parent) }
    }

    private mutating func visit(
        _ value: ValueObservation, _ name: String, in parent: ObjectObservation?, isRoot: Bool = false
    ) {
        let inner = isRoot ? name : Names.singular(name)
        if let elements = value.elements, value.kinds == .array {
            visit(elements, inner, in: parent, isRoot: isRoot)
        }
        guard let object = value.onlyObjects else { return }
        switch forms[object] {
        case .empty: return
        case .model: visit(object, object, nil, name, in: parent)
        case .dictionary(let values):
            // The values of a dictionary can be the same dictionary.
            guard openDictionaries.insert(ObjectIdentifier(object)).inserted else { return }
            visit(values, inner, in: parent, isRoot: isRoot)
            openDictionaries.remove(ObjectIdentifier(object))
        case .union:
            guard visited.insert(ObjectIdentifier(object)).inserted else { return }
            for variant in object.liveVariants where !variant.objects.keys.isEmpty {
                visit(variant.objects, variant.objects, nil, Names.type(variant.tag), in: nil)
            }
        case .content(let union):
            visit(object, union.common.resolved, union, name, in: parent)
        }
    }

    private mutating func visit(
        _ object: ObjectObservation, _ members: ObjectObservation, _ union: ObjectForms.ContentUnion?,
        _ name: String,
        in parent: ObjectObservation?
    ) {
        body(EqualModels.Candidate(object: object, members: members, union: union, name: name, parent: parent))
        guard visited.insert(ObjectIdentifier(object)).inserted else { return }
        for field in members.fields where field.count > 0 {
            visitMember(field.value, Names.type(field.key), in: object)
        }
        for content in union?.contents ?? [] {
            visitMember(content.value, Names.type(content.tag) + Names.type(union?.key ?? ""), in: nil)
        }
    }

    private mutating func visitMember(_ value: ValueObservation, _ name: String, in parent: ObjectObservation?) {
        guard depth < Self.maximumDepth else { return later.append((value, name, parent)) }
        depth += 1
        visit(value, name, in: parent)
        depth -= 1
    }
}
