import Sluice
import TestSupport

/// A document of many levels, on which every verb is called on a thread with half a megabyte of stack.
///
/// A stack that overflows ends the process: `SLUICE_FUZZ_JOURNAL` names the case.
struct DeepCase {
    private static let subjects: [any DeepModel.Type] = [
        DeepTree<DeepUntagged>.self, DeepTree<DeepExternal>.self, DeepTree<DeepAdjacent>.self,
        DeepTree<DeepInternal>.self, DeepRefusal.self, DeepRecord.self, DeepClass.self, DeepFlattened.self,
        DeepTransformed.self, DeepCalls.self, DeepLazy.self, DeepHooked.self, JSONCodable<DeepCodable>.self,
        DeepMixed.self, JSONValue.self, JSONRaw.self,
    ]

    private let subject: any DeepModel.Type
    private let text: String
    private let depth: Int
    private let limit: Int

    init(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        subject = random.pick(Self.subjects)
        depth = random.pick([random.below(40), 200 + random.below(320), random.below(4_200)])
        limit = random.pick([512, 512, JSONLimits.maximumDepth, random.below(4_097)])
        // One form of level, several in turn, or any.
        let (first, step) = (random.below(8), random.below(3))
        let core = random.pick(subject.cores)
        let count = subject.levels.count
        var levels = random
        text = subject.document(depth, core: core) { index in
            switch step {
            case 0: first % count
            case 1: (first + index) % count
            default: levels.below(count)
            }
        }
    }

    /// What the verbs have found: the sources of tokens agree, unless the stack has ended.
    func findings() -> [Finding] {
        func run<T: DeepModel>(_ type: T.Type) -> [JSONIssue?] { StackOracle(type, text, depth: limit).run() }
        let issues = run(subject)
        let facts = issues.map { $0.map { "\($0)" } ?? "a value" }
        // The sources use different amounts of stack. The issue may be that of a call in a hook.
        if facts.contains(where: { $0.contains("the stack of the thread") }) { return [] }
        if Set(facts).count <= 1 { return [] }
        return [
            Finding(
                kind: "sources differ in a deep document",
                detail:
                    "\(subject), \(depth) levels, limit \(limit)\n\(facts.joined(separator: "\n"))\n\(text.prefix(200))"
            )
        ]
    }
}
