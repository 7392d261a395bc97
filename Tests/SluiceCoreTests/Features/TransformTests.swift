import SluiceCore
import Testing

/// Transforms of single properties, and of every value of a type.
struct TransformTests {
    struct Bad: Error, Equatable { let text: String }

    /// A type without JSON of its own.
    struct Colour: Equatable, Hashable { let red: Int }

    enum Hex: JSONTransform {
        static func decode(_ json: String) throws -> Colour {
            guard let red = Int(json, radix: 16) else { throw Bad(text: json) }
            return Colour(red: red)
        }
        static func encode(_ value: Colour) -> String { String(value.red, radix: 16) }
    }

    struct Model: JSONModel, Equatable {
        let one: Colour
        let maybe: Colour?
        let list: [Colour]
        let fallback: Colour
        let deep: Colour?
        static let plan = ModelPlan<Model>(
            Field(\.one, key: "one", or: "first", transform: Hex.self),
            Field(\.maybe, key: "maybe", transform: Hex.self),
            Field(\.list, key: "list", transform: Hex.self, default: []),
            Field(\.fallback, key: "fallback", transform: Hex.self, default: Colour(red: 9)).defaulting(
                on: [.missing, .null, .mismatch]),
            Field(\.deep, key: "a.b[1]", transform: Hex.self))
    }

    @Test func ofProperties() throws {
        let text = #"{"one":"a","maybe":"b","list":["1","2"],"fallback":"c","a":{"b":[0,"d"]}}"#
        let colours = (Colour(red: 10), Colour(red: 11), Colour(red: 12), Colour(red: 13))
        #expect(
            try decode(Model.self, text)
                == Model(
                    one: colours.0, maybe: colours.1, list: [Colour(red: 1), Colour(red: 2)], fallback: colours.2,
                    deep: colours.3))
        let bare = Model(one: colours.0, maybe: nil, list: [], fallback: Colour(red: 9), deep: nil)
        #expect(try decode(Model.self, #"{"one":"a"}"#) == bare)
        #expect(
            try decode(Model.self, #"{"first":"b","one":"a","maybe":null,"list":null,"fallback":null}"#) == bare)
        #expect(try reported(Model.self, #"{"one":"a","fallback":"x"}"#).value == bare)
    }

    @Test func whatTheyThrowArrivesAsThrown() throws {
        for (text, path, offset) in [
            (#"{"one":"x"}"#, "one", 7), (#"{"one":"1","maybe": "x"}"#, "maybe", 20),
            (#"{"one":"1","list":["1","x"]}"#, "list[1]", 23), (#"{"one":"1","a":{"b":["1","x"]}}"#, "a.b[1]", 25),
        ] as [(String, JSONPath, Int)] {
            let issue = try refusal(Model.self, text)
            #expect(issue.kind == .thrown)
            #expect(issue.underlying as? Bad == Bad(text: "x"))
            #expect((issue.path, issue.offset) == (path, offset))
        }
        #expect(
            try refusal(Model.self, #"{"one":5}"#).kind == .typeMismatch(expected: "a string", found: "a number"))
        #expect(try refusal(Model.self, #"{"one":null}"#).kind == .missingKeys(["one"]))
    }

    /// Trims strings: what stands in the text is of the type itself.
    enum Trim: JSONTransform {
        static func decode(_ json: String) -> String { json.trimmingPrefix(" ").description + "!" }
        static func encode(_ value: String) -> String { value }
    }

    struct Texts: JSONModel, Equatable {
        let a: String
        let b: String?
        let c: [String]
        let d: [String: [String?]]
        let e: Set<String>?
        static let plan = ModelPlan<Texts>(
            Field(\.a, key: "a"), Field(\.b, key: "b"), Field(\.c, key: "c"), Field(\.d, key: "d"),
            Field(\.e, key: "e"))
    }

    @Test func ofATypeThatHasAShape() throws {
        let decoder = JSONModelDecoder.with { $0.register(Trim.self) }
        let text = #"{"a":" x","b":" y","c":[" z"],"d":{" k":[" v",null]},"e":["w"]}"#
        #expect(
            try decode(Texts.self, text, with: decoder)
                == Texts(a: "x!", b: "y!", c: ["z!"], d: [" k": ["v!", nil]], e: ["w!"]))
        #expect(
            try decode(Texts.self, text) == Texts(a: " x", b: " y", c: [" z"], d: [" k": [" v", nil]], e: ["w"]))
        #expect(try decode(String?.self, #"" x""#, with: decoder) == "x!")
        #expect(try decode(Texts.self, #"{"a":"","b":null,"c":[],"d":{}}"#, with: decoder).b == nil)
    }

    struct Point: JSONModel, Equatable {
        let x: Int
        static let plan = ModelPlan<Point>(Field(\.x, key: "x"))
    }

    /// Reads a point that stands as a pair, or decodes its text again.
    enum Pairs: JSONTransform {
        static func decode(_ json: JSONRaw) throws -> Point {
            if json.bytes.first == UInt8(ascii: "[") {
                return Point(x: try JSONModelDecoder().decode([Int].self, from: json.bytes)[0])
            }
            return try JSONModelDecoder().decode(Point.self, from: json.bytes)
        }
        static func encode(_ value: Point) throws -> JSONRaw { fatalError() }
    }

    @Test func decodingAgainInside() throws {
        let decoder = JSONModelDecoder.with { $0.register(Pairs.self) }
        #expect(try decode([Point].self, #"[{"x":1},[2,3]]"#, with: decoder) == [Point(x: 1), Point(x: 2)])
        #expect(
            try decode([String: Point?].self, #"{"a":[4],"b":null}"#, with: decoder) == [
                "a": Point(x: 4), "b": nil,
            ])
        let issue = try refusal([Point].self, #"[{"x":1},{"y":2}]"#, with: decoder)
        #expect((issue.kind, issue.path, issue.offset) == (.thrown, "[1]", 15))
        let inner = try #require(issue.underlying as? JSONModelError)
        #expect(inner.issues[0].kind == .missingKeys(["x"]))
    }

    enum Whatever: JSONTransform {
        static func decode(_ json: JSONValue) -> Colour { Colour(red: json.isNull ? -1 : json.int ?? 0) }
        static func encode(_ value: Colour) -> JSONValue { 0 }
    }

    struct Anything: JSONModel, Equatable {
        let one: Colour
        let maybe: Colour?
        static let plan = ModelPlan<Anything>(
            Field(\.one, key: "one", transform: Whatever.self),
            Field(\.maybe, key: "maybe", transform: Whatever.self))
    }

    @Test func ofAnyJSON() throws {
        #expect(
            try decode(Anything.self, #"{"one":5,"maybe":[{}]}"#)
                == Anything(one: Colour(red: 5), maybe: Colour(red: 0)))
        // Null goes to a transform that takes it, unless the property is optional.
        #expect(
            try decode(Anything.self, #"{"one":null,"maybe":null}"#) == Anything(one: Colour(red: -1), maybe: nil))
    }
}
