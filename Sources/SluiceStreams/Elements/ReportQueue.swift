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
    private let elements = Atomic(0)
    private let keeps = Atomic(false)

    /// The number of decoded elements.
    var elementCount: Int {
        get { elements.load(ordering: .relaxed) }
        set { elements.store(newValue, ordering: .relaxed) }
    }

    /// Whether the stream decodes, and issues are kept. An issue at another time is that of an element that was taken, such as a lazy value.
    var isKeeping: Bool {
        get { keeps.load(ordering: .relaxed) }
        set { keeps.store(newValue, ordering: .relaxed) }
    }

    var isEmpty: Bool { state.withLock { $0.reports.isEmpty } }

    func add(_ report: Report) { state.withLock { $0.reports.append((elementCount, report)) } }

    /// Adds an issue, or passes the issue to a handler if issues are not kept.
    func add(_ issue: JSONIssue, or handler: (JSONIssue) -> Void) {
        if isKeeping { add(.issue(issue)) } else { handler(issue) }
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
