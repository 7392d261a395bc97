import Sluice
import Synchronization

// Values that are counted while they live: a leak or a second release changes the count.

/// An error of the models' own code.
struct FuzzRefusal: Error, Equatable, CustomStringConvertible {
    let reason: String
    var description: String { "refused: \(reason)" }
}

/// An instance made of a string.
final class Tracked: JSONConvertible, JSONDictionaryKey, Sendable, CustomStringConvertible {
    /// The number of live instances. The suites that read it run one after another.
    static let live = Atomic<Int>(0)

    let text: String

    init(_ text: String) {
        self.text = text
        Self.live.add(1, ordering: .relaxed)
    }

    deinit { Self.live.subtract(1, ordering: .relaxed) }

    var description: String { text }
    var jsonKey: String { text }

    convenience init?(jsonKey: String) {
        if jsonKey == "no key" { return nil }
        self.init(jsonKey)
    }

    static let jsonShape = JSONShape.scalar(Tracked.self, expecting: "a tracked string") { scalar in
        guard let text = scalar.string else { throw JSONModelError.ConversionFailure.mismatch }
        if text == "refused" { throw FuzzRefusal(reason: "a tracked string") }
        return Tracked(text)
    } write: {
        .string($0.text)
    }

    static func == (a: Tracked, b: Tracked) -> Bool { a.text == b.text }
    func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

extension Tracked: Sampled, SampledKey {
    static func sample(_ sampler: Sampler) -> JSONNode {
        if sampler.faultRate > 0, sampler.chance(2 * sampler.faultRate) {
            sampler.noteFault()
            return .string("refused")
        }
        return .string(sampler.pick(SampledStrings.all))
    }

    static func sampleKey(_ sampler: Sampler) -> String { sampler.pick(["m", "n", "o", "p", "q r", "é"]) }
}

/// A small struct.
struct Leaf: SampledModel, Hashable {
    let radius: Double
    let mark: Tracked?
    static let plan = ModelPlan<Leaf>(JSONField(\.radius, key: "radius"), JSONField(\.mark, key: "mark"))

    static func sampleMembers(_ object: ObjectSampler) {
        object.required("radius", as: Double.self)
        object.optional("mark", as: Tracked.self)
    }
}

/// A struct of owned values.
struct Marked: SampledModel, Hashable {
    let id: Int
    let mark: Tracked
    let tags: [Tracked]
    static let plan = ModelPlan<Marked>(
        JSONField(\.id, key: "id"), JSONField(\.mark, key: "mark"),
        JSONField(\.tags, key: "tags", default: [Tracked("default")]))

    static func sampleMembers(_ object: ObjectSampler) {
        object.required("id", as: Int.self)
        object.required("mark", as: Tracked.self)
        object.optional("tags", as: [Tracked].self)
    }
}
