// Locations and excerpts of issues.

extension LookbackBuffer {
    /// The issue with its place: line, column and excerpt of the token from `start` to `end`.
    mutating func located(_ issue: JSONIssue, from start: Int, to end: Int) -> JSONIssue {
        var issue = issue
        let place = place(of: start)
        let lineStart = start - place.column + 1
        issue.location = place
        issue.excerpt = excerpt(from: start, to: end, lineStart: lineStart)
        return issue
    }

    /// The issue of an error in the text, with its place, and its excerpt where that shows what follows.
    ///
    /// - Parameter limit: the offset at which the text may be no longer.
    mutating func refused(_ issue: JSONIssue, at offset: Int, limit: Int) -> (JSONIssue, Excerpt?) {
        var issue = located(issue, from: offset, to: issue.kind.shownEnd(from: offset, in: self))
        guard issue.kind.showsWhatFollows else { return (issue, nil) }
        let excerpt = excerpt(at: offset, lineStart: offset - issue.location.column + 1, limit: limit)
        issue.excerpt = excerpt.text
        return (issue, excerpt)
    }

    /// The place of an offset that is retained.
    mutating func place(of start: Int) -> JSONLocation {
        let line = line(of: start)
        return JSONLocation(offset: start, line: line.number, column: start - line.start + 1)
    }

    /// The bytes before a location that an excerpt shows.
    func context(of place: JSONLocation) -> [UInt8] {
        let lineStart = place.offset - place.column + 1
        return bytes(
            from: max(lineStart, place.offset - (LookbackBuffer.reach - 4), chunkOffset - tail.count),
            to: place.offset)
    }
}

extension JSONIssue.Kind {
    /// Up to where an excerpt shows what is at `offset`: a byte, or of a token that is too long as much as has come
    /// in any case, however the text was cut.
    func shownEnd(from offset: Int, in text: LookbackBuffer) -> Int {
        if case .limitExceeded(let name, let limit) = self, [.number, .string, .key].contains(name) {
            return offset + min(max(limit, 1), LookbackBuffer.reach)
        }
        return min(offset + 1, text.end)
    }
}

extension JSONIssue.Kind {
    /// Whether it is an error in the text, whose excerpt shows what follows.
    var showsWhatFollows: Bool {
        switch self {
        case .syntax, .trailingContent, .invalidUTF8, .loneSurrogate: true
        default: false
        }
    }
}
