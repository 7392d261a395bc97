import Sluice
import Synchronization

/// Everything that a caller sees of one call.
struct FuzzResult: Equatable {
    /// The rendering of the value; nil where an error was thrown.
    var value: String?
    /// The elements that were delivered before the end, or before an error.
    var elements: [String] = []
    /// The issues that were thrown, or that came with a partial value.
    var issues: [JSONIssue] = []
    /// The issues that were reported.
    var reported: [JSONIssue] = []

    static func == (a: FuzzResult, b: FuzzResult) -> Bool { a.difference(from: b) == nil }

    /// The first thing in which two results differ.
    func difference(from other: FuzzResult) -> (aspect: String, one: String, other: String)? {
        let facts = { (issues: [JSONIssue]) in issues.map(Self.text) }
        if (value == nil) != (other.value == nil) { return ("acceptance", summary, other.summary) }
        if let value, let known = other.value, value != known { return ("value", value, known) }
        if elements != other.elements { return ("elements", "\(elements)", "\(other.elements)") }
        for (aspect, one, two) in [("issues", issues, other.issues), ("reported issues", reported, other.reported)]
        {
            let (one, two) = (facts(one), facts(two))
            if one != two { return (aspect, one.joined(separator: "\n"), two.joined(separator: "\n")) }
        }
        return nil
    }

    var summary: String {
        value ?? issues.map { "\($0)" }.joined(separator: "\n")
    }

    /// Every fact of an issue.
    static func text(_ issue: JSONIssue) -> String {
        """
        \(issue) | \(issue.kind) | \(issue.path) | \(issue.property ?? "-") | \(issue.model ?? "-") | \
        \(issue.location.offset) \(issue.location.line):\(issue.location.column) | \(issue.hint ?? "-") | \
        \(issue.underlying.map { "\($0)" } ?? "-") | \(issue.excerpt.debugDescription)
        """
    }
}

/// One fault that an oracle found.
struct Finding {
    /// Findings of one kind and model are shown once.
    let kind: String
    let detail: String
}
