import SluiceCore
import TestSupport
import Testing

@Suite(.tags(.encoding, .enums)) struct RepeatedTagTests {
    // An object of a subclass, which has a property with the key of the tag

    class Node: JSONModel {
        struct Storage { var id: Int }
        let id: Int
        init(_ storage: Storage) { id = storage.id }

        class var plan: _AnyModelPlan { nodePlan._erased }
        private static let nodePlan = ModelPlan<Node>(
            storage: Storage.self, [JSONField(\.id)], make: { Node($0) }, read: { Storage(id: $0.id) })
    }

    final class Typed: Node {
        struct TypedStorage {
            var node: Storage
            var type: String
        }
        let type: String
        init(_ storage: TypedStorage) {
            type = storage.type
            super.init(storage.node)
        }

        override class var plan: _AnyModelPlan { typedPlan._erased }
        private static let typedPlan = ModelPlan<Typed>(
            storage: TypedStorage.self, superclass: Node.plan, base: \.node, [JSONField(\.type)],
            make: { Typed($0) }, read: { TypedStorage(node: .init(id: $0.id), type: $0.type) })
    }

    enum Boxed: JSONEnum {
        case node(Node)
        static let plan = ModelPlan<Boxed>(cases: [.of("node", Self.node)], tagging: .internal(tag: "type"))
    }

    @Test func `a tag replaces the property of a subclass`() throws {
        let typed = Typed(.init(node: .init(id: 1), type: "x"))
        #expect(try encode(typed as Node) == #"{"id":1,"type":"x"}"#)
        let text = #"{"type":"node","id":1}"#
        // The property would be a second member with the key of the tag.
        #expect(try encode(Boxed.node(typed)) == text)
        #expect(
            try encode([Boxed.node(typed), .node(Node(.init(id: 2)))]) == #"[\#(text),{"type":"node","id":2}]"#)
        let sorted = JSONModelEncoder.with { $0.keyOrder = .sorted }
        #expect(try encode(Boxed.node(typed), with: sorted) == text)
        // The canonical form has no duplicate keys.
        let canonical = JSONModelEncoder.with { $0.formatting = .canonical }
        #expect(try encode(Boxed.node(typed), with: canonical) == #"{"id":1,"type":"node"}"#)
    }

    // An enum in an enum, which has a member with the key of the outer tag

    struct Leaf: JSONModel, Equatable {
        var id: Int
        static let plan = ModelPlan<Leaf>([JSONField(\.id)])
    }

    enum Same: JSONEnum {
        case leaf(Leaf)
        case nothing
        static let plan = ModelPlan<Same>(
            cases: [.of("leaf", Self.leaf), .of("nothing", .nothing)], tagging: .internal(tag: "type"))
    }

    enum Named: JSONEnum {
        case leaf(Leaf)
        case type(Leaf)
        static let plan = ModelPlan<Named>(cases: [.of("leaf", Self.leaf), .of("type", Self.type)])
    }

    enum Content: JSONEnum {
        case leaf(Leaf)
        static let plan = ModelPlan<Content>(
            cases: [.of("leaf", Self.leaf)], tagging: .adjacent(tag: "kind", content: "type"))
    }

    enum Outer: JSONEnum {
        case leaf(Same)
        case named(Named)
        case content(Content)
        static let plan = ModelPlan<Outer>(
            cases: [.of("leaf", Self.leaf), .of("named", Self.named), .of("content", Self.content)],
            tagging: .internal(tag: "type"))
    }

    @Test func `an enum in an enum does not repeat the tag`() throws {
        let leaf = Leaf(id: 1)
        #expect(try encode(Outer.leaf(.leaf(leaf))) == #"{"type":"leaf","id":1}"#)
        #expect(try encode(Outer.named(.leaf(leaf))) == #"{"type":"named","leaf":{"id":1}}"#)
        // The object would have two members with one key.
        for value in [Outer.leaf(.nothing), .named(.type(leaf)), .content(.leaf(leaf))] {
            let issue = try encodingRefusal([value])
            #expect(issue.kind == .notEncodable(#"its key "type" is that of the enum's tag"#))
            #expect(issue.path == "[0]")
        }
    }

    @Test(arguments: [#"{"type":"leaf","id":1}"#, #"{"id":1,"type":"leaf"}"#])
    func `an enum in an enum with the same tag receives the tag`(_ text: String) throws {
        let value = try decode(Outer.self, text)
        #expect(try encode(value) == #"{"type":"leaf","id":1}"#)
    }

    // A value that has the tag of the enum around it, because the value is decoded from the whole object

    enum Event<Payload: JSONConvertible & Equatable>: JSONEnum, Equatable {
        case message(Payload)
        static var plan: ModelPlan<Self> {
            .shared { ModelPlan(cases: [.of("message", Self.message)], tagging: .internal(tag: "type")) }
        }
    }

    enum Kinds<Value: JSONConvertible & Equatable>: JSONEnum, Equatable {
        case leaf(Leaf)
        case other(Value)
        static var plan: ModelPlan<Self> {
            .shared {
                ModelPlan(
                    cases: [.of("leaf", Self.leaf), .of("other", Self.other)], tagging: .internal(tag: "kind"),
                    fallback: "other")
            }
        }
    }

    enum Forms<Value: JSONConvertible & Equatable>: JSONEnum, Equatable {
        case number(Int)
        case other(Value)
        static var plan: ModelPlan<Self> {
            .shared {
                ModelPlan(cases: [.of("number", Self.number), .of("other", Self.other)], tagging: .untagged)
            }
        }
    }

    struct Rest: JSONModel, Equatable {
        var id: Int
        var rest: [String: JSONValue]
        static let plan = ModelPlan<Rest>([JSONField(\.id), JSONField(extra: \.rest)])
    }

    private func expectSame<Payload>(_: Payload.Type) throws where Payload: JSONConvertible & Equatable {
        let text = #"{"id":1,"kind":"new","type":"message"}"#
        let value = try decode(Event<Payload>.self, text)
        let canonical = JSONModelEncoder.with { $0.formatting = .canonical }
        #expect(try encode(value, with: canonical) == text)
        let back = try decode(Event<Payload>.self, encode(value))
        #expect(back == value)
    }

    @Test func `a value that was decoded from the whole object has the tags once`() throws {
        try expectSame(Kinds<JSONValue>.self)
        try expectSame(Kinds<JSONRaw>.self)
        try expectSame(Kinds<[String: JSONValue]>.self)
        try expectSame(Forms<JSONValue>.self)
        try expectSame(Forms<JSONRaw>.self)
        try expectSame(Forms<[String: JSONValue]>.self)
        try expectSame(Forms<Rest>.self)
        try expectSame(JSONLazy<Leaf>.self)
    }

    @Test func `a value of a whole object receives a tag that it lacks`() throws {
        let text = #"{"type":"message","id":1}"#
        #expect(try encode(Event.message(Kinds.other(["id": 1] as JSONValue))) == text)
        let raw = try JSONRaw(encoding: Leaf(id: 1))
        #expect(try encode(Event.message(Kinds.other(raw))) == text)
        let lazy = try JSONLazy(encoding: Leaf(id: 1))
        #expect(try encode(Event.message(lazy)) == text)
        // The object would have two members with one key.
        let kind = JSONIssue.Kind.notEncodable(#"its key "type" is that of the enum's tag"#)
        #expect(try encodingRefusal(Event.message(Kinds.other(["type": "x"] as JSONValue))).kind == kind)
        #expect(try encodingRefusal(Event.message(Forms.other(["type": "x"]))).kind == kind)
        let rest = Event.message(Forms.other(Rest(id: 1, rest: ["type": "x"])))
        #expect(try encodingRefusal(rest).kind == kind)
    }
}
