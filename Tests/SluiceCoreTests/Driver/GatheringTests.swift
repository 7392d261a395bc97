import SluiceCore
import TestSupport
import Testing

/// Paths through arrays, and their errors.
struct GatheringTests {
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
}
