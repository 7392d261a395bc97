// swift-format-ignore-file
// Made from Sources/Sluice/Sluice.docc/Sources.md by `make samples`: change the document, not this file.
import Foundation
import Sluice
import Testing

@Suite struct SourcesSamples {
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Sources.md", line: 7)
@Test func `the scanner is chosen`() {
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Sources.md", line: 9)
var decoder = JSONModelDecoder()
decoder.source = .scanner
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Sources.md", line: 12)
#expect(decoder.source == .scanner)
}
#sourceLocation()
}
