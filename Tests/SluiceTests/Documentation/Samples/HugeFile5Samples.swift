// swift-format-ignore-file
// Made from Sources/Sluice/Sluice.docc/Resources/HugeFile5.swift by `make samples`: change the document, not this file.
#if Macros
import Foundation
import Sluice
import Testing

@Suite struct HugeFile5Samples {
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Resources/HugeFile5.swift", line: 1)


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
#sourceLocation()
}
#endif
