import SluiceCore

// Models that are read from recordings: by a late tag, by attempts, as a whole and in parts.

/// An internally tagged enum of one case, whose payload has a lossy array.
enum Event: JSONEnum, Equatable {
    case a(Payload)
    static let plan = ModelPlan<Event>(cases: [.of("a", Self.a)], tagging: .internal(tag: "t"))

    struct Payload: JSONModel, Equatable {
        let id: Int
        let xs: [Int]
        static let plan = ModelPlan<Payload>(JSONField(\.id), JSONField(\.xs, default: []).lossy())
    }

    var id: Int { if case .a(let payload) = self { payload.id } else { 0 } }
}

/// A chain of internally tagged enums.
indirect enum Chain: JSONEnum {
    case link(Link)
    case end
    static let plan = ModelPlan<Chain>(
        cases: [.of("link", Self.link), .of("end", .end)], tagging: .internal(tag: "t"))

    final class Link: JSONModel {
        struct Storage { var next: Chain }
        let next: Chain
        init(_ storage: Storage) { next = storage.next }
        static let plan = ModelPlan<Link>(storage: Storage.self, [JSONField(\.next)], make: { Link($0) })
    }

    /// The number of links.
    var length: Int {
        var (chain, length) = (self, 0)
        while case .link(let link) = chain { (chain, length) = (link.next, length + 1) }
        return length
    }

    static func text(_ depth: Int, tagFirst: Bool = false) -> String {
        let (open, close) = tagFirst ? (#"{"t":"link","next":"#, "}") : (#"{"next":"#, #","t":"link"}"#)
        return String(repeating: open, count: depth) + #"{"t":"end"}"# + String(repeating: close, count: depth)
    }
}

/// An untagged enum, both cases of which hold the enum itself.
indirect enum Maybe: JSONEnum, Equatable {
    case first(First)
    case second(Second)
    case number(Int)
    static let plan = ModelPlan<Maybe>(
        cases: [.of("first", Self.first), .of("second", Self.second), .of("number", Self.number)],
        tagging: .untagged)

    final class First: JSONModel, Equatable {
        struct Storage {
            var a: Maybe
            var isFirst: Bool
        }
        let a: Maybe
        init(_ storage: Storage) { a = storage.a }
        static let plan = ModelPlan<First>(
            storage: Storage.self, [JSONField(\.a), JSONField(\.isFirst, key: "first")], make: { First($0) })
        static func == (one: First, other: First) -> Bool { one.a == other.a }
    }

    final class Second: JSONModel, Equatable {
        struct Storage {
            var a: Maybe
            var names: [String]
        }
        let a: Maybe
        init(_ storage: Storage) { a = storage.a }
        static let plan = ModelPlan<Second>(
            storage: Storage.self, [JSONField(\.a), JSONField(\.names, default: []).lossy()], make: { Second($0) })
        static func == (one: Second, other: Second) -> Bool { one.a == other.a }
    }

    var depth: Int {
        switch self {
        case .first(let value): 1 + value.a.depth
        case .second(let value): 1 + value.a.depth
        case .number: 0
        }
    }

    static func text(_ depth: Int, _ innermost: String = "5") -> String {
        String(repeating: #"{"a":"#, count: depth) + innermost + String(repeating: "}", count: depth)
    }
}

/// A model whose every value goes through a hook.
final class Hooked: JSONModel, JSONValueHook {
    struct Storage: JSONModel, JSONValueHook {
        var next: Hooked?
        var id: Int
        static let plan = ModelPlan<Storage>(JSONField(\.next), JSONField(\.id, default: 0))
        static func transform(_ value: JSONValue?, for property: String) -> JSONValue? { value }
    }
    let next: Hooked?
    init(_ storage: Storage) { next = storage.next }
    static let plan = ModelPlan<Hooked>(
        storage: Storage.self, [JSONField(\.next), JSONField(\.id, default: 0)], make: { Hooked($0) })
    static func transform(_ value: JSONValue?, for property: String) -> JSONValue? { value }

    var length: Int {
        var (model, length) = (next, 1)
        while let known = model { (model, length) = (known.next, length + 1) }
        return length
    }
}

/// An array as a whole and in parts, with all elements that fail dropped.
struct LossyParts: JSONModel, Equatable {
    let items: [Item]
    let ids: [Int]
    static let plan = ModelPlan<LossyParts>(
        JSONField(\.items, default: []).lossy(), JSONField(\.ids, key: "items[*].id", default: []).lossy())

    struct Item: JSONModel, Equatable {
        let id: Int
        static let plan = ModelPlan<Item>(JSONField(\.id))
    }
}

/// The same, where the parts are strict.
struct StrictParts: JSONModel, Equatable {
    let items: [LossyParts.Item]
    let ids: [Int]
    static let plan = ModelPlan<StrictParts>(
        JSONField(\.items, default: []).lossy(), JSONField(\.ids, key: "items[*].id", default: []))
}

/// A model that reads one key as a whole and again in parts: the bytes below are replayed twice at each level.
final class Twice: JSONModel {
    struct Storage {
        var whole: Twice?
        var part: Twice?
    }
    let whole: Twice?
    init(_ storage: Storage) { whole = storage.whole }
    static let plan = ModelPlan<Twice>(
        storage: Storage.self, [JSONField(\.whole, key: "c"), JSONField(\.part, key: "c.c")], make: { Twice($0) })
}
