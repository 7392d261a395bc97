/// Reads the source of an asynchronous sequence of elements: an input, or chunks.
@usableFromInline
package class ElementReader {
    /// Decodes the next window of the source, or ends the stream at the end of the source. The thread of the caller does not wait for the
    /// bytes.
    ///
    /// - Returns: False if the stream has ended, after all elements.
    /// - Throws: The error after the last element, or `CancellationError`, which ends the stream.
    @usableFromInline
    func read<Element>(to queue: QueuedStream<Element>, isolation actor: isolated (any Actor)?) async throws -> Bool
    {
        false
    }
}

/// Reads the chunks of an asynchronous sequence, each when the elements of the chunks before have been taken.
@usableFromInline
final class ChunkReader<Chunks: AsyncSequence>: ElementReader where Chunks.Element: Collection<UInt8> {
    @usableFromInline typealias Part = Chunks.Element.SubSequence

    // Accesses are not checked for exclusivity: a consumer calls one function at a time.
    @exclusivity(unchecked) private var chunks: Chunks.AsyncIterator
    /// The part of the last chunk that has not been decoded yet.
    @exclusivity(unchecked) private var rest: Part?
    private let withBytes: (Part, (UnsafeBufferPointer<UInt8>) -> Void) -> Void

    /// - Parameter withBytes: Calls a closure with the bytes of a part of a chunk.
    @usableFromInline
    init(_ chunks: Chunks, _ withBytes: @escaping (Part, (UnsafeBufferPointer<UInt8>) -> Void) -> Void) {
        self.chunks = chunks.makeAsyncIterator()
        self.withBytes = withBytes
    }

    @usableFromInline
    override func read<Element>(
        to queue: QueuedStream<Element>, isolation actor: isolated (any Actor)?
    ) async throws -> Bool {
        switch queue.takeState() {
        case .needsInput: break
        case .hasEnded: return false
        case .hasFailed(let error): throw error
        }
        if rest == nil { rest = try await chunks.next(isolation: actor)?[...] }
        if let chunk = rest { push(chunk, to: queue) } else { queue.finish() }
        return true
    }

    /// Decodes the next window of a chunk, or most of a long chunk on several threads.
    private func push<Element>(_ chunk: Part, to queue: QueuedStream<Element>) {
        let length = queue.pushedLength(of: chunk.count)
        withBytes(chunk.prefix(length)) { queue.push($0) }
        let left = chunk.dropFirst(length)
        rest = left.isEmpty ? nil : left
    }
}
