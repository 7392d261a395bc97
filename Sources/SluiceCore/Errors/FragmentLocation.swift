/// The location of a fragment of a document that is decoded later, for the issues in the fragment.
final class FragmentLocation: Sendable {
    private let path: JSONPath
    private let location: JSONLocation
    /// Whether the bytes of the fragment are bytes of the document, so that they have locations of their own.
    private let isExact: Bool

    /// - Parameter outer: The location of the fragment in which the path and the location begin; nil for the document.
    init(_ path: JSONPath, _ location: JSONLocation, isExact: Bool, in outer: FragmentLocation?) {
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
