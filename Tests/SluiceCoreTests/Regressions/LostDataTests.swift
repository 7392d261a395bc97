import SluiceCore
import SluiceStreams
import TestSupport
import Testing

extension Regressions {
    /// Values that merging, gathering or writing lost, moved or changed.
    struct LostDataTests {
        typealias Circle = MergePatchTests.Circle
        typealias Everything = MergePatchTests.Everything
        typealias Inner = ModelEncodingTests.Inner

        // MARK: Merges

        @Test func `skipped nulls change nothing`() throws {
            var model = try JSONModelDecoder().decode(Everything.self, from: MergePatchTests.document)
            let before = model
            let patch =
                #"{"account":null,"external":{"circle":{"name":null}},"raw":{"a":null},"extra":{"e":null},"more":null}"#
            try JSONModelDecoder().merge(patch, into: &model, options: JSONMergeOptions(nested: .merge))
            #expect(model == before)
        }

        @Test func `a patch creates, changes and clears an optional flattened model`() throws {
            struct Size: JSONModel, Equatable {
                var width: Int
                var height: Int
                var circle: Circle?
                static let plan = ModelPlan<Size>(JSONField(\.width), JSONField(\.height), JSONField(\.circle))
            }
            struct Box: JSONModel, Equatable {
                var size: Size?
                static let plan = ModelPlan<Box>(JSONField(flatten: \.size))
            }
            for nulls in [JSONMergeOptions.Nulls.skip, .clear] {
                func merged(_ patch: String, into size: Size?) throws -> Size? {
                    var box = Box(size: size)
                    try JSONModelDecoder().merge(
                        patch, into: &box, options: JSONMergeOptions(nulls: nulls, nested: .merge))
                    return box.size
                }
                #expect(try merged(#"{"width":null}"#, into: nil) == nil)
                let patch = #"{"width":1,"height":2,"circle":{"radius":3}}"#
                let size = Size(width: 1, height: 2, circle: Circle(radius: 3, name: nil))
                #expect(try merged(patch, into: nil) == size)
                #expect(try merged(#"{"circle":{"name":"n"}}"#, into: size)?.circle == Circle(radius: 3, name: "n"))
                #expect(throws: JSONModelError.self) { try merged(#"{"width":1}"#, into: nil) }
                let none = try merged(#"{"width":null,"height":null,"circle":null}"#, into: size)
                #expect(none == (nulls == .clear ? nil : size))
            }
        }

        // MARK: Streams

        @Test(arguments: [#"{"id":"x","unknown":[1]}"#, #"{"id":"x","name":"n"}"#, #"{"name":"n","id":"x"}"#])
        func `an element of which a part failed is not delivered after an ignored key`(_ element: String) {
            struct Item: JSONModel {
                let id: Int
                var name: String? = nil
                static let plan = ModelPlan<Item>(JSONField(\.id, key: "id"), JSONField(\.name, key: "name"))
            }
            for only in [nil, ["id"]] as [[JSONPath]?] {
                var decoder = JSONModelDecoder.collecting
                decoder.only = only
                for feed in Feed.all() {
                    var ids: [Int] = []
                    let input = Array("[{\"id\":1},\(element),{\"id\":2}]".utf8)
                    let error = #expect(throws: JSONModelError.self) {
                        try feed.applied(to: decoder).forEach(
                            Item.self, in: .chunks(input.pieces(of: feed.size ?? 99))
                        ) {
                            ids.append($0.id)
                        }
                    }
                    #expect(ids == [1, 2], "\(feed)")
                    #expect(error?.issues.brief == ["[1].id: an integer, not a string"], "\(feed)")
                }
            }
        }

        @Test func `an element of which a part failed is not delivered after a key of a path or without a value`() {
            struct Part: JSONModel, Equatable {
                let id: Int
                var note = 0
                var deep: Int?
                static let plan = ModelPlan<Part>(
                    JSONField(\.id, key: "id"), JSONField(\.note, default: 0).ignored(.decoding),
                    JSONField(\.deep, key: "way.to"))
            }
            for feed in Feed.all() {
                var elements: [[Part]] = []
                let input = Array(
                    #"[[{"id":"x"},{"id":1,"way":{"to":2}}],[{"id":"x"},{"id":1,"note":2}],[{"id":3}]]"#.utf8)
                #expect(throws: JSONModelError.self) {
                    try feed.applied(to: .collecting).forEach(
                        [Part].self, in: .chunks(input.pieces(of: feed.size ?? 99))
                    ) {
                        elements.append($0)
                    }
                }
                #expect(elements == [[Part(id: 3)]], "\(feed)")
            }
        }

        // MARK: Gathered elements

        struct Rows: JSONModel, Equatable {
            let a: [Int?]
            let b: [String?]
            let deep: [Int?]
            static let plan = ModelPlan<Rows>(
                JSONField(\.a, key: "i[*].a"), JSONField(\.b, key: "i[*].b", default: []),
                JSONField(\.deep, key: "i[*].x.y[0]", default: []))
        }

        @Test func `elements without the key are nil in arrays of optionals`() throws {
            let rows = try decode(
                Rows.self, #"{"i":[{"a":1},{"b":"x","a":null},{},{"b":"y","a":2},null,{"x":{"y":[3]}},{"x":{}}]}"#)
            #expect(rows.a == [1, nil, nil, 2, nil, nil, nil])
            #expect(rows.b == [nil, "x", nil, "y", nil, nil, nil])
            #expect(rows.deep == [nil, nil, nil, nil, nil, 3, nil])
            let text = try JSONModelEncoder().encode(rows, as: .string)
            #expect(try decode(Rows.self, text) == rows)
            #expect(try decode(Rows.self, #"{"i":[]}"#) == Rows(a: [], b: [], deep: []))
        }

        @Test func `gathered arrays of different lengths cannot be written`() throws {
            struct Both: JSONModel, Equatable {
                let a: [Int]
                let b: [Int]
                static let plan = ModelPlan<Both>(
                    JSONField(\.a, key: "i[*].a"), JSONField(\.b, key: "i[*].b", default: []))
            }
            let both = try decode(Both.self, #"{"i":[{"a":1},{"a":2,"b":3}]}"#)
            #expect(both == Both(a: [1, 2], b: [3]))
            let error = #expect(throws: JSONModelError.self) { try JSONModelEncoder().encode(both) }
            #expect(error?.description.contains("1 and 2 elements") == true)
            #expect(try JSONModelEncoder().encode(Both(a: [1], b: [2]), as: .string) == #"{"i":[{"a":1,"b":2}]}"#)
            #expect(
                try JSONModelEncoder().encode(Both(a: [1, 2], b: []), as: .string) == #"{"i":[{"a":1},{"a":2}]}"#)
        }

        // MARK: Written values

        @Test func `integers with any number of digits are written`() throws {
            var power: UInt64 = 1
            for _ in 0..<20 {
                for value in [power - 1, power, power + 1, power &* 3] { #expect(try encode(value) == "\(value)") }
                power = power &* 10
            }
            var wide: UInt128 = 1
            for _ in 0..<39 {
                for value in [wide - 1, wide, wide + 7] { #expect(try encode(value) == "\(value)") }
                wide = wide &* 10
            }
        }

        struct Wide: JSONModel, Equatable {
            var id: Int
            var owner: Inner
            var list: [Inner]
            static let plan = ModelPlan<Wide>([JSONField(\.id), JSONField(\.owner), JSONField(\.list)])
        }

        @Test func `only and except select paths to write`() throws {
            let value = Wide(id: 1, owner: Inner(a: 2, b: 3), list: [Inner(a: 4, b: 5), Inner(a: 6, b: nil)])
            var encoder = JSONModelEncoder()
            encoder.only = ["id", "owner.a", "list[*].n.b"]
            #expect(try encode(value, with: encoder) == #"{"id":1,"owner":{"a":2},"list":[{"n":{"b":5}},{}]}"#)
            encoder.only = ["list.a"]
            #expect(try encode(value, with: encoder) == #"{"list":[{"a":4},{"a":6}]}"#)
            #expect(try encode([value], with: encoder) == #"[{"list":[{"a":4},{"a":6}]}]"#)
            encoder.only = nil
            encoder.except = ["id", "owner.n", "list.a"]
            #expect(try encode(value, with: encoder) == #"{"owner":{"a":2},"list":[{"n":{"b":5}},{}]}"#)
            encoder.only = ["owner", "id"]
            #expect(try encode(value, with: encoder) == #"{"owner":{"a":2}}"#)
            encoder.except = []
            encoder.only = []
            #expect(try encode(value, with: encoder) == "{}")
        }
    }
}
