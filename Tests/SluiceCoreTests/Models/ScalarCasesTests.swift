import SluiceCore
import TestSupport
import Testing

/// Scalars of untagged enums whose values may be converted.
@Suite(.tags(.enums, .coercion)) struct ScalarCasesTests {
    protocol Order { static var names: [String] { get } }
    enum NumbersFirst: Order { static let names = ["int", "bool", "string", "double"] }
    enum TextFirst: Order { static let names = ["string", "bool", "double", "int"] }
    enum BoolFirst: Order { static let names = ["bool", "int", "double", "string"] }

    /// A value of any scalar type, with the cases in an order.
    enum Scalar<O: Order>: JSONEnum, Equatable {
        case int(Int)
        case bool(Bool)
        case string(String)
        case double(Double)
        static var plan: ModelPlan<Self> {
            .shared {
                let cases: [String: JSONCase<Self>] = [
                    "int": .of("int", Self.int), "bool": .of("bool", Self.bool),
                    "string": .of("string", Self.string), "double": .of("double", Self.double),
                ]
                return ModelPlan(cases: O.names.map { cases[$0]! }, tagging: .untagged)
            }
        }
    }

    private func lenient(_ coercion: JSONCoercion = .lenient) -> JSONModelDecoder {
        let decoder = JSONModelDecoder.with { $0.coercion = coercion }
        return decoder
    }

    private func expectExact<O: Order>(_: O.Type, _ coercion: JSONCoercion, whole: Scalar<O>) throws {
        let values = try decode([Scalar<O>].self, #"[true, 1, "1", 1.5, false, "true"]"#, with: lenient(coercion))
        #expect(values == [.bool(true), whole, .string("1"), .double(1.5), .bool(false), .string("true")])
    }

    @Test(arguments: [JSONCoercion.strict, .lenient, .mjExtension])
    func `a scalar is a value of the case with its type, in any order of the cases`(_ coercion: JSONCoercion) throws
    {
        try expectExact(NumbersFirst.self, coercion, whole: .int(1))
        try expectExact(TextFirst.self, coercion, whole: .double(1))
        try expectExact(BoolFirst.self, coercion, whole: .int(1))
    }

    enum Level: String, JSONConvertible { case low, high }

    /// Numbers, names and nothing else, unless the fallback keeps the value.
    enum Setting<Fallback: FallbackChoice>: JSONEnum, Equatable {
        case level(Level)
        case int(Int)
        case bool(Bool)
        case other(JSONValue)
        static var plan: ModelPlan<Self> {
            .shared {
                var cases: [JSONCase<Self>] = [
                    .of("level", Self.level), .of("int", Self.int), .of("bool", Self.bool),
                ]
                guard Fallback.isPresent else { return ModelPlan(cases: cases, tagging: .untagged) }
                cases.append(.of("other", Self.other))
                return ModelPlan(cases: cases, tagging: .untagged, fallback: "other")
            }
        }
    }
    protocol FallbackChoice { static var isPresent: Bool { get } }
    enum WithFallback: FallbackChoice { static let isPresent = true }
    enum WithoutFallback: FallbackChoice { static let isPresent = false }

    @Test func `a scalar that fits no case is converted before the fallback applies`() throws {
        let values = try decode(
            [Setting<WithFallback>].self, #"["high", 2, true, "2", "false", 2.5, "x", null]"#, with: lenient())
        #expect(
            values == [
                .level(.high), .int(2), .bool(true), .int(2), .bool(false), .other(2.5), .other("x"), .other(.null),
            ])
    }

    @Test func `an error has the reason of each case once`() throws {
        let issue = try refusal([Setting<WithoutFallback>].self, #"["high", "x"]"#, with: lenient())
        #expect(issue.path == "[1]")
        let message = issue.message
        for name in ["level: ", "int: ", "bool: "] {
            #expect(message.split(separator: name, omittingEmptySubsequences: false).count == 2, "\(message)")
        }
    }

    /// A value that is an enum without a tag, too.
    enum Outer: JSONEnum, Equatable {
        case setting(Setting<WithFallback>)
        case text(String)
        static let plan = ModelPlan<Outer>(
            cases: [.of("setting", Self.setting), .of("text", Self.text)], tagging: .untagged)
    }

    @Test func `an enum inside converts scalars and has a fallback only if no case around fits`() throws {
        let values = try decode([Outer].self, #"["high", "2", true, 2.5]"#, with: lenient())
        #expect(values == [.setting(.level(.high)), .text("2"), .setting(.bool(true)), .setting(.other(2.5))])
        // Without conversions, the first case that fits applies.
        #expect(try decode([Outer].self, #"["high", "2"]"#) == [.setting(.level(.high)), .setting(.other("2"))])
    }

    // MARK: JSON in a string

    struct Arguments: JSONModel, Equatable {
        var count = 0
        var ids: [Int] = []
        var setting: Setting<WithFallback>?
        static let plan = ModelPlan<Arguments>(
            JSONField(\.count, default: 0), JSONField(\.ids, default: []).lossy(), JSONField(\.setting))
    }

    enum Body: JSONEnum, Equatable {
        case arguments(Arguments)
        case text(String)
        static let plan = ModelPlan<Body>(
            cases: [.embedded("arguments", Self.arguments), .of("text", Self.text)], tagging: .untagged)
    }

    @Test(arguments: [JSONCoercion.lenient, .mjExtension])
    func `values in the JSON of a string are converted`(_ coercion: JSONCoercion) throws {
        let text = #"["{\"count\":\"5\",\"ids\":[1,\"2\"],\"setting\":[]}","5"]"#
        let values = try decode([Body].self, text, with: lenient(coercion))
        #expect(values == [.arguments(Arguments(count: 5, ids: [1, 2], setting: .other([]))), .text("5")])
    }

    // MARK: Enums that hold themselves, and fallbacks of other types

    indirect enum Itself: JSONEnum, Equatable {
        case some(Itself)
        case int(Int)
        static let plan = ModelPlan<Itself>(
            cases: [.of("some", Self.some), .of("int", Self.int)], tagging: .untagged)
    }

    @Test(arguments: [JSONCoercion.strict, .lenient]) func `an enum that holds itself is not its own value`(
        _ coercion: JSONCoercion
    ) throws { #expect(try decode([Itself].self, "[1, 2]", with: lenient(coercion)) == [.int(1), .int(2)]) }

    enum Grade: Int, JSONConvertible {
        case first = 1
        case second
        case unknown = 0
        static var jsonShape: JSONShape { .rawValue(Grade.self, fallback: .unknown) }
    }

    enum Mark: JSONEnum, Equatable {
        case grade(Grade)
        case points(Double)
        static let plan = ModelPlan<Mark>(
            cases: [.of("grade", Self.grade), .of("points", Self.points)], tagging: .untagged)
    }

    @Test func `a number that a raw type cannot hold is a value of a later case before the fallback of the type`()
        throws
    {
        #expect(
            try decode([Mark].self, "[2, 2.5]", with: lenient(.mjExtension)) == [.grade(.second), .points(2.5)])
    }

    /// An enum that converts nothing, inside an enum that may.
    enum Strict: JSONEnum, Equatable {
        case int(Int)
        case other(String)
        static let plan = ModelPlan<Strict>(
            cases: [.of("int", Self.int), .of("other", Self.other)], tagging: .untagged, fallback: "other",
            coercion: .strict)
    }

    enum Around: JSONEnum, Equatable {
        case strict(Strict)
        case text(String)
        static let plan = ModelPlan<Around>(
            cases: [.of("strict", Self.strict), .of("text", Self.text)], tagging: .untagged)
    }

    @Test func `the fallback of an enum inside that converts nothing follows the cases around, too`() throws {
        #expect(try decode([Around].self, #"[1, "x"]"#, with: lenient()) == [.strict(.int(1)), .text("x")])
    }
}
