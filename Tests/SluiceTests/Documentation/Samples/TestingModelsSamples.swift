// swift-format-ignore-file
// Made from Sources/Sluice/Sluice.docc/TestingModels.md by `make samples`: change the document, not this file.
#if Macros
import Foundation
import Sluice
import Testing

@Suite struct TestingModelsSamples {
#sourceLocation(file: "Sources/Sluice/Sluice.docc/TestingModels.md", line: 11)
@JSONModel
struct Repository: Equatable {
    let id: Int
    @JSONKey("full_name") let name: String
    @JSONKey("owner.login") let owner: String
    var stars = 0
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/TestingModels.md", line: 20)
@Test func `fixtures are decoded`() throws {
let fixture = #"[{"id": 1, "full_name": "yajl", "owner": {"login": "lloyd"}, "stars": 9}]"#
#sourceLocation(file: "Sources/Sluice/Sluice.docc/TestingModels.md", line: 23)
let repositories = try JSONModelDecoder().decode([Repository].self, from: fixture)
#expect(repositories == [Repository(id: 1, name: "yajl", owner: "lloyd", stars: 9)])
#sourceLocation(file: "Sources/Sluice/Sluice.docc/TestingModels.md", line: 26)
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/TestingModels.md", line: 36)
@Test func `all faults are reported`() throws {
let fixture = #"[{"id": "1", "full_name": "yajl", "owner": {}, "topics": []}]"#
#sourceLocation(file: "Sources/Sluice/Sluice.docc/TestingModels.md", line: 39)
var decoder = JSONModelDecoder()
decoder.errorPolicy = .collect(limit: 100)
decoder.unknownKeys = .reject
let error = #expect(throws: JSONModelError.self) {
    try decoder.decode([Repository].self, from: fixture)
}
for issue in error?.issues ?? [] { print(issue.path, issue.kind) }
#sourceLocation(file: "Sources/Sluice/Sluice.docc/TestingModels.md", line: 47)
#expect(error?.issues.map { "\($0.path)" }.sorted() == ["[0]", "[0].id", "[0].topics"])
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/TestingModels.md", line: 55)
@Test func `a round trip changes nothing`() throws {
let fixture = #"[{"id": 1, "full_name": "yajl", "owner": {"login": "lloyd"}, "stars": 9}]"#
#sourceLocation(file: "Sources/Sluice/Sluice.docc/TestingModels.md", line: 58)
let first = try JSONModelDecoder().decode([Repository].self, from: fixture)
let text = try JSONModelEncoder().encode(first, as: .string)
let second = try JSONModelDecoder().decode([Repository].self, from: text)
#expect(first == second)
#sourceLocation(file: "Sources/Sluice/Sluice.docc/TestingModels.md", line: 67)
let sent = try JSONModelDecoder().decode(JSONValue.self, from: fixture)
let kept = try JSONModelEncoder().encode(first, as: .value)
#expect(sent == kept)
#sourceLocation(file: "Sources/Sluice/Sluice.docc/TestingModels.md", line: 71)
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/TestingModels.md", line: 80)
@Test func `both sources decode equal models`() throws {
let fixture = #"[{"id": 1, "full_name": "yajl", "owner": {"login": "lloyd"}}]"#
var results: [[Repository]] = []
#sourceLocation(file: "Sources/Sluice/Sluice.docc/TestingModels.md", line: 84)
for source in JSONModelDecoder.Source.allCases {
    var decoder = JSONModelDecoder()
    decoder.source = source
    results.append(try decoder.decode([Repository].self, from: fixture))
}
#expect(results.allSatisfy { $0 == results[0] })
#sourceLocation(file: "Sources/Sluice/Sluice.docc/TestingModels.md", line: 91)
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/TestingModels.md", line: 101)
@Test func `an error names its value`() throws {
#sourceLocation(file: "Sources/Sluice/Sluice.docc/TestingModels.md", line: 103)
let error = #expect(throws: JSONModelError.self) {
    try JSONModelDecoder().decode(Repository.self, from: #"{"id": 1, "full_name": 2, "owner": {"login": "a"}}"#)
}
let issue = try #require(error?.issues.first)
guard case .typeMismatch = issue.kind else { throw error! }
#expect(issue.path == "full_name" && issue.property == "name")
#expect(issue.location.line == 1 && issue.location.column == 24)
#sourceLocation(file: "Sources/Sluice/Sluice.docc/TestingModels.md", line: 111)
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/TestingModels.md", line: 121)
@Suite struct LicenseTests {
    @JSONModel struct License { let key: String }

    @Test func `a license is decoded`() throws {
        #expect(try JSONModelDecoder().decode(License.self, from: #"{"key": "mit"}"#).key == "mit")
    }
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/TestingModels.md", line: 136)
@Test func `the keys of the model are those of the interface`() throws {
#sourceLocation(file: "Sources/Sluice/Sluice.docc/TestingModels.md", line: 138)
#expect("\(Repository.plan)".contains("full_name"))
let schema = try Repository.jsonSchema()
#expect(schema["required"] == ["id", "full_name", "owner"])
#sourceLocation(file: "Sources/Sluice/Sluice.docc/TestingModels.md", line: 142)
}
#sourceLocation()
}
#endif
