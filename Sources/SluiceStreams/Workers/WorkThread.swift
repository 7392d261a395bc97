import CKernels
import Dispatch
import SluiceCore
import SystemPackage

/// Work that a thread does.
protocol ThreadWork: Sendable {
    func perform()
}

/// A thread that does one piece of work at a time.
///
/// The thread ends when the object is released, after the work in progress.
final class WorkThread: Sendable {
    private let next = NextWork()

    init() throws(Errno) {
        let argument = Unmanaged.passRetained(next)
        let error = sluice_start_thread(
            { argument in Unmanaged<NextWork>.fromOpaque(argument).takeRetainedValue().performAll() },
            argument.toOpaque())
        if error != 0 {
            argument.release()
            throw Errno(rawValue: error)
        }
    }

    deinit { next.end() }

    /// Begins to do work. The work before must be done.
    func begin(_ work: any ThreadWork) { next.set(work) }
}

/// The work that a thread has not begun.
private final class NextWork: Sendable {
    private enum State: Sendable {
        case nothing
        case work(any ThreadWork)
        case end
    }

    private let state = Lock(State.nothing)
    private let isReady = DispatchSemaphore(value: 0)

    func set(_ work: any ThreadWork) { set(.work(work)) }

    func end() { set(.end) }

    private func set(_ value: State) {
        state.withLock { $0 = value }
        isReady.signal()
    }

    /// Does work until the end.
    func performAll() {
        while let work = take() { work.perform() }
    }

    private func take() -> (any ThreadWork)? {
        isReady.wait()
        return state.withLock { state in
            guard case .work(let work) = state else { return nil }
            state = .nothing
            return work
        }
    }
}
