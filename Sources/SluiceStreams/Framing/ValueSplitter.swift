import SluiceCore

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// Divides an input into values, without knowledge of their contents.
///
/// The values do not depend on the chunks of the input. A value that is in several chunks has several parts.
protocol ValueSplitter: AnyObject {
    /// The position of the current value.
    var start: LineCount { get }
    /// The position after the consumed bytes.
    var position: LineCount { get }
    /// Removes the next piece from the front of a chunk.
    ///
    /// - Returns: nil if the chunk is consumed, or the stream has ended.
    func next(in chunk: inout UnsafeBufferPointer<UInt8>) -> ValuePiece?
    /// Ends the input. Returns the end of the current value, if a value is open.
    func finish() -> ValuePiece?
}

/// A piece of an input that is divided into values.
enum ValuePiece {
    /// Bytes of the current value, at least one in the first part.
    case part(UnsafeBufferPointer<UInt8>, isLast: Bool)
    /// Bytes of the current value that the splitter held back, or white space.
    case text([UInt8], isLast: Bool)
    /// Bytes at `start` that belong to no value.
    case stray
    /// The end of a number or literal that may lack its last bytes.
    case cut
}

extension LineCount {
    /// Removes bytes from the front of a chunk, and advances over them.
    mutating func remove(
        _ count: Int, from chunk: inout UnsafeBufferPointer<UInt8>
    ) -> UnsafeBufferPointer<UInt8> {
        let bytes = UnsafeBufferPointer(rebasing: chunk.prefix(count))
        chunk = UnsafeBufferPointer(rebasing: chunk.dropFirst(count))
        advance(over: bytes)
        return bytes
    }

    /// Removes white space from the front of a chunk. Returns whether another byte follows.
    mutating func skipBlanks(_ chunk: inout UnsafeBufferPointer<UInt8>) -> Bool {
        // Mostly one line break.
        var count = 0
        while count < chunk.count, chunk[count].isBlank {
            offset += 1
            if chunk[count] == UInt8(ascii: "\n") { (lines, lineStart) = (lines + 1, offset) }
            count += 1
        }
        chunk = UnsafeBufferPointer(rebasing: chunk[count...])
        return !chunk.isEmpty
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Returns the number of bytes before the first occurrence of a byte, at most `limit`.
    func count(before byte: UInt8, within limit: Int) -> Int {
        guard let base = baseAddress, let found = memchr(base, Int32(byte), limit) else { return limit }
        return UnsafeRawPointer(found) - UnsafeRawPointer(base)
    }
}
