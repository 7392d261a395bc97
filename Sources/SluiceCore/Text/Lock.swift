#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// A state that one thread at a time may use.
///
/// Uses the mutex of the system. The thread sanitizer does not support `Synchronization.Mutex` and reports each use of its
/// state as a race.
///
/// Invariant: both addresses stay the same and are valid as long as the lock. The state is used only while the mutex is locked.
@usableFromInline package struct Lock<State: Sendable>: ~Copyable, @unchecked Sendable {
    @usableFromInline package let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    @usableFromInline package let state = UnsafeMutablePointer<State>.allocate(capacity: 1)

    @inlinable package init(_ initial: State) {
        state.initialize(to: initial)
        mutex.initialize(to: pthread_mutex_t())
        check(pthread_mutex_init(mutex, nil))
    }

    deinit {
        check(pthread_mutex_destroy(mutex))
        mutex.deallocate()
        state.deinitialize(count: 1)
        state.deallocate()
    }

    /// Calls a closure with the state while no other thread uses the state.
    ///
    /// The closure must not use the same lock.
    @inlinable package func withLock<Result, Thrown>(_ body: (inout State) throws(Thrown) -> Result) throws(Thrown)
        -> Result
    {
        check(pthread_mutex_lock(mutex))
        defer { check(pthread_mutex_unlock(mutex)) }
        return try body(&state.pointee)
    }

    @usableFromInline package func check(_ status: CInt) {
        precondition(status == 0, "A mutex of the system failed.")
    }
}
