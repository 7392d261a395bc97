// swift-format-ignore-file
// Made from Sources/Sluice/Sluice.docc/MovingFromJSONDecoder.md by `make samples`: change the document, not this file.
import Foundation
import Sluice
import Testing

@Suite struct MovingFromJSONDecoderSamples {
#sourceLocation(file: "Sources/Sluice/Sluice.docc/MovingFromJSONDecoder.md", line: 14)
enum Aliases {
#sourceLocation(file: "Sources/Sluice/Sluice.docc/MovingFromJSONDecoder.md", line: 16)
typealias JSONDecoder = SluiceJSONDecoder
typealias JSONEncoder = SluiceJSONEncoder
#sourceLocation(file: "Sources/Sluice/Sluice.docc/MovingFromJSONDecoder.md", line: 19)
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/MovingFromJSONDecoder.md", line: 24)
@Test func `a Codable type is decoded`() throws {
#sourceLocation(file: "Sources/Sluice/Sluice.docc/MovingFromJSONDecoder.md", line: 26)
struct Repository: Codable {
    let id: Int
    let fullName: String
    let createdAt: Date
}

let decoder = SluiceJSONDecoder()
decoder.keyDecodingStrategy = .convertFromSnakeCase
decoder.dateDecodingStrategy = .iso8601

let data = Data(#"{"id": 1, "full_name": "sluice", "created_at": "2024-05-06T07:08:09Z"}"#.utf8)
let repository = try decoder.decode(Repository.self, from: data)
#sourceLocation(file: "Sources/Sluice/Sluice.docc/MovingFromJSONDecoder.md", line: 39)
#expect(repository.fullName == "sluice")
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/MovingFromJSONDecoder.md", line: 91)
@Test func `an error has a location`() throws {
struct Repository: Codable { let id: Int }
func report(_ text: String) {}
let data = Data(#"{"items": [{"id": "one"}]}"#.utf8)
#sourceLocation(file: "Sources/Sluice/Sluice.docc/MovingFromJSONDecoder.md", line: 96)
do {
    _ = try SluiceJSONDecoder().decode([String: [Repository]].self, from: data)
} catch DecodingError.typeMismatch(_, let context) {
    report("\(context.underlyingError!)")
    // expected Int, found a string at items[0].id (line 1, column 19, offset 18)
    // {"items": [{"id": "one"
    //                   ^
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/MovingFromJSONDecoder.md", line: 105)
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/MovingFromJSONDecoder.md", line: 157)
enum Mixed {
#sourceLocation(file: "Sources/Sluice/Sluice.docc/MovingFromJSONDecoder.md", line: 159)
struct Money: Codable {            // only Codable
    let amount: Decimal
    let currency: String
}

struct Order: JSONModel {
    let id: Int
    let total: Money

    static let plan = ModelPlan<Order> {
        JSONField(\.id)
        JSONField(\.total)
    }
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/MovingFromJSONDecoder.md", line: 174)
}
#sourceLocation()
}
