// swift-format-ignore-file
// Made from Sources/Sluice/Sluice.docc/LargeFiles.md by `make samples`: change the document, not this file.
#if Macros
import Foundation
import Sluice
import Testing

@Suite struct LargeFilesSamples {
#sourceLocation(file: "Sources/Sluice/Sluice.docc/LargeFiles.md", line: 11)
@JSONModel struct Repository { let name: String; var stars = 0 }
func stream() throws {
var total = 0
#sourceLocation(file: "Sources/Sluice/Sluice.docc/LargeFiles.md", line: 15)
let decoder = JSONModelDecoder()
let count = try decoder.forEach(Repository.self, in: .file("huge.json"), at: "items[*]") { repository in
    total += repository.stars
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/LargeFiles.md", line: 20)
#expect(count > 0 && total > 0)
#sourceLocation(file: "Sources/Sluice/Sluice.docc/LargeFiles.md", line: 46)
var found: Repository?
try decoder.forEach(Repository.self, in: .file("huge.json"), at: "items[*]") { repository in
    guard repository.name == "lloyd/yajl" else { return .continue }
    found = repository
    return .stop
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/LargeFiles.md", line: 53)
#expect(found != nil)
#sourceLocation(file: "Sources/Sluice/Sluice.docc/LargeFiles.md", line: 116)
let all = try decoder.decode([Repository].self, from: .file("huge.json"), at: "items")
#sourceLocation(file: "Sources/Sluice/Sluice.docc/LargeFiles.md", line: 118)
#expect(!all.isEmpty)
#sourceLocation(file: "Sources/Sluice/Sluice.docc/LargeFiles.md", line: 128)
try decoder.validate(.file("huge.json"))
try decoder.forEach(JSONRaw.self, in: .file("huge.json"), at: "items[*]") { element in
    print(element)
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/LargeFiles.md", line: 133)
}
#sourceLocation()
}
#endif
