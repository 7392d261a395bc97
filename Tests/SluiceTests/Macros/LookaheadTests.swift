#if Macros
import Sluice
import SluiceCore
import TestSupport
import Testing

/// Enums whose case is found ahead in the window of the source have the results of recorded values.
@Suite struct LookaheadTests {
    @JSONModel
    struct Circle: Equatable { let id: Int, radius: Double }
    @JSONModel
    struct Square: Equatable { let id: Int, side: Double, names: [String]? }
    @JSONModel
    struct Named: Equatable { let type: String, name: String }
    @JSONModel
    struct Typed: Equatable { let type: Int?, name: String }

    @JSONModel
    struct Counts: Equatable, CustomStringConvertible {
        @JSONExtra var all: [String: Int]
        var description: String { all.sorted { $0.key < $1.key }.description }
    }

    @JSONModel(tag: "type")
    enum Tagged: Equatable {
        case circle(Circle)
        @JSONKey("square", or: "quadrat") case square(Square)
        case named(Named)
        case typed(Typed)
        case counts(Counts)
        case nothing
        indirect case nested(Tagged)
    }

    @JSONModel(tag: "type", fallback: "other")
    enum Open: Equatable {
        case circle(Circle)
        case other(JSONValue)
    }

    @JSONModel(tag: "type", fallback: "other")
    enum Tolerant: Equatable {
        case circle(Circle)
        case other(String)
    }

    @JSONModel(tag: "kind")
    enum Outer: Equatable {
        case shape(Tagged)
        case open(Open)
        case circle(Circle)
    }

    @JSONModel(tag: "t", content: "c")
    enum Adjacent: Equatable {
        case circle(Circle)
        case numbers([Double])
        case nothing
    }

    @JSONModel(fallback: "other")
    enum External: Equatable {
        case circle(Circle)
        case other(JSONValue)
    }

    @JSONModel(.untagged)
    enum Untagged: Equatable {
        case circle(Circle)
        case square(Square)
        case text(String)
        case whole(Int)
        case number(Double)
        case flag(Bool)
        case list([Untagged])
        case numbers([[Double]])
        case point
    }

    @JSONModel(.untagged, fallback: "none")
    enum Lenient: Equatable {
        case circle(Circle)
        case none
    }

    @JSONModel(tag: "type")
    enum Action: Equatable {
        case push(ref: String)
        case star
        case typed(Typed)
    }
    @JSONModel
    struct Event: Equatable {
        let id: Int
        @JSONFlatten let action: Action
        let name: String?
    }
    @JSONModel
    struct Note: Equatable {
        let id: Int
        @JSONFlatten let action: Action?
        @JSONLossy var values: [Int]
    }

    // Models whose members are read together with those of their enum, and cases that are read after them.

    @JSONModel
    struct Item: Equatable {
        let ref: String?
        var size = 5
        @JSONKey("items[*].login") let logins: [String]
        @JSONKey("title", or: "label") let title: String?
        @JSONLossy var values: [Int]
    }
    @JSONModel
    struct Shared: Equatable { let id: Int, other: Int? }
    @JSONModel
    struct Deep: Equatable {
        let step: Step?
        @JSONKey("at.x") let x: Int?
    }
    @JSONModel
    struct Checked: Equatable {
        let ref: String
        func validate() throws { if ref == "bad" { throw Refused() } }
    }
    @JSONModel(coercion: .lenient)
    struct Loose: Equatable { let ref: Int }
    @JSONModel
    struct Part: Equatable { let left: Int, right: Int? }
    struct Refused: Error, Equatable {}

    @JSONModel(tag: "kind")
    enum Kind: Equatable {
        case item(Item)
        @JSONKey("shared", or: "common") case shared(Shared)
        indirect case deep(Deep)
        case checked(Checked)
        case loose(Loose)
        case part(Part?)
        @JSONKey("named", or: "called") case named(KindNamed)
        case counts(Counts)
        case none
        case pair(left: Int, right: [String]?)
        func validate() throws { if case .pair(7, _) = self { throw Refused() } }
    }
    @JSONModel
    struct KindNamed: Equatable { let kind: String, name: String }

    /// The enum is not the last property, and the model needs more than its fields.
    @JSONModel
    struct Step: Equatable {
        var id = 3
        @JSONFlatten let kind: Kind
        let name: String
        @JSONKey("path.to.x") let far: Int?
        @JSONFlatten let point: Part?
        @JSONKey("a", or: "b", "c") let either: String?
        func validate() throws { if name == "bad" { throw Refused() } }
    }
    @JSONModel
    struct TaggedStep: Equatable {
        let kind: String
        @JSONFlatten let what: Kind?
        let name: String?
    }
    @JSONModel(coercion: .lenient)
    struct LooseStep: Equatable {
        let id: Int?
        @JSONFlatten let kind: Kind
        @JSONIgnore var note = "n"
    }
    @JSONModel
    final class ClassStep: Equatable, CustomStringConvertible {
        let id: Int?
        @JSONFlatten let kind: Kind
        var description: String { "\(String(describing: id)) \(kind)" }
        static func == (a: ClassStep, b: ClassStep) -> Bool { a.id == b.id && a.kind == b.kind }
    }
    @JSONModel
    struct Steps: Equatable {
        let first: Step?
        let list: [TaggedStep]
        let byName: [String: LooseStep]?
        @JSONLossy var some: [Step]
        @JSONKey("or", or: "else") let other: ClassStep?
    }

    /// A model with values that are recorded, or read from a string.
    @JSONModel
    struct Parcel: Equatable {
        let raw: JSONRaw?
        let event: Event?
        let choice: Lenient?
        @JSONEmbedded let text: Circle?
        let label: String
    }
    @JSONModel(.untagged)
    enum Wrapped: Equatable {
        case parcel(Parcel)
        case square(Square)
        case any(JSONValue)
    }

    @JSONModel(tag: "type")
    indirect enum Tree: Equatable {
        case node(Node)
    }
    @JSONModel
    struct Node: Equatable { let child: Tree?, values: [Int] }

    struct Place: Codable, Equatable {
        struct Area: Codable, Equatable { let name: String, sides: [Double] }

        let lat: Double, lon: Double
        let area: Area?
    }
    enum Level: String, Codable { case low, high }
    /// A value of a kind that the initializer finds out by trying.
    struct Tried: Codable, Equatable {
        let description: String

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if container.decodeNil() {
                description = "nil"
            } else if let number = try? container.decode(Double.self) {
                description = "\(number)"
            } else if let values = try? container.decode([String: [Self]].self) {
                // Without the quotes of strings in strings, whose number doubles at each level.
                description = values.sorted { $0.key < $1.key }
                    .map { "\($0.key)[\($0.value.map(\.description).joined(separator: ","))]" }.joined(
                        separator: ";")
            } else {
                description = try container.decode(String.self)
            }
        }
    }
    @JSONModel
    struct Point: Equatable {
        let id: Int
        let place: Place
        let more: [Place]?
        let byName: [String: Place]?
        let level: Level?
        let any: Tried?
        @JSONLossy var some: [Place]
    }
    @JSONModel(.untagged)
    enum PlaceOrCircle: Equatable {
        case place(Place)
        case circle(Circle)
        case level(Level)
    }

    @JSONModel
    struct Letter: Equatable {
        @JSONEmbedded let body: Body
        @JSONEmbedded let more: [Body]?
        let raw: JSONRaw?
        let raws: [JSONRaw]?
        let to: String
    }
    @JSONModel
    struct Body: Equatable {
        let id: Int
        let place: Circle?
        let values: [Double]?
        let choice: Untagged?
        let tagged: Tagged?
        let event: Event?
        let raw: JSONRaw?
        let area: Place?
        let tried: [Tried]?
        @JSONEmbedded let inner: Circle?
        @JSONLossy var some: [Int]
        @JSONKey("name", or: "title") let name: String?
    }

    /// The outcome of a decode: the values, or the error with its location.
    private enum Outcome<T: Equatable>: Equatable {
        case values([T])
        case error(String)
    }

    private func outcome<T: JSONModel & Equatable>(
        _ type: [T].Type, _ text: String, _ source: JSONModelDecoder.Source, looksAhead: Bool, piece: Int?,
        change: (inout JSONModelDecoder) -> Void
    ) -> Outcome<T> {
        var decoder = JSONModelDecoder()
        decoder.source = source
        decoder.options.looksAhead = looksAhead
        change(&decoder)
        do throws(JSONModelError) {
            let bytes = Array(text.utf8)
            guard let piece else { return .values(try decoder.decode([T].self, from: bytes)) }
            let chunks = stride(from: 0, to: bytes.count, by: piece).map {
                Array(bytes[$0..<min($0 + piece, bytes.count)])
            }
            return .values(try decoder.decode([T].self, from: .chunks(chunks)))
        } catch {
            return .error(error.issues.map { "\($0) " + String(describing: $0.excerpt) }.joined(separator: ";"))
        }
    }

    /// Compares all sources and cuts, with and without looking ahead. At least one value must be decoded: equal errors of an unusable
    /// plan would show nothing.
    private func compare<T: JSONModel & Equatable>(
        _ type: T.Type, _ values: [String], sourceLocation: SourceLocation = #_sourceLocation
    ) {
        var isDecoded = false
        var errors: Set<String> = []
        func check(_ text: String, _ change: (inout JSONModelDecoder) -> Void) {
            let expected = outcome([T].self, text, .yajl, looksAhead: false, piece: nil, change: change)
            switch expected {
            case .values: isDecoded = true
            case .error(let error): errors.insert(error)
            }
            for source in JSONModelDecoder.Source.allCases {
                for (looksAhead, piece) in [(true, nil), (true, 1), (true, 7), (false, nil)] {
                    let found = outcome(
                        [T].self, text, source, looksAhead: looksAhead, piece: piece, change: change)
                    #expect(found == expected, "\(source), \(looksAhead), \(piece ?? 0): \(text)")
                }
            }
        }
        for value in values {
            // Elements before and after show that the source continues where the value ends.
            for text in ["[\(value)]", "[ \(value) , \(value)]", "[\(value), 7]", "[\(value)", "[[\(value)"] {
                check(text) { _ in }
                check(text) { $0.duplicateKeys = .reject }
                check(text) { $0.unknownKeys = .reject }
                check(text) { $0.coercion = .lenient }
                check(text) { $0.errorPolicy = .collect(limit: 5) }
                check(text) { $0.limits.depth = 3 }
            }
        }
        #expect(isDecoded, "\(errors.sorted().prefix(3))", sourceLocation: sourceLocation)
    }

    private static let objects = [
        #"{"id":1,"radius":2.5}"#, #"{"type":"circle","id":1,"radius":2}"#, #"{"id":1,"type":"circle","radius":2}"#,
        #"{"id":1,"radius":2.5,"type":"circle"}"#, #"{"id":1,"radius":"x","type":"circle"}"#,
        #"{"id":1,"radius":2,"type":"circle","type":"square"}"#,
        #"{"id":1,"radius":2,"type":"circle","type":"circle"}"#,
        #"{"id":1,"side":2,"type":"quadrat"}"#, #"{"id":1,"side":2,"names":["a",5],"type":"square"}"#,
        #"{"id":1,"side":2,"names":["a","b"],"type":"square", "x":{"y":[{}]}}"#,
        #"{"name":"n","type":"named"}"#, #"{"name":"n","type":"typed"}"#, #"{"type":"typed","name":"n"}"#,
        #"{"a":1,"type":"counts","b":2}"#, #"{"a":1,"b":"x","type":"counts"}"#, #"{"id":1,"type":"nothing"}"#,
        #"{"type":"nothing"}"#, #"{"id":1,"type":"nested"}"#, #"{"id":1,"type":"unknown"}"#, #"{"id":1,"type":5}"#,
        #"{"id":1,"type":null}"#, #"{}"#, #"{"id":1}"#, #"{"id":1,"radius":2,"ty\u0070e":"circle"}"#,
        #"{"id":1,"radius":2,"type":"c\u0069rcle"}"#, #"{"id":1,"ключ":2,"type":"circle","radius":1}"#,
        #"{"id":1,"radius":2,"type":"circle""#, #"{"id":"x","radius":2,"type":"circle",}"#,
        #"{"id":1,"radius":01,"type":"circle"}"#, #"{"id":1,"radius":[[[[1]]]],"type":"circle"}"#,
        #"{"id":1,"id":2,"radius":1,"type":"circle"}"#, "null", "5", #""circle""#, "[]", "true",
    ]

    @Test func `internally tagged enums`() {
        compare(Tagged.self, Self.objects)
        compare(Open.self, Self.objects)
        compare(Tolerant.self, Self.objects)
    }

    @Test func `enums in the object of an enum`() {
        let members = [
            [#""kind":"shape""#, #""type":"circle""#, #""id":1"#, #""radius":2"#],
            [#""kind":"open""#, #""type":"other""#, #""id":1"#],
            [#""kind":"shape""#, #""type":"named""#, #""name":"n""#],
            [#""kind":"shape""#, #""type":"nothing""#],
            [#""kind":"shape""#, #""type":"circle""#, #""id":1"#, #""kind":"shape""#, #""radius":2"#],
            [#""kind":"shape""#, #""type":"circle""#, #""type":"circle""#, #""id":1"#, #""radius":2"#],
        ]
        let orders = members.flatMap { list in
            [list, list.reversed(), Array(list[1...] + list[..<1]), Array(list[2...] + list[..<2])]
        }
        compare(Outer.self, orders.map { "{\($0.joined(separator: ","))}" })
    }

    @Test func `adjacently tagged enums`() {
        compare(
            Adjacent.self,
            [
                #"{"t":"circle","c":{"id":1,"radius":2}}"#, #"{"c":{"id":1,"radius":2},"t":"circle"}"#,
                #"{"c":{"id":1,"radius":"x"},"t":"circle"}"#, #"{"c":[1,2.5],"t":"numbers"}"#,
                #"{"c":[1,"x"],"t":"numbers"}"#, #"{"x":1,"t":"nothing"}"#, #"{"c":{"a":1},"t":"nothing"}"#,
                #"{"c":[1],"t":"numbers","t":"circle"}"#, #"{"c":[1],"c":[2],"t":"numbers"}"#, #"{"c":1}"#,
                #"{"c":1,"t":"unknown"}"#, #"{"c":1,"t":7}"#, #"{"c":[1],"t":"numbers""#, "{}",
            ])
    }

    @Test func `externally tagged enums with a fallback`() {
        compare(
            External.self,
            [
                #"{"circle":{"id":1,"radius":2}}"#, #"{"x":1,"circle":{"id":1,"radius":2}}"#,
                #"{"circle":{"id":1}}"#, #"{"x":{"y":1}}"#, "{}", #"{"x":1,}"#, #""circle""#, #""x""#, "7", "[1]",
                "null",
            ])
    }

    @Test func `untagged enums`() {
        let others = [
            "7", "-7", "7.5", "1e400", "12345678901234567890", #""point""#, #""text""#, #""a\nb""#, "false", "null",
            "[]", "[[1.5,2],[3]]", "[[1],[{}]]", #"[{"id":1,"radius":2},"x",[7]]"#, #"[{"id":1,"radius":2},null]"#,
            #"{"id":1,"side":true}"#, #"{"side":2,"id":1,"radius":"x"}"#, #"{"side":2,"id":1,"radius":null}"#,
        ]
        compare(Untagged.self, Self.objects + others)
        compare(Lenient.self, Self.objects + others)
    }

    @Test func `cases that fail in recorded values, in strings and at brackets`() {
        let event = #"{"id":1,"ref":"main","type":"push"}"#
        let parts = [
            #""raw":{"a":[1]}"#, #""event":\#(event)"#, #""event":{"id":1,"ref":5,"type":"push"}"#,
            #""event":[{}]"#,
            #""choice":{"id":1}"#, #""choice":7"#, #""text":"{\"id\":1,\"radius\":2}""#, #""text":"{\"id\":1}""#,
            #""text":"[1,""#, #""text":7"#, #""label":5"#, #""label":[[5],{"a":{}}]"#, #""side":1,"id":2"#,
        ]
        compare(
            Wrapped.self,
            parts.flatMap { [#"{"label":"x",\#($0)}"#, #"{\#($0),"label":"x"}"#, #"{\#($0),"more":[{"a":[]}]}"#] }
                + [
                    "[[1]]", #"{"label":"x"}"#, #"{"event":\#(event),"choice":[7],"raw":1}"#,
                ])
    }

    @Test func `enums in the object of a model`() {
        let objects = [
            #"{"id":1,"type":"push","ref":"main"}"#, #"{"type":"push","ref":"main","id":1}"#,
            #"{"ref":"main","id":1,"type":"push","name":"n"}"#, #"{"id":1,"type":"push"}"#,
            #"{"id":"x","type":"push","ref":"main"}"#, #"{"id":1,"type":"push","ref":5}"#,
            #"{"id":1,"type":"star"}"#,
            #"{"type":"star","x":[1,{}]}"#, #"{"id":1}"#, #"{"id":1,"type":"unknown"}"#, #"{"id":1,"type":5}"#,
            #"{"id":1,"type":"push","ref":"a","ref":"b"}"#, #"{"id":1,"type":"push","type":"star","ref":"b"}"#,
            #"{"id":1,"type":"typed","name":"n"}"#, #"{"id":1,"ref":"x","type":"push""#, "null", "[]",
        ]
        compare(Event.self, objects)
        compare(Note.self, objects.map { $0.replacing(#"{"id":1"#, with: #"{"values":[1,"x",3],"id":1"#) })
    }

    /// The objects of the cases of `Kind`, with members of the models around it.
    private static let steps: [String] = {
        let cases = [
            #""kind":"item","ref":"r","size":1,"items":[{"login":"a"},{"login":"b"}],"values":[1,"x",3],"label":"l""#,
            #""kind":"item","items":[],"title":null,"label":"l","values":[]"#,
            #""kind":"item","items":[{"login":1}],"values":[]"#,
            #""kind":"item","size":"x","items":[],"values":[]"#,
            #""kind":"item","values":[1],"ref":"a","ref":"b","items":[{}],"items":[{"login":"c"}]"#,
            #""kind":"item""#, #""kind":"shared","other":2"#, #""kind":"common""#,
            #""kind":"deep","at":{"x":5},"step":{"kind":"none","name":"inner"}"#,
            #""kind":"deep","at":{"x":"y"}"#, #""kind":"deep","step":{"kind":"deep","name":5}"#,
            #""kind":"deep","step":{"kind":"deep","name":"n","step":{"kind":"loose","ref":"8","name":"z"}}"#,
            #""kind":"checked","ref":"good""#, #""kind":"checked","ref":"bad""#, #""kind":"loose","ref":"12""#,
            #""kind":"loose","ref":"x""#, #""kind":"part","left":1,"right":2"#, #""kind":"part""#,
            #""kind":"named","name":"given""#, #""kind":"called""#, #""kind":"counts","z":1"#,
            #""kind":"counts","z":"x""#, #""kind":"none""#, #""kind":"none","ref":5,"values":{}"#,
            #""kind":"pair","left":1,"right":["a"]"#, #""kind":"pair","right":null,"left":2"#,
            #""kind":"pair","left":7"#, #""kind":"pair","right":["a"]"#, #""kind":"pair","left":1,"right":["a",5]"#,
            #""kind":"pair","left":1,"kind":"pair""#, #""kind":"unknown""#, #""kind":5"#, #""x":1"#,
        ]
        return cases.enumerated().flatMap { index, one in
            let name = #""name":"\#(index % 7 == 6 ? "bad" : "n\(index)")""#
            let more = [
                #""path":{"to":{"x":1}},"b":"second""#, #""id":\#(index),"id":7"#,
                #""id":"4","path":null,"unread":[{}]"#,
                #""b":5,"a":"first""#, #""left":"y""#, #""c":1"#,
            ][index % 6]
            return ["{\(one),\(name)}", "{\(more),\(one),\(name)}", "{\(name),\(more),\(one)}", "{\(more),\(one)}"]
        }
    }()

    @Test func `members of a model and of a case of its enum`() {
        compare(Step.self, Self.steps)
        compare(TaggedStep.self, Self.steps)
    }

    @Test func `members of a model and of a case of its enum, with conversions, in an object`() {
        compare(LooseStep.self, Self.steps)
        compare(ClassStep.self, Self.steps)
    }

    @Test func `values with models that are read together with their enum`() {
        compare(
            Steps.self,
            Self.steps.enumerated().map { index, step in
                let other = Self.steps[(index * 5 + 3) % Self.steps.count]
                return [
                    #"{"first":\#(step),"list":[],"some":[\#(other),\#(step),7,\#(other)]}"#,
                    #"{"list":[\#(step),\#(other)],"some":[],"byName":{"a":\#(other),"b":\#(step)}}"#,
                    #"{"else":\#(step),"some":[],"or":\#(other),"list":[]}"#,
                ][index % 3]
            })
    }

    @Test func `late tags in payloads`() {
        func tree(_ depth: Int, _ innermost: String) -> String {
            depth == 0 ? innermost : #"{"child":\#(tree(depth - 1, innermost)),"values":[\#(depth)],"type":"node"}"#
        }
        let innermost = [
            #"{"values":[1,2],"type":"node"}"#, #"{"values":[true],"type":"node"}"#, "7", #"{"type":}"#,
        ]
        compare(Tree.self, innermost.flatMap { innermost in [0, 1, 5, 60].map { tree($0, innermost) } })
    }

    @Test func `values of Codable types`() {
        let places = [
            #"{"lat":12.5,"lon":7}"#, #"{ "lon" : 7 , "lat" : -1e2 , "area" : null }"#,
            #"{"lat":1,"lon":2,"area":{"name":"a\nб","sides":[1,2.5,3]}}"#,
            #"{"lat":1,"lon":2,"area":{"name":"a","sides":[1,"x"]}}"#, #"{"lat":1,"lon":2,"area":{"sides":[]}}"#,
            #"{"lat":"x","lon":2}"#, #"{"lon":2}"#, #"{"lat":1,"lat":2,"lon":3}"#, #"{"lat":1,"l\u006fn":2}"#,
            #"{"lat":1,"lon":01}"#, #"{"lat":1,"lon":2,}"#, #"{"lat":1,"lon":2"#, #"{"lat":1,"lon":1e999}"#,
            #"{"lat":1,"lon":2,"area":{"name":"\#(String(repeating: "long ", count: 40))","sides":[[[[]]]]}}"#,
            "{}", "[]", "[1,2]", "7", "null", #""low""#, "true",
        ]
        compare(PlaceOrCircle.self, places + [#"{"id":1,"radius":2.5}"#, #""middle""#])
        let values = [#""low""#, #""middle""#, "7", "-1.5", "null", "[]", #"{"a":["b",{"c":[1,null]}]}"#, "true"]
        compare(
            Point.self,
            places.map { #"{"id":1,"place":\#($0),"some":[]}"# }
                + places.prefix(9).map { #"{"more":[\#($0),\#($0)],"id":1,"place":\#(places[0]),"some":[]}"# }
                + places.prefix(9).map { #"{"byName":{"a":\#($0),"b":\#($0)},"place":\#(places[0]),"some":[]}"# }
                + places.map { #"{"id":2,"some":[\#($0),\#(places[0]),\#($0)],"place":\#(places[0])}"# }
                + values.map { #"{"id":3,"place":\#(places[0]),"level":\#($0),"some":[]}"# }
                + values.map { #"{"id":4,"any":\#($0),"place":\#(places[0]),"some":[]}"# })
        // More levels than a window is examined for, and a value that is not kept for the next one.
        func nested(_ depth: Int) -> String { depth == 0 ? "1" : #"{"a":[\#(nested(depth - 1))]}"# }
        let long =
            #"{"lat":1,"lon":2,"area":{"name":"","sides":[\#(Array(repeating: "1.25", count: 9_000).joined(separator: ","))]}}"#
        compare(
            Point.self,
            [20, 31, 32, 33, 70].map { #"{"id":4,"any":\#(nested($0)),"place":\#(places[0]),"some":[]}"# }
                + [#"{"id":5,"place":\#(long),"more":[\#(places[0]),\#(long)],"some":[]}"#])
    }

    @Test func `values of JSON in strings, and of any JSON`() {
        func quoted(_ text: String) -> String { JSONValue.string(text).description }
        let bodies = [
            #"{"id":1,"some":[]}"#, #" {"id":1,"some":[]}"#, #"{"id":1,"some":[1,2]} "#, #"{"id":1,"some":[]}x"#,
            #"{"id":1,"some":[]} {}"#, #"{"id":"x","some":[]}"#, #"{"some":[]}"#,
            #"{"id":1,"some":[1,"x",{"y":[]},3]}"#,
            #"{"id":1,"some":[],"values":[1,2.5,-3e2],"place":{"id":7,"radius":1}}"#,
            #"{"id":1,"some":[],"values":[1,"x"]}"#, #"{"id":1,"some":[],"place":{"id":7}}"#,
            #"{"id":1,"some":[],"place":{"id":7,"radius":1},"place":null}"#,
            #"{"id":1,"some":[],"choice":"text"}"#, #"{"id":1,"some":[],"choice":{"id":2,"radius":1}}"#,
            #"{"id":1,"some":[],"tagged":{"id":2,"radius":1,"type":"circle"}}"#,
            #"{"id":1,"some":[],"event":{"id":1,"ref":"main","type":"push"}}"#,
            #"{"id":1,"some":[],"raw":{"a":[1, 2]}}"#, #"{"id":1,"some":[],"raw":"a"}"#,
            #"{"id":1,"some":[],"tagged":{"type":"square","id":2,"side":1},"raw":[[1],{"b":{}}],"name":"n"}"#,
            #"{"id":1,"some":[],"tagged":{"type":"square","id":2},"raw":[]}"#,
            #"{"id":1,"some":[],"area":{"lat":1,"lon":2},"tried":[1,"a",{"b":[null]}],"raw":{}}"#,
            #"{"id":1,"some":[],"tried":[{"a":[1]},{"a":[2]},{"a":7}],"area":{"lat":1,"lon":2}}"#,
            #"{"id":1,"some":[],"area":{"lat":1,"lon":2},"tried":[{"a":["b"]}],"values":["x"]}"#,
            #"{"id":1,"some":[],"inner":\#(quoted(#"{"id":2,"radius":3}"#))}"#,
            #"{"id":1,"some":[],"inner":\#(quoted(#"{"id":2"#))}"#, #"{"id":1,"some":[],"inner":null}"#,
            #"{"id":1,"some":[],"title":"a","name":5}"#, #"{"id":1,"some":[],"title":"a","name":"b"}"#,
            #"{"id":1,"some":[],"other":[[[[[[{}]]]]]],"name":"long \#(String(repeating: "é\\n", count: 400))"}"#,
            #"{"id":1,"some":[}"#, #"{"id":01,"some":[]}"#, #"{"id":1,"some":[]"#, "[]", "{}", "", " ", "null", "7",
            quoted("{}"),
            String(repeating: #"{"other":["#, count: 40) + String(repeating: "]}", count: 40),
        ]
        compare(
            Letter.self,
            bodies.map { #"{"to":"x","body":\#(quoted($0))}"# }
                + bodies.prefix(12).map { #"{"body":\#(quoted($0)),"more":\#(quoted("[\($0),\($0)]")),"to":"x"}"# }
                + bodies.prefix(12).map {
                    #"{"raw":\#($0),"body":\#(quoted(bodies[0])),"raws":[\#($0),\#($0)],"to":"x"}"#
                })
    }

    @Test func `a value in the window is not recorded`() throws {
        // No recorded byte may be read again, except the first ones.
        for source in JSONModelDecoder.Source.allCases { try checkInPlace(source) }
    }

    private func checkInPlace(_ source: JSONModelDecoder.Source) throws {
        var decoder = JSONModelDecoder()
        decoder.source = source
        decoder.limits.rereads = 0
        let texts = [
            #"{"id":1,"radius":2.5,"type":"circle"}"#, #"{"id":1,"side":2,"names":["a"],"type":"square"}"#,
        ]
        let text = "[\(Array(repeating: texts.joined(separator: ","), count: 20_000).joined(separator: ","))]"
        #expect(try decoder.decode([Tagged].self, from: text).count == 40_000)
        #expect(try decoder.decode([Untagged].self, from: text).count == 40_000)
        let events = #"{"id":1,"type":"push","ref":"main"},{"type":"star","id":2,"name":"n"}"#
        let list = "[\(Array(repeating: events, count: 20_000).joined(separator: ","))]"
        #expect(try decoder.decode([Event].self, from: list).count == 40_000)
        let body = JSONValue.string(#"{"id":1,"some":[1,2,3],"values":[1.5,2.5],"name":"a"}"#).description
        let letter = #"{"to":"x","body":\#(body),"raw":{"a":[1,2]}}"#
        let letters = "[\(Array(repeating: letter, count: 40_000).joined(separator: ","))]"
        // libyajl sends all tokens.
        if source == .scanner { #expect(try decoder.decode([Letter].self, from: letters).count == 40_000) }
        decoder.options.looksAhead = false
        var patient = decoder
        patient.limits.rereads = JSONLimits().rereads
        #expect(try patient.decode([Letter].self, from: letters).count == 40_000)
        for type in [[Tagged].self, [Untagged].self] as [any JSONConvertible.Type] {
            func decode<T: JSONConvertible>(_ type: T.Type) throws { _ = try decoder.decode(type, from: text) }
            #expect(throws: JSONModelError.self) { try decode(type) }
        }
    }
}
#endif
