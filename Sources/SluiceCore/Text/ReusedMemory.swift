import CKernels
import Synchronization

/// A block of memory that the thread keeps between calls.
///
/// Invariant: the block is used by one owner, on the thread that took the block.
struct ThreadSlab: ~Copyable {
    static let size = Int(sluice_block_size)
    /// The first byte, aligned to 64 bytes. The contents are undefined.
    let start: UnsafeMutableRawPointer

    init() { start = sluice_take_block() }

    deinit { sluice_return_block(start) }
}

/// A part of a block, which is lent to a type as its first memory. If the part is too small, the type allocates other memory.
struct Region {
    let start: UnsafeMutableRawPointer
    let size: Int
}

/// A block of memory that large outputs use one after another.
///
/// Without this block, the allocator returns memory of this size to the system after each call. The system clears the memory
/// before the next call, which takes a third of the time of an output of 400 KB. Small outputs do not access the block.
enum SpareMemory {
    /// The capacities of blocks that are kept, in bytes.
    private static var reusedCapacities: ClosedRange<Int> { 65_536...1_048_576 }

    /// The address of the kept block, which begins with its capacity; 0 if no block is kept or an output uses the block.
    private static let slot = Atomic<UInt>(0)

    /// Returns uninitialized memory, which the caller owns.
    static func take(atLeast capacity: Int) -> (UnsafeMutablePointer<UInt8>, capacity: Int) {
        if capacity >= reusedCapacities.lowerBound / 4, capacity <= reusedCapacities.upperBound,
            let block = UnsafeMutableRawPointer(bitPattern: slot.exchange(0, ordering: .acquiring))
        {
            let blockCapacity = block.load(as: Int.self)
            if blockCapacity >= capacity { return (block.assumingMemoryBound(to: UInt8.self), blockCapacity) }
            block.deallocate()
        }
        return (.allocate(capacity: capacity), capacity)
    }

    /// Accepts the memory of an output. Keeps the block for a later output, or frees the block.
    static func give(_ block: UnsafeMutablePointer<UInt8>, capacity: Int) {
        guard reusedCapacities.contains(capacity) else { return block.deallocate() }
        UnsafeMutableRawPointer(block).storeBytes(of: capacity, as: Int.self)
        let (won, _) = slot.compareExchange(
            expected: 0, desired: UInt(bitPattern: block), ordering: .releasing)
        if !won { block.deallocate() }
    }
}
