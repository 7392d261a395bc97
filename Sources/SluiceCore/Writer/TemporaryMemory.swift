/// Memory for the values that a writer makes in order to write them: payloads of enums, storages of classes, and encoded forms.
///
/// Invariant: memory is released in the reverse order of its allocation. The memory of large or deeply nested values comes from the
/// allocator.
struct TemporaryMemory: ~Copyable {
    private static var size: Int { 4096 }

    /// Created for the first value.
    private var start: UnsafeMutableRawPointer?
    private var used = 0

    deinit { start?.deallocate() }

    @inline(__always)
    mutating func allocate(_ size: Int, alignmentMask: Int) -> UnsafeMutableRawPointer {
        let from = (used &+ alignmentMask) & ~alignmentMask
        // Values without a size have addresses of their own.
        let taken = max(size, 1)
        guard let start, taken <= Self.size &- from, alignmentMask < 64 else {
            return allocateMore(size, alignmentMask: alignmentMask)
        }
        used = from &+ taken
        return start + from
    }

    @inline(never)
    private mutating func allocateMore(_ size: Int, alignmentMask: Int) -> UnsafeMutableRawPointer {
        guard start == nil, size <= Self.size, alignmentMask < 64 else {
            return .allocate(byteCount: max(size, 1), alignment: alignmentMask + 1)
        }
        start = .allocate(byteCount: Self.size, alignment: 64)
        return allocate(size, alignmentMask: alignmentMask)
    }

    @inline(__always)
    mutating func release(_ memory: UnsafeMutableRawPointer) {
        if let start, holds(memory) { used = memory - start } else { memory.deallocate() }
    }

    /// Frees memory that came from the allocator.
    func free(_ memory: UnsafeMutableRawPointer) {
        if !holds(memory) { memory.deallocate() }
    }

    @inline(__always)
    private func holds(_ memory: UnsafeMutableRawPointer) -> Bool {
        guard let start else { return false }
        return memory >= start && memory < start + Self.size
    }
}
