import SluiceCore
import SystemPackage

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
    /// the work with all objects that the work uses or makes, so the caller must not use these objects.
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
