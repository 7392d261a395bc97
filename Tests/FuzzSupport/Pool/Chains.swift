import Foundation
import Sluice
import TestSupport

// Deep chains of models that keep text until it can be decided about: their time and memory must stay in proportion.

/// An untagged enum of which every case tries what is inside again.
indirect enum Choice: JSONEnum, Sampled {
    case first(First)
    case second(Second)

    struct First: JSONModel {
        let inner: Choice?
        let a: Tracked
        static let plan = ModelPlan<First>(JSONField(\.inner, key: "inner"), JSONField(\.a, key: "a"))
    }

    struct Second: JSONModel {
        let inner: Choice?
        let b: Tracked
        static let plan = ModelPlan<Second>(JSONField(\.inner, key: "inner"), JSONField(\.b, key: "b"))
    }

    static let plan = ModelPlan<Choice>(
        cases: [
            .of("first", Self.first) { if case .first(let value) = $0 { value } else { nil } },
            .of("second", Self.second) { if case .second(let value) = $0 { value } else { nil } },
        ], tagging: .untagged)

    static func sample(_ sampler: Sampler) -> JSONNode {
        Chain.sample(sampler) { inner in
            .object([
                .init(key: "inner", value: inner), .init(key: sampler.pick(["a", "b", "b"]), value: .string("x")),
            ])
        }
    }
}

/// Makes chains.
enum Chain {
    /// The greatest number of links. `SLUICE_FUZZ_DEPTH` raises it, to look for a stack that overflows.
    private static let greatestLength =
        TestEnvironment.number("SLUICE_FUZZ_DEPTH") ?? 12

    static func sample(_ sampler: Sampler, link: (JSONNode) -> JSONNode) -> JSONNode {
        var node = JSONNode.null
        for _ in 0..<1 + sampler.below(greatestLength) { node = link(node) }
        return node
    }

    /// An enum in an enum, whose tag comes late.
    static func shape<T: Tagging>(_ tagging: T.Type, _ sampler: Sampler) -> JSONNode {
        sample(sampler) { inner in
            T.node(
                sampler.caseName("branch"),
                .object([.init(key: "one", value: inner), .init(key: "name", value: .string("n"))]), sampler)
        }
    }

    static func hooked(_ sampler: Sampler) -> JSONNode {
        sample(sampler) { inner in
            .object([
                .init(key: "inner", value: .array(inner.isNull ? [] : [inner])),
                .init(key: "name", value: .string("n")),
            ])
        }
    }

    static func lossy(_ sampler: Sampler) -> JSONNode {
        sample(sampler) { inner in
            .object([.init(key: "nested", value: .array([sampler.chance(3) ? sampler.anything() : .null, inner]))])
        }
    }
}
