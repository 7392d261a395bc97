import SluiceCodable
import SluiceCore
import TestSupport
import Testing

/// JSON in strings, as values that are made from a recording.
@Suite struct EmbeddedCodableTests {
    struct Money: Codable, Equatable {
        var amount: Int
        var tags: [String]
    }

    struct Price: JSONModel, Equatable {
        var amount: Int
        var tags: [String]
        static let plan = ModelPlan<Price>(JSONField(\.amount), JSONField(\.tags))
    }

    enum Cost: JSONEnum, Equatable {
        case price(Price)
        static let plan = ModelPlan<Cost>(cases: [.of("price", Self.price)], tagging: .untagged)
    }

    struct Holder<Value: JSONConvertible & Equatable>: JSONModel, Equatable {
        var value: Value
        static var plan: ModelPlan<Self> { .shared { ModelPlan(JSONField(embedded: \.value, key: "value")) } }
    }

    /// The error of a text in a string has the reason and the location of the text, whatever the value is made from.
    @Test func `a text that ends early is not JSON for every kind of value`() throws {
        let text = #"{"amount": 1, "tags": ["a", "b"]}"#
        for count in 1..<text.utf8.count {
            let quoted = text.prefix(count).replacing("\"", with: "\\\"")
            let document = "{\"value\": \"\(quoted)\"}"
            let expected = try refusal(Holder<Price>.self, document)
            for issue in [
                try refusal(Holder<JSONCodable<Money>>.self, document), try refusal(Holder<Cost>.self, document),
            ] {
                #expect(issue.kind == expected.kind, "\(document)")
                #expect(issue.location == expected.location, "\(document)")
            }
        }
        #expect(
            try decode(Holder<JSONCodable<Money>>.self, "{\"value\":\"\(text.replacing("\"", with: "\\\""))\"}")
                .value.value.amount == 1)
    }
}
