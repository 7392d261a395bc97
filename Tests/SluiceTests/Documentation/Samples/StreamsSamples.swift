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
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 142)
func events(_ decoder: JSONModelDecoder, _ body: AsyncStream<[UInt8]>) async throws {
var answer = ""
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 145)
let path: JSONPath = "choices[*].delta.content"
for try await text in decoder.elements(of: String?.self, in: body, at: path, framing: .serverSentEvents) {
    answer += text ?? ""
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 150)
#expect(answer == "Hello!")
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 157)
func workers(_ decoder: JSONModelDecoder) throws {
var (decoder, sum) = (decoder, 0)
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 160)
decoder.workers = .automatic    // one thread for each core, or .exactly(4); .exactly(1) by default
try decoder.forEach(Row.self, in: .file("rows.jsonl"), framing: .lines) { (row: Row) in
    sum += row.id
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 165)
#expect(sum > 0)
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 190)
func cursors(_ decoder: JSONModelDecoder, _ chunks: [[UInt8]]) throws {
var rows: [Row] = []
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 193)
var cursor = decoder.cursor(of: Row.self, in: .file("rows.jsonl"), framing: .lines)
while let row = try cursor.next() {
    rows.append(row)
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 198)
#expect(rows.count == 2)
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 203)
var feed = decoder.feed(of: Row.self, at: "items[*]")
for chunk in chunks {
    rows += try feed.push(chunk)
}
rows += try feed.finish()
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 209)
#expect(rows.count == 4)
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 220)
@Test func `failed elements are left out`() throws {
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 222)
var decoder = JSONModelDecoder()
decoder.elementErrors = .skip
var cursor = decoder.cursor(of: Row.self, in: "{\"id\":1}\n{\"id\":\"2\"}\n{\"id\":3\n{\"id\":4}", framing: .lines)
while let row = try cursor.next() { print(row.id) }    // 1 and 4
print(cursor.summary)
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 228)
let lines = ["2 elements, 2 skipped", "1 × id: expected an integer, found a string",
"1 × id: the text ends before its value does"]
#expect(cursor.summary.description == lines.joined(separator: "\n"))
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 247)
@JSONModel struct Page { let total: Int; var next: String? }
@Test func `the fields around the elements fill an envelope`() async throws {
let (decoder, text) = (JSONModelDecoder(), #"{"items": [{"id": 1}, {"id": 2}], "total": 2}"#)
var rows: [Row] = []
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 252)
let page = JSONEnvelope(of: Page.self)
for try await row in decoder.elements(of: Row.self, in: text, at: "items[*]", envelope: page) {
    rows.append(row)
}
print(page.value?.total ?? 0)
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 258)
#expect(rows.count == 2 && page.value?.total == 2)
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 269)
@JSONModel struct Answer { let title: String; let steps: [String]; var score: Int? }
@Test func `an answer that is being written has a snapshot`() throws {
let decoder = JSONModelDecoder()
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 273)
var feed = decoder.feed(of: Answer.self)
_ = try feed.push(Array(#"{"title": "Tea", "steps": ["Boil wat"#.utf8))
let snapshot = feed.snapshot()
print(snapshot[\.title] ?? "")                   // Tea
print(snapshot.state(of: \.steps))               // open
print(snapshot.value?.steps ?? [])               // ["Boil wat"]
print(snapshot.openText ?? "")                   // Boil wat
print(snapshot.state(of: \.score))               // absent
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 282)
#expect(snapshot[\.title] == "Tea" && snapshot.state(of: \.steps) == .open)
#expect(snapshot.value?.steps == ["Boil wat"] && snapshot.openText == "Boil wat")
#expect(snapshot.state(of: \.score) == .absent)
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 296)
@Test func `decoding stops after the value`() throws {
let text = #"{"total": 2, "items": nonsense"#
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 299)
var decoder = JSONModelDecoder()
decoder.stopsEarly = true
let total = try decoder.decode(Int.self, from: text, at: "total")
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 303)
#expect(total == 2)
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 311)
func positions(_ decoder: JSONModelDecoder) throws {
var ids: [Int] = []
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 314)
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
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 326)
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 348)
func compressed(_ decoder: JSONModelDecoder, _ rows: [Row]) throws {
guard JSONCompression.gzip.isAvailable else { return }
try JSONModelEncoder().write(rows, to: .file("rows.json.gz").compressed(with: .gzip))
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 352)
try decoder.forEach(Row.self, in: .file("rows.json.gz"), at: "[*]") { (row: Row) in print(row.id) }
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 354)
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 367)
func compress(_ encoder: JSONModelEncoder, _ rows: [Row]) throws {
guard JSONCompression.gzip.isAvailable else { return }
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 370)
try encoder.write(rows, to: .file("rows.json.gz").compressed(with: .gzip))
var writer = try encoder.writer(to: .appending(to: "log.jsonl.gz").compressed(with: .gzip, level: 9), framing: .lines)
for row in rows { try writer.write(row) }
try writer.finish()
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 375)
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 385)
func progress() throws {
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 387)
var decoder = JSONModelDecoder()
decoder.progressHandler = { progress in print(progress.bytes, progress.fraction ?? 0) }
try decoder.forEach(Row.self, in: .file("rows.jsonl"), framing: .lines) { (row: Row) in print(row.id) }
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 391)
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 397)
func write(_ encoder: JSONModelEncoder, _ rows: [Row]) throws {
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 399)
var writer = try encoder.writer(to: .file("copy.jsonl"), framing: .lines)
for row in rows { try writer.write(row) }
try writer.finish()
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 403)
}
#sourceLocation()
}
#endif
