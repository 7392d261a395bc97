import SluiceCodable
import SluiceCore
import Testing

/// Cases whose values are only `Codable`.
@Suite struct CodableCaseTests {
    private struct Count: Codable, Equatable {
        let number: Int
        init(_ number: Int) { self.number = number }
        init(from decoder: any Decoder) throws { number = try decoder.singleValueContainer().decode(Int.self) }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(number)
        }
    }

    private enum Event: JSONModel, Equatable {
        case counts([String: Count])
        case end

        static let plan = ModelPlan<Event>(
            cases: [
                JSONCase(
                    "counts", payload: [String: Count].self, make: { .counts($0) },
                    read: { if case .counts(let value) = $0 { value } else { nil } }),
                JSONCase("end", value: .end, matches: { $0 == .end }),
            ], tagging: .internal(tag: "type"))
        static var jsonShape: JSONShape { .union(Event.self) }
    }

    @Test(arguments: [
        (#"{"type":"counts"}"#, [String: Int]()), (#"{"type":"counts","a":1}"#, ["a": 1]),
        (#"{"a":1,"type":"counts"}"#, ["a": 1]),
    ])
    func `the tag is no entry of a dictionary`(text: String, expected: [String: Int]) throws {
        let event = try JSONModelDecoder().decode(Event.self, from: text)
        #expect(event == .counts(expected.mapValues { Count($0) }))
        let written = try JSONModelEncoder().encode(event, as: .string)
        #expect(try JSONModelDecoder().decode(Event.self, from: written) == event)
    }
}
