import Foundation
import SluiceCore
import SluiceStreams
import Synchronization
import TestSupport
import Testing

@Suite(.tags(.streams, .locations)) struct PositionTests {
    struct Row: JSONModel, Hashable {
        let id: Int
        var raw: JSONRaw?
        static let plan = ModelPlan<Row>(JSONField(\.id), JSONField(\.raw))
    }

    private static let document = #"""
        {"a": 1, "groups": [{"items": [{"id": 1}, {"id": 2, "raw": [{"x": 1}]}]}, {"none": []},
          {"items": [], "after": {"items": [1]}}, {"items": [
            {"id": 3}
            , {"id": 4, "raw": "]"}], "b": [2]}], "c": {}}
        """#

    private static let lines = """
        {"id":1}

          {"id": 2}  \r
        {"id":3,"raw":[1,2]}
        {"id":4}
        """

    /// The elements of an input, read by every verb from every source in pieces. All must be equal.
    private func read<Element: JSONConvertible & Hashable>(
        _: Element.Type, _ text: String, at path: JSONPath = JSONPath(), _ framing: JSONFraming = .document
    ) async throws -> [JSONPositioned<Element>] {
        let outcome = await StreamVerb.readAll(JSONPositioned<Element>.self, text, at: path, framing) {
            Issue.record("\($0)")
        }
        #expect(outcome.error == nil)
        return outcome.elements
    }

    /// Checks that the range of each element holds the JSON of the element.
    private func check<Element: JSONConvertible & Hashable>(_ elements: [JSONPositioned<Element>], _ text: String)
        throws
    {
        let bytes = Array(text.utf8)
        for (index, element) in elements.enumerated() {
            let range = element.position.range
            #expect(try JSONModelDecoder().decode(Element.self, from: bytes[range]) == element.value)
            #expect(!bytes[range.lowerBound].isSpace && !bytes[range.upperBound - 1].isSpace)
            #expect(element.position.index == index)
            let lines = bytes[..<range.lowerBound].split(separator: 10, omittingEmptySubsequences: false)
            #expect(element.position.start.line == lines.count)
            #expect(element.position.start.column == lines.last!.count + 1)
        }
    }

    @Test func `an element that is made without a position is encoded as its value`() throws {
        let row = JSONPositioned(Row(id: 7))
        #expect(row.id == 7)
        #expect(row.position.index == 0 && row.position.range.isEmpty)
        #expect(try JSONModelEncoder().encode([row], as: .string) == #"[{"id":7}]"#)
        #expect(try JSONModelEncoder().encode([JSONPositioned<Row?>(nil)], as: .string) == "[null]")
    }

    @Test func `elements that are nil have no position`() async throws {
        let text = #"{"a": [{"id": 1}, null, {"id": 2}]}"#
        let rows = await StreamVerb.readAll(JSONPositioned<Row>?.self, text, at: "a", .document) {
            Issue.record("\($0)")
        }
        #expect(rows.error == nil)
        let ids: [Int?] = rows.elements.map { $0?.value.id }
        let paths: [JSONPath?] = rows.elements.map { $0?.position.path }
        #expect(ids == [1, nil, 2])
        #expect(paths == ["a[0]", nil, "a[2]"] as [JSONPath?])
        #expect(rows.elements.last??.position.index == 2)
        let members = await StreamVerb.readAll(
            JSONMember<JSONPositioned<Row>?>.self, #"{"x": null, "y": {"id": 3}}"#, at: "*", .document
        ) { Issue.record("\($0)") }
        #expect(members.error == nil)
        #expect(members.elements.map(\.key) == ["x", "y"])
        let values: [Int?] = members.elements.map { $0.value?.value.id }
        #expect(values == [nil, 3])
    }

    @Test func `elements have their ranges and paths`() async throws {
        let rows = try await read(Row.self, Self.document, at: "groups[*].items[*]")
        try check(rows, Self.document)
        #expect(rows.map(\.id) == [1, 2, 3, 4])
        #expect(
            rows.map(\.position.path) == [
                "groups[0].items[0]", "groups[0].items[1]", "groups[3].items[0]", "groups[3].items[1]",
            ])
        let numbers = "[1, 22 ,\n 333,4444]"
        try check(try await read(Int.self, numbers), numbers)
        let mixed = #"{"x": {"a": [1, "]"], "b": null, "c": {"d": "}"}, "e": "f", "g": true}}"#
        let values = try await read(JSONValue.self, mixed, at: "x.*")
        try check(values, mixed)
        #expect(values.map(\.position.path) == ["x.a", "x.b", "x.c", "x.e", "x.g"])
        try check(try await read(JSONRaw.self, mixed, at: "x.*"), mixed)
        let owners = #"[{"o": {"id": 1}, "p": 2}, {"p": 3}, {"p": 4, "o": {"id": 5}}]"#
        try check(try await read(Row.self, owners, at: "[*].o"), owners)
    }

    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `an error that is thrown for an element has its path`(_ source: JSONModelDecoder.Source) throws {
        struct Refusal: Error {}
        let decoder = JSONModelDecoder(from: source)
        for text in [#"[{"id":1},{"id":2},{"id":3}]"#, #"[{"id":1},{"id":2}]"#] {
            let error = #expect(throws: JSONModelError.self) {
                try decoder.forEach(JSONPositioned<Row>.self, in: text) { row in
                    if row.value.id == 2 { throw Refusal() }
                }
            }
            #expect(error?.issues.first?.path == "[1]")
        }
    }

    @Test func `values in other framings have their ranges`() async throws {
        let rows = try await read(Row.self, Self.lines, .lines)
        try check(rows, Self.lines)
        #expect(rows.map(\.position.start.line) == [1, 3, 4, 5])
        let concatenated = #"{"id":1}{"id":2} {"id":3}"# + "\n" + #"{"id":4}"#
        try check(try await read(Row.self, concatenated, .concatenated), concatenated)
        let nested = #"{"x": [{"id": 1}, {"id": 2}]}"# + "\n" + #"{"x": []}"# + "\n" + #"{"x": [{"id": 3}]}"#
        try check(try await read(Row.self, nested, at: "x[*]", .lines), nested)
    }

    @Test func `a positioned element is coded as its value`() throws {
        let row = try JSONModelDecoder().decode(JSONPositioned<Row>.self, from: #"{"id": 1}"#)
        #expect(row.value == Row(id: 1))
        #expect(try JSONModelEncoder().encode([row], as: .string) == #"[{"id":1}]"#)
    }

    /// Checks that a stream continues from each of its checkpoints with exactly the other elements.
    private func checkRests<Element: JSONConvertible & Hashable>(
        _: Element.Type, _ text: String, at path: JSONPath = JSONPath(), _ framing: JSONFraming = .document
    ) async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("rest-\(UUID()).json")
        try Data(text.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        for decoder in JSONModelDecoder.ofEverySource {
            let whole: JSONFileInput = .file(file.path)
            let all = try decoder.all(JSONPositioned<Element>.self, in: whole, at: path, framing: framing)
            for (index, element) in all.enumerated() {
                let data = try JSONEncoder().encode(element.position.checkpoint)
                let checkpoint = try JSONDecoder().decode(JSONCheckpoint.self, from: data)
                #expect(checkpoint.elements == index + 1)
                let input: JSONFileInput = .file(file.path, from: checkpoint)
                var rest: [JSONPositioned<Element>] = []
                try decoder.forEach(in: input, at: path, framing: framing) { rest.append($0) }
                #expect(rest == Array(all[(index + 1)...]))
                var cursor = decoder.cursor(of: JSONPositioned<Element>.self, in: input, at: path, framing: framing)
                var next: [JSONPositioned<Element>] = []
                while let element = try cursor.next() { next.append(element) }
                #expect(next == rest)
                var plain: [Element] = []
                for try await element in decoder.elements(of: Element.self, in: input, at: path, framing: framing) {
                    plain.append(element)
                }
                #expect(plain == rest.map(\.value))
            }
        }
    }

    @Test func `a stream continues from a checkpoint with exactly the rest`() async throws {
        try await checkRests(Row.self, Self.document, at: "groups[*].items[*]")
        try await checkRests(Int.self, "[1, 22 ,\n 333,4444]")
        try await checkRests(Int.self, "[1]")
        try await checkRests(
            JSONValue.self, #"{"x": {"a\"": [1], "b": null, "": {"d": "}"}, "e": "f", "g": true}, "y": {"z": 1}}"#,
            at: "x.*")
        try await checkRests(
            Row.self, #"[{"o": {"id": 1}, "p": 2}, {"p": 3}, {"p": 4, "o": {"id": 5}}]"#, at: "[*].o")
        try await checkRests(Int.self, #"{"a": [[0], [1, 2, 3]], "b": 4}"#, at: "a[1][*]")
        try await checkRests(Row.self, Self.lines, .lines)
        try await checkRests(Row.self, #"{"id":1}{"id":2} {"id":3}"#, .concatenated)
        try await checkRests(Row.self, "\u{1e}{\"id\":1}\n\u{1e}{\"id\":2}\n", .textSequence)
        try await checkRests(
            Row.self, "data: {\"id\":1}\n\ndata: {\"id\":\ndata: 2}\n\ndata: [DONE]\n\n", .serverSentEvents)
        let nested = #"{"x": [{"id": 1}, {"id": 2}]}"# + "\n" + #"{"x": []}"# + "\n" + #"{"x": [{"id": 3}]}"#
        try await checkRests(Row.self, nested, at: "x[*]", .lines)
        try await checkRests(Row.self, nested, at: "x[*]", .concatenated)
    }

    @Test(.enabled(if: JSONCompression.gzip.isAvailable))
    func `a stream of a compressed file continues from a checkpoint`() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("rest-\(UUID()).json.gz")
        defer { try? FileManager.default.removeItem(at: file) }
        let rows = Array(0..<50_000)
        try JSONModelEncoder().write(rows, to: .file(file.path).compressed(with: .gzip))
        let decoder = JSONModelDecoder()
        var checkpoint: JSONCheckpoint?
        try decoder.forEach(JSONPositioned<Int>.self, in: .file(file.path)) {
            row -> JSONModelDecoder.StreamControl in
            checkpoint = row.position.checkpoint
            return row.value == 30_000 ? .stop : .continue
        }
        let found: JSONCheckpoint = try #require(checkpoint)
        let input: JSONFileInput = .file(file.path, from: found)
        let rest = try decoder.all(Int.self, in: input)
        #expect(rest == Array(30_001..<50_000))
        var cursor = decoder.cursor(of: JSONPositioned<Int>.self, in: input)
        let next = try #require(try cursor.next())
        #expect(next.value == 30_001)
        #expect(next.position.index == 30_001)
    }

    @Test func `errors after a checkpoint are located as in the whole file`() throws {
        let text = "[\n {\"id\": 1},\n {\"id\": 2},\n {\"id\": 3},\n {\"id\": \"4\"}]"
        let cut = "[\n {\"id\": 1},\n {\"id\": 2},\n {\"id\": 3}, x"
        let lines = "{\"id\":1}\n{\"id\":2}\n\n{\"id\":3}\n{\"id\":\"4\"}"
        for (text, framing) in [(text, JSONFraming.document), (cut, .document), (lines, .lines)] {
            let file = FileManager.default.temporaryDirectory.appendingPathComponent("rest-\(UUID()).json")
            try Data(text.utf8).write(to: file)
            defer { try? FileManager.default.removeItem(at: file) }
            for decoder in JSONModelDecoder.ofEverySource {
                var checkpoints: [JSONCheckpoint] = []
                func issue(_ input: JSONFileInput) throws -> JSONIssue {
                    let error = #expect(throws: JSONModelError.self) {
                        try decoder.forEach(JSONPositioned<Row>.self, in: input, framing: framing) {
                            checkpoints.append($0.position.checkpoint)
                        }
                    }
                    return try #require(error?.issues.first)
                }
                let expected = try issue(.file(file.path))
                #expect(checkpoints.count == 3)
                for checkpoint in checkpoints {
                    let found = try issue(.file(file.path, from: checkpoint))
                    #expect(found.location == expected.location)
                    #expect(found.kind == expected.kind)
                    #expect(found.path == expected.path)
                    #expect(found.elementIndex == 3)
                }
            }
        }
    }

    @Test func `skipped elements before a checkpoint are not reported again`() throws {
        let text = #"{"x": [{"id": 1}, {"id": "2"}, {"id": 3}, {"id": "4"}]}"# + "\n" + #"{"x": [{"id": 5}]}"#
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("rest-\(UUID()).json")
        try Data(text.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let log = Mutex<[Int?]>([])
        var decoder = JSONModelDecoder()
        decoder.elementErrors = .skip
        decoder.issueHandler = { issue in log.withLock { $0.append(issue.elementIndex) } }
        var checkpoint: JSONCheckpoint?
        try decoder.forEach(JSONPositioned<Row>.self, in: .file(file.path), at: "x[*]", framing: .lines) { row in
            if row.id == 3 { checkpoint = row.position.checkpoint }
        }
        let found: JSONCheckpoint = try #require(checkpoint)
        let input: JSONFileInput = .file(file.path, from: found)
        let ids = try decoder.all(Row.self, in: input, at: "x[*]", framing: .lines).map(\.id)
        #expect(ids == [5])
        #expect(log.withLock { $0 } == [1, 3, 3])
    }

    @Test func `a checkpoint of another path is refused`() throws {
        var checkpoints: [JSONCheckpoint] = []
        let decoder = JSONModelDecoder()
        try decoder.forEach(JSONPositioned<Int>.self, in: #"{"a": [1]}"#, at: "a[*]") {
            checkpoints.append($0.position.checkpoint)
        }
        let input: JSONFileInput = .file("/dev/null", from: checkpoints[0])
        for path in ["b[*]", "a.*", "[*]", "a[*].b"] as [JSONPath] {
            let error = #expect(throws: JSONModelError.self) {
                try decoder.forEach(Int.self, in: input, at: path) { _ in }
            }
            #expect("\(error!)".contains("the checkpoint at 'a[0]'"))
        }
        #expect(throws: JSONModelError.self) { try decoder.decode(Int.self, from: input) }
    }
}

extension UInt8 { fileprivate var isSpace: Bool { self == 32 || self == 10 || self == 13 || self == 9 } }
