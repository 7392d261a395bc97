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
    }

    @Test(
        arguments: [
            ("{\"a\":1}\n{\"a\":2}\n", .framing(.lines)), ("1\n2\n3", .framing(.lines)),
            ("\"a\"\r\n\r\n[]", .framing(.lines)),
            ("\u{FEFF}{}\n{}\n", .framing(.lines)), ("{\"a\":\"}\\\"\"}\n{}", .framing(.lines)),
            ("{}\n{\"a\":", .framing(.lines)),
            ("{\"a\":1} {\"a\":2}", .framing(.concatenated)), ("{}{}", .framing(.concatenated)),
            ("1 2", .framing(.concatenated)),
            ("{\n\"a\":1}\n{\n\"a\":2}", .framing(.concatenated)),
            ("\u{1E}{}\n", .framing(.textSequence)),
            ("data: {}\n\n", .framing(.serverSentEvents)), (": ping\n", .framing(.serverSentEvents)),
            ("event: a\ndata: {}\n\n", .framing(.serverSentEvents)),
            ("{\n  \"a\": 1\n}\n", .framing(.document)), ("{} x", .framing(.document)),
            ("{}]", .framing(.document)),
            ("[1,\n2", .framing(.document)), ("x\ny", .framing(.document)),
            ("{}\n", .oneValue), ("{}", .oneValue), (" {\"a\":[]}", .oneValue), ("1\n", .oneValue),
            ("{\n}", .oneValueOfLines), ("[1,\n2]", .oneValueOfLines), ("[1,\n2]\n", .framing(.document)),
            ("{\"a\":", .openLine), ("12", .openLine), ("\"a", .openLine), ("\"\\", .openLine), ("", .openLine),
            (" \n", .openLine),
        ] as [(String, FramingGuess)])
    func `the first bytes tell the framing`(text: String, guess: FramingGuess) {
        #expect(FramingGuess(Array(text.utf8)) == guess)
    }

    @Test func `one value at the end is a document`() {
        #expect(FramingGuess(Array("{}\n".utf8)).framingAtEnd == .document)
        #expect(FramingGuess(Array("{".utf8)).framingAtEnd == .document)
        #expect(FramingGuess(Array("1\n2".utf8)).framingAtEnd == .lines)
    }

    /// The lines `{"a":1}` and `{"a":2}`.
    private static let gzip: [UInt8] = [
        31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 171, 86, 74, 84, 178, 50, 172, 229, 170, 6, 209, 70, 181, 92, 0, 102, 192,
        90, 25,
        16, 0, 0, 0,
    ]

    #if Gzip
    @Test func `the first bytes of compressed text tell its framing`() {
        #expect(FramingGuess(Self.gzip) == .framing(.lines))
        // The header, and the first value.
        #expect(FramingGuess(Array(Self.gzip.prefix(10))) == .openLine)
        #expect(FramingGuess(Array(Self.gzip.prefix(19))) == .oneValue)
    }
    #endif

    @Test func `compressed text that cannot be read is a document`() {
        #expect(FramingGuess(Self.gzip.prefix(10) + [7]) == .framing(.document))
        #expect(FramingGuess(Array(Self.gzip.prefix(4))).framingAtEnd == .document)
    }
}
