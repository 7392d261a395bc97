import SluiceCore

/// The bytes of an asynchronous sequence, such as `URLSession.AsyncBytes`, in chunks for ``/SluiceCore/JSONModelDecoder``.
///
/// A chunk ends at a closing bracket, a line break or a record separator, or when the chunk is full, so that an element that is an object
/// or an array, or a line, arrives with its last byte.
public struct JSONByteChunks<Bytes: AsyncSequence>: AsyncSequence where Bytes.Element == UInt8 {
    fileprivate let bytes: Bytes
    fileprivate let size: Int

    /// The chunks of one iteration.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private var bytes: Bytes.AsyncIterator
        private let size: Int
        /// The bytes of the next chunk.
        private var chunk: [UInt8] = []
        /// The error of the bytes after the last chunk.
        private var error: (any Error)?
        private var hasEnded = false
        private var followsReturn = false
        /// Whether CR ends a line, because no LF followed the last one.
        private var returnEndsLine = true

        fileprivate init(_ bytes: Bytes.AsyncIterator, _ size: Int) {
            self.bytes = bytes
            self.size = size
        }

        /// Returns the next chunk, or nil at the end.
        public mutating func next() async throws -> [UInt8]? { try await next(isolation: nil) }

        /// Returns the next chunk, or nil at the end.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(any Error) -> [UInt8]? {
            chunk.removeAll(keepingCapacity: true)
            do {
                while !hasEnded, chunk.count < size {
                    guard let byte = try await bytes.next(isolation: actor) else {
                        hasEnded = true
                        break
                    }
                    chunk.append(byte)
                    if endsChunk(byte) { break }
                }
            } catch {
                (hasEnded, self.error) = (true, error)
            }
            if chunk.isEmpty, let error = error.take() { throw error }
            return chunk.isEmpty ? nil : chunk.withUnsafeBufferPointer { Array($0) }
        }

        /// Whether an element may end with a byte. CR and LF end a line together, once such an end has been read.
        private mutating func endsChunk(_ byte: UInt8) -> Bool {
            if followsReturn { returnEndsLine = byte != UInt8(ascii: "\n") }
            followsReturn = byte == UInt8(ascii: "\r")
            return switch byte {
            case UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: "\n"), TextSequenceSplitter.separator: true
            case UInt8(ascii: "\r"): returnEndsLine
            default: false
            }
        }
    }

    /// Begins an iteration.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(bytes.makeAsyncIterator(), size) }
}

extension JSONByteChunks: Sendable where Bytes: Sendable {}

extension AsyncSequence where Element == UInt8 {
    /// The bytes in chunks, for ``/SluiceCore/JSONModelDecoder``.
    ///
    /// ```swift
    /// let (bytes, _) = try await URLSession.shared.bytes(from: url)
    /// for try await row in decoder.elements(of: Row.self, in: bytes.jsonChunks(), framing: .lines) { … }
    /// ```
    ///
    /// - Parameter size: The maximum size of a chunk in bytes.
    public func jsonChunks(upTo size: Int = 16_384) -> JSONByteChunks<Self> {
        precondition(size > 0, "jsonChunks(upTo:): the size must be at least 1")
        return JSONByteChunks(bytes: self, size: size)
    }
}
