import SluiceCore
import TestSupport
import Testing

/// The properties, messages and hints of issues.
@Suite(.tags(.errors, .locations)) struct IssueTests {
    struct User: JSONModel {
        let id: Int
        let fullName: String
        let address: Address?
        let tags: [String]
        let byName: [String: Address]
        static let plan = ModelPlan<User>([
            JSONField(\.id), JSONField(\.fullName, key: "full_name"), JSONField(\.address),
            JSONField(\.tags, default: []), JSONField(\.byName, key: "by_name", default: [:]),
        ])
    }

    struct Address: JSONModel {
        let street: String
        let zip: UInt16
        static let plan = ModelPlan<Address>(JSONField(\.street), JSONField(\.zip))
    }

    final class Account: JSONModel, Sendable {
        struct Storage {
            let owner: String
            let balance: Int
        }
        let owner: String
        init(_ storage: Storage) { owner = storage.owner }
        static let plan = ModelPlan<Account>(
            storage: Storage.self, [JSONField(\.owner), JSONField(\.balance)], make: { Account($0) })
    }

    @Test func `a message has neither a path nor a location nor a hint`() throws {
        let issue = try refusal(User.self, #"{"id": "1", "full_name": "a"}"#)
        #expect(issue.message == "expected an integer, found a string")
        let hint = try #require(issue.hint)
        #expect(issue.description.hasPrefix("\(issue.message) (\(hint)) at id, for User.id (line 1"), "\(issue)")
        for kind in [JSONIssue.Kind.limitExceeded(.string, limit: 2), .unsupportedCompression(.gzip)] {
            let hint = try #require(JSONIssue(kind: kind).hint)
            #expect(JSONIssue(kind: kind, hint: hint).description == JSONIssue(kind: kind).description)
            #expect(JSONIssue(kind: kind).description.contains("\(JSONIssue(kind: kind).message): \(hint)"))
        }
        struct Unfit: Error, CustomStringConvertible { let description = "the date is in the past" }
        #expect(JSONIssue(kind: .thrown, underlying: Unfit()).message == "the date is in the past")
    }

    @Test func `an issue has a kind, path, property, model and location`() throws {
        let text = "[\n  {\"id\": 1, \"full_name\": \"Zoë\", \"address\": {\"street\": \"S\", \"zip\": 65536}}\n]"
        let issue = try refusal([User].self, text)
        #expect(issue.kind == .numberOutOfRange(type: "UInt16", text: "65536"))
        #expect(issue.path == "[0].address.zip")
        #expect(issue.property == "zip")
        #expect(issue.model == "Address")
        #expect(issue.location.offset == 69)
        #expect(issue.location.line == 2)
        #expect(issue.location.column == 68)
        #expect(issue.hint == nil)
        #expect(issue.underlying == nil)
        #expect(
            issue.description
                == "65536 does not fit in UInt16 at [0].address.zip, for Address.zip (line 2, column 68, offset 69)"
        )
    }

    @Test func `errors in elements name the property of the container`() throws {
        let issue = try refusal(User.self, #"{"tags":["a",{"x":1}]}"#)
        #expect(issue.path == "tags[1]")
        #expect(issue.property == "tags")
        #expect(issue.model == "User")
        let inDictionary = try refusal(User.self, #"{"by_name":{"a b":[]}}"#)
        #expect(inDictionary.path.components == [.key("by_name"), .key("a b")])
        #expect(inDictionary.property == "byName")
    }

    @Test func `an error outside of a model names no model`() throws {
        let issue = try refusal([[Int]].self, #"[[1],["x"]]"#)
        #expect(issue.model == nil)
        #expect(issue.property == nil)
        #expect(issue.description == "expected an integer, found a string at [1][0] (line 1, column 7, offset 6)")
    }

    @Test func `an error in a class names the class, not the storage`() throws {
        let issue = try refusal([Account].self, #"[{"owner":1}]"#)
        #expect(issue.model == "Account")
        #expect(issue.property == "owner")
        #expect(try refusal([Account].self, #"[{"owner":""}]"#).model == "Account")
    }

    @Test func `one error names all missing keys`() throws {
        let issue = try refusal(User.self, #"{"tags":[]}"#)
        #expect(issue.kind == .missingKeys(["id", "full_name"]))
        #expect(issue.path == "$")
        #expect(issue.model == "User")
        #expect(issue.property == nil)
        #expect(issue.location.offset == 10)
        #expect(
            issue.description == #"missing keys "id", "full_name" at $, for User (line 1, column 11, offset 10)"#)
        let one = try refusal(User.self, #"{"id":1,"address":null}"#)
        #expect(one.kind == .missingKeys(["full_name"]))
        #expect(one.property == "fullName")
        #expect(
            one.description == #"missing key "full_name" at $, for User.fullName (line 1, column 23, offset 22)"#)
    }

    @Test(arguments: [
        ("fullName", true), ("full-name", true), ("Full_Name", true), ("ful_name", true), ("fullname", true),
        ("full_nmae", true), ("name", false), ("x", false), ("description", false),
    ])
    func `a misspelled key is named in a hint`(_ key: String, _ isNear: Bool) throws {
        let issue = try refusal(User.self, #"{"id":1,"other":[{"full_Name":0}],"\#(key)":"n"}"#)
        #expect(issue.kind == .missingKeys(["full_name"]))
        #expect(issue.hint == (isNear ? "\"\(key)\" is similar to \"full_name\"" : nil))
        if isNear { #expect(issue.description.contains("(\"\(key)\" is similar to \"full_name\")")) }
    }

    /// A key of another object is no candidate, nor is one of the object before.
    @Test func `hints name keys of the same object only`() throws {
        let inside = try refusal(User.self, #"{"id":1,"unknown":{"fullName":1}}"#)
        #expect(inside.hint == nil)
        let before = try refusal([User].self, #"[{"id":1,"full_name":"","fullName":""},{"id":2}]"#)
        #expect(before.hint == nil)
        let nested = try refusal([User].self, #"[{"id":1,"fullName":"","address":{"street":"","zip":1}}]"#)
        #expect(nested.hint == #""fullName" is similar to "full_name""#)
    }

    @Test(arguments: ["NaN", "Infinity", "inf"])
    func `a number that JSON does not have is named in a hint`(_ word: String) throws {
        for sign in ["", "+", "-"] {
            #expect(try refusal(JSONValue.self, "[\(sign)\(word)]").hint == "NaN and Infinity are not JSON numbers")
        }
    }

    @Test func `a hint names each misspelled key`() throws {
        let issue = try refusal(User.self, #"{"ID":1,"fullName":""}"#)
        #expect(issue.kind == .missingKeys(["id", "full_name"]))
        #expect(issue.hint == #""ID" is similar to "id", "fullName" is similar to "full_name""#)
    }

    @Test func `a hint names each of many misspelled keys`() throws {
        struct Words: JSONModel {
            let alpha, bravo, charlie, delta, foxtrot, golf, hotel, india: Int
            let juliett, kilo, lima, november, oscar, quebec, romeo, sierra: Int
            static let plan = ModelPlan<Words>([
                JSONField(\.alpha), JSONField(\.bravo), JSONField(\.charlie), JSONField(\.delta),
                JSONField(\.foxtrot), JSONField(\.golf), JSONField(\.hotel), JSONField(\.india),
                JSONField(\.juliett), JSONField(\.kilo), JSONField(\.lima), JSONField(\.november),
                JSONField(\.oscar), JSONField(\.quebec), JSONField(\.romeo), JSONField(\.sierra),
            ])
        }
        let words = [
            "alpha", "bravo", "charlie", "delta", "foxtrot", "golf", "hotel", "india", "juliett", "kilo", "lima",
            "november", "oscar", "quebec", "romeo", "sierra",
        ]
        let text = "{" + words.map { "\"\($0)_\":1" }.joined(separator: ",") + "}"
        let issue = try refusal(Words.self, text)
        #expect(issue.kind == .missingKeys(words))
        #expect(issue.hint == words.map { "\"\($0)_\" is similar to \"\($0)\"" }.joined(separator: ", "))
    }

    @Test func `the description of an error includes the excerpt`() throws {
        let error = #expect(throws: JSONModelError.self) {
            try JSONModelDecoder().decode([Int].self, from: "[1,\n \"two\"]")
        }
        #expect(
            error?.description == """
                expected an integer, found a string at [1] (line 2, column 2, offset 5)
                 "two"
                 ^
                """)
    }

    @Test(arguments: [
        (JSONIssue.Kind.emptyInput, "", "the input contains no JSON"),
        (.unexpectedEnd, "[", "the text ends before its value does"),
        (.trailingContent, "1 1", "unexpected data after the top-level value"),
        (.loneSurrogate, #"["\ud800"]"#, #"a \u escape is half of a surrogate pair"#),
        (
            .limitExceeded(.depth, limit: 512), String(repeating: "[", count: 513),
            "nesting is deeper than 512: raise JSONLimits.depth to allow it"
        ),
    ])
    func `each kind of issue has a message`(_ kind: JSONIssue.Kind, _ text: String, _ message: String) throws {
        let issue = try refusal(JSONValue.self, text)
        #expect(issue.kind == kind)
        #expect(issue.description.hasPrefix(message))
    }

    /// The path of a text that is too deep has hundreds of steps: a line of it shows both ends.
    @Test func `the description of a very deep path is shortened`() throws {
        let text = #"{"a":"# + String(repeating: "[", count: 600)
        let issue = try refusal([String: JSONValue].self, text)
        #expect(issue.kind == .limitExceeded(.depth, limit: 512))
        #expect(issue.path.components.count == 512)
        #expect(issue.description.contains("a[0][0]"))
        #expect(issue.description.contains("… (488 more) …"))
        #expect(issue.description.utf8.count < 300)
    }
}
