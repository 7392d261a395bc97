// swift-format-ignore-file
// Made from Sources/Sluice/Sluice.docc/BeyondOneCore.md by `make samples`: change the document, not this file.
#if Macros
import Foundation
import Sluice
import Testing

@Suite struct BeyondOneCoreSamples {
#sourceLocation(file: "Sources/Sluice/Sluice.docc/BeyondOneCore.md", line: 9)
@JSONModel struct Row { let id: Int }
func workers(_ decoder: JSONModelDecoder) throws {
var (decoder, sum) = (decoder, 0)
#sourceLocation(file: "Sources/Sluice/Sluice.docc/BeyondOneCore.md", line: 13)
decoder.workers = .automatic    // one thread for each core, or .exactly(4); .exactly(1) by default
try decoder.forEach(Row.self, in: .file("rows.jsonl"), framing: .lines) { (row: Row) in
    sum += row.id
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/BeyondOneCore.md", line: 18)
#expect(sum > 0)
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/BeyondOneCore.md", line: 73)
func ranges(_ decoder: JSONModelDecoder) throws {
#sourceLocation(file: "Sources/Sluice/Sluice.docc/BeyondOneCore.md", line: 75)
let ranges = try decoder.ranges(of: .file("huge.json"), at: "items[*]", parts: 64)
for range in ranges {
    try decoder.forEach(Row.self, in: .file("huge.json", range: range), at: "items[*]") { (row: Row) in
        print(row.id)
    }
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/BeyondOneCore.md", line: 94)
try decoder.forEach(Row.self, in: .file("rows.jsonl", range: 0..<1_000_000), framing: .lines) { (row: Row) in
    print(row.id)
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/BeyondOneCore.md", line: 98)
}
#sourceLocation()
}
#endif
