import SluiceCore
import SluiceStreams
import TestSupport
import Testing

/// Elements one at a time: what arrives before an error, after a stop, and from where.
@Suite(.tags(.streams, .paths)) struct StreamTests {
    struct Refused: Error, Equatable { let id: Int }

    private func ids(_ text: String, at path: JSONPath = "[*]", stopAt last: Int = -1) -> (
        ids: [Int], count: Int?, error: JSONModelError?
    ) {
        var ids: [Int] = []
        do {
            let count = try JSONModelDecoder().forEach(Item.self, in: Array(text.utf8), at: path) { item in
                ids.append(item.id)
                return item.id == last ? .stop : .continue
            }
            return (ids, count, nil)
        } catch { return (ids, nil, error) }
    }

    @Test func `a string can be streamed and validated`() throws {
        var ids: [Int] = []
        let text = #"{"items":[{"id":1},{"id":2},{"id":3}]}"#
        #expect(try JSONModelDecoder().forEach(Item.self, in: text, at: "items[*]") { ids.append($0.id) } == 3)
        #expect(ids == [1, 2, 3])
        ids = []
        try JSONModelDecoder().forEach(Item.self, in: text, at: "items") {
            (item: Item) -> JSONModelDecoder.StreamControl in
            ids.append(item.id)
            return item.id == 2 ? .stop : .continue
        }
        #expect(ids == [1, 2])
        try JSONModelDecoder().validate(text)
        #expect(try failure { try JSONModelDecoder().validate(text + "]") }.kind == .trailingContent)
    }

    @Test func `a stream delivers every element`() {
        let all = ids(#"[{"id":1},{"id":2} , {"id":3}]"#)
        #expect(all.ids == [1, 2, 3])
        #expect(all.count == 3)
        #expect(ids("[]").count == 0)
    }

    @Test func `a stream delivers the elements at a path`() {
        let text =
            #"{"n":[{"id":0}],"data":{"items":[{"id":1},{"id":2}],"more":[[{"v":{"id":3}}],[],[{"w":0},{"v":{"id":4}}]]}}"#
        #expect(ids(text, at: "data.items[*]").ids == [1, 2])
        #expect(ids(text, at: "data.items").ids == [1, 2])
        #expect(ids(text, at: "$.data.items[*]").ids == [1, 2])
        #expect(ids(text, at: "data.more[*][*].v").ids == [3, 4])
        #expect(ids(text, at: "data.more[2][*].v").ids == [4])
        #expect(ids(text, at: "data.more[*][1].v").ids == [4])
        #expect(ids(text, at: "nothing[*]").ids == [])
    }

    @Test func `complete elements are delivered before an error`() {
        let wrong = ids(#"[{"id":1},{"id":2},{"id":"x"},{"id":4}]"#)
        #expect(wrong.ids == [1, 2])
        #expect(wrong.error?.issues[0].path == "[2].id")
        let cut = ids(#"[{"id":1},{"id":2},{"id":3"#)
        #expect(cut.ids == [1, 2])
        #expect(cut.error?.issues[0].kind == .unexpectedEnd)
        let trailing = ids(#"[{"id":1}]]"#)
        #expect(trailing.ids == [1])
        #expect(trailing.error?.issues[0].kind == .trailingContent)
        let comma = ids(#"[{"id":1},]"#)
        #expect(comma.ids == [1])
        #expect(comma.error?.issues[0].kind == .syntax("a comma precedes the closing bracket"))
    }

    @Test func `elements within the document limit are delivered before the error`() {
        let decoder = JSONModelDecoder.with { $0.limits.document = 20 }
        var ids: [Int] = []
        let error = #expect(throws: JSONModelError.self) {
            try decoder.forEach(Item.self, in: Array(#"[{"id":1},{"id":2},{"id":3}]"#.utf8)) { ids.append($0.id) }
        }
        #expect(ids == [1, 2])
        #expect(error?.issues[0].kind == .limitExceeded(.document, limit: 20))
    }

    /// What follows is not looked at.
    @Test func `stopping a stream is not an error`() {
        let stopped = ids(#"[{"id":1},{"id":2},{"id":"wrong"} and no JSON"#, stopAt: 2)
        #expect(stopped.ids == [1, 2])
        #expect(stopped.count == 2)
        #expect(stopped.error == nil)
    }

    @Test func `an error thrown by the body has the path and location of its element`() throws {
        let text = #"{"items":[{"id":1},{"id":2},{"id":3}]}"#
        let error = #expect(throws: JSONModelError.self) {
            try JSONModelDecoder().forEach(Item.self, in: Array(text.utf8), at: "items[*]") { item in
                if item.id == 2 { throw Refused(id: 2) }
            }
        }
        let issue = try #require(error?.issues.first)
        #expect(issue.kind == .thrown)
        #expect(issue.underlying as? Refused == Refused(id: 2))
        #expect(issue.path == "items[1]")
        #expect(issue.location.offset == 26)
        #expect(issue.description == "Refused(id: 2) at items[1] (line 1, column 27, offset 26)")
    }

    @Test func `an error thrown by a scalar conversion has its path and location`() throws {
        struct Even: JSONConvertible {
            let value: Int
            static var jsonShape: JSONShape {
                .scalar(Even.self, expecting: "an even number") { scalar in
                    guard let text = scalar.numberText, let value = Int(text) else {
                        throw JSONModelError.ConversionFailure.mismatch
                    }
                    if value == 13 { throw JSONModelError.ConversionFailure.invalid("it is unlucky") }
                    if value % 2 == 1 { throw Refused(id: value) }
                    return Even(value: value)
                } write: {
                    .number(JSONNumber($0.value))
                }
            }
        }
        let thrown = try refusal([Even?].self, "[2,null, 3]")
        #expect(thrown.kind == .thrown)
        #expect(thrown.underlying as? Refused == Refused(id: 3))
        #expect(thrown.path == "[2]")
        #expect(thrown.location.offset == 9)
        #expect(
            try refusal([Even].self, "[true]").kind == .typeMismatch(expected: "an even number", found: "a boolean")
        )
        #expect(
            try refusal([Even].self, "[13]").kind
                == .invalidValue(expected: "an even number", reason: "it is unlucky"))
    }

    @Test func `elements of any type can be streamed`() throws {
        let strings = try JSONModelDecoder().all(String.self, in: Array(#"["a","\u0062"]"#.utf8))
        #expect(strings == ["a", "b"])
        let values = try JSONModelDecoder().all(JSONValue.self, in: Array(#"[1,{"a":[]},null]"#.utf8))
        #expect(values == [1, ["a": []], nil])
        var raws: [String] = []
        try JSONModelDecoder().forEach(JSONRaw.self, in: Array(#"[1, {"a" :[]},null]"#.utf8)) {
            raws.append("\($0)")
        }
        #expect(raws == ["1", #"{"a" :[]}"#, "null"])
        let optionals = try JSONModelDecoder().all(Int?.self, in: Array("[1,null]".utf8))
        #expect(optionals == [1, nil])
    }

    @Test func `streaming a value other than an array is an error`() throws {
        #expect(ids(#"{"id":1}"#).error?.issues[0].kind == .typeMismatch(expected: "an array", found: "an object"))
        #expect(ids("3").error?.issues[0].kind == .typeMismatch(expected: "an array", found: "a number"))
        #expect(ids(#"{"a":"b"}"#, at: "a[*]").error?.issues[0].path == "a")
    }

    /// A stream of nothing is an error where the path leads nowhere.
    @Test func `streaming a missing path is an error with a hint`() throws {
        for decoder in JSONModelDecoder.ofEverySource {
            func count(_ path: String, _ text: String) throws -> Int {
                try decoder.forEach(JSONValue.self, in: text, at: JSONPath(parsing: path)) { _ in }
            }
            let error = #expect(throws: JSONModelError.self) { try count("itmes[*]", #"{"x":1,"items":[1,2]}"#) }
            #expect(error?.issues[0].kind == .pathNotFound("itmes[*]"))
            #expect(error?.issues[0].hint == #""items" is similar to "itmes""#)
            #expect(throws: JSONModelError.self) { try count("items[*].x", "{}") }
            #expect(try count("items[*]", #"{"items":[]}"#) == 0)
            #expect(try count("items[*]", #"{"items":null}"#) == 0)
            #expect(try count("items[*].x", #"{"items":[{}]}"#) == 0)
            #expect(try count("items.rows[*]", #"{"items":{}}"#) == 0)
            #expect(try count("[*]", "[]") == 0)
            #expect(try count("items[*]", #"{"items":[1,2]}"#) == 2)
            let one = #expect(throws: JSONModelError.self) {
                try decoder.decode(Int.self, from: #"{"totl":1}"#, at: "total")
            }
            #expect(one?.issues[0].hint == #""totl" is similar to "total""#)
            let pointer = #expect(throws: JSONModelError.self) {
                try decoder.decode(Int.self, from: #"{"data":{"items":[1]}}"#, at: "/data/items/0")
            }
            #expect(pointer?.issues[0].hint == "write a path as data.items[0], not as a JSON Pointer")
        }
    }

    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `the hint of a missing path names no key of an earlier line`(_ source: JSONModelDecoder.Source) throws {
        let lines = "{\"nmae\":0,\"name\":1}\n{\"other\":2}\n"
        var values: [Int] = []
        let error = #expect(throws: JSONModelError.self) {
            try JSONModelDecoder(from: source).forEach(Int.self, in: lines, at: "name", framing: .lines) {
                (value: Int) in values.append(value)
            }
        }
        #expect(values == [1])
        #expect(error?.issues.map(\.kind) == [.pathNotFound("name")])
        #expect(error?.issues.first?.hint == nil)
    }
}
