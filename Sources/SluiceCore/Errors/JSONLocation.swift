/// A location in the input. In a compressed input, the location of an issue of JSON is that in the decompressed text.
public struct JSONLocation: Sendable, Hashable, CustomStringConvertible {
    /// The number of bytes before the location.
    public var offset: Int
    /// The line, from 1. Values in memory and compressed data have no lines, so their issues have line 0.
    public var line: Int
    /// The column, from 1, in bytes of UTF-8.
    public var column: Int

    /// Creates a location. The default is the first byte.
    public init(offset: Int = 0, line: Int = 1, column: Int = 1) {
        self.offset = offset
        self.line = line
        self.column = column
    }

    /// The location for error messages.
    public var description: String { "line \(line), column \(column), offset \(offset)" }
}

extension LineCount {
    /// The location of the offset.
    package var location: JSONLocation {
        JSONLocation(offset: offset, line: lines + 1, column: offset - lineStart + 1)
    }

    /// Creates the lines before a location.
    package init(before location: JSONLocation) {
        self.init(
            offset: location.offset, lines: location.line - 1, lineStart: location.offset - (location.column - 1))
    }
}

/// The location of a fragment of a document that is decoded later, for the issues in the fragment.
final class FragmentLocation: Sendable {
    private let path: JSONPath
    private let location: JSONLocation
    /// Whether the bytes of the fragment are bytes of the document, so that they have locations of their own.
    private let isExact: Bool
    /// The internal tags of the enums whose payload the fragment is. Its object has these keys besides its own.
    let tags: [String]

    /// - Parameter outer: The location of the fragment in which the path and the location begin; nil for the document.
    init(
        _ path: JSONPath, _ location: JSONLocation, isExact: Bool, tags: [String], in outer: FragmentLocation?
    ) {
        self.tags = tags
        self.path = JSONPath((outer?.path.components ?? []) + path.components)
        self.location = outer?.location(of: location) ?? location
        self.isExact = isExact && outer?.isExact ?? true
    }

    /// Returns an issue in the fragment with its path and location in the document.
    func located(_ issue: JSONIssue) -> JSONIssue {
        var issue = issue
        issue.path = JSONPath(path.components + issue.path.components)
        issue.location = location(of: issue.location)
        return issue
    }

    private func location(of inner: JSONLocation) -> JSONLocation {
        // Line 0 means that no location is known.
        guard isExact, location.line > 0, inner.line > 0 else { return location }
        return JSONLocation(
            offset: location.offset + inner.offset, line: location.line + inner.line - 1,
            column: inner.line == 1 ? location.column + inner.column - 1 : inner.column)
    }
}
