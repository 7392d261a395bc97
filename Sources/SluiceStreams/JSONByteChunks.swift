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
        /// The error of the bytes after the last chunk.
        private var error: (any Error)?

        fileprivate init(_ bytes: Bytes.AsyncIterator, _ size: Int) {
            self.bytes = bytes
            self.size = size
        }

        /// Returns the next chunk, or nil at the end.
        public mutating func next() async throws -> [UInt8]? { try await next(isolation: nil) }

        /// Returns the next chunk, or nil at the end.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(any Error) -> [UInt8]? {
            if let error {
                self.error = nil
                throw error
            }
            var chunk: [UInt8] = []
            do {
                while chunk.count < size, let byte = try await bytes.next(isolation: actor) {
                    chunk.append(byte)
                    switch byte {
                    case UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: "\n"), UInt8(ascii: "\r"),
                        TextSequenceSplitter.separator:
                        return chunk
                    default: break
                    }
                }
            } catch {
                if chunk.isEmpty { throw error }
                self.error = error
            }
            return chunk.isEmpty ? nil : chunk
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
