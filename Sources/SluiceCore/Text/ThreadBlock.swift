import CKernels

/// A block of memory that the thread keeps between calls.
///
/// Invariant: the block is used by one owner, on the thread that took the block.
struct ThreadBlock: ~Copyable {
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
