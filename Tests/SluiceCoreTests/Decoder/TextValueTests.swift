import SluiceCore
import TestSupport
import Testing

/// Raw JSON, lazy values and numbers that the program creates without decoding.
@Suite(.tags(.embedded)) struct TextValueTests {
    struct Point: JSONModel, Equatable {
        let x: Int
        let y: Double
        static let plan = ModelPlan<Point>(JSONField(\.x), JSONField(\.y))
    }

    private func kind(_ body: () throws -> Void) -> JSONIssue.Kind? {
        #expect(throws: JSONModelError.self) { try body() }?.issues.first?.kind
    }

    // MARK: Raw

    @Test(arguments: [
        ("{\"a\": [1, 2.50]}", "{\"a\": [1, 2.50]}"), (" \n[ ]\t", "[ ]"), ("null", "null"),
        ("\"é\\n\"", "\"é\\n\""), (" -0.0 ", "-0.0"),
    ])
    func `raw JSON keeps the bytes of its value`(text: String, kept: String) throws {
        #expect(try JSONRaw(text).description == kept)
        #expect(try JSONRaw(Array(text.utf8)).description == kept)
        #expect(try JSONModelEncoder().encode([JSONRaw(text)], as: .string) == "[\(kept)]")
    }

    @Test func `invalid raw JSON is an error`() {
        #expect(kind { _ = try JSONRaw("") } == .emptyInput)
        #expect(kind { _ = try JSONRaw("[1") } == .unexpectedEnd)
        #expect(kind { _ = try JSONRaw("1 2") } == .trailingContent)
        #expect(kind { _ = try JSONRaw([0x22, 0xFF, 0x22]) } == .invalidUTF8)
        #expect(throws: JSONModelError.self) { try JSONRaw("{a: 1}") }
        var limits = JSONLimits()
        limits.depth = 1
        #expect(kind { _ = try JSONRaw("[[]]", limits: limits) } == .limitExceeded(.depth, limit: 1))
    }

    @Test func `raw JSON of a value equals the output of the encoder`() throws {
        #expect(try JSONRaw(encoding: Point(x: 1, y: 2)).description == #"{"x":1,"y":2.0}"#)
        #expect(
            try JSONRaw(encoding: [1, nil, "x", ["a": true]] as JSONValue).description
                == #"[1,null,"x",{"a":true}]"#)
        let encoder = JSONModelEncoder.with { $0.keyOrder = .sorted }
        #expect(try JSONRaw(encoding: ["b": 1, "a": 2], with: encoder).description == #"{"a":2,"b":1}"#)
        #expect(kind { _ = try JSONRaw(encoding: Double.nan) } != nil)
    }

    @Test func `raw JSON and numbers may exceed the default limits`() throws {
        let deep = String(repeating: "[", count: 600) + String(repeating: "]", count: 600)
        let long = String(repeating: "9", count: 1_500)
        #expect(kind { _ = try JSONRaw(deep) } == .limitExceeded(.depth, limit: 512))
        #expect(kind { _ = try JSONNumber(long) } == .limitExceeded(.number, limit: 1_000))
        var limits = JSONLimits()
        (limits.depth, limits.number) = (600, 1_500)
        #expect(try JSONRaw(deep, limits: limits).description == deep)
        #expect(try JSONRaw(Array(deep.utf8), limits: limits).bytes == Array(deep.utf8))
        #expect(try JSONNumber(long, limits: limits).description == long)
    }

    // MARK: Lazy

    @Test func `lazy values can be made from strings, bytes, raw JSON and models`() throws {
        let point = Point(x: 1, y: 2)
        #expect(try JSONLazy<Point>(#" {"x":1,"y":2}"#).value == point)
        #expect(try JSONLazy<Point>(Array(#"{"x":1,"y":2}"#.utf8)).value == point)
        #expect(try JSONLazy<Point>(JSONRaw(#"{"x":1,"y":2}"#)).value == point)
        let encoded = try JSONLazy(encoding: point)
        #expect(encoded.raw.description == #"{"x":1,"y":2.0}"#)
        #expect(try encoded.value == point)
        #expect(try JSONModelEncoder().encode([encoded], as: .string) == #"[{"x":1,"y":2.0}]"#)
    }

    struct Tenfold: JSONTransform {
        func decode(_ json: Int) -> Int { json / 10 }
        func encode(_ value: Int) -> Int { value * 10 }
    }

    @Test func `a lazy value has the options of its encoder and decoder`() throws {
        var encoder = JSONModelEncoder()
        encoder.register(Tenfold())
        var decoder = JSONModelDecoder()
        decoder.register(Tenfold())
        let lazy = try JSONLazy(encoding: ["a": 4], with: encoder, decoder: decoder)
        #expect(lazy.raw.description == #"{"a":40}"#)
        #expect(try lazy.value == ["a": 4])
    }

    @Test func `a lazy value is validated at once and decoded later`() throws {
        #expect(kind { _ = try JSONLazy<Point>("{") } == .unexpectedEnd)
        let lazy = try JSONLazy<Point>(#"{"x":1}"#)
        #expect(kind { _ = try lazy.value } == .missingKeys(["y"]))
        let decoder = JSONModelDecoder.with { $0.coercion = .lenient }
        #expect(try JSONLazy<Point>(#"{"x":"1","y":2}"#, decoder: decoder).value == Point(x: 1, y: 2))
    }

    @Test func `lazy values of equal text are equal, decoded or not`() throws {
        let first = try JSONLazy<Point>(#"{"x":1,"y":2}"#)
        let second = try JSONLazy<Point>(#" {"x":1,"y":2} "#)
        #expect(try first.value == Point(x: 1, y: 2))
        #expect(first == second)
        #expect(first.hashValue == second.hashValue)
        let other = try JSONLazy<Point>(#"{"x":1,"y":3}"#)
        #expect(first != other)
    }

    // MARK: Numbers

    @Test(arguments: [
        "0", "-0", "-0.0", "1.0", "1.50", "1E+2", "-12.50e-1", "123456789012345678901234567890.000", "1e400",
        "123456789012345678901234567890",
    ])
    func `numbers keep their spelling`(text: String) throws {
        let number = try JSONNumber(" \(text)\n")
        #expect(number.description == text)
        #expect(try decode(JSONNumber.self, text) == number)
        #expect(try decode([JSONValue].self, "[\(text)]")[0].number?.description == text)
        #expect(try decode([JSONNumber?].self, "[\(text),null]") == [number, nil])
        #expect(try JSONModelEncoder().encode([number], as: .string) == "[\(text)]")
    }

    @Test(arguments: ["", "+1", "01", ".5", "5.", "1e", "0x10", "nan", "--1", "1_000", "\"1\"", "[1]", "1,2"])
    func `a string that is not a JSON number is an error`(text: String) {
        #expect(throws: JSONModelError.self) { try JSONNumber(text) }
    }

    @Test func `a JSONNumber decodes from numbers, and from strings under lenient coercion`() throws {
        #expect(
            try refusal([JSONNumber].self, #"["1"]"#).kind == .typeMismatch(expected: "a number", found: "a string")
        )
        let decoder = JSONModelDecoder.with { $0.coercion = .lenient }
        #expect(try decode(JSONNumber.self, #""1.50""#, with: decoder).description == "1.50")
    }
}
