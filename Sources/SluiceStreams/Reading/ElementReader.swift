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
        if let error = queue.takeError() { throw error }
        guard !queue.isStopped, let stream = queue.stream, let cancellation = queue.cancellation else {
            return false
        }
        return try await withTaskCancellationHandler(
            operation: { try await read(stream, to: queue, isolation: actor) },
            onCancel: { cancellation.isSet = true }, isolation: actor)
    }

    private func read<Element>(
        _ stream: ElementStream, to queue: QueuedStream<Element>, isolation actor: isolated (any Actor)?
    ) async throws -> Bool {
        if stream.mustPass(isAtEnd: isAtEnd(of: stream)) {
            await stream.nextWork()?.suspend(isolation: actor)
            if Task.isCancelled {
                stream.cancel()
            } else {
                queue.attempt { stream throws(JSONModelError) in try stream.passSuspended() }
            }
            return true
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
    /// Whether the rest of the chunk may be long enough for several threads. The chunk may have to be walked to find out.
    @exclusivity(unchecked) private var isLong = true
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
        if stream.reader.hasMore {
            queue.decodeNext()
            return true
        }
        if rest == nil {
            isLong = true
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
        let length = queue.pushedLength { minimum in
            isLong = isLong && chunk.index(chunk.startIndex, offsetBy: minimum, limitedBy: chunk.endIndex) != nil
            return isLong
        }
        let end = chunk.index(chunk.startIndex, offsetBy: length, limitedBy: chunk.endIndex) ?? chunk.endIndex
        withBytes(chunk[..<end]) { queue.push($0) }
        rest = end == chunk.endIndex ? nil : chunk[end...]
    }
}
