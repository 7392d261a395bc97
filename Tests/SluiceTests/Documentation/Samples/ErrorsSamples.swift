// swift-format-ignore-file
// Made from Sources/Sluice/Sluice.docc/Errors.md by `make samples`: change the document, not this file.
#if Macros
import Foundation
import Sluice
import Testing
import Synchronization

@Suite struct ErrorsSamples {
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Errors.md", line: 37)
@JSONModel struct Repository { let name: String }
func printIssues(_ decoder: JSONModelDecoder, _ url: URL) throws {
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Errors.md", line: 40)
do {
    let data = try Data(contentsOf: url)
    let repository = try decoder.decode(Repository.self, from: data)
    print(repository.name)
} catch let error as JSONModelError {
    for issue in error.issues {
        switch issue.kind {
        case .missingKeys(let keys): print("please send", keys)
        case .unreadable, .unexpectedEnd: print("please send it again")
        default: print(issue.description)
        }
    }
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Errors.md", line: 54)
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Errors.md", line: 109)
@JSONModel struct Library { @JSONLossy let repositories: [Repository] }
@Test func `a handler collects issues`() throws {
let text = #"{"repositories": [{"name": "a"}, {"name": 1}, {}]}"#
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Errors.md", line: 113)


let issues = Mutex<[JSONIssue]>([])
var decoder = JSONModelDecoder()
decoder.issueHandler = { issue in issues.withLock { $0.append(issue) } }

let library = try decoder.decode(Library.self, from: text)
print(library.repositories.count, issues.withLock { $0.map(\.path) })    // 1, and the paths of two dropped elements
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Errors.md", line: 122)
#expect(library.repositories.map(\.name) == ["a"] && issues.withLock { $0.count } == 2)
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Errors.md", line: 130)
@JSONModel struct Page { let title: String; let items: [Item] }
@JSONModel struct Item { let id: Int; let name: String? }
@Test func `input that ends early gives the complete parts`() throws {
let decoder = JSONModelDecoder()
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Errors.md", line: 135)
let partial = try decoder.decodePartially(Page.self, from: #"{"title": "a", "items": [{"id": 1}, {"id": 2}, {"na"#)
print(partial.value?.items.map(\.id) ?? [])   // [1, 2]
print(partial.issues.map(\.kind))             // unexpectedEnd, and missingKeys(["id"]) for items[2]
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Errors.md", line: 139)
#expect(partial.value?.title == "a" && partial.value?.items.map(\.id) == [1, 2])
#expect(partial.issues.map(\.kind).last == .missingKeys(["id"]) && partial.issues.count == 2)
}
#sourceLocation()
}
#endif
