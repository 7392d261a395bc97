import Foundation
import Sluice
import TestSupport
import Testing

@Suite struct URLTests {
    @Test(arguments: [
        "https://example.com/a?b=c#d", "http://[::1]:8080/", "/path/only", "relative", "mailto:a@example.com",
        "file:///tmp/x", "https://example.com/a b", "https://example.com/ä", "data:text/plain,hello",
    ])
    func `URLs equal Foundation's`(text: String) throws {
        #expect(try decode(URL.self, "\"\(text)\"") == URL(string: text))
    }

    @Test func `escapes in URLs are decoded`() throws {
        #expect(try decode(URL.self, #""https:\/\/example.com\/\u0061""#).absoluteString == "https://example.com/a")
    }

    @Test(arguments: ["", "http://[", "http://exa mple.com:x/"])
    func `invalid URLs are refused`(text: String) {
        #expect(URL(string: text) == nil)
        #expect(
            issue(URL.self, "\"\(text)\"")?.kind
                == .invalidValue(expected: "a URL", reason: "\"\(text)\" is not a URL"))
        #expect(issue(URL?.self, "\"\(text)\"") != nil)
    }

    @Test func `values of other kinds are not URLs`() {
        #expect(issue(URL.self, "1")?.kind == .typeMismatch(expected: "a URL", found: "a number"))
        #expect(issue(URL.self, "null")?.kind == .nullValue(expected: "a URL"))
    }
}

@Suite struct UUIDTests {
    @Test(arguments: [
        "E621E1F8-C36C-495A-93FC-0C247A3E6E5F", "e621e1f8-c36c-495a-93fc-0c247a3e6e5f",
        "00000000-0000-0000-0000-000000000000", "FfFfFfFf-FfFf-FfFf-FfFf-FfFfFfFfFfFf",
        "01234567-89ab-cdef-0123-456789ABCDEF",
    ])
    func `UUIDs equal Foundation's`(text: String) throws {
        #expect(try decode(UUID.self, "\"\(text)\"") == UUID(uuidString: text))
    }

    @Test(arguments: [
        "", "E621E1F8C36C495A93FC0C247A3E6E5F", "{E621E1F8-C36C-495A-93FC-0C247A3E6E5F}",
        "E621E1F8-C36C-495A-93FC-0C247A3E6E5", "E621E1F8-C36C-495A-93FC-0C247A3E6E5F0",
        "G621E1F8-C36C-495A-93FC-0C247A3E6E5F", "E621E1F8-C36C-495A-93FC-0C247A3E6E5/",
        "E621E1F8-C36C-495A-93FC-0C247A3E6E5:", "E621E1F8-C36C-495A-93FC-0C247A3E6E5@",
        "E621E1F8-C36C-495A-93FC-0C247A3E6E5`", "E621E1F8_C36C_495A_93FC_0C247A3E6E5F",
        "E621E1F8-C36C-495A-93FC-0C247A3E6Eé", "E621E1F-8C36C-495A-93FC-0C247A3E6E5F",
    ])
    func `invalid UUIDs are refused as values and keys`(text: String) {
        #expect(
            issue(UUID.self, "\"\(text)\"")?.kind
                == .invalidValue(
                    expected: "a UUID", reason: "\"\(text)\" is not like E621E1F8-C36C-495A-93FC-0C247A3E6E5F"))
        #expect(
            issue([UUID: Int].self, "{\"\(text)\":1}")?.kind == .invalidKey(text, type: "UUID"))
    }

    @Test func `values of other kinds are not UUIDs`() {
        #expect(issue(UUID.self, "1")?.kind == .typeMismatch(expected: "a UUID", found: "a number"))
    }

    @Test func `a UUID may be a dictionary key`() throws {
        let id = UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")!
        #expect(try decode([UUID: [Int]].self, #"{"e621e1f8-c36c-495a-93fc-0c247a3e6e5f":[1]}"#) == [id: [1]])
    }
}

@Suite struct DataTests {
    @Test func `Data is decoded from base64`() throws {
        #expect(try decode(Data.self, #""""#) == Data())
        #expect(try decode(Data.self, #""AA==""#) == Data([0]))
        #expect(try decode(Data.self, #""SGVsbG8=""#) == Data("Hello".utf8))
        #expect(try decode(Data.self, #""+\/8A""#) == Data([0xFB, 0xFF, 0x00]))
    }

    @Test(arguments: [
        "A", "AA", "AAA", "AA=", "====", "AA==AA==", "A-_A", "AA==\\n", " AA==", "AAAA=", "AAAA====", "AB==",
        "AAB=", "A===", "=AAA",
        "AA=A", "ÄÄ",
    ])
    func `invalid base64 is refused`(text: String) {
        guard case .invalidValue(let expected, let reason) = issue(Data.self, "\"\(text)\"")?.kind else {
            Issue.record("\(text) was taken")
            return
        }
        #expect(expected == "base64 text")
        #expect(reason.hasSuffix(" is not base64"))
    }

    @Test func `the error for long base64 shows the beginning of the string`() {
        let text = String(repeating: "A", count: 1001)
        #expect(
            issue(Data.self, "\"\(text)\"")?.kind
                == .invalidValue(expected: "base64 text", reason: "\"\(text.prefix(40))…\" is not base64"))
    }

    @Test func `values of other kinds are not base64`() {
        #expect(issue(Data.self, "[1]")?.kind == .typeMismatch(expected: "base64 text", found: "an array"))
    }
}

@Suite struct IdentifierTests {
    @Test func `time zones are decoded from identifiers and abbreviations`() throws {
        #expect(try decode(TimeZone.self, #""Europe/Berlin""#) == TimeZone(identifier: "Europe/Berlin"))
        #expect(try decode(TimeZone.self, #""GMT""#).secondsFromGMT() == 0)
        #expect(
            try decode(TimeZone.self, #""PST""#).secondsFromGMT(for: Date(timeIntervalSince1970: 0)) == -8 * 3600)
        #expect(try decode(TimeZone.self, #""CET""#).secondsFromGMT(for: Date(timeIntervalSince1970: 0)) == 3600)
        #expect(try decode(TimeZone.self, #""CEST""#) == TimeZone(abbreviation: "CEST"))
        #expect(try decode(TimeZone.self, #""GMT+2""#).secondsFromGMT() == 2 * 3600)
        #expect(try decode(TimeZone.self, #""GMT-03:30""#).secondsFromGMT() == -12_600)
        #expect(
            issue(TimeZone.self, #""Nowhere/Else""#)?.kind
                == .invalidValue(
                    expected: "a time zone", reason: "\"Nowhere/Else\" is not a known time zone"))
    }

    @Test func `locales are decoded from identifiers`() throws {
        #expect(try decode(Locale.self, #""de_CH""#).identifier == "de_CH")
        #expect(try decode(Locale.self, #""en_001""#).identifier == "en_001")
        #expect(
            issue(Locale.self, #""""#)?.kind
                == .invalidValue(expected: "a locale", reason: "\"\" is not a known locale"))
    }
}
