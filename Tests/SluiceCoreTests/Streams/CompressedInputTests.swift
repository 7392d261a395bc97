import Foundation
import SluiceStreams
import Synchronization
import TestSupport
import Testing

@testable import SluiceCore

/// Compressed input has the elements and errors of its text, for every verb, framing and cut.
@Suite(.tags(.files)) struct CompressedInputTests {
    typealias Row = FramingTests.Row

    private static let texts: [(JSONFraming, String)] = [
        (.document, #"[{"id":1},{"id":2,"name":"två"},{"id":3}]"#), (.document, #"[{"id":1},{"id":2},{"id":"3"}]"#),
        (.lines, "{\"id\":1}\n\n{\"id\":2,\"name\":\"två\"}\r\n{\"id\":3}"),
        (.lines, "{\"id\":1}\n{\"id\":2}}\n{\"id\":3}"), (.textSequence, "\u{1E}{\"id\":1}\n\u{1E}{\"id\":2}\n"),
        (.concatenated, #"{"id":1}{"id":2} {"id":3}"#),
        (.serverSentEvents, "data: {\"id\":1}\n\ndata: {\"id\":2}\n\ndata: [DONE]\n\n"),
    ]

    @Test(arguments: JSONCompression.available)
    func `every verb reads every framing in all cuts`(_ format: JSONCompression) async throws {
        for (framing, text) in Self.texts {
            let expected = await StreamVerb.readAll(Row.self, text, framing) { Issue.record("\($0)") }
            let forms = [try format.compress(text), try format.compressInMembers(Array(text.utf8), of: 11)]
            for bytes in forms {
                let outcome = await StreamVerb.readAll(Row.self, bytes: bytes, framing) { Issue.record("\($0)") }
                #expect(outcome == expected)
            }
        }
    }

    @Test(arguments: JSONCompression.available, [JSONFraming.document, .lines])
    func `a sequence of compressed memory has all elements with workers`(
        _ format: JSONCompression, _ framing: JSONFraming
    ) async throws {
        let rows = (0..<20_000).map { "{\"id\":\($0)}" }
        let text = framing == .lines ? rows.joined(separator: "\n") : "[\(rows.joined(separator: ","))]"
        let bytes = try format.compress(text)
        var decoder = JSONModelDecoder()
        decoder.workers = .exactly(2)
        decoder.workers.batchSize = 10_000
        var ids: [Int] = []
        for try await row in decoder.elements(of: Row.self, in: bytes, framing: framing) { ids.append(row.id) }
        #expect(ids == Array(0..<rows.count))
    }

    @Test(arguments: JSONCompression.available)
    func `documents are read from memory, chunks and files`(_ format: JSONCompression) throws {
        let rows = (0..<20_000).map { Row(id: $0, name: "row \($0 % 7)") }
        let text = try JSONModelEncoder().encode(rows)
        let whole = try format.compress(text)
        let members = try format.compressInMembers(text, of: 100_000)
        for decoder in JSONModelDecoder.ofEverySource {
            for bytes in [whole, members] {
                #expect(try decoder.decode([Row].self, from: bytes) == rows)
                #expect(try decoder.decode(Row.self, from: bytes, at: "[19999]") == rows[19_999])
                #expect(try decoder.decodePartially([Row].self, from: bytes).value == rows)
                try decoder.validate(bytes)
                for size in [1, 1_000, 70_000] {
                    #expect(try decoder.decode([Row].self, from: .chunks(bytes.pieces(of: size))) == rows)
                }
                try withFile(holding: bytes) { path in
                    #expect(try decoder.decode([Row].self, from: .file(path)) == rows)
                    try decoder.validate(.file(path))
                    try decoder.validate(.file(path), framing: .lines)
                    #expect(try decoder.forEach(Row.self, in: .file(path)) { _ in } == rows.count)
                    var cursor = decoder.cursor(of: Row.self, in: .file(path))
                    var count = 0
                    while let row = try cursor.next() {
                        if row != rows[count] { Issue.record("\(row)") }
                        count += 1
                    }
                    #expect(count == rows.count)
                }
            }
            var row = Row(id: 1)
            try decoder.merge(try format.compress(#"{"name":"merged"}"#), into: &row)
            #expect(row == Row(id: 1, name: "merged"))
        }
    }

    @Test(arguments: JSONCompression.available) func `locations are those of the text`(_ format: JSONCompression)
        throws
    {
        let text = "[{\"id\":1},\n {\"id\":x}]"
        for decoder in JSONModelDecoder.ofEverySource {
            for bytes in [try format.compress(text), try format.compressInMembers(Array(text.utf8), of: 3)] {
                let error = #expect(throws: JSONModelError.self) { try decoder.decode([Row].self, from: bytes) }
                #expect(error?.issues.first?.location == JSONLocation(offset: 18, line: 2, column: 8))
                #expect(error?.issues.first?.excerpt == " {\"id\":x\n       ^")
                #expect(error?.issues.first?.excerpt == " {\"id\":x\n       ^")
                let same = #expect(throws: JSONModelError.self) {
                    try decoder.forEach(Row.self, in: bytes) { (_: Row) in }
                }
                #expect(same?.issues.first?.location == error?.issues.first?.location)
                #expect(same?.issues.first?.excerpt == error?.issues.first?.excerpt)
            }
        }
    }

    @Test(arguments: JSONCompression.available)
    func `a token may be longer than every window`(_ format: JSONCompression) throws {
        let long = String(repeating: "abcdefghij", count: 100_000)
        for decoder in JSONModelDecoder.ofEverySource {
            let bytes = try format.compress("[\"\(long)\"]")
            #expect(try decoder.decode([String].self, from: bytes) == [long])
            var cursor = decoder.cursor(of: String.self, in: .chunks(bytes.pieces(of: 500)))
            #expect(try cursor.next() == long)
            #expect(try cursor.next() == nil)
        }
    }

    @Test(arguments: JSONCompression.available) func `empty data is empty input`(_ format: JSONCompression) throws {
        let error = #expect(throws: JSONModelError.self) {
            try JSONModelDecoder().decode(Row.self, from: try format.compress(""))
        }
        #expect(error?.issues.first?.kind == .emptyInput)
        #expect(
            try JSONModelDecoder().forEach(Row.self, in: try format.compress(""), framing: .lines) { _ in } == 0)
    }

    @Test(arguments: JSONCompression.available) func `progress counts compressed bytes`(_ format: JSONCompression)
        throws
    {
        let rows = (0..<20_000).map { Row(id: $0, name: "row \($0 % 7)") }
        let bytes = try format.compress(try JSONModelEncoder().encode(rows))
        try withFile(holding: bytes) { path in
            for framing in [JSONFraming.document, .concatenated] {
                let last = Mutex<JSONProgress?>(nil)
                let decoder = JSONModelDecoder.with {
                    $0.progressHandler = { progress in last.withLock { $0 = progress } }
                }
                var cursor = decoder.cursor(of: Row.self, in: .file(path), at: "[*]", framing: framing)
                while try cursor.next() != nil {}
                let end = JSONProgress(bytes: bytes.count, totalBytes: bytes.count, elements: rows.count)
                #expect(last.withLock { $0 } == end)
            }
        }
    }

    @Test(arguments: JSONCompression.available)
    func `the tools of the system write what is read`(_ format: JSONCompression) throws {
        let text = try JSONModelEncoder().encode((0..<5_000).map { Row(id: $0) })
        for options in [["-c"], ["-c", "-1"], ["-c", "-9"]] {
            guard let bytes = try output(of: format.rawValue, options, input: text) else { return }
            #expect(try JSONModelDecoder().decode([Row].self, from: bytes).count == 5_000)
            #expect(try JSONModelDecoder().decode([Row].self, from: .chunks(bytes.pieces(of: 1))).count == 5_000)
        }
    }

    @Test func `text that begins like compressed data is text`() throws {
        for text in ["(", "(\u{1}", "P", "P*M", "\u{1F}", "\u{1F}{}"] {
            for size in [1, 10] {
                let error = #expect(throws: JSONModelError.self) {
                    try JSONModelDecoder().decode(Row.self, from: .chunks(Array(text.utf8).pieces(of: size)))
                }
                #expect(
                    error?.issues.first?.kind.name == "syntax", "\(text): \(error.map { "\($0)" } ?? "no error")")
                #expect(error?.issues.first?.location.offset == 0)
            }
        }
        #expect(
            try JSONModelDecoder().decode([Int].self, from: .chunks([[UInt8(ascii: "[")], Array("1]".utf8)])) == [1]
        )
    }

    @Test func `a format whose trait is off has a named error`() async throws {
        let beginnings: [(JSONCompression, [UInt8])] = [
            (.gzip, [0x1F, 0x8B, 8, 0]), (.zstd, [0x28, 0xB5, 0x2F, 0xFD]), (.zstd, [0x5E, 0x2A, 0x4D, 0x18]),
        ]
        for (format, bytes) in beginnings where !format.isAvailable {
            let outcome = await StreamVerb.readAll(Row.self, bytes: bytes + [1, 2, 3], .lines) {
                Issue.record("\($0)")
            }
            let trait = format == .gzip ? "Gzip" : "Zstd"
            let message =
                "the input or output is compressed with \(format.rawValue): enable the package trait \(trait)"
            #expect(outcome.error == message)
            let decoded = #expect(throws: JSONModelError.self) {
                try JSONModelDecoder().decode(Row.self, from: bytes)
            }
            #expect(decoded?.issues.first?.kind == .unsupportedCompression(format))
            let written = #expect(throws: JSONModelError.self) {
                try JSONModelEncoder().write([1], to: .file("/tmp/sluice.json.gz").compressed(with: format))
            }
            #expect(written?.issues.first?.kind == .unsupportedCompression(format))
        }
    }
}
