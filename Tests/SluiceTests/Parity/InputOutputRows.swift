#if Macros
import Foundation
import Sluice
import Testing

// Rows of the list of what JSONModel and MJExtension do: what a model is made of, and what is made of it.
struct InputOutputRows {
    @JSONModel
    struct Item: Equatable, Hashable, Identifiable {
        let id: Int
        @JSONKey("meta.names[2]") let name: String
        var note: String?
        var ratio = 0.5
        var isNew = true
    }

    @JSONModel(.codable)
    struct Archived: Equatable {
        let id: Int
        @JSONKey("deep.name") let name: String
        let tags: [String: Int]?
    }

    private let decoder = JSONModelDecoder()
    private let item = Item(id: 1, name: "n", note: nil, ratio: 0.25, isNew: false)
    private let text = #"{"id":1,"meta":{"names":[null,null,"n"]},"ratio":0.25,"isNew":false}"#

    @Test
    func `row 01: every kind of input decodes, and errors are distinguishable`() throws {
        #expect(try decoder.decode(Item.self, from: text) == item)
        #expect(try decoder.decode(Item.self, from: Array(text.utf8)) == item)
        #expect(try decoder.decode(Item.self, from: Data(text.utf8)) == item)
        let utf16 = try #require(text.data(using: .utf16))
        #expect(try decoder.decode(Item.self, from: .text(utf16, encoding: .utf16)) == item)
        let chunks = text.utf8.map { [$0] }
        #expect(try decoder.decode(Item.self, from: .chunks(chunks)) == item)
        let object: [String: Any] = [
            "id": 1, "meta": ["names": [NSNull(), NSNull(), "n"]], "ratio": 0.25, "isNew": false,
        ]
        #expect(try decoder.decode(Item.self, from: .object(object)) == item)
        let url = FileManager.default.temporaryDirectory.appending(path: "row01-\(UUID().uuidString).json")
        defer { try? FileManager.default.removeItem(at: url) }
        try Data(text.utf8).write(to: url)
        #expect(try decoder.decode(Item.self, from: .file(url)) == item)
        func kind(_ text: String) -> JSONIssue.Kind? {
            #expect(throws: JSONModelError.self) { try decoder.decode(Item.self, from: text) }?.issues.first?.kind
        }
        #expect(kind("") == .emptyInput)
        #expect(kind("[1]") == .typeMismatch(expected: "an object", found: "an array"))
        if case .syntax? = kind(#"{"id":1,}"#) {} else { Issue.record("no syntax error") }
    }

    @Test
    func `row 29: a model is encoded to bytes, a string, an object or a file`() throws {
        var encoder = JSONModelEncoder()
        #expect(try encoder.encode(item, as: .string) == text)
        #expect(try encoder.encode(item) == Array(text.utf8))
        let object = try encoder.encode(item, as: .object)
        #expect(object["id"] as? Int == 1)
        #expect(object["isNew"] as? Bool == false)
        #expect(object["note"] == nil)
        #expect(try decoder.decode(Item.self, from: .object(object)) == item)
        let path = FileManager.default.temporaryDirectory.appending(path: "row29-\(UUID().uuidString).json").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try encoder.write(item, to: .file(path))
        #expect(try decoder.decode(Item.self, from: .file(path)) == item)
        encoder.only = ["id", "note"]
        #expect(try encoder.encode(item, as: .string) == #"{"id":1}"#)
        encoder.nullStrategy = .write
        #expect(try encoder.encode(item, as: .string) == #"{"id":1,"note":null}"#)
        encoder = JSONModelEncoder()
        encoder.except = ["meta", "ratio"]
        #expect(try encoder.encode(item, as: .string) == #"{"id":1,"isNew":false}"#)
        encoder.keyOrder = .sorted
        encoder.formatting = .pretty
        #expect(try encoder.encode(Item(id: 1, name: ""), as: .string) == "{\n  \"id\": 1,\n  \"isNew\": true\n}")
    }

    @Test
    func `row 30: equality, hashing and identity are Swift's own`() throws {
        let other = try decoder.decode(Item.self, from: text)
        #expect(other == item)
        #expect(Set([item, other]).count == 1)
        #expect(other.id == item.id)
    }

    @Test
    func `row 31: archives use the same keys`() throws {
        let model = Archived(id: 1, name: "n", tags: ["a": 1])
        let json = try JSONEncoder().encode(model)
        #expect(
            try decoder.decode(JSONValue.self, from: json) == ["id": 1, "deep": ["name": "n"], "tags": ["a": 1]])
        #expect(try JSONDecoder().decode(Archived.self, from: json) == model)
        let plist = try PropertyListEncoder().encode(model)
        #expect(try PropertyListDecoder().decode(Archived.self, from: plist) == model)
    }

    @Test
    func `row 38: property lists decode`() throws {
        let source = #"""
            <?xml version="1.0" encoding="UTF-8"?>
            <plist version="1.0"><dict><key>id</key><integer>1</integer><key>isNew</key><false/><key>meta</key><dict>
            <key>names</key><array><string>a</string><string>b</string><string>n</string></array></dict>
            <key>ratio</key><real>0.25</real></dict></plist>
            """#
        let object = try PropertyListSerialization.propertyList(from: Data(source.utf8), options: [], format: nil)
        #expect(try decoder.decode(Item.self, from: .object(object)) == item)
    }
}
#endif
