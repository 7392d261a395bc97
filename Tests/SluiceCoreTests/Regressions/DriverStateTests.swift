import SluiceCore
import SluiceStreams
import TestSupport
import Testing

/// Values of models that other values, keys or strings must not change.
struct DriverStateTests {
    struct Number: JSONModel, Equatable {
        let n: Int
        static let plan = ModelPlan<Number>(JSONField(\.n, key: "n"))
    }

    // MARK: The remembered outcome of an attempt

    enum Inner: JSONEnum, Equatable {
        case number(Number)
        static let plan = ModelPlan<Inner>(
            cases: [
                JSONCase(
                    "number", payload: Number.self, make: { .number($0) },
                    read: { if case .number(let value) = $0 { value } else { nil } })
            ], tagging: .untagged)
    }

    struct Item: JSONModel, Equatable {
        let inner: Inner
        static let plan = ModelPlan<Item>(JSONField(embedded: \.inner, key: "inner"))
    }

    struct List: JSONModel, Equatable {
        let items: [Item]
        static let plan = ModelPlan<List>(JSONField(\.items, key: "items"))
    }

    enum Outer: JSONEnum, Equatable {
        case list(List)
        static let plan = ModelPlan<Outer>(
            cases: [
                JSONCase(
                    "list", payload: List.self, make: { .list($0) },
                    read: { if case .list(let value) = $0 { value } else { nil } })
            ], tagging: .untagged)
    }

    // The text of a string was freed at the end of its replay, and the next text got its address and its outcome.
    @Test func `each string of JSON in an attempt has its own value`() throws {
        let text = (0..<20).map { #"{"inner":"{\"n\":\#($0)}"}"# }.joined(separator: ",")
        let expected = Outer.list(List(items: (0..<20).map { Item(inner: .number(Number(n: $0))) }))
        #expect(try decode(Outer.self, #"{"items":[\#(text)]}"#) == expected)
        #expect(try reported(Outer.self, #"{"items":[\#(text)]}"#).value == expected)
    }

    // MARK: Optional containers with a tag byte

    /// A container whose optional has a tag byte.
    struct Sum: JSONConvertible, Equatable {
        var total = 0
        static var jsonShape: JSONShape {
            .array(
                Sum.self, of: Int.self, make: { Sum(total: $0.reduce(0, +)) }, elements: { [$0.total] })
        }
    }

    /// The same from an object.
    struct Votes: JSONConvertible, Equatable {
        var total = 0
        static var jsonShape: JSONShape {
            .dictionary(
                Votes.self, key: String.self, value: Int.self,
                make: { members in Votes(total: members.reduce(0) { $0 + $1.value }) },
                members: { [(key: "total", value: $0.total)] })
        }
    }

    struct Sums: JSONModel, Equatable {
        let sum: Sum?
        let votes: Votes?
        static let plan = ModelPlan<Sums>(JSONField(\.sum, key: "sum"), JSONField(\.votes, key: "votes"))
    }

    @Test func `an optional container with a tag byte is present`() throws {
        #expect(try decode(Sums.self, #"{"sum":[1,2]}"#) == Sums(sum: Sum(total: 3), votes: nil))
        #expect(try decode(Sums.self, #"{"sum":[]}"#) == Sums(sum: Sum(), votes: nil))
        #expect(
            try decode(Sums.self, #"{"votes":{"a":1,"b":4}}"#) == Sums(sum: nil, votes: Votes(total: 5)))
        #expect(try decode(Sums.self, #"{"sum":null,"votes":null}"#) == Sums(sum: nil, votes: nil))
        let long = (0..<5_000).map { _ in "1" }.joined(separator: ",")
        #expect(try decode(Sums.self, #"{"sum":[\#(long)]}"#).sum == Sum(total: 5_000))
    }

    // MARK: Merging at a path

    enum Labels: JSONEnum, Equatable {
        case labels([String: String])
        static let plan = ModelPlan<Labels>(
            cases: [
                JSONCase(
                    "labels", payload: [String: String].self, make: { .labels($0) },
                    read: { if case .labels(let value) = $0 { value } else { nil } })
            ], tagging: .internal(tag: "type"))
    }

    // After many keys that are not on the path, the driver learns the order of keys from copies of the path's tables.
    @Test(arguments: JSONModelDecoder.Source.allCases, [0, 40])
    func `the keys before the path of a merge have no effect`(
        _ source: JSONModelDecoder.Source, _ count: Int
    ) throws {
        let others = (0..<count).map { "\"k\($0)\":0," }.joined()
        var labels = Labels.labels(["x": "1"])
        try JSONModelDecoder(from: source).merge(
            "{\(others)\"a\":{\"b\":{\"y\":\"2\"}}}", into: &labels, at: "a.b", options: .mergePatch)
        #expect(labels == .labels(["x": "1", "y": "2"]))
    }

    // MARK: A failure after the brackets of an enum were passed on

    enum First: JSONEnum, Equatable {
        case second(Second)
        static let plan = ModelPlan<First>(
            cases: [
                JSONCase(
                    "second", payload: Second.self, make: { .second($0) },
                    read: { if case .second(let value) = $0 { value } else { nil } })
            ], tagging: .internal(tag: "a"))
    }

    enum Second: JSONEnum, Equatable {
        case third(Inner)
        static let plan = ModelPlan<Second>(
            cases: [
                JSONCase(
                    "third", payload: Inner.self, make: { .third($0) },
                    read: { if case .third(let value) = $0 { value } else { nil } })
            ], tagging: .internal(tag: "b"))
    }

    #if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS) && !os(Android)
    @Test func `an enum that cannot be a payload is an issue like others`() async {
        await #expect(processExitsWith: .success) {
            let text = #"[{"a":"second","b":"third","n":1},{"a":"second","b":"third","n":2}]"#
            for source in JSONModelDecoder.Source.allCases {
                var decoder = JSONModelDecoder.collecting
                decoder.source = source
                let error = #expect(throws: JSONModelError.self) {
                    try decoder.decode([First].self, from: text)
                }
                #expect(error?.issues.count == 2)
            }
        }
    }
    #endif

    // MARK: Objects as the values of tagged cases

    enum Ordered: JSONEnum, Equatable {
        case object(JSONObject)
        static let plan = ModelPlan<Ordered>(
            cases: [
                JSONCase(
                    "object", payload: JSONObject.self, make: { .object($0) },
                    read: { if case .object(let value) = $0 { value } else { nil } })
            ], tagging: .internal(tag: "type"))
    }

    @Test func `the last of two duplicate keys beside a tag wins`() throws {
        for text in [
            #"{"type":"object","a":1,"b":2,"a":3}"#, #"{"a":1,"type":"object","b":2,"a":3}"#,
            #"{"a":1,"b":2,"a":3,"type":"object"}"#,
        ] {
            #expect(try decode(Ordered.self, text) == .object(["a": 3, "b": 2]))
        }
    }

    // MARK: The expected key and the tags of outer enums

    struct Named: JSONModel, Equatable {
        let a: String?
        let x: Int
        static let plan = ModelPlan<Named>(JSONField(\.a, key: "a"), JSONField(\.x, key: "x"))
    }

    enum InnerTag: JSONEnum, Equatable {
        case named(Named)
        static let plan = ModelPlan<InnerTag>(
            cases: [
                JSONCase(
                    "named", payload: Named.self, make: { .named($0) },
                    read: { if case .named(let value) = $0 { value } else { nil } })
            ], tagging: .internal(tag: "b"))
    }

    enum OuterTag: JSONEnum, Equatable {
        case inner(InnerTag)
        static let plan = ModelPlan<OuterTag>(
            cases: [
                JSONCase(
                    "inner", payload: InnerTag.self, make: { .inner($0) },
                    read: { if case .inner(let value) = $0 { value } else { nil } })
            ], tagging: .internal(tag: "a"))
    }

    // An expected key is compared only if enough bytes follow in the window.
    @Test func `a repeated tag of an outer enum is ignored in every division of the input`() throws {
        let rest = #""rest":"a text that is longer than the bytes that the comparison of a key may read""#
        let text = #"{"a":"inner","b":"named","a":"again","x":1,\#(rest)}"#
        #expect(try decode(OuterTag.self, text) == .inner(.named(Named(a: "inner", x: 1))))
    }

    // MARK: The value hook of a superclass
    class Shouting: JSONModel {
        struct Storage { var name: String }
        var name: String
        init(_ storage: Storage) { name = storage.name }
        class var plan: _AnyModelPlan { shoutingPlan._erased }
        private static let shoutingPlan = ModelPlan<Shouting>(
            storage: Storage.self, [JSONField(\.name, key: "name")], make: { Shouting($0) }
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

    // MARK: Duplicate keys after null

    struct Nullable: JSONModel, Equatable {
        let a: Int?
        let b: Int
        static let plan = ModelPlan<Nullable>(JSONField(\.a, key: "a"), JSONField(\.b, key: "b", default: 1))
    }

    @Test(arguments: [
        (#"{"a":null,"a":1}"#, "a"), (#"{"a":null,"a":null}"#, "a"), (#"{"b":null,"b":2}"#, "b"),
    ])
    func `a duplicate key after null is rejected`(_ text: String, _ key: String) throws {
        let decoder = JSONModelDecoder.with { $0.duplicateKeys = .reject }
        #expect(try refusal(Nullable.self, text, with: decoder).kind == .duplicateKey(key))
    }

    // MARK: Paths in dropped elements

    struct Lossy: JSONModel, Equatable {
        let list: [Int]
        static let plan = ModelPlan<Lossy>(JSONField(\.list, key: "list").lossy())
    }

    @Test func `a syntax error in the rest of a dropped element has the path of the element`() throws {
        #expect(try refusal(Lossy.self, #"{"list":[1,{"a":}]}"#).path == "list[1]")
        let issues = try refusals([Int].self, #"[1,{"a":}]"#, with: .collecting)
        #expect(issues.map(\.path) == ["[1]", "[1]"])
    }

    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `a byte that continues a value has the path of the element around it`(
        _ source: JSONModelDecoder.Source
    ) throws {
        let decoder = JSONModelDecoder(from: source)
        func path<T: JSONConvertible>(_ type: T.Type, _ text: String) throws -> JSONPath {
            try refusal(type, text, with: decoder).path
        }
        // In a dropped element, in a recorded one, and in the values of unknown keys.
        #expect(try path(Lossy.self, #"{"list":[1,{"a":[2,3x]}]}"#) == "list[1]")
        #expect(try path([JSONRaw].self, #"[1,{"a":01}]"#) == "[1]")
        #expect(try path([JSONRaw].self, "[1,[2,3x]]") == "[1]")
        #expect(try path([Nullable].self, #"[{"a":1},{"a":1,"x":01}]"#) == "[1]")
        #expect(try path([Nullable].self, #"[{"a":1},{"a":1,"x":[2,3x]}]"#) == "[1]")
        // In the object that is the element, and in the element itself.
        #expect(try path(JSONValue.self, #"[0,{"a":01}]"#) == "[1]")
        #expect(try path([Int].self, "[1,2x]") == "[1]")
    }

    // MARK: Hints of an earlier line

    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `the hint of a missing path names no key of an earlier line`(_ source: JSONModelDecoder.Source) throws {
        let lines = "{\"nmae\":0,\"name\":1}\n{\"other\":2}\n"
        var values: [Int] = []
        let error = #expect(throws: JSONModelError.self) {
            try JSONModelDecoder(from: source).forEach(Int.self, in: lines, at: "name", framing: .lines) {
                (value: Int) in values.append(value)
            }
        }
        #expect(values == [1])
        #expect(error?.issues.map(\.kind) == [.pathNotFound("name")])
        #expect(error?.issues.first?.hint == nil)
    }

    // MARK: A tag that is canonically equivalent to another key

    enum Kind: JSONEnum, Equatable {
        case ping
        static let plan = ModelPlan<Kind>(
            cases: [JSONCase("ping", value: .ping, matches: { $0 == .ping })], tagging: .internal(tag: "\u{E9}"))
    }

    struct Event: JSONModel, Equatable {
        let id: Int
        let kind: Kind?
        static let plan = ModelPlan<Event>(JSONField(\.id, key: "id"), JSONField(flatten: \.kind))
    }

    @Test func `a key that is equivalent to the tag of an absent enum is another key`() throws {
        #expect(try decode(Event.self, "{\"id\":1,\"\u{E9}\":\"ping\"}") == Event(id: 1, kind: .ping))
        #expect(try decode(Event.self, "{\"id\":1,\"e\u{301}\":\"ping\"}") == Event(id: 1, kind: nil))
    }

    // MARK: The key of a member

    struct Member: JSONModel, Equatable {
        let member: JSONMember<Int>
        let rest: [String: Int]
        static let plan = ModelPlan<Member>(JSONField(\.member, key: "m"), JSONField(extra: \.rest))
    }

    @Test func `a member in a property has no key, whatever comes before`() throws {
        for text in [#"{"m":2,"x":1}"#, #"{"x":1,"m":2}"#] {
            guard case .invalidPlan = try refusal(Member.self, text).kind else {
                Issue.record("\(text)")
                continue
            }
        }
    }
}
