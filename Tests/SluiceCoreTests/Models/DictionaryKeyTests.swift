import SluiceCodable
import SluiceCore
import SluiceSchemas
import TestSupport
import Testing

/// Dictionaries are objects whenever their keys have a text, in every position.
@Suite(.tags(.keys, .collections)) struct DictionaryKeyTests {
    enum Vehicle: String, Codable { case car, bike }
    enum Plain: String { case on, off }
    struct ID: RawRepresentable, Hashable, Codable { let rawValue: Int }
    struct Outer: RawRepresentable, Hashable { let rawValue: ID }
    enum Mode: String, JSONConvertible { case fast, slow }
    struct Name: Hashable, CodingKeyRepresentable {
        let text: String
        init(text: String) { self.text = text }
        init?(codingKey: some CodingKey) { text = codingKey.stringValue.uppercased() }
        var codingKey: any CodingKey { TextCodingKey(text.lowercased()) }
    }
    struct TextCodingKey: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(_ text: String) { stringValue = text }
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
    /// A key without a text.
    struct Point: Hashable, Codable { let x: Int }
    struct Opaque: Hashable { let x: Int }
    struct Row: Codable, Equatable { var kind: [Vehicle: Int] }

    struct Model: JSONModel, Equatable {
        var plain: [Vehicle: Int]
        var optional: [Vehicle: Int]?
        var array: [[Vehicle: Int]]
        var nested: [String: [Vehicle: Int]]
        var both: [Vehicle: Vehicle]
        var deep: [[Vehicle: Vehicle]]?
        var rows: [Vehicle: Row]
        var ids: [ID: [ID: Bool]]
        var fallback: [Plain: Int?]
        var optionalFallback: [Plain: Plain]? = nil

        static let plan = ModelPlan<Model>(
            JSONField(\.plain), JSONField(\.optional), JSONField(\.array), JSONField(\.nested), JSONField(\.both),
            JSONField(\.deep), JSONField(\.rows), JSONField(\.ids), JSONField(\.fallback, default: [.on: 1]),
            JSONField(\.optionalFallback, default: nil))
    }

    static let model = Model(
        plain: [.car: 1], optional: [.bike: 2], array: [[.car: 3], [:]], nested: ["a": [.car: 4]],
        both: [.car: .bike], deep: [[.bike: .car]], rows: [.car: Row(kind: [.bike: 5])],
        ids: [ID(rawValue: -1): [ID(rawValue: 7): true]], fallback: [.off: nil], optionalFallback: [.on: .off])
    static let text =
        #"{"plain":{"car":1},"optional":{"bike":2},"array":[{"car":3},{}],"nested":{"a":{"car":4}},"#
        + #""both":{"car":"bike"},"deep":[{"bike":"car"}],"rows":{"car":{"kind":{"bike":5}}},"#
        + #""ids":{"-1":{"7":true}},"fallback":{"off":null},"optionalFallback":{"on":"off"}}"#

    @Test func `a dictionary with raw-value keys is an object in every position`() throws {
        #expect(try decode(Model.self, Self.text) == Self.model)
        #expect(try JSONModelEncoder().encode(Self.model, as: .string) == Self.text)
    }

    @Test func `a dictionary with raw-value keys is an object at the root`() throws {
        #expect(try decode([Vehicle: Int].self, #"{"car":1}"#) == [.car: 1])
        #expect(
            try decode([[Outer: Mode]?].self, #"[{"5":"slow"},null]"#) == [
                [Outer(rawValue: ID(rawValue: 5)): .slow], nil,
            ])
        #expect(try JSONModelEncoder().encode([[Mode.fast: 1]], as: .string) == #"[{"fast":1}]"#)
        #expect(try JSONModelDecoder().decode([Vehicle: Vehicle].self, from: #"{"car":"bike"}"#) == [.car: .bike])
        #expect(try JSONModelEncoder().encode([Vehicle.car: Vehicle.bike], as: .string) == #"{"car":"bike"}"#)
        #expect(
            try JSONModelDecoder().decode([[Vehicle: Row]].self, from: #"[{"car":{"kind":{}}}]"#) == [
                [.car: Row(kind: [:])]
            ])
    }

    @Test func `a dictionary in a type that is only Codable is an object in both directions`() throws {
        let row = Row(kind: [.bike: 1])
        #expect(try JSONModelEncoder().encode(row, as: .string) == #"{"kind":{"bike":1}}"#)
        #expect(try JSONModelDecoder().decode(Row.self, from: #"{"kind":{"bike":1}}"#) == row)
    }

    @Test func `floating-point numbers and coding keys are keys`() throws {
        #expect(try decode([Double: Int].self, #"{"0.5":1,"-3":2,"1e3":3}"#) == [0.5: 1, -3: 2, 1000: 3])
        #expect(try JSONModelEncoder().encode([1.5 as Float: 1], as: .string) == #"{"1.5":1}"#)
        for text in ["nan", "inf", "1e999", "0x1p3", "", "infinity"] {
            #expect(try refusal([Double: Int].self, "{\"\(text)\":1}").kind == .invalidKey(text, type: "Double"))
        }
        #expect(try decode([Name: Int].self, #"{"ab":10}"#) == [Name(text: "AB"): 10])
        #expect(
            try JSONModelEncoder().encode([Name(text: "AB"): [Name(text: "C"): 1]], as: .string)
                == #"{"ab":{"c":1}}"#)
    }

    @Test func `keys without a text make an array if the dictionary is Codable`() throws {
        #expect(try decode([Point: Int].self, #"[{"x":1},2]"#) == [Point(x: 1): 2])
        #expect(try JSONModelEncoder().encode([Point(x: 1): 2], as: .string) == #"[{"x":1},2]"#)
        #expect(
            try JSONModelEncoder().encode([[Point(x: 1): [Vehicle.car: 2]]], as: .string)
                == #"[[{"x":1},{"car":2}]]"#)
        let issue = try refusal([Opaque: Int].self, "{}")
        #expect(
            issue.kind == .invalidPlan("its keys have no text: conform Opaque to JSONDictionaryKey"), "\(issue)")
    }

    struct Lossy: JSONModel, Equatable {
        var counts: [Vehicle: Int]
        var optional: [Vehicle: Vehicle]?
        var deep: [[Vehicle: Vehicle]]?
        static let plan = ModelPlan<Lossy>(
            JSONField(\.counts).lossy(), JSONField(\.optional).lossy(), JSONField(\.deep).lossy())
    }

    @Test func `elements of a lossy dictionary with raw-value keys are dropped and reported`() throws {
        let text =
            #"{"counts":{"car":1,"boat":2,"bike":"x"},"optional":{"car":"boat","bike":"car"},"deep":[{"boat":"car"},{"car":"car"}]}"#
        let (value, issues) = try reported(Lossy.self, text)
        #expect(value == Lossy(counts: [.car: 1], optional: [.bike: .car], deep: [[.car: .car]]))
        #expect(issues.map(\.path.description) == ["counts.boat", "counts.bike", "optional.car", "deep[0].boat"])
    }

    @Test func `the schema of a dictionary with raw-value keys lists the keys`() throws {
        let schema: JSONValue = try Lossy.jsonSchema(.encoding)
        #expect(schema["properties"]?["counts"]?["propertyNames"] == ["enum": ["car", "bike"]])
        #expect(schema["properties"]?["counts"]?["type"] == "object")
        #expect(
            schema["properties"]?["deep"]?["items"]?["additionalProperties"] == [
                "type": "string", "enum": ["car", "bike"],
            ])
        #expect(try [Double: Int].jsonSchema()["propertyNames"]?["pattern"] != nil)
        #expect(try [ID: Int].jsonSchema()["propertyNames"] == [Int: Int].jsonSchema()["propertyNames"])
    }

    enum Single: Int, JSONConvertible { case only = 4 }
    enum Custom: RawRepresentable, JSONConvertible {
        case known(Bool)
        case other
        init?(rawValue: Int) { self = rawValue == 2 ? .other : .known(rawValue == 1) }
        var rawValue: Int { if case .known(let value) = self { value ? 1 : 0 } else { 2 } }
    }
    struct Flag: RawRepresentable, JSONConvertible { let rawValue: Bool }

    @Test func `a raw enum without CaseIterable is listed in the schema`() throws {
        #expect(try Mode.jsonSchema()["enum"] == ["fast", "slow"])
        #expect(try Mode?.jsonSchema()["enum"] == ["fast", "slow", nil])
        #expect(try Single.jsonSchema()["enum"] == [4])
        #expect(try Custom.jsonSchema()["enum"] == nil)
        #expect(try Flag.jsonSchema()["enum"] == nil)
        #expect(try Flag.jsonSchema()["type"] == "boolean")
    }

    @Test func `a dictionary with raw-value keys is merged member by member`() throws {
        var model = Self.model
        try JSONModelDecoder().merge(
            #"{"plain":{"bike":9},"nested":{"b":{"car":1}}}"#, into: &model, options: .mergePatch)
        #expect(model.plain == [.car: 1, .bike: 9])
        #expect(model.nested == ["a": [.car: 4], "b": [.car: 1]])
    }
}
