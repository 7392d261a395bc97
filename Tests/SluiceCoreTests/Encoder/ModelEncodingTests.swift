import SluiceCodable
import SluiceCore
import TestSupport
import Testing

/// Models: order, nil, paths, flattened parts, storage.
@Suite(.tags(.encoding)) struct ModelEncodingTests {
    struct Point: JSONModel, Equatable {
        var y: Int
        var x: Int?
        var name: String? = nil
        static let plan = ModelPlan<Point>([
            JSONField(\.y, key: "y"), JSONField(\.x, key: "x"), JSONField(\.name, key: "na\"me"),
        ])
    }

    @Test func `fields are written in the order of declaration`() throws {
        #expect(try encode(Point(y: 1, x: 2, name: "n")) == #"{"y":1,"x":2,"na\"me":"n"}"#)
        #expect(try encode(Point(y: 1, x: nil)) == #"{"y":1}"#)
        var encoder = JSONModelEncoder()
        encoder.nullStrategy = .write
        #expect(try encode(Point(y: 1, x: nil), with: encoder) == #"{"y":1,"x":null,"na\"me":null}"#)
        encoder.keyOrder = .sorted
        #expect(try encode(Point(y: 1, x: nil), with: encoder) == #"{"na\"me":null,"x":null,"y":1}"#)
        #expect(try encode([Point?.none, Point(y: 1)]) == #"[null,{"y":1}]"#)
    }

    private struct LongKeys: JSONModel, Equatable {
        var a, b, c, d, e, f, g, h, i, j, k: Int?

        private static var paths: [WritableKeyPath<LongKeys, Int?>] {
            [\.a, \.b, \.c, \.d, \.e, \.f, \.g, \.h, \.i, \.j, \.k]
        }
        /// The lengths around 32 and 64 bytes of a key with its quotes, colon and comma.
        static var keys: [String] {
            [27, 28, 29, 30, 31, 59, 60, 61, 62, 63, 200].map { count in
                String((0..<count).map { Character(Unicode.Scalar(UInt8(0x61 + ($0 + count) % 26))) })
            }
        }
        static let plan = ModelPlan<LongKeys>(zip(paths, keys).map { JSONField($0, key: $1) })

        init(from first: Int) {
            for (index, path) in Self.paths.enumerated() where index >= first { self[keyPath: path] = index }
        }
    }

    @Test func `long keys are written whole`() throws {
        for first in LongKeys.keys.indices {
            let members = LongKeys.keys.enumerated().dropFirst(first).map { "\"\($1)\":\($0)" }
            #expect(try encode(LongKeys(from: first)) == "{\(members.joined(separator: ","))}")
            try expectRoundTrip(LongKeys(from: first))
        }
    }

    @Test func `pretty output is indented by two spaces`() throws {
        let encoder = JSONModelEncoder.with { $0.formatting = .pretty }
        let value = ["p": [Point(y: 1, x: 2), Point(y: 3, x: nil)]]
        #expect(
            try encode(value, with: encoder) == """
                {
                  "p": [
                    {
                      "y": 1,
                      "x": 2
                    },
                    {
                      "y": 3
                    }
                  ]
                }
                """)
        #expect(try encode([[Int]](), with: encoder) == "[]")
        #expect(
            try encode([["a": 1] as JSONValue, [:], []], with: encoder)
                == "[\n  {\n    \"a\": 1\n  },\n  {},\n  []\n]")
        // Each number and string of an array has its line.
        #expect(try encode([1, 2], with: encoder) == "[\n  1,\n  2\n]")
        #expect(try encode([[1.5, 2.5]], with: encoder) == "[\n  [\n    1.5,\n    2.5\n  ]\n]")
        #expect(try encode(["k": ["a", "b"]], with: encoder) == "{\n  \"k\": [\n    \"a\",\n    \"b\"\n  ]\n}")
    }

    struct Paths: JSONModel, Equatable {
        var id: Int
        var login: String
        var city: String?
        var second: Int?
        var corner: Double?
        var other: Int?
        var dotted: Int?
        static let plan = ModelPlan<Paths>([
            JSONField(\.id, key: "id"), JSONField(\.login, key: "owner.login", or: "login"),
            JSONField(\.city, key: "owner.address.city"), JSONField(\.second, key: "list[1]"),
            JSONField(\.corner, key: "grid[1][0].x"), JSONField(\.other, key: "grid[3]"),
            JSONField(\.dotted, key: #"a\.b"#),
        ])
    }

    struct Far: JSONModel, Equatable {
        var near: Int?
        var far: Int?
        static let plan = ModelPlan<Far>(JSONField(\.near, key: "a[2]"), JSONField(\.far, key: "a[99999].x"))
    }

    /// Each element before the last one was an instruction, which looked for a value in all of the following ones.
    @Test func `elements that no property has cost their bytes`() throws {
        func nulls(_ count: Int) -> String { String(repeating: "null,", count: count) }
        try expectRoundTrip(Far(near: 1, far: 2))
        #expect(try encode(Far(near: 1, far: 2)) == #"{"a":["# + nulls(2) + "1," + nulls(99_996) + #"{"x":2}]}"#)
        #expect(try encode(Far(far: 2)) == #"{"a":["# + nulls(99_999) + #"{"x":2}]}"#)
        #expect(try encode(Far(near: 1)) == #"{"a":[null,null,1]}"#)
    }

    @Test func `paths become nested objects and arrays`() throws {
        let all = Paths(id: 1, login: "l", city: "c", second: 2, corner: 0.5, other: 4, dotted: 5)
        let text =
            #"{"id":1,"owner":{"login":"l","address":{"city":"c"}},"list":[null,2],"#
            + #""grid":[null,[{"x":0.5}],null,4],"a.b":5}"#
        #expect(try encode(all) == text)
        try expectRoundTrip(all)
        let few = Paths(id: 1, login: "l", city: nil, second: nil, corner: nil, other: nil, dotted: nil)
        #expect(try encode(few) == #"{"id":1,"owner":{"login":"l"}}"#)
        let gap = Paths(id: 1, login: "l", city: nil, second: nil, corner: nil, other: 4, dotted: nil)
        #expect(try encode(gap) == #"{"id":1,"owner":{"login":"l"},"grid":[null,null,null,4]}"#)
        let short = Paths(id: 1, login: "l", city: nil, second: nil, corner: 1, other: nil, dotted: nil)
        #expect(try encode(short) == #"{"id":1,"owner":{"login":"l"},"grid":[null,[{"x":1.0}]]}"#)
        var encoder = JSONModelEncoder()
        encoder.nullStrategy = .write
        #expect(
            try encode(few, with: encoder)
                == #"{"id":1,"owner":{"login":"l","address":{"city":null}},"list":[null,null],"#
                + #""grid":[null,[{"x":null}],null,null],"a.b":null}"#)
        encoder = JSONModelEncoder()
        encoder.formatting = .pretty
        #expect(
            try encode(gap, with: encoder) == "{\n  \"id\": 1,\n  \"owner\": {\n    \"login\": \"l\"\n  },\n"
                + "  \"grid\": [\n    null,\n    null,\n    null,\n    4\n  ]\n}")
    }

    struct Spread: JSONModel, Equatable {
        var names: [String?]
        var sizes: [Int]?
        var deep: [Int]
        static let plan = ModelPlan<Spread>([
            JSONField(\.names, key: "items[*].name"), JSONField(\.sizes, key: "items[*].box.size"),
            JSONField(\.deep, key: "a[*].b[0].c"),
        ])
    }

    @Test func `gathered arrays are spread over their elements`() throws {
        let same = Spread(names: ["a", nil], sizes: [1, 2], deep: [5, 6])
        #expect(
            try encode(same) == #"{"items":[{"name":"a","box":{"size":1}},{"name":null,"box":{"size":2}}],"#
                + #""a":[{"b":[{"c":5}]},{"b":[{"c":6}]}]}"#)
        #expect(throws: JSONModelError.self) { try encode(Spread(names: ["a"], sizes: [1, 2], deep: [])) }
        #expect(try encode(Spread(names: [], sizes: nil, deep: [])) == #"{"items":[],"a":[]}"#)
        #expect(
            try encode(Spread(names: ["a", "b"], sizes: nil, deep: []))
                == #"{"items":[{"name":"a"},{"name":"b"}],"a":[]}"#)
    }

    struct Measured: JSONModel, Equatable {
        var first = 0.0
        var second = 0.0
        var plain: [Double] = []
        var spread: [Double] = []
        var deep: [Double] = []
        static let plan = ModelPlan<Measured>([
            JSONField(\.first, key: "grid[1].x"), JSONField(\.second, key: "grid[2]"),
            JSONField(\.plain, key: "plain"), JSONField(\.spread, key: "items[*].x"),
            JSONField(\.deep, key: "a.b[*].c[0]"),
        ])
    }

    @Test func `the path of an error has the keys and indexes around the value`() throws {
        #expect(try encodingRefusal(Measured(first: .nan)).path == "grid[1].x")
        #expect(try encodingRefusal(Measured(second: .nan)).path == "grid[2]")
        #expect(try encodingRefusal(Measured(plain: [1, .nan])).path == "plain[1]")
        #expect(try encodingRefusal(Measured(spread: [1, 2, .nan])).path == "items[2].x")
        #expect(try encodingRefusal(Measured(deep: [1, .nan])).path == "a.b[1].c[0]")
    }

    struct Inner: JSONModel, Equatable {
        var a: Int
        var b: Int?
        static let plan = ModelPlan<Inner>([JSONField(\.a, key: "a"), JSONField(\.b, key: "n.b")])
    }

    struct Other: JSONModel, Equatable {
        var c: String
        static let plan = ModelPlan<Other>([JSONField(\.c, key: "n.c")])
    }

    struct Outer: JSONModel, Equatable {
        var id: Int
        var inner: Inner
        var other: Other?
        var rest: [String: Int]
        var kept = 3
        static let plan = ModelPlan<Outer>([
            JSONField(\.id), JSONField(flatten: \.inner), JSONField(flatten: \.other), JSONField(extra: \.rest),
            JSONField(ignoring: \.kept, default: 3),
        ])
    }

    @Test func `flattened models and extra keys are written into the same object`() throws {
        let all = Outer(id: 1, inner: Inner(a: 2, b: 3), other: Other(c: "x"), rest: ["z": 9])
        #expect(try encode(all) == #"{"id":1,"a":2,"n":{"b":3,"c":"x"},"z":9}"#)
        // What a property has is not written twice.
        let few = Outer(id: 1, inner: Inner(a: 2, b: nil), other: nil, rest: ["id": 7, "a": 8])
        #expect(try encode(few) == #"{"id":1,"a":2}"#)
        let encoder = JSONModelEncoder.with { $0.nullStrategy = .write }
        #expect(try encode(few, with: encoder) == #"{"id":1,"a":2,"n":{"b":null}}"#)
    }

    struct OneWay: JSONModel, Equatable {
        var read = 1
        var written = 2
        static let plan = ModelPlan<OneWay>([
            JSONField(\.read, default: 1).ignored(.encoding), JSONField(\.written, default: 2).ignored(.decoding),
        ])
    }

    @Test func `a field that is ignored in encoding is not written`() throws {
        #expect(try encode(OneWay()) == #"{"written":2}"#)
    }

    struct States: JSONModel {
        var one: JSONPresence<Int>
        var two: JSONPresence<String>
        static let plan = ModelPlan<States>([JSONField(\.one), JSONField(\.two)])
    }

    @Test func `absent properties are omitted and nulls are written`() throws {
        #expect(try encode(States(one: .absent, two: .null)) == #"{"two":null}"#)
        #expect(try encode(States(one: .value(1), two: .value("x"))) == #"{"one":1,"two":"x"}"#)
        let encoder = JSONModelEncoder.with { $0.nullStrategy = .write }
        #expect(try encode(States(one: .absent, two: .null), with: encoder) == #"{"two":null}"#)
    }

    @Test func `arrays of models without members are written whole`() throws {
        let models = Array(repeating: States(one: .absent, two: .absent), count: 3_000)
        #expect(try encode(models) == "[" + Array(repeating: "{}", count: 3_000).joined(separator: ",") + "]")
    }

    struct Branch: JSONModel, Equatable {
        var leaves: [Point]
        var measured: [Measured] = []
        var numbers: [Int]? = nil
        var last: [Point]? = nil
        static let plan = ModelPlan<Branch>([
            JSONField(\.leaves), JSONField(\.measured, default: []), JSONField(\.numbers), JSONField(\.last),
        ])
    }

    struct Tree: JSONModel, Equatable {
        var branches: [Branch]
        var id: Int
        static let plan = ModelPlan<Tree>([JSONField(\.branches), JSONField(\.id)])
    }

    private func tree(_ branches: Int, _ leaves: Int) -> Tree {
        let points = (0..<leaves).map { Point(y: $0, x: $0 % 3 == 0 ? nil : 7) }
        let all = (0..<branches).map {
            Branch(leaves: points, numbers: $0 == 1 ? [] : [1, 2], last: $0 == 2 ? points : nil)
        }
        return Tree(branches: all, id: 5)
    }

    /// The text of a tree, from the texts of the points, which have no arrays.
    private func text(_ tree: Tree) throws -> String {
        func list(_ points: [Point]) throws -> String {
            "[" + (try points.map { try encode($0) }).joined(separator: ",") + "]"
        }
        let branches = try tree.branches.map { branch in
            var members = ["\"leaves\":" + (try list(branch.leaves)), "\"measured\":[]"]
            if let numbers = branch.numbers {
                members.append("\"numbers\":[\(numbers.map(String.init).joined(separator: ","))]")
            }
            if let last = branch.last { members.append("\"last\":" + (try list(last))) }
            return "{" + members.joined(separator: ",") + "}"
        }
        return "{\"branches\":[" + branches.joined(separator: ",") + "],\"id\":5}"
    }

    @Test func `arrays of models are written in every format`() throws {
        let pretty = JSONModelEncoder.with { $0.formatting = .pretty }
        let sorted = JSONModelEncoder.with { $0.keyOrder = .sorted }
        for (branches, leaves) in [(0, 0), (1, 0), (1, 1), (3, 0), (3, 1), (3, 2), (4, 300)] {
            let tree = tree(branches, leaves)
            #expect(try encode(tree) == text(tree))
            #expect(try encode([tree, tree]) == "[\(text(tree)),\(text(tree))]")
            for encoder in [pretty, sorted] {
                let written = try encode(tree, with: encoder)
                #expect(try JSONModelDecoder().decode(Tree.self, from: written) == tree)
            }
            let plain = try encode(tree, with: pretty).filter { $0 != "\n" && $0 != " " }
            #expect(try plain == text(tree))
            var pieces: [UInt8] = []
            try JSONModelEncoder().write(tree) { pieces += $0 }
            #expect(try String(decoding: pieces, as: UTF8.self) == text(tree))
        }
    }

    @Test func `an error in arrays of models has its path`() throws {
        var tree = tree(3, 2)
        tree.branches[2].measured = [Measured(), Measured(plain: [1, .nan])]
        #expect(try encodingRefusal(tree).path == "branches[2].measured[1].plain[1]")
        #expect(try encodingRefusal([self.tree(1, 1), tree]).path == "[1].branches[2].measured[1].plain[1]")
        var shallow = JSONModelEncoder()
        shallow.limits.depth = 4
        #expect(try encodingRefusal(self.tree(2, 1), with: shallow).path == "branches[0].leaves[0]")
        shallow.limits.depth = 3
        #expect(try encodingRefusal(self.tree(2, 0), with: shallow).path == "branches[0].leaves")
    }

    @Test func `an error of the output ends arrays of models`() throws {
        struct Full: Error {}
        var calls = 0
        let error = #expect(throws: JSONModelError.self) {
            try JSONModelEncoder().write(tree(4_000, 20)) { _ in
                calls += 1
                if calls == 2 { throw Full() }
            }
        }
        #expect(calls == 2)
        #expect(error?.issues.first?.underlying is Full)
    }

    final class Node: JSONModel {
        let id: Int
        let next: Node?
        init(id: Int, next: Node?) { (self.id, self.next) = (id, next) }
        struct Storage {
            var id: Int
            var next: Node?
        }
        static let plan = ModelPlan<Node>(
            storage: Storage.self, [JSONField(\.id), JSONField(\.next)], make: { Node(id: $0.id, next: $0.next) },
            read: { Storage(id: $0.id, next: $0.next) })
    }

    final class Closed: JSONModel {
        struct Storage { var id: Int }
        static let plan = ModelPlan<Closed>(storage: Storage.self, [JSONField(\.id)], make: { _ in Closed() })
    }

    @Test func `a class is written if its plan can read the fields`() throws {
        #expect(try encode(Node(id: 1, next: Node(id: 2, next: nil))) == #"{"id":1,"next":{"id":2}}"#)
        guard case .notEncodable(let why) = try encodingRefusal(["x": Closed()]).kind else {
            Issue.record("a class without read: is written")
            return
        }
        #expect(why.contains("Closed"))
    }

    @Test func `the key strategy of the encoder applies to keys`() throws {
        struct Named: JSONModel {
            var fullName: String
            static let plan = ModelPlan<Named>([JSONField(\.fullName, name: "fullName")])
        }
        let encoder = JSONModelEncoder.with { $0.keyStrategy = .snakeCase }
        #expect(try encode(Named(fullName: "x"), with: encoder) == #"{"full_name":"x"}"#)
    }
}
