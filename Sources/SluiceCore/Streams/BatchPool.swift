import Dispatch

/// Decodes batches on several threads, and returns them in the order of the input.
///
/// Each batch has a thread of its own, of which a limited number runs at the same time. So a thread rests while the elements that it
/// made are passed on: allocators keep the memory of a thread together, and lock this memory when another thread frees a part.
///
/// The calling thread decodes a share of the batches as it passes them on. Elements that another thread has made come from the memory of
/// another core, so passing them on takes time, too.
final class BatchPool<Element: JSONConvertible> {
    /// The batches that were begun, in the order of the input.
    private var waiting: [TextBatch<Element>] = []
    /// Those of the waiting batches that no thread has begun to decode, except for the calling thread's share.
    private let pending: PendingBatches
    /// Empty batches, whose memory is used again.
    private var spare: [TextBatch<Element>] = []
    /// All batches, also the one that receives text.
    private var all: [TextBatch<Element>] = []
    /// The greatest number of waiting batches.
    private let capacity: Int
    private var share: CallerShare

    init(_ workers: JSONWorkers) {
        pending = PendingBatches(threads: workers.count - 1)
        share = CallerShare(threads: workers.count)
        // Each thread has a next batch while the elements of a batch are passed on.
        capacity = 2 * workers.count
    }

    deinit { cancel() }

    /// Drops the batches with their elements, and waits until no thread uses them.
    func cancel() {
        pending.removeAll()
        for batch in waiting where batch.isBegun { batch.wait() }
        // A thread may still refer to its batch, and would otherwise destroy the elements at a later time.
        for batch in all { batch.removeElements() }
        (waiting, spare, all) = ([], [], [])
    }

    /// Returns an empty batch.
    func makeBatch() -> TextBatch<Element> {
        if let batch = spare.popLast() {
            batch.removeAll()
            return batch
        }
        let batch = TextBatch<Element>(of: pending)
        all.append(batch)
        return batch
    }

    /// Keeps the memory and the thread of a batch.
    func recycle(_ batch: TextBatch<Element>) { spare.append(batch) }

    /// Begins to decode a batch, unless the calling thread is to decode the batch.
    func begin(_ batch: TextBatch<Element>, _ task: BatchTask) {
        let isCallers = share.takesNext(isFirst: waiting.isEmpty)
        waiting.append(batch)
        if !isCallers { batch.begin(task) }
    }

    var isEmpty: Bool { waiting.isEmpty }

    /// Whether the elements of a batch are to be passed on before the next batch is begun.
    var isFull: Bool { waiting.count > capacity }

    /// Calls a closure with the first batch, which is decoded, unless no other thread has begun to decode the batch.
    func passFirst(_ body: (TextBatch<Element>) throws(JSONModelError) -> Void) throws(JSONModelError) {
        let batch = waiting.removeFirst()
        pending.remove(batch)
        if batch.isBegun { batch.wait() }
        defer { recycle(batch) }
        let start = DispatchTime.now().uptimeNanoseconds
        try body(batch)
        let time = DispatchTime.now().uptimeNanoseconds - start
        share.add(Double(time), decoding: batch.isBegun ? batch.time : nil, bytes: batch.text.count)
    }
}

/// The share of the batches that the calling thread decodes, so that all threads are busy.
///
/// The share follows from three times per byte, which are averages of the last batches.
private struct CallerShare {
    /// The number of other threads.
    private let others: Double
    /// The time in which the calling thread decodes text, with the work of the receiver; nil before the first batch.
    private var alone: Double?
    /// The time in which the calling thread passes on elements that another thread has decoded, with the work of the receiver.
    private var passing: Double?
    /// The time in which another thread decodes text.
    private var decoding: Double?
    /// The share that was not taken yet.
    private var rest = 0.0

    init(threads: Int) { others = Double(threads - 1) }

    private var share: Double {
        guard let alone, let passing, let decoding else { return 1 / (others + 1) }
        // The time of the other threads per byte, if they decoded all text, beyond that of passing.
        let spared = max(decoding / others - passing, 0)
        return spared / (alone + spared)
    }

    /// Whether the calling thread decodes the next batch.
    ///
    /// - Parameter isFirst: Whether no batch is before, for whose elements the calling thread would wait.
    mutating func takesNext(isFirst: Bool) -> Bool {
        if isFirst {
            rest = 0
            return true
        }
        rest += share
        if rest < 1 { return false }
        rest -= 1
        return true
    }

    /// Adds the time in which the calling thread has processed text.
    ///
    /// - Parameter decoding: The time in which another thread has decoded the text; nil if the calling thread has decoded the text.
    mutating func add(_ time: Double, decoding: Double?, bytes: Int) {
        func average(_ value: inout Double?, _ time: Double) {
            let next = time / Double(bytes)
            value = value.map { 0.75 * $0 + 0.25 * next } ?? next
        }
        if let decoding {
            average(&passing, time)
            average(&self.decoding, decoding)
        } else {
            average(&alone, time)
        }
    }
}

/// A batch that waits for a thread.
protocol PendingBatch: AnyObject, Sendable {
    /// Decodes the batch on its thread.
    func start()
    /// Whether another thread decodes the batch, or is to decode the batch.
    var isBegun: Bool { get set }
}

/// The batches that no thread has begun to decode, in the order of the input.
final class PendingBatches: Sendable {
    private struct State {
        var batches: [any PendingBatch] = []
        /// The number of threads that decode batches.
        var running = 0
    }

    private let state = Lock(State())
    /// The greatest number of threads that decode at the same time, without the calling one.
    private let limit: Int

    init(threads limit: Int) { self.limit = limit }

    /// Adds a batch. The first batch is started if a further thread may run.
    func append(_ batch: any PendingBatch) {
        let first: (any PendingBatch)? = state.withLock { state in
            state.batches.append(batch)
            guard state.running < limit else { return nil }
            state.running += 1
            return state.batches.removeFirst()
        }
        first?.start()
    }

    /// Starts the next batch in place of one that is decoded.
    func startNext() {
        let next: (any PendingBatch)? = state.withLock { state in
            if !state.batches.isEmpty { return state.batches.removeFirst() }
            state.running -= 1
            return nil
        }
        next?.start()
    }

    /// Removes a batch, if no thread has begun to decode the batch.
    func remove(_ batch: any PendingBatch) {
        let index = state.withLock { state in
            let index = state.batches.firstIndex { $0 === batch }
            if let index { state.batches.remove(at: index) }
            return index
        }
        if index != nil { batch.isBegun = false }
    }

    /// Removes all batches, which no thread has begun to decode.
    func removeAll() {
        let removed = state.withLock { state in
            defer { state.batches = [] }
            return state.batches
        }
        for batch in removed { batch.isBegun = false }
    }
}
