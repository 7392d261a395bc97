import Foundation
import Sluice
import Testing

@Suite("Schemas of Foundation's types") struct FoundationSchemaTests {
    /// Returns a schema without `$schema`.
    private func schema(_ schema: JSONValue) -> JSONValue {
        var members = schema.object ?? [:]
        members["$schema"] = nil
        return .object(members)
    }

    @Test func `types that are strings or numbers`() throws {
        #expect(try schema(URL.jsonSchema()) == ["type": "string", "format": "uri"])
        #expect(try schema(UUID.jsonSchema()) == ["type": "string", "format": "uuid"])
        #expect(try schema(Data.jsonSchema()) == ["type": "string", "contentEncoding": "base64"])
        #expect(try schema(Decimal.jsonSchema()) == ["type": "number"])
        #expect(try schema(TimeZone.jsonSchema()) == ["type": "string"])
        #expect(try schema(Duration.jsonSchema()) == ["type": "number"])
        #expect(try schema([UUID: Int8].jsonSchema())["propertyNames"]?["format"] == "uuid")
    }

    @Test func `dates have the form of the strategy`() throws {
        let text: JSONValue = ["type": "string", "format": "date-time"]
        #expect(try schema(Date.jsonSchema(.encoding)) == text)
        #expect(try Date.jsonSchema()["anyOf"]?[0] == text)
        #expect(try Date.jsonSchema()["anyOf"]?[1]?["type"] == "number")
        var decoder = JSONModelDecoder()
        decoder.dateStrategy = .iso8601
        #expect(schema(try decoder.jsonSchema(of: Date.self)) == text)
        decoder.dateStrategy = .millisecondsSince1970
        #expect(schema(try decoder.jsonSchema(of: Date?.self)) == ["type": ["number", "null"]])
        decoder.dateStrategy = .custom(decode: { _ in Date() }, encode: { _ in "now" })
        #expect(schema(try decoder.jsonSchema(of: Date.self)) == ["type": ["string", "number", "boolean"]])
    }

    @Test func `a date as a key may be a number`() throws {
        let text = try JSONModelEncoder().encode([Date(timeIntervalSince1970: 1e12): 1], as: .string)
        #expect(text == #"{"1000000000000":1}"#)
        let names = try [Date: Int].jsonSchema()["propertyNames"]
        #expect(names?["pattern"] != nil && names?["format"] == nil)
        #expect(try [Date: Int].jsonSchema(.encoding)["propertyNames"] == names)
        #expect(try [UUID: Int].jsonSchema(.encoding)["propertyNames"] == [UUID: Int].jsonSchema()["propertyNames"])
    }

    @Test func `transforms have the schema of their JSON`() throws {
        let properties = try Moments.jsonSchema()["properties"]
        #expect(properties?["text"] == ["type": "string", "format": "date-time"])
        #expect(properties?["seconds"] == ["type": "number"])
    }
}

private struct Moments: JSONModel {
    let text: Date
    let seconds: Date
    static let plan = ModelPlan<Moments>(
        JSONField(\.text, transform: .iso8601), JSONField(\.seconds, transform: .seconds))
}
