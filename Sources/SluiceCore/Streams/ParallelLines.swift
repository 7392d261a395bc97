import Dispatch

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
    /// Queues that each use one thread at a time. The calling thread decodes, too.
    private let queues: [DispatchQueue]
    private var turn = 0
    /// The batches whose elements the stream has not received, in the order of the input.
    private var waiting: [TextBatch<Element>] = []
    /// Those of the waiting batches that no thread has begun to decode.
    private let pending = PendingBatches<Element>()
    /// The batch that receives the next text; nil before the first text.
    private var next: TextBatch<Element>?
    /// Empty batches, whose memory is used again.
    private var spare: [TextBatch<Element>] = []
    /// Whether the stream has the beginning of a line, which is longer than a batch or was passed on by `flush`.
    private var isInOpenLine = false

    init(_ stream: ElementStream, of type: Element.Type) {
        self.stream = stream
        let workers = stream.decoder.workers
        batchSize = workers.batchSize
        queues = (1..<workers.count).map { DispatchQueue(label: "sluice.worker.\($0)") }
    }

    deinit { cancel() }

    func push(_ chunk: UnsafeBufferPointer<UInt8>) throws(JSONModelError) {
        var rest = chunk
        try passing { () throws(JSONModelError) in
            while !rest.isEmpty, !stream.isStopped {
                if isInOpenLine {
                    try continueOpenLine(&rest)
                    continue
                }
                let batch = next ?? batch(at: stream.linePosition)
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
        defer { if stream.isStopped { cancel() } }
        try body()
    }

    /// Drops the batches, and waits until no thread uses them.
    private func cancel() {
        let unbegun = pending.removeAll().count
        for batch in waiting.dropLast(unbegun) {
            _ = batch.waitForIssues()
            batch.removeElements()
        }
        waiting = []
    }

    // MARK: Batches

    private func batch(at start: LineCount) -> TextBatch<Element> {
        let batch = spare.popLast() ?? TextBatch()
        batch.removeAll(at: start)
        batch.text.reserveCapacity(batchSize)
        return batch
    }

    /// Begins to decode the whole lines of a batch that is full.
    private func cut(_ batch: TextBatch<Element>) throws(JSONModelError) {
        guard let openLine = batch.removeOpenLine() else {
            try passAll()
            if stream.isStopped { return }
            (next, isInOpenLine) = (nil, true)
            return try decode(batch)
        }
        let following = self.batch(at: batch.end)
        following.text += openLine
        next = following
        waiting.append(batch)
        pending.append(batch)
        // Without the type of the elements, which a closure of a queue cannot capture.
        let work: any PendingWork = pending
        queues[turn].async { [decoder = stream.decoder, path = stream.path] in work.decodeFirst(decoder, at: path) }
        turn = (turn + 1) % queues.count
        // Each thread has a next batch while the elements of a batch are passed on.
        if waiting.count > 2 * (queues.count + 1) { try passFirst() }
    }

    private func passAll() throws(JSONModelError) {
        while !waiting.isEmpty, !stream.isStopped { try passFirst() }
    }

    /// Passes the elements of the first batch to the stream.
    private func passFirst() throws(JSONModelError) {
        let batch = waiting[0]
        // This thread decodes later batches while the first one is not done.
        while !batch.isDone, let other = pending.removeFirst() {
            if other === batch {
                waiting.removeFirst()
                return try decode(batch)
            }
            other.decode(stream.decoder, at: stream.path)
        }
        waiting.removeFirst()
        if batch.waitForIssues() { return try decode(batch) }
        try batch.pass(to: stream)
        stream.count(batch.text.count, to: batch.end)
        spare.append(batch)
    }

    /// Decodes a batch as text of the stream.
    private func decode(_ batch: TextBatch<Element>) throws(JSONModelError) {
        defer { spare.append(batch) }
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

/// Batches of elements of any type, which any thread can decode.
private protocol PendingWork: Sendable {
    /// Decodes the first batch that no thread has begun to decode, if one is left.
    func decodeFirst(_ decoder: JSONModelDecoder, at path: JSONPath)
}

/// The batches that no thread has begun to decode, in the order of the input.
private final class PendingBatches<Element: JSONConvertible>: PendingWork {
    private let batches = Lock<[TextBatch<Element>]>([])

    func append(_ batch: TextBatch<Element>) { batches.withLock { $0.append(batch) } }

    func removeFirst() -> TextBatch<Element>? { batches.withLock { $0.isEmpty ? nil : $0.removeFirst() } }

    func decodeFirst(_ decoder: JSONModelDecoder, at path: JSONPath) { removeFirst()?.decode(decoder, at: path) }

    func removeAll() -> [TextBatch<Element>] {
        batches.withLock { batches in
            defer { batches = [] }
            return batches
        }
    }
}
