import SluiceCodable
import SluiceStreams
import TestSupport
import Testing

@testable import SluiceCore

/// Wildcards, which select the values of all members of an object: `users.*`.
@Suite(.tags(.paths)) struct WildcardTests {
    struct User: JSONModel, Hashable {
        let id: Int
        let name: String?
        static let plan = ModelPlan<User>(JSONField(\.id), JSONField(\.name))
    }

    /// The elements of a stream and how the stream ended, from every source and in pieces of every size: they must agree.
    private func stream<T: JSONConvertible & Equatable>(
        _ type: T.Type, _ text: String, at path: JSONPath, with decoder: JSONModelDecoder = JSONModelDecoder(),
        stopAt last: Int = .max, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> (elements: [T], issues: [JSONIssue]) {
        let bytes = Array(text.utf8)
        var first: (elements: [T], issues: [JSONIssue])?
        for source in JSONModelDecoder.Source.allCases {
            for size in 1...max(bytes.count, 1) {
                var decoder = decoder
                decoder.source = source
                let pieces = bytes.pieces(of: size)
                var elements: [T] = []
                var issues: [JSONIssue] = []
                do throws(JSONModelError) {
                    let count = try decoder.forEach(type, in: .chunks(pieces), at: path) {
                        (element: T) -> JSONModelDecoder.StreamControl in
                        elements.append(element)
                        return elements.count == last ? .stop : .continue
                    }
                    #expect(count == elements.count, sourceLocation: sourceLocation)
                } catch { issues = error.issues }
                guard let known = first else {
                    first = (elements, issues)
                    continue
                }
                let way: Comment = "\(source), in pieces of \(size)"
                #expect(elements == known.elements, way, sourceLocation: sourceLocation)
                #expect(issues.map { "\($0)" } == known.issues.map { "\($0)" }, way, sourceLocation: sourceLocation)
            }
        }
        return try #require(first, sourceLocation: sourceLocation)
    }

    private func elements<T: JSONConvertible & Equatable>(
        _ type: T.Type, _ text: String, at path: JSONPath, stopAt last: Int = .max,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> [T] {
        let (elements, issues) = try stream(type, text, at: path, stopAt: last, sourceLocation: sourceLocation)
        #expect(issues.isEmpty, sourceLocation: sourceLocation)
        return elements
    }

    private static let users = #"""
        {"users":{"ann":{"id":1,"name":"A","repos":[{"n":"x"},{"n":"y"}]},"b\u0062":{"repos":[],"id":2},
          "*":{"id":3,"repos":[{"n":"z"}]}},"other":[{"id":4}]}
        """#

    // MARK: Paths

    @Test func `an escaped asterisk is a key`() throws {
        #expect(try decode(Int.self, #"{"*":1,"a":2}"#, at: #"\*"#) == 1)
        #expect(try decode(Int.self, Self.users, at: #"users.\*.id"#) == 3)
    }

    // MARK: Streams

    @Test func `a stream delivers the value of every member`() throws {
        #expect(
            try elements(User.self, Self.users, at: "users.*") == [
                User(id: 1, name: "A"), User(id: 2, name: nil), User(id: 3, name: nil),
            ])
        #expect(try elements(Int.self, #"{"a":1,"b":2,"a":3}"#, at: "*") == [1, 2, 3])
        #expect(try elements(Int.self, #"{"a":1,"b":2}"#, at: "$.*", stopAt: 1) == [1])
        #expect(try elements([Int].self, #"{"a":[1],"b":[]}"#, at: "*") == [[1], []])
    }

    @Test func `a path may continue after a wildcard`() throws {
        #expect(try elements(Int.self, Self.users, at: "users.*.id") == [1, 2, 3])
        #expect(try elements(String.self, Self.users, at: "users.*.repos[*].n") == ["x", "y", "z"])
        #expect(try elements(String.self, Self.users, at: "users.*.repos[0].n") == ["x", "z"])
        #expect(try elements(Int.self, #"{"a":{"x":1,"y":2},"b":{},"c":{"z":3}}"#, at: "*.*") == [1, 2, 3])
        #expect(try elements(Int.self, #"[{"a":1},{"b":2,"c":3},{}]"#, at: "[*].*") == [1, 2, 3])
        #expect(try elements(Int.self, #"{"a":[1,2],"b":[],"c":[3]}"#, at: "*[*]") == [1, 2, 3])
    }

    @Test func `the first component must be present, and an empty object has no elements`() throws {
        #expect(try elements(Int.self, "{}", at: "*") == [])
        #expect(try elements(Int.self, #"{"users":{}}"#, at: "users.*") == [])
        #expect(try elements(Int.self, #"{"users":null}"#, at: "users.*") == [])
        #expect(try elements(Int.self, #"{"users":{"a":{}}}"#, at: "users.*.id") == [])
        let missing = try stream(Int.self, #"{"user":{"a":1}}"#, at: "users.*").issues
        #expect(missing.map(\.kind) == [.pathNotFound("users.*")])
        #expect(missing[0].hint?.contains("users") == true)
        let array = try stream(Int.self, #"{"users":[1]}"#, at: "users.*").issues
        #expect(array.brief == ["users: an object, not an array"])
        #expect(
            try stream(Int.self, #"{"users":{"a":1}}"#, at: "users[*]").issues.brief == [
                "users: an array, not an object"
            ])
        #expect(try stream(Int.self, "[1]", at: "*").issues.brief == ["$: an object, not an array"])
    }

    @Test func `errors name the member`() throws {
        let (values, issues) = try stream(Int.self, #"{"users":{"a":1,"b":"x","c":2}}"#, at: "users.*")
        #expect(values == [1])
        #expect(issues.brief == ["users.b: an integer, not a string"])
        let all = try stream(
            User.self, #"{"a":{"id":1},"b":{"id":"x"},"c":5,"d":{},"e":{"id":2}}"#, at: "*", with: .collecting)
        #expect(all.elements.map(\.id) == [1, 2])
        #expect(
            all.issues.brief == ["b.id: an integer, not a string", "c: an object, not a number", "d: lacks id"])
        let cut = try stream(Int.self, #"{"users":{"a":1,"b":2"#, at: "users.*")
        #expect(cut.issues.brief == ["users.b: unexpectedEnd"])
        let broken = try stream(Int.self, #"{"users":{"a":1,"b":]}}"#, at: "users.*")
        #expect(broken.elements == [1])
        #expect(broken.issues.map(\.path) == ["users.b"])
        let twice = JSONModelDecoder.with { $0.duplicateKeys = .reject }
        let (before, refused) = try stream(Int.self, #"{"u":{"a":1,"b":2,"a":3}}"#, at: "u.*", with: twice)
        #expect(before == [1, 2])
        #expect(refused.brief == ["u.a: twice a"])
    }

    @Test func `a wildcard cannot select a single value`() throws {
        let issue = try refusal(Int.self, #"{"a":1}"#, at: "*")
        #expect(issue.kind == .invalidPath("'*' selects several values: use forEach, or the path of the object"))
    }

    // MARK: Properties

    struct Model: JSONModel, Equatable {
        let names: [String]
        let ids: Set<Int>
        let labels: [String?]
        let repos: [String]
        let users: [User]
        let star: Int?
        static let plan = ModelPlan<Model>([
            JSONField(\.names, key: "users.*.name"), JSONField(\.ids, key: "users.*.id", default: [-1]),
            JSONField(\.labels, key: "users.*.label", default: []),
            JSONField(\.repos, key: "users.*.repos[*].n", default: []),
            JSONField(\.users, key: "more.*", default: []), JSONField(\.star, key: #"\*"#),
        ])
    }

    @Test func `values of all members are gathered`() throws {
        let text = #"""
            {"*":7,"users":{"a":{"id":1,"name":"A","repos":[{"n":"x"},{"n":"y"}]},"b":{"label":"l","id":2},"c":null,
             "d":{"name":"D","label":null,"repos":[{"n":"z"}]}},"more":{"x":{"id":5},"y":{"id":6,"name":"Y"}}}
            """#
        let model = try decode(Model.self, text)
        #expect(model.names == ["A", "D"])
        #expect(model.ids == [1, 2])
        // One for each member, so that they belong to the members by their index.
        #expect(model.labels == [nil, "l", nil, nil])
        #expect(model.repos == ["x", "y", "z"])
        #expect(model.users == [User(id: 5, name: nil), User(id: 6, name: "Y")])
        #expect(model.star == 7)
        #expect(try decode(Model.self, #"{"users":{}}"#).names == [])
        #expect(try refusal(Model.self, "{}").kind == .missingKeys(["users.*.name"]))
        #expect(try refusal(Model.self, #"{"users":null}"#).kind == .missingKeys(["users.*.name"]))
    }

    @Test func `gathering errors name the member`() throws {
        let issue = try refusal(Model.self, #"{"users":{"a":{"name":"A"},"b":{"name":5}}}"#)
        #expect(issue.kind == .typeMismatch(expected: "a string", found: "a number"))
        #expect(issue.path == "users.b.name")
        #expect(issue.property == "names")
        #expect(try refusal(Model.self, #"{"users":{},"more":{"z":5}}"#).path == "more.z")
        #expect(
            try refusal(Model.self, #"{"users":[]}"#).kind
                == .typeMismatch(expected: "an object", found: "an array"))
        let decoder = JSONModelDecoder.with { $0.duplicateKeys = .reject }
        let twice = try refusal(Model.self, #"{"users":{"a":{"name":"A"},"a":{}}}"#, with: decoder)
        #expect(twice.kind == .duplicateKey("a"))
        #expect(twice.path == "users.a")
    }

    @Test func `lossy gathering drops members, and all issues are collected`() throws {
        struct Lossy: JSONModel, Equatable {
            let names: [String]
            static let plan = ModelPlan<Lossy>(JSONField(\.names, key: "u.*.n").lossy())
        }
        let (value, issues) = try reported(Lossy.self, #"{"u":{"a":{"n":"x"},"b":{"n":5},"c":7,"d":{"n":"y"}}}"#)
        #expect(value.names == ["x", "y"])
        #expect(issues.brief == ["u.b.n: a string, not a number", "u.c: an object, not a number"])
        let all = try refusals(
            Model.self, #"{"users":{"a":{"name":1},"b":[],"c":{"name":"C"}},"more":{"x":{}}}"#, with: .collecting)
        #expect(
            all.brief == [
                "users.a.name: a string, not a number", "users.b: an object, not an array", "more.x: lacks id",
            ])
    }

    @Test func `an object can be decoded as a whole and in parts`() throws {
        struct Team: JSONModel, Equatable {
            let names: [String]
            let users: [String: User]
            static let plan = ModelPlan<Team>(
                JSONField(\.names, key: "users.*.name").ignored(.encoding), JSONField(\.users))
        }
        let team = try decode(Team.self, #"{"users":{"a":{"id":1,"name":"A"},"b":{"id":2}}}"#)
        #expect(team == Team(names: ["A"], users: ["a": User(id: 1, name: "A"), "b": User(id: 2, name: nil)]))
        #expect(try decode(Team.self, try JSONModelEncoder().encode(team, as: .string)) == team)
        let issue = try refusal(Team.self, #"{"users":{"a":{"id":1,"name":2}}}"#)
        #expect(issue.path == "users.a.name")
    }

    @Test func `complete values are gathered from input that ends early`() throws {
        for decoder in JSONModelDecoder.ofEverySource {
            let partial = try decoder.decodePartially(
                Model.self,
                from: #"{"users":{"a":{"name":"A","label":"l"},"b":{"name":"B","repos":[{"n":"x"},{"n":"y"#)
            #expect(partial.value?.names == ["A", "B"])
            #expect(partial.value?.labels == ["l", nil])
            #expect(partial.value?.repos == ["x"])
        }
    }

    @Test func `plans that cannot gather are defects`() {
        struct Own: JSONModel {
            let a: [Int]
            static let plan = ModelPlan<Own>(JSONField(\.a, key: "*"))
        }
        struct Scalar: JSONModel {
            let a: Int
            static let plan = ModelPlan<Scalar>(JSONField(\.a, key: "x.*.a"))
        }
        struct Both: JSONModel {
            let a: [Int]
            let b: Int?
            static let plan = ModelPlan<Both>(JSONField(\.a, key: "x.*.a"), JSONField(\.b, key: "x.y.b"))
        }
        struct Mixed: JSONModel {
            let a: [Int]
            let b: [Int]
            static let plan = ModelPlan<Mixed>(JSONField(\.a, key: "x.*"), JSONField(\.b, key: "x[*]"))
        }
        #expect(
            defect(of: Own.self)
                == "'*', of 'a', selects every member of the model's own object: only extra keys can do this")
        #expect(defect(of: Scalar.self) == "'a' collects values by .*, and is not an array or set")
        #expect(
            defect(of: Both.self)
                == "'x.y.b', of 'b', selects one member of an object of which another field's path selects every one"
        )
        #expect(
            defect(of: Mixed.self)
                == "'x[*]', of 'b', leads through an array where another field's path leads through an object")
    }

    @Test func `values gathered from unknown keys cannot be written`() throws {
        let model = try decode(Model.self, #"{"*":1,"users":{"a":{"name":"A"}}}"#)
        let error = #expect(throws: JSONModelError.self) { try JSONModelEncoder().encode(model) }
        let issue = try #require(error?.issues.first)
        #expect(
            issue.kind
                == .notEncodable(
                    "'users.*.name' collects values without their keys, so the object cannot be encoded"))
        #expect(issue.path == "users")
        #expect(issue.model == "Model")
        let empty = try decode(Model.self, #"{"*":1,"users":{}}"#)
        #expect(
            try decode(Model.self, try JSONModelEncoder().encode(empty, as: .string))
                == Model(names: [], ids: [], labels: [], repos: [], users: [], star: 1))
        // What is not written needs no keys.
        struct ReadOnly: JSONModel, Equatable {
            let names: [String]
            let other: Int
            static let plan = ModelPlan<ReadOnly>(
                JSONField(\.names, key: "u.*").ignored(.encoding), JSONField(\.other))
        }
        let only = try decode(ReadOnly.self, #"{"u":{"a":"x"},"other":1}"#)
        #expect(try JSONModelEncoder().encode(only, as: .string) == #"{"other":1}"#)
    }

    struct Nested: JSONModel, Equatable {
        var repos: [String]?
        var ids: [Int]?
        static let plan = ModelPlan<Nested>(
            JSONField(\.repos, key: "users.*.repos[*]"), JSONField(\.ids, key: "users.*.id"))
    }

    struct Outer: JSONModel, Equatable {
        let nested: [Nested]
        static let plan = ModelPlan<Outer>(JSONField(\.nested, key: "rows[*].nested"))
    }

    @Test func `gathered values that are nil are left out beside an array in the members`() throws {
        #expect(try encode(Outer(nested: [Nested()])) == #"{"rows":[{"nested":{}}]}"#)
        #expect(try encode(Outer(nested: [Nested(ids: [])])) == #"{"rows":[{"nested":{"users":{}}}]}"#)
    }

    @Test func `a merge replaces gathered values`() throws {
        struct Merged: JSONModel, Equatable {
            var names: [String]
            var labels: [Int?] = []
            static let plan = ModelPlan<Merged>(
                JSONField(\.names, key: "u.*.n"), JSONField(\.labels, key: "u.*.l", default: []))
        }
        for decoder in JSONModelDecoder.ofEverySource {
            var value = Merged(names: ["a", "b"], labels: [1])
            try decoder.merge(#"{"u":{"x":{"n":"c"},"y":{"l":2}}}"#, into: &value)
            #expect(value == Merged(names: ["c"], labels: [nil, 2]))
            try decoder.merge("{}", into: &value)
            #expect(value == Merged(names: ["c"], labels: [nil, 2]))
            #expect(throws: JSONModelError.self) { try decoder.merge(#"{"u":{"x":{"n":1}}}"#, into: &value) }
            #expect(value == Merged(names: ["c"], labels: [nil, 2]))
        }
    }
}
