#if Foundation || canImport(Darwin)
import Foundation
import Sluice
import TestSupport
import Testing

/// The bridging of errors to `LocalizedError` and `NSError`.
@Suite struct LocalizedErrorTests {
    private struct Item: JSONModel {
        let id: Int
        static let plan = ModelPlan<Item>(JSONField(\.id, key: "id"))
    }

    private struct Unlucky: Error, Equatable {}

    private struct Moody: JSONTransform {
        func decode(_ json: Int) throws -> Date { throw Unlucky() }
        func encode(_ value: Date) throws -> Int { 0 }
    }

    private func error(_ text: String, with decoder: JSONModelDecoder = JSONModelDecoder()) throws -> JSONModelError
    {
        try #require(throws: JSONModelError.self) { try decoder.decode([Item].self, from: text) }
    }

    @Test func `the localized description is the description`() throws {
        let error = try error(#"[{"id":"2"}]"#)
        #expect(error.localizedDescription == error.description)
        let start = "expected an integer, found a string (allowed with coercion: .lenient) at [0].id, for Item.id"
        #expect(error.localizedDescription.hasPrefix(start))
        #expect((error as any Error as NSError).localizedDescription == error.description)
        #expect(error.issues[0].localizedDescription == error.issues[0].description)
        #expect((error.issues[0] as any Error as NSError).localizedDescription == error.issues[0].description)
    }

    @Test func `an NSError has the properties of the issue`() throws {
        let error = try error("[\n{\"id\":\"2\"}]") as any Error as NSError
        #expect((error.domain, error.code) == ("Sluice.JSONModelError", 11))
        #expect(error.userInfo["SluiceJSONPath"] as? String == "[0].id")
        #expect(error.userInfo["SluiceProperty"] as? String == "id")
        #expect(error.userInfo["SluiceModel"] as? String == "Item")
        #expect(error.userInfo["SluiceOffset"] as? Int == 8)
        #expect(error.userInfo["SluiceLine"] as? Int == 2)
        #expect(error.userInfo["SluiceColumn"] as? Int == 7)
        #expect(error.userInfo[NSUnderlyingErrorKey] == nil)
    }

    @Test func `hints are recovery suggestions`() throws {
        let error = try error(#"[{"Id":2}]"#)
        #expect(error.recoverySuggestion == #""Id" is similar to "id""#)
        #expect(
            (error as any Error as NSError).localizedRecoverySuggestion == #""Id" is similar to "id""#)
    }

    @Test func `errors thrown by user code are underlying errors`() throws {
        var decoder = JSONModelDecoder()
        decoder.register(Moody())
        let thrown = #expect(throws: JSONModelError.self) { try decoder.decode(Date.self, from: "1") }
        let error = try #require(thrown) as any Error as NSError
        #expect(error.code == 26)
        #expect(error.userInfo[NSUnderlyingErrorKey] as? Unlucky == Unlucky())
    }

    private struct Worded: LocalizedError { var errorDescription: String? { "the hotel is closed" } }
    private struct Coded: CustomNSError {
        var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: "the bridge is closed"] }
    }
    private static let system = NSError(
        domain: "Street", code: 7, userInfo: [NSLocalizedDescriptionKey: "the street is closed"])

    private struct Throwing: JSONTransform {
        let error: any Error & Sendable
        func decode(_ json: Int) throws -> Date { throw error }
        func encode(_ value: Date) throws -> Int { throw error }
    }

    @Test func `errors thrown by user code keep their texts`() throws {
        for (error, text) in [
            (Worded(), "the hotel is closed"), (Coded(), "the bridge is closed"),
            (Self.system, "the street is closed"),
            (Unlucky(), "Unlucky()"),
        ] as [(any Error & Sendable, String)] {
            var (decoder, encoder) = (JSONModelDecoder(), JSONModelEncoder())
            decoder.register(Throwing(error: error))
            encoder.register(Throwing(error: error))
            for thrown in [
                #expect(throws: JSONModelError.self) { try decoder.decode([Date].self, from: "[1]") },
                #expect(throws: JSONModelError.self) { try encoder.encode([Date()]) },
            ] {
                #expect(thrown?.issues[0].message == text)
                #expect(thrown?.localizedDescription.hasPrefix(text) == true)
            }
        }
    }

    @Test func `an NSError has all issues`() throws {
        var decoder = JSONModelDecoder()
        decoder.errorPolicy = .collect(limit: 10)
        let error = try error(#"[{"id":"2"},{"id":1.5}]"#, with: decoder) as any Error as NSError
        let issues = try #require(error.userInfo["SluiceIssues"] as? [JSONIssue])
        #expect(issues.map { ($0 as any Error as NSError).code } == [11, 14])
        #expect((JSONModelError(issues: []) as any Error as NSError).code == 0)
    }

    @Test func `each kind of issue has its own code`() {
        let kinds: [JSONIssue.Kind] = [
            .emptyInput, .syntax(""), .unexpectedEnd, .trailingContent, .invalidUTF8, .loneSurrogate,
            .unsupportedEncoding(""), .wrongEncoding(""), .limitExceeded(.depth, limit: 1), .missingKeys([]),
            .typeMismatch(expected: "", found: ""), .nullValue(expected: ""),
            .numberOutOfRange(type: "", text: ""), .notAnInteger(type: "", text: ""),
            .invalidValue(expected: "", reason: ""), .invalidKey("", type: ""), .duplicateKey(""),
            .unknownKey(""), .pathNotFound(""), .invalidPath(""), .unreadable(errno: 1, ""), .notEncodable(""),
            .unwritable(errno: 1, ""), .invalidPlan(""), .unsupportedLibrary(""), .thrown,
            .unsupportedCompression(.gzip), .truncatedCompression(.gzip), .corruptCompression(.zstd, ""),
            .checkpointMismatch(""), .notAppendable(""), .invalidRange(""),
        ]
        #expect(kinds.map { JSONIssue(kind: $0).errorCode } == Array(1...32))
    }

    @Test func `other errors have localized descriptions and codes`() throws {
        let malformed = #expect(throws: JSONModelError.self) { try JSONPath(parsing: "a[") }
        #expect(malformed?.localizedDescription == malformed?.description)
        let problems: [(JSONModelError.ConversionFailure, String)] = [
            (.mismatch, "the value is of another kind"), (.outOfRange, "the number does not fit in its type"),
            (.notAnInteger, "the number is not an integer, which its type needs"),
            (.invalid("it is unlucky"), "it is unlucky"),
            (.invalid("it is unlucky", hint: "take 12"), "it is unlucky (take 12)"),
        ]
        for (problem, text) in problems { #expect(problem.localizedDescription == text) }
        #expect(problems.map(\.0.errorCode) == [1, 2, 3, 4, 4])
    }
}
#endif
