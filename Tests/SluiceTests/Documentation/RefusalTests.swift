import Foundation
import Sluice
import TestSupport
import Testing

/// The statements of the article "Limits and rejected input".
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
}
