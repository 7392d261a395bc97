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
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 162)
func cursors(_ decoder: JSONModelDecoder, _ chunks: [[UInt8]]) throws {
var rows: [Row] = []
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 165)
var cursor = decoder.cursor(of: Row.self, in: .file("rows.jsonl"), framing: .lines)
while let row = try cursor.next() {
    rows.append(row)
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 170)
#expect(rows.count == 2)
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 175)
var feed = decoder.feed(of: Row.self, at: "items[*]")
for chunk in chunks {
    rows += try feed.push(chunk)
}
rows += try feed.finish()
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 181)
#expect(rows.count == 4)
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 192)
@Test func `failed elements are left out`() throws {
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 194)
var decoder = JSONModelDecoder()
decoder.elementErrors = .skip
var cursor = decoder.cursor(of: Row.self, in: "{\"id\":1}\n{\"id\":\"2\"}\n{\"id\":3\n{\"id\":4}", framing: .lines)
while let row = try cursor.next() { print(row.id) }    // 1 and 4
print(cursor.summary)
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 200)
let lines = ["2 elements, 2 skipped", "1 × id: expected an integer, found a string",
"1 × id: the text ends before its value does"]
#expect(cursor.summary.description == lines.joined(separator: "\n"))
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 219)
@JSONModel struct Page { let total: Int; var next: String? }
@Test func `the fields around the elements fill an envelope`() async throws {
let (decoder, text) = (JSONModelDecoder(), #"{"items": [{"id": 1}, {"id": 2}], "total": 2}"#)
var rows: [Row] = []
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 224)
let page = JSONEnvelope(of: Page.self)
for try await row in decoder.elements(of: Row.self, in: text, at: "items[*]", envelope: page) {
    rows.append(row)
}
print(page.value?.total ?? 0)
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 230)
#expect(rows.count == 2 && page.value?.total == 2)
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 241)
@JSONModel struct Answer { let title: String; let steps: [String]; var score: Int? }
@Test func `an answer that is being written has a snapshot`() throws {
let decoder = JSONModelDecoder()
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 245)
var feed = decoder.feed(of: Answer.self)
_ = try feed.push(Array(#"{"title": "Tea", "steps": ["Boil wat"#.utf8))
let snapshot = feed.snapshot()
print(snapshot[\.title] ?? "")                   // Tea
print(snapshot.state(of: \.steps))               // open
print(snapshot.value?.steps ?? [])               // ["Boil wat"]
print(snapshot.openText ?? "")                   // Boil wat
print(snapshot.state(of: \.score))               // absent
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 254)
#expect(snapshot[\.title] == "Tea" && snapshot.state(of: \.steps) == .open)
#expect(snapshot.value?.steps == ["Boil wat"] && snapshot.openText == "Boil wat")
#expect(snapshot.state(of: \.score) == .absent)
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 268)
@Test func `decoding stops after the value`() throws {
let text = #"{"total": 2, "items": nonsense"#
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 271)
var decoder = JSONModelDecoder()
decoder.stopsEarly = true
let total = try decoder.decode(Int.self, from: text, at: "total")
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 275)
#expect(total == 2)
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 283)
func positions(_ decoder: JSONModelDecoder) throws {
var ids: [Int] = []
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 286)
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
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 298)
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 320)
func compressed(_ decoder: JSONModelDecoder, _ rows: [Row]) throws {
guard JSONCompression.gzip.isAvailable else { return }
try JSONModelEncoder().write(rows, to: .file("rows.json.gz").compressed(with: .gzip))
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 324)
try decoder.forEach(Row.self, in: .file("rows.json.gz"), at: "[*]") { (row: Row) in print(row.id) }
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 326)
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 339)
func compress(_ encoder: JSONModelEncoder, _ rows: [Row]) throws {
guard JSONCompression.gzip.isAvailable else { return }
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 342)
try encoder.write(rows, to: .file("rows.json.gz").compressed(with: .gzip))
var writer = try encoder.writer(to: .appending(to: "log.jsonl.gz").compressed(with: .gzip, level: 9), framing: .lines)
for row in rows { try writer.write(row) }
try writer.finish()
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 347)
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 357)
func progress() throws {
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 359)
var decoder = JSONModelDecoder()
decoder.progressHandler = { progress in print(progress.bytes, progress.fraction ?? 0) }
try decoder.forEach(Row.self, in: .file("rows.jsonl"), framing: .lines) { (row: Row) in print(row.id) }
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 363)
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 369)
func write(_ encoder: JSONModelEncoder, _ rows: [Row]) throws {
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 371)
var writer = try encoder.writer(to: .file("copy.jsonl"), framing: .lines)
for row in rows { try writer.write(row) }
try writer.finish()
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 375)
}
#sourceLocation()
}
#endif
