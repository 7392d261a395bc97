import Testing

@testable import SluiceCore

/// The bytes that the scanner source keeps between chunks.
struct ScannerWindowTests {
    @Test func `the last bytes are kept, whatever the size of the memory`() {
        let block = ThreadBlock()
        for count in [10, 4_000, 10_000, 3_000_000] {
            for left in [0, 5, 9] {
                var window = ScannerWindow(in: Region(start: block.start, size: ThreadBlock.size))
                let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
                bytes.withUnsafeBufferPointer { window.append($0) }
                #expect(window.bytes.elementsEqual(bytes))
                window.keep(last: left)
                #expect(window.bytes.elementsEqual(bytes.suffix(left)), "\(count), \(left)")
                // Zeros follow the bytes.
                let padding = UnsafeBufferPointer(start: window.start + window.count, count: ScannerWindow.padding)
                #expect(padding.allSatisfy { $0 == 0 })
            }
        }
    }
}
