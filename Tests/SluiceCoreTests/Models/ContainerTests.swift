import SluiceCore
import TestSupport
import Testing

/// Arrays, sets and dictionaries, also nested.
@Suite(.tags(.collections)) struct ContainerTests {
    private enum Side: String, JSONDictionaryKey, JSONConvertible { case left, right }
    private enum Level: Int, JSONDictionaryKey, JSONConvertible {
        case low = 1
        case high = 2
    }

    @Test func `arrays decode at any nesting`() throws {
        #expect(try decode([Int].self, "[]") == [])
        #expect(try decode([Int].self, "[1,-2]") == [1, -2])
        #expect(try decode([[Double]].self, "[[1,2.5],[],[-0.5]]") == [[1, 2.5], [], [-0.5]])
        #expect(try decode([[[String]]].self, #"[[["a"],[]],[]]"#) == [[["a"], []], []])
        #expect(try decode([[Point?]?].self, #"[[{"x":1},null],null]"#) == [[Point(x: 1), nil], nil])
    }

    @Test(arguments: [1, 100, 511, 512, 513, 5_000]) func `long arrays keep every element`(_ count: Int) throws {
        let numbers = Array(0..<count)
        let text = numbers.map { "{\"a\":[\($0),\"\($0) \"],\"b\":[[\($0)]]}" }.joined(separator: ",")
        let values = try JSONModelDecoder().decode([[String: JSONValue]].self, from: "[\(text)]")
        #expect(values.count == count)
        #expect(values.enumerated().allSatisfy { $1["a"]?[0]?.int == $0 && $1["a"]?[1]?.string == "\($0) " })
        #expect(values.enumerated().allSatisfy { $1["b"]?[0]?[0]?.int == $0 })
    }

    /// The runs of the arrays that are open move when one of them outgrows its memory.
    @Test func `growing arrays may nest in growing arrays`() throws {
        let rows = (0..<200).map { row in (0..<row).map { "\(row) and \($0), which is no short string" } }
        let text =
            "[" + rows.map { "[" + $0.map { "\"\($0)\"" }.joined(separator: ",") + "]" }.joined(separator: ",")
            + "]"
        #expect(try JSONModelDecoder().decode([[String]].self, from: text) == rows)
    }

    @Test func `sets decode and drop equal elements`() throws {
        #expect(try decode(Set<Int>.self, "[3,1,3]") == [1, 3])
        #expect(try decode(Set<String>.self, #"["a","\u0061","b"]"#) == ["a", "b"])
        #expect(try decode([Set<Side>].self, #"[["left","left"],[]]"#) == [[.left], []])
    }

    @Test func `dictionaries with string keys decode`() throws {
        #expect(try decode([String: Int].self, "{}") == [:])
        #expect(try decode([String: Int].self, #"{"a":1,"":2,"\n":3}"#) == ["a": 1, "": 2, "\n": 3])
        #expect(
            try decode([String: [Point?]].self, #"{"a":[{"x":1},null],"b":[]}"#) == [
                "a": [Point(x: 1), nil], "b": [],
            ])
        #expect(try decode([String: Int?].self, #"{"a":1,"b":null}"#) == ["a": 1, "b": nil])
        #expect(try decode([String: [String: Bool]].self, #"{"a":{"b":true}}"#) == ["a": ["b": true]])
    }

    @Test func `dictionaries with integer keys decode and refuse invalid keys`() throws {
        #expect(try decode([Int: String].self, #"{"1":"a","-2":"b"}"#) == [1: "a", -2: "b"])
        #expect(try decode([UInt8: Bool].self, #"{"255":true}"#) == [255: true])
        #expect(
            try decode([Int128: Int].self, #"{"170141183460469231731687303715884105727":1}"#) == [Int128.max: 1])
        let wrong = try refusal([UInt8: Bool].self, #"{"1":true,"256":false}"#)
        #expect(wrong.kind == .invalidKey("256", type: "UInt8"))
        #expect(wrong.location.offset == 10)
    }

    private func expectObject<Key: JSONDictionaryKey>(_ dictionary: [Key: Int], _ text: String) throws {
        #expect(try decode([Key: Int].self, text) == dictionary)
        #expect(try encode(dictionary) == text)
    }

    private func expectBounds<Key: JSONDictionaryKey & FixedWidthInteger>(_: Key.Type) throws {
        try expectObject([Key.min: 1], "{\"\(Key.min)\":1}")
        try expectObject([Key.max: 2], "{\"\(Key.max)\":2}")
    }

    @Test func `numbers of every type are keys`() throws {
        try expectBounds(Int.self)
        try expectBounds(Int8.self)
        try expectBounds(Int16.self)
        try expectBounds(Int32.self)
        try expectBounds(Int64.self)
        try expectBounds(Int128.self)
        try expectBounds(UInt.self)
        try expectBounds(UInt8.self)
        try expectBounds(UInt16.self)
        try expectBounds(UInt32.self)
        try expectBounds(UInt64.self)
        try expectBounds(UInt128.self)
        try expectObject([-0.1: 1], #"{"-0.1":1}"#)
        try expectObject([1e300: 1], #"{"1e+300":1}"#)
        try expectObject([Float(0.1): 1], #"{"0.1":1}"#)
        #if !((os(macOS) || targetEnvironment(macCatalyst)) && arch(x86_64))
        try expectObject([Float16(0.1): 1], #"{"0.1":1}"#)
        #endif
    }

    @Test func `dictionaries with raw-value keys decode and refuse invalid keys`() throws {
        #expect(try decode([Side: Int].self, #"{"left":1,"right":2}"#) == [.left: 1, .right: 2])
        #expect(try decode([Level: [Int]].self, #"{"2":[1],"1":[]}"#) == [.high: [1], .low: []])
        #expect(try refusal([Side: Int].self, #"{"up":1}"#).kind == .invalidKey("up", type: "Side"))
        #expect(try refusal([Level: Int].self, #"{"3":1}"#).kind == .invalidKey("3", type: "Level"))
    }

    @Test func `the last of two equal keys wins`() throws {
        #expect(try decode([String: Int].self, #"{"a":1,"b":2,"\u0061":3}"#) == ["a": 3, "b": 2])
        #expect(try decode([Int: String].self, #"{"1":"a","01":"b","+1":"c"}"#) == [1: "c"])
    }

    @Test func `long dictionaries keep every value`() throws {
        let text = (0..<3_000).map { "\"key \($0)\":{\"x\":\($0)}" }.joined(separator: ",")
        let values = try JSONModelDecoder().decode([String: Point].self, from: "{\(text)}")
        #expect(values.count == 3_000)
        #expect((0..<3_000).allSatisfy { values["key \($0)"] == Point(x: $0) })
    }

    // MARK: Optional containers with a tag byte

    /// A container whose optional has a tag byte.
    struct Sum: JSONConvertible, Equatable {
        var total = 0
        static var jsonShape: JSONShape {
            .array(Sum.self, of: Int.self, make: { Sum(total: $0.reduce(0, +)) }, elements: { [$0.total] })
        }
    }

    /// The same from an object.
    struct Votes: JSONConvertible, Equatable {
        var total = 0
        static var jsonShape: JSONShape {
            .dictionary(
                Votes.self, key: String.self, value: Int.self,
                make: { members in Votes(total: members.reduce(0) { $0 + $1.value }) },
                members: { [(key: "total", value: $0.total)] })
        }
    }

    struct Sums: JSONModel, Equatable {
        let sum: Sum?
        let votes: Votes?
        static let plan = ModelPlan<Sums>(JSONField(\.sum), JSONField(\.votes))
    }

    @Test func `an optional container with a tag byte is present`() throws {
        #expect(try decode(Sums.self, #"{"sum":[1,2]}"#) == Sums(sum: Sum(total: 3), votes: nil))
        #expect(try decode(Sums.self, #"{"sum":[]}"#) == Sums(sum: Sum(), votes: nil))
        #expect(try decode(Sums.self, #"{"votes":{"a":1,"b":4}}"#) == Sums(sum: nil, votes: Votes(total: 5)))
        #expect(try decode(Sums.self, #"{"sum":null,"votes":null}"#) == Sums(sum: nil, votes: nil))
        let long = (0..<5_000).map { _ in "1" }.joined(separator: ",")
        #expect(try decode(Sums.self, #"{"sum":[\#(long)]}"#).sum == Sum(total: 5_000))
    }
}
