// swift-format-ignore-file
// Made from Sources/Sluice/Sluice.docc/Resources/HugeFile3.swift by `make samples`: change the document, not this file.
#if Macros
import Foundation
import Sluice
import Testing

@Suite struct HugeFile3Samples {
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Resources/HugeFile3.swift", line: 1)


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
#sourceLocation()
}
#endif
