import Testing

@testable import SluiceCore

/// The limits of JSON5 and documents without the braces of their object.
@Suite struct JSON5LimitTests {
    private func limits(_ change: (inout JSONLimits) -> Void) -> JSONLimits {
        var limits = JSONLimits()
        change(&limits)
        return limits
    }

    @Test func `nesting up to the limit is read`() throws {
        let limits = limits { $0.depth = JSONLimits.maximumDepth }
        let deepest =
            Array(String(repeating: "[", count: 4096).utf8) + Array(String(repeating: "]", count: 4096).utf8)
        #expect(try tokens(ofJSON5: deepest, limits: limits).tokens.count == 8192)
        let issue = issue(ofJSON5: Array("[".utf8) + deepest, limits: limits)
        #expect(issue?.kind == .limitExceeded(.depth, limit: 4096))
        #expect(issue?.location.offset == 4096)
    }

    @Test func `a missing brace counts as a level`() throws {
        let limits = limits { $0.depth = 2 }
        let text = Array("a:[]".utf8)
        #expect(try tokens(ofJSON5: text, limits: limits, assumesTopLevelDictionary: true).tokens.count == 5)
        let deeper = Array("a:[[]]".utf8)
        #expect(
            issue(ofJSON5: deeper, limits: limits, assumesTopLevelDictionary: true)?.kind
                == .limitExceeded(.depth, limit: 2))
    }

    @Test(arguments: [
        ("'12345'", JSONLimits.Name.string, 0), ("[' 12345", .string, 1), ("{'12345':1}", .key, 1),
        ("{abcde:1}", .key, 1), ("12345", .number, 0), ("[0x123]", .number, 1), ("[+1.2e3]", .number, 1),
    ])
    func `long tokens are rejected`(text: String, name: JSONLimits.Name, offset: Int) throws {
        let strict = limits { ($0.string, $0.key, $0.number) = (4, 4, 4) }
        let issue = issue(ofJSON5: Array(text.utf8), limits: strict)
        #expect(issue?.kind == .limitExceeded(name, limit: 4))
        #expect(issue?.location.offset == offset)
    }

    @Test func `tokens up to the limit are read`() throws {
        let strict = limits { ($0.string, $0.key, $0.number) = (4, 4, 4) }
        let text = "{abcd:'1234','abcd':-1.5,e:0x12}"
        #expect(try tokens(ofJSON5: Array(text.utf8), limits: strict).tokens.count == 8)
    }

    @Test func `long documents are rejected`() throws {
        let text = Array("[1, 'é'] // end".utf8)
        #expect(try tokens(ofJSON5: text, limits: limits { $0.document = text.count }).tokens.count == 4)
        for limit in 0..<text.count {
            let issue = issue(ofJSON5: text, limits: limits { $0.document = limit })
            #expect(issue?.kind == .limitExceeded(.document, limit: limit), "\(limit)")
            #expect(issue?.location.offset == limit, "\(limit)")
        }
    }

    @Test(arguments: [Int.min, -1, 0])
    func `a byte order mark is before the limit of a document`(limit: Int) {
        let issue = issue(ofJSON5: Array("\u{FEFF}[1]".utf8), limits: limits { $0.document = limit })
        #expect(issue?.kind == .limitExceeded(.document, limit: limit))
        #expect(issue?.location.offset == 3)
    }

    @Test(arguments: [
        ("a:1", "{ a: 1 }"),
        ("{a:1}", "{ a: 1 }"),
        ("", "{ }"),
        (" /*x*/", "{ }"),
        ("a:1,", "{ a: 1 }"),
        ("a:{b:[2,],},\"c\":3 // d", "{ a: { b: [ 2 ] } c: 3 }"),
        ("\u{FEFF}'a':1", "{ a: 1 }"),
        ("//c\n{a:1}//d", "{ a: 1 }"),
    ])
    func `the braces of the document may be missing`(text: String, expected: String) throws {
        let recorder = try tokens(ofJSON5: Array(text.utf8), assumesTopLevelDictionary: true)
        #expect(recorder.tokens.joined(separator: " ") == expected)
    }

    @Test(arguments: [
        ("a:1}", JSONIssue.Kind.syntax("unexpected character '}'"), 3),
        ("a:1,}", .syntax("unexpected character '}'"), 4),
        ("}", .syntax("unexpected character '}'"), 0),
        ("a:1]", .syntax("unexpected character ']'"), 3),
        ("[1]", .syntax("unexpected character '[' at the beginning of a key"), 0),
        ("1", .syntax("unexpected character '1' at the beginning of a key"), 0),
        (",a:1", .syntax("unexpected character ',' at the beginning of a key"), 0),
        ("a", .unexpectedEnd, 1),
        ("'a'", .unexpectedEnd, 3),
        ("a:", .unexpectedEnd, 2),
        ("a:{b:1", .unexpectedEnd, 6),
        ("{a:1", .unexpectedEnd, 4),
        ("{a:1} b", .trailingContent, 6),
    ])
    func `faults in documents without braces are rejected`(text: String, kind: JSONIssue.Kind, offset: Int) throws {
        let issue = issue(ofJSON5: Array(text.utf8), assumesTopLevelDictionary: true)
        #expect(issue?.kind == kind)
        #expect(issue?.location.offset == offset)
    }
}
