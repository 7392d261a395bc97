import Testing

@testable import SluiceCore

/// Memory that outputs use one after another. Other tests use the same memory at the same time.
struct SpareMemoryTests {
    @Test func `a block has at least the requested capacity`() {
        for kept in [65_536, 100_000, 1_048_576] {
            for requested in [1, 16_383, 16_384, 65_536, 100_001, 1_048_576, 1_048_577] {
                SpareMemory.give(.allocate(capacity: kept), capacity: kept)
                let (block, capacity) = SpareMemory.take(atLeast: requested)
                #expect(capacity >= requested)
                // The capacity is that of the memory.
                block.update(repeating: 1, count: capacity)
                SpareMemory.give(block, capacity: capacity)
            }
        }
    }
}
