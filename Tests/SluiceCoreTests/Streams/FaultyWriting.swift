import SluiceCore
import SluiceStreams
import Synchronization
import SystemPackage
import TestSupport

/// A destination that takes bytes in the ways of real files: in short writes, interrupted, and with errors.
final class FaultyWriting: Sendable {
    private struct State {
        var bytes: [UInt8] = []
        var calls = 0
        var random: SeededRandom
    }

    /// The greatest number of bytes of each write.
    private let size: Int
    /// One of as many calls fails; 0 for none.
    private let failures: Int
    private let isFailing = Mutex(true)
    private let state: Mutex<State>

    init(size: Int = .max, failures: Int, seed: Int) {
        (self.size, self.failures) = (size, failures)
        state = Mutex(State(random: SeededRandom(seed: 15, index: seed)))
    }

    /// The bytes that were written.
    var bytes: [UInt8] { state.withLock { $0.bytes } }

    /// Ends the failures.
    func repair() { isFailing.withLock { $0 = false } }

    var destination: JSONDestination {
        .writing { [self] bytes in
            let mayFail = isFailing.withLock { $0 }
            return try state.withLock { state in
                state.calls += 1
                if state.random.below(5) == 0 { throw Errno.interrupted }
                if mayFail, failures > 0, state.random.below(failures) == 0 { throw Errno.noSpace }
                let count = min(bytes.count, 1 + state.random.below(size == .max ? bytes.count : size))
                state.bytes += bytes.prefix(count)
                return count
            }
        }
    }
}
