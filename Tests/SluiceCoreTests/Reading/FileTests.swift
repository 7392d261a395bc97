import Foundation
import SluiceCore
import SluiceStreams
import Synchronization
import Testing

/// Files and standard input: a read that fails is an error, never the end of the input.
@Suite(.serialized) struct FileTests {
    private func unreadable(_ path: String) throws -> (errno: Int32, issue: JSONIssue) {
        let error = #expect(throws: JSONModelError.self) {
            _ = try JSONModelDecoder().decode([Int].self, from: .file(path))
        }
        let issue = try #require(error?.issues.first)
        guard case .unreadable(let number, let what) = issue.kind else {
            Issue.record("\(issue)")
            return (0, issue)
        }
        #expect(what.hasPrefix(path))
        return (number, issue)
    }

    @Test func `a missing file is refused with its path`() throws {
        let path = "/nonexistent/sluice.json"
        let (number, issue) = try unreadable(path)
        #expect(number == ENOENT)
        #expect(issue.description == "cannot read \(path): No such file or directory: error 2, after 0 bytes")
        let error = #expect(throws: JSONModelError.self) {
            try JSONModelDecoder().forEach(Int.self, in: .file(path)) { _ in }
        }
        #expect(error?.issues[0].kind == issue.kind)
    }

    @Test func `a folder is refused with EISDIR`() throws {
        #expect(try unreadable(FileManager.default.temporaryDirectory.path).errno == EISDIR)
    }

    @Test func `an empty file is refused as empty input`() throws {
        let error = #expect(throws: JSONModelError.self) {
            _ = try JSONModelDecoder().decode([Int].self, from: .file("/dev/null"))
        }
        #expect(error?.issues[0].kind == .emptyInput)
    }

    @Test func `a file can be decoded and streamed`() throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("sluice-\(UUID().uuidString).json")
        defer { try? FileManager.default.removeItem(at: url) }
        try Data(#"{"a":[1,2,3]}"#.utf8).write(to: url)
        #expect(try JSONModelDecoder().decode([Int].self, from: .file(url.path), at: "a") == [1, 2, 3])
        var all: [Int] = []
        let count = try JSONModelDecoder().forEach(Int.self, in: .file(url.path), at: "a") { number in
            all.append(number)
            return number == 2 ? .stop : .continue
        }
        #expect(all == [1, 2])
        #expect(count == 2)
    }

    @Test func `a pipe that is filled slowly is decoded`() throws {
        let pipe = Pipe()
        let text = "[" + (0..<2_000).map(String.init).joined(separator: ",") + "]"
        Thread.detachNewThread {
            for piece in stride(from: 0, to: text.utf8.count, by: 997) {
                pipe.fileHandleForWriting.write(Data(text.utf8.dropFirst(piece).prefix(997)))
                usleep(1_000)
            }
            try? pipe.fileHandleForWriting.close()
        }
        let values = try withStandardInput(pipe.fileHandleForReading.fileDescriptor) {
            try JSONModelDecoder().decode([Int].self, from: .standardInput)
        }
        #expect(values == Array(0..<2_000))
    }

    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `an element is delivered while its pipe is still open`(source: JSONModelDecoder.Source) throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("sluice-\(UUID().uuidString)").path
        try #require(mkfifo(path, 0o600) == 0)
        defer { unlink(path) }
        let arrived = DispatchSemaphore(value: 0)
        let hasArrivedInTime = Mutex(false)
        let isWritten = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            if let pipe = FileHandle(forWritingAtPath: path) {
                pipe.write(Data("[[1],".utf8))
                let result = arrived.wait(timeout: .now() + 20)
                hasArrivedInTime.withLock { $0 = result == .success }
                pipe.write(Data("[2]]".utf8))
                try? pipe.close()
            }
            isWritten.signal()
        }
        var all: [[Int]] = []
        let decoder = JSONModelDecoder(from: source)
        try decoder.forEach([Int].self, in: .file(path)) { element in
            all.append(element)
            arrived.signal()
        }
        isWritten.wait()
        #expect(all == [[1], [2]])
        #expect(hasArrivedInTime.withLock { $0 })
    }

    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `nonblocking standard input is read to the end`(source: JSONModelDecoder.Source) throws {
        let pipe = Pipe()
        let descriptor = pipe.fileHandleForReading.fileDescriptor
        try #require(fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK) == 0)
        Thread.detachNewThread {
            for piece in ["[1", "0,2", "0,30]"] {
                usleep(20_000)
                pipe.fileHandleForWriting.write(Data(piece.utf8))
            }
            usleep(20_000)
            try? pipe.fileHandleForWriting.close()
        }
        let decoder = JSONModelDecoder(from: source)
        let fixed = decoder
        #expect(
            try withStandardInput(descriptor) { try fixed.decode([Int].self, from: .standardInput) } == [
                10, 20, 30,
            ])
    }

    /// What follows an error in a file is read for its excerpt. Of a pipe it may be long in coming.
    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `an excerpt is made without waiting for a pipe`(source: JSONModelDecoder.Source) throws {
        let decoder = JSONModelDecoder(from: source)
        let text = "[1, x, 2, 3]"
        let pipe = Pipe()
        pipe.fileHandleForWriting.write(Data(text.utf8))
        let error = withStandardInput(pipe.fileHandleForReading.fileDescriptor) { [decoder] in
            #expect(throws: JSONModelError.self) { try decoder.decode([Int].self, from: .standardInput) }
        }
        #expect(error?.issues.first?.excerpt == "[1, x\n    ^")
        try? pipe.fileHandleForWriting.close()
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("sluice-\(UUID().uuidString)").path
        defer { unlink(path) }
        // The error is the last byte of a window.
        for lead in [0, 65_536 - 5, 65_536 - 6, 65_536 - 20] {
            try Data((String(repeating: " ", count: lead) + text).utf8).write(to: URL(fileURLWithPath: path))
            let error = #expect(throws: JSONModelError.self) { try decoder.decode([Int].self, from: .file(path)) }
            let excerpt = try #require(error?.issues.first?.excerpt)
            #expect(
                excerpt.hasSuffix("[1, x, 2, 3]\n\(String(repeating: " ", count: (lead > 0 ? 61 : 4)))^"), "\(lead)"
            )
        }
    }

    @Test func `a path with a NUL character is refused`() throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("sluice-\(UUID().uuidString)").path
        defer { unlink(path) }
        try Data("[1]".utf8).write(to: URL(fileURLWithPath: path))
        let expected = JSONIssue.Kind.invalidPath(
            "the path of a file cannot hold a NUL character: \"\(path)\\0.json\"")
        let read = #expect(throws: JSONModelError.self) {
            try JSONModelDecoder().decode([Int].self, from: .file(path + "\0.json"))
        }
        #expect(read?.issues.map(\.kind) == [expected])
        let written = #expect(throws: JSONModelError.self) {
            try JSONModelEncoder().write([2], to: .file(path + "\0.json"))
        }
        #expect(written?.issues.map(\.kind) == [expected])
        #expect(try JSONModelDecoder().decode([Int].self, from: .file(path)) == [1])
    }

    #if os(Linux)
    /// A terminal whose other side has gone gives what was written, and then an error: that is not the end.
    @Test func `a read that fails after a complete document is an error`() throws {
        let side = open("/dev/ptmx", O_RDWR | O_NOCTTY)
        try #require(side >= 0)
        defer { close(side) }
        // TIOCSPTLCK and TIOCGPTN, which are no constants to Swift.
        var number: Int32 = 0
        try #require(ioctl(side, 0x4004_5431, &number) == 0)
        try #require(ioctl(side, 0x8004_5430, &number) == 0)
        let other = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
        try #require(other >= 0)
        // Complete, if the error were taken for the end.
        #expect(write(other, "[1,2]", 5) == 5)
        close(other)
        var all: [Int] = []
        let error = withStandardInput(side) {
            #expect(throws: JSONModelError.self) {
                try JSONModelDecoder().forEach(Int.self, in: .standardInput) { all.append($0) }
            }
        }
        #expect(all == [1, 2])
        let issue = try #require(error?.issues.first)
        guard case .unreadable(let errno, let what) = issue.kind else {
            Issue.record("\(issue)")
            return
        }
        #expect(errno == EIO)
        #expect(what.hasPrefix("standard input"))
        #expect(issue.location.offset == 5)
    }
    #endif

    /// A loop that is cancelled while it waits leaves the bytes of standard input to the next loop.
    @Test func `loops wait for standard input without its bytes`() async throws {
        for isSocket in [false, true] {
            var ends: [Int32] = [-1, -1]
            if isSocket {
                try #require(socketpair(AF_UNIX, Self.streamSocket, 0, &ends) == 0)
            } else {
                try #require(pipe(&ends) == 0)
            }
            let own = dup(STDIN_FILENO)
            dup2(ends[0], STDIN_FILENO)
            defer {
                if own >= 0 { dup2(own, STDIN_FILENO) } else { close(STDIN_FILENO) }
                close(own)
                close(ends[0])
            }
            let decoder = JSONModelDecoder()
            let waiting = (0..<8).map { _ in
                Task.detached { () async throws -> Int in
                    var count = 0
                    for try await _ in decoder.elements(of: [Int].self, in: .standardInput, framing: .lines) {
                        count += 1
                    }
                    return count
                }
            }
            try await Task.sleep(for: .milliseconds(20))
            for task in waiting {
                task.cancel()
                await #expect(throws: CancellationError.self) { try await task.value }
            }
            #expect(write(ends[1], "[1]\n[2]\n", 8) == 8)
            close(ends[1])
            var rows: [[Int]] = []
            for try await row in decoder.elements(of: [Int].self, in: .standardInput, framing: .lines) {
                rows.append(row)
            }
            #expect(rows == [[1], [2]])
        }
    }

    #if os(Linux)
    private static let streamSocket = Int32(SOCK_STREAM.rawValue)
    #else
    private static let streamSocket = SOCK_STREAM
    #endif

    /// Runs `body` with another file as standard input.
    private func withStandardInput<R>(_ descriptor: Int32, _ body: () throws -> R) rethrows -> R {
        let own = dup(STDIN_FILENO)
        dup2(descriptor, STDIN_FILENO)
        defer {
            if own >= 0 { dup2(own, STDIN_FILENO) } else { close(STDIN_FILENO) }
            close(own)
        }
        return try body()
    }
}
