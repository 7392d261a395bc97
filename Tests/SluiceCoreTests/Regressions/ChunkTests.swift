import SluiceCore
import SluiceStreams
import TestSupport
import Testing

extension Regressions {
    /// Verdicts that depended on where a chunk ended.
    struct ChunkTests {
        /// Checks the issue, or nil for a value, of every source with the input whole and cut at every byte. All have the same path.
        private func check(
            _ text: [UInt8], _ kind: JSONIssue.Kind?, at offset: Int? = nil, path: String? = nil,
            limits: JSONLimits = JSONLimits(), sourceLocation: SourceLocation = #_sourceLocation
        ) {
            var path = path
            for source in JSONModelDecoder.Source.allCases {
                var decoder = JSONModelDecoder(from: source)
                decoder.limits = limits
                let cuts = (0...text.count).map { [Array(text[..<$0]), Array(text[$0...])] }
                for chunks in [[text], text.pieces(of: 1), text.pieces(of: 3)] + cuts {
                    var found: JSONIssue?
                    do throws(JSONModelError) {
                        _ = try decoder.decode(JSONValue.self, from: .chunks(chunks))
                    } catch {
                        found = error.issues.first
                    }
                    let way: Comment = "\(source), in chunks of \(chunks.map(\.count))"
                    #expect(found?.kind == kind, way, sourceLocation: sourceLocation)
                    if let offset { #expect(found?.location.offset == offset, way, sourceLocation: sourceLocation) }
                    if path == nil { path = found?.path.description }
                    #expect(found?.path.description == path, way, sourceLocation: sourceLocation)
                }
            }
        }

        /// Checks that the text is refused with the same syntax error everywhere.
        private func checkSyntax(
            _ text: String, limits: JSONLimits = JSONLimits(), sourceLocation: SourceLocation = #_sourceLocation
        ) throws {
            let decoder = JSONModelDecoder.with { $0.limits = limits }
            let issue = try refusal(JSONValue.self, text, with: decoder, sourceLocation: sourceLocation)
            guard case .syntax = issue.kind else {
                Issue.record("\(issue)", sourceLocation: sourceLocation)
                return
            }
            check(
                Array(text.utf8), issue.kind, at: issue.location.offset, limits: limits,
                sourceLocation: sourceLocation)
        }

        private func limits(_ change: (inout JSONLimits) -> Void) -> JSONLimits {
            var limits = JSONLimits()
            change(&limits)
            return limits
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

        @Test func `the limit of numbers does not apply to literals`() {
            check(Array("[true,false,null]".utf8), nil, limits: limits { $0.number = 2 })
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
                #expect(throws: Never.self) {
                    try decode(JSONValue.self, text, with: .with { $0.limits.number = 5 })
                }
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

        @Test func `a key is not refused by the limit of strings`() {
            check(Array(#"{"long key":"s"}"#.utf8), nil, limits: limits { ($0.string, $0.key) = (2, 8) })
        }

        @Test func `a key beyond its limit is refused at a chunk's end`() {
            let limits = limits { ($0.string, $0.key) = (100, 4) }
            check(Array(#"{"a":1,"long key":"s"}"#.utf8), .limitExceeded(.key, limit: 4), at: 7, limits: limits)
        }

        @Test func `values within the limit of the document come before it`() throws {
            let limits = limits { $0.document = 10 }
            check(Array("[1,2,3,4]   ".utf8), .limitExceeded(.document, limit: 10), at: 10, limits: limits)
            try checkSyntax("[1,tru3,4,5,6]", limits: limits)
        }

        @Test func `a token that the limit of the document cuts is refused for its own fault`() {
            let text = Array(#"["ab"#.utf8) + [0xFF] + Array(#"cdefghijk"]"#.utf8)
            check(text, .invalidUTF8, limits: limits { $0.document = 10 })
            let limits = limits { ($0.document, $0.key) = (10, 4) }
            check(Array(#"{"a long key":1}"#.utf8), .limitExceeded(.key, limit: 4), limits: limits)
        }

        @Test(arguments: [
            ("[01].e", 3), ("[-01]", 4), (#"[ "asd"999,1]"#, 9), ("[1,truefalse]", 8), (#"{"a":[1,2"x","y"]}"#, 11),
        ])
        func `a token behind a missing comma has the path of the value before if the limit cuts the token`(
            _ text: String, _ limit: Int
        ) throws {
            try checkSyntax(text, limits: limits { $0.document = limit })
        }

        @Test func `a literal behind a missing comma has the path of the value before if a limit of tokens is low`()
        {
            let kind = JSONIssue.Kind.syntax("a comma is missing before 'n'")
            check(Array(#"["",nulln"#.utf8), kind, at: 8, path: "[1]", limits: limits { $0.number = 3 })
            check(Array("[1,nullnull]".utf8), kind, at: 7, path: "[1]", limits: limits { $0.number = 3 })
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
        func `a token beyond its limit is refused before its end arrives`(
            _ source: JSONModelDecoder.Source
        ) {
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
        func `the byte after a chunk in memory is not read with the chunk`(
            _ source: JSONModelDecoder.Source
        ) throws {
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

        @Test(arguments: 0...2)
        func `a limit inside of a byte order mark is exceeded after the mark`(_ limit: Int) {
            let text = [0xEF, 0xBB, 0xBF] + Array("[1]".utf8)
            check(text, .limitExceeded(.document, limit: limit), at: 3, limits: limits { $0.document = limit })
        }

        @Test func `a byte order mark alone is empty input`() {
            check([0xEF, 0xBB, 0xBF], .emptyInput, at: 3)
        }

        @Test(arguments: JSONModelDecoder.Source.allCases)
        func `the excerpt of an error in the first bytes shows the same text for all chunks`(
            _ source: JSONModelDecoder.Source
        ) throws {
            let text = Array("\\`ONE] }".utf8)
            var decoder = JSONModelDecoder()
            decoder.source = source
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
        func `the excerpt of a container that is refused ends with its bracket`(_ text: String, _ offset: Int)
            throws
        {
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

        @Test func `exponents may be cut`() {
            check(Array("[1e5,1.5E-3,-2e+10,0e0]".utf8), nil)
            check(Array("[1e5".utf8), .unexpectedEnd)
            check(Array("1e5 ".utf8), nil)
        }

        @Test(arguments: ["[1.x]", "[01]", "[-]", "[1e]", "[1.]", "[1.5e+]", "[--1]"])
        func `an ill-formed number is refused at any cut`(_ text: String) throws {
            try checkSyntax(text)
        }

        @Test(arguments: ["[1tru", "[1.5nul", "[1e5f", "[12true]"])
        func `a literal directly after a number is refused at the literal`(_ text: String) throws {
            try checkSyntax(text)
        }

        @Test(arguments: ["[1,tru", "[12,fals", "[0.5,nul", #"{"a":1,"b":t"#])
        func `a literal after a number may be incomplete`(_ text: String) {
            check(Array(text.utf8), .unexpectedEnd, at: text.utf8.count)
        }

        @Test(arguments: [
            #"[true,"x",null,}"#, "[false,null,true,]", #"{"a":true,"b":nul}"#, "[null,1,true false]",
        ])
        func `an error behind literals is the same for every division into three chunks`(_ text: String) throws {
            let expected = try refusal(JSONValue.self, text)
            let bytes = Array(text.utf8)
            for source in JSONModelDecoder.Source.allCases {
                let decoder = JSONModelDecoder(from: source)
                for second in 1..<bytes.count {
                    for first in 0..<second {
                        let chunks = [
                            Array(bytes[..<first]), Array(bytes[first..<second]), Array(bytes[second...]),
                        ]
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
        func `a literal that chunks cut is passed on with its last letter`(
            _ source: JSONModelDecoder.Source
        ) throws {
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
    }
}
