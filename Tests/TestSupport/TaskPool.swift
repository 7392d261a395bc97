import Dispatch
import Foundation

/// Threads that run the tasks of one test, which the tasks of other tests do not delay.
///
/// A task that blocks its thread stops the others once all threads are blocked, as in the pool of the process.
public final class TaskPool: TaskExecutor, @unchecked Sendable {
    // The thread sanitizer knows this lock, but not `Mutex`.
    private let lock = NSLock()
    private var jobs: [UnownedJob] = []
    private let isPending = DispatchSemaphore(value: 0)
    private let threadCount: Int

    /// Starts the threads, as many as the pool of the process has.
    public init(threadCount: Int = ProcessInfo.processInfo.activeProcessorCount) {
        self.threadCount = threadCount
        for _ in 0..<threadCount { Thread.detachNewThread { [self] in runJobs() } }
    }

    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        lock.withLock { jobs.append(job) }
        isPending.signal()
    }

    /// Ends the threads. All tasks have ended before.
    public func close() { for _ in 0..<threadCount { isPending.signal() } }

    private func runJobs() {
        while true {
            isPending.wait()
            guard let job = lock.withLock({ jobs.isEmpty ? nil : jobs.removeFirst() }) else { return }
            job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }
}
