// swift-format-ignore-file
// Made from Sources/Sluice/Sluice.docc/Merging.md by `make samples`: change the document, not this file.
#if Macros
import Foundation
import Sluice
import Testing

@Suite struct MergingSamples {
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Merging.md", line: 5)
@JSONModel struct Repository { let name: String; var stars = 0 }
@Test func `a member is replaced`() throws {
let decoder = JSONModelDecoder()
var repository = try decoder.decode(Repository.self, from: #"{"name": "a"}"#)
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Merging.md", line: 10)
try decoder.merge(#"{"stars": 5}"#, into: &repository)
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Merging.md", line: 12)
#expect(repository.name == "a" && repository.stars == 5)
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Merging.md", line: 48)
@JSONModel struct Page { var items: [Repository] }
@Test func `elements are merged`() throws {
let decoder = JSONModelDecoder()
var page = try decoder.decode(Page.self, from: #"{"items": [{"name": "a"}, {"name": "b"}]}"#)
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Merging.md", line: 53)
try decoder.merge(#"{"items": [{"stars": 5}, {"stars": 7}]}"#, into: &page, options: JSONMergeOptions(arrays: .byIndex))
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Merging.md", line: 55)
#expect(page.items.map(\.name) == ["a", "b"] && page.items.map(\.stars) == [5, 7])
}
#sourceLocation()
}
#endif
