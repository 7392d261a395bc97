// swift-format-ignore-file
// Made from Sources/Sluice/Sluice.docc/Streams.md by `make samples`: change the document, not this file.
#if Macros
import Foundation
import Sluice
import Testing

@Suite struct StreamsSamples {
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 9)
@JSONModel struct Row: Equatable { let id: Int; var name: String? }
func sequences(_ decoder: JSONModelDecoder, _ body: AsyncStream<[UInt8]>, _ bytes: AsyncStream<UInt8>) async throws {
var rows: [Row] = []
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 13)
for try await row in decoder.elements(of: Row.self, in: .file("rows.jsonl"), framing: .lines) {
    rows.append(row)
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 17)
#expect(rows.count == 2)
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 23)
for try await row in decoder.elements(of: Row.self, in: body, at: "items[*]") {
    rows.append(row)
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 31)
for try await row in decoder.elements(of: Row.self, in: bytes.jsonChunks(), framing: .lines) {
    rows.append(row)
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 35)
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 74)
func events(_ decoder: JSONModelDecoder, _ body: AsyncStream<[UInt8]>) async throws {
var answer = ""
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 77)
let path: JSONPath = "choices[*].delta.content"
for try await text in decoder.elements(of: String?.self, in: body, at: path, framing: .serverSentEvents) {
    answer += text ?? ""
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 82)
#expect(answer == "Hello!")
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 89)
func cursors(_ decoder: JSONModelDecoder, _ chunks: [[UInt8]]) throws {
var rows: [Row] = []
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 92)
var cursor = decoder.cursor(of: Row.self, in: .file("rows.jsonl"), framing: .lines)
while let row = try cursor.next() {
    rows.append(row)
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 97)
#expect(rows.count == 2)
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 102)
var feed = decoder.feed(of: Row.self, at: "items[*]")
for chunk in chunks {
    rows += try feed.push(chunk)
}
rows += try feed.finish()
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 108)
#expect(rows.count == 4)
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 119)
@Test func `failed elements are left out`() throws {
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 121)
var decoder = JSONModelDecoder()
decoder.elementErrors = .skip
var cursor = decoder.cursor(of: Row.self, in: "{\"id\":1}\n{\"id\":\"2\"}\n{\"id\":3\n{\"id\":4}", framing: .lines)
while let row = try cursor.next() { print(row.id) }    // 1 and 4
print(cursor.summary)
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 127)
let lines = ["2 elements, 2 skipped", "1 × id: expected an integer, found a string",
"1 × id: the text ends before its value does"]
#expect(cursor.summary.description == lines.joined(separator: "\n"))
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 153)
func compressed(_ decoder: JSONModelDecoder, _ rows: [Row]) throws {
guard JSONCompression.gzip.isAvailable else { return }
try JSONModelEncoder().write(rows, to: .file("rows.json.gz").compressed(with: .gzip))
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 157)
try decoder.forEach(Row.self, in: .file("rows.json.gz"), at: "[*]") { (row: Row) in print(row.id) }
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 159)
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 172)
func compress(_ encoder: JSONModelEncoder, _ rows: [Row]) throws {
guard JSONCompression.gzip.isAvailable else { return }
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 175)
try encoder.write(rows, to: .file("rows.json.gz").compressed(with: .gzip))
var writer = try encoder.writer(to: .appending(to: "log.jsonl.gz").compressed(with: .gzip, level: 9), framing: .lines)
for row in rows { try writer.write(row) }
try writer.finish()
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 180)
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 189)
func progress() throws {
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 191)
var decoder = JSONModelDecoder()
decoder.progressHandler = { progress in print(progress.bytes, progress.fraction ?? 0) }
try decoder.forEach(Row.self, in: .file("rows.jsonl"), framing: .lines) { (row: Row) in print(row.id) }
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 195)
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 201)
func write(_ encoder: JSONModelEncoder, _ rows: [Row]) throws {
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 203)
var writer = try encoder.writer(to: .file("copy.jsonl"), framing: .lines)
for row in rows { try writer.write(row) }
try writer.finish()
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 207)
}
#sourceLocation()
}
#endif
