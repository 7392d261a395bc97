import SluiceCore
import TestSupport
import Testing

/// Arbitrary JSON: as a value, and verbatim.
struct AnyValueTests {
    struct Mixed: JSONModel, Hashable {
        let id: Int
        let value: JSONValue
        let raw: JSONRaw
        let maybe: JSONRaw?
        let list: [JSONRaw]
        let byName: [String: JSONRaw]
        let optionalValue: JSONValue?
        static let plan = ModelPlan<Mixed>([
            JSONField(\.id), JSONField(\.value), JSONField(\.raw), JSONField(\.maybe), JSONField(\.list),
            JSONField(\.byName, key: "by_name"), JSONField(\.optionalValue, key: "optional"),
        ])
    }

    @Test func `a JSONValue is made of text and of bytes`() throws {
        #expect(try JSONValue(parsing: #"{"a": [1.5, null]}"#) == ["a": [1.5, nil]])
        #expect(try JSONValue(parsing: Array("[true]".utf8)) == [true])
        let error = #expect(throws: JSONModelError.self) { try JSONValue(parsing: "[1, ") }
        #expect(error?.issues.map(\.kind) == [.unexpectedEnd])
    }

    @Test func `a JSONValue decodes any JSON`() throws {
        #expect(try decode(JSONValue.self, "null") == nil)
        #expect(try decode(JSONValue.self, "true") == true)
        #expect(try decode(JSONValue.self, #""é\n""#) == "é\n")
        #expect(try decode(JSONValue.self, "[]") == [])
        #expect(try decode(JSONValue.self, "{}") == [:])
        let text = #"{"a":[1,{"b":null},"c",[true,false]],"d":{"e":{}}}"#
        #expect(try decode(JSONValue.self, text) == ["a": [1, ["b": nil], "c", [true, false]], "d": ["e": [:]]])
    }

    @Test func `accessors convert the parts of a JSONValue`() throws {
        let value = try decode(JSONValue.self, #"{"a":[1,2.5,"s",true,null],"big":123456789012345678901234567890}"#)
        #expect(value["a"]?[0]?.int == 1)
        #expect(value["a"]?[0]?.double == 1)
        #expect(value["a"]?[1]?.int == nil)
        #expect(value["a"]?[1]?.double == 2.5)
        #expect(value["a"]?[2]?.string == "s")
        #expect(value["a"]?[3]?.bool == true)
        #expect(value["a"]?[4]?.isNull == true)
        #expect(value["a"]?[5] == nil)
        #expect(value["b"] == nil)
        #expect(value[0] == nil)
        #expect(value["a"]?.array?.count == 5)
        #expect(value.object?.count == 2)
        #expect(value["big"]?.int == nil)
        #expect(value["big"]?.number?.exactly(Int128.self) == 123_456_789_012_345_678_901_234_567_890)
    }

    @Test func `the parts of a JSONValue are set, added and removed`() {
        var value: JSONValue = ["a": [1, ["b": "x"], 3], "c": nil, "d": 1]
        value["a"]?[1]?["b"] = "y"
        value["a"]?[1]?["e"] = [true]
        value["a"]?[0] = 2.5
        value["a"]?[2] = nil
        value["d"] = nil
        value["f"] = .null
        value["c"]?["g"] = ["h": 1]
        #expect(value == ["a": [2.5, ["b": "y", "e": [true]]], "c": ["g": ["h": 1]], "f": nil])
        // Nothing is there to be changed or removed.
        value["missing"]?["b"] = 1
        value["a"]?[7] = nil
        value["a"]?["b"] = nil
        value["c"]?[0] = nil
        #expect(value == ["a": [2.5, ["b": "y", "e": [true]]], "c": ["g": ["h": 1]], "f": nil])
        var empty = JSONValue.null
        empty["a"] = nil
        #expect(empty == .null)
        empty["a"] = 1
        #expect(empty == ["a": 1])
        let copy = empty
        empty["a"] = 2
        #expect(copy == ["a": 1])
    }

    @Test func `a change of a part of a JSONValue copies nothing else`() {
        var value: JSONValue = [
            "list": .array((0..<1_000).map { .string("a string of more than fifteen bytes \($0)") })
        ]
        func address() -> UnsafeRawPointer? {
            value["list"]?.array?.withUnsafeBufferPointer { UnsafeRawPointer($0.baseAddress) }
        }
        let before = address()
        for index in 0..<1_000 { value["list"]?[index] = .number(JSONNumber(index)) }
        #expect(before == address())
        #expect(value["list"]?[999]?.int == 999)
    }

    @Test func `a value that was set before an error is kept`() {
        func change(_ member: inout JSONValue?) throws {
            member = .bool(true)
            throw CancellationError()
        }
        let values: [JSONValue] = [.null, [:], ["a": 2]]
        for before in values {
            var value = before
            #expect(throws: CancellationError.self) { try change(&value["a"]) }
            #expect(value == ["a": true])
        }
    }

    @Test(arguments: [
        "null", "true", "-12.50E+1", #""a\u0041\"]""#, "[]", "{}", "[ 1 ,\n2 ]", #"{"a" : [ {"b":"}"} , null ] }"#,
        #"["]","\\","\\\"",{"[":"{"}]"#,
    ])
    func `JSONRaw keeps the bytes of its value`(_ text: String) throws {
        #expect(try decode(JSONRaw.self, text).description == text)
        #expect(try decode(JSONRaw.self, " \(text) \n").description == text)
        #expect(try decode([JSONRaw].self, "[ \(text) , \(text),0]").map(\.description) == [text, text, "0"])
        #expect(
            try decode([String: JSONRaw].self, #"{"a":\#(text),"b": \#(text) }"#).mapValues(\.description) == [
                "a": text, "b": text,
            ])
        #expect(try decode([[JSONRaw]].self, "[[\(text)],[]]")[0].map(\.bytes) == [Array(text.utf8)])
    }

    @Test func `models may have JSONValue and JSONRaw properties`() throws {
        let text = #"""
            {"raw":[1, {"id":2}],"by_name":{"x":{},"y":"s"},"list":[{"a":[]},7],"value":{"raw":[1]},"id":1,
             "optional":null,"maybe":false}
            """#
        let model = try decode(Mixed.self, text)
        #expect(model.id == 1)
        #expect(model.raw.description == #"[1, {"id":2}]"#)
        #expect(model.maybe?.description == "false")
        #expect(model.list.map(\.description) == [#"{"a":[]}"#, "7"])
        #expect(model.byName["y"]?.description == #""s""#)
        #expect(model.value == ["raw": [1]])
        #expect(model.optionalValue == nil)
    }

    /// A null is the verbatim `null` where it is asked for, and nil where it may be.
    @Test func `a null is raw JSON or nil depending on the type`() throws {
        #expect(try decode([JSONRaw].self, "[null]")[0].description == "null")
        #expect(try decode([JSONRaw?].self, "[null,1]").map { $0?.description } == [nil, "1"])
    }

    @Test func `raw JSON can be decoded later`() throws {
        let raw = try decode([JSONRaw].self, #"[{"a":[1,2]}]"#)[0]
        #expect(try JSONModelDecoder().decode([String: [Int]].self, from: raw.bytes) == ["a": [1, 2]])
    }
}
