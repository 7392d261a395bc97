import SluiceCore
import TestSupport
import Testing

/// Structs and classes: nested, recursive and generic.
struct ModelTests {
    struct Outer: JSONModel, Equatable {
        let inner: Inner
        let maybe: Inner?
        let list: [Inner]
        let byName: [String: [Inner?]]
        static let plan = ModelPlan<Outer>(
            JSONField(\.inner), JSONField(\.maybe), JSONField(\.list), JSONField(\.byName, key: "by_name"))
    }

    struct Inner: JSONModel, Equatable {
        let a: Int8
        let b: Double
        let c: Bool?
        let d: String
        static let plan = ModelPlan<Inner> {
            JSONField(\.d, default: "-")
            JSONField(\.a)
            JSONField(\.c)
            JSONField(\.b, default: 0)
        }
    }

    /// No optional fits into it beside a tag: its last byte is a plain number.
    struct Small: JSONModel, Equatable {
        let x: UInt8
        static let plan = ModelPlan<Small>(JSONField(\.x))
    }

    struct Tree: JSONModel, Equatable {
        let name: String
        let children: [Tree]
        let byName: [String: Tree]
        static let plan = ModelPlan<Tree>(
            JSONField(\.name), JSONField(\.children, default: []), JSONField(\.byName, key: "by_name", default: [:])
        )
    }

    final class Node: JSONModel, Equatable, Sendable {
        struct Storage {
            let name: String
            let next: Node?
            let children: [Node]
        }

        let name: String
        let next: Node?
        let children: [Node]

        init(name: String, next: Node? = nil, children: [Node] = []) {
            self.name = name
            self.next = next
            self.children = children
        }

        static let plan = ModelPlan<Node>(
            storage: Storage.self, [JSONField(\.name), JSONField(\.next), JSONField(\.children, default: [])],
            make: { Node(name: $0.name, next: $0.next, children: $0.children) })

        static func == (a: Node, b: Node) -> Bool {
            a.name == b.name && a.next == b.next && a.children == b.children
        }
    }

    struct Page<Item: JSONConvertible & Equatable>: JSONModel, Equatable {
        let items: [Item]
        let first: Item?
        static var plan: ModelPlan<Page> { .shared { ModelPlan(JSONField(\.items), JSONField(\.first)) } }
    }

    struct Pair<A: JSONConvertible & Equatable, B: JSONConvertible & Equatable>: JSONModel, Equatable {
        let a: A
        let b: B
        static var plan: ModelPlan<Pair> { .shared { ModelPlan(JSONField(\.a), JSONField(\.b)) } }
    }

    struct Empty: JSONModel, Equatable { static let plan = ModelPlan<Empty>([]) }

    @Test func `models nest in models, arrays and dictionaries`() throws {
        let text = #"""
            {"list":[{"a":-128,"b":1},{"b":2,"a":127,"c":false,"d":"d"}],"by_name":{"x":[null,{"a":1}],"y":[]},
             "maybe":null,"inner":{"a":0,"c":null}}
            """#
        let expected = Outer(
            inner: Inner(a: 0, b: 0, c: nil, d: "-"), maybe: nil,
            list: [Inner(a: -128, b: 1, c: nil, d: "-"), Inner(a: 127, b: 2, c: false, d: "d")],
            byName: ["x": [nil, Inner(a: 1, b: 0, c: nil, d: "-")], "y": []])
        #expect(try decode(Outer.self, text) == expected)
    }

    @Test func `optional models decode from null`() throws {
        #expect(try decode([Small?].self, #"[{"x":255},null,{"x":0}]"#) == [Small(x: 255), nil, Small(x: 0)])
        #expect(try decode([Small??].self, #"[{"x":1},null]"#) == [.some(.some(Small(x: 1))), .none])
        #expect(try decode([Node?].self, #"[{"name":"a"},null]"#) == [Node(name: "a"), nil])
    }

    @Test func `a struct may contain itself`() throws {
        let text = #"{"name":"r","by_name":{"k":{"name":"v"}},"children":[{"name":"a","children":[{"name":"b"}]}]}"#
        let expected = Tree(
            name: "r",
            children: [Tree(name: "a", children: [Tree(name: "b", children: [], byName: [:])], byName: [:])],
            byName: ["k": Tree(name: "v", children: [], byName: [:])])
        #expect(try decode(Tree.self, text) == expected)
    }

    @Test func `a class may contain itself`() throws {
        let text =
            #"{"children":[{"name":"a","next":{"name":"n"}},{"name":"b","children":[]}],"name":"r","next":null}"#
        let expected = Node(name: "r", children: [Node(name: "a", next: Node(name: "n")), Node(name: "b")])
        #expect(try decode(Node.self, text) == expected)
    }

    @Test func `models nest 250 levels deep`() throws {
        let depth = 250
        let text =
            String(repeating: #"{"name":"n","children":["#, count: depth) + String(repeating: "]}", count: depth)
        var tree = try JSONModelDecoder().decode(Node.self, from: text)
        for _ in 1..<depth { tree = tree.children[0] }
        #expect(tree.children.isEmpty)
    }

    @Test func `each specialization of a generic model has one plan`() throws {
        #expect(try decode(Page<Int>.self, #"{"items":[1],"first":2}"#) == Page(items: [1], first: 2))
        #expect(try decode(Page<String>.self, #"{"items":["a"]}"#) == Page(items: ["a"], first: nil))
        #expect(
            try decode(Page<Pair<Int, Page<Bool>>>.self, #"{"items":[{"b":{"items":[true]},"a":1}]}"#)
                == Page(items: [Pair(a: 1, b: Page(items: [true], first: nil))], first: nil))
        // The plan of each is made once.
        #expect(Page<Int>.plan._erased === Page<Int>.plan._erased)
        #expect(Page<Int>.plan._erased !== Page<Bool>.plan._erased)
    }

    @Test func `a model without fields decodes from any object`() throws {
        #expect(try decode(Empty.self, #"{"a":[1]}"#) == Empty())
        #expect(try decode([Empty].self, "[{},{}]") == [Empty(), Empty()])
    }

    @Test func `keys may be in any order and may be escaped`() throws {
        let expected = Inner(a: 1, b: 2, c: true, d: "x")
        for keys in ["abcd", "dcba", "bdac", "cadb"] {
            let values: [Character: String] = ["a": "1", "b": "2.0", "c": "true", "d": #""x""#]
            let plain = keys.map { "\"\($0)\":\(values[$0]!)" }.joined(separator: ",")
            #expect(try decode(Inner.self, "{\(plain)}") == expected)
            let escaped = keys.map { #""\u00\#(String($0.asciiValue!, radix: 16))":\#(values[$0]!)"# }
            #expect(try decode(Inner.self, "{\(escaped.joined(separator: ","))}") == expected)
            let between = keys.map { #""\#($0)\#($0)":[{"a":0}], "\#($0)":\#(values[$0]!)"# }
            #expect(try decode(Inner.self, "{\(between.joined(separator: ","))}") == expected)
        }
    }

    @Test func `many tasks can decode at the same time`() async throws {
        try await withThrowingTaskGroup { group in
            for number in 0..<32 {
                group.addTask {
                    let text = #"{"items":[{"a":\#(number),"b":[1]}]}"#
                    return try JSONModelDecoder().decode(Page<Pair<Int, Set<Int16>>>.self, from: text).items[0].a
                }
            }
            var found: Set<Int> = []
            for try await number in group { found.insert(number) }
            #expect(found == Set(0..<32))
        }
    }
}
