// swift-format-ignore-file
// Made from Sources/Sluice/Sluice.docc/ComingFromJSONModel.md by `make samples`: change the document, not this file.
#if Macros
import Foundation
import Sluice
import Testing

@Suite struct ComingFromJSONModelSamples {
#sourceLocation(file: "Sources/Sluice/Sluice.docc/ComingFromJSONModel.md", line: 30)
@JSONModel
final class Contact: NSObject {
    var name = ""
    var stars: Int?
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/ComingFromJSONModel.md", line: 36)
@Test func `a subclass of NSObject is decoded`() throws {
let decoder = JSONModelDecoder()
#sourceLocation(file: "Sources/Sluice/Sluice.docc/ComingFromJSONModel.md", line: 39)
let contact = try decoder.decode(Contact.self, from: #"{"name": "Ann", "stars": 3}"#)
let empty = Contact()
#sourceLocation(file: "Sources/Sluice/Sluice.docc/ComingFromJSONModel.md", line: 42)
#expect(contact.name == "Ann" && contact.stars == 3 && empty.name == "")
#expect(try JSONModelEncoder().encode(contact, as: .string) == #"{"name":"Ann","stars":3}"#)
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/ComingFromJSONModel.md", line: 120)
@JSONModel(keys: .snakeCase)
final class Order: NSObject {
    let orderId: Int
    @JSONKey("customer.name") let customer: String
    @JSONTransform(.seconds) let created: Date
    let note: String?
    let items: [Item]
    @JSONIgnore var isSelected = false

    func validate() throws -> Bool { !items.isEmpty }
}

@JSONModel
final class Item: NSObject {
    let name: String
    @JSONCoercion(.lenient) var count = 1        // also "2"
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/ComingFromJSONModel.md", line: 138)
@Test func `the model after the change is decoded`() throws {
let data = Data(#"{"order_id": 1, "customer": {"name": "Ann"}, "created": 60, "items": [{"name": "a", "count": "2"}]}"#.utf8)
#sourceLocation(file: "Sources/Sluice/Sluice.docc/ComingFromJSONModel.md", line: 141)
let decoder = JSONModelDecoder()
let order = try decoder.decode(Order.self, from: data)             // [[Order alloc] initWithData:data error:&error]
let text = try JSONModelEncoder().encode(order, as: .string)       // [order toJSONString]
#sourceLocation(file: "Sources/Sluice/Sluice.docc/ComingFromJSONModel.md", line: 145)
#expect(order.customer == "Ann" && order.created == Date(timeIntervalSince1970: 60) && order.items[0].count == 2)
#expect(text == #"{"order_id":1,"customer":{"name":"Ann"},"created":60,"items":[{"name":"a","count":2}]}"#)
let empty = #"{"order_id": 1, "customer": {"name": "Ann"}, "created": 60, "items": []}"#
#expect(throws: JSONModelError.self) { try decoder.decode(Order.self, from: empty) }
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/ComingFromJSONModel.md", line: 253)
func request(_ decoder: JSONModelDecoder, _ body: AsyncStream<[UInt8]>) async throws {
#sourceLocation(file: "Sources/Sluice/Sluice.docc/ComingFromJSONModel.md", line: 255)
for try await order in decoder.elements(of: Order.self, in: body, at: "orders[*]") { print(order.orderId) }
#sourceLocation(file: "Sources/Sluice/Sluice.docc/ComingFromJSONModel.md", line: 257)
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/ComingFromJSONModel.md", line: 307)
struct Cache {}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/ComingFromJSONModel.md", line: 309)
@JSONModel(keys: .snakeCase)                       // imageURL is image_url; with .snakeCasePerLetter, image_u_r_l
struct Photo {
    let imageURL: URL
    @JSONKey("ID") let number: Int                 // an exception
    @JSONKey("id", or: "uuid", "_id") let id: Int  // in this order of preference
    @JSONKey("size.items[0].width") let width: Int?
    @JSONKey("versions[*].files[*].name") let names: [String]   // KVC over arrays
    @JSONKey(#"com\.app\.name"#) let app: String?  // \. is a dot in a key
    @JSONIgnore var cache = Cache()
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/ComingFromJSONModel.md", line: 321)
@Test func `keys are mapped`() throws {
#sourceLocation(file: "Sources/Sluice/Sluice.docc/ComingFromJSONModel.md", line: 323)
var decoder = JSONModelDecoder()
decoder.keyStrategy = .custom { name in "x-" + name }   // for all models without a strategy of their own
decoder.only = ["x-name"]                               // an allow list, with keys
#sourceLocation(file: "Sources/Sluice/Sluice.docc/ComingFromJSONModel.md", line: 327)
#expect(try decoder.decode(Contact.self, from: #"{"x-name": "a", "x-stars": 1}"#).stars == nil)
let text = #"{"image_url": "https://a.b", "ID": 2, "id": null, "_id": 3, "versions": [{"files": [{"name": "n"}]}]}"#
let photo = try JSONModelDecoder().decode(Photo.self, from: text)
#expect(photo.number == 2 && photo.id == 3 && photo.names == ["n"])
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/ComingFromJSONModel.md", line: 339)
@JSONModel(defaultsOn: .all)
struct Settings {
    let id: Int                                    // required, so a mismatch is an error
    var volume = 5
    let theme: String?
    let nickname: JSONPresence<String>             // .absent, .null or .value
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/ComingFromJSONModel.md", line: 347)
@Test func `mismatches leave the defaults`() throws {
let text = #"{"id": 1, "volume": "loud", "theme": 7, "nickname": null}"#
let settings = try JSONModelDecoder().decode(Settings.self, from: text)
#expect(settings.volume == 5 && settings.theme == nil && settings.nickname == .null)
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/ComingFromJSONModel.md", line: 356)
@JSONModel
struct Shop {
    let items: [Item]
    let grid: [[Item?]]
    let byId: [Int: Item]
    @JSONLossy let news: [Item]                    // invalid elements are dropped and reported
    @JSONEmbedded(.either) let best: Item?         // an object, or a string of JSON as in MJExtension
    let history: JSONLazy<[Item]>                  // decoded by try shop.history.value, as with ConvertOnDemand
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/ComingFromJSONModel.md", line: 366)
@Test func `models are nested`() throws {
let text = #"{"items": [], "grid": [[null]], "byId": {"1": {"name": "a"}}, "news": [1], "best": "{\"name\": \"b\"}", "history": []}"#
let shop = try JSONModelDecoder().decode(Shop.self, from: text)
#expect(shop.byId[1]?.name == "a" && shop.news.isEmpty && shop.best?.name == "b")
#expect(try shop.history.value.isEmpty && shop.grid[0].count == 1)
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/ComingFromJSONModel.md", line: 378)
@JSONModel(coercion: .lenient)                     // per model; decoder.coercion for all; @JSONCoercion for one property
struct Row { let count: Int; let price: Decimal; let active: Bool }
#sourceLocation(file: "Sources/Sluice/Sluice.docc/ComingFromJSONModel.md", line: 382)
@Test func `text is converted`() throws {
var decoder = JSONModelDecoder()
let row = try decoder.decode(Row.self, from: #"{"count": "1", "price": "9.90", "active": 1}"#)
#expect(row.count == 1 && row.price == Decimal(string: "9.9") && row.active)
#sourceLocation(file: "Sources/Sluice/Sluice.docc/ComingFromJSONModel.md", line: 387)
decoder.coercion = .mjExtension                    // "40个" is 40, "x" is 0
decoder.dateStrategy = .iso8601                    // .secondsSince1970, .format("dd.MM.yyyy"), .custom …
#sourceLocation(file: "Sources/Sluice/Sluice.docc/ComingFromJSONModel.md", line: 390)
#expect(try decoder.decode([Int].self, from: #"["40个", "x"]"#) == [40, 0])
#expect(throws: JSONModelError.self) { try decoder.decode([Date].self, from: "[1000]") }
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/ComingFromJSONModel.md", line: 396)
struct Color { let hex: String
init(hex: String) throws { self.hex = hex } }
#sourceLocation(file: "Sources/Sluice/Sluice.docc/ComingFromJSONModel.md", line: 399)
struct HexColor: JSONTransform {
    func decode(_ json: String) throws -> Color { try Color(hex: json) }
    func encode(_ color: Color) throws -> String { color.hex }
}

@JSONModel
struct Theme {
    let name: String
    @JSONTransform(HexColor()) let tint: Color      // for this property
    @JSONIgnore var title = ""

    static func transform(_ value: JSONValue?, for property: String) throws -> JSONValue? {   // for every value of the model
        property == "name" ? value ?? "nobody" : value
    }
    mutating func didDecode() throws { title = name.uppercased() }
    func willEncode() throws { try validate() }
    func validate() throws { if tint.hex.isEmpty { throw EmptyColor() } }
}

struct EmptyColor: Error {}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/ComingFromJSONModel.md", line: 424)
@Test func `transforms of a type and of a property`() throws {
var decoder = JSONModelDecoder()
#sourceLocation(file: "Sources/Sluice/Sluice.docc/ComingFromJSONModel.md", line: 427)
decoder.register(.seconds)                         // every Date
#sourceLocation(file: "Sources/Sluice/Sluice.docc/ComingFromJSONModel.md", line: 429)
#expect(try decoder.decode([Date].self, from: "[1]") == [Date(timeIntervalSince1970: 1)])
#expect(throws: JSONModelError.self) { try decoder.decode([Date].self, from: #"["2024-05-06T07:08:09Z"]"#) }
let theme = try decoder.decode(Theme.self, from: ##"{"tint": "#fff"}"##)
#expect(theme.title == "NOBODY" && theme.tint.hex == "#fff")
#expect(throws: JSONModelError.self) { try decoder.decode(Theme.self, from: #"{"tint": ""}"#) }
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/ComingFromJSONModel.md", line: 438)
@JSONModel struct User { let id: Int; var note: String? }
@Test func `a user is changed`() throws {
let decoder = JSONModelDecoder()
let (changes, patch) = (#"{"id": 2, "note": null}"#, #"{"note": null}"#)
var user = User(id: 1, note: "a")
#sourceLocation(file: "Sources/Sluice/Sluice.docc/ComingFromJSONModel.md", line: 444)
try decoder.merge(changes, into: &user)                         // null leaves a property unchanged
try decoder.merge(patch, into: &user, options: .mergePatch)     // a JSON Merge Patch (RFC 7396)
#sourceLocation(file: "Sources/Sluice/Sluice.docc/ComingFromJSONModel.md", line: 447)
#expect(user.id == 2 && user.note == nil)
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/ComingFromJSONModel.md", line: 458)
@JSONModel class Animal { let name: String }
@JSONModel final class Dog: Animal { let breed: String }        // for objects made in code, see Getting started
#sourceLocation(file: "Sources/Sluice/Sluice.docc/ComingFromJSONModel.md", line: 469)
@JSONModel
final class Session: CustomStringConvertible {
    @JSONKey("user_name") let user: String
    @JSONIgnore(.encoding) let token: String
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/ComingFromJSONModel.md", line: 475)
@Test func `an object has a description`() throws {
let session = try JSONModelDecoder().decode(Session.self, from: #"{"user_name": "ann", "token": "secret"}"#)
#sourceLocation(file: "Sources/Sluice/Sluice.docc/ComingFromJSONModel.md", line: 478)
print(session)                                     // Session {"user":"ann"}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/ComingFromJSONModel.md", line: 480)
#expect("\(session)" == #"Session {"user":"ann"}"#)
}
#sourceLocation()
}
#endif
