#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// One value in each line. Blank lines are ignored.
struct LineSplitter: ValueSplitter {
    private var position = LineCount()
    private var isInValue = false
    private(set) var start = LineCount()

    mutating func next(in chunk: inout UnsafeBufferPointer<UInt8>) -> ValuePiece? {
        if !isInValue {
            guard position.skipBlanks(&chunk) else { return nil }
            start = position
            isInValue = true
        }
        guard let base = chunk.baseAddress, !chunk.isEmpty else { return nil }
        guard let end = memchr(base, Int32(UInt8(ascii: "\n")), chunk.count) else {
            return .part(position.take(chunk.count, from: &chunk), isLast: false)
        }
        isInValue = false
        return .part(position.take(UnsafeRawPointer(end) - UnsafeRawPointer(base), from: &chunk), isLast: true)
    }

    mutating func finish() -> ValuePiece? {
        guard isInValue else { return nil }
        isInValue = false
        return .part(UnsafeBufferPointer(start: nil, count: 0), isLast: true)
    }
}
