#if Macros
import Sluice
import Testing

/// A repository.
@JSONModel
private struct DocumentedRepository {
    /// The number.
    let id: Int
    /// The owner, in "quotes".
    @JSONKey("owner.login") let owner: String
    let stars: Int?
}

/// A suit.
@JSONModel
private enum DocumentedSuit: String { case hearts, spades }

@JSONModel
private enum DocumentedShape {
    /// A round shape.
    case circle(radius: Double)
    case point
}

/// An animal.
@JSONModel
private class DocumentedAnimal {
    /// The name.
    let name: String
}

@JSONModel
private final class DocumentedDog: DocumentedAnimal {
    /// Whether the dog barks.
    var barks = true
}

@Suite struct DocumentedModelTests {
    @Test func `documentation comments are descriptions`() throws {
        let schema = try DocumentedRepository.jsonSchema()
        #expect(schema["description"] == "A repository.")
        #expect(schema["properties"]?["id"]?["description"] == "The number.")
        #expect(
            schema["properties"]?["owner"]?["properties"]?["login"]?["description"] == "The owner, in \"quotes\".")
        #expect(schema["properties"]?["stars"]?["description"] == nil)
    }

    @Test func `an enum has descriptions`() throws {
        #expect(
            try DocumentedSuit.jsonSchema(.encoding) == [
                "$schema": "https://json-schema.org/draft/2020-12/schema", "description": "A suit.",
                "type": "string",
                "enum": ["hearts", "spades"],
            ])
        #expect(try DocumentedShape.jsonSchema()["oneOf"]?[0]?["description"] == "A round shape.")
    }

    @Test func `a subclass has the descriptions of its superclass`() throws {
        let schema = try DocumentedDog.jsonSchema()
        #expect(schema["description"] == nil)
        #expect(schema["properties"]?["name"]?["description"] == "The name.")
        #expect(schema["properties"]?["barks"]?["description"] == "Whether the dog barks.")
    }
}
#endif
