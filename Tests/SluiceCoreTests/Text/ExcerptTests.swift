import SluiceCore
import TestSupport
import Testing

/// Excerpts of the input around an error, with a caret below the location.
struct ExcerptTests {
    private func excerpt<T: JSONConvertible>(_ type: T.Type, _ text: String) throws -> String {
        let whole = try refusal(T.self, text).excerpt
        for size in [1, 3, 50] {
            let bytes = Array(text.utf8)
            let pieces = bytes.pieces(of: size)
            let error = #expect(throws: JSONModelError.self) {
                _ = try JSONModelDecoder().decode(T.self, from: .chunks(pieces))
            }
            #expect(error?.issues[0].excerpt == whole, "in pieces of \(size)")
        }
        return whole
    }

    @Test func `an excerpt is the line up to the end of the token`() throws {
        #expect(
            try excerpt([String: Int].self, "{\"a\": 1,\n \"b\" : \"two\" , \"c\": 3}") == """
                 "b" : "two"
                       ^
                """)
    }

    @Test func `an error in the first line has an excerpt`() throws {
        #expect(try excerpt([Int].self, #"["x"]"#) == "[\"x\"\n ^")
        #expect(try excerpt(Int.self, "true") == "true\n^")
    }

    /// The caret stands below its character, whatever the bytes before it.
    @Test func `the caret accounts for characters of several bytes`() throws {
        #expect(try excerpt([Int].self, #"{"日本":"#) == "{\n^")
        #expect(try excerpt([String: Int].self, #"{"日本é😀":null}"#) == "{\"日本é😀\":null\n" + "        ^")
    }

    @Test func `tabs and carriage returns become spaces`() throws {
        #expect(try excerpt([Int].self, "[1,\r\n\t\t\"x\"]") == "  \"x\"\n  ^")
        #expect(try excerpt([Int].self, "[1,\r\"x\"]") == "[1, \"x\"\n    ^")
    }

    @Test func `a long line is cut before the error`() throws {
        let lead = String(repeating: "1,", count: 200)
        let excerpt = try excerpt([Int].self, "[\(lead)\"x\"]")
        let lines = excerpt.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines[0] == "…" + lead.suffix(60) + "\"x\"")
        #expect(lines[1] == String(repeating: " ", count: 61) + "^")
    }

    @Test func `a long token is cut`() throws {
        let long = String(repeating: "é", count: 100)
        #expect(try excerpt([Int].self, "[\"\(long)\"]") == "[\"\(String(repeating: "é", count: 19))…\n ^")
        let plain = String(repeating: "x", count: 100)
        #expect(try excerpt([Int].self, "[\"\(plain)\"]") == "[\"\(String(repeating: "x", count: 39))…\n ^")
    }

    @Test func `a cut line begins with a whole character`() throws {
        for count in 20...24 {
            let lead = String(repeating: "日", count: count) + String(repeating: "x", count: 13)
            let excerpt = try excerpt([String: Int].self, "{\"\(lead)\":\"v\"}")
            #expect(!excerpt.unicodeScalars.contains("\u{FFFD}"))
            #expect(excerpt.contains("日xxxxxxxxxxxxx\":\"v\"\n"))
        }
    }

    @Test func `a cut line begins after a character that is cut`() throws {
        for count in 12...15 {
            let key = String(repeating: "日", count: 30) + String(repeating: "x", count: count)
            // 60 bytes are shown, two of which end the key.
            let shown = String(repeating: "日", count: (58 - count) / 3) + String(repeating: "x", count: count)
            #expect(
                try excerpt([String: Int].self, "{\"\(key)\":\"v\"}") == "…\(shown)\":\"v\"\n"
                    + String(repeating: " ", count: shown.count + 3) + "^")
        }
    }

    /// The bytes after a token are not read, because they may not have arrived.
    @Test func `invalid UTF-8 after a token does not change the excerpt`() {
        for feed in Feed.all() {
            let bytes = Array("[\"x\"".utf8) + [0x80, 0x80, 0x5D]
            let error = #expect(throws: JSONModelError.self, "\(feed)") {
                _ = try feed.decode([Int].self, bytes, with: JSONModelDecoder())
            }
            #expect(error?.issues[0].excerpt == "[\"x\"\n ^", "\(feed)")
        }
    }

    @Test func `a token that exceeds a limit is cut between characters`() {
        for limit in 1...12 {
            let decoder = JSONModelDecoder.with { ($0.limits.string, $0.limits.key) = (limit, limit) }
            for character in ["é", "日", "😀"] {
                let text = String(repeating: character, count: 20)
                // The opening quote is part of the excerpt.
                let shown = String(repeating: character, count: (limit - 1) / character.utf8.count)
                for (name, bracket) in [(JSONLimits.Name.string, "["), (.key, "{")] {
                    let bytes = Array("\(bracket)\"\(text)\"".utf8)
                    for feed in Feed.all() {
                        let error = #expect(throws: JSONModelError.self) {
                            _ = try feed.decode(JSONValue.self, bytes, with: decoder)
                        }
                        let issue = error?.issues[0]
                        #expect(issue?.kind == .limitExceeded(name, limit: limit), "\(feed)")
                        #expect(issue?.excerpt == "\(bracket)\"\(shown)\n ^", "\(feed)")
                    }
                }
            }
        }
    }

    // MARK: What follows an error in the text

    /// The excerpt of a text that is no JSON, which does not depend on where the text is cut.
    private func refused(
        _ text: [UInt8], _ decoder: JSONModelDecoder = JSONModelDecoder(),
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> String {
        var first: String?
        for source in JSONModelDecoder.Source.allCases {
            var decoder = decoder
            decoder.source = source
            func check(_ way: String, _ read: () throws -> JSONValue) {
                do { Issue.record("\(try read())", sourceLocation: sourceLocation) } catch {
                    let excerpt = (error as? JSONModelError)?.issues[0].excerpt
                    #expect(excerpt == first ?? excerpt, "\(source), \(way)", sourceLocation: sourceLocation)
                    first = first ?? excerpt
                }
            }
            check("whole") { try decoder.decode(JSONValue.self, from: text) }
            for cut in 0...text.count {
                check("cut at \(cut)") {
                    try decoder.decode(JSONValue.self, from: .chunks([text[..<cut], [], text[cut...]]))
                }
            }
            for size in [1, 2, 3, 5, 11, 31] {
                let pieces = text.pieces(of: size)
                check("in pieces of \(size)") { try decoder.decode(JSONValue.self, from: .chunks(pieces)) }
            }
        }
        return try #require(first, sourceLocation: sourceLocation)
    }

    @Test func `an excerpt of a syntax error shows the rest of the line`() throws {
        #expect(try refused(Array("[1, x, 2]".utf8)) == "[1, x, 2]\n    ^")
        #expect(try refused(Array("{\"a\": 1,\n \"b\" 2, \"c\": 3}\n".utf8)) == " \"b\" 2, \"c\": 3}\n     ^")
        #expect(try refused(Array("[tru, 1]".utf8)) == "[tru, 1]\n ^")
        #expect(try refused(Array("[1] {\"b\": 2}  \r\n".utf8)) == "[1] {\"b\": 2}\n    ^")
        #expect(try refused(Array("{\"a\":[1,2}\n}".utf8)) == "{\"a\":[1,2}\n         ^")
        #expect(try refused(Array(#"["a\ud800b", 1]"#.utf8)) == #"["a\ud800b", 1]"# + "\n   ^")
        #expect(try refused(Array("[1,]".utf8)) == "[1,]\n   ^")
        #expect(try refused(Array("x".utf8)) == "x\n^")
        #expect(try refused(Array("x \r\n".utf8)) == "x\n^")
        #expect(try refused(Array("[1, x \n2]".utf8)) == "[1, x\n    ^")
    }

    @Test func `an excerpt shows at most 30 bytes after a syntax error`() throws {
        let rest = String(repeating: "0123456789", count: 4)
        #expect(try refused(Array("[x\(rest)]".utf8)) == "[x\(rest.prefix(30))…\n ^")
        #expect(try refused(Array("[x\(rest.prefix(30))".utf8)) == "[x\(rest.prefix(30))\n ^")
        #expect(try refused(Array("[x\(rest.prefix(30))\n1".utf8)) == "[x\(rest.prefix(30))\n ^")
        #expect(try refused(Array("[x\(rest.prefix(30)) ".utf8)) == "[x\(rest.prefix(30))…\n ^")
        // A source joins a limited part of the next chunk with an open token.
        let open = "[\"" + String(repeating: "a", count: 300)
        #expect(try refused(Array("\(open)\u{1}\(rest)\"]".utf8)).contains("a \(rest.prefix(30))…"))
        // Not in the middle of a character.
        for count in 0...3 {
            let lead = String(repeating: "a", count: count)
            let excerpt = try refused(Array("[x\(lead)\(String(repeating: "😀", count: 12))]".utf8))
            #expect(excerpt == "[x\(lead)\(String(repeating: "😀", count: (30 - count) / 4))…\n ^")
        }
    }

    @Test func `invalid UTF-8 and control characters in an excerpt are replaced`() throws {
        #expect(try refused([UInt8(ascii: "["), 0xFF, 0x1B, 0, 0x41, 0xC3]) == "[\u{FFFD}  A\u{FFFD}\n ^")
        #expect(try refused(Array("[\"a\nb\"]".utf8)) == "[\"a \n   ^")
        #expect(try refused(Array("[é, 1]".utf8)) == "[é, 1]\n ^")
        // A control character that JSON allows, before the error and in a token.
        #expect(try refused(Array("[\"\u{9B}2J\", x]".utf8)) == "[\" 2J\", x]\n        ^")
        #expect(try excerpt([Int].self, "[\"\u{9B}2J\"]") == "[\" 2J\"\n ^")
    }

    @Test func `an excerpt ends at the limit of the document`() throws {
        let decoder = JSONModelDecoder.with { $0.limits.document = 8 }
        #expect(try refused(Array("[1, x, 2, 3]".utf8), decoder) == "[1, x, 2\n    ^")
    }

    /// A stream may deliver its next bytes much later.
    @Test(arguments: ["[x,\n", "[x" + String(repeating: ",1", count: 20)])
    func `nothing is read after a complete excerpt`(_ first: String) {
        for source in JSONModelDecoder.Source.allCases {
            var taken = 0
            let chunks = AnyIterator<[UInt8]> {
                taken += 1
                return taken == 1 ? Array(first.utf8) : taken < 100 ? [UInt8(ascii: "1")] : nil
            }
            #expect(throws: JSONModelError.self) {
                _ = try JSONModelDecoder(from: source).decode(JSONValue.self, from: .chunks(chunks))
            }
            #expect(taken == 1, "\(source)")
        }
    }

    @Test func `an error at the end of the input has an excerpt`() throws {
        #expect(try excerpt([Int].self, "[1,\n2") == "2\n ^")
        #expect(try excerpt([Int].self, "[1,\n") == "")
        #expect(try excerpt(Int.self, "") == "")
    }

    @Test func `the excerpt of a missing key points at the end of the object`() throws {
        struct Model: JSONModel {
            let id: Int
            static let plan = ModelPlan<Model>(JSONField(\.id))
        }
        #expect(try excerpt([Model].self, "[{\"id\":1},\n {\"ident\":2}]") == " {\"ident\":2}\n           ^")
    }

    /// JSON in a string has the excerpt that it has alone.
    @Test(arguments: [
        "[1, x, 2]", "[1,\n2,\n  x]", "x", "[1", "[1,", "f", "[1] x", "[\"a\",\n[true, tru]]", ".5", "   ", "",
    ])
    func `an error in embedded JSON has the excerpt of the embedded document`(_ text: String) throws {
        let issue = try refusal(Holder.self, "{\"text\": \(JSONValue.string(text))}")
        let alone = try refusal([JSONValue].self, text)
        #expect(issue.kind == alone.kind)
        #expect(issue.excerpt == alone.excerpt)
        #expect(issue.location.offset == 9)
    }

    struct Holder: JSONModel, Equatable {
        let list: [JSONValue]
        static let plan = ModelPlan<Holder>(JSONField(embedded: \.list, key: "text"))
    }
}
