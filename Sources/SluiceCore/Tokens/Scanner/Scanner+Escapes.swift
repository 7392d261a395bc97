// Strings and keys with escapes.

extension Scanner {
    /// Reads a string or key with escapes, or a string that is not complete, and sends it to the sink.
    ///
    /// - Parameter start: The opening quote.
    /// - Returns: The position after the string; nil, with the reason in `pause`, if the parse cannot continue.
    @inline(never)
    mutating func escapedString(
        _ start: UnsafePointer<UInt8>, _ state: Expectation, _ pause: inout Pause,
        _ sink: inout some TokenSink & ~Copyable
    ) -> UnsafePointer<UInt8>? {
        let isKey = state == .key || state == .keyOrClose
        let limit = isKey ? limits.key : limits.string
        let first = start + 1
        var text = Unescaping(from: first, into: unescaped.start)
        while text.proceed(last: vectorEnd, outLast: unescaped.last) {
            // The buffer is full, or the window ends.
            if text.at > vectorEnd || text.at - first > limit { break }
            text.out = unescaped.grow(from: text.out)
        }
        if text.at > vectorEnd {
            pause = .more
            return nil
        }
        let bytes = UnsafePointer<UInt8>(unescaped.start)
        let count = text.out - unescaped.start
        guard text.at.pointee == UInt8(ascii: "\""), text.at - first <= limit,
            text.isPlainASCII || UTF8Validation.isValid(readable: bytes, count)
        else {
            pause = rejectToken(start, state, sink)
            return nil
        }
        let end = text.at + 1
        let action =
            isKey
            ? sink.key(Key(readable: bytes, count))
            : sink.string(bytes, count, isASCII: text.isPlainASCII && text.isEscapedASCII)
        if action != .proceed, !apply(action, from: start, to: end, &sink) {
            pause = .stopped
            return nil
        }
        return end
    }
}

/// The memory of the current unescaped string, which the sink reads before the next string.
struct UnescapeBuffer: ~Copyable {
    private(set) var start: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    private var isAllocated = false

    init(in region: Region) {
        start = region.start.assumingMemoryBound(to: UInt8.self)
        capacity = region.size
    }

    deinit { if isAllocated { start.deallocate() } }

    /// The last position of a step of `Unescaping`. Eight bytes after the contents stay readable.
    var last: UnsafeMutablePointer<UInt8> { start + (capacity - Unescaping.slack - 8) }

    /// Doubles the capacity. Keeps the contents up to a position, and returns the position in the new memory.
    @inline(never)
    mutating func grow(from out: UnsafeMutablePointer<UInt8>) -> UnsafeMutablePointer<UInt8> {
        let count = out - start
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity * 2)
        larger.update(from: start, count: count)
        if isAllocated { start.deallocate() }
        (start, isAllocated) = (larger, true)
        capacity *= 2
        return start + count
    }
}
