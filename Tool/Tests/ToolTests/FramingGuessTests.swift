import Sluice
import Testing
import ToolSupport

@Suite struct FramingGuessTests {
    @Test func `the extension tells the framing`() {
        #expect(FramingGuess.framing(ofFile: "a/b.jsonl") == .lines)
        #expect(FramingGuess.framing(ofFile: "b.NDJSON.gz") == .lines)
        #expect(FramingGuess.framing(ofFile: "b.geojsonl.zst") == .lines)
        #expect(FramingGuess.framing(ofFile: "b.json-seq") == .textSequence)
        #expect(FramingGuess.framing(ofFile: "b.sse") == .serverSentEvents)
        for name in ["b.json", "jsonl", "b.jsonl/a", ".gz", "b.json.gz", ""] {
            #expect(FramingGuess.framing(ofFile: name) == nil, "\(name)")
        }
        #expect(FramingGuess.framing(ofFile: "a/B.JSON.gz", isStrict: true) == .document)
    }

    /// Guesses the framing of a text that arrives in pieces of a length.
    private func guess(
        _ text: some Sequence<UInt8>, for use: FramingGuess.Use = .parts, pieces length: Int = .max
    ) -> (framing: JSONFraming, count: Int) {
        var rest = Array(text)[...]
        let all = rest.count
        let framing = FramingGuess.framing(for: use) {
            defer { rest = rest.dropFirst(length) }
            return Array(rest.prefix(length))
        }
        return (framing, all - rest.count)
    }

    /// Texts with their framings for several threads. Other commands read consecutive values, or a document.
    @Test(
        arguments: [
            ("{\"a\":1}\n{\"a\":2}\n", .lines), ("1\n2\n3", .lines), ("\"a\"\r\n\r\n[]", .lines),
            ("\u{FEFF}{}\n{}\n", .lines), ("{\"a\":\"}\\\"\"}\n{}", .lines), ("{}\n{\"a\":", .lines),
            ("{}\nx", .lines), ("{}\n{},\n", .lines),
            ("{\"a\":1} {\"a\":2}", .concatenated), ("{}{}", .concatenated), ("1 2", .concatenated),
            ("{\n\"a\":1}\n{\n\"a\":2}", .concatenated), ("{}\n{\n \"a\": 1\n}\n", .concatenated),
            ("1\n2 3\n", .concatenated), ("{\n  \"a\": 1\n}\n", .document), ("[1,\n2", .document),
            ("\u{1E}{}\n", .textSequence),
            ("data: {}\n\n", .serverSentEvents), (": ping\n\ndata:1\n", .serverSentEvents),
            ("event: a\r\nid: 1\r\ndata:\r\ndata: {}\r\n", .serverSentEvents),
            (": ping\n", .document), ("id: 42\nname: x\n", .document), ("data: x\n", .document),
            ("data:\n  a: 1\n", .document), ("event", .document),
            ("{} x", .document), ("{}]", .document), ("{},\n{},\n", .document), ("x\ny", .document),
            ("{}\n", .document), ("{}", .document), (" {\"a\":[]}", .document), ("{\"a\":", .document),
            ("\"\\", .document), ("", .document), (" \n", .document),
        ] as [(String, JSONFraming)])
    func `the framing depends on the text alone`(text: String, framing: JSONFraming) {
        let isValue = text.drop { " \n\u{FEFF}".contains($0) }.first.map { "{[\"1".contains($0) } == true
        for length in [1, 2, 3, .max] {
            #expect(guess(text.utf8, pieces: length).framing == framing)
            #expect(guess(text.utf8, for: .values, pieces: length).framing == (isValue ? .concatenated : framing))
            let document = guess(text.utf8, for: .document, pieces: length).framing
            #expect(document == (framing == .lines ? .concatenated : framing))
        }
    }

    @Test func `the first value may be long`() {
        let line = "{\"a\":\"\(String(repeating: "x", count: 300_000))\"}"
        #expect(guess((line + "\n" + line + "\n1").utf8, pieces: 4096).framing == .lines)
        #expect(guess((line + line).utf8, pieces: 4096).framing == .concatenated)
        #expect(guess(("[\n" + line + "]").utf8, for: .document, pieces: 4096).framing == .document)
        #expect(guess(("[\n" + line + "] 1").utf8, for: .document, pieces: 4096).framing == .concatenated)
    }

    @Test func `as much is read as is needed`() {
        let line = "{\"a\":1}\n"
        #expect(guess((line + line + line).utf8, for: .values, pieces: 1).count == 1)
        #expect(guess((line + line + line).utf8, pieces: 1).count == 2 * line.utf8.count)
        // Nothing is known about a long value, and nothing is kept.
        let endless = sequence(first: UInt8(ascii: "["), next: { _ in UInt8(ascii: "1") }).lazy.prefix(17 << 20)
        let long = guess(endless, pieces: 1 << 20)
        #expect(long.framing == .document && long.count == 16 << 20)
    }

    /// The lines `{"a":1}` and `{"a":2}`.
    private static let gzip: [UInt8] = [
        31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 171, 86, 74, 84, 178, 50, 172, 229, 170, 6, 209, 70, 181, 92, 0, 102, 192,
        90, 25,
        16, 0, 0, 0,
    ]

    #if Gzip
    @Test func `the first bytes of compressed text tell its framing`() {
        for length in [1, 10, .max] { #expect(guess(Self.gzip, pieces: length).framing == .lines) }
        // The first value.
        #expect(guess(Self.gzip.prefix(19)).framing == .document)
    }
    #endif

    @Test func `compressed text that cannot be read is a document`() {
        #expect(guess(Self.gzip.prefix(10) + [7]).framing == .document)
        #expect(guess(Self.gzip.prefix(4)).framing == .document)
    }
}
