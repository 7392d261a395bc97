import SluiceCore
import TestSupport
import Testing

/// `JSONPresence`, `JSONLazy`, and JSON inside of strings.
@Suite(.tags(.keys)) struct WrappedValueTests {
    struct Part: JSONModel, Equatable, Hashable {
        let id: Int
        let name: String?
        static let plan = ModelPlan<Part>(JSONField(\.id), JSONField(\.name))
    }

    // MARK: JSONPresence

    struct Fields: JSONModel, Equatable {
        let name: JSONPresence<String>
        let part: JSONPresence<Part>
        let list: JSONPresence<[Int?]>
        static let plan = ModelPlan<Fields>(
            JSONField(\.name, key: "name", or: "title"), JSONField(\.part), JSONField(\.list, key: "way.list"))
    }

    @Test func `JSONPresence distinguishes missing keys, nulls and values`() throws {
        #expect(try decode(Fields.self, "{}") == Fields(name: .absent, part: .absent, list: .absent))
        #expect(
            try decode(Fields.self, #"{"name":null,"part":null,"way":{"list":null}}"#)
                == Fields(name: .null, part: .null, list: .null))
        #expect(
            try decode(Fields.self, #"{"name":"n","part":{"id":1},"way":{"list":[1,null]}}"#)
                == Fields(name: .value("n"), part: .value(Part(id: 1, name: nil)), list: .value([1, nil])))
        #expect(try decode(Fields.self, #"{"part":{"id":1},"part":null}"#).part == .null)
        #expect(try decode([JSONPresence<Int>].self, "[1,null]") == [.value(1), .null])
        #expect(try refusal(Fields.self, #"{"part":{"name":"x"}}"#).path == "part")
        #expect(try refusal(Fields.self, #"{"name":5}"#).property == "name")
    }

    // MARK: JSONLazy

    struct Lazy: JSONModel, Equatable {
        let part: JSONLazy<Part>
        let maybe: JSONLazy<[Int]>?
        let list: [JSONLazy<Part>]
        static let plan = ModelPlan<Lazy>(JSONField(\.part), JSONField(\.maybe), JSONField(\.list, default: []))
    }

    @Test func `JSONLazy decodes its value on access`() throws {
        let value = try decode(Lazy.self, #"{"part":{"id" : 1},"maybe":[1,2],"list":[{"id":2},7]}"#)
        #expect(value.part.raw.description == #"{"id" : 1}"#)
        #expect(try value.part.value == Part(id: 1, name: nil))
        #expect(try value.maybe?.value == [1, 2])
        #expect(try value.list[0].value.id == 2)
        let error = #expect(throws: JSONModelError.self) { try value.list[1].value }
        #expect(error?.issues.brief == ["list[1]: an object, not a number"])
        #expect(throws: JSONModelError.self) { try value.list[1].value }
        #expect(try decode(Lazy.self, #"{"part":"x","maybe":null}"#).maybe == nil)
        #expect(try decode(Lazy.self, #"{"part":"x"}"#) != value)
        #expect(try refusal(Lazy.self, #"{"part":{"id":01}}"#).location.offset == 15)
        #expect(try refusal(Lazy.self, "{}").kind == .missingKeys(["part"]))
    }

    @Test func `JSONLazy keeps the options of the decoder`() throws {
        let decoder = JSONModelDecoder.with { $0.coercion = .lenient }
        #expect(try decode(Lazy.self, #"{"part":{"id":"5"}}"#, with: decoder).part.value.id == 5)
        let strict = try decode(Lazy.self, #"{"part":{"id":"5"}}"#)
        #expect(throws: JSONModelError.self) { try strict.part.value }
    }

    // MARK: JSON in strings

    struct Embedded: JSONModel, Equatable {
        let part: Part
        let maybe: Part?
        let numbers: [Int]
        let count: Int?
        static let plan = ModelPlan<Embedded>(
            JSONField(embedded: \.part, key: "part", or: "p"), JSONField(embedded: \.maybe, key: "maybe"),
            JSONField(embedded: \.numbers, key: "way.numbers", default: [9]),
            JSONField(embedded: \.count, key: "count"))
    }

    @Test func `embedded JSON is decoded from strings`() throws {
        let value = try decode(
            Embedded.self,
            #"{"part":"{\"id\":1,\"name\":\"\\u00e9\"}","maybe":" null ","way":{"numbers":"[1,2]"},"count":"3"}"#)
        #expect(value == Embedded(part: Part(id: 1, name: "é"), maybe: nil, numbers: [1, 2], count: 3))
        #expect(
            try decode(Embedded.self, #"{"p":"{\"id\":1}","maybe":"{\"id\":2}","way":{"numbers":null}}"#)
                == Embedded(part: Part(id: 1, name: nil), maybe: Part(id: 2, name: nil), numbers: [9], count: nil))
        #expect(try decode(Embedded.self, #"{"part":"{\"id\":1}","maybe":null,"count":null}"#).count == nil)
        #expect(try decode(Embedded.self, #"{"part":"{\"id\":1}","part":"{\"id\":2}"}"#).part.id == 2)
        #expect(try decode(Embedded.self, #"{"p":"{\"id\":1}","part":"{\"id\":2}"}"#).part.id == 2)
    }

    @Test func `errors in embedded JSON have the outer path and location`() throws {
        let issue = try refusal(Embedded.self, #"{"part": "{\"id\":[]}"}"#)
        #expect(issue.kind == .typeMismatch(expected: "an integer", found: "an array"))
        #expect((issue.path, issue.location.offset, issue.property) == ("part.id", 9, "id"))
        let list = try refusal(Embedded.self, #"{"way":{"numbers":"[1,\"x\"]"}}"#)
        #expect((list.path, list.location.offset) == ("way.numbers[1]", 18))
        let syntax = try refusal(Embedded.self, #"{"part":"{\"id\":}"}"#)
        #expect(syntax.kind == .syntax("a value is missing after the colon"))
        #expect((syntax.path, syntax.location.offset) == ("part.id", 8))
        #expect(try refusal(Embedded.self, #"{"part":""}"#).kind == .emptyInput)
        #expect(try refusal(Embedded.self, #"{"part":"{\"id\":1} x"}"#).kind == .trailingContent)
        #expect(
            try refusal(Embedded.self, #"{"part":{"id":1}}"#).kind
                == .typeMismatch(expected: "a string", found: "an object"))
        #expect(try refusal(Embedded.self, #"{"part":null,"p":null}"#).kind == .missingKeys(["part"]))
        #expect(try refusal(Embedded.self, #"{"part":"null"}"#).kind == .missingKeys(["part"]))
    }

    @Test func `the options of the decoder apply to embedded JSON`() throws {
        let decoder = JSONModelDecoder.with { $0.coercion = .lenient }
        #expect(try decode(Embedded.self, #"{"part":"{\"id\":\"1\"}","count":"\"7\""}"#, with: decoder).count == 7)
        let issues = try refusals(
            Embedded.self, #"{"part":"{\"id\":[],\"name\":5}","count":"x","way":{"numbers":"[1,true,2,{}]"}}"#,
            with: .collecting)
        #expect(issues.map(\.path) == ["part.id", "part.name", "count", "way.numbers[1]", "way.numbers[3]"])
        #expect(issues.map(\.location.offset) == [8, 8, 41, 62, 62])
    }

    @Test func `values made from other values count toward the limit of depth`() throws {
        typealias Three<Value: JSONConvertible> = JSONPresence<JSONPresence<JSONPresence<Value>>>
        var decoder = JSONModelDecoder()
        decoder.limits.depth = 1
        #expect(try decoder.decode(Three<Three<Int>>.self, from: "7").value?.value?.value?.value?.value?.value == 7)
        let issue = try refusal(Three<Three<JSONPresence<Int>>>.self, "7", with: decoder)
        #expect(issue.kind == .limitExceeded(.depth, limit: 1))
        decoder.limits.depth = 2
        #expect(try decoder.decode(Three<Three<JSONPresence<Int>>>.self, from: "7") != .null)
    }

    @Test func `a string that is not JSON is one issue of its property`() throws {
        for cut in [#"{\"id\":1,\"name\":"#, #"{\"id\":1,\"name\":\"a\""#, #"{\"id\":1,"#] {
            let issues = try refusals(Embedded.self, #"{"part":"\#(cut)","count":"x"}"#, with: .collecting)
            #expect(issues.map(\.location.offset) == [8, 8 + cut.utf8.count + 11])
        }
    }

    struct Nest: JSONModel, Equatable {
        let a: JSONValue
        static let plan = ModelPlan<Nest>(JSONField(embedded: \.a, key: "a"))
    }

    /// What is open around the string counts too.
    @Test func `the depth of embedded JSON counts toward the limit`() throws {
        let decoder = JSONModelDecoder.with { $0.limits.depth = 4 }
        func nested(_ depth: Int) -> String {
            let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
            return #"[{"a":"\#(text)"}]"#
        }
        _ = try decode([Nest].self, nested(2), with: decoder)
        let issue = try refusal([Nest].self, nested(3), with: decoder)
        guard case .limitExceeded(.depth, _) = issue.kind else {
            Issue.record("\(issue)")
            return
        }
        #expect(issue.path.components.first == .index(0))
    }

    @Test func `JSONPresence takes the first candidate with a value`() throws {
        #expect(try decode(Fields.self, #"{"title":"t","name":"n"}"#).name == .value("n"))
        #expect(try decode(Fields.self, #"{"title":"t"}"#).name == .value("t"))
        #expect(try decode(Fields.self, #"{"title":null}"#).name == .null)
        // Null does not end the search.
        #expect(try decode(Fields.self, #"{"name":null,"title":"t"}"#).name == .value("t"))
        #expect(try decode(Fields.self, #"{"title":"t","name":null}"#).name == .value("t"))
    }
}
