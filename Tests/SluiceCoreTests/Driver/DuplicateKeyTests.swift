import SluiceCore
import SluiceStreams
import TestSupport
import Testing

/// Duplicate keys: the last wins, or all are rejected.
@Suite(.tags(.keys)) struct DuplicateKeyTests {
    struct Model: JSONModel, Equatable {
        let a: Int
        let b: String?
        let deep: Int?
        let list: [String]
        let item: Int?
        let either: Int?
        static let plan = ModelPlan<Model>([
            JSONField(\.a), JSONField(\.b), JSONField(\.deep, key: "o.deep"), JSONField(\.list, default: []),
            JSONField(\.item, key: "array[0]"), JSONField(\.either, key: "one", or: "two"),
        ])
    }

    private static var rejecting: JSONModelDecoder {
        let decoder = JSONModelDecoder.with { $0.duplicateKeys = .reject }
        return decoder
    }

    @Test func `the last of two duplicate keys wins`() throws {
        let text = #"{"a":1,"b":"x","a":2,"b":"y","list":["long enough for the heap, to be freed"],"list":["z"]}"#
        #expect(try decode(Model.self, text) == Model(a: 2, b: "y", deep: nil, list: ["z"], item: nil, either: nil))
    }

    /// A null after a value leaves nothing: the last one counts.
    @Test func `a null after a value clears the value`() throws {
        #expect(try decode(Model.self, #"{"a":1,"b":"x","b":null}"#).b == nil)
        #expect(try decode(Model.self, #"{"a":1,"list":["x"],"list":null}"#).list == [])
        #expect(try decode(Model.self, #"{"a":1,"b":null,"b":"x"}"#).b == "x")
    }

    @Test(arguments: [
        (#"{"a":1,"a":2}"#, "a", 7), (#"{"b":"","a":1,"b":""}"#, "b", 14),
        (#"{"a":1,"o":{"deep":1,"deep":2}}"#, "o.deep", 21), (#"{"a":1,"list":[],"list":[]}"#, "list", 17),
        (#"{"a":1,"two":1,"two":2}"#, "two", 15), (#"{"a":1,"one":1,"one":2}"#, "one", 15),
        (#"{"a":1,"b":"\n","\u0062":null}"#, "b", 16), (#"{"a":1,"two":null,"two":2}"#, "two", 18),
        (#"{"a":1,"one":null,"one":null}"#, "one", 18), (#"{"a":1,"two":[],"two":2}"#, "two", 16),
        (#"{"a":1,"two":2,"one":null,"one":1}"#, "one", 26),
    ])
    func `duplicate keys of fields are rejected with their path and location`(
        _ text: String, _ path: String, _ offset: Int
    ) throws {
        let issue = try refusal(Model.self, text, with: Self.rejecting)
        #expect(issue.kind == .duplicateKey(path.split(separator: ".").last.map(String.init)!))
        #expect(issue.path.description == path)
        #expect(issue.location.offset == offset)
    }

    @Test(arguments: [
        (#"{"a":1,"b":[],"b":"x"}"#, "b"), (#"{"a":1,"b":[],"b":null}"#, "b"),
        (#"{"a":1,"list":5,"list":["x"]}"#, "list"), (#"{"a":1,"o":{"deep":{},"deep":2}}"#, "deep"),
    ])
    func `a duplicate key after a value of the wrong type is rejected`(_ text: String, _ key: String) throws {
        var decoder = Self.rejecting
        decoder.coercion = .mjExtension
        #expect(try refusal(Model.self, text, with: decoder).kind == .duplicateKey(key))
        let kept = try decode(Model.self, #"{"b":[],"a":1,"list":5,"o":{"deep":[{}]},"one":{}}"#, with: decoder)
        #expect(kept == Model(a: 1, b: nil, deep: nil, list: [], item: nil, either: nil))
    }

    @Test func `duplicate keys in ignored values are accepted`() throws {
        let text = #"{"x":1,"x":2,"a":1,"o":{"y":1,"y":2},"skipped":{"a":1,"a":2}}"#
        #expect(try decode(Model.self, text, with: Self.rejecting).a == 1)
        #expect(try decode([JSONRaw].self, #"[{"a":1,"a":2}]"#, with: Self.rejecting).count == 1)
    }

    @Test func `the same key in different objects is not a duplicate`() throws {
        let text = #"[{"a":1},{"a":2}]"#
        #expect(try decode([Model].self, text, with: Self.rejecting).map(\.a) == [1, 2])
        #expect(try decode([[String: Int]].self, text, with: Self.rejecting) == [["a": 1], ["a": 2]])
        #expect(
            try decode(JSONValue.self, #"{"a":{"a":[{"a":1}]},"b":{"a":1}}"#, with: Self.rejecting)["b"] == ["a": 1]
        )
    }

    @Test(arguments: [
        #"{"a":1,"o":{"deep":1},"o":{"deep":2}}"#, #"{"a":1,"o":{"deep":1},"o":{}}"#, #"{"a":1,"o":{},"o":null}"#,
    ])
    func `duplicate keys of objects along a path are rejected`(_ text: String) throws {
        let issue = try refusal(Model.self, text, with: Self.rejecting)
        #expect(issue.kind == .duplicateKey("o"))
        #expect(issue.path == "o")
    }

    @Test(arguments: [#"{"a":1,"array":[1],"array":[2]}"#, #"{"a":1,"array":[],"array":[]}"#])
    func `duplicate keys of arrays along a path are rejected`(_ text: String) throws {
        #expect(try refusal(Model.self, text, with: Self.rejecting).kind == .duplicateKey("array"))
    }

    @Test func `keys along a path may recur in different objects`() throws {
        let text = #"[{"a":1,"o":{"deep":1},"array":[1]},{"a":2,"o":{"deep":2},"array":[2]}]"#
        #expect(try decode([Model].self, text, with: Self.rejecting).map(\.item) == [1, 2])
    }

    @Test func `duplicate keys along the path of a call are rejected`() throws {
        let text = #"{"items":[{"v":1},{"v":2,"v":3}],"other":1,"other":2}"#
        #expect(try decode(Int.self, text, at: "items[0].v", with: Self.rejecting) == 1)
        #expect(try refusal(Int.self, text, at: "items[1].v", with: Self.rejecting).kind == .duplicateKey("v"))
        #expect(
            try refusal(Int.self, #"{"a":{"b":1},"a":{}}"#, at: "a.b", with: Self.rejecting).kind
                == .duplicateKey("a"))
        var values: [Int] = []
        let error = #expect(throws: JSONModelError.self) {
            try Self.rejecting.forEach(Int.self, in: Array(text.utf8), at: "items[*].v") { values.append($0) }
        }
        #expect(values == [1, 2])
        #expect(error?.issues[0].kind == .duplicateKey("v"))
        #expect(error?.issues[0].path == "items[1].v")
    }

    @Test func `duplicate keys of members that a wildcard selects are rejected`() throws {
        struct Users: JSONModel, Equatable {
            let ids: [Int]
            let names: [String]
            static let plan = ModelPlan<Users>(
                JSONField(\.ids, key: "users.*.id", default: []), JSONField(\.names, key: "names.*", default: []))
        }
        let text = #"{"users":{"ann":{"id":1},"bob":{"id":2}},"names":{"a":"x","b":"y"}}"#
        #expect(try decode(Users.self, text, with: Self.rejecting) == Users(ids: [1, 2], names: ["x", "y"]))
        let user = try refusal(Users.self, #"{"users":{"ann":{"id":1},"ann":{"id":2}}}"#, with: Self.rejecting)
        #expect((user.kind, user.path, user.location.offset) == (.duplicateKey("ann"), "users.ann", 25))
        let name = try refusal(Users.self, #"{"names":{"a":"x","b":"y","a":"z"}}"#, with: Self.rejecting)
        #expect((name.kind, name.path) == (.duplicateKey("a"), "names.a"))
    }

    @Test(arguments: [
        (#"{"a":1,"b":{},"\u0061":2}"#, "a", 14), (#"{"x":{"c d":{},"e":[],"c d":1}}"#, #"x.c d"#, 22),
        (#"{"x":[1,{"k.k":1,"k.k":2}]}"#, #"x[1]["k.k"]"#, 17),
    ])
    func `the path of a duplicate key of any JSON has the key`(_ text: String, _ path: String, _ offset: Int)
        throws
    {
        let issue = try refusal(JSONValue.self, text, with: Self.rejecting)
        #expect((issue.path.description, issue.location.offset) == (path, offset))
        let member = try refusal([String: JSONValue].self, text, with: Self.rejecting)
        #expect((member.path.description, member.location.offset) == (path, offset))
        var value: JSONValue = [:]
        let error = #expect(throws: JSONModelError.self) {
            try Self.rejecting.merge(text, into: &value, options: .mergePatch)
        }
        #expect(error?.issues.map(\.path.description) == [path])
    }

    @Test func `the path of a refused key of a dictionary has the key`() throws {
        let wrong = try refusal([String: [Int: Bool]].self, #"{"a":{"1":true,"x":false}}"#)
        #expect((wrong.kind, wrong.path, wrong.location.offset) == (.invalidKey("x", type: "Int"), "a.x", 15))
        let again = try refusal([String: [Int: Bool]].self, #"{"a":{"1":true,"01":false}}"#, with: Self.rejecting)
        #expect((again.kind, again.path, again.location.offset) == (.duplicateKey("01"), "a.01", 15))
        var known = [1: true, 2: true]
        let error = #expect(throws: JSONModelError.self) {
            try JSONModelDecoder().merge(#"{"1":false,"2":false,"x":true}"#, into: &known)
        }
        #expect(error?.issues.map(\.path) == ["x"] && known == [1: true, 2: true])
    }

    struct Nullable: JSONModel, Equatable {
        let a: Int?
        let b: Int
        static let plan = ModelPlan<Nullable>(JSONField(\.a), JSONField(\.b, default: 1))
    }

    @Test(arguments: [(#"{"a":null,"a":1}"#, "a"), (#"{"a":null,"a":null}"#, "a"), (#"{"b":null,"b":2}"#, "b")])
    func `a duplicate key after null is rejected`(_ text: String, _ key: String) throws {
        let decoder = JSONModelDecoder.with { $0.duplicateKeys = .reject }
        #expect(try refusal(Nullable.self, text, with: decoder).kind == .duplicateKey(key))
    }
}
