import SluiceCore
import TestSupport
import Testing

/// Fields with several keys: the earliest candidate that is there wins, whatever the order of the text.
@Suite(.tags(.keys)) struct CandidateTests {
    struct Model: JSONModel, Equatable {
        let required: String
        let optional: Int?
        let withDefault: [Int]
        static let plan = ModelPlan<Model>([
            JSONField(\.required, key: "a", or: "b", "c.d"), JSONField(\.optional, key: "x", or: "y", "z[1]"),
            JSONField(\.withDefault, key: "l", or: "m", default: [0]),
        ])
    }

    private func required(_ text: String) throws -> String { try decode(Model.self, text).required }

    @Test func `the earliest candidate wins in any order of keys`() throws {
        #expect(try required(#"{"a":"1","b":"2","c":{"d":"3"}}"#) == "1")
        #expect(try required(#"{"c":{"d":"3"},"b":"2","a":"1"}"#) == "1")
        #expect(try required(#"{"b":"2","a":"1","c":{"d":"3"}}"#) == "1")
        #expect(try required(#"{"c":{"d":"3"},"b":"2"}"#) == "2")
        #expect(try required(#"{"b":"2","c":{"d":"3"}}"#) == "2")
        #expect(try required(#"{"c":{"d":"3"}}"#) == "3")
    }

    @Test func `values between candidates do not affect their order`() throws {
        for list in ["[0]", "[0,0,0,0,0,0,0,0]", "[1,2,3]", "[-1]"] {
            #expect(try required(#"{"b":"2","m":\#(list),"a":"1"}"#) == "1")
            #expect(try required(#"{"a":"1","m":\#(list),"b":"2"}"#) == "1")
            #expect(try decode(Model.self, #"{"b":"2","m":\#(list),"a":"1"}"#).withDefault.count > 0)
        }
    }

    @Test func `the failure of the best candidate comes before later failures`() throws {
        struct Pair: JSONModel {
            let first: Int
            let second: Int
            static let plan = ModelPlan<Pair>(JSONField(\.first, key: "a", or: "b"), JSONField(\.second, key: "c"))
        }
        #expect(try refusal(Pair.self, #"{"a":"x","c":"y"}"#).path == "a")
        #expect(try refusals(Pair.self, #"{"a":"x","c":"y"}"#, with: .collecting).map(\.path) == ["a", "c"])
    }

    // The path was that of the key before.
    @Test func `a syntax error in an ignored candidate has the path of the candidate`() throws {
        #expect(try refusal(Model.self, #"{"a":"1","l":[2],"b":x}"#).path == "b")
        #expect(try refusal(Model.self, #"{"a":"1","l":[2],"b":[3,x]}"#).path == "b")
    }

    @Test func `a later candidate replaces a null candidate`() throws {
        #expect(try required(#"{"a":null,"b":"2"}"#) == "2")
        #expect(try required(#"{"b":"2","a":null}"#) == "2")
        #expect(try required(#"{"b":null,"c":{"d":"3"},"a":null}"#) == "3")
        #expect(try required(#"{"c":{"d":"3"},"a":null,"b":null}"#) == "3")
        #expect(try required(#"{"c":null,"a":null,"b":"2"}"#) == "2")
        #expect(try refusal(Model.self, #"{"a":null,"b":null}"#).kind == .missingKeys(["a"]))
    }

    @Test func `candidates fill optional properties and properties with defaults`() throws {
        let lead = #"{"a":"","#
        #expect(try decode(Model.self, lead + #""y":2,"x":1}"#).optional == 1)
        #expect(try decode(Model.self, lead + #""x":1,"y":2}"#).optional == 1)
        #expect(try decode(Model.self, lead + #""x":null,"y":2}"#).optional == 2)
        #expect(try decode(Model.self, lead + #""y":2,"x":null}"#).optional == 2)
        #expect(try decode(Model.self, lead + #""z":[1,3],"x":null,"y":null}"#).optional == 3)
        #expect(try decode(Model.self, lead + #""z":[1,3],"x":1}"#).optional == 1)
        #expect(try decode(Model.self, lead + #""x":null}"#).optional == nil)
        #expect(try decode(Model.self, lead + #""m":[2],"l":[1]}"#).withDefault == [1])
        #expect(try decode(Model.self, lead + #""m":[2],"l":null}"#).withDefault == [2])
        #expect(try decode(Model.self, lead + #""m":null,"l":null}"#).withDefault == [0])
        #expect(try decode(Model.self, #"{"a":""}"#).withDefault == [0])
    }

    struct Presence: JSONModel, Equatable {
        let value: JSONPresence<String>
        static let plan = ModelPlan<Presence>(JSONField(\.value, key: "a", or: "b", "c"))
    }

    @Test func `null stays beside a candidate that is ignored, in any order of keys`() throws {
        let decoder = JSONModelDecoder.with { $0.coercion = .mjExtension }
        let members = [#""a":null"#, #""b":{}"#, #""c":"3""#]
        for order in [[0, 1], [1, 0], [0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            let text = "{" + order.map { members[$0] }.joined(separator: ",") + "}"
            #expect(try decoder.decode(Presence.self, from: text).value == .null, "\(text)")
        }
        #expect(try decoder.decode(Presence.self, from: #"{"a":null,"c":"3"}"#).value == .value("3"))
        #expect(try decoder.decode(Presence.self, from: #"{"a":null,"a":{}}"#).value == .null)
        #expect(try decoder.decode(Presence.self, from: #"{"a":{},"a":null}"#).value == .null)
    }

    @Test func `null of the best of several candidates decides, in any order of keys`() throws {
        let decoder = JSONModelDecoder.with { $0.coercion = .mjExtension }
        let members = [#""a":null"#, #""b":{}"#, #""c":null"#]
        for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            let text = "{" + order.map { members[$0] }.joined(separator: ",") + "}"
            #expect(try decoder.decode(Presence.self, from: text).value == .null, "\(text)")
        }
    }

    @Test func `null is not used beside a better candidate that is ignored, in any order of keys`() throws {
        let decoder = JSONModelDecoder.with { $0.coercion = .mjExtension }
        for members in [[#""a":{}"#, #""b":null"#, #""c":{}"#], [#""a":{}"#, #""b":null"#, #""c":"3""#]] {
            for order in [[0, 1], [1, 0], [0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
                let text = "{" + order.map { members[$0] }.joined(separator: ",") + "}"
                #expect(try decoder.decode(Presence.self, from: text).value == .absent, "\(text)")
            }
        }
        for text in [#"{"b":null,"c":{}}"#, #"{"c":{},"b":null}"#] {
            #expect(try decoder.decode(Presence.self, from: text).value == .null)
        }
    }

    @Test func `a candidate of any kind replaces a later candidate`() throws {
        func check<T: JSONConvertible & Equatable & Sendable>(_ first: T, _ a: String, _ second: T, _ b: String)
            throws
        {
            let lead = #"{"late":\#(b),"early":"#
            #expect(try decode(Either<T>.self, lead + a + "}").value == first)
            #expect(try decode(Either<T>.self, lead + "null}").value == second)
            #expect(try decode(Either<T>.self, #"{"early":\#(a),"late":\#(b)}"#).value == first)
            #expect(try decode(Either<T?>.self, lead + a + "}").value == first)
            #expect(try decode(Either<T?>.self, lead + "null}").value == second)
        }
        try check(1, "1", 2, "2")
        try check(0.5, "0.5", 2, "2")
        try check(
            "one", #""one""#, "two, which is long enough for the heap", #""two, which is long enough for the heap""#
        )
        try check(true, "true", false, "false")
        try check([1, 2], "[1,2]", [], "[]")
        try check(["a": ["b"]], #"{"a":["b"]}"#, [:], "{}")
        try check(Either(value: 1), #"{"early":1}"#, Either(value: 2), #"{"late":2}"#)
        #expect(try decode(Either<JSONValue>.self, #"{"late":[1],"early":{"a":"b"}}"#).value == ["a": "b"])
        #expect(
            try decode(Either<JSONRaw>.self, #"{"late":[1],"early":{"a":"b"}}"#).value.description == #"{"a":"b"}"#)
        #expect(try decode(Either<JSONRaw>.self, #"{"late":[1],"early":true}"#).value.description == "true")
        #expect(try decode(Either<JSONRaw>.self, #"{"early":7,"late":[1]}"#).value.description == "7")
    }

    struct Either<T: JSONConvertible & Equatable & Sendable>: JSONModel, Equatable {
        let value: T
        static var plan: ModelPlan<Either> { .shared { ModelPlan(JSONField(\.value, key: "early", or: "late")) } }
    }

    @Test func `a later candidate may hold any value if an earlier candidate is present`() throws {
        // It is not looked at where an earlier one is there already.
        #expect(try decode(Either<Int>.self, #"{"early":1,"late":"no number"}"#).value == 1)
        #expect(try decode(Either<Int>.self, #"{"late":"no number","early":1}"#).value == 1)
        #expect(try decode(Either<[Int]>.self, #"{"late":[1,"no number"],"early":[1]}"#).value == [1])
        #expect(try decode(Either<Either<Int>>.self, #"{"late":{"late":[]},"early":{"late":1}}"#).value.value == 1)
    }

    @Test func `the last duplicate of the earliest candidate wins`() throws {
        #expect(try decode(Either<Int>.self, #"{"late":1,"late":2}"#).value == 2)
        #expect(try decode(Either<Int>.self, #"{"early":1,"late":3,"early":2}"#).value == 2)
    }

    @Test func `null of a candidate is not a duplicate of another candidate`() throws {
        let decoder = JSONModelDecoder.with { $0.duplicateKeys = .reject }
        for text in [#"{"a":null,"b":"2"}"#, #"{"b":"2","a":null}"#, #"{"c":null,"a":null,"b":"2"}"#] {
            #expect(try decode(Presence.self, text, with: decoder).value == .value("2"))
        }
        #expect(try decode(Presence.self, #"{"a":null,"c":null}"#, with: decoder).value == .null)
    }
}

extension CandidateTests {
    struct Part: JSONModel, Equatable {
        let id: Int
        let mark: String
        static let plan = ModelPlan<Part>(JSONField(\.id), JSONField(\.mark))
    }

    struct Texts: JSONModel, Equatable {
        let part: Part?
        static let plan = ModelPlan<Texts>(JSONField(embedded: \.part, key: "a", or: "b"))
    }

    @Test func `a later candidate that is JSON in a string does not count if an earlier one has a value`() throws {
        for (a, b) in [
            (#"{\"id\":1,\"mark\":\"x\"}"#, #"{\"id\":1}"#), (#"{\"mark\":\"x\",\"id\":1}"#, #"{\"id\":\"x\"}"#),
        ] {
            for text in [
                #"{"a":"\#(a)","b":"\#(b)"}"#, #"{"b":"\#(b)","a":"\#(a)"}"#, #"{"a":"\#(a)","\u0062":"\#(b)"}"#,
            ] {
                for strictness in [false, true] {
                    var decoder = JSONModelDecoder()
                    if strictness { decoder.unknownKeys = .reject }
                    for policy in [JSONModelDecoder.ErrorPolicy.first, .collect(limit: 9)] {
                        decoder.errorPolicy = policy
                        let part = Result { try decoder.decode(Texts.self, from: text).part }
                        #expect((try? part.get()) == Part(id: 1, mark: "x"), "\(text) \(policy) \(strictness)")
                    }
                }
            }
        }
    }

    // MARK: Merging after an ignored candidate, whose key the scanner read as that of a new model

    struct Flat: JSONModel, Equatable {
        var name: String
        var counts: Counts?
        static let plan = ModelPlan<Flat>(JSONField(\.name, key: "name", or: "title"), JSONField(flatten: \.counts))

        struct Counts: JSONModel, Equatable {
            var values: [String: Int]?
            static let plan = ModelPlan<Counts>(JSONField(\.values))
        }
    }

    struct Plain: JSONModel, Equatable {
        var name: String
        var values: [String: Int]?
        static let plan = ModelPlan<Plain>(JSONField(\.name, key: "name", or: "title"), JSONField(\.values))
    }

    @Test func `the value after an ignored candidate is merged`() throws {
        // The scanner compares expected keys with the text if more bytes follow.
        let space = String(repeating: " ", count: 100)
        let flat = #"{"name":"b","title":"c","values":{"x":null,"y":1}}"# + space
        #expect(
            try merged(flat, into: Flat(name: "a", counts: nil), options: .mergePatch)
                == Flat(name: "b", counts: .init(values: ["y": 1])))
        let plain = #"{"values":null,"name":"b","title":"c","values":{"y":1}}"# + space
        #expect(
            try merged(plain, into: Plain(name: "a", values: ["x": 0]), options: .mergePatch)
                == Plain(name: "b", values: ["x": 0, "y": 1]))
    }

    // MARK: Candidates that fail

    @Test func `a later candidate fails if no earlier candidate is present`() throws {
        for text in [
            #"{"late":"no number"}"#, #"{"late":"no number","early":null}"#, #"{"late":"no number"    }"#,
            #"{ "early":null,"late":"no number"}"#,
        ] {
            let issue = try refusal(Either<Int>.self, text)
            #expect(issue.kind == .typeMismatch(expected: "an integer", found: "a string"))
            #expect(issue.path == "late")
            #expect(text.utf8.dropFirst(issue.location.offset).starts(with: #""no number""#.utf8))
            #expect(try refusal(Either<Int?>.self, text).location.offset == issue.location.offset)
        }
        // Of two that fail, the earlier is at fault.
        let both = try refusal(Model.self, #"{"c":{"d":3},"b":2}"#)
        #expect(both.path == "b")
        #expect(try refusal(Model.self, #"{"b":2,"c":{"d":"3"}}"#).path == "b")
        #expect(try refusal(Model.self, #"{"c":{"d":"3"},"b":2}"#).path == "b")
    }

    @Test func `the driver recovers from a later candidate that fails`() throws {
        let lossy = #"{"list":[{"late":"x"},{"late":"x","early":1},{"late":2}]}"#
        #expect(try decode(Lossy<[Either<Int>]>.self, lossy).list.map(\.value) == [1, 2])
        let decoder = JSONModelDecoder.with { $0.errorPolicy = .collect(limit: .max) }
        let text = #"{"c":{"d":3},"z":[0,"x"],"l":"y"}"#
        let error = #expect(throws: JSONModelError.self) { try decoder.decode(Model.self, from: text) }
        #expect(error?.issues.map(\.path).sorted { $0.description < $1.description } == ["c.d", "l", "z[1]"])
        let one = #"[{"b":2,"a":"x"},{"b":2},{"a":"y"}]"#
        let partial = try decoder.decodePartially([Model].self, from: one)
        #expect(partial.value?.map(\.required) == ["x", "y"])
        #expect(partial.issues.map(\.path) == ["[1].b"])
        // A field that failed is not missing; another may be.
        let missing = #expect(throws: JSONModelError.self) { try decoder.decode(Two.self, from: #"{"late":"x"}"#) }
        #expect(missing?.issues.map(\.path) == ["late", "$"])
        #expect(missing?.issues.last?.kind == .missingKeys(["other"]))
    }

    struct Two: JSONModel, Equatable {
        let value: Int
        let other: Int
        static let plan = ModelPlan<Two>([JSONField(\.value, key: "early", or: "late"), JSONField(\.other)])
    }
}
