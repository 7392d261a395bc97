import JSONPaths
import SluiceCore
import TestSupport
import Testing

/// Parts of a `JSONValue` by their path, JSON Pointers, and values made of variables.
struct ValuePathTests {
    private static let document: JSONValue = ["a": ["b": [1, ["c": "x"]]], "": true, "n": nil]

    @Test(
        arguments: [
            ("$", document), ("a.b[0]", 1), ("a.b[1].c", "x"), ("[\"\"]", true), ("n", .null),
            ("a.b[2]", nil), ("a.b.c", nil), ("a[0]", nil), ("n.x", nil), ("a.*", nil), ("a.b[*]", nil),
        ] as [(JSONPath, JSONValue?)])
    func `a part is found by its path`(_ path: JSONPath, _ part: JSONValue?) {
        #expect(Self.document[path: path] == part)
    }

    @Test(
        arguments: [
            ("a.b[1].c", 2, #"{"a":{"b":[1,{"c":2}]},"":true,"n":null}"#),
            ("a.b[0]", nil, #"{"a":{"b":[{"c":"x"}]},"":true,"n":null}"#),
            ("a.d.e", [], #"{"a":{"b":[1,{"c":"x"}],"d":{"e":[]}},"":true,"n":null}"#),
            ("n.x", 1, #"{"a":{"b":[1,{"c":"x"}]},"":true,"n":{"x":1}}"#),
            ("a", nil, #"{"":true,"n":null}"#),
            ("a.x.y", nil, #"{"a":{"b":[1,{"c":"x"}]},"":true,"n":null}"#),
            ("a.*", nil, #"{"a":{"b":[1,{"c":"x"}]},"":true,"n":null}"#),
            ("$", "new", #""new""#), ("$", nil, "null"),
        ] as [(JSONPath, JSONValue?, String)])
    func `a part is replaced, made or removed`(_ path: JSONPath, _ part: JSONValue?, _ expected: String) {
        var value = Self.document
        value[path: path] = part
        #expect(value.description == expected)
    }

    @Test func `a path may have many steps`() {
        let depth = 100
        let path = JSONPath((0..<depth).map { .key("k\($0)") })
        var value = JSONValue.null
        value[path: path] = 7
        #expect(value[path: path] == 7)
        value[path: path] = nil
        #expect(value[path: JSONPath(path.components.dropLast())] == [:])
    }

    @Test(
        arguments: [
            ("", "$"), ("/a/0/b", "a[0].b"), ("/a~1b/~0", "[\"a/b\"].~"), ("/", "[\"\"]"), ("/01/-", "01.[\"-\"]"),
            ("/-1", "[\"-1\"]"), ("/é//2", "é[\"\"][2]"), ("a", nil), ("/~", nil), ("/~2", nil), ("#/a", nil),
        ] as [(String, String?)])
    func `a JSON Pointer is a path`(_ pointer: String, _ path: String?) throws {
        let found = JSONPath(pointer: pointer)
        let expected = try path.map { try JSONPath(parsing: $0.replacing(".[", with: "[")) }
        #expect(found == expected)
        if let found { #expect(found.pointer == pointer) }
    }

    @Test func `a path with a wildcard has no pointer, and an error names a place by one`() throws {
        #expect(JSONPath("a[*]").pointer == nil && JSONPath("*").pointer == nil)
        let issue = try refusal([String: [Item]].self, #"{"a/b":[{"id":1},{"id":"x"}]}"#)
        #expect(issue.path.pointer == "/a~1b/1/id")
    }

    @Test func `values are made of variables`() throws {
        let (text, part, flag, count, big, ratio) = ("x", "xyz".prefix(2), true, 3, UInt64.max, 0.5)
        let value: JSONValue = [
            "text": JSONValue(text), "part": JSONValue(part), "flag": JSONValue(flag), "count": JSONValue(count),
            "big": JSONValue(big), "ratio": try #require(JSONValue(ratio)), "ids": try JSONValue(encoding: [1, 2]),
            "map": try JSONValue(encoding: ["k": Item(id: 1)]), "none": try JSONValue(encoding: Int?.none),
        ]
        #expect(
            value.description
                == #"{"text":"x","part":"xy","flag":true,"count":3,"big":18446744073709551615,"ratio":0.5,"ids":[1,2],"map":{"k":{"id":1}},"none":null}"#
        )
        #expect(JSONValue(Double.nan) == nil)
        #expect(throws: JSONModelError.self) { try JSONValue(encoding: [Double.infinity]) }
    }
}
