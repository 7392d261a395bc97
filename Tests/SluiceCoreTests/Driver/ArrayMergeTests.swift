import SluiceCore
import TestSupport
import Testing

/// Arrays that are merged element by element.
@Suite(.tags(.merging, .collections)) struct ArrayMergeTests {
    struct Part: JSONModel, Equatable {
        var id: Int
        var name: String?
        static let plan = ModelPlan<Part>(JSONField(\.id), JSONField(\.name))
    }

    final class Node: JSONModel {
        struct Storage {
            var id: Int
            var name: String
            var children: [Node]
        }
        var id: Int
        var name: String
        var children: [Node]
        init(_ storage: Storage) { (id, name, children) = (storage.id, storage.name, storage.children) }
        init(_ id: Int, _ name: String = "n", _ children: [Node] = []) {
            (self.id, self.name, self.children) = (id, name, children)
        }
        static let plan = ModelPlan<Node>(
            storage: Storage.self,
            [JSONField(\.id), JSONField(\.name, default: "new"), JSONField(\.children, default: [])],
            make: { Node($0) }, read: { Storage(id: $0.id, name: $0.name, children: $0.children) },
            assign: { storage, node in
                (node.id, node.name, node.children) = (storage.id, storage.name, storage.children)
            })
        var shown: String {
            "\(id)\(name)\(children.isEmpty ? "" : "[\(children.map(\.shown).joined(separator: ","))]")"
        }
    }

    struct Model: JSONModel {
        var nodes: [Node] = []
        var maybe: [Node?]?
        var parts: [Part] = []
        var grid: [[Part]] = []
        var numbers = [1, 2]
        var byKey: [String: [Part]] = [:]
        var value: JSONValue = nil
        var more: JSONValue?
        static let plan = ModelPlan<Model>([
            JSONField(\.nodes, default: []), JSONField(\.maybe), JSONField(\.parts, default: []),
            JSONField(\.grid, key: "way.grid", default: []), JSONField(\.numbers, default: []),
            JSONField(\.byKey, default: [:]), JSONField(\.value, default: nil), JSONField(\.more),
        ])
    }

    private func merged<T: JSONConvertible>(
        _ text: String, into make: @autoclosure () -> T, nulls: JSONMergeOptions.Nulls = .skip,
        nested: JSONMergeOptions.Nested = .replace, arrays: JSONMergeOptions.Arrays = .byIndex,
        _ check: (T, T) throws -> Void
    ) throws {
        for source in JSONModelDecoder.Source.allCases {
            let decoder = JSONModelDecoder(from: source)
            let before = make()
            var value = before
            try decoder.merge(
                text, into: &value, options: JSONMergeOptions(nulls: nulls, nested: nested, arrays: arrays))
            try check(before, value)
        }
    }

    @Test func `objects at the same index keep their identity`() throws {
        try merged(#"[{"name":"x"},{"id":7},{"id":3,"name":"c"}]"#, into: [Node(1, "a"), Node(2, "b")]) {
            before, after in
            #expect(after.map(\.shown) == ["1x", "7b", "3c"])
            #expect(after[0] === before[0])
            #expect(after[1] === before[1])
        }
        // Fewer elements: the surplus ones are removed.
        try merged(#"[{"name":"x"}]"#, into: [Node(1), Node(2), Node(3)]) { before, after in
            #expect(after.count == 1)
            #expect(after[0] === before[0])
            #expect(before.map(\.shown) == ["1x", "2n", "3n"])
        }
        try merged("[]", into: [Node(1)]) { _, after in #expect(after.isEmpty) }
        try merged(#"[{"id":1}]"#, into: [Node]()) { _, after in #expect(after.map(\.shown) == ["1new"]) }
    }

    @Test func `arrays in models are merged by index`() throws {
        let text =
            #"{"nodes":[{"children":[{"name":"k"},{"id":9}]},{"id":5}],"maybe":[null,{"name":"m"},{"id":6}]}"#
        for nested in [JSONMergeOptions.Nested.replace, .merge] {
            try merged(
                text, into: Model(nodes: [Node(1, "a", [Node(2, "b")])], maybe: [Node(3), Node(4)]), nested: nested
            ) { before, after in
                #expect(after.nodes.map(\.shown) == ["1a[2k,9new]", "5new"])
                #expect(after.nodes[0] === before.nodes[0])
                #expect(after.nodes[0].children.count == 2)
                // A null replaces.
                #expect(after.maybe?.map { $0?.shown } == [nil, "4m", "6new"])
                #expect(after.maybe?[1] === before.maybe?[1])
            }
        }
        // Nothing is there to merge into.
        try merged(#"{"maybe":[{"id":1},null]}"#, into: Model()) { _, after in
            #expect(after.maybe?.map { $0?.shown } == ["1new", nil])
        }
    }

    @Test func `structs and JSON values in arrays are merged field by field`() throws {
        try merged(
            #"{"parts":[{"name":"x"},{"id":2}],"way":{"grid":[[{"id":8}],[]]},"numbers":[5],"byKey":{"k":[{"name":"z"}]}}"#,
            into: Model(
                parts: [Part(id: 1, name: "a")], grid: [[Part(id: 3, name: "g"), Part(id: 4)], [Part(id: 5)]],
                byKey: ["k": [Part(id: 6)], "l": []]), nested: .merge
        ) { _, after in
            #expect(after.parts == [Part(id: 1, name: "x"), Part(id: 2)])
            #expect(after.grid == [[Part(id: 8, name: "g")], []])
            #expect(after.numbers == [5])
            #expect(after.byKey == ["k": [Part(id: 6, name: "z")], "l": []])
        }
        let value: JSONValue = [["a": 1, "b": [1, ["c": 2]]], 5, ["d": 1]]
        try merged(
            #"{"value":[{"b":[null,{"e":3}]},{"x":null},7],"more":[{"y":1},{"z":null}]}"#,
            into: Model(value: value, more: [["w": 0]]), nulls: .clear, nested: .merge
        ) { _, after in
            #expect(after.value == [["a": 1, "b": [nil, ["c": 2, "e": 3]]], [:], 7])
            // As into a missing member, an object is merged into an empty one.
            #expect(after.more == [["w": 0, "y": 1], [:]])
        }
        try merged(#"[{"b":2}]"#, into: ["k": 1] as JSONValue) { _, after in #expect(after == [["b": 2]]) }
        try merged(#"[{"b":2}]"#, into: [["k": 1]] as JSONValue) { _, after in #expect(after == [["k": 1, "b": 2]])
        }
        try merged(#"[{"id":2}]"#, into: [Part]?.none) { _, after in #expect(after == [Part(id: 2)]) }
        try merged(#"[{"id":2}]"#, into: [Part]?.some([Part(id: 1, name: "a")])) { _, after in
            #expect(after == [Part(id: 2, name: "a")])
        }
        // The last array counts, merged into the original.
        try merged(#"{"parts":[{"name":"x"}],"parts":[{"id":2},{"id":3}]}"#, into: Model(parts: [Part(id: 1)])) {
            #expect($1.parts == [Part(id: 2), Part(id: 3)])
        }
    }

    /// A new model has nothing before, whatever its candidates are.
    @Test func `candidates in a new model are not merged`() throws {
        struct Either: JSONModel, Equatable {
            var parts: [Part]
            static let plan = ModelPlan<Either>(JSONField(\.parts, key: "best", or: "other"))
        }
        try merged(#"[{"other":[{"id":1,"name":"a"}],"best":[{"id":2}]}]"#, into: [Either](), nested: .merge) {
            _, after in #expect(after == [Either(parts: [Part(id: 2)])])
        }
    }

    @Test func `arrays are replaced by default`() throws {
        let text = #"{"parts":[{"id":2}],"value":[{"b":1}]}"#
        try merged(
            text, into: Model(parts: [Part(id: 1, name: "a")], value: [["a": 1]]), nested: .merge, arrays: .replace
        ) { _, after in
            #expect(after.parts == [Part(id: 2)])
            #expect(after.value == [["b": 1]])
        }
    }

    @Test(arguments: [
        #"{"nodes":[{"name":"x"},{"id":"y"}]}"#, #"{"nodes":[{"name":"x"}],"parts":[{}, {"name":"z"}]}"#,
        #"{"nodes":[{"name":"x","children":[{"name":"k"}]},null]}"#, #"{"nodes":[{"name":"x"},5]}"#,
        #"{"nodes":[{"name":"x"}],"numbers":"#, #"{"nodes":[{"name":"x"},{"name""#, #"{"nodes":[{"name":"x"}]}x"#,
        #"{"nodes":[{"name":"x"}],"nodes":{}}"#, #"{"nodes":[{"children":[{"name":"k"},[]]}]}"#,
    ])
    func `a failure leaves every element unchanged`(_ text: String) throws {
        for source in JSONModelDecoder.Source.allCases {
            let decoder = JSONModelDecoder(from: source)
            let before = Model(nodes: [Node(1, "a", [Node(2, "b")]), Node(3)], parts: [Part(id: 4)])
            var value = before
            #expect(throws: JSONModelError.self) {
                try decoder.merge(
                    text, into: &value, options: JSONMergeOptions(nulls: .clear, nested: .merge, arrays: .byIndex))
            }
            #expect(value.nodes.map(\.shown) == ["1a[2b]", "3n"])
            #expect(value.parts == [Part(id: 4)])
            #expect(zip(value.nodes, before.nodes).allSatisfy { $0 === $1 })
        }
        var nodes = [Node(1)]
        for text in ["{}", "5", #""x""#, "null"] {
            #expect(throws: JSONModelError.self) {
                try JSONModelDecoder().merge(text, into: &nodes, options: .byIndex)
            }
        }
        #expect(nodes.map(\.shown) == ["1n"])
    }

    @Test func `errors name the element`() throws {
        var model = Model(parts: [Part(id: 1)], value: [["a": 1]])
        let error = #expect(throws: JSONModelError.self) {
            try JSONModelDecoder().merge(#"{"parts":[{},{"id":2,"name":5}]}"#, into: &model, options: .byIndex)
        }
        #expect(error?.issues.first?.path == "parts[1].name")
        let null = #expect(throws: JSONModelError.self) {
            try JSONModelDecoder().merge(#"{"parts":[null]}"#, into: &model, options: .byIndex)
        }
        #expect(null?.issues.first?.path == "parts[0]")
        #expect(null?.issues.first?.hint == "make the elements optional to allow it")
    }

    @Test func `a lossy array keeps the old element if the new element fails`() throws {
        struct Lossy: JSONModel, Equatable {
            var parts: [Part]
            static let plan = ModelPlan<Lossy>(JSONField(\.parts).lossy())
        }
        try merged(
            #"{"parts":[{"id":"x"},{"name":"y"},{"name":"z"},7,{"id":9}]}"#,
            into: Lossy(parts: [Part(id: 1), Part(id: 2)])
        ) { _, after in #expect(after.parts == [Part(id: 1), Part(id: 2, name: "y"), Part(id: 9)]) }
    }

    @Test func `enums in arrays are merged as JSON`() throws {
        enum Choice: JSONEnum, Equatable {
            case part(Part)
            static let plan = ModelPlan<Choice>(cases: [.of("part", Self.part)], tagging: .external)
        }
        try merged(#"[{"part":{"name":"x"}},{"part":{"id":3}}]"#, into: [Choice.part(Part(id: 1))], nested: .merge)
        { _, after in #expect(after == [.part(Part(id: 1, name: "x")), .part(Part(id: 3))]) }
    }

    @Test func `an array that fails leaves the objects that changed before`() throws {
        struct Graph: JSONModel {
            var first: Node
            var nodes: [Node]
            static let plan = ModelPlan<Graph>(
                JSONField(\.first), JSONField(\.nodes, default: []).defaulting(on: .mismatch))
        }
        try merged(
            #"{"first":{"name":"x"},"nodes":[{"name":"y"},{"id":"z"}]}"#,
            into: Graph(first: Node(1), nodes: [Node(2), Node(3)]), nested: .merge
        ) { before, after in
            #expect(after.first === before.first)
            #expect(after.first.shown == "1x")
            #expect(after.nodes.isEmpty)
            #expect(before.nodes.map(\.shown) == ["2n", "3n"])
        }
    }

    @Test func `an object in an element that fails at its end is unchanged`() throws {
        struct Holder: JSONModel {
            var node: Node
            var part: Part?
            static let plan = ModelPlan<Holder>(JSONField(\.node), JSONField(flatten: \.part))
        }
        struct Holders: JSONModel {
            var list: [Holder]
            static let plan = ModelPlan<Holders>(JSONField(\.list).lossy())
        }
        let list = [1, 2].map { Holder(node: Node($0), part: Part(id: $0, name: "p")) }
        // The flattened model keeps its name and lacks the identifier.
        try merged(
            #"{"list":[{"node":{"name":"x"},"id":null},{"node":{"name":"y"},"id":7}]}"#, into: Holders(list: list),
            nulls: .clear, nested: .merge
        ) { before, after in
            #expect(after.list.map(\.node.shown) == ["1n", "2y"])
            #expect(after.list.map(\.part?.id) == [1, 7])
            #expect(zip(before.list, after.list).allSatisfy { $0.node === $1.node })
            list[1].node.name = "n"
        }
    }

    @Test func `scalars and arrays of scalars are replaced`() throws {
        struct Numbers: JSONModel, Equatable {
            var list: [Int]
            static let plan = ModelPlan<Numbers>(JSONField(\.list).lossy())
        }
        try merged("5", into: 1) { #expect($1 == 5) }
        try merged(#""b""#, into: "a") { #expect($1 == "b") }
        try merged("[5]", into: [1, 2]) { #expect($1 == [5]) }
        // A failed element has no old element in its place.
        try merged(#"{"list":["x",5]}"#, into: Numbers(list: [1, 2])) { #expect($1.list == [5]) }
    }
}
