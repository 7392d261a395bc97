import SluiceCore
import SluiceStreams
import TestSupport
import Testing

/// Elements one at a time: what arrives before an error, after a stop, and from where.
struct StreamTests {
    struct Item: JSONModel, Equatable {
        let id: Int
        static let plan = ModelPlan<Item>(JSONField(\.id, key: "id"))
    }

    struct Refused: Error, Equatable {
        let id: Int
    }

    private func ids(
        _ text: String, at path: JSONPath = "[*]", stopAt last: Int = -1
    ) -> (ids: [Int], count: Int?, error: JSONModelError?) {
        var ids: [Int] = []
        do {
            let count = try JSONModelDecoder().forEach(Item.self, in: Array(text.utf8), at: path) { item in
                ids.append(item.id)
                return item.id == last ? .stop : .continue
            }
            return (ids, count, nil)
        } catch {
            return (ids, nil, error)
        }
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
        let error = #expect(throws: JSONModelError.self) { try JSONModelDecoder().validate(text + "]") }
        #expect(error?.issues[0].kind == .trailingContent)
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
        var decoder = JSONModelDecoder()
        decoder.limits.document = 20
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
        var strings: [String] = []
        try JSONModelDecoder().forEach(String.self, in: Array(#"["a","\u0062"]"#.utf8)) { strings.append($0) }
        #expect(strings == ["a", "b"])
        var values: [JSONValue] = []
        try JSONModelDecoder().forEach(JSONValue.self, in: Array(#"[1,{"a":[]},null]"#.utf8)) {
            values.append($0)
        }
        #expect(values == [1, ["a": []], nil])
        var raws: [String] = []
        try JSONModelDecoder().forEach(JSONRaw.self, in: Array(#"[1, {"a" :[]},null]"#.utf8)) {
            raws.append("\($0)")
        }
        #expect(raws == ["1", #"{"a" :[]}"#, "null"])
        var optionals: [Int?] = []
        try JSONModelDecoder().forEach(Int?.self, in: Array("[1,null]".utf8)) { optionals.append($0) }
        #expect(optionals == [1, nil])
    }

    @Test func `streaming a value other than an array is an error`() throws {
        #expect(ids(#"{"id":1}"#).error?.issues[0].kind == .typeMismatch(expected: "an array", found: "an object"))
        #expect(ids("3").error?.issues[0].kind == .typeMismatch(expected: "an array", found: "a number"))
        #expect(ids(#"{"a":"b"}"#, at: "a[*]").error?.issues[0].path == "a")
    }
}
