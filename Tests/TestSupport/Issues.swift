import SluiceCore
import Synchronization

/// Collects the issues that a decoder reports.
public final class IssueLog: Sendable {
    private let kept = Mutex<[JSONIssue]>([])

    public init() {}

    public var issues: [JSONIssue] { kept.withLock { $0 } }

    public func add(_ issue: JSONIssue) { kept.withLock { $0.append(issue) } }

    /// Discards the issues that `body` reports: rendering a lazy value decodes it, which can report issues.
    public func ignoring<R>(_ body: () -> R) -> R {
        let before = issues
        defer { kept.withLock { $0 = before } }
        return body()
    }
}

extension [JSONIssue] {
    /// The paths and short descriptions of the kinds.
    public var brief: [String] { map { "\($0.path): \($0.kind.brief)" } }
}

extension JSONIssue.Kind {
    /// The name of the case.
    public var name: String { Mirror(reflecting: self).children.first?.label ?? String(describing: self) }

    fileprivate var brief: String {
        switch self {
        case .typeMismatch(let expected, let found): "\(expected), not \(found)"
        case .missingKeys(let keys): "lacks \(keys.joined(separator: ", "))"
        case .nullValue: "null"
        case .unknownKey(let key): "unknown \(key)"
        case .duplicateKey(let key): "twice \(key)"
        case .invalidKey(let key, _): "no key \(key)"
        case .notAnInteger(_, let text), .numberOutOfRange(_, let text): text
        default: "\(self)"
        }
    }
}
