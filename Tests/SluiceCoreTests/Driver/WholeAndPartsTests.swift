import SluiceCore
import TestSupport
import Testing

/// Values that one field decodes as a whole and other fields in parts.
@Suite(.tags(.paths, .replay)) struct WholeAndPartsTests {
    struct Owner: JSONModel, Equatable {
        let login: String
        let age: Int?
        static let plan = ModelPlan<Owner>(JSONField(\.login), JSONField(\.age))
    }

    struct WholeFirst: JSONModel, Equatable {
        let owner: Owner?
        let login: String?
        let id: Int
        static let plan = ModelPlan<WholeFirst>(
            JSONField(\.owner), JSONField(\.login, key: "owner.login"), JSONField(\.id))
    }

    struct PartFirst: JSONModel, Equatable {
        let login: String?
        let owner: JSONValue
        let second: Int?
        let list: [Int]
        static let plan = ModelPlan<PartFirst>(
            JSONField(\.login, key: "owner.login"), JSONField(\.owner, default: ["none": true]),
            JSONField(\.second, key: "list[1]"), JSONField(\.list, default: []))
    }

    @Test func `the whole and its parts are both filled`() throws {
        let whole = try decode(WholeFirst.self, #"{"id":1,"owner":{"age":5,"login":"me"}}"#)
        #expect(whole == WholeFirst(owner: Owner(login: "me", age: 5), login: "me", id: 1))
        let part = try decode(PartFirst.self, #"{"list":[1,2,3],"owner":{"login":"me","x":[{}]}}"#)
        #expect(part == PartFirst(login: "me", owner: ["login": "me", "x": [[:]]], second: 2, list: [1, 2, 3]))
    }

    @Test func `the first of the whole and its parts is written`() throws {
        #expect(
            try encode(WholeFirst(owner: Owner(login: "me", age: 5), login: "x", id: 1))
                == #"{"owner":{"login":"me","age":5},"id":1}"#)
        #expect(
            try encode(PartFirst(login: "me", owner: ["login": "x", "y": 1], second: 2, list: [1, 3, 5]))
                == #"{"owner":{"login":"me"},"list":[null,2]}"#)
    }

    @Test func `nulls and missing keys leave the defaults of both`() throws {
        for text in [#"{"id":1}"#, #"{"id":1,"owner":null}"#, #"{"owner":{"login":"x"},"id":1,"owner":null}"#] {
            let expected = text.contains("x") ? "x" : nil
            #expect(try decode(WholeFirst.self, text) == WholeFirst(owner: nil, login: expected, id: 1), "\(text)")
        }
        let empty = PartFirst(login: nil, owner: ["none": true], second: nil, list: [])
        #expect(try decode(PartFirst.self, #"{"list":null}"#) == empty)
        #expect(try decode(PartFirst.self, #"{"owner":null,"list":[]}"#) == empty)
    }

    @Test func `the last of two duplicate objects wins`() throws {
        let text = #"{"owner":{"login":"a","age":1},"id":1,"owner":{"login":"b"}}"#
        #expect(
            try decode(WholeFirst.self, text) == WholeFirst(owner: Owner(login: "b", age: nil), login: "b", id: 1))
        let decoder = JSONModelDecoder.with { $0.duplicateKeys = .reject }
        #expect(try refusal(WholeFirst.self, text, with: decoder).kind == .duplicateKey("owner"))
    }

    @Test func `errors have the path and location of their value`() throws {
        let text = "{\"id\":1,\n \"owner\": {\"age\":5,\n  \"login\":7}}"
        let issue = try refusals(WholeFirst.self, text)[0]
        #expect(issue.path == "owner.login")
        #expect(issue.location.offset == 39)
        #expect((issue.location.line, issue.location.column) == (3, 11))
        #expect(issue.property == "login")
        let missing = try refusals(WholeFirst.self, "{\"owner\":\n {\"age\":5}}")[0]
        #expect(missing.kind == .missingKeys(["login"]))
        #expect(missing.path == "owner")
        #expect((missing.location.offset, missing.location.line, missing.location.column) == (19, 2, 10))
        let scalar = try refusals(PartFirst.self, #"{"list":[], "owner": "me"}"#)[0]
        #expect(scalar.kind == .typeMismatch(expected: "an object", found: "a string"))
        #expect((scalar.path, scalar.location.offset) == ("owner", 21))
        let syntax = try refusals(PartFirst.self, #"{"owner": {"a":1,}}"#)[0]
        #expect(syntax.location.offset == 17)
        let element = try refusals(PartFirst.self, #"{"list":[1,"x"]}"#)[0]
        #expect((element.path, element.location.offset) == ("list[1]", 11))
    }

    struct Indexed: JSONModel, Equatable {
        let pair: [Int]
        let first: Int
        let name: String?
        let last: JSONRaw?
        static let plan = ModelPlan<Indexed>(
            JSONField(\.pair, key: "rows[1]"), JSONField(\.first, key: "rows[1][0]"),
            JSONField(\.name, key: "rows[2].name"), JSONField(\.last, key: "rows[2]"))
    }

    @Test func `an array can be decoded as a whole and in parts`() throws {
        let value = try decode(Indexed.self, #"{"rows":[[9],[1,2],{"name":"a"},[3]]}"#)
        #expect((value.pair, value.first, value.name) == ([1, 2], 1, "a"))
        #expect(value.last?.description == #"{"name":"a"}"#)
        #expect(try decode(Indexed.self, #"{"rows":[0,[1,2],null]}"#).last == nil)
        #expect(try refusals(Indexed.self, #"{"rows":[0,["x",2]]}"#)[0].path == "rows[1][0]")
    }

    @Test func `the issues of the whole and its parts are collected once`() throws {
        let text = #"{"owner":{"login":7,"age":"x"},"id":true}"#
        let issues = try refusals(WholeFirst.self, text, with: .collecting)
        #expect(
            issues.brief == [
                "owner.login: a string, not a number", "owner.age: an integer, not a string",
                "id: an integer, not a boolean",
            ])
        #expect(issues.map(\.location.offset) == [18, 26, 36])
    }

    struct Defaulted: JSONModel, Equatable {
        let owner: Owner
        let login: Int
        static let plan = ModelPlan<Defaulted>(
            JSONField(\.owner, default: Owner(login: "?", age: nil)).defaulting(on: [.mismatch]),
            JSONField(\.login, key: "owner.id"))
    }

    /// The default of the whole is not that of a part.
    @Test func `the default of the whole does not apply to a part`() throws {
        let (value, issues) = try reported(Defaulted.self, #"{"owner":{"id":4,"login":[]}}"#)
        #expect(value == Defaulted(owner: Owner(login: "?", age: nil), login: 4))
        #expect(issues.brief == ["owner.login: a string, not an array"])
        #expect(issues[0].location.offset == 25)
        let issue = try refusal(Defaulted.self, #"{"owner":{"id":"x","login":"a"}}"#)
        #expect((issue.path, issue.property) == ("owner.id", "login"))
    }

    @Test func `a whole of another type keeps its default beside its parts`() throws {
        struct Kept: JSONModel, Equatable {
            let owner: Int
            let login: String
            static let plan = ModelPlan<Kept>(
                JSONField(\.owner, default: 7), JSONField(\.login, key: "owner.login"))
        }
        let (value, issues) = try reported(
            Kept.self, #"{"owner":{"login":"me"}}"#, with: .with { $0.coercion = .mjExtension })
        #expect(value == Kept(owner: 7, login: "me"))
        #expect(issues.map(\.path) == ["owner"])
    }

    @Test func `a failure of the whole drops the enclosing element with its parts`() throws {
        struct Lists: JSONModel, Equatable {
            var list: [WholeFirst] = []
            var names: [String: WholeFirst] = [:]
            static let plan = ModelPlan<Lists>(
                JSONField(\.list, default: []).lossy(), JSONField(\.names, default: [:]).lossy())
        }
        let good = #"{"id":2,"owner":{"login":"a"}}"#
        let bad = #"{"owner":{"age":[],"login":"b"},"id":3}"#
        let (value, issues) = try reported(
            Lists.self, #"{"list":[\#(bad),\#(good),\#(bad)],"names":{"x":\#(bad),"y":\#(good),"z":\#(bad)}}"#)
        let expected = WholeFirst(owner: Owner(login: "a", age: nil), login: "a", id: 2)
        #expect(value == Lists(list: [expected], names: ["y": expected]))
        #expect(
            issues.brief == [
                "list[0].owner.age: an integer, not an array", "list[2].owner.age: an integer, not an array",
                "names.x.owner.age: an integer, not an array", "names.z.owner.age: an integer, not an array",
            ])
    }

    @Test func `an element of an array can be decoded as a whole and in parts`() throws {
        struct Elements: JSONModel, Equatable {
            let first: Owner
            let login: String
            let second: String?
            let third: [Owner]
            let names: [String]
            static let plan = ModelPlan<Elements>(
                JSONField(\.first, key: "list[0]"), JSONField(\.login, key: "list[0].login"),
                JSONField(\.second, key: "list[1].login"), JSONField(\.third, key: "list[2]", default: []),
                JSONField(\.names, key: "list[2][*].login", default: []))
        }
        let text = #"{"list":[{"login":"a","age":1},{"login":"b"},[{"login":"c"},{"login":"d"}],5]}"#
        #expect(
            try decode(Elements.self, text)
                == Elements(
                    first: Owner(login: "a", age: 1), login: "a", second: "b",
                    third: [Owner(login: "c", age: nil), Owner(login: "d", age: nil)], names: ["c", "d"]))
        let issue = try refusal(Elements.self, #"{"list":[{"login":"a"},{"login":5}]}"#)
        #expect(issue.path == "list[1].login")
    }

    struct Changed: JSONModel, Equatable {
        var owner: Owner?
        var login: String?
        static let plan = ModelPlan<Changed>(JSONField(\.owner), JSONField(\.login, key: "owner.login"))
    }

    @Test func `a merge changes the whole and its parts`() throws {
        for source in JSONModelDecoder.Source.allCases {
            for policy in [JSONModelDecoder.DuplicateKeys.lastWins, .reject] {
                let decoder = JSONModelDecoder.with { ($0.source, $0.duplicateKeys) = (source, policy) }
                var value = Changed(owner: Owner(login: "a", age: 1), login: "a")
                try decoder.merge(#"{"owner":{"login":"b","age":2}}"#, into: &value)
                #expect(value == Changed(owner: Owner(login: "b", age: 2), login: "b"))
                let text = #"{"owner":{"login":"c"},"owner":{"login":"d"}}"#
                guard policy == .reject else {
                    try decoder.merge(text, into: &value)
                    #expect(value.login == "d" && value.owner?.login == "d")
                    continue
                }
                #expect(throws: JSONModelError.self) { try decoder.merge(text, into: &value) }
                #expect(value.login == "b")
            }
        }
    }

    struct Required: JSONModel, Equatable {
        var owner: Owner
        var login: String
        static let plan = ModelPlan<Required>(JSONField(\.owner), JSONField(\.login, key: "owner.login"))
    }

    // The value was destroyed at its key, before the null.
    @Test(
        arguments: [JSONMergeOptions.Nested.replace, .merge],
        [#"{"owner":null}"#, #"{"owner":{"login":"b"},"owner":null}"#])
    func `null leaves a value unchanged that is read whole and in parts`(
        _ nested: JSONMergeOptions.Nested, _ text: String
    ) throws {
        let owner = Owner(login: "a", age: 1)
        let optionals = Changed(owner: owner, login: "a")
        #expect(try merged(text, into: optionals, options: JSONMergeOptions(nested: nested)) == optionals)
        let required = Required(owner: owner, login: "a")
        #expect(try merged(text, into: required, options: JSONMergeOptions(nested: nested)) == required)
    }

    @Test func `null clears a value that is read whole and in parts`() throws {
        let before = Changed(owner: Owner(login: "a", age: 1), login: "a")
        let cleared = try merged(#"{"owner":null}"#, into: before, options: .mergePatch)
        #expect(cleared == Changed(owner: nil, login: nil))
        // The value is replaced, not merged, if other properties have parts of it.
        let replaced = try merged(#"{"owner":{"login":"b"}}"#, into: before, options: .mergePatch)
        #expect(replaced == Changed(owner: Owner(login: "b", age: nil), login: "b"))
    }
}
