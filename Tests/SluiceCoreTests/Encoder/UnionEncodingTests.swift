import SluiceCodable
import SluiceCore
import Synchronization
import TestSupport
import Testing

/// The encoding of enums with associated values, transforms and embedded JSON.
@Suite(.tags(.encoding, .enums)) struct UnionEncodingTests {
    struct Circle: JSONModel {
        var r: Double
        static let plan = ModelPlan<Circle>([JSONField(\.r)])
    }

    /// One enum for each way of tagging.
    enum Tagged<Way: Tagging>: JSONEnum {
        case circle(Circle)
        case nothing
        case unknown(String)
        static var plan: ModelPlan<Self> {
            .shared {
                ModelPlan(
                    cases: [
                        .of("circle", keys: ["round", "circle"], Self.circle), .of("nothing", .nothing),
                        .of("unknown", Self.unknown),
                    ], tagging: Way.tagging, fallback: Way.tagging == .untagged ? nil : "unknown")
            }
        }
    }

    @Test func `enums are written with each tagging`() throws {
        let circle = Circle(r: 1.5)
        #expect(
            try encode([Tagged<External>.circle(circle), .nothing, .unknown("x")])
                == #"[{"round":{"r":1.5}},"nothing","x"]"#)
        #expect(
            try encode([Tagged<Internal>.circle(circle), .nothing, .unknown("x")])
                == #"[{"type":"round","r":1.5},{"type":"nothing"},{"type":"x"}]"#)
        #expect(
            try encode([Tagged<Adjacent>.circle(circle), .nothing, .unknown("x")])
                == #"[{"t":"round","c":{"r":1.5}},{"t":"nothing"},{"t":"x"}]"#)
        #expect(try encode([Tagged<Untagged>.circle(circle), .unknown("x")]) == #"[{"r":1.5},"x"]"#)
        let encoder = JSONModelEncoder.with { $0.formatting = .pretty }
        #expect(
            try encode(Tagged<Internal>.circle(circle), with: encoder)
                == "{\n  \"type\": \"round\",\n  \"r\": 1.5\n}")
    }

    /// Containers after an array whose last element is a case with a model.
    struct Drawing<Way: Tagging>: JSONModel {
        var shapes: [Tagged<Way>]
        var others: [Tagged<Way>]
        var circles: [Circle]
        var names: [String: Int]
        static var plan: ModelPlan<Self> {
            .shared {
                ModelPlan([JSONField(\.shapes), JSONField(\.others), JSONField(\.circles), JSONField(\.names)])
            }
        }
    }

    private func drawing<Way: Tagging>(_: Way.Type) throws {
        let circle = Circle(r: 1)
        let lists: [[Tagged<Way>]] = [[], [.circle(circle)], [.circle(circle), .circle(circle)]]
        for shapes in lists {
            for others in lists {
                for (circles, names) in [([], [:]), ([circle, circle], ["a": 1])] {
                    let all = Drawing(shapes: shapes, others: others, circles: circles, names: names)
                    let expected = try
                        #"{"shapes":\#(encode(shapes)),"others":\#(encode(others)),"circles":\#(encode(circles)),"names":\#(encode(names))}"#
                    #expect(try encode(all) == expected)
                    #expect(try encode([all, all]) == "[\(expected),\(expected)]")
                }
            }
        }
    }

    @Test func `arrays of enums are followed by other containers`() throws {
        try drawing(External.self)
        try drawing(Internal.self)
        try drawing(Adjacent.self)
        try drawing(Untagged.self)
    }

    @Test func `enums are decoded from values with tags at any position`() throws {
        // The tag comes at any place, as a dictionary has no order.
        let list: JSONValue = [
            ["type": "circle", "r": 2, "x": [1, ["y": 2]]], ["type": "nothing"], ["r": 0, "type": "z"],
        ]
        for _ in 0..<20 {
            let read = try JSONModelDecoder().decode([Tagged<Internal>].self, from: list)
            #expect(try encode(read) == #"[{"type":"round","r":2.0},{"type":"nothing"},{"type":"z"}]"#)
            let more: JSONValue = [["c": ["r": 1], "t": "round"]]
            let adjacent = try JSONModelDecoder().decode([Tagged<Adjacent>].self, from: more)
            #expect(try encode(adjacent) == #"[{"t":"round","c":{"r":1.0}}]"#)
        }
        let value = Wrapped(a: 255, b: nil, c: [16, 17], inside: [Circle(r: 1)], maybe: nil)
        let back = try JSONModelDecoder().decode(Wrapped.self, from: JSONModelEncoder().encode(value, as: .value))
        #expect(try encode(back) == encode(value))
    }

    @Test func `all issues of a value are collected without a location`() throws {
        let decoder = JSONModelDecoder.with { $0.errorPolicy = .collect(limit: 10) }
        let list: JSONValue = [["r": "no"], ["r": 1], [:], ["r": [1, [2]]]]
        let error = #expect(throws: JSONModelError.self) { _ = try decoder.decode([Circle].self, from: list) }
        #expect(error?.issues.map(\.path.description) == ["[0].r", "[2]", "[3].r"])
        #expect(error?.issues.allSatisfy { !$0.description.contains("line") } == true)
    }

    enum Whole: JSONEnum {
        case known(Tagged<Internal>)
        case any(JSONValue)
        static let plan = ModelPlan<Whole>(
            cases: [.of("known", Self.known), .of("any", Self.any)], tagging: .internal(tag: "kind"),
            fallback: "any")
    }

    @Test func `enums may contain enums`() throws {
        #expect(
            try encode([Whole.known(.circle(Circle(r: 2))), .known(.nothing), .any([1, 2])])
                == #"[{"kind":"known","type":"round","r":2.0},{"kind":"known","type":"nothing"},[1,2]]"#)
    }

    struct Unknown: JSONModel {
        var type: String
        var circle: Int?
        static let plan = ModelPlan<Unknown>([JSONField(\.type), JSONField(\.circle)])
    }

    /// An enum whose fallback is any model.
    enum Loose<Way: Tagging, Other: JSONModel>: JSONEnum {
        case circle(Circle)
        case other(Other)
        static var plan: ModelPlan<Self> {
            .shared {
                ModelPlan(
                    cases: [.of("circle", Self.circle), .of("other", Self.other)], tagging: Way.tagging,
                    fallback: "other")
            }
        }
    }

    @Test func `a model as a fallback is refused if it has the name of another case`() throws {
        let kind = JSONIssue.Kind.notEncodable(
            #"its fallback has the name of another case, "circle", which would be decoded"#)
        let tagged = Loose<Internal, Unknown>.other(Unknown(type: "oval", circle: 1))
        #expect(try encode(tagged) == #"{"type":"oval","circle":1}"#)
        #expect(try encodingRefusal(Loose<Internal, Unknown>.other(Unknown(type: "circle"))).kind == kind)
        let keyed = Loose<External, Unknown>.other(Unknown(type: "circle"))
        #expect(try encode(keyed) == #"{"type":"circle"}"#)
        #expect(try encodingRefusal(Loose<External, Unknown>.other(Unknown(type: "oval", circle: 1))).kind == kind)
    }

    /// An enum whose fallback is decoded later.
    enum Late: JSONEnum {
        case circle(Circle)
        case other(JSONLazy<Circle>)
        static let plan = ModelPlan<Late>(
            cases: [.of("circle", Self.circle), .of("other", Self.other)], tagging: .internal(tag: "type"),
            fallback: "other")
    }

    @Test func `a converted fallback is refused if it has the name of another case`() throws {
        let oval = try JSONRaw(#"{"type":"oval","r":1}"#)
        #expect(try encode(Late.other(JSONLazy(oval))) == #"{"type":"oval","r":1}"#)
        let circle = try JSONRaw(#"{"type":"circle","r":1}"#)
        #expect(
            try encodingRefusal(Late.other(JSONLazy(circle))).kind
                == .notEncodable(#"its fallback has the name of another case, "circle", which would be decoded"#))
        let name = try JSONRaw(#""circle""#)
        #expect(try encode(Late.other(JSONLazy(name))) == #""circle""#)
    }

    struct Rest: JSONModel {
        var rest: [String: JSONValue]
        static let plan = ModelPlan<Rest>([JSONField(extra: \.rest)])
    }

    struct Kind: JSONModel {
        var type: String
        static let plan = ModelPlan<Kind>([JSONField(\.type)])
    }

    struct Described: JSONModel {
        var kind: Kind?
        var rest: [String: JSONValue] = [:]
        static let plan = ModelPlan<Described>([JSONField(flatten: \.kind), JSONField(extra: \.rest)])
    }

    @Test func `the name of another case may be in extra keys and flattened models`() throws {
        let kind = JSONIssue.Kind.notEncodable(
            #"its fallback has the name of another case, "circle", which would be decoded"#)
        typealias WithRest = Loose<Internal, Rest>
        #expect(try encode(WithRest.other(Rest(rest: ["type": "oval"]))) == #"{"type":"oval"}"#)
        #expect(try encodingRefusal(WithRest.other(Rest(rest: ["type": "circle"]))).kind == kind)
        typealias WithKind = Loose<Internal, Described>
        #expect(try encode(WithKind.other(Described(kind: Kind(type: "oval")))) == #"{"type":"oval"}"#)
        #expect(try encodingRefusal(WithKind.other(Described(kind: Kind(type: "circle")))).kind == kind)
        // A pair with the key of a property is not written.
        let pair = Described(kind: Kind(type: "oval"), rest: ["type": "circle"])
        #expect(try encode(WithKind.other(pair)) == #"{"type":"oval"}"#)
    }

    class Item: JSONModel {
        struct Storage { var type: String }
        let type: String
        init(_ storage: Storage) { type = storage.type }
        class var plan: _AnyModelPlan { itemPlan._erased }
        private static let itemPlan = ModelPlan<Item>(
            storage: Storage.self, [JSONField(\.type)], make: { Item($0) }, read: { Storage(type: $0.type) })
    }

    final class Round: Item {
        struct RoundStorage {
            var item: Storage
            var circle: Int
        }
        let circle: Int
        init(_ storage: RoundStorage) {
            circle = storage.circle
            super.init(storage.item)
        }
        override class var plan: _AnyModelPlan { roundPlan._erased }
        private static let roundPlan = ModelPlan<Round>(
            storage: RoundStorage.self, superclass: Item.plan, base: \.item, [JSONField(\.circle)],
            make: { Round($0) }, read: { RoundStorage(item: Storage(type: $0.type), circle: $0.circle) })
    }

    struct Observed: JSONModel {
        struct Storage { var type: String }
        var type: String
        static let plan = ModelPlan<Observed>(
            storage: Storage.self, [JSONField(\.type)], make: { Observed(type: $0.type) },
            read: { Storage(type: $0.type) })
    }

    struct Sorted: JSONModel {
        enum Sort: String, JSONConvertible { case circle, oval }
        var type: Sort
        static let plan = ModelPlan<Sorted>([JSONField(\.type)])
    }

    /// A fallback whose property for the tag may be the enum again.
    struct Nest: JSONModel {
        var type: Nested
        static let plan = ModelPlan<Nest>([JSONField(\.type)])
    }

    indirect enum Nested: JSONEnum {
        case circle(Circle)
        case other(Nest)

        static let readCount = Atomic<Int>(0)
        static let plan = ModelPlan<Nested>(
            cases: [
                JSONCase(
                    "circle", payload: Circle.self, make: { .circle($0) },
                    read: {
                        Nested.readCount.add(1, ordering: .relaxed)
                        guard case .circle(let value) = $0 else { return nil }
                        return value
                    }), .of("other", Self.other),
            ], tagging: .internal(tag: "type"), fallback: "other")
    }

    @Test func `the tag of a fallback is not written to be examined`() throws {
        var (value, text) = (Nested.circle(Circle(r: 1.5)), #"{"type":"circle","r":1.5}"#)
        for _ in 0..<16 { (value, text) = (Nested.other(Nest(type: value)), #"{"type":\#(text)}"#) }
        #expect(try encode(value) == text)
        // Each enum is read a few times, to be written and to be examined.
        #expect(Nested.readCount.load(ordering: .relaxed) < 100)
    }

    @Test func `the name of another case may be in objects and in values of enums`() throws {
        let kind = JSONIssue.Kind.notEncodable(
            #"its fallback has the name of another case, "circle", which would be decoded"#)
        let (oval, circle) = (Item(Item.Storage(type: "oval")), Item(Item.Storage(type: "circle")))
        let round = Round(Round.RoundStorage(item: Item.Storage(type: "oval"), circle: 1))
        let other = Round(Round.RoundStorage(item: Item.Storage(type: "circle"), circle: 1))
        typealias WithTag = Loose<Internal, Item>
        #expect(
            try encode([WithTag.other(oval), .other(round)]) == #"[{"type":"oval"},{"type":"oval","circle":1}]"#)
        #expect(try encodingRefusal(WithTag.other(circle)).kind == kind)
        #expect(try encodingRefusal(WithTag.other(other)).kind == kind)
        typealias WithKeys = Loose<External, Item>
        #expect(try encode([WithKeys.other(oval), .other(circle)]) == #"[{"type":"oval"},{"type":"circle"}]"#)
        #expect(try encodingRefusal([WithKeys.other(oval), .other(round)]).kind == kind)
        typealias WithStorage = Loose<Internal, Observed>
        #expect(try encode(WithStorage.other(Observed(type: "oval"))) == #"{"type":"oval"}"#)
        #expect(try encodingRefusal(WithStorage.other(Observed(type: "circle"))).kind == kind)
        typealias WithSort = Loose<Internal, Sorted>
        #expect(try encode(WithSort.other(Sorted(type: .oval))) == #"{"type":"oval"}"#)
        #expect(try encodingRefusal(WithSort.other(Sorted(type: .circle))).kind == kind)
    }

    /// A fallback that contains values of the enum.
    struct Branch: JSONModel {
        var type: String
        var children: [Tree] = []
        static let plan = ModelPlan<Branch>([JSONField(\.type), JSONField(\.children)])
    }

    indirect enum Tree: JSONEnum {
        case leaf(Circle)
        case other(Branch)
        static let plan = ModelPlan<Tree>(
            cases: [.of("leaf", Self.leaf), .of("other", Self.other)], tagging: .internal(tag: "type"),
            fallback: "other")
    }

    @Test func `a fallback in a fallback is examined by its own names`() throws {
        let (leaf, name) = (Tree.leaf(Circle(r: 1)), #"a\"}{"type":"leaf"}"#)
        let inner = Tree.other(Branch(type: "b", children: [leaf, .other(Branch(type: name))]))
        let tree = Tree.other(Branch(type: "a", children: [inner, leaf, inner]))
        for formatting in [JSONModelEncoder.Formatting.compact, .pretty, .canonical] {
            let encoder = JSONModelEncoder.with { $0.formatting = formatting }
            let text = try encode([tree, tree], with: encoder)
            #expect(try encode(decode([Tree].self, text), with: encoder) == text)
            var chunks: [UInt8] = []
            try encoder.write([tree, tree]) { chunks += $0 }
            #expect(String(decoding: chunks, as: UTF8.self) == text)
        }
        let wrong = Tree.other(Branch(type: "a", children: [inner, .other(Branch(type: "leaf"))]))
        let issue = try encodingRefusal([wrong])
        #expect(issue.path == "[0].children[1]")
        #expect(issue.description.contains("the name of another case, \"leaf\""))
    }

    @Test func `a large fallback is written in chunks`() throws {
        let list = JSONValue.array((0..<40_000).map { ["type": "circle", "id": JSONValue(integerLiteral: $0)] })
        let value = Loose<Internal, Rest>.other(Rest(rest: ["type": "oval", "list": list]))
        let encoder = JSONModelEncoder.with { $0.keyOrder = .sorted }
        var chunks: [UInt8] = []
        try encoder.write([value, value]) { chunks += $0 }
        #expect(try chunks == encoder.encode([value, value]))
    }

    struct Watched: JSONModel, JSONHooks {
        var type: String
        var r: Double
        static let plan = ModelPlan<Watched>([JSONField(\.type), JSONField(\.r)])
        func willEncode() throws { if r == 13 { throw Hex.Failure() } }
    }

    @Test func `a fallback is examined after its value is written`() throws {
        typealias Nesting = Loose<External, Tagged<Untagged>>
        #expect(try encode(Nesting.other(.unknown("oval"))) == #""oval""#)
        #expect(try encodingRefusal(Nesting.other(.unknown("circle"))).description.contains("another case"))
        // Errors of the value, and of its hooks, come first.
        typealias Watching = Loose<Internal, Watched>
        let issue = try encodingRefusal(Watching.other(Watched(type: "circle", r: 1)))
        #expect(issue.description.contains("another case"))
        #expect(try encodingRefusal(Watching.other(Watched(type: "circle", r: .nan))).path == "r")
        #expect(try encodingRefusal(Watching.other(Watched(type: "circle", r: 13))).underlying is Hex.Failure)
    }

    enum Untyped: JSONEnum {
        case number(Int)
        case text(String)
        case list([Int])
        case any(JSONValue)
        static let plan = ModelPlan<Untyped>(
            cases: [
                .of("number", Self.number), .of("text", Self.text), .of("list", Self.list), .of("any", Self.any),
            ], tagging: .untagged)
    }

    enum Typed: JSONEnum {
        case one(Untyped)
        static let plan = ModelPlan<Typed>(cases: [.of("one", Self.one)], tagging: .internal(tag: "kind"))
    }

    @Test func `a payload of an enum in an enum is refused if it cannot contain the tag`() throws {
        #expect(try encode([Typed.one(.any(["a": 1]))]) == #"[{"kind":"one","a":1}]"#)
        for inner in [Untyped.number(5), .text("a"), .list([1]), .any([1])] {
            let issue = try encodingRefusal([Typed.one(inner)])
            #expect(issue.kind == .notEncodable("its value is not an object, which could contain the tag"))
            #expect(issue.path == "[0]")
        }
    }

    struct Hex: JSONTransform {
        func decode(_ json: String) throws -> Int { Int(json, radix: 16) ?? 0 }
        func encode(_ value: Int) throws -> String {
            if value < 0 { throw Failure() }
            return String(value, radix: 16)
        }
        struct Failure: Error {}
    }

    struct Wrapped: JSONModel {
        var a: Int
        var b: Int?
        var c: [Int]
        var inside: [Circle]
        var maybe: Circle?
        static let plan = ModelPlan<Wrapped>([
            JSONField(\.a, transform: Hex()), JSONField(\.b, transform: Hex()), JSONField(\.c, transform: Hex()),
            JSONField(embedded: \.inside), JSONField(embedded: \.maybe),
        ])
    }

    @Test func `transforms and embedded JSON are written`() throws {
        let value = Wrapped(a: 255, b: nil, c: [16, 17], inside: [Circle(r: 1)], maybe: nil)
        #expect(try encode(value) == #"{"a":"ff","c":["10","11"],"inside":"[{\"r\":1.0}]"}"#)
        let other = Wrapped(a: 0, b: 10, c: [], inside: [], maybe: Circle(r: 2))
        #expect(try encode(other) == #"{"a":"0","b":"a","c":[],"inside":"[]","maybe":"{\"r\":2.0}"}"#)
        var encoder = JSONModelEncoder()
        encoder.register(Hex())
        #expect(try encode([255: [Int?.none, 1]], with: encoder) == #"{"255":[null,"1"]}"#)
    }

    @Test func `an error thrown by a transform has its path, property and model`() throws {
        let issue = try encodingRefusal([Wrapped(a: 0, b: nil, c: [1, -1], inside: [], maybe: nil)])
        #expect(issue.kind == .thrown)
        #expect(issue.underlying is Hex.Failure)
        #expect(issue.path == "[0].c[1]")
        #expect(issue.property == "c")
        #expect(issue.model == "Wrapped")
        let inside = try encodingRefusal(Wrapped(a: 0, b: nil, c: [], inside: [Circle(r: .nan)], maybe: nil))
        #expect(inside.path == "inside[0].r")
    }

    typealias Number<Way: Tagging> = One<Way, Double>

    @Test(arguments: [JSONModelEncoder.Formatting.compact, .pretty])
    func `the path of an error has the key of the case or its content`(_ formatting: JSONModelEncoder.Formatting)
        throws
    {
        let encoder = JSONModelEncoder.with { $0.formatting = formatting }
        let circle = Circle(r: .nan)
        #expect(try encodingRefusal([Tagged<External>.circle(circle)], with: encoder).path == "[0].round.r")
        #expect(try encodingRefusal([Tagged<Adjacent>.circle(circle)], with: encoder).path == "[0].c.r")
        #expect(try encodingRefusal([Tagged<Internal>.circle(circle)], with: encoder).path == "[0].r")
        #expect(try encodingRefusal([Tagged<Untagged>.circle(circle)], with: encoder).path == "[0].r")
        #expect(try encodingRefusal(["a": Number<External>.one(.nan)], with: encoder).path == "a.one")
        #expect(try encodingRefusal(["a": Number<Adjacent>.one(.nan)], with: encoder).path == "a.c")
        #expect(try encodingRefusal(["a": Number<Untagged>.one(.nan)], with: encoder).path == "a")
    }

    struct Hooked: JSONModel, JSONHooks {
        var id: Int
        static let plan = ModelPlan<Hooked>([JSONField(\.id)])
        func willEncode() throws { if id == 13 { throw Hex.Failure() } }
    }

    struct Flat: JSONModel {
        var before = 0
        var one: Hooked
        static let plan = ModelPlan<Flat>([JSONField(\.before), JSONField(flatten: \.one)])
    }

    @Test func `an error thrown by a hook is reported with its path`() throws {
        #expect(try encode([Hooked(id: 12)]) == #"[{"id":12}]"#)
        let issue = try encodingRefusal(["a": [Hooked(id: 12), Hooked(id: 13)]])
        #expect(issue.underlying is Hex.Failure)
        #expect(issue.path == "a[1]")
        #expect(try encodingRefusal(Flat(one: Hooked(id: 13))).underlying is Hex.Failure)
        #expect(try encode(Flat(before: 13, one: Hooked(id: 12))) == #"{"before":13,"id":12}"#)
        // Each hook receives its own model.
        let second = try encodingRefusal([Flat(one: Hooked(id: 12)), Flat(one: Hooked(id: 13))])
        #expect(second.path == "[1]" && second.underlying is Hex.Failure)
    }

    struct MaybeFlat: JSONModel {
        var before = 0
        var one: Hooked?
        static let plan = ModelPlan<MaybeFlat>([JSONField(\.before), JSONField(flatten: \.one)])
    }

    struct MaybeDeep: JSONModel {
        var first = 0
        var flat: Flat?
        static let plan = ModelPlan<MaybeDeep>([JSONField(\.first), JSONField(flatten: \.flat)])
    }

    @Test func `the hooks of an optional flattened model receive the model if it is present`() throws {
        #expect(
            try encode([MaybeFlat(one: nil), MaybeFlat(before: 13, one: Hooked(id: 12))])
                == #"[{"before":0},{"before":13,"id":12}]"#)
        let issue = try encodingRefusal([MaybeFlat(one: Hooked(id: 12)), MaybeFlat(one: Hooked(id: 13))])
        #expect(issue.path == "[1]" && issue.underlying is Hex.Failure)
        // A model that is flattened into an optional flattened model.
        #expect(
            try encode([MaybeDeep(flat: nil), MaybeDeep(first: 13, flat: Flat(before: 13, one: Hooked(id: 12)))])
                == #"[{"first":0},{"first":13,"before":13,"id":12}]"#)
        let inner = try encodingRefusal([MaybeDeep(flat: nil), MaybeDeep(flat: Flat(one: Hooked(id: 13)))])
        #expect(inner.path == "[1]" && inner.underlying is Hex.Failure)
    }

    /// One enum for each way of tagging, whose payload may be nil.
    enum Optionally<Way: Tagging>: JSONEnum {
        case circle(Circle?)
        static var plan: ModelPlan<Self> {
            .shared { ModelPlan(cases: [.of("circle", Self.circle)], tagging: Way.tagging) }
        }
    }

    @Test func `a payload that is nil is written as null`() throws {
        #expect(
            try encode([Optionally<External>.circle(nil), .circle(Circle(r: 1))])
                == #"[{"circle":null},{"circle":{"r":1.0}}]"#)
        #expect(try encode(Optionally<Adjacent>.circle(nil)) == #"{"t":"circle","c":null}"#)
        let issue = try encodingRefusal([Optionally<Internal>.circle(Circle(r: 1)), .circle(nil)])
        #expect(issue.kind == .notEncodable("its value is null, which cannot contain the tag"))
        #expect(issue.path == "[1]")
    }

    @Test func `a fallback case without an object payload is written without a tag`() throws {
        enum Bad: JSONEnum {
            case value(JSONValue)
            static let plan = ModelPlan<Bad>(
                cases: [.of("value", Self.value)], tagging: .internal(tag: "t"), fallback: "value")
        }
        // As the case for all others it is written whole.
        #expect(try encode(Bad.value(1)) == "1")
    }
}
