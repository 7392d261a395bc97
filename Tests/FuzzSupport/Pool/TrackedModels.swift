import Sluice
import TestSupport

// Values that are counted while they live: a leak or a second release changes the count.

/// An error of the models' own code.
struct FuzzRefusal: Error, Equatable, CustomStringConvertible {
    let reason: String
    var description: String { "refused: \(reason)" }
}

enum FuzzInstances: InstanceGroup {
    static let instances = InstanceCounter()
}

typealias Tracked = Instance<FuzzInstances>

extension Instance: Sampled, SampledKey where Group == FuzzInstances {
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
