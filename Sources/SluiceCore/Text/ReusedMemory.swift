import CKernels
import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// Memory that the thread keeps between calls.
///
/// Invariant: the slab is used by one owner at a time. An owner may be used by several threads, one after the other: the thread that
/// releases the owner keeps the slab.
struct ThreadSlab: ~Copyable {
    static let size = Int(sluice_slab_size)
    /// The first byte, aligned to 64 bytes. The contents are undefined.
    let start: UnsafeMutableRawPointer

    init() { start = sluice_take_slab() }

    deinit { sluice_return_slab(start) }
}

/// A part of a slab, which is lent to a type as its first memory. If the part is too small, the type allocates other memory.
struct Region {
    let start: UnsafeMutableRawPointer
    let size: Int
}

/// The memory of outputs: blocks that grow, and one block that large outputs use one after another.
///
/// Without the kept block, the allocator returns memory of this size to the system after each call. The system clears the memory
/// before the next call, which takes a third of the time of an output of 400 KB. Small outputs do not access the block. A larger block
/// grows in place if the allocator has memory behind the block, or maps the pages to another address.
///
/// Invariant: `malloc` has allocated each block.
enum OutputMemory {
    /// The capacities of blocks that are kept, in bytes.
    private static var keptCapacities: ClosedRange<Int> { 65_536...1_048_576 }

    /// The address of the kept block, which begins with its capacity; 0 if no block is kept or an output uses the block.
    private static let slot = Atomic<UInt>(0)

    /// Returns uninitialized memory, which the caller owns.
    static func allocate(_ capacity: Int) -> UnsafeMutablePointer<UInt8> {
        block(malloc(capacity), capacity)
    }

    /// Returns a larger block with the first bytes of a block, in whose place the caller owns the larger one.
    static func grow(
        _ old: UnsafeMutablePointer<UInt8>, used: Int, to capacity: Int
    ) -> (UnsafeMutablePointer<UInt8>, capacity: Int) {
        if capacity >= keptCapacities.lowerBound / 4, capacity <= keptCapacities.upperBound,
            let kept = UnsafeMutableRawPointer(bitPattern: slot.exchange(0, ordering: .acquiring))
        {
            let keptCapacity = kept.load(as: Int.self)
            if keptCapacity >= capacity {
                kept.copyMemory(from: old, byteCount: used)
                free(old)
                return (kept.assumingMemoryBound(to: UInt8.self), keptCapacity)
            }
            free(kept)
        }
        return (block(realloc(old, capacity), capacity), capacity)
    }

    /// Accepts the memory of an output. Keeps the block for a later output, or frees the block.
    static func give(_ block: UnsafeMutablePointer<UInt8>, capacity: Int) {
        guard keptCapacities.contains(capacity) else { return free(block) }
        UnsafeMutableRawPointer(block).storeBytes(of: capacity, as: Int.self)
        let (won, _) = slot.compareExchange(
            expected: 0, desired: UInt(bitPattern: block), ordering: .releasing)
        if !won { free(block) }
    }

    @inline(__always)
    private static func block(_ address: UnsafeMutableRawPointer?, _ capacity: Int) -> UnsafeMutablePointer<UInt8> {
        guard let address else { fatalError("No memory is left for an output of \(capacity) bytes.") }
        return address.assumingMemoryBound(to: UInt8.self)
    }
}
