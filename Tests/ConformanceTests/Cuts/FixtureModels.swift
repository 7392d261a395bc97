import Sluice

/// A model with a field of nearly every kind.
struct Everything: JSONModel, Hashable {
    enum Color: String, JSONConvertible, Hashable { case red, green }

    let id: Int
    let name: String
    let ratio: Double
    let small: Float?
    let flag: Bool
    let big: Int128?
    let color: Color?
    let tags: [String]
    let points: [[Double]]
    let byName: [String: Part?]
    let byNumber: [Int: String]
    let unique: Set<Int>
    let part: Part?
    let raw: JSONRaw?
    let any: JSONValue
    let street: String?
    let second: Int?
    let either: String?
    var count = 7

    static let plan = ModelPlan<Everything>([
        JSONField(\.id, key: "id"),
        JSONField(\.name, key: "full_name"),
        JSONField(\.ratio, key: "ratio"),
        JSONField(\.small, key: "small"),
        JSONField(\.flag, key: "flag"),
        JSONField(\.big, key: "big"),
        JSONField(\.color, key: "color"),
        JSONField(\.tags, key: "tags"),
        JSONField(\.points, key: "points"),
        JSONField(\.byName, key: "by_name"),
        JSONField(\.byNumber, key: "by_number"),
        JSONField(\.unique, key: "unique", default: []),
        JSONField(\.part, key: "part"),
        JSONField(\.raw, key: "raw"),
        JSONField(\.any, key: "any"),
        JSONField(\.street, key: "address.street"),
        JSONField(\.second, key: "list[1].n"),
        JSONField(\.either, key: "either", or: "or", "address.else"),
        JSONField(\.count, key: "count", default: 7),
    ])
}

/// A part of it.
struct Part: JSONModel, Hashable {
    let x: Int
    let note: String?
    static let plan = ModelPlan<Part>(JSONField(\.x, key: "x"), JSONField(\.note, key: "note"))
}

/// A model that reads nothing but its `id`.
struct OnlyID: JSONModel, Hashable {
    let id: Int
    static let plan = ModelPlan<OnlyID>(JSONField(\.id, key: "id"))

    static func skipping(_ text: [UInt8]) -> [UInt8] {
        Array("{\"skip\":".utf8) + text + Array(",\"id\":1}".utf8)
    }
}

/// A tree of instances.
final class Node: JSONModel, Hashable, Sendable {
    let name: String
    let children: [Node]

    struct Storage {
        let name: String
        let children: [Node]
    }

    init(_ storage: consuming Storage) {
        name = storage.name
        children = storage.children
    }

    static let plan = ModelPlan<Node>(
        storage: Storage.self,
        [JSONField(\.name, key: "name"), JSONField(\.children, key: "children", default: [])],
        make: { Node($0) })

    static func == (a: Node, b: Node) -> Bool { a.name == b.name && a.children == b.children }
    func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(children)
    }
}
