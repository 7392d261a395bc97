import Sluice
import TestSupport

// Enums with values, in every tagging and with every kind of fallback.

/// How an enum's cases are told apart.
protocol Tagging {
    static var tagging: JSONTagging { get }
    /// Makes the JSON of a case; nil for a payload that has none.
    static func node(_ name: String, _ payload: JSONNode?, _ sampler: Sampler) -> JSONNode
    /// Adds members that the enum does not read to the JSON of a known case.
    ///
    /// - Parameters:
    ///   - hasPayload: Whether the case has a payload.
    ///   - keys: The keys of other cases.
    static func stray(
        _ node: JSONNode, hasPayload: Bool, _ keys: [String], _ sampler: Sampler
    ) -> JSONNode
    /// Whether an unknown case can be told from a known one.
    static var hasTag: Bool { get }
}

enum External: Tagging {
    static let tagging = JSONTagging.external
    static let hasTag = true
    static func node(_ name: String, _ payload: JSONNode?, _ sampler: Sampler) -> JSONNode {
        guard let payload else {
            return sampler.chance(2) ? .string(name) : .object([.init(key: name, value: .null)])
        }
        let member = JSONNode.Member(key: name, value: payload)
        // The last value of a repeated case applies.
        return .object(sampler.repeatsKey() ? [member, member] : [member])
    }

    static func stray(
        _ node: JSONNode, hasPayload: Bool, _ keys: [String], _ sampler: Sampler
    ) -> JSONNode {
        guard case .object(var members) = node else { return node }
        if !hasPayload, sampler.chance(2) {
            let inner = sampler.strayMembers(keys)
            members = members.map { .init(key: $0.key, value: inner.isEmpty ? $0.value : .object(inner)) }
        }
        return .object((members + sampler.strayMembers(keys)).shuffledStably(&sampler.random))
    }
}

enum Internal: Tagging {
    static let tagging = JSONTagging.internal(tag: "type")
    static let hasTag = true
    static func node(_ name: String, _ payload: JSONNode?, _ sampler: Sampler) -> JSONNode {
        tagged(name, payload, "type", sampler)
    }

    static func tagged(_ name: String, _ payload: JSONNode?, _ tag: String, _ sampler: Sampler) -> JSONNode {
        var members: [JSONNode.Member] = []
        switch payload {
        case .object(let own)?: members = own
        case nil: members = sampler.context.allowsUnknownKeys ? sampler.unknownMembers(sampler.below(2)) : []
        case let other?: return other
        }
        members.append(.init(key: tag, value: .string(name)))
        if sampler.repeatsKey() { members.append(.init(key: tag, value: repeatedTag(sampler))) }
        return .object(members.shuffledStably(&sampler.random))
    }

    static func stray(
        _ node: JSONNode, hasPayload: Bool, _ keys: [String], _ sampler: Sampler
    ) -> JSONNode {
        // The members beside a payload are those of the payload.
        guard !hasPayload, case .object(let members) = node else { return node }
        return .object((members + sampler.strayMembers(keys)).shuffledStably(&sampler.random))
    }

    /// A tag after the first, which is ignored.
    static func repeatedTag(_ sampler: Sampler) -> JSONNode {
        sampler.chance(2) ? .string(sampler.pick(["leaf", "point", "oval", "whole"])) : sampler.anything()
    }
}

/// An internal tag of another name, for enums inside of internally tagged ones.
enum InternalKind: Tagging {
    static let tagging = JSONTagging.internal(tag: "kind")
    static let hasTag = true
    static func node(_ name: String, _ payload: JSONNode?, _ sampler: Sampler) -> JSONNode {
        Internal.tagged(name, payload, "kind", sampler)
    }
    static func stray(
        _ node: JSONNode, hasPayload: Bool, _ keys: [String], _ sampler: Sampler
    ) -> JSONNode {
        Internal.stray(node, hasPayload: hasPayload, keys, sampler)
    }
}

enum Adjacent: Tagging {
    static let tagging = JSONTagging.adjacent(tag: "t", content: "c")
    static let hasTag = true
    static func node(_ name: String, _ payload: JSONNode?, _ sampler: Sampler) -> JSONNode {
        var members = [JSONNode.Member(key: "t", value: .string(name))]
        if let payload { members.append(.init(key: "c", value: payload)) }
        if sampler.repeatsKey() { members.append(.init(key: "t", value: Internal.repeatedTag(sampler))) }
        return .object(members.shuffledStably(&sampler.random))
    }

    static func stray(
        _ node: JSONNode, hasPayload: Bool, _ keys: [String], _ sampler: Sampler
    ) -> JSONNode {
        guard case .object(var members) = node else { return node }
        members += sampler.strayMembers(keys)
        if !hasPayload, !members.contains(where: { $0.key == "c" }), sampler.chance(2) {
            members.append(.init(key: "c", value: sampler.pick([.null, .object(sampler.strayMembers(keys))])))
        }
        return .object(members.shuffledStably(&sampler.random))
    }
}

enum Untagged: Tagging {
    static let tagging = JSONTagging.untagged
    static let hasTag = false
    static func node(_ name: String, _ payload: JSONNode?, _ sampler: Sampler) -> JSONNode {
        payload ?? .string(name)
    }
    static func stray(
        _ node: JSONNode, hasPayload: Bool, _ keys: [String], _ sampler: Sampler
    ) -> JSONNode { node }
}

/// Which case stands for unknown ones.
protocol Fallback {
    static var name: String? { get }
    static var keepsWhole: Bool { get }
}

enum NoFallback: Fallback {
    static let name: String? = nil
    static let keepsWhole = false
}
enum PlainFallback: Fallback {
    static let name: String? = "point"
    static let keepsWhole = false
}
enum TagFallback: Fallback {
    static let name: String? = "named"
    static let keepsWhole = false
}
enum WholeFallback: Fallback {
    static let name: String? = "whole"
    static let keepsWhole = true
}

/// An enum whose payloads are objects, so that each tagging can be used.
indirect enum Shape<T: Tagging, F: Fallback>: JSONEnum, Sampled {
    case point
    case leaf(Leaf)
    case branch(Branch<T, F>)
    case counted(TrackedNode)
    case inner(Shape<InternalKind, NoFallback>)
    case table([String: JSONValue])
    case open(OpenLeaf)
    case named(String)
    case whole(JSONValue)

    static var plan: ModelPlan<Shape> {
        .shared {
            var cases: [JSONCase<Shape>] = [
                JSONCase("point", value: .point, matches: { if case .point = $0 { true } else { false } }),
                .of("leaf", keys: ["leaf", "blatt"], Self.leaf) {
                    if case .leaf(let value) = $0 { value } else { nil }
                },
                .of("branch", Self.branch) { if case .branch(let value) = $0 { value } else { nil } },
                .of("counted", Self.counted) { if case .counted(let value) = $0 { value } else { nil } },
                .of("inner", Self.inner) { if case .inner(let value) = $0 { value } else { nil } },
                .of("table", Self.table) { if case .table(let value) = $0 { value } else { nil } },
                .of("open", Self.open) { if case .open(let value) = $0 { value } else { nil } },
            ]
            if F.name == "named" {
                cases.append(.of("named", Self.named) { if case .named(let value) = $0 { value } else { nil } })
            }
            if F.name == "whole" {
                cases.append(.of("whole", Self.whole) { if case .whole(let value) = $0 { value } else { nil } })
            }
            return ModelPlan(cases: cases, tagging: T.tagging, fallback: F.name)
        }
    }

    static func sample(_ sampler: Sampler) -> JSONNode {
        if T.hasTag, F.name != nil, sampler.chance(4) {
            // The name of a fallback that keeps the name or the value is an unknown name, too.
            let own = F.name.flatMap { $0 == "point" ? nil : sampler.caseName($0) }
            let names = ["oval", "Leaf", ""] + (own.map { [$0, $0, $0] } ?? [])
            let payload = sampler.chance(3) ? sampler.anything() : .object(sampler.unknownMembers(2))
            if case .object = payload { return T.node(sampler.pick(names), payload, sampler) }
            // A payload with an internal tag is an object.
            return T.node(sampler.pick(names), T.tagging.isInternal || sampler.chance(2) ? nil : payload, sampler)
        }
        if F.keepsWhole, T.hasTag, sampler.chance(6) { return .object(sampler.unknownMembers(1)) }
        // An enum inside of an internally tagged one needs a tag of another name.
        let hasInner = T.self != InternalKind.self
        switch sampler.below(sampler.isDeep ? 2 : hasInner ? 7 : 6) {
        case 0:
            let node = T.node(sampler.caseName("point"), nil, sampler)
            return T.stray(node, hasPayload: false, ["radius", "name", "u1-0"], sampler)
        case 1:
            let node = T.node(sampler.pick(["leaf", "blatt"]), Leaf.sample(sampler), sampler)
            return T.stray(node, hasPayload: true, ["radius", "u1-0"], sampler)
        case 2: return T.node(sampler.caseName("branch"), sampler.value(Branch<T, F>.self), sampler)
        case 3: return T.node(sampler.caseName("counted"), sampler.value(TrackedNode.self), sampler)
        case 4: return T.node(sampler.caseName("table"), .object(sampler.unknownMembers(sampler.below(3))), sampler)
        case 5: return T.node(sampler.caseName("open"), OpenLeaf.sample(sampler), sampler)
        default:
            return T.node(sampler.caseName("inner"), sampler.value(Shape<InternalKind, NoFallback>.self), sampler)
        }
    }

    // A case of an untagged enum that comes later may be written as an earlier one's object.
    static var roundTrips: Bool { T.hasTag }
    // The first of several unknown names is the unknown case.
    static var isOrdered: Bool { T.self == External.self && F.self == TagFallback.self }
}

extension JSONTagging {
    fileprivate var isInternal: Bool { if case .internal = self { true } else { false } }
}

/// A payload that keeps unknown keys.
struct OpenLeaf: SampledModel {
    let radius: Double
    let rest: [String: JSONValue]
    static let plan = ModelPlan<OpenLeaf>(JSONField(\.radius, key: "radius"), JSONField(extra: \.rest))

    static func sampleMembers(_ object: ObjectSampler) {
        object.required("radius", as: Double.self)
        for member in object.sampler.unknownMembers(object.sampler.below(3)) {
            object.set(key: member.key, member.value)
        }
        object.acceptsNoForeignMembers()
    }
}

/// An enum whose payloads have known keys, so that its object can also have extra keys.
enum Signal<T: Tagging>: JSONEnum, Sampled {
    case off
    case level(Leaf)
    case other(String)

    static var plan: ModelPlan<Signal> {
        .shared {
            ModelPlan(
                cases: [
                    JSONCase("off", value: .off, matches: { if case .off = $0 { true } else { false } }),
                    .of("level", Self.level) { if case .level(let value) = $0 { value } else { nil } },
                    .of("other", Self.other) { if case .other(let value) = $0 { value } else { nil } },
                ], tagging: T.tagging, fallback: "other")
        }
    }

    static func sample(_ sampler: Sampler) -> JSONNode {
        switch sampler.below(4) {
        case 0: T.node(sampler.caseName("off"), nil, sampler)
        case 1: T.node(sampler.pick(["other", "oval", sampler.caseName("other")]), nil, sampler)
        default: T.node(sampler.caseName("level"), Leaf.sample(sampler), sampler)
        }
    }
}

/// An enum whose payloads have known keys only, so that a model around it can reject unknown keys.
enum Beacon<T: Tagging, F: Fallback>: JSONEnum, Sampled {
    case point
    case level(Leaf)
    case area(Size)

    static var plan: ModelPlan<Beacon> {
        .shared {
            ModelPlan(
                cases: [
                    JSONCase("point", value: .point, matches: { if case .point = $0 { true } else { false } }),
                    .of("level", Self.level) { if case .level(let value) = $0 { value } else { nil } },
                    .of("area", Self.area) { if case .area(let value) = $0 { value } else { nil } },
                ], tagging: T.tagging, fallback: F.name)
        }
    }

    /// Keys of the payloads.
    private static var keys: [String] { ["width", "size_note", "spare"] }

    static func sample(_ sampler: Sampler) -> JSONNode {
        switch sampler.below(F.name == nil ? 4 : 5) {
        case 0, 1:
            return T.stray(T.node(sampler.caseName("point"), nil, sampler), hasPayload: false, keys, sampler)
        case 2:
            let node = T.node(sampler.caseName("level"), Leaf.sample(sampler), sampler)
            return T.stray(node, hasPayload: true, keys, sampler)
        case 3:
            let node = T.node(sampler.caseName("area"), Size.sample(sampler), sampler)
            return T.stray(node, hasPayload: true, [], sampler)
        default: return T.node(sampler.pick(["oval", ""]), nil, sampler)
        }
    }
}

/// A model of which several flattened enums read the same members, so that each of them reports their issues.
protocol SharedMembers {}

/// A model with two enums beside its own keys, one of which may be nil.
struct Beaconed<T: Tagging, F: Fallback>: SampledModel, SharedMembers {
    let id: Int
    let beacon: Beacon<T, F>
    let other: Beacon<InternalKind, NoFallback>?
    static var plan: ModelPlan<Beaconed> {
        .shared {
            ModelPlan(
                JSONField(\.id, key: "beacon_id"), JSONField(flatten: \.beacon), JSONField(flatten: \.other))
        }
    }

    static func sampleMembers(_ object: ObjectSampler) {
        object.required("beacon_id", as: Int.self)
        var known: Set<String> = []
        func add(_ node: JSONNode) {
            guard case .object(let members) = node else { return object.sampler.noteFault() }
            for member in members where known.insert(member.key).inserted {
                object.set(key: member.key, member.value)
            }
        }
        add(Beacon<T, F>.sample(object.sampler))
        // The payloads share their keys, so that one of them may lack a valid value.
        if object.sampler.chance(2) {
            add(Beacon<InternalKind, NoFallback>.sample(object.sampler))
            object.sampler.noteFault()
        }
        // The keys of an absent enum, and of unknown cases, are unknown to the model.
        if !object.sampler.context.allowsUnknownKeys { object.sampler.noteFault() }
        object.acceptsNoForeignMembers()
    }
}

/// A model with a property for the tag of its flattened enum, and with extra keys.
struct Signalled<T: Tagging>: SampledModel {
    let id: Int
    let type: String?
    let signal: Signal<T>
    let rest: [String: JSONValue]
    static var plan: ModelPlan<Signalled> {
        .shared {
            ModelPlan(
                JSONField(\.id, key: "signal_id"), JSONField(\.type, key: "type"), JSONField(flatten: \.signal),
                JSONField(extra: \.rest))
        }
    }

    static func sampleMembers(_ object: ObjectSampler) {
        object.required("signal_id", as: Int.self)
        switch Signal<T>.sample(object.sampler) {
        case .object(let members):
            for member in members {
                object.set(key: member.key, member.value)
                // A tag that is also a property has no second value.
                if member.key == "type", members.count(where: { $0.key == "type" }) > 1 {
                    object.sampler.noteFault()
                }
            }
        default: object.sampler.noteFault()
        }
        for member in object.sampler.unknownMembers(object.sampler.below(3)) {
            object.set(key: "rest-\(member.key)", member.value)
        }
        object.acceptsNoForeignMembers()
    }
}

/// A struct that has its enum in every kind of container.
struct Branch<T: Tagging, F: Fallback>: SampledModel {
    let name: String
    let one: Shape<T, F>?
    let all: [Shape<T, F>]
    let kept: [Shape<T, F>]
    let byName: [String: Shape<T, F>]
    let mark: Tracked?

    static var plan: ModelPlan<Branch> {
        .shared {
            ModelPlan {
                JSONField(\.name, key: "name")
                JSONField(\.one, key: "one")
                JSONField(\.all, key: "all", default: [])
                JSONField(\.kept, key: "kept", default: []).lossy()
                JSONField(\.byName, key: "by_name", default: [:])
                JSONField(\.mark, key: "mark")
            }
        }
    }

    static func sampleMembers(_ object: ObjectSampler) {
        object.required("name", as: String.self)
        object.optional("one", as: Shape<T, F>.self)
        object.optional("all", as: [Shape<T, F>].self)
        object.optional("kept", as: [Tolerated<Shape<T, F>>].self)
        object.optional("by_name", as: [String: Shape<T, F>].self)
        object.optional("mark", as: Tracked.self)
        // An internal tag twice selects another case, and an untagged enum tries its cases with every key.
        object.acceptsNoForeignMembers()
    }

    static var roundTrips: Bool { Shape<T, F>.roundTrips }
}

/// The elements of a lossy container: some are anything.
enum Tolerated<Element: Sampled>: Sampled {
    static func sample(_ sampler: Sampler) -> JSONNode {
        sampler.chance(4) ? sampler.anything() : Element.sample(sampler)
    }
}

/// An enum whose payloads are of every type: it has no internal tag.
indirect enum Content<T: Tagging>: JSONEnum, Sampled {
    case number(Double)
    case text(String)
    case flag(Bool)
    case list([Content<T>])
    case map([String: Content<T>])
    case color(Color)
    case maybe(Leaf?)
    case mark(Tracked)

    static var plan: ModelPlan<Content> {
        .shared {
            ModelPlan(
                cases: [
                    .of("number", Self.number) { if case .number(let value) = $0 { value } else { nil } },
                    .of("text", Self.text) { if case .text(let value) = $0 { value } else { nil } },
                    .of("flag", Self.flag) { if case .flag(let value) = $0 { value } else { nil } },
                    .of("list", Self.list) { if case .list(let value) = $0 { value } else { nil } },
                    .of("map", Self.map) { if case .map(let value) = $0 { value } else { nil } },
                    .of("color", Self.color) { if case .color(let value) = $0 { value } else { nil } },
                    .of("maybe", Self.maybe) { if case .maybe(let value) = $0 { value } else { nil } },
                    .of("mark", Self.mark) { if case .mark(let value) = $0 { value } else { nil } },
                ], tagging: T.tagging)
        }
    }

    static func sample(_ sampler: Sampler) -> JSONNode {
        switch sampler.below(sampler.isDeep ? 6 : 8) {
        case 0: return T.node(sampler.caseName("number"), sampler.value(Double.self), sampler)
        case 1: return T.node(sampler.caseName("text"), sampler.value(String.self), sampler)
        case 2: return T.node(sampler.caseName("flag"), sampler.value(Bool.self), sampler)
        case 3: return T.node(sampler.caseName("color"), sampler.value(Color.self), sampler)
        case 4: return T.node(sampler.caseName("mark"), sampler.value(Tracked.self), sampler)
        case 5: return T.node(sampler.caseName("maybe"), Leaf.sample(sampler), sampler)
        case 6: return T.node(sampler.caseName("list"), sampler.value([Content<T>].self), sampler)
        default: return T.node(sampler.caseName("map"), sampler.value([String: Content<T>].self), sampler)
        }
    }

    // Without a tag, an earlier case may accept what a later one is encoded to.
    static var roundTrips: Bool { T.self != Untagged.self }
}
