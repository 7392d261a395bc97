/// A stream whose elements wait in a queue until they are taken.
///
/// An error that follows elements is thrown after these elements were taken.
@usableFromInline
final class QueuedStream<Element: JSONConvertible> {
    @usableFromInline let memory = UnsafeMutablePointer<Element>.allocate(capacity: 1)
    @usableFromInline var queue = ElementQueue<Element>()
    @usableFromInline var error: JSONModelError?
    /// Compressed bytes that were not decompressed yet, because elements of the bytes before are in the queue.
    private var compressed: ArraySlice<UInt8> = []
    /// Whether elements may follow without a further chunk.
    @usableFromInline var hasMore = false
    /// Nil if the plan or the path is unusable, which is the error.
    @usableFromInline var stream: ElementStream?

    @inlinable
    init(
        _ decoder: JSONModelDecoder, at path: JSONPath?, framing: JSONFraming, takesDocument: Bool = false,
        envelope: EnvelopeState? = nil
    ) {
        do {
            stream = try ElementStream(
                decoder, JSONShape.unretained(of: Element.self), at: path, framing: framing, target: memory,
                takesDocument: takesDocument, envelope: envelope
            ) { [unowned self] element in
                queue.append(movingFrom: element.assumingMemoryBound(to: Element.self))
                return true
            }
        } catch { self.error = error }
    }

    @inlinable
    deinit {
        // The open value is destroyed before the memory of the element.
        stream = nil
        memory.deallocate()
    }

    var summary: JSONStreamSummary { stream?.summary ?? JSONStreamSummary() }
    var openLength: Int { stream?.openLength ?? 0 }
    /// The open element as far as it is read.
    var snapshot: ValueSnapshot? { stream?.snapshot() }
    /// The length of the input, if known.
    var length: Int? {
        get { stream?.length }
        set { stream?.length = newValue }
    }
    /// Whether all elements of the input, or all before an error, were passed to the queue.
    @usableFromInline var isStopped: Bool { stream?.isStopped ?? true }

    @usableFromInline
    func push(_ chunk: UnsafeBufferPointer<UInt8>) {
        var rest = chunk
        advance(&rest)
        if hasMore { compressed = rest.isEmpty ? [] : Array(rest)[...] }
    }

    /// Decodes text of a chunk until elements are in the queue, or the chunk is consumed.
    private func advance(_ chunk: inout UnsafeBufferPointer<UInt8>) {
        attempt { stream throws(JSONModelError) in
            hasMore = false
            repeat { hasMore = try stream.advance(&chunk) } while hasMore && queue.isEmpty
        }
    }

    /// Decodes the next text of the last chunk.
    @usableFromInline
    func advance() {
        let count = compressed.withUnsafeBufferPointer { bytes in
            var rest = bytes
            advance(&rest)
            return rest.count
        }
        compressed = compressed.suffix(count)
    }

    /// Decodes lines on several threads, if the decoder has workers.
    func distributeLines() { stream?.distributeLines(of: Element.self) }

    /// Passes the elements of the text so far to the queue.
    func flush() {
        attempt { stream throws(JSONModelError) in try stream.distributor?.flush() }
    }

    /// Ends the stream without a further element.
    func stop() {
        (hasMore, error) = (false, nil)
        stream?.isStopped = true
    }

    /// Ends the stream with an error of reading the input.
    ///
    /// - Throws: The error, unless elements wait, which the error follows.
    func interrupt(by error: JSONModelError) throws(JSONModelError) {
        guard let stream else { throw error }
        do { try stream.interrupt(by: error) } catch {
            if queue.isEmpty { throw error }
            self.error = error
        }
    }

    /// Consumes a chunk, which is copied unless it is contiguous in memory.
    @inlinable
    func push(_ chunk: some Collection<UInt8>) {
        let isContiguous = chunk.withContiguousStorageIfAvailable { push($0) } != nil
        if !isContiguous { Array(chunk).withUnsafeBufferPointer { push($0) } }
    }

    @usableFromInline
    func finish() {
        attempt { stream throws(JSONModelError) in try stream.end() }
    }

    func run(_ tree: any TreeContent) {
        attempt { stream throws(JSONModelError) in try stream.run(tree) }
    }

    func resume(at checkpoint: JSONCheckpoint, in file: FileReader) {
        attempt { stream throws(JSONModelError) in try stream.resume(at: checkpoint, in: file) }
    }

    private func attempt(_ body: (ElementStream) throws(JSONModelError) -> Void) {
        guard let stream else { return }
        do { try body(stream) } catch {
            hasMore = false
            self.error = error
        }
    }

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
        if let element = queue.popFirst() { return element }
        guard hasMore else { return nil }
        advance()
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
    func takeAll() throws(JSONModelError) -> [Element] {
        while hasMore { advance() }
        if queue.isEmpty, let error = takeError() { throw error }
        return queue.popAll()
    }
}
