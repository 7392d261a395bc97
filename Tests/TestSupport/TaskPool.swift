import Dispatch
import Foundation
import Synchronization

/// Threads that run the tasks of one test, which the tasks of other tests do not delay.
///
/// A task that blocks its thread stops the others once all threads are blocked, as in the pool of the process.
public final class TaskPool: TaskExecutor {
    private let jobs = Mutex<[UnownedJob]>([])
    private let isPending = DispatchSemaphore(value: 0)
    private let threadCount: Int

    /// Starts the threads, as many as the pool of the process has.
    public init(threadCount: Int = ProcessInfo.processInfo.activeProcessorCount) {
        self.threadCount = threadCount
        for _ in 0..<threadCount { Thread.detachNewThread { [self] in runJobs() } }
    }

    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
        isPending.signal()
    }

    /// Ends the threads. All tasks have ended before.
    public func close() { for _ in 0..<threadCount { isPending.signal() } }

    private func runJobs() {
        while true {
            isPending.wait()
            guard let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { return }
            job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }
}
