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

    private struct Money: Codable, Equatable { let amount: Int }

    private enum Event: JSONModel, Equatable {
        case counts([String: Count])
        case rest([String: Count]?)
        case end

        static let plan = ModelPlan<Event>(
            cases: [
                JSONCase(
                    "counts", payload: [String: Count].self, make: { .counts($0) },
                    read: JSONCase.reader(of: "counts")),
                JSONCase(
                    "rest", payload: [String: Count]?.self, make: { .rest($0) }, read: JSONCase.reader(of: "rest")),
                JSONCase("end", value: .end, matches: { $0 == .end }),
            ], tagging: .internal(tag: "type"))
        static var jsonShape: JSONShape { .union(Event.self) }
    }

    private enum Answer: JSONModel {
        case money(Money)
        case list([Money])

        static let plan = ModelPlan<Answer>(
            cases: [
                JSONCase("money", payload: Money.self, make: { .money($0) }, read: JSONCase.reader(of: "money")),
                JSONCase("list", payload: [Money].self, make: { .list($0) }, read: JSONCase.reader(of: "list")),
            ], tagging: .untagged)
        static var jsonShape: JSONShape { .union(Answer.self) }
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

    @Test func `the tag is no entry of an optional dictionary`() throws {
        let event = try JSONModelDecoder().decode(Event.self, from: #"{"type":"rest","a":1}"#)
        #expect(event == .rest(["a": Count(1)]))
        let written = try JSONModelEncoder().encode(event, as: .string)
        #expect(try JSONModelDecoder().decode(Event.self, from: written) == event)
    }

    @Test func `the reasons of an untagged enum are those of the decoder`() {
        func reason(_ text: String) -> String? {
            let error = #expect(throws: JSONModelError.self) {
                try JSONModelDecoder().decode(Answer.self, from: text)
            }
            guard case .invalidValue(_, let reason) = error?.issues.first?.kind else { return nil }
            return reason
        }
        #expect(reason("{}") == #"money: missing key "amount"; list: expected Array<Any>, found a dictionary"#)
        #expect(
            reason(#"[{"amount":"x"}]"#)
                == "money: expected Dictionary<String, Any>, found an array; list: expected Int, found a string at [0].amount"
        )
    }
}
