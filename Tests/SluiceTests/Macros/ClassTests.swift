#if Macros
import Sluice
import Testing

@Suite struct MacroClassTests {
    struct Untitled: Error {}

    @JSONModel
    class Entry {
        var name = ""
        func validate() throws {}
    }

    @JSONModel
    final class TitledEntry: Entry {
        var language: String?
        @JSONIgnore var title = ""
        func didDecode() { title = name.uppercased() }
        override func validate() throws { if title.isEmpty { throw Untitled() } }
    }

    @Test func `a class is validated after the hooks of its subclass have changed the object`() throws {
        let entry = try JSONModelDecoder().decode(TitledEntry.self, from: #"{"name":"a"}"#)
        #expect(entry.title == "A")
        #expect(throws: JSONModelError.self) { try JSONModelDecoder().decode(TitledEntry.self, from: "{}") }
    }
}
#endif
