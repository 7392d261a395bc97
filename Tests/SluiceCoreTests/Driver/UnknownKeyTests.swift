import SluiceCore
import SluiceSchemas
import TestSupport
import Testing

/// Keys that a model has no property for: passed over, refused, or reported.
@Suite(.tags(.unknownKeys, .enums)) struct UnknownKeyTests {
    struct Loose: JSONModel, Equatable {
        let name: String?
        let inner: Strict?
        static let plan = ModelPlan<Loose>(JSONField(\.name, key: "name"), JSONField(\.inner, key: "inner"))
    }

    struct Strict: JSONModel, Equatable {
        let fullName: String?
        let city: String?
        static let plan = ModelPlan<Strict>(
            [JSONField(\.fullName, key: "full_name"), JSONField(\.city, key: "home.city")], unknownKeys: .reject)
    }

    struct Telling: JSONModel, Equatable {
        let id: Int
        let loose: Loose?
        static let plan = ModelPlan<Telling>(
            [JSONField(\.id, key: "id"), JSONField(\.loose, key: "loose")], unknownKeys: .report)
    }

    @Test func `a model can refuse unknown keys`() throws {
        _ = try decode(Loose.self, #"{"x":1,"inner":{"home":{"zip":1}}}"#)
        let issue = try refusal(Loose.self, #"{"inner":{ "fullname":"n"}}"#)
        #expect((issue.kind, issue.path, issue.location.offset) == (.unknownKey("fullname"), "inner.fullname", 11))
        #expect((issue.model, issue.property) == ("Strict", nil))
        #expect(issue.hint == #"did you mean "full_name"?"#)
        #expect(try refusal(Strict.self, #"{"quite":1}"#).hint == nil)
    }

    @Test func `a model can report unknown keys`() throws {
        let (value, issues) = try TestSupport.reported(
            Telling.self, #"{"a":[{}],"id":1,"loose":{"b":2,"name":"n"},"c":"x","idd":null}"#)
        #expect(value == Telling(id: 1, loose: Loose(name: "n", inner: nil)))
        #expect(issues.brief == ["a: unknown a", "c: unknown c", "idd: unknown idd"])
        #expect(issues.map(\.location.offset) == [1, 44, 52])
        #expect(issues.last?.hint == #"did you mean "id"?"#)
        #expect(try refusal(Telling.self, #"{"di":1}"#).hint?.contains("\"di\" is similar") == true)
    }

    @Test func `the option of a model overrides the decoder's`() throws {
        let strict = JSONModelDecoder.with { $0.unknownKeys = .reject }
        #expect(try refusal(Loose.self, #"{"name":"n","Name":1}"#, with: strict).kind == .unknownKey("Name"))
        #expect(try decode(Loose.self, #"{"name":"n"}"#, with: strict).name == "n")
        // A model's own word counts for more.
        let (_, issues) = try TestSupport.reported(Telling.self, #"{"id":1,"x":1}"#, with: strict)
        #expect(issues.brief == ["x: unknown x"])
        let telling = JSONModelDecoder.with { $0.unknownKeys = .report }
        #expect(
            try TestSupport.reported(Loose.self, #"{"x":1,"y":[{"z":1}]}"#, with: telling).issues.brief == [
                "x: unknown x", "y: unknown y",
            ])
        #expect(try refusal(Loose.self, #"{"inner":{"x":1}}"#, with: telling).path == "inner.x")
    }

    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `a key that differs in any byte is unknown`(_ source: JSONModelDecoder.Source) throws {
        struct One: JSONModel {
            let value: Int
            static let plan = ModelPlan<One>(JSONField(\.value))
        }
        for count in 1...40 {
            let key = String("abcdefghijklmnopqrstuvwxyz0123456789ABCD".prefix(count))
            let decoder = JSONModelDecoder.with {
                $0.source = source
                $0.keyStrategy = .custom { _ in key }
            }
            func isKnown(_ key: some StringProtocol) -> Bool {
                (try? decoder.decode(One.self, from: "{\"\(key)\":1}")) != nil
            }
            // A key with an escape is compared in another way.
            let others = (0..<count).map { key.prefix($0) + "-" + key.dropFirst($0 + 1) }
            #expect(isKnown(key) && isKnown("\\u0061" + key.dropFirst()))
            #expect(others.filter { isKnown($0) } == [])
            #expect(others.dropFirst().filter { isKnown("\\u0061" + $0.dropFirst()) } == [])
            #expect(!isKnown(key + "-") && !isKnown(String(key.dropLast())))
        }
    }

    @Test func `the driver recovers from unknown keys`() throws {
        struct Outer: JSONModel, Equatable {
            let list: [Strict]
            let one: Strict?
            static let plan = ModelPlan<Outer>(
                JSONField(\.list, key: "list").lossy(),
                JSONField(\.one, key: "one", default: nil).defaulting(on: [.missing, .mismatch]))
        }
        let (value, issues) = try TestSupport.reported(
            Outer.self,
            #"{"one":{"full_name":"a","x":[{}],"y":1},"list":[{"full_name":"b"},{"z":{"a":1},"full_name":"c"},{}]}"#
        )
        #expect(value.list == [Strict(fullName: "b", city: nil), Strict(fullName: nil, city: nil)])
        #expect(value.one == nil)
        #expect(issues.brief == ["one.x: unknown x", "list[1].z: unknown z"])
    }

    // MARK: Enums, which took any key beside their own

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
        for decoder in [rejecting, collecting] {
            #expect(try decode(T.self, text, with: decoder) == value, sourceLocation: sourceLocation)
        }
        let (_, issues) = try reported(T.self, text, with: .with { $0.unknownKeys = .report })
        #expect(issues.isEmpty, "\(issues)", sourceLocation: sourceLocation)
    }

    private var fallbacks: [any Fallback.Type] {
        [NoFallback.self, ToPoint.self, ToName.self, ToWhole<JSONValue>.self]
    }

    @Test func `keys beside an internal tag are rejected`() throws {
        func check<F: Fallback>(_: F.Type) throws {
            typealias S = Shape<Internal, F>
            let circle = S.circle(Circle(radius: 1))
            try expectUnknown(["w"], in: #"{"type":"point","w":2}"#, S.point)
            try expectUnknown(["w"], in: #"{"w":{"x":[1]},"type":"point"}"#, S.point)
            try expectUnknown(["w", "x"], in: #"{"w":2,"type":"point","x":1}"#, S.point)
            try expectUnknown(["w"], in: #"{"type":"circle","radius":1,"w":2}"#, circle)
            try expectUnknown(["side"], in: #"{"side":2,"radius":1,"type":"circle"}"#, circle)
            try expectKnown(#"{"type":"point"}"#, S.point)
            try expectKnown(#"{"radius":1,"type":"circle"}"#, circle)
        }
        for fallback in fallbacks { try check(fallback) }
    }

    @Test func `keys beside an adjacent tag and its content are rejected`() throws {
        func check<F: Fallback>(_: F.Type) throws {
            typealias S = Shape<Adjacent, F>
            let circle = S.circle(Circle(radius: 1))
            try expectUnknown(["w"], in: #"{"t":"point","w":2}"#, S.point)
            try expectUnknown(["w"], in: #"{"w":2,"t":"point"}"#, S.point)
            try expectUnknown(["w"], in: #"{"t":"point","c":5,"w":2}"#, S.point)
            try expectUnknown(["c.w", "c.x"], in: #"{"t":"point","c":{"w":2,"x":{}}}"#, S.point)
            try expectUnknown(["c.w"], in: #"{"c":{"w":2},"t":"point"}"#, S.point)
            try expectUnknown(["c.w", "v"], in: #"{"t":"circle","c":{"radius":1,"w":2},"v":1}"#, circle)
            try expectKnown(#"{"c":null,"t":"point"}"#, S.point)
            try expectKnown(#"{"t":"point","c":[{"w":2}]}"#, S.point)
            try expectKnown(#"{"c":{"radius":1},"t":"circle"}"#, circle)
        }
        for fallback in fallbacks { try check(fallback) }
    }

    @Test func `keys beside the name of a case are rejected`() throws {
        func check<F: Fallback>(_: F.Type) throws {
            typealias S = Shape<External, F>
            let circle = S.circle(Circle(radius: 1))
            try expectUnknown(["w"], in: #"{"point":null,"w":2}"#, S.point)
            try expectUnknown(["w"], in: #"{"w":{"x":2},"point":null}"#, S.point)
            try expectUnknown(["w", "x", "y"], in: #"{"w":2,"x":3,"point":[{}],"y":4}"#, S.point)
            try expectUnknown(["point.w", "point.x"], in: #"{"point":{"w":2,"x":1}}"#, S.point)
            try expectUnknown(["w"], in: #"{"w":2,"circle":{"radius":1}}"#, circle)
            try expectKnown(#""point""#, S.point)
            try expectKnown(#"{"point":{}}"#, S.point)
            try expectKnown(#"{"circle":{"radius":1}}"#, circle)
        }
        for fallback in fallbacks { try check(fallback) }
    }

    @Test func `a key of the other cases of an untagged enum is rejected`() throws {
        typealias S = Shape<Untagged, NoFallback>
        #expect(try decode(S.self, #"{"side":1,"w":2}"#) == .square(Square(side: 1)))
        #expect(try refusal(S.self, #"{"side":1,"w":2}"#, with: rejecting).description.contains("\"w\""))
        #expect(try decode(S.self, #"{"side":1}"#, with: rejecting) == .square(Square(side: 1)))
    }

    @Test func `the keys of an unknown case are not checked`() throws {
        try expectKnown(#"{"type":"oval","w":2}"#, Shape<Internal, ToPoint>.point)
        try expectKnown(#"{"w":2,"type":"oval"}"#, Shape<Internal, ToName>.named("oval"))
        try expectKnown(
            #"{"w":2,"type":"oval"}"#, Shape<Internal, ToWhole<JSONValue>>.whole(["w": 2, "type": "oval"]))
        try expectKnown(#"{"c":{"w":2},"t":"oval"}"#, Shape<Adjacent, ToPoint>.point)
        try expectKnown(#"{"t":"oval","c":{"w":2}}"#, Shape<Adjacent, ToName>.named("oval"))
        try expectKnown(#"{"oval":{"w":2}}"#, Shape<External, ToPoint>.point)
        try expectKnown(#"{"oval":{"w":2}}"#, Shape<External, ToName>.named("oval"))
        // Other members than those of the form are unknown for every case.
        try expectUnknown(["w"], in: #"{"t":"oval","w":2}"#, Shape<Adjacent, ToPoint>.point)
        try expectUnknown(["w"], in: #"{"oval":1,"w":2}"#, Shape<External, ToPoint>.point)
    }

    @Test(arguments: [
        (#"{"oval":{}}"#, "\"oval\" is not one of its cases"),
        (#"{"oval":{},"w":1}"#, "\"oval\" is not one of its cases"),
        (#"{"w":1,"point":1,"square":{"side":1}}"#, "point and square"),
    ])
    func `a name of no case is still an error`(_ text: String, _ reason: String) throws {
        let issue = try refusal(Shape<External, NoFallback>.self, text, with: rejecting)
        #expect(issue.description.contains(reason), "\(issue)")
    }

    @Test func `an element with an unknown key is dropped`() throws {
        let text = #"{"list":["point",{"point":{"w":1}},{"w":1,"point":2},{"point":2,"w":1},"point"]}"#
        let (value, issues) = try reported(Lossy<[Shape<External, NoFallback>]>.self, text, with: rejecting)
        #expect(value.list == [.point, .point])
        #expect(issues.map(\.path) == ["list[1].point.w", "list[2].w", "list[3].w"])
    }

    @Test func `an option of the enum prevails`() throws {
        enum Strict: JSONEnum, Equatable {
            case one
            static let plan = ModelPlan<Strict>(
                cases: [.of("one", .one)], tagging: .internal(tag: "t"), unknownKeys: .reject)
        }
        enum Loose: JSONEnum, Equatable {
            case one
            static let plan = ModelPlan<Loose>(
                cases: [.of("one", .one)], tagging: .internal(tag: "t"), unknownKeys: .ignore)
        }
        #expect(try refusal(Strict.self, #"{"t":"one","w":1}"#).path == "w")
        #expect(try decode(Loose.self, #"{"t":"one","w":1}"#, with: rejecting) == .one)
    }

    /// The payload of an enum is an enum that is read from the same object.
    enum Nested: JSONEnum, Equatable {
        case inner(Shape<InternalKind, NoFallback>)
        case rest(Shape<InternalKind, ToWhole<JSONValue>>)
        case loose(Shape<Untagged, NoFallback>)
        static let plan = ModelPlan<Nested>(
            cases: [.of("inner", Self.inner), .of("rest", Self.rest), .of("loose", Self.loose)],
            tagging: .internal(tag: "type"))
    }

    @Test func `the tag of an outer enum is a known key of its payload`() throws {
        try expectKnown(#"{"type":"inner","kind":"point"}"#, Nested.inner(.point))
        try expectKnown(#"{"kind":"point","type":"inner"}"#, Nested.inner(.point))
        try expectKnown(#"{"type":"rest","kind":"point"}"#, Nested.rest(.point))
        try expectKnown(#"{"kind":"point","type":"rest"}"#, Nested.rest(.point))
        try expectKnown(#"{"side":1,"type":"loose"}"#, Nested.loose(.square(Square(side: 1))))
        try expectUnknown(["w"], in: #"{"type":"inner","w":1,"kind":"point"}"#, Nested.inner(.point))
        try expectUnknown(["w"], in: #"{"kind":"point","w":1,"type":"rest"}"#, Nested.rest(.point))
    }

    @Test func `the schema of an enum states that unknown keys are rejected`() throws {
        func check<T: Tagging>(_: T.Type) throws {
            for decoder in [JSONModelDecoder(), rejecting] {
                let schema = try decoder.jsonSchema(of: Shape<T, NoFallback>.self)
                let cases = try #require(schema["oneOf"]?.array).filter { $0["type"] == "object" }
                #expect(cases.count == (T.self == External.self ? 4 : 3))
                for one in cases where one["properties"]?["radius"] == nil && one["properties"]?["side"] == nil {
                    #expect((one["additionalProperties"] == false) == (decoder.unknownKeys == .reject), "\(one)")
                }
            }
        }
        try check(External.self)
        try check(Internal.self)
        try check(Adjacent.self)
    }

    // MARK: Flattened enums

    @Test func `keys of the other cases of a flattened enum are rejected`() throws {
        typealias Event<T: Tagging> = Around<Shape<T, NoFallback>>
        let (internally, adjacent) = (Event<Internal>(id: 1, group: .point), Event<Adjacent>(id: 1, group: .point))
        let external = Event<External>(id: 1, group: .point)
        let circle = Event<Internal>(id: 1, group: .circle(Circle(radius: 1)))
        try expectUnknown(["side"], in: #"{"id":1,"type":"point","side":2}"#, internally)
        try expectUnknown(["side"], in: #"{"side":2,"type":"circle","id":1,"radius":1}"#, circle)
        try expectUnknown(["w"], in: #"{"w":2,"type":"point","id":1}"#, internally)
        try expectUnknown(["w"], in: #"{"w":2,"t":"point","id":1}"#, adjacent)
        try expectUnknown(["c.x"], in: #"{"c":{"x":2},"t":"point","id":1}"#, adjacent)
        try expectUnknown(["point.x"], in: #"{"point":{"x":2},"id":1}"#, external)
        try expectKnown(#"{"type":"point","id":1}"#, internally)
        try expectKnown(#"{"c":1,"t":"point","id":1}"#, adjacent)
        try expectKnown(#"{"point":1,"id":1}"#, external)
    }

    @Test func `keys of a flattened enum that is nil are rejected`() throws {
        typealias Maybe<T: Tagging> = AroundMaybe<Shape<T, NoFallback>>
        try expectUnknown(["side", "radius"], in: #"{"id":1,"side":2,"radius":3}"#, Maybe<Internal>(id: 1))
        try expectUnknown(["c"], in: #"{"c":{"x":2},"id":1}"#, Maybe<Adjacent>(id: 1))
        try expectKnown(#"{"id":1}"#, Maybe<Internal>(id: 1))
        try expectKnown(#"{"id":1}"#, Maybe<External>(id: 1))
    }

    /// Two enums, which share a key with each other and with the model.
    struct Pair: JSONModel, Equatable {
        var side: Int?
        var first: Shape<Internal, NoFallback>
        var second: Shape<InternalKind, NoFallback>
        static let plan = ModelPlan<Pair>(
            JSONField(\.side), JSONField(flatten: \.first), JSONField(flatten: \.second))
    }

    @Test func `keys of the model and of its other enums are known`() throws {
        let square = Pair(side: 1, first: .square(Square(side: 1)), second: .point)
        let circle = Pair(side: nil, first: .point, second: .circle(Circle(radius: 1)))
        try expectKnown(#"{"type":"point","kind":"point","side":1}"#, Pair(side: 1, first: .point, second: .point))
        try expectKnown(#"{"type":"square","kind":"point","side":1}"#, square)
        try expectKnown(#"{"type":"point","kind":"circle","radius":1}"#, circle)
        try expectUnknown(["w"], in: #"{"type":"point","w":1,"kind":"point"}"#, Pair(first: .point, second: .point))
    }
}
