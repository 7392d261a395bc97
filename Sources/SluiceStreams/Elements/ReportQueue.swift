import SluiceCore
import Synchronization

/// Keeps the issues and the progress of a stream until the elements before them have been taken.
///
/// `Sendable`, because the issue handler of a decoder is.
final class ReportQueue: Sendable {
    enum Report: Sendable {
        /// An issue of an element that is not skipped.
        case issue(JSONIssue)
        /// An issue of an element that is skipped.
        case skipped(JSONIssue, isFirst: Bool)
        case progress(JSONProgress)
    }

    private struct State {
        /// The reports, each with the number of elements before.
        var reports: [(elements: Int, report: Report)] = []
        /// The number of reports at the start that were removed.
        var removedCount = 0
    }

    private let state = Lock(State())
    /// The number of the thread that decodes, whose issues are kept; 0 if no thread does.
    private let thread = Atomic<UInt>(0)
    /// The reporter of the stream, which counts the elements. Only the thread that decodes uses the reporter.
    private nonisolated(unsafe) unowned(unsafe) var reporter: ElementReporter?

    var isEmpty: Bool { state.withLock { $0.reports.isEmpty } }

    /// Keeps the issues of a closure in which the calling thread decodes.
    func keep(for reporter: ElementReporter, _ decode: () -> Void) {
        self.reporter = reporter
        thread.store(ThreadStack.threadID, ordering: .relaxed)
        decode()
        thread.store(0, ordering: .relaxed)
    }

    /// - Parameter elements: The number of decoded elements before the report.
    func add(_ report: Report, after elements: Int) { state.withLock { $0.reports.append((elements, report)) } }

    /// Adds an issue, or passes the issue to a handler if issues are not kept. An issue at another time, or of another thread, is that of an
    /// element that was taken, such as a lazy value.
    func add(_ issue: JSONIssue, or handler: (JSONIssue) -> Void) {
        guard thread.load(ordering: .relaxed) == ThreadStack.threadID, let reporter else { return handler(issue) }
        add(.issue(issue), after: reporter.elementCount)
    }

    /// Removes the reports that have at most a number of elements before.
    func remove(upTo count: Int) -> [Report] {
        state.withLock { state in
            let removed = state.reports[state.removedCount...].prefix { $0.elements <= count }.map(\.report)
            state.removedCount += removed.count
            if state.removedCount == state.reports.count { state = State() }
            return removed
        }
    }
}
