import SluiceCore
import TestSupport
import Testing

extension Regressions {
    /// Features of fields that were wrong in combination.
    struct FieldTests {
        typealias Cases = DefaultCaseTests.Cases
        typealias Kept = CoercionOptionTests.Kept
        typealias Fields = WrappedValueTests.Fields
        typealias Size = FlattenTests.Size
        typealias Fine = FlattenTests.Fine
        typealias Trim = TransformTests.Trim

        struct Point: JSONModel, Equatable {
            let xValue: Int
            static let plan = ModelPlan<Point>(JSONField(\.xValue, name: "xValue"))
        }

        struct Models: JSONModel, Equatable {
            let points: [Point]
            let optional: [Point]?
            static let plan = ModelPlan<Models>(
                JSONField(\.points, key: "list[*].at"), JSONField(\.optional, key: "list[*].also[*]"))
        }

        /// The elements' plan is the one under the decoder's options.
        @Test func `the options of the decoder apply to gathered models`() throws {
            let text = #"{"list":[{"at":{"x":1},"also":[{"x":2},{"x":3}]},{"also":[],"at":{"x":4}}]}"#
            let expected = Models(
                points: [Point(xValue: 1), Point(xValue: 4)], optional: [Point(xValue: 2), Point(xValue: 3)])
            let snake = JSONModelDecoder.with { $0.keyStrategy = .snakeCase }
            #expect(
                try decode(Models.self, text.replacing("\"x\"", with: "\"x_value\""), with: snake) == expected)
            #expect(try decode(Models.self, text.replacing("\"x\"", with: "\"xValue\"")) == expected)
            let issue = try refusal(Models.self, text.replacing("\"x\"", with: "\"xValue\""), with: snake)
            #expect(issue.kind == .missingKeys(["x_value"]))
            #expect(issue.path == "list[0].at")
        }

        struct Texts: JSONModel, Equatable {
            let a: String
            let b: String?
            let c: [String]
            let d: [String: [String?]]
            let e: Set<String>?
            static let plan = ModelPlan<Texts>(
                JSONField(\.a, key: "a"), JSONField(\.b, key: "b"), JSONField(\.c, key: "c"),
                JSONField(\.d, key: "d"),
                JSONField(\.e, key: "e"))
        }

        @Test func `a registered transform applies to every value of a type`() throws {
            let decoder = JSONModelDecoder.with { $0.register(Trim()) }
            let text = #"{"a":" x","b":" y","c":[" z"],"d":{" k":[" v",null]},"e":["w"]}"#
            #expect(
                try decode(Texts.self, text, with: decoder)
                    == Texts(a: "x!", b: "y!", c: ["z!"], d: [" k": ["v!", nil]], e: ["w!"]))
            #expect(
                try decode(Texts.self, text)
                    == Texts(a: " x", b: " y", c: [" z"], d: [" k": [" v", nil]], e: ["w"]))
            #expect(try decode(String?.self, #"" x""#, with: decoder) == "x!")
            #expect(try decode(Texts.self, #"{"a":"","b":null,"c":[],"d":{}}"#, with: decoder).b == nil)
        }

        @Test func `each condition alone applies the default`() throws {
            let (value, issues) = try reported(Cases.self, #"{"null":null,"mismatch":"x","all":[1,{}]}"#)
            #expect(value == Cases(missing: 10, null: 20, mismatch: 30, all: 40))
            #expect(issues.brief == ["mismatch: an integer, not a string", "all: an integer, not an array"])
            #expect(issues.map(\.location.offset) == [24, 34])
            let values = Cases(missing: 1, null: 2, mismatch: 3, all: 4)
            #expect(try decode(Cases.self, #"{"missing":1,"null":2,"mismatch":3,"all":4}"#) == values)
            #expect(try decode(Cases.self, #"{"missing":1,"null":2,"mismatch":3,"all":null}"#).all == 40)
            #expect(try decode(Cases.self, #"{"missing":1,"null":2,"mismatch":3}"#).all == 40)
        }

        @Test func `other conditions are errors`() throws {
            let rest = #","null":1,"mismatch":1}"#
            #expect(try refusal(Cases.self, #"{"missing":null"# + rest).path == "missing")
            #expect(try refusal(Cases.self, #"{"missing":"x""# + rest).path == "missing")
            #expect(try refusal(Cases.self, #"{"mismatch":1}"#).kind == .missingKeys(["null"]))
            #expect(try refusal(Cases.self, #"{"null":"x","mismatch":1}"#).path == "null")
            #expect(try refusal(Cases.self, #"{"null":1}"#).kind == .missingKeys(["mismatch"]))
            #expect(try refusal(Cases.self, #"{"null":1,"mismatch":null}"#).path == "mismatch")
        }

        /// A nested model that fails half-way leaves nil behind, not what it had.
        @Test func `a nested model that fails halfway becomes nil`() throws {
            let decoder = JSONModelDecoder.with { $0.coercion = .mjExtension }
            for text in [
                #"{"part":{"map":{"a":true},"list":[1,2],"number":[]},"needed":1}"#,
                #"{"part":{"map":{"a":true},"list":[1,2]},"needed":1}"#,
            ] {
                #expect(try reported(Kept.self, text, with: decoder).value.part == nil, "\(text)")
            }
        }

        @Test func `JSONPresence takes the first candidate with a value`() throws {
            #expect(try decode(Fields.self, #"{"title":"t","name":"n"}"#).name == .value("n"))
            #expect(try decode(Fields.self, #"{"title":"t"}"#).name == .value("t"))
            #expect(try decode(Fields.self, #"{"title":null}"#).name == .null)
            // Null does not end the search.
            #expect(try decode(Fields.self, #"{"name":null,"title":"t"}"#).name == .value("t"))
            #expect(try decode(Fields.self, #"{"title":"t","name":null}"#).name == .value("t"))
        }

        struct Holder: JSONModel, Equatable {
            let fine: Fine?
            let size: Size?
            static let plan = ModelPlan<Holder>(JSONField(flatten: \.fine), JSONField(flatten: \.size))
        }

        @Test func `two optional flattened models are independent`() throws {
            #expect(try decode(Holder.self, "{}") == Holder(fine: nil, size: nil))
            #expect(try decode(Holder.self, #"{"b":[1]}"#) == Holder(fine: Fine(a: nil, b: [1]), size: nil))
            #expect(
                try decode(Holder.self, #"{"x":1,"pos":{"y":2},"width":3}"#)
                    == Holder(
                        fine: nil,
                        size: Size(
                            width: 3, point: FlattenTests.Point(x: 1, y: 2, label: nil, scale: 1, decoded: 1))))
            // One that throws leaves nothing of the other, whether that is there or not.
            #expect(try refusal(Holder.self, #"{"x":-1,"pos":{"y":2},"width":3}"#).kind == .thrown)
            #expect(try refusal(Holder.self, #"{"x":-1,"pos":{"y":2},"width":3,"a":"a"}"#).kind == .thrown)
        }

        typealias Action = FlattenedEnumTests.Action<FlattenedEnumTests.Internal>

        struct Collecting: JSONModel, Equatable {
            var names: [String]
            var sizes: [Int]
            var action: Action
            static let plan = ModelPlan<Collecting>([
                JSONField(\.names, key: "tags[*].name", default: []),
                JSONField(\.sizes, key: "tags[*].size", default: []), JSONField(flatten: \.action),
            ])
        }

        /// The keys before the enum were searched in the arrays of the outer model.
        @Test func `a model whose elements are collected may have collected properties and an enum`() throws {
            struct Outer: JSONModel, Equatable {
                var parts: [Collecting]
                static let plan = ModelPlan<Outer>(JSONField(\.parts, key: "parts[*].inner"))
            }
            let value = Outer(parts: [
                Collecting(names: ["a", "b"], sizes: [1, 2], action: .push(FlattenedEnumTests.Push(ref: "r"))),
                Collecting(names: [], sizes: [], action: .ping),
            ])
            #expect(
                try encode(value)
                    == #"{"parts":[{"inner":{"tags":[{"name":"a","size":1},{"name":"b","size":2}],"type":"push","ref":"r"}},"#
                    + #"{"inner":{"tags":[],"type":"ping"}}]}"#)
            try expectRoundTrip(value)
        }

        final class Sender: JSONModel {
            struct Storage {
                var before = 13
                var one: UnionEncodingTests.Hooked
                var other: FlattenTests.Size?
            }
            let storage: Storage
            init(_ storage: Storage) { self.storage = storage }
            static let plan = ModelPlan<Sender>(
                storage: Storage.self,
                [JSONField(\.before), JSONField(flatten: \.one), JSONField(flatten: \.other)],
                make: { Sender($0) }, read: { $0.storage })
        }

        /// Hooks before encoding were not called for the flattened models of a class.
        @Test func `the hooks of flattened models in a class are called before encoding`() throws {
            let senders = [12, 13].map { Sender(.init(one: .init(id: $0))) }
            #expect(try encode([senders[0]]) == #"[{"before":13,"id":12}]"#)
            let issue = try encodingRefusal(senders)
            #expect(issue.underlying is UnionEncodingTests.Hex.Failure)
            #expect(issue.path == "[1]")
        }
    }
}
