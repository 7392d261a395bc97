import SluiceCore
import TestSupport
import Testing

/// Tags, contents and cases that are repeated in one object, and tags that models have as properties.
@Suite(.tags(.enums, .flatten)) struct DuplicateTagTests {
    /// A payload with a property for the tag.
    struct Named: JSONModel, Equatable {
        var type: String
        var x: Int?
        static let plan = ModelPlan<Named>(JSONField(\.type), JSONField(\.x))
    }

    /// A payload with extra keys.
    struct Open: JSONModel, Equatable {
        var id: Int
        var rest: [String: JSONValue] = [:]
        static let plan = ModelPlan<Open>(JSONField(\.id), JSONField(extra: \.rest))
    }

    enum Tagged: JSONEnum, Equatable {
        case named(Named)
        case open(Open)
        case table([String: JSONValue])
        case inner(Inner)
        case plain
        static let plan = ModelPlan<Tagged>(
            cases: [
                .of("named", Self.named), .of("open", Self.open), .of("table", Self.table),
                .of("inner", Self.inner), .of("plain", .plain),
            ], tagging: .internal(tag: "type"))
    }

    enum Inner: JSONEnum, Equatable {
        case open(Open)
        case other(String)
        static let plan = ModelPlan<Inner>(
            cases: [.of("open", Self.open), .of("other", Self.other)], tagging: .internal(tag: "kind"),
            fallback: "other")
    }

    /// An enum that is recorded as a whole.
    enum Loose: JSONEnum, Equatable {
        case named(Named)
        case any(JSONValue)
        static let plan = ModelPlan<Loose>(
            cases: [.of("named", Self.named), .of("any", Self.any)], tagging: .untagged)
    }

    enum Recorded: JSONEnum, Equatable {
        case loose(Loose)
        case table([String: JSONValue])
        case rest(JSONValue)
        static let plan = ModelPlan<Recorded>(
            cases: [.of("loose", Self.loose), .of("table", Self.table), .of("rest", Self.rest)],
            tagging: .internal(tag: "type"), fallback: "rest")
    }

    /// Decodes a value, also from what is written for the value. Each of the keys is repeated in the text.
    private func expect<T: JSONConvertible & Equatable>(
        _ expected: T, _ text: String, repeats keys: [String] = ["type"],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        #expect(try decode(T.self, text) == expected, sourceLocation: sourceLocation)
        #expect(try decode(T.self, encode(expected)) == expected, sourceLocation: sourceLocation)
        for policy in [JSONModelDecoder.ErrorPolicy.first, .collect(limit: 9)] {
            let issues = try refusals(
                T.self, text, with: .with { ($0.duplicateKeys, $0.errorPolicy) = (.reject, policy) })
            let expected = policy == .first ? Array(keys.prefix(1)) : keys
            #expect(issues.map(\.kind) == expected.map { .duplicateKey($0) }, sourceLocation: sourceLocation)
            #expect(issues.map(\.path.components.last) == expected.map { .key($0) }, sourceLocation: sourceLocation)
        }
    }

    @Test func `a repeated tag is not part of the payload`() throws {
        let (named, open) = (Tagged.named(Named(type: "named", x: 1)), Tagged.open(Open(id: 1, rest: ["y": 2])))
        try expect(named, #"{"type":"named","x":1,"type":"open"}"#)
        try expect(named, #"{"x":1,"type":"named","type":"open"}"#)
        try expect(open, #"{"type":"open","id":1,"y":2,"type":"x"}"#)
        try expect(open, #"{"id":1,"type":"open","y":2,"type":"x"}"#)
        try expect(Tagged.table(["a": 1]), #"{"type":"table","a":1,"type":[5]}"#)
        try expect(Tagged.table(["a": 1]), #"{"a":1,"type":"table","type":[5]}"#)
        try expect(Tagged.plain, #"{"type":"plain","type":"open"}"#)
        try expect(
            Tagged.inner(.open(Open(id: 1, rest: ["a": 2]))),
            #"{"kind":"open","type":"inner","id":1,"type":"x","a":2,"kind":"other"}"#, repeats: ["type", "kind"])
        try expect(Tagged.inner(.other("zzz")), #"{"type":"inner","type":"open","kind":"zzz"}"#)
    }

    @Test func `a repeated tag of a recorded value is not part of the payload`() throws {
        try expect(Recorded.loose(.named(Named(type: "loose", x: 1))), #"{"type":"loose","x":1,"type":"open"}"#)
        try expect(Recorded.table(["a": 1]), #"{"a":1,"type":"table","type":"open"}"#)
        try expect(Recorded.rest(["type": "blue", "a": 1]), #"{"type":"blue","a":1,"type":"table"}"#)
        try expect(Recorded.rest(["type": 5, "a": 1]), #"{"type":5,"a":1,"type":"table"}"#)
    }

    @Test func `the first of two adjacent tags decides, and the last content applies`() throws {
        typealias A = Shape<Adjacent, ToName>
        try expect(A.circle(Circle(radius: 1)), #"{"t":"circle","c":{"radius":1},"t":"point"}"#, repeats: ["t"])
        try expect(A.circle(Circle(radius: 1)), #"{"c":{"radius":1},"t":"circle","t":"point"}"#, repeats: ["t"])
        try expect(
            A.circle(Circle(radius: 2)), #"{"t":"circle","c":{"radius":1},"c":{"radius":2}}"#, repeats: ["c"])
        try expect(A.named("blue"), #"{"t":"blue","t":"point"}"#, repeats: ["t"])
    }

    @Test func `the last value of a repeated case applies`() throws {
        typealias E = Shape<External, ToName>
        let text = #"{"circle":{"radius":1},"circle":{"radius":2}}"#
        try expect(E.circle(Circle(radius: 2)), text, repeats: ["circle"])
        try expect(E.point, #"{"point":1,"point":2}"#, repeats: ["point"])
        let issue = try refusal(E.self, #"{"circle":{"radius":1},"point":1}"#)
        #expect(issue.description.contains("circle and point"))
    }

    @Test func `extra keys cannot contain the tag`() throws {
        let kind = JSONIssue.Kind.notEncodable(#"its key "type" is that of the enum's tag"#)
        #expect(try encodingRefusal([Tagged.open(Open(id: 1, rest: ["type": 1]))]).kind == kind)
        #expect(try encodingRefusal(Tagged.inner(.open(Open(id: 1, rest: ["type": 1])))).kind == kind)
        final class Object: JSONModel, Equatable {
            struct Storage { var rest: [String: Int] }
            let rest: [String: Int]
            init(_ rest: [String: Int]) { self.rest = rest }
            static let plan = ModelPlan<Object>(
                storage: Storage.self, [JSONField(extra: \.rest)], make: { Object($0.rest) },
                read: { Storage(rest: $0.rest) })
            static func == (one: Object, other: Object) -> Bool { one.rest == other.rest }
        }
        typealias Boxed = One<Internal, Object>
        #expect(try encode(Boxed.one(Object(["x": 1]))) == #"{"type":"one","x":1}"#)
        #expect(try encodingRefusal(Boxed.one(Object(["type": 1]))).kind == kind)
    }

    // MARK: Flattened

    struct Event<T: Tagging>: JSONModel, Equatable {
        var id: Int
        var type: String?
        var action: Shape<T, ToName>
        var rest: [String: JSONValue] = [:]
        static var plan: ModelPlan<Event> {
            .shared {
                ModelPlan(
                    JSONField(\.id), JSONField(\.type), JSONField(flatten: \.action), JSONField(extra: \.rest))
            }
        }
    }

    @Test func `a flattened enum and its model read the same tag`() throws {
        try expect(
            Event<Internal>(id: 1, type: "circle", action: .circle(Circle(radius: 2)), rest: ["y": 3]),
            #"{"id":1,"type":"circle","radius":2,"type":"point","y":3}"#)
        try expect(
            Event<Adjacent>(id: 1, action: .named("blue")), #"{"t":"blue","id":1,"t":"point"}"#, repeats: ["t"])
        // A property that is nil has written no tag.
        let text = try encode(Event<Internal>(id: 1, action: .point, rest: ["radius": 1, "type": 3]))
        #expect(text == #"{"id":1,"type":"point","radius":1}"#)
    }

    @Test(arguments: [nil, "point"])
    func `the tag of an enum is not written again by an enum in the payload`(_ type: String?) throws {
        // The payload has the tag of its flattened enum as a property, and the enum has the case of the tag.
        enum Outer: JSONEnum, Equatable {
            case point(Event<Internal>)
            static let plan = ModelPlan<Outer>(cases: [.of("point", Self.point)], tagging: .internal(tag: "type"))
        }
        let value = Outer.point(Event(id: 1, type: type, action: .point))
        let text = #"{"type":"point","id":1}"#
        #expect(try encode(value) == text)
        #expect(try decode(Outer.self, text) == .point(Event(id: 1, type: "point", action: .point)))
        #expect(try encode([value, value]) == "[\(text),\(text)]")
    }

    @Test func `a fallback that reads any key excludes extra keys`() throws {
        let kind = JSONIssue.Kind.invalidPlan("'action' and 'rest' both take all other keys")
        #expect(try refusal(Event<External>.self, "{}").kind == kind)
    }

    // MARK: Tags of outer enums, and other keys beside a tag

    @Test func `the last of two duplicate keys beside a tag wins`() throws {
        for text in [
            #"{"type":"one","a":1,"b":2,"a":3}"#, #"{"a":1,"type":"one","b":2,"a":3}"#,
            #"{"a":1,"b":2,"a":3,"type":"one"}"#,
        ] { #expect(try decode(One<Internal, JSONObject>.self, text) == .one(["a": 3, "b": 2])) }
    }

    // An expected key is compared only if enough bytes follow in the window.
    @Test func `a repeated tag of an outer enum is ignored in every division of the input`() throws {
        struct Typed: JSONModel, Equatable {
            let type: String?
            let x: Int
            static let plan = ModelPlan<Typed>(JSONField(\.type), JSONField(\.x))
        }
        let rest = #""rest":"a text that is longer than the bytes that the comparison of a key may read""#
        let text = #"{"type":"one","kind":"one","type":"again","x":1,\#(rest)}"#
        #expect(
            try decode(One<Internal, One<InternalKind, Typed>>.self, text) == .one(.one(Typed(type: "one", x: 1))))
    }

    #if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS) && !os(Android)
    // The failure came after the brackets of the outer enum had been passed on.
    @Test func `an enum that cannot be a payload is an issue like others`() async {
        await #expect(processExitsWith: .success) {
            typealias Payload = One<Internal, One<InternalKind, One<Untagged, Circle>>>
            let text = #"[{"type":"one","kind":"one","radius":1},{"type":"one","kind":"one","radius":2}]"#
            let issues = try refusals([Payload].self, text, with: .collecting)
            #expect(issues.count == 2)
        }
    }
    #endif
}
