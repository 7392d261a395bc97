import Foundation
import SluiceCore
import SluiceStreams
import Synchronization
import SystemPackage
import TestSupport
import Testing

@Suite(.tags(.encoding, .streams)) struct ElementWriterTests {
    typealias Row = FramingTests.Row

    struct Number: JSONModel, Equatable {
        var value: Double
        static let plan = ModelPlan<Number>(JSONField(\.value))
    }

    private static let rows = (0..<5_000).map { Row(id: $0, name: $0 % 3 == 0 ? nil : "row\n\($0)") }

    private func written(
        _ framing: JSONFraming, _ encoder: JSONModelEncoder = JSONModelEncoder(), _ rows: some Sequence<Row>
    ) throws -> [UInt8] {
        var bytes: [UInt8] = []
        var writer = encoder.writer(to: { (chunk: UnsafeRawBufferPointer) in bytes += chunk }, framing: framing)
        for row in rows { try writer.write(row) }
        try writer.finish()
        return bytes
    }

    @Test(arguments: JSONFraming.allCases) func `elements are read as they were written`(_ framing: JSONFraming)
        throws
    {
        for rows in [[], Array(Self.rows.prefix(1)), Self.rows] {
            for formatting in [.compact, .pretty] as [JSONModelEncoder.Formatting] {
                let encoder = JSONModelEncoder.with { $0.formatting = formatting }
                let bytes = try written(framing, encoder, rows)
                var read: [Row] = []
                try JSONModelDecoder().forEach(Row.self, in: bytes, framing: framing) { read.append($0) }
                #expect(read == rows)
            }
        }
    }

    @Test func `a document has the bytes of an encoded array`() throws {
        for formatting in [.compact, .pretty] as [JSONModelEncoder.Formatting] {
            let encoder = JSONModelEncoder.with { $0.formatting = formatting }
            for count in [0, 1, 2, 100] {
                let rows = Array(Self.rows.prefix(count))
                #expect(try written(.document, encoder, rows) == encoder.encode(rows))
            }
        }
        let lines = String(decoding: try written(.lines, JSONModelEncoder(), Self.rows.prefix(2)), as: UTF8.self)
        #expect(lines == "{\"id\":0}\n{\"id\":1,\"name\":\"row\\n1\"}\n")
    }

    @Test func `elements without a plan share memory`() throws {
        struct Plain: Encodable { var value = 1.5 }
        let encoder = JSONModelEncoder.with { $0.formatting = .pretty }
        var bytes: [UInt8] = []
        var writer = encoder.writer(to: { (chunk: UnsafeRawBufferPointer) in bytes += chunk }, framing: .document)
        try writer.write(Plain())
        let engine = try #require(writer.output.engine)
        #expect(throws: JSONModelError.self) { try writer.write(Plain(value: .nan)) }
        try writer.write(["key": Plain()])
        #expect(writer.output.engine === engine)
        try writer.finish()
        #expect(try bytes == encoder.encode([["value": 1.5], ["key": ["value": 1.5]]] as JSONValue))
    }

    @Test func `an element that cannot be encoded leaves no bytes`() throws {
        var bytes: [UInt8] = []
        var writer = JSONModelEncoder().writer(
            to: { (chunk: UnsafeRawBufferPointer) in bytes += chunk }, framing: .lines)
        try writer.write(Number(value: 1))
        do {
            try writer.write(Number(value: .infinity))
            Issue.record("no error")
        } catch {
            #expect(error.issues.first?.path.description == "[1].value" && error.issues.first?.elementIndex == 1)
        }
        try writer.write(Number(value: 2))
        #expect(writer.count == 2)
        try writer.finish()
        #expect(String(decoding: bytes, as: UTF8.self) == "{\"value\":1.0}\n{\"value\":2.0}\n")
    }

    @Test func `a writer passes no empty chunk to its closure`() throws {
        var counts: [Int] = []
        var writer = JSONModelEncoder().writer(
            to: { (chunk: UnsafeRawBufferPointer) in counts.append(chunk.count) }, framing: .lines)
        try writer.flush()
        try writer.write(1)
        try writer.flush()
        try writer.flush()
        try writer.finish()
        #expect(counts == [2])
    }

    @Test func `an error of the destination says how many elements are complete`() throws {
        struct Full: Error {}
        var taken: [UInt8] = []
        var writer = JSONModelEncoder().writer(
            to: { (chunk: UnsafeRawBufferPointer) in
                if taken.count > 0 { throw Full() }
                taken += chunk
            }, framing: .lines)
        var complete: Int?
        do { for row in Self.rows + Self.rows { try writer.write(row) } } catch {
            #expect(error.issues.first?.underlying is Full)
            complete = error.issues.first?.elementIndex
        }
        #expect(complete == taken.count { $0 == UInt8(ascii: "\n") } && complete ?? 0 > 0)
    }

    @Test func `files are replaced at the end, or appended to`() throws {
        let path = "/tmp/sluice-\(UInt64.random(in: 0...UInt64.max)).jsonl"
        defer { unlink(path) }
        let encoder = JSONModelEncoder()
        for count in [3, 2] {
            var writer = try encoder.writer(to: .file(path), framing: .lines)
            for row in Self.rows.prefix(count) { try writer.write(row) }
            try writer.finish()
        }
        do {
            // Not finished.
            var writer = try encoder.writer(to: .file(path), framing: .lines)
            for row in Self.rows { try writer.write(row) }
        }
        var writer = try encoder.writer(to: .appending(to: path), framing: .lines)
        try writer.write(Row(id: 7))
        try writer.finish()
        var read: [Row] = []
        try JSONModelDecoder().forEach(Row.self, in: .file(path), framing: .lines) { read.append($0) }
        #expect(read == Self.rows.prefix(2) + [Row(id: 7)])
    }

    @Test func `an asynchronous destination takes the chunks one after another`() async throws {
        let taken = Mutex<[[UInt8]]>([])
        var writer = JSONModelEncoder().writer(
            to: { (chunk: [UInt8]) async in
                await Task.yield()
                taken.withLock { $0.append(chunk) }
            }, framing: .lines)
        for row in Self.rows { try await writer.write(row) }
        let before = writer.acceptedCount
        try await writer.finish()
        let chunks = taken.withLock { $0 }
        #expect(chunks.count > 1 && before > 0 && before < 5_000)
        var read: [Row] = []
        try JSONModelDecoder().forEach(Row.self, in: .chunks(chunks), framing: .lines) { read.append($0) }
        #expect(read == Self.rows)
    }

    @Test func `single bytes arrive in chunks that end with an element`() async throws {
        let text = Array("{\"id\":1}\n{\"id\":2}\n".utf8)
        let bytes = AsyncStream<UInt8> { continuation in
            for byte in text { continuation.yield(byte) }
            continuation.finish()
        }
        var chunks: [String] = []
        for try await chunk in bytes.jsonChunks() { chunks.append(String(decoding: chunk, as: UTF8.self)) }
        #expect(chunks == ["{\"id\":1}", "\n", "{\"id\":2}", "\n"])
    }

    @Test(arguments: [
        ("data: 1\r\rdata: 2\r\r", ["data: 1\r", "\r", "data: 2\r", "\r"]), ("[1]\r\n", ["[1]", "\r", "\n"]),
        ("1\r\n2\r\n3\r\n4\r5\r", ["1\r", "\n", "2\r\n", "3\r\n", "4\r5\r"]),
        ("\u{1E}\"a\" \u{1E}\"b\" ", ["\u{1E}", "\"a\" \u{1E}", "\"b\" "]),
    ])
    func `chunks of single bytes end where elements end`(_ text: String, _ expected: [String]) async throws {
        let bytes = AsyncStream<UInt8> { continuation in
            for byte in text.utf8 { continuation.yield(byte) }
            continuation.finish()
        }
        var chunks: [String] = []
        for try await chunk in bytes.jsonChunks() { chunks.append(String(decoding: chunk, as: UTF8.self)) }
        #expect(chunks == expected)
    }

    @Test(arguments: [true, false]) func `the end of single bytes is requested once`(_ fails: Bool) async throws {
        struct Ending: AsyncSequence, AsyncIteratorProtocol {
            let fails: Bool
            var count = 0
            func makeAsyncIterator() -> Ending { self }
            mutating func next() async throws -> UInt8? {
                count += 1
                precondition(count <= 2, "a call after the end")
                if count == 2, fails { throw CancellationError() }
                return count == 1 ? UInt8(ascii: "1") : nil
            }
        }
        var iterator = Ending(fails: fails).jsonChunks().makeAsyncIterator()
        #expect(try await iterator.next() == [UInt8(ascii: "1")])
        if fails { await #expect(throws: CancellationError.self) { try await iterator.next() } }
        for _ in 0..<2 { #expect(try await iterator.next() == nil) }
    }

    @Test func `a compressed file of a writer is as small as that of a sequence`() throws {
        for format in JSONCompression.available {
            let rows = (0..<40_000).map { Row(id: $0, name: "name \($0 % 1_000)") }
            try withFile(holding: []) { path in
                let destination = JSONDestination.file(path).compressed(with: format)
                try JSONModelEncoder().write(elements: rows, to: destination)
                let expected = try Data(contentsOf: URL(fileURLWithPath: path)).count
                var writer = try JSONModelEncoder().writer(to: destination)
                for row in rows { try writer.write(row) }
                try writer.finish()
                #expect(try Data(contentsOf: URL(fileURLWithPath: path)).count < expected + expected / 100 + 50)
            }
        }
    }

    @Test func `a destination that is not ready is tried again`() throws {
        let calls = Mutex(0)
        let destination = JSONDestination.writing { bytes in
            let call = calls.withLock { calls in
                calls += 1
                return calls
            }
            if call == 1 { throw Errno.resourceTemporarilyUnavailable }
            return bytes.count
        }
        try JSONModelEncoder().write(1, to: destination)
        #expect(calls.withLock { $0 } == 2)
    }

    #if os(Linux)
    @Test func `a relative path is that of the directory in which the file was opened`() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("sluice-\(UUID().uuidString)")
        let other = folder.appendingPathComponent("other")
        try FileManager.default.createDirectory(at: other, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let outcome: (any Error)? = await withCheckedContinuation { continuation in
            // A thread with a working directory of its own.
            Thread {
                do {
                    typealias Unshare = @convention(c) (CInt) -> CInt
                    let unshare = try unsafeBitCast(#require(dlsym(nil, "unshare")), to: Unshare.self)
                    let fileSystem: CInt = 0x200
                    try #require(unshare(fileSystem) == 0)
                    try #require(chdir(folder.path) == 0)
                    var writer = try JSONModelEncoder().writer(to: .file("rows.json"))
                    try #require(chdir("other") == 0)
                    try writer.write(1)
                    try writer.finish()
                    continuation.resume(returning: nil)
                } catch { continuation.resume(returning: error) }
            }.start()
        }
        #expect(outcome == nil)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["other", "rows.json"])
    }
    #endif

    @Test(arguments: [1, 2, 5, 100]) func `chunks of single bytes have at most the given size`(_ size: Int)
        async throws
    {
        let text = Array("{\"name\":\"a long name\"}\n12345678\n".utf8)
        let bytes = AsyncStream<UInt8> { continuation in
            for byte in text { continuation.yield(byte) }
            continuation.finish()
        }
        var joined: [UInt8] = []
        for try await chunk in bytes.jsonChunks(upTo: size) {
            #expect(1...size ~= chunk.count)
            joined += chunk
        }
        #expect(joined == text)
    }

    @Test(arguments: JSONFraming.allCases)
    func `source text with line breaks is one element`(_ framing: JSONFraming) throws {
        let texts = ["{\n  \"id\": 1,\r\n  \"name\": \"a\\n\"\n}", "[\r1,\n\n2]", "3"]
        var bytes: [UInt8] = []
        var writer = JSONModelEncoder().writer(
            to: { (chunk: UnsafeRawBufferPointer) in bytes += chunk }, framing: framing)
        for text in texts { try writer.write(JSONRaw(text)) }
        try writer.finish()
        var values: [JSONValue] = []
        try JSONModelDecoder().forEach(JSONValue.self, in: bytes, framing: framing) { values.append($0) }
        #expect(values == [["id": 1, "name": "a\n"], [1, 2], 3])
    }

    @Test func `an error of single bytes comes after the bytes before`() async throws {
        struct Failure: Error {}
        let bytes = AsyncThrowingStream<UInt8, any Error> { continuation in
            for byte in "{}12".utf8 { continuation.yield(byte) }
            continuation.finish(throwing: Failure())
        }
        var iterator = bytes.jsonChunks().makeAsyncIterator()
        #expect(try await iterator.next() == Array("{}".utf8))
        #expect(try await iterator.next() == Array("12".utf8))
        await #expect(throws: Failure.self) { try await iterator.next() }
        #expect(try await iterator.next() == nil)
    }

    @Test func `framed values are validated, and progress is reported`() throws {
        let decoder = JSONModelDecoder()
        try decoder.validate("{\"a\":1}\n[]\n", framing: .lines)
        let error = #expect(throws: JSONModelError.self) {
            try decoder.validate("{\"a\":1}\n[}\n", framing: .lines)
        }
        #expect(error?.issues.first?.location == JSONLocation(offset: 9, line: 2, column: 2))
        #expect(throws: JSONModelError.self) { try decoder.validate("{\"a\":1}\n{}", at: "a", framing: .lines) }

        let log = Mutex<[JSONProgress]>([])
        var reporting = decoder
        reporting.progressHandler = { progress in log.withLock { $0.append(progress) } }
        let bytes = try written(.lines, JSONModelEncoder(), Self.rows)
        var cursor = reporting.cursor(of: Row.self, in: bytes, framing: .lines)
        while (try cursor.next()) != nil {}
        let progress = log.withLock { $0 }
        #expect(progress.count >= bytes.count / 65_536 && progress.map(\.bytes) == progress.map(\.bytes).sorted())
        #expect(progress.last == JSONProgress(bytes: bytes.count, totalBytes: bytes.count, elements: 5_000))
        #expect(progress.last?.fraction == 1)
    }
}
