import Sluice
import TestSupport

// Values made of others: present or absent, lazy, raw, embedded in strings; and defaults.

struct Wrapped: SampledModel {
    let field: JSONPresence<Tracked>
    let part: JSONPresence<Marked>
    let numbers: JSONPresence<[Int?]>
    let lazy: JSONLazy<Marked>?
    let lazies: [JSONLazy<Shape<Internal, NoFallback>>]
    let raw: JSONRaw?
    let raws: [String: JSONRaw]
    let value: JSONValue
    let embedded: Marked?
    let list: [Tracked]
    let inner: Wrapped.Inner?
    static let plan = ModelPlan<Wrapped> {
        JSONField(\.field, key: "field", or: "title")
        JSONField(\.part, key: "part")
        JSONField(\.numbers, key: "way.numbers")
        JSONField(\.lazy, key: "lazy")
        JSONField(\.lazies, key: "lazies", default: [])
        JSONField(\.raw, key: "raw")
        JSONField(\.raws, key: "raws", default: [:])
        JSONField(\.value, key: "value", default: ["default": true])
        JSONField(embedded: \.embedded, key: "embedded", or: "text")
        JSONField(embedded: \.list, key: "way.list", default: [Tracked("list")])
        JSONField(embedded: \.inner, key: "inner")
    }

    /// JSON in a string in a string.
    struct Inner: SampledModel {
        let shape: Shape<Internal, TagFallback>?
        let spans: [Span]
        let deeper: [Wrapped]
        static let plan = ModelPlan<Inner>(
            JSONField(embedded: \.shape, key: "shape"), JSONField(\.spans, key: "spans", default: []).lossy(),
            JSONField(\.deeper, key: "deeper", default: []))

        static func sampleMembers(_ object: ObjectSampler) {
            object.optional("shape", as: Embedding<Shape<Internal, TagFallback>>.self)
            object.optional("spans", as: [Tolerated<Span>].self)
            object.optional("deeper", as: [Wrapped].self)
        }
        static var roundTrips: Bool { false }
    }

    static func sampleMembers(_ object: ObjectSampler) {
        object.optional("field", or: "title", as: Tracked.self)
        object.optional("part", as: Marked.self)
        object.optional("way.numbers", as: [Int?].self)
        object.optional("lazy", as: Marked.self)
        object.optional("lazies", as: [Shape<Internal, NoFallback>].self)
        object.optional("raw", as: JSONRaw.self)
        object.optional("raws", as: [String: JSONRaw].self)
        object.optional("value", as: JSONValue.self)
        object.optional("embedded", or: "text", as: Embedding<Marked>.self)
        object.optional("way.list", as: Embedding<[Tracked]>.self)
        if object.sampler.chance(3) { object.set("inner", object.sampler.value(Embedding<Inner>.self)) }
    }
    static var roundTrips: Bool { false }  // A null beside a candidate is not written again.
}

struct Defaulting: SampledModel {
    let missing: Tracked
    let null: Int?
    let mismatch: [Marked]
    let all: Marked
    let best: Tracked
    let deep: [[Defaulting]]
    let ignored: Tracked
    let written: Int
    let read: Int?
    static let plan = ModelPlan<Defaulting> {
        JSONField(\.missing, key: "missing", default: Tracked("missing")).defaulting(on: [.missing])
        JSONField(\.null, key: "null", default: 20).defaulting(on: [.null])
        JSONField(\.mismatch, key: "mismatch", default: []).defaulting(on: [.missing, .mismatch])
        JSONField(\.all, key: "all", default: Marked(id: 0, mark: Tracked("all"), tags: []))
            .defaulting(on: [.missing, .null, .mismatch])
        JSONField(\.best, key: "best", or: "second", default: Tracked("best")).defaulting(on: [
            .missing, .null, .mismatch,
        ])
        JSONField(\.deep, key: "deep", default: []).defaulting(on: [.missing, .mismatch, .null])
        JSONField(ignoring: \.ignored, default: Tracked("ignored"))
        JSONField(\.written, key: "written", default: 9).ignored(.decoding)
        JSONField(\.read, key: "read").ignored(.encoding)
    }

    static func sampleMembers(_ object: ObjectSampler) {
        if object.sampler.chance(2) { object.set("missing", object.sampler.value(Tracked.self)) }
        object.optional("null", as: Int.self)
        if object.sampler.chance(2) { object.set("mismatch", SampledMismatch.sample(object.sampler)) }
        object.tolerant("all", as: Marked.self)
        object.tolerant("best", as: Tracked.self)
        if object.sampler.chance(2) { object.tolerant("second", as: Tracked.self) }
        object.tolerant("deep", as: [[Defaulting]].self)
        if object.sampler.chance(3) { object.set("written", object.sampler.anything()) }
        object.optional("read", as: Int.self)
    }

    private enum SampledMismatch: Sampled {
        static func sample(_ sampler: Sampler) -> JSONNode {
            let node = sampler.chance(2) ? sampler.anything() : [Marked].sample(sampler)
            return node.isNull ? .array([]) : node
        }
    }

    static var roundTrips: Bool { false }  // A property that is not encoded, and a nil that is a default.
}
