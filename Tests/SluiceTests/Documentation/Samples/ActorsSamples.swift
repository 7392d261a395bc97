// swift-format-ignore-file
// Made from Sources/Sluice/Sluice.docc/Actors.md by `make samples`: change the document, not this file.
#if Macros
import Foundation
import Sluice
import Testing

@Suite struct ActorsSamples {
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Actors.md", line: 15)
static func makeID() -> Int { 1 }
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Actors.md", line: 17)
@JSONModel
struct Note {
    var id = makeID()                   // makeID() is on the main actor
    var text: String
    mutating func didDecode() { text = text.lowercased() }
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Actors.md", line: 49)
@JSONModel
nonisolated struct Message {
    var text: String
    func validate() throws { if text.isEmpty { throw EmptyMessage() } }
}

nonisolated struct EmptyMessage: Error {}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Actors.md", line: 61)
@JSONModel
struct Draft {
    var text: String
    nonisolated func validate() throws { if text.isEmpty { throw EmptyMessage() } }
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Actors.md", line: 78)
nonisolated struct Celsius: JSONConvertible {
    let degrees: Double
    init(_ degrees: Double) { self.degrees = degrees }

    static var jsonShape: JSONShape {
        .scalar(
            Celsius.self, expecting: "a temperature", read: { Celsius(Double($0.string ?? "") ?? 0) },
            write: { .string("\($0.degrees)") })
    }
}
#sourceLocation()
}
#endif
