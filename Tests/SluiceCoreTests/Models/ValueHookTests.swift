import TestSupport
import Testing

@testable import SluiceCore

/// `JSONValueHook`: a hook that replaces the values of properties before they are decoded.
@Suite(.tags(.hooks)) struct ValueHookTests {
    struct Refused: Error, Equatable { let name: String }

    struct Model: JSONModel, JSONValueHook, Equatable {
        var name = ""
        var count = 0
        var part: Item?
        var list: [Int] = []
        var note: String?
        var untouched = 0
        static let plan = ModelPlan<Model>([
            JSONField(\.name, key: "name", or: "title"), JSONField(\.count, key: "way.count"), JSONField(\.part),
            JSONField(\.list, default: [9]), JSONField(\.note), JSONField(\.untouched, default: 5),
        ])

        static func transform(_ value: JSONValue?, for property: String) throws -> JSONValue? {
            switch property {
            case "name": return value.map { .string(($0.string ?? "") + "!") }
            case "count": return value ?? 7
            case "part": return value == 0 ? nil : value?.int.map { ["id": .number(JSONNumber($0))] } ?? value
            case "list": return value == nil ? nil : value?.array == nil ? [value!] : value
            case "note":
                if value == "bad" { throw Refused(name: property) }
                return value == nil ? "missing" : value == .null ? "null" : value
            default: return value
            }
        }
    }

    @Test func `the hook receives every value, null and missing key`() throws {
        #expect(
            try decode(
                Model.self,
                #"{"name":"n","way":{"count":3},"part":{"id":1},"list":[1,2],"note":"x\n\"","untouched":6}"#)
                == Model(name: "n!", count: 3, part: Item(id: 1), list: [1, 2], note: "x\n\"", untouched: 6))
        #expect(
            try decode(Model.self, #"{"title":"t","name":"n","part":4,"list":5,"note":null}"#)
                == Model(name: "n!", count: 7, part: Item(id: 4), list: [5], note: "null", untouched: 5))
        #expect(
            try decode(Model.self, #"{"title":"t","part":0}"#)
                == Model(name: "t!", count: 7, part: nil, list: [9], note: "missing", untouched: 5))
        #expect(try decode(Model.self, #"{"name":"a","name":"b","part":1,"part":null}"#).part == nil)
    }

    @Test func `errors of and after the hook have their path and location`() throws {
        let thrown = try refusal(Model.self, #"{"name":"n","note":"bad"}"#)
        #expect(thrown.underlying as? Refused == Refused(name: "note"))
        #expect((thrown.path, thrown.location.offset) == ("note", 19))
        #expect(try refusal(Model.self, "{}").kind == .missingKeys(["name"]))
        let same = try refusal(Model.self, #"{"name":"n","part":{"id": []}}"#)
        #expect((same.path, same.location.offset) == ("part.id", 26))
        let changed = try refusal(Model.self, #"{"name":"n","list": "x"}"#)
        #expect((changed.path, changed.location.offset) == ("list[0]", 20))
        let all = try refusals(
            Model.self, #"{"part":{"id":[]},"list":"x","note":"bad","untouched":{}}"#, with: .collecting)
        #expect(all.map(\.path) == ["part.id", "list[0]", "note", "untouched", "$"])
        #expect(try refusals(Model.self, #"{"name":"n","list":[1,}"#)[0].location.offset == 22)
    }

    struct Missing: JSONModel, JSONValueHook, Equatable {
        let number: Int
        static let plan = ModelPlan<Missing>(JSONField(\.number))
        static func transform(_ value: JSONValue?, for property: String) throws -> JSONValue? { value ?? "x" }
    }

    @Test func `the value that the hook returns for a missing key may fail`() throws {
        let issue = try refusal([Missing].self, #"[{"number":1},{ }]"#)
        #expect(issue.kind == .typeMismatch(expected: "an integer", found: "a string"))
        #expect((issue.path, issue.location.offset) == ("[1].number", 16))
        #expect(try decode(Missing.self, "{}", with: .with { $0.coercion = .mjExtension }).number == 0)
        let all = try refusals([Missing].self, #"[{},{"number":1},{}]"#, with: .collecting)
        #expect(all.map(\.path) == ["[0].number", "[2].number"])
    }

    struct Outer: JSONModel, Equatable {
        let model: Model
        let id: Int
        static let plan = ModelPlan<Outer>(JSONField(flatten: \.model), JSONField(\.id))
    }

    @Test func `the hook of a flattened model is called`() throws {
        let value = try decode(Outer.self, #"{"name":"n","id":2}"#)
        #expect(value.id == 2)
        #expect(value.model == Model(name: "n!", count: 7, part: nil, list: [9], note: "missing", untouched: 5))
    }

    struct Versioned: JSONModel, Equatable {
        var name: String
        var version: Int
        static let plan = ModelPlan<Versioned>(JSONField(\.name), JSONField(\.version))
    }

    struct Document: JSONModel, JSONValueHook, Equatable {
        var version: Versioned
        static let plan = ModelPlan<Document>(JSONField(\.version))
        static func transform(_ value: JSONValue?, for property: String) -> JSONValue? {
            guard let name = value?["name"]?.string, let version = value?["version"] else { return value }
            return ["name": .string(name + "!"), "version": version]
        }
    }

    @Test func `the hook receives the merged value`() throws {
        #expect(
            try TestSupport.merged(
                #"{"version":{"version":2}}"#, into: Document(version: Versioned(name: "a", version: 1)),
                options: .nested) == Document(version: Versioned(name: "a!", version: 2)))
    }

    struct Once: JSONModel, JSONValueHook, Equatable {
        var ignored = 0
        var first: Int?
        var second: Int?
        var third: Int?
        static let plan = ModelPlan<Once>(
            JSONField(ignoring: \.ignored, default: 0), JSONField(\.first), JSONField(\.second), JSONField(\.third))
        static func transform(_ value: JSONValue?, for property: String) -> JSONValue? {
            switch property {
            case "first": nil
            // Not called again for a value that the hook has removed.
            case "second": value == nil ? 7 : nil
            default: value ?? 8
            }
        }
    }

    @Test func `the hook is called once for each property`() throws {
        #expect(try decode(Once.self, "{}") == Once(second: 7, third: 8))
        #expect(try decode(Once.self, #"{"first":1,"second":2,"third":3}"#) == Once(third: 3))
        #expect(
            try decode([Once].self, #"[{"second":2},{"third":4}]"#) == [Once(third: 8), Once(second: 7, third: 4)])
    }

    struct Named: JSONModel, JSONValueHook, Equatable {
        var name: String?
        var part: Item?
        static let plan = ModelPlan<Named>(
            JSONField(\.name, key: "name", or: "title"), JSONField(\.part, key: "part", or: "old"))
        static func transform(_ value: JSONValue?, for property: String) throws -> JSONValue? {
            if value == "bad" { throw Refused(name: property) }
            return value == "" || value?["none"] == true ? nil : value
        }
    }

    @Test func `a candidate that the hook leaves out replaces no other`() throws {
        for text in [#"{"name":"","title":"t"}"#, #"{"title":"t","name":""}"#] {
            #expect(try decode(Named.self, text) == Named(name: "t"))
        }
        for text in [#"{"part":{"none":true},"old":{"id":1}}"#, #"{"old":{"id":1},"part":{"none":true}}"#] {
            #expect(try decode(Named.self, text) == Named(part: Item(id: 1)))
        }
        #expect(try decode(Named.self, #"{"old":{"id":1},"part":{"id":2}}"#) == Named(part: Item(id: 2)))
        let rejecting = JSONModelDecoder.with { $0.duplicateKeys = .reject }
        #expect(try decode(Named.self, #"{"title":"t","name":"","part":""}"#, with: rejecting) == Named(name: "t"))
        let repeated = try refusal(Named.self, #"{"name":"","name":"n"}"#, with: rejecting)
        #expect((repeated.kind, repeated.path) == (.duplicateKey("name"), "name"))
        #expect(try decode(Named.self, #"{"old":{"id":1},"part":"","name":""}"#) == Named(part: Item(id: 1)))
        #expect(try refusal(Named.self, #"{"title":"t","name":"bad"}"#).path == "name")
        let kept = try decode(
            Named.self, #"{"title":"t","name":"bad"}"#, with: .with { $0.coercion = .mjExtension })
        #expect(kept == Named())
    }

    struct Parted: JSONModel, JSONValueHook, Equatable {
        let part: Item
        let other: Item?
        let id: Int?
        let otherID: Int?
        static let plan = ModelPlan<Parted>([
            JSONField(\.part), JSONField(\.other, key: "way.other", default: Item(id: 0)),
            JSONField(\.id, key: "part.id"), JSONField(\.otherID, key: "way.other.id"),
        ])
        static func transform(_ value: JSONValue?, for property: String) -> JSONValue? {
            switch property {
            case "part": value ?? ["id": 7]
            case "other": value ?? ["id": 8]
            default: value
            }
        }
    }

    @Test func `the hook makes a missing value of which other properties read parts`() throws {
        #expect(
            try decode(Parted.self, "{}") == Parted(part: Item(id: 7), other: Item(id: 8), id: nil, otherID: nil))
        #expect(
            try decode(Parted.self, #"{"way":{"other":{"id":2}},"part":{"id":1}}"#)
                == Parted(part: Item(id: 1), other: Item(id: 2), id: 1, otherID: 2))
        #expect(
            try decode([Parted].self, #"[{"way":{}},{"part":{"id":1}}]"#) == [
                Parted(part: Item(id: 7), other: Item(id: 8), id: nil, otherID: nil),
                Parted(part: Item(id: 1), other: Item(id: 8), id: 1, otherID: nil),
            ])
    }

    @Test func `the hook of an optional flattened model is not called without a key of the model`() throws {
        struct Wide: JSONModel, JSONValueHook, Equatable {
            var once: Once?
            var last: Int?
            static let plan = ModelPlan<Wide>(JSONField(flatten: \.once), JSONField(\.last))
            static func transform(_ value: JSONValue?, for property: String) -> JSONValue? { value ?? 9 }
        }
        #expect(try decode(Wide.self, "{}") == Wide(once: nil, last: 9))
        #expect(try decode(Wide.self, #"{"third":1}"#) == Wide(once: Once(second: 7, third: 1), last: 9))
    }

    @Test func `a hook may change the form of text only`() throws {
        struct Kept: JSONModel, JSONValueHook {
            let name: String
            static let plan = ModelPlan<Kept>(JSONField(\.name))

            static func transform(_ value: JSONValue?, for property: String) -> JSONValue? { "\u{E9}" }
        }
        let kept = try decode(Kept.self, "{\"name\":\"e\u{301}\"}")
        #expect(Array(kept.name.utf8) == [0xC3, 0xA9])
    }

    @Test func `a hook makes a value longer without a limit of rereads`() throws {
        struct Doubled: JSONModel, JSONValueHook, Equatable {
            let list: [Int]
            static let plan = ModelPlan<Doubled>(JSONField(\.list))

            static func transform(_ value: JSONValue?, for property: String) -> JSONValue? {
                value.map { .array([$0, $0]) }
            }
        }
        let decoder = JSONModelDecoder.with { $0.limits.rereads = .max }
        #expect(try decode(Doubled.self, #"{"list":1}"#, with: decoder) == Doubled(list: [1, 1]))
    }

    final class Level: JSONModel, JSONValueHook {
        struct Storage {
            var child: Level?
            var list: [Int]?
        }
        @TaskLocal static var values: ValueLog?
        init(_ storage: Storage) {}
        static let plan = ModelPlan<Level>(
            storage: Storage.self, [JSONField(\.child), JSONField(\.list)], make: { Level($0) })

        static func transform(_ value: JSONValue?, for property: String) throws -> JSONValue? {
            if let value, property == "child" { values?.add(value) }
            return value
        }
    }

    final class ValueLog: Sendable {
        private let lock = Lock<[JSONValue]>([])
        var values: [JSONValue] { lock.withLock { $0 } }
        func add(_ value: JSONValue) { lock.withLock { $0.append(value) } }
    }

    /// Otherwise, each level would take the time of all levels inside.
    @Test func `the values of inner levels are made at most twice`() throws {
        let log = ValueLog()
        let text =
            String(repeating: #"{"list":[1,2],"child":"#, count: 9) + #"{"list":[3]}"#
            + String(repeating: "}", count: 9)
        try Level.$values.withValue(log) { _ = try JSONModelDecoder().decode(Level.self, from: text) }
        let values = log.values
        let whole = try JSONModelDecoder().decode(JSONValue.self, from: text)
        #expect(values.count == 9 && values.first == whole["child"])
        for (outer, inner) in zip(values.dropFirst(), values.dropFirst(2)) {
            #expect(outer["child"]?.isIdentical(to: inner) == true)
        }
    }

    // MARK: Superclasses

    class Shouting: JSONModel {
        struct Storage { var name: String }
        var name: String
        init(_ storage: Storage) { name = storage.name }
        class var plan: _AnyModelPlan { shoutingPlan._erased }
        private static let shoutingPlan = ModelPlan<Shouting>(
            storage: Storage.self, [JSONField(\.name)], make: { Shouting($0) }
        ).hooks(transform: { value, _ in
            guard let text = value?.string else { return value }
            return JSONValue.string(text.uppercased())
        })
    }

    final class Louder: Shouting {
        struct LouderStorage { var base: Storage }
        init(_ storage: LouderStorage) { super.init(storage.base) }
        override class var plan: _AnyModelPlan { louderPlan._erased }
        private static let louderPlan = ModelPlan<Louder>(
            storage: LouderStorage.self, superclass: Shouting.plan, base: \.base, [], make: { Louder($0) })
    }

    @Test func `a subclass inherits the value hook of its superclass`() throws {
        #expect(try JSONModelDecoder().decode(Shouting.self, from: #"{"name":"a"}"#).name == "A")
        #expect(try JSONModelDecoder().decode(Louder.self, from: #"{"name":"a"}"#).name == "A")
    }
}
