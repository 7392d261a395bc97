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
}
