import Sluice
import TestSupport
import Testing

@testable import FuzzSupport

/// Tokens longer than the window of a file, and tokens across the edges of windows.
struct LongTokenTests {
    struct Row: JSONModel, Hashable {
        let text: String
        let n: Int
        static let plan = ModelPlan<Row>(JSONField(\.text, key: "text"), JSONField(\.n, key: "n"))
    }

    /// A file is read in windows of 64 KiB at first: the second token begins, ends or breaks at each place around.
    @Test(
        arguments: [65_500, 65_530, 65_531, 65_532, 65_533, 65_534, 65_535, 65_536, 65_537, 65_540],
        JSONModelDecoder.Source.allCases)
    func `tokens across the edge of a window decode`(_ length: Int, _ source: JSONModelDecoder.Source) throws {
        let decoder = JSONModelDecoder(from: source)
        for token in [#""\ud83d\ude00\n😀""#, "-12.5e-3", "true", "null", #"{"é\u0041": "日本"}"#] {
            let text = Array("[\"\(String(repeating: "x", count: length - 4))\",\(token)]".utf8)
            let whole = try decoder.decode(JSONValue.self, from: text)
            try withFile(holding: text) { (path: String) throws in
                #expect(try decoder.decode(JSONValue.self, from: .file(path)) == whole)
            }
        }
    }

    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `errors across the edge of a window have the same outcome`(_ source: JSONModelDecoder.Source) throws {
        for length in [65_530, 65_533, 65_534, 65_535, 65_536, 65_537, 131_070] {
            for token in [#""\ud83dabc""#, "-12.e", "tru e", "nul", #"{"é\u0041" "日本"}"#, "\"\u{0C}\"", "1\u{0B}"] {
                let text = Array("[\"\(String(repeating: "\\n", count: length / 2))\",\n\(token)]".utf8)
                let fixture = Fixture("", text, as: JSONValue.self)
                #expect(fixture.whole().issues.count == 1)
                #expect(fixture.whole(from: source) == fixture.whole())
                try withFile(holding: text) { path in
                    #expect(fixture.file(path, from: source) == fixture.whole())
                }
            }
        }
    }

    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `strings longer than a window decode`(_ source: JSONModelDecoder.Source) throws {
        let decoder = JSONModelDecoder(from: source)
        let long = String(repeating: "0123456789abcdé", count: 40_000)
        let text = Array(#"[{"text":"\#(long)","n":1},{"n":2,"text":"\u0041\#(long)"},{"text":"","n":3}]"#.utf8)
        let rows = [Row(text: long, n: 1), Row(text: "A" + long, n: 2), Row(text: "", n: 3)]
        try withFile(holding: text) { (path: String) throws in
            #expect(try decoder.decode([Row].self, from: .file(path)) == rows)
            var streamed: [Row] = []
            try decoder.forEach(Row.self, in: .file(path)) { streamed.append($0) }
            #expect(streamed == rows)
        }
        #expect(try decoder.decode([Row].self, from: .chunks(text.pieces(of: 4_096))) == rows)
    }

    /// The part of a token that earlier chunks contain is not read again for each chunk.
    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `a long string in small chunks takes linear time`(_ source: JSONModelDecoder.Source) throws {
        let decoder = JSONModelDecoder(from: source)
        try expectLinearTime(upTo: 1_000_000) { count in
            let text = Array("\"\(String(repeating: "a", count: count))\"".utf8)
            let value = try decoder.decode(String.self, from: .chunks(text.pieces(of: 16)))
            #expect(value.utf8.count == count)
        }
    }

    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `numbers across many windows decode`(_ source: JSONModelDecoder.Source) throws {
        let decoder = JSONModelDecoder(from: source)
        let numbers = (0..<60_000).map { Double($0) / 8 - 3_000 }
        let text = Array("[\(numbers.map { "\($0)" }.joined(separator: ", "))]".utf8)
        try withFile(holding: text) { (path: String) throws in
            #expect(try decoder.decode([Double].self, from: .file(path)) == numbers)
            #expect(try decoder.forEach(Double.self, in: .file(path)) { _ in } == numbers.count)
        }
    }

    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `limits can be lifted`(_ source: JSONModelDecoder.Source) throws {
        var decoder = JSONModelDecoder(from: source)
        decoder.limits.string = .max
        decoder.limits.number = .max
        decoder.limits.key = .max
        decoder.limits.document = .max
        let digits = String(repeating: "1", count: 5_000)
        let key = String(repeating: "k", count: 70_000)
        let text = Array(#"{"\#(key)":\#(digits)}"#.utf8)
        for chunks in [[text], text.pieces(of: 1_000)] {
            let value = try decoder.decode(JSONValue.self, from: .chunks(chunks))
            #expect(value[key]?.number?.description == digits)
        }
    }
}
