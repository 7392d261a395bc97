import SluiceCore
import SluiceStreams
import Synchronization
import TestSupport
import Testing

/// The first value of an input, with text before and after.
@Suite(.tags(.streams)) struct FirstValueTests {
    private static let decoders = JSONModelDecoder.Source.allCases.map { source in
        JSONModelDecoder.with { $0.source = source }
    }

    // MARK: One call

    @Test(arguments: [
        ("[1] trailing", "[1]"), (" \n[1,2]]", " \n[1,2]"), ("[3][4]", "[3]"), ("[]", "[]"),
        ("\u{FEFF}[5]}", "\u{FEFF}[5]"),
    ])
    func `the first value and its length`(_ text: String, _ prefix: String) throws {
        for decoder in Self.decoders {
            let (value, count) = try decoder.decodePrefix([Int].self, from: text)
            #expect(count == prefix.utf8.count)
            #expect(value == (try decoder.decode([Int].self, from: prefix)))
        }
    }

    @Test func `scalars end before other bytes`() throws {
        for decoder in Self.decoders {
            let number = try decoder.decodePrefix(Int.self, from: "12 34")
            #expect(number.value == 12 && number.byteCount == 2)
            let text = try decoder.decodePrefix(String.self, from: #" "a b"c"#)
            #expect(text.value == "a b" && text.byteCount == 6)
            let flag = try decoder.decodePrefix(Bool.self, from: "true,false")
            #expect(flag.value && flag.byteCount == 4)
            let all = try decoder.decodePrefix(Double.self, from: "-0.5")
            #expect(all.value == -0.5 && all.byteCount == 4)
        }
    }

    @Test func `values follow one another`() throws {
        let text = Array("{\"id\":1} {\"id\":2}\n{\"id\":3}".utf8)
        for decoder in Self.decoders {
            var (rest, ids) = (text[...], [JSONValue]())
            while !rest.isEmpty {
                let (value, count) = try decoder.decodePrefix(JSONValue.self, from: rest)
                ids.append(value["id"] ?? .null)
                rest = rest.dropFirst(count)
            }
            #expect(ids == [1, 2, 3])
        }
    }

    @Test func `words and fences around the value are ignored`() throws {
        let answers = [
            "Here it is:\n```json\n{\"a\": [1, \"}\"]}\n```\nAnything else? {no}", "{\"a\": [1, \"}\"]}",
            "\n\n{\"a\": [1, \"}\"]}}}", "é🌍{\"a\": [1, \"}\"]} [",
        ]
        for decoder in Self.decoders {
            for answer in answers {
                let (value, count) = try decoder.decodePrefix(JSONValue.self, from: answer, ignoresText: true)
                #expect(value == ["a": [1, "}"]])
                #expect(String(answer.utf8.prefix(count))?.hasSuffix("]}") == true)
            }
            let list = try decoder.decodePrefix([Int].self, from: "The list is [1, 2].", ignoresText: true)
            #expect(list.value == [1, 2] && list.byteCount == 18)
        }
    }

    @Test func `errors have their place in the whole text`() throws {
        for decoder in Self.decoders {
            let error = #expect(throws: JSONModelError.self) {
                try decoder.decodePrefix([Int].self, from: "Sure!\n  [1, x] and so on", ignoresText: true)
            }
            let issue = try #require(error?.issues.first)
            #expect(issue.location.line == 2 && issue.location.column == 7 && issue.location.offset == 12)
            let mismatch = #expect(throws: JSONModelError.self) {
                try decoder.decodePrefix([Int].self, from: "a\n[1, true]", ignoresText: true)
            }
            #expect(mismatch?.issues.first?.location.line == 2 && mismatch?.issues.first?.path == "[1]")
        }
    }

    @Test(arguments: ["", "  ", "no value at all"], [false, true])
    func `an input without a value is an error`(_ text: String, _ ignoresText: Bool) {
        for decoder in Self.decoders {
            for decoder in [
                decoder, JSONModelDecoder.with { ($0.source, $0.elementErrors) = (decoder.source, .skip) },
            ] {
                #expect(throws: JSONModelError.self) {
                    try decoder.decodePrefix([Int].self, from: text, ignoresText: ignoresText)
                }
            }
        }
    }

    @Test func `the first value is not an element of a stream`() throws {
        let summaries = Mutex<[Int]>([])
        for var decoder in Self.decoders {
            decoder.summaryHandler = { summary in summaries.withLock { $0.append(summary.elements) } }
            #expect(try decoder.decodePrefix(Int.self, from: "1 2").value == 1)
            for text in ["x", "\"x\"", ""] {
                let error = #expect(throws: JSONModelError.self) { try decoder.decodePrefix(Int.self, from: text) }
                #expect(error?.issues.map(\.elementIndex) == [nil], "\(text)")
            }
        }
        #expect(summaries.withLock { $0 } == [])
    }

    @Test func `a value that is cut off, or does not fit, is an error`() {
        for text in ["[1, 2", "{\"a\": 1}", "[1 2]"] {
            for decoder in Self.decoders {
                #expect(throws: JSONModelError.self) { try decoder.decodePrefix([Int].self, from: text) }
                #expect(throws: JSONModelError.self) {
                    try decoder.decodePrefix([Int].self, from: "so: " + text, ignoresText: true)
                }
            }
        }
    }

    // MARK: Feeds

    private struct Outcome: Equatable {
        var elements: [JSONValue] = []
        var error: String?
        var last: JSONValue?
    }

    private func push(_ text: String, size: Int, at path: JSONPath = JSONPath(), _ decoder: JSONModelDecoder)
        -> Outcome
    {
        var outcome = Outcome()
        var feed = decoder.feed(of: JSONValue.self, at: path, ignoresText: true)
        do {
            for piece in Array(text.utf8).pieces(of: size) { outcome.elements += try feed.push(piece) }
            outcome.last = feed.snapshot().value
            outcome.elements += try feed.finish()
        } catch { outcome.error = "\(error)" }
        return outcome
    }

    @Test func `a feed begins at the first bracket and ends with its value`() {
        let text = "I think:\r\n```json\r\n{\"a\": {\"b\": \"[}\\\"\"}, \"c\": [[1], {}]}\r\n``` {\"d\": 1}"
        let whole: JSONValue = ["a": ["b": "[}\""], "c": [[1], [:]]]
        for decoder in Self.decoders {
            for size in [1, 2, 3, 7, 100] {
                #expect(push(text, size: size, decoder) == Outcome(elements: [whole], last: whole))
                #expect(push(text, size: size, at: "c[*]", decoder).elements == [[1], [:]])
                #expect(push("no [1, 2] or", size: size, decoder).elements == [1, 2])
            }
        }
    }

    @Test func `text around a document does not count against the limit of the document`() {
        let document = #"{"a": [1, {"b": "c"}], "d": 1e-2, "e": "\u00e9"}"#
        for var decoder in Self.decoders {
            decoder.limits.document = document.utf8.count
            for size in [1, 2, 7, 13, 100] {
                let outcome = push("é\n: \"" + document + "\n} ]", size: size, decoder)
                #expect(outcome.error == nil)
                #expect(outcome.elements.count == 1)
            }
        }
    }

    @Test func `an error of a feed has its place in the whole text`() {
        for decoder in Self.decoders {
            for size in [1, 2, 7, 100] {
                for (text, line, column, offset) in [
                    ("Sure:\n  {\"a\": x} and so on", 2, 9, 14), ("Sure:\n\n[1,\n x]", 4, 2, 12),
                ] {
                    let error = #expect(throws: JSONModelError.self) {
                        var feed = decoder.feed(of: JSONValue.self, ignoresText: true)
                        for piece in Array(text.utf8).pieces(of: size) { _ = try feed.push(piece) }
                        _ = try feed.finish()
                    }
                    let location = error?.issues.first?.location
                    #expect(location == JSONLocation(offset: offset, line: line, column: column))
                }
            }
        }
    }

    @Test(arguments: ["", "words", "two\nlines", "\u{FEFF}", "\u{FEFF}a\n\nb "])
    func `the error of a text without a document is at its end`(_ text: String) {
        for decoder in Self.decoders {
            for (path, size) in [("", 1), ("", 2), ("", 100), ("[*]", 1), ("[*]", 100)] as [(JSONPath, Int)] {
                let error = #expect(throws: JSONModelError.self) {
                    var feed = decoder.feed(of: JSONValue.self, at: path, ignoresText: true)
                    for piece in Array(text.utf8).pieces(of: size) { _ = try feed.push(piece) }
                    _ = try feed.finish()
                }
                let location = error?.issues.first?.location
                #expect(location?.offset == text.utf8.count, "\(path), \(size)")
                #expect(location?.line == text.split(separator: "\n", omittingEmptySubsequences: false).count)
            }
        }
    }

    @Test(arguments: [1, 2, 5, 100]) func `a byte order mark does not count in the columns of a feed`(_ size: Int) {
        for decoder in Self.decoders {
            for ignoresText in [false, true] {
                var feed = decoder.feed(of: JSONValue.self, at: "[*]", ignoresText: ignoresText)
                var location: JSONLocation?
                do throws(JSONModelError) {
                    for piece in Array("\u{FEFF}[1,x]".utf8).pieces(of: size) { _ = try feed.push(piece) }
                    _ = try feed.finish()
                } catch { location = error.issues.first?.location }
                #expect(location == JSONLocation(offset: 6, line: 1, column: 4), "\(ignoresText)")
            }
        }
    }

    @Test func `the errors of a feed do not depend on its chunks`() {
        for text in [
            "words", "", "a\n{\"b\": x} c", "a {\"b\": 1", "\u{FEFF}a\n\n [1, 2,] and", "{", "a [\"\\x\"] b {",
        ] {
            var first: Outcome?
            for decoder in Self.decoders {
                for size in [100, 1, 2, 5] {
                    var outcome = push(text, size: size, decoder)
                    outcome.last = nil
                    #expect(outcome.error != nil)
                    #expect(outcome == first ?? outcome, "\(text.debugDescription), \(size)")
                    first = first ?? outcome
                }
            }
        }
    }

    @Test func `a feed that does not ignore text rejects words`() {
        for decoder in Self.decoders {
            var feed = decoder.feed(of: JSONValue.self)
            #expect(throws: JSONModelError.self) {
                _ = try feed.push(Array("json {}".utf8))
                _ = try feed.finish()
            }
        }
    }

    @Test func `the feeds of a map have its path, its framing and its text around documents`() throws {
        for decoder in Self.decoders {
            var feeds = decoder.feeds(of: Int.self, by: String.self, at: "c[*]", ignoresText: true)
            var values = try feeds["b"].push("Yes: {\"c\":[1,".utf8)
            values += try feeds["a"].push("{\"c\":[7]} is all".utf8)
            values += try feeds["b"].push("2]}.".utf8)
            #expect(values == [1, 7, 2])
            let all = feeds.keys
            #expect(all == ["b", "a"])
            let end = try feeds.finish("b")
            let rest = feeds.keys
            #expect(end == [] && rest == ["a"])
            var lines = decoder.feeds(of: Int.self, by: Int.self, at: "x", framing: .lines)
            values = try lines[0].push("{\"x\":1}\n{\"x\":2}".utf8)
            values += try lines.finish(0)
            #expect(values == [1, 2])
        }
    }

    @Test func `text around a document has no effect on its envelope`() throws {
        for decoder in Self.decoders {
            for workers in [JSONWorkers.exactly(1), .exactly(4)] {
                var decoder = decoder
                decoder.workers = workers
                let envelope = JSONEnvelope(of: JSONValue.self)
                var feed = decoder.feed(of: Int.self, at: "items[*]", envelope: envelope, ignoresText: true)
                var items = try feed.push(Array("Yes: {\"items\": [1, 2], \"n\":".utf8))
                items += try feed.push(Array(" 3}. Good?".utf8))
                items += try feed.finish()
                #expect(items == [1, 2] && envelope.value == ["items": [], "n": 3])
            }
        }
    }
}
