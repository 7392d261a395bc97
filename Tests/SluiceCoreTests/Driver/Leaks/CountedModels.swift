import SluiceCore
import TestSupport

enum LeakInstances: InstanceGroup { static let instances = InstanceCounter() }

typealias Counted = Instance<LeakInstances>

/// A model with instances in every place that a value can have.
struct Holder: JSONModel {
    struct Part: JSONModel {
        let one: Counted
        let two: Counted?
        let list: [Counted]
        static let plan = ModelPlan<Part>(
            JSONField(\.one), JSONField(\.two), JSONField(\.list, default: [Counted("default")]))
    }

    let field: Counted
    let optional: Counted?
    let list: [Counted]
    let lists: [[Counted?]]
    let byKey: [Counted: Counted]
    let parts: [Part]
    let byName: [String: Part?]
    let unique: Set<Counted>
    let deep: Counted?
    let second: Part?
    let either: Counted?
    let fallback: Counted
    let tree: Tree?
    let ignored: Counted

    static let plan = ModelPlan<Holder>([
        JSONField(\.field), JSONField(\.optional), JSONField(\.list),
        JSONField(\.lists, default: [[Counted("default")]]), JSONField(\.byKey, key: "by_key"), JSONField(\.parts),
        JSONField(\.byName, key: "by_name"), JSONField(\.unique), JSONField(\.deep, key: "way.to.deep"),
        JSONField(\.second, key: "array[1]"), JSONField(\.either, key: "first", or: "then", "last"),
        JSONField(\.fallback, default: Counted("default")), JSONField(\.tree),
        JSONField(ignoring: \.ignored, default: Counted("ignored")),
    ])

    static let text = #"""
        {"field":"a","field":"a twice","optional":null,"optional":"b","list":["c","d","e"],
        "lists":[["f",null],[],["g"]],"by_key":{"k":"h","l":"i","k":"j"},
        "parts":[{"one":"k"},{"one":"l","two":"m","list":["n","o"],"list":["p"]}],
        "by_name":{"x":{"two":"q","one":"r"},"y":null},"unique":["s","t","s"],
        "way":{"to":{"deep":"u"},"unknown":["v"]},"array":[{"one":0},{"one":"w","list":[]},"x"],
        "last":"y","then":null,"first":"z","fallback":null,"unknown":{"a":["b"]},
        "tree":{"mark":"A","children":[{"mark":"B"},{"children":[{"mark":"C"}],"mark":"D"}]}}
        """#
}

/// A class that is made of its storage, and contains itself.
final class Tree: JSONModel, Sendable {
    struct Storage {
        let mark: Counted
        let children: [Tree]
    }

    let mark: Counted
    let children: [Tree]

    init(_ storage: consuming Storage) {
        mark = storage.mark
        children = storage.children
        LeakInstances.instances.add()
    }

    deinit { LeakInstances.instances.remove() }

    static let plan = ModelPlan<Tree>(
        storage: Storage.self, [JSONField(\.mark), JSONField(\.children, default: [])], make: { Tree($0) })
}
