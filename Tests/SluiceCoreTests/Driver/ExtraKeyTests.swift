import SluiceCodable
import SluiceCore
import TestSupport
import Testing

/// Dictionaries of the keys that no other property has.
@Suite(.tags(.extraKeys)) struct ExtraKeyTests {
    struct Values: JSONModel, Equatable {
        let id: Int
        let city: String?
        let rest: [String: JSONValue]
        static let plan = ModelPlan<Values>(
            JSONField(\.id, key: "id"), JSONField(\.city, key: "home.city"), JSONField(extra: \.rest))
    }

    struct Models: JSONModel, Equatable {
        let parts: [String: Item]
        let name: String?
        static let plan = ModelPlan<Models>(JSONField(extra: \.parts), JSONField(\.name, key: "name"))
    }

    @Test func `extra keys are collected in a dictionary`() throws {
        #expect(
            try decode(Values.self, #"{"a":1,"id":2,"b":[null,{"c":"d"}],"home":{"city":"x","zip":1},"e":null}"#)
                == Values(id: 2, city: "x", rest: ["a": 1, "b": [nil, ["c": "d"]], "home": ["zip": 1], "e": nil]))
        #expect(try decode(Values.self, #"{"id":2}"#) == Values(id: 2, city: nil, rest: [:]))
        #expect(
            try decode(Models.self, #"{"x":{"id":1},"name":"n","y":{"id":2,"z":3}}"#)
                == Models(parts: ["x": Item(id: 1), "y": Item(id: 2)], name: "n"))
        #expect(try decode(Models.self, "{}") == Models(parts: [:], name: nil))
        #expect(try decode(Values.self, #"{"id":1,"\u00e9.\"":true}"#).rest == ["é.\"": true])
    }

    @Test func `errors name the extra key`() throws {
        let issue = try refusal(Models.self, #"{"x":{"id":1},"y":{"id":"2"}}"#)
        #expect((issue.path, issue.location.offset, issue.property) == ("y.id", 24, "id"))
        let missing = try refusal(Models.self, #"{"x":{}}"#)
        #expect((missing.kind, missing.path) == (.missingKeys(["id"]), "x"))
        let scalar = try refusal(Models.self, #"{"x.y":5}"#)
        #expect((scalar.path, scalar.property) == (#"x\.y"#, "parts"))
        #expect(try refusal(Models.self, #"{"x":null}"#).path == "x")
    }

    @Test func `duplicate extra keys follow the duplicate-key option`() throws {
        #expect(try decode(Values.self, #"{"id":1,"a":1,"a":2}"#).rest == ["a": 2])
        let decoder = JSONModelDecoder.with { $0.duplicateKeys = .reject }
        let issue = try refusal(Values.self, #"{"id":1,"a":1,"b":{"a":1},"a":2}"#, with: decoder)
        #expect((issue.kind, issue.path, issue.location.offset) == (.duplicateKey("a"), "a", 26))
        #expect(try decode([Values].self, #"[{"id":1,"a":1},{"a":2,"id":1}]"#, with: decoder).count == 2)
    }

    @Test func `a model with extra keys has no unknown keys`() throws {
        let decoder = JSONModelDecoder.with { $0.unknownKeys = .reject }
        #expect(try decode(Values.self, #"{"id":1,"a":1}"#, with: decoder).rest == ["a": 1])
        #expect(try refusal(Models.self, #"{"x":{"id":1,"a":1}}"#, with: decoder).kind == .unknownKey("a"))
    }

    struct Flat: JSONModel, Equatable {
        let values: Values
        let other: Int?
        static let plan = ModelPlan<Flat>(JSONField(flatten: \.values), JSONField(\.other, key: "other"))
    }

    struct MaybeFlat: JSONModel, Equatable {
        let other: Int?
        let values: Values?
        static let plan = ModelPlan<MaybeFlat>(JSONField(\.other, key: "other"), JSONField(flatten: \.values))
    }

    enum Choice: JSONEnum, Equatable {
        case flat(MaybeFlat)
        static let plan = ModelPlan<Choice>(cases: [.of("flat", Self.flat)], tagging: .internal(tag: "type"))
    }

    @Test func `the extra keys of an optional flattened model are written if the model is present`() throws {
        let none = MaybeFlat(other: 1, values: nil)
        let some = MaybeFlat(other: 1, values: Values(id: 2, city: nil, rest: ["a": 3]))
        #expect(try encode([none, some]) == #"[{"other":1},{"other":1,"id":2,"a":3}]"#)
        #expect(
            try encode([Choice.flat(none), .flat(some)])
                == #"[{"type":"flat","other":1},{"type":"flat","other":1,"id":2,"a":3}]"#)
        // The position of the tag among the keys varies.
        var rest: [String: JSONValue] = ["type": 1]
        for index in 0..<10 {
            rest["key \(index)"] = 2
            let tagged = Choice.flat(MaybeFlat(other: 1, values: Values(id: 2, city: nil, rest: rest)))
            let issue = try encodingRefusal(tagged)
            #expect(issue.kind == .notEncodable(#"its key "type" is that of the enum's tag"#))
            // The model is at fault, before its first property.
            #expect(issue.model == "MaybeFlat" && issue.property == nil)
        }
    }

    struct Beside: JSONModel, Equatable {
        let part: Item
        let rest: [String: Int]
        static let plan = ModelPlan<Beside>(JSONField(flatten: \.part), JSONField(extra: \.rest))
    }

    @Test func `flattened models can hold or accompany extra keys`() throws {
        #expect(
            try decode(Flat.self, #"{"id":1,"other":2,"more":3}"#)
                == Flat(values: Values(id: 1, city: nil, rest: ["more": 3]), other: 2))
        #expect(try decode(Beside.self, #"{"a":5,"id":1}"#) == Beside(part: Item(id: 1), rest: ["a": 5]))
    }

    struct Lossy: JSONModel, Equatable {
        let parts: [String: Item]
        let id: Int
        static let plan = ModelPlan<Lossy>(JSONField(extra: \.parts).lossy(), JSONField(\.id, key: "id"))
    }

    @Test func `lossy extra keys drop values that fail`() throws {
        let (value, issues) = try reported(Lossy.self, #"{"a":{"id":1},"b":{"x":[{}]},"c":[[]],"id":7,"d":null}"#)
        #expect(value == Lossy(parts: ["a": Item(id: 1)], id: 7))
        #expect(issues.brief == ["b: lacks id", "c: an object, not an array", "d: null"])
    }

    @Test func `the key strategy of the decoder applies to models in extra keys`() throws {
        struct Named: JSONModel, Equatable {
            let someName: Int
            static let plan = ModelPlan<Named>(JSONField(\.someName, name: "someName"))
        }
        struct Outer: JSONModel, Equatable {
            let all: [String: Named]
            static let plan = ModelPlan<Outer>(JSONField(extra: \.all))
        }
        let decoder = JSONModelDecoder.with { $0.keyStrategy = .snakeCase }
        #expect(try decode(Outer.self, #"{"a":{"some_name":1}}"#, with: decoder).all["a"]?.someName == 1)
    }

    @Test func `two properties for extra keys are a defect`() {
        struct Two: JSONModel {
            let a: [String: Int]
            let b: [String: Int]
            static let plan = ModelPlan<Two>(JSONField(extra: \.a), JSONField(extra: \.b))
        }
        #expect(defect(of: Two.self) == "'b' is the second property for extra keys")
    }

    /// A property that is not read has a key all the same.
    @Test func `the key of a property that is not decoded is not extra`() throws {
        struct Written: JSONModel, Equatable {
            let a: Int
            let rest: [String: Int]
            static let plan = ModelPlan<Written>(
                JSONField(\.a, key: "a", default: 9).ignored(.decoding), JSONField(extra: \.rest))
        }
        #expect(try decode(Written.self, #"{"a":1,"b":2}"#) == Written(a: 9, rest: ["b": 2]))
    }

    /// A dictionary as the text of its keys.
    struct Joined: JSONTransform {
        func decode(_ json: String) throws -> [String: Int] { [json: 1] }
        func encode(_ value: [String: Int]) throws -> String { value.keys.joined() }
    }

    @Test func `a transform for the dictionary does not apply to extra keys`() throws {
        struct Open: JSONModel, Equatable {
            let all: [String: Int]?
            let rest: [String: Int]
            static let plan = ModelPlan<Open>(JSONField(\.all, key: "all"), JSONField(extra: \.rest))
        }
        let decoder = JSONModelDecoder.with { $0.register(Joined()) }
        var encoder = JSONModelEncoder()
        encoder.register(Joined())
        let text = #"{"all":"a","b":2}"#
        let open = try decode(Open.self, text, with: decoder)
        #expect(open == Open(all: ["a": 1], rest: ["b": 2]))
        #expect(try encode(open, with: encoder) == text)
    }

    struct BesidePath: JSONModel, Equatable {
        var b: Int?
        var deep: Int?
        var second: Int?
        var rest: [String: JSONValue]
        static let plan = ModelPlan<BesidePath>(
            JSONField(\.b, key: "a.b"), JSONField(\.deep, key: "a.d.e"), JSONField(\.second, key: "list[1].x"),
            JSONField(extra: \.rest))
    }

    @Test(
        arguments: [
            (#"{"a":{"b":1,"c":2},"z":3}"#, ["a": ["c": 2], "z": 3]),
            (#"{"a":{"d":{"e":1,"f":[{}],"é":4}}}"#, ["a": ["d": ["f": [[:]], "é": 4]]]),
            (#"{"a":{"c":{"b":1}}}"#, ["a": ["c": ["b": 1]]]),
            (#"{"a":{"d":{"f":null}}}"#, ["a": ["d": ["f": nil]]]), (#"{"a":{"b":1}}"#, [:]),
        ] as [(String, [String: JSONValue])])
    func `extra keys hold what is beside a path`(_ text: String, _ rest: [String: JSONValue]) throws {
        let value = try decode(BesidePath.self, text)
        #expect(value.rest == rest)
        // The round trip keeps the JSON.
        let expected = try JSONModelDecoder().decode(JSONValue.self, from: text)
        for format in [JSONModelEncoder.Formatting.compact, .pretty, .canonical] {
            let encoder = JSONModelEncoder.with { $0.formatting = format }
            let written = try encoder.encode(value, as: .string)
            #expect(try JSONModelDecoder().decode(JSONValue.self, from: written) == expected, "\(written)")
        }
        #expect(try encode(value) == text)
    }

    @Test func `a merge changes what is beside a path`() throws {
        let value = try decode(BesidePath.self, #"{"a":{"b":1,"c":2,"d":{"f":3}},"z":3}"#)
        let changed = try merged(
            #"{"a":{"c":{"x":null,"y":1},"g":4,"d":{"f":null}}}"#, into: value, options: .mergePatch)
        #expect(changed.b == 1 && changed.rest == ["a": ["c": ["y": 1], "g": 4], "z": 3])
        let cleared = try merged(#"{"a":null}"#, into: changed, options: .mergePatch)
        #expect(cleared.b == nil && cleared.rest == ["z": 3])
    }

    /// The elements of an array on a path, and the members of a value that another field reads, are no extra keys.
    struct NumbersBesidePath: JSONModel, Equatable {
        var b: Int?
        var whole: JSONRaw?
        var part: Int?
        var rest: [String: Int]
        static let plan = ModelPlan<NumbersBesidePath>(
            JSONField(\.b, key: "a.d.b"), JSONField(\.whole, key: "w"), JSONField(\.part, key: "w.x[0].y"),
            JSONField(extra: \.rest))
    }

    @Test(arguments: [("a.c", #"{"a":{"d":{"b":1},"c":2},"z":3}"#), ("a.d.c", #"{"a":{"d":{"c":2,"b":1}},"z":3}"#)])
    func `a key beside a path that extra keys cannot hold is refused`(_ path: JSONPath, _ text: String) throws {
        let issue = try refusal(NumbersBesidePath.self, text)
        #expect(issue.kind == .unknownKey("c") && issue.path == path)
        #expect(issue.hint?.contains("'Int' cannot hold") == true)
        let collecting = JSONModelDecoder.with { $0.errorPolicy = .collect(limit: 9) }
        #expect(try refusals(NumbersBesidePath.self, text, with: collecting).map(\.path) == [path])
        var value = NumbersBesidePath(b: 1, rest: [:])
        #expect(throws: JSONModelError.self) { try JSONModelDecoder().merge(text, into: &value) }
    }

    @Test func `a key beside a path in an array is reported, or refused like unknown keys`() throws {
        let text = #"{"list":[{"u":0},{"x":1,"y":2}],"z":3}"#
        let (value, issues) = try reported(BesidePath.self, text)
        #expect(value.second == 1 && value.rest == ["z": 3] && issues.map(\.path) == ["list[1].y"])
        let rejecting = JSONModelDecoder.with { $0.unknownKeys = .reject }
        #expect(try refusal(BesidePath.self, text, with: rejecting).path == "list[1].y")
    }

    @Test func `keys of extra keys in other objects, and of values that are read, are not refused`() throws {
        let text = #"{"a":{"d":{"b":1}},"w":{"x":[{"y":1,"u":2}],"v":3},"z":3}"#
        let value = try decode(NumbersBesidePath.self, text)
        #expect(value.b == 1 && value.part == 1 && value.rest == ["z": 3])
    }

    @Test func `lossy extra keys drop and report a key beside a path`() throws {
        struct Numbers: JSONModel, Equatable {
            let b: Int?
            let rest: [String: Int]
            static let plan = ModelPlan<Numbers>(JSONField(\.b, key: "a.b"), JSONField(extra: \.rest).lossy())
        }
        let (value, issues) = try reported(Numbers.self, #"{"a":{"b":1,"c":2},"z":3}"#)
        #expect(value == Numbers(b: 1, rest: ["z": 3]) && issues.map(\.path) == ["a.c"])
    }
}
