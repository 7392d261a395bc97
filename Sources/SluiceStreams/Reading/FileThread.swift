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
        let interruption = interruption
        let work = FileWork { body(interruption) }
        thread.begin(work)
        await withTaskCancellationHandler(
            operation: { await work.completion.suspend(isolation: actor) },
            onCancel: { interruption.interrupt() }, isolation: actor)
        // The result of interrupted work is an error of the file.
        guard !Task.isCancelled, let result = work.takeResult() else { throw CancellationError() }
        return result
    }
}

/// Work for a thread, and its result for a task.
///
/// Invariant: the thread uses `body` and `result` until the work has ended, and then the task alone.
private final class FileWork<Value>: ThreadWork, @unchecked Sendable {
    let completion = Completion()
    private var body: (() -> Value)?
    private var result: Value?

    init(_ body: @escaping () -> Value) {
        self.body = body
        completion.begin()
    }

    /// Does the work, and resumes the task. The thread has then released everything that the work uses.
    func perform() {
        result = makeResult()
        completion.end()
    }

    private func makeResult() -> Value? {
        let body = body.take()
        return body?()
    }

    /// Returns the result; nil if the task was cancelled before the end of the work.
    func takeResult() -> Value? { completion.isEnded ? result.take() : nil }
}
