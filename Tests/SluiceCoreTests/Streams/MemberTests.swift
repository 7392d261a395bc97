import Foundation
import SluiceCodable
import SluiceCore
import SluiceStreams
import Synchronization
import TestSupport
import Testing

@Suite(.tags(.streams, .keys)) struct MemberTests {
    struct User: JSONModel, Hashable {
        let id: Int
        var name: String?
        static let plan = ModelPlan<User>(JSONField(\.id), JSONField(\.name))
    }

    typealias Member = JSONMember<User>

    /// The elements of an input, read by every verb from every source in pieces. All must be equal.
    private func read<Element: JSONConvertible & Hashable>(
        _: Element.Type, _ text: String, at path: JSONPath, _ framing: JSONFraming = .document,
        with decoder: JSONModelDecoder = JSONModelDecoder()
    ) async -> (elements: [Element], error: String?) {
        let outcome = await StreamVerb.readAll(Element.self, text, at: path, framing, with: decoder) {
            Issue.record("\($0)")
        }
        return (outcome.elements, outcome.error)
    }

    @Test func `members have their keys`() async {
        let users =
            #"{"a": 1, "users": {"ann": {"id": 1, "name": "Ann"}, "bob": {"name": "Bob", "id": 2}}, "b": {}}"#
        let members = await read(Member.self, users, at: "users.*")
        #expect(members.elements.map(\.key) == ["ann", "bob"])
        #expect(members.elements.map(\.value) == [User(id: 1, name: "Ann"), User(id: 2, name: "Bob")])
        #expect(members.error == nil)
        let root = await read(JSONMember<Int>.self, #"{"a": 1, "b": 2}"#, at: "*")
        #expect(root.elements == [JSONMember(key: "a", value: 1), JSONMember(key: "b", value: 2)])
        #expect(await read(Member.self, #"{"users": {}}"#, at: "users.*").elements == [])
    }

    @Test func `keys can have escapes, any length, and occur twice`() async {
        let long = String(repeating: "long key ", count: 30)
        let text = """
            {"": 0, "a\\n\\u00e9\\ud83d\\ude00": 1, "é": 2, "\(long)": 3, "twice": 4, "twice": 5, "*": 6, "a.b[0]": 7}
            """
        let members = await read(JSONMember<Int>.self, text, at: "*")
        #expect(members.error == nil)
        #expect(members.elements.map(\.key) == ["", "a\né😀", "é", long, "twice", "twice", "*", "a.b[0]"])
        #expect(members.elements.map(\.value) == Array(0...7))
        let decoder = JSONModelDecoder.with { $0.duplicateKeys = .reject }
        let rejected = await read(JSONMember<Int>.self, text, at: "*", with: decoder)
        #expect(rejected.elements.count == 5)
        #expect(rejected.error?.contains("twice") == true)
    }

    @Test func `members are selected below other wildcards`() async {
        let text = #"{"a": {"x": {"b": {"k": 1, "l": 2}}, "y": {}, "z": {"b": {"k": 3}}}}"#
        let members = await read(JSONMember<Int>.self, text, at: "a.*.b.*")
        #expect(members.elements.map { "\($0.key) \($0.value)" } == ["k 1", "l 2", "k 3"])
        let array = await read(
            JSONMember<JSONValue>.self, #"[{"p": [1]}, {"q": null, "r": {"s": 1}}]"#, at: "[*].*")
        #expect(array.elements.map(\.key) == ["p", "q", "r"])
        #expect(array.elements.map(\.value) == [[1], nil, ["s": 1]])
        let lines = #"{"u": {"a": 1}}"# + "\n" + #"{"u": {"b": 2, "c": 3}}"#
        #expect(await read(JSONMember<Int>.self, lines, at: "u.*", .lines).elements.map(\.key) == ["a", "b", "c"])
    }

    @Test func `values can be of any type`() async throws {
        struct Point: Codable, Hashable { let x: Int }
        let text = #"{"a": {"x": 1}, "b": {"x": 2}}"#
        #expect(
            await read(JSONMember<JSONCodable<Point>>.self, text, at: "*").elements.map(\.value.value.x) == [1, 2])
        #expect(
            await read(JSONMember<[String: Int]>.self, text, at: "*").elements.map(\.value) == [["x": 1], ["x": 2]])
        #expect(await read(JSONMember<JSONRaw>.self, text, at: "*").elements.map(\.key) == ["a", "b"])
        let optional = await read(JSONMember<Int?>.self, #"{"a": null, "b": 1}"#, at: "*")
        #expect(optional.elements == [JSONMember(key: "a", value: nil), JSONMember(key: "b", value: 1)])
        let values = try JSONModelDecoder().decode(JSONValue.self, from: text)
        var keys: [String] = []
        try JSONModelDecoder().forEach(JSONMember<JSONValue>.self, in: values, at: "*") { keys.append($0.key) }
        #expect(keys == ["a", "b"])
    }

    @Test func `members can have positions`() async throws {
        let text = #"{"a": {"id": 1}, "b\n": {"id": 22}}"#
        let outside = await read(JSONPositioned<Member>.self, text, at: "*")
        #expect(outside.elements.map(\.key) == ["a", "b\n"])
        #expect(outside.elements.map(\.position.path) == [JSONPath([.key("a")]), JSONPath([.key("b\n")])])
        let inside = await read(JSONMember<JSONPositioned<User>>.self, text, at: "*")
        #expect(inside.elements.map(\.key) == ["a", "b\n"])
        #expect(inside.elements.map(\.value.position) == outside.elements.map(\.position))
        let ranges = outside.elements.map { String(decoding: Array(text.utf8)[$0.position.range], as: UTF8.self) }
        #expect(ranges == [#"{"id": 1}"#, #"{"id": 22}"#])
    }

    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `a stream continues with the next member`(_ source: JSONModelDecoder.Source) throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("members-\(UUID()).json")
        try Data(#"{"x": {"a": 1, "b": 2, "c": 3}, "y": 4}"#.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let decoder = JSONModelDecoder(from: source)
        var cursor = decoder.cursor(of: JSONPositioned<JSONMember<Int>>.self, in: .file(file.path), at: "x.*")
        let next = try cursor.next()
        let first = try #require(next)
        var rest: [JSONMember<Int>] = []
        try decoder.forEach(JSONMember<Int>.self, in: .file(file.path, from: first.position.checkpoint), at: "x.*")
        { rest.append($0) }
        #expect(rest == [JSONMember(key: "b", value: 2), JSONMember(key: "c", value: 3)])
    }

    @Test func `failed members are skipped`() async throws {
        let text = #"{"a": {"id": 1}, "b": {"id": "x"}, "c": 5, "d": {"id": 4}}"#
        let log = IssueLog()
        var decoder = JSONModelDecoder()
        decoder.elementErrors = .skip
        let members = await read(Member.self, text, at: "*", with: decoder)
        #expect(members.elements.map(\.key) == ["a", "d"])
        decoder.issueHandler = { log.add($0) }
        try decoder.forEach(Member.self, in: text, at: "*") { _ in }
        #expect(log.issues.map(\.path) == ["b.id", "c"])
        let failed = await read(Member.self, text, at: "*")
        #expect(failed.elements.map(\.key) == ["a"])
        #expect(failed.error?.contains("b.id") == true)
    }

    @Test func `several workers pass the same members`() throws {
        let members = (0..<30_000).map { #""key \#($0)": {"id": \#($0)}"# }
        let text = "{\"users\": {" + members.joined(separator: ", ") + "}}"
        let decoder = JSONModelDecoder.with { $0.workers = .exactly(2) }
        var count = 0
        try decoder.forEach(Member.self, in: text, at: "users.*") { member in
            #expect(member.key == "key \(member.value.id)" && member.value.id == count)
            count += 1
        }
        #expect(count == 30_000)
    }

    @Test func `an open member has its key`() throws {
        for source in JSONModelDecoder.Source.allCases {
            var feed = JSONModelDecoder(from: source).feed(of: Member.self, at: "users.*")
            let first = try feed.push(Array(#"{"users": {"ann": {"id": 1}, "bob": {"id": 2, "name": "Bo"#.utf8))
            let value = feed.snapshot().value
            let second = try feed.push(Array(#"b"}}}"#.utf8))
            let rest = try feed.finish()
            #expect(first.map(\.key) == ["ann"] && second.map(\.key) == ["bob"] && rest.isEmpty)
            #expect(value == JSONMember(key: "bob", value: User(id: 2, name: "Bo")))
        }
    }

    struct Team: JSONModel, Equatable {
        let users: [JSONMember<User>]
        let numbers: [JSONMember<Int>?]
        static let plan = ModelPlan<Team>(
            JSONField(\.users, key: "users.*").ignored(.encoding),
            JSONField(\.numbers, key: "n.*").ignored(.encoding))
    }

    @Test func `members are elements of a property`() throws {
        let text = #"{"users": {"b": {"id": 1}, "a": {"id": 2}}, "n": {"x": 1, "y": null, "z": 3}}"#
        let team = try decode(Team.self, text)
        #expect(team.users.map(\.key) == ["b", "a"])
        #expect(team.users.map(\.value.id) == [1, 2])
        #expect(team.numbers.map { $0?.key } == ["x", nil, "z"])
    }

    @Test func `a path that does not select members is an error`() async throws {
        let paths: [JSONPath] = ["users", "users[*]", "users.*.name", "*[*]", ""]
        for path in paths {
            let outcome = await read(Member.self, #"{"users": []}"#, at: path)
            #expect(outcome.elements.isEmpty)
            #expect(outcome.error?.contains("a JSONMember is at a path that ends with '.*'") == true, "\(path)")
        }
        let line = await read(Member.self, #"{"id": 1}"#, at: "", .lines)
        #expect(line.error?.contains("an empty path does not select members") == true)
        let error = #expect(throws: JSONModelError.self) {
            _ = try JSONModelDecoder().decode(Member.self, from: #"{"a": {"id": 1}}"#, at: "a")
        }
        #expect(
            error?.issues.first?.kind
                == .invalidPath(
                    "'a' does not select members: a JSONMember is at a path that ends with '.*', such as 'users.*'")
        )
    }

    @Test func `a member elsewhere is an error`() throws {
        let issue = try refusal([String: JSONMember<Int>].self, #"{"a": 1}"#)
        #expect(issue.kind == .invalidPlan("a JSONMember is at a path that ends with '.*', such as 'users.*'"))
        #expect(issue.path == "a")
        #expect(try refusal([Member].self, #"[{"id": 1}]"#).path == "[0]")
        #expect(try refusal(Member.self, #"{"id": 1}"#).kind == issue.kind)
    }

    @Test func `a member is encoded as its value`() throws {
        let member = JSONMember(key: "a", value: User(id: 1))
        #expect(try JSONModelEncoder().encode([member], as: .string) == #"[{"id":1}]"#)
    }

    struct WithMember: JSONModel, Equatable {
        let member: JSONMember<Int>
        let rest: [String: Int]
        static let plan = ModelPlan<WithMember>(JSONField(\.member, key: "m"), JSONField(extra: \.rest))
    }

    @Test(arguments: [#"{"m":2,"x":1}"#, #"{"x":1,"m":2}"#])
    func `a member in a property has no key, whatever comes before`(_ text: String) throws {
        #expect(try refusal(WithMember.self, text).kind.name == "invalidPlan")
    }
}
