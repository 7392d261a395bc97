import SluiceCore
import SluiceStreams
import TestSupport
import Testing

/// Verdicts that depended on where a chunk ended.
@Suite(.tags(.cuts, .limits)) struct ChunkTests {
    /// A text, and its issue or nil for a value.
    struct Verdict: Sendable, CustomTestStringConvertible {
        var text: [UInt8]
        var kind: JSONIssue.Kind?
        var offset: Int?
        var path: String?
        var limits = JSONLimits()

        init(
            _ text: String, _ kind: JSONIssue.Kind? = nil, at offset: Int? = nil, path: String? = nil,
            _ change: (inout JSONLimits) -> Void = { _ in }
        ) {
            // U+FFFE is an invalid byte.
            self.text = text.unicodeScalars.flatMap { $0 == "\u{FFFE}" ? [0xFF] : Array(String($0).utf8) }
            (self.kind, self.offset, self.path) = (kind, offset, path)
            change(&limits)
        }

        var testDescription: String { String(decoding: text, as: UTF8.self) }

        /// Checks the verdict of every source with the input whole and cut at every byte. All have the same path.
        func check() {
            var path = path
            for source in JSONModelDecoder.Source.allCases {
                let decoder = JSONModelDecoder.with { ($0.source, $0.limits) = (source, limits) }
                let cuts = (0...text.count).map { [Array(text[..<$0]), Array(text[$0...])] }
                for chunks in [[text], text.pieces(of: 1), text.pieces(of: 3)] + cuts {
                    var found: JSONIssue?
                    do throws(JSONModelError) {
                        _ = try decoder.decode(JSONValue.self, from: .chunks(chunks))
                    } catch { found = error.issues.first }
                    let way: Comment = "\(source), in chunks of \(chunks.map(\.count))"
                    #expect(found?.kind == kind, way)
                    if let offset { #expect(found?.location.offset == offset, way) }
                    path = path ?? found?.path.description
                    #expect(found?.path.description == path, way)
                }
            }
        }
    }

    @Test(arguments: [
        // Exponents may be cut.
        Verdict("[1e5,1.5E-3,-2e+10,0e0]"), Verdict("[1e5", .unexpectedEnd), Verdict("1e5 "),
        // A literal after a number may be incomplete.
        Verdict("[1,tru", .unexpectedEnd, at: 6), Verdict("[12,fals", .unexpectedEnd, at: 8),
        Verdict("[0.5,nul", .unexpectedEnd, at: 8), Verdict(#"{"a":1,"b":t"#, .unexpectedEnd, at: 12),
        // The limit of numbers does not apply to literals, and that of strings does not apply to keys.
        Verdict("[true,false,null]") { $0.number = 2 },
        Verdict(#"{"long key":"s"}"#) { ($0.string, $0.key) = (2, 8) },
        // A key is refused at the end of a chunk, too.
        Verdict(#"{"a":1,"long key":"s"}"#, .limitExceeded(.key, limit: 4), at: 7) {
            ($0.string, $0.key) = (100, 4)
        },
        // A document that is too long is refused after the values within the limit.
        Verdict("[1,2,3,4]   ", .limitExceeded(.document, limit: 10), at: 10) { $0.document = 10 },
        // A token that the limit of the document cuts is refused for its own fault.
        Verdict("[\"ab\u{FFFE}cdefghijk\"]", .invalidUTF8) { $0.document = 10 },
        Verdict(#"{"a long key":1}"#, .limitExceeded(.key, limit: 4)) { ($0.document, $0.key) = (10, 4) },
        // A literal behind a missing comma has the path of the value before, also if a limit of tokens is low.
        Verdict(#"["",nulln"#, .syntax("a comma is missing before 'n'"), at: 8, path: "[1]") { $0.number = 3 },
        Verdict("[1,nullnull]", .syntax("a comma is missing before 'n'"), at: 7, path: "[1]") { $0.number = 3 },
        // A byte order mark alone is empty input. A limit inside of the mark is exceeded after the mark.
        Verdict("\u{FEFF}", .emptyInput, at: 3),
        Verdict("\u{FEFF}[1]", .limitExceeded(.document, limit: 0), at: 3) { $0.document = 0 },
        Verdict("\u{FEFF}[1]", .limitExceeded(.document, limit: 1), at: 3) { $0.document = 1 },
        Verdict("\u{FEFF}[1]", .limitExceeded(.document, limit: 2), at: 3) { $0.document = 2 },
    ])
    func `a verdict does not depend on the chunks`(_ verdict: Verdict) { verdict.check() }

    @Test(
        arguments: [
            // Ill-formed numbers.
            ("[1.x]", nil), ("[01]", nil), ("[-]", nil), ("[1e]", nil), ("[1.]", nil), ("[1.5e+]", nil),
            ("[--1]", nil),
            // A literal directly after a number is refused at the literal.
            ("[1tru", nil), ("[1.5nul", nil), ("[1e5f", nil), ("[12true]", nil),
            // A token behind a missing comma, which the limit cuts, has the path of the value before.
            ("[01].e", 3), ("[-01]", 4), (#"[ "asd"999,1]"#, 9), ("[1,truefalse]", 8), (#"{"a":[1,2"x","y"]}"#, 11),
            ("[1,tru3,4,5,6]", 10),
        ] as [(String, Int?)]) func `a syntax error does not depend on the chunks`(_ text: String, _ limit: Int?)
        throws
    {
        let decoder = JSONModelDecoder.with { $0.limits.document = limit ?? $0.limits.document }
        let issue = try refusal(JSONValue.self, text, with: decoder)
        #expect(issue.kind.name == "syntax")
        Verdict(text, issue.kind, at: issue.location.offset) { $0 = decoder.limits }.check()
    }

    @Test func `text before the first record separator is one issue`() {
        let text = Array("1 [2]\u{1E}[3]\n\u{1E}[4]\n".utf8)
        for source in JSONModelDecoder.Source.allCases {
            for size in 1...text.count {
                let log = IssueLog()
                var decoder = JSONModelDecoder(from: source)
                decoder.elementErrors = .skip
                decoder.issueHandler = { log.add($0) }
                var elements: [[Int]] = []
                #expect(throws: Never.self) {
                    let chunks = text.pieces(of: size)
                    try decoder.forEach([Int].self, in: .chunks(chunks), framing: .textSequence) {
                        elements.append($0)
                    }
                }
                #expect(elements == [[3], [4]], "\(source), in chunks of \(size)")
                #expect(log.issues.map(\.location.offset) == [0], "\(source), in chunks of \(size)")
            }
        }
    }

    @Test(arguments: ["abcde", "éa\\n", "\\u0041", "ab\\\"\\\""])
    func `strings and keys are refused from the first byte beyond their limits`(_ text: String) throws {
        let count = text.utf8.count
        for (limit, isRefused) in [(count, false), (count - 1, true), (1, true)] {
            let decoder = JSONModelDecoder.with { ($0.limits.string, $0.limits.key) = (limit, limit) }
            for (json, kind) in [("[\"\(text)\"]", JSONLimits.Name.string), ("{\"\(text)\":1}", .key)] {
                if isRefused {
                    let issue = try refusal(JSONValue.self, json, with: decoder)
                    #expect((issue.kind, issue.location.offset) == (.limitExceeded(kind, limit: limit), 1))
                } else {
                    #expect(throws: Never.self) { try decode(JSONValue.self, json, with: decoder) }
                }
            }
        }
    }

    @Test func `numbers are refused from the first digit beyond their limit`() throws {
        for text in ["[12345]", "[-1.25]", "[[12345],1]", "{\"a\":12345}"] {
            #expect(throws: Never.self) { try decode(JSONValue.self, text, with: .with { $0.limits.number = 5 }) }
            let issue = try refusal(JSONValue.self, text, with: .with { $0.limits.number = 4 })
            #expect(issue.kind == .limitExceeded(.number, limit: 4))
        }
    }

    @Test func `a negative number beyond its limit is located at its sign`() throws {
        for text in ["[-1234567890123]", #"{"a":[1,-0.123456789]}"#, "[1, -1e+0000000000001]"] {
            let issue = try refusal(JSONValue.self, text, with: .with { $0.limits.number = 8 })
            #expect(issue.kind == .limitExceeded(.number, limit: 8))
            #expect(issue.location.offset == Array(text.utf8).firstIndex(of: UInt8(ascii: "-")))
        }
    }

    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `a string with escapes beyond its limit is no element`(_ source: JSONModelDecoder.Source) {
        let decoder = JSONModelDecoder.with { ($0.source, $0.limits.string) = (source, 6) }
        let text = Array(#"["abc","\u0061bcdefgh","x"]"#.utf8)
        for size in 1...text.count {
            var cursor = decoder.cursor(of: String.self, in: .chunks(text.pieces(of: size)), at: "[*]")
            var elements: [String] = []
            let error = #expect(throws: JSONModelError.self) {
                while let element = try cursor.next() { elements.append(element) }
            }
            #expect(elements == ["abc"])
            #expect(error?.issues.first?.kind == .limitExceeded(.string, limit: 6))
        }
    }

    @Test func `an issue within the limit of the document comes before the limit`() throws {
        let decoder = JSONModelDecoder.with { $0.limits.document = 4 }
        let issue = try refusal([String].self, "[1,2,3,4]", with: decoder)
        #expect(issue.kind == .typeMismatch(expected: "a string", found: "a number"))
        #expect(issue.location.offset == 1)
    }

    @Test func `a number that ends the input early is refused for its own fault`() throws {
        let mismatch = try refusal([String].self, "[12")
        #expect(mismatch.kind == .typeMismatch(expected: "a string", found: "a number"))
        #expect(mismatch.location.offset == 1)
        let long = try refusal(JSONValue.self, "[12345678", with: .with { $0.limits.number = 4 })
        #expect((long.kind, long.location.offset) == (.limitExceeded(.number, limit: 4), 1))
    }

    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `a token beyond its limit is refused before its end arrives`(_ source: JSONModelDecoder.Source) {
        var decoder = JSONModelDecoder(from: source)
        (decoder.limits.string, decoder.limits.number) = (10, 10)
        for (first, byte, limit) in [("[\"", "a", .string), ("[", "1", .number)]
            as [(String, String, JSONLimits.Name)]
        {
            var feed = decoder.feed(of: JSONValue.self)
            let error = #expect(throws: JSONModelError.self) {
                _ = try feed.push(Array((first + String(repeating: byte, count: 100)).utf8))
            }
            #expect(error?.issues.first?.kind == .limitExceeded(limit, limit: 10))
        }
    }

    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `a long token beyond its limit is refused before its end arrives`(_ source: JSONModelDecoder.Source) {
        var decoder = JSONModelDecoder(from: source)
        (decoder.limits.string, decoder.limits.key, decoder.limits.number) = (2_000, 2_000, 2_000)
        for (first, byte, limit) in [
            ("[\"", "a", .string), ("[\"", "\\n", .string), ("{\"", "a", .key), ("[-", "1", .number),
        ] as [(String, String, JSONLimits.Name)] {
            var feed = decoder.feed(of: JSONValue.self)
            var pushed = 0
            let error = #expect(throws: JSONModelError.self) {
                _ = try feed.push(Array(first.utf8))
                while pushed < 100_000 {
                    _ = try feed.push(Array(String(repeating: byte, count: 100).utf8))
                    pushed += 100 * byte.utf8.count
                }
            }
            // A number is read again when its length has doubled.
            #expect(pushed <= 4_000, "\(first)\(byte)")
            #expect(error?.issues.first?.kind == .limitExceeded(limit, limit: 2_000))
        }
    }

    @Test(arguments: JSONModelDecoder.Source.allCases, [100, 2_000])
    func `a key is refused before its end arrives where strings may be longer`(
        _ source: JSONModelDecoder.Source, _ first: Int
    ) {
        var decoder = JSONModelDecoder(from: source)
        decoder.limits.key = 5_000
        for lead in ["{\"", "{\"a\":{},\"", "[{\"a\":\"b\",\""] {
            var feed = decoder.feed(of: JSONValue.self)
            var pushed = first
            let error = #expect(throws: JSONModelError.self) {
                _ = try feed.push(Array((lead + String(repeating: "k", count: first)).utf8))
                while pushed < 100_000 {
                    _ = try feed.push(Array(String(repeating: "k", count: 1_000).utf8))
                    pushed += 1_000
                }
            }
            #expect(pushed <= 6_000)
            #expect(error?.issues.map(\.kind) == [.limitExceeded(.key, limit: 5_000)])
            #expect(error?.issues.first?.location.offset == lead.utf8.count - 1)
        }
    }

    @Test func `an error before the limit of the document is reported first`() {
        let text = Array(("[\"" + String(repeating: "a", count: 1_500) + "b\u{1}").utf8)
        let rest = Array(String(repeating: "c", count: 2_000).utf8)
        for size in [1_000, 1_502, 1_503, 3_000, 10_000] {
            for source in JSONModelDecoder.Source.allCases {
                let decoder = JSONModelDecoder.with { ($0.source, $0.limits.document) = (source, 2_200) }
                let error = #expect(throws: JSONModelError.self) {
                    try decoder.decode([String].self, from: .chunks((text + rest).pieces(of: size)))
                }
                #expect(error?.issues.first?.location.offset == text.count - 1, "\(source), \(size)")
            }
        }
    }

    @Test(arguments: ["\u{B}", "\u{C}", "\u{1}", "\u{B}}", "\u{B},\"b\":2}", " \u{B}}"])
    func `a number at the end of reading has the same result before any control character`(_ end: String) {
        let text = Array((#"{"a":1"# + end).utf8)
        func outcome(_ feed: Feed) -> String {
            do { return "\(try feed.decode(Int.self, text, at: "a", with: JSONModelDecoder()))" } catch {
                return "\(error)"
            }
        }
        let feeds = Feed.all(sizes: Array(1...text.count))
        for feed in feeds { #expect(outcome(feed) == outcome(feeds[0]), "\(feed)") }
    }

    @Test(arguments: ["\u{B}", "\u{C}", "\u{1}", " ", ",", "}"])
    func `a number that ends the reading early is complete before any byte`(_ end: String) throws {
        let text = Array((#"{"a":1"# + end).utf8)
        let decoder = JSONModelDecoder.with { $0.stopsEarly = true }
        for feed in Feed.all(sizes: Array(1...text.count)) {
            #expect(try feed.decode(Int.self, text, at: "a", with: decoder) == 1, "\(feed)")
        }
    }

    /// The chunks are parts of one array, so that the next chunk follows in memory.
    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `the byte after a chunk in memory is not read with the chunk`(_ source: JSONModelDecoder.Source) throws {
        for count in 60...130 {
            let word = String(repeating: "a", count: count)
            for text in ["{\"x\":{\"a\":\"\(word)\"},\"y\":[1]}", "{\"x\":{\"\(word)\":0},\"y\":[1]}"] {
                let bytes = Array(text.utf8)
                let end = try #require(bytes.lastIndex(of: UInt8(ascii: "a"))) + 1
                var feed = JSONModelDecoder(from: source).feed(of: Int.self, at: "y")
                let values = try feed.push(bytes[..<end]) + feed.push(bytes[end...]) + feed.finish()
                #expect(values == [1], "\(text)")
            }
        }
    }

    @Test func `lines inside of ignored values may end at any chunk`() throws {
        let members = (0..<12).map { "\"k\($0)\":1234\($0)" }.joined(separator: ",\n")
        let text = Array("{\"x\":{\(members)},\n\"y\":1}".utf8)
        for feed in Feed.all(sizes: Array(1...text.count)) {
            let value = try feed.decode(Int.self, text, at: "y", with: JSONModelDecoder())
            #expect(value == 1)
        }
    }

    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `the excerpt of an error in the first bytes shows the same text for all chunks`(
        _ source: JSONModelDecoder.Source
    ) throws {
        let text = Array("\\`ONE] }".utf8)
        let decoder = JSONModelDecoder(from: source)
        for first in 1..<text.count {
            for second in first...text.count {
                let chunks = [text[..<first], text[first..<second], text[second...]].map { Array($0) }
                let error = #expect(throws: JSONModelError.self) {
                    try decoder.decode([Int].self, from: .chunks(chunks))
                }
                #expect(error?.issues.first?.excerpt == "\\`ONE] }\n^", "\(first), \(second)")
            }
        }
    }

    @Test(arguments: [(#"[{"a":1}]"#, 1), ("[1,[2]]", 3), (#"{"a":{}}"#, 5)])
    func `the excerpt of a container that is refused ends with its bracket`(_ text: String, _ offset: Int) throws {
        for feed in Feed.all() {
            let error = #expect(throws: JSONModelError.self) {
                if text.hasPrefix("[") {
                    _ = try feed.decode([Int].self, Array(text.utf8), with: JSONModelDecoder())
                } else {
                    _ = try feed.decode([String: Int].self, Array(text.utf8), with: JSONModelDecoder())
                }
            }
            let shown = "\(text.prefix(offset + 1))\n\(String(repeating: " ", count: offset))^"
            #expect(error?.issues.first?.excerpt == shown, "\(feed)")
        }
    }

    @Test func `an input that ends after a token or white space ends too early`() throws {
        let text = #" { "a" : [ 1 , { "b" : true , "c" : { } } , [ ] ] , "d" : "x" , "e" : { "f" : null } } "#
        let bytes = Array(text.utf8)
        for end in 2..<bytes.count - 1 {
            let prefix = String(decoding: bytes[..<end], as: UTF8.self)
            for (lead, path) in [("", JSONPath()), ("{\"ignored\":", "a")] {
                // Behind a path that the text does not have, all values are ignored.
                let issue = try refusal(JSONValue.self, lead + prefix, at: path)
                #expect(issue.kind == .unexpectedEnd, "\(lead)\(prefix)")
                #expect(issue.location.offset == lead.utf8.count + end, "\(lead)\(prefix)")
            }
        }
    }

    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `a long number is passed on before the input ends`(_ source: JSONModelDecoder.Source) throws {
        var decoder = JSONModelDecoder(from: source)
        decoder.limits.number = .max
        // The number, and the elements after it, in chunks of different sizes.
        for (digits, elements) in [(10, 1), (10, 3_000), (3_000, 1), (3_000, 3_000)] {
            var feed = decoder.feed(of: JSONValue.self)
            #expect(try feed.push(Array("[".utf8)).isEmpty)
            for _ in 0..<3_000 / digits {
                #expect(try feed.push(Array(String(repeating: "1", count: digits).utf8)).isEmpty)
            }
            var count = 0
            for _ in 0..<3_000 / elements {
                count += try feed.push(Array(String(repeating: ",1", count: elements).utf8)).count
            }
            #expect(count > 1_000, "\(digits), \(elements)")
            #expect(try feed.push(Array("]".utf8)).count + count == 3_001)
        }
    }

    @Test(arguments: [#"[true,"x",null,}"#, "[false,null,true,]", #"{"a":true,"b":nul}"#, "[null,1,true false]"])
    func `an error behind literals is the same for every division into three chunks`(_ text: String) throws {
        let expected = try refusal(JSONValue.self, text)
        let bytes = Array(text.utf8)
        for source in JSONModelDecoder.Source.allCases {
            let decoder = JSONModelDecoder(from: source)
            for second in 1..<bytes.count {
                for first in 0..<second {
                    let chunks = [Array(bytes[..<first]), Array(bytes[first..<second]), Array(bytes[second...])]
                    let error = #expect(throws: JSONModelError.self) {
                        try decoder.decode(JSONValue.self, from: .chunks(chunks))
                    }
                    let way: Comment = "\(source), cut at \(first) and \(second)"
                    #expect(error?.issues.first?.kind == expected.kind, way)
                    #expect(error?.issues.first?.location == expected.location, way)
                }
            }
        }
    }

    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `a literal that chunks cut is passed on with its last letter`(_ source: JSONModelDecoder.Source) throws {
        var feed = JSONModelDecoder(from: source).feed(of: Bool.self)
        #expect(try feed.push(Array("[t".utf8)) == [])
        for _ in 0..<400 { #expect(try feed.push(Array("rue,t".utf8)) == [true]) }
        #expect(try feed.push(Array("rue]".utf8)) == [true])
    }

    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `a document that is too long is refused with the first byte beyond its limit`(
        _ source: JSONModelDecoder.Source
    ) throws {
        let text = Array("[\"a long string \\u00e9 東京\", 12345678, {\"key\": true}, [null]]".utf8)
        for limit in 4..<text.count {
            var decoder = JSONModelDecoder(from: source)
            decoder.limits.document = limit
            var feed = decoder.feed(of: JSONValue.self)
            for byte in text[..<limit] { _ = try feed.push([byte]) }
            #expect(throws: JSONModelError.self, "\(limit)") { try feed.push([text[limit]]) }
        }
    }

    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `a long number at the end of a text has its own path`(_ source: JSONModelDecoder.Source) throws {
        var decoder = JSONModelDecoder(from: source)
        decoder.limits.number = 5
        let partial = try decoder.decodePartially(JSONValue.self, from: "[1,123456")
        #expect(partial.value == [1])
        #expect(partial.issues.map(\.kind) == [.limitExceeded(.number, limit: 5)])
        #expect(partial.issues.map(\.path.description) == ["[1]"])
    }

    @Test func `an error of depth in embedded JSON has the limit of the input`() throws {
        struct Holder: JSONModel, Equatable {
            var text: [[[[Int]]]]
            static let plan = ModelPlan<Holder>(JSONField(embedded: \.text))
        }
        let decoder = JSONModelDecoder.with { $0.limits.depth = 4 }
        #expect(try decode(Holder.self, #"{"text":"[[[]]]"}"#, with: decoder) == Holder(text: [[[]]]))
        let issue = try refusal(Holder.self, #"{"text":"[[[[1]]]]"}"#, with: decoder)
        #expect(issue.kind == .limitExceeded(.depth, limit: 4))
    }
}
