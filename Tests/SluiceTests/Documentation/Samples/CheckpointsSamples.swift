// swift-format-ignore-file
// Made from Sources/Sluice/Sluice.docc/Checkpoints.md by `make samples`: change the document, not this file.
#if Macros
import Foundation
import Sluice
import Testing

@Suite struct CheckpointsSamples {
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Checkpoints.md", line: 10)
@JSONModel struct Row: Equatable { let id: Int; var name: String? }
func positions(_ decoder: JSONModelDecoder) throws {
var ids: [Int] = []
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Checkpoints.md", line: 14)
var checkpoint: JSONCheckpoint?
var cursor = decoder.cursor(of: JSONPositioned<Row>.self, in: .file("rows.jsonl"), framing: .lines)
if let row = try cursor.next() {
    print(row.position.start.line, row.position.range)
    checkpoint = row.position.checkpoint            // Codable
}
if let checkpoint {
    try decoder.forEach(Row.self, in: .file("rows.jsonl", from: checkpoint), framing: .lines) { (row: Row) in
        ids.append(row.id)                          // the second row and all that follow
    }
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Checkpoints.md", line: 26)
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Checkpoints.md", line: 43)
func ranges(_ decoder: JSONModelDecoder) throws {
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Checkpoints.md", line: 45)
let ranges = try decoder.ranges(of: .file("huge.json"), at: "items[*]", parts: 64)
for range in ranges {
    try decoder.forEach(Row.self, in: .file("huge.json", range: range), at: "items[*]") { (row: Row) in
        print(row.id)
    }
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Checkpoints.md", line: 64)
try decoder.forEach(Row.self, in: .file("rows.jsonl", range: 0..<1_000_000), framing: .lines) { (row: Row) in
    print(row.id)
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Checkpoints.md", line: 68)
}
#sourceLocation()
}
#endif
