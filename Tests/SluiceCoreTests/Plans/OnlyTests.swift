import SluiceCore
import SluiceStreams
import TestSupport
import Testing

/// `decoder.only`: properties that are not listed are treated as missing.
@Suite(.tags(.paths)) struct OnlyTests {
    struct Part: JSONModel, Equatable {
        let a: Int?
        let b: Int?
        static let plan = ModelPlan<Part>(JSONField(\.a), JSONField(\.b))
    }

    struct Model: JSONModel, Equatable {
        var id = 0
        var name: String?
        var part: Part?
        var parts: [Part] = []
        var byName: [String: Part] = [:]
        var deep: Int?
        static let plan = ModelPlan<Model>([
            JSONField(\.id, default: -1), JSONField(\.name, key: "name", or: "title"), JSONField(\.part),
            JSONField(\.parts, default: []), JSONField(\.byName, key: "by_name", default: [:]),
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
        let encoder = JSONModelEncoder.with { $0.except = [path] }
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
        #expect(issue.hint == #"not listed in only: "full_name""#)
        let similar = try refusal(Named.self, #"{"id":1,"fullName":"n"}"#, with: .with { $0.only = ["id"] })
        #expect(similar.hint == #"not listed in only: "full_name""#)
        #expect(try refusal(Named.self, #"{"full_name":"n"}"#).hint == nil)
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
            static let plan = ModelPlan<Required>(JSONField(\.id), JSONField(\.name))
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
        static let plan = ModelPlan<Rest>(JSONField(\.id), JSONField(\.name), JSONField(extra: \.rest))
    }

    @Test func `keys of unlisted properties are not extra`() throws {
        let decoder = JSONModelDecoder.with { $0.only = ["id"] }
        let value = try decode(Rest.self, #"{"id":1,"name":"n","x":[2]}"#, with: decoder)
        #expect(value == Rest(id: 1, name: nil, rest: ["x": [2]]))
    }

    // MARK: Paths that select nothing

    struct Open: JSONModel, Equatable {
        var part = Part(a: nil, b: nil)
        var rest: [String: JSONValue] = [:]
        static let plan = ModelPlan<Open>(JSONField(\.part), JSONField(extra: \.rest))
    }

    private func defect<M: JSONModel>(_ type: M.Type, only path: JSONPath) -> String? {
        let error = #expect(throws: JSONModelError.self, "\(path)") {
            try JSONModelDecoder.with { $0.only = [path] }.decode(type, from: "{}")
        }
        guard case .invalidPath(let text) = error?.issues[0].kind else { return nil }
        return text
    }

    private func defect(_ value: some JSONModel, except path: JSONPath) -> String? {
        let encoder = JSONModelEncoder.with { $0.except = [path] }
        let error = #expect(throws: JSONModelError.self, "\(path)") { try encoder.encode(value) }
        guard case .invalidPath(let text) = error?.issues[0].kind else { return nil }
        return text
    }

    @Test func `an unknown path is an error beside extra keys`() throws {
        for path in ["part.aa", "part.a.b"] as [JSONPath] {
            #expect(defect(Open.self, only: path) == "'\(path)' in only or except leads to no property")
            #expect(defect(Open(), except: path) == "'\(path)' in only or except leads to no property")
        }
        // Extra keys are always decoded, so that a path does not select them.
        #expect(defect(Open.self, only: "prat") == "'prat' in only or except leads to no property")
        #expect(
            defect(Open(), except: "x.y")
                == "'x.y' in only or except leads into an extra key, whose value is selected as a whole")
        let value = Open(part: Part(a: 1, b: 2), rest: ["x": 1, "y": 2])
        var encoder = JSONModelEncoder()
        encoder.keyOrder = .sorted
        encoder.except = ["x", "part.a"]
        #expect(try encode(value, with: encoder) == #"{"part":{"b":2},"y":2}"#)
        encoder.except = nil
        encoder.only = ["x", "part.a"]
        #expect(try encode(value, with: encoder) == #"{"part":{"a":1},"x":1}"#)
    }

    struct Indexed: JSONModel, Equatable {
        var first: Int?
        var second: Int?
        var a: Int?
        var b: Int?
        var parts: [Part] = []
        static let plan = ModelPlan<Indexed>([
            JSONField(\.first, key: "list[0]"), JSONField(\.second, key: "list[1]"),
            JSONField(\.a, key: "deep[0].a"), JSONField(\.b, key: "deep[0].b"), JSONField(\.parts, default: []),
        ])
    }

    @Test func `an index selects the properties with this index`() throws {
        let text = #"{"list":[1,2],"deep":[{"a":3,"b":4}],"parts":[{"a":5,"b":6},{"a":7}]}"#
        func only(_ paths: JSONPath...) throws -> Indexed {
            try decode(Indexed.self, text, with: .with { $0.only = paths })
        }
        #expect(try only("list[0]") == Indexed(first: 1))
        #expect(try only("list[1]", "deep") == Indexed(second: 2, a: 3, b: 4))
        #expect(try only("list") == Indexed(first: 1, second: 2))
        #expect(try only("deep[0]") == Indexed(a: 3, b: 4))
        #expect(try only("deep[0].b") == Indexed(b: 4))
        #expect(try only("deep.a", "deep[0].b") == Indexed(a: 3, b: 4))
        #expect(try only("deep.a") == Indexed(a: 3))
        #expect(
            try only("parts[*].a", "list[0]") == Indexed(first: 1, parts: [Part(a: 5, b: nil), Part(a: 7, b: nil)]))
        let all = try decode(Indexed.self, text)
        func except(_ paths: JSONPath...) throws -> String {
            let encoder = JSONModelEncoder.with { $0.except = paths + ["parts"] }
            return try encode(all, with: encoder)
        }
        #expect(try except("list[1]") == #"{"list":[1],"deep":[{"a":3,"b":4}]}"#)
        #expect(try except("list[0]", "deep.a") == #"{"list":[null,2],"deep":[{"b":4}]}"#)
        #expect(try except("deep[0].a", "deep.b") == #"{"list":[1,2]}"#)
    }

    struct Outer: JSONModel, Equatable {
        var id: Int?
        var inner = Indexed()
        static let plan = ModelPlan<Outer>(JSONField(\.id), JSONField(\.inner, key: "in", default: Indexed()))
    }

    @Test func `an index selects the properties of a nested model`() throws {
        let text = #"{"id":1,"in":{"list":[1,2],"deep":[{"a":3,"b":4}],"parts":[{"a":5}]}}"#
        func only(_ paths: JSONPath...) throws -> Outer {
            try decode(Outer.self, text, with: .with { $0.only = paths })
        }
        #expect(try only("in.list[0]") == Outer(inner: Indexed(first: 1)))
        #expect(try only("in.deep[0].b", "id") == Outer(id: 1, inner: Indexed(b: 4)))
        #expect(try only("in.deep.a") == Outer(inner: Indexed(a: 3)))
        let all = try decode(Outer.self, text)
        var encoder = JSONModelEncoder()
        encoder.except = ["in.list[1]", "in.deep[0].a", "in.parts"]
        #expect(try encode(all, with: encoder) == #"{"id":1,"in":{"list":[1],"deep":[{"b":4}]}}"#)
        encoder.except = ["in.list[0]"]
        #expect(
            try encode(all, with: encoder)
                == #"{"id":1,"in":{"list":[null,2],"deep":[{"a":3,"b":4}],"parts":[{"a":5}]}}"#)
        encoder.except = nil
        encoder.only = ["in.list[1]"]
        #expect(try encode(all, with: encoder) == #"{"in":{"list":[null,2]}}"#)
    }

    struct Triple: JSONModel, Equatable {
        var a = 1
        var b = 2
        var c = 3
        static let plan = ModelPlan<Triple>(
            JSONField(\.a, default: 1), JSONField(\.b, default: 2), JSONField(\.c, default: 3))
    }

    struct Whole: JSONModel, Equatable {
        var deep = [Triple()]
        var first: Int?
        var second: Int?
        var third: Int?
        static let plan = ModelPlan<Whole>([
            JSONField(\.deep, default: []), JSONField(\.first, key: "deep[0].a"),
            JSONField(\.second, key: "deep[1].a"), JSONField(\.third, key: "deep[2].a"),
        ])
    }

    @Test func `a path without an index selects properties beside paths with an index`() throws {
        for (key, text) in [("a", #""b":2,"c":3"#), ("b", #""a":1,"c":3"#), ("c", #""a":1,"b":2"#)] {
            var encoder = JSONModelEncoder()
            encoder.except = ["deep[0].a", "deep[1].a", "deep[2].a", try JSONPath(parsing: "deep.\(key)")]
            #expect(try encode(Whole(), with: encoder) == #"{"deep":[{\#(text)}]}"#)
        }
    }

    final class Owner: JSONModel {
        struct Storage { var name: String? }
        let name: String?
        init(_ storage: Storage) { name = storage.name }
        static let plan = ModelPlan<Owner>(storage: Storage.self, [JSONField(\.name)], make: { Owner($0) })
    }

    final class Place: JSONModel {
        struct Storage { var part: Part? }
        let part: Part?
        init(_ storage: Storage) { part = storage.part }
        static let plan = ModelPlan<Place>(
            storage: Storage.self, [JSONField(\.part)], make: { Place($0) }, read: { Storage(part: $0.part) })
    }

    @Test func `a path that leads to no property is an error beside one that a subclass may have`() throws {
        let place = Place(.init(part: Part(a: 1, b: 2)))
        var encoder = JSONModelEncoder()
        encoder.except = ["other", "part.a"]
        #expect(try encode(place, with: encoder) == #"{"part":{"b":2}}"#)
        encoder.except = ["other", "part.c"]
        #expect(
            try encodingRefusal(place, with: encoder).kind
                == .invalidPath("'part.c' in only or except leads to no property"))
    }

    struct Dynamic: JSONModel, Equatable {
        var id: Int?
        var any: JSONValue = [:]
        static let plan = ModelPlan<Dynamic>(JSONField(\.id), JSONField(\.any, default: [:]))
    }

    struct Account: JSONModel {
        var any: JSONValue = ["login": "a", "secret": "s"]
        var login: String? = "a"
        var secret: String? = "s"
        static let plan = ModelPlan<Account>(
            JSONField(\.any), JSONField(\.login, key: "any.login"), JSONField(\.secret, key: "any.secret"))
    }

    @Test func `JSON of any form does not contain the parts that are excepted`() throws {
        var encoder = JSONModelEncoder()
        encoder.only = ["any"]
        #expect(try encode(Account(), with: encoder) == #"{"any":{"login":"a","secret":"s"}}"#)
        encoder.only = ["any.login"]
        #expect(try encode(Account(), with: encoder) == #"{"any":{"login":"a"}}"#)
        encoder.only = nil
        encoder.except = ["any.secret"]
        #expect(try encode(Account(), with: encoder) == #"{"any":{"login":"a"}}"#)
        encoder.except = ["any.secret", "any.login"]
        #expect(try encode(Account(), with: encoder) == "{}")
    }

    @Test func `JSON of any form is selected as a whole`() throws {
        let text = #"{"id":1,"any":{"x":[{"y":2}]}}"#
        #expect(
            try decode(Dynamic.self, text, with: .with { $0.only = ["any"] })
                == Dynamic(id: nil, any: ["x": [["y": 2]]]))
        #expect(defect(Dynamic.self, only: "any.x") == "'any.x' in only or except leads to no property")
    }

    @Test func `an unknown path of a class is an error in decoding`() throws {
        #expect(defect(Owner.self, only: "nmae") == "'nmae' in only or except leads to no property")
    }

    @Test func `the keys of a flattened enum are known`() throws {
        typealias Event = FlattenedEnumTests.Event<Internal>
        let text = #"{"id":1,"type":"push","ref":"main","user":{"login":"ann"}}"#
        let decoder = JSONModelDecoder.with { $0.only = ["id", "type", "ref"] }
        // The enum is always selected.
        let event = Event(id: 1, action: .push(FlattenedEnumTests.Push(ref: "main", size: nil)), login: nil)
        #expect(try decode(Event.self, text, with: decoder) == event)
        #expect(try decode(Event.self, text, with: .with { $0.only = ["id"] }) == event)
        #expect(defect(Event.self, only: "rfe") == "'rfe' in only or except leads to no property")
    }

    @Test func `an index of an array that is a property is an error`() throws {
        for path in ["parts[0]", "parts[0].a", "list[2]", "deep[1].a"] as [JSONPath] {
            let end = path.components.firstIndex { !$0.isOfKey } ?? 0
            let shown = JSONPath(Array(path.components.prefix(end + 1)))
            let text =
                "'\(shown)' in only or except has an index that is in no property's own path: an array is selected as a whole"
            #expect(defect(Indexed.self, only: path) == text)
            #expect(defect(Indexed(), except: path) == text)
        }
        #expect(defect(Indexed.self, only: "deep[0].c") == "'deep[0].c' in only or except leads to no property")
        #expect(defect(Indexed.self, only: "deep.c") == "'deep.c' in only or except leads to no property")
    }

    enum Shape: JSONEnum, Equatable {
        case part(Part)
        static let plan = ModelPlan<Shape>(cases: [.of("part", Self.part)], tagging: .external)
    }

    struct Drawing: JSONModel, Equatable {
        var shape: Shape
        static let plan = ModelPlan<Drawing>(JSONField(\.shape))
    }

    struct TaggedRest: JSONModel, Equatable {
        var action: FlattenedEnumTests.Action<Internal>
        var rest: [String: JSONValue]
        static let plan = ModelPlan<TaggedRest>(JSONField(flatten: \.action), JSONField(extra: \.rest))
    }

    @Test func `a path into an enum is an error`() throws {
        let drawing = Drawing(shape: .part(Part(a: 1, b: 2)))
        let text = "'shape.part' in only or except leads into an enum, which is selected as a whole"
        #expect(defect(Drawing.self, only: "shape.part.a") == text)
        #expect(defect(drawing, except: "shape.part") == text)
        let event = FlattenedEnumTests.Event<Internal>(id: 1, action: .ping)
        #expect(
            defect(event, except: "ref")
                == "'ref' in only or except leads into an enum, which is selected as a whole")
        // Beside extra keys, too.
        let tagged = TaggedRest(action: .ping, rest: ["x": 1])
        for path in ["type", "ref"] as [JSONPath] {
            #expect(
                defect(tagged, except: path)
                    == "'\(path)' in only or except leads into an enum, which is selected as a whole")
        }
        var encoder = JSONModelEncoder()
        encoder.except = ["x"]
        #expect(try encode(tagged, with: encoder) == #"{"type":"ping"}"#)
        encoder.except = nil
        encoder.only = ["shape"]
        #expect(try encode(drawing, with: encoder) == #"{"shape":{"part":{"a":1,"b":2}}}"#)
    }

    struct Late: JSONModel, Equatable {
        let part: Part
        let lazy: JSONLazy<Part>
        static let plan = ModelPlan<Late>(JSONField(embedded: \.part, key: "part"), JSONField(\.lazy))
    }

    @Test func `listed properties apply to embedded JSON but not to lazy values`() throws {
        let decoder = JSONModelDecoder.with { $0.only = ["part.a", "lazy"] }
        let value = try decode(Late.self, #"{"part":"{\"a\":1,\"b\":2}","lazy":{"a":1,"b":2}}"#, with: decoder)
        #expect(value.part == Part(a: 1, b: nil))
        #expect(try value.lazy.value == Part(a: 1, b: 2))
    }

    @Test func `listed properties apply to a lazy value that is made with the decoder`() throws {
        let decoder = JSONModelDecoder.with { $0.only = ["a"] }
        let raw = try JSONRaw(#"{"a":1,"b":2}"#)
        #expect(try JSONLazy<Part>(raw, decoder: decoder).value == Part(a: 1, b: nil))
        #expect(try JSONLazy<Part>(raw.bytes, decoder: decoder).value == Part(a: 1, b: nil))
        #expect(try JSONLazy(encoding: Part(a: 1, b: 2), decoder: decoder).value == Part(a: 1, b: nil))
    }

    @Test func `listed properties apply to embedded JSON in the canonical form`() throws {
        let value = Late(part: Part(a: 1, b: 2), lazy: try JSONLazy("{}"))
        var encoder = JSONModelEncoder()
        encoder.formatting = .canonical
        encoder.only = ["part.a"]
        #expect(try encode(value, with: encoder) == #"{"part":"{\"a\":1}"}"#)
        encoder.only = nil
        encoder.except = ["part.b", "lazy"]
        #expect(try encode(value, with: encoder) == #"{"part":"{\"a\":1}"}"#)
    }

    @Test func `listed properties apply to the elements of a stream`() throws {
        let decoder = JSONModelDecoder.with { $0.only = ["b"] }
        var parts: [Part] = []
        try decoder.forEach(Part.self, in: Self.text, at: "parts[*]") { parts.append($0) }
        #expect(parts == [Part(a: nil, b: 4), Part(a: nil, b: 5)])
    }
}

extension JSONPath.Component { fileprivate var isOfKey: Bool { if case .key = self { true } else { false } } }
