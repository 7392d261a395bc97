import SluiceCore
import SluiceStreams
import TestSupport
import Testing

/// Flattened enums, whose keys are in the object of the outer model.
@Suite(.tags(.enums, .flatten)) struct FlattenedEnumTests {
    struct Push: JSONModel, Equatable {
        var ref: String
        var size: Int?
        static let plan = ModelPlan<Push>([JSONField(\.ref), JSONField(\.size)])
    }

    struct Issue: JSONModel, Equatable {
        var kind: String
        var number: Int
        var user: String?
        static let plan = ModelPlan<Issue>([
            JSONField(\.kind, key: "type"), JSONField(\.number), JSONField(\.user, key: "user.login"),
        ])
    }

    enum Action<T: Tagging>: JSONEnum, Equatable {
        case push(Push)
        case issue(Issue)
        case ping
        static var plan: ModelPlan<Action> {
            .shared {
                ModelPlan(
                    cases: [.of("push", Self.push), .of("issue", Self.issue), .of("ping", .ping)],
                    tagging: T.tagging)
            }
        }
    }

    struct Event<T: Tagging>: JSONModel, Equatable {
        var id: Int
        var action: Action<T>
        var login: String?
        static var plan: ModelPlan<Event> {
            .shared {
                ModelPlan([JSONField(\.id), JSONField(flatten: \.action), JSONField(\.login, key: "user.login")])
            }
        }
    }

    struct Maybe<T: Tagging>: JSONModel, Equatable {
        var id: Int
        var action: Action<T>?
        var rest: [String: JSONValue]
        static var plan: ModelPlan<Maybe> {
            .shared { ModelPlan([JSONField(\.id), JSONField(flatten: \.action), JSONField(extra: \.rest)]) }
        }
    }

    @Test func `the tag selects the payload beside the keys of the model`() throws {
        let expected = Event<Internal>(id: 1, action: .push(Push(ref: "main", size: 2)), login: "ann")
        for text in [
            #"{"id":1,"type":"push","ref":"main","size":2,"user":{"login":"ann"}}"#,
            #"{"ref":"main","size":2,"user":{"login":"ann"},"type":"push","id":1}"#,
            #"{"x":[{"id":5}],"ref":"main","user":{"login":"ann"},"size":2,"id":1,"type":"push","y":{}}"#,
        ] { #expect(try decode(Event<Internal>.self, text) == expected) }
        #expect(
            try decode([Event<Internal>].self, #"[{"id":1,"type":"ping"},{"type":"ping","id":2}]"#) == [
                Event(id: 1, action: .ping), Event(id: 2, action: .ping),
            ])
    }

    @Test func `a flattened enum that is ignored in one direction is a defect`() {
        struct Silent: JSONModel {
            let id: Int
            let action: Action<Internal>
            static let plan = ModelPlan<Silent>(JSONField(\.id), JSONField(flatten: \.action).ignored(.encoding))
        }
        #expect(defect(of: Silent.self) == "'action' is a flattened enum, which cannot be ignored in one direction")
    }

    struct WideEvent: JSONModel, Equatable {
        let wide: Wide
        let action: Action<Internal>
        let last: Int
        static let plan = ModelPlan<WideEvent>(
            JSONField(flatten: \.wide), JSONField(flatten: \.action), JSONField(\.last))
    }

    @Test func `a model with an enum may have more than 64 fields`() throws {
        let ping = "{" + Wide.members().joined(separator: ",") + #","type":"ping""#
        let event = try decode(WideEvent.self, ping + #","last":5}"#)
        #expect(event.action == .ping)
        #expect(event.last == 5)
        let push = try decode(WideEvent.self, ping.replacing("ping", with: "push") + #","ref":"main","last":6}"#)
        #expect(push.action == .push(Push(ref: "main")))
        #expect(push.wide == event.wide)
        #expect(try refusal(WideEvent.self, ping + "}").kind == .missingKeys(["last"]))
        let less = "{" + Wide.members { $0 != 100 }.joined(separator: ",") + #","last":5,"type":"ping"}"#
        #expect(try refusal(WideEvent.self, less).kind == .missingKeys(["f100"]))
    }

    @Test func `the model and the payload both receive a shared key`() throws {
        let text = #"{"user":{"login":"ann"},"number":3,"id":1,"type":"issue"}"#
        let expected = Event<Internal>(
            id: 1, action: .issue(Issue(kind: "issue", number: 3, user: "ann")), login: "ann")
        #expect(try decode(Event<Internal>.self, text) == expected)
    }

    @Test func `every tagging can be flattened`() throws {
        #expect(
            try decode(Event<Adjacent>.self, #"{"c":{"ref":"main"},"id":1,"t":"push"}"#)
                == Event(id: 1, action: .push(Push(ref: "main"))))
        #expect(
            try decode(Event<External>.self, #"{"id":1,"push":{"ref":"main"}}"#)
                == Event(id: 1, action: .push(Push(ref: "main"))))
        #expect(
            try decode(Event<Untagged>.self, #"{"id":1,"number":3,"type":"x"}"#)
                == Event(id: 1, action: .issue(Issue(kind: "x", number: 3))))
    }

    @Test func `the error of an optional enum without tags names the enum`() throws {
        struct Perhaps: JSONModel, Equatable {
            var id: Int
            var action: Action<Untagged>?
            static let plan = ModelPlan<Perhaps>([JSONField(\.id), JSONField(flatten: \.action)])
        }
        let issue = try refusal(Perhaps.self, #"{"id":1,"ref":5}"#)
        #expect(
            issue.kind.name == "invalidValue"
                && issue.description.contains("expected one of the cases of Action<Untagged>"))
    }

    @Test func `an optional enum is nil without its tag`() throws {
        #expect(
            try decode(Maybe<Internal>.self, #"{"id":1,"ref":"main","x":2}"#)
                == Maybe(id: 1, action: nil, rest: ["ref": "main", "x": 2]))
        #expect(
            try decode(Maybe<Internal>.self, #"{"id":1,"ref":"main","x":2,"type":"push"}"#)
                == Maybe(id: 1, action: .push(Push(ref: "main")), rest: ["x": 2]))
        #expect(try decode(Maybe<External>.self, #"{"id":1}"#) == Maybe(id: 1, action: nil, rest: [:]))
    }

    @Test func `each of several optional enums may be missing`() throws {
        enum State: JSONEnum, Equatable {
            case open(Push)
            case closed
            static let plan = ModelPlan<State>(
                cases: [.of("open", Self.open), .of("closed", .closed)], tagging: .internal(tag: "state"))
        }
        struct Both: JSONModel, Equatable {
            var action: Action<Internal>?
            var state: State?
            static let plan = ModelPlan<Both>([JSONField(flatten: \.action), JSONField(flatten: \.state)])
        }
        #expect(try decode(Both.self, #"{"state":"closed"}"#) == Both(state: .closed))
        #expect(try decode(Both.self, #"{"type":"ping"}"#) == Both(action: .ping))
        let push = Push(ref: "r")
        #expect(
            try decode(Both.self, #"{"ref":"r","state":"open","type":"push"}"#)
                == Both(action: .push(push), state: .open(push)))
        #expect(try decode(Both.self, "{}") == Both())
    }

    @Test func `issues have the path and location of the key in the outer object`() throws {
        let missing = try refusal(Event<Internal>.self, #"{"id":1,"ref":"main"}"#)
        #expect(missing.kind == .missingKeys(["type"]))
        let unknown = try refusal(Event<Internal>.self, #"{"id":1,"type":"merge"}"#)
        #expect((unknown.path, unknown.location.offset) == ("type", 15))
        let inside = try refusal(
            [Event<Internal>].self, "[\n{\"size\":\"a\",\"ref\":\"b\",\"id\":1,\"type\":\"push\"}]")
        #expect(inside.kind == .typeMismatch(expected: "an integer", found: "a string"))
        #expect((inside.path, inside.location.line, inside.location.column) == ("[0].size", 2, 9))
        #expect(inside.excerpt.contains(#""size":"a""#))
        let own = try refusal(Event<Internal>.self, #"{"id":"1","type":"ping"}"#)
        #expect((own.path, own.property) == ("id", "id"))
        #expect(try refusal(Event<Internal>.self, #"{"type":"ping"}"#).kind == .missingKeys(["id"]))
        #expect(
            try refusal(Event<Internal>.self, "5").kind == .typeMismatch(expected: "an object", found: "a number"))
    }

    @Test func `unknown keys are refused once`() throws {
        var decoder = JSONModelDecoder()
        decoder.unknownKeys = .reject
        let text = #"{"id":1,"type":"push","ref":"main","user":{"login":"a"}}"#
        #expect(try decode(Event<Internal>.self, text, with: decoder).login == "a")
        let issue = try refusal(Event<Internal>.self, #"{"id":1,"type":"push","ref":"main","x":2}"#, with: decoder)
        #expect((issue.kind, issue.path) == (.unknownKey("x"), "x"))
        // A key of another case.
        let other = try refusal(
            Event<Internal>.self, #"{"id":1,"type":"push","ref":"main","number":2}"#, with: decoder)
        #expect((other.kind, other.path) == (.unknownKey("number"), "number"))
        decoder.errorPolicy = .collect(limit: 9)
        let collected = try refusal(
            Event<Internal>.self, #"{"id":1,"x":2,"type":"push","ref":"main"}"#, with: decoder)
        #expect(collected.kind == .unknownKey("x"))
    }

    struct Sealed<T: Tagging>: JSONModel, Equatable {
        var id: Int
        var action: Action<T>?
        static var plan: ModelPlan<Sealed> {
            .shared { ModelPlan([JSONField(\.id), JSONField(flatten: \.action)], unknownKeys: .reject) }
        }
    }

    @Test(arguments: [JSONUnknownKeys.ignore, .report, .reject])
    func `a model rejects the keys of other cases, whatever the option of the enum is`(_ option: JSONUnknownKeys)
        throws
    {
        let decoder = JSONModelDecoder.with { ($0.unknownKeys, $0.errorPolicy) = (option, .collect(limit: 9)) }
        func check<T: Tagging>(_: T.Type, _ known: String, _ action: Action<T>?) throws {
            let sealed = Sealed<T>(id: 1, action: action)
            #expect(try decode(Sealed<T>.self, #"{"id":1\#(known)}"#, with: decoder) == sealed)
            for text in [#"{"id":1\#(known),"number":2}"#, #"{"number":2,"id":1\#(known)}"#] {
                let issues = try refusals(Sealed<T>.self, text, with: decoder)
                #expect(issues.map(\.kind) == [.unknownKey("number")] && issues[0].path == "number")
                let rest = text.utf8.dropFirst(issues[0].location.offset)
                #expect(rest.starts(with: #""number""#.utf8), "\(issues)")
            }
        }
        try check(Internal.self, #","type":"push","ref":"a""#, .push(Push(ref: "a")))
        try check(Internal.self, #","type":"ping""#, .ping)
        try check(Internal.self, "", nil)
        // With the decoder's option, a case that rejects a key does not fit.
        if option != .reject { try check(Untagged.self, #","ref":"a""#, .push(Push(ref: "a"))) }
    }

    @Test(arguments: [JSONUnknownKeys.ignore, .report, .reject])
    func `extra keys include the keys of other cases`(_ option: JSONUnknownKeys) throws {
        let decoder = JSONModelDecoder.with { $0.unknownKeys = option }
        func check<T: Tagging>(
            _: T.Type, _ known: String, _ action: Action<T>?, sourceLocation: SourceLocation = #_sourceLocation
        ) throws {
            let expected = Maybe<T>(id: 1, action: action, rest: ["number": 2, "x": [3]])
            for text in [#"{"id":1\#(known),"number":2,"x":[3]}"#, #"{"x":[3],"number":2,"id":1\#(known)}"#] {
                #expect(try decode(Maybe<T>.self, text, with: decoder) == expected, sourceLocation: sourceLocation)
                let (value, issues) = try reported(Maybe<T>.self, text, with: decoder)
                #expect(value == expected && issues.isEmpty, "\(issues)", sourceLocation: sourceLocation)
            }
            try expectRoundTrip(expected)
        }
        try check(Internal.self, #","type":"push","ref":"a""#, .push(Push(ref: "a")))
        try check(Internal.self, #","type":"ping""#, .ping)
        try check(Internal.self, "", nil)
        try check(External.self, #","push":{"ref":"a"}"#, .push(Push(ref: "a")))
        try check(Adjacent.self, #","c":{"ref":"a"},"t":"push""#, .push(Push(ref: "a")))
        try check(Untagged.self, #","ref":"a""#, .push(Push(ref: "a")))
    }

    @Test func `a patch adds the keys of other cases to the extra keys`() throws {
        var maybe = Maybe<Internal>(id: 1, action: .push(Push(ref: "a")), rest: ["number": 2])
        try JSONModelDecoder().merge(#"{"ref":"b","number":null,"user":{}}"#, into: &maybe, options: .mergePatch)
        #expect(maybe == Maybe(id: 1, action: .push(Push(ref: "b")), rest: ["user": [:]]))
    }

    @Test func `every issue of the model and the enum is collected`() throws {
        let decoder = JSONModelDecoder.with { $0.errorPolicy = .collect(limit: 9) }
        let error = #expect(throws: JSONModelError.self) {
            try decoder.decode(
                [Event<Internal>].self, from: #"[{"id":"1","type":"push","ref":2},{"id":1,"type":"?"}]"#)
        }
        #expect(error?.issues.map(\.path) == ["[0].id", "[0].ref", "[1].type"])
    }

    @Test(arguments: [#"[{"type":"push","x":2}]"#, #"[{"x":2,"type":"push"}]"#])
    func `a model whose enum is incomplete has one issue, at any position of the tag`(_ text: String) throws {
        let issues = try refusals([Event<Internal>].self, text, with: .collecting)
        #expect(issues.brief == ["[0]: lacks ref"])
    }

    @Test(arguments: [#"[{"type":"one","label":3,"id":1}]"#, #"[{"label":3,"id":1,"type":"one"}]"#])
    func `the same applies to a fallback key of the payload, whose issue waits for the end of the object`(
        _ text: String
    ) throws {
        struct Name: JSONModel, Equatable {
            let mark: String?
            static let plan = ModelPlan<Name>([JSONField(\.mark, key: "mark", or: "label")])
        }
        struct Model: JSONModel, Equatable {
            let id: Int
            let named: One<Internal, Name>
            let last: Int
            static let plan = ModelPlan<Model>([JSONField(\.id), JSONField(flatten: \.named), JSONField(\.last)])
        }
        let issues = try refusals([Model].self, text, with: .collecting)
        #expect(issues.brief == ["[0].label: a string, not a number", "[0]: lacks last"])
    }

    @Test(arguments: [#"[{"type":"circle","x":2}]"#, #"[{"x":2,"type":"circle"}]"#])
    func `the same applies to an enum that keeps unknown cases`(_ text: String) throws {
        typealias Model = Around<Shape<Internal, ToWhole<JSONValue>>>
        #expect(try refusals([Model].self, text, with: .collecting).brief == ["[0]: lacks radius"])
        #expect(
            try decode(Model.self, #"{"id":1,"type":"x","y":2}"#)
                == Model(id: 1, group: .whole(["type": "x", "y": 2])))
    }

    @Test func `the members of the enum are written into the outer object`() throws {
        let event = Event<Internal>(id: 1, action: .push(Push(ref: "a\"b", size: 2)), login: "ann")
        #expect(try encode(event) == #"{"id":1,"user":{"login":"ann"},"type":"push","ref":"a\"b","size":2}"#)
        let pretty = JSONModelEncoder.with { $0.formatting = .pretty }
        #expect(try encode([event], with: pretty) == encode(JSONValue(parsing: encode([event])), with: pretty))
        let pushed = Maybe<Adjacent>(id: 1, action: .push(Push(ref: "a")), rest: [:])
        #expect(try encode(pushed) == #"{"id":1,"t":"push","c":{"ref":"a"}}"#)
        #expect(try encode(pushed, with: pretty) == encode(JSONValue(parsing: encode(pushed)), with: pretty))
        let maybe = Maybe<Adjacent>(id: 1, action: .push(Push(ref: "a")), rest: ["z": [1]])
        #expect(try encode(maybe) == #"{"id":1,"t":"push","c":{"ref":"a"},"z":[1]}"#)
        #expect(try encode(Maybe<Adjacent>(id: 1, action: nil, rest: [:])) == #"{"id":1}"#)
        try expectRoundTrip(event)
        try expectRoundTrip(maybe)
        try expectRoundTrip(Event<External>(id: 1, action: .push(Push(ref: "x"))))
        try expectRoundTrip(Event<Untagged>(id: 1, action: .push(Push(ref: "x"))))
    }

    @Test func `a shared key of the model and the payload is written once`() throws {
        let issue = Issue(kind: "issue", number: 3, user: "ann")
        let event = Event<Internal>(id: 1, action: .issue(issue), login: "ann")
        #expect(try encode(event) == #"{"id":1,"user":{"login":"ann"},"type":"issue","number":3}"#)
    }

    struct Pair: JSONModel, Equatable {
        var first: Action<Internal>
        var second: Action<External>?
        var third: Action<Untagged>
        static let plan = ModelPlan<Pair>([
            JSONField(flatten: \.first), JSONField(flatten: \.second), JSONField(flatten: \.third),
        ])
    }

    @Test func `a shared key of two payloads is written once`() throws {
        let pair = Pair(first: .push(Push(ref: "a")), second: .ping, third: .push(Push(ref: "b", size: 2)))
        #expect(try encode(pair) == #"{"type":"push","ref":"a","ping":null,"size":2}"#)
    }

    @Test func `the key of another case is no suggestion for itself`() throws {
        let decoder = JSONModelDecoder.with { $0.unknownKeys = .reject }
        for text in [#"{"type":"ping","ref":"a","id":1}"#, #"{"ref":"a","id":1,"type":"ping"}"#] {
            let issue = try refusal(Event<Internal>.self, text, with: decoder)
            #expect((issue.kind, issue.hint) == (.unknownKey("ref"), nil))
        }
    }

    struct Labelled: JSONModel, Equatable {
        var ref: String?
        var id: Int
        var action: Action<Internal>
        static let plan = ModelPlan<Labelled>([JSONField(\.ref), JSONField(\.id), JSONField(flatten: \.action)])
    }

    @Test func `a shared key is that of the payload if the model's property is nil`() throws {
        let push = Action<Internal>.push(Push(ref: "main"))
        #expect(try encode(Labelled(ref: nil, id: 1, action: push)) == #"{"id":1,"type":"push","ref":"main"}"#)
        #expect(try encode(Labelled(ref: "own", id: 1, action: push)) == #"{"ref":"own","id":1,"type":"push"}"#)
    }

    @Test func `a shared key is that of the payload also inside of arrays of objects`() throws {
        struct Note: JSONModel, Equatable {
            var notes: Int?
            static let plan = ModelPlan<Note>([JSONField(\.notes)])
        }
        struct Row: JSONModel, Equatable {
            var notes: [String]?
            var kind: One<Internal, Note>
            static let plan = ModelPlan<Row>([JSONField(\.notes, key: "notes[*].text"), JSONField(flatten: \.kind)])
        }
        struct Table: JSONModel, Equatable {
            var rows: [Row]
            static let plan = ModelPlan<Table>([JSONField(\.rows, key: "rows[*].row")])
        }
        let table = Table(rows: [Row(notes: nil, kind: .one(Note(notes: 5)))])
        #expect(try encode(table) == #"{"rows":[{"row":{"type":"one","notes":5}}]}"#)
        let other = Table(rows: [Row(notes: ["a"], kind: .one(Note(notes: 5)))])
        #expect(try encode(other) == #"{"rows":[{"row":{"notes":[{"text":"a"}],"type":"one"}}]}"#)
    }

    @Test func `a snapshot of a model with an enum lists the enum and the extra keys`() throws {
        for source in JSONModelDecoder.Source.allCases {
            var feed = JSONModelDecoder.with { $0.source = source }.feed(of: Maybe<Adjacent>.self)
            _ = try feed.push(Array(#"{"id":1,"x":2,"t":"ping"}"#.utf8))
            let properties = feed.snapshot().properties
            #expect(properties.map(\.name) == ["id", "action", "rest"])
            #expect(properties.map(\.state) == [.complete, .complete, .complete])
        }
    }

    @Test func `a case that is not an object cannot be written`() throws {
        let issue = try encodingRefusal([Event<Untagged>(id: 1, action: .ping)])
        #expect(issue.path == "[0]")
        #expect(issue.property == "action")
    }

    @Test func `a patch changes the payload`() throws {
        var event = Event<Internal>(id: 1, action: .push(Push(ref: "main", size: 2)), login: "ann")
        try JSONModelDecoder().merge(#"{"ref":"next","size":null}"#, into: &event, options: .mergePatch)
        #expect(event == Event(id: 1, action: .push(Push(ref: "next")), login: "ann"))
        var events = ["a": event]
        try JSONModelDecoder().merge(
            #"{"a":{"type":"issue","number":4,"ref":null}}"#, into: &events, options: .mergePatch)
        #expect(events["a"]?.action == .issue(Issue(kind: "issue", number: 4, user: "ann")))
    }

    @Test func `elements of a stream may have flattened enums`() throws {
        for decoder in JSONModelDecoder.ofEverySource {
            var found: [Event<Internal>] = []
            let text = #"{"list":[{"id":1,"type":"ping"},{"ref":"r","type":"push","id":2}]}"#
            _ = try decoder.forEach(Event<Internal>.self, in: Array(text.utf8), at: "list[*]") { found.append($0) }
            #expect(found == [Event(id: 1, action: .ping), Event(id: 2, action: .push(Push(ref: "r")))])
        }
    }

    // MARK: Payloads that take any key

    enum Loose: JSONEnum, Equatable {
        case table([String: Int])
        case value(JSONValue)
        static let plan = ModelPlan<Loose>(
            cases: [.of("table", Self.table), .of("value", Self.value)], tagging: .internal(tag: "type"),
            fallback: "value")
    }

    struct Open: JSONModel, Equatable {
        var id: String
        var loose: Loose
        static let plan = ModelPlan<Open>([JSONField(\.id), JSONField(flatten: \.loose)])
    }

    struct Greedy: JSONModel {
        var rest: [String: Int]
        var loose: Loose
        static let plan = ModelPlan<Greedy>([JSONField(extra: \.rest), JSONField(flatten: \.loose)])
    }

    @Test func `a dictionary payload receives the keys that the model does not have`() throws {
        for text in [
            #"{"type":"table","id":"i","a":1,"b":2}"#, #"{"id":"i","a":1,"b":2,"type":"table"}"#,
            #"{"a":1,"type":"table","b":2,"id":"i"}"#,
        ] { #expect(try decode(Open.self, text) == Open(id: "i", loose: .table(["a": 1, "b": 2]))) }
        #expect(
            try decode(Open.self, #"{"id":"i","type":"?","a":[1,{"b":2}]}"#)
                == Open(id: "i", loose: .value(["type": "?", "a": [1, ["b": 2]]])))
        try expectRoundTrip(Open(id: "i", loose: .table(["a": 1])))
    }

    @Test func `two properties cannot take all other keys`() throws {
        let issue = try refusal(Greedy.self, "{}")
        #expect(issue.kind == .invalidPlan("'loose' and 'rest' both take all other keys"))
    }

    typealias Carrier<Payload: JSONConvertible & Equatable> = Around<One<Internal, Payload>>

    struct Rest: JSONModel, Equatable {
        var size: Int
        var rest: [String: Int]
        static let plan = ModelPlan<Rest>([JSONField(\.size), JSONField(extra: \.rest)])
    }

    struct Nested: JSONModel, Equatable {
        var number: Int
        var fine: FlattenTests.Fine
        static let plan = ModelPlan<Nested>([JSONField(\.number), JSONField(flatten: \.fine)])
    }

    @Test func `a key that only the payload reads is not unknown`() throws {
        let decoder = JSONModelDecoder.with { $0.unknownKeys = .reject }
        #expect(
            try decode(Carrier<Rest>.self, #"{"x":3,"id":1,"type":"one","size":2}"#, with: decoder)
                == Carrier(id: 1, group: .one(Rest(size: 2, rest: ["x": 3]))))
        #expect(
            try decode(Carrier<[String: Int]>.self, #"{"id":1,"type":"one","x":3}"#, with: decoder)
                == Carrier(id: 1, group: .one(["x": 3])))
        #expect(
            try decode(Carrier<Nested>.self, #"{"id":1,"type":"one","number":2,"a":"b"}"#, with: decoder)
                == Carrier(id: 1, group: .one(Nested(number: 2, fine: FlattenTests.Fine(a: "b", b: nil)))))
        let issue = try refusal(Carrier<Nested>.self, #"{"id":1,"type":"one","number":2,"c":0}"#, with: decoder)
        #expect(issue.kind == .unknownKey("c"))
    }

    @Test func `a lazy payload is the JSON of the other members of a value in memory`() throws {
        let value: JSONValue = ["a": 1, "id": 2, "b": [3], "type": "one", "c": nil]
        let carrier = try JSONModelDecoder().decode(Carrier<JSONLazy<[String: JSONValue]>>.self, from: value)
        guard case .one(let lazy) = carrier.group else { return }
        #expect(try JSONValue(parsing: lazy.raw.description) == ["a": 1, "b": [3], "type": "one", "c": nil])
    }

    @Test func `the name of a payload's property is not its key`() throws {
        struct Strict: JSONModel, Equatable {
            var action: Action<Internal>
            static let plan = ModelPlan<Strict>([JSONField(flatten: \.action)], unknownKeys: .reject)
        }
        let expected = Strict(action: .issue(Issue(kind: "issue", number: 1)))
        #expect(try decode(Strict.self, #"{"type":"issue","number":1}"#) == expected)
        let issue = try refusal(Strict.self, #"{"type":"issue","number":1,"kind":"x"}"#)
        #expect((issue.kind, issue.path) == (.unknownKey("kind"), "kind"))
    }

    // MARK: JSON in strings

    enum Message: JSONEnum, Equatable {
        case push(Push)
        case text(String)
        static let plan = ModelPlan<Message>(
            cases: [.embedded("push", Self.push), .of("text", Self.text)],
            tagging: .adjacent(tag: "type", content: "data"))
    }

    struct Envelope: JSONModel, Equatable {
        var id: Int
        var message: Message
        static let plan = ModelPlan<Envelope>([JSONField(\.id), JSONField(flatten: \.message)])
    }

    @Test func `a payload may be JSON in a string`() throws {
        for text in [
            #"{"id":1,"type":"push","data":"{\"ref\":\"main\"}"}"#,
            #"{"data":"{\"ref\":\"main\"}","type":"push","id":1}"#,
        ] {
            #expect(try decode(Message.self, text) == .push(Push(ref: "main")))
            #expect(try decode(Envelope.self, text) == Envelope(id: 1, message: .push(Push(ref: "main"))))
        }
        #expect(try decode(Message.self, #"{"type":"text","data":"{}"}"#) == .text("{}"))
        #expect(try encode(Message.push(Push(ref: "a"))) == #"{"type":"push","data":"{\"ref\":\"a\"}"}"#)
        try expectRoundTrip(Envelope(id: 1, message: .push(Push(ref: "a"))))
        let issue = try refusal(Envelope.self, #"{"id":1,"data":"{\"ref\":5}","type":"push"}"#)
        #expect(issue.path == "data.ref")
    }

    @Test func `the keys of the model are unknown in a payload with an object of its own`() throws {
        let decoder = JSONModelDecoder.with { $0.unknownKeys = .reject }
        for text in [#"{"id":1,"push":{"ref":"a","id":2}}"#, #"{"push":{"ref":"a","id":2},"id":1}"#] {
            let issue = try refusal(Event<External>.self, text, with: decoder)
            #expect((issue.kind, issue.path) == (.unknownKey("id"), "push.id"))
        }
        let text = #"{"id":1,"t":"push","c":{"ref":"a","user":{}}}"#
        #expect(try refusal(Event<Adjacent>.self, text, with: decoder).kind == .unknownKey("user"))
        // The members of other payloads are in the object of the model.
        let event = try decode(
            Event<Internal>.self, #"{"ref":"a","id":1,"type":"push","size":2}"#, with: decoder)
        #expect(event == Event(id: 1, action: .push(Push(ref: "a", size: 2))))
    }

    struct Hooked: JSONModel, JSONHooks, Equatable {
        var inner: [Int]
        static let plan = ModelPlan<Hooked>(JSONField(embedded: \.inner))
        mutating func afterDecoding() {}
    }

    struct Holder: JSONModel, Equatable {
        let deep: One<Internal, Hooked>
        static let plan = ModelPlan<Holder>(JSONField(flatten: \.deep))
    }

    @Test func `the object of a model and its flattened enum is one level`() throws {
        let decoder = JSONModelDecoder.with { $0.limits.depth = 2 }
        for text in [
            #"{"type":"one","inner":"[1]"}"#, #"{"inner":"[1]","type":"one"}"#,
            #"{"inner":"[1]","type":"one","type":"b"}"#,
        ] { #expect(try decode(Holder.self, text, with: decoder) == Holder(deep: .one(Hooked(inner: [1])))) }
        #expect(try decode([Holder].self, "[]", with: decoder) == [])
        let issue = try refusal([Holder].self, #"[{"type":"one","inner":"[1]"}]"#, with: decoder)
        #expect(issue.kind == .limitExceeded(.depth, limit: 2) && issue.path == "[0].inner")
    }

    // MARK: Keys of properties that are not decoded, which are the model's

    struct Noted<Group: JSONModel & Equatable>: JSONModel, Equatable {
        var id: Int
        var note: String?
        var group: Group
        static var plan: ModelPlan<Self> {
            .shared { ModelPlan(JSONField(\.id), JSONField(\.note), JSONField(flatten: \.group)) }
        }
    }

    @Test(arguments: [
        #"{"id":1,"note":"n","type":"one","a":2}"#, #"{"type":"one","a":2,"note":"n","id":1}"#,
        #"{"id":1,"note":"n","a":2,"type":"one"}"#,
    ])
    func `a property that is not selected is no member of a flattened dictionary`(_ text: String) throws {
        typealias Model = Noted<One<Internal, [String: Int]>>
        #expect(try decode(Model.self, text) == Model(id: 1, note: "n", group: .one(["a": 2])))
        let only = JSONModelDecoder.with { $0.only = ["id"] }
        #expect(try decode(Model.self, text, with: only) == Model(id: 1, note: nil, group: .one(["a": 2])))
    }

    @Test func `the key of a property that is not selected is not the name of an unknown case`() throws {
        typealias Model = Noted<Shape<External, ToName>>
        let text = #"{"id":1,"note":"n","oval":2}"#
        #expect(try decode(Model.self, text) == Model(id: 1, note: "n", group: .named("oval")))
        let only = JSONModelDecoder.with { $0.only = ["id"] }
        #expect(try decode(Model.self, text, with: only) == Model(id: 1, note: nil, group: .named("oval")))
    }

    @Test func `a property that is only encoded is no unknown key of a flattened enum`() throws {
        struct Strict: JSONModel, Equatable {
            let radius: Int
            static let plan = ModelPlan<Strict>([JSONField(\.radius)], unknownKeys: .reject)
        }
        struct Written: JSONModel, Equatable {
            var id: Int
            var note: String
            var one: One<Internal, Strict>
            static let plan = ModelPlan<Written>(
                JSONField(\.id), JSONField(\.note, default: "").ignored(.decoding), JSONField(flatten: \.one))
        }
        let strict = One<Internal, Strict>.one(Strict(radius: 2))
        let text = try encode(Written(id: 1, note: "n", one: strict))
        #expect(try decode(Written.self, text) == Written(id: 1, note: "", one: strict))
        // The other keys are still unknown.
        let issue = try refusal(Written.self, #"{"id":1,"note":"n","type":"one","radius":2,"x":0}"#)
        #expect((issue.kind, issue.path) == (.unknownKey("x"), "x"))
    }

    @Test func `a key that is equivalent to the tag of an absent enum is another key`() throws {
        enum Accented: Tagging { static let tagging = JSONTagging.internal(tag: "\u{E9}") }
        typealias Model = AroundMaybe<Shape<Accented, NoFallback>>
        #expect(try decode(Model.self, "{\"id\":1,\"\u{E9}\":\"point\"}") == Model(id: 1, group: .point))
        #expect(try decode(Model.self, "{\"id\":1,\"e\u{301}\":\"point\"}") == Model(id: 1))
    }

    // MARK: Elements that are collected

    struct Collecting: JSONModel, Equatable {
        var names: [String]
        var sizes: [Int]
        var action: Action<Internal>
        static let plan = ModelPlan<Collecting>([
            JSONField(\.names, key: "tags[*].name", default: []),
            JSONField(\.sizes, key: "tags[*].size", default: []), JSONField(flatten: \.action),
        ])
    }

    /// The keys before the enum were searched in the arrays of the outer model.
    @Test func `a model whose elements are collected may have collected properties and an enum`() throws {
        struct Outer: JSONModel, Equatable {
            var parts: [Collecting]
            static let plan = ModelPlan<Outer>(JSONField(\.parts, key: "parts[*].inner"))
        }
        let value = Outer(parts: [
            Collecting(names: ["a", "b"], sizes: [1, 2], action: .push(Push(ref: "r"))),
            Collecting(names: [], sizes: [], action: .ping),
        ])
        #expect(
            try encode(value)
                == #"{"parts":[{"inner":{"tags":[{"name":"a","size":1},{"name":"b","size":2}],"type":"push","ref":"r"}},"#
                + #"{"inner":{"tags":[],"type":"ping"}}]}"#)
        try expectRoundTrip(value)
    }
}
