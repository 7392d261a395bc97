import SluiceCore
import TestSupport
import Testing

/// Input that is recorded and replayed.
@Suite(.tags(.replay)) struct ReplayTests {
    // MARK: Attempts

    @Test func `a failed attempt reports no issues`() throws {
        let text = #"{"a":{"a":5,"names":[7]},"names":["a",8],"first":1}"#
        let (value, issues) = try reported(Maybe.self, text)
        #expect(value.depth == 2)
        #expect(issues.brief == ["a.names[0]: a string, not a number", "names[1]: a string, not a number"])
    }

    @Test func `the next case is tried after text in a string that is no JSON`() throws {
        enum Text: JSONEnum, Equatable {
            case event(LossyParts.Item)
            case text(String)
            static let plan = ModelPlan<Text>(
                cases: [.embedded("event", Self.event), .of("text", Self.text)], tagging: .untagged)
        }
        #expect(
            try decode(
                [Text].self, #"["{\"id\":1}","{\"id\":1,","{\"x\":{\"y\":[1","{\"id\":{\"y\":1}}","{\"id\":2}"]"#)
                == [
                    .event(LossyParts.Item(id: 1)), .text(#"{"id":1,"#), .text(#"{"x":{"y":[1"#),
                    .text(#"{"id":{"y":1}}"#), .event(LossyParts.Item(id: 2)),
                ])
    }

    @Test func `the issues before an error of a hook are reported`() throws {
        struct Names: JSONModel, Equatable {
            let names: [String]
            static let plan = ModelPlan<Names>(JSONField(\.names).lossy())
        }
        struct Refused: Error {}
        enum Checked: JSONEnum, JSONHooks, Equatable {
            case names(Names)
            static let plan = ModelPlan<Checked>(cases: [.of("names", Self.names)], tagging: .untagged)
            func validate() throws { if self == .names(Names(names: ["bad"])) { throw Refused() } }
        }
        struct All: JSONModel, Equatable {
            let all: [Checked]
            static let plan = ModelPlan<All>(JSONField(\.all).lossy())
        }
        let (value, issues) = try reported(
            All.self, #"{"all":[{"names":[1,"bad"]},{"names":["ok",2]},{"names":["bad"]}]}"#)
        #expect(value == All(all: [.names(Names(names: ["ok"]))]))
        #expect(issues.map(\.path) == ["all[0].names[0]", "all[0]", "all[1].names[1]", "all[2]"])
    }

    @Test(arguments: [
        #""a":"x","list":[[1]],"b":true"#, #""a":{"c":[1,{}]},"list":[[1]],"b":true"#,
        #""a":1,"list":[[1,[2]],[3]],"b":true"#,
        #""a":1,"list":[[1],["]}"],{}],"b":true"#, #""a":1,"list":{"c":{}},"b":true"#,
        #""a":1,"list":[],"b":[[],{"c":"}"}]"#,
        #""b":true,"list":[[1],[]],"a":null"#,
    ])
    func `a source goes on with the token after which the first case has failed`(members: String) throws {
        struct Exact: JSONModel, Equatable {
            let a: Int
            let list: [[Int]]
            let b: Bool
            static let plan = ModelPlan<Exact>(JSONField(\.a), JSONField(\.list), JSONField(\.b))
        }
        enum Item: JSONEnum, Equatable {
            case exact(Exact)
            case any(JSONValue)
            static let plan = ModelPlan<Item>(
                cases: [.of("exact", Self.exact), .of("any", Self.any)], tagging: .untagged)
        }
        let text = #"{\#(members),"more":[{"text":"]}"},[[]]]}"#
        let last = #"{\#(members)}"#
        let values = try decode([Item].self, #"[\#(text),{"a":1,"list":[[2]],"b":false},\#(last),\#(text)]"#)
        let exact = Item.exact(Exact(a: 1, list: [[2]], b: false))
        let (any, other) = (try decode(JSONValue.self, text), try decode(JSONValue.self, last))
        #expect(values == [.any(any), exact, .any(other), .any(any)])
    }

    @Test func `an untagged case whose payload is the enum itself is ignored`() throws {
        indirect enum Loop: JSONEnum, Equatable {
            case loop(Loop)
            case number(Int)
            static let plan = ModelPlan<Loop>(
                cases: [.of("loop", Self.loop), .of("number", Self.number)], tagging: .untagged)
        }
        #expect(try decode([Loop].self, "[5,6]") == [.number(5), .number(6)])
        #expect(try refusal(Loop.self, "true").description.contains("the case holds the enum itself"))
    }

    struct Address: JSONModel, Equatable {
        let name: String
        let street: String
        let city: String
        let state: String
        let country: String
        var note: String?
        static let plan = ModelPlan<Address>(
            JSONField(\.name), JSONField(\.street), JSONField(\.city), JSONField(\.state), JSONField(\.country),
            JSONField(\.note))
    }

    @Test func `a large value of an attempt is used by the next attempt`() throws {
        typealias Place = One<Untagged, Address>
        struct Way: JSONModel, Equatable {
            let from: Place
            let to: Place
            let length: Int
            static let plan = ModelPlan<Way>(JSONField(\.from), JSONField(\.to), JSONField(\.length))
        }
        struct Route: JSONModel, Equatable {
            let from: Place
            let to: Place
            static let plan = ModelPlan<Route>(JSONField(\.from), JSONField(\.to))
        }
        enum Step: JSONEnum, Equatable {
            case way(Way)
            case route(Route)
            static let plan = ModelPlan<Step>(
                cases: [.of("way", Self.way), .of("route", Self.route)], tagging: .untagged)
        }
        let long = "a text that is longer than sixteen bytes"
        func text(_ name: String) -> String {
            #"{"name":"\#(name)","street":"\#(long)","city":"\#(long)","state":"s","country":"\#(long)"}"#
        }
        func place(_ name: String) -> Place {
            .one(Address(name: name, street: long, city: long, state: "s", country: long))
        }
        let step = #"{"from":\#(text("a")),"to":\#(text("b"))}"#
        #expect(
            try decode([Step].self, "[\(step),\(step),\(step)]")
                == Array(repeating: .route(Route(from: place("a"), to: place("b"))), count: 3))
    }

    // MARK: Nesting

    @Test(arguments: [true, false]) func `tags may come first or late at any depth`(tagFirst: Bool) throws {
        for depth in [1, 160, 500] {
            let text = Chain.text(depth, tagFirst: tagFirst)
            for var decoder in JSONModelDecoder.ofEverySource {
                // Each byte is replayed once.
                decoder.limits.rereads = 1
                let length = onSmallStack { try decoder.decode(Chain.self, from: text).length }
                #expect(try length.get() == depth)
            }
        }
        let deep = JSONModelDecoder.with { $0.limits.depth = 4_096 }
        let text = Chain.text(4_000, tagFirst: tagFirst)
        // The decoder needs no stack for the nesting, but the release of the chain does.
        let length = onSmallStack(bytes: 64 << 20) { try deep.decode(Chain.self, from: text).length }
        #expect(try length.get() == 4_000)
    }

    /// An untagged enum in an untagged enum reads the same value.
    typealias Three<Value: JSONConvertible & Equatable> = One<Untagged, One<Untagged, One<Untagged, Value>>>

    @Test func `enums in enums count toward the limit of depth`() throws {
        typealias Six = Three<Three<Int>>
        typealias Seven = One<Untagged, Six>
        var decoder = JSONModelDecoder()
        decoder.limits.depth = 1
        #expect(try decode(Six.self, "7", with: decoder) == .one(.one(.one(.one(.one(.one(7)))))))
        #expect(try refusal(Seven.self, "7", with: decoder).kind.name == "invalidValue")
        decoder.limits.depth = 2
        let seven = Seven.one(.one(.one(.one(.one(.one(.one(7)))))))
        #expect(try decode(Seven.self, "7", with: decoder) == seven)
    }

    @Test func `value hooks at any depth fit a small stack`() throws {
        let text = String(repeating: #"{"next":"#, count: 500) + "null" + String(repeating: "}", count: 500)
        let length = onSmallStack { try JSONModelDecoder().decode(Hooked.self, from: text).length }
        #expect(try length.get() == 500)
    }

    @Test func `the number of replayed bytes is limited`() throws {
        let text = String(repeating: #"{"c":"#, count: 200) + "{}" + String(repeating: "}", count: 200)
        let issue = try refusal(Twice.self, text)
        #expect(issue.kind == .limitExceeded(.rereads, limit: 64))
        let few = String(repeating: #"{"c":"#, count: 10) + "{}" + String(repeating: "}", count: 10)
        #expect(try JSONModelDecoder().decode(Twice.self, from: few).whole?.whole != nil)
    }

    // The text of a string was freed at the end of its replay, and the next text got its address and its outcome.
    @Test func `each string of JSON in an attempt has its own value`() throws {
        struct Number: JSONModel, Equatable {
            let n: Int
            static let plan = ModelPlan<Number>(JSONField(\.n))
        }
        struct Quoted: JSONModel, Equatable {
            let inner: One<Untagged, Number>
            static let plan = ModelPlan<Quoted>(JSONField(embedded: \.inner))
        }
        struct Items: JSONModel, Equatable {
            let items: [Quoted]
            static let plan = ModelPlan<Items>(JSONField(\.items))
        }
        let text = (0..<20).map { #"{"inner":"{\"n\":\#($0)}"}"# }.joined(separator: ",")
        let items = Items(items: (0..<20).map { Quoted(inner: .one(Number(n: $0))) })
        #expect(try reported(One<Untagged, Items>.self, #"{"items":[\#(text)]}"#).value == .one(items))
    }

    // MARK: Failures after a report

    private static let elements = #"[{"id":1,"t":"a"},{"new":5,"id":"bad","t":"a"},{"id":3,"t":"a"}]"#

    private func streamed(_ text: String, _ change: (inout JSONModelDecoder) -> Void) -> [(
        ids: [Int], error: JSONModelError?, reported: [JSONIssue]
    )] {
        JSONModelDecoder.Source.allCases.map { source in
            var decoder = JSONModelDecoder.with(change)
            let log = IssueLog()
            decoder.source = source
            decoder.issueHandler = { log.add($0) }
            var ids: [Int] = []
            do throws(JSONModelError) {
                try decoder.forEach(Event.self, in: text) { ids.append($0.id) }
                return (ids, nil, log.issues)
            } catch { return (ids, error, log.issues) }
        }
    }

    @Test func `an element that fails in a replay after a report ends the stream with its error`() {
        for (ids, error, reported) in streamed(Self.elements, { $0.unknownKeys = .report }) {
            #expect(ids == [1])
            #expect(error?.issues.brief == ["[1].id: an integer, not a string"])
            #expect(error?.issues.first?.location.offset == 32)
            #expect(reported.brief == ["[1].new: unknown new"])
        }
    }

    @Test func `elements after a collected failure in a replay are delivered`() {
        let collecting = streamed(Self.elements) {
            $0.unknownKeys = .report
            $0.errorPolicy = .collect(limit: 10)
        }
        for (ids, error, reported) in collecting {
            #expect(ids == [1, 3])
            #expect(error?.issues.brief == ["[1].id: an integer, not a string"])
            #expect(reported.brief == ["[1].new: unknown new"])
        }
    }

    @Test func `a lossy value in a replay does not hide a later failure`() throws {
        let text = #"{"xs":["x"],"id":"bad","t":"a"}"# + String(repeating: "\n", count: 500)
        for source in JSONModelDecoder.Source.allCases {
            for size in [1, 7, 200, 1_000] {
                let decoder = JSONModelDecoder(from: source)
                let bytes = Array(text.utf8)
                let pieces = bytes.pieces(of: size)
                let error = #expect(throws: JSONModelError.self) {
                    try decoder.decode(Event.self, from: .chunks(pieces))
                }
                #expect(error?.issues.brief == ["id: an integer, not a string"])
                #expect(error?.issues.first?.location.offset == 17)
                let excerpt = try #require(error?.issues.first?.excerpt)
                #expect(text.hasPrefix(excerpt.prefix { $0 != "\n" && $0 != "…" }))
            }
        }
    }

    @Test func `a failure of the parts is not reported as a failure of the whole`() throws {
        let issues = try refusals(StrictParts.self, #"{"items":[false]}"#, with: .collecting)
        #expect(issues.brief == ["items[0]: an object, not a boolean"])
        for decoder in JSONModelDecoder.ofEverySource {
            let partial = try decoder.decodePartially([StrictParts].self, from: #"[{"items":[false]}]"#)
            #expect(partial.value == [])
            #expect(partial.issues.brief == ["[0].items[0]: an object, not a boolean"])
        }
    }

    @Test func `lossy gathering drops an element that is not an object`() throws {
        let (value, issues) = try reported(LossyParts.self, #"{"items":[{"id":1},false,{"id":"x"},{"id":2}]}"#)
        #expect(value == LossyParts(items: [.init(id: 1), .init(id: 2)], ids: [1, 2]))
        #expect(
            issues.brief == [
                "items[1]: an object, not a boolean", "items[2].id: an integer, not a string",
                "items[1]: an object, not a boolean", "items[2].id: an integer, not a string",
            ])
        let collected = try decode(LossyParts.self, #"{"items":[false]}"#, with: .collecting)
        #expect(collected == LossyParts(items: [], ids: []))
    }
}
