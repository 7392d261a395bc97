import SluiceStreams
import TestSupport
import Testing

@testable import SluiceCore

/// Lines are decoded one after another with the same source and driver. Each has the result that the line alone has.
@Suite(.tags(.framing)) struct ConsecutiveLineTests {
    private struct Row: JSONModel, Equatable {
        var id: Int
        var name: String?
        var tags: [String]
        var kind: Kind?
        var level: Int
        var raw: JSONRaw?
        static let plan = ModelPlan<Row>(
            JSONField(\.id), JSONField(\.name, key: "owner.name"), JSONField(\.tags, default: []),
            JSONField(\.kind), JSONField(\.level, default: 1).defaulting(on: [.missing, .mismatch]),
            JSONField(\.raw))
    }

    /// An enum whose tag may be the last key, so that the value is recorded.
    private enum Kind: JSONEnum, Equatable {
        case size(Size)
        static let plan = ModelPlan<Kind>(cases: [.of("size", Self.size)], tagging: .internal(tag: "type"))
    }

    private struct Size: JSONModel, Equatable {
        var width: Int
        static let plan = ModelPlan<Size>(JSONField(\.width))
    }

    private static let lines = [
        #"{"id":1}"#, #"{"id":2,"owner":{"name":"a name of twenty bytes"},"tags":["x","a tag of sixteen bytes"]}"#,
        #"{"id":3,"kind":{"width":4,"type":"size"}}"#, #"{"id":4,"kind":{"type":"size","width":5}}"#,
        #"{"id":5,"level":"high"}"#, #"{"id":6,"raw":[1,{"a":2}]}"#, #"{"id":7,"raw":"é","level":7}"#,
        #"{"tags":[],"id":8}"#, #"  {"id" : 9 }  "#, #"null"#, #"{"id":"x"}"#, #"{"id":10,"#, #"{"id":11}}"#,
        #"{"tags":["a"]}"#, #"{"id":12,"kind":{"width":4}}"#, #"[1]"#, "{\"id\":13,\"owner\":{\"name\":\"\u{1}\"}}",
        #"{"id":14,"tags":["a",2]}"#, #"{"id":1e2}"#, #"{"id":-15}"#, #"12"#, #"{"id":99999999999999999999}"#,
        "\u{FEFF}{\"id\":16}", #"{"id":17,"owner":null,"kind":null}"#,
    ]

    /// The outcomes of lines: a model, or the first issue with its place in the line.
    private func outcomes(_ lines: [String], _ decoder: JSONModelDecoder) throws -> [String] {
        var decoder = decoder
        decoder.elementErrors = .skip
        let issues = IssueLog()
        decoder.issueHandler = { issues.add($0) }
        var outcomes: [Int: String] = [:]
        var cursor = decoder.cursor(
            of: JSONPositioned<Row>.self, in: lines.joined(separator: "\n"), framing: .lines)
        while let row = try cursor.next() { outcomes[row.position.start.line] = "\(row.value)" }
        for issue in issues.issues where outcomes[issue.location.line] == nil {
            outcomes[issue.location.line] = "\(issue.kind) at \(issue.path), column \(issue.location.column)"
        }
        return (1...lines.count).map { outcomes[$0] ?? "none" }
    }

    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `lines have the results that they have alone`(_ source: JSONModelDecoder.Source) throws {
        let decoder = JSONModelDecoder(from: source)
        // The first line may have a byte order mark.
        let alone = try Self.lines.map { try outcomes(["{}", $0], decoder)[1] }
        var random = SeededRandom(seed: 71, index: 0)
        for _ in 0..<200 {
            let order = (0..<random.below(40) + 2).map { _ in random.below(Self.lines.count) }
            let together = try outcomes(["{}"] + order.map { Self.lines[$0] }, decoder).dropFirst()
            #expect(Array(together) == order.map { alone[$0] })
        }
    }

    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `a byte order mark is part of the first line only`(_ source: JSONModelDecoder.Source) throws {
        let decoder = JSONModelDecoder(from: source)
        let mark = "\u{FEFF}"
        var count = 0
        try decoder.forEach(Row.self, in: "\(mark){\"id\":1}\n{\"id\":2}", framing: .lines) { (_: Row) in count += 1
        }
        #expect(count == 2)
        let error = #expect(throws: JSONModelError.self) {
            try decoder.forEach(Row.self, in: "{\"id\":1}\n\(mark){\"id\":2}", framing: .lines) { (_: Row) in }
        }
        #expect(error?.issues.first?.location.line == 2)
    }

    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `a line may be as long as the limit`(_ source: JSONModelDecoder.Source) throws {
        var decoder = JSONModelDecoder(from: source)
        let line = #"{"id":3,"tags":["abc"]}"#
        decoder.limits.document = line.utf8.count
        var count = 0
        try decoder.forEach(Row.self, in: Array(repeating: line, count: 9).joined(separator: "\n"), framing: .lines)
        { (_: Row) in count += 1 }
        #expect(count == 9)
    }

    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `each line has limits of its own`(_ source: JSONModelDecoder.Source) throws {
        var decoder = JSONModelDecoder(from: source)
        decoder.limits.document = 60
        let line = #"{"id":3,"kind":{"width":4,"type":"size"}}"#
        let text = Array(repeating: line, count: 50).joined(separator: "\n")
        var count = 0
        try decoder.forEach(Row.self, in: text, framing: .lines) { (_: Row) in count += 1 }
        #expect(count == 50)
        let long = #"{"id":3,"tags":["\#(String(repeating: "a", count: 60))"]}"#
        let error = #expect(throws: JSONModelError.self) {
            try decoder.forEach(Row.self, in: "\(line)\n\(line)\n\(long)\n\(line)", framing: .lines) { (_: Row) in }
        }
        #expect(error?.issues.first?.kind == .limitExceeded(.document, limit: 60))
        #expect(error?.issues.first?.location.line == 3)
        #expect(error?.issues.first?.elementIndex == 2)
    }

    private struct Nested: JSONModel {
        var raw: JSONRaw?
        var twice: Twice?
        static let plan = ModelPlan<Nested>(JSONField(\.raw), JSONField(\.twice))
    }

    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `the replayed bytes of each line are limited by its own recordings`(_ source: JSONModelDecoder.Source)
        throws
    {
        let decoder = JSONModelDecoder(from: source)
        // Each level doubles the number of replayed bytes.
        func replayed(_ depth: Int) -> String {
            "{\"twice\":" + String(repeating: "{\"c\":", count: depth) + "{}"
                + String(repeating: "}", count: depth + 1)
        }
        let depth = try #require((1...40).first { (try? decoder.decode(Nested.self, from: replayed($0))) == nil })
        // The limit for these bytes would be enough for both lines.
        let recorded = "{\"raw\":\"\(String(repeating: "a", count: 40_000))\"}"
        for lines in [
            [replayed(depth)], [recorded, replayed(depth)], ["{}", recorded, replayed(depth - 1), replayed(depth)],
        ] {
            var count = 0
            let error = #expect(throws: JSONModelError.self) {
                try decoder.forEach(Nested.self, in: lines.joined(separator: "\n"), framing: .lines) {
                    (_: Nested) in count += 1
                }
            }
            #expect(error?.issues.first?.kind == .limitExceeded(.rereads, limit: decoder.limits.rereads))
            #expect(count == lines.count - 1)
        }
    }
}
