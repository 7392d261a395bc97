// swift-format-ignore-file
// Made from Sources/Sluice/Sluice.docc/Resources/HugeFile1.swift by `make samples`: change the document, not this file.
#if Macros
import Foundation
import Sluice
import Testing

@Suite struct HugeFile1Samples {
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Resources/HugeFile1.swift", line: 1)


@JSONModel
struct Order {
    let id: Int
    @JSONKey("customer.name") let customer: String
    let amount: Double
}
#sourceLocation()
}
#endif
