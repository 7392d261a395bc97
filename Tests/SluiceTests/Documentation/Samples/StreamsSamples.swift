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
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 145)
func events(_ decoder: JSONModelDecoder, _ body: AsyncStream<[UInt8]>) async throws {
var answer = ""
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 148)
let path: JSONPath = "choices[*].delta.content"
for try await text in decoder.elements(of: String?.self, in: body, at: path, framing: .serverSentEvents) {
    answer += text ?? ""
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 153)
#expect(answer == "Hello!")
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 165)
func cursors(_ decoder: JSONModelDecoder, _ chunks: [[UInt8]]) throws {
var rows: [Row] = []
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 168)
var cursor = decoder.cursor(of: Row.self, in: .file("rows.jsonl"), framing: .lines)
while let row = try cursor.next() {
    rows.append(row)
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 173)
#expect(rows.count == 2)
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 178)
var feed = decoder.feed(of: Row.self, at: "items[*]")
for chunk in chunks {
    rows += try feed.push(chunk)
}
rows += try feed.finish()
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 184)
#expect(rows.count == 4)
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 195)
@JSONModel struct User { let name: String }
@Test func `members have keys`() throws {
let (decoder, text) = (JSONModelDecoder(), #"{"users": {"ann": {"name": "Ann"}, "bob": {"name": "Bob"}}}"#)
var names: [String: String] = [:]
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 200)
try decoder.forEach(JSONMember<User>.self, in: text, at: "users.*") { member in
    names[member.key] = member.value.name
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 204)
#expect(names == ["ann": "Ann", "bob": "Bob"])
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 217)
@Test func `failed elements are left out`() throws {
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 219)
var decoder = JSONModelDecoder()
decoder.elementErrors = .skip
var cursor = decoder.cursor(of: Row.self, in: "{\"id\":1}\n{\"id\":\"2\"}\n{\"id\":3\n{\"id\":4}", framing: .lines)
while let row = try cursor.next() { print(row.id) }    // 1 and 4
print(cursor.summary)
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 225)
let lines = ["2 elements, 2 skipped", "1 × id: expected an integer, found a string",
"1 × id: the text ends before its value does"]
#expect(cursor.summary.description == lines.joined(separator: "\n"))
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 244)
@JSONModel struct Page { let total: Int; var next: String? }
@Test func `the fields around the elements fill an envelope`() async throws {
let (decoder, text) = (JSONModelDecoder(), #"{"items": [{"id": 1}, {"id": 2}], "total": 2}"#)
var rows: [Row] = []
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 249)
let page = JSONEnvelope(of: Page.self)
for try await row in decoder.elements(of: Row.self, in: text, at: "items[*]", envelope: page) {
    rows.append(row)
}
print(page.value?.total ?? 0)
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 255)
#expect(rows.count == 2 && page.value?.total == 2)
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 266)
@JSONModel struct Answer { let title: String; let steps: [String]; var score: Int? }
@Test func `an answer that is being written has a snapshot`() throws {
let decoder = JSONModelDecoder()
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 270)
var feed = decoder.feed(of: Answer.self)
_ = try feed.push(Array(#"{"title": "Tea", "steps": ["Boil wat"#.utf8))
let snapshot = feed.snapshot()
print(snapshot[\.title] ?? "")                   // Tea
print(snapshot.state(of: \.steps))               // open
print(snapshot.value?.steps ?? [])               // ["Boil wat"]
print(snapshot.openText ?? "")                   // Boil wat
print(snapshot.state(of: \.score))               // absent
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 279)
#expect(snapshot[\.title] == "Tea" && snapshot.state(of: \.steps) == .open)
#expect(snapshot.value?.steps == ["Boil wat"] && snapshot.openText == "Boil wat")
#expect(snapshot.state(of: \.score) == .absent)
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 292)
@JSONModel(.partial) struct Leg: Equatable { let from: String; let to: String }
@JSONModel(.partial) struct Trip: Equatable { let title: String; let legs: [Leg]; var nights = 1 }

@JSONModel struct CallPiece {
    let index: Int
    @JSONKey("function.arguments") var arguments = ""
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 304)
final class Form { var texts: [String] = []; func show(_ trip: Trip.Partial) {
texts.append("\(trip.title ?? "…"): \(trip.legs?.map { "\($0.from ?? "…")–\($0.to ?? "…")" } ?? [])") } }
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 307)
func fill(_ form: Form, with decoder: JSONModelDecoder, from body: some AsyncSequence<[UInt8], Never>) async throws -> Trip {
    var feed = decoder.feed(of: Trip.Partial.self)
    var arguments = ""
    let path: JSONPath = "choices[*].delta.tool_calls[*]"
    for try await piece in decoder.elements(of: CallPiece.self, in: body, at: path, framing: .serverSentEvents)
    where piece.index == 0 {
        arguments += piece.arguments
        _ = try feed.push(piece.arguments.utf8)
        form.show(feed.snapshot().value ?? Trip.Partial())
    }
    return try decoder.decode(Trip.self, from: arguments)
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 320)
@Test func `a form fills itself`() async throws {
let events = [#"{\"title\":\"Ro"#, #"me\",\"legs\":[{\"from\":\"Bonn\",\"t"#, #"o\":\"Ba"#, #"sel\"}]}"#]
let body = AsyncStream<[UInt8]> { continuation in
for part in events { for (index, text) in [part, "{"].enumerated() {
continuation.yield(Array(("data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":\(index),\"function\":{\"arguments\":\"" + text + "\"}}]}}]}\n\n").utf8)) } }
continuation.yield(Array("data: [DONE]\n\n".utf8)); continuation.finish() }
let form = Form()
let trip = try await fill(form, with: JSONModelDecoder(), from: body)
#expect(trip == Trip(title: "Rome", legs: [Leg(from: "Bonn", to: "Basel")]))
#expect(form.texts == ["Ro: []", #"Rome: ["Bonn–…"]"#, #"Rome: ["Bonn–Ba"]"#, #"Rome: ["Bonn–Basel"]"#])
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 364)
@Test func `decoding stops after the value`() throws {
let text = #"{"total": 2, "items": nonsense"#
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 367)
var decoder = JSONModelDecoder()
decoder.stopsEarly = true
let total = try decoder.decode(Int.self, from: text, at: "total")
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 371)
#expect(total == 2)
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 379)
func positions(_ decoder: JSONModelDecoder) throws {
var ids: [Int] = []
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 382)
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
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 394)
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 416)
func compressed(_ decoder: JSONModelDecoder, _ rows: [Row]) throws {
guard JSONCompression.gzip.isAvailable else { return }
try JSONModelEncoder().write(rows, to: .file("rows.json.gz").compressed(with: .gzip))
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 420)
try decoder.forEach(Row.self, in: .file("rows.json.gz"), at: "[*]") { (row: Row) in print(row.id) }
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 422)
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 436)
func compress(_ encoder: JSONModelEncoder, _ rows: [Row]) throws {
guard JSONCompression.gzip.isAvailable else { return }
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 439)
try encoder.write(rows, to: .file("rows.json.gz").compressed(with: .gzip))
var writer = try encoder.writer(to: .appending(to: "log.jsonl.gz").compressed(with: .gzip, level: 9), framing: .lines)
for row in rows { try writer.write(row) }
try writer.finish()
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 444)
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 454)
func progress() throws {
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 456)
var decoder = JSONModelDecoder()
decoder.progressHandler = { progress in print(progress.bytes, progress.fraction ?? 0) }
try decoder.forEach(Row.self, in: .file("rows.jsonl"), framing: .lines) { (row: Row) in print(row.id) }
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 460)
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 466)
func write(_ encoder: JSONModelEncoder, _ rows: [Row]) throws {
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 468)
var writer = try encoder.writer(to: .file("copy.jsonl"), framing: .lines)
for row in rows { try writer.write(row) }
try writer.finish()
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 472)
}
#sourceLocation()
}
#endif
