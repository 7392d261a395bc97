// swift-format-ignore-file
// Made from Sources/Sluice/Sluice.docc/Limits.md by `make samples`: change the document, not this file.
import Foundation
import Sluice
import Testing

@Suite struct LimitsSamples {
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Limits.md", line: 34)
@Test func `a document is too long`() {
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Limits.md", line: 36)
var decoder = JSONModelDecoder()
decoder.limits.depth = 32
decoder.limits.document = 1_000_000
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Limits.md", line: 40)
let limited = decoder
#expect(throws: JSONModelError.self) { try limited.validate(Array(repeating: 0x20, count: 1_000_001)) }
}
#sourceLocation()
}
