// swift-format-ignore-file
// Made from Sources/Sluice/Sluice.docc/Paths.md by `make samples`: change the document, not this file.
#if Macros
import Foundation
import Sluice
import Testing

@Suite struct PathsSamples {
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Paths.md", line: 30)
@Test func `a malformed path is an error`() {
func select(_ path: JSONPath) {}
func report(_ error: any Error) {}
let setting = "a..b"
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Paths.md", line: 35)
do {
    select(try JSONPath(parsing: setting))
} catch {
    report(error)      // 'a..b' is not a path: a key is empty; the empty key is '[""]', after 'a.'
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Paths.md", line: 41)
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Paths.md", line: 46)
@JSONModel
struct Package {
    @JSONKey("full_name") let name: String
    @JSONKey("owner.login", or: "user.login", "login") let owner: String
    @JSONKey("tags[0]") let firstTag: String?
    @JSONKey(#"["version.major"]"#) let major: Int
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Paths.md", line: 70)
@JSONModel
struct Order {
    @JSONKey("items[*].sku") let skus: [String]
    @JSONKey("items[*].discount") let discounts: [Int?]
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Paths.md", line: 76)
@Test func `paths of properties`() throws {
let text = #"{"login": "c", "user": {"login": "b"}, "full_name": "n", "tags": ["t"], "version.major": 3}"#
let package = try JSONModelDecoder().decode(Package.self, from: text)
#expect(package.owner == "b" && package.firstTag == "t" && package.major == 3)
let items = #"{"items": [{"sku": "a", "discount": 5}, {"sku": "b"}]}"#
let order = try JSONModelDecoder().decode(Order.self, from: items)
#expect(order.skus == ["a", "b"] && order.discounts == [5, nil])
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Paths.md", line: 99)
@JSONModel struct User { let name: String }
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Paths.md", line: 101)
@JSONModel
struct Team {
    @JSONIgnore(.encoding) @JSONKey("users.*.name") var names: [String]
    @JSONKey("users") let users: [String: User]
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Paths.md", line: 107)
@Test func `the members of an object are collected`() throws {
let text = #"{"users":{"x":{"name":"a"}}}"#
let team = try JSONModelDecoder().decode(Team.self, from: text)
#expect(team.names == ["a"] && team.users["x"]?.name == "a")
#expect(try JSONModelEncoder().encode(team, as: .string) == text)
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Paths.md", line: 119)
@Test func `the path of a call`() throws {
let decoder = JSONModelDecoder()
let bytes = Array(#"{"items": [{"owner": {"login": "a"}}]}"#.utf8)
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Paths.md", line: 123)
let owner = try decoder.decode(String.self, from: bytes, at: "items[0].owner.login")
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Paths.md", line: 125)
#expect(owner == "a")
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Paths.md", line: 133)
func stream(_ decoder: JSONModelDecoder) throws {
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Paths.md", line: 135)
try decoder.forEach(String.self, in: .file("huge.json"), at: "items[*].owner.login") { login in
    print(login)
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Paths.md", line: 139)
}
#sourceLocation()
}
#endif
