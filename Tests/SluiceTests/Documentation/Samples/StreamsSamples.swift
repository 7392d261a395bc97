// swift-format-ignore-file
// Made from Sources/Sluice/Sluice.docc/Streams.md by `make samples`: change the document, not this file.
#if Macros
import Foundation
import Sluice
import Testing

@Suite struct StreamsSamples {
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 32)
@JSONModel struct Row: Equatable { let id: Int; var name: String? }
func sequences(_ decoder: JSONModelDecoder, _ body: AsyncStream<[UInt8]>, _ bytes: AsyncStream<UInt8>) async throws {
var rows: [Row] = []
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 36)
for try await row in decoder.elements(of: Row.self, in: .file("rows.jsonl"), framing: .lines) {
    rows.append(row)
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 40)
#expect(rows.count == 2)
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 46)
for try await row in decoder.elements(of: Row.self, in: body, at: "items[*]") {
    rows.append(row)
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 54)
for try await row in decoder.elements(of: Row.self, in: bytes.jsonChunks(), framing: .lines) {
    rows.append(row)
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 58)
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 69)
func cursors(_ decoder: JSONModelDecoder, _ chunks: [[UInt8]]) throws {
var rows: [Row] = []
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 72)
var cursor = decoder.cursor(of: Row.self, in: .file("rows.jsonl"), framing: .lines)
while let row = try cursor.next() {
    rows.append(row)
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 77)
#expect(rows.count == 2)
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 82)
var feed = decoder.feed(of: Row.self, at: "items[*]")
for chunk in chunks {
    rows += try feed.push(chunk)
}
rows += try feed.finish()
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 88)
#expect(rows.count == 4)
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 99)
@JSONModel struct User { let name: String }
@Test func `members have keys`() throws {
let (decoder, text) = (JSONModelDecoder(), #"{"users": {"ann": {"name": "Ann"}, "bob": {"name": "Bob"}}}"#)
var names: [String: String] = [:]
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 104)
try decoder.forEach(JSONMember<User>.self, in: text, at: "users.*") { member in
    names[member.key] = member.value.name
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 108)
#expect(names == ["ann": "Ann", "bob": "Bob"])
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 121)
@Test func `failed elements are left out`() throws {
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 123)
var decoder = JSONModelDecoder()
decoder.elementErrors = .skip
var cursor = decoder.cursor(of: Row.self, in: "{\"id\":1}\n{\"id\":\"2\"}\n{\"id\":3\n{\"id\":4}", framing: .lines)
while let row = try cursor.next() { print(row.id) }    // 1 and 4
print(cursor.summary)
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 129)
let lines = ["2 elements, 2 skipped", "1 × id: expected an integer, found a string",
"1 × id: the text ends before its value does"]
#expect(cursor.summary.description == lines.joined(separator: "\n"))
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 148)
@JSONModel struct Page { let total: Int; var next: String? }
@Test func `the fields around the elements fill an envelope`() async throws {
let (decoder, text) = (JSONModelDecoder(), #"{"items": [{"id": 1}, {"id": 2}], "total": 2}"#)
var rows: [Row] = []
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 153)
let page = JSONEnvelope(of: Page.self)
for try await row in decoder.elements(of: Row.self, in: text, at: "items[*]", envelope: page) {
    rows.append(row)
}
print(page.value?.total ?? 0)
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 159)
#expect(rows.count == 2 && page.value?.total == 2)
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 171)
@Test func `decoding stops after the value`() throws {
let text = #"{"total": 2, "items": nonsense"#
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 174)
var decoder = JSONModelDecoder()
decoder.stopsEarly = true
let total = try decoder.decode(Int.self, from: text, at: "total")
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 178)
#expect(total == 2)
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 186)
func progress() throws {
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 188)
var decoder = JSONModelDecoder()
decoder.progressHandler = { progress in print(progress.bytes, progress.fraction ?? 0) }
try decoder.forEach(Row.self, in: .file("rows.jsonl"), framing: .lines) { (row: Row) in print(row.id) }
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Streams.md", line: 192)
}
#sourceLocation()
}
#endif
