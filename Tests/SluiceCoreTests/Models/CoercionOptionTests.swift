import SluiceCore
import SluiceStreams
import TestSupport
import Testing

/// Whose coercion holds: the property's, then the model's, then the decoder's.
@Suite(.tags(.coercion)) struct CoercionOptionTests {
    struct Plain: JSONModel, Equatable {
        let number: Int
        let list: [Int]
        let map: [String: Bool]
        static let plan = ModelPlan<Plain>(
            JSONField(\.number), JSONField(\.list, default: []), JSONField(\.map, default: [:]))
    }

    struct Lenient: JSONModel, Equatable {
        let number: Int
        let strict: Int?
        let prefix: Int
        let inner: Plain?
        static let plan = ModelPlan<Lenient>(
            [
                JSONField(\.number), JSONField(\.strict).coercion(.strict),
                JSONField(\.prefix, default: 0).coercion(.mjExtension), JSONField(\.inner),
            ], coercion: .lenient)
    }

    @Test func `values are not converted by default`() throws {
        for text in [#"{"number":"1"}"#, #"{"number":1,"list":["2"]}"#, #"{"number":true}"#] {
            _ = try refusal(Plain.self, text)
        }
    }

    @Test func `the coercion of the decoder applies to all values`() throws {
        let decoder = JSONModelDecoder.with { $0.coercion = .lenient }
        let text = #"{"number":" 1 ","list":[1,"2",true],"map":{"a":"yes","b":0}}"#
        let expected = Plain(number: 1, list: [1, 2, 1], map: ["a": true, "b": false])
        #expect(try decode(Plain.self, text, with: decoder) == expected)
        #expect(try decode([Int].self, #"["1",2]"#, with: decoder) == [1, 2])
        #expect(try decode(String.self, #"{"a":1.50}"#, at: "a", with: decoder) == "1.50")
        #expect(try refusal(Plain.self, #"{"number":1,"list":[1,"x"]}"#, with: decoder).path == "list[1]")
    }

    @Test func `the coercion of a model overrides the decoder's`() throws {
        #expect(try decode(Lenient.self, #"{"number":"1"}"#).number == 1)
        #expect(try refusal(Lenient.self, #"{"number":"1x"}"#).path == "number")
        let decoder = JSONModelDecoder.with { $0.coercion = .mjExtension }
        #expect(try refusal(Lenient.self, #"{"number":"1x"}"#, with: decoder).path == "number")
    }

    @Test func `the coercion of a property overrides the model's`() throws {
        #expect(try refusal(Lenient.self, #"{"number":1,"strict":"1"}"#).path == "strict")
        #expect(try decode(Lenient.self, #"{"number":1,"prefix":"40x"}"#).prefix == 40)
    }

    /// A model inside says for itself, or the decoder does.
    @Test func `nested models do not inherit the coercion of a model`() throws {
        let text = #"{"number":"1","inner":{"number":"2"}}"#
        #expect(try refusal(Lenient.self, text).path == "inner.number")
        let decoder = JSONModelDecoder.with { $0.coercion = .lenient }
        #expect(try decode(Lenient.self, text, with: decoder).inner?.number == 2)
    }

    struct Kept: JSONModel, Equatable {
        let optional: [Int]?
        let part: Plain?
        let fallback: Int
        let either: Int?
        let needed: Int
        static let plan = ModelPlan<Kept>(
            JSONField(\.optional), JSONField(\.part), JSONField(\.fallback, default: 7),
            JSONField(\.either, key: "either", or: "or"), JSONField(\.needed))
    }

    struct Flat: JSONModel, Equatable {
        let id: Int
        let point: Point
        static let plan = ModelPlan<Flat>([JSONField(\.id), JSONField(flatten: \.point)], coercion: .lenient)
    }

    @Test func `flattened models do not inherit the coercion of a model`() throws {
        #expect(try decode(Flat.self, #"{"id":"1","x":2}"#) == Flat(id: 1, point: Point(x: 2)))
        #expect(try refusal(Flat.self, #"{"id":"1","x":"2"}"#).path == "x")
        let decoder = JSONModelDecoder.with { $0.coercion = .lenient }
        #expect(try decode(Flat.self, #"{"id":"1","x":"2"}"#, with: decoder) == Flat(id: 1, point: Point(x: 2)))
    }

    @Test func `a value that fails leaves the default under MJExtension coercion`() throws {
        let decoder = JSONModelDecoder.with { $0.coercion = .mjExtension }
        let (value, issues) = try reported(
            Kept.self,
            #"{"optional":{"a":[1]},"part":{"list":[1,{}],"number":1},"fallback":[[]],"needed":"3 apples"}"#,
            with: decoder)
        #expect(
            value
                == Kept(
                    optional: nil, part: Plain(number: 1, list: [], map: [:]), fallback: 7, either: nil, needed: 3))
        #expect(
            issues.brief == [
                "optional: an array, not an object", "part.list[1]: an integer, not an object",
                "fallback: an integer, not an array",
            ])
        #expect(try refusal(Kept.self, #"{"needed":[]}"#, with: decoder).path == "needed")
    }

    @Test func `the first present candidate wins even if its value fails`() throws {
        let decoder = JSONModelDecoder.with { $0.coercion = .mjExtension }
        for text in [
            #"{"either":[],"or":1,"needed":1}"#, #"{"or":1,"either":[],"needed":1}"#,
            #"{"needed":1,"or":1,"either":{}}"#,
        ] { #expect(try reported(Kept.self, text, with: decoder).value.either == nil, "\(text)") }
        #expect(try reported(Kept.self, #"{"or":[],"either":1,"needed":1}"#, with: decoder).value.either == 1)
        #expect(try reported(Kept.self, #"{"either":null,"or":1,"needed":1}"#, with: decoder).value.either == 1)
    }

    struct Owned: JSONModel, Equatable {
        let owner: String
        let login: String?
        static let plan = ModelPlan<Owned>(JSONField(\.owner), JSONField(\.login, key: "owner.login"))
    }

    // The scalar became the value of the slot that was filled before, or the result of the call.
    @Test(arguments: [JSONCoercion.strict, .lenient, .mjExtension])
    func `a scalar is not converted to an object on a path`(coercion: JSONCoercion) throws {
        let decoder = JSONModelDecoder.with { $0.coercion = coercion }
        let kind = JSONIssue.Kind.typeMismatch(expected: "an object", found: "a string")
        let text = #""a string that is too long for the inline form""#
        if coercion == .mjExtension {
            let owner = try decode(Owned.self, #"{"owner":\#(text)}"#, with: decoder)
            #expect(owner == Owned(owner: "a string that is too long for the inline form", login: nil))
        } else {
            let whole = try refusal(Owned.self, #"{"owner":\#(text)}"#, with: decoder)
            #expect((whole.kind, whole.path, whole.hint) == (kind, "owner", nil))
        }
        let root = try refusal(String.self, text, at: "a.b", with: decoder)
        #expect((root.kind, root.path, root.hint) == (kind, "", nil))
        let inner = try refusal(String.self, #"{"a":\#(text)}"#, at: "a.b", with: decoder)
        #expect((inner.kind, inner.path, inner.hint) == (kind, "a", nil))
        var elements: [String] = []
        let error = #expect(throws: JSONModelError.self) {
            try decoder.forEach(String.self, in: #"[{"a":"x"},\#(text),{"a":"y"}]"#, at: "[*].a") {
                elements.append($0)
            }
        }
        #expect(elements == ["x"] && error?.issues.map(\.kind) == [kind])
    }

    /// A nested model that fails half-way leaves nil behind, not what it had.
    @Test func `a nested model that fails halfway becomes nil`() throws {
        let decoder = JSONModelDecoder.with { $0.coercion = .mjExtension }
        for text in [
            #"{"part":{"map":{"a":true},"list":[1,2],"number":[]},"needed":1}"#,
            #"{"part":{"map":{"a":true},"list":[1,2]},"needed":1}"#,
        ] { #expect(try reported(Kept.self, text, with: decoder).value.part == nil, "\(text)") }
    }
}
