import SluiceCodable
import SluiceCore
import Testing

/// Optional properties whose types are only `Codable`, with a default.
@Suite struct CodableOptionalTests {
    private struct Money: Codable, Equatable { var amount = 1 }

    private struct Order: JSONModel, Equatable {
        var total: Money?
        var fee: Money?
        var rest: [Money]?
        static let plan = ModelPlan<Order>(
            JSONField(\.total, default: nil), JSONField(\.fee, default: Money(amount: 2)),
            JSONField(\.rest, default: nil).defaulting(on: .all))
    }

    @Test func `nil is omitted`() throws {
        var encoder = JSONModelEncoder()
        #expect(try encoder.encode(Order(), as: .string) == "{}")
        let order = Order(total: Money(), fee: Money(), rest: [])
        #expect(try encoder.encode(order, as: .string) == #"{"total":{"amount":1},"fee":{"amount":1},"rest":[]}"#)
        encoder.nullStrategy = .write
        #expect(try encoder.encode(Order(), as: .string) == #"{"total":null,"fee":null,"rest":null}"#)
    }

    @Test func `the default replaces null, a missing key and a value of another type`() throws {
        let decoder = JSONModelDecoder()
        let expected = Order(total: nil, fee: Money(amount: 2), rest: nil)
        for text in ["{}", #"{"total":null,"fee":null,"rest":null}"#, #"{"rest":{"amount":1}}"#, #"{"rest":[{}]}"#]
        { #expect(try decoder.decode(Order.self, from: text) == expected) }
        let error = #expect(throws: JSONModelError.self) {
            try decoder.decode(Order.self, from: #"{"total":{"amount":"x"}}"#)
        }
        #expect(error?.issues.first?.path == "total.amount")
    }
}
