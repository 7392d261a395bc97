import SluiceCore
import SluiceSchemas
import TestSupport
import Testing

extension Regressions {
    /// Enums accepted any key beside their own, also if unknown keys are rejected.
    @Suite struct UnknownEnumKeyTests {
        struct Circle: JSONModel, Equatable {
            var radius: Int
            static let plan = ModelPlan<Circle>(JSONField(\.radius))
        }

        struct Box: JSONModel, Equatable {
            var side: Int
            static let plan = ModelPlan<Box>(JSONField(\.side))
        }

        protocol Way { static var tagging: JSONTagging { get } }
        enum External: Way { static let tagging = JSONTagging.external }
        enum Internal: Way { static let tagging = JSONTagging.internal(tag: "type") }
        enum Adjacent: Way { static let tagging = JSONTagging.adjacent(tag: "t", content: "c") }
        enum Untagged: Way { static let tagging = JSONTagging.untagged }

        protocol Rest { static var fallback: String? { get } }
        enum NoFallback: Rest { static let fallback: String? = nil }
        enum PlainFallback: Rest { static let fallback: String? = "none" }
        enum TagFallback: Rest { static let fallback: String? = "named" }
        enum WholeFallback: Rest { static let fallback: String? = "whole" }

        enum Shape<W: Way, F: Rest>: JSONEnum, Equatable {
            case none
            case circle(Circle)
            case box(Box)
            case named(String)
            case whole(JSONValue)
            static var plan: ModelPlan<Self> {
                .shared {
                    var cases: [JSONCase<Self>] = [
                        JSONCase("none", value: .none, matches: { $0 == .none }),
                        JSONCase(
                            "circle", payload: Circle.self, make: { .circle($0) },
                            read: { if case .circle(let value) = $0 { value } else { nil } }),
                        JSONCase(
                            "box", payload: Box.self, make: { .box($0) },
                            read: { if case .box(let value) = $0 { value } else { nil } }),
                    ]
                    if F.fallback == "named" {
                        cases.append(
                            JSONCase(
                                "named", payload: String.self, make: { .named($0) },
                                read: { if case .named(let value) = $0 { value } else { nil } }))
                    }
                    if F.fallback == "whole" {
                        cases.append(
                            JSONCase(
                                "whole", payload: JSONValue.self, make: { .whole($0) },
                                read: { if case .whole(let value) = $0 { value } else { nil } }))
                    }
                    return ModelPlan(cases: cases, tagging: W.tagging, fallback: F.fallback)
                }
            }
        }

        private let rejecting = JSONModelDecoder.with { $0.unknownKeys = .reject }
        private let collecting = JSONModelDecoder.with {
            ($0.unknownKeys, $0.errorPolicy) = (.reject, .collect(limit: 20))
        }

        /// Checks that unknown keys are ignored, reported and rejected.
        private func expectUnknown<T: JSONConvertible & Equatable>(
            _ paths: [String], in text: String, _ value: T, sourceLocation: SourceLocation = #_sourceLocation
        ) throws {
            #expect(try decode(T.self, text) == value, sourceLocation: sourceLocation)
            let first = try refusal(T.self, text, with: rejecting)
            #expect(first.path.description == paths[0], "\(first)", sourceLocation: sourceLocation)
            for issues in [
                try refusals(T.self, text, with: collecting),
                try reported(T.self, text, with: .with { $0.unknownKeys = .report }).issues,
            ] {
                #expect(issues.map(\.path.description) == paths, "\(issues)", sourceLocation: sourceLocation)
                for issue in issues {
                    guard case .unknownKey(let key) = issue.kind else {
                        Issue.record("\(issue)", sourceLocation: sourceLocation)
                        continue
                    }
                    #expect(issue.path.components.last == .key(key), sourceLocation: sourceLocation)
                    let rest = text.utf8.dropFirst(issue.location.offset)
                    #expect(rest.starts(with: "\"\(key)\"".utf8), "\(issue)", sourceLocation: sourceLocation)
                }
            }
        }

        private func expectKnown<T: JSONConvertible & Equatable>(
            _ text: String, _ value: T, sourceLocation: SourceLocation = #_sourceLocation
        ) throws {
            #expect(try decode(T.self, text, with: rejecting) == value, sourceLocation: sourceLocation)
            #expect(try decode(T.self, text, with: collecting) == value, sourceLocation: sourceLocation)
            let (_, issues) = try reported(T.self, text, with: .with { $0.unknownKeys = .report })
            #expect(issues.isEmpty, "\(issues)", sourceLocation: sourceLocation)
        }

        @Test func `keys beside an internal tag are rejected`() throws {
            func check<F: Rest>(_: F.Type) throws {
                typealias S = Shape<Internal, F>
                try expectUnknown(["w"], in: #"{"type":"none","w":2}"#, S.none)
                try expectUnknown(["w"], in: #"{"w":{"x":[1]},"type":"none"}"#, S.none)
                try expectUnknown(["w", "x"], in: #"{"w":2,"type":"none","x":1}"#, S.none)
                try expectUnknown(["w"], in: #"{"type":"circle","radius":1,"w":2}"#, S.circle(Circle(radius: 1)))
                try expectUnknown(
                    ["side"], in: #"{"side":2,"radius":1,"type":"circle"}"#, S.circle(Circle(radius: 1)))
                try expectKnown(#"{"type":"none"}"#, S.none)
                try expectKnown(#"{"radius":1,"type":"circle"}"#, S.circle(Circle(radius: 1)))
            }
            try check(NoFallback.self)
            try check(PlainFallback.self)
            try check(TagFallback.self)
            try check(WholeFallback.self)
        }

        @Test func `keys beside an adjacent tag and its content are rejected`() throws {
            func check<F: Rest>(_: F.Type) throws {
                typealias S = Shape<Adjacent, F>
                try expectUnknown(["w"], in: #"{"t":"none","w":2}"#, S.none)
                try expectUnknown(["w"], in: #"{"w":2,"t":"none"}"#, S.none)
                try expectUnknown(["w"], in: #"{"t":"none","c":5,"w":2}"#, S.none)
                try expectUnknown(["c.w", "c.x"], in: #"{"t":"none","c":{"w":2,"x":{}}}"#, S.none)
                try expectUnknown(["c.w"], in: #"{"c":{"w":2},"t":"none"}"#, S.none)
                try expectUnknown(
                    ["c.w", "v"], in: #"{"t":"circle","c":{"radius":1,"w":2},"v":1}"#, S.circle(Circle(radius: 1)))
                try expectKnown(#"{"c":null,"t":"none"}"#, S.none)
                try expectKnown(#"{"t":"none","c":[{"w":2}]}"#, S.none)
                try expectKnown(#"{"c":{"radius":1},"t":"circle"}"#, S.circle(Circle(radius: 1)))
            }
            try check(NoFallback.self)
            try check(PlainFallback.self)
            try check(TagFallback.self)
            try check(WholeFallback.self)
        }

        @Test func `keys beside the name of a case are rejected`() throws {
            func check<F: Rest>(_: F.Type) throws {
                typealias S = Shape<External, F>
                try expectUnknown(["w"], in: #"{"none":null,"w":2}"#, S.none)
                try expectUnknown(["w"], in: #"{"w":{"x":2},"none":null}"#, S.none)
                try expectUnknown(["w", "x", "y"], in: #"{"w":2,"x":3,"none":[{}],"y":4}"#, S.none)
                try expectUnknown(["none.w", "none.x"], in: #"{"none":{"w":2,"x":1}}"#, S.none)
                try expectUnknown(["w"], in: #"{"w":2,"circle":{"radius":1}}"#, S.circle(Circle(radius: 1)))
                try expectKnown(#""none""#, S.none)
                try expectKnown(#"{"none":{}}"#, S.none)
                try expectKnown(#"{"circle":{"radius":1}}"#, S.circle(Circle(radius: 1)))
            }
            try check(NoFallback.self)
            try check(PlainFallback.self)
            try check(TagFallback.self)
            try check(WholeFallback.self)
        }

        @Test func `a key of the other cases of an untagged enum is rejected`() throws {
            typealias S = Shape<Untagged, NoFallback>
            #expect(try decode(S.self, #"{"side":1,"w":2}"#) == .box(Box(side: 1)))
            #expect(try refusal(S.self, #"{"side":1,"w":2}"#, with: rejecting).description.contains("\"w\""))
            #expect(try decode(S.self, #"{"side":1}"#, with: rejecting) == .box(Box(side: 1)))
        }

        @Test func `the keys of an unknown case are not checked`() throws {
            try expectKnown(#"{"type":"oval","w":2}"#, Shape<Internal, PlainFallback>.none)
            try expectKnown(#"{"w":2,"type":"oval"}"#, Shape<Internal, TagFallback>.named("oval"))
            try expectKnown(
                #"{"w":2,"type":"oval"}"#, Shape<Internal, WholeFallback>.whole(["w": 2, "type": "oval"]))
            try expectKnown(#"{"c":{"w":2},"t":"oval"}"#, Shape<Adjacent, PlainFallback>.none)
            try expectKnown(#"{"t":"oval","c":{"w":2}}"#, Shape<Adjacent, TagFallback>.named("oval"))
            try expectKnown(#"{"oval":{"w":2}}"#, Shape<External, PlainFallback>.none)
            try expectKnown(#"{"oval":{"w":2}}"#, Shape<External, TagFallback>.named("oval"))
            // Other members than those of the form are unknown for every case.
            try expectUnknown(["w"], in: #"{"t":"oval","w":2}"#, Shape<Adjacent, PlainFallback>.none)
            try expectUnknown(["w"], in: #"{"oval":1,"w":2}"#, Shape<External, PlainFallback>.none)
        }

        @Test func `a name of no case is still an error`() throws {
            typealias S = Shape<External, NoFallback>
            for text in [#"{"oval":{}}"#, #"{"oval":{},"w":1}"#] {
                let issue = try refusal(S.self, text, with: rejecting)
                #expect(issue.description.contains("\"oval\" is not one of its cases"), "\(issue)")
            }
            #expect(
                try refusal(S.self, #"{"w":1,"none":1,"box":{"side":1}}"#, with: rejecting).description.contains(
                    "none and box"))
        }

        @Test func `an element with an unknown key is dropped`() throws {
            struct Holder: JSONModel, Equatable {
                var all: [Shape<External, NoFallback>]
                var after: Int
                static let plan = ModelPlan<Holder>(JSONField(\.all).lossy(), JSONField(\.after))
            }
            let text = #"{"all":["none",{"none":{"w":1}},{"w":1,"none":2},{"none":2,"w":1},"none"],"after":1}"#
            let (value, issues) = try reported(Holder.self, text, with: rejecting)
            #expect(value == Holder(all: [.none, .none], after: 1))
            #expect(issues.map(\.path.description) == ["all[1].none.w", "all[2].w", "all[3].w"])
        }

        @Test func `an option of the enum prevails`() throws {
            enum Strict: JSONEnum, Equatable {
                case one
                static let plan = ModelPlan<Strict>(
                    cases: [JSONCase("one", value: .one, matches: { _ in true })], tagging: .internal(tag: "t"),
                    unknownKeys: .reject)
            }
            enum Loose: JSONEnum, Equatable {
                case one
                static let plan = ModelPlan<Loose>(
                    cases: [JSONCase("one", value: .one, matches: { _ in true })], tagging: .internal(tag: "t"),
                    unknownKeys: .ignore)
            }
            #expect(try refusal(Strict.self, #"{"t":"one","w":1}"#).path.description == "w")
            #expect(try decode(Loose.self, #"{"t":"one","w":1}"#, with: rejecting) == .one)
        }

        /// The payload of an enum is an enum that is read from the same object.
        enum Outer: JSONEnum, Equatable {
            case inner(Shape<Internal2, NoFallback>)
            case rest(Shape<Internal2, WholeFallback>)
            case loose(Shape<Untagged, NoFallback>)
            static let plan = ModelPlan<Outer>(
                cases: [
                    JSONCase(
                        "inner", payload: Shape<Internal2, NoFallback>.self, make: { .inner($0) },
                        read: { if case .inner(let value) = $0 { value } else { nil } }),
                    JSONCase(
                        "rest", payload: Shape<Internal2, WholeFallback>.self, make: { .rest($0) },
                        read: { if case .rest(let value) = $0 { value } else { nil } }),
                    JSONCase(
                        "loose", payload: Shape<Untagged, NoFallback>.self, make: { .loose($0) },
                        read: { if case .loose(let value) = $0 { value } else { nil } }),
                ], tagging: .internal(tag: "type"))
        }
        enum Internal2: Way { static let tagging = JSONTagging.internal(tag: "kind") }

        @Test func `the tag of an outer enum is a known key of its payload`() throws {
            for text in [#"{"type":"inner","kind":"none"}"#, #"{"kind":"none","type":"inner"}"#] {
                try expectKnown(text, Outer.inner(.none))
            }
            for text in [#"{"type":"rest","kind":"none"}"#, #"{"kind":"none","type":"rest"}"#] {
                try expectKnown(text, Outer.rest(.none))
            }
            try expectKnown(#"{"side":1,"type":"loose"}"#, Outer.loose(.box(Box(side: 1))))
            try expectUnknown(["w"], in: #"{"type":"inner","w":1,"kind":"none"}"#, Outer.inner(.none))
            try expectUnknown(["w"], in: #"{"kind":"none","w":1,"type":"rest"}"#, Outer.rest(.none))
        }

        @Test func `the schema of an enum states that unknown keys are rejected`() throws {
            func check<W: Way>(_: W.Type) throws {
                for decoder in [JSONModelDecoder(), rejecting] {
                    let schema = try decoder.jsonSchema(of: Shape<W, NoFallback>.self)
                    let cases = try #require(schema["oneOf"]?.array).filter { $0["type"] == "object" }
                    #expect(cases.count == 3)
                    let own = cases.filter {
                        $0["properties"]?["radius"] == nil && $0["properties"]?["side"] == nil
                    }
                    for one in own {
                        #expect(
                            (one["additionalProperties"] == false) == (decoder.unknownKeys == .reject), "\(one)")
                    }
                }
            }
            try check(External.self)
            try check(Internal.self)
            try check(Adjacent.self)
        }

        /// A fallback whose value is a model reads some members of an unknown case.
        enum Modeled<W: Way>: JSONEnum, Equatable {
            case none
            case other(Part)
            struct Part: JSONModel, Equatable {
                var x: Int?
                static var plan: ModelPlan<Part> { .shared { ModelPlan(JSONField(\.x)) } }
            }
            static var plan: ModelPlan<Self> {
                .shared {
                    ModelPlan(
                        cases: [
                            JSONCase("none", value: .none, matches: { $0 == .none }),
                            JSONCase(
                                "other", payload: Part.self, make: { .other($0) },
                                read: { if case .other(let value) = $0 { value } else { nil } }),
                        ], tagging: W.tagging, fallback: "other")
                }
            }
        }

        @Test func `only an unknown name becomes a fallback that does not keep the whole value`() throws {
            func expectErrors<T: JSONConvertible>(_: T.Type, _ texts: [String]) throws {
                for text in texts {
                    let error = #expect(throws: JSONModelError.self, "\(T.self) \(text)") {
                        try JSONModelDecoder().decode(T.self, from: text)
                    }
                    #expect(error?.issues.count == 1)
                    _ = try refusal(T.self, text)
                }
            }
            let others = [#"{}"#, "null", "5", "[]", "true"]
            try expectErrors(
                Shape<Internal, PlainFallback>.self, others + [#"{"type":5}"#, #"{"type":null}"#, #"{"w":1}"#])
            try expectErrors(
                Shape<Internal, TagFallback>.self, others + [#"{"type":5}"#, #"{"type":null}"#, #"{"w":1}"#])
            try expectErrors(Modeled<Internal>.self, others + [#"{"type":5}"#, #"{"type":null}"#, #"{"x":1}"#])
            try expectErrors(
                Shape<Adjacent, PlainFallback>.self, others + [#"{"t":5}"#, #"{"t":{}}"#, #"{"c":1}"#])
            try expectErrors(Shape<Adjacent, TagFallback>.self, others + [#"{"t":5}"#, #"{"t":{}}"#, #"{"c":1}"#])
            try expectErrors(Modeled<Adjacent>.self, others + [#"{"t":5}"#, #"{"t":{}}"#, #"{"c":1}"#])
            try expectErrors(Shape<External, PlainFallback>.self, others)
            try expectErrors(Shape<External, TagFallback>.self, others)
            try expectErrors(Modeled<External>.self, others)
            typealias Whole = Shape<Internal, WholeFallback>
            for text in ["{}", "null", "5", #"{"type":5}"#, #"{"w":1}"#] {
                #expect(try decode(Whole.self, text) == .whole(try decode(JSONValue.self, text)))
            }
            #expect(try decode(Modeled<Internal>.self, #"{"x":1,"type":"oval"}"#) == .other(Modeled.Part(x: 1)))
            #expect(try decode(Modeled<Adjacent>.self, #"{"x":1,"t":"oval"}"#) == .other(Modeled.Part(x: 1)))
            #expect(try decode(Modeled<External>.self, #"{"oval":1,"x":1}"#) == .other(Modeled.Part(x: 1)))
        }

        // MARK: Flattened enums

        struct Event<W: Way>: JSONModel, Equatable {
            var id: Int
            var shape: Shape<W, NoFallback>
            static var plan: ModelPlan<Event> {
                .shared { ModelPlan(JSONField(\.id), JSONField(flatten: \.shape)) }
            }
        }

        struct Maybe<W: Way>: JSONModel, Equatable {
            var id: Int
            var shape: Shape<W, NoFallback>?
            static var plan: ModelPlan<Maybe> {
                .shared { ModelPlan(JSONField(\.id), JSONField(flatten: \.shape)) }
            }
        }

        @Test func `keys of the other cases of a flattened enum are rejected`() throws {
            try expectUnknown(
                ["side"], in: #"{"id":1,"type":"none","side":2}"#, Event<Internal>(id: 1, shape: .none))
            try expectUnknown(
                ["side"], in: #"{"side":2,"type":"circle","id":1,"radius":1}"#,
                Event<Internal>(id: 1, shape: .circle(Circle(radius: 1))))
            try expectUnknown(["w"], in: #"{"w":2,"type":"none","id":1}"#, Event<Internal>(id: 1, shape: .none))
            try expectUnknown(["w"], in: #"{"w":2,"t":"none","id":1}"#, Event<Adjacent>(id: 1, shape: .none))
            try expectUnknown(
                ["c.x"], in: #"{"c":{"x":2},"t":"none","id":1}"#, Event<Adjacent>(id: 1, shape: .none))
            try expectUnknown(["none.x"], in: #"{"none":{"x":2},"id":1}"#, Event<External>(id: 1, shape: .none))
            try expectKnown(#"{"type":"none","id":1}"#, Event<Internal>(id: 1, shape: .none))
            try expectKnown(#"{"c":1,"t":"none","id":1}"#, Event<Adjacent>(id: 1, shape: .none))
            try expectKnown(#"{"none":1,"id":1}"#, Event<External>(id: 1, shape: .none))
        }

        @Test func `keys of a flattened enum that is nil are rejected`() throws {
            try expectUnknown(
                ["side", "radius"], in: #"{"id":1,"side":2,"radius":3}"#, Maybe<Internal>(id: 1, shape: nil))
            try expectUnknown(["c"], in: #"{"c":{"x":2},"id":1}"#, Maybe<Adjacent>(id: 1, shape: nil))
            try expectKnown(#"{"id":1}"#, Maybe<Internal>(id: 1, shape: nil))
            try expectKnown(#"{"id":1}"#, Maybe<External>(id: 1, shape: nil))
        }

        /// Two enums, which share a key with each other and with the model.
        struct Pair: JSONModel, Equatable {
            var side: Int?
            var first: Shape<Internal, NoFallback>
            var second: Shape<Internal2, NoFallback>
            static let plan = ModelPlan<Pair>(
                JSONField(\.side), JSONField(flatten: \.first), JSONField(flatten: \.second))
        }

        @Test func `keys of the model and of its other enums are known`() throws {
            try expectKnown(
                #"{"type":"none","kind":"none","side":1}"#, Pair(side: 1, first: .none, second: .none))
            try expectKnown(
                #"{"type":"box","kind":"none","side":1}"#, Pair(side: 1, first: .box(Box(side: 1)), second: .none))
            try expectKnown(
                #"{"type":"none","kind":"circle","radius":1}"#,
                Pair(side: nil, first: .none, second: .circle(Circle(radius: 1))))
            try expectUnknown(
                ["w"], in: #"{"type":"none","w":1,"kind":"none"}"#, Pair(side: nil, first: .none, second: .none))
        }
    }
}
