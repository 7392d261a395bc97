/// The part of an input that has been decoded.
///
/// All numbers are those of the whole input. In a stream that continues from a ``JSONCheckpoint``, they include the part of the file
/// before the checkpoint.
public struct JSONProgress: Sendable, Hashable {
    /// The number of bytes of the input that were decoded. For a compressed input, the number of compressed bytes.
    public var bytes: Int
    /// The length of the input in bytes; nil if the length is unknown, as for standard input.
    public var totalBytes: Int?
    /// The number of elements of a stream that were decoded, and of those before the checkpoint. A cursor or a loop receives the progress
    /// after it has taken these elements.
    public var elements: Int

    /// Creates a progress.
    package init(bytes: Int, totalBytes: Int? = nil, elements: Int = 0) {
        self.bytes = bytes
        self.totalBytes = totalBytes
        self.elements = elements
    }

    /// The decoded fraction, from 0 to 1; nil if the length of the input is unknown.
    public var fraction: Double? {
        totalBytes.map { $0 > 0 ? min(Double(bytes) / Double($0), 1) : 1 }
    }
}

/// The numbers of the elements of a stream, and the issues of the skipped ones, in groups.
///
/// The summary takes a limited amount of memory, however long the stream is.
public struct JSONStreamSummary: Sendable {
    private struct Key: Hashable {
        let kind: String
        let path: JSONPath
    }

    /// The greatest number of groups. Further issues are counted in ``otherIssues``.
    static let maximumGroupCount = 1_000

    /// The number of elements that were decoded, and taken from a cursor or in a loop.
    public package(set) var elements = 0
    /// The number of elements that failed and were left out.
    public package(set) var skipped = 0
    /// The issues of skipped elements, by kind and path, in the order of their first occurrences: the path, with wildcards instead of indexes,
    /// the number of issues, and the first of them.
    public private(set) var issues: [(path: JSONPath, count: Int, first: JSONIssue)] = []
    /// The number of issues in no group, because there were too many different ones.
    public private(set) var otherIssues = 0
    private var groups: [Key: Int] = [:]

    package init() {}

    package mutating func add(_ issue: JSONIssue) {
        let path = JSONPath(
            issue.path.components.map { component in if case .index = component { .anyIndex } else { component } })
        let key = Key(kind: issue.kind.name, path: path)
        if let group = groups[key] {
            issues[group].count += 1
        } else if issues.count < Self.maximumGroupCount {
            groups[key] = issues.count
            issues.append((path, 1, issue))
        } else {
            otherIssues += 1
        }
    }
}

extension JSONIssue.Kind {
    /// The name of the case.
    fileprivate var name: String { String("\(self)".prefix { $0 != "(" }) }
}

extension JSONStreamSummary: CustomStringConvertible {
    /// The numbers of elements, and one line for each group of issues, the most frequent first.
    public var description: String {
        var lines = [counted(elements, "element") + (skipped > 0 ? ", \(skipped) skipped" : "")]
        let groups = issues.enumerated().sorted { ($1.element.count, $0.offset) < ($0.element.count, $1.offset) }
        for (_, group) in groups {
            lines.append("\(group.count) × \(group.path.shortDescription): \(group.first.kind.problem)")
        }
        if otherIssues > 0 { lines.append(counted(otherIssues, "other issue")) }
        return lines.joined(separator: "\n")
    }

    private func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
}
