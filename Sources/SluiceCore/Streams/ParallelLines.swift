/// Passes the text of a stream to other threads.
protocol TextDistributor: AnyObject {
    /// Consumes the next text of the input.
    func push(_ text: UnsafeBufferPointer<UInt8>) throws(JSONModelError)
    /// Passes the elements of the text so far to the stream.
    func flush() throws(JSONModelError)
}

/// Decodes lines on several threads, and passes their elements to a stream in the order of the input.
///
/// The text is cut after line breaks into batches. Each thread decodes whole batches. A batch with an issue of any kind is decoded
/// again by the stream itself, on the calling thread, so that elements, issues and errors are those of a stream without other
/// threads. For the same reason, the stream counts the text and the elements of all batches. A line that is longer than a batch
/// is decoded by the stream alone, in parts.
final class ParallelLines<Element: JSONConvertible>: TextDistributor {
    private unowned let stream: ElementStream
    private let batchSize: Int
    private let pool: BatchPool<Element>
    private let task: BatchTask
    /// The batch that receives the next text; nil before the first text.
    private var next: TextBatch<Element>?
    /// Whether the stream has the beginning of a line, which is longer than a batch or was passed on by `flush`.
    private var isInOpenLine = false

    init(_ stream: ElementStream, of type: Element.Type) {
        self.stream = stream
        batchSize = stream.decoder.workers.batchSize
        pool = BatchPool(stream.decoder.workers)
        task = BatchTask(stream, .lines)
    }

    func push(_ chunk: UnsafeBufferPointer<UInt8>) throws(JSONModelError) {
        var rest = chunk
        try passing { () throws(JSONModelError) in
            while !rest.isEmpty, !stream.isStopped {
                if isInOpenLine {
                    try continueOpenLine(&rest)
                    continue
                }
                let batch = next ?? pool.makeBatch(at: stream.linePosition, capacity: batchSize)
                next = batch
                let part = rest.prefix(batchSize - batch.text.count)
                batch.text.append(contentsOf: part)
                rest = UnsafeBufferPointer(rebasing: rest.dropFirst(part.count))
                if batch.text.count == batchSize { try cut(batch) }
            }
        }
    }

    func flush() throws(JSONModelError) {
        try passing { () throws(JSONModelError) in
            try passAll()
            if let last = next, !stream.isStopped {
                (next, isInOpenLine) = (nil, last.text.last != UInt8(ascii: "\n"))
                try decode(last)
            }
        }
    }

    /// Calls a closure that passes elements. Afterwards, if the stream has ended, no other thread decodes.
    private func passing(_ body: () throws(JSONModelError) -> Void) throws(JSONModelError) {
        defer { if stream.isStopped { pool.cancel() } }
        try body()
    }

    // MARK: Batches

    /// Begins to decode the whole lines of a batch that is full.
    private func cut(_ batch: TextBatch<Element>) throws(JSONModelError) {
        guard let openLine = batch.removeOpenLine() else {
            try passAll()
            if stream.isStopped { return }
            (next, isInOpenLine) = (nil, true)
            return try decode(batch)
        }
        let following = pool.makeBatch(at: batch.end, capacity: batchSize)
        following.text += openLine
        next = following
        pool.begin(batch, task)
        if pool.isFull { try passFirst() }
    }

    private func passAll() throws(JSONModelError) {
        while !pool.isEmpty, !stream.isStopped { try passFirst() }
    }

    /// Passes the elements of the first batch to the stream.
    private func passFirst() throws(JSONModelError) {
        let (batch, outcome) = pool.removeFirst()
        guard outcome == .decoded else { return try decode(batch) }
        defer { batch.removeElements() }
        do { try batch.pass(to: stream) } catch {
            throw stream.stopped(by: error, at: batch.position(ofValue: batch.passed - 1))
        }
        stream.count(batch.text.count, to: batch.end)
        pool.recycle(batch)
    }

    /// Decodes a batch as text of the stream.
    private func decode(_ batch: TextBatch<Element>) throws(JSONModelError) {
        defer { pool.recycle(batch) }
        try batch.text.withUnsafeBufferPointer { bytes throws(JSONModelError) in try stream.decode(bytes) }
    }

    private func continueOpenLine(_ rest: inout UnsafeBufferPointer<UInt8>) throws(JSONModelError) {
        let feed = rest.firstIndex(of: UInt8(ascii: "\n"))
        let part = UnsafeBufferPointer(rebasing: rest.prefix(feed.map { $0 + 1 } ?? rest.count))
        rest = UnsafeBufferPointer(rebasing: rest.dropFirst(part.count))
        isInOpenLine = feed == nil
        try stream.decode(part)
    }
}
