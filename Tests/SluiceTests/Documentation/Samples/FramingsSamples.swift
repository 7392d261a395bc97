// swift-format-ignore-file
// Made from Sources/Sluice/Sluice.docc/Framings.md by `make samples`: change the document, not this file.
#if Macros
import Foundation
import Sluice
import Testing

@Suite struct FramingsSamples {
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Framings.md", line: 31)
@JSONModel struct Row: Equatable { let id: Int; var name: String? }
func events(_ decoder: JSONModelDecoder, _ body: AsyncStream<[UInt8]>) async throws {
var answer = ""
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Framings.md", line: 35)
let path: JSONPath = "choices[*].delta.content"
for try await text in decoder.elements(of: String?.self, in: body, at: path, framing: .serverSentEvents) {
    answer += text ?? ""
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Framings.md", line: 40)
#expect(answer == "Hello!")
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Framings.md", line: 47)
func write(_ encoder: JSONModelEncoder, _ rows: [Row]) throws {
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Framings.md", line: 49)
var writer = try encoder.writer(to: .file("copy.jsonl"), framing: .lines)
for row in rows { try writer.write(row) }
try writer.finish()
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Framings.md", line: 53)
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Framings.md", line: 108)
func compressed(_ decoder: JSONModelDecoder, _ rows: [Row]) throws {
guard JSONCompression.gzip.isAvailable else { return }
try JSONModelEncoder().write(rows, to: .file("rows.json.gz").compressed(with: .gzip))
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Framings.md", line: 112)
try decoder.forEach(Row.self, in: .file("rows.json.gz"), at: "[*]") { (row: Row) in print(row.id) }
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Framings.md", line: 114)
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Framings.md", line: 128)
func compress(_ encoder: JSONModelEncoder, _ rows: [Row]) throws {
guard JSONCompression.gzip.isAvailable else { return }
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Framings.md", line: 131)
try encoder.write(rows, to: .file("rows.json.gz").compressed(with: .gzip))
var writer = try encoder.writer(to: .appending(to: "log.jsonl.gz").compressed(with: .gzip, level: 9), framing: .lines)
for row in rows { try writer.write(row) }
try writer.finish()
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Framings.md", line: 136)
}
#sourceLocation()
}
#endif
