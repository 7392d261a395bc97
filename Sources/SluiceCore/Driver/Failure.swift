/// The token at which a failure occurred.
enum FailureSite {
    /// A scalar, or the end of a complete value.
    case value
    /// The bracket that opens a container. Its frame does not exist yet.
    case openingBracket
    /// A key.
    case key
    /// The bracket that closes the innermost container.
    case closingBracket
}

/// A value or key that cannot be used: the reason, and the token at which this was found.
///
/// `Driver.handle(_:)` consumes a failure. No other state says that the parse has failed.
struct Failure {
    let kind: JSONIssue.Kind
    let site: FailureSite
    /// What may have been meant, or what would allow the value.
    var hint: String?
    /// The error that user code threw.
    var underlying: (any Error)?
    /// The field at fault, by its number, where the path does not lead to it.
    var field: Int?
    /// The recorded value that is at fault as a whole. The issue is then located at its start.
    var recording: Recording?
    /// Whether the text of the innermost replay is not JSON, so that nothing in the replay can recover.
    var isOfReplayedText = false
    /// The issue with its location, where the failure was deferred.
    var deferred: PendingIssue?

    var isOfUnknownKey: Bool { if case .unknownKey = kind { true } else { false } }

    init(_ kind: JSONIssue.Kind, at site: FailureSite) {
        self.kind = kind
        self.site = site
    }
}

/// How the driver recovers from a failure.
enum Recovery {
    /// Drops the element from its container.
    case dropElement
    /// Uses the field's default, or keeps the field as it is.
    case useDefault
    /// Defers the failure to the end of the model: a better candidate may fill the field.
    case awaitCandidate
    /// Records the issue. The enclosing models are not completed.
    case recordIssue
    /// Tries the next case of an untagged enum.
    case tryNextCase
}

/// A failure that counts at the end of an object, if nothing better comes.
struct DeferredFailure {
    /// The candidate that failed; nil for the name of a case.
    let candidate: Candidate?
    let pending: PendingIssue

    /// The failure at the end of the object.
    var failure: Failure {
        var failure = Failure(pending.issue.kind, at: .closingBracket)
        failure.underlying = pending.issue.underlying
        failure.deferred = pending
        return failure
    }
}
