import SluiceCodable
import SluiceCore
import TestSupport
import Testing

/// Models: order, nil, paths, flattened parts, storage.
struct ModelEncodingTests {
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
        var encoder = JSONModelEncoder()
        encoder.formatting = .pretty
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
            try encode(gap, with: encoder)
                == "{\n  \"id\": 1,\n  \"owner\": {\n    \"login\": \"l\"\n  },\n"
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
            try encode(same)
                == #"{"items":[{"name":"a","box":{"size":1}},{"name":null,"box":{"size":2}}],"#
                + #""a":[{"b":[{"c":5}]},{"b":[{"c":6}]}]}"#)
        #expect(throws: JSONModelError.self) { try encode(Spread(names: ["a"], sizes: [1, 2], deep: [])) }
        #expect(try encode(Spread(names: [], sizes: nil, deep: [])) == #"{"items":[],"a":[]}"#)
        #expect(
            try encode(Spread(names: ["a", "b"], sizes: nil, deep: []))
                == #"{"items":[{"name":"a"},{"name":"b"}],"a":[]}"#)
    }

    struct Measured: JSONModel {
        var first = 0.0
        var second = 0.0
        var plain: [Double] = []
        var spread: [Double] = []
        var deep: [Double] = []
        static let plan = ModelPlan<Measured>([
            JSONField(\.first, key: "grid[1].x"), JSONField(\.second, key: "grid[2]"),
            JSONField(\.plain, key: "plain"),
            JSONField(\.spread, key: "items[*].x"), JSONField(\.deep, key: "a.b[*].c[0]"),
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
        var encoder = JSONModelEncoder()
        encoder.nullStrategy = .write
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
        var encoder = JSONModelEncoder()
        encoder.nullStrategy = .write
        #expect(try encode(States(one: .absent, two: .null), with: encoder) == #"{"two":null}"#)
    }

    @Test func `arrays of models without members are written whole`() throws {
        let models = Array(repeating: States(one: .absent, two: .absent), count: 3_000)
        #expect(try encode(models) == "[" + Array(repeating: "{}", count: 3_000).joined(separator: ",") + "]")
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
        var encoder = JSONModelEncoder()
        encoder.keyStrategy = .snakeCase
        #expect(try encode(Named(fullName: "x"), with: encoder) == #"{"full_name":"x"}"#)
    }
}
