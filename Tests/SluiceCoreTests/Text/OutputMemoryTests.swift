import Testing

@testable import SluiceCore

/// The memory of outputs, of which large ones use one block one after another. Other tests use the same block at the same time.
struct OutputMemoryTests {
    @Test func `a larger block has the requested capacity and the bytes of the smaller one`() {
        for kept in [65_536, 100_000, 1_048_576] {
            for requested in [1, 2, 16_383, 16_384, 65_536, 100_001, 1_048_576, 1_048_577, 3_000_000] {
                OutputMemory.give(OutputMemory.allocate(kept), capacity: kept)
                for used in [0, 1, requested / 2] {
                    let small = OutputMemory.allocate(max(1, used))
                    for index in 0..<used { small[index] = UInt8(truncatingIfNeeded: index &* 7) }
                    let (block, capacity) = OutputMemory.grow(small, used: used, to: requested)
                    #expect(capacity >= requested)
                    let isKept = (0..<used).allSatisfy { block[$0] == UInt8(truncatingIfNeeded: $0 &* 7) }
                    #expect(isKept)
                    // The capacity is that of the memory.
                    block.update(repeating: 1, count: capacity)
                    OutputMemory.give(block, capacity: capacity)
                }
            }
        }
    }
}
