// swift-format-ignore-file
// Made from Sources/Sluice/Sluice.docc/Sluice.md by `make samples`: change the document, not this file.
#if Macros
import Foundation
import Sluice
import Testing

@Suite struct SluiceSamples {
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Sluice.md", line: 16)


@JSONModel
struct Repository {
    let id: Int
    @JSONKey("full_name") let name: String
    var stars = 0
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Sluice.md", line: 26)
@Test func `a model is decoded`() throws {
let bytes = Array(#"{"id": 1, "full_name": "a"}"#.utf8)
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Sluice.md", line: 29)
var decoder = JSONModelDecoder()
decoder.source = .scanner                   // the fastest source; the default on Linux and macOS is libyajl
let repository = try decoder.decode(Repository.self, from: bytes)
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Sluice.md", line: 33)
#expect(repository.name == "a" && repository.stars == 0)
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Sluice.md", line: 46)
@JSONModel struct Order { let amount: Double }
func sum() throws -> Double {
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Sluice.md", line: 49)
var decoder = JSONModelDecoder()
decoder.source = .scanner
var total = 0.0
try decoder.forEach(Order.self, in: .file("orders.json"), at: "data.orders[*]") { order in
    total += order.amount
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Sluice.md", line: 56)
return total }
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Sluice.md", line: 63)
enum Aliases {
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Sluice.md", line: 65)
typealias JSONDecoder = SluiceJSONDecoder
typealias JSONEncoder = SluiceJSONEncoder
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Sluice.md", line: 68)
struct Product: Codable { let name: String }
static func decode(_ data: Data) throws -> Product {
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Sluice.md", line: 71)
let decoder = JSONDecoder()
decoder.keyDecodingStrategy = .convertFromSnakeCase
let product = try decoder.decode(Product.self, from: data)
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Sluice.md", line: 75)
return product }
}
@Test func `a Codable type is decoded`() throws {
#expect(try Aliases.decode(Data(#"{"name": "a"}"#.utf8)).name == "a")
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Sluice.md", line: 87)
@JSONModel(keys: .snakeCase, coercion: .lenient)
struct Ticket {
    let ticketId: Int                                                     // also "42"
    @JSONKey("owner.login", or: "user.login") let owner: String
    @JSONDefault(on: .mismatch) var priority = 3
    @JSONTransform(.milliseconds) let created: Date
    @JSONLossy let events: [TicketEvent]                                  // without the elements that fail
}

@JSONModel(tag: "type", fallback: "other")
enum TicketEvent {
    case comment(text: String)
    case other(JSONValue)
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Sluice.md", line: 102)
@Test func `irregular JSON is decoded`() throws {
let text = #"{"ticket_id": "42", "user": {"login": "a"}, "priority": "high", "created": 1000,"#
+ #""events": [{"type": "comment", "text": "b"}, {"type": "close"}, {"type": "comment"}]}"#
let ticket = try JSONModelDecoder().decode(Ticket.self, from: text)
#expect(ticket.ticketId == 42 && ticket.owner == "a" && ticket.priority == 3 && ticket.events.count == 2)
#expect(ticket.created == Date(timeIntervalSince1970: 1))
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Sluice.md", line: 115)
@JSONModel(.partial) struct Trip { let title: String; let nights: Int }
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Sluice.md", line: 117)
func fill(from body: some AsyncSequence<[UInt8], Never>, show: (Trip.Partial?) -> Void) async throws {
let decoder = JSONModelDecoder()
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Sluice.md", line: 120)
var feed = decoder.feed(of: Trip.Partial.self)
let path: JSONPath = "choices[*].delta.content"
for try await piece in decoder.elements(of: String?.self, in: body, at: path, framing: .serverSentEvents) {
    _ = try feed.push((piece ?? "").utf8)
    show(feed.snapshot().value)
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Sluice.md", line: 127)
}
@Test func `an answer fills a value`() async throws {
let pieces = [#"{\"title\":\"Ro"#, #"me\",\"nights\":2}"#]
let body = AsyncStream<[UInt8]> { continuation in
for piece in pieces { continuation.yield(Array("data: {\"choices\":[{\"delta\":{\"content\":\"\(piece)\"}}]}\n\n".utf8)) }
continuation.finish() }
var titles: [String?] = []
try await fill(from: body) { titles.append($0?.title) }
#expect(titles == ["Ro", "Rome"])
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Sluice.md", line: 143)
final class Connection { var orders: [Order] = []; var sent: [UInt8] = []
func store(_ order: Order) async throws { orders.append(order) }
func send(_ chunk: [UInt8]) async throws { sent += chunk } }
func serve(_ body: some AsyncSequence<[UInt8], Never>, on connection: Connection) async throws {
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Sluice.md", line: 148)
var decoder = JSONModelDecoder()
decoder.elementErrors = .skip                               // leaves out invalid orders, and reports them
for try await order in decoder.elements(of: Order.self, in: body, framing: .lines) {
    try await connection.store(order)
}

var writer = JSONModelEncoder().writer(to: { chunk in try await connection.send(chunk) }, framing: .lines)
for order in connection.orders { try await writer.write(order) }
try await writer.finish()
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Sluice.md", line: 158)
}
@Test func `a body is decoded and a response is encoded`() async throws {
let lines = ["{\"amount\":1.5}\n{\"amount\":\"x\"}\n", "{\"amount\":2.5}\n"]
let body = AsyncStream<[UInt8]> { continuation in
for line in lines { continuation.yield(Array(line.utf8)) }
continuation.finish() }
let connection = Connection()
try await serve(body, on: connection)
#expect(String(decoding: connection.sent, as: UTF8.self) == "{\"amount\":1.5}\n{\"amount\":2.5}\n")
}
#sourceLocation()
}
#endif
