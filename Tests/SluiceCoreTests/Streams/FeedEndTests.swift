import TestSupport
import Testing

@testable import SluiceCore
@testable import SluiceStreams

/// The first and last bytes of streams: white space, bytes after the only element, chunks and events after the end.
@Suite(.tags(.streams, .framing)) struct FeedEndTests {
    /// The elements and errors of a feed in the order in which its calls return and throw them.
    private struct Outcome: Equatable {
        var rows: [Item] = []
        var errors: [String] = []
        var positions: [JSONElementPosition] = []
    }

    /// Pushes pieces of text to feeds without a path. The outcomes with every source and pieces of every size must be equal.
    private func push(
        _ text: [UInt8], _ framing: JSONFraming = .document, sizes: [Int]? = nil,
        _ change: (inout JSONModelDecoder) -> Void = { _ in }, sourceLocation: SourceLocation = #_sourceLocation
    ) -> Outcome {
        var first: Outcome?
        for source in JSONModelDecoder.Source.allCases {
            var decoder = JSONModelDecoder(from: source)
            change(&decoder)
            for size in sizes ?? Array(1...max(text.count, 1)) {
                var outcome = Outcome()
                var feed = decoder.feed(of: JSONPositioned<Item>.self, framing: framing)
                func note(_ elements: [JSONPositioned<Item>]) {
                    outcome.rows += elements.map(\.value)
                    outcome.positions += elements.map(\.position)
                }
                for piece in text.pieces(of: size) {
                    do { note(try feed.push(piece)) } catch { outcome.errors.append("\(error)") }
                }
                for _ in 0..<2 { do { note(try feed.finish()) } catch { outcome.errors.append("\(error)") } }
                #expect(outcome == first ?? outcome, "\(source), pieces of \(size)", sourceLocation: sourceLocation)
                first = first ?? outcome
            }
        }
        return first ?? Outcome()
    }

    // MARK: Errors at the end of a chunk

    /// A sender may wait for an answer before it sends more.
    @Test(arguments: JSONModelDecoder.Source.allCases, ["x", "tx", "[1,,", "}", "'", "xNa", "-x"])
    func `an error whose hint is known is thrown before more bytes arrive`(
        _ source: JSONModelDecoder.Source, _ fault: String
    ) throws {
        var feed = JSONModelDecoder(from: source).feed(of: Item.self)
        #expect(try feed.push(Array("[{\"id\":1}, ".utf8)) == [Item(id: 1)])
        #expect(throws: JSONModelError.self) { try feed.push(Array(fault.utf8)) }
    }

    @Test(arguments: JSONModelDecoder.Source.allCases, ["NaN", "Infinity", "undefined", "None", "-inf"])
    func `an error waits for the word of its hint`(_ source: JSONModelDecoder.Source, _ word: String) throws {
        let text = "\(word), "
        for size in 1...text.utf8.count {
            var feed = JSONModelDecoder(from: source).feed(of: Item.self)
            _ = try feed.push(Array("[{\"id\":1}, ".utf8))
            let error = #expect(throws: JSONModelError.self) {
                for piece in Array(text.utf8).pieces(of: size) { _ = try feed.push(piece) }
            }
            #expect(error?.issues.first?.hint != nil, "\(size)")
        }
    }

    // MARK: White space before a document

    @Test func `white space counts in the limit of a document`() throws {
        for mark in [[], Encoding.byteOrderMark] {
            for limit in [0, 2, 3, 4, 63, 64, 100, 1_000, 5_000] {
                let text = mark + [UInt8](repeating: UInt8(ascii: " "), count: 10_000)
                let outcome = push(text, sizes: [1, 2, 3, 50, 64, 1_000, 4_096, text.count]) {
                    $0.limits.document = limit
                }
                #expect(outcome.rows.isEmpty && outcome.errors.count == 1)
                let error = try #require(outcome.errors.first)
                #expect(error.hasPrefix("the text is longer in bytes than \(limit)"), "\(error)")
                let offset = limit < mark.count ? mark.count : limit
                #expect(error.contains("offset \(offset))"), "\(error)")
            }
        }
    }

    @Test func `a document may follow white space up to its limit`() throws {
        for mark in [[], Encoding.byteOrderMark] {
            let space =
                [UInt8](repeating: UInt8(ascii: " "), count: 3_000) + [UInt8(ascii: "\n"), UInt8(ascii: " ")]
            let text = mark + space + Array("{\"id\":1}".utf8)
            let sizes = [1, 2, 3, 64, 129, 1_000, 3_004, text.count]
            let outcome = push(text, sizes: sizes) { $0.limits.document = text.count }
            #expect(outcome.rows == [Item(id: 1)] && outcome.errors.isEmpty, "\(outcome)")
            let start = mark.count + space.count
            #expect(outcome.positions.map(\.start) == [JSONLocation(offset: start, line: 2, column: 2)])
            #expect(outcome.positions.map(\.end.offset) == [text.count])
            let short = push(text, sizes: sizes) { $0.limits.document = text.count - 1 }
            #expect(short.rows.isEmpty && short.errors.count == 1)
            // The column of an error does not depend on the white space that was dropped.
            let bad = push(mark + [UInt8](repeating: 9, count: 500) + Array("{?".utf8), sizes: [1, 64, 300, 600])
            #expect(bad.errors.count == 1 && bad.errors[0].contains("line 1, column 502"), "\(bad.errors)")
        }
    }

    @Test func `a part of a byte order mark before white space is an error`() {
        for bytes in [[0xEF, 0xBB, 0x20], [0xEF, 0x20], [0x20, 0xBB], [0x20, 0x20, 0xBF], [0xEF, 0xBB, 0x5B]]
            as [[UInt8]]
        {
            let text = bytes + [UInt8](repeating: 0x20, count: 400) + Array("{\"id\":1}".utf8)
            let outcome = push(text, sizes: [1, 2, 3, 64, 200, text.count])
            #expect(outcome.rows.isEmpty && outcome.errors.count == 1, "\(bytes)")
        }
    }

    @Test func `the white space before a document is not kept`() {
        var start = DocumentStart(limit: 1 << 40)
        let space = [UInt8](repeating: UInt8(ascii: " "), count: 100_000)
        for _ in 0..<100 {
            space.withUnsafeBufferPointer { bytes in
                var bytes = bytes
                #expect(start.isArray(&bytes) == nil)
            }
        }
        try? start.withText { #expect($0.count <= 2 * LookbackBuffer.reach) }
        #expect(start.end.offset == 10_000_000)
    }

    // MARK: Bytes after the only element

    @Test(arguments: [" x", "{}", " ]", "\n{\"id\":2}", "\u{FEFF}", ",", "\"", "\0"])
    func `bytes after the only element do not lose the element`(_ junk: String) {
        let outcome = push(Array(("{\"id\":1}" + junk).utf8))
        #expect(outcome.rows == [Item(id: 1)])
        #expect(outcome.errors.count == 1)
        #expect(outcome.errors.first?.hasPrefix("unexpected data after the top-level value") == true)
    }

    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `bytes after the only element in memory do not lose the element`(_ source: JSONModelDecoder.Source) {
        for text in ["12 x", "12 3", "12 ]", "\n12 \""] {
            var values: [Int] = []
            let error = #expect(throws: JSONModelError.self) {
                try JSONModelDecoder(from: source).forEach(Int.self, in: text) { values.append($0) }
            }
            #expect(values == [12] && error?.issues.first?.location.offset == text.utf8.count - 1, "\(text)")
        }
    }

    @Test func `invalid UTF-8 and the limit of a document after the only element do not lose the element`() {
        let element = Array("{\"id\":1}".utf8)
        for junk in [[0xFF], [0x20, 0xC3], [0x0B], [0x20, 0x0C]] as [[UInt8]] {
            let outcome = push(element + junk)
            #expect(outcome.rows == [Item(id: 1)] && outcome.errors.count == 1, "\(junk)")
        }
        let outcome = push(element + Array("   ".utf8)) { $0.limits.document = element.count + 1 }
        #expect(outcome.rows == [Item(id: 1)] && outcome.errors.count == 1, "\(outcome.errors)")
        let whole = push(element + Array(" ".utf8)) { $0.limits.document = element.count + 1 }
        #expect(whole.rows == [Item(id: 1)] && whole.errors.isEmpty)
    }

    @Test func `a scalar that is the only element is passed before the bytes after it`() throws {
        for source in JSONModelDecoder.Source.allCases {
            for size in 1...9 {
                var feed = JSONModelDecoder(from: source).feed(of: Int.self)
                var values: [Int] = []
                var errors = 0
                for piece in Array("12 x".utf8).pieces(of: size) + [[]] {
                    do { values += try feed.push(piece) } catch { errors += 1 }
                }
                #expect(values == [12] && errors == 1, "\(source), \(size)")
            }
        }
    }

    @Test func `a value of a line is not passed before bytes after it`() {
        for text in ["{\"id\":1} x\n{\"id\":2}\n", "{\"id\":1} {\"id\":3}\n{\"id\":2}\n"] {
            let outcome = push(Array(text.utf8), .lines) { $0.elementErrors = .skip }
            #expect(outcome.rows == [Item(id: 2)] && outcome.errors.isEmpty)
        }
    }

    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `the only element is not passed without the parts that failed`(_ source: JSONModelDecoder.Source) throws {
        let changes: [(inout JSONModelDecoder) -> Void] = [
            { $0.errorPolicy = .collect(limit: 10) }, { $0.elementErrors = .skip },
        ]
        for change in changes {
            var decoder = JSONModelDecoder(from: source)
            change(&decoder)
            for size in [1, 100] {
                var feed = decoder.feed(of: [String: Int].self)
                var elements: [[String: Int]] = []
                let error = #expect(throws: JSONModelError.self) {
                    for piece in Array(#"{"a":"x","b":1} "#.utf8).pieces(of: size) {
                        elements += try feed.push(piece)
                    }
                    elements += try feed.finish()
                }
                #expect(elements.isEmpty, "\(size)")
                #expect(error?.issues.map(\.path) == ["a"], "\(size)")
            }
        }
    }

    // MARK: After the end

    @Test(arguments: JSONFraming.allCases)
    func `a chunk after the end of the input is an error`(_ framing: JSONFraming) throws {
        var feed = JSONModelDecoder().feed(of: Item.self, framing: framing)
        let text: [JSONFraming: String] = [
            .textSequence: "\u{1E}{\"id\":1}\n", .serverSentEvents: "data: {\"id\":1}\n\n",
            .dataLines: "data: {\"id\":1}\n",
        ]
        var rows = try feed.push((text[framing] ?? "{\"id\":1}\n").utf8)
        rows += try feed.finish()
        #expect(rows == [Item(id: 1)])
        #expect(try feed.push([]) == [])
        for _ in 0..<2 {
            let error = #expect(throws: JSONModelError.self) { try feed.push("\n".utf8) }
            #expect(error?.description.contains("'finish'") == true)
        }
        #expect(try feed.finish() == [])
    }

    @Test func `the error of the end comes before that of a chunk after it`() throws {
        var feed = JSONModelDecoder().feed(of: Item.self, framing: .lines)
        #expect(try feed.push("{\"id\":1}\n{\"id\":".utf8) == [Item(id: 1)])
        let end = #expect(throws: JSONModelError.self) { try feed.finish() }
        #expect(end?.issues.map(\.kind) == [.unexpectedEnd])
        let next = #expect(throws: JSONModelError.self) { try feed.push("2}".utf8) }
        #expect(next?.issues.first?.location == JSONLocation(offset: 0, line: 0, column: 0))
    }

    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `a map keeps a feed until its error was thrown`(_ source: JSONModelDecoder.Source) throws {
        var feeds = JSONModelDecoder(from: source).feeds(of: Int.self, by: String.self)
        var values = try feeds["a"].push("[1,2".utf8)
        values += try feeds.finish("a")
        #expect(values == [1, 2])
        let error = #expect(throws: JSONModelError.self) { try feeds.finish("a") }
        #expect(error?.issues.map(\.kind) == [.unexpectedEnd])
        #expect(try feeds.finish("a") == [])
        #expect(feeds.keys.isEmpty)
    }

    @Test func `the keys of a map keep their order when feeds end`() throws {
        var feeds = JSONModelDecoder().feeds(of: Int.self, by: Int.self)
        var expected: [Int] = []
        for step in 0..<200 {
            _ = try feeds[step].push("[\(step)".utf8)
            expected.append(step)
            // Sometimes the second key, the first and the last one.
            var indexes: [Int] = []
            if step % 3 == 0 { indexes.append(1) }
            if step % 5 == 0 { indexes.append(0) }
            if step % 7 == 0 { indexes.append(expected.count - 3) }
            for index in indexes where expected.indices.contains(index) {
                let key = expected.remove(at: index)
                let values = try feeds[key].push("]".utf8)
                #expect(try values + feeds.finish(key) == [key])
            }
            #expect(feeds.keys == expected)
        }
    }

    @Test func `events after the last one of an answer are read`() {
        let text =
            "data: {\"id\":1}\n\ndata: [DONE]\n\ndata: {\"id\":2}\n\ndata:[DONE]\r\rdata: {\"id\":3}\n\ndata: [DONE]"
        let outcome = push(Array(text.utf8), .serverSentEvents)
        #expect(outcome.rows.map(\.id) == [1, 2, 3] && outcome.errors.isEmpty, "\(outcome)")
    }

    // MARK: Hints

    @Test(
        arguments: [
            ("NaN", "NaN and Infinity are not JSON numbers"),
            ("-Infinity", "NaN and Infinity are not JSON numbers"), ("None", "Python"), ("True", "Python"),
            ("undefined", "undefined"), ("nil", "nil"), ("TRUE", "lower case"), ("Nothing", nil), ("x", nil),
        ] as [(String, String?)])
    func `a hint does not depend on the framing or the chunks`(_ word: String, _ expected: String?) throws {
        func check(_ outcome: Outcome, _ note: String) {
            #expect(outcome.errors.count == 1, "\(note): \(outcome.errors)")
            if let expected {
                #expect(outcome.errors.first?.contains(expected) == true, "\(note): \(outcome.errors)")
            } else {
                #expect(outcome.errors.first?.contains(" (line") == true, "\(note): \(outcome.errors)")
                #expect(outcome.errors.first?.contains("(the ") == false, "\(note): \(outcome.errors)")
            }
        }
        check(push(Array("{\"id\":\(word)}".utf8)), "document")
        check(push(Array("[{\"id\":1},{\"id\":\(word)}]".utf8)), "array")
        check(push(Array("[{\"id\":1},{\"id\":\(word)".utf8)), "cut array")
        check(push(Array("{\"id\":1}\n{\"id\":\(word)}\n".utf8), .lines), "lines")
        check(push(Array("{\"id\":1}\n{\"id\":\(word)".utf8), .lines), "cut line")
        check(push(Array("{\"id\":1}{\"id\":\(word)}{\"id\":1}".utf8), .concatenated), "concatenated")
        check(push(Array("{\"id\":1}\(word) {\"id\":1}".utf8), .concatenated), "concatenated scalar")
        check(push(Array("\u{1E}{\"id\":\(word)}\n".utf8), .textSequence), "text sequence")
        // The first four bytes of a value show its encoding.
        if word.utf8.count >= 4 {
            check(push(Array("\u{1E}\(word)\u{1E}1\n".utf8), .textSequence), "cut scalar of a text sequence")
        }
        check(push(Array("data: {\"id\":\(word)}\n\n".utf8), .serverSentEvents), "events")
    }

    @Test func `the issues of skipped elements have hints`() {
        for source in JSONModelDecoder.Source.allCases {
            for size in [1, 2, 3, 5, 200] {
                let log = IssueLog()
                var decoder = JSONModelDecoder(from: source)
                decoder.elementErrors = .skip
                decoder.issueHandler = { log.add($0) }
                let text = "{\"id\":NaN}\n{\"id\":1}\n{\"id\":None, \"x\": 1}\n{\"id\":2} {\"id\":3}\n{\"id\":2}"
                var ids: [Int] = []
                #expect(throws: Never.self) {
                    try decoder.forEach(Item.self, in: .chunks(Array(text.utf8).pieces(of: size)), framing: .lines)
                    { ids.append($0.id) }
                }
                #expect(ids == [1, 2])
                let hints = log.issues.map { $0.hint ?? "-" }
                #expect(hints.count == 3 && hints[0].contains("NaN") && hints[1].contains("Python"), "\(hints)")
                #expect(hints.last?.contains(".concatenated") == true && hints.last?.contains(".lines") == false)
            }
        }
    }

    @Test func `a value after the only value of a document names the framings of several values`() throws {
        for text in ["{\"id\":1}\n{\"id\":2}", "{\"id\":1}{\"id\":2}", "{\"id\":1} 2"] {
            let issue = try refusal(Item.self, text)
            #expect(issue.kind == .trailingContent)
            #expect(
                issue.description.hasPrefix(
                    "unexpected data after the top-level value (for several values, use the framing .lines or .concatenated)"
                ), "\(issue)")
        }
        for text in ["{\"id\":1}]", "{\"id\":1}x"] {
            let issue = try refusal(Item.self, text)
            #expect(issue.kind == .trailingContent && issue.hint == nil)
        }
    }
}
