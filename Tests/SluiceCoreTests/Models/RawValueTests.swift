import SluiceCore
import TestSupport
import Testing

/// Raw-value types: in any position with a conformance, as properties without one.
@Suite(.tags(.coercion, .collections)) struct RawValueTests {
    enum Color: String, JSONConvertible, Hashable { case red, green }
    enum Size: UInt8, JSONConvertible {
        case small = 1
        case large = 200
    }

    enum Plain: String, Hashable { case on, off }
    enum Number: Int {
        case one = 1
        case two
    }
    enum Ratio: Double { case half = 0.5 }
    struct ID: RawRepresentable, Hashable, JSONConvertible, JSONDictionaryKey { let rawValue: String }
    struct Mask: OptionSet, Hashable, JSONConvertible { let rawValue: Int }

    struct Model: JSONModel, Equatable {
        let one: Plain
        let maybe: Plain?
        let list: [Plain]
        let holes: [Number?]
        let maybeList: [Number]?
        let unique: Set<Plain>
        let byName: [String: Number]
        let keys: [Plain: Int]
        let ratio: Ratio
        let fallback: Number

        static let plan = ModelPlan<Model>([
            JSONField(\.one), JSONField(\.maybe), JSONField(\.list), JSONField(\.holes),
            JSONField(\.maybeList, key: "maybe_list"), JSONField(\.unique), JSONField(\.byName, key: "by_name"),
            JSONField(\.keys), JSONField(\.ratio), JSONField(\.fallback, default: .two),
        ])
    }

    struct Defaults: JSONModel, Equatable {
        var list: [Plain] = [.on]
        var maybeList: [Number]?
        var keys: [Plain: Int] = [:]

        static let plan = ModelPlan<Defaults>(
            JSONField(\.list, default: [.on]), JSONField(\.maybeList, key: "maybe_list", default: [.two]),
            JSONField(\.keys, default: [.off: 1]))
    }

    @Test func `containers of types without a conformance have defaults`() throws {
        let defaults = Defaults(list: [.on], maybeList: [.two], keys: [.off: 1])
        #expect(try decode(Defaults.self, "{}") == defaults)
        let text = #"{"list":["off"],"maybe_list":[1,2],"keys":{"on":7}}"#
        let model = Defaults(list: [.off], maybeList: [.one, .two], keys: [.on: 7])
        #expect(try decode(Defaults.self, text) == model)
        #expect(try JSONModelEncoder().encode(model, as: .string) == text)
    }

    /// A type with a description that is not its raw value.
    struct Code: RawRepresentable, LosslessStringConvertible, JSONDictionaryKey {
        let rawValue: Int
        init(rawValue: Int) { self.rawValue = rawValue }
        init?(_ description: String) { nil }
        var description: String { "code \(rawValue)" }
    }

    @Test func `the key of a raw value with a description is the raw value`() throws {
        #expect(try decode([Code: Bool].self, #"{"7":true}"#) == [Code(rawValue: 7): true])
        #expect(try JSONModelEncoder().encode([Code(rawValue: -1): false], as: .string) == #"{"-1":false}"#)
        let issue = try refusal([Code: Bool].self, #"{"code 7":true}"#)
        #expect(issue.description.contains("Code"), "\(issue)")
    }

    @Test func `types with a conformance decode in any position`() throws {
        #expect(try decode([Color].self, #"["red","green"]"#) == [.red, .green])
        #expect(try decode([Color?].self, #"["red",null]"#) == [.red, nil])
        #expect(try decode([[Size]].self, "[[1],[200,1]]") == [[.small], [.large, .small]])
        #expect(try decode([ID: Mask].self, #"{"a":3}"#) == [ID(rawValue: "a"): Mask(rawValue: 3)])
    }

    @Test func `types without a conformance decode as properties`() throws {
        let text = #"""
            {"one":"on","maybe":"off","list":["on","on"],"holes":[1,null,2],"maybe_list":[2],"unique":["off","off"],
             "by_name":{"a":1},"keys":{"on":7},"ratio":5e-1,"fallback":1}
            """#
        let model = Model(
            one: .on, maybe: .off, list: [.on, .on], holes: [.one, nil, .two], maybeList: [.two], unique: [.off],
            byName: ["a": .one], keys: [.on: 7], ratio: .half, fallback: .one)
        #expect(try decode(Model.self, text) == model)
    }

    @Test func `missing properties of types without a conformance take their defaults`() throws {
        let text = #"{"one":"on","list":[],"holes":[],"unique":[],"by_name":{},"keys":{},"ratio":0.5,"maybe":null}"#
        let model = Model(
            one: .on, maybe: nil, list: [], holes: [], maybeList: nil, unique: [], byName: [:], keys: [:],
            ratio: .half, fallback: .two)
        #expect(try decode(Model.self, text) == model)
    }

    @Test func `a raw value without a case is an error`() throws {
        #expect(
            try refusal(Color.self, #""blue""#).kind
                == .invalidValue(
                    expected: "one of the values of Color (a string)", reason: #""blue" is not one of its values"#))
        #expect(
            try refusal(Size.self, "2").kind
                == .invalidValue(
                    expected: "one of the values of Size (an integer)", reason: "2 is not one of its values"))
        #expect(
            try refusal(Size.self, #""small""#).kind
                == .typeMismatch(expected: "one of the values of Size (an integer)", found: "a string"))
        #expect(try refusal(Size.self, "256").kind == .numberOutOfRange(type: "Size", text: "256"))
        #expect(try refusal(Size.self, "1.5").kind == .notAnInteger(type: "Size", text: "1.5"))
        #expect(
            try refusal(Color.self, "null").kind == .nullValue(expected: "one of the values of Color (a string)"))
    }

    enum Digit: UInt8, JSONConvertible {
        case zero, one, two
        static var jsonShape: JSONShape { .rawValue(Digit.self, values: [.zero, .one, .two], fallback: .zero) }
    }

    @Test func `a number that the raw type cannot hold becomes the fallback`() throws {
        #expect(try decode([Digit].self, "[2,7,300,-1,1.5,1e400]") == [.two, .zero, .zero, .zero, .zero, .zero])
        #expect(try decode([Digit?].self, "[300,null,1]") == [.zero, nil, .one])
        #expect(
            try refusal(Digit.self, #""x""#).kind == .typeMismatch(expected: "one of 0, 1, 2", found: "a string"))
        let lenient = JSONModelDecoder.with { $0.coercion = .lenient }
        #expect(try decode([Digit].self, #"["2","300","1.5"]"#, with: lenient) == [.two, .zero, .zero])
        // The coercion cuts the fraction before the fallback is used.
        let cutting = JSONModelDecoder.with { $0.coercion = .mjExtension }
        #expect(try decode([Digit].self, #"[1.5,300.5,"2.9"]"#, with: cutting) == [.one, .zero, .two])
    }

    enum Tone: String, JSONConvertible, CaseIterable { case low, high }
    enum Step: Int, CaseIterable {
        case one = 1
        case two
        case four = 4
    }
    enum Mood: String, JSONConvertible {
        case good, bad
        static var jsonShape: JSONShape { .rawValue(Mood.self, values: [.good, .bad]) }
    }
    /// With so many values that a message does not show them all.
    struct Wide: RawRepresentable, CaseIterable, JSONConvertible {
        let rawValue: Int
        init?(rawValue: Int) {
            guard Self.values.contains(rawValue) else { return nil }
            self.rawValue = rawValue
        }
        private static let values = 1...23
        static var allCases: [Wide] { values.compactMap(Wide.init) }
    }
    struct Steps: JSONModel {
        let steps: [Step]
        static let plan = ModelPlan<Steps>(JSONField(\.steps))
    }

    @Test func `the error for a CaseIterable type lists the valid values`() throws {
        #expect(
            try refusal(Tone.self, #""mid""#).kind
                == .invalidValue(expected: #"one of "low", "high""#, reason: #""mid" is not one of its values"#))
        #expect(
            try refusal(Mood.self, #""mid""#).kind
                == .invalidValue(expected: #"one of "good", "bad""#, reason: #""mid" is not one of its values"#))
        #expect(
            try refusal(Tone.self, "1").kind == .typeMismatch(expected: #"one of "low", "high""#, found: "a number")
        )
        #expect(
            try refusal(Steps.self, #"{"steps":[1,3]}"#).kind
                == .invalidValue(expected: "one of 1, 2, 4", reason: "3 is not one of its values"))
        #expect(
            try refusal(Wide.self, "24").kind
                == .invalidValue(
                    expected: "one of \((1...20).map(String.init).joined(separator: ", ")) and 3 more",
                    reason: "24 is not one of its values"))
    }

    struct Tags: RawRepresentable, JSONConvertible, Equatable {
        let rawValue: [String]
        init?(rawValue: [String]) {
            if rawValue.isEmpty { return nil }
            self.rawValue = rawValue
        }
    }

    struct Level: RawRepresentable, JSONConvertible, Equatable { let rawValue: Int? }

    struct Tagged: JSONModel, Equatable {
        let tags: Tags
        let more: [Tags]
        let maybe: Tags?
        let level: Level
        static let plan = ModelPlan<Tagged>(
            JSONField(\.tags), JSONField(\.more), JSONField(\.maybe), JSONField(\.level))
    }

    @Test func `raw values may be containers and optionals`() throws {
        let text = #"{"tags":["a","b"],"more":[["c"],["d"]],"level":null}"#
        let tagged = try decode(Tagged.self, text)
        #expect(tagged.tags.rawValue == ["a", "b"])
        #expect(tagged.more.map(\.rawValue) == [["c"], ["d"]])
        #expect(tagged.maybe == nil)
        #expect(tagged.level.rawValue == nil)
        #expect(try encode(tagged) == text)
        #expect(try decode(Level.self, "3").rawValue == 3)
        let issue = try refusal(Tagged.self, #"{"tags":["a"],"more":[["b"],[]],"level":1}"#)
        #expect(issue.path == "more[1]")
        #expect(
            issue.kind
                == .invalidValue(
                    expected: "one of the values of Tags (an array)", reason: "[] is not one of its values"))
        #expect(try refusal(Tags.self, #"["a",1]"#).path == "[1]")
    }

    /// An optional raw value, with a fallback.
    struct Grade: RawRepresentable, JSONConvertible, Hashable {
        let rawValue: Int8?
        static let unknown = Grade(rawValue: -1)
        static var jsonShape: JSONShape { .rawValue(Grade.self, fallback: .unknown) }
    }

    struct Graded: JSONModel, Equatable {
        let grade: Grade
        let maybe: Grade?
        static let plan = ModelPlan<Graded>(JSONField(\.grade), JSONField(\.maybe))
    }

    @Test func `a number that an optional raw type cannot hold becomes the fallback`() throws {
        let one = Grade(rawValue: 1)
        #expect(
            try decode([Grade].self, "[1,300,null,1.5,1e400]") == [
                one, .unknown, Grade(rawValue: nil), .unknown, .unknown,
            ])
        #expect(try decode([Grade?].self, "[1,300,null]") == [one, .unknown, nil])
        #expect(try decode(Graded.self, #"{"grade":-129,"maybe":128}"#) == Graded(grade: .unknown, maybe: .unknown))
        #expect(try decode(Grade.self, "300") == .unknown)
        #expect(try refusal([Grade].self, #"[1,"x"]"#).path == "[1]")
        #expect(try refusal([Level].self, "[1,1.5]").path == "[1]")
    }

    /// Strings in capitals.
    struct Capitals: JSONTransform {
        func decode(_ json: String) -> String { json.lowercased() }
        func encode(_ value: String) -> String { value.uppercased() }
    }

    /// Even numbers.
    struct Doubled: JSONTransform {
        func decode(_ json: UInt8) -> UInt8 { json / 2 }
        func encode(_ value: UInt8) -> UInt8 { value * 2 }
    }

    struct Switches: JSONModel, Equatable {
        let plain: Plain
        let color: Color?
        let byName: [String: Color]
        static let plan = ModelPlan<Switches>(
            JSONField(\.plain), JSONField(\.color), JSONField(\.byName, key: "by_name"))
    }

    @Test func `a transform for the raw type applies in both directions`() throws {
        let decoder = JSONModelDecoder.with {
            $0.register(Capitals())
            $0.register(Doubled())
        }
        var encoder = JSONModelEncoder()
        encoder.register(Capitals())
        encoder.register(Doubled())
        let text = #"{"plain":"ON","color":"RED","by_name":{"a":"GREEN"}}"#
        let switches = Switches(plain: .on, color: .red, byName: ["a": .green])
        for _ in 1...2 {
            #expect(try decode(Switches.self, text, with: decoder) == switches)
            #expect(try encode(switches, with: encoder) == text)
            #expect(try decode([Color?].self, #"["RED",null]"#, with: decoder) == [.red, nil])
            #expect(try decode(Color.self, #""GREEN""#, with: decoder) == .green)
            #expect(try encode([Color.red], with: encoder) == #"["RED"]"#)
        }
        let issue = try refusal([Color].self, #"["RED","BLUE"]"#, with: decoder)
        #expect(issue.path == "[1]")
        #expect(
            issue.kind
                == .invalidValue(
                    expected: "one of the values of Color (a string)", reason: #""blue" is not one of its values"#))
        // The keys of dictionaries are unchanged.
        #expect(try decode([ID: Int].self, #"{"A":1}"#, with: decoder) == [ID(rawValue: "A"): 1])
        #expect(try encode([ID(rawValue: "a"): 1], with: encoder) == #"{"a":1}"#)
        #expect(try decode([Digit].self, "[4,300,2,100]", with: decoder) == [.two, .zero, .one, .zero])
        #expect(try encode([Digit.two, .one], with: encoder) == "[4,2]")
    }

    /// Any JSON as a text.
    struct Hidden: JSONTransform {
        func decode(_ json: String) -> JSONValue { .string(json) }
        func encode(_ value: JSONValue) -> String { "hidden" }
    }

    @Test func `a transform for any JSON does not apply to scalars`() throws {
        var encoder = JSONModelEncoder()
        encoder.register(Hidden())
        #expect(try encode([1] as [JSONValue], with: encoder) == #"["hidden"]"#)
        #expect(try encode([JSONNumber(1), JSONNumber(2)], with: encoder) == "[1,2]")
    }

    @Test func `an issue in an array of raw values names the property`() throws {
        let issue = try refusal(Model.self, #"{"one":"on","list":["on","up"]}"#)
        #expect(issue.path == "list[1]")
        #expect(issue.property == "list")
        #expect(issue.location.offset == 25)
    }
}
