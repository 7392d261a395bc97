import SluiceCodable
import SluiceCore
import TestSupport
import Testing

/// Names are compared by their code units. A dictionary cannot hold two names that are canonically equivalent.
@Suite(.tags(.keys, .collections)) struct EquivalentKeyTests {
    static let composed = "\u{E9}"
    static let decomposed = "e\u{301}"
    static let both = "{\"\(composed)\":1,\"\(decomposed)\":2}"

    private func name(_ text: String) -> [UInt8] { Array(text.utf8) }

    @Test func `a JSONValue has both of two equivalent keys`() throws {
        let value = try decode(JSONValue.self, Self.both)
        #expect(value.object?.count == 2)
        #expect(value[Self.composed] == 1 && value[Self.decomposed] == 2)
        #expect(try JSONModelEncoder().encode(value, as: .string).utf8.elementsEqual(Self.both.utf8))
        let rejecting = JSONModelDecoder.with { $0.duplicateKeys = .reject }
        #expect(try decode(JSONValue.self, Self.both, with: rejecting).object?.count == 2)
        #expect(try decode(JSONObject.self, #"{"\u00e9":1,"e\u0301":2,"\u00e9":3}"#).map { $0.value } == [3, 2])
        #expect(value != [.init(stringLiteral: Self.composed): 1])
        var object = try #require(value.object)
        #expect(object.removeValue(forKey: Self.decomposed) == 2)
        #expect(object == [Self.composed: 1] && object != [Self.decomposed: 1])
        // With a table.
        var large = JSONObject((0..<50).map { ("k\($0)", .null) })
        large[Self.composed] = 1
        #expect(large[Self.decomposed] == nil && large[Self.composed] == 1)
        large[Self.decomposed] = 2
        #expect(large.count == 52)
    }

    private struct Box: Decodable { let part: JSONValue }

    @Test(arguments: [10, 70])
    func `a JSONValue inside of a Decodable type has both of two equivalent keys`(count: Int) throws {
        let members: [String] =
            ["\"\(Self.composed)\":1", "\"\(Self.decomposed)\":2"] + (0..<count).map { "\"k\($0)\":0" }
        let text = "{\"part\":{\(members.joined(separator: ","))}}"
        let value = try JSONModelDecoder().decode(Box.self, from: text).part
        #expect(value.object?.count == count + 2)
        #expect(value[Self.composed] == 1 && value[Self.decomposed] == 2)
    }

    @Test func `keys with many equivalent orders of marks are looked up in linear time`() throws {
        let marks = (0x316...0x319).map { Unicode.Scalar($0)! } + (0x300...0x303).map { Unicode.Scalar($0)! }
        var names: Set<[UInt8]> = []
        var object = JSONObject()
        for count in 0..<4096 {
            var text = "a"
            for index in 0..<12 { text.unicodeScalars.append(marks[(count >> index & 1) * 4 + index % 4]) }
            names.insert(Array(text.utf8))
            object[text] = .number(JSONNumber(count))
        }
        #expect(object.count == names.count)
    }

    struct Model: JSONModel, Equatable {
        var names: [String: Int] = [:]
        var ids: [ID: Int] = [:]
        var extra: [String: Int] = [:]
        static let plan = ModelPlan<Model>(
            JSONField(\.names, default: [:]).lossy(), JSONField(\.ids, default: [:]), JSONField(extra: \.extra))
    }
    struct ID: RawRepresentable, Hashable { let rawValue: String }

    @Test(arguments: [both, "{\"\(decomposed)\":1,\"\(composed)\":2}", "{\"a\":1,\"\u{212A}\":2,\"b\":3,\"K\":4}"])
    func `the second of two equivalent keys of a dictionary is an issue`(text: String) throws {
        #expect(try isDuplicate(refusal([String: Int].self, text).kind))
        #expect(try isDuplicate(refusal([ID: Int].self, text).kind))
        #expect(try isDuplicate(refusal([[String: Int]?].self, "[\(text)]").kind))
        #expect(try isDuplicate(refusal(Model.self, text).kind))
        let rejecting = JSONModelDecoder.with { $0.duplicateKeys = .reject }
        #expect(try isDuplicate(refusal([String: Int].self, text, with: rejecting).kind))
        let (model, issues) = try reported(Model.self, "{\"names\":\(text)}")
        #expect(model.names.values.sorted() == (text.contains("K") ? [1, 2, 3] : [1]))
        #expect(issues.count == 1 && issues.allSatisfy { isDuplicate($0.kind) })
    }

    private func isDuplicate(_ kind: JSONIssue.Kind) -> Bool {
        if case .duplicateKey = kind { true } else { false }
    }

    @Test func `repeated keys of a dictionary are no issue`() throws {
        let text = "{\"\(Self.decomposed)\":1,\"a\":2,\"\(Self.decomposed)\":3,\"日\":4,\"日\":5}"
        #expect(try decode([String: Int].self, text) == [Self.decomposed: 3, "a": 2, "日": 5])
        #expect(try decode([Int: Int].self, #"{"1":1,"01":2}"#) == [1: 2])
        #expect(
            try decode(Model.self, "{\"\(Self.decomposed)\":1,\"\(Self.decomposed)\":3}").extra == [
                Self.decomposed: 3
            ])
    }

    @Test func `a merge does not replace the value of an equivalent key`() throws {
        var names = [Self.composed: 1]
        #expect(throws: JSONModelError.self) {
            try JSONModelDecoder().merge("{\"\(Self.decomposed)\":2}", into: &names)
        }
        try JSONModelDecoder().merge("{\"\(Self.composed)\":2}", into: &names)
        #expect(names == [Self.composed: 2])
        var value: JSONValue = [:]
        try JSONModelDecoder().merge(Self.both, into: &value)
        #expect(value.object?.count == 2)
    }

    struct Named: JSONModel, Equatable {
        var value = 0
        var extra: [String: Int] = [:]
        static let plan = ModelPlan<Named>(
            JSONField(\.value, key: EquivalentKeyTests.composed), JSONField(extra: \.extra))
    }
    struct Both: JSONModel, Equatable {
        var first = 0
        var second = 0
        static let plan = ModelPlan<Both>(
            JSONField(\.first, key: EquivalentKeyTests.composed),
            JSONField(\.second, key: EquivalentKeyTests.decomposed))
    }

    @Test func `an extra key that is equivalent to that of a property is written`() throws {
        let named = try decode(Named.self, Self.both)
        #expect(named == Named(value: 1, extra: [Self.decomposed: 2]))
        #expect(try JSONModelEncoder().encode(named, as: .string).utf8.elementsEqual(Self.both.utf8))
        let both = try decode(Both.self, Self.both)
        #expect(both == Both(first: 1, second: 2))
        #expect(try JSONModelEncoder().encode(both, as: .string).utf8.elementsEqual(Self.both.utf8))
        #expect(JSONPath([.key(Self.composed)]) != JSONPath([.key(Self.decomposed)]))
    }

    struct Fraction: RawRepresentable, Hashable, JSONDictionaryKey {
        let rawValue: Double
        var jsonKey: String { String(Int(rawValue)) }
        init(rawValue: Double) { self.rawValue = rawValue }
        init?(jsonKey: String) { self.init(rawValue: Double(jsonKey) ?? 0) }
    }

    @Test func `keys of equal text are an error of the encoder`() throws {
        let encoder = JSONModelEncoder()
        let error = #expect(throws: JSONModelError.self) {
            try encoder.encode(["a": [Fraction(rawValue: 1.25): 1, Fraction(rawValue: 1.5): 2]])
        }
        #expect(error?.issues.first?.kind == .notEncodable(#"two of its keys are written as "1""#))
        #expect(error?.issues.first?.path == "a")
        #expect(throws: JSONModelError.self) { try encoder.encode([Double.nan: 1]) }
        #expect(throws: JSONModelError.self) { try encoder.encode([-Float.infinity: 1]) }
        #expect(try encoder.encode([Fraction(rawValue: 1.25): 1], as: .string) == #"{"1":1}"#)
    }
}
