import Sluice

@JSONModel
struct Order {
    let id: Int
    @JSONKey("customer.name") let customer: String
    let amount: Double
}

func total(of file: String, from checkpoint: inout JSONCheckpoint?) throws -> Double {
    var decoder = JSONModelDecoder()
    decoder.source = .scanner
    decoder.elementErrors = .skip
    decoder.summaryHandler = { summary in print(summary) }
    var total = 0.0
    try decoder.forEach(JSONPositioned<Order>.self, in: .file(file, from: checkpoint), at: "data.orders[*]") {
        order in
        total += order.value.amount
        checkpoint = order.position.checkpoint
    }
    return total
}
