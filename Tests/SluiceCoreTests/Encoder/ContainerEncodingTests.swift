import SluiceCore
import TestSupport
import Testing

/// The encoding of containers and arbitrary JSON.
@Suite(.tags(.encoding, .collections)) struct ContainerEncodingTests {
    enum Color: String { case red, green }
    enum Level: Int, JSONConvertible, JSONDictionaryKey {
        case low = 1
        case high
    }

    struct Box: JSONModel, Equatable {
        var color: Color
        var colors: [Color?]
        var set: Set<Color>
        var named: [String: Color]
        var byColor: [Color: Int]
        var levels: [Level: [Level]]
        var optional: [Color]?
        static let plan = ModelPlan<Box>([
            JSONField(\.color), JSONField(\.colors), JSONField(\.set), JSONField(\.named), JSONField(\.byColor),
            JSONField(\.levels), JSONField(\.optional),
        ])
    }

    @Test func `arrays and sets are written as arrays`() throws {
        #expect(try encode([Int]()) == "[]")
        #expect(try encode([[1, 2], [], [3]]) == "[[1,2],[],[3]]")
        #expect(try encode([String?.none, "x"]) == #"[null,"x"]"#)
        #expect(try encode([[Int]?.none, []]) == "[null,[]]")
        #expect(try encode(Set([7])) == "[7]")
        try expectRoundTrip(Set(0..<100))
        try expectRoundTrip((0..<1_000).map { "\($0)" })
    }

    @Test func `dictionaries are written as objects`() throws {
        #expect(try encode([String: Int]()) == "{}")
        #expect(try encode(["a\"b": [1: "x"]]) == #"{"a\"b":{"1":"x"}}"#)
        #expect(try encode(["a": Int?.none]) == #"{"a":null}"#)
        #expect(try encode(["a": Set<String>?.some([])]) == #"{"a":[]}"#)
        try expectRoundTrip(Dictionary(uniqueKeysWithValues: (0..<100).map { ("key \($0)", [$0]) }))
    }

    /// Values without parts are written in place, up to the first that has parts or is an error. The order of the keys is random.
    @Test func `scalars and containers are written in the order of a dictionary or a set`() throws {
        for position in 0..<8 {
            var values = Dictionary(
                uniqueKeysWithValues: (0..<8).map { ("\($0)", JSONValue.number(JSONNumber($0))) })
            values["\(position)"] = ["part": [nil, "text"]]
            values["text"] = "a string of more than fifteen bytes"
            try expectRoundTrip(values)
            let members = values.map { "\"\($0)\":\($1)" }.joined(separator: ",")
            #expect(try encode(values) == "{\(members)}")

            var numbers = Dictionary(uniqueKeysWithValues: (0..<8).map { ("\($0)", Double($0) / 2) })
            numbers["\(position)"] = .nan
            #expect(try encodingRefusal(numbers).path == JSONPath([.key("\(position)")]))
            let set = Set(numbers.values)
            let index = try #require(Array(set).firstIndex { $0.isNaN })
            #expect(try encodingRefusal(set).path == JSONPath([.index(index)]))
            let encoder = JSONModelEncoder.with { $0.nonConformingFloatStrategy = .null }
            let elements = try set.map { $0.isNaN ? "null" : try encode($0) }
            #expect(try encode(set, with: encoder) == "[\(elements.joined(separator: ","))]")
        }
    }

    @Test func `raw-value types are written as their raw values`() throws {
        let box = Box(
            color: .red, colors: [.green, nil], set: [.green], named: ["x": .red], byColor: [.green: 1],
            levels: [.high: [.low, .high]], optional: [.red])
        let text =
            #"{"color":"red","colors":["green",null],"set":["green"],"named":{"x":"red"},"byColor":{"green":1},"#
            + #""levels":{"2":[1,2]},"optional":["red"]}"#
        #expect(try encode(box) == text)
        try expectRoundTrip(box)
    }

    @Test func `a JSONValue is written unchanged`() throws {
        let value: JSONValue = ["a": [1, 2.5, nil, true, "x\n", [:], []]]
        #expect(try encode(value) == #"{"a":[1,2.5,null,true,"x\n",{},[]]}"#)
        try expectRoundTrip(value)
        let text = #"[1.50,1e400,{"b":12345678901234567890123}]"#
        #expect(try encode(JSONModelDecoder().decode(JSONValue.self, from: text)) == text)
    }

    @Test func `raw JSON is written verbatim`() throws {
        let raw = try JSONModelDecoder().decode([JSONRaw].self, from: #"[ {"a" : 1.0} , "x" , [ ] ]"#)
        #expect(try encode(raw) == #"[{"a" : 1.0},"x",[ ]]"#)
    }

    @Test func `keys can be sorted at every level`() throws {
        let encoder = JSONModelEncoder.with { $0.keyOrder = .sorted }
        #expect(
            try encode(["b": 1, "a": 2, "B": 3, "é": 4, "aa": 5], with: encoder)
                == #"{"B":3,"a":2,"aa":5,"b":1,"é":4}"#)
        let value: JSONValue = ["z": ["y": 1, "x": 2], "a": [["d": 1, "c": 2]]]
        #expect(try encode(value, with: encoder) == #"{"a":[{"c":2,"d":1}],"z":{"x":2,"y":1}}"#)
    }
}
