import SluiceCore
import TestSupport
import Testing

/// Transforms of single properties, and of every value of a type.
@Suite(.tags(.transforms)) struct TransformTests {
    struct Bad: Error, Equatable { let text: String }

    /// A type without JSON of its own.
    struct Colour: Equatable, Hashable { let red: Int }

    struct Hex: JSONTransform {
        func decode(_ json: String) throws -> Colour {
            guard let red = Int(json, radix: 16) else { throw Bad(text: json) }
            return Colour(red: red)
        }
        func encode(_ value: Colour) -> String { String(value.red, radix: 16) }
    }

    struct Model: JSONModel, Equatable {
        let one: Colour
        let maybe: Colour?
        let list: [Colour]
        let fallback: Colour
        let deep: Colour?
        static let plan = ModelPlan<Model>(
            JSONField(\.one, key: "one", or: "first", transform: Hex()),
            JSONField(\.maybe, key: "maybe", transform: Hex()),
            JSONField(\.list, key: "list", transform: Hex(), default: []),
            JSONField(\.fallback, key: "fallback", transform: Hex(), default: Colour(red: 9)).defaulting(on: [
                .missing, .null, .mismatch,
            ]), JSONField(\.deep, key: "a.b[1]", transform: Hex()))
    }

    struct Nested: JSONModel, Equatable {
        var lists: [[Colour]?]
        var deepest: [String: [[Colour]]]
        static let plan = ModelPlan<Nested>(
            JSONField(\.lists, key: "lists", transform: Hex(), default: [nil]),
            JSONField(\.deepest, key: "deepest", transform: Hex(), default: ["a": [[Colour(red: 1)]]]))
    }

    @Test func `three containers around converted elements have a default`() throws {
        let model = try decode(Nested.self, "{}")
        #expect(model == Nested(lists: [nil], deepest: ["a": [[Colour(red: 1)]]]))
        let text = #"{"lists":[["a"],null],"deepest":{"b":[[],["ff","0"]]}}"#
        let read = try decode(Nested.self, text)
        #expect(read.lists == [[Colour(red: 10)], nil])
        #expect(read.deepest == ["b": [[], [Colour(red: 255), Colour(red: 0)]]])
        #expect(try JSONModelEncoder().encode(read, as: .string) == text)
    }

    struct Scaled: JSONTransform {
        let factor: Double
        func decode(_ json: Double) -> Double { json * factor }
        func encode(_ value: Double) -> Double { value / factor }
    }

    struct Scales: JSONModel, Equatable {
        var tenfold: Double
        var halves: [Double]
        static let plan = ModelPlan<Scales>(
            JSONField(\.tenfold, key: "tenfold", transform: Scaled(factor: 10)),
            JSONField(\.halves, key: "halves", transform: Scaled(factor: 0.5)))
    }

    @Test func `transforms of one type have parameters of their own`() throws {
        let text = #"{"tenfold":1.5,"halves":[4,8]}"#
        let scales = try JSONModelDecoder().decode(Scales.self, from: text)
        #expect(scales == Scales(tenfold: 15, halves: [2, 4]))
        #expect(try JSONModelEncoder().encode(scales, as: .string) == #"{"tenfold":1.5,"halves":[4.0,8.0]}"#)
    }

    @Test func `transforms convert the values of properties`() throws {
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

    @Test func `an error thrown by a transform has its path and location`() throws {
        for (text, path, offset) in [
            (#"{"one":"x"}"#, "one", 7), (#"{"one":"1","maybe": "x"}"#, "maybe", 20),
            (#"{"one":"1","list":["1","x"]}"#, "list[1]", 23), (#"{"one":"1","a":{"b":["1","x"]}}"#, "a.b[1]", 25),
        ] as [(String, JSONPath, Int)] {
            let issue = try refusal(Model.self, text)
            #expect(issue.kind == .thrown)
            #expect(issue.underlying as? Bad == Bad(text: "x"))
            #expect((issue.path, issue.location.offset) == (path, offset))
        }
        #expect(
            try refusal(Model.self, #"{"one":5}"#).kind == .typeMismatch(expected: "a string", found: "a number"))
        #expect(try refusal(Model.self, #"{"one":null}"#).kind == .missingKeys(["one"]))
    }

    struct Containers: JSONModel, Equatable {
        var list: [Colour]?
        var lists: [[Colour]]
        var named: [String: Colour]
        var all: Set<Colour>
        var gaps: [Colour?]
        var deep: [Int: [Colour]]?
        var fallback: [Colour]?
        static let plan = ModelPlan<Containers>(
            JSONField(\.list, key: "list", transform: Hex()), JSONField(\.lists, key: "lists", transform: Hex()),
            JSONField(\.named, key: "named", transform: Hex()).lossy(),
            JSONField(\.all, key: "all", transform: Hex(), default: []),
            JSONField(\.gaps, key: "gaps", transform: Hex(), default: [nil]),
            JSONField(\.deep, key: "deep", transform: Hex()),
            JSONField(\.fallback, key: "fallback", transform: Hex(), default: [Colour(red: 7)]))
    }

    @Test func `the elements of containers are transformed`() throws {
        let text =
            #"{"list":["1"],"lists":[["2","3"],[]],"named":{"a":"4"},"all":["5"],"gaps":["6",null],"deep":{"7":["8"]},"fallback":[]}"#
        let model = Containers(
            list: [Colour(red: 1)], lists: [[Colour(red: 2), Colour(red: 3)], []], named: ["a": Colour(red: 4)],
            all: [Colour(red: 5)], gaps: [Colour(red: 6), nil], deep: [7: [Colour(red: 8)]], fallback: [])
        #expect(try decode(Containers.self, text) == model)
        #expect(try JSONModelEncoder().encode(model, as: .string) == text)
        let least = Containers(
            list: nil, lists: [], named: [:], all: [], gaps: [nil], deep: nil, fallback: [Colour(red: 7)])
        #expect(try decode(Containers.self, #"{"list":null,"lists":[],"named":{}}"#) == least)
    }

    @Test func `elements of containers fail at their own path`() throws {
        let issue = try refusal(Containers.self, #"{"lists":[["1"],["2","x"]],"named":{}}"#)
        #expect((issue.path, issue.location.offset, issue.kind) == ("lists[1][1]", 21, .thrown))
        let deep = try refusal(Containers.self, #"{"deep":{"1":[5]},"lists":[],"named":{}}"#)
        #expect((deep.path, deep.kind) == ("deep.1[0]", .typeMismatch(expected: "a string", found: "a number")))
        let lossy = try reported(Containers.self, #"{"lists":[],"named":{"a":"1","b":"x"}}"#)
        #expect(lossy.value.named == ["a": Colour(red: 1)])
        #expect(lossy.issues.map(\.path) == ["named.b"])
    }

    /// The property's transform takes the place of the decoder's, for its containers too.
    @Test func `the transform of a property overrides the decoder's`() throws {
        let decoder = JSONModelDecoder.with { $0.register(Zero()) }
        #expect(try decode(Model.self, #"{"one":"a","list":["b"]}"#, with: decoder).list == [Colour(red: 11)])
    }

    struct Zero: JSONTransform {
        func decode(_ json: JSONValue) -> [Colour] { [] }
        func encode(_ value: [Colour]) -> JSONValue { 0 }
    }

    struct Numbers: JSONModel, Equatable {
        var halves: [Double]
        var names: [[String]]
        static let plan = ModelPlan<Numbers>(
            JSONField(\.halves, key: "halves", transform: Half()),
            JSONField(\.names, key: "names", transform: Trim()))
    }

    struct Half: JSONTransform {
        func decode(_ json: Int) -> Double { Double(json) / 2 }
        func encode(_ value: Double) -> Int { Int(value * 2) }
    }

    /// Arrays of numbers and strings have ways of their own through the core.
    @Test func `arrays of scalars are transformed`() throws {
        let model = try decode(Numbers.self, #"{"halves":[1,2,3],"names":[[" a"],["b"]]}"#)
        #expect(model == Numbers(halves: [0.5, 1, 1.5], names: [["a!"], ["b!"]]))
        #expect(try JSONModelEncoder().encode(model, as: .string) == #"{"halves":[1,2,3],"names":[["a!"],["b!"]]}"#)
    }

    /// Trims strings: what stands in the text is of the type itself.
    struct Trim: JSONTransform {
        func decode(_ json: String) -> String { json.trimmingPrefix(" ").description + "!" }
        func encode(_ value: String) -> String { value }
    }

    /// Reads a point that stands as a pair, or decodes its text again.
    struct Pairs: JSONTransform {
        func decode(_ json: JSONRaw) throws -> Point {
            if json.bytes.first == UInt8(ascii: "[") {
                return Point(x: try JSONModelDecoder().decode([Int].self, from: json.bytes)[0])
            }
            return try JSONModelDecoder().decode(Point.self, from: json.bytes)
        }
        func encode(_ value: Point) throws -> JSONRaw { fatalError() }
    }

    @Test func `a transform may decode again`() throws {
        let decoder = JSONModelDecoder.with { $0.register(Pairs()) }
        #expect(try decode([Point].self, #"[{"x":1},[2,3]]"#, with: decoder) == [Point(x: 1), Point(x: 2)])
        #expect(
            try decode([String: Point?].self, #"{"a":[4],"b":null}"#, with: decoder) == [
                "a": Point(x: 4), "b": nil,
            ])
        let issue = try refusal([Point].self, #"[{"x":1},{"y":2}]"#, with: decoder)
        #expect((issue.kind, issue.path, issue.location.offset) == (.thrown, "[1]", 15))
        let inner = try #require(issue.underlying as? JSONModelError)
        #expect(inner.issues[0].kind == .missingKeys(["x"]))
    }

    struct Whatever: JSONTransform {
        func decode(_ json: JSONValue) -> Colour { Colour(red: json.isNull ? -1 : json.int ?? 0) }
        func encode(_ value: Colour) -> JSONValue { 0 }
    }

    struct Anything: JSONModel, Equatable {
        let one: Colour
        let maybe: Colour?
        static let plan = ModelPlan<Anything>(
            JSONField(\.one, key: "one", transform: Whatever()),
            JSONField(\.maybe, key: "maybe", transform: Whatever()))
    }

    @Test func `transforms of JSONValue accept any JSON`() throws {
        #expect(
            try decode(Anything.self, #"{"one":5,"maybe":[{}]}"#)
                == Anything(one: Colour(red: 5), maybe: Colour(red: 0)))
        // Null goes to a transform that takes it, unless the property is optional.
        #expect(
            try decode(Anything.self, #"{"one":null,"maybe":null}"#) == Anything(one: Colour(red: -1), maybe: nil))
    }

    /// A type that carries its own conversion.
    struct Celsius: JSONConvertible, Hashable {
        let degrees: Int
        static var jsonShape: JSONShape { .transformed(by: CelsiusTransform()) }
    }

    struct CelsiusTransform: JSONTransform {
        func decode(_ json: String) throws -> Celsius {
            guard json.hasSuffix("°C") else { throw JSONModelError.ConversionFailure.mismatch }
            guard let degrees = Int(json.dropLast(2)) else { throw JSONModelError.ConversionFailure.outOfRange }
            if degrees < -273 {
                throw JSONModelError.ConversionFailure.invalid("\(json) is too cold", hint: "is it in °F?")
            }
            return Celsius(degrees: degrees)
        }
        func encode(_ value: Celsius) -> String { "\(value.degrees)°C" }
    }

    /// Another conversion of the same type.
    struct PlainNumber: JSONTransform {
        func decode(_ json: Int) -> Celsius { Celsius(degrees: json) }
        func encode(_ value: Celsius) -> Int { value.degrees }
    }

    struct Weather: JSONModel, Equatable {
        let now: Celsius
        let low: Celsius?
        let hours: [Celsius]
        let cities: [String: Celsius?]
        let number: Celsius
        static let plan = ModelPlan<Weather>(
            JSONField(\.now), JSONField(\.low), JSONField(\.hours), JSONField(\.cities),
            JSONField(\.number, key: "number", transform: PlainNumber()))
    }

    private func weather(_ now: String) -> String {
        #"{"now":\#(now),"low":"2°C","hours":["3°C","4°C"],"cities":{"Rome":"5°C"},"number":6}"#
    }

    @Test func `a type can define its own conversion`() throws {
        let text = weather(#""1°C""#)
        let value = try decode(Weather.self, text)
        #expect(
            value
                == Weather(
                    now: Celsius(degrees: 1), low: Celsius(degrees: 2),
                    hours: [Celsius(degrees: 3), Celsius(degrees: 4)], cities: ["Rome": Celsius(degrees: 5)],
                    number: Celsius(degrees: 6)))
        #expect(try JSONModelEncoder().encode(value, as: .string) == text)
        #expect(try decode(Set<Celsius>.self, #"["1°C"]"#) == [Celsius(degrees: 1)])
        #expect(try JSONModelEncoder().encode([Celsius(degrees: 7)], as: .string) == #"["7°C"]"#)
    }

    @Test func `a registered transform overrides the conversion of the type`() throws {
        let decoder = JSONModelDecoder.with { $0.register(PlainNumber()) }
        #expect(try decode([Celsius?].self, "[1,null]", with: decoder) == [Celsius(degrees: 1), nil])
        var encoder = JSONModelEncoder()
        encoder.register(PlainNumber())
        #expect(try encoder.encode([Celsius(degrees: 1)], as: .string) == "[1]")
    }

    enum Rank: Int, JSONConvertible {
        case low = 1
        case high = 2
        static var jsonShape: JSONShape { .rawValue(Rank.self, values: [.low, .high], fallback: .low) }
    }

    enum Side: Int {
        case left = 3
        case right = 4
    }

    struct Ranks: JSONModel, Equatable {
        let rank: Rank
        let maybe: Rank?
        let all: [Rank]
        let side: Side
        static let plan = ModelPlan<Ranks>(
            JSONField(\.rank), JSONField(\.maybe), JSONField(\.all), JSONField(\.side))
    }

    struct Doubled: JSONTransform {
        func decode(_ json: Int) -> Int { json / 2 }
        func encode(_ value: Int) -> Int { value * 2 }
    }

    @Test func `a registered transform applies to raw values in both directions`() throws {
        let ranks = Ranks(rank: .high, maybe: .low, all: [.low, .high], side: .right)
        let text = #"{"rank":4,"maybe":2,"all":[2,4],"side":8}"#
        var encoder = JSONModelEncoder()
        encoder.register(Doubled())
        #expect(try encoder.encode(ranks, as: .string) == text)
        let decoder = JSONModelDecoder.with { $0.register(Doubled()) }
        #expect(try decode(Ranks.self, text, with: decoder) == ranks)
        #expect(try decode([Rank?].self, "[4,18,null]", with: decoder) == [.high, .low, nil])
        #expect(try decode([Rank].self, "[2,4]") == [.high, .low])
        let issue = try refusal(Ranks.self, #"{"rank":4,"all":[],"side":18}"#, with: decoder)
        #expect(issue.path == "side")
    }

    struct Release: JSONConvertible, Equatable {
        let number: Int
        static var jsonShape: JSONShape {
            .scalar(Release.self, expecting: "a release") { scalar in
                guard let number = scalar.double else { throw JSONModelError.ConversionFailure.mismatch }
                return Release(number: Int(number))
            } write: { release in
                .number(JSONNumber(release.number))
            }
        }
    }

    /// Any JSON, in an array.
    struct Boxed: JSONTransform {
        func decode(_ json: JSONRaw) throws -> JSONValue {
            guard let value = try JSONValue(parsing: json)[0] else { throw Bad(text: "\(json)") }
            return value
        }
        func encode(_ value: JSONValue) throws -> JSONRaw { try JSONRaw("[\(value)]") }
    }

    @Test func `a transform for any JSON does not apply to scalars of one's own`() throws {
        var encoder = JSONModelEncoder()
        encoder.register(Boxed())
        #expect(try encoder.encode([Release(number: 3)], as: .string) == "[3]")
        #expect(try encoder.encode([true] as [JSONValue], as: .string) == "[[true]]")
        let decoder = JSONModelDecoder.with { $0.register(Boxed()) }
        #expect(try decode([Release].self, "[3]", with: decoder) == [Release(number: 3)])
        #expect(try decode([JSONValue].self, "[[true]]", with: decoder) == [true])
    }

    @Test(arguments: [
        (#""1 K""#, #"expected Celsius, found "1 K""#), (#""x°C""#, #""x°C" does not fit in Celsius"#),
        (#""-300°C""#, "expected a string: -300°C is too cold (is it in °F?)"),
        ("1", "expected a string, found a number"),
    ])
    func `the message of a transform names the value`(json: String, message: String) throws {
        let issue = try refusal(Weather.self, weather(json))
        #expect(issue.description.hasPrefix(message + " at now, for Weather.now"))
    }

    /// Refuses whatever it is given.
    struct Refusing<JSON: JSONConvertible>: JSONTransform {
        func decode(_ json: JSON) throws -> Celsius { throw JSONModelError.ConversionFailure.mismatch }
        func encode(_ value: Celsius) throws -> JSON { throw JSONModelError.ConversionFailure.mismatch }
    }

    struct Holder: JSONModel {
        let it: Celsius
        static let plan = ModelPlan<Holder>(JSONField(\.it))
    }

    private func found<J: JSONConvertible>(_ json: String, as type: J.Type) throws -> JSONIssue.Kind {
        let decoder = JSONModelDecoder.with { $0.register(Refusing<J>()) }
        return try refusal(Holder.self, #"{"it":\#(json)}"#, with: decoder).kind
    }

    @Test func `values of every kind are named in messages`() throws {
        func named(_ found: String) -> JSONIssue.Kind { .typeMismatch(expected: "Celsius", found: found) }
        let long = String(repeating: "x", count: 100)
        #expect(try found("[1]", as: [Int].self) == named("an array"))
        #expect(try found("[1]", as: JSONValue.self) == named("an array"))
        #expect(try found(#"{"a":1}"#, as: [String: Int].self) == named("an object"))
        #expect(try found(#"{"a":1}"#, as: JSONValue.self) == named("an object"))
        #expect(try found(#"{"x":1}"#, as: Point.self) == named("an object"))
        #expect(try found("null", as: Int?.self) == named("null"))
        #expect(try found("7", as: Int?.self) == named("7"))
        #expect(try found("null", as: JSONValue.self) == named("null"))
        #expect(try found("1.50", as: JSONNumber.self) == named("1.50"))
        #expect(try found("true", as: Bool.self) == named("true"))
        #expect(try found(#"{"b": 1}"#, as: JSONRaw.self) == named(#"{"b": 1}"#))
        #expect(try found("\"\(long)\"", as: String.self) == named("\"\(long.prefix(79))…"))
    }

    struct Texts: JSONModel, Equatable {
        let a: String
        let b: String?
        let c: [String]
        let d: [String: [String?]]
        let e: Set<String>?
        static let plan = ModelPlan<Texts>(
            JSONField(\.a), JSONField(\.b), JSONField(\.c), JSONField(\.d), JSONField(\.e))
    }

    @Test func `a registered transform applies to every value of a type`() throws {
        let decoder = JSONModelDecoder.with { $0.register(Trim()) }
        let text = #"{"a":" x","b":" y","c":[" z"],"d":{" k":[" v",null]},"e":["w"]}"#
        #expect(
            try decode(Texts.self, text, with: decoder)
                == Texts(a: "x!", b: "y!", c: ["z!"], d: [" k": ["v!", nil]], e: ["w!"]))
        #expect(
            try decode(Texts.self, text) == Texts(a: " x", b: " y", c: [" z"], d: [" k": [" v", nil]], e: ["w"]))
        #expect(try decode(String?.self, #"" x""#, with: decoder) == "x!")
        #expect(try decode(Texts.self, #"{"a":"","b":null,"c":[],"d":{}}"#, with: decoder).b == nil)
    }
}
