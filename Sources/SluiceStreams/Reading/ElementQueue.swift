import SluiceCore

/// The decoded elements that the consumer has not received yet.
///
/// Inlinable, like all code that moves elements, so that the client's compiler specializes the code for their type.
///
/// Invariant: the elements from `first` to `end` are initialized.
@usableFromInline
struct ElementQueue<Element>: ~Copyable {
    @usableFromInline var memory: UnsafeMutablePointer<Element>
    @usableFromInline var capacity: Int
    @usableFromInline var first = 0
    @usableFromInline var end = 0

    @inlinable
    init(capacity: Int = 16) {
        memory = .allocate(capacity: capacity)
        self.capacity = capacity
    }

    @inlinable
    deinit {
        (memory + first).deinitialize(count: end - first)
        memory.deallocate()
    }

    @inlinable var isEmpty: Bool { first == end }
    @inlinable var count: Int { end - first }

    /// Moves an element from its memory to the end of the queue.
    @inlinable
    mutating func append(movingFrom element: UnsafeMutablePointer<Element>) {
        if end == capacity { makeRoom() }
        (memory + end).moveInitialize(from: element, count: 1)
        end += 1
    }

    /// Removes the first element, or returns nil.
    @inlinable
    mutating func popFirst() -> Element? {
        guard first < end else { return nil }
        defer {
            first += 1
            if first == end { (first, end) = (0, 0) }
        }
        return (memory + first).move()
    }

    /// Removes all elements.
    @inlinable
    mutating func popAll() -> [Element] {
        defer { (first, end) = (0, 0) }
        // The library would write the count to the storage that all empty arrays share, which the thread sanitizer reports.
        if isEmpty { return [] }
        return Array(unsafeUninitializedCapacity: end - first) { buffer, count in
            count = end - first
            buffer.baseAddress?.moveInitialize(from: memory + first, count: count)
        }
    }

    @inlinable
    mutating func makeRoom() {
        let count = end - first
        if first < capacity / 2 {
            capacity *= 2
            let larger = UnsafeMutablePointer<Element>.allocate(capacity: capacity)
            larger.moveInitialize(from: memory + first, count: count)
            memory.deallocate()
            memory = larger
        } else {
            memory.moveInitialize(from: memory + first, count: count)
        }
        (first, end) = (0, count)
    }
}
