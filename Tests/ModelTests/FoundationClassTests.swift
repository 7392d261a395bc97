#if Macros
import Foundation
import Sluice
import Testing

/// Models that are subclasses of `NSObject`.
@Suite struct FoundationClassTests {
    /// Decodes without a comparison of several decoded values, which `NSObject` compares by identity.
    private func read<T: JSONConvertible>(_ type: T.Type, _ text: String) throws -> T {
        try JSONModelDecoder().decode(type, from: text)
    }

    @Test func `the stored defaults of a class are those of its initializer`() throws {
        let note = try read(Note.self, #"{"stars":3}"#)
        #expect(note.title == "untitled" && note.stars == 3)
        #expect(Note().title == "untitled" && Note().stars == nil)
        #expect(try JSONModelEncoder().encode(note, as: .string) == #"{"title":"untitled","stars":3}"#)
        #expect(try read(CountedNote.self, "{}").count == 1 && CountedNote().count == 1)
    }

    @Test func `subclasses have the properties of their superclasses`() throws {
        let note = try read(ColoredNote.self, #"{"title":"a","color":"red"}"#)
        #expect(note.title == "a" && note.color == "red" && ColoredNote().color == "yellow")
        let signed = try read(SignedNote.self, #"{"author":"me","stars":1}"#)
        #expect(signed.author == "me" && signed.color == "yellow" && signed.stars == 1)
        #expect(SignedNote(author: "x").title == "untitled")
        let notes: [Note] = [note, signed]
        let text = try JSONModelEncoder().encode(notes, as: .string)
        #expect(
            text == #"[{"title":"a","color":"red"},{"title":"untitled","stars":1,"color":"yellow","author":"me"}]"#)
        let described = try read(PublicNote.self, #"{"text":"b"}"#)
        #expect(described.description == "note b")
    }

    @Test func `a class may have initializers, copies and equality of its own`() throws {
        let contact = try read(Contact.self, #"{"id":1,"name":"a"}"#)
        #expect(contact == Contact(id: 1, name: "a") && contact != Contact(id: 1) && contact.hash == 1)
        let copy = try #require(contact.copy() as? Contact)
        #expect(copy == contact && copy !== contact)
        #expect(Set([contact, copy]).count == 1)
        #expect(Contact().id == 0)
        var merged = contact
        #expect(throws: Never.self) { try JSONModelDecoder().merge(#"{"name":"b"}"#, into: &merged) }
        #expect(merged.name == "b")
        #expect(throws: JSONModelError.self) { try read(Contact.self, "{}") }
    }

    @Test func `a class can be Codable`() throws {
        let data = Data(#"{"created_by":"me"}"#.utf8)
        let note = try Foundation.JSONDecoder().decode(CodableNote.self, from: data)
        #expect(note.createdBy == "me" && note.cache == [1])
        #expect(try Foundation.JSONEncoder().encode(note) == data)
        let open = try Foundation.JSONDecoder().decode(OpenCodableNote.self, from: Data(#"{"text":"a"}"#.utf8))
        #expect(open.text == "a" && OpenCodableNote(text: "b").text == "b")
    }
}
#endif
