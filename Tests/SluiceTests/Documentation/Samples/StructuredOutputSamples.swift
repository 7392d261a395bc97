// swift-format-ignore-file
// Made from Sources/Sluice/Sluice.docc/StructuredOutput.md by `make samples`: change the document, not this file.
#if Macros
import Foundation
import Sluice
import Testing

@Suite struct StructuredOutputSamples {
#sourceLocation(file: "Sources/Sluice/Sluice.docc/StructuredOutput.md", line: 147)
@Suite struct Blocks {
#sourceLocation(file: "Sources/Sluice/Sluice.docc/StructuredOutput.md", line: 149)
@JSONModel(.partial)
struct Item: Identifiable {
    @JSONPartial(.required) let id: String
    @JSONPartial(.whenComplete) let link: String?
    let blocks: [Block]
}

@JSONModel(.partial, tag: "type")
enum Block {
    case text(text: String)
    case image(name: String)
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/StructuredOutput.md", line: 162)
@Test func `an enum fills itself`() throws {
var feed = JSONModelDecoder().feed(of: Item.Partial.self)
_ = try feed.push(Array(#"{"link":"h"#.utf8))
#expect(feed.snapshot().value == nil)
_ = try feed.push(Array(#"","id":"a","blocks":[{"type":"text","text":"He"#.utf8))
let item = try #require(feed.snapshot().value)
guard case .text("He")? = item.blocks?.first else { Issue.record("\(item)"); return }
#expect(item.id == "a" && item.link == "h")
}
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/StructuredOutput.md", line: 180)
enum Messages {
#sourceLocation(file: "Sources/Sluice/Sluice.docc/StructuredOutput.md", line: 182)
@JSONModel(tag: "type", fallback: "other")
enum MessageEvent {
    @JSONKey("content_block_delta") case delta(BlockDelta)
    case error(error: ProviderError)
    case other(String)
}

@JSONModel
struct BlockDelta {
    let index: Int
    @JSONKey("delta.partial_json") let arguments: String?
}

@JSONModel
struct ProviderError {
    let type: String
    let message: String
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/StructuredOutput.md", line: 201)
}
@Test func `events of messages`() throws {
let text = #"{"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}"#
let event = try JSONModelDecoder().decode(Messages.MessageEvent.self, from: text)
guard case .error(let error) = event, error.message == "Overloaded" else { Issue.record("\(event)"); return }
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/StructuredOutput.md", line: 239)
@JSONModel struct Note: Equatable { let title: String }
@Test func `an answer with words around its JSON`() throws {
let decoder = JSONModelDecoder()
#sourceLocation(file: "Sources/Sluice/Sluice.docc/StructuredOutput.md", line: 243)
let reply = "Here you are:\n```json\n{\"title\": \"Tea\"}\n```\nEnjoy!"
let (note, length) = try decoder.decodePrefix(Note.self, from: reply, ignoresText: true)
let rest = reply.utf8.dropFirst(length)

var feed = decoder.feed(of: Note.self, ignoresText: true)
let notes = try feed.push(reply.utf8) + feed.finish()
#sourceLocation(file: "Sources/Sluice/Sluice.docc/StructuredOutput.md", line: 250)
#expect(note.title == "Tea" && String(Substring(rest)) == "\n```\nEnjoy!" && notes == [note])
}
#sourceLocation()
}
#endif
