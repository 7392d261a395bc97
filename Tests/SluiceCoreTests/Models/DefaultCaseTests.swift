import SluiceCore
import TestSupport
import Testing

/// When a default serves: for what is missing, for null, for what is of another type.
@Suite(.tags(.fallbacks)) struct DefaultCaseTests {
    struct Cases: JSONModel, Equatable {
        var missing = 0
        var null = 0
        var mismatch = 0
        var all = 0
        static let plan = ModelPlan<Cases>(
            JSONField(\.missing, default: 10).defaulting(on: [.missing]),
            JSONField(\.null, default: 20).defaulting(on: [.null]),
            JSONField(\.mismatch, default: 30).defaulting(on: [.mismatch]),
            JSONField(\.all, default: 40).defaulting(on: [.missing, .null, .mismatch]))
    }

    struct Optionals: JSONModel, Equatable {
        var missing: Int?
        var null: String?
        var mismatch: [Int]?
        var usual: Int?
        static let plan = ModelPlan<Optionals>(
            JSONField(\.missing, default: 10).defaulting(on: [.missing]),
            JSONField(\.null, default: "20").defaulting(on: [.null]),
            JSONField(\.mismatch, default: [30]).defaulting(on: [.mismatch]), JSONField(\.usual, default: 40))
    }

    @Test func `defaults of optional properties apply in their conditions`() throws {
        #expect(try decode(Optionals.self, "{}") == Optionals(missing: 10, null: nil, mismatch: nil, usual: 40))
        let nulls = #"{"missing":null,"null":null,"mismatch":null,"usual":null}"#
        #expect(try decode(Optionals.self, nulls) == Optionals(missing: nil, null: "20", mismatch: nil, usual: 40))
        let (value, _) = try reported(Optionals.self, #"{"missing":1,"null":"2","mismatch":[3,"x"],"usual":4}"#)
        #expect(value == Optionals(missing: 1, null: "2", mismatch: [30], usual: 4))
        #expect(try decode(Optionals.self, #"{"missing":1,"missing":null}"#).missing == nil)
        #expect(try decode(Optionals.self, #"{"missing":null,"missing":1}"#).missing == 1)
        #expect(try decode(Optionals.self, #"{"null":"a","null":null}"#).null == "20")
    }

    struct Ranked: JSONModel, Equatable {
        var missing: Int?
        var null = 0
        var mismatch = 0
        static let plan = ModelPlan<Ranked>(
            JSONField(\.missing, key: "a", or: "b", default: 10).defaulting(on: [.missing]),
            JSONField(\.null, key: "c", or: "d.e", default: 20).defaulting(on: [.null, .missing]),
            JSONField(\.mismatch, key: "f", or: "g", default: 30).defaulting(on: [.mismatch, .null]))
    }

    @Test func `defaults of properties with several keys apply in their conditions`() throws {
        func check(_ text: String, _ missing: Int?, _ null: Int, _ mismatch: Int) throws {
            let expected = Ranked(missing: missing, null: null, mismatch: mismatch)
            #expect(try reported(Ranked.self, text).value == expected, "\(text)")
        }
        try check(#"{"f":1}"#, 10, 20, 1)
        try check(#"{"a":null,"b":2,"c":null,"d":{"e":3},"f":null,"g":4}"#, 2, 3, 4)
        try check(#"{"b":2,"a":null,"d":{"e":3},"c":null,"g":4,"f":null}"#, 2, 3, 4)
        try check(#"{"a":null,"f":null}"#, nil, 20, 30)
        try check(#"{"b":null,"a":null,"g":null,"f":null}"#, nil, 20, 30)
        // The best that is there fails.
        try check(#"{"f":"x","g":4}"#, 10, 20, 30)
        try check(#"{"g":4,"f":"x"}"#, 10, 20, 30)
        try check(#"{"g":"x","f":4}"#, 10, 20, 4)
    }

    struct Outer: JSONModel, Equatable {
        let cases: Cases
        let list: [[Optionals]]
        let last: Int
        static let plan = ModelPlan<Outer>(
            JSONField(\.cases, default: Cases()).defaulting(on: [.mismatch]),
            JSONField(\.list, default: []).defaulting(on: [.missing, .mismatch]), JSONField(\.last))
    }

    @Test func `an error deep in a value applies the default`() throws {
        let (value, issues) = try reported(
            Outer.self,
            #"{"cases":{"all":1,"null":"x","mismatch":{"a":[{}]}},"list":[[],[{"usual":1},{"null":[[{}]]}]],"last":9}"#
        )
        #expect(value == Outer(cases: Cases(), list: [], last: 9))
        #expect(issues.map(\.path) == ["cases.null", "list[1][1].null"])
        #expect(issues.map(\.property) == ["null", "null"])
        #expect(issues.map(\.location.offset) == [25, 84])
        let missing = try reported(Outer.self, #"{"cases":{},"last":9}"#)
        #expect(missing.value == Outer(cases: Cases(), list: [], last: 9))
        #expect(missing.issues.brief == ["cases: lacks null, mismatch"])
        #expect(try refusal(Outer.self, #"{"cases":null,"last":1}"#).path == "cases")
    }

    @Test func `invalid JSON is an error despite defaults`() throws {
        #expect(try refusal(Outer.self, #"{"cases":{"null":"x",]}"#).location.offset == 21)
        #expect(try refusal(Outer.self, #"{"cases":{"null":"x"#).kind == .unexpectedEnd)
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
}
