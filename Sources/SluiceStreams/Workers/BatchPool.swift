import CKernels
import Dispatch
import SluiceCore

/// Decodes batches on several threads, and returns them in the order of the input.
///
/// A limited number of threads runs at the same time. A thread goes on with the next batch, or, if the receiver may destroy the elements,
/// rests until the elements of its batch were passed on: see `BatchTask.restsThreads`. All streams share the threads. See `BatchThreads`.
///
/// The calling thread decodes a share of the batches while passing them on. Elements that another thread has made come from the memory of
/// another core, so passing them on takes time, too.
final class BatchPool {
    /// The batches that were begun, in the order of the input.
    private var waiting: [TextBatch] = []
    /// Those of the waiting batches that no thread has begun to decode, except for the calling thread's share.
    private let pending: PendingBatches
    /// Empty batches, whose memory is used again.
    private var spare: [TextBatch] = []
    /// All batches, also the one that receives text.
    private var all: [TextBatch] = []
    /// The maximum number of waiting batches.
    private let capacity: Int
    /// The layout of an element.
    private let layout: LayoutReference
    private var share: CallerShare
    /// The time at which the elements of a batch were last passed on; nil before.
    private var lastEnd: UInt64?
    /// Ends the work of the threads after their current elements.
    private let cancellation: SharedFlag

    init(_ workers: JSONWorkers, _ layout: LayoutReference, _ cancellation: SharedFlag) {
        (self.layout, self.cancellation) = (layout, cancellation)
        let count = min(workers.count, BatchThreads.shared.limit + 1)
        pending = PendingBatches(threads: count - 1)
        share = CallerShare(threads: count)
        // Each thread has a next batch while the elements of a batch are passed on.
        capacity = 2 * count
        BatchThreads.shared.addUser()
    }

    deinit { BatchThreads.shared.removeUser() }

    /// Drops the batches with their elements. A thread that decodes a batch stops after its current element.
    ///
    /// - Parameter waits: Whether to wait for these threads. If not, they release their batches with the elements.
    func cancel(waits: Bool) {
        cancellation.isSet = true
        pending.removeAll()
        if waits {
            for batch in waiting where batch.isBegun { batch.wait() }
            // A thread may still refer to its batch, and would otherwise destroy the elements at a later time.
            for batch in all { batch.removeElements() }
        }
        (waiting, spare, all) = ([], [], [])
    }

    /// Returns an empty batch.
    func makeBatch() -> TextBatch {
        if let batch = spare.popLast() {
            batch.removeAll()
            return batch
        }
        let batch = TextBatch(of: pending, layout)
        all.append(batch)
        return batch
    }

    /// Keeps the memory of a batch whose elements were passed on.
    func recycle(_ batch: TextBatch) {
        batch.releaseThread()
        spare.append(batch)
    }

    /// Begins to decode a batch, unless the calling thread is to decode the batch.
    ///
    /// - Parameter task: The work of another thread; nil if only the calling thread can decode the batch.
    func begin(_ batch: TextBatch, _ task: BatchTask?) {
        let isFirst = waiting.isEmpty
        waiting.append(batch)
        if let task, !share.takesNext(isFirst: isFirst) { batch.begin(task) }
    }

    var isEmpty: Bool { waiting.isEmpty }

    /// Whether the elements of a batch are to be passed on before the next batch is begun.
    var isFull: Bool { waiting.count > capacity }

    // MARK: Passing on

    /// Returns the work of another thread for which `passFirst` waits; nil if the calling thread decodes the first batch.
    func firstWork() -> Completion? {
        guard let batch = waiting.first else { return nil }
        pending.remove(batch)
        return batch.isBegun ? batch.completion : nil
    }

    /// Calls a closure with the first batch, which is decoded, unless no other thread has begun to decode the batch. The closure passes the
    /// rest of the batch on, or a part.
    func passFirst(_ body: (TextBatch) throws(JSONModelError) -> Void) throws(JSONModelError) {
        let batch = waiting.removeFirst()
        let other = lastEnd.map { Double(DispatchTime.now().uptimeNanoseconds - $0) }
        pending.remove(batch)
        if batch.isBegun { batch.wait() }
        let (first, start) = (batch.passedCount, DispatchTime.now().uptimeNanoseconds)
        try body(batch)
        let (end, bytes) = (DispatchTime.now().uptimeNanoseconds, batch.passedCount - first)
        lastEnd = end
        if bytes > 0 {
            if let other { share.addOther(other, bytes: bytes) }
            share.add(Double(end - start), decoding: batch.isBegun ? batch.time : nil, bytes: bytes)
        }
        if !batch.isBegun, batch.passedCount < batch.text.count {
            waiting.insert(batch, at: 0)
        } else {
            recycle(batch)
        }
    }
}

/// The share of the batches that the calling thread decodes, so that all threads are busy.
///
/// The share follows from four times per byte, which are averages of the last batches.
private struct CallerShare {
    /// The number of other threads.
    private let others: Double
    /// The time in which the calling thread decodes text, with the work of the receiver; nil before the first batch.
    private var alone: Double?
    /// The time in which the calling thread passes on elements that another thread has decoded, with the work of the receiver.
    private var passing: Double?
    /// The time in which another thread decodes text.
    private var decoding: Double?
    /// The time in which the calling thread reads and cuts text, and in which its client uses the elements.
    private var other: Double?
    /// The share that was not taken yet.
    private var rest = 0.0

    init(threads: Int) { others = Double(threads - 1) }

    private var share: Double {
        guard let alone, let passing, let decoding else { return 1 / (others + 1) }
        // The threads are busy for the same time if `share * alone + (1 - share) * passing + other = (1 - share) * decoding / others`.
        let shared = decoding / others - passing
        return max(shared - (other ?? 0), 0) / (alone + max(shared, 0))
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

    /// Adds the time of the calling thread's other work for a batch.
    mutating func addOther(_ time: Double, bytes: Int) { Self.average(&other, time, bytes) }

    private static func average(_ value: inout Double?, _ time: Double, _ bytes: Int) {
        let next = time / Double(bytes)
        value = value.map { 0.75 * $0 + 0.25 * next } ?? next
    }

    /// Adds the time in which the calling thread has processed text.
    ///
    /// - Parameter decoding: The time in which another thread has decoded the text; nil if the calling thread has decoded the text.
    mutating func add(_ time: Double, decoding: Double?, bytes: Int) {
        if let decoding {
            Self.average(&passing, time, bytes)
            Self.average(&self.decoding, decoding, bytes)
        } else {
            Self.average(&alone, time, bytes)
        }
    }
}

/// The batches that no thread has begun to decode, in the order of the input.
final class PendingBatches: Sendable {
    private struct State {
        var batches: [TextBatch] = []
        /// The number of threads that decode batches.
        var running = 0
    }

    private let state = Lock(State())
    /// The maximum number of threads that decode at the same time, without the calling one.
    private let limit: Int

    init(threads limit: Int) { self.limit = limit }

    /// Adds a batch. The first batch is started if a further thread may run.
    func append(_ batch: TextBatch) {
        let mayStart = state.withLock { state in
            state.batches.append(batch)
            guard state.running < limit else { return false }
            state.running += 1
            return true
        }
        if mayStart { startNext() }
    }

    /// Starts the next batch in place of one that is decoded. Without a thread, the batch waits until the next one is added, or until the
    /// calling thread decodes the batch.
    func startNext() {
        let isEmpty = state.withLock { $0.batches.isEmpty }
        let thread = isEmpty ? nil : BatchThreads.shared.take()
        let next: TextBatch? = state.withLock { state in
            if thread != nil, !state.batches.isEmpty { return state.batches.removeFirst() }
            state.running -= 1
            return nil
        }
        guard let thread else { return }
        if let next { next.start(on: thread) } else { BatchThreads.shared.giveBack(thread) }
    }

    /// Returns the next batch for the thread of a batch that is decoded; nil if none waits, and the thread rests.
    func takeNext() -> TextBatch? {
        state.withLock { state in
            if !state.batches.isEmpty { return state.batches.removeFirst() }
            state.running -= 1
            return nil
        }
    }

    /// Removes a batch, if no thread has begun to decode the batch.
    func remove(_ batch: TextBatch) {
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

/// The threads that decode batches, for all streams of the process.
///
/// More threads than cores gain nothing, so many streams share the threads that one stream needs. A stream that receives no thread decodes
/// its batches alone. The threads end with the last stream that decodes on several threads.
final class BatchThreads: Sendable {
    static let shared = BatchThreads()

    private struct State {
        /// The threads without a batch. The one that has rested longest is first.
        var idle: [WorkThread] = []
        /// The number of all threads.
        var count = 0
        /// The number of streams.
        var users = 0
    }

    private let state = Lock(State())
    /// The maximum number of threads: for each core one that runs and one that rests.
    let limit = max(2 * Int(sluice_core_count()) + 1, 64)

    /// The number of threads at present.
    var count: Int { state.withLock { $0.count } }

    func addUser() { state.withLock { $0.users += 1 } }

    /// Ends the threads that rest, if no stream is left.
    func removeUser() {
        let ended = state.withLock { state in
            state.users -= 1
            guard state.users == 0 else { return [WorkThread]() }
            defer { state.idle = [] }
            state.count -= state.idle.count
            return state.idle
        }
        // Outside of the lock.
        withExtendedLifetime(ended) {}
    }

    /// Returns a thread that rests, or a new thread; nil if the number of threads is at its maximum.
    func take() -> WorkThread? {
        let (thread, mayMake) = state.withLock { state -> (WorkThread?, Bool) in
            if !state.idle.isEmpty { return (state.idle.removeFirst(), false) }
            guard state.count < limit else { return (nil, false) }
            state.count += 1
            return (nil, true)
        }
        guard mayMake else { return thread }
        if let thread = try? WorkThread() { return thread }
        state.withLock { $0.count -= 1 }
        return nil
    }

    /// Receives a thread whose work is done.
    func giveBack(_ thread: WorkThread) {
        state.withLock { state in
            if state.users > 0 { state.idle.append(thread) } else { state.count -= 1 }
        }
    }
}
