import Foundation
import Sluice
import TestSupport
import Testing

/// The statements of the articles "Limits and rejected input" and "Paths", one test for each paragraph.
@Suite struct RefusalTests {
    private func kind(_ text: String, _ decoder: JSONModelDecoder = JSONModelDecoder()) -> JSONIssue.Kind? {
        do {
            _ = try decoder.decode(JSONValue.self, from: text)
            return nil
        } catch {
            return error.issues[0].kind
        }
    }

    private func isSyntax(_ text: String) -> Bool {
        if case .syntax = kind(text) { true } else { false }
    }

    @Test func `lengths and depth are limited`() {
        let limits = JSONLimits()
        #expect(limits.depth == 512)
        #expect(limits.number == 1_000)
        #expect(limits.string == 20_000_000)
        #expect(limits.key == 50_000)
        #expect(limits.document == Int.max)

        var decoder = JSONModelDecoder()
        decoder.limits.depth = 5_000
        #expect(decoder.limits.depth == 4_096)
        // A tape counts the bytes of a token with 32 bits.
        (decoder.limits.string, decoder.limits.key, decoder.limits.number) = (.max, .max, .max)
        let greatest = Int(clamping: UInt32.max)
        #expect(decoder.limits.string == greatest && decoder.limits.key == greatest)
        #expect(decoder.limits.number == greatest)
        decoder.limits.depth = 2
        decoder.limits.number = 3
        decoder.limits.string = 6
        decoder.limits.key = 2
        decoder.limits.document = 20
        #expect(kind("[[1]]", decoder) == nil)
        #expect(kind("[[[]]]", decoder) == .limitExceeded(.depth, limit: 2))
        #expect(kind("1234", decoder) == .limitExceeded(.number, limit: 3))
        #expect(kind(#""\u0061""#, decoder) == nil)
        #expect(kind(#""\u0061b""#, decoder) == .limitExceeded(.string, limit: 6))
        #expect(kind(#"{"abc":1}"#, decoder) == .limitExceeded(.key, limit: 2))
        #expect(kind("1" + String(repeating: " ", count: 20), decoder) == .limitExceeded(.document, limit: 20))
        // Also where nobody wants the value.
        let error = #expect(throws: JSONModelError.self) {
            try decoder.decode(Int.self, from: #"{"a":[[1]]}"#, at: "b")
        }
        #expect(error?.issues[0].kind == .limitExceeded(.depth, limit: 2))
    }

    @Test func `input must be UTF-8 and strict JSON`() throws {
        #expect(try decode(Int.self, "\u{FEFF}12") == 12)
        #expect(isSyntax(" \u{FEFF}12"))
        #expect(try decode(String.self, "\"\u{FEFF}\"") == "\u{FEFF}")
        for bytes: [UInt8] in [
            [0x22, 0xC0, 0x80, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22], [0x22, 0xF4, 0x90, 0x80, 0x80],
        ] {
            let error = #expect(throws: JSONModelError.self) {
                try JSONModelDecoder().decode(String.self, from: bytes)
            }
            #expect(error?.issues[0].kind == .invalidUTF8)
        }
        for (encoding, name) in [
            (String.Encoding.utf16LittleEndian, "UTF-16 (little-endian)"), (.utf16BigEndian, "UTF-16 (big-endian)"),
            (.utf32LittleEndian, "UTF-32 (little-endian)"), (.utf32BigEndian, "UTF-32 (big-endian)"),
        ] {
            let data = try #require("[12]".data(using: encoding))
            let error = #expect(throws: JSONModelError.self) {
                try JSONModelDecoder().decode([Int].self, from: data)
            }
            #expect(error?.issues[0].kind == .unsupportedEncoding(name))
        }
        #expect(kind(#""\ud800""#) == .loneSurrogate)
        #expect(kind(#""\udc00\ud800""#) == .loneSurrogate)
        #expect(try decode(String.self, #""\u0000""#) == "\0")
        for text in [
            "\"\t\"", "[\u{0B}1]", "[\u{0C}1]", "[// a\n1]", "[1,]", "['a']", "{a:1}", "[NaN]", "[Infinity]",
        ] {
            #expect(isSyntax(text), "\(text)")
        }
        for text in ["1 2", "[] []", "{}x", "1\u{0B}"] { #expect(kind(text) == .trailingContent, "\(text)") }
    }

    @Test func `a location has a line, a column and an offset`() throws {
        let found = try #require(issue([String].self, "[\n\"ä\",\r\n  \"ö\", 1]"))
        #expect(found.location.line == 3)
        #expect(found.location.column == 9)
        #expect(found.location.offset == 17)
    }

    @Test func `numbers must fit in their type`() throws {
        #expect(try decode([Int].self, "[1.0, 1e2, -0]") == [1, 100, 0])
        #expect(issue(UInt8.self, "256")?.kind == .numberOutOfRange(type: "UInt8", text: "256"))
        #expect(issue(Int.self, "1.5")?.kind == .notAnInteger(type: "Int", text: "1.5"))
        #expect(issue(Double.self, "1e400")?.kind == .numberOutOfRange(type: "Double", text: "1e400"))
        #expect(try decode(Double.self, "1e-400") == 0)
        #expect(issue(Int.self, "\"1\"")?.kind == .typeMismatch(expected: "an integer", found: "a string"))
        #expect(issue(String.self, "1")?.kind == .typeMismatch(expected: "a string", found: "a number"))
        #expect(issue(Bool.self, "1")?.kind == .typeMismatch(expected: "a boolean", found: "a number"))
    }

    private struct Nulls: JSONModel, Equatable {
        var optional: Int?
        var both: Int?
        var defaulted: Int

        static let plan = ModelPlan<Nulls> {
            JSONField(\.optional, key: "optional")
            JSONField(\.both, key: "both", default: 7)
            JSONField(\.defaulted, key: "defaulted", default: 8)
        }
    }

    @Test func `a null equals a missing key for optionals and defaults`() throws {
        let expected = Nulls(optional: nil, both: 7, defaulted: 8)
        #expect(try decode(Nulls.self, "{}") == expected)
        #expect(try decode(Nulls.self, #"{"optional":null,"both":null,"defaulted":null}"#) == expected)
        #expect(try decode(Nulls.self, #"{"both":1,"both":null}"#) == expected)
        #expect(issue([Int].self, "[1,null]")?.kind == .nullValue(expected: "an integer"))
        #expect(issue([String: Int].self, #"{"a":null}"#)?.kind == .nullValue(expected: "an integer"))
    }

    @Test func `the last of two duplicate keys wins, or both are rejected`() throws {
        let text = #"{"optional":1,"optional":2,"other":1,"other":2}"#
        #expect(try decode(Nulls.self, text).optional == 2)
        var decoder = JSONModelDecoder()
        decoder.duplicateKeys = .reject
        let error = #expect(throws: JSONModelError.self) { try decoder.decode(Nulls.self, from: text) }
        #expect(error?.issues[0].kind == .duplicateKey("optional"))
        #expect(try decoder.decode(Nulls.self, from: #"{"optional":1,"other":1,"other":2}"#).optional == 1)
        #expect(kind(#"{"a":1,"a":1}"#, decoder) == .duplicateKey("a"))
        #expect(throws: JSONModelError.self) { try decoder.decode([String: Int].self, from: #"{"a":1,"a":1}"#) }
    }

    @Test func `a call can decode the value at a path`() throws {
        let decoder = JSONModelDecoder()
        let text = #"{"items":[{"owner":{"login":"a"}},{"owner":null},{}],"version.major":1,"n":null}"#
        #expect(try decoder.decode(String.self, from: text, at: "items[0].owner.login") == "a")
        #expect(try decoder.decode(String.self, from: text, at: "$.items[0].owner.login") == "a")
        #expect(try decoder.decode(Int.self, from: text, at: #"version\.major"#) == 1)
        #expect(try decoder.decode(Int?.self, from: text, at: "n") == nil)
        let none = #expect(throws: JSONModelError.self) { try decoder.decode(Int.self, from: text, at: "n.m") }
        #expect(none?.issues[0].kind == .pathNotFound("n.m"))
        // The rest of the text is read too.
        #expect(throws: JSONModelError.self) { try decoder.decode(Int.self, from: #"{"a":1,"b":x}"#, at: "a") }
    }

    @Test func `a stream can select elements by a path`() throws {
        func all(_ text: String, at path: JSONPath) throws -> [Int] {
            var all: [Int] = []
            try JSONModelDecoder().forEach(Int.self, in: Data(text.utf8), at: path) { all.append($0) }
            return all
        }
        let text = #"{"groups":[{"ids":[1,2]},{"ids":[]},{},{"ids":null},null,{"ids":[3]}]}"#
        #expect(try all(text, at: "groups[*].ids[*]") == [1, 2, 3])
        #expect(try all(text, at: "groups[0].ids") == [1, 2])
        #expect(try all(text, at: "groups[*].ids[0]") == [1, 3])
        #expect(throws: JSONModelError.self) { try all(text, at: "nothing") }
        #expect(try all(#"{"groups":[]}"#, at: "groups") == [])
        #expect(try all("[[1],[2]]", at: "[*][*]") == [1, 2])
        #expect(throws: JSONModelError.self) { try all(#"{"groups":1}"#, at: "groups") }
    }

    @Test func `a stream ends at a stop, an error of the body or a syntax error`() throws {
        let data = Data("[1,2,3,x".utf8)
        let count = try JSONModelDecoder().forEach(Int.self, in: data) { $0 == 2 ? .stop : .continue }
        #expect(count == 2)

        struct Enough: Error {}
        var seen = 0
        let error = #expect(throws: JSONModelError.self) {
            try JSONModelDecoder().forEach(Int.self, in: data) { element in
                seen = element
                if element == 2 { throw Enough() }
            }
        }
        #expect(seen == 2)
        #expect(error?.issues[0].kind == .thrown)
        #expect(error?.issues[0].underlying is Enough)
        #expect(error?.issues[0].path == "[1]")
        let broken = #expect(throws: JSONModelError.self) {
            try JSONModelDecoder().forEach(Int.self, in: data) { seen = $0 }
        }
        #expect(seen == 3)
        #expect(broken?.issues[0].location.offset == 7)
    }

    private struct Uncovered: JSONModel {
        let a: Int
        let b: Int
        static let plan = ModelPlan<Uncovered>(JSONField(\.a, key: "a"))
    }

    private struct Twice: JSONModel {
        let a: Int
        let b: Int
        static let plan = ModelPlan<Twice>(JSONField(\.a, key: "x"), JSONField(\.b, key: "x"))
    }

    @Test func `defective plans are refused`() {
        #expect(
            issue(Uncovered.self, "{}")?.kind == .invalidPlan("no field names the stored property 'b'"))
        #expect(issue(Twice.self, "{}")?.kind == .invalidPlan("'a' and 'b' are both filled from 'x'"))
    }
}
