#if Macros
import Foundation
import Sluice
import Testing

/// Statements of the README and of the articles "Getting started", "Properties", "Large files" and "Errors".
@Suite struct GettingStartedTests {
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

    @JSONModel
    struct Event {
        let kind: String
        let details: JSONValue
        let payload: JSONRaw
    }

    @JSONModel
    struct Package {
        @JSONKey("full_name") let name: String
        @JSONKey("owner.login", or: "user.login", "login") let owner: String
        @JSONKey("tags[0]") let firstTag: String?
        @JSONKey(#"version\.major"#) let major: Int
    }

    private let decoder = JSONModelDecoder()
    private let text = """
        {"data":{"items":[
          {"id":1,"full_name":"lloyd/yajl","owner":{"login":"lloyd"},"license":{"key":"isc"}},
          {"id":2,"full_name":"swiftlang/swift","user":{"login":"swiftlang"},"stars":70000,"watchers":[1]}
        ]}}
        """

    @Test func `an array of models is decoded at a path`() throws {
        let bytes = Array(text.utf8)
        let all = try decoder.decode([Repository].self, from: bytes, at: "data.items")
        #expect(all.map(\.name) == ["lloyd/yajl", "swiftlang/swift"])
        #expect(all.map(\.owner) == ["lloyd", "swiftlang"])
        #expect(all.map(\.stars) == [0, 70000])
        #expect(all.map { $0.license?.key } == ["isc", nil])
        let owner = try decoder.decode(String.self, from: bytes, at: "data.items[0].owner.login")
        #expect(owner == "lloyd")
    }

    @Test func `models may have properties of arbitrary JSON`() throws {
        let event = try decoder.decode(
            Event.self, from: #"{"kind":"a","details":{"n":[1]},"payload":{ "x" : 1.50 }}"#)
        #expect(event.details["n"]?[0]?.int == 1)
        #expect(event.payload.description == #"{ "x" : 1.50 }"#)
    }

    @Test func `properties may have paths and several keys`() throws {
        let package = try decoder.decode(
            Package.self,
            from: #"{"login":"c","user":{"login":"b"},"full_name":"n","tags":["t"],"version.major":3}"#)
        #expect(package.owner == "b")
        #expect(package.firstTag == "t")
        #expect(package.major == 3)
    }

    @Test func `large files are streamed element by element`() throws {
        let data = Data(text.utf8)
        var total = 0
        let count = try decoder.forEach(Repository.self, in: data, at: "data.items[*]") { repository in
            total += repository.stars
        }
        #expect(count == 2)
        #expect(total == 70000)

        var found: Repository?
        let read = try decoder.forEach(Repository.self, in: data, at: "data.items[*]") { repository in
            guard repository.name == "lloyd/yajl" else { return .continue }
            found = repository
            return .stop
        }
        #expect(found?.id == 1)
        #expect(read == 1)

        var elements: [String] = []
        try decoder.forEach(JSONRaw.self, in: data, at: "data.items[*].owner") { element in
            elements.append("\(element)")
        }
        #expect(elements == [#"{"login":"lloyd"}"#])
    }

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
