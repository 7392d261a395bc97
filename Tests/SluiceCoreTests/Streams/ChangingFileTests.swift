import Foundation
import SluiceCore
import SluiceStreams
import TestSupport
import Testing

/// Files that change while they are read, and files of the system that fail.
@Suite(.tags(.files)) struct ChangingFileTests {
    typealias Row = FramingTests.Row

    private static let rows = (0..<20_000).map { Row(id: $0) }

    private func lines(_ rows: some Sequence<Row>) throws -> [UInt8] {
        try rows.flatMap { try JSONModelEncoder().encode($0) + [UInt8(ascii: "\n")] }
    }

    /// Reads a file, which changes after its first element.
    private func read(_ path: String, _ framing: JSONFraming, _ change: () -> Void) -> (
        cursor: [Row], forEach: [Row], kinds: [JSONIssue.Kind?]
    ) {
        var found: [[Row]] = [[], []]
        var kinds: [JSONIssue.Kind?] = [nil, nil]
        do {
            var cursor = JSONModelDecoder().cursor(of: Row.self, in: .file(path), framing: framing)
            while let row = try cursor.next() {
                if found[0].isEmpty { change() }
                found[0].append(row)
            }
        } catch { kinds[0] = error.issues.first?.kind }
        do {
            try JSONModelDecoder().forEach(Row.self, in: .file(path), framing: framing) { found[1].append($0) }
        } catch { kinds[1] = error.issues.first?.kind }
        return (found[0], found[1], kinds)
    }

    @Test func `a file that becomes shorter ends early`() throws {
        let text = try JSONModelEncoder().encode(Self.rows)
        try withFile(holding: text) { path in
            // Afterwards, the second reading finds the same bytes as the first.
            let (cursor, forEach, kinds) = read(path, .document) { #expect(truncate(path, 150_000) == 0) }
            #expect(kinds == [.unexpectedEnd, .unexpectedEnd])
            #expect(cursor == forEach && cursor.count > 1_000)
            #expect(cursor == Array(Self.rows.prefix(cursor.count)))
        }
        let all = try lines(Self.rows)
        let cut = (all[..<150_000].lastIndex(of: UInt8(ascii: "\n")) ?? 0) + 1
        try withFile(holding: all) { path in
            let (cursor, forEach, kinds) = read(path, .lines) { #expect(truncate(path, off_t(cut)) == 0) }
            #expect(kinds == [nil, nil] && cursor == forEach && cursor.count == all[..<cut].count { $0 == 0x0A })
        }
    }

    @Test func `a file that grows is read to its new end`() throws {
        let more = (0..<10_000).map { Row(id: -$0) }
        let added = try lines(more)
        try withFile(holding: try lines(Self.rows)) { path in
            let (cursor, forEach, kinds) = read(path, .lines) {
                guard let file = FileHandle(forWritingAtPath: path) else { return }
                file.seekToEndOfFile()
                file.write(Data(added))
                try? file.close()
            }
            #expect(kinds == [nil, nil] && cursor == forEach && cursor == Self.rows + more)
        }
        try withFile(holding: try JSONModelEncoder().encode(Self.rows)) { path in
            let (cursor, _, kinds) = read(path, .document) {
                guard let file = FileHandle(forWritingAtPath: path) else { return }
                file.seekToEndOfFile()
                file.write(Data(" x".utf8))
                try? file.close()
            }
            #expect(kinds == [.trailingContent, .trailingContent] && cursor == Self.rows)
        }
    }

    @Test(arguments: JSONFraming.allCases)
    func `a pipe that is closed in a token is not complete`(_ framing: JSONFraming) throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("sluice-\(UUID().uuidString)").path
        try #require(mkfifo(path, 0o600) == 0)
        defer { unlink(path) }
        var writer: [UInt8] = []
        var elements = JSONModelEncoder().writer(
            to: { (chunk: UnsafeRawBufferPointer) in writer += chunk }, framing: framing)
        for row in Self.rows.prefix(100) { try elements.write(row) }
        try elements.finish()
        let end = try #require(writer.lastIndex(of: UInt8(ascii: ":")))
        let bytes = writer[..<end]
        Thread.detachNewThread {
            guard let pipe = FileHandle(forWritingAtPath: path) else { return }
            for start in stride(from: 0, to: bytes.count, by: 377) {
                pipe.write(Data(bytes.dropFirst(start).prefix(377)))
            }
            try? pipe.close()
        }
        var read: [Row] = []
        let error = #expect(throws: JSONModelError.self) {
            try JSONModelDecoder().forEach(Row.self, in: .file(path), framing: framing) { read.append($0) }
        }
        #expect(read == Array(Self.rows.prefix(99)) && error?.issues.first?.kind == .unexpectedEnd)
    }

    #if os(Linux)
    /// The first page of a process is never mapped.
    @Test func `a file of the system that fails is not empty`() async throws {
        var kinds: [JSONIssue.Kind?] = []
        func note(_ body: () throws -> Void) {
            do {
                try body()
                kinds.append(nil)
            } catch { kinds.append((error as? JSONModelError)?.issues.first?.kind) }
        }
        let decoder = JSONModelDecoder()
        note { _ = try decoder.decode([Row].self, from: .file("/proc/self/mem")) }
        for framing in JSONFraming.allCases {
            note { try decoder.forEach(Row.self, in: .file("/proc/self/mem"), framing: framing) { _ in } }
            note { try decoder.validate(.file("/proc/self/mem"), framing: framing) }
            note {
                var cursor = decoder.cursor(of: Row.self, in: .file("/proc/self/mem"), framing: framing)
                _ = try cursor.next()
            }
        }
        #expect(kinds.count == 1 + 3 * JSONFraming.allCases.count)
        for kind in kinds {
            guard case .unreadable(EIO, _)? = kind else {
                Issue.record("\(kind.map { "\($0)" } ?? "no error")")
                continue
            }
        }
    }
    #endif
}
