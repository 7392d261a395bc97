import Sluice

@JSONModel
struct Order {
    let id: Int
    @JSONKey("customer.name") let customer: String
    let amount: Double
}

func total(of file: String) throws -> Double {
    var decoder = JSONModelDecoder()
    decoder.source = .scanner
    var total = 0.0
    try decoder.forEach(Order.self, in: .file(file), at: "data.orders[*]") { order in
        total += order.amount
    }
    return total
}
