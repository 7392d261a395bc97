import SluiceCore

/// Decodes lines, or the elements of one array, on several threads, and passes them to a stream in the order of the input.
///
/// The text is cut into batches: lines after any byte, and the elements of an array after the end of an element, which an `ArrayPosition`
/// finds. Another thread decodes the lines or the elements of a batch. They count only if the stream, at their start, is between two elements.
/// The stream itself decodes the text before and after them, and an element with an issue. Elements, issues and errors are therefore those of a
/// stream without other threads.
final class ParallelElements {
    private unowned let stream: ElementStream
    private let pool: BatchPool
    private let task: BatchTask
    private var batchSize: Int
    /// The end of the text so far in the array of elements; nil for lines, and until the stream has decoded an element.
    private var position: ArrayPosition?
    /// The batch that receives the next text; nil before the first text.
    private var next: TextBatch?
    /// Whether the text of `next` begins after an element, or is a part of lines.
    private var isDecodable = true
    /// Whether the stream decodes all further text alone.
    private var isAlone = false
    /// The numbers of batches whose elements were passed on, and of others.
    private(set) var hits = 0
    private(set) var misses = 0
    /// Whether the calling thread must not wait in `push`, which then begins any number of batches, nor in the other functions, before
    /// which the caller suspends.
    let suspends: Bool
    /// The number of misses after which batches become longer, or the stream decodes alone.
    private static var toleratedMisses: Int { 8 }
    /// The maximum length to which batches grow after misses, or to the end of an element.
    private static var maximumBatchSize: Int { 1 << 21 }
    /// The number of bytes that the task of a suspending stream decodes before the elements are taken.
    private static var windowLength: Int { 1 << 13 }

    /// - Parameter isLines: Whether each line is an element.
    init(_ stream: ElementStream, isLines: Bool) {
        self.stream = stream
        // Only a task can be cancelled.
        suspends = stream.reporter.cancellation != nil
        let cancellation = stream.reporter.cancellation ?? SharedFlag()
        task = BatchTask(stream, isLines ? .lines : .elements, cancellation)
        batchSize = stream.decoder.workers.batchSize
        pool = BatchPool(stream.decoder.workers, stream.elements.layout, cancellation)
    }

    private var isLines: Bool { if case .lines = task.content { true } else { false } }

    /// Consumes the next text of the input.
    ///
    /// - Parameter isKept: Whether the memory of the text stays valid until its elements were passed on.
    func push(_ text: UnsafeBufferPointer<UInt8>, isKept: Bool) throws(JSONModelError) {
        // Text that stays valid is all text at hand. The calling thread decodes the first batch, and no other batch would be full.
        if isKept, isEmpty, text.count < 2 * batchSize { return try decode(text) }
        var rest = text
        while !rest.isEmpty, !stream.isStopped {
            if isAlone {
                if suspends, !isEmpty { return keep(&rest, isKept: isKept) }
                while !isEmpty, !stream.isStopped { try passNext() }
                return try stream.decode(rest)
            }
            if isLines, stream.reporter.lackingElements != nil {
                // The stream itself decodes the rest of a value after a checkpoint.
                let end = rest.firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? rest.count
                try stream.decode(UnsafeBufferPointer(rebasing: rest[..<end]))
                rest = UnsafeBufferPointer(rebasing: rest[end...])
            } else if isLines || position != nil {
                try fill(from: &rest, isKept: isKept)
            } else {
                try findElement(in: &rest)
            }
        }
    }

    /// Whether the elements of the text so far were passed to the stream.
    var isEmpty: Bool { pool.isEmpty && next == nil }

    /// Keeps text that follows the text of other threads, and that the stream decodes alone.
    private func keep(_ rest: inout UnsafeBufferPointer<UInt8>, isKept: Bool) {
        let batch = next ?? pool.makeBatch()
        (next, isDecodable) = (batch, false)
        batch.take(rest.count, from: &rest, isKept: isKept)
    }

    /// Passes the elements of the next text to the stream.
    func passNext() throws(JSONModelError) {
        if pool.isEmpty, let last = next {
            next = nil
            pool.begin(last, nil)
        }
        if !pool.isEmpty { try passFirst() }
    }

    /// The minimum length of a text of which other threads decode a part; nil if the stream decodes all further text alone.
    var minimumLength: Int? { isAlone ? nil : 2 * batchSize }

    /// Drops all text, and ends the work of other threads. Their elements are released.
    ///
    /// - Parameter waits: Whether to wait for the threads, which may use memory of the caller.
    func cancel(waits: Bool) { pool.cancel(waits: waits) }

    /// Whether elements are to be passed on before further text is consumed.
    var isFull: Bool { pool.isFull || isAlone && !isEmpty }

    /// Returns the work of another thread for which `passNext` waits, if any.
    func nextWork() -> Completion? { pool.firstWork() }

    // MARK: Batches

    /// Moves text to the next batch. Begins to decode a batch that is full.
    private func fill(from rest: inout UnsafeBufferPointer<UInt8>, isKept: Bool) throws(JSONModelError) {
        let batch = next ?? pool.makeBatch()
        if next == nil { isDecodable = isAtCut }
        next = batch
        let (count, isFull) = cut(rest, after: batch.text.count, upTo: isKept ? .max : Self.maximumBatchSize)
        batch.take(count, from: &rest, isKept: isKept)
        guard isFull else { return }
        next = nil
        pool.begin(batch, isDecodable && isAtCut ? task : nil)
        if position?.isAtEndOfArray == true { isAlone = true }
        if pool.isFull, !suspends { try passFirst() }
    }

    /// Whether a batch for another thread may begin or end after the text so far.
    private var isAtCut: Bool { position?.isAtEndOfElement ?? true }

    /// Returns the length of the text for a batch, and whether the batch is full with this text.
    ///
    /// - Parameters:
    ///   - length: The length of the text that the batch has.
    ///   - limit: The length of a batch that has no end of an element.
    private func cut(_ text: UnsafeBufferPointer<UInt8>, after length: Int, upTo limit: Int) -> (
        count: Int, isFull: Bool
    ) {
        let first = text.prefix(max(batchSize - length, 0))
        guard var position else { return (first.count, length + first.count >= batchSize) }
        defer { self.position = position }
        var count = position.advance(over: UnsafeBufferPointer(rebasing: first))
        if length + count < batchSize { return (count, position.isAtEndOfArray) }
        let last = text[count...].prefix(max(limit - length - count, 0))
        count += position.advance(over: UnsafeBufferPointer(rebasing: last), stopsAtElement: true)
        return (count, position.isAtEndOfElement || position.isAtEndOfArray || length + count >= limit)
    }

    /// Decodes text as that of the stream.
    private func decode(_ text: UnsafeBufferPointer<UInt8>) throws(JSONModelError) {
        _ = position?.advance(over: text)
        if position?.isAtEndOfArray == true { isAlone = true }
        try stream.decode(text)
    }

    /// Decodes text as that of the stream, and finds the position in the array after an element.
    private func findElement(in rest: inout UnsafeBufferPointer<UInt8>) throws(JSONModelError) {
        let text = UnsafeBufferPointer(rebasing: rest.prefix(batchSize))
        rest = UnsafeBufferPointer(rebasing: rest.dropFirst(text.count))
        guard stream.hasSeveralElements == true else {
            isAlone = stream.hasSeveralElements == false
            return try stream.decode(text)
        }
        let start = stream.framer.byteCount
        guard let end = try stream.decodeLocating(text), stream.elementIndex != nil else { return }
        // The ends of scalars are not found.
        guard var position = ArrayPosition(after: text[end - start - 1]) else { return count(isHit: false) }
        _ = position.advance(over: UnsafeBufferPointer(rebasing: text[(end - start)...]))
        self.position = position
    }

    /// Passes the elements of the first batch to the stream, which decodes the text between them.
    private func passFirst() throws(JSONModelError) {
        try pool.passFirst { batch throws(JSONModelError) in
            let first = batch.passedCount
            if suspends, !batch.isBegun, batch.text.count - first > Self.windowLength {
                // A task that waits for an element does not wait for a whole batch.
                batch.passedCount += Self.windowLength
                return try stream.decode(batch.text(first..<batch.passedCount))
            }
            batch.passedCount = batch.text.count
            var decoded = first
            for part in batch.parts {
                try stream.decode(batch.text(decoded..<part.range.lowerBound))
                if stream.isStopped { return }
                decoded = part.range.lowerBound
                guard stream.canSkip(part.range.count) else { break }
                try deliver(part, of: batch)
                if stream.isStopped { return }
                decoded = part.range.upperBound
            }
            try stream.decode(batch.text(decoded..<batch.text.count))
            if batch.isBegun { count(isHit: batch.parts.last.map { $0.range.upperBound == decoded } ?? false) }
            // The array has ended.
            if stream.hasEndedArray { isAlone = true }
        }
    }

    private func deliver(_ part: TextBatch.Part, of batch: TextBatch) throws(JSONModelError) {
        let start = batch.deliveredCount
        let text = batch.text(part.range)
        stream.beginPart(text)
        do { try batch.deliver(upTo: part.end, to: stream) } catch {
            // The stream decodes the elements again, to locate the error.
            try stream.fail(
                with: error, after: batch.deliveredCount - 1 - start,
                in: batch.text(part.range.lowerBound..<batch.text.count))
        }
        if !stream.isStopped { stream.skip(text, part.lines, elements: part.end - start) }
    }

    private func count(isHit: Bool) {
        if isHit {
            hits += 1
            return
        }
        misses += 1
        if misses <= Self.toleratedMisses || misses <= hits { return }
        // Longer text may have whole lines.
        if isLines, batchSize < Self.maximumBatchSize { batchSize *= 2 } else { isAlone = true }
    }
}
