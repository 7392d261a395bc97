import Foundation
import SluiceCodable
import SluiceStreams
import TestSupport
import Testing

@testable import SluiceCore

/// Files that are no regular files: their bytes come once.
@Suite(.tags(.files)) struct PipeTests {
    private struct Row: Codable, Equatable { var id: Int }

    /// The description of what a call returns or throws; nil if the call waits for more bytes of the pipe.
    private func outcome<Value>(
        writing text: String, _ body: @escaping @Sendable (_ path: String) throws(JSONModelError) -> Value
    ) throws -> (value: Value?, error: JSONModelError?)? {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("sluice-\(UUID())").path
        try #require(mkfifo(path, 0o600) == 0)
        defer { unlink(path) }
        let isDone = DispatchSemaphore(value: 0)
        let result = Lock<Result<UncheckedValue<Value>, JSONModelError>?>(nil)
        Thread.detachNewThread {
            let outcome = Result { () throws(JSONModelError) in UncheckedValue(value: try body(path)) }
            result.withLock { $0 = outcome }
            isDone.signal()
        }
        Thread.detachNewThread {
            guard let file = FileHandle(forWritingAtPath: path) else { return }
            try? file.write(contentsOf: Data(text.utf8))
            try? file.close()
        }
        if isDone.wait(timeout: .now() + 30) == .timedOut {
            // Ends the wait of the thread, which would read the pipe again.
            for _ in 0..<50 {
                let writer = open(path, O_WRONLY | O_NONBLOCK)
                if writer >= 0 { close(writer) }
                if isDone.wait(timeout: .now() + 0.1) == .success { break }
            }
            return nil
        }
        switch try #require(result.withLock { $0 }) {
        case .success(let box): return (box.value, nil)
        case .failure(let error): return (nil, error)
        }
    }

    private struct UncheckedValue<Value>: @unchecked Sendable { let value: Value }

    @Test func `an error of a Codable type does not open a pipe again`() throws {
        let text = "[{\"id\":1},\n {\"id\":\"x\"}]"
        for source in JSONModelDecoder.Source.allCases {
            let outcome = try #require(
                try outcome(writing: text) { path throws(JSONModelError) in
                    try JSONModelDecoder(from: source).decode([Row].self, from: .file(path))
                })
            let issue = try #require(outcome.error?.issues.first)
            #expect(issue.path == "[1].id" && issue.location == JSONLocation(offset: 18, line: 2, column: 8))
        }
    }

    @Test func `several workers do not open a pipe again`() throws {
        for source in JSONModelDecoder.Source.allCases {
            var decoder = JSONModelDecoder(from: source)
            decoder.workers = .exactly(2)
            for (text, path) in [("[{\"id\":1},{\"id\":\"x\"}]", "[1].id"), ("[{\"id\":1},{\"id\":?}]", "[1].id")] {
                let array = try outcome(writing: text) { [decoder] file throws(JSONModelError) in
                    try decoder.decode([Item].self, from: .file(file))
                }
                #expect(try #require(array).error?.issues.first?.path.description == path)
                let count = try outcome(writing: text) { [decoder] file throws(JSONModelError) in
                    try decoder.forEach(Item.self, in: .file(file)) { _ in }
                }
                #expect(try #require(count).error?.issues.first?.path.description == path)
            }
            let array = try outcome(writing: "[{\"id\":1},{\"id\":2}]") { [decoder] file throws(JSONModelError) in
                try decoder.decode([Item].self, from: .file(file))
            }
            #expect(try #require(array).value == [Item(id: 1), Item(id: 2)])
        }
    }

    /// A value that fails when another file has taken the place of the one that is decoded.
    private struct Replacing: Decodable {
        static let path = FileManager.default.temporaryDirectory.appendingPathComponent("sluice-\(UUID())").path

        init(from decoder: any Decoder) throws {
            try Data("{}".utf8).write(to: URL(fileURLWithPath: Self.path), options: .atomic)
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "no"))
        }
    }

    @Test func `an error is located in the file that was opened`() throws {
        try Data("[\n{\"id\":1}]".utf8).write(to: URL(fileURLWithPath: Replacing.path))
        defer { unlink(Replacing.path) }
        let error = #expect(throws: JSONModelError.self) {
            try JSONModelDecoder().decode([Replacing].self, from: .file(Replacing.path))
        }
        #expect(error?.issues.first?.location == JSONLocation(offset: 2, line: 2, column: 1))
    }

    #if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS) && !os(Android)
    @Test func `a pipe whose reader has ended is an error and sends no signal`() async {
        await #expect(processExitsWith: .success) {
            signal(SIGPIPE, SIG_DFL)
            let path = FileManager.default.temporaryDirectory.appendingPathComponent("sluice-\(UUID())").path
            try #require(mkfifo(path, 0o600) == 0)
            defer { unlink(path) }
            for isAppended in [false, true] {
                let reader = open(path, O_RDONLY | O_NONBLOCK)
                var writer = try JSONModelEncoder().writer(
                    to: isAppended ? .appending(to: path) : .file(path), framing: .lines)
                try writer.write(1)
                try writer.flush()
                close(reader)
                try writer.write(2)
                var number: Int32?
                do throws(JSONModelError) { try writer.finish() } catch {
                    if case .unwritable(let errno, _)? = error.issues.first?.kind { number = errno }
                }
                try #require(number == EPIPE)
            }
            // A signal that was pending before is left alone.
            var set = sigset_t()
            sigpending(&set)
            try #require(sigismember(&set, SIGPIPE) == 0)
        }
    }
    #endif
}
