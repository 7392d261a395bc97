// swift-format-ignore-file
// Made from Sources/Sluice/Sluice.docc/OtherLibraries.md by `make samples`: change the document, not this file.
#if Macros
import Foundation
import Sluice
import Testing

@Suite struct OtherLibrariesSamples {
#sourceLocation(file: "Sources/Sluice/Sluice.docc/OtherLibraries.md", line: 36)
@JSONModel
struct Catalog {
    @JSONKey("name", or: "title") let name: String
    @JSONLossy let products: [Product]
    @JSONDefault(on: .mismatch) var level = 1
    let note: JSONPresence<String>
    let events: [Event]
}

@JSONModel struct Product { let id: ID }

@JSONModel(tag: "type")
enum Event {
    case moved(to: String)
    case counts([Int: Int])
}

@JSONModel(.untagged)
enum ID {
    case number(Int)
    case text(String)
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/OtherLibraries.md", line: 60)
@Test func `the requests are met`() throws {
let text = #"{"name": null, "title": "a", "products": [{"id": 1}, {"id": "b"}, {"id": true}], "level": "high", "note": null,"#
+ #""events": [{"to": "x", "type": "moved"}, {"1": 42, "type": "counts"}]}"#
#sourceLocation(file: "Sources/Sluice/Sluice.docc/OtherLibraries.md", line: 64)
var decoder = JSONModelDecoder()
decoder.errorPolicy = .collect(limit: 100)
var catalog = try decoder.decode(Catalog.self, from: text)
try decoder.merge(#"{"level": 2}"#, into: &catalog)
#sourceLocation(file: "Sources/Sluice/Sluice.docc/OtherLibraries.md", line: 69)
#expect(catalog.name == "a" && catalog.products.count == 2 && catalog.level == 2 && catalog.note == .null)
guard case .counts([1: 42]) = catalog.events[1] else { Issue.record("\(catalog.events)"); return }
let error = #expect(throws: JSONModelError.self) { try decoder.decode([Product].self, from: #"[{"id": true}, {"id": null}]"#) }
#expect(error?.issues.count == 2 && error?.issues[0].location.line == 1)
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/OtherLibraries.md", line: 75)
@JSONModel struct Row { let id: Int }
func streams(_ body: AsyncStream<[UInt8]>) async throws {
func show(_ rows: [Row], _ open: Row?) {}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/OtherLibraries.md", line: 79)
var decoder = JSONModelDecoder()
decoder.source = .scanner
decoder.elementErrors = .skip
try decoder.forEach(Row.self, in: .file("huge.json"), at: "items[*]") { row in print(row.id) }
for try await row in decoder.elements(of: Row.self, in: body, framing: .serverSentEvents) { print(row.id) }
var feed = decoder.feed(of: Row.self, framing: .lines)
for await chunk in body { show(try feed.push(chunk), feed.snapshot().value) }
#sourceLocation(file: "Sources/Sluice/Sluice.docc/OtherLibraries.md", line: 87)
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/OtherLibraries.md", line: 129)
@JSONModel
struct Post {
    @JSONKey("date_published") let published: String
    @JSONKey("bar", or: "baz", "qux") let bar: String
    var greeting = "hello"
    @JSONTransform(.iso8601) let created: Date
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/OtherLibraries.md", line: 137)
@Test func `the counterparts of attributes`() throws {
let text = #"{"date_published": "today", "qux": "b", "created": "1970-01-01T00:00:01Z"}"#
let post = try JSONModelDecoder().decode(Post.self, from: text)
#expect(post.bar == "b" && post.greeting == "hello" && post.created == Date(timeIntervalSince1970: 1))
}
#sourceLocation()
}
#endif
