// swift-format-ignore-file
// Made from Sources/Sluice/Sluice.docc/Schemas.md by `make samples`: change the document, not this file.
#if Macros
import Foundation
import Sluice
import Testing

@Suite struct SchemasSamples {
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Schemas.md", line: 10)
enum Documented {
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Schemas.md", line: 12)
/// A repository on the server.
@JSONModel
struct Repository {
    /// The number of the repository.
    let id: Int
    @JSONKey("owner.login") let owner: String
    let license: String?
    var stars = 0
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Schemas.md", line: 22)
}
typealias Repository = Documented.Repository
@Test func `the schema of a model`() throws {
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Schemas.md", line: 26)
let schema = try Repository.jsonSchema()
let text = try JSONModelEncoder().encode(schema, as: .string)
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Schemas.md", line: 29)
#expect(text.hasPrefix("{\"$schema\":"))
#expect(schema["description"] == "A repository on the server.")
#expect(schema["properties"]?["id"]?["description"] == "The number of the repository.")
#expect(schema["required"] == ["id", "owner"] && schema["properties"]?["stars"]?["default"] == 0)
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Schemas.md", line: 53)
@Test func `the options apply`() throws {
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Schemas.md", line: 55)
var decoder = JSONModelDecoder()
decoder.keyStrategy = .snakeCase
decoder.unknownKeys = .reject
let accepted = try decoder.jsonSchema(of: Repository.self)

var encoder = JSONModelEncoder()
encoder.nullStrategy = .write
let written = try encoder.jsonSchema(of: Repository.self)
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Schemas.md", line: 64)
#expect(accepted["additionalProperties"] == false && written["required"] == ["id", "owner", "license", "stars"])
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Schemas.md", line: 75)
@Test func `structured output`() throws {
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Schemas.md", line: 77)
let format = try Repository.jsonSchema(.strict)
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Schemas.md", line: 79)
#expect(format["additionalProperties"] == false && format["required"]?.array?.count == 4)
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Schemas.md", line: 125)
struct Slug: JSONConvertible {
    let text: String
    static var jsonShape: JSONShape {
        JSONShape.scalar(Slug.self, expecting: "a slug") { scalar in
            guard let text = scalar.string, !text.isEmpty else {
                throw JSONModelError.ConversionFailure.mismatch
            }
            return Slug(text: text)
        } write: {
            .string($0.text)
        }
        .schema(["type": "string", "pattern": "^[a-z-]+$"])
    }
}

struct Percent: JSONTransform {
    func decode(_ json: Int) throws -> Double { Double(json) / 100 }
    func encode(_ value: Double) throws -> Int { Int(value * 100) }
    var jsonSchema: JSONValue? { ["type": "integer", "minimum": 0, "maximum": 100] }
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Schemas.md", line: 146)
@Test func `a type states its schema`() throws {
#expect(try Slug.jsonSchema()["pattern"] == "^[a-z-]+$")
}
#sourceLocation()
}
#endif
