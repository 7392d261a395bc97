import Sluice
import TestSupport

// Hooks of models, hooks of values, and transforms.

/// A struct that changes and checks itself.
struct Span: SampledModel, JSONHooks, Hashable {
    var from: Int
    var to: Int
    var mark: Tracked?
    var log: [String]
    static let plan = ModelPlan<Span>(
        JSONField(\.from, key: "from"), JSONField(\.to, key: "to"), JSONField(\.mark, key: "mark"),
        JSONField(ignoring: \.log, default: []))

    mutating func didDecode() {
        // Once more after a merge.
        log = ["didDecode"]
        if from < 0 { from = 0 }
    }

    func validate() throws {
        if log != ["didDecode"] { throw FuzzRefusal(reason: "the order of hooks: \(log)") }
        if to < from { throw FuzzRefusal(reason: "\(from)-\(to)") }
    }

    static func sampleMembers(_ object: ObjectSampler) {
        let sampler = object.sampler
        let from = sampler.below(100) - 20
        var to = max(from, 0) + sampler.below(10)
        if sampler.faultRate > 0, sampler.chance(sampler.faultRate) {
            sampler.noteFault()
            to = -1
        }
        object.set("from", .literal("\(from)"))
        object.set("to", .literal("\(to)"))
        object.optional("mark", as: Tracked.self)
        object.membersDependOnEachOther()
    }
}

/// A struct that keeps, changes and drops the values of its properties.
struct Hooked: SampledModel, JSONValueHook {
    let name: Tracked
    let count: Int
    let part: Leaf?
    let list: [Int]
    let note: String?
    let inner: [Hooked]
    static let plan = ModelPlan<Hooked> {
        JSONField(\.name, key: "name", or: "title")
        JSONField(\.count, key: "way.count")
        JSONField(\.part, key: "part")
        JSONField(\.list, key: "list", default: [9])
        JSONField(\.note, key: "note")
        JSONField(\.inner, key: "inner", default: [])
    }

    static func transform(_ value: JSONValue?, for property: String) throws -> JSONValue? {
        switch property {
        case "name": value?.string.map { .string($0 + "!") } ?? value
        case "count": value ?? 7
        case "part": value?.double.map { ["radius": .number(JSONNumber($0) ?? JSONNumber(0))] } ?? value
        case "list": value.map { $0.array == nil && $0 != nil ? [$0] : $0 }
        case "note":
            if value == "bad" { throw FuzzRefusal(reason: "a bad note") } else { value == "gone" ? nil : value }
        default: value
        }
    }

    static func sampleMembers(_ object: ObjectSampler) {
        object.required("name", or: "title", as: String.self)
        object.sampler.chance(3) ? () : object.set("way.count", object.sampler.value(Int.self))
        object.optional("part", as: SampledPart.self)
        object.optional("list", as: SampledList.self)
        object.optional("note", as: SampledNote.self)
        object.optional("inner", as: [Hooked].self)
    }

    // The hook sees its own values again.
    static var roundTrips: Bool { false }

    private enum SampledPart: Sampled {
        static func sample(_ sampler: Sampler) -> JSONNode {
            sampler.chance(2) ? .literal("1.5") : Leaf.sample(sampler)
        }
    }
    private enum SampledList: Sampled {
        static func sample(_ sampler: Sampler) -> JSONNode {
            sampler.chance(2) ? .literal("5") : [Int].sample(sampler)
        }
    }
    private enum SampledNote: Sampled {
        static func sample(_ sampler: Sampler) -> JSONNode {
            if sampler.faultRate > 0, sampler.chance(sampler.faultRate) {
                sampler.noteFault()
                return .string("bad")
            }
            return .string(sampler.pick(["gone", "kept", "é"]))
        }
    }
}

/// A type that only a transform can make.
struct Pair: Hashable {
    let first: Tracked
    let second: Tracked
}

struct PairTransform: JSONTransform {
    func decode(_ json: [Tracked]) throws -> Pair {
        guard json.count == 2 else { throw FuzzRefusal(reason: "\(json.count) in a pair") }
        return Pair(first: json[0], second: json[1])
    }
    func encode(_ value: Pair) -> [Tracked] { [value.first, value.second] }
}

struct HexTransform: JSONTransform {
    func decode(_ json: String) throws -> Int {
        guard let value = Int(json, radix: 16) else { throw FuzzRefusal(reason: "no hexadecimal number") }
        return value
    }
    func encode(_ value: Int) -> String { String(value, radix: 16) }
}

struct Transformed: SampledModel {
    let pair: Pair
    let maybe: Pair?
    let pairs: [Pair]
    let hex: Int
    let fallback: Int
    static let plan = ModelPlan<Transformed> {
        JSONField(\.pair, key: "pair", transform: PairTransform())
        JSONField(\.maybe, key: "maybe", transform: PairTransform())
        JSONField(\.pairs, key: "pairs", transform: PairTransform(), default: [])
        JSONField(\.hex, key: "deep.hex", or: "hex", transform: HexTransform())
        JSONField(\.fallback, key: "fallback", transform: HexTransform(), default: 9)
            .defaulting(on: [.missing, .null, .mismatch])
    }

    static func sampleMembers(_ object: ObjectSampler) {
        object.required("pair", as: SampledPair.self)
        object.optional("maybe", as: SampledPair.self)
        object.optional("pairs", as: [SampledPair].self)
        object.required("deep.hex", or: "hex", as: SampledHex.self)
        object.tolerant("fallback", as: SampledHex.self)
    }

    private enum SampledPair: Sampled {
        static func sample(_ sampler: Sampler) -> JSONNode {
            if sampler.faultRate > 0, sampler.chance(sampler.faultRate) {
                sampler.noteFault()
                return .array([Tracked.sample(sampler)])
            }
            return .array([Tracked.sample(sampler), Tracked.sample(sampler)])
        }
    }
    private enum SampledHex: Sampled {
        static func sample(_ sampler: Sampler) -> JSONNode { .string(sampler.pick(["0", "ff", "a1", "7FFF"])) }
    }
}
