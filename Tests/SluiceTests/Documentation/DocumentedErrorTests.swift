#if Macros
import Foundation
import Sluice
import Testing

/// The errors in the README and in the article "Errors".
@Suite struct DocumentedErrorTests {
    @JSONModel
    struct Repository {
        let id: Int
        @JSONKey("full_name") let name: String
        @JSONKey("owner.login", or: "user.login") let owner: String
        var stars = 0
        let license: License?
        @JSONIgnore var cached = false
    }

    @JSONModel
    struct License {
        let key: String
    }

    private let decoder = JSONModelDecoder()

    @Test func `errors have typed issues`() {
        var asked: [String] = []
        do {
            let repository = try decoder.decode(Repository.self, from: "{}")
            Issue.record("\(repository)")
        } catch {
            for issue in error.issues {
                switch issue.kind {
                case .missingKeys(let keys): asked += keys
                case .unreadable, .unexpectedEnd: Issue.record("the text is whole")
                default: Issue.record("\(issue.description)")
                }
            }
        }
        #expect(asked == ["id", "full_name", "owner.login"])
    }

    @Test func `error descriptions equal those in the documentation`() {
        let text = """
            {
              "items": [
                { "id": 1, "full_name": "apple/swift", "owner": { "login": "apple" }, "stars": 67000 },
                { "id": "2", "full_name": "lloyd/yajl", "owner": { "login": "lloyd" } }
              ]
            }
            """
        let mismatch = #expect(throws: JSONModelError.self) {
            try decoder.decode([Repository].self, from: text, at: "items")
        }
        #expect(
            mismatch?.description == """
                expected an integer, found a string (allowed with coercion: .lenient) at items[1].id, for Repository.id \
                (line 4, column 13, offset 119)
                    { "id": "2"
                            ^
                """)

        let misspelt = text.replacing("\"2\"", with: "2").replacing("full_name\": \"l", with: "fullName\": \"l")
        let missing = #expect(throws: JSONModelError.self) {
            try decoder.decode([Repository].self, from: misspelt, at: "items")
        }
        let line =
            "missing key \"full_name\" (\"fullName\" is similar to \"full_name\") at items[1], "
            + "for Repository.name (line 4, column 72, offset 178)"
        #expect(
            missing?.description == """
                \(line)
                … 2, "fullName": "lloyd/yajl", "owner": { "login": "lloyd" } }
                                                                             ^
                """)
    }
}
#endif
