import Synchronization

/// A flag that a stream shares with closures, which any thread may call.
final class SharedFlag: Sendable {
    private let flag = Atomic(false)

    var isSet: Bool {
        get { flag.load(ordering: .relaxed) }
        set { flag.store(newValue, ordering: .relaxed) }
    }
}
