/// The values that the members of a changed object had before, by key.
///
/// The last of several equal keys wins: each value of a repeated key is applied to the original value, not to the result of the
/// value before.
final class MergeOriginals {
    /// A key of the object: that of a field, an object or array on a path, or a member of a container.
    enum Key: Hashable {
        case entry(EntryReference)
        case member(AnyHashable)
    }

    /// A copy of a value, or no value.
    struct Value {
        /// The number of the field; −1 for the member of a container.
        let field: Int
        /// The rank of the best candidate that was read, plus one.
        let rank: Int
        /// The copy; nil if the field or member had no value.
        let memory: UnsafeMutableRawPointer?
        fileprivate let destroy: (UnsafeMutableRawPointer) -> Void
    }

    private struct Occurrence {
        let values: [Value]
        /// The changes of objects that the last value of the key has made.
        var changes: Range<Int>
    }

    private var occurrences: [Key: Occurrence] = [:]
    /// The key whose value is being read.
    private var current: Key?

    deinit {
        for value in occurrences.values.lazy.flatMap(\.values) {
            guard let memory = value.memory else { continue }
            value.destroy(memory)
            memory.deallocate()
        }
    }

    /// Begins the value of a key.
    ///
    /// - Parameter count: The number of changes of objects so far.
    /// - Returns: The original values, and the changes that a value of the same key has made; nil for the first value of a key.
    func begin(_ key: Key, changes count: Int) -> (values: [Value], changes: Range<Int>)? {
        if let current, let last = occurrences[current] {
            occurrences[current]?.changes = last.changes.lowerBound..<max(count, last.changes.lowerBound)
        }
        current = key
        guard let known = occurrences[key] else { return nil }
        occurrences[key]?.changes = count..<count
        return (known.values, known.changes)
    }

    /// Records the original values of the key that has begun.
    func record(_ values: [Value], changes count: Int) {
        guard let current else { return }
        occurrences[current] = Occurrence(values: values, changes: count..<count)
    }

    /// Copies a value.
    static func copy(
        of type: Any.Type, _ layout: LayoutReference, at address: UnsafeRawPointer, field: Int = -1, rank: Int = 0,
        destroy: @escaping (UnsafeMutableRawPointer) -> Void
    ) -> Value {
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: max(layout.size, 1), alignment: max(layout.alignmentMask + 1, 16))
        ValueCopy.copy(type, from: address, to: memory)
        return Value(field: field, rank: rank, memory: memory, destroy: destroy)
    }

    /// Records that a field or member has no value.
    static func missing(field: Int = -1, rank: Int = 0) -> Value {
        Value(field: field, rank: rank, memory: nil, destroy: { _ in })
    }
}
