import Foundation
import Sluice
import TestSupport
import Testing

/// The verdicts of JSONTestSuite, for every way to decode a document.
@Suite(.needs(.suites))
struct JSONTestSuiteTests {
    /// Reads a text one way; throws where it is refused.
    enum Way: String, CaseIterable, Sendable {
        case whole, oneByteChunks, file, skippedField, skippedFieldInOneByteChunks

        func read(_ text: [UInt8], at path: String, from source: JSONModelDecoder.Source) throws {
            let decoder = JSONModelDecoder(from: source)
            switch self {
            case .whole: _ = try decoder.decode(JSONValue.self, from: text)
            case .oneByteChunks: _ = try decoder.decode(JSONValue.self, from: .chunks(text.map { [$0] }))
            case .file: _ = try decoder.decode(JSONValue.self, from: .file(path))
            case .skippedField:
                let id = try decoder.decode(OnlyID.self, from: OnlyID.skipping(text)).id
                #expect(id == 1)
            case .skippedFieldInOneByteChunks:
                let chunks = OnlyID.skipping(text).map { [$0] }
                let id = try decoder.decode(OnlyID.self, from: .chunks(chunks)).id
                #expect(id == 1)
            }
        }

        var isWrapped: Bool { self == .skippedField || self == .skippedFieldInOneByteChunks }
    }

    /// A model that passes over everything but its `id`.
    struct OnlyID: JSONModel {
        let id: Int
        static let plan = ModelPlan<OnlyID>(JSONField(\.id, key: "id"))

        static func skipping(_ text: [UInt8]) -> [UInt8] {
            Array("{\"skip\":".utf8) + text + Array(",\"id\":1}".utf8)
        }
    }

    /// The refused texts that are valid once they are a member of an object. There are none: what follows them would
    /// have to make up for what they lack.
    static let validOnceWrapped: Set<String> = []

    /// Its closing brace is one too many, and closes the object that it is wrapped in, before its `id`.
    static let closesItsWrapping = "n_structure_object_followed_by_closing_object.json"

    @Test(arguments: Way.allCases, JSONModelDecoder.Source.allCases)
    func `valid files are accepted`(_ way: Way, _ source: JSONModelDecoder.Source) throws {
        let names = try TestData.suites.names(in: "JSONTestSuite", withSuffix: ".json").filter {
            $0.hasPrefix("y_")
        }
        #expect(names.count == 95)
        for name in names {
            let text = try TestData.suites.bytes("JSONTestSuite/\(name)")
            let path = try TestData.suites.url("JSONTestSuite/\(name)").path
            #expect(throws: Never.self, "\(name), \(way)") { try way.read(text, at: path, from: source) }
        }
    }

    @Test(arguments: Way.allCases, JSONModelDecoder.Source.allCases)
    func `invalid files are refused`(_ way: Way, _ source: JSONModelDecoder.Source) throws {
        let names = try TestData.suites.names(in: "JSONTestSuite", withSuffix: ".json").filter {
            $0.hasPrefix("n_")
        }
        #expect(names.count == 188)
        var refused = 0
        for name in names {
            let text = try TestData.suites.bytes("JSONTestSuite/\(name)")
            let path = try TestData.suites.url("JSONTestSuite/\(name)").path
            if way.isWrapped, Self.validOnceWrapped.contains(name) {
                #expect(throws: Never.self, "\(name), \(way)") { try way.read(text, at: path, from: source) }
                continue
            }
            let error = #expect(throws: JSONModelError.self, "\(name), \(way)") {
                try way.read(text, at: path, from: source)
            }
            guard let issue = error?.issues.first else { continue }
            refused += 1
            if way.isWrapped, name == Self.closesItsWrapping {
                #expect(issue.kind == .missingKeys(["id"]))
            } else {
                #expect(isAboutTheText(issue.kind), "\(name), \(way): \(issue)")
            }
            #expect(issue.location.offset <= text.count + (way.isWrapped ? 16 : 0), "\(name), \(way)")
        }
        #expect(refused == 188 - (way.isWrapped ? Self.validOnceWrapped.count : 0))
    }

    /// Whether an error blames the text, not what it was to become.
    private func isAboutTheText(_ kind: JSONIssue.Kind) -> Bool {
        switch kind {
        case .emptyInput, .syntax, .unexpectedEnd, .trailingContent, .invalidUTF8, .loneSurrogate,
            .unsupportedEncoding, .limitExceeded:
            true
        default: false
        }
    }
}
