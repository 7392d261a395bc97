import SluiceCore
import TestSupport
import Testing

/// The defaults of missing keys and nulls.
@Suite(.tags(.fallbacks)) struct DefaultTests {
    struct Model: JSONModel, Equatable {
        let number: Int
        let text: String
        let list: [Int]
        let optional: Int?
        let ignored: String
        let ignoredOptional: Int?
        let part: Point
        var variable = 5

        static let plan = ModelPlan<Model>([
            JSONField(\.number, default: 1), JSONField(\.text, default: "default"), JSONField(\.list, default: [1]),
            JSONField(\.optional, default: 3), JSONField(ignoring: \.ignored, default: "ignored"),
            JSONField(ignoring: \.ignoredOptional, default: 4), JSONField(\.part, default: Point(x: 2)),
            JSONField(\.variable, default: 5),
        ])
    }

    private static let defaults = Model(
        number: 1, text: "default", list: [1], optional: 3, ignored: "ignored", ignoredOptional: 4,
        part: Point(x: 2))

    @Test func `missing keys leave the defaults`() throws { #expect(try decode(Model.self, "{}") == Self.defaults) }

    @Test func `nulls leave the defaults`() throws {
        let text = #"{"number":null,"text":null,"list":null,"optional":null,"part":null,"variable":null}"#
        #expect(try decode(Model.self, text) == Self.defaults)
    }

    @Test func `values replace the defaults`() throws {
        let text = #"{"number":9,"text":"t","list":[],"optional":8,"part":{"x":7},"variable":6}"#
        let expected = Model(
            number: 9, text: "t", list: [], optional: 8, ignored: "ignored", ignoredOptional: 4, part: Point(x: 7),
            variable: 6)
        #expect(try decode(Model.self, text) == expected)
    }

    @Test func `ignored properties have no key`() throws {
        #expect(try decode(Model.self, #"{"ignored":1,"ignoredOptional":"x"}"#) == Self.defaults)
    }

    /// A default does not hide a value of the wrong type.
    @Test func `a value of the wrong type is an error despite a default`() throws {
        #expect(
            try refusal(Model.self, #"{"number":"1"}"#).kind
                == .typeMismatch(expected: "an integer", found: "a string"))
        #expect(try refusal(Model.self, #"{"part":{}}"#).kind == .missingKeys(["x"]))
        #expect(try refusal(Model.self, #"{"list":[null]}"#).kind == .nullValue(expected: "an integer"))
    }

    struct Nested: JSONModel, Equatable {
        let lists: [[Int]]
        let names: [String: String]
        static let plan = ModelPlan<Nested>(JSONField(\.lists), JSONField(\.names, key: "a.names"))
    }

    /// The advice fits the position of the null: a caller that asks for a type has no property to change.
    @Test func `the hint for a null names the part to make optional`() throws {
        func hint<T: JSONConvertible>(_ type: T.Type, _ text: String, at path: JSONPath = JSONPath()) throws
            -> String?
        { try refusal(type, text, at: path).hint }
        #expect(try hint(Int.self, "null") == nil)
        #expect(try hint(Point.self, "null") == nil)
        #expect(try hint(Int.self, #"{"a":[null]}"#, at: "a[0]") == nil)
        #expect(try refusal(Int.self, "null").description.hasPrefix("expected an integer, found null at $ (line"))
        #expect(try hint(Point.self, #"{"x":null}"#) == "make the property optional to allow it")
        #expect(try hint(Model.self, #"{"part":{"x":null}}"#) == "make the property optional to allow it")
        #expect(try hint([Int].self, "[null]") == "make the elements optional to allow it")
        #expect(try hint(Nested.self, #"{"lists":[[1],[null]]}"#) == "make the elements optional to allow it")
        #expect(
            try hint(Nested.self, #"{"lists":[],"a":{"names":null}}"#) == "make the property optional to allow it")
        #expect(try hint([String: Int].self, #"{"a":null}"#) == "make the values optional to allow it")
    }
}
