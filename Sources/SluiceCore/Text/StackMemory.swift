/// Calls a closure with uninitialized memory for one value on the stack. The closure leaves the memory uninitialized.
@inlinable
@inline(__always)
package func withStackMemory<T, R, E>(
    of type: T.Type, _ body: (UnsafeMutablePointer<T>) throws(E) -> R
) throws(E) -> R {
    try withUnsafeTemporaryAllocation(of: type, capacity: 1) { memory throws(E) in
        try body(memory.baseAddress.unsafelyUnwrapped)
    }
}
