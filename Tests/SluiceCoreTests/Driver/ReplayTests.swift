import SluiceCore
import TestSupport
import Testing

/// Input that is recorded and replayed.
@Suite struct ReplayTests {
    // MARK: Whole and in parts

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
                cases: [
                    JSONCase(
                        "event", embedded: LossyParts.Item.self, make: { .event($0) },
                        read: { if case .event(let value) = $0 { value } else { nil } }),
                    JSONCase(
                        "text", payload: String.self, make: { .text($0) },
                        read: { if case .text(let value) = $0 { value } else { nil } }),
                ], tagging: .untagged)
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
            static let plan = ModelPlan<Names>(JSONField(\.names, key: "names").lossy())
        }
        struct Refused: Error {}
        enum Checked: JSONEnum, JSONHooks, Equatable {
            case names(Names)
            static let plan = ModelPlan<Checked>(
                cases: [
                    JSONCase(
                        "names", payload: Names.self, make: { .names($0) },
                        read: { if case .names(let value) = $0 { value } else { nil } })
                ], tagging: .untagged)
            func validate() throws { if self == .names(Names(names: ["bad"])) { throw Refused() } }
        }
        struct All: JSONModel, Equatable {
            let all: [Checked]
            static let plan = ModelPlan<All>(JSONField(\.all, key: "all").lossy())
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
                cases: [
                    JSONCase(
                        "exact", payload: Exact.self, make: { .exact($0) },
                        read: { if case .exact(let value) = $0 { value } else { nil } }),
                    JSONCase(
                        "any", payload: JSONValue.self, make: { .any($0) },
                        read: { if case .any(let value) = $0 { value } else { nil } }),
                ], tagging: .untagged)
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
                cases: [
                    JSONCase(
                        "loop", payload: Loop.self, make: { .loop($0) },
                        read: { if case .loop(let value) = $0 { value } else { nil } }),
                    JSONCase(
                        "number", payload: Int.self, make: { .number($0) },
                        read: { if case .number(let value) = $0 { value } else { nil } }),
                ], tagging: .untagged)
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
        enum Place: JSONEnum, Equatable {
            case address(Address)
            static let plan = ModelPlan<Place>(
                cases: [
                    JSONCase(
                        "address", payload: Address.self, make: { .address($0) },
                        read: { if case .address(let value) = $0 { value } else { nil } })
                ], tagging: .untagged)
        }
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
                cases: [
                    JSONCase(
                        "way", payload: Way.self, make: { .way($0) },
                        read: { if case .way(let value) = $0 { value } else { nil } }),
                    JSONCase(
                        "route", payload: Route.self, make: { .route($0) },
                        read: { if case .route(let value) = $0 { value } else { nil } }),
                ], tagging: .untagged)
        }
        let long = "a text that is longer than sixteen bytes"
        func text(_ name: String) -> String {
            #"{"name":"\#(name)","street":"\#(long)","city":"\#(long)","state":"s","country":"\#(long)"}"#
        }
        func place(_ name: String) -> Place {
            .address(Address(name: name, street: long, city: long, state: "s", country: long))
        }
        let step = #"{"from":\#(text("a")),"to":\#(text("b"))}"#
        #expect(
            try decode([Step].self, "[\(step),\(step),\(step)]")
                == Array(repeating: .route(Route(from: place("a"), to: place("b"))), count: 3))
    }

    // MARK: Nesting

    @Test(arguments: [true, false])
    func `tags may come first or late at any depth`(tagFirst: Bool) throws {
        for depth in [1, 160, 500] {
            let text = Chain.text(depth, tagFirst: tagFirst)
            for source in JSONModelDecoder.Source.allCases {
                var decoder = JSONModelDecoder()
                decoder.source = source
                // Each byte is replayed once.
                decoder.limits.rereads = 1
                let length = onSmallStack { try decoder.decode(Chain.self, from: text).length }
                #expect(try length.get() == depth)
            }
        }
        var deep = JSONModelDecoder()
        deep.limits.depth = 4_096
        let text = Chain.text(4_000, tagFirst: tagFirst)
        // The decoder needs no stack for the nesting, but the release of the chain does.
        let length = onSmallStack(bytes: 64 << 20) { try deep.decode(Chain.self, from: text).length }
        #expect(try length.get() == 4_000)
    }

    /// An untagged enum in an untagged enum reads the same value.
    struct Layers {
        enum Layer<Value: JSONConvertible & Equatable & Sendable>: JSONEnum, Equatable {
            case value(Value)
            static var plan: ModelPlan<Layer> {
                .shared {
                    ModelPlan(
                        cases: [
                            JSONCase(
                                "value", payload: Value.self, make: { .value($0) },
                                read: { if case .value(let value) = $0 { value } else { nil } })
                        ], tagging: .untagged)
                }
            }
        }
        typealias Three<Value: JSONConvertible & Equatable & Sendable> = Layer<Layer<Layer<Value>>>
    }

    @Test func `enums in enums count toward the limit of depth`() throws {
        typealias Six = Layers.Three<Layers.Three<Int>>
        typealias Seven = Layers.Layer<Six>
        var decoder = JSONModelDecoder()
        decoder.limits.depth = 1
        #expect(try decode(Six.self, "7", with: decoder) == .value(.value(.value(.value(.value(.value(7)))))))
        guard case .invalidValue = try refusal(Seven.self, "7", with: decoder).kind else {
            Issue.record("the depth is limited to 1")
            return
        }
        decoder.limits.depth = 2
        let seven = Seven.value(.value(.value(.value(.value(.value(.value(7)))))))
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
}
