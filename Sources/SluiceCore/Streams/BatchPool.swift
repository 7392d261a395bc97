import Dispatch

/// Decodes batches on several threads, and returns them in the order of the input.
///
/// The calling thread decodes, too.
final class BatchPool<Element: JSONConvertible> {
    /// Queues that each use one thread at a time.
    private let queues: [DispatchQueue]
    private var turn = 0
    /// The batches that were begun, in the order of the input.
    private var waiting: [TextBatch<Element>] = []
    /// Those of the waiting batches that no thread has begun to decode.
    private let pending = PendingBatches<Element>()
    /// Empty batches, whose memory is used again.
    private var spare: [TextBatch<Element>] = []

    init(_ workers: JSONWorkers) {
        queues = (1..<workers.count).map { DispatchQueue(label: "sluice.worker.\($0)") }
    }

    deinit { cancel() }

    /// Drops the batches, and waits until no thread uses them.
    func cancel() {
        let unbegun = pending.removeAll().count
        for batch in waiting.dropLast(unbegun) {
            _ = batch.waitForIssues()
            batch.removeElements()
        }
        waiting = []
    }

    /// Returns an empty batch.
    func makeBatch(at start: LineCount = LineCount(), capacity: Int) -> TextBatch<Element> {
        let batch = spare.popLast() ?? TextBatch()
        batch.removeAll(at: start)
        batch.text.reserveCapacity(capacity)
        return batch
    }

    /// Keeps the memory of a batch.
    func recycle(_ batch: TextBatch<Element>) { spare.append(batch) }

    /// Begins to decode a batch.
    func begin(_ batch: TextBatch<Element>, _ task: BatchTask) {
        waiting.append(batch)
        pending.append(batch, task)
        // Without the type of the elements, which a closure of a queue cannot capture.
        let work: any PendingWork = pending
        queues[turn].async { work.decodeFirst() }
        turn = (turn + 1) % queues.count
    }

    var isEmpty: Bool { waiting.isEmpty }

    /// Whether each thread has a next batch while the elements of a batch are passed on.
    var isFull: Bool { waiting.count > 2 * (queues.count + 1) }

    /// The outcome of a batch.
    enum Outcome {
        /// The elements were decoded without issues.
        case decoded
        /// The elements were not decoded, because of an issue.
        case rejected
        /// No thread has begun to decode the batch.
        case unbegun
    }

    /// Removes the first batch.
    func removeFirst() -> (batch: TextBatch<Element>, outcome: Outcome) {
        let batch = waiting[0]
        // This thread decodes later batches while the first one is not done.
        while !batch.isDone, let other = pending.removeFirst() {
            if other.batch === batch {
                waiting.removeFirst()
                return (batch, .unbegun)
            }
            other.batch.decode(other.task)
        }
        waiting.removeFirst()
        return (batch, batch.waitForIssues() ? .rejected : .decoded)
    }
}

/// Batches of elements of any type, which any thread can decode.
private protocol PendingWork: Sendable {
    /// Decodes the first batch that no thread has begun to decode, if one is left.
    func decodeFirst()
}

/// The batches that no thread has begun to decode, in the order of the input.
private final class PendingBatches<Element: JSONConvertible>: PendingWork {
    struct Work {
        let batch: TextBatch<Element>
        let task: BatchTask
    }

    private let batches = Lock<[Work]>([])

    func append(_ batch: TextBatch<Element>, _ task: BatchTask) {
        batches.withLock { $0.append(Work(batch: batch, task: task)) }
    }

    func removeFirst() -> Work? { batches.withLock { $0.isEmpty ? nil : $0.removeFirst() } }

    func decodeFirst() {
        guard let first = removeFirst() else { return }
        first.batch.decode(first.task)
    }

    func removeAll() -> [Work] {
        batches.withLock { batches in
            defer { batches = [] }
            return batches
        }
    }
}
