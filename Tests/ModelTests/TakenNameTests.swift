#if Macros
import Sluice
import TestSupport
import Testing

/// Models of programs that use the names in the expansions for their own types, properties and cases.
@Suite struct TakenNameTests {
    private func expectRoundTrip<Root: JSONConvertible>(_ root: Root.Type, _ text: String) throws {
        let encoded = try JSONModelEncoder().encode(try decode(root, text), as: .string)
        #expect(encoded == text)
    }

    @Test func `types may have the names of types in expansions`() throws {
        try expectRoundTrip(TakenNames.Plan.self, #""pro""#)
        let all = [
            "partial", "modelPlan", "jsonCase", "jsonField", "jsonShape", "convertible", "anyPlan", "storage",
            "initial",
            "defaultCases", "value", "validation", "assignment", "making", "property", "model", "ownStorage",
            "decoder",
            "encoder",
        ].map { #""\#($0)":{"a":1}"# }.joined(separator: ",")
        try expectRoundTrip(TakenNames.Types.self, #"{"plan":"pro",\#(all),"number":10}"#)
        #expect(try decode(TakenNames.Types.self, "{}") == TakenNames.Types())
        let object = try decode(
            TakenNames.ClassOfTypes.self, #"{"storage":{"a":2},"shape":{"x":{"a":3}},"other":"x"}"#)
        #expect(object.storage.a == 2 && object.shape["x"]?.a == 3 && object.number == 1 && object.other == 2)
        try expectRoundTrip(TakenNames.Base.self, #"{"plan":"pro","storage":{"a":1}}"#)
        try expectRoundTrip(
            TakenNames.Derived.self, #"{"plan":"pro","making":{"a":1},"partial":{"a":2},"number":3}"#)
        try expectRoundTrip(TakenNames.Twice.self, #"{"a":{"b":1},"c":2}"#)
        try expectRoundTrip(TakenNames.TwiceEnum.self, #"{"a":{"b":1}}"#)
    }

    @Test func `cases may contain types with the names of types in expansions`() throws {
        for text in [
            #"{"plan1":"pro"}"#, #"{"storage":{"a":1}}"#, #"{"shape":{"a":1}}"#, #""none""#,
            #"{"labels":{"plan":"free","storage":{"a":1},"Plan":{"a":2},"count":3}}"#,
        ] {
            try expectRoundTrip(TakenNames.Union.self, text)
        }
        #expect(
            try decode(TakenNames.Union.self, #"{"labels":{"plan":"free"}}"#)
                == .labels(plan: .free, storage: nil, Plan: nil, count: 2))
        #expect(try decode(TakenNames.Untagged.self, #""pro""#) == .plan1(.pro))
        #expect(try decode(TakenNames.Untagged.self, #"{"a":1}"#) == .jsonCase(.init(a: 1)))
    }

    @Test func `properties and cases may have the names of members in expansions`() throws {
        let names = try decode(TakenNames.Names.self, #"{"plan":2,"jsonBase":3,"jsonAssign":4}"#)
        #expect(names.plan == 2 && names.jsonBase == 3 && names.jsonAssign == 4 && names.jsonFinish == 1)
        let more = try decode(TakenNames.MoreNames.self, #"{"plan":2,"jsonBase":3,"JSONStorage":4}"#)
        #expect(more.plan == 2 && more.jsonBase == 3 && more.JSONStorage == 4 && more.Plan == 2)
        let text = try JSONModelEncoder().encode(more, as: .string)
        #expect(text.contains(#""jsonInitial":1"#) && text.contains(#""Partial":2"#))
        var merged = more
        try JSONModelDecoder().merge(#"{"jsonFinish":7}"#, into: &merged)
        #expect(merged.jsonFinish == 7)
        #expect(try decode(TakenNames.ObservedNames.self, #"{"jsonStorage":5}"#).jsonStorage == 5)
        #expect(try decode(TakenNames.ObservedNames.self, #"{"inout":5}"#).`inout` == 5)
        try expectRoundTrip(TakenNames.TypeNames.self, #"{"Plan":"pro"}"#)
        #expect(TakenNames.TypeNames.Partial().Plan == nil)
        try expectRoundTrip(TakenNames.CaseTypeNames.self, #"{"Twice":{"a":{"b":1},"c":2}}"#)
        try expectRoundTrip(TakenNames.CaseTypeNames.self, #"{"pass":{"inout":1}}"#)
        try expectRoundTrip(TakenNames.CaseNames.self, #""jsonPlan""#)
        try expectRoundTrip(TakenNames.CaseNames.self, #"{"other":{"value":1,"jsonPlan":2,"plan":3}}"#)
        try expectRoundTrip(TakenNames.RawNames.self, #""plan""#)
    }
}
#endif
