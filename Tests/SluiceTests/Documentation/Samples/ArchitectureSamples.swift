// swift-format-ignore-file
// Made from Sources/Sluice/Sluice.docc/Architecture.md by `make samples`: change the document, not this file.
import Foundation
import Sluice
import Testing

@Suite struct ArchitectureSamples {
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Architecture.md", line: 430)
struct Repository {
    let id: Int
    let name: String
    let login: String?
    var stars = 0
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Architecture.md", line: 437)
@Test func `the offsets of the tables`() {
#expect(MemoryLayout<Repository>.offset(of: \.login) == 24)
#expect(MemoryLayout<Repository>.offset(of: \.stars) == 40)
}
#sourceLocation()
}
