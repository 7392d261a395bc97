// swift-format-ignore-file
// Made from Sources/Sluice/Sluice.docc/Enums.md by `make samples`: change the document, not this file.
#if Macros
import Foundation
import Sluice
import Testing

@Suite struct EnumsSamples {
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Enums.md", line: 11)
enum RawValues {
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Enums.md", line: 13)
@JSONModel(fallback: "unknown")
enum Color: String { case red, green, unknown }
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Enums.md", line: 16)
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Enums.md", line: 23)
@JSONModel(fallback: "other")
enum Color { case red, green, other(String) }
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Enums.md", line: 26)
@Test func `an unknown name becomes the fallback`() throws {
let raw = try JSONModelDecoder().decode([RawValues.Color].self, from: #"["red", "blue"]"#)
#expect(raw == [.red, .unknown])
#expect(try JSONModelEncoder().encode(raw, as: .string) == #"["red","unknown"]"#)
let colors = try JSONModelDecoder().decode([Color].self, from: #"["green", "blue"]"#)
#expect(try JSONModelEncoder().encode(colors, as: .string) == #"["green","blue"]"#)
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Enums.md", line: 43)
@JSONModel struct Circle { let radius: Double }
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Enums.md", line: 45)
@JSONModel(tag: "type", fallback: "other")
enum Shape {
    case circle(Circle)
    @JSONKey("square", or: "quadrat") case square(side: Double)
    case other(JSONValue)
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Enums.md", line: 52)
@Test func `a tag names the case`() throws {
let text = #"[{"type": "circle", "radius": 1}, {"side": 2, "type": "quadrat"}, {"type": "x"}]"#
let shapes = try JSONModelDecoder().decode([Shape].self, from: text)
guard case .circle(let circle) = shapes[0], case .square(2) = shapes[1], case .other(["type": "x"]) = shapes[2]
else { Issue.record("\(shapes)"); return }
#expect(circle.radius == 1)
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Enums.md", line: 121)
@JSONModel(tag: "type")
enum Action {
    case push(ref: String)
    case star
}

@JSONModel
struct Event {
    let id: Int
    @JSONFlatten let action: Action     // {"id": 1, "type": "push", "ref": "main"}
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Enums.md", line: 133)
@Test func `a payload lies beside the fields`() throws {
let text = #"{"id":1,"type":"push","ref":"main"}"#
let event = try JSONModelDecoder().decode(Event.self, from: text)
guard case .push("main") = event.action else { Issue.record("\(event)"); return }
#expect(try JSONModelEncoder().encode(event, as: .string) == text)
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Enums.md", line: 175)
@JSONModel(.untagged, fallback: "other")
enum Reply {
    case circle(Circle)
    case other(JSONValue)

    /// The error of the circle that this reply is not.
    var circleError: JSONModelError? {
        guard case .other(let value) = self else { return nil }
        do {
            _ = try JSONModelDecoder().decode(Circle.self, from: value)
            return nil
        } catch {
            return error
        }
    }
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Enums.md", line: 192)
@Test func `the reason of a fallback is the error of the kept value`() throws {
let replies = try JSONModelDecoder().decode([Reply].self, from: #"[{"radius": "1"}, {"radius": 1}]"#)
#expect(replies.map { $0.circleError?.issues.map(\.description) }
== [["expected a number, found a string (allowed with coercion: .lenient) at radius, for Circle.radius"], nil])
}
#sourceLocation()
}
#endif
