#if Macros
import Foundation
import Sluice
import Testing

// Rows of the list of what JSONModel and MJExtension do: hooks, merging, what comes in and goes out.
struct HookRows {
    struct Invalid: Error, Equatable {}

    @JSONModel
    struct Range: Equatable {
        var low: Int
        var high: Int
        func validate() throws { if low > high { throw Invalid() } }
    }

    @JSONModel
    struct Finished: Equatable {
        let first: String
        let last: String
        @JSONIgnore var full = ""
        mutating func didDecode() throws { full = "\(first) \(last)" }
        func willEncode() throws { if first.isEmpty { throw Invalid() } }
    }

    @JSONModel
    final class Profile {
        var name: String
        var city: String?
        var tags: [String] = []
    }

    @JSONModel
    struct Even: Equatable {
        var number: Int
        func validate() -> Bool { number.isMultiple(of: 2) }
    }

    @JSONModel(tag: "type")
    enum Choice: JSONHooks {
        case even(Even)
        case named(label: String)
        func validate() -> Bool { if case .named("") = self { false } else { true } }
    }

    @JSONModel(.codable, keys: .snakeCase)
    final class Stay {
        let nightCount: Int
        func validate() throws { if nightCount > 30 { throw JSONValidationError("at most 30", at: "night_count") } }
    }

    @JSONModel(tag: "type")
    enum Payment {
        case card(number: String)
        func validate() throws { if case .card("") = self { throw JSONValidationError("is empty", at: "number") } }
    }

    @JSONModel
    struct Sale {
        let id: Int
        @JSONFlatten let payment: Payment
    }

    private let decoder = JSONModelDecoder()

    @Test
    func `row 25: a model can refuse its values`() throws {
        #expect(try decoder.decode([Range].self, from: #"[{"low":1,"high":2}]"#) == [Range(low: 1, high: 2)])
        let error = #expect(throws: JSONModelError.self) {
            try decoder.decode([Range].self, from: #"[{"low":1,"high":2},{"low":3,"high":2}]"#)
        }
        #expect(error?.issues.first?.underlying is Invalid)
        #expect(error?.issues.first?.path.description == "[1]")
        #expect(error?.issues.first?.model == "Range")
        #expect(error?.issues.first?.location.offset == 37)
    }

    @Test
    func `row 25: a validation names the value that it refuses`() throws {
        let text = #"[{"night_count":31}]"#
        let plain = #expect(throws: JSONModelError.self) { try decoder.decode([Stay].self, from: text) }
        #expect(plain?.issues.map(\.path) == ["[0].night_count"] && plain?.issues[0].property == "nightCount")
        let coded = #expect(throws: JSONModelError.self) {
            try Foundation.JSONDecoder().decode([Stay].self, from: Data(text.utf8))
        }
        #expect(coded?.issues.map(\.path) == ["[0].night_count"] && coded?.issues[0].message == "at most 30")

        let payment = #expect(throws: JSONModelError.self) {
            try decoder.decode([Payment].self, from: #"[{"type":"card","number":""}]"#)
        }
        #expect(payment?.issues.map(\.path) == ["[0].number"])
        // The keys of the enum are in the object of the model.
        for text in [#"[{"id":1,"type":"card","number":""}]"#, #"[{"number":"","id":1,"type":"card"}]"#] {
            let sale = #expect(throws: JSONModelError.self) { try decoder.decode([Sale].self, from: text) }
            #expect(sale?.issues.map(\.path) == ["[0].number"])
        }
    }

    @Test
    func `row 25: a validation that returns false refuses the model`() throws {
        #expect(try decoder.decode(Even.self, from: #"{"number":2}"#) == Even(number: 2))
        let error = #expect(throws: JSONModelError.self) {
            try decoder.decode([Even].self, from: #"[{"number":2},{"number":3}]"#)
        }
        let issue = try #require(error?.issues.first)
        #expect(issue.kind == .thrown && issue.underlying is JSONValidationError)
        #expect(issue.path == "[1]" && issue.location.offset == 25)
        #expect(issue.description.hasPrefix("validate() returned false at [1], for Even"))
        #expect(throws: JSONModelError.self) {
            try decoder.decode(Choice.self, from: #"{"type":"named","label":""}"#)
        }
        #expect(throws: JSONModelError.self) {
            try decoder.decode(Choice.self, from: #"{"type":"even","number":1}"#)
        }
        _ = try decoder.decode(Choice.self, from: #"{"type":"named","label":"a"}"#)
    }

    @Test
    func `row 26: hooks are called after decoding and before encoding`() throws {
        let model = try decoder.decode(Finished.self, from: #"{"first":"Ann","last":"Lee"}"#)
        #expect(model.full == "Ann Lee")
        #expect(try JSONModelEncoder().encode(model, as: .string) == #"{"first":"Ann","last":"Lee"}"#)
        let empty = try decoder.decode(Finished.self, from: #"{"first":"","last":"Lee"}"#)
        let error = #expect(throws: JSONModelError.self) { try JSONModelEncoder().encode(empty) }
        #expect(error?.issues.first?.underlying is Invalid)
    }

    @Test
    func `row 27: JSON can be merged into an existing model`() throws {
        var profile = try decoder.decode(Profile.self, from: #"{"name":"Ann","city":"Bern","tags":["a"]}"#)
        let same = profile
        try decoder.merge(Data(#"{"name":"Bob","city":null}"#.utf8), into: &profile)
        #expect(profile === same)
        #expect(profile.name == "Bob")
        #expect(profile.city == "Bern")
        #expect(profile.tags == ["a"])
        try decoder.merge(#"{"city":null,"tags":null}"#, into: &profile, options: JSONMergeOptions(nulls: .clear))
        #expect(profile.city == nil)
        #expect(profile.tags == [])
        var range = Range(low: 1, high: 2)
        #expect(throws: JSONModelError.self) { try decoder.merge(#"{"high":0}"#, into: &range) }
        #expect(range == Range(low: 1, high: 2))
    }

    @Test
    func `row 28: arrays and dictionaries of models decode at the root, also partially`() throws {
        let ranges = try decoder.decode([String: Range].self, from: #"{"a":{"low":1,"high":2}}"#)
        #expect(ranges == ["a": Range(low: 1, high: 2)])
        #expect(try JSONModelEncoder().encode([Range(low: 1, high: 2)], as: .string) == #"[{"low":1,"high":2}]"#)
        let partial = try decoder.decodePartially(
            [Range].self, from: Array(#"[{"low":1,"high":2},{"low":"x","high":true},{"low":3,"high":4}]"#.utf8))
        #expect(partial.value == [Range(low: 1, high: 2), Range(low: 3, high: 4)])
        #expect(partial.issues.map(\.path.description) == ["[1].low", "[1].high"])
    }

    @Test
    func `row 36: an error is detailed, and all errors can be collected`() throws {
        var decoder = decoder
        decoder.errorPolicy = .collect(limit: 10)
        let text = #"[{"low":"x","high":true},{"high":1},{"low":1,"high":2},7]"#
        let error = #expect(throws: JSONModelError.self) { try decoder.decode([Range].self, from: text) }
        #expect(error?.issues.map(\.path.description) == ["[0].low", "[0].high", "[1]", "[3]"])
        #expect(error?.issues.map(\.location.offset) == [8, 19, 34, 55])
        let issue = try #require(error?.issues.first)
        #expect(issue.property == "low")
        #expect(issue.model == "Range")
        #expect(issue.excerpt.contains("^"))
    }
}
#endif
