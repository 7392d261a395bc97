import SluiceCodable
import SluiceCore
import TestSupport
import Testing

/// Enums with a fallback case, which can keep the unknown value.
@Suite(.tags(.enums, .fallbacks)) struct UnionFallbackTests {
    enum Status: JSONEnum, Equatable {
        case active, closed
        case other(String)
        static let plan = ModelPlan<Status>(
            cases: [.of("active", .active), .of("closed", .closed), .of("other", Self.other)], fallback: "other")
    }

    enum Color: String, JSONConvertible {
        case red, unknown
        static var jsonShape: JSONShape { .rawValue(Color.self, fallback: .unknown) }
    }

    @Test func `an unknown case is kept as a string`() throws {
        #expect(
            try decode([Status].self, #"["active","frozen","closed",{"thawed":[1,{"a":2}]}]"#) == [
                .active, .other("frozen"), .closed, .other("thawed"),
            ])
        #expect(try decode([String: Status].self, #"{"a":"fro\u007aen"}"#) == ["a": .other("frozen")])
    }

    @Test func `unknown names may be repeated, or ignored`() throws {
        #expect(try decode(Status.self, #"{"thawed":1,"thawed":[2]}"#) == .other("thawed"))
        enum Light: JSONEnum, Equatable {
            case on, unknown
            static let plan = ModelPlan<Light>(
                cases: [.of("on", .on), .of("unknown", .unknown)], fallback: "unknown")
        }
        #expect(
            try decode([Light].self, #"[{"on":1,"x":2},{"x":1,"on":2},{"x":1,"y":2},"z"]"#) == [
                .on, .on, .unknown, .unknown,
            ])
    }

    @Test func `a fallback with a string is written as decoded, a raw-value fallback is not`() throws {
        let encoder = JSONModelEncoder()
        let text = #"["active","frozen"]"#
        #expect(try encoder.encode(decode([Status].self, text), as: .string) == text)
        #expect(try encoder.encode(decode([Color].self, #"["red","blue"]"#), as: .string) == #"["red","unknown"]"#)
    }

    @Test func `an unknown value is kept as JSON`() throws {
        let text =
            #"[{"type":"circle","radius":1},{"type":"oval","width":[1]},{"width":2},{"radius":2,"type":"circle"}]"#
        #expect(
            try decode([Shape<Internal, ToWhole<JSONValue>>].self, text) == [
                .circle(Circle(radius: 1)), .whole(["type": "oval", "width": [1]]), .whole(["width": 2]),
                .circle(Circle(radius: 2)),
            ])
        #expect(
            try decode([Shape<Internal, ToWhole<JSONValue>>].self, #"[7,"x",true,[1]]"#) == [
                .whole(7), .whole("x"), .whole(true), .whole([1]),
            ])
        // What is known is not excused.
        let issue = try refusal([Shape<Internal, ToWhole<JSONValue>>].self, #"[{"type":"circle","radius":"x"}]"#)
        #expect(issue.path.description == "[0].radius")
        #expect(issue.location.offset == 27)
    }

    @Test func `a fallback case may discard the unknown value`() throws {
        typealias Plain = Shape<Internal, ToPoint>
        #expect(
            try decode([Plain].self, #"[{"type":"z","x":1},{"x":1,"type":"z"},{"type":"circle","radius":1}]"#) == [
                .point, .point, .circle(Circle(radius: 1)),
            ])
        #expect(try refusal(Plain.self, #"{"radius":1}"#).kind == .missingKeys(["type"]))
        #expect(try decode([Color].self, #"["red","blue"]"#) == [.red, .unknown])
        #expect(try refusal([Color].self, "[1]").path.description == "[0]")
    }

    // MARK: Round trips

    @Test func `the name of a fallback with a string is decoded`() throws {
        func check<T: Tagging>(_ text: String, _ expected: [Shape<T, ToName>]) throws {
            #expect(try decode([Shape<T, ToName>].self, text) == expected)
        }
        try check(
            #"["named","point","blue",{"named":{"x":1}},{"blue":2}]"#,
            [Shape<External, ToName>.named("named"), .point, .named("blue"), .named("named"), .named("blue")])
        try check(
            #"[{"type":"named"},{"x":[1],"type":"named"},{"type":"point"},{"type":"blue"}]"#,
            [Shape<Internal, ToName>.named("named"), .named("named"), .point, .named("blue")])
        try check(
            #"[{"t":"named"},{"c":{},"t":"named"},{"t":"named","c":5},{"t":"point"}]"#,
            [Shape<Adjacent, ToName>.named("named"), .named("named"), .named("named"), .point])
        try check(
            #"["named","point","blue",{"radius":1}]"#,
            [Shape<Untagged, ToName>.named("named"), .point, .named("blue"), .circle(Circle(radius: 1))])
    }

    private var taggings: [any Tagging.Type] { [External.self, Internal.self, Adjacent.self, Untagged.self] }

    @Test func `every value of a fallback with a string is decoded again or rejected`() throws {
        func check<T: Tagging>(_: T.Type) throws {
            typealias S = Shape<T, ToName>
            for name in ["named", "blue", "", "type", "t", "c", "é\"\\"] {
                try expectRoundTrip([S.named(name), .point, .circle(Circle(radius: 1))])
            }
            for name in ["point", "circle"] where T.self != Untagged.self {
                #expect(
                    try encodingRefusal([S.named(name)]).kind
                        == .notEncodable(
                            "its fallback has the name of another case, \"\(name)\", which would be decoded"))
            }
        }
        for tagging in taggings { try check(tagging) }
    }

    @Test func `a fallback with the name of another case among its keys is rejected`() throws {
        typealias S = Shape<External, ToWhole<[String: Int]>>
        var members = Dictionary(uniqueKeysWithValues: (0..<20).map { ("key \($0)", $0) })
        #expect(try encode(S.whole(["key": 1])) == #"{"key":1}"#)
        members["circle"] = 1
        #expect(
            try encodingRefusal(S.whole(members)).kind
                == .notEncodable("its fallback has the name of another case, \"circle\", which would be decoded"))
    }

    @Test(arguments: [
        #"{"whole":5}"#, #"{"whole":{"whole":5}}"#, #""whole""#, #"{"t":"whole","c":5}"#, #"{"t":"whole"}"#,
        #"{"t":"blue","c":[1]}"#, #"{"type":"whole","x":1}"#, #"{"type":"blue"}"#, "[1]", "{}", "7", "null", "5",
        #"{"type":3}"#, #"{"type":5}"#, #"{"t":null}"#, #"{"w":1}"#,
    ])
    func `a fallback keeps a value of its own form`(_ text: String) throws {
        func check<T: Tagging>(_: T.Type) throws {
            let value = try decode(Shape<T, ToWhole<JSONValue>>.self, text)
            #expect(value == .whole(try decode(JSONValue.self, text)))
            #expect(try encode(value) == text)
            let raw = try JSONModelDecoder().decode(Shape<T, ToWhole<JSONRaw>>.self, from: text)
            #expect(try encode(raw) == text)
            try expectRoundTrip([value])
        }
        for tagging in taggings { try check(tagging) }
    }

    @Test func `a dictionary that is a fallback keeps the tag`() throws {
        typealias S = Shape<Internal, ToWhole<[String: JSONValue]>>
        let value = try decode(S.self, #"{"type":"whole","x":1}"#)
        #expect(value == .whole(["type": "whole", "x": 1]))
        try expectRoundTrip(value)
        let issue = try encodingRefusal(S.whole(["type": "point"]))
        #expect(issue.description.contains("the name of another case, \"point\""))
    }

    @Test func `a fallback with the value of another case is rejected`() throws {
        typealias Whole<T: Tagging> = Shape<T, ToWhole<JSONValue>>
        for value: JSONValue in ["point", "circle", ["circle": ["radius": 1]], ["x": 1, "point": nil]] {
            #expect(try encodingRefusal(Whole<External>.whole(value)).description.contains("another case"))
            _ = try encodingRefusal(Shape<External, ToWhole<JSONRaw>>.whole(JSONRaw(value.description)))
        }
        _ = try encodingRefusal(Whole<Internal>.whole(["type": "circle", "radius": 1]))
        _ = try encodingRefusal(Whole<Adjacent>.whole(["t": "point"]))
        try expectRoundTrip([Whole<Internal>.whole("point"), .whole(["circle": 1])])
    }

    @Test func `the fallback of an untagged enum is tried last`() throws {
        #expect(
            try decode([Shape<Untagged, ToWhole<JSONValue>>].self, #"[{"radius":1},"point","blue",{"radius":"x"}]"#)
                == [.circle(Circle(radius: 1)), .point, .whole("blue"), .whole(["radius": "x"])])
    }

    @Test func `a case without a value is tried in its order`() throws {
        enum Words: JSONEnum, Equatable {
            case red
            case text(String)
            static let plan = ModelPlan<Words>(
                cases: [.of("red", .red), .of("text", Self.text)], tagging: .untagged)
        }
        #expect(try decode([Words].self, #"["red","blue"]"#) == [.red, .text("blue")])
        try expectRoundTrip([Words.red, .text("blue")])
    }

    /// A fallback whose value is a model reads some members of an unknown case.
    enum Modeled<T: Tagging>: JSONEnum, Equatable {
        case none
        case other(Circle)
        static var plan: ModelPlan<Self> {
            .shared {
                ModelPlan(
                    cases: [.of("none", Self.none), .of("other", Self.other)], tagging: T.tagging, fallback: "other"
                )
            }
        }
    }

    @Test func `only an unknown name becomes a fallback that does not keep the whole value`() throws {
        func check<T: Tagging>(_: T.Type, _ texts: [String]) throws {
            for text in [#"{}"#, "null", "5", "[]", "true"] + texts {
                _ = try refusal(Shape<T, ToPoint>.self, text)
                _ = try refusal(Shape<T, ToName>.self, text)
                _ = try refusal(Modeled<T>.self, text)
            }
        }
        try check(Internal.self, [#"{"type":5}"#, #"{"type":null}"#, #"{"w":1}"#])
        try check(Adjacent.self, [#"{"t":5}"#, #"{"t":{}}"#, #"{"c":1}"#])
        try check(External.self, [])
        let other = Circle(radius: 1)
        #expect(try decode(Modeled<Internal>.self, #"{"radius":1,"type":"oval"}"#) == .other(other))
        #expect(try decode(Modeled<Adjacent>.self, #"{"radius":1,"t":"oval"}"#) == .other(other))
        #expect(try decode(Modeled<External>.self, #"{"oval":1,"radius":1}"#) == .other(other))
    }

    @Test func `several names in one object are an error in any order`() throws {
        typealias S = Shape<External, ToName>
        for text in [#"{"blue":1,"green":2}"#, #"{"green":2,"blue":1}"#, #"{"blue":1,"green":2,"gold":3}"#] {
            let issue = try refusal(S.self, text)
            #expect(issue.description.contains("blue") && issue.description.contains("green"))
        }
        #expect(try decode(S.self, #"{"blue":1,"green":2,"point":null}"#) == .point)
        #expect(try decode(S.self, #"{"blue":1,"point":null,"green":2}"#) == .point)
        let list = #"[{"a":1,"b":1},{"c":1},{"d":1,"e":1}]"#
        #expect(try refusals([S].self, list, with: .collecting).count == 2)
        // The two names of one case.
        for text in [
            #"{"square":{"side":1},"quadrat":{"side":2}}"#, #"{"quadrat":{"side":2},"x":1,"square":{"side":1}}"#,
        ] {
            let issue = try refusal(S.self, text)
            #expect(issue.description.contains("square") && issue.description.contains("quadrat"))
        }
        let square = S.square(Square(side: 2))
        #expect(try decode(S.self, #"{"quadrat":{"side":1},"x":1,"quadrat":{"side":2}}"#) == square)
        #expect(try decode(S.self, #"{"x":1,"quadrat":{"side":2}}"#) == square)
        for (text, names) in [
            (#"{"quadrat":{"side":2},"point":1}"#, "quadrat and point"),
            (#"{"point":1,"quadrat":{"side":2}}"#, "point and quadrat"),
        ] { #expect(try refusal(S.self, text).description.contains(names)) }
    }

    // MARK: Flattened

    @Test func `a flattened name without a value is written as a member`() throws {
        typealias Plain = Around<Shape<External, ToName>>
        let point = Plain(id: 1, group: .point)
        #expect(try encode(point) == #"{"id":1,"point":null}"#)
        try expectRoundTrip(point)
        let unknown = Plain(id: 1, group: .named("blue"))
        #expect(try decode(Plain.self, #"{"id":1,"blue":1,"blue":2}"#) == unknown)
        #expect(try encode(unknown) == #"{"id":1,"blue":null}"#)
        try expectRoundTrip(unknown)
        #expect(try encodingRefusal(Plain(id: 1, group: .named("id"))).model?.hasPrefix("Around") == true)
    }

    // MARK: Merging

    @Test func `a merged fallback is the value that decoding gives`() throws {
        var list = ["a": Shape<Internal, ToName>.named("named"), "b": .point, "c": .circle(Circle(radius: 1))]
        try JSONModelDecoder().merge(
            #"{"a":{"x":1},"b":{"type":"named"},"c":{"type":"blue"}}"#, into: &list, options: .mergePatch)
        #expect(list == ["a": .named("named"), "b": .named("named"), "c": .named("blue")])
        var whole = ["a": Shape<External, ToWhole<JSONValue>>.whole(["whole": 5])]
        try JSONModelDecoder().merge(#"{"a":{"x":1}}"#, into: &whole, options: .mergePatch)
        #expect(whole == ["a": .whole(["whole": 5, "x": 1])])
    }

    @Test func `a merge that leaves several names is an error`() throws {
        var list = [
            "a": Shape<External, ToName>.circle(Circle(radius: 1)), "b": .named("blue"), "c": .named("blue"),
        ]
        let before = list
        for patch in [#"{"a":{"point":1}}"#, #"{"b":{"blue":1,"green":2}}"#] {
            #expect(throws: JSONModelError.self) {
                try JSONModelDecoder().merge(patch, into: &list, options: .mergePatch)
            }
            #expect(list == before)
        }
        try JSONModelDecoder().merge(#"{"b":{"green":1},"c":{"point":1}}"#, into: &list, options: .mergePatch)
        #expect(list == ["a": .circle(Circle(radius: 1)), "b": .named("green"), "c": .point])
    }

    /// Strings in capitals.
    struct Loud: JSONTransform {
        func decode(_ json: String) throws -> String { json.uppercased() }
        func encode(_ value: String) throws -> String { value.lowercased() }
    }

    @Test func `a transform for strings does not change the name of an unknown case`() throws {
        let decoder = JSONModelDecoder.with { $0.register(Loud()) }
        let encoder = JSONModelEncoder.with { $0.register(Loud()) }
        func check<T: Tagging>(_: T.Type, _ text: String, _ name: String, _ written: String) throws {
            let value = try decode(Shape<T, ToName>.self, text, with: decoder)
            #expect(value == .named(name))
            #expect(try encode(value, with: encoder) == written)
        }
        try check(External.self, #""Oval""#, "Oval", #""Oval""#)
        try check(External.self, #"{"Oval":1}"#, "Oval", #""Oval""#)
        try check(Internal.self, #"{"x":1,"type":"Oval"}"#, "Oval", #"{"type":"Oval"}"#)
        try check(Adjacent.self, #"{"t":"Oval","c":1}"#, "Oval", #"{"t":"Oval"}"#)
        // Without a tag, the string is a value.
        try check(Untagged.self, #""Oval""#, "OVAL", #""oval""#)
    }

    // MARK: Other keys

    @Test func `keys other than the external tag are ignored`() throws {
        typealias S = Shape<External, NoFallback>
        typealias Named = Shape<External, ToName>
        for text in [#"{"new":[1],"point":null,"x":{}}"#, #"{"point":null,"new":1}"#, #"{"oval":{},"point":1}"#] {
            #expect(try decode(S.self, text) == .point)
            #expect(try decode(Named.self, text) == .point)
        }
        // The only unknown name is the unknown case. Of two, none comes first.
        #expect(try decode(Named.self, #"{"oval":{"point":1}}"#) == .named("oval"))
        #expect(try refusal(Named.self, #"{"oval":{"point":1},"new":1}"#).description.contains("oval and new"))
        let issue = try refusal(S.self, #"{"oval":{},"new":1}"#)
        #expect(issue.location.offset == 1)
        #expect(issue.description.contains(#""oval" is not one of its cases"#))
        #expect(try decode(Lossy<[S]>.self, #"{"list":[{"oval":{}},{"new":1,"point":1}]}"#).list == [.point])
        // The name of the fallback is an unknown name, too.
        #expect(try decode(Named.self, #"{"named":"a","point":1}"#) == .point)
        #expect(try decode(Named.self, #"{"point":1,"named":"a"}"#) == .point)
        #expect(try decode(Named.self, #"{"named":"a"}"#) == .named("named"))
    }

    /// An enum whose payload lacks the part that failed is not made.
    @Test func `a payload with an issue is dropped from a partial array`() throws {
        enum Loose: JSONEnum, Equatable {
            case known(Int)
            case other(JSONValue)
            static let plan = ModelPlan<Loose>(
                cases: [.of("known", Self.known), .of("other", Self.other)],
                tagging: .adjacent(tag: "t", content: "c"), fallback: "other")
        }
        let decoder = JSONModelDecoder.with { $0.duplicateKeys = .reject }
        let partial = try decoder.decodePartially(
            [Loose].self, from: #"[{"a":1,"a":2},{"t":"known","c":1},{"b":{"x":1,"x":1}},{"b":1}]"#)
        #expect(partial.value == [.known(1), .other(["b": 1])])
        #expect(partial.issues.map(\.path) == ["[0].a", "[2].b.x"])
    }
}
