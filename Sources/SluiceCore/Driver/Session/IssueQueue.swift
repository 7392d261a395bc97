/// The issues of a decode: those that the last action announced, those that an attempt holds back, and those collected so far.
struct IssueQueue {
    private final class Lists {
        @exclusivity(unchecked) var pending: [PendingIssue] = []
        @exclusivity(unchecked) var held: [PendingIssue] = []
        @exclusivity(unchecked) var collected: [JSONIssue] = []
    }

    /// Created for the first issue.
    private var lists: Lists?

    /// Whether no issue was announced or collected.
    var isUnused: Bool { lists == nil }

    private mutating func makeLists() -> Lists {
        if let lists { return lists }
        let first = Lists()
        lists = first
        return first
    }

    // MARK: Issues that the last action announced

    /// Whether issues were announced.
    var isPending: Bool { lists?.pending.isEmpty == false }

    mutating func announce(_ issue: PendingIssue) { makeLists().pending.append(issue) }

    /// Returns the announced issues, which are then no longer pending.
    mutating func takePending() -> [PendingIssue] {
        guard let lists, !lists.pending.isEmpty else { return [] }
        defer { lists.pending = [] }
        return lists.pending
    }

    // MARK: Issues found in attempts that have not succeeded yet

    var heldCount: Int { lists?.held.count ?? 0 }

    mutating func hold(_ issue: PendingIssue) { makeLists().held.append(issue) }

    /// Returns the issues held since `count` were.
    func held(from count: Int) -> [PendingIssue] { lists.map { Array($0.held[count...]) } ?? [] }

    /// Removes the issues held since `count` were, and returns them.
    @discardableResult
    mutating func takeHeld(from count: Int = 0) -> [PendingIssue] {
        guard let lists, lists.held.count > count else { return [] }
        defer { lists.held.removeSubrange(count...) }
        return Array(lists.held[count...])
    }

    // MARK: Collected issues

    var collected: [JSONIssue] { lists?.collected ?? [] }

    mutating func collect(_ issue: JSONIssue) { makeLists().collected.append(issue) }
}
