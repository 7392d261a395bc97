import SluiceCore
import TestSupport
import Testing

/// Keys derived from property names: per model, per decoder, and the exceptions.
@Suite(.tags(.keys)) struct KeyOptionTests {
    struct Inner: JSONModel, Equatable {
        let lastSeenAt: Int
        static let plan = ModelPlan<Inner>(JSONField(\.lastSeenAt, name: "lastSeenAt"))
    }

    struct Model: JSONModel, Equatable {
        let imageURL: String
        let userID: Int
        let fullName: String?
        let inner: Inner
        let old: Int?
        static let plan = ModelPlan<Model>(
            JSONField(\.imageURL, name: "imageURL"), JSONField(\.userID, name: "userID", key: "ID"),
            JSONField(\.fullName, name: "fullName", or: "name", "who.name"), JSONField(\.inner, name: "inner"),
            JSONField(\.old, name: "old", or: "previousValue"))
    }

    struct Snake: JSONModel, Equatable {
        let imageURL: String
        let inner: Inner
        static let plan = ModelPlan<Snake>(
            [JSONField(\.imageURL, name: "imageURL"), JSONField(\.inner, name: "inner")], keys: .snakeCase)
    }

    private func model(_ name: String?) -> Model {
        Model(imageURL: "u", userID: 1, fullName: name, inner: Inner(lastSeenAt: 2), old: nil)
    }

    @Test func `the key is the property name by default`() throws {
        let text = #"{"imageURL":"u","ID":1,"fullName":"n","inner":{"lastSeenAt":2}}"#
        #expect(try decode(Model.self, text) == model("n"))
    }

    @Test func `the strategy of the decoder applies to models without a strategy`() throws {
        let decoder = JSONModelDecoder.with { $0.keyStrategy = .snakeCase }
        let text = #"{"image_url":"u","ID":1,"full_name":"n","inner":{"last_seen_at":2}}"#
        #expect(try decode(Model.self, text, with: decoder) == model("n"))
        let issue = try refusal(Model.self, #"{"imageURL":"u"}"#, with: decoder)
        #expect(issue.kind == .missingKeys(["image_url", "ID", "inner"]))
        // The same plan without the option.
        #expect(try refusal(Model.self, text).kind == .missingKeys(["lastSeenAt"]))
        #expect(try refusal(Inner.self, #"{"last_seen_at":2}"#).kind == .missingKeys(["lastSeenAt"]))
    }

    @Test func `the strategy of a model overrides the decoder's`() throws {
        let text = #"{"image_url":"u","inner":{"lastSeenAt":2}}"#
        let expected = Snake(imageURL: "u", inner: Inner(lastSeenAt: 2))
        #expect(try decode(Snake.self, text) == expected)
        let kebab = JSONModelDecoder.with { $0.keyStrategy = .kebabCase }
        #expect(try decode(Snake.self, #"{"image_url":"u","inner":{"last-seen-at":2}}"#, with: kebab) == expected)
    }

    @Test func `further candidates rank below the key of the strategy`() throws {
        let decoder = JSONModelDecoder.with { $0.keyStrategy = .snakeCase }
        let lead = #"{"image_url":"u","ID":1,"inner":{"last_seen_at":2},"#
        for (text, name) in [
            (#""full_name":"a","name":"b","who":{"name":"c"}}"#, "a"), (#""who":{"name":"c"},"name":"b"}"#, "b"),
            (#""name":"b","full_name":null,"who":{"name":"c"}}"#, "b"), (#""who":{"name":"c"},"name":null}"#, "c"),
        ] { #expect(try decode(Model.self, lead + text, with: decoder) == model(name), "\(text)") }
    }

    @Test func `every strategy can be the decoder's`() throws {
        for (strategy, key) in [
            (JSONKeyStrategy.snakeCase, "last_seen_at"), (.snakeCasePerLetter, "last_seen_at"),
            (.kebabCase, "last-seen-at"), (.screamingSnakeCase, "LAST_SEEN_AT"),
            (.firstLetterUppercase, "LastSeenAt"), (.upperCase, "LASTSEENAT"),
            (.firstLetterUppercase, "LastSeenAt"), (.asDeclared, "lastSeenAt"),
            (.custom { String($0.reversed()) }, "tAneeStsal"), (.custom { "a.\($0)" }, "a.lastSeenAt"),
        ] {
            let decoder = JSONModelDecoder.with { $0.keyStrategy = strategy }
            #expect(try decode(Inner.self, #"{"\#(key)":5}"#, with: decoder) == Inner(lastSeenAt: 5), "\(key)")
        }
    }

    struct Nameless: JSONModel, Equatable {
        let first: Int
        let nameless: Int
        let last: Int?
        static let plan = ModelPlan<Nameless>(
            JSONField(\.first, name: "first"), JSONField(\.nameless, name: "nameless"),
            JSONField(\.last, name: "last"))
    }

    @Test func `a key may be empty`() throws {
        let strategy = JSONKeyStrategy.custom { $0 == "nameless" ? "" : $0 }
        let decoder = JSONModelDecoder.with { $0.keyStrategy = strategy }
        let expected = Nameless(first: 1, nameless: 2, last: 3)
        for text in [
            #"{"first":1,"":2,"last":3}"#, #"{"":2,"first":1,"last":3}"#, #"{"last":3,"first":1,"x":0,"":2}"#,
            // Another key is expected after each of these.
            #"{"last":3,"":2,"first":1}"#, #"{"first":1,"last":3,"":2}"#,
        ] { #expect(try decode(Nameless.self, text, with: decoder) == expected) }
        let issue = try refusal(Nameless.self, #"{"last":3,"":"x","first":1}"#, with: decoder)
        #expect(issue.kind == .typeMismatch(expected: "an integer", found: "a string"))
        #expect(issue.path == JSONPath([.key("")]) && issue.property == "nameless")
        let encoder = JSONModelEncoder.with { $0.keyStrategy = strategy }
        #expect(try encode(expected, with: encoder) == #"{"first":1,"":2,"last":3}"#)
    }

    @Test func `the description of a plan shows the converted keys`() {
        #expect(
            "\(Snake.plan)" == """
                Snake: 2 fields
                key        property  type    offset
                image_url  imageURL  String       0  required
                inner      inner     Inner       16  required
                """)
    }

    @Test func `a strategy that gives two properties the same key is a defect`() throws {
        struct Twice: JSONModel {
            let someName: Int
            let somename: Int
            static let plan = ModelPlan<Twice>(
                JSONField(\.someName, name: "someName"), JSONField(\.somename, name: "somename"))
        }
        let decoder = JSONModelDecoder.with { $0.keyStrategy = .upperCase }
        #expect(throws: JSONModelError.self) { try decoder.decode(Twice.self, from: #"{"SOMENAME":1}"#) }
        _ = try JSONModelDecoder().decode(Twice.self, from: #"{"someName":1,"somename":2}"#)
    }
}
