import Sluice

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
    let children: [Combined]
    let byName: [String: Combined]
    let mark: Tracked

    static let plan = ModelPlan<Combined> {
        Field(\.id, key: "id")
        Field(\.external, key: "external")
        Field(\.internalShapes, key: "internal", default: [])
        Field(\.adjacent, key: "adjacent")
        Field(\.untagged, key: "untagged", default: [])
        Field(\.content, key: "content")
        Field(\.contents, key: "contents", default: [:])
        Field(\.node, key: "node")
        Field(\.account, key: "account")
        Field(\.dog, key: "dog")
        Field(\.spans, key: "spans", default: [])
        Field(\.hooked, key: "hooked")
        Field(\.transformed, key: "transformed")
        Field(\.flattening, key: "flattening")
        Field(\.lossy, key: "lossy")
        Field(\.gathering, key: "gathering")
        Field(\.parts, key: "parts")
        Field(\.wrapped, key: "wrapped")
        Field(\.defaulting, key: "defaulting")
        Field(\.children, key: "children", default: [])
        Field(\.byName, key: "by_name", default: [:]).lossy()
        Field(\.mark, key: "mark")
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
