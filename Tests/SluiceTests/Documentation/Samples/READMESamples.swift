// swift-format-ignore-file
// Made from README.md by `make samples`: change the document, not this file.
#if Macros
import Foundation
import Sluice
import Testing

@Suite struct READMESamples {
#sourceLocation(file: "README.md", line: 7)


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
#sourceLocation(file: "README.md", line: 25)
func decode(_ data: Data) throws {
#sourceLocation(file: "README.md", line: 27)
var decoder = JSONModelDecoder()
decoder.source = .scanner       // the fastest source; the default on Linux and macOS is libyajl, the reference
let repository = try decoder.decode(Repository.self, from: data)

try decoder.forEach(Repository.self, in: .file("huge.json"), at: "items[*]") { repository in
    print(repository.name)
}
#sourceLocation(file: "README.md", line: 35)
#expect(!repository.name.isEmpty)
}
#sourceLocation(file: "README.md", line: 123)
func decode(_ bytes: [UInt8], _ decoder: JSONModelDecoder) throws {
#sourceLocation(file: "README.md", line: 125)
let one = try decoder.decode(Repository.self, from: bytes)
let all = try decoder.decode([Repository].self, from: .file("repos.json"), at: "data.items")
#sourceLocation(file: "README.md", line: 128)
#expect(all.contains { $0.id == one.id })
}
#sourceLocation(file: "README.md", line: 150)
enum ByHand {
#sourceLocation(file: "README.md", line: 152)
struct License: JSONModel {
    let key: String

    static let plan = ModelPlan<License>(JSONField(\.key, key: "key"))
}
#sourceLocation(file: "README.md", line: 158)
}
#sourceLocation(file: "README.md", line: 167)
@JSONModel struct Friend { let name: String }
@JSONModel struct Address { let city: String }
@JSONModel struct Settings { let theme: String }
@JSONModel struct Login { let user: String }
struct Negative: Error {}
#sourceLocation(file: "README.md", line: 173)
@JSONModel(keys: .snakeCase, coercion: .lenient)
struct User {
    let userName: String                                    // from "user_name"
    let age: Int                                            // also from "42", because of .lenient
    @JSONKey("posts[*].id") let posts: [Int]                // collected from an array of objects
    @JSONLossy let friends: [Friend]                        // invalid elements are dropped and reported
    @JSONDefault(on: .mismatch) var level = 1
    @JSONTransform(.seconds) let joined: Date
    @JSONFlatten let address: Address                       // the keys of Address are keys of User
    @JSONEmbedded let settings: Settings?                   // JSON in a string; .either also accepts an object
    @JSONExtra var others: [String: JSONValue]              // all keys without a property
    func validate() throws { if age < 0 { throw Negative() } }
}

@JSONModel(tag: "type", fallback: "unknown")
enum Event {
    case login(Login)
    case logout(at: Date)
    case unknown(JSONValue)
}
#sourceLocation(file: "README.md", line: 194)
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
#sourceLocation(file: "README.md", line: 218)
func write(_ repositories: [Repository], _ dictionary: [String: Any]) throws {
let decoder = JSONModelDecoder()
var repository = repositories[0]
#sourceLocation(file: "README.md", line: 222)
var encoder = JSONModelEncoder()
encoder.except = ["license"]
let bytes = try encoder.encode(repository)                      // [UInt8]
let text = try encoder.encode(repository, as: .string)          // .data, .value, .object and .any too
try encoder.write(repositories, to: .file("repos.json"))        // in chunks
try decoder.merge(#"{"stars": 5}"#, into: &repository)          // unchanged if an error is thrown
let same = try decoder.decode(Repository.self, from: .object(dictionary))
#sourceLocation(file: "README.md", line: 230)
#expect(same.id == repository.id && Array(text.utf8) == bytes)
}
#sourceLocation(file: "README.md", line: 239)
@Test func `schemas`() throws {
#sourceLocation(file: "README.md", line: 241)
let schema = try Repository.jsonSchema()                        // a JSONValue; .encoding and .strict are other forms
#sourceLocation(file: "README.md", line: 243)
#expect(schema["title"] == "Repository")
}
#sourceLocation(file: "README.md", line: 251)
enum Aliases {
#sourceLocation(file: "README.md", line: 253)
typealias JSONDecoder = SluiceJSONDecoder
typealias JSONEncoder = SluiceJSONEncoder
#sourceLocation(file: "README.md", line: 256)
}
#sourceLocation(file: "README.md", line: 266)
func stream(_ decoder: JSONModelDecoder) throws {
#sourceLocation(file: "README.md", line: 268)
let count = try decoder.forEach(Repository.self, in: .file("huge.json"), at: "items[*]") { repository in
    print(repository.name)
}
#sourceLocation(file: "README.md", line: 272)
#expect(count > 0)
}
#sourceLocation(file: "README.md", line: 286)
func streams(_ body: AsyncStream<[UInt8]>) async throws {
var decoder = JSONModelDecoder()
#sourceLocation(file: "README.md", line: 289)
decoder.elementErrors = .skip                                   // reports failed elements, and goes on
for try await row in decoder.elements(of: Repository.self, in: body, framing: .lines) { print(row.name) }

var feed = decoder.feed(of: Repository.self, at: "items[*]")    // push chunks cut anywhere
let repositories = try feed.push(#"{"items":[{"id":1,"#.utf8)
var writer = try JSONModelEncoder().writer(to: .file("rows.jsonl"), framing: .lines)
for repository in repositories { try writer.write(repository) }
try writer.finish()
#sourceLocation(file: "README.md", line: 298)
}
#sourceLocation(file: "README.md", line: 337)
func chooseSource(_ decoder: inout JSONModelDecoder) {
#sourceLocation(file: "README.md", line: 339)
decoder.source = .scanner    // .yajl by default
#sourceLocation(file: "README.md", line: 341)
}
#sourceLocation()
}
#endif
