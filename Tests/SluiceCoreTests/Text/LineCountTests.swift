import TestSupport
import Testing

@testable import SluiceCore

/// The count of line feeds, compared with a bytewise count.
struct LineCountTests {
    private func lines(of bytes: [UInt8]) -> LineCount {
        LineCount(
            offset: bytes.count, lines: bytes.count { $0 == 10 },
            lineStart: bytes.lastIndex(of: 10).map { $0 + 1 } ?? 0)
    }

    private func expectEqual(
        _ count: LineCount, _ expected: LineCount, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(
            [count.offset, count.lines, count.lineStart] == [expected.offset, expected.lines, expected.lineStart],
            sourceLocation: sourceLocation)
    }

    @Test func `no bytes have no lines`() {
        var count = LineCount(offset: 7, lines: 2, lineStart: 5)
        count.advance(over: UnsafeBufferPointer(start: nil, count: 0))
        expectEqual(count, LineCount(offset: 7, lines: 2, lineStart: 5))
        count.advance(by: LineCount())
        expectEqual(count, LineCount(offset: 7, lines: 2, lineStart: 5))
    }

    @Test func `the lines of parts are those of the whole`() {
        var random = SeededRandom(seed: 3, index: 0)
        for _ in 0..<300 {
            let rare = 1 + random.below(300)
            let bytes = (0..<random.below(700)).map { _ in UInt8(random.below(rare) == 0 ? 10 : 0x61) }
            let cut = random.below(bytes.count + 1)
            var count = LineCount()
            bytes[..<cut].withUnsafeBufferPointer { count.advance(over: $0) }
            expectEqual(count, lines(of: Array(bytes[..<cut])))
            var joined = count
            joined.advance(by: lines(of: Array(bytes[cut...])))
            bytes[cut...].withUnsafeBufferPointer { count.advance(over: $0) }
            expectEqual(count, lines(of: bytes))
            expectEqual(joined, lines(of: bytes))
        }
    }
}
