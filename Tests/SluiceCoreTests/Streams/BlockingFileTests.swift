import Foundation
import Synchronization
import SystemPackage
import TestSupport
import Testing

@testable import SluiceCore
@testable import SluiceStreams

/// Files that can block, such as pipes and terminals, do not block the threads on which tasks run.
@Suite(.tags(.files)) struct BlockingFileTests {
    typealias Row = FramingTests.Row

    /// A FIFO, whose path exists as long as the object.
    private final class Fifo: Sendable {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("sluice-\(UUID().uuidString)").path

        init() throws { try #require(mkfifo(path, 0o600) == 0) }

        deinit { unlink(path) }

        /// Whether a process has opened the FIFO for reading.
        var hasReader: Bool {
            let descriptor = open(path, O_WRONLY | O_NONBLOCK)
            if descriptor >= 0 { close(descriptor) }
            return descriptor >= 0
        }

        /// Writes pieces on another thread, each after a pause.
        func write(_ pieces: [[UInt8]], pause: UInt32 = 200) {
            Thread.detachNewThread { [self] in
                // A reader that ends early closes the pipe, whose signal would end the process.
                signal(SIGPIPE, SIG_IGN)
                guard let file = FileHandle(forWritingAtPath: path) else { return }
                for piece in pieces {
                    usleep(pause)
                    do { try file.write(contentsOf: Data(piece)) } catch { break }
                }
                try? file.close()
            }
        }
    }

    /// Waits until a condition holds, for at most 20,000 turns of this task: 20 seconds, or more if the threads are busy.
    private func eventually(_ condition: () -> Bool) async throws -> Bool {
        for _ in 0..<20_000 {
            if condition() { return true }
            try await Task.sleep(for: .milliseconds(1))
        }
        return false
    }

    private static func lines(_ count: Int) -> [UInt8] {
        Array((0..<count).map { "{\"id\":\($0)}\n" }.joined().utf8)
    }

    @Test func `more loops over silent pipes than cores leave other tasks running`() async throws {
        let count = 2 * ProcessInfo.processInfo.activeProcessorCount + 3
        // One half has a writer that is silent, the other half has no writer.
        let fifos = try (0..<count).map { _ in try Fifo() }
        let pool = TaskPool()
        defer { pool.close() }
        let hasProgress = DispatchSemaphore(value: 0)
        let inTime = Mutex(false)
        // Open for both, so that no thread waits for the other side.
        let writers = Mutex(fifos.prefix(count / 2).map { open($0.path, O_RDWR) })
        defer { writers.withLock { for writer in $0 { close(writer) } } }
        Thread.detachNewThread {
            let result = hasProgress.wait(timeout: .now() + 60)
            inTime.withLock { $0 = result == .success }
            // Ends the loops, also if they have stopped all other tasks.
            let all = writers.withLock { writers in
                writers += fifos.dropFirst(writers.count).map { open($0.path, O_RDWR) }
                return writers
            }
            for writer in all { _ = Self.lines(3).withUnsafeBytes { write(writer, $0.baseAddress, $0.count) } }
        }
        let loops = fifos.enumerated().map { index, fifo in
            Task.detached(executorPreference: pool) { () async throws -> Int in
                let decoder = JSONModelDecoder()
                var sum = 0
                if index.isMultiple(of: 3) {
                    let ids = decoder.elements(of: Int.self, in: .file(fifo.path), at: "id", framing: .lines)
                    for try await id in ids {
                        sum += id
                        if id == 2 { break }
                    }
                } else {
                    for try await row in decoder.elements(of: Row.self, in: .file(fifo.path), framing: .lines) {
                        sum += row.id
                        if row.id == 2 { break }
                    }
                }
                return sum
            }
        }
        // All loops wait now or soon, while other tasks go on.
        let others = Task.detached(executorPreference: pool) {
            for _ in 0..<5 {
                try await Task.sleep(for: .milliseconds(2))
                await Task.detached(executorPreference: pool) { await Task.yield() }.value
            }
            hasProgress.signal()
        }
        try await others.value
        for loop in loops { #expect(try await loop.value == 3) }
        #expect(inTime.withLock { $0 })
    }

    @Test func `a syntax error in a pipe is thrown without the next bytes`() async throws {
        let fifo = try Fifo()
        // Open for both, so that the pipe does not end.
        let writer = open(fifo.path, O_RDWR)
        let text = "[{\"id\":1},{\"id\":x"
        let bytes = Array(text.utf8)
        #expect(bytes.withUnsafeBytes { write(writer, $0.baseAddress, $0.count) } == bytes.count)
        let error = Mutex<JSONModelError?>(nil)
        Thread.detachNewThread {
            do throws(JSONModelError) {
                try JSONModelDecoder().forEach(Row.self, in: .file(fifo.path)) { (_: Row) in }
            } catch let thrown { error.withLock { $0 = thrown } }
        }
        #expect(try await eventually { error.withLock { $0 != nil } })
        // The end of the pipe ends a wait that goes on.
        close(writer)
        let caret = String(repeating: " ", count: 16) + "^"
        #expect(error.withLock { $0 }?.issues.first?.excerpt == text + "\n" + caret)
    }

    @Test func `the elements of a full window of a pipe do not wait for more bytes`() async throws {
        let fifo = try Fifo()
        // Open for both, so that the pipe does not end.
        let writer = open(fifo.path, O_RDWR)
        // 65,536 bytes, the length of a window.
        let window = Array(String(repeating: "{\"id\":1}       \n", count: 4_096).utf8)
        let received = Mutex(0)
        Thread.detachNewThread {
            let decoder = JSONModelDecoder.with { $0.workers = .exactly(2) }
            _ = try? decoder.forEach(Row.self, in: .file(fifo.path), framing: .lines) { (_: Row) in
                received.withLock { $0 += 1 }
            }
        }
        #expect(window.withUnsafeBytes { write(writer, $0.baseAddress, $0.count) } == window.count)
        #expect(try await eventually { received.withLock { $0 } == 4_096 })
        // The end of the pipe ends a wait that goes on.
        close(writer)
    }

    @Test(arguments: [true, false]) func `cancellation ends the wait for a pipe at once`(_ hasWriter: Bool)
        async throws
    {
        let fifo = try Fifo()
        let isWaiting = Atomic(false)
        let hasEnded = Atomic(false)
        let task = Task.detached { () async throws -> Int in
            isWaiting.store(true, ordering: .sequentiallyConsistent)
            defer { hasEnded.store(true, ordering: .sequentiallyConsistent) }
            var count = 0
            for try await _ in JSONModelDecoder().elements(of: Row.self, in: .file(fifo.path), framing: .lines) {
                count += 1
            }
            return count
        }
        var writer: Int32 = -1
        if hasWriter {
            _ = try await eventually {
                writer = open(fifo.path, O_WRONLY | O_NONBLOCK)
                return writer >= 0
            }
            #expect(writer >= 0)
        } else {
            _ = try await eventually { isWaiting.load(ordering: .sequentiallyConsistent) }
            try await Task.sleep(for: .milliseconds(20))
        }
        task.cancel()
        let isInTime = try await eventually { hasEnded.load(ordering: .sequentiallyConsistent) }
        #expect(isInTime)
        // Ends a wait that goes on, so that the test ends.
        if !isInTime, !hasWriter { writer = open(fifo.path, O_RDWR | O_NONBLOCK) }
        if writer >= 0 { close(writer) }
        await #expect(throws: CancellationError.self) { try await task.value }
        // The file is closed by its thread.
        #if os(Linux)
        #expect(try await eventually { !fifo.hasReader })
        #endif
    }

    @Test func `a task that is cancelled before waits for nothing`() async throws {
        let fifo = try Fifo()
        let task = Task.detached { () async throws -> Row? in
            withUnsafeCurrentTask { $0?.cancel() }
            var rows = JSONModelDecoder().elements(of: Row.self, in: .file(fifo.path)).makeAsyncIterator()
            return try await rows.next()
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(!fifo.hasReader)
    }

    @Test func `an iterator whose wait was cancelled has ended`() async throws {
        let fifo = try Fifo()
        nonisolated(unsafe) var rows = JSONModelDecoder().elements(
            of: Row.self, in: .file(fifo.path), framing: .lines
        ).makeAsyncIterator()
        fifo.write([Self.lines(1)])
        #expect(try await rows.next()?.id == 0)
        let keep = open(fifo.path, O_RDWR | O_NONBLOCK)
        let task = Task { try await rows.next() }
        try await Task.sleep(for: .milliseconds(10))
        task.cancel()
        _ = await task.result
        close(keep)
        #expect(try await rows.next() == nil)
    }

    @Test func `break closes a pipe`() async throws {
        let fifo = try Fifo()
        fifo.write([Self.lines(2), Self.lines(1_000)], pause: 1_000)
        for try await row in JSONModelDecoder().elements(of: Row.self, in: .file(fifo.path), framing: .lines) {
            #expect(row.id == 0)
            #expect(fifo.hasReader)
            break
        }
        #expect(try await eventually { !fifo.hasReader })
    }

    @Test func `the end of a file closes a pipe`() async throws {
        let fifo = try Fifo()
        fifo.write([Self.lines(2)])
        var rows = JSONModelDecoder().elements(of: Row.self, in: .file(fifo.path), framing: .lines)
            .makeAsyncIterator()
        while try await rows.next() != nil {}
        // A process that another test has just started may have the pipe until its program begins.
        #expect(try await eventually { !fifo.hasReader })
        #expect(try await rows.next() == nil)
    }

    #if os(Linux)
    @Test func `other programs do not inherit open files`() async throws {
        let name = "sluice-\(UUID().uuidString)"
        let path = FileManager.default.temporaryDirectory.appendingPathComponent(name).path
        defer {
            unlink(path)
            unlink(path + ".out")
        }
        try Data(Self.lines(100_000)).write(to: URL(fileURLWithPath: path))
        var rows = JSONModelDecoder().elements(of: Row.self, in: .file(path), framing: .lines).makeAsyncIterator()
        _ = try await rows.next()
        var writer = try JSONModelEncoder().writer(to: .appending(to: path + ".out"), framing: .lines)
        try writer.write(Row(id: 1))
        let files = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").filter { file in
            let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(file)")
            return target?.contains(name) == true
        }
        #expect(files.count == 2)
        for file in files { #expect(fcntl(try #require(Int32(file)), F_GETFD) & FD_CLOEXEC != 0) }
        withExtendedLifetime(rows) {}
        withExtendedLifetime(writer) {}
    }
    #endif

    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `data that arrives in pieces has the elements of a file`(_ source: JSONModelDecoder.Source) async throws {
        let rows = (0..<400).map { Row(id: $0, name: $0.isMultiple(of: 3) ? "n\u{E4}me \($0)" : nil) }
        for framing in [JSONFraming.document, .lines, .textSequence, .concatenated, .serverSentEvents] {
            let texts = try rows.map { try JSONModelEncoder().encode($0, as: .string) }
            let text =
                switch framing {
                case .document: "[" + texts.joined(separator: ",") + "]"
                case .lines: texts.joined(separator: "\n")
                case .textSequence: texts.map { "\u{1E}\($0)\n" }.joined()
                case .serverSentEvents: texts.map { "data: \($0)\n\n" }.joined()
                default: texts.joined()
                }
            let plain = Array(text.utf8)
            for bytes in [plain] + (try JSONCompression.available.map { try $0.compress(plain) }) {
                for size in [1_009, bytes.count] {
                    for workers in [1, 3] {
                        let fifo = try Fifo()
                        fifo.write(bytes.pieces(of: size))
                        var decoder = JSONModelDecoder(from: source)
                        decoder.workers = .exactly(workers)
                        var read: [Row] = []
                        for try await row in decoder.elements(of: Row.self, in: .file(fifo.path), framing: framing)
                        { read.append(row) }
                        #expect(read == rows, "\(framing), pieces of \(size), \(workers) workers")
                    }
                }
            }
        }
    }

    @Test func `the fields around the elements arrive in pieces`() async throws {
        struct Page: JSONModel {
            let total: Int
            static let plan = ModelPlan<Page>(JSONField(\.total))
        }
        let fifo = try Fifo()
        fifo.write(Array(#"{"items":[{"id":1},{"id":2}],"total":2}"#.utf8).pieces(of: 5))
        let page = JSONEnvelope(of: Page.self)
        let items = JSONModelDecoder().elements(of: Row.self, in: .file(fifo.path), at: "items[*]", envelope: page)
        var ids: [Int] = []
        for try await item in items { ids.append(item.id) }
        #expect(ids == [1, 2] && page.value?.total == 2)
    }

    @Test func `a pipe whose writer writes nothing is empty`() async throws {
        let fifo = try Fifo()
        fifo.write([])
        for try await _ in JSONModelDecoder().elements(of: Row.self, in: .file(fifo.path), framing: .lines) {
            Issue.record("an element")
        }
        fifo.write([])
        let error = await #expect(throws: JSONModelError.self) {
            for try await _ in JSONModelDecoder().elements(of: Row.self, in: .file(fifo.path)) {}
        }
        #expect(error?.issues[0].kind == .emptyInput)
    }

    @Test func `an error of opening is thrown by the first call, and keeps its number`() async throws {
        let folder = FileManager.default.temporaryDirectory.path
        for (path, number) in [("/nonexistent/sluice.json", ENOENT), (folder, EISDIR)] {
            var rows = JSONModelDecoder().elements(of: Row.self, in: .file(path)).makeAsyncIterator()
            let error = await #expect(throws: JSONModelError.self) { _ = try await rows.next() }
            guard case .unreadable(number, let message)? = error?.issues[0].kind, message.hasPrefix(path) else {
                Issue.record("\(String(describing: error))")
                continue
            }
            #expect(try await rows.next() == nil)
        }
        // A pipe has no offset from which a stream could continue.
        let fifo = try Fifo()
        let text = #"{"id":1}"# + "\n"
        var cursor = JSONModelDecoder().cursor(of: JSONPositioned<Row>.self, in: text, framing: .lines)
        let checkpoint = try #require(try cursor.next()?.position.checkpoint)
        fifo.write([Self.lines(1)])
        let rest = JSONModelDecoder().elements(
            of: Row.self, in: .file(fifo.path, from: checkpoint), framing: .lines)
        await #expect(throws: JSONModelError.self) { for try await _ in rest {} }
    }

    #if os(Linux)
    @Test func `devices that are always ready are read`() async throws {
        for try await _ in JSONModelDecoder().elements(of: Row.self, in: .file("/dev/null"), framing: .lines) {
            Issue.record("an element")
        }
        let error = await #expect(throws: JSONModelError.self) {
            for try await _ in JSONModelDecoder().elements(of: Row.self, in: .file("/dev/zero")) {}
        }
        #expect(error?.issues[0].location.offset == 0)
    }

    @Test func `a terminal can be read and its wait cancelled`() async throws {
        let side = open("/dev/ptmx", O_RDWR | O_NOCTTY)
        try #require(side >= 0)
        defer { close(side) }
        // TIOCSPTLCK and TIOCGPTN, which are no constants to Swift.
        var number: Int32 = 0
        try #require(ioctl(side, 0x4004_5431, &number) == 0)
        try #require(ioctl(side, 0x8004_5430, &number) == 0)
        let path = "/dev/pts/\(number)"
        let isFirst = Atomic(false)
        let task = Task.detached { () async throws -> Void in
            for try await row in JSONModelDecoder().elements(of: Row.self, in: .file(path), framing: .lines) {
                #expect(row.id == 7)
                isFirst.store(true, ordering: .sequentiallyConsistent)
            }
        }
        try #require(write(side, "{\"id\":7}\n", 9) == 9)
        #expect(try await eventually { isFirst.load(ordering: .sequentiallyConsistent) })
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func `a thread of a file ends with its owner`() async throws {
        var path = ""
        do {
            let thread = try FileThread()
            path = try await thread.perform(isolation: nil) { _ in
                (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")) ?? ""
            }
        }
        #expect(path.contains("/task/"))
        #expect(try await eventually { access("/proc/\(path)", F_OK) != 0 })
    }
    #endif

    @Test func `work that is interrupted is released by its thread`() async throws {
        let began = Atomic(false)
        let isReleased = Atomic(false)
        final class Token: Sendable {
            let release: @Sendable () -> Void
            init(_ release: @escaping @Sendable () -> Void) { self.release = release }
            deinit { release() }
        }
        let pipe = Pipe()
        let descriptor = pipe.fileHandleForReading.fileDescriptor
        let task = Task { () async throws -> Bool in
            let thread = try FileThread()
            let token = Token { isReleased.store(true, ordering: .sequentiallyConsistent) }
            return try await thread.perform(isolation: nil) { interruption in
                began.store(true, ordering: .sequentiallyConsistent)
                return withExtendedLifetime(token) {
                    do throws(Errno) { try interruption.wait(for: FileDescriptor(rawValue: descriptor)) } catch {
                        return error == .canceled
                    }
                    return false
                }
            }
        }
        #expect(try await eventually { began.load(ordering: .sequentiallyConsistent) })
        let isReleasedEarly = isReleased.load(ordering: .sequentiallyConsistent)
        #expect(!isReleasedEarly)
        task.cancel()
        await #expect(throws: CancellationError.self) { _ = try await task.value }
        #expect(try await eventually { isReleased.load(ordering: .sequentiallyConsistent) })
        withExtendedLifetime(pipe) {}
    }
}
