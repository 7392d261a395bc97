/// Copies values of a type that is known only at run time.
enum ValueCopy {
    /// Copies values to uninitialized memory.
    ///
    /// - Parameters:
    ///   - type: The type of the values.
    ///   - source: The first value.
    ///   - target: Memory for `count` values.
    static func copy(
        _ type: Any.Type, _ count: Int = 1, from source: UnsafeRawPointer, to target: UnsafeMutableRawPointer
    ) {
        func copy<Value>(_: Value.Type) {
            let source = source.assumingMemoryBound(to: Value.self)
            if count == 1 {
                // A copy of several values also copies the bytes between them, which after a property may be those of another one.
                target.initializeMemory(as: Value.self, to: source.pointee)
            } else {
                target.initializeMemory(as: Value.self, from: source, count: count)
            }
        }
        _openExistential(type, do: copy)
    }
}
