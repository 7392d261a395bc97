import Foundation
import TestSupport
import Testing

@testable import SluiceCore
@testable import SluiceStreams

/// Server-sent events, read as the HTML standard reads an event stream.
@Suite(.tags(.framing, .streams)) struct EventStreamTests {
    private func read(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) async
        -> StreamVerb.Outcome<JSONValue>
    {
        await StreamVerb.readAll(JSONValue.self, text, .serverSentEvents) {
            Issue.record("\($0)", sourceLocation: sourceLocation)
        }
    }

    /// The lines of a stream.
    private func lines(_ text: String) -> [String] {
        var scalars = Array(text.unicodeScalars)
        if scalars.first == "\u{FEFF}" { scalars.removeFirst() }
        var lines: [String] = [""]
        var isAfterReturn = false
        for scalar in scalars {
            defer { isAfterReturn = scalar == "\r" }
            if scalar == "\n", isAfterReturn { continue }
            if scalar == "\n" || scalar == "\r" {
                lines.append("")
            } else {
                lines[lines.count - 1].unicodeScalars.append(scalar)
            }
        }
        return lines
    }

    /// The data of the events of a stream. The end of the stream ends the last event.
    private func events(_ text: String) -> [String] {
        var (events, data): ([String], [String]) = ([], [])
        for line in lines(text) + [""] {
            if line.isEmpty {
                if !data.isEmpty { events.append(data.joined(separator: "\n")) }
                data = []
                continue
            }
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts[0] == "data" else { continue }
            let value = parts.count > 1 ? parts[1] : ""
            data.append(String(value.first == " " ? value.dropFirst() : value))
        }
        return events
    }

    /// The values of a stream before the first error, and whether there is an error.
    private func expected(_ text: String) -> (values: [JSONValue], hasError: Bool) {
        var values: [JSONValue] = []
        let names = lines(text).filter { !$0.allSatisfy { $0 == " " || $0 == "\t" } }.map {
            $0.split(separator: ":", omittingEmptySubsequences: false)[0]
        }
        if !names.isEmpty, Set(names).isDisjoint(with: ["data", "event", "id", "retry", ""]) { return ([], true) }
        for event in events(text) {
            let trimmed = event.trimmingCharacters(in: .whitespacesAndNewlines)
            if trimmed.isEmpty { continue }
            if trimmed == "[DONE]" { continue }
            // After a space, no byte order mark is skipped.
            do { values.append(try JSONModelDecoder().decode(JSONValue.self, from: " " + event)) } catch {
                return (values, true)
            }
        }
        return (values, false)
    }

    @Test(arguments: [
        "data: 1\r\rdata: 2\r\r", "data: 1\r\n\r\ndata: 2\r\n\r\n", "data: 1\n\rdata: 2\r\n\ndata: 3\r\r\n\n",
        "data: [\ndata: 1]\n\n", "data: [\rdata: 1]\r\r", "data: [\r\ndata: 1\r\ndata: ]\r\n\r\n",
        "data: \"a\ndata: b\"\n\ndata: 1\n\n", "data: \"a\rdata: b\"\r\rdata: 1\r\r",
        "data: [\ndata: DONE]\n\ndata: 1\n\n", "data: [DONE\ndata: ]\n\n", "data: [DO\n\ndata: 1\n\n",
        "data: [DONE]\ndata: 1\n\n", "data: 1\n\ndata: [DONE]\n: comment\n\ndata: 2\n\n", "data: 1\n\ndata: [DONE]",
        "data: 1\n\ndata: [DONE]\n", "data: 1\n\ndata: [DONE] \n\ndata: 2\n\n", "data\n\ndata: 1\ndata\n\n",
        "data:\n\ndata:\ndata\ndata: 1\n\n", "data:  \n\ndata:1\n\n", "data: 1", "data: {\"a\":\n",
        "data: {\"a\":\n\ndata: 1\n\n", "dat: 1\n\ndatas: 2\n\nDATA: 3\n\n data: 4\n\n",
        "id: 1\nevent: data\ndata: 1\nretry: 5\n\n:data: 2\n\n", "\u{FEFF}data: 1\n\n", "\u{FEFF}\ndata: 1\n\n",
        "\u{FEFF}: c\rdata: 1\r\rdata: [1,\r:c\r\ndata: 2]", "data: 1\n\n\u{FEFF}data: 2\n\ndata: 3\n\n",
        "\u{FEFF}\u{FEFF}data: 1\n\ndata: 2\n\n", "data: 12\ndata: 3\n\n", "data: 12\n\ndata: 3",
    ])
    func `events have the data of the standard`(_ text: String) async {
        let (values, hasError) = expected(text)
        let outcome = await read(text)
        #expect(outcome.elements == values && (outcome.error != nil) == hasError, "\(outcome), not \(values)")
    }

    @Test func `random streams have the events of the standard`() async {
        let pieces = [
            "data", "data:", "data: ", "da", ":", " ", "id: 7", "event: x", ": note", "[", "]", "1", "{\"a\":", "}",
            "\"x\"", "\"", ",", "[DONE]", "DONE]", "null", "\u{FEFF}", "\t",
        ]
        for index in 0..<300 {
            var random = SeededRandom(seed: 77, index: index)
            let ends = random.pick([["\n"], ["\r"], ["\r\n"], ["\n", "\r", "\r\n"]])
            var text = random.below(4) == 0 ? "\u{FEFF}" : ""
            for _ in 0..<random.below(14) {
                switch random.below(4) {
                case 0: text += random.pick(pieces)
                case 1:
                    text +=
                        "data: " + random.pick(["1", "[1]", "[", "]", "\"a", "b\"", "{\"a\":1}"])
                        + random.pick(ends)
                case 2: text += random.pick(ends)
                default: text += random.pick(pieces) + random.pick(ends)
                }
                if random.below(3) == 0 { text += random.pick(ends) + random.pick(ends) }
            }
            let (values, hasError) = expected(text)
            var first: StreamVerb.Outcome<JSONValue>?
            for source in JSONModelDecoder.Source.allCases {
                for size in [1, 2, 3, 7, max(text.utf8.count, 1)] {
                    var outcome = await random.pick(StreamVerb.allCases).read(
                        JSONValue.self, Array(text.utf8).pieces(of: size), at: "", .serverSentEvents,
                        JSONModelDecoder(from: source))
                    outcome.summary = nil
                    first = first ?? outcome
                    if outcome != first || outcome.elements != values || (outcome.error != nil) != hasError {
                        Issue.record("\(text.debugDescription), \(source), \(size): \(outcome), not \(values)")
                    }
                }
            }
        }
    }

    @Test(arguments: [JSONFraming.serverSentEvents, .dataLines])
    func `a text without a line of an event stream is an error`(_ framing: JSONFraming) async {
        for (text, place) in [
            (#"{"error":{"message":"busy"}}"#, "(line 1, column 1, offset 0)"),
            ("\r\n\n<html>\n<p>404</p>\n</html>\n", "(line 3, column 1, offset 3)"),
            ("datas: 1", "(line 1, column 1, offset 0)"),
        ] {
            let outcome = await StreamVerb.readAll(JSONValue.self, text, framing) { Issue.record("\($0)") }
            #expect(outcome.elements.isEmpty)
            #expect(outcome.error?.contains("no line begins with a field") == true, "\(outcome)")
            #expect(outcome.error?.hasSuffix(place) == true, "\(outcome)")
        }
        for text in ["", "\n\n", ": comment", "retry: 5", "text\nid\n", "text\ndata"] {
            let outcome = await StreamVerb.readAll(JSONValue.self, text, framing) { Issue.record("\($0)") }
            #expect(outcome.elements.isEmpty && outcome.error == nil, "\(outcome)")
        }
    }

    @Test func `locations count every end of a line`() async {
        for end in ["\n", "\r", "\r\n"] {
            let text = ["data: 1", "", ": a", "data: [", ": b", "data: x]", "", ""].joined(separator: end)
            let outcome = await read(text)
            let found = text.utf8.distance(from: text.startIndex, to: text.firstIndex(of: "x")!)
            #expect(outcome.elements == [1])
            #expect(outcome.error?.hasSuffix("(line 6, column 7, offset \(found))") == true, "\(outcome)")
        }
        // The line break between two lines of data is not allowed in a string.
        for end in ["\n", "\r"] {
            let outcome = await read(["data: \"ab", ":", ":", "data: c\"", "", ""].joined(separator: end))
            #expect(outcome.error?.hasSuffix("(line 1, column 10, offset 9)") == true, "\(outcome)")
        }
    }

    @Test func `bytes between lines of data are not kept`() throws {
        let splitter = EventSplitter(at: LineCount())
        func pieces(_ text: [UInt8]) -> [Int] {
            var counts: [Int] = []
            text.withUnsafeBufferPointer { bytes in
                var rest = bytes
                while let piece = splitter.next(in: &rest) {
                    switch piece {
                    case .part(let bytes, _): counts.append(bytes.count)
                    case .text(let bytes, _): counts.append(bytes.count)
                    default: Issue.record("\(piece)")
                    }
                }
            }
            return counts
        }
        #expect(pieces(Array("data: [\n".utf8)) == [1])
        let comment = Array((": " + String(repeating: "x", count: 9_997) + "\n").utf8)
        for _ in 0..<10 { #expect(pieces(comment).isEmpty) }
        let rest = pieces(Array("data: 1]".utf8))
        #expect(rest.reduce(0, +) == 1 + 100_000 + 6 + 2 && rest.max() ?? 0 <= 4_096)
        let text = "data: [\n" + String(repeating: ":\n", count: 30_000) + "data: 1,\ndata: x]\n\n"
        for source in JSONModelDecoder.Source.allCases {
            let error = #expect(throws: JSONModelError.self) {
                try JSONModelDecoder(from: source).forEach(JSONValue.self, in: text, framing: .serverSentEvents) {
                    _ in
                }
            }
            #expect(error?.issues.first?.location == JSONLocation(offset: 60_023, line: 30_003, column: 7))
        }
    }

    // MARK: Byte order marks

    private static let framed: [(JSONFraming, String)] = [
        (.document, "[1,\n 2]"), (.lines, "1\n2\n"), (.lines, "\n1\n2"), (.lines, "\r\n\n1\n2"),
        (.textSequence, "\u{1E}1\n\u{1E}2\n"), (.textSequence, " \n\u{1E}1\n\u{1E}2\n"), (.concatenated, "1\n2 "),
        (.concatenated, "\n 1\n2"), (.serverSentEvents, "data: 1\n\ndata: 2\n\n"),
        (.serverSentEvents, "\ndata: 1\n\ndata: 2"), (.serverSentEvents, ":\r\rdata: 1\r\rdata: 2"),
    ]

    @Test func `a byte order mark is skipped in every framing`() async throws {
        for (framing, text) in Self.framed {
            let plain = await StreamVerb.readAll(JSONPositioned<Int>.self, text, framing) { Issue.record("\($0)") }
            let marked = await StreamVerb.readAll(JSONPositioned<Int>.self, "\u{FEFF}" + text, framing) {
                Issue.record("\($0)")
            }
            #expect(marked.error == nil && marked.elements.map(\.value) == [1, 2], "\(framing): \(marked)")
            for (element, other) in zip(marked.elements, plain.elements) {
                #expect(element.position.start.offset == other.position.start.offset + 3)
                #expect(element.position.end.offset == other.position.end.offset + 3)
                #expect(element.position.start.line == other.position.start.line)
                #expect(element.position.start.column == other.position.start.column)
            }
            for format in JSONCompression.available {
                let bytes = try format.compress("\u{FEFF}" + text)
                let outcome = await StreamVerb.readAll(JSONPositioned<Int>.self, bytes: bytes, framing) {
                    Issue.record("\($0)")
                }
                #expect(outcome == marked)
            }
            try JSONModelDecoder().validate("\u{FEFF}" + text, framing: framing)
        }
        for framing in JSONFraming.allCases where framing != .document {
            for text in ["\u{FEFF}", "\u{FEFF}\n", "\u{FEFF} \r\n"] {
                let outcome = await StreamVerb.readAll(Int.self, text, framing) { Issue.record("\($0)") }
                #expect(outcome == StreamVerb.Outcome())
            }
        }
    }

    @Test func `a part of a mark and a second mark are errors`() async {
        for framing in [JSONFraming.lines, .textSequence, .concatenated] {
            for mark in [[0xEF], [0xEF, 0xBB], [0xEF, 0xBB, 0xBF, 0xEF, 0xBB, 0xBF], [0xEF, 0xBB, 0x31]]
                as [[UInt8]]
            {
                for rest in ["", "\u{1E}1\n"] {
                    let outcome = await StreamVerb.readAll(Int.self, bytes: mark + rest.utf8, framing) {
                        Issue.record("\($0)")
                    }
                    #expect(outcome.error != nil && outcome.elements == [], "\(framing), \(mark)")
                }
            }
        }
    }

    @Test func `workers skip only the mark at the start`() {
        for (index, text) in [
            "\u{FEFF}1\n2\n3\n4\n5\n6\n7\n", "\u{FEFF}\n1\n2\n3\n4\n5\n6\n7\n", "1\n2\n3\n\u{FEFF}4\n5\n6\n7\n",
            "12\n34\n\u{FEFF}4\n5\n", "\u{FEFF}\u{FEFF}1\n2\n3\n4\n",
        ].enumerated() {
            for batchSize in 1...12 {
                var outcomes: [String] = []
                for count in [1, 2] {
                    var decoder = JSONModelDecoder()
                    decoder.workers = .exactly(count)
                    decoder.workers.batchSize = batchSize
                    var rows: [Int] = []
                    var error: JSONModelError?
                    do {
                        try decoder.forEach(Int.self, in: .chunks(Array(text.utf8).pieces(of: 2)), framing: .lines)
                        { rows.append($0) }
                    } catch let caught { error = caught }
                    outcomes.append("\(rows) \(error?.issues.first?.description ?? "")")
                }
                #expect(outcomes[0] == outcomes[1], "\(index), \(batchSize)")
            }
        }
    }

    @Test func `a stream of a marked file continues from its checkpoints`() throws {
        for (framing, text) in Self.framed {
            try withFile(holding: Array(("\u{FEFF}" + text).utf8)) { path in
                var elements: [JSONPositioned<Int>] = []
                try JSONModelDecoder().forEach(in: .file(path), framing: framing) { elements.append($0) }
                #expect(elements.map(\.value) == [1, 2])
                var rest: [JSONPositioned<Int>] = []
                try JSONModelDecoder().forEach(
                    in: .file(path, from: elements[0].position.checkpoint), framing: framing
                ) { rest.append($0) }
                #expect(rest == [elements[1]])
            }
        }
    }
}
