/// Memory for values of a type, which moves to a larger block when it is full.
///
/// Invariant: `start` is the address of memory for `capacity` values. The memory is owned, unless it is a region that another type
/// lends. The type that has the memory knows which values are initialized, and calls `deallocate()` in its `deinit`: the compiler
/// leaves out the `deinit` of a noncopyable generic type of another file if modules are compiled file by file.
@usableFromInline package struct GrowableMemory<Value>: ~Copyable {
    @usableFromInline package var start: UnsafeMutablePointer<Value>
    @usableFromInline package var capacity: Int
    @usableFromInline package var isOwned: Bool

    @inlinable package init(capacity: Int) {
        start = .allocate(capacity: capacity)
        self.capacity = capacity
        isOwned = true
    }

    /// Creates memory for no values, without an allocation.
    @inlinable package init() {
        start = UnsafeMutablePointer(bitPattern: MemoryLayout<Value>.alignment).unsafelyUnwrapped
        capacity = 0
        isOwned = false
    }

    /// Creates memory in a region, which is used until the values need more.
    init(in region: Region) {
        start = region.start.assumingMemoryBound(to: Value.self)
        capacity = region.size / MemoryLayout<Value>.stride
        isOwned = false
    }

    /// Moves the first `count` values to a block that is twice as large, or larger.
    ///
    /// - Parameter least: The least capacity of the block.
    @inline(never)
    @inlinable package mutating func grow(moving count: Int, toAtLeast least: Int = 0) {
        move(count, toCapacity: max(2 * capacity, least))
    }

    /// Moves the first `count` values to a block for `capacity` values, if that is smaller.
    @inlinable package mutating func shrink(moving count: Int, to capacity: Int) {
        if capacity < self.capacity { move(count, toCapacity: capacity) }
    }

    @usableFromInline package mutating func move(_ count: Int, toCapacity capacity: Int) {
        let block = UnsafeMutablePointer<Value>.allocate(capacity: capacity)
        block.moveInitialize(from: start, count: count)
        deallocate()
        (start, self.capacity, isOwned) = (block, capacity, true)
    }

    /// The size of the memory in bytes.
    @inlinable package var size: Int { capacity * MemoryLayout<Value>.stride }

    /// Frees owned memory, whose values were destroyed. The memory is not used afterwards.
    @inlinable package func deallocate() { if isOwned { start.deallocate() } }
}

/// Slabs of memory, which keep their addresses and are freed together.
///
/// Invariant: the list owns its slabs, whose contents are plain data or were destroyed.
@usableFromInline package struct SlabList: ~Copyable {
    @usableFromInline package struct Slab {
        @usableFromInline package let start: UnsafeMutableRawPointer
        package let size: Int
    }

    @usableFromInline package private(set) var slabs: [Slab] = []

    package init() {}

    deinit { free(from: 0) }

    @inlinable package var count: Int { slabs.count }

    @inlinable package subscript(index: Int) -> Slab { slabs[index] }

    /// Adds a slab of uninitialized memory.
    @discardableResult
    package mutating func append(size: Int, alignment: Int) -> UnsafeMutableRawPointer {
        let start = UnsafeMutableRawPointer.allocate(byteCount: max(size, 1), alignment: alignment)
        slabs.append(Slab(start: start, size: size))
        return start
    }

    /// Frees all slabs after the first `count`.
    package mutating func removeLast(downTo count: Int) {
        free(from: count)
        slabs.removeSubrange(count...)
    }

    private func free(from index: Int) { for slab in slabs[index...] { slab.start.deallocate() } }
}
