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
        guard let base = chunk.baseAddress, !chunk.isEmpty else { return nil }
        let end = memchr(base, Int32(UInt8(ascii: "\n")), chunk.count).map {
            UnsafeRawPointer($0) - UnsafeRawPointer(base)
        }
        let part = UnsafeBufferPointer(rebasing: chunk.prefix(end ?? chunk.count))
        chunk = UnsafeBufferPointer(rebasing: chunk.dropFirst(part.count))
        // A part has no line break.
        position.offset += part.count
        if end != nil { isInValue = false }
        return .part(part, isLast: end != nil)
    }

    func finish() -> ValuePiece? {
        guard isInValue else { return nil }
        isInValue = false
        return .part(UnsafeBufferPointer(start: nil, count: 0), isLast: true)
    }
}
