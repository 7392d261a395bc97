import SluiceCore
import TestSupport
import Testing

/// Fields with paths, and calls that decode the value at a path.
@Suite(.tags(.paths)) struct PathTests {
    struct Model: JSONModel, Equatable {
        let id: Int
        let login: String
        let city: String?
        let second: Int?
        let corner: Double?
        let dotted: Int?
        let fallback: Int
        static let plan = ModelPlan<Model>([
            JSONField(\.id), JSONField(\.login, key: "owner.login"), JSONField(\.city, key: "owner.address.city"),
            JSONField(\.second, key: "list[1]"), JSONField(\.corner, key: "grid[1][0].x"),
            JSONField(\.dotted, key: #"a\.b"#), JSONField(\.fallback, key: "deep.down.value", default: 7),
        ])
    }

    @Test func `fields are filled from nested paths`() throws {
        let text = #"""
            {"owner":{"x":[1],"address":{"zip":1,"city":"Bern"},"login":"me"},"list":["no",2,3],"deep":{"down":{"value":1}},
             "grid":[[{"x":0}],[{"y":9,"x":0.5},0],[]],"a":{"b":4},"a.b":5,"id":6}
            """#
        let expected = Model(id: 6, login: "me", city: "Bern", second: 2, corner: 0.5, dotted: 5, fallback: 1)
        #expect(try decode(Model.self, text) == expected)
    }

    @Test func `missing or null paths leave the defaults`() throws {
        let expected = Model(id: 1, login: "me", city: nil, second: nil, corner: nil, dotted: nil, fallback: 7)
        for text in [
            #"{"id":1,"owner":{"login":"me"}}"#,
            #"{"id":1,"owner":{"login":"me","address":null},"list":null,"grid":[],"deep":null}"#,
            #"{"id":1,"owner":{"login":"me","address":{}},"list":[0],"grid":[[],[]],"deep":{"down":{"value":null}}}"#,
            #"{"id":1,"owner":{"login":"me","address":{"city":null}},"list":[0,null],"grid":[null,null],"deep":{"down":null}}"#,
        ] { #expect(try decode(Model.self, text) == expected, "\(text)") }
    }

    @Test func `a missing key is reported with its path`() throws {
        #expect(try refusal(Model.self, #"{"id":1}"#).kind == .missingKeys(["owner.login"]))
        #expect(try refusal(Model.self, #"{"id":1,"owner":null}"#).kind == .missingKeys(["owner.login"]))
        #expect(try refusal(Model.self, #"{"owner":{}}"#).kind == .missingKeys(["id", "owner.login"]))
    }

    @Test func `a value of another kind along a path is an error`() throws {
        let issue = try refusal(Model.self, #"{"owner":{"address":["Bern"]}}"#)
        #expect(issue.kind == .typeMismatch(expected: "an object", found: "an array"))
        #expect(issue.path == "owner.address")
        #expect(issue.location.offset == 20)
    }

    @Test func `duplicate objects along a path are merged`() throws {
        let text = #"{"id":1,"owner":{"login":"a"},"owner":{"address":{"city":"c"}},"owner":{"login":"b"}}"#
        let model = try decode(Model.self, text)
        #expect(model.login == "b")
        #expect(model.city == "c")
    }

    // MARK: The path of a call

    @Test func `a call can decode the value at a path`() throws {
        let text = #"{"data":{"items":[1,2],"a.b":{"[0]":"x"}},"list":[[0],[1,{"k":[true]}]],"":5}"#
        #expect(try decode([Int].self, text, at: "data.items") == [1, 2])
        #expect(try decode([Int].self, text, at: "$.data.items") == [1, 2])
        #expect(try decode(Int.self, text, at: "data.items[1]") == 2)
        #expect(try decode(Bool.self, text, at: "list[1][1].k[0]") == true)
        #expect(try decode(String.self, text, at: #"data.a\.b.\[0\]"#) == "x")
        #expect(try decode(JSONValue.self, text, at: "list") == [[0], [1, ["k": [true]]]])
        #expect(try decode(JSONRaw.self, text, at: "list[1]").description == #"[1,{"k":[true]}]"#)
        #expect(try decode(Int?.self, "[null]", at: "[0]") == nil)
        #expect(try decode([Int].self, "[[1],[2]]", at: "$[1]") == [2])
        #expect(try decode(Int.self, #"{"a":1,"a":2}"#, at: "a") == 2)
    }

    @Test func `the input after the value at a path is still checked`() throws {
        #expect(try refusal(Int.self, #"{"a":1,"b":[}"#, at: "a").kind == .syntax("'}' does not close an array"))
        #expect(try refusal(Int.self, #"{"a":1}x"#, at: "a").kind == .trailingContent)
        #expect(try refusal(Int.self, #"{"b":"\ud800","a":1}"#, at: "a").kind == .loneSurrogate)
    }

    @Test(arguments: ["b", "a.b", "list[2]", "list[0][0]", "null.x", "nothing[0]"])
    func `a path without a value is reported as not found`(_ path: String) throws {
        let text = #"{"a":{"c":1},"list":[[],1],"null":null,"nothing":[]}"#
        let issue = try refusal(Int.self, text, at: JSONPath(parsing: path))
        #expect(issue.kind == .pathNotFound(JSONPath(stringLiteral: path)))
        #expect(issue.location.offset == text.utf8.count)
    }

    @Test(arguments: [
        "a.", ".a", "a..b", "[", "[1", "[x]", "[-1]", "[]", "a[1]b", "a.[0]", "$.", "$.[0]", "a\\",
        "[99999999999999999999]",
    ])
    func `malformed paths are refused with a reason`(_ path: String) throws {
        let error = #expect(throws: JSONModelError.self) { try JSONPath(parsing: path) }
        guard case .invalidPath(let why)? = error?.issues[0].kind else {
            Issue.record("\(path) is taken for a path")
            return
        }
        #expect(why.contains("'\(path)' is not a path"))
    }

    @Test func `a path of several values is refused where one value is decoded`() throws {
        #expect(
            try refusal(Int.self, "[1]", at: "[*]").kind
                == .invalidPath("'[*]' selects several values: use forEach, or the path of the array"))
    }

    @Test func `paths can be built from components`() throws {
        #expect(JSONPath([.key("a.b"), .index(3), .anyIndex, .key("c")]).description == #"["a.b"][3][*].c"#)
    }

    // MARK: Empty keys

    private struct Lock: JSONModel, Equatable {
        var version: String
        var first: Int?
        var all: [Int]

        static let plan = ModelPlan<Lock>(
            JSONField(\.version, key: #"packages[""].version"#), JSONField(\.first, key: #"[""]"#),
            JSONField(\.all, key: "lists[*]['']", default: []))
    }

    private let lockText =
        #"{"packages":{"":{"version":"1.0"},"a":{"version":"2.0"}},"":7,"lists":[{"":1},{"":2}]}"#

    @Test func `properties have empty keys`() throws {
        let lock = try decode(Lock.self, lockText)
        #expect(lock == Lock(version: "1.0", first: 7, all: [1, 2]))
        let written = try JSONModelEncoder().encode(lock, as: .string)
        #expect(written == #"{"packages":{"":{"version":"1.0"}},"":7,"lists":[{"":1},{"":2}]}"#)
        #expect(try decode(Lock.self, written) == lock)
    }

    @Test func `calls and options take empty keys`() throws {
        #expect(try decode(String.self, lockText, at: #"packages[""].version"#) == "1.0")
        #expect(try decode(Int.self, lockText, at: #"$[""]"#) == 7)
        var decoder = JSONModelDecoder()
        var elements: [Int] = []
        try decoder.forEach(Int.self, in: lockText, at: #"lists[*][""]"#) { elements.append($0) }
        #expect(elements == [1, 2])
        decoder.only = [#"packages[""].version"#, #"[""]"#]
        #expect(try decode(Lock.self, lockText, with: decoder) == Lock(version: "1.0", first: 7, all: []))
        let encoder = JSONModelEncoder.with { $0.except = [#"[""]"#, "lists"] }
        let lock = Lock(version: "1", first: 2, all: [])
        #expect(try encoder.encode(lock, as: .string) == #"{"packages":{"":{"version":"1"}}}"#)
    }

    @Test(arguments: [
        (#"{"":{"a":"x"}}"#, #"[""].a"#), (#"{"":"x"}"#, #"[""]"#), (#"{"b":{"":"x"}}"#, #"b[""]"#),
        (#"{"a.b":{"":"x"}}"#, #"["a.b"][""]"#), (#"{"\n":{"*":"x"}}"#, #"["\n"]["*"]"#),
    ])
    func `errors name empty keys`(_ text: String, _ path: String) throws {
        let issue = try refusal([String: [String: Int]].self, text)
        #expect("\(issue.path)" == path)
        #expect(issue.description.contains(" at \(path)"), "\(issue)")
    }

    @Test func `a missing empty key is named`() throws {
        #expect(try "\(refusal(Lock.self, "{}").path)" == "$")
        #expect(try refusal(Lock.self, "{}").description.contains(#"packages[""].version"#))
    }
}
