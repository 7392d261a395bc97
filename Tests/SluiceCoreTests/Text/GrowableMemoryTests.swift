import Testing

@testable import SluiceCore

/// Memory that moves to larger and smaller blocks.
struct GrowableMemoryTests {
    @Test func `a smaller block is used if fewer values are kept`() {
        for (capacity, kept) in [(4, 4), (7, 7), (8, 8), (9, 8), (100, 8)] {
            var memory = GrowableMemory<Int>(capacity: 8)
            for index in 0..<3 { (memory.start + index).initialize(to: index) }
            let start = memory.start
            memory.shrink(moving: 3, to: capacity)
            #expect(memory.capacity == kept)
            // Values that stay keep their addresses.
            #expect(kept < 8 || memory.start == start)
            #expect(Array(UnsafeBufferPointer(start: memory.start, count: 3)) == [0, 1, 2])
            memory.deallocate()
        }
    }

    @Test func `a full block is followed by a larger one with the same values`() {
        var memory = GrowableMemory<Int>()
        for index in 0..<100 {
            if index == memory.capacity { memory.grow(moving: index, toAtLeast: 4) }
            (memory.start + index).initialize(to: index)
        }
        #expect(memory.capacity == 128)
        #expect(memory.size == 128 * MemoryLayout<Int>.stride)
        #expect(Array(UnsafeBufferPointer(start: memory.start, count: 100)) == Array(0..<100))
        memory.deallocate()
    }
}
