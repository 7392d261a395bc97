/// The first bytes of a text and the last bytes before an offset. They identify the text when the text is read again.
package struct TextSample {
    /// The number of bytes at each end.
    package static let length = 64
    /// The number of bytes before the chunk that are kept. The start of a value may be some bytes before the chunk.
    private static let retained = 2 * length

    private var head: [UInt8] = []
    /// The last bytes before the chunk.
    package private(set) var tail: [UInt8] = []
    /// The offset after the tail.
    private var offset = 0
    /// The current chunk, or no bytes between chunks.
    private var chunk = UnsafeBufferPointer<UInt8>(start: nil, count: 0)

    package init() {}

    /// Creates the sample of a text up to an offset.
    ///
    /// - Parameters:
    ///   - head: The first ``length`` bytes, or fewer if the offset is smaller.
    ///   - tail: The last bytes before the offset.
    init(head: [UInt8], tail: [UInt8], offset: Int) {
        (self.head, self.tail, self.offset) = (head, tail, offset)
    }

    /// Begins the next chunk of the text. The bytes must stay valid until `end()`.
    package mutating func begin(_ bytes: UnsafeBufferPointer<UInt8>) {
        chunk = bytes
        if head.count < Self.length { head += bytes.prefix(Self.length - head.count) }
    }

    /// Ends the current chunk.
    package mutating func end() {
        if chunk.count >= Self.retained {
            tail = Array(chunk.suffix(Self.retained))
        } else {
            tail.removeFirst(max(tail.count + chunk.count - Self.retained, 0))
            tail += chunk
        }
        offset += chunk.count
        chunk = .init(start: nil, count: 0)
    }

    /// Adds bytes to the text.
    package mutating func add(_ bytes: UnsafeBufferPointer<UInt8>) {
        begin(bytes)
        end()
    }

    /// Returns a number of 52 bits for the bytes before an offset and the first bytes of the text; nil if the bytes are not kept.
    package func digest(before end: Int) -> Int64? {
        let start = max(end - Self.length, 0)
        guard start >= offset - tail.count, end <= offset + chunk.count, head.count >= min(end, Self.length) else {
            return nil
        }
        let first = head.withUnsafeBytes { Self.hash(UnsafeRawBufferPointer(rebasing: $0.prefix(end))) }
        let last: UInt64
        if start >= offset {
            let bytes = UnsafeRawBufferPointer(
                UnsafeBufferPointer(rebasing: chunk[(start - offset)..<(end - offset)]))
            last = Self.hash(bytes)
        } else {
            let bytes = tail.suffix(offset - start) + chunk.prefix(max(end - offset, 0))
            last = bytes.prefix(end - start).withUnsafeBytes { Self.hash($0) }
        }
        // Numbers of 53 bits and more are not exact in every reader of JSON.
        return Int64((first &* 0x9E37_79B9_7F4A_7C15 ^ last) >> 12)
    }

    private static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        var at = 0
        func mix(_ word: UInt64) {
            hash = (hash ^ word) &* 0xD6E8_FEB8_6659_FD93
            hash ^= hash >> 32
        }
        while at + 8 <= bytes.count {
            mix(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self)))
            at += 8
        }
        while at < bytes.count {
            mix(UInt64(bytes[at]))
            at += 1
        }
        return hash &* 0xD6E8_FEB8_6659_FD93
    }
}
