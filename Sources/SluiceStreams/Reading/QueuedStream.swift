import SluiceCore

/// How the elements of a stream are taken.
@usableFromInline
package enum StreamConsumer {
    /// One at a time.
    case cursor
    /// One at a time, by a task that must not wait.
    case task
    /// All elements of a chunk together.
    case feed
}

/// A stream whose elements wait in a queue until they are taken.
///
/// Issues, their numbers in the summary, and the progress are passed on with the element that is taken next, except in a feed.
/// An error that follows elements is thrown after these elements were taken.
@usableFromInline
package final class QueuedStream<Element> {
    /// The number of bytes that are decoded before their elements are taken. The elements of a small window, and the memory that
    /// they release, stay in the processor's cache.
    @usableFromInline static var window: Int { 8_192 }

    @usableFromInline let memory = UnsafeMutablePointer<Element>.allocate(capacity: 1)
    // Accesses are not checked for exclusivity: the receiver of the stream, which runs inside of calls of the stream, only appends.
    @usableFromInline @exclusivity(unchecked) var queue = ElementQueue<Element>()
    /// The error after the last element.
    @usableFromInline @exclusivity(unchecked) var error: JSONModelError?
    /// Whether elements may follow without further input.
    @usableFromInline @exclusivity(unchecked) var hasMore = false
    /// Whether the input of chunks has been ended.
    @usableFromInline @exclusivity(unchecked) private(set) var isFinished = false
    /// Whether issues or progress are kept until the elements before were taken.
    @usableFromInline @exclusivity(unchecked) var hasReports = false
    /// Ends the decoding for a task that is cancelled; nil if no task takes the elements.
    @usableFromInline let cancellation: SharedFlag?
    /// Nil if the plan or the path is unusable, which is the error.
    @usableFromInline @exclusivity(unchecked) private(set) var stream: ElementStream?
    /// The stream, for calls that retain nothing.
    @usableFromInline @exclusivity(unchecked) private(set) var direct: Unmanaged<ElementStream>?

    /// - Parameters:
    ///   - shape: The shape of the elements, or of a type that has an element as its only property.
    ///   - consumer: How the elements are taken.
    ///   - ignoresText: Whether text around a document is ignored. Has no effect in other framings.
    ///   - isValue: Whether the value at the path of a document is the only element.
    @inlinable
    package init(
        _ decoder: JSONModelDecoder, _ shape: Unmanaged<JSONShape>, at path: JSONPath, framing: JSONFraming,
        for consumer: StreamConsumer, ignoresText: Bool = false, isValue: Bool = false,
        envelope: EnvelopeState? = nil
    ) {
        let cancellation: SharedFlag? = consumer == .task ? SharedFlag() : nil
        self.cancellation = cancellation
        do {
            stream = try ElementStream(
                decoder, shape, at: path, framing: framing,
                extent: ignoresText && framing == .document ? .firstContainer : .whole,
                target: memory, takesDocument: true, isValue: isValue, envelope: envelope,
                keepsReports: consumer != .feed,
                cancellation: cancellation
            ) { [unowned(unsafe) self] element in
                queue.append(movingFrom: element.assumingMemoryBound(to: Element.self))
                return true
            }
        } catch { self.error = error }
        direct = stream.map { .passUnretained($0) }
    }

    @inlinable
    deinit {
        end()
        // The open value is destroyed before the memory of the element.
        stream = nil
        memory.deallocate()
    }

    /// The numbers of the elements that were taken, and the issues that were passed on.
    var summary: JSONStreamSummary { stream?.reporter.summary(untaken: queue.count) ?? JSONStreamSummary() }
    /// Whether all elements of the input, or all before an error, were passed to the queue.
    @usableFromInline var isStopped: Bool { stream?.isStopped ?? true }

    // MARK: Input

    /// Prepares the stream for chunks. The elements of a chunk are taken before the next chunk is pushed.
    @usableFromInline
    func beginChunks() {
        stream?.reader.readsChunks = true
        stream?.distribute()
    }

    /// Returns the number of bytes to push from the front of a chunk. Several threads need more bytes than one.
    ///
    /// - Parameter isAtLeast: Whether the chunk has at least a number of bytes.
    func pushedLength(isAtLeast: (Int) -> Bool) -> Int {
        guard let minimum = stream?.minimumDistributedLength, isAtLeast(minimum) else { return Self.window }
        return max(minimum, Self.maximumCopySize)
    }

    /// The number of bytes of a chunk that are copied for several threads.
    private static var maximumCopySize: Int { 1 << 23 }

    /// Decodes text of a chunk until elements are in the queue, or the chunk is consumed.
    @usableFromInline
    func push(_ chunk: UnsafeBufferPointer<UInt8>) {
        stream?.reader.push(chunk)
        if let minimum = stream?.minimumDistributedLength, chunk.count >= minimum {
            // Other threads decode the text while elements are taken.
            stream?.reader.keepRest()
            decodeNext()
        } else {
            decodeNext(upTo: .max)
        }
        if stream?.isStopped == false, stream?.hasMore == true { stream?.reader.keepRest() }
    }

    /// Decodes a whole chunk.
    @usableFromInline
    func pushAll(_ chunk: UnsafeBufferPointer<UInt8>) {
        if isFinished {
            if !chunk.isEmpty, error == nil { error = Self.chunkAfterEnd }
            return
        }
        guard let direct else { return }
        // Not retained: the stream lives as long as this object.
        switch direct._withUnsafeGuaranteedRef({ $0.decodeDirectly(chunk) }) {
        case .decoded: return
        case .failed(let error):
            self.error = error
            return
        case .notDirect: break
        }
        guard let stream else { return }
        stream.reader.push(chunk)
        attempt { stream throws(JSONModelError) in while try stream.decodeNext() {} }
        stream.findDirectDocument()
    }

    /// Decodes text that is in memory until elements are in the queue, or no text is left.
    @usableFromInline
    func decodeNext(upTo limit: Int = window) {
        attempt { stream throws(JSONModelError) in
            while queue.isEmpty, stream.hasMore, !stream.suspends || !stream.isFull,
                try stream.decodeNext(upTo: limit)
            {}
        }
    }

    @usableFromInline
    func finish() {
        isFinished = true
        attempt { stream throws(JSONModelError) in try stream.finish() }
    }

    /// The error of a chunk after the end of the input.
    private static var chunkAfterEnd: JSONModelError {
        JSONModelError(issues: [
            JSONIssue(
                kind: .syntax("a chunk follows the end of the input, which was ended with 'finish'"),
                location: JSONLocation(offset: 0, line: 0, column: 0))
        ])
    }

    /// Ends the stream without a further element, and the work of other threads.
    @usableFromInline
    func stop() {
        (hasMore, error) = (false, nil)
        stream?.cancel()
    }

    /// Leaves the elements that were not taken out of the summary.
    @usableFromInline
    func end() { stream?.reporter.untakenCount = queue.count }

    /// Calls a closure with the stream. Stores an error until the elements before the error were taken.
    func attempt(_ body: (ElementStream) throws(JSONModelError) -> Void) {
        guard let stream else { return }
        func decode() { do throws(JSONModelError) { try body(stream) } catch { self.error = error } }
        if let reports = stream.reporter.reports {
            reports.keep(for: stream.reporter, decode)
            hasReports = !reports.isEmpty
        } else {
            decode()
        }
        // A task decodes in `ElementReader.read`, where its cancellation is noticed.
        hasMore = cancellation == nil && !stream.isStopped && stream.hasMore
    }

    /// Passes on the issues and the progress before the next element.
    @usableFromInline
    func passReports() {
        guard let reporter = stream?.reporter, let reports = reporter.reports else { return }
        reporter.passReports(untaken: queue.count)
        hasReports = !reports.isEmpty
    }

    // MARK: Elements

    /// Returns the next element; nil if more input is needed or the stream has ended.
    ///
    /// - Throws: The error after the last element. The error is thrown once.
    @inlinable
    func next() throws(JSONModelError) -> Element? {
        if let element = popFirst() { return element }
        if let error = takeError() { throw error }
        return nil
    }

    /// Returns the next element; nil if more input is needed, or the stream has ended or failed.
    @inlinable
    func popFirst() -> Element? {
        if hasReports { passReports() }
        if let element = queue.popFirst() { return element }
        guard hasMore else { return nil }
        decodeNext()
        if hasReports { passReports() }
        return queue.popFirst()
    }

    /// Returns the error after the last element, once.
    @inlinable
    func takeError() -> JSONModelError? {
        defer { error = nil }
        return error
    }

    /// Returns all elements of the queue.
    ///
    /// - Throws: The error, if the queue is empty.
    @inlinable
    func popAll() throws(JSONModelError) -> [Element] {
        if queue.isEmpty, let error = takeError() { throw error }
        return queue.popAll()
    }
}

extension Collection<UInt8> {
    /// Calls a closure with the bytes, which are copied unless they are contiguous in memory.
    @inlinable
    func withContiguousBytes(_ body: (UnsafeBufferPointer<UInt8>) -> Void) {
        let isContiguous: Void? = withContiguousStorageIfAvailable(body)
        if isContiguous == nil { Array(self).withUnsafeBufferPointer(body) }
    }
}
