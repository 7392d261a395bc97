import Dispatch
import SluiceCore

/// The end of the work of another thread, for which a thread or a task waits.
///
/// Each piece of work is begun, ends once, and is waited for at most once by a thread. A task may wait before.
final class Completion: Sendable {
    private enum State {
        case running
        case awaited(UnsafeContinuation<Void, Never>)
        case ended
    }

    private let state = Lock(State.ended)
    private let hasEnded = DispatchSemaphore(value: 0)

    /// Begins the work.
    func begin() { state.withLock { $0 = .running } }

    /// Ends the work, and resumes the task that waits.
    func end() {
        let continuation: UnsafeContinuation<Void, Never>? = state.withLock { state in
            defer { state = .ended }
            guard case .awaited(let continuation) = state else { return nil }
            return continuation
        }
        hasEnded.signal()
        continuation?.resume()
    }

    /// Whether the work has ended.
    var isEnded: Bool { state.withLock { if case .ended = $0 { true } else { false } } }

    /// Waits until the work has ended. The thread is blocked unless the work has ended.
    func wait() { hasEnded.wait() }

    /// Suspends the task until the work has ended, or the task is cancelled.
    func suspend(isolation actor: isolated (any Actor)?) async {
        await withTaskCancellationHandler(
            operation: {
                await withUnsafeContinuation(isolation: actor) { continuation in
                    let isDone = state.withLock { state in
                        // A task that is cancelled from now on finds the continuation.
                        if case .ended = state { return true }
                        if Task.isCancelled { return true }
                        state = .awaited(continuation)
                        return false
                    }
                    if isDone { continuation.resume() }
                }
            },
            onCancel: {
                let continuation: UnsafeContinuation<Void, Never>? = state.withLock { state in
                    guard case .awaited(let continuation) = state else { return nil }
                    state = .running
                    return continuation
                }
                continuation?.resume()
            }, isolation: actor)
    }
}
