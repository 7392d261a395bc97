import SluiceCore

/// Passes the text of a stream to other threads.
protocol TextDistributor: AnyObject {
    /// Consumes the next text of the input.
    ///
    /// - Parameter isKept: Whether the memory of the text stays valid until its elements were passed on.
    func push(_ text: UnsafeBufferPointer<UInt8>, isKept: Bool) throws(JSONModelError)
    /// Whether the elements of the text so far were passed to the stream.
    var isEmpty: Bool { get }
    /// Passes the elements of the next text to the stream.
    func passNext() throws(JSONModelError)
    /// The minimum length of a text of which other threads decode a part; nil if the stream decodes all further text alone.
    var minimumLength: Int? { get }
    /// The numbers of batches of other threads whose elements were passed on, and of others.
    var hits: Int { get }
    var misses: Int { get }
    /// Drops all text, and waits until no other thread decodes.
    func cancel()

    /// Whether the calling thread must not wait in `push`, which then begins any number of batches, nor in the other functions, before
    /// which the caller suspends.
    var suspends: Bool { get set }
    /// Whether elements are to be passed on before further text is consumed.
    var isFull: Bool { get }
    /// Suspends the task until `passNext` does not wait.
    func suspendForNext(isolation actor: isolated (any Actor)?) async
    /// Suspends the task until `cancel` does not wait.
    func suspendForAll(isolation actor: isolated (any Actor)?) async
}

/// Decodes lines, or the elements of one array, on several threads, and passes them to a stream in the order of the input.
///
/// The text is cut into batches of any bytes. In each, another thread finds a border between two elements, and decodes the elements
/// from there on. The border between elements of an array is a guess. The stream itself decodes the text before the border, and after
/// the last element. The elements between count only if the stream, at the border, is between two elements: so a wrong guess costs
/// time and nothing else. An element with an issue is decoded by the stream. Elements, issues and errors are therefore those of a
/// stream without other threads.
final class ParallelElements<Element>: TextDistributor {
    private unowned let stream: ElementStream
    private let pool: BatchPool<Element>
    private var batchSize: Int
    /// The work of the threads; nil until the stream has decoded some elements of an array, which show the border.
    private var task: BatchTask?
    /// The batch that receives the next text; nil before the first text.
    private var next: TextBatch<Element>?
    /// Whether the stream decodes all further text alone.
    private var isAlone = false
    /// The numbers of batches whose elements were passed on, and of others.
    private(set) var hits = 0
    private(set) var misses = 0
    var suspends = false
    /// The number of misses after which batches become longer, or the stream decodes alone.
    private static var toleratedMisses: Int { 8 }
    /// The maximum length to which batches grow after misses.
    private static var maximumSearchSize: Int { 1 << 21 }

    /// - Parameter isLines: Whether each line is an element.
    init(_ stream: ElementStream, of type: Element.Type, isLines: Bool) {
        self.stream = stream
        batchSize = stream.decoder.workers.batchSize
        pool = BatchPool(stream.decoder.workers)
        if isLines { task = BatchTask(stream, .lines) }
    }

    func push(_ text: UnsafeBufferPointer<UInt8>, isKept: Bool) throws(JSONModelError) {
        // Text that stays valid is all text at hand. The calling thread decodes the first batch, and no other batch would be full.
        if isKept, isEmpty, text.count < 2 * batchSize { return try stream.decode(text) }
        var rest = text
        while !rest.isEmpty, !stream.isStopped {
            if isAlone {
                while !isEmpty, !stream.isStopped { try passNext() }
                return try stream.decode(rest)
            }
            let batch = next ?? pool.makeBatch()
            batch.take(from: &rest, upTo: batchSize, isKept: isKept)
            next = batch.text.count < batchSize ? batch : nil
            if next == nil { try begin(batch) }
        }
    }

    var isEmpty: Bool { pool.isEmpty && next == nil }

    func passNext() throws(JSONModelError) {
        if !pool.isEmpty { return try passFirst() }
        guard let last = next else { return }
        next = nil
        defer { pool.recycle(last) }
        try stream.decode(last.text)
    }

    var minimumLength: Int? { isAlone ? nil : 2 * batchSize }

    func cancel() { pool.cancel() }

    var isFull: Bool { pool.isFull || isAlone && !isEmpty }

    func suspendForNext(isolation actor: isolated (any Actor)?) async {
        await pool.suspendForFirst(isolation: actor)
    }

    func suspendForAll(isolation actor: isolated (any Actor)?) async { await pool.suspendForAll(isolation: actor) }

    // MARK: Batches

    /// Begins to decode a batch that is full.
    private func begin(_ batch: TextBatch<Element>) throws(JSONModelError) {
        guard let task else { return try learn(batch) }
        pool.begin(batch, task)
        if pool.isFull, !suspends { try passFirst() }
    }

    /// Decodes a batch as text of the stream, and determines the border of its elements.
    private func learn(_ batch: TextBatch<Element>) throws(JSONModelError) {
        defer { pool.recycle(batch) }
        guard stream.hasSeveralElements == true else {
            isAlone = stream.hasSeveralElements == false
            return try stream.decode(batch.text)
        }
        let isFound = try learn(from: batch.text)
        // An array that has not begun has no border yet.
        if !isFound, stream.elementIndex != nil { count(isHit: false) }
    }

    /// Decodes text of the stream, and determines the border of its elements.
    ///
    /// - Returns: Whether the elements have a border.
    private func learn(from text: UnsafeBufferPointer<UInt8>) throws(JSONModelError) -> Bool {
        let start = stream.framer.byteCount
        var ends: [Int] = []
        try stream.decodeLocating(text) { ends.append($0 - start) }
        guard let border = ElementBorder(after: ends, in: text, batchSize: batchSize) else { return false }
        batchSize = border.batchSize
        task = BatchTask(stream, .elements(border))
        return true
    }

    /// Passes the elements of the first batch to the stream, which decodes the text between them.
    private func passFirst() throws(JSONModelError) {
        try pool.passFirst { batch throws(JSONModelError) in
            var decoded = 0
            for part in batch.parts {
                try stream.decode(batch.text(decoded..<part.range.lowerBound))
                if stream.isStopped { return }
                decoded = part.range.lowerBound
                guard stream.canSkip(part.range.count) else { break }
                try pass(part, of: batch)
                if stream.isStopped { return }
                decoded = part.range.upperBound
            }
            let rest = batch.text(decoded..<batch.text.count)
            let isHit = batch.parts.last.map { $0.range.upperBound == decoded } ?? false
            if batch.isBegun { count(isHit: isHit) }
            if batch.isBegun, !isHit, case .elements? = task?.content, stream.elementIndex != nil {
                // The elements have changed. The next batches have the border of these ones.
                _ = try learn(from: rest)
            } else {
                try stream.decode(rest)
            }
            // The array has ended.
            if stream.hasEndedArray { isAlone = true }
        }
    }

    private func pass(_ part: TextBatch<Element>.Part, of batch: TextBatch<Element>) throws(JSONModelError) {
        let start = batch.passed
        let text = batch.text(part.range)
        stream.beginPart(text)
        do { try batch.pass(upTo: part.end, to: stream) } catch {
            // The stream decodes the elements again, to locate the error.
            try stream.fail(
                with: error, after: batch.passed - 1 - start,
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
        // Longer text may have a border.
        if batchSize < Self.maximumSearchSize { batchSize *= 2 } else { isAlone = true }
    }
}
