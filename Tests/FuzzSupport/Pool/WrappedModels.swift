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

/// Values that arrive as JSON or as strings of JSON.
struct Arriving: SampledModel {
    let one: Marked?
    let list: [Marked]
    let byName: [String: Shape<Internal, TagFallback>]
    let value: JSONValue?
    let numbers: [[Int?]]?
    let deeper: Arriving.Inner?
    let mark: Tracked
    static let plan = ModelPlan<Arriving> {
        JSONField(embedded: \.one, as: .either, key: "one", or: "text")
        JSONField(embedded: \.list, as: .either, key: "way.list", default: [])
        JSONField(embedded: \.byName, as: .either, key: "by_name", default: [:])
        JSONField(embedded: \.value, as: .either, key: "value")
        JSONField(embedded: \.numbers, as: .either, key: "numbers")
        JSONField(embedded: \.deeper, as: .either, key: "inner")
        JSONField(\.mark, key: "mark", default: Tracked("mark"))
    }

    struct Inner: SampledModel {
        let parts: [Arriving]
        let lossy: [Marked]
        static let plan = ModelPlan<Inner>(
            JSONField(embedded: \.parts, as: .either, key: "parts", default: []),
            JSONField(embedded: \.lossy, as: .either, key: "spans", default: []).lossy())

        static func sampleMembers(_ object: ObjectSampler) {
            object.optional("parts", as: Either<[Either<Arriving>]>.self)
            object.optional("spans", as: Either<[Tolerated<Marked>]>.self)
        }
        static var roundTrips: Bool { false }
    }

    static func sampleMembers(_ object: ObjectSampler) {
        object.optional("one", or: "text", as: Either<Marked>.self)
        object.optional("way.list", as: Either<[Either<Marked>]>.self)
        object.optional("by_name", as: Either<[String: Either<Shape<Internal, TagFallback>>]>.self)
        if object.sampler.chance(3) { object.set("value", .embedded(object.sampler.anything())) }
        object.optional("numbers", as: Either<[[Int?]]>.self)
        if object.sampler.chance(3) { object.set("inner", object.sampler.value(Either<Inner>.self)) }
        object.optional("mark", as: Tracked.self)
    }
    // A null beside a candidate, and a string in a `JSONValue`, are not read again.
    static var roundTrips: Bool { false }
}

/// The members of objects with their keys, in their order.
struct Membered: SampledModel {
    let parts: [JSONMember<Marked>]
    let numbers: [JSONMember<Int?>]
    let deep: [JSONMember<[Marked]>]
    let mark: Tracked
    static let plan = ModelPlan<Membered> {
        JSONField(\.parts, key: "parts.*").ignored(.encoding)
        JSONField(\.numbers, key: "way.numbers.*").ignored(.encoding)
        JSONField(\.deep, key: "list[*].*").lossy().ignored(.encoding)
        JSONField(\.mark, key: "mark")
    }

    static func sampleMembers(_ object: ObjectSampler) {
        object.set("parts", [String: Marked].sample(object.sampler))
        object.set("way.numbers", [Int: Int?].sample(object.sampler))
        object.set("list", [[String: [Marked]]].sample(object.sampler))
        object.required("mark", as: Tracked.self)
    }
    static var roundTrips: Bool { false }
    static var isOrdered: Bool { true }
}

/// Properties that take their defaults on a mismatch.
struct Mismatching: SampledModel {
    let id: Int
    let count: Int
    let list: [Marked]
    let best: Tracked?
    let shape: Shape<Internal, NoFallback>?
    let presence: JSONPresence<Marked>
    let deep: [Mismatching]
    let stated: Int
    static let plan = ModelPlan<Mismatching>(defaultsOn: .all) {
        JSONField(\.id, key: "id")
        JSONField(\.count, key: "count", or: "way.count", default: 5)
        JSONField(\.list, key: "list", default: [])
        JSONField(\.best, key: "best", or: "second")
        JSONField(\.shape, key: "shape")
        JSONField(\.presence, key: "presence")
        JSONField(\.deep, key: "deep", default: [])
        JSONField(\.stated, key: "stated", default: 7).defaulting(on: .missing)
    }

    static func sampleMembers(_ object: ObjectSampler) {
        object.required("id", as: Int.self)
        object.tolerant("count", as: Int.self)
        object.tolerant("list", as: [Marked].self)
        object.tolerant("best", as: Tracked.self)
        object.tolerant("shape", as: Shape<Internal, NoFallback>.self)
        object.tolerant("presence", as: Marked.self)
        object.tolerant("deep", as: [Mismatching].self)
        if object.sampler.chance(3) { object.set("stated", object.sampler.value(Int.self)) }
    }
    static var roundTrips: Bool { false }  // A nil that is a default.
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
