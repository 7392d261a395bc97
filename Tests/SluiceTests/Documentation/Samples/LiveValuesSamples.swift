// swift-format-ignore-file
// Made from Sources/Sluice/Sluice.docc/LiveValues.md by `make samples`: change the document, not this file.
#if Macros
import Foundation
import Sluice
import Testing

@Suite struct LiveValuesSamples {
#sourceLocation(file: "Sources/Sluice/Sluice.docc/LiveValues.md", line: 9)
@JSONModel struct Answer { let title: String; let steps: [String]; var score: Int? }
@Test func `an answer that is being written has a snapshot`() throws {
let decoder = JSONModelDecoder()
#sourceLocation(file: "Sources/Sluice/Sluice.docc/LiveValues.md", line: 13)
var feed = decoder.feed(of: Answer.self)
_ = try feed.push(Array(#"{"title": "Tea", "steps": ["Boil wat"#.utf8))
let snapshot = feed.snapshot()
print(snapshot[\.title] ?? "")                   // Tea
print(snapshot.state(of: \.steps))               // open
print(snapshot.value?.steps ?? [])               // ["Boil wat"]
print(snapshot.openText ?? "")                   // Boil wat
print(snapshot.state(of: \.score))               // absent
#sourceLocation(file: "Sources/Sluice/Sluice.docc/LiveValues.md", line: 22)
#expect(snapshot[\.title] == "Tea" && snapshot.state(of: \.steps) == .open)
#expect(snapshot.value?.steps == ["Boil wat"] && snapshot.openText == "Boil wat")
#expect(snapshot.state(of: \.score) == .absent)
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/LiveValues.md", line: 37)
@JSONModel(.partial) struct Leg: Equatable { let from: String; let to: String }
@JSONModel(.partial) struct Trip: Equatable { let title: String; let legs: [Leg]; var nights = 1 }

@JSONModel struct CallPiece {
    let index: Int
    @JSONKey("function.arguments") var arguments = ""
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/LiveValues.md", line: 49)
final class Form { var texts: [String] = []; func show(_ trip: Trip.Partial) {
texts.append("\(trip.title ?? "…"): \(trip.legs?.map { "\($0.from ?? "…")–\($0.to ?? "…")" } ?? [])") } }
#sourceLocation(file: "Sources/Sluice/Sluice.docc/LiveValues.md", line: 52)
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
#sourceLocation(file: "Sources/Sluice/Sluice.docc/LiveValues.md", line: 65)
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
#sourceLocation()
}
#endif
