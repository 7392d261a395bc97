import SluiceCore
import TestSupport
import Testing

/// `decoder.only`: properties that are not listed are treated as missing.
struct OnlyTests {
    struct Part: JSONModel, Equatable {
        let a: Int?
        let b: Int?
        static let plan = ModelPlan<Part>(JSONField(\.a, key: "a"), JSONField(\.b, key: "b"))
    }

    struct Model: JSONModel, Equatable {
        var id = 0
        var name: String?
        var part: Part?
        var parts: [Part] = []
        var byName: [String: Part] = [:]
        var deep: Int?
        static let plan = ModelPlan<Model>([
            JSONField(\.id, key: "id", default: -1), JSONField(\.name, key: "name", or: "title"),
            JSONField(\.part, key: "part"),
            JSONField(\.parts, key: "parts", default: []), JSONField(\.byName, key: "by_name", default: [:]),
            JSONField(\.deep, key: "way.to.it"),
        ])
    }

    private static let text = #"""
        {"id":1,"name":"n","part":{"a":1,"b":2},"parts":[{"a":3,"b":4},{"b":5}],"by_name":{"x":{"a":6,"b":7}},
         "way":{"to":{"it":8}}}
        """#

    private func only(_ paths: JSONPath...) throws -> Model {
        try decode(Model.self, Self.text, with: .with { $0.only = paths })
    }

    @Test func `only the listed properties are decoded`() throws {
        #expect(try only("id") == Model(id: 1))
        #expect(try only("name", "id") == Model(id: 1, name: "n"))
        #expect(try only("way") == Model(id: -1, deep: 8))
        #expect(try only("way.to.it") == Model(id: -1, deep: 8))
        #expect(try only() == Model(id: -1))
    }

    @Test(
        arguments: [
            ("nmae", #""name""#), ("title", nil), ("part.c", nil), ("parts.aa", #""a""#), ("way.to.xx", nil),
            ("way.too", #""to""#), ("id.x", nil), ("by_name.x", nil), ("part.a.b", nil),
        ] as [(JSONPath, String?)])
    func `an unknown path is an error with a hint`(_ path: JSONPath, _ hint: String?) throws {
        let issue = try refusal(Model.self, Self.text, with: .with { $0.only = ["id", path] })
        #expect(issue.kind == .invalidPath("'\(path)' in only or except leads to no property"))
        #expect(issue.hint == hint.map { "did you mean \($0)?" })
        var encoder = JSONModelEncoder()
        encoder.except = [path]
        #expect(throws: JSONModelError.self) { try encoder.encode(Model()) }
    }

    @Test func `the error for an unlisted required property names the key`() throws {
        struct Named: JSONModel, Equatable {
            let id: Int
            let name: String
            static let plan = ModelPlan<Named>(JSONField(\.id), JSONField(\.name, key: "full_name"))
        }
        let issue = try refusal(Named.self, #"{"id":1,"full_name":"n"}"#, with: .with { $0.only = ["id"] })
        #expect(issue.kind == .missingKeys(["full_name"]))
    }

    @Test func `properties of nested models can be listed`() throws {
        #expect(try only("part") == Model(id: -1, part: Part(a: 1, b: 2)))
        #expect(try only("part.b") == Model(id: -1, part: Part(a: nil, b: 2)))
        #expect(try only("parts.b") == Model(id: -1, parts: [Part(a: nil, b: 4), Part(a: nil, b: 5)]))
        #expect(try only("parts[*].a", "id") == Model(id: 1, parts: [Part(a: 3, b: nil), Part(a: nil, b: nil)]))
        #expect(try only("part.a", "part") == Model(id: -1, part: Part(a: 1, b: 2)))
    }

    @Test func `a required property that is not listed is missing`() throws {
        struct Required: JSONModel {
            let id: Int
            let name: String
            static let plan = ModelPlan<Required>(JSONField(\.id, key: "id"), JSONField(\.name, key: "name"))
        }
        let decoder = JSONModelDecoder.with { $0.only = ["id"] }
        let issue = try refusal(Required.self, #"{"id":1,"name":"n"}"#, with: decoder)
        #expect(issue.kind == .missingKeys(["name"]))
    }

    @Test func `values of unlisted properties are not checked`() throws {
        let decoder = JSONModelDecoder.with { $0.only = ["id"] }
        #expect(try decode(Model.self, #"{"name":[1],"part":5,"id":2,"way":[]}"#, with: decoder) == Model(id: 2))
    }

    /// What a model has a property for is not unknown.
    @Test func `keys of unlisted properties are not unknown`() throws {
        var decoder = JSONModelDecoder.with { $0.only = ["id"] }
        decoder.unknownKeys = .reject
        #expect(try decode(Model.self, Self.text, with: decoder) == Model(id: 1))
        #expect(try refusal(Model.self, #"{"nam":1}"#, with: decoder).kind == .unknownKey("nam"))
    }

    struct Rest: JSONModel, Equatable {
        let id: Int?
        let name: String?
        let rest: [String: JSONValue]
        static let plan = ModelPlan<Rest>(
            JSONField(\.id, key: "id"), JSONField(\.name, key: "name"), JSONField(extra: \.rest))
    }

    @Test func `keys of unlisted properties are not extra`() throws {
        let decoder = JSONModelDecoder.with { $0.only = ["id"] }
        let value = try decode(Rest.self, #"{"id":1,"name":"n","x":[2]}"#, with: decoder)
        #expect(value == Rest(id: 1, name: nil, rest: ["x": [2]]))
    }

    struct Late: JSONModel, Equatable {
        let part: Part
        let lazy: JSONLazy<Part>
        static let plan = ModelPlan<Late>(JSONField(embedded: \.part, key: "part"), JSONField(\.lazy, key: "lazy"))
    }

    @Test func `listed properties apply to embedded JSON but not to lazy values`() throws {
        let decoder = JSONModelDecoder.with { $0.only = ["part.a", "lazy"] }
        let value = try decode(Late.self, #"{"part":"{\"a\":1,\"b\":2}","lazy":{"a":1,"b":2}}"#, with: decoder)
        #expect(value.part == Part(a: 1, b: nil))
        #expect(try value.lazy.value == Part(a: 1, b: 2))
    }

    @Test func `listed properties apply to the elements of a stream`() throws {
        let decoder = JSONModelDecoder.with { $0.only = ["b"] }
        var parts: [Part] = []
        try decoder.forEach(Part.self, in: Self.text, at: "parts[*]") { parts.append($0) }
        #expect(parts == [Part(a: nil, b: 4), Part(a: nil, b: 5)])
    }
}
