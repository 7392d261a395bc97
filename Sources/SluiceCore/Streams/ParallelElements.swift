/// Decodes the elements of one array on several threads, and passes them to a stream in the order of the input.
///
/// The text is cut into batches of any bytes. In each, another thread guesses a border between two elements, and decodes the elements
/// from there on. The stream itself decodes the text before the border, and after the last element. The elements between count only if
/// the stream, at the border, is between two elements of the array: so a wrong guess costs time and nothing else. A batch with an issue
/// is decoded by the stream alone. Elements, issues and errors are therefore those of a stream without other threads.
final class ParallelElements<Element: JSONConvertible>: TextDistributor {
    private unowned let stream: ElementStream
    private let pool: BatchPool<Element>
    private var batchSize: Int
    /// The work of the threads; nil until the stream has decoded some elements, which show the border.
    private var task: BatchTask?
    /// The batch that receives the next text; nil before the first text.
    private var next: TextBatch<Element>?
    /// Whether the stream decodes all further text alone.
    private var isAlone = false
    /// The numbers of batches whose elements were passed on, and of others.
    private var hits = 0
    private var misses = 0

    init(_ stream: ElementStream, of type: Element.Type) {
        self.stream = stream
        batchSize = stream.decoder.workers.batchSize
        pool = BatchPool(stream.decoder.workers)
    }

    func push(_ chunk: UnsafeBufferPointer<UInt8>) throws(JSONModelError) {
        var rest = chunk
        try passing { () throws(JSONModelError) in
            while !rest.isEmpty, !stream.isStopped {
                if isAlone {
                    try passAll()
                    return try stream.decode(rest)
                }
                let batch = next ?? pool.makeBatch(capacity: batchSize)
                next = batch
                let part = rest.prefix(batchSize - batch.text.count)
                batch.text.append(contentsOf: part)
                rest = UnsafeBufferPointer(rebasing: rest.dropFirst(part.count))
                if batch.text.count == batchSize { try begin(batch) }
            }
        }
    }

    func flush() throws(JSONModelError) {
        try passing { () throws(JSONModelError) in try passAll() }
    }

    /// Calls a closure that passes elements. Afterwards, if the stream has ended, no other thread decodes.
    private func passing(_ body: () throws(JSONModelError) -> Void) throws(JSONModelError) {
        defer { if stream.isStopped { pool.cancel() } }
        try body()
    }

    // MARK: Batches

    /// Begins to decode a batch that is full.
    private func begin(_ batch: TextBatch<Element>) throws(JSONModelError) {
        next = nil
        guard let task else { return try learn(batch) }
        pool.begin(batch, task)
        if pool.isFull { try passFirst() }
    }

    /// Decodes a batch as text of the stream, and determines the border of its elements.
    private func learn(_ batch: TextBatch<Element>) throws(JSONModelError) {
        defer { pool.recycle(batch) }
        let start = stream.byteCount
        var ends: [Int] = []
        try batch.text.withUnsafeBufferPointer { text throws(JSONModelError) in
            try stream.decodeLocating(text) { ends.append($0 - start) }
            guard let border = ElementBorder(after: ends, in: text, batchSize: batchSize) else { return }
            batchSize = border.batchSize
            task = BatchTask(stream, .elements(border))
        }
    }

    /// Passes all elements so far.
    private func passAll() throws(JSONModelError) {
        while !pool.isEmpty, !stream.isStopped { try passFirst() }
        guard let last = next, !stream.isStopped else { return }
        next = nil
        try decode(last, from: 0)
        pool.recycle(last)
    }

    /// Passes the elements of the first batch to the stream.
    private func passFirst() throws(JSONModelError) {
        let (batch, outcome) = pool.removeFirst()
        defer {
            batch.removeElements()
            pool.recycle(batch)
        }
        switch outcome {
        case .decoded: break
        case .rejected: return try miss(batch, from: 0)
        case .unbegun: return try decode(batch, from: 0)
        }
        let elements = batch.elements
        try batch.text.withUnsafeBufferPointer { text throws(JSONModelError) in
            try stream.decode(UnsafeBufferPointer(rebasing: text[..<elements.lowerBound]))
        }
        if stream.isStopped { return }
        guard stream.canSkip(elements.count) else { return try miss(batch, from: elements.lowerBound) }
        hits += 1
        do { try batch.pass(to: stream) } catch {
            // The stream decodes the elements again, to locate the error.
            let passed = batch.passed - 1
            try batch.text.withUnsafeBufferPointer { text throws(JSONModelError) in
                try stream.fail(
                    with: error, after: passed, in: UnsafeBufferPointer(rebasing: text[elements.lowerBound...]))
            }
        }
        if stream.isStopped { return }
        batch.text.withUnsafeBufferPointer { text in
            stream.skip(UnsafeBufferPointer(rebasing: text[elements]), batch.lines, elements: batch.count)
        }
        try decode(batch, from: elements.upperBound)
    }

    /// Decodes a batch as text of the stream, because its elements are not known.
    private func miss(_ batch: TextBatch<Element>, from start: Int) throws(JSONModelError) {
        misses += 1
        try decode(batch, from: start)
        // The array has ended, or borders are not found in this way.
        if stream.elementIndex == nil || misses > 8 && misses > hits { isAlone = true }
    }

    private func decode(_ batch: TextBatch<Element>, from start: Int) throws(JSONModelError) {
        try batch.text.withUnsafeBufferPointer { text throws(JSONModelError) in
            try stream.decode(UnsafeBufferPointer(rebasing: text[start...]))
        }
    }
}
