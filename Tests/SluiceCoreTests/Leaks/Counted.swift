import SluiceCore
import Synchronization

/// How many instances are alive. The suites that look at it run one after another.
let liveInstances = Atomic<Int>(0)
/// The number of the instance whose making throws; −1 for none.
let failingInstance = Atomic<Int>(-1)
private let madeInstances = Atomic<Int>(0)

func resetInstances(failing: Int = -1) {
    restartCount()
    failingInstance.store(failing, ordering: .sequentiallyConsistent)
}

/// The next instance is the first again.
func restartCount() { madeInstances.store(0, ordering: .sequentiallyConsistent) }

/// An instance made of a string, which is counted while it lives.
final class Counted: JSONConvertible, JSONDictionaryKey, Sendable {
    struct Failure: Error {}

    let text: String

    init(_ text: String) {
        self.text = text
        liveInstances.add(1, ordering: .sequentiallyConsistent)
    }

    deinit { liveInstances.subtract(1, ordering: .sequentiallyConsistent) }

    convenience init?(jsonKey: String) {
        if jsonKey == "no key" { return nil }
        self.init(jsonKey)
    }

    var jsonKey: String { text }

    static var jsonShape: JSONShape {
        .scalar(Counted.self, expecting: "a counted string") { scalar in
            guard let text = scalar.string else { throw JSONModelError.ConversionFailure.mismatch }
            let number = madeInstances.add(1, ordering: .sequentiallyConsistent).oldValue
            if number == failingInstance.load(ordering: .sequentiallyConsistent) { throw Failure() }
            return Counted(text)
        } write: {
            .string($0.text)
        }
    }

    static func == (a: Counted, b: Counted) -> Bool { a.text == b.text }
    func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

/// A model with instances in every place that a value can have.
struct Holder: JSONModel {
    struct Part: JSONModel {
        let one: Counted
        let two: Counted?
        let list: [Counted]
        static let plan = ModelPlan<Part>(
            JSONField(\.one, key: "one"), JSONField(\.two, key: "two"),
            JSONField(\.list, key: "list", default: [Counted("default")]))
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
        JSONField(\.field, key: "field"),
        JSONField(\.optional, key: "optional"),
        JSONField(\.list, key: "list"),
        JSONField(\.lists, key: "lists", default: [[Counted("default")]]),
        JSONField(\.byKey, key: "by_key"),
        JSONField(\.parts, key: "parts"),
        JSONField(\.byName, key: "by_name"),
        JSONField(\.unique, key: "unique"),
        JSONField(\.deep, key: "way.to.deep"),
        JSONField(\.second, key: "array[1]"),
        JSONField(\.either, key: "first", or: "then", "last"),
        JSONField(\.fallback, key: "fallback", default: Counted("default")),
        JSONField(\.tree, key: "tree"),
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
        liveInstances.add(1, ordering: .sequentiallyConsistent)
    }

    deinit { liveInstances.subtract(1, ordering: .sequentiallyConsistent) }

    static let plan = ModelPlan<Tree>(
        storage: Storage.self,
        [JSONField(\.mark, key: "mark"), JSONField(\.children, key: "children", default: [])],
        make: { Tree($0) })
}
