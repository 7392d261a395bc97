import Sluice
import TestSupport

/// A model that nests every other one of the pool, and itself.
struct Combined: SampledModel {
    let id: Int
    let external: Shape<External, NoFallback>?
    let internalShapes: [Shape<Internal, NoFallback>]
    let adjacent: Shape<Adjacent, PlainFallback>?
    let untagged: [Shape<Untagged, NoFallback>]
    let content: Content<External>?
    let contents: [String: Content<Untagged>]
    let node: TrackedNode?
    let account: Account?
    let dog: Dog?
    let spans: [Span]
    let hooked: Hooked?
    let transformed: Transformed?
    let flattening: Flattening?
    let lossy: Lossy?
    let gathering: Gathering?
    let parts: WholeAndParts?
    let wrapped: Wrapped?
    let defaulting: Defaulting?
    let arriving: Arriving?
    let mismatching: Mismatching?
    let children: [Combined]
    let byName: [String: Combined]
    let mark: Tracked

    static let plan = ModelPlan<Combined> {
        JSONField(\.id, key: "id")
        JSONField(\.external, key: "external")
        JSONField(\.internalShapes, key: "internal", default: [])
        JSONField(\.adjacent, key: "adjacent")
        JSONField(\.untagged, key: "untagged", default: [])
        JSONField(\.content, key: "content")
        JSONField(\.contents, key: "contents", default: [:])
        JSONField(\.node, key: "node")
        JSONField(\.account, key: "account")
        JSONField(\.dog, key: "dog")
        JSONField(\.spans, key: "spans", default: [])
        JSONField(\.hooked, key: "hooked")
        JSONField(\.transformed, key: "transformed")
        JSONField(\.flattening, key: "flattening")
        JSONField(\.lossy, key: "lossy")
        JSONField(\.gathering, key: "gathering")
        JSONField(\.parts, key: "parts")
        JSONField(\.wrapped, key: "wrapped")
        JSONField(\.defaulting, key: "defaulting")
        JSONField(\.arriving, key: "arriving")
        JSONField(\.mismatching, key: "mismatching")
        JSONField(\.children, key: "children", default: [])
        JSONField(\.byName, key: "by_name", default: [:]).lossy()
        JSONField(\.mark, key: "mark")
    }

    static func sampleMembers(_ object: ObjectSampler) {
        object.required("id", as: Int.self)
        some(object, "external", as: Shape<External, NoFallback>.self)
        some(object, "internal", as: [Shape<Internal, NoFallback>].self)
        some(object, "adjacent", as: Shape<Adjacent, PlainFallback>.self)
        some(object, "untagged", as: [Shape<Untagged, NoFallback>].self)
        some(object, "content", as: Content<External>.self)
        some(object, "contents", as: [String: Content<Untagged>].self)
        some(object, "node", as: TrackedNode.self)
        some(object, "account", as: Account.self)
        some(object, "dog", as: Dog.self)
        some(object, "spans", as: [Span].self)
        some(object, "hooked", as: Hooked.self)
        some(object, "transformed", as: Transformed.self)
        some(object, "flattening", as: Flattening.self)
        some(object, "lossy", as: Lossy.self)
        some(object, "gathering", as: Gathering.self)
        some(object, "parts", as: WholeAndParts.self)
        some(object, "wrapped", as: Wrapped.self)
        some(object, "defaulting", as: Defaulting.self)
        some(object, "arriving", as: Arriving.self)
        some(object, "mismatching", as: Mismatching.self)
        some(object, "children", as: [Combined].self)
        some(object, "by_name", as: [String: Tolerated<Combined>].self)
        object.required("mark", as: Tracked.self)
    }

    /// Few of the members at once, so that documents stay small.
    private static func some<T: Sampled>(_ object: ObjectSampler, _ key: String, as type: T.Type) {
        if object.sampler.chance(5) { object.optional(key, as: type) }
    }

    static var roundTrips: Bool { false }
}
