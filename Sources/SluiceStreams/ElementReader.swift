import SluiceCore

/// Reads the source of an asynchronous sequence of elements: an input, or chunks.
@usableFromInline
package class ElementReader {
    /// Decodes the next window of the source, or ends the stream at the end of the source. The thread of the caller does not wait for the
    /// bytes.
    ///
    /// - Returns: False if the stream has ended, after all elements.
    /// - Throws: The error after the last element, or `CancellationError`, which ends the stream.
    @usableFromInline
    final func read<Element>(
        to queue: QueuedStream<Element>, isolation actor: isolated (any Actor)?
    ) async throws -> Bool {
        if let stream = queue.stream, stream.isStopped { await stream.endSuspended(isolation: actor) }
        switch queue.takeState() {
        case .needsInput: break
        case .hasEnded: return false
        case .hasFailed(let error): throw error
        }
        guard let stream = queue.stream else { return false }
        if stream.suspends {
            switch await stream.passSuspended(isAtEnd: isAtEnd(of: stream), isolation: actor) {
            case .success(false): break
            case .success(true): return true
            case .failure(let error):
                queue.attempt { _ throws(JSONModelError) in throw error }
                return true
            }
        }
        return try await readNext(stream, to: queue, isolation: actor)
    }

    /// Whether all text of the source so far has been passed to the stream.
    func isAtEnd(of stream: ElementStream) -> Bool { true }

    /// Decodes the next window of the source, or ends the stream at the end of the source.
    func readNext<Element>(
        _ stream: ElementStream, to queue: QueuedStream<Element>, isolation actor: isolated (any Actor)?
    ) async throws -> Bool { false }
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

    override func isAtEnd(of stream: ElementStream) -> Bool { !stream.reader.hasMore }

    override func readNext<Element>(
        _ stream: ElementStream, to queue: QueuedStream<Element>, isolation actor: isolated (any Actor)?
    ) async throws -> Bool {
        if stream.suspends, stream.reader.hasMore {
            queue.decodeNext()
            return true
        }
        if rest == nil {
            do { rest = try await chunks.next(isolation: actor)?[...] } catch {
                // The next call would take the end of the chunks for that of the input.
                queue.stop()
                throw error
            }
            // A stream of a task that is cancelled ends before the input does.
            if rest == nil, Task.isCancelled {
                queue.stop()
                throw CancellationError()
            }
        }
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
