// swift-format-ignore-file
// Made from README.md by `make samples`: change the document, not this file.
#if Macros
import Foundation
import Sluice
import Testing

@Suite struct READMESamples {
#sourceLocation(file: "README.md", line: 27)


@JSONModel
struct Repository {
    let id: Int
    @JSONKey("full_name") let name: String
    @JSONKey("owner.login", or: "user.login") let owner: String
    var stars = 0
    let license: License?
    @JSONIgnore var cached = false
}

@JSONModel
struct License {
    let key: String
}
#sourceLocation(file: "README.md", line: 45)
func decode(_ bytes: [UInt8]) throws {
#sourceLocation(file: "README.md", line: 47)
let decoder = JSONModelDecoder()
let repository = try decoder.decode(Repository.self, from: bytes)
let repositories = try decoder.decode([Repository].self, from: .file("repos.json"), at: "data.items")
#sourceLocation(file: "README.md", line: 51)
#expect(repositories.contains { $0.id == repository.id })
}
#sourceLocation(file: "README.md", line: 64)
@JSONModel struct Friend { let name: String }
@JSONModel struct Address { let city: String }
@JSONModel struct Settings { let theme: String }
@JSONModel struct Login { let user: String }
struct Negative: Error {}
#sourceLocation(file: "README.md", line: 70)
@JSONModel(keys: .snakeCase, coercion: .lenient)
struct User {
    let userName: String                                    // from "user_name"
    let age: Int                                            // "42" will do, for .lenient
    @JSONKey("posts[*].id") let posts: [Int]                // gathered from an array of objects
    @JSONLossy let friends: [Friend]                        // those that fail are dropped, and reported
    @JSONDefault(on: .mismatch) var level = 1
    @JSONTransform(JSONSecondsDate.self) let joined: Date
    @JSONFlatten let address: Address                       // its keys lie in this object
    @JSONEmbedded let settings: Settings?                   // JSON inside of a string
    @JSONExtra var others: [String: JSONValue]              // what no property took
    func validate() throws { if age < 0 { throw Negative() } }
}

@JSONModel(tag: "type", fallback: "unknown")
enum Event {
    case login(Login)
    case logout(at: Date)
    case unknown(JSONValue)
}
#sourceLocation(file: "README.md", line: 91)
@Test func `declarations are decoded`() throws {
let text = #"{"user_name": "a", "age": "42", "posts": [{"id": 1}], "friends": [{"name": "b"}, {}], "level": "x","#
+ #""joined": 0, "city": "c", "settings": "{\"theme\": \"d\"}", "more": 1}"#
let user = try JSONModelDecoder().decode(User.self, from: text)
#expect(user.userName == "a" && user.age == 42 && user.posts == [1] && user.friends.map(\.name) == ["b"])
#expect(user.level == 1 && user.joined == Date(timeIntervalSince1970: 0) && user.address.city == "c")
#expect(user.settings?.theme == "d" && user.others == ["more": 1])
#expect(throws: JSONModelError.self) { try JSONModelDecoder().decode(User.self, from: text.replacing("42", with: "-1")) }
let events = try JSONModelDecoder().decode([Event].self, from: #"[{"type": "login", "user": "a"}, {"type": "x"}]"#)
guard case .login(let login) = events[0], case .unknown = events[1] else { Issue.record("\(events)"); return }
#expect(login.user == "a")
}
#sourceLocation(file: "README.md", line: 109)
func write(_ repositories: [Repository], _ dictionary: [String: Any]) throws {
let decoder = JSONModelDecoder()
var repository = repositories[0]
#sourceLocation(file: "README.md", line: 113)
var encoder = JSONModelEncoder()
encoder.except = ["license"]
let text = try encoder.encode(repository, as: .string)           // encode: bytes; encodeToObject: [String: Any]
try encoder.write(repositories, to: .file("repos.json"))           // in pieces, never the whole text
try decoder.merge(#"{"stars": 5}"#, into: &repository)      // on an error it is as before
let same = try decoder.decode(Repository.self, from: .object(dictionary))
#sourceLocation(file: "README.md", line: 120)
#expect(same.id == repository.id && !text.isEmpty)
}
#sourceLocation(file: "README.md", line: 128)
func stream(_ decoder: JSONModelDecoder) throws {
#sourceLocation(file: "README.md", line: 130)
let count = try decoder.forEach(Repository.self, in: .file("huge.json"), at: "items[*]") { repository in
    print(repository.name)
}
#sourceLocation(file: "README.md", line: 134)
#expect(count > 0)
}
#sourceLocation(file: "README.md", line: 158)
func chooseSource(_ decoder: inout JSONModelDecoder) {
#sourceLocation(file: "README.md", line: 160)
decoder.source = .scanner    // .yajl by default
#sourceLocation(file: "README.md", line: 162)
}
#sourceLocation(file: "README.md", line: 266)
enum ByHand {
#sourceLocation(file: "README.md", line: 268)
struct License: JSONModel {
    let key: String

    static let plan = ModelPlan<License>(JSONField(\.key, key: "key"))
}
#sourceLocation(file: "README.md", line: 274)
}
#sourceLocation()
}
#endif
