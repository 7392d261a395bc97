import SluiceCore
import TestSupport
import Testing

/// Values that are decoded from JSON or from a string of JSON.
@Suite(.tags(.embedded)) struct EitherTests {
    struct Owner: JSONModel, Hashable {
        let id: Int
        var name = "?"
        static let plan = ModelPlan<Owner>(JSONField(\.id), JSONField(\.name, default: "?"))
    }

    struct Item: JSONModel, Equatable {
        let owner: Owner
        var maybe: Owner?
        var owners: [Owner] = []
        var byName: [String: Owner?]?
        var nested: [[Owner]]?
        var numbers: [Int]?
        var value: JSONValue?
        var set: Set<Owner>?

        static let plan = ModelPlan<Item>(
            JSONField(embedded: \.owner, as: .either, key: "owner"),
            JSONField(embedded: \.maybe, as: .either, key: "maybe"),
            JSONField(embedded: \.owners, as: .either, key: "owners", default: []),
            JSONField(embedded: \.byName, as: .either, key: "byName"),
            JSONField(embedded: \.nested, as: .either, key: "nested"),
            JSONField(embedded: \.numbers, as: .either, key: "numbers"),
            JSONField(embedded: \.value, as: .either, key: "value"),
            JSONField(embedded: \.set, as: .either, key: "set"))
    }

    struct Present: JSONModel, Equatable {
        var list: JSONPresence<[Int]>
        static let plan = ModelPlan<Present>(JSONField(embedded: \.list, key: "list"))
    }

    @Test func `JSON in a string distinguishes a missing key from null`() throws {
        let values: [(String, JSONPresence<[Int]>)] = [
            (#"{"list":"[1,2]"}"#, .value([1, 2])), (#"{"list":null}"#, .null), ("{}", .absent),
        ]
        for (text, list) in values {
            #expect(try decode(Present.self, text) == Present(list: list))
            #expect(try encode(Present(list: list)) == text)
        }
    }

    @Test func `a model is an object or a string`() throws {
        let expected = Item(owner: Owner(id: 1, name: "Ann"))
        #expect(try decode(Item.self, #"{"owner": {"id": 1, "name": "Ann"}}"#) == expected)
        #expect(try decode(Item.self, #"{"owner": "{\"id\": 1, \"name\": \"Ann\"}"}"#) == expected)
        #expect(try decode(Item.self, #"{"owner": " {\"id\":1,\"name\":\"\\u0041nn\"} "}"#) == expected)
    }

    @Test func `optionals and containers of models have both forms at any depth`() throws {
        let ann = Owner(id: 1)
        let bob = Owner(id: 2)
        let text = #"""
            {"owner": {"id": 1}, "maybe": "{\"id\": 2}", "owners": [{"id": 1}, "{\"id\": 2}"],
             "byName": {"a": "{\"id\": 1}", "b": null, "c": {"id": 2}}, "nested": ["[{\"id\":1}]", ["{\"id\":2}"], []],
             "numbers": "[1, 2]", "value": "{\"a\": [null]}", "set": ["{\"id\": 1}", {"id": 2}]}
            """#
        let item = try decode(Item.self, text)
        #expect(item.maybe == bob)
        #expect(item.owners == [ann, bob])
        #expect(item.byName == ["a": ann, "b": nil, "c": bob])
        #expect(item.nested == [[ann], [bob], []])
        #expect(item.numbers == [1, 2])
        #expect(item.value == ["a": [nil]])
        #expect(item.set == [ann, bob])
        let whole = #"{"owner": {"id": 1}, "owners": "[{\"id\": 1}, {\"id\": 2}]", "byName": "{\"a\":{\"id\":1}}"}"#
        #expect(try decode(Item.self, whole).owners == [ann, bob])
        #expect(try decode(Item.self, whole).byName == ["a": ann])
    }

    /// An owner whose JSON is an array.
    struct Numbers: JSONTransform {
        func decode(_ json: [Int]) throws -> Owner { Owner(id: json.first ?? 0) }
        func encode(_ owner: Owner) throws -> [Int] { [owner.id] }
    }

    struct Pair: JSONModel, Equatable {
        var plain: Owner?
        var maybe: Owner?
        var owners: [Owner]
        static let plan = ModelPlan<Pair>(
            JSONField(\.plain), JSONField(embedded: \.maybe, as: .either, key: "maybe"),
            JSONField(embedded: \.owners, as: .either, key: "owners"))
    }

    @Test func `values with a registered transform have both forms`() throws {
        let decoder = JSONModelDecoder.with { $0.register(Numbers()) }
        let text = #"{"plain": [1], "maybe": "[2]", "owners": [[3], "[4]"]}"#
        let pair = Pair(plain: Owner(id: 1), maybe: Owner(id: 2), owners: [Owner(id: 3), Owner(id: 4)])
        #expect(try decode(Pair.self, text, with: decoder) == pair)
        #expect(try decode(Pair.self, #"{"maybe": [2], "owners": "[[3]]"}"#, with: decoder).maybe == Owner(id: 2))
        #expect(try refusal(Pair.self, #"{"plain": "[1]", "owners": []}"#, with: decoder).path == "plain")
    }

    @Test func `null is nil outside and inside of the string`() throws {
        #expect(try decode(Item.self, #"{"owner": {"id": 1}, "maybe": null, "owners": null}"#).maybe == nil)
        #expect(try decode(Item.self, #"{"owner": {"id": 1}, "maybe": "null"}"#).maybe == nil)
        #expect(try refusal(Item.self, #"{"owner": null}"#).path == "owner")
        #expect(try refusal(Item.self, #"{"owner": "null"}"#).path == "owner")
    }

    @Test func `a string that is not the JSON of the value is an error`() throws {
        let mismatch = try refusal(Item.self, #"{"owner": 5}"#)
        #expect(mismatch.kind == .typeMismatch(expected: "an object or a string of JSON", found: "a number"))
        for text in [#""""#, #""x""#, #""{\"id\": 1""#, #""{\"id\": 1} 2""#, #""5""#, #""\"{}\"""#] {
            let issue = try refusal(Item.self, "{\"owner\": \(text)}")
            #expect(issue.path.description.hasPrefix("owner"), "\(text)")
            #expect(issue.location.offset >= 10, "\(text)")
        }
        #expect(try refusal(Item.self, #"{"owner": "{\"id\": \"a\"}"}"#).path == "owner.id")
        #expect(try refusal(Item.self, #"{"owner": {"id": 1}, "owners": [{"id": 1}, "[]"]}"#).path == "owners[1]")
        // A number in a string is not an element with two forms.
        #expect(try refusal(Item.self, #"{"owner": {"id": 1}, "numbers": ["1"]}"#).path == "numbers[0]")
    }

    @Test func `strings in strings count toward the limit of depth`() throws {
        let decoder = JSONModelDecoder.with { $0.limits.depth = 4 }
        let deep = #"{"owner": {"id": 1}, "value": "[[[[1]]]]"}"#
        #expect(try refusal(Item.self, deep, with: decoder).path.description.hasPrefix("value"))
        #expect(try decode(Item.self, #"{"owner": {"id": 1}, "value": "[[1]]"}"#, with: decoder).value == [[1]])
    }

    @Test func `the value is encoded as JSON`() throws {
        let item = Item(
            owner: Owner(id: 1, name: "Ann"), owners: [Owner(id: 2)], byName: ["a": nil], numbers: [1], value: "x")
        let text = try JSONModelEncoder().encode(item, as: .string)
        #expect(
            text == #"{"owner":{"id":1,"name":"Ann"},"owners":[{"id":2,"name":"?"}],"#
                + #""byName":{"a":null},"numbers":[1],"value":"x"}"#)
    }

    @Test func `defaults apply and failed elements are dropped`() throws {
        struct Lossy: JSONModel, Equatable {
            var owners: [Owner]
            var first: Owner?
            static let plan = ModelPlan<Lossy>(
                JSONField(embedded: \.owners, as: .either, key: "owners").lossy(),
                JSONField(embedded: \.first, as: .either, key: "first", default: nil).defaulting(on: [
                    .missing, .null, .mismatch,
                ]))
        }
        let text = #"{"owners": ["{\"id\": 1}", "x", {"id": 2}, "{\"id\": true}", 5], "first": "{\"id\": 1"}"#
        let (value, issues) = try reported(Lossy.self, text)
        #expect(value == Lossy(owners: [Owner(id: 1), Owner(id: 2)], first: nil))
        #expect(issues.map(\.path) == ["owners[1]", "owners[3].id", "owners[4]", "first.id"])
    }

    @Test func `a string replaces the value of a merge, and an object changes it`() throws {
        var item = Item(owner: Owner(id: 1, name: "Ann"), owners: [Owner(id: 5)])
        let decoder = JSONModelDecoder()
        try decoder.merge(#"{"owner": {"id": 2}}"#, into: &item, options: .mergePatch)
        #expect(item.owner == Owner(id: 2, name: "Ann"))
        try decoder.merge(#"{"owner": "{\"id\": 3}", "owners": "[{\"id\":6}]"}"#, into: &item, options: .mergePatch)
        #expect(item.owner == Owner(id: 3))
        #expect(item.owners == [Owner(id: 6)])
        #expect(throws: JSONModelError.self) {
            try decoder.merge(#"{"owner": "{\"id\": 4, \"name\": 5}"}"#, into: &item)
        }
        #expect(item.owner == Owner(id: 3))
    }

    enum Event: JSONEnum, Equatable {
        case push(Owner)
        case ping
        static let plan = ModelPlan<Event>(cases: [.embedded("push", Self.push, as: .either), .of("ping", .ping)])
    }

    struct Log: JSONModel, Equatable {
        let event: Event
        let all: [Event]
        static let plan = ModelPlan<Log>(JSONField(embedded: \.event, as: .either, key: "event"), JSONField(\.all))
    }

    @Test func `the value of a case and an enum have both forms`() throws {
        let text =
            #"{"event": "{\"push\": \"{\\\"id\\\": 1}\"}", "all": [{"push": {"id": 2}}, {"push": "{\"id\":3}"}, "ping"]}"#
        let log = try decode(Log.self, text)
        #expect(log == Log(event: .push(Owner(id: 1)), all: [.push(Owner(id: 2)), .push(Owner(id: 3)), .ping]))
        #expect(try decode(Log.self, #"{"event": "\"ping\"", "all": []}"#).event == .ping)
        let encoded = try JSONModelEncoder().encode(log, as: .string)
        #expect(try decode(Log.self, encoded.replacing("\"ping\"", with: "\"ping\"")) == log)
    }

    @Test func `the name of a case without a value needs no quotes`() throws {
        let log = Log(event: .ping, all: [])
        #expect(try decode(Log.self, #"{"event": "ping", "all": []}"#) == log)
        #expect(try decode(Log.self, #"{"event": " \"ping\"", "all": []}"#) == log)
        #expect(try decode(Log.self, try encode(log)) == log)
        let issue = try refusal(Log.self, #"{"event": "pong", "all": []}"#)
        #expect(
            issue.kind
                == .invalidValue(expected: #"one of "push", "ping""#, reason: #""pong" is not one of its cases"#))
        let maybe = try decode(Maybe.self, #"{"events": ["ping", null, "null", "\"ping\""]}"#)
        #expect(maybe.events == [.ping, nil, nil, .ping])
    }

    struct Maybe: JSONModel, Equatable {
        let events: [Event?]
        static let plan = ModelPlan<Maybe>(JSONField(embedded: \.events, as: .either, key: "events"))
    }

    @Test func `values in memory have both forms`() throws {
        let value: JSONValue = ["owner": "{\"id\": 1}", "owners": [["id": 2]]]
        #expect(
            try JSONModelDecoder().decode(Item.self, from: value)
                == Item(owner: Owner(id: 1), owners: [Owner(id: 2)]))
    }
}
