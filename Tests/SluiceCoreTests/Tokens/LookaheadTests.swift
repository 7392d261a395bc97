import Testing

@testable import SluiceCore

/// The bytes that are examined before their tokens are charged, whether or not the container is found.
struct LookaheadTests {
    private static let limits = JSONLimits()

    /// The share of the text after the first bracket that was examined.
    private func examined(_ text: String, _ look: (inout Lookahead) -> Void) -> Int {
        let bytes = Array((text + String(repeating: "\n", count: Scanner.slack)).utf8)
        return bytes.withUnsafeBufferPointer { buffer in
            let start = buffer.baseAddress!
            var container = Lookahead(
                at: start + 1, in: start, end: start + text.utf8.count, readable: Scanner.slack, depth: 1,
                limits: Self.limits, offset: nil)
            look(&container)
            return container.examinedCount
        }
    }

    @Test(arguments: [
        #"{"a":"b","c":[1,{"d":"#, #"{"a":"b","c":[1,{"d":"a text that does not end"#, #"{"a":"a text"#,
        #"{"a":"b","c":[1,{"d":2}]"#,
    ])
    func `a container that the window does not hold is charged`(text: String) {
        let count = text.utf8.count - 1
        // The last scalar or bracket may be behind the position that was reached.
        #expect((count - 5...count).contains(examined(text) { _ = $0.bytesInWindow() }))
        #expect((count - 5...count).contains(examined(text) { _ = $0.examineMembers { _, _ in } }))
        let memory = UnsafeMutableRawPointer.allocate(byteCount: Scanner.sizeOfMemory(levels: 65), alignment: 16)
        defer { memory.deallocate() }
        var scanner = Scanner(
            tentative: Self.limits, levels: 65, in: Region(start: memory, size: Scanner.sizeOfMemory(levels: 65)))
        var recorder = TapeRecorder(Tape(input: nil, capacity: 64), recordsLocations: false)
        #expect((count - 5...count).contains(examined(text) { _ = $0.record(with: &scanner, on: &recorder) }))
    }

    @Test func `a container is charged up to a level that is too deep`() {
        let deep = #"{"a":"# + String(repeating: "[", count: 70)
        let text = deep + String(repeating: "1,", count: 500) + "1" + String(repeating: "]", count: 70) + "}"
        #expect(examined(text) { _ = $0.bytesInWindow() } <= deep.utf8.count)
        #expect(examined(text) { _ = $0.examineMembers { _, _ in } } <= deep.utf8.count)
        #expect(examined(text) { _ = $0.bytesInWindow() } > 60)
    }
}
