import Sluice
import TestSupport

// Enums of random payloads, in every tagging and with every kind of fallback.

enum InternalA: Tagging {
    static let tagging = JSONTagging.internal(tag: "a")
    static let hasTag = true
    static func node(_ name: String, _ payload: JSONNode?, _ sampler: Sampler) -> JSONNode {
        Internal.tagged(name, payload, "a", sampler)
    }
    static func stray(_ node: JSONNode, hasPayload: Bool, _ keys: [String], _ sampler: Sampler) -> JSONNode {
        Internal.stray(node, hasPayload: hasPayload, keys, sampler)
    }
}

/// The names of the cases.
protocol CaseNames {
    static var first: [String] { get }
    static var second: [String] { get }
}

enum DerivedNames: CaseNames {
    static let first: [String] = []
    static let second: [String] = []
}
enum KeyNames: CaseNames {
    static let first = ["a"]
    static let second = ["b", "second"]
}

/// The case for unknown names, and its payload.
protocol RandomFallback {
    associatedtype Payload: Part
    static var name: String? { get }
    /// Whether any JSON with an unknown name is accepted.
    static var isOpen: Bool { get }
    /// Whether the payload is encoded as it was.
    static var keepsAll: Bool { get }
}
extension RandomFallback {
    static var keepsAll: Bool { true }
}

enum Nowhere: RandomFallback {
    typealias Payload = Int
    static let name: String? = nil
    static let isOpen = false
}
enum ToNone: RandomFallback {
    typealias Payload = Int
    static let name: String? = "none"
    static let isOpen = true
}
enum ToOther<Payload: Part>: RandomFallback {
    static var name: String? { "other" }
    static var isOpen: Bool { Payload.self == String.self || Payload.self == JSONValue.self }
    // The name of a model's case is not part of the model.
    static var keepsAll: Bool {
        isOpen || Payload.self == JSONRaw.self || Payload.self == [String: JSONValue].self
    }
}

indirect enum Union<S: Style, T: Tagging, N: CaseNames, X: RandomFallback, A: Part, B: Part>: ObjectPart, JSONEnum {
    case none
    case first(A)
    case second(B)
    case other(X.Payload)

    static var plan: ModelPlan<Union> {
        .shared {
            var cases: [JSONCase<Union>] = [
                JSONCase("none", value: .none, matches: { if case .none = $0 { true } else { false } }),
                .of("first", keys: N.first, Self.first) { if case .first(let value) = $0 { value } else { nil } },
                .of("second", keys: N.second, Self.second) {
                    if case .second(let value) = $0 { value } else { nil }
                },
            ]
            if X.name == "other" {
                cases.append(.of("other", Self.other) { if case .other(let value) = $0 { value } else { nil } })
            }
            return S.adding(
                to: ModelPlan(
                    cases: cases, tagging: T.tagging, fallback: X.name, keys: S.keys, coercion: S.jsonCoercion,
                    unknownKeys: S.unknownKeys))
        }
    }

    static func sample(_ sampler: Sampler) -> JSONNode { sampler.withCoercion(S.coercion) { sampleCase(sampler) } }
    static func sampleInside(_ sampler: Sampler) -> JSONNode { sample(sampler) }

    private static func sampleCase(_ sampler: Sampler) -> JSONNode {
        if facts.sharesKeys || S.unknownKeys == .reject || S.mayRefuse { sampler.noteFault() }
        // An unknown key may be one of a later case.
        switch sampler.below(X.name == nil ? 7 : 10) {
        case 0: return T.node(name("none", [], sampler), nil, sampler)
        case 1, 2, 3: return node(name("first", N.first, sampler), sampler.value(A.self), sampler)
        case 4, 5, 6: return node(name("second", N.second, sampler), sampler.value(B.self), sampler)
        default:
            if !X.isOpen || !T.hasTag || T.self == External.self { sampler.noteFault() }
            let names = ["oval", "other", "unknown", ""]
            let payload = X.name == "other" ? X.Payload.sample(sampler) : .object(sampler.unknownMembers(1))
            if X.Payload.self == String.self { return T.node(sampler.pick(names), nil, sampler) }
            return X.name == "other" && T.hasTag && sampler.chance(3)
                ? payload : node(sampler.pick(names), payload, sampler)
        }
    }

    private static func name(_ name: String, _ names: [String], _ sampler: Sampler) -> String {
        names.isEmpty ? (S.keys ?? sampler.context.keys).key(for: name) : sampler.pick(names)
    }

    private static func node(_ name: String, _ payload: JSONNode, _ sampler: Sampler) -> JSONNode {
        if case .internal(let tag) = T.tagging {
            // A payload without members has no place for the tag. A member of the payload may be taken for the tag.
            guard case .object(let members) = payload, !members.contains(where: { $0.key == tag }) else {
                sampler.noteFault()
                return T.node(name, payload, sampler)
            }
        }
        return T.node(name, payload, sampler)
    }

    static var facts: Facts {
        var facts = Facts(inside: [A.facts, B.facts, X.Payload.facts])
        var (first, second) = (A.facts, B.facts)
        if X.name == "other" {
            facts.hasExactSchema = facts.hasExactSchema && X.keepsAll
            first.keys = first.keys.flatMap { keys in X.Payload.facts.keys.map { keys.union($0) } }
        }
        switch T.tagging {
        case .external: facts.keys = Set(["none", "first", "second", "other"] + N.first + N.second)
        case .adjacent(let tag, let content): facts.keys = [tag, content]
        case .internal(let tag):
            facts.sharesKeys =
                facts.sharesKeys || [first, second].contains { $0.keys?.contains(tag) == true }
            // A dictionary of an enum in an enum may have the tag of the outer enum as an entry.
            for (type, inner) in [(A.self as Any.Type, first), (B.self, second)] where type is any JSONEnum.Type {
                facts.sharesKeys = facts.sharesKeys || inner.keys == nil
            }
            second.keys?.insert(tag)
            fallthrough
        case .untagged:
            facts.keys = first.keys.flatMap { keys in second.keys.map { keys.union($0) } }
        }
        // A case of an untagged enum that comes later may be written as an earlier one's JSON.
        if N.second.count > 1, B.self is any LazyPart.Type { facts.roundTrips = false }
        facts.roundTrips = facts.roundTrips && T.hasTag && !facts.sharesKeys && (X.name != "other" || X.keepsAll)
        return facts
    }
    // The first of several unknown names is the unknown case.
    static var isOrdered: Bool {
        T.self == External.self && X.Payload.self == String.self || A.isOrdered || B.isOrdered
            || X.Payload.isOrdered
    }
}
