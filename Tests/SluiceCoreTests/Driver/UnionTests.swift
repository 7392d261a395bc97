import SluiceCore
import TestSupport
import Testing

/// Enums with values, told apart by a tag in each of the four ways.
@Suite(.tags(.enums)) struct UnionTests {
    typealias Shape<T: Tagging> = SluiceCoreTests.Shape<T, NoFallback>

    struct Holder<T: Tagging>: JSONModel, Equatable {
        let before: Int
        let shape: Shape<T>
        let maybe: Shape<T>?
        let all: [Shape<T>]
        let named: [String: Shape<T>]
        static var plan: ModelPlan<Holder> {
            .shared {
                ModelPlan(
                    JSONField(\.before), JSONField(\.shape), JSONField(\.maybe), JSONField(\.all, default: []),
                    JSONField(\.named, default: [:]))
            }
        }
    }

    private let circle = Circle(radius: 7, name: "a")
    private let square = Square(side: 2, tags: ["x", "y"])

    @Test func `externally tagged enums decode at any position`() throws {
        typealias S = Shape<External>
        #expect(try decode(S.self, #"{"circle":{"radius":7,"name":"a"}}"#) == .circle(circle))
        #expect(try decode(S.self, #""point""#) == .point)
        #expect(try decode(S.self, #"{"point":null}"#) == .point)
        #expect(try decode(S.self, #"{"point":{}}"#) == .point)
        let text =
            #"{"before":1,"shape":{"quadrat":{"tags":["x","y"],"side":2}},"maybe":null,"#
            + #""all":["point",{"square":{"side":3}},"point"],"named":{"k":"point","l":{"circle":{"radius":2}}}}"#
        let holder = try decode(Holder<External>.self, text)
        #expect(holder.shape == .square(square))
        #expect(holder.maybe == nil)
        #expect(holder.all == [.point, .square(Square(side: 3)), .point])
        #expect(holder.named == ["k": .point, "l": .circle(Circle(radius: 2, name: nil))])
    }

    // The path was that of the case that had failed.
    @Test func `a syntax error after a failed case has the path of its own key`() throws {
        let issues = try refusals(Shape<External>.self, #"{"circle":5,"point":x}"#, with: .collecting)
        #expect(issues.map(\.path) == ["circle", "point"])
    }

    /// An enum of which a message does not list all cases.
    enum Many: JSONEnum, Equatable {
        case one
        static let plan = ModelPlan<Many>(cases: [
            JSONCase("one", keys: (1...30).map { "c\($0)" }, value: .one, matches: { _ in true })
        ])
    }

    @Test func `a long list of cases is shortened in the message`() throws {
        let names = (1...20).map { "\"c\($0)\"" }.joined(separator: ", ")
        #expect(
            try refusal(Many.self, #""c31""#).kind
                == .invalidValue(expected: "one of \(names) and 10 more", reason: #""c31" is not one of its cases"#)
        )
    }

    @Test func `malformed externally tagged enums are refused`() throws {
        typealias S = Shape<External>
        var issue = try refusal(S.self, #"{"oval":{}}"#)
        #expect(issue.location.offset == 1)
        #expect(
            issue.kind
                == .invalidValue(
                    expected: #"one of "circle", "square", "quadrat", "point""#,
                    reason: #""oval" is not one of its cases"#))
        issue = try refusal(S.self, #"{"circle":{"radius":1},"square":{"side":1}}"#)
        #expect(issue.description.contains("it has circle and square"))
        #expect(try refusal(S.self, "{}").description.contains("it has no case"))
        #expect(try refusal(S.self, #""circle""#).description.contains("needs a value"))
        #expect(
            try refusal(S.self, "[1]").kind == .typeMismatch(expected: "an object or a string", found: "an array"))
        #expect(
            try refusal(S.self, "7").kind == .typeMismatch(expected: "an object or a string", found: "a number"))
        issue = try refusal(Holder<External>.self, #"{"before":1,"shape":{"circle":{"radius":"x"}}}"#)
        #expect(issue.path.description == "shape.circle.radius")
        #expect(issue.location.offset == 40)
        #expect(try refusal(Holder<External>.self, #"{"before":1,"shape":null}"#).path.description == "shape")
    }

    @Test(arguments: [
        #"{"type":"circle","radius":7,"name":"a"}"#, #"{"radius":7,"type":"circle","name":"a"}"#,
        #"{"name":"a","radius":7,"type":"circle"}"#,
        #"{"x":{"type":"square"},"name":"a","radius":7,"type":"circle"}"#,
        #"{"n\u0061me":"a","radius":7,"type":"circle"}"#, #"{"r\u0061dius":7,"n\u0061me":"a","type":"circle"}"#,
    ])
    func `an internal tag may be at any position`(_ text: String) throws {
        typealias S = Shape<Internal>
        #expect(try decode(S.self, text) == .circle(circle))
        #expect(try decode([S].self, "[\(text), \(text)]") == [.circle(circle), .circle(circle)])
        let holder = try decode(
            Holder<Internal>.self,
            #"{"shape":\#(text),"maybe":\#(text),"all":[\#(text)],"named":{"k":\#(text)},"before":1}"#)
        #expect(holder.shape == .circle(circle))
        #expect(holder.maybe == .circle(circle))
        #expect(holder.all == [.circle(circle)])
        #expect(holder.named == ["k": .circle(circle)])
    }

    private func expectMany<T: Tagging>(_: T.Type, _ element: String) throws {
        let text = "[\(Array(repeating: element, count: 3000).joined(separator: ","))]"
        for decoder in JSONModelDecoder.ofEverySource {
            #expect(try decoder.decode([Shape<T>].self, from: text).count == 3000)
        }
    }

    @Test func `a value counts toward the limit of nested values only while it is open`() throws {
        try expectMany(External.self, #"{"circle":{"radius":1}}"#)
        try expectMany(Internal.self, #"{"type":"circle","radius":1}"#)
        try expectMany(Internal.self, #"{"radius":1,"type":"circle"}"#)
        try expectMany(Adjacent.self, #"{"c":{"radius":1},"t":"circle"}"#)
        try expectMany(Untagged.self, #"{"radius":1}"#)
        try expectMany(Untagged.self, #"{"side":1,"tags":[]}"#)
    }

    @Test func `malformed internally tagged enums are refused`() throws {
        typealias S = Shape<Internal>
        #expect(try decode(S.self, #"{"x":1,"type":"point"}"#) == .point)
        #expect(try decode(S.self, #"{"type":"point","x":[1,{"y":2}]}"#) == .point)
        #expect(try refusal(S.self, #"{"radius":1}"#).kind == .missingKeys(["type"]))
        #expect(try refusal(S.self, "{}").kind == .missingKeys(["type"]))
        #expect(try refusal(S.self, #"{"radius":1}"#).hint == nil)
        let misspelled = try refusal(S.self, #"{"radius":1,"Type":"circle"}"#)
        #expect(misspelled.kind == .missingKeys(["type"]))
        #expect(misspelled.hint == #""Type" is similar to "type""#)
        var issue = try refusal(S.self, #"{"type":"oval","radius":1}"#)
        #expect(issue.path.description == "type")
        #expect(issue.location.offset == 8)
        #expect(try refusal(S.self, #"{"radius":1,"type":"oval"}"#).description.contains(#""oval" is not one"#))
        #expect(try refusal(S.self, #"{"type":3}"#).kind == .typeMismatch(expected: "a string", found: "a number"))
        // A tag that comes late: places are those of the whole text.
        let text = "[ {\n \"radius\": true,\n  \"type\": \"circle\"} ]"
        issue = try refusal([S].self, text)
        #expect(issue.path.description == "[0].radius")
        #expect(issue.location.offset == 15)
        #expect(issue.location.line == 2)
        #expect(issue.location.column == 12)
        issue = try refusal([S].self, #"[{"name":"b","type":"circle"}]"#)
        #expect(issue.kind == .missingKeys(["radius"]))
        #expect(issue.path.description == "[0]")
        #expect(issue.location.offset == 28)
    }

    @Test(arguments: [
        #"{"t":"square","c":{"side":2,"tags":["x","y"]}}"#, #"{"c":{"side":2,"tags":["x","y"]},"t":"quadrat"}"#,
        #"{"more":[1],"c":{"tags":["x","y"],"side":2},"t":"square","x":1}"#,
    ])
    func `an adjacent tag may come before or after the content`(_ text: String) throws {
        typealias S = Shape<Adjacent>
        #expect(try decode(S.self, text) == .square(square))
        #expect(try decode([S?].self, "[null,\(text),\(text)]") == [nil, .square(square), .square(square)])
        #expect(try decode(S.self, #"{"t":"point"}"#) == .point)
        #expect(try decode(S.self, #"{"c":null,"t":"point"}"#) == .point)
        #expect(try refusal(S.self, #"{"t":"circle"}"#).kind == .missingKeys(["c"]))
        #expect(try refusal(S.self, #"{"c":{"radius":1}}"#).kind == .missingKeys(["t"]))
        let issue = try refusal(S.self, #"{"c":{"radius":"x"},"t":"circle"}"#)
        #expect(issue.path.description == "c.radius")
        #expect(issue.location.offset == 15)
    }

    @Test func `untagged enums decode the first case that fits`() throws {
        typealias S = Shape<Untagged>
        #expect(try decode(S.self, #"{"radius":7,"name":"a"}"#) == .circle(circle))
        #expect(try decode(S.self, #"{"side":2,"tags":["x","y"]}"#) == .square(square))
        #expect(try decode([S].self, #"["point",{"side":2,"tags":["x","y"]}]"#) == [.point, .square(square)])
        let issue = try refusal([S].self, #"[{"size":2}]"#)
        #expect(issue.path.description == "[0]")
        #expect(issue.location.offset == 1)
        #expect(issue.description.contains(#"circle: missing key "radius"; square: missing key "side""#))
        #expect(try refusal(S.self, "null").kind != .unexpectedEnd)
    }

    @Test func `the reasons of an untagged enum have the paths of the values at fault`() throws {
        let list = [#"[{"size":2}]"#, #"[{"radius":"x","name":"a"}]"#, #"[{"side":2,"tags":["x",1]}]"#]
        let reasons = try list.map { text in
            guard case .invalidValue(_, let reason) = try refusal([Shape<Untagged>].self, text).kind else {
                return ""
            }
            return reason
        }
        #expect(reasons[0] == #"circle: missing key "radius"; square: missing key "side""#)
        #expect(reasons[1].hasPrefix("circle: expected an integer, found a string at radius; square: missing key"))
        #expect(reasons[2].hasSuffix("square: expected a string, found a number at tags[1]"))
    }

    @Test func `the expected form is that of the enum`() throws {
        for text in [#""point""#, "5", "[1]"] {
            for issue in [
                try refusal(Shape<Internal>.self, text), try refusal([Shape<Adjacent>?].self, "[\(text)]"),
            ] { #expect(issue.message.hasPrefix("expected an object, found a"), "\(text)") }
        }
        #expect(try refusal([Shape<Internal>].self, "[null]").kind == .nullValue(expected: "an object"))
        #expect(try refusal([Shape<External>].self, "[null]").kind == .nullValue(expected: "an object or a string"))
    }

    @Test func `null in place of a tag or a payload has no hint to change a property`() throws {
        for (type, text) in [
            (Holder<External>.self, #"{"before":1,"shape":{"circle":null}}"#),
            (Holder<Internal>.self, #"{"before":1,"shape":{"type":null}}"#),
            (Holder<Adjacent>.self, #"{"before":1,"shape":{"t":null}}"#),
            (Holder<Adjacent>.self, #"{"before":1,"shape":{"t":"circle","c":null}}"#),
        ] as [(any JSONConvertible.Type, String)] {
            let issue = try refusal(type, text)
            #expect(issue.kind.name == "nullValue")
            #expect(issue.hint == nil)
        }
        let shape = try refusal(Holder<External>.self, #"{"before":1,"shape":null}"#)
        #expect(shape.hint == "make the property optional to allow it")
    }

    @Test func `an optional payload that is missing or null is nil`() throws {
        enum Nullable: JSONEnum, Equatable {
            case number(Int?)
            static let plan = ModelPlan<Nullable>(
                cases: [.of("number", Self.number)], tagging: .adjacent(tag: "t", content: "c"))
        }
        #expect(
            try decode(
                [Nullable].self,
                #"[{"t":"number","c":5},{"t":"number"},{"t":"number","c":null},{"c":null,"t":"number"}]"#) == [
                    .number(5), .number(nil), .number(nil), .number(nil),
                ])
    }

    enum Table<T: Tagging>: JSONEnum, Equatable {
        case table([String: Int])
        static var plan: ModelPlan<Table> {
            .shared { ModelPlan(cases: [.of("table", Self.table)], tagging: T.tagging, coercion: .lenient) }
        }
    }

    @Test func `the coercion of an enum applies to payloads without their own, for every tagging`() throws {
        let table = ["a": 1, "b": 2]
        #expect(try decode(Table<External>.self, #"{"table":{"a":"1","b":2}}"#) == .table(table))
        #expect(try decode(Table<Internal>.self, #"{"type":"table","a":"1","b":2}"#) == .table(table))
        #expect(try decode(Table<Internal>.self, #"{"a":"1","b":2,"type":"table"}"#) == .table(table))
        #expect(try decode(Table<Adjacent>.self, #"{"t":"table","c":{"a":"1","b":2}}"#) == .table(table))
        #expect(try decode(Table<Untagged>.self, #"{"a":"1","b":2}"#) == .table(table))
    }
}
