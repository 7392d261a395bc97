import Sluice

/// A model with a field of nearly every kind.
struct Everything: JSONModel, Hashable {
    enum Color: String, JSONFillable, Hashable { case red, green }

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
        Field(\.id, key: "id"),
        Field(\.name, key: "full_name"),
        Field(\.ratio, key: "ratio"),
        Field(\.small, key: "small"),
        Field(\.flag, key: "flag"),
        Field(\.big, key: "big"),
        Field(\.color, key: "color"),
        Field(\.tags, key: "tags"),
        Field(\.points, key: "points"),
        Field(\.byName, key: "by_name"),
        Field(\.byNumber, key: "by_number"),
        Field(\.unique, key: "unique", default: []),
        Field(\.part, key: "part"),
        Field(\.raw, key: "raw"),
        Field(\.any, key: "any"),
        Field(\.street, key: "address.street"),
        Field(\.second, key: "list[1].n"),
        Field(\.either, key: "either", or: "or", "address.else"),
        Field(\.count, key: "count", default: 7),
    ])
}

/// A part of it.
struct Part: JSONModel, Hashable {
    let x: Int
    let note: String?
    static let plan = ModelPlan<Part>(Field(\.x, key: "x"), Field(\.note, key: "note"))
}

/// A model that reads nothing but its `id`.
struct OnlyID: JSONModel, Hashable {
    let id: Int
    static let plan = ModelPlan<OnlyID>(Field(\.id, key: "id"))

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
        [Field(\.name, key: "name"), Field(\.children, key: "children", default: [])],
        make: { Node($0) })

    static func == (a: Node, b: Node) -> Bool { a.name == b.name && a.children == b.children }
    func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(children)
    }
}
