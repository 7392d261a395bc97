// swift-format-ignore-file
// Made from Sources/Sluice/Sluice.docc/ComingFromJSONModel.md by `make samples`: change the document, not this file.
#if Macros
import Foundation
import Sluice
import Testing

@Suite struct ComingFromJSONModelSamples {
#sourceLocation(file: "Sources/Sluice/Sluice.docc/ComingFromJSONModel.md", line: 19)
@JSONModel struct User { let id: Int }
func readUsers(_ bytes: [UInt8], _ data: Data, _ dictionary: [String: Any]) throws {
let decoder = JSONModelDecoder()
#sourceLocation(file: "Sources/Sluice/Sluice.docc/ComingFromJSONModel.md", line: 23)
let user = try decoder.decode(User.self, from: bytes)             // [UInt8], Data, String
let users = try decoder.decode([User].self, from: .file("users.json"))
let byName = try decoder.decode([String: User].self, from: data)
let old = try decoder.decode(User.self, from: .text(data, encoding: .utf16))
let same = try decoder.decode(User.self, from: .object(dictionary))  // [String: Any], also from a property list
let some = try decoder.decodePartially([User].self, from: bytes)  // some.value, and some.issues
#sourceLocation(file: "Sources/Sluice/Sluice.docc/ComingFromJSONModel.md", line: 30)
#expect(user.id == same.id && old.id == user.id && byName.count == users.count && some.issues.isEmpty)
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/ComingFromJSONModel.md", line: 39)
func writeUsers(_ users: [User]) throws {
let user = users[0]
#sourceLocation(file: "Sources/Sluice/Sluice.docc/ComingFromJSONModel.md", line: 42)
var encoder = JSONModelEncoder()
encoder.only = ["id", "owner.login"]           // or except:
encoder.nullStrategy = .write                  // .omit by default
let text = try encoder.encode(user, as: .string)    // .bytes, .data, .value, .object ([String: Any]), .any
try encoder.write(users, to: .file("users.json"))   // in chunks
#sourceLocation(file: "Sources/Sluice/Sluice.docc/ComingFromJSONModel.md", line: 48)
#expect(!text.isEmpty)
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/ComingFromJSONModel.md", line: 54)
@Test func `names are written`() throws {
var encoder = JSONModelEncoder()
#sourceLocation(file: "Sources/Sluice/Sluice.docc/ComingFromJSONModel.md", line: 57)
encoder.keys = .propertyNames                  // {"price":1.5,"first":"a","all":[],"app":"b"}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/ComingFromJSONModel.md", line: 59)
let offer = Offer(price: 1.5, first: "a", all: [], app: "b")
#expect(try encoder.encode(offer, as: .string) == #"{"price":1.5,"first":"a","all":[],"app":"b"}"#)
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/ComingFromJSONModel.md", line: 76)
@JSONModel(keys: .snakeCase)                   // imageURL is image_url; with .snakeCasePerLetter, image_u_r_l
struct Photo {
    let imageURL: URL
    @JSONKey("ID") let id: Int                 // an exception
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/ComingFromJSONModel.md", line: 85)
@Test func `keys are mapped`() throws {
#sourceLocation(file: "Sources/Sluice/Sluice.docc/ComingFromJSONModel.md", line: 87)
var decoder = JSONModelDecoder()
decoder.keyStrategy = .custom { name in "x-" + name }
#sourceLocation(file: "Sources/Sluice/Sluice.docc/ComingFromJSONModel.md", line: 90)
#expect(try decoder.decode(User.self, from: #"{"x-id": 1}"#).id == 1)
#expect(try decoder.decode(Photo.self, from: #"{"image_url": "https://a.b", "ID": 2}"#).id == 2)
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/ComingFromJSONModel.md", line: 99)
@JSONModel
struct Offer {
    @JSONKey("description.price.usd") let price: Double
    @JSONKey("items[0].name") let first: String
    @JSONKey("alternatives[*].items[*].data") let all: [Int]
    @JSONKey(#"com\.app\.name"#) let app: String   // \. is a dot in a key
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/ComingFromJSONModel.md", line: 113)
@JSONModel
struct Account {
    @JSONKey("id", or: "ID", "_id") let id: Int    // in this order of preference; null is not a value
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/ComingFromJSONModel.md", line: 123)
struct Cache {}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/ComingFromJSONModel.md", line: 125)
@JSONModel
struct Page {
    let id: Int
    var name = ""
    var text = ""
    @JSONIgnore var cache = Cache()            // or only .decoding or .encoding
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/ComingFromJSONModel.md", line: 134)
@Test func `properties are allowed`() throws {
var decoder = JSONModelDecoder()
#sourceLocation(file: "Sources/Sluice/Sluice.docc/ComingFromJSONModel.md", line: 137)
decoder.only = ["id", "name"]
#sourceLocation(file: "Sources/Sluice/Sluice.docc/ComingFromJSONModel.md", line: 139)
let page = try decoder.decode(Page.self, from: #"{"id": 1, "name": "a", "text": "b"}"#)
#expect(page.name == "a" && page.text == "")
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/ComingFromJSONModel.md", line: 151)
@JSONModel
struct Profile {
    let nickname: JSONPresence<String>            // .absent, .null or .value
    @JSONDefault(3, on: [.missing, .mismatch]) var retries: Int
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/ComingFromJSONModel.md", line: 157)
@Test func `null and missing are distinguished`() throws {
let profiles = try JSONModelDecoder().decode([Profile].self, from: #"[{"nickname": null}, {"retries": "x"}]"#)
#expect(profiles.map(\.nickname) == [.null, .absent] && profiles.map(\.retries) == [3, 3])
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/ComingFromJSONModel.md", line: 166)
@JSONModel struct Item { let name: String }
@JSONModel struct Payload { let size: Int }
#sourceLocation(file: "Sources/Sluice/Sluice.docc/ComingFromJSONModel.md", line: 169)
@JSONModel
struct Shop {
    let items: [Item]
    let grid: [[Item?]]
    let byId: [Int: Item]
    @JSONLossy let news: [Item]                // invalid elements are dropped and reported
    @JSONEmbedded let payload: Payload         // JSON in a string
    @JSONEmbedded(.either) let best: Item?     // an object, or a string of JSON as in MJExtension
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/ComingFromJSONModel.md", line: 179)
@Test func `a model arrives in both forms`() throws {
let text = #"{"items": [], "grid": [], "byId": {}, "news": [], "payload": "{\"size\": 1}", "best": "{\"name\": \"a\"}"}"#
#expect(try JSONModelDecoder().decode(Shop.self, from: text).best?.name == "a")
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/ComingFromJSONModel.md", line: 193)
@JSONModel(defaultsOn: .all)
struct Settings {
    let id: Int                                // required, so a mismatch is an error
    var volume = 5
    let theme: String?
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/ComingFromJSONModel.md", line: 200)
@Test func `mismatches leave the defaults`() throws {
let settings = try JSONModelDecoder().decode(Settings.self, from: #"{"id": 1, "volume": "loud", "theme": 7}"#)
#expect(settings.volume == 5 && settings.theme == nil)
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/ComingFromJSONModel.md", line: 212)
@JSONModel(coercion: .lenient)                 // per model; decoder.coercion for all; @JSONCoercion for one property
struct Row { let count: Int; let price: Decimal; let active: Bool }
#sourceLocation(file: "Sources/Sluice/Sluice.docc/ComingFromJSONModel.md", line: 216)
@Test func `text is converted`() throws {
var decoder = JSONModelDecoder()
let row = try decoder.decode(Row.self, from: #"{"count": "1", "price": "9.90", "active": 1}"#)
#expect(row.count == 1 && row.price == Decimal(string: "9.9") && row.active)
#sourceLocation(file: "Sources/Sluice/Sluice.docc/ComingFromJSONModel.md", line: 221)
decoder.coercion = .mjExtension                // "40个" is 40, "x" is 0
#sourceLocation(file: "Sources/Sluice/Sluice.docc/ComingFromJSONModel.md", line: 223)
#expect(try decoder.decode([Int].self, from: #"["40个", "x"]"#) == [40, 0])
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/ComingFromJSONModel.md", line: 231)
@Test func `dates are read`() throws {
var decoder = JSONModelDecoder()
#sourceLocation(file: "Sources/Sluice/Sluice.docc/ComingFromJSONModel.md", line: 234)
decoder.dateStrategy = .iso8601                // .secondsSince1970, .format("dd.MM.yyyy"), .custom …
#sourceLocation(file: "Sources/Sluice/Sluice.docc/ComingFromJSONModel.md", line: 236)
#expect(try decoder.decode(Entry.self, from: #"{"created": 1000}"#).created == Date(timeIntervalSince1970: 1))
#expect(throws: JSONModelError.self) { try decoder.decode([Date].self, from: "[1000]") }
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/ComingFromJSONModel.md", line: 241)
@JSONModel
struct Entry {
    @JSONTransform(.milliseconds) let created: Date
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/ComingFromJSONModel.md", line: 249)
struct Color { let hex: String
init(hex: String) throws { self.hex = hex } }
#sourceLocation(file: "Sources/Sluice/Sluice.docc/ComingFromJSONModel.md", line: 252)
struct HexColor: JSONTransform {
    func decode(_ json: String) throws -> Color { try Color(hex: json) }
    func encode(_ color: Color) throws -> String { color.hex }
}

@JSONModel
struct Theme {
    let name: String
    @JSONTransform(HexColor()) let tint: Color  // for this property

    static func transform(_ value: JSONValue?, for property: String) throws -> JSONValue? {   // for every value of the model
        property == "name" ? value ?? "nobody" : value
    }
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/ComingFromJSONModel.md", line: 271)
@Test func `transforms of a type and of a property`() throws {
var decoder = JSONModelDecoder()
#sourceLocation(file: "Sources/Sluice/Sluice.docc/ComingFromJSONModel.md", line: 274)
decoder.register(.seconds)  // every Date
#sourceLocation(file: "Sources/Sluice/Sluice.docc/ComingFromJSONModel.md", line: 276)
#expect(try decoder.decode([Date].self, from: "[1]") == [Date(timeIntervalSince1970: 1)])
#expect(throws: JSONModelError.self) { try decoder.decode([Date].self, from: #"["2024-05-06T07:08:09Z"]"#) }
let theme = try decoder.decode(Theme.self, from: ##"{"tint": "#fff"}"##)
#expect(theme.name == "nobody" && theme.tint.hex == "#fff")
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/ComingFromJSONModel.md", line: 286)
@JSONModel struct Event { let id: Int }
#sourceLocation(file: "Sources/Sluice/Sluice.docc/ComingFromJSONModel.md", line: 288)
@JSONModel
struct Archive {
    let history: JSONLazy<[Event]>             // decoded by try archive.history.value
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/ComingFromJSONModel.md", line: 300)
struct Empty: Error {}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/ComingFromJSONModel.md", line: 302)
@JSONModel
struct Person {
    let first: String
    let last: String
    @JSONIgnore var full = ""

    mutating func didDecode() throws { full = first + " " + last }
    func validate() throws { if first.isEmpty { throw Empty() } }
    func willEncode() throws { try validate() }
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/ComingFromJSONModel.md", line: 313)
@Test func `hooks are called`() throws {
let person = try JSONModelDecoder().decode(Person.self, from: #"{"first": "a", "last": "b"}"#)
#expect(person.full == "a b")
#expect(try JSONModelEncoder().encode(person, as: .string) == #"{"first":"a","last":"b"}"#)
#expect(throws: JSONModelError.self) { try JSONModelDecoder().decode(Person.self, from: #"{"first": "", "last": "b"}"#) }
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/ComingFromJSONModel.md", line: 324)
func change(_ user: inout User, _ bytes: [UInt8], _ patch: [UInt8]) throws {
let decoder = JSONModelDecoder()
#sourceLocation(file: "Sources/Sluice/Sluice.docc/ComingFromJSONModel.md", line: 327)
try decoder.merge(bytes, into: &user)                                   // null leaves a property unchanged
try decoder.merge(patch, into: &user, options: .mergePatch)    // a JSON Merge Patch (RFC 7396)
#sourceLocation(file: "Sources/Sluice/Sluice.docc/ComingFromJSONModel.md", line: 330)
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/ComingFromJSONModel.md", line: 338)
@JSONModel struct Circle { let radius: Double }
#sourceLocation(file: "Sources/Sluice/Sluice.docc/ComingFromJSONModel.md", line: 340)
@JSONModel class Animal { let name: String }
@JSONModel final class Dog: Animal { let breed: String }    // for objects made in code, see Getting started

@JSONModel(tag: "type", fallback: "unknown")
enum Shape {
    case circle(Circle)
    case unknown(JSONValue)
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/ComingFromJSONModel.md", line: 366)
@JSONModel
final class Session: CustomStringConvertible {
    @JSONKey("user_name") let user: String
    @JSONIgnore(.encoding) let token: String
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/ComingFromJSONModel.md", line: 372)
@Test func `an object has a description`() throws {
let session = try JSONModelDecoder().decode(Session.self, from: #"{"user_name": "ann", "token": "secret"}"#)
#sourceLocation(file: "Sources/Sluice/Sluice.docc/ComingFromJSONModel.md", line: 375)
print(session)                                 // Session {"user":"ann"}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/ComingFromJSONModel.md", line: 377)
#expect("\(session)" == #"Session {"user":"ann"}"#)
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/ComingFromJSONModel.md", line: 399)
func request(_ decoder: JSONModelDecoder, _ body: AsyncStream<[UInt8]>) async throws {
#sourceLocation(file: "Sources/Sluice/Sluice.docc/ComingFromJSONModel.md", line: 401)
for try await user in decoder.elements(of: User.self, in: body, at: "users[*]") { print(user.id) }
#sourceLocation(file: "Sources/Sluice/Sluice.docc/ComingFromJSONModel.md", line: 403)
}
#sourceLocation()
}
#endif
