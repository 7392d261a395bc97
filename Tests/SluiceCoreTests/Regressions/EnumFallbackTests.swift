import SluiceCodable
import SluiceCore
import TestSupport
import Testing

extension Regressions {
    /// Fallbacks and repeated tags did not survive a round trip.
    @Suite struct EnumFallbackTests {
        struct Circle: JSONModel, Equatable {
            var radius: Int
            static let plan = ModelPlan<Circle>(JSONField(\.radius))
        }

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

        protocol Way { static var tagging: JSONTagging { get } }
        enum External: Way { static let tagging = JSONTagging.external }
        enum Internal: Way { static let tagging = JSONTagging.internal(tag: "type") }
        enum Adjacent: Way { static let tagging = JSONTagging.adjacent(tag: "t", content: "c") }
        enum Untagged: Way { static let tagging = JSONTagging.untagged }

        enum Named1<W: Way>: JSONEnum, Equatable {
            case other(String)
            case red
            case circle(Circle)
            static var plan: ModelPlan<Self> {
                .shared {
                    ModelPlan(
                        cases: [
                            JSONCase(
                                "other", payload: String.self, make: { .other($0) },
                                read: { if case .other(let value) = $0 { value } else { nil } }),
                            JSONCase("red", value: .red, matches: { $0 == .red }),
                            JSONCase(
                                "circle", payload: Circle.self, make: { .circle($0) },
                                read: { if case .circle(let value) = $0 { value } else { nil } }),
                        ], tagging: W.tagging, fallback: "other")
                }
            }
        }

        enum Whole<W: Way, Rest: JSONConvertible & Equatable>: JSONEnum, Equatable {
            case whole(Rest)
            case red
            case circle(Circle)
            static var plan: ModelPlan<Self> {
                .shared {
                    ModelPlan(
                        cases: [
                            JSONCase(
                                "whole", payload: Rest.self, make: { .whole($0) },
                                read: { if case .whole(let value) = $0 { value } else { nil } }),
                            JSONCase("red", value: .red, matches: { $0 == .red }),
                            JSONCase(
                                "circle", payload: Circle.self, make: { .circle($0) },
                                read: { if case .circle(let value) = $0 { value } else { nil } }),
                        ], tagging: W.tagging, fallback: "whole")
                }
            }
        }

        @Test func `the name of a fallback with a string is decoded`() throws {
            typealias E = Named1<External>
            #expect(
                try decode([E].self, #"["other","red","blue",{"other":{"x":1}},{"blue":2}]"#)
                    == [.other("other"), .red, .other("blue"), .other("other"), .other("blue")])
            typealias I = Named1<Internal>
            #expect(
                try decode([I].self, #"[{"type":"other"},{"x":[1],"type":"other"},{"type":"red"},{"type":"blue"}]"#)
                    == [.other("other"), .other("other"), .red, .other("blue")])
            typealias A = Named1<Adjacent>
            #expect(
                try decode([A].self, #"[{"t":"other"},{"c":{},"t":"other"},{"t":"other","c":5},{"t":"red"}]"#)
                    == [.other("other"), .other("other"), .other("other"), .red])
            typealias U = Named1<Untagged>
            #expect(
                try decode([U].self, #"["other","red","blue",{"radius":1}]"#)
                    == [.other("other"), .red, .other("blue"), .circle(Circle(radius: 1))])
        }

        @Test func `every value of a fallback with a string is decoded again or rejected`() throws {
            for name in ["other", "blue", "", "type", "t", "c", "é\"\\"] {
                try expectRoundTrip([Named1<External>.other(name), .red, .circle(Circle(radius: 1))])
                try expectRoundTrip([Named1<Internal>.other(name), .red, .circle(Circle(radius: 1))])
                try expectRoundTrip([Named1<Adjacent>.other(name), .red, .circle(Circle(radius: 1))])
                try expectRoundTrip([Named1<Untagged>.other(name), .red, .circle(Circle(radius: 1))])
            }
            for name in ["red", "circle"] {
                let kind = JSONIssue.Kind.notEncodable(
                    "its fallback has the name of another case, \"\(name)\", which would be decoded")
                #expect(try encodingRefusal([Named1<External>.other(name)]).kind == kind)
                #expect(try encodingRefusal([Named1<Internal>.other(name)]).kind == kind)
                #expect(try encodingRefusal([Named1<Adjacent>.other(name)]).kind == kind)
            }
        }

        @Test func `a fallback with the name of another case among its keys is rejected`() throws {
            var members = Dictionary(uniqueKeysWithValues: (0..<20).map { ("key \($0)", $0) })
            #expect(try encode(Whole<External, [String: Int]>.whole(["key": 1])) == #"{"key":1}"#)
            members["circle"] = 1
            #expect(
                try encodingRefusal(Whole<External, [String: Int]>.whole(members)).kind
                    == .notEncodable(
                        "its fallback has the name of another case, \"circle\", which would be decoded"))
        }

        @Test(arguments: [
            #"{"whole":5}"#, #"{"whole":{"whole":5}}"#, #""whole""#, #"{"t":"whole","c":5}"#, #"{"t":"whole"}"#,
            #"{"t":"blue","c":[1]}"#, #"{"type":"whole","x":1}"#, #"{"type":"blue"}"#, "[1]", "{}", "7",
            #"{"type":3}"#, #"{"t":null}"#,
        ])
        func `a fallback keeps a value of its own form`(_ text: String) throws {
            func check<W: Way>(_: W.Type) throws {
                let value = try decode(Whole<W, JSONValue>.self, text)
                #expect(value == .whole(try decode(JSONValue.self, text)))
                #expect(try encode(value) == text)
                let raw = try JSONModelDecoder().decode(Whole<W, JSONRaw>.self, from: text)
                #expect(try encode(raw) == text)
                try expectRoundTrip([value])
            }
            try check(External.self)
            try check(Internal.self)
            try check(Adjacent.self)
            try check(Untagged.self)
        }

        @Test func `a dictionary that is a fallback keeps the tag`() throws {
            typealias E = Whole<Internal, [String: JSONValue]>
            let value = try decode(E.self, #"{"type":"whole","x":1}"#)
            #expect(value == .whole(["type": "whole", "x": 1]))
            try expectRoundTrip(value)
            #expect(
                try encodingRefusal(E.whole(["type": "red"])).description.contains(
                    "the name of another case, \"red\""))
        }

        @Test func `a fallback with the value of another case is rejected`() throws {
            for value: JSONValue in ["red", "circle", ["circle": ["radius": 1]], ["x": 1, "red": nil]] {
                #expect(
                    try encodingRefusal(Whole<External, JSONValue>.whole(value)).description.contains(
                        "another case"))
                let raw = try JSONRaw(value.description)
                #expect(throws: JSONModelError.self) {
                    try JSONModelEncoder().encode(Whole<External, JSONRaw>.whole(raw))
                }
            }
            #expect(throws: JSONModelError.self) {
                try JSONModelEncoder().encode(Whole<Internal, JSONValue>.whole(["type": "circle", "radius": 1]))
            }
            #expect(throws: JSONModelError.self) {
                try JSONModelEncoder().encode(Whole<Adjacent, JSONValue>.whole(["t": "red"]))
            }
            try expectRoundTrip([Whole<Internal, JSONValue>.whole("red"), .whole(["circle": 1])])
        }

        @Test func `the fallback of an untagged enum is tried last`() throws {
            typealias U = Whole<Untagged, JSONValue>
            #expect(
                try decode([U].self, #"[{"radius":1},"red","blue",{"radius":"x"}]"#)
                    == [.circle(Circle(radius: 1)), .red, .whole("blue"), .whole(["radius": "x"])])
        }

        enum Words: JSONEnum, Equatable {
            case red
            case text(String)
            static let plan = ModelPlan<Words>(
                cases: [
                    JSONCase("red", value: .red, matches: { $0 == .red }),
                    JSONCase(
                        "text", payload: String.self, make: { .text($0) },
                        read: { if case .text(let value) = $0 { value } else { nil } }),
                ], tagging: .untagged)
        }

        @Test func `a case without a value is tried in its order`() throws {
            #expect(try decode([Words].self, #"["red","blue"]"#) == [.red, .text("blue")])
            try expectRoundTrip([Words.red, .text("blue")])
        }

        // MARK: Repeated tags

        enum Tagged: JSONEnum, Equatable {
            case named(Named)
            case open(Open)
            case table([String: JSONValue])
            case inner(Inner)
            case plain
            static let plan = ModelPlan<Tagged>(
                cases: [
                    JSONCase(
                        "named", payload: Named.self, make: { .named($0) },
                        read: { if case .named(let value) = $0 { value } else { nil } }),
                    JSONCase(
                        "open", payload: Open.self, make: { .open($0) },
                        read: { if case .open(let value) = $0 { value } else { nil } }),
                    JSONCase(
                        "table", payload: [String: JSONValue].self, make: { .table($0) },
                        read: { if case .table(let value) = $0 { value } else { nil } }),
                    JSONCase(
                        "inner", payload: Inner.self, make: { .inner($0) },
                        read: { if case .inner(let value) = $0 { value } else { nil } }),
                    JSONCase("plain", value: .plain, matches: { $0 == .plain }),
                ], tagging: .internal(tag: "type"))
        }

        enum Inner: JSONEnum, Equatable {
            case open(Open)
            case other(String)
            static let plan = ModelPlan<Inner>(
                cases: [
                    JSONCase(
                        "open", payload: Open.self, make: { .open($0) },
                        read: { if case .open(let value) = $0 { value } else { nil } }),
                    JSONCase(
                        "other", payload: String.self, make: { .other($0) },
                        read: { if case .other(let value) = $0 { value } else { nil } }),
                ], tagging: .internal(tag: "kind"), fallback: "other")
        }

        /// An enum that is recorded as a whole.
        enum Loose: JSONEnum, Equatable {
            case named(Named)
            case any(JSONValue)
            static let plan = ModelPlan<Loose>(
                cases: [
                    JSONCase(
                        "named", payload: Named.self, make: { .named($0) },
                        read: { if case .named(let value) = $0 { value } else { nil } }),
                    JSONCase(
                        "any", payload: JSONValue.self, make: { .any($0) },
                        read: { if case .any(let value) = $0 { value } else { nil } }),
                ], tagging: .untagged)
        }

        enum Recorded: JSONEnum, Equatable {
            case loose(Loose)
            case table([String: JSONValue])
            case rest(JSONValue)
            static let plan = ModelPlan<Recorded>(
                cases: [
                    JSONCase(
                        "loose", payload: Loose.self, make: { .loose($0) },
                        read: { if case .loose(let value) = $0 { value } else { nil } }),
                    JSONCase(
                        "table", payload: [String: JSONValue].self, make: { .table($0) },
                        read: { if case .table(let value) = $0 { value } else { nil } }),
                    JSONCase(
                        "rest", payload: JSONValue.self, make: { .rest($0) },
                        read: { if case .rest(let value) = $0 { value } else { nil } }),
                ], tagging: .internal(tag: "type"), fallback: "rest")
        }

        private func expectStable<T: JSONConvertible & Equatable>(
            _ text: String, _ expected: T, sourceLocation: SourceLocation = #_sourceLocation
        ) throws {
            #expect(try decode(T.self, text) == expected, sourceLocation: sourceLocation)
            #expect(try decode(T.self, encode(expected)) == expected, sourceLocation: sourceLocation)
            let issue = try refusal(T.self, text, with: .with { $0.duplicateKeys = .reject })
            guard case .duplicateKey(let key) = issue.kind else {
                Issue.record("\(issue)", sourceLocation: sourceLocation)
                return
            }
            #expect(issue.path.components.last == .key(key), sourceLocation: sourceLocation)
            let collected = try refusals(
                T.self, text, with: .with { ($0.duplicateKeys, $0.errorPolicy) = (.reject, .collect(limit: 9)) })
            #expect(collected.count == 1, sourceLocation: sourceLocation)
        }

        @Test func `a repeated tag is not part of the payload`() throws {
            try expectStable(#"{"type":"named","x":1,"type":"open"}"#, Tagged.named(Named(type: "named", x: 1)))
            try expectStable(#"{"x":1,"type":"named","type":"open"}"#, Tagged.named(Named(type: "named", x: 1)))
            try expectStable(#"{"type":"open","id":1,"y":2,"type":"x"}"#, Tagged.open(Open(id: 1, rest: ["y": 2])))
            try expectStable(#"{"id":1,"type":"open","y":2,"type":"x"}"#, Tagged.open(Open(id: 1, rest: ["y": 2])))
            try expectStable(#"{"type":"table","a":1,"type":[5]}"#, Tagged.table(["a": 1]))
            try expectStable(#"{"a":1,"type":"table","type":[5]}"#, Tagged.table(["a": 1]))
            try expectStable(#"{"type":"plain","type":"open"}"#, Tagged.plain)
            try expectStable(
                #"{"kind":"open","type":"inner","id":1,"type":"x","a":2,"kind":"other"}"#,
                Tagged.inner(.open(Open(id: 1, rest: ["a": 2]))), kinds: ["type", "kind"])
            try expectStable(#"{"type":"inner","type":"open","kind":"zzz"}"#, Tagged.inner(.other("zzz")))
        }

        private func expectStable<T: JSONConvertible & Equatable>(
            _ text: String, _ expected: T, kinds: [String], sourceLocation: SourceLocation = #_sourceLocation
        ) throws {
            #expect(try decode(T.self, text) == expected, sourceLocation: sourceLocation)
            let collected = try refusals(
                T.self, text, with: .with { ($0.duplicateKeys, $0.errorPolicy) = (.reject, .collect(limit: 9)) })
            #expect(collected.map(\.kind) == kinds.map { .duplicateKey($0) }, sourceLocation: sourceLocation)
        }

        @Test func `a repeated tag of a recorded value is not part of the payload`() throws {
            try expectStable(
                #"{"type":"loose","x":1,"type":"open"}"#, Recorded.loose(.named(Named(type: "loose", x: 1))))
            try expectStable(#"{"a":1,"type":"table","type":"open"}"#, Recorded.table(["a": 1]))
            try expectStable(#"{"type":"blue","a":1,"type":"table"}"#, Recorded.rest(["type": "blue", "a": 1]))
            try expectStable(#"{"type":5,"a":1,"type":"table"}"#, Recorded.rest(["type": 5, "a": 1]))
        }

        @Test func `the first of two adjacent tags decides, and the last content applies`() throws {
            typealias A = Named1<Adjacent>
            try expectStable(#"{"t":"circle","c":{"radius":1},"t":"red"}"#, A.circle(Circle(radius: 1)))
            try expectStable(#"{"c":{"radius":1},"t":"circle","t":"red"}"#, A.circle(Circle(radius: 1)))
            try expectStable(#"{"t":"circle","c":{"radius":1},"c":{"radius":2}}"#, A.circle(Circle(radius: 2)))
            try expectStable(#"{"t":"blue","t":"red"}"#, A.other("blue"))
        }

        @Test func `the last value of a repeated case applies`() throws {
            typealias E = Named1<External>
            try expectStable(#"{"circle":{"radius":1},"circle":{"radius":2}}"#, E.circle(Circle(radius: 2)))
            try expectStable(#"{"red":1,"red":2}"#, E.red)
            #expect(try refusal(E.self, #"{"circle":{"radius":1},"red":1}"#).description.contains("circle and red"))
        }

        enum Aliased: JSONEnum, Equatable {
            case circle(Circle)
            case red
            static let plan = ModelPlan<Aliased>(
                cases: [
                    JSONCase(
                        "circle", keys: ["circle", "round"], payload: Circle.self, make: { .circle($0) },
                        read: { if case .circle(let value) = $0 { value } else { nil } }),
                    JSONCase("red", value: .red, matches: { $0 == .red }),
                ], tagging: .external)
        }

        @Test func `several names in one object are an error in any order`() throws {
            typealias E = Named1<External>
            for text in [#"{"blue":1,"green":2}"#, #"{"green":2,"blue":1}"#, #"{"blue":1,"green":2,"gold":3}"#] {
                let issue = try refusal(E.self, text)
                #expect(issue.description.contains("blue") && issue.description.contains("green"))
            }
            #expect(try decode(E.self, #"{"blue":1,"green":2,"red":null}"#) == .red)
            #expect(try decode(E.self, #"{"blue":1,"red":null,"green":2}"#) == .red)
            #expect(
                try refusals(
                    [E].self, #"[{"a":1,"b":1},{"c":1},{"d":1,"e":1}]"#,
                    with: .with { $0.errorPolicy = .collect(limit: 9) }
                ).count == 2)
            for text in [
                #"{"circle":{"radius":1},"round":{"radius":2}}"#,
                #"{"round":{"radius":2},"x":1,"circle":{"radius":1}}"#,
            ] {
                let issue = try refusal(Aliased.self, text)
                #expect(issue.description.contains("circle") && issue.description.contains("round"))
            }
            let round = Aliased.circle(Circle(radius: 2))
            #expect(try decode(Aliased.self, #"{"round":{"radius":1},"x":1,"round":{"radius":2}}"#) == round)
            #expect(try decode(Aliased.self, #"{"x":1,"round":{"radius":2}}"#) == round)
            #expect(
                try refusal(Aliased.self, #"{"round":{"radius":2},"red":1}"#).description.contains("round and red"))
            #expect(
                try refusal(Aliased.self, #"{"red":1,"round":{"radius":2}}"#).description.contains("red and round"))
        }

        @Test func `a merge that leaves several names is an error`() throws {
            var list = ["a": Named1<External>.circle(Circle(radius: 1)), "b": .other("blue"), "c": .other("blue")]
            let before = list
            for patch in [#"{"a":{"red":1}}"#, #"{"b":{"blue":1,"green":2}}"#] {
                #expect(throws: JSONModelError.self) {
                    try JSONModelDecoder().merge(patch, into: &list, options: .mergePatch)
                }
                #expect(list == before)
            }
            try JSONModelDecoder().merge(
                #"{"b":{"green":1},"c":{"red":1}}"#, into: &list, options: .mergePatch)
            #expect(list == ["a": .circle(Circle(radius: 1)), "b": .other("green"), "c": .red])
        }

        @Test func `extra keys cannot contain the tag`() throws {
            let issue = try encodingRefusal([Tagged.open(Open(id: 1, rest: ["type": 1]))])
            #expect(issue.kind == .notEncodable(#"its key "type" is that of the enum's tag"#))
            let inner = Tagged.inner(.open(Open(id: 1, rest: ["type": 1])))
            #expect(try encodingRefusal(inner).kind == .notEncodable(#"its key "type" is that of the enum's tag"#))
            final class Object: JSONModel {
                struct Storage { var rest: [String: Int] }
                let rest: [String: Int]
                init(_ rest: [String: Int]) { self.rest = rest }
                static let plan = ModelPlan<Object>(
                    storage: Storage.self, [JSONField(extra: \.rest)], make: { Object($0.rest) },
                    read: { Storage(rest: $0.rest) })
            }
            enum Boxed: JSONEnum {
                case object(Object)
                static let plan = ModelPlan<Boxed>(
                    cases: [
                        JSONCase("object", payload: Object.self, make: { .object($0) }) {
                            if case .object(let value) = $0 { value } else { nil }
                        }
                    ], tagging: .internal(tag: "type"))
            }
            #expect(try encode(Boxed.object(Object(["x": 1]))) == #"{"type":"object","x":1}"#)
            let object = try encodingRefusal(Boxed.object(Object(["type": 1])))
            #expect(object.kind == .notEncodable(#"its key "type" is that of the enum's tag"#))
        }

        // MARK: Flattened

        struct Event<W: Way>: JSONModel, Equatable {
            var id: Int
            var type: String?
            var action: Named1<W>
            var rest: [String: JSONValue] = [:]
            static var plan: ModelPlan<Event> {
                .shared {
                    ModelPlan(
                        JSONField(\.id), JSONField(\.type), JSONField(flatten: \.action), JSONField(extra: \.rest))
                }
            }
        }

        @Test func `a flattened enum and its model read the same tag`() throws {
            try expectStable(
                #"{"id":1,"type":"circle","radius":2,"type":"red","y":3}"#,
                Event<Internal>(id: 1, type: "circle", action: .circle(Circle(radius: 2)), rest: ["y": 3]))
            try expectStable(
                #"{"t":"blue","id":1,"t":"red"}"#, Event<Adjacent>(id: 1, action: .other("blue")))
            // A property that is nil has written no tag.
            let text = try encode(Event<Internal>(id: 1, action: .red, rest: ["radius": 1, "type": 3]))
            #expect(text == #"{"id":1,"type":"red","radius":1}"#)
        }

        /// A payload whose flattened enum has the same tag.
        enum Outer: JSONEnum, Equatable {
            case red(Event<Internal>)
            static let plan = ModelPlan<Outer>(
                cases: [
                    JSONCase("red", payload: Event<Internal>.self, make: { .red($0) }) {
                        if case .red(let value) = $0 { value } else { nil }
                    }
                ], tagging: .internal(tag: "type"))
        }

        @Test func `the tag of an enum is not written again by an enum in the payload`() throws {
            for (type, text) in [(nil, #"{"type":"red","id":1}"#), ("red", #"{"type":"red","id":1}"#)] {
                let value = Outer.red(Event(id: 1, type: type, action: .red))
                #expect(try encode(value) == text)
                #expect(try decode(Outer.self, text) == .red(Event(id: 1, type: "red", action: .red)))
                #expect(try encode([value, value]) == "[\(text),\(text)]")
            }
        }

        @Test func `a flattened name without a value is written as a member`() throws {
            let red = Plain(id: 1, action: .red)
            #expect(try encode(red) == #"{"id":1,"red":null}"#)
            try expectRoundTrip(red)
            let unknown = Plain(id: 1, action: .other("blue"))
            #expect(try decode(Plain.self, #"{"id":1,"blue":1,"blue":2}"#) == unknown)
            #expect(try encode(unknown) == #"{"id":1,"blue":null}"#)
            try expectRoundTrip(unknown)
            #expect(try encodingRefusal(Plain(id: 1, action: .other("id"))).model == "Plain")
        }

        struct Plain: JSONModel, Equatable {
            var id: Int
            var action: Named1<External>
            static let plan = ModelPlan<Plain>(JSONField(\.id), JSONField(flatten: \.action))
        }

        @Test func `a fallback that reads any key excludes extra keys`() throws {
            let kind = JSONIssue.Kind.invalidPlan("'action' and 'rest' both take all other keys")
            #expect(try refusal(Event<External>.self, "{}").kind == kind)
        }

        // MARK: Merging

        @Test func `a merged fallback is the value that decoding gives`() throws {
            var list = ["a": Named1<Internal>.other("other"), "b": .red, "c": .circle(Circle(radius: 1))]
            try JSONModelDecoder().merge(
                #"{"a":{"x":1},"b":{"type":"other"},"c":{"type":"blue"}}"#, into: &list, options: .mergePatch)
            #expect(list == ["a": .other("other"), "b": .other("other"), "c": .other("blue")])
            var whole = ["a": Whole<External, JSONValue>.whole(["whole": 5])]
            try JSONModelDecoder().merge(#"{"a":{"x":1}}"#, into: &whole, options: .mergePatch)
            #expect(whole == ["a": .whole(["whole": 5, "x": 1])])
        }

        /// Strings in capitals.
        struct Loud: JSONTransform {
            func decode(_ json: String) throws -> String { json.uppercased() }
            func encode(_ value: String) throws -> String { value.lowercased() }
        }

        @Test func `a transform for strings does not change the name of an unknown case`() throws {
            let decoder = JSONModelDecoder.with { $0.register(Loud()) }
            var encoder = JSONModelEncoder()
            encoder.register(Loud())
            let external = try decode(Named1<External>.self, #""Square""#, with: decoder)
            #expect(external == .other("Square"))
            #expect(try decode(Named1<External>.self, #"{"Square":1}"#, with: decoder) == external)
            #expect(try encode(external, with: encoder) == #""Square""#)
            let inner = try decode(Named1<Internal>.self, #"{"x":1,"type":"Square"}"#, with: decoder)
            #expect(inner == .other("Square"))
            #expect(try encode(inner, with: encoder) == #"{"type":"Square"}"#)
            let adjacent = try decode(Named1<Adjacent>.self, #"{"t":"Square","c":1}"#, with: decoder)
            #expect(adjacent == .other("Square"))
            #expect(try encode(adjacent, with: encoder) == #"{"t":"Square"}"#)
            // Without a tag, the string is a value.
            let untagged = try decode(Named1<Untagged>.self, #""Square""#, with: decoder)
            #expect(untagged == .other("SQUARE"))
            #expect(try encode(untagged, with: encoder) == #""square""#)
        }
    }
}
