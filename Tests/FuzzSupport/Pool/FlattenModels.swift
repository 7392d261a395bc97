import Sluice
import TestSupport

// Flattened models, extra keys, and models of more fields than a word has bits.

struct Point: SampledModel, JSONHooks, Hashable {
    var x: Int
    var y: Int
    var label: Tracked?
    static let plan = ModelPlan<Point>(
        JSONField(\.x, key: "x"), JSONField(\.y, key: "pos.y"), JSONField(\.label, name: "pointLabel"))
    mutating func didDecode() { if x > 1000 { x = 1000 } }

    static func sampleMembers(_ object: ObjectSampler) {
        object.required("x", as: Int16.self)
        object.required("pos.y", as: Int.self)
        object.optional(object.key("pointLabel"), as: Tracked.self)
    }
}

struct Size: SampledModel, Hashable {
    let width: Int
    let note: Tracked?
    let spare: Tracked
    static let plan = ModelPlan<Size>(
        JSONField(\.width, key: "width"), JSONField(\.note, key: "size_note"),
        JSONField(\.spare, key: "spare", default: Tracked("spare")))

    static func sampleMembers(_ object: ObjectSampler) {
        object.required("width", as: Int.self)
        object.optional("size_note", as: Tracked.self)
        object.optional("spare", as: Tracked.self)
    }
}

/// Two flattened models, one of which may be nil, beside a dictionary of all other keys.
struct Flattening: SampledModel {
    let id: Int
    let point: Point
    let size: Size?
    let rest: [String: Tracked]
    static let plan = ModelPlan<Flattening>(
        JSONField(\.id, key: "id"), JSONField(flatten: \.point), JSONField(flatten: \.size),
        JSONField(extra: \.rest))

    static func sampleMembers(_ object: ObjectSampler) {
        object.required("id", as: Int.self)
        Point.sampleMembers(object)
        if object.sampler.chance(2) { Size.sampleMembers(object) }
        for _ in 0..<object.sampler.containerCount {
            object.set("rest-\(object.sampler.below(5))", object.sampler.value(Tracked.self))
        }
        object.acceptsNoForeignMembers()
    }
}

/// An enum with values whose keys lie beside the model's own.
struct Enveloped<T: Tagging, F: Fallback>: SampledModel {
    let id: Int
    let shape: Shape<T, F>
    let note: Tracked?
    static var plan: ModelPlan<Enveloped> {
        .shared {
            ModelPlan(
                JSONField(\.id, key: "envelope.id"), JSONField(flatten: \.shape),
                JSONField(\.note, key: "envelope_note"))
        }
    }

    static func sampleMembers(_ object: ObjectSampler) {
        object.required("envelope.id", as: Int.self)
        if case .object(let members) = Shape<T, F>.sample(object.sampler) {
            for member in members { object.set(key: member.key, member.value) }
        } else {
            object.sampler.noteFault()
        }
        object.optional("envelope_note", as: Tracked.self)
        object.membersDependOnEachOther()
        object.acceptsNoForeignMembers()
    }
}

/// Unknown keys as values of any kind, dropped where they fail.
struct Extra: SampledModel {
    let id: Int
    let city: Tracked?
    let rest: [String: Leaf]
    static let plan = ModelPlan<Extra>(
        JSONField(\.id, key: "id"), JSONField(\.city, key: "home.city"), JSONField(extra: \.rest).lossy())

    static func sampleMembers(_ object: ObjectSampler) {
        object.required("id", as: Int.self)
        object.optional("home.city", as: Tracked.self)
        for _ in 0..<object.sampler.containerCount {
            object.set("rest-\(object.sampler.below(5))", Tolerated<Leaf>.sample(object.sampler))
        }
        object.acceptsNoForeignMembers()
    }
}

/// A model that refuses unknown keys, and one that reports them, whatever the decoder says.
struct Closed: SampledModel {
    let fullName: Tracked?
    let open: Reporting?
    static let plan = ModelPlan<Closed>(
        [JSONField(\.fullName, key: "full_name"), JSONField(\.open, key: "open")], unknownKeys: .reject)

    static func sampleMembers(_ object: ObjectSampler) {
        object.optional("full_name", as: Tracked.self)
        object.optional("open", as: Reporting.self)
        object.acceptsNoForeignMembers()
        if object.sampler.faultRate > 0, object.sampler.chance(object.sampler.faultRate) {
            object.set("fullName", object.sampler.fault())
        }
    }
}

struct Reporting: SampledModel {
    let id: Int?
    let closed: [Closed]
    static let plan = ModelPlan<Reporting>(
        [JSONField(\.id, key: "id"), JSONField(\.closed, key: "closed", default: [])], unknownKeys: .report)

    static func sampleMembers(_ object: ObjectSampler) {
        object.optional("id", as: Int.self)
        object.optional("closed", as: [Closed].self)
        if object.sampler.chance(3) { object.set("idd", object.sampler.anything()) }
    }
}

/// Keys that the decoder's strategy, or the model's own, makes of names.
struct Named: SampledModel {
    let imageURL: Tracked
    let userID: Int
    let fullName: String?
    let snake: Snake?
    static let plan = ModelPlan<Named>(
        JSONField(\.imageURL, name: "imageURL"), JSONField(\.userID, name: "userID", key: "ID"),
        JSONField(\.fullName, name: "fullName", or: "title", "who.title"), JSONField(\.snake, name: "snakeModel"))

    static func sampleMembers(_ object: ObjectSampler) {
        object.required(object.key("imageURL"), as: Tracked.self)
        object.required("ID", as: Int.self)
        object.optional(object.key("fullName"), or: "title", "who.title", as: String.self)
        object.optional(object.key("snakeModel"), as: Snake.self)
    }
}

struct Snake: SampledModel {
    let lastSeenAt: Int
    let named: [Named]
    static let plan = ModelPlan<Snake>(
        [JSONField(\.lastSeenAt, name: "lastSeenAt"), JSONField(\.named, name: "namedModels", default: [])],
        keys: .snakeCase)

    static func sampleMembers(_ object: ObjectSampler) {
        object.uses(.snakeCase)
        object.required(object.key("lastSeenAt"), as: Int.self)
        object.optional(object.key("namedModels"), as: [Named].self)
    }
}

/// Coercions of the model and of single properties.
struct Converting: SampledModel {
    let number: Int
    let strict: Int?
    let prefix: Int
    let flags: [Bool]
    let inner: [Converted]
    static let plan = ModelPlan<Converting>(
        [
            JSONField(\.number, key: "number"), JSONField(\.strict, key: "strict").coercion(.strict),
            JSONField(\.prefix, key: "prefix", default: 0).coercion(.mjExtension),
            JSONField(\.flags, key: "flags", default: []),
            JSONField(\.inner, key: "inner", default: []),
        ], coercion: .lenient)

    static func sampleMembers(_ object: ObjectSampler) {
        object.optional("strict", as: SampledInteger.self)
        object.optional("inner", as: [Converted].self)
        object.uses(.lenient)
        object.required("number", as: Int.self)
        object.optional("flags", as: [Bool].self)
        object.uses(.mjExtension)
        object.optional("prefix", as: Int.self)
    }

    private enum SampledInteger: Sampled {
        static func sample(_ sampler: Sampler) -> JSONNode { .literal("\(sampler.below(9))") }
    }
}

/// A model that takes the decoder's coercion.
struct Converted: SampledModel {
    let number: Int?
    let text: String?
    let map: [String: Double]
    static let plan = ModelPlan<Converted>(
        JSONField(\.number, key: "number"), JSONField(\.text, key: "text"),
        JSONField(\.map, key: "map", default: [:]))

    static func sampleMembers(_ object: ObjectSampler) {
        object.optional("number", as: Int.self)
        object.optional("text", as: String.self)
        object.optional("map", as: [String: Double].self)
    }
}
