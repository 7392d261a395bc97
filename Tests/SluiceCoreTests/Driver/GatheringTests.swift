import SluiceCodable
import SluiceCore
import TestSupport
import Testing

/// Paths through arrays, and their errors.
@Suite(.tags(.paths, .collections)) struct GatheringTests {
    struct Model: JSONModel, Equatable {
        let names: [String]
        let ids: Set<Int>
        let deep: [Int]?
        let firsts: [Double]
        let maybe: [Int?]
        static let plan = ModelPlan<Model>(
            JSONField(\.names, key: "items[*].name"), JSONField(\.ids, key: "items[*].id", default: [-1]),
            JSONField(\.deep, key: "groups[*].members[*].age"), JSONField(\.firsts, key: "grid[*][0]", default: []),
            JSONField(\.maybe, key: "loose[*]", default: []))
    }

    private func model(
        _ names: [String] = [], _ ids: Set<Int> = [], _ deep: [Int]? = nil, _ firsts: [Double] = [],
        _ maybe: [Int?] = []
    ) -> Model { Model(names: names, ids: ids, deep: deep, firsts: firsts, maybe: maybe) }

    @Test func `nested arrays are gathered into one array`() throws {
        let text = #"""
            {"groups":[{"members":[{"age":1},{"x":[{}],"age":2}]},{"members":[]},{"x":1},{"members":[{"age":3},{}]}],
             "items":[{"id":1,"name":"a"},{"name":"b","id":2},{"id":1,"other":[[]]},{"name":"c"}],
             "grid":[[1,2],[],[3.5],[4,[5]]],"loose":[1,null,2]}
            """#
        #expect(
            try decode(Model.self, text) == model(["a", "b", "c"], [1, 2], [1, 2, 3], [1, 3.5, 4], [1, nil, 2]))
    }

    @Test func `null and empty arrays gather no values`() throws {
        #expect(try decode(Model.self, #"{"items":[]}"#) == model())
        #expect(try decode(Model.self, #"{"items":[{}],"groups":[]}"#) == model([], [], []))
        #expect(try decode(Model.self, #"{"items":[{}],"groups":[{"members":[]}]}"#) == model([], [], []))
        #expect(
            try decode(Model.self, #"{"items":[null,{"name":"a","id":1},null],"groups":null,"grid":null}"#)
                == model(["a"], [1]))
        #expect(try decode(Model.self, #"{"items":[],"groups":[{"members":null},null]}"#) == model([], [], []))
        #expect(try refusal(Model.self, "{}").kind == .missingKeys(["items[*].name"]))
        #expect(try refusal(Model.self, #"{"items":null}"#).kind == .missingKeys(["items[*].name"]))
    }

    @Test func `the last of two duplicate arrays wins`() throws {
        let text = #"{"items":[{"name":"a","id":1}],"items":[{"name":"b"}]}"#
        #expect(try decode(Model.self, text) == model(["b"]))
        let decoder = JSONModelDecoder.with { $0.duplicateKeys = .reject }
        #expect(try refusal(Model.self, text, with: decoder).kind == .duplicateKey("items"))
        let inner = try refusal(Model.self, #"{"items":[{"name":"a"},{"name":"b","name":"c"}]}"#, with: decoder)
        #expect(inner.kind == .duplicateKey("name"))
        #expect(inner.path == "items[1].name")
        #expect(
            try decode(Model.self, #"{"items":[{"name":"a"},{"name":"b"}]}"#, with: decoder).names == ["a", "b"])
    }

    struct Keyed: JSONModel, Equatable {
        let short: Int?
        let values: [Int]
        let long: Int?
        let last: String
        static let longKey = String(repeating: "long ", count: 15)
        static let plan = ModelPlan<Keyed>(
            JSONField(\.short, key: "a.b"),
            JSONField(\.values, key: "many bytes in a key[*].and in the second key"),
            JSONField(\.long, key: "\(longKey).\(longKey)"), JSONField(\.last))
    }

    @Test func `keys on paths are found in every form and order`() throws {
        let members = [
            #""a":{"x":[],"b":1}"#,
            #""many bytes in a key":[{"and in the second key":2},{"and in the second":0},{}]"#,
            "\"\(Keyed.longKey)\":{\"\(Keyed.longKey)\" : 3}", #""last":"z""#,
        ]
        let others = [
            #""\u0061":{"\u0062":1}"#, #""many bytes in a ke\u0079" : [ {"and in the second\u0020key" :2}]"#,
            "\"\\u006C\(Keyed.longKey.dropFirst())\":{\"\(Keyed.longKey)\":3}", #""l\u0061st":"z""#,
        ]
        let expected = Keyed(short: 1, values: [2], long: 3, last: "z")
        let unread = #""a key":1,"many bytes in a kex":[{"and in the second key":7}],"":{}"#
        for source in JSONModelDecoder.Source.allCases {
            for change in [{ _ in }, { $0.stopsEarly = true }, { $0.duplicateKeys = .reject }]
                as [(inout JSONModelDecoder) -> Void]
            {
                var decoder = JSONModelDecoder(from: source)
                change(&decoder)
                for (first, second) in [(members, others), (others, members)] {
                    for count in 0...4 {
                        let mixed = Array(first[..<count] + second[count...])
                        for list in [mixed, mixed.reversed(), Array(mixed[2...]) + [unread] + Array(mixed[..<2])] {
                            let text = "{\(list.joined(separator: ",")) }"
                            // The second object has the learned order of keys.
                            let both = try decoder.decode([Keyed].self, from: "[\(text),\(text)]")
                            #expect(both == [expected, expected], "\(source): \(text)")
                            for piece in [1, 13] {
                                let found = try decoder.decode(
                                    Keyed.self, from: .chunks(Array(text.utf8).pieces(of: piece)))
                                #expect(found == expected, "\(source), \(piece): \(text)")
                            }
                        }
                    }
                }
                decoder.limits.key = 19
                #expect(throws: JSONModelError.self) {
                    try decoder.decode(Keyed.self, from: "{\(members[0]),\(members[1]),\(members[3])}")
                }
            }
        }
        let repeated = #"{"a":{"b":1,"b":2},"many bytes in a key":[],"last":"y","a":{"b":3}}"#
        #expect(try decode(Keyed.self, repeated).short == 3)
        for text in [repeated, #"{"a":{},"a":{},"last":"","many bytes in a key":[]}"#] {
            let decoder = JSONModelDecoder.with { $0.duplicateKeys = .reject }
            #expect(throws: JSONModelError.self) { try decoder.decode(Keyed.self, from: text) }
        }
    }

    @Test func `errors name the element`() throws {
        let issue = try refusal(Model.self, #"{"items":[{"name":"a"},{"name":5}]}"#)
        #expect(issue.kind == .typeMismatch(expected: "a string", found: "a number"))
        #expect(issue.path == "items[1].name")
        #expect(issue.property == "names")
        #expect(issue.location.offset == 31)
        #expect(try refusal(Model.self, #"{"items":[{"name":null}]}"#).path == "items[0].name")
        let object = try refusal(Model.self, #"{"items":{"name":"a"}}"#)
        #expect(object.kind == .typeMismatch(expected: "an array", found: "an object"))
        #expect(try refusal(Model.self, #"{"items":["a"]}"#).path == "items[0]")
        #expect(try refusal(Model.self, #"{"loose":[1,"x"]}"#).path == "loose[1]")
        #expect(try refusal(Model.self, #"{"loose":[1,"x"]}"#).property == "maybe")
    }

    struct Lossy: JSONModel, Equatable {
        let names: [String]
        static let plan = ModelPlan<Lossy>(JSONField(\.names, key: "items[*].name").lossy())
    }

    @Test func `lossy gathering drops values that fail`() throws {
        let (value, issues) = try reported(
            Lossy.self, #"{"items":[{"name":"a"},{"name":5},{"name":null},{"name":[{}]},{"name":"b"}]}"#)
        #expect(value.names == ["a", "b"])
        #expect(
            issues.brief == [
                "items[1].name: a string, not a number", "items[2].name: null",
                "items[3].name: a string, not an array",
            ])
    }

    @Test func `fields that cannot gather are defects`() {
        struct Scalar: JSONModel {
            let a: Int
            static let plan = ModelPlan<Scalar>(JSONField(\.a, key: "x[*].a"))
        }
        struct Map: JSONModel {
            let a: [String: Int]
            static let plan = ModelPlan<Map>(JSONField(\.a, key: "x[*].a"))
        }
        struct Two: JSONModel {
            let a: [Int]
            static let plan = ModelPlan<Two>(JSONField(\.a, key: "x[*].a", or: "y"))
        }
        struct Both: JSONModel {
            let a: [Int]
            let b: Int?
            static let plan = ModelPlan<Both>(JSONField(\.a, key: "x[*].a"), JSONField(\.b, key: "x[0].b"))
        }
        struct Mismatch: JSONModel {
            let a: [Int]
            static let plan = ModelPlan<Mismatch>(
                JSONField(\.a, key: "x[*].a", default: []).defaulting(on: [.mismatch]))
        }
        #expect(defect(of: Scalar.self) == "'a' collects values by [*], and is not an array or set")
        #expect(defect(of: Map.self) == "'a' collects values by [*], and is not an array or set")
        #expect(defect(of: Two.self) == "'a' collects values by [*], and can have only one key")
        #expect(
            defect(of: Both.self)
                == "'x[0].b', of 'b', selects one element of an array of which another field's path selects every one"
        )
        #expect(
            defect(of: Mismatch.self)
                == "'a' collects values by [*]: failed values can be dropped (lossy), but not replaced by a default"
        )
    }

    // MARK: Several wildcards

    struct Members: JSONModel, Equatable {
        var ids: [Int?]
        var names: [String?]
        var groups: [String?]
        var sums: [Int?]
        static let plan = ModelPlan<Members>(
            JSONField(\.ids, key: "g[*].m[*].id").ignored(.encoding),
            JSONField(\.names, key: "g[*].m[*].x.name", default: []).ignored(.encoding),
            JSONField(\.groups, key: "g[*].name", default: []),
            JSONField(\.sums, key: "g[*].sums[*][*]", default: []).ignored(.encoding))
    }

    @Test func `missing members of nested arrays are nil`() throws {
        let text = #"""
            {"g":[{"m":[{"id":1,"x":{"name":"a"}},{"x":{"name":"b"}},{"id":3}],"name":"A"},
             {"m":[]},{"name":"C"},null,{"m":null},{"m":[{}, null, {"x":{}, "id":null}]},
             {"name":"D","m":[{"x":{"name":"e"},"id":5}],"sums":[[1,2],[],[null]]},{"sums":[],"m":[{"id":6}]}]}
            """#
        let all = try decode(Members.self, text)
        #expect(all.ids == [1, nil, 3, nil, nil, nil, 5, 6])
        #expect(all.names == ["a", "b", nil, nil, nil, nil, "e", nil])
        #expect(all.groups == ["A", nil, "C", nil, nil, nil, "D", nil])
        #expect(all.sums == [1, 2, nil])
        #expect(try decode(Members.self, #"{"g":[]}"#) == Members(ids: [], names: [], groups: [], sums: []))
        #expect(try refusal(Members.self, #"{"g":[{"m":[{},{"id":"x"}]}]}"#).path == "g[0].m[1].id")
        #expect(try refusal(Members.self, "{}").kind == .missingKeys(["g[*].m[*].id"]))
        // Only the last of two outer arrays counts. Both of two inner arrays do.
        let twice = #"{"g":[{"m":[{"id":9}]}],"g":[{"m":[{"x":{"name":"a"}}],"m":[{"id":1}]}]}"#
        #expect(
            try decode(Members.self, twice) == Members(ids: [nil, 1], names: ["a", nil], groups: [nil], sums: []))
    }

    @Test func `the last value of a duplicate key is gathered`() throws {
        let text =
            #"{"g":[{"m":[{"id":1,"id":2,"x":{"name":"a"},"x":{"name":"b"},"id":3},{"x":{"name":"c"}}],"name":"A","name":"B"},{}]}"#
        #expect(
            try decode(Members.self, text)
                == Members(ids: [3, nil], names: ["b", "c"], groups: ["B", nil], sums: []))
    }

    struct Mixed: JSONModel, Equatable {
        var ids: [Int?]
        var names: [String?]
        var inner: [Int?]
        static let plan = ModelPlan<Mixed>(
            JSONField(\.ids, key: "g[*].m.*.id"), JSONField(\.names, key: "g[*].m.*.name", default: []),
            JSONField(\.inner, key: "u.*.m[*].id", default: []))
    }

    @Test func `missing members are nil for every mixture of wildcards`() throws {
        let text = #"""
            {"g":[{"m":{"a":{"id":1},"b":{"name":"b"}}},{},{"m":{}},{"m":{"a":{"name":"c","id":2},"z":null}}],
             "u":{"x":{"m":[{"id":1},{}]},"y":null,"z":{"m":[{},{"id":4}]}}}
            """#
        #expect(
            try decode(Mixed.self, text)
                == Mixed(ids: [1, nil, 2, nil], names: [nil, "b", "c", nil], inner: [1, nil, nil, 4]))
    }

    @Test func `a lossy field has nil for a dropped value`() throws {
        struct Lossy: JSONModel, Equatable {
            let ids: [Int?]
            let names: [String?]
            static let plan = ModelPlan<Lossy>(
                JSONField(\.ids, key: "g[*].m[*].id").lossy(), JSONField(\.names, key: "g[*].m[*].name"))
        }
        let text =
            #"{"g":[{"m":[{"name":"x","id":1}]},{"m":[{"id":"x","name":"a"},{"id":2},{"id":[{}],"name":"b"}]}]}"#
        let (value, issues) = try reported(Lossy.self, text)
        #expect(value == Lossy(ids: [1, nil, 2, nil], names: ["x", "a", nil, "b"]))
        #expect(issues.count == 2)
    }

    @Test func `a merge replaces the values of several wildcards`() throws {
        let value = Members(ids: [1, 2], names: ["a", nil], groups: ["A"], sums: [])
        let changed = Members(ids: [3, nil, nil], names: [nil, nil, "b"], groups: [nil, nil], sums: [])
        #expect(
            try merged(#"{"g":[{"m":[{"id":3},{}]},{"m":[{"x":{"name":"b"}}]}]}"#, into: value) == changed)
        #expect(try merged("{}", into: changed) == changed)
        _ = try mergeRefusal(#"{"g":[{"m":[{"id":3},{"id":"x"}]}]}"#, into: changed)
    }

    @Test func `input that ends early has nil for missing members`() throws {
        for source in JSONModelDecoder.Source.allCases {
            let decoder = JSONModelDecoder.with { $0.source = source }
            let text = #"{"g":[{"m":[{"id":1},{}]},{"m":[{"x":{"name":"a"}},{"id":7,"x":{"#
            let partial = try decoder.decodePartially(Members.self, from: text)
            #expect(partial.value?.ids == [1, nil, nil, 7])
            #expect(partial.value?.names == [nil, nil, "a", nil])
        }
    }

    @Test func `values of several wildcards cannot be written`() throws {
        struct Written: JSONModel, Equatable {
            var id = 0
            var ids: [Int?] = []
            static let plan = ModelPlan<Written>(
                JSONField(\.id, key: "id"), JSONField(\.ids, key: "g[*].m[*].id", default: []))
        }
        // The error does not depend on the values.
        for ids in [[], [1], [1, nil, 2]] as [[Int?]] {
            let issue = try encodingRefusal(Written(id: 1, ids: ids))
            #expect(
                issue.kind
                    == .notEncodable(
                        "'g[*].m[*].id' collects values without the arrays that had them, and cannot be encoded: ignore the property for encoding"
                    ))
            #expect(issue.property == "ids")
        }
        #expect(try encodingRefusal(Mixed(ids: [], names: [], inner: [])).property == "ids")
        let encoder = JSONModelEncoder.with { $0.except = ["g"] }
        #expect(try encode(Written(id: 1, ids: [2]), with: encoder) == #"{"id":1}"#)
        let members = Members(ids: [1, nil], names: [], groups: ["A", nil], sums: [])
        #expect(try encode(members) == #"{"g":[{"name":"A"},{"name":null}]}"#)
    }

    @Test func `the elements of a set are not paired with those of an array`() throws {
        struct Both: JSONModel, Equatable {
            var ids: Set<Int> = []
            var names: [String] = []
            static let plan = ModelPlan<Both>(
                JSONField(\.ids, key: "i[*].id", default: []), JSONField(\.names, key: "i[*].name", default: []))
        }
        let issue = try encodingRefusal(Both(ids: [1, 2], names: ["a", "b"]))
        #expect(
            issue.kind
                == .notEncodable(
                    "'ids' has no order, so its elements cannot be paired with those of other properties"))
        #expect(try encode(Both(ids: [1])) == #"{"i":[{"id":1}]}"#)
        struct Reversed: JSONModel, Equatable {
            var names: [String] = []
            var ids: Set<Int> = []
            static let plan = ModelPlan<Reversed>(
                JSONField(\.names, key: "i[*].name", default: []), JSONField(\.ids, key: "i[*].id", default: []))
        }
        #expect(try encodingRefusal(Reversed(names: ["a", "b"], ids: [1, 2])).kind == issue.kind)
        #expect(try encode(Both(names: ["a", "b"])) == #"{"i":[{"name":"a"},{"name":"b"}]}"#)
        #expect(try encode(Both(ids: [1], names: ["a"])) == #"{"i":[{"id":1,"name":"a"}]}"#)
        struct Three: JSONModel, Equatable {
            var ids: Set<Int> = []
            var names: [String] = []
            var sizes: [Int] = []
            static let plan = ModelPlan<Three>(
                JSONField(\.ids, key: "i[*].id", default: []), JSONField(\.names, key: "i[*].name", default: []),
                JSONField(\.sizes, key: "i[*].size", default: []))
        }
        // An empty set has no elements that could be paired.
        #expect(
            try encode(Three(names: ["a", "b"], sizes: [1, 2]))
                == #"{"i":[{"name":"a","size":1},{"name":"b","size":2}]}"#)
    }

    struct Rows: JSONModel, Equatable {
        var names: [String]?
        var sizes: [Double]?
        var fine: FlattenTests.Fine?
        static let plan = ModelPlan<Rows>([
            JSONField(\.names, key: "rows[*].at.name"), JSONField(\.sizes, key: "rows[*].size"),
            JSONField(flatten: \.fine),
        ])
    }

    struct Tables: JSONModel, Equatable {
        var all: [Rows]
        static let plan = ModelPlan<Tables>(JSONField(\.all, key: "tables[*].table"))
    }

    @Test func `gathered models have gathered and flattened properties of their own`() throws {
        let fine = FlattenTests.Fine(a: "x", b: [1])
        let value = Tables(all: [
            Rows(names: ["n"], sizes: [0.5], fine: fine), Rows(), Rows(names: [], sizes: [1.5, 2.5]),
            Rows(fine: fine),
        ])
        let text =
            #"{"tables":[{"table":{"rows":[{"at":{"name":"n"},"size":0.5}],"a":"x","b":[1]}},{"table":{}},"#
            + #"{"table":{"rows":[{"size":1.5},{"size":2.5}]}},{"table":{"a":"x","b":[1]}}]}"#
        #expect(try encode(value) == text)
        #expect(try decode(Tables.self, text) == value)
        let issue = try encodingRefusal(Tables(all: [Rows(), Rows(sizes: [1, .nan])]))
        #expect(issue.path == "tables[1].table.rows[1].size")
    }

    @Test func `optional gathered values that are nil are not written`() throws {
        #expect(try encode(Rows()) == "{}")
        #expect(try encode(Rows(fine: FlattenTests.Fine(a: "x", b: nil))) == #"{"a":"x"}"#)
        let encoder = JSONModelEncoder.with { $0.nullStrategy = .write }
        #expect(try encode(Rows(), with: encoder) == #"{"rows":[]}"#)
    }

    // MARK: Arrays of optionals

    struct Sparse: JSONModel, Equatable {
        let a: [Int?]
        let b: [String?]
        let deep: [Int?]
        static let plan = ModelPlan<Sparse>(
            JSONField(\.a, key: "i[*].a"), JSONField(\.b, key: "i[*].b", default: []),
            JSONField(\.deep, key: "i[*].x.y[0]", default: []))
    }

    @Test func `elements without the key are nil in arrays of optionals`() throws {
        let rows = try decode(
            Sparse.self, #"{"i":[{"a":1},{"b":"x","a":null},{},{"b":"y","a":2},null,{"x":{"y":[3]}},{"x":{}}]}"#)
        #expect(rows.a == [1, nil, nil, 2, nil, nil, nil])
        #expect(rows.b == [nil, "x", nil, "y", nil, nil, nil])
        #expect(rows.deep == [nil, nil, nil, nil, nil, 3, nil])
        let text = try JSONModelEncoder().encode(rows, as: .string)
        #expect(try decode(Sparse.self, text) == rows)
        #expect(try decode(Sparse.self, #"{"i":[]}"#) == Sparse(a: [], b: [], deep: []))
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
        #expect(try JSONModelEncoder().encode(Both(a: [1, 2], b: []), as: .string) == #"{"i":[{"a":1},{"a":2}]}"#)
    }

    // MARK: Options

    struct Renamed: JSONModel, Equatable {
        let xValue: Int
        static let plan = ModelPlan<Renamed>(JSONField(\.xValue, name: "xValue"))
    }

    struct Listed: JSONModel, Equatable {
        let points: [Renamed]
        let optional: [Renamed]?
        static let plan = ModelPlan<Listed>(
            JSONField(\.points, key: "list[*].at"), JSONField(\.optional, key: "list[*].also[*]"))
    }

    /// The elements' plan is the one under the decoder's options.
    @Test func `the options of the decoder apply to gathered models`() throws {
        let text = #"{"list":[{"at":{"x":1},"also":[{"x":2},{"x":3}]},{"also":[],"at":{"x":4}}]}"#
        let expected = Listed(
            points: [Renamed(xValue: 1), Renamed(xValue: 4)], optional: [Renamed(xValue: 2), Renamed(xValue: 3)])
        let snake = JSONModelDecoder.with { $0.keyStrategy = .snakeCase }
        #expect(try decode(Listed.self, text.replacing("\"x\"", with: "\"x_value\""), with: snake) == expected)
        #expect(try decode(Listed.self, text.replacing("\"x\"", with: "\"xValue\"")) == expected)
        let issue = try refusal(Listed.self, text.replacing("\"x\"", with: "\"xValue\""), with: snake)
        #expect(issue.kind == .missingKeys(["x_value"]))
        #expect(issue.path == "list[0].at")
    }
}
