#if Macros
import Foundation
import Sluice
import Synchronization
import Testing

// Rows of the list of what JSONModel and MJExtension do: what must be there, what null means, and containers.
struct PresenceRows {
    @JSONModel
    struct Required {
        let a: Int
        let b: String
        let c: [Int]
        let d: Int?
        var e = 5
    }

    @JSONModel
    struct Nullable: Equatable {
        let optional: Int?
        var defaulted = 3
        let field: JSONPresence<Int>
    }

    @JSONModel
    struct Pixel: Equatable {
        let x: Int
        var y = 0
    }

    @JSONModel
    struct Nested: Equatable {
        let pixel: Pixel
        @JSONEmbedded let text: Pixel
    }

    @JSONModel
    struct Rows: Equatable {
        let list: [Pixel]
        let grid: [[Pixel]]
        let gaps: [Pixel?]
        @JSONLossy let lossy: [Pixel]
    }

    @JSONModel
    struct Dictionaries: Equatable {
        let one: [String: Pixel]
        let many: [String: [Pixel]]
        let set: Set<String>
        let byNumber: [Int: Pixel]
    }

    private let decoder = JSONModelDecoder()

    @Test
    func `row 10: one error names all missing required keys`() throws {
        let error = #expect(throws: JSONModelError.self) { try decoder.decode(Required.self, from: #"{"b":"x"}"#) }
        #expect(error?.issues.map(\.kind) == [.missingKeys(["a", "c"])])
    }

    @Test
    func `row 11: optional properties may be missing`() throws {
        let model = try decoder.decode(Required.self, from: #"{"a":1,"b":"x","c":[]}"#)
        #expect(model.d == nil)
        #expect(model.e == 5)
    }

    @Test
    func `row 12: null is accepted for optionals and defaults only`() throws {
        let error = #expect(throws: JSONModelError.self) {
            try decoder.decode(Required.self, from: #"{"a":null,"b":"x","c":[]}"#)
        }
        #expect(error?.issues.first?.kind == .nullValue(expected: "an integer"))
        #expect(error?.issues.first?.property == "a")
        let text = #"{"optional":null,"defaulted":null,"field":null}"#
        #expect(try decoder.decode(Nullable.self, from: text) == Nullable(optional: nil, field: .null))
        #expect(try decoder.decode(Nullable.self, from: "{}") == Nullable(optional: nil, field: .absent))
        #expect(try decoder.decode(Nullable.self, from: #"{"field":4}"#).field == .value(4))
    }

    @Test
    func `row 13: a model may be nested in a model or in a string`() throws {
        let text = #"{"pixel":{"x":1},"text":"{\"x\":2,\"y\":3}"}"#
        let model = try decoder.decode(Nested.self, from: text)
        #expect(model == Nested(pixel: Pixel(x: 1), text: Pixel(x: 2, y: 3)))
        let back = try JSONModelEncoder().encode(model)
        #expect(try decoder.decode(Nested.self, from: back) == model)
        let error = #expect(throws: JSONModelError.self) {
            try decoder.decode(Nested.self, from: #"{"pixel":{"x":1},"text":"{\"x\":true}"}"#)
        }
        #expect(error?.issues.first?.path.description == "text.x")
    }

    @Test
    func `row 14: arrays of models drop no element silently`() throws {
        let issues = Mutex<[JSONIssue]>([])
        let text =
            #"{"list":[{"x":1}],"grid":[[{"x":1}],[]],"gaps":[null,{"x":2}],"lossy":[{"x":1},7,{"y":1},{"x":4}]}"#
        for source in JSONModelDecoder.Source.allCases {
            issues.withLock { $0 = [] }
            var decoder = decoder
            decoder.source = source
            let report: @Sendable (JSONIssue) -> Void = { issue in issues.withLock { $0.append(issue) } }
            decoder.issueHandler = report
            let rows = try decoder.decode(Rows.self, from: text)
            #expect(rows.list == [Pixel(x: 1)])
            #expect(rows.grid == [[Pixel(x: 1)], []])
            #expect(rows.gaps == [nil, Pixel(x: 2)])
            #expect(rows.lossy == [Pixel(x: 1), Pixel(x: 4)])
            let dropped = issues.withLock { $0 }
            #expect(dropped.map(\.path.description) == ["lossy[1]", "lossy[2]"])
            #expect(dropped.map(\.location.offset) == [79, 87])
        }
        #expect(throws: JSONModelError.self) { try decoder.decode([Pixel].self, from: #"[{"x":1},7]"#) }
    }

    @Test
    func `row 15: dictionaries of models, sets and integer keys decode`() throws {
        let text =
            #"{"one":{"a":{"x":1}},"many":{"b":[{"x":2},{"x":3}]},"set":["p","q","p"],"byNumber":{"7":{"x":4}}}"#
        let model = try decoder.decode(Dictionaries.self, from: text)
        let expected = Dictionaries(
            one: ["a": Pixel(x: 1)], many: ["b": [Pixel(x: 2), Pixel(x: 3)]], set: ["p", "q"],
            byNumber: [7: Pixel(x: 4)])
        #expect(model == expected)
        #expect(try decoder.decode(Dictionaries.self, from: JSONModelEncoder().encode(model)) == expected)
    }
}
#endif
