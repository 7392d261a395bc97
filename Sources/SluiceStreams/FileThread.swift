import SystemPackage

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// A thread that opens and reads one file, so that no other thread waits for the file's bytes.
///
/// The thread ends when the object is released, at the latest after the call in which the thread waits.
final class FileThread {
    private let thread: WorkThread
    private let interruption: ReadInterruption

    init() throws(Errno) {
        interruption = try ReadInterruption()
        thread = try WorkThread()
    }

    /// Does work on the thread. The caller is suspended.
    ///
    /// When the task is cancelled, the call returns at once and the wait of the thread is interrupted. The thread then releases
    /// everything that the work uses and results in, so the caller must not use it.
    ///
    /// - Parameter body: The work, whose reads the argument interrupts.
    /// - Throws: `CancellationError`
    func perform<Value>(
        isolation actor: isolated (any Actor)?, _ body: @escaping (ReadInterruption) -> Value
    ) async throws -> Value {
        let (thread, interruption) = (thread, interruption)
        let task = FileWork { body(interruption) }
        try await withTaskCancellationHandler(
            operation: {
                try await withUnsafeThrowingContinuation(isolation: actor) { continuation in
                    if task.await(continuation) { thread.begin(task) }
                }
            },
            onCancel: { if task.cancel() { interruption.interrupt() } }, isolation: actor)
        return task.takeResult()
    }
}

/// Work for a thread, and its result for a task.
///
/// Invariant: the thread uses `body` and `result` until the state is `done`, and then the task alone.
private final class FileWork<Value>: ThreadWork, @unchecked Sendable {
    private enum State {
        case created
        case awaited(UnsafeContinuation<Void, any Error>)
        case done
        /// The task no longer waits.
        case cancelled
    }

    private var body: (() -> Value)?
    private var result: Value?
    private let state = Lock(State.created)

    init(_ body: @escaping () -> Value) { self.body = body }

    /// Begins to wait for the result.
    ///
    /// - Returns: Whether the work is to be done. If not, the task has been cancelled, and the continuation has been resumed.
    func await(_ continuation: UnsafeContinuation<Void, any Error>) -> Bool {
        let isCancelled = state.withLock { state in
            if case .cancelled = state { return true }
            state = .awaited(continuation)
            return false
        }
        if isCancelled { continuation.resume(throwing: CancellationError()) }
        return !isCancelled
    }

    /// Does the work, and resumes the task. The thread has then released everything that the work uses.
    func perform() {
        result = makeResult()
        let continuation: UnsafeContinuation<Void, any Error>? = state.withLock { state in
            guard case .awaited(let continuation) = state else { return nil }
            state = .done
            return continuation
        }
        guard let continuation else {
            result = nil
            return
        }
        continuation.resume()
    }

    private func makeResult() -> Value? {
        guard let body else { return nil }
        self.body = nil
        return body()
    }

    /// Ends the wait for the result. Returns false if the work is done.
    func cancel() -> Bool {
        let (isCancelled, continuation): (Bool, UnsafeContinuation<Void, any Error>?) = state.withLock { state in
            switch state {
            case .created:
                state = .cancelled
                return (true, nil)
            case .awaited(let continuation):
                state = .cancelled
                return (true, continuation)
            case .done, .cancelled: return (false, nil)
            }
        }
        continuation?.resume(throwing: CancellationError())
        return isCancelled
    }

    func takeResult() -> Value {
        defer { result = nil }
        guard let result else { preconditionFailure("The work is not done.") }
        return result
    }
}

/// Interrupts a thread that waits until a file can be read.
///
/// The signal is a byte in a separate pipe, so that the bytes of the file remain for its next reader.
final class ReadInterruption: Sendable {
    private let readEnd: FileDescriptor
    private let writeEnd: FileDescriptor

    init() throws(Errno) {
        do { (readEnd, writeEnd) = try FileDescriptor.pipe() } catch { throw error as? Errno ?? .ioError }
        for end in [readEnd, writeEnd] { _ = fcntl(end.rawValue, F_SETFD, FD_CLOEXEC) }
    }

    deinit {
        try? readEnd.close()
        try? writeEnd.close()
    }

    /// Ends the wait of the thread, and all later waits.
    func interrupt() {
        withUnsafeBytes(of: UInt8(0)) { byte in _ = try? writeEnd.write(byte) }
    }

    /// Waits until a file has bytes, its end or an error.
    ///
    /// - Throws: `Errno.canceled` after an interruption.
    func wait(for file: FileDescriptor) throws(Errno) {
        var requests = (
            pollfd(fd: file.rawValue, events: Int16(POLLIN), revents: 0),
            pollfd(fd: readEnd.rawValue, events: Int16(POLLIN), revents: 0)
        )
        var count: CInt
        repeat {
            count = withUnsafeMutableBytes(of: &requests) {
                poll($0.bindMemory(to: pollfd.self).baseAddress, 2, -1)
            }
        } while count < 0 && errno == EINTR
        // A failure of `poll` is left to the read, which returns the error of the file.
        if count > 0, requests.1.revents != 0 { throw .canceled }
    }
}
