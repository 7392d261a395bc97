import SluiceCodable
import SluiceCore
import TestSupport
import Testing

/// Properties of models whose types are only `Encodable`: they are written with the options and limits of the encoder.
@Suite struct CodableFieldEncodingTests {
    private struct Plain: Codable, Equatable {
        var text = ""
        var numbers: [Double] = []
        var inner: [Plain] = []
    }

    private struct Model: JSONModel, Equatable {
        var before = 1
        var plain = Plain()
        var list: [Plain] = []
        var after = "z"
        static let plan = ModelPlan<Model>(
            JSONField(\.before, default: 1), JSONField(\.plain, default: Plain()), JSONField(\.list, default: []),
            JSONField(\.after, default: "z"))
    }

    /// Containers that are opened one in another.
    private struct Deep: Codable, Equatable {
        let depth: Int

        func encode(to encoder: any Encoder) throws {
            var container = encoder.unkeyedContainer()
            for _ in 1..<depth { container = container.nestedUnkeyedContainer() }
        }
        init(depth: Int) { self.depth = depth }
        init(from decoder: any Decoder) throws { depth = 0 }
    }

    private struct DeepModel: JSONModel {
        var deep = Deep(depth: 1)
        static let plan = ModelPlan<DeepModel>(JSONField(\.deep))
    }

    private func nested(_ depth: Int) -> String {
        String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }

    @Test func `a string beyond the default limit`() throws {
        let text = String(repeating: "abcdefghij", count: 2_100_000)
        let encoder = JSONModelEncoder()
        let written = try encoder.encode(Model(plain: Plain(text: text)), as: .string)
        #expect(written.utf8.count > 21_000_000)
        #expect(written.hasSuffix(#"","numbers":[],"inner":[]},"list":[],"after":"z"}"#))
    }

    @Test func `nesting beyond the default limit`() throws {
        let encoder = JSONModelEncoder.with { $0.limits.depth = 1_000 }
        let written = try encoder.encode(DeepModel(deep: Deep(depth: 999)), as: .string)
        #expect(written == #"{"deep":"# + nested(999) + "}")
        let error = #expect(throws: JSONModelError.self) { try encoder.encode(DeepModel(deep: Deep(depth: 1_000))) }
        #expect(error?.issues.first?.kind == .limitExceeded(.depth, limit: 1_000))
        #expect(error?.issues.first?.path == "deep")
    }

    @Test func `the format of the encoder`() throws {
        var encoder = JSONModelEncoder()
        (encoder.formatting, encoder.keyOrder, encoder.escapesSlashes) = (.pretty, .sorted, true)
        encoder.nonConformingFloatStrategy = .null
        let model = Model(plain: Plain(text: "a/b", numbers: [1, .nan]), list: [Plain()])
        #expect(
            try encoder.encode(model, as: .string) == """
                {
                  "after": "z",
                  "before": 1,
                  "list": [
                    {
                      "inner": [],
                      "numbers": [],
                      "text": ""
                    }
                  ],
                  "plain": {
                    "inner": [],
                    "numbers": [
                      1.0,
                      null
                    ],
                    "text": "a\\/b"
                  }
                }
                """)
    }

    @Test func `a large value is written to a closure as a whole`() throws {
        let row = Plain(text: String(repeating: "é\"", count: 50), numbers: [1.5, -2])
        let model = Model(plain: Plain(inner: Array(repeating: row, count: 2_000)), list: [row])
        let encoder = JSONModelEncoder()
        var written: [UInt8] = []
        try encoder.write(model) { written += $0 }
        #expect(written == (try encoder.encode(model)))
        #expect(try JSONModelDecoder().decode(Model.self, from: written) == model)
    }

    /// A type that is encoded as a string.
    private struct Word: Codable, Equatable {
        let text: String

        init(text: String) { self.text = text }
        init(from decoder: any Decoder) throws { text = try decoder.singleValueContainer().decode(String.self) }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(text)
        }
    }

    private struct Kinded: Codable, Equatable { let kind: Int }

    private enum Tagged: JSONEnum, Equatable {
        case plain(Plain)
        case word(Word)
        case kinded(Kinded)
        static let plan = ModelPlan<Tagged>(
            cases: [
                JSONCase("plain", payload: Plain.self, make: { .plain($0) }, read: JSONCase.reader(of: "plain")),
                JSONCase("word", payload: Word.self, make: { .word($0) }, read: JSONCase.reader(of: "word")),
                JSONCase(
                    "kinded", payload: Kinded.self, make: { .kinded($0) }, read: JSONCase.reader(of: "kinded")),
            ], tagging: .internal(tag: "kind"))
    }

    @Test func `the object of a case has the tag`() throws {
        struct Holder: JSONModel {
            let id: Int
            let value: Tagged
            static let plan = ModelPlan<Holder>(JSONField(\.id), JSONField(flatten: \.value))
        }
        let value = Tagged.plain(Plain(text: "a\"", numbers: [1.5], inner: [Plain()]))
        var encoder = JSONModelEncoder()
        let members = #""kind":"plain","text":"a\"","numbers":[1.5],"inner":[{"text":"","numbers":[],"inner":[]}]"#
        #expect(try encoder.encode([value], as: .string) == "[{\(members)}]")
        #expect(try JSONModelDecoder().decode([Tagged].self, from: "[{\(members)}]") == [value])
        #expect(try encoder.encode(Holder(id: 7, value: value), as: .string) == #"{"id":7,\#(members)}"#)
        encoder.formatting = .pretty
        #expect(
            try encoder.encode([Tagged.plain(Plain())], as: .string) == """
                [
                  {
                    "kind": "plain",
                    "text": "",
                    "numbers": [],
                    "inner": []
                  }
                ]
                """)
    }

    @Test func `a case whose value cannot have the tag is refused`() {
        func reason(_ value: Tagged) -> JSONIssue.Kind? {
            let error = #expect(throws: JSONModelError.self) { try JSONModelEncoder().encode([value]) }
            return error?.issues.first?.kind
        }
        #expect(
            reason(.word(Word(text: "{")))
                == .notEncodable("its value is not an object, which could contain the tag"))
        #expect(reason(.kinded(Kinded(kind: 1))) == .notEncodable(#"its key "kind" is that of the enum's tag"#))
    }

    private struct Kind: Codable, Equatable {
        let kind: String
        let id: Int
    }

    private enum Kinds: JSONEnum, Equatable {
        case kind(Kind)
        static let plan = ModelPlan<Kinds>(
            cases: [
                JSONCase("kind", payload: Kind.self, make: { .kind($0) }, read: JSONCase.reader(of: "kind"))
            ], tagging: .internal(tag: "kind"))
    }

    @Test func `a case whose value has a property for the tag is written with one tag`() throws {
        let text = #"{"kind":"kind","id":1}"#
        let value = try JSONModelDecoder().decode(Kinds.self, from: text)
        #expect(value == .kind(Kind(kind: "kind", id: 1)))
        #expect(try JSONModelEncoder().encode(value, as: .string) == text)
        #expect(throws: JSONModelError.self) { try JSONModelEncoder().encode(Kinds.kind(Kind(kind: "x", id: 1))) }
    }

    @Test func `members in another order than the output`() throws {
        struct Late: Codable {
            // Properties are told apart by their offsets, so the value needs a size.
            var id = 0
            enum Key: String, CodingKey { case list, name }
            init() {}
            init(from decoder: any Decoder) throws {}
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Key.self)
                var list = container.nestedUnkeyedContainer(forKey: .list)
                try container.encode("first", forKey: .name)
                try list.encode(1)
                try container.encode("second", forKey: .name)
                try list.encode(2)
            }
        }
        struct Holder: JSONModel {
            var a = 1
            var late = Late()
            var rows = [Late(), Late()]
            var z = 2
            static let plan = ModelPlan<Holder>(
                JSONField(\.a), JSONField(\.late), JSONField(\.rows), JSONField(\.z))
        }
        let late = #"{"list":[1,2],"name":"second"}"#
        #expect(
            try JSONModelEncoder().encode(Holder(), as: .string)
                == #"{"a":1,"late":\#(late),"rows":[\#(late),\#(late)],"z":2}"#)
    }

    @Test func `a large value with members in another order is written to a closure as a whole`() throws {
        struct Late: Codable {
            let count: Int
            enum Key: String, CodingKey { case list, name }
            init(count: Int) { self.count = count }
            init(from decoder: any Decoder) throws { count = 0 }
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Key.self)
                var list = container.nestedUnkeyedContainer(forKey: .list)
                for number in 0..<count { try list.encode(number) }
                try container.encode("late", forKey: .name)
                try list.encode(count)
            }
        }
        struct Holder: JSONModel {
            var a = 1
            var late = Late(count: 20_000)
            var z = 2
            static let plan = ModelPlan<Holder>(JSONField(\.a), JSONField(\.late), JSONField(\.z))
        }
        let numbers = (0...20_000).map { "\($0)" }.joined(separator: ",")
        var written: [UInt8] = []
        try JSONModelEncoder().write(Holder()) { written += $0 }
        #expect(
            String(decoding: written, as: UTF8.self)
                == #"{"a":1,"late":{"list":[\#(numbers)],"name":"late"},"z":2}"#)
    }

    @Test func `an error has the path in the model`() throws {
        let model = Model(list: [Plain(), Plain(numbers: [1, .infinity])])
        #expect(try failure { try JSONModelEncoder().encode(model) }.path == "list[1].numbers[1]")
        // Another value can be encoded afterwards.
        #expect(try JSONModelEncoder().encode(Model(), as: .string).hasPrefix(#"{"before":1"#))
    }

    private struct Mixed: JSONModel, Equatable {
        var plain = Plain(text: "a")
        var text: Model? = Model(list: [Plain(text: "b")])
        var other = Model(list: [Plain(text: "c")])
        static let plan = ModelPlan<Mixed>(
            JSONField(\.plain), JSONField(embedded: \.text, key: "text"), JSONField(embedded: \.other, key: "other")
        )
    }

    @Test func `JSON in strings follows a value without a plan`() throws {
        let text = try JSONModelEncoder().encode([Mixed(), Mixed()], as: .string)
        #expect(text.contains(#""plain":{"text":"a","numbers":[],"inner":[]},"text":"{\"before\":1,\"plain\":"#))
        #expect(try JSONModelDecoder().decode([Mixed].self, from: text) == [Mixed(), Mixed()])
    }
}
