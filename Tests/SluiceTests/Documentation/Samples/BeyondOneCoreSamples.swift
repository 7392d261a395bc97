// swift-format-ignore-file
// Made from Sources/Sluice/Sluice.docc/BeyondOneCore.md by `make samples`: change the document, not this file.
#if Macros
import Foundation
import Sluice
import Testing

@Suite struct BeyondOneCoreSamples {
#sourceLocation(file: "Sources/Sluice/Sluice.docc/BeyondOneCore.md", line: 13)
@JSONModel struct Row { let id: Int }
func workers(_ decoder: JSONModelDecoder) throws {
var (decoder, sum) = (decoder, 0)
#sourceLocation(file: "Sources/Sluice/Sluice.docc/BeyondOneCore.md", line: 17)
decoder.workers = .automatic    // one thread for each core, or .exactly(4); .exactly(1) by default
try decoder.forEach(Row.self, in: .file("rows.jsonl"), framing: .lines) { (row: Row) in
    sum += row.id
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/BeyondOneCore.md", line: 22)
#expect(sum > 0)
}
#sourceLocation()
}
#endif
