/// An issue on its way from the driver to the receiver. The source adds the location.
struct PendingIssue {
    /// The receiver of the issue.
    enum Handling: Equatable {
        /// The issue is thrown and the parse ends.
        case stop
        /// The issue waits for the end of the innermost object, and applies unless a better candidate for the field or a
        /// known name of a case arrives.
        case `defer`(Candidate?)
        /// The decoder's `issueHandler` receives the issue, and the parse continues.
        case report
        /// The issue is collected and thrown at the end.
        case record
    }

    var issue: JSONIssue
    var handling: Handling
    /// Whether the issue has its location.
    var isLocated = false
    /// The token that failed, if the token is part of a recording.
    var token: Recording.Start?
}

/// One of several keys or paths that fill a field.
struct Candidate: Equatable {
    let field: Int
    /// The position among the candidates. The best candidate has rank 0.
    let rank: UInt8
}
