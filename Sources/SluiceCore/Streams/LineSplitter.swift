/// One value in each line. Blank lines are ignored.
final class LineSplitter: ValueSplitter {
    private(set) var position: LineCount
    private var isInValue = false
    private(set) var start: LineCount

    init(at position: LineCount) { (self.position, start) = (position, position) }

    func next(in chunk: inout UnsafeBufferPointer<UInt8>) -> ValuePiece? {
        if !isInValue {
            guard position.skipBlanks(&chunk) else { return nil }
            start = position
            isInValue = true
        }
        if chunk.isEmpty { return nil }
        let length = chunk.count(before: UInt8(ascii: "\n"), within: chunk.count)
        let part = UnsafeBufferPointer(rebasing: chunk.prefix(length))
        chunk = UnsafeBufferPointer(rebasing: chunk.dropFirst(length))
        // A part has no line break.
        position.offset += length
        if !chunk.isEmpty { isInValue = false }
        return .part(part, isLast: !chunk.isEmpty)
    }

    func finish() -> ValuePiece? {
        guard isInValue else { return nil }
        isInValue = false
        return .part(UnsafeBufferPointer(start: nil, count: 0), isLast: true)
    }
}
