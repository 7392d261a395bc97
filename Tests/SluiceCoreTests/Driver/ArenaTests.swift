import Testing

@testable import SluiceCore

/// The memory that values use while they are decoded.
struct ArenaTests {
    @Test func `an allocation is inside of its chunk, also after smaller ones were freed`() {
        let chunk = ThreadSlab()
        var arena = Arena(Region(start: chunk.start, size: 1_024))
        let start = arena.mark
        for size in [100, 1_000, 5_000, 40_000, 20_000, 100_000, 70_000, 200_000] {
            let memory = arena.allocate(size, alignmentMask: 15)
            #expect(arena.limit - memory >= size, "\(size)")
            #expect(Int(bitPattern: memory) % 16 == 0)
            memory.initializeMemory(as: UInt8.self, repeating: 1, count: size)
            arena.restore(start)
        }
    }
}
