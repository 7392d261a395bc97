import SluiceCore
import TestSupport
import Testing

/// Messages with a wrong word, path or location.
@Suite(.tags(.errors)) struct MessageTests {
    @Test(
        arguments: [
            ("[NaN]", "NaN and Infinity are not JSON numbers"),
            ("[Infinity]", "NaN and Infinity are not JSON numbers"),
            ("[-Infinity]", "NaN and Infinity are not JSON numbers"),
            ("[nan]", "NaN and Infinity are not JSON numbers"),
            ("[None]", "the literals of Python are not JSON: use null, true or false"),
            ("[True]", "the literals of Python are not JSON: use null, true or false"),
            (#"{"a": False}"#, "the literals of Python are not JSON: use null, true or false"),
            ("[undefined]", "JSON has no undefined: use null, or omit the key"),
            ("[nil]", "JSON has no nil: use null"), ("[NULL]", "literals are in lower case: null, true and false"),
            ("{null: 1}", nil), ("{true: 1}", nil), ("[1 null]", nil), ("{None: 1}", nil), ("{undefined: 1}", nil),
            (#"{"a": 1, nan: 2}"#, nil), ("[TRUE]", "literals are in lower case: null, true and false"),
            ("[Name]", nil), ("[nothing]", nil),
        ] as [(String, String?)]) func `a word of another language has a hint`(_ text: String, _ hint: String?)
        throws
    { #expect(try refusal(JSONValue.self, text).hint == hint) }

    @Test(arguments: [
        ("[01]", "[0]"), ("[0x10]", "[0]"), ("[5,01]", "[1]"), ("[5, 0x10]", "[1]"), ("[truex]", "[0]"),
        (#"["a"b]"#, "[0]"), ("[[7,00]]", "[0][1]"), ("[{}x]", "[1]"), ("[1 2]", "[1]"), (#"{"a":[01]}"#, "a[0]"),
        (#"{"a":01}"#, "$"), ("[1.5.5]", "[0]"),
    ])
    func `a byte that continues a value belongs to the value`(_ text: String, _ path: String) throws {
        #expect(try refusal(JSONValue.self, text).path.description == path)
    }

    @Test(arguments: [#"{"day":2020-01-02}"#, "[10-5]", "[1.0-1]", "[0-1]", "[5, 1e0-1]"])
    func `a minus sign after a zero is no leading zero`(_ text: String) throws {
        #expect(try refusal(JSONValue.self, text).kind == .syntax("a comma is missing before a number"))
    }

    @Test(arguments: ["{name:1}", "{id:1}", "{ID:1}", #"{"a":1,_b:2}"#, "{$ref:1}", #"{"a":{}, Z:1}"#])
    func `a key without quotes is described as such`(_ text: String) throws {
        #expect(try refusal(JSONValue.self, text).kind == .syntax("a key requires double quotes"))
    }

    struct Item: JSONModel, Equatable {
        var id: Int
        var name: String?
        var flag: Bool?
        static let plan = ModelPlan<Item>(JSONField(\.id), JSONField(\.name), JSONField(\.flag))
    }

    @Test func `a scalar that a coercion converts has a hint`() throws {
        let hint = "allowed with coercion: .lenient"
        #expect(try refusal(Item.self, #"{"id":"1"}"#).hint == hint)
        #expect(try refusal(Item.self, #"{"id":1,"name":2}"#).hint == hint)
        #expect(try refusal(Item.self, #"{"id":1,"flag":"yes"}"#).hint == hint)
        #expect(try refusal(Item.self, #"{"id":"one"}"#).hint == nil)
        #expect(try refusal(Item.self, #"{"id":[]}"#).hint == nil)
        #expect(try refusal([Int?].self, #"["1"]"#).hint == hint)
        #expect(try refusal(Item.self, #"{"id":"one"}"#, with: .with { $0.coercion = .lenient }).hint == nil)
        #expect(
            try refusal(Item.self, #"{"id":"1"}"#).description
                == "expected an integer, found a string (allowed with coercion: .lenient) at id, for Item.id "
                + "(line 1, column 7, offset 6)")
    }

    @Test func `a rejected key names the type of the keys`() throws {
        let issue = try refusal([Int: Int].self, #"{"x":1}"#)
        #expect(issue.kind == .invalidKey("x", type: "Int"))
        #expect(issue.description.hasPrefix(#""x" cannot be a key of type Int at "#))
        var known = [1: 1]
        let error = #expect(throws: JSONModelError.self) { try JSONModelDecoder().merge(#"{"x":1}"#, into: &known) }
        #expect(error?.issues.first?.kind == .invalidKey("x", type: "Int"))
    }

    @Test func `a limit that cannot be raised is described as such`() throws {
        let deep = String(repeating: "[", count: 5000) + String(repeating: "]", count: 5000)
        var decoder = JSONModelDecoder()
        #expect(
            try refusal(JSONRaw.self, deep, with: decoder).description.contains(
                "raise JSONLimits.depth to allow it"))
        decoder.limits.depth = 10_000
        let value = try refusal(JSONValue.self, deep, with: decoder)
        #expect(value.kind == .limitExceeded(.depth, limit: 1024))
        #expect(value.description.contains("deeper than 1024 (a JSONValue has at most 1024 levels: decode"))
        #expect(
            try refusal(JSONRaw.self, deep, with: decoder).description.hasPrefix(
                "nesting is deeper than 4096: JSONLimits.depth cannot be greater at "))
    }

    @Test func `a missing path is named once`() throws {
        let issue = try refusal(Int.self, #"{"data":{}}"#, at: "data.user")
        #expect(issue.description == "no value exists at the path data.user (line 1, column 12, offset 11)")
    }

    // MARK: Snapshots

    struct Two: JSONModel {
        var first: Item
        var second: Item
        static let plan = ModelPlan<Two>(JSONField(\.first), JSONField(\.second))
    }

    @Test func `the issues of a snapshot are the same from every source`() throws {
        let text = Array(
            "{\n \"first\": {\"name\": \"abc\", \"id\": 12},\n \"second\": {\"id\": 123, \"flag\": true}}".utf8)
        for size in [1, 3, 7] {
            func issues(_ source: JSONModelDecoder.Source) throws -> [[String]] {
                var feed = JSONModelDecoder.with { $0.source = source }.feed(of: Two.self)
                return try text.pieces(of: size).map { piece in
                    _ = try feed.push(piece)
                    return feed.snapshot().issues.map { "\($0)\n\($0.excerpt)" }
                }
            }
            let expected = try issues(.scanner)
            #expect(expected.contains { !$0.isEmpty })
            for source in JSONModelDecoder.Source.allCases { #expect(try issues(source) == expected) }
        }
    }

    // MARK: Paths

    @Test(arguments: [
        ("a..b", #"'a..b' is not a path: a key is empty; the empty key is '[""]', after 'a.'"#),
        (".a", #"'.a' is not a path: a key is empty; the empty key is '[""]', at its beginning"#),
        (
            "a.b[x]",
            "'a.b[x]' is not a path: '[x]' is neither an index from 0, nor '[*]', nor a key in quotes, after 'a.b'"
        ), ("a[0", "'a[0' is not a path: '[' has no matching ']', after 'a'"),
        ("a[0]b", "'a[0]b' is not a path: ']' must be followed by '.', '[' or the end of the path, after 'a[0]'"),
    ])
    func `the error of a path names the place`(_ text: String, _ message: String) {
        let error = #expect(throws: JSONModelError.self) { try JSONPath(parsing: text) }
        #expect(error?.issues.first?.description == message)
    }

    @Test(arguments: ["$.$", "$.$.a", "$.$[0]", "$.$.$", "a.$"])
    func `a first key that is a dollar sign is not the root`(_ text: String) throws {
        let path = try JSONPath(parsing: text)
        #expect(path.description == text)
        #expect(path.components.contains(.key("$")))
        let issue = try refusal(Bool.self, #"{"$":{"$":1,"a":1},"a":{"$":1}}"#, at: "$.$.a")
        #expect(issue.path.description == "$.$.a")
    }

    @Test func `a malformed literal of a path ends the process`() async {
        await #expect(processExitsWith: .failure) { _ = JSONPath(stringLiteral: "a..b") }
    }
}
