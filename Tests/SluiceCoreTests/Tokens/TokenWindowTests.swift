import Testing

@testable import SluiceCore

/// The bytes that a source keeps between chunks.
struct TokenWindowTests {
    @Test func `the last bytes are kept, whatever the size of the memory`() {
        let block = ThreadSlab()
        for (count, left) in [(10, 0), (10, 9), (4_000, 5), (10_000, 5), (1_200_000, 0), (1_200_000, 5)] {
            var window = TokenWindow(in: Region(start: block.start, size: ThreadSlab.size))
            let end = (0..<10).map { UInt8($0 + 1) }
            (Array(repeating: 0xFF, count: count - 10) + end).withUnsafeBufferPointer { window.append($0) }
            #expect(window.count == count)
            window.keep(last: left)
            #expect(window.bytes.elementsEqual(end.suffix(left)), "\(count), \(left)")
            // Zeros are around the bytes.
            let (before, after) = (TokenWindow.margins.before, TokenWindow.margins.after)
            #expect(UnsafeBufferPointer(start: window.start - before, count: before).allSatisfy { $0 == 0 })
            #expect(UnsafeBufferPointer(start: window.start + window.count, count: after).allSatisfy { $0 == 0 })
        }
    }
}
