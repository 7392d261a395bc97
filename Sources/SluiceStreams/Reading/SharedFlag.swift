import Synchronization

/// A flag that a stream shares with closures and other threads.
@usableFromInline
final class SharedFlag: Sendable {
    private let flag = Atomic(false)

    @usableFromInline
    init() {}

    var isSet: Bool {
        get { flag.load(ordering: .relaxed) }
        set { flag.store(newValue, ordering: .relaxed) }
    }
}
