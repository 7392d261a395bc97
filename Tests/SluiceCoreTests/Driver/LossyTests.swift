import SluiceCore
import TestSupport
import Testing

/// Lossy arrays, sets and dictionaries, which drop and report the elements that fail.
@Suite(.tags(.lossy)) struct LossyTests {
    struct Part: JSONModel, Equatable, Hashable {
        let id: Int
        let tags: [String]
        static let plan = ModelPlan<Part>(JSONField(\.id, key: "id"), JSONField(\.tags, key: "tags", default: []))
    }

    struct Model: JSONModel, Equatable {
        var numbers: [Int] = []
        var parts: [Part] = []
        var unique: Set<Part>?
        var byName: [String: Part] = [:]
        var byNumber: [Int: [Int]] = [:]
        var optionals: [Part?] = []
        static let plan = ModelPlan<Model>([
            JSONField(\.numbers, key: "numbers", default: []).lossy(),
            JSONField(\.parts, key: "parts", default: []).lossy(), JSONField(\.unique, key: "unique").lossy(),
            JSONField(\.byName, key: "by_name", default: [:]).lossy(),
            JSONField(\.byNumber, key: "by_number", default: [:]).lossy(),
            JSONField(\.optionals, key: "optionals", default: []).lossy(),
        ])
    }

    @Test func `elements of every other kind are dropped and reported`() throws {
        let (value, issues) = try reported(
            Model.self,
            #"{"numbers":[1,"x",2,true,null,{"a":[{}]},[1,[2]],1.5,99999999999999999999,3,{},[]],"parts":[]}"#)
        #expect(value.numbers == [1, 2, 3])
        #expect(
            issues.brief == [
                "numbers[1]: an integer, not a string", "numbers[3]: an integer, not a boolean", "numbers[4]: null",
                "numbers[5]: an integer, not an object", "numbers[6]: an integer, not an array", "numbers[7]: 1.5",
                "numbers[8]: 99999999999999999999", "numbers[10]: an integer, not an object",
                "numbers[11]: an integer, not an array",
            ])
        #expect(issues.first?.location.offset == 14)
        #expect(issues.first?.property == "numbers")
    }

    @Test func `models that fail at any depth are dropped`() throws {
        let (value, issues) = try reported(
            Model.self,
            #"""
            {"parts":[{"id":1},{"tags":["a"]},{"tags":["b",{"c":[]}],"id":2},{"id":[{}],"tags":["d"]},5,{"id":3,"tags":[]}],
             "numbers":[4]}
            """#)
        #expect(value.parts.map(\.id) == [1, 3])
        #expect(value.numbers == [4])
        #expect(
            issues.brief == [
                "parts[1]: lacks id", "parts[2].tags[1]: a string, not an object",
                "parts[3].id: an integer, not an array", "parts[4]: an object, not a number",
            ])
    }

    @Test func `lossy sets and arrays of optionals drop elements that fail`() throws {
        let (value, issues) = try reported(
            Model.self,
            #"{"unique":[{"id":1},{},{"id":1},null,{"id":2}],"optionals":[null,{"id":1},{"id":"x"},null]}"#)
        #expect(value.unique == [Part(id: 1, tags: []), Part(id: 2, tags: [])])
        #expect(value.optionals == [nil, Part(id: 1, tags: []), nil])
        #expect(
            issues.brief == ["unique[1]: lacks id", "unique[3]: null", "optionals[2].id: an integer, not a string"])
        #expect(try decode(Model.self, #"{"unique":null}"#).unique == nil)
    }

    @Test func `lossy dictionaries drop values and keys that fail`() throws {
        let (value, issues) = try reported(
            Model.self,
            #"""
            {"by_name":{"a":{"id":1},"b":{"tags":["x"]},"c":[{"id":1}],"d":{"id":4},"e":null},
             "by_number":{"1":[1],"x":[2,[3]],"2":[3,"y"],"3":[4],"":{"a":1}}}
            """#)
        #expect(value.byName == ["a": Part(id: 1, tags: []), "d": Part(id: 4, tags: [])])
        #expect(value.byNumber == [1: [1], 3: [4]])
        #expect(
            issues.brief == [
                "by_name.b: lacks id", "by_name.c: an object, not an array", "by_name.e: null",
                "by_number.x: no key x", "by_number.2[1]: an integer, not a string", #"by_number[""]: no key "#,
            ])
    }

    @Test func `a value that is not a container is an error`() throws {
        #expect(try refusal(Model.self, #"{"numbers":{"a":1}}"#).path == "numbers")
        #expect(try refusal(Model.self, #"{"numbers":"x"}"#).path == "numbers")
        #expect(try refusal(Model.self, #"{"by_number":[1]}"#).path == "by_number")
        #expect(try refusal(Model.self, #"{"numbers":["x",}"#).location.offset == 16)
    }

    /// Only the elements of the container itself are dropped.
    @Test func `containers inside a lossy container are not lossy`() throws {
        struct Nested: JSONModel, Equatable {
            let rows: [[Int]]
            static let plan = ModelPlan<Nested>(JSONField(\.rows, key: "rows").lossy())
        }
        let (value, issues) = try reported(Nested.self, #"{"rows":[[1],[2,"x",3],[4]]}"#)
        #expect(value.rows == [[1], [4]])
        #expect(issues.brief == ["rows[1][1]: an integer, not a string"])
    }

    @Test func `many elements are dropped from a long array`() throws {
        let text =
            #"{"numbers":["# + (0..<3000).map { $0 % 3 == 0 ? "\"x\"" : "\($0)" }.joined(separator: ",") + "]}"
        let (value, issues) = try reported(Model.self, text)
        #expect(value.numbers == (0..<3000).filter { $0 % 3 != 0 })
        #expect(issues.count == 1000)
        #expect(issues.last?.path == "numbers[2997]")
    }

    @Test func `the options of the decoder apply to lossy elements`() throws {
        let decoder = JSONModelDecoder.with { $0.keyStrategy = .upperCase }
        let (value, issues) = try reported(Model.self, #"{"parts":[{"id":1},{"ID":2}]}"#, with: decoder)
        #expect(value.parts == [Part(id: 1, tags: [])])
        #expect(issues.count == 1)
    }

    @Test func `only containers can be lossy`() {
        struct Scalar: JSONModel {
            let a: Int
            static let plan = ModelPlan<Scalar>(JSONField(\.a, key: "a").lossy())
        }
        #expect(defect(of: Scalar.self) == "'a' is not an array, set or dictionary, and cannot be lossy")
    }

    @Test func `lossy dictionaries that are merged keep the old value of a key that fails`() throws {
        struct Counts: JSONModel, Equatable {
            var names: [String: Int]
            var numbers: [Int: Int]
            static let plan = ModelPlan<Counts>(JSONField(\.names).lossy(), JSONField(\.numbers).lossy())
        }
        let patch = #"{"names":{"a":"x","b":5,"b":6,"c":7},"numbers":{"x":[1],"2":3,"1":{}}}"#
        let counts = Counts(names: ["a": 1], numbers: [1: 1])
        for (policy, b) in [(.lastWins, 6), (.reject, 5)] as [(JSONModelDecoder.DuplicateKeys, Int)] {
            let decoder = JSONModelDecoder.with { $0.duplicateKeys = policy }
            #expect(
                try merged(patch, into: counts, options: .mergePatch, with: decoder)
                    == Counts(names: ["a": 1, "b": b, "c": 7], numbers: [1: 1, 2: 3]))
        }
    }

    // MARK: Paths in dropped elements

    @Test func `a syntax error in the rest of a dropped element has the path of the element`() throws {
        #expect(try refusal(SluiceCoreTests.Lossy<[Int]>.self, #"{"list":[1,{"a":}]}"#).path == "list[1]")
        let issues = try refusals([Int].self, #"[1,{"a":}]"#, with: .collecting)
        #expect(issues.map(\.path) == ["[1]", "[1]"])
    }

    @Test func `a byte that continues a value has the path of the element around it`() throws {
        func path<T: JSONConvertible>(_ type: T.Type, _ text: String) throws -> JSONPath {
            try refusal(type, text).path
        }
        // In a dropped element, in a recorded one, and in the values of unknown keys.
        #expect(try path(SluiceCoreTests.Lossy<[Int]>.self, #"{"list":[1,{"a":[2,3x]}]}"#) == "list[1]")
        #expect(try path([JSONRaw].self, #"[1,{"a":01}]"#) == "[1]")
        #expect(try path([JSONRaw].self, "[1,[2,3x]]") == "[1]")
        #expect(try path([Circle].self, #"[{"radius":1},{"radius":1,"x":01}]"#) == "[1]")
        #expect(try path([Circle].self, #"[{"radius":1},{"radius":1,"x":[2,3x]}]"#) == "[1]")
        // In the object that is the element, and in the element itself.
        #expect(try path(JSONValue.self, #"[0,{"a":01}]"#) == "[1]")
        #expect(try path([Int].self, "[1,2x]") == "[1]")
    }
}
