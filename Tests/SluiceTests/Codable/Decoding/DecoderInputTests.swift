import Foundation
import Sluice
import Synchronization
import Testing

private struct Row: Codable, Equatable, Sendable {
    let id: Int
    let name: String
    var tags: [String]?
}

private let rows = [Row(id: 1, name: "one", tags: ["a"]), Row(id: 2, name: "zwölf \"2\"", tags: nil)]
private let json = #"[{"id": 1, "name": "one", "tags": ["a"]}, {"name": "zw\u00f6lf \"2\"", "id": 2}]"#

@Suite struct DecoderInputTests {
    private func file(_ text: String) throws -> String {
        let path = FileManager.default.temporaryDirectory.appending(path: "sluice-codable-\(UUID()).json").path
        try Data(text.utf8).write(to: URL(filePath: path))
        return path
    }

    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `every input gives the same value`(source: JSONModelDecoder.Source) throws {
        let decoder = SluiceJSONDecoder()
        decoder.source = source
        let bytes = Array(json.utf8)
        #expect(try decoder.decode([Row].self, from: Data(bytes)) == rows)
        #expect(try decoder.decode([Row].self, from: json) == rows)
        #expect(try decoder.decode([Row].self, from: bytes) == rows)
        #expect(try decoder.decode([Row].self, from: bytes.span) == rows)
        #expect(try decoder.decode([Row].self, from: .chunks(bytes.map { [$0] })) == rows)
        let path = try file(json)
        defer { try? FileManager.default.removeItem(atPath: path) }
        #expect(try decoder.decode([Row].self, from: .file(path)) == rows)
        let value = try JSONModelDecoder().decode(JSONValue.self, from: json)
        #expect(try decoder.decode([Row].self, from: value) == rows)
        #expect(
            try decoder.decode([Row].self, from: .object([["id": 1, "name": "one", "tags": ["a"]]])) == [rows[0]])
    }

    private final class Attempts: Sendable {
        let count = Atomic<Int>(0)
    }

    /// Decodes a text of its own, at a path of chunks, which may not have a trailing comma.
    private struct Nested: Decodable {
        static let attempts = CodingUserInfoKey(rawValue: "attempts")!

        init(from decoder: any Decoder) throws {
            (decoder.userInfo[Self.attempts] as? Attempts)?.count.add(1, ordering: .relaxed)
            _ = try SluiceJSONDecoder().decode(Int.self, from: .chunks([Array("[1,]".utf8)]), at: "[0]")
        }
    }

    @Test func `the trailing comma of another text is no reason to decode again`() {
        let attempts = Attempts()
        let decoder = SluiceJSONDecoder()
        decoder.userInfo[Nested.attempts] = attempts
        #expect(throws: DecodingError.self) { try decoder.decode([Nested].self, from: "[{}]") }
        #expect(attempts.count.load(ordering: .relaxed) == 1)
    }

    @Test(.enabled(if: JSONCompression.gzip.isAvailable))
    func `JSON5 and input without braces from compressed files respect the limits`() throws {
        struct Text: Codable { let text: String }
        // Input expands freely to a megabyte.
        let value = Text(text: (0..<180_000).map { "\($0)" }.joined(separator: " "))
        let path = FileManager.default.temporaryDirectory.appending(path: "sluice-codable-\(UUID()).json.gz").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try JSONModelEncoder().write(value, to: .file(path).compressed(with: .gzip))
        let compressed = try [UInt8](Data(contentsOf: URL(filePath: path)))
        func decode(_ change: (SluiceJSONDecoder) -> Void) throws -> [JSONIssue.Kind?] {
            let decoder = SluiceJSONDecoder()
            change(decoder)
            func outcome(_ input: some JSONInput) -> JSONIssue.Kind? {
                do {
                    let decoded = try decoder.decode(Text.self, from: input)
                    #expect(decoded.text == value.text)
                    return nil
                } catch {
                    let context = (error as? DecodingError).flatMap { error -> DecodingError.Context? in
                        if case .dataCorrupted(let context) = error { context } else { nil }
                    }
                    return ((error as? JSONModelError) ?? context?.underlyingError as? JSONModelError)?.issues[0]
                        .kind
                }
            }
            return [
                outcome(.file(path)), outcome(compressed),
                outcome(.chunks([compressed.prefix(1), compressed.dropFirst()])),
            ]
        }
        let changes: [(SluiceJSONDecoder) -> Void] = [
            { $0.allowsJSON5 = true }, { $0.assumesTopLevelDictionary = true },
        ]
        for change in changes {
            #expect(try decode(change) == [nil, nil, nil])
            let short = try decode {
                change($0)
                $0.limits.decompressed = 100_000
            }
            #expect(short == Array(repeating: .limitExceeded(.decompressed, limit: 100_000), count: 3))
            let small = try decode {
                change($0)
                $0.limits.document = 100
            }
            #expect(small == Array(repeating: .limitExceeded(.document, limit: 100), count: 3))
            let flat = try decode {
                change($0)
                $0.limits.expansion = 2
            }
            #expect(flat == Array(repeating: .limitExceeded(.expansion, limit: 2), count: 3))
        }
    }

    /// Counts its values.
    private struct Counted: Decodable {
        init(from decoder: any Decoder) throws {
            (decoder.userInfo[Nested.attempts] as? Attempts)?.count.add(1, ordering: .relaxed)
        }
    }

    @Test func `a comma before a closing bracket is accepted in every input, and values are decoded once`() throws {
        let decoder = SluiceJSONDecoder()
        let text = "[{},{},[1,],\n{},\n]"
        let path = FileManager.default.temporaryDirectory.appending(path: "sluice-comma-\(UUID()).json").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data(text.utf8).write(to: URL(filePath: path))
        func count(_ input: some JSONInput) throws -> Int {
            let attempts = Attempts()
            decoder.userInfo[Nested.attempts] = attempts
            #expect(try decoder.decode([Counted].self, from: input).count == 4)
            return attempts.count.load(ordering: .relaxed)
        }
        let chunks = text.utf8.map { [$0] }
        #expect(try [count(text), count(.file(path)), count(.chunks(chunks))] == [4, 4, 4])
        #expect(throws: DecodingError.self) { try decoder.decode(Counted.self, from: .chunks(chunks), at: "[0]") }
        decoder.allowsJSON5 = true
        #expect(try [count(text), count(.file(path)), count(.chunks(chunks))] == [4, 4, 4])
    }

    @Test func `added braces do not count in the limit of the document`() throws {
        let decoder = SluiceJSONDecoder()
        decoder.assumesTopLevelDictionary = true
        for text in [#""a":1"#, #"{"a":1}"#, "\u{FEFF}\"a\":1,"] {
            let count = text.utf8.count - (text.hasPrefix("\u{FEFF}") ? 3 : 0)
            decoder.limits.document = count
            #expect(try decoder.decode([String: Int].self, from: text) == ["a": 1])
            decoder.limits.document = count - 1
            let error = #expect(throws: DecodingError.self) { try decoder.decode([String: Int].self, from: text) }
            guard case .dataCorrupted(let context)? = error else { return }
            let issue = (context.underlyingError as? JSONModelError)?.issues[0]
            #expect(issue?.kind == .limitExceeded(.document, limit: count - 1))
            #expect(issue?.location.offset == text.utf8.count - 1)
        }
    }

    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `a path selects the value in each form of the input`(source: JSONModelDecoder.Source) throws {
        let decoder = SluiceJSONDecoder()
        decoder.source = source
        // Commas before closing brackets are accepted as in the whole value.
        #expect(try decoder.decode([String: [Int]].self, from: #"{"a":[1,]}"#) == ["a": [1]])
        #expect(try decoder.decode([Int].self, from: #"{"a":[1,]}"#, at: "a") == [1])
        #expect(try decoder.decode(Int.self, from: #"{"a":[1,2],}"#, at: "a[1]") == 2)
        decoder.assumesTopLevelDictionary = true
        #expect(try decoder.decode(Int.self, from: #""a": {"b": 1,}"#, at: "a.b") == 1)
        #expect(try decoder.decode(Int.self, from: #"{"a": 1}"#, at: "a") == 1)
        decoder.allowsJSON5 = true
        #expect(try decoder.decode(Int.self, from: "a: [0, {b: 1}]", at: "a[1].b") == 1)
        decoder.assumesTopLevelDictionary = false
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        struct Snake: Codable, Equatable { let fullName: String }
        let text = "// rows\n{rows: [0, {full_name: 'a'}, {full_name: 7}]}"
        #expect(try decoder.decode(Snake.self, from: text, at: "rows[1]") == Snake(fullName: "a"))
        func failure(at path: JSONPath) -> JSONIssue? {
            let error = #expect(throws: DecodingError.self) { try decoder.decode(Snake.self, from: text, at: path) }
            switch error {
            case .typeMismatch(_, let context), .dataCorrupted(let context):
                return (context.underlyingError as? JSONModelError)?.issues.first
            default: return nil
            }
        }
        let issue = try #require(failure(at: "rows[2]"))
        #expect(issue.path == "rows[2].fullName")
        #expect(issue.location.line == 2)
        #expect(failure(at: "rows[3]")?.kind == .pathNotFound("rows[3]"))
        #expect(failure(at: "rows.x")?.kind == .pathNotFound("rows.x"))
        guard case .invalidPath = failure(at: "rows[*]")?.kind else {
            Issue.record("a path of several values was accepted")
            return
        }
    }

    @Test(arguments: [false, true])
    func `a path selects the same value in JSON and in JSON5`(allowsJSON5: Bool) throws {
        struct Place: Decodable {
            let path: [String]
            let number: Int
            init(from decoder: any Decoder) throws {
                path = decoder.codingPath.map(\.stringValue)
                number = try decoder.singleValueContainer().decode(Int.self)
            }
        }
        let decoder = SluiceJSONDecoder()
        decoder.allowsJSON5 = allowsJSON5
        let text = #"{"a": [{"b": 1, "b": 2}, {"b": "x"}], "d": 4, "d": 5}"#
        let inner = try decoder.decode(Place.self, from: text, at: "a[0].b")
        #expect(inner.number == 2)
        // The coding path begins at the decoded value.
        #expect(inner.path.isEmpty)
        #expect(try decoder.decode(Place.self, from: text, at: "d").number == 5)
        let error = #expect(throws: DecodingError.self) { try decoder.decode(Place.self, from: text, at: "a[1].b") }
        guard case .typeMismatch(_, let context) = error else {
            Issue.record("another error: \(String(describing: error))")
            return
        }
        #expect(context.codingPath.isEmpty)
        let issue = try #require(context.underlyingError as? JSONModelError).issues[0]
        #expect(issue.path == "a[1].b")
        #expect(issue.location.offset == 31)
    }

    @Test func `a type that is a subclass of its static type is decoded as that class, at a path too`() throws {
        class Animal: Decodable {
            let name: String
            enum CodingKeys: CodingKey { case name }
        }
        final class Dog: Animal {}
        let type: Animal.Type = Dog.self
        let decoder = SluiceJSONDecoder()
        var animals = [
            try decoder.decode(type, from: #"{"name": "a"}"#),
            try decoder.decode(type, from: #"{"x": {"name": "a"}}"#, at: "x"),
        ]
        try decoder.models.forEach(type, in: #"[{"name": "a"}]"#) { animals.append($0) }
        #expect(animals.map { $0 is Dog } == [true, true, true])
    }

    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `streams take files, chunks, paths and framings`(source: JSONModelDecoder.Source) async throws {
        struct Snake: Codable, Equatable { let fullName: String }
        let decoder = SluiceJSONDecoder()
        decoder.source = source
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let rows = [Snake(fullName: "a"), Snake(fullName: "b"), Snake(fullName: "c")]
        let texts = rows.map { #"{"full_name":"\#($0.fullName)"}"# }
        let document = #"{"rows":["# + texts.joined(separator: ",") + "]}"
        let lines = texts.map { #"{"row":"# + $0 + "}\n" }.joined()
        let cases: [(text: String, path: JSONPath, framing: JSONFraming)] = [
            (document, "rows[*]", .document), (lines, "row", .lines),
        ]
        for (text, path, framing) in cases {
            let name = try file(text)
            defer { try? FileManager.default.removeItem(atPath: name) }
            var found: [Snake] = []
            var count = try decoder.models.forEach(Snake.self, in: .file(name), at: path, framing: framing) { row in
                found.append(row)
            }
            #expect(count == 3)
            #expect(found == rows)
            found = []
            count = try decoder.models.forEach(Snake.self, in: .file(name), at: path, framing: framing) { row in
                found.append(row)
                return row.fullName == "b" ? .stop : .continue
            }
            #expect(count == 2)
            #expect(found == Array(rows.prefix(2)))
            found = []
            for try await row in decoder.models.elements(
                of: Snake.self, in: .file(name), at: path, framing: framing)
            {
                found.append(row)
            }
            #expect(found == rows)
            let chunks = AsyncStream<[UInt8]> { continuation in
                for byte in text.utf8 { continuation.yield([byte]) }
                continuation.finish()
            }
            found = []
            for try await row in decoder.models.elements(of: Snake.self, in: chunks, at: path, framing: framing) {
                found.append(row)
            }
            #expect(found == rows)
        }
    }

    @Test func `the issue of an element has the DecodingError as the underlying error`() async throws {
        let (decoder, text) = (
            SluiceJSONDecoder().models, #"[{"id": 1, "name": "a"},\#n {"id": "x", "name": "b"}]"#
        )
        var (count, errors) = (0, [JSONModelError]())
        do { try decoder.forEach(Row.self, in: text) { _ in count += 1 } } catch { errors.append(error) }
        do { for try await _ in decoder.elements(of: Row.self, in: text) { count += 1 } } catch let error
            as JSONModelError
        {
            errors.append(error)
        }
        #expect(count == 2)
        #expect(errors.count == 2)
        for issue in errors.map(\.issues[0]) {
            #expect(issue.path == "[1].id")
            #expect(issue.location.line == 2)
            guard case .typeMismatch(let type, _)? = issue.underlying as? DecodingError else {
                Issue.record("another error: \(issue)")
                continue
            }
            #expect("\(type)" == "Int")
        }
    }

    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `the progress of a file is reported once although an error is located`(
        source: JSONModelDecoder.Source
    ) throws {
        final class Log: @unchecked Sendable { var bytes: [Int] = [] }
        let log = Log()
        let path = try file("[" + String(repeating: "1, ", count: 100_000) + "true]")
        defer { try? FileManager.default.removeItem(atPath: path) }
        let decoder = SluiceJSONDecoder()
        decoder.source = source
        decoder.progressHandler = { log.bytes.append($0.bytes) }
        #expect(throws: DecodingError.self) { try decoder.decode([Int].self, from: .file(path)) }
        #expect(log.bytes.count > 1)
        #expect(log.bytes == log.bytes.sorted())
    }

    @Test func `the progress of a file is reported in each form of the input`() throws {
        final class Log: @unchecked Sendable { var bytes: [Int] = [] }
        let log = Log()
        let members = #""a": ["# + String(repeating: "1, ", count: 100_000) + "1]"
        let decoder = SluiceJSONDecoder()
        decoder.progressHandler = { log.bytes.append($0.bytes) }
        func check(_ text: String) throws {
            let path = try file(text)
            defer { try? FileManager.default.removeItem(atPath: path) }
            log.bytes = []
            #expect(try decoder.decode([String: [Int]].self, from: .file(path))["a"]?.count == 100_001)
            #expect(log.bytes.count > 1)
            #expect(log.bytes == log.bytes.sorted())
            #expect(log.bytes.last ?? 0 > text.utf8.count / 2)
        }
        try check("{\(members)}")
        decoder.assumesTopLevelDictionary = true
        try check(members)
        try check("{\(members)}")
        decoder.allowsJSON5 = true
        try check(members)
    }

    @Test func `a file that does not exist is an error of the file`() throws {
        #expect(throws: JSONModelError.self) {
            try SluiceJSONDecoder().decode([Row].self, from: .file("/nonexistent/rows.json"))
        }
    }
}
