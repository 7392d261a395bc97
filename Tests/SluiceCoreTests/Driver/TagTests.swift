import SluiceCodable
import SluiceCore
import TestSupport
import Testing

/// Tags that come first or late give the same value and the same errors.
@Suite(.tags(.enums, .replay)) struct TagTests {
    struct Named: JSONModel, Equatable {
        let type: String
        let id: Int
        static let plan = ModelPlan<Named>([JSONField(\.type), JSONField(\.id)], unknownKeys: .reject)
    }

    struct Plain: JSONModel, Equatable {
        let id: Int
        static let plan = ModelPlan<Plain>([JSONField(\.id)], unknownKeys: .reject)
    }

    enum Tagged: JSONEnum, Equatable {
        case named(Named)
        case plain(Plain)
        case table([String: Int])
        static let plan = ModelPlan<Tagged>(
            cases: [.of("named", Self.named), .of("plain", Self.plain), .of("table", Self.table)],
            tagging: .internal(tag: "type"))
    }

    @Test func `a payload with a property for the tag receives the tag`() throws {
        let expected = Tagged.named(Named(type: "named", id: 1))
        #expect(try decode(Tagged.self, #"{"type":"named","id":1}"#) == expected)
        #expect(try decode(Tagged.self, #"{"id":1,"type":"named"}"#) == expected)
    }

    @Test func `a tag that is also a property of the payload is written once`() throws {
        #expect(try encode(Tagged.named(Named(type: "other", id: 1))) == #"{"type":"named","id":1}"#)
        let issue = try encodingRefusal([Tagged.table(["type": 1])])
        #expect(issue.kind == .notEncodable(#"its key "type" is that of the enum's tag"#))
    }

    @Test func `an encoded value without members cannot be written with a tag`() throws {
        let issue = try encodingRefusal(Loose.list(JSONLazy(encoding: [1])))
        #expect(issue.kind == .notEncodable("its value is not an object, which could contain the tag"))
    }

    @Test(arguments: ["6", "'", "[", "{", "-", "n", "x", ":", ","])
    func `a tag without its opening quote is malformed`(_ byte: String) {
        for text in ["{\"type\":\(byte)plain\",\"id\":1}", "{\"id\":1,\"type\":\(byte)plain\"}"] {
            let errors = JSONModelDecoder.Source.allCases.map { source in
                #expect(throws: JSONModelError.self) {
                    try JSONModelDecoder(from: source).decode([Tagged].self, from: "[" + text + "]")
                }
            }
            #expect(Set(errors.map { $0?.description }).count == 1, "\(errors)")
        }
    }

    @Test func `a late tag is not an unknown key of the payload`() throws {
        for text in [#"{"type":"plain","id":1}"#, #"{"id":1,"type":"plain"}"#] {
            #expect(try decode(Tagged.self, text) == .plain(Plain(id: 1)))
        }
    }

    @Test func `a late tag is not a key of a dictionary payload`() throws {
        for text in [
            #"{"type":"table","a":1,"b":2}"#, #"{"a":1,"type":"table","b":2}"#, #"{"a":1,"b":2,"type":"table"}"#,
        ] { #expect(try decode(Tagged.self, text) == .table(["a": 1, "b": 2])) }
    }

    @Test(arguments: [
        (#"{"type":"plain","id":1,"type":"plain"}"#, 23), (#"{"id":1,"type":"plain","type":"plain"}"#, 23),
        (#"{"id":1,"type":"plain","x":2,"type":"plain"}"#, 29),
    ])
    func `a repeated tag that is rejected is located at its key`(_ text: String, _ offset: Int) throws {
        let decoder = JSONModelDecoder.with { $0.duplicateKeys = .reject }
        let issue = try refusal(Loose.self, text, with: decoder)
        #expect((issue.kind, issue.path) == (.duplicateKey("type"), "type"))
        #expect(issue.location.offset == offset)
    }

    /// An enum whose payloads are recorded as a whole.
    enum Loose: JSONEnum {
        case plain(JSONLazy<Plain>)
        case list(JSONLazy<[Int]>)
        static let plan = ModelPlan<Loose>(
            cases: [.of("plain", Self.plain), .of("list", Self.list)], tagging: .internal(tag: "type"))
    }

    @Test func `a payload with a position has the members beside the tag`() throws {
        typealias Located = One<Internal, JSONPositioned<Plain>>
        for text in [#"{"type":"one","id":1}"#, #"{"id":1,"type":"one"}"#] {
            guard case .one(let located) = try decode(Located.self, text) else { continue }
            #expect(located.value == Plain(id: 1))
        }
    }

    @Test func `an error in a late tag is located at the tag`() throws {
        let unknown = try refusal([Tagged].self, "[{\"id\":1,\n \"type\":\"other\"}]")
        #expect((unknown.path, unknown.location.line, unknown.location.column) == ("[0].type", 2, 9))
        let mismatch = try refusal(Tagged.self, #"{"id":1,"type":5}"#)
        #expect(mismatch.kind == .typeMismatch(expected: "a string", found: "a number"))
        #expect((mismatch.path, mismatch.location.offset) == ("type", 15))
        let missing = try refusal(Tagged.self, #"{"id":1}"#)
        #expect((missing.kind, missing.location.offset) == (.missingKeys(["type"]), 7))
        #expect(missing.excerpt.hasPrefix(#"{"id":1}"#))
        // The excerpt of a container that was recorded ends with its bracket.
        let container = try refusal(Tagged.self, #"{"id":[1,2],"type":"plain"}"#)
        #expect(container.excerpt == "{\"id\":[\n      ^")
    }

    struct Place: Codable { let name: String }

    /// Payloads that receive the object as it is.
    enum AsItIs: JSONEnum {
        case codable(Labelled)
        static let plan = ModelPlan<AsItIs>(
            cases: [
                JSONCase(
                    "codable", payload: Labelled.self, make: { .codable($0) }, read: JSONCase.reader(of: "codable"))
            ], tagging: .internal(tag: "type"))
    }

    struct Labelled: Codable, Equatable {
        let type: String?
        let x: Int
        struct Keys: CodingKey {
            let stringValue: String
            var intValue: Int? { nil }
            init?(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }
        init(from decoder: any Decoder) throws {
            let keys = try decoder.container(keyedBy: Keys.self)
            (type, x) = (
                try keys.decodeIfPresent(String.self, forKey: Keys(stringValue: "type")!),
                try keys.decode(Int.self, forKey: Keys(stringValue: "x")!)
            )
            count = keys.allKeys.count
        }
        var count = 0
        func encode(to encoder: any Encoder) throws {}
    }

    @Test func `a payload that receives the object has the first tag only`() throws {
        for text in [
            #"{"x":1,"type":"codable","y":[2],"type":"b"}"#, #"{"type":"codable","x":1,"type":"b","y":2}"#,
            #"{"x":1,"y":2,"type":"codable","type":"other"}"#,
        ] {
            for feed in Feed.all() {
                guard
                    case .codable(let value) = try feed.decode(
                        AsItIs.self, Array(text.utf8), with: JSONModelDecoder())
                else {
                    Issue.record("\(text)")
                    continue
                }
                #expect(value.x == 1 && value.count == (value.type == nil ? 2 : 3), "\(feed): \(text)")
                #expect(value.type == nil || value.type == "codable", "\(feed): \(text)")
            }
        }
        // The location of an issue is that in the input.
        let issue = try refusal(AsItIs.self, "{\"y\":1,\n\"type\":\"codable\",\"type\":\"b\",\n  \"x\":true}")
        #expect((issue.path, issue.location.line, issue.location.column) == ("x", 3, 7))
    }

    struct Parts: JSONModel {
        let loose: Loose
        let place: Place
        static let plan = ModelPlan<Parts>(JSONField(\.loose), JSONField(\.place))
    }

    @Test func `the hint of a missing tag names no key of an outer object`() throws {
        let path = try refusal(Tagged.self, #"{"typ":1,"shape":{"id":2}}"#, at: "shape")
        #expect(path.kind == .missingKeys(["type"]) && path.hint == nil)
        let recorded = try refusal(Parts.self, #"{"typ":1,"loose":{"id":2}}"#)
        #expect(recorded.kind == .missingKeys(["type"]) && recorded.hint == nil)
        // The same applies to a key of a value that is decoded by its initializer.
        let place = try refusal(Parts.self, #"{"nam":1,"place":{"id":2}}"#)
        #expect(place.kind == .missingKeys(["name"]) && place.hint == nil)
    }

    @Test func `an enum in the payload has a tag of its own`() throws {
        enum Outer: JSONEnum, Equatable {
            case same(Tagged)
            case other(Other)
            static let plan = ModelPlan<Outer>(
                cases: [.of("same", Self.same), .of("other", Self.other)], tagging: .internal(tag: "type"))
        }
        enum Other: JSONEnum, Equatable {
            case plain(Plain)
            static let plan = ModelPlan<Other>(cases: [.of("plain", Self.plain)], tagging: .internal(tag: "kind"))
        }
        for text in [
            #"{"type":"other","kind":"plain","id":1}"#, #"{"id":1,"kind":"plain","type":"other"}"#,
            #"{"kind":"plain","type":"other","id":1}"#,
        ] { #expect(try decode(Outer.self, text) == .other(.plain(Plain(id: 1)))) }
        // An enum with the same tag receives the tag of the outer enum.
        for text in [#"{"type":"same","id":1}"#, #"{"id":1,"type":"same"}"#, #"{"type":"same","type":"plain"}"#] {
            #expect(
                try refusal(Outer.self, text).kind
                    == .invalidValue(
                        expected: #"one of "named", "plain", "table""#, reason: #""same" is not one of its cases"#))
        }
    }

    enum Kinded: JSONEnum, Equatable {
        case named(Named)
        case tagged(Tagged)
        static let plan = ModelPlan<Kinded>(
            cases: [.of("named", Self.named), .of("tagged", Self.tagged)], tagging: .internal(tag: "kind"))
    }

    enum Around: JSONEnum, Equatable {
        case plain(Kinded)
        static let plan = ModelPlan<Around>(cases: [.of("plain", Self.plain)], tagging: .internal(tag: "type"))
    }

    /// A payload whose values pass a hook.
    struct Hooked: JSONModel, JSONValueHook, Equatable {
        let type: String
        let id: Int
        static let plan = ModelPlan<Hooked>(JSONField(\.type), JSONField(\.id))
        static func transform(_ value: JSONValue?, for property: String) throws -> JSONValue? { value }
    }

    typealias AroundHooked = One<Internal, One<InternalKind, Hooked>>

    @Test func `a payload with a value hook receives the tag of an outer enum`() throws {
        let expected = AroundHooked.one(.one(Hooked(type: "one", id: 1)))
        for source in JSONModelDecoder.Source.allCases {
            for text in [
                #"{"type":"one","kind":"one","id":1}"#, #"{"kind":"one","type":"one","id":1}"#,
                #"{"id":1,"kind":"one","type":"one"}"#,
            ] { #expect(try JSONModelDecoder(from: source).decode(AroundHooked.self, from: text) == expected) }
        }
    }

    @Test func `a payload of an enum in an enum receives the tags of both`() throws {
        let named = Around.plain(.named(Named(type: "plain", id: 1)))
        let text = #"{"type":"plain","kind":"named","id":1}"#
        #expect(try encode(named) == text)
        for text in [
            text, #"{"kind":"named","type":"plain","id":1}"#, #"{"id":1,"kind":"named","type":"plain"}"#,
            #"{"type":"plain","id":1,"kind":"named"}"#,
        ] { #expect(try decode(Around.self, text) == named) }
        let tagged = Around.plain(.tagged(.plain(Plain(id: 1))))
        let other = #"{"type":"plain","kind":"tagged","id":1}"#
        #expect(try encode(tagged) == other)
        for text in [other, #"{"id":1,"kind":"tagged","type":"plain"}"#] {
            #expect(try decode(Around.self, text) == tagged)
        }
    }

    // MARK: Adjacent

    enum Content: JSONEnum, Equatable {
        case plain(Plain)
        case other(String)
        static let plan = ModelPlan<Content>(
            cases: [.of("plain", Self.plain), .of("other", Self.other)], tagging: .adjacent(tag: "t", content: "c"),
            fallback: "other")
    }

    @Test func `the content of an unknown case is ignored before and after the tag`() throws {
        for text in [#"{"t":"oval","c":{}}"#, #"{"c":{},"t":"oval"}"#] {
            #expect(try decode(Content.self, text) == .other("oval"))
        }
    }

    @Test func `a key before a late tag may have an escape`() throws {
        let event = Event.a(.init(id: 3, xs: [1, 2]))
        #expect(try decode(Event.self, #"{"\u0078s":[1,2],"id":3,"t":"a"}"#) == event)
        #expect(
            try decode([Event].self, #"[{"\u0078s":[1,2],"id":3,"t":"a"},{"t":"a","id":3,"xs":[1,2]}]"#) == [
                event, event,
            ])
        #expect(try decode(Content.self, #"{"\u0063":{"id":1},"x":[{}],"t":"plain"}"#) == .plain(Plain(id: 1)))
    }

    // MARK: Failures inside

    struct Lossy: JSONModel, Equatable {
        let list: [Tagged]
        static let plan = ModelPlan<Lossy>(JSONField(\.list).lossy())
    }

    @Test func `a lossy container drops an element that fails in a replay`() throws {
        let text = #"{"list":[{"id":[],"type":"plain"},{"id":2,"type":"plain"},{"x":1,"type":"plain","id":3}]}"#
        for decoder in [JSONModelDecoder(), .collecting] {
            let (value, issues) = try reported(Lossy.self, text, with: decoder)
            #expect(value.list == [.plain(Plain(id: 2))])
            #expect(issues.brief == ["list[0].id: an integer, not an array", "list[2].x: unknown x"])
        }
    }

    @Test func `a lossy container drops an element of which a part fails in a replay`() throws {
        struct Box: JSONModel, Equatable {
            let tagged: Tagged
            let n: Int
            static let plan = ModelPlan<Box>(JSONField(\.tagged), JSONField(\.n))
        }
        struct Boxes: JSONModel, Equatable {
            let list: [[Box]]
            let n: Int
            static let plan = ModelPlan<Boxes>(JSONField(\.list).lossy(), JSONField(\.n))
        }
        let good = #"{"tagged":{"id":2,"type":"plain"},"n":1}"#
        let bad = #"{"tagged":{"id":[],"type":"plain","x":[{}]},"n":[{"n":5}]}"#
        let (value, issues) = try reported(
            Boxes.self, #"{"list":[[\#(good)],[\#(good),\#(bad),\#(good)],[\#(good)]],"n":3}"#)
        let box = Box(tagged: .plain(Plain(id: 2)), n: 1)
        #expect(value == Boxes(list: [[box], [box]], n: 3))
        #expect(issues.map(\.path) == ["list[1][1].tagged.id"])
    }

    // MARK: Hooks

    enum Checked: JSONEnum, JSONHooks, Equatable {
        case plain(Plain)
        static let plan = ModelPlan<Checked>(cases: [.of("plain", Self.plain)], tagging: .internal(tag: "type"))

        struct Refused: Error {}

        func validate() throws { if case .plain(let plain) = self, plain.id < 0 { throw Refused() } }
    }

    @Test func `the hooks of an enum are called for every tagging`() throws {
        #expect(try decode(Checked.self, #"{"type":"plain","id":1}"#) == .plain(Plain(id: 1)))
        for text in [#"{"type":"plain","id":-1}"#, #"{"id":-1,"type":"plain"}"#] {
            #expect(try refusal(Checked.self, text).underlying is Checked.Refused)
        }
    }

    enum Switch: JSONEnum, Equatable {
        case on
        case level(Int)
        static let plan = ModelPlan<Switch>(cases: [.of("on", .on), .of("level", Self.level)])
    }

    typealias Device = One<Internal, Switch>

    @Test(arguments: [(Switch.on, #"{"type":"one","on":null}"#), (.level(1), #"{"type":"one","level":1}"#)])
    func `the name of a case without a value is a member beside a tag`(_ payload: Switch, _ text: String) throws {
        let device = Device.one(payload)
        #expect(try encode(device) == text)
        #expect(try decode(Device.self, text) == device)
        #expect(try JSONModelEncoder().encode([device], as: .value).array == [JSONValue(parsing: text)])
    }

    // MARK: Payloads with extra keys and flattened enums

    enum Signal: JSONEnum, Equatable {
        case level(Int)
        case other([String: JSONValue])
        static let plan = ModelPlan<Signal>(
            cases: [.of("level", Self.level), .of("other", Self.other)], tagging: .adjacent(tag: "t", content: "c"),
            fallback: "other")
    }

    enum Lamp: JSONEnum, Equatable {
        case level(Int)
        static let plan = ModelPlan<Lamp>(
            cases: [.of("level", Self.level)], tagging: .adjacent(tag: "t", content: "c"))
    }

    struct Open: JSONModel, Equatable {
        let lamp: Lamp?
        let rest: [String: JSONValue]
        static let plan = ModelPlan<Open>(JSONField(flatten: \.lamp), JSONField(extra: \.rest))
    }

    struct Signalled: JSONModel, Equatable {
        let signal: Signal
        static let plan = ModelPlan<Signalled>(JSONField(flatten: \.signal))
    }

    enum Gathering: JSONEnum, Equatable {
        case open(Open)
        case signal(Signalled)
        static let plan = ModelPlan<Gathering>(
            cases: [.of("open", Self.open), .of("signal", Self.signal)], tagging: .internal(tag: "type"))
    }

    @Test(arguments: [
        (#""type":"open","t":"level","c":5,"x":1"#, Gathering.open(Open(lamp: .level(5), rest: ["x": 1]))),
        (#""x":1,"t":"level","c":5,"type":"open""#, .open(Open(lamp: .level(5), rest: ["x": 1]))),
        (#""x":1,"type":"open""#, .open(Open(lamp: nil, rest: ["x": 1]))),
        (#""t":"level","c":5,"type":"signal""#, .signal(Signalled(signal: .level(5)))),
        (#""type":"signal","t":"new","c":5"#, .signal(Signalled(signal: .other(["t": "new", "c": 5])))),
    ])
    func `the tag is no extra key of a payload with a flattened enum, and no key of this enum`(
        _ members: String, _ expected: Gathering
    ) throws {
        let decoder = JSONModelDecoder.with { $0.unknownKeys = .reject }
        #expect(try decode(Gathering.self, "{\(members)}", with: decoder) == expected)
        #expect(try decode(Gathering.self, encode(expected)) == expected)
        for text in [#"{"kind":"one",\#(members)}"#, #"{\#(members),"kind":"one"}"#] {
            #expect(try decode(One<InternalKind, Gathering>.self, text, with: decoder) == .one(expected))
        }
    }

    enum Unsorted: JSONEnum, Equatable {
        case empty
        case other(Gathering)
        static let plan = ModelPlan<Unsorted>(
            cases: [.of("empty", .empty), .of("other", Self.other)], tagging: .internal(tag: "kind"),
            fallback: "other")
    }

    @Test func `a fallback with a payload that has extra keys keeps the unknown tag`() throws {
        let expected = Unsorted.other(.open(Open(lamp: nil, rest: ["kind": "new", "x": 1])))
        for text in [#"{"kind":"new","type":"open","x":1}"#, #"{"x":1,"type":"open","kind":"new"}"#] {
            #expect(try decode(Unsorted.self, text) == expected)
        }
        #expect(try decode(Unsorted.self, encode(expected)) == expected)
    }

    // MARK: Duplicate keys

    @Test func `keys that convert to equal values are duplicates`() throws {
        let decoder = JSONModelDecoder.with { $0.duplicateKeys = .reject }
        let integers = try refusal([Int: Int].self, #"{"1":1,"2":2,"01":3}"#, with: decoder)
        #expect((integers.kind, integers.location.offset) == (.duplicateKey("01"), 13))
        let strings = try refusal([String: Int].self, "{\"\u{E9}\":1,\"e\u{301}\":2}", with: decoder)
        #expect(strings.kind == .duplicateKey("e\u{301}"))
        #expect(try decode([Int: Int].self, #"{"1":1,"01":3}"#) == [1: 3])
    }
}
