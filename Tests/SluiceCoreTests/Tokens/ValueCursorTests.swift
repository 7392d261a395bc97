import SluiceCore
import TestSupport
import Testing

/// Models that are decoded from a `JSONValue`.
struct ValueCursorTests {
    private struct Row: JSONModel, Equatable {
        var id: Int
        var text: String?
        var numbers: [Double]
        static let plan = ModelPlan<Row>(
            JSONField(\.id, key: "id"), JSONField(\.text, key: "a key of more than fifteen bytes"),
            JSONField(\.numbers, key: "numbers", default: []))
    }

    /// A description of the value, or the path and the kind of the error, from text and from a value in memory.
    private func outcomes<Model: JSONConvertible>(
        _ text: String, _ decoder: JSONModelDecoder, _ describe: (Model) -> String
    ) throws -> (text: String, value: String) {
        func outcome(_ decode: () throws -> Model) -> String {
            do { return describe(try decode()) } catch let error as JSONModelError {
                return error.issues.map { "\($0.path) \($0.kind)" }.joined()
            } catch { return "\(error)" }
        }
        var reader = JSONModelDecoder()
        reader.limits.depth = 1_000
        let value = try reader.decode(JSONValue.self, from: text)
        return (
            outcome { try decoder.decode(Model.self, from: text) },
            outcome { try decoder.decode(Model.self, from: value) }
        )
    }

    @Test func `strings, keys and numbers of every length are those of the text`() throws {
        for count in [0, 1, 7, 8, 14, 15, 16, 17, 54, 55, 56, 57, 200] {
            for character in ["a", "é"] {
                let string = String(repeating: character, count: count)
                let text = #"{"\#(string)":"\#(string)","number":\#("1" + String(repeating: "0", count: count))}"#
                let value = try JSONModelDecoder().decode(JSONValue.self, from: text)
                #expect(try JSONModelDecoder().decode(JSONValue.self, from: value) == value)
                #expect(try JSONModelDecoder().decode(JSONRaw.self, from: value).description == text)
            }
        }
    }

    @Test func `removed members are no members`() throws {
        for removed in [["a"], ["b"], ["z"], ["a", "b"], ["b", "id"], ["a", "b", "id", "numbers", "z"]] {
            var object: JSONObject = ["a": 1, "id": 2, "b": [3], "numbers": [4, 5.5], "z": nil]
            for key in removed { object.removeValue(forKey: key) }
            let value: JSONValue = [.object(object), [:], .object(object)]
            #expect(try JSONModelDecoder().decode(JSONValue.self, from: value) == value)
            #expect(try JSONModelDecoder().decode(JSONRaw.self, from: value).description == value.description)
        }
        var object: JSONObject = ["a": 1, "id": 2, "b": [3], "numbers": [4, 5.5]]
        object.removeValue(forKey: "b")
        #expect(
            try JSONModelDecoder().decode(Row.self, from: JSONValue.object(object))
                == Row(id: 2, numbers: [4, 5.5]))
    }

    @Test func `repeated keys have the last value`() throws {
        let value = try JSONModelDecoder().decode(JSONValue.self, from: #"{"id":1,"numbers":[1],"id":2}"#)
        #expect(try JSONModelDecoder().decode(Row.self, from: value) == Row(id: 2, numbers: [1]))
    }

    @Test func `errors have the path of the value and no location`() throws {
        let value = try JSONModelDecoder().decode(JSONValue.self, from: #"[{"id":1},{"id":2,"numbers":[1,true]}]"#)
        let error = #expect(throws: JSONModelError.self) { try JSONModelDecoder().decode([Row].self, from: value) }
        #expect(error?.issues.first?.path.description == "[1].numbers[1]")
        #expect(error?.issues.first?.location.line == 0)
    }

    @Test func `the depth of recorded values is that of the text`() throws {
        for limit in 1...24 {
            var decoder = JSONModelDecoder()
            decoder.limits.depth = limit
            for depth in 1...12 {
                for tagFirst in [false, true] {
                    let text = Chain.text(depth, tagFirst: tagFirst)
                    let chain = try outcomes(text, decoder) { (chain: Chain) in "\(chain.length) links" }
                    #expect(chain.text.hasSuffix("links") == chain.value.hasSuffix("links"), "\(depth) of \(limit)")
                }
                let maybe = try outcomes(Maybe.text(depth), decoder) { (maybe: Maybe) in "\(maybe.depth) levels" }
                #expect(maybe.text.hasSuffix("levels") == maybe.value.hasSuffix("levels"), "\(depth) of \(limit)")
                let nested = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
                let value = try outcomes(nested, decoder) { (value: JSONValue) in value.description }
                #expect(value.text == value.value)
                let raw = try outcomes(nested, decoder) { (raw: JSONRaw) in raw.description }
                #expect(raw.text == raw.value)
            }
        }
    }

    @Test func `an empty container beyond the depth limit is an error`() {
        var encoder = JSONModelEncoder()
        encoder.limits.depth = 2
        for empty in [[], [:]] as [JSONValue] {
            #expect(throws: Never.self) { try encoder.encode(["a": empty] as JSONValue) }
            let error = #expect(throws: JSONModelError.self) {
                try encoder.encode(["a": ["b": empty]] as JSONValue)
            }
            #expect(error?.issues.first?.kind == .limitExceeded(.depth, limit: 2))
            let inArray = #expect(throws: JSONModelError.self) {
                try encoder.encode([nil, [1, empty]] as JSONValue)
            }
            #expect(inArray?.issues.first?.kind == .limitExceeded(.depth, limit: 2))
        }
    }
}
