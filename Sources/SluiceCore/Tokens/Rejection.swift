/// An error that ended the input.
///
/// A class, so that a source, which is moved several times, has a reference instead of a large structure.
final class Rejection {
    private let issue: JSONIssue
    /// The excerpt, in place of that of the issue, if bytes after the error belong to it.
    var excerpt: Excerpt?

    init(_ issue: JSONIssue, excerpt: Excerpt? = nil) {
        self.issue = issue
        self.excerpt = excerpt
    }

    /// The error with the known part of the excerpt.
    var error: JSONModelError {
        var issue = issue
        if let excerpt {
            issue.excerpt = excerpt.text
            issue.hint = hint
        }
        return JSONModelError(issues: [issue])
    }

    /// The error without the bytes after the byte at fault, on which only the hint depends.
    var shortError: JSONModelError {
        var issue = issue
        if let excerpt {
            issue.excerpt = excerpt.shortText
            issue.hint = hint
        }
        return JSONModelError(issues: [issue])
    }

    /// The hint, as far as the collected bytes of the excerpt show.
    private var hint: String? {
        guard let excerpt, issue.hint == nil else { return issue.hint }
        if excerpt.beginsWithMark { return SyntaxDiagnosis.markHint }
        switch issue.kind {
        // The hints are for values.
        case .syntax(SyntaxDiagnosis.keyWithoutQuotes): return nil
        case .syntax: return SyntaxDiagnosis.hint(for: excerpt.word)
        case .trailingContent where excerpt.first == UInt8(ascii: ","): return SyntaxDiagnosis.commaHint
        case .trailingContent:
            let isValue = excerpt.first.map { GrammarState.Token(firstByte: $0)?.beginsValue == true }
            return isValue == true ? SyntaxDiagnosis.severalValuesHint : nil
        default: return nil
        }
    }

    /// Whether the hint may depend on bytes that were not collected yet.
    var needsMoreForHint: Bool {
        guard let excerpt, issue.hint == nil else { return false }
        if excerpt.mayBeginWithMark { return true }
        guard case .syntax(let message) = issue.kind, message != SyntaxDiagnosis.keyWithoutQuotes else {
            return false
        }
        return excerpt.isWordOpen && SyntaxDiagnosis.mayHaveHint(excerpt.word)
    }
}

// Locations and excerpts of issues.

extension LookbackBuffer {
    fileprivate init(whole text: UnsafeBufferPointer<UInt8>) {
        self.init()
        begin(text)
        if Encoding.hasByteOrderMark(text) { dropByteOrderMark() }
    }

    /// Returns the issue with the location and excerpt of the token from `start` to `end`.
    mutating func located(_ issue: JSONIssue, from start: Int, to end: Int) -> JSONIssue {
        var issue = issue
        let location = location(of: start)
        let lineStart = start - location.column + 1
        issue.location = location
        issue.excerpt = excerpt(from: start, to: end, lineStart: lineStart)
        return issue
    }

    /// Returns a syntax issue with its location, and the excerpt if it shows bytes after the error.
    ///
    /// - Parameter limit: The offset of the document limit, beyond which the excerpt does not extend.
    mutating func rejected(_ issue: JSONIssue, at offset: Int, limit: Int) -> Rejection {
        guard issue.kind.showsWhatFollows else {
            return Rejection(located(issue, from: offset, to: issue.kind.shownEnd(from: offset, in: self)))
        }
        var issue = issue
        issue.location = location(of: offset)
        let lineStart = offset - issue.location.column + 1
        return Rejection(issue, excerpt: excerpt(at: offset, lineStart: lineStart, limit: limit))
    }

    /// Returns the location of an offset, which must be retained.
    mutating func location(of start: Int) -> JSONLocation {
        let line = line(of: start)
        return JSONLocation(offset: start, line: line.number, column: start - line.start + 1)
    }

    /// Returns the bytes before a location that an excerpt shows.
    func context(of location: JSONLocation) -> [UInt8] {
        let lineStart = location.offset - location.column + 1
        return bytes(
            from: max(lineStart, location.offset - (LookbackBuffer.reach - 4), chunkOffset - tail.count),
            to: location.offset)
    }
}

extension JSONIssue.Kind {
    /// Returns the end of the bytes that an excerpt shows at `offset`: one byte, or the part of an overlong token that is
    /// available for every division of the input into chunks.
    func shownEnd(from offset: Int, in text: LookbackBuffer) -> Int {
        if case .limitExceeded(let name, let limit) = self, [.number, .string, .key].contains(name) {
            return offset + min(max(limit, 1), LookbackBuffer.reach)
        }
        return min(offset + 1, text.end)
    }
}

extension JSONIssue.Kind {
    /// Whether the issue is a syntax error, whose excerpt also shows the bytes behind the error.
    package var showsWhatFollows: Bool {
        switch self {
        case .syntax, .trailingContent, .invalidUTF8, .loneSurrogate: true
        default: false
        }
    }
}

extension JSONIssue {
    /// Returns the issue with the location and the excerpt of an offset of a text in memory.
    ///
    /// - Parameter limit: The limit of the document, beyond which the excerpt does not extend.
    package func relocated(
        to offset: Int, in text: UnsafeBufferPointer<UInt8>, limit: Int = .max
    ) -> JSONIssue {
        var buffer = LookbackBuffer(whole: text)
        return buffer.rejected(self, at: offset, limit: buffer.end(ofDocumentWithin: limit)).error.issues[0]
    }

    /// Returns the issue with the location and the excerpt of a token of a text in memory.
    package func relocated(to token: Range<Int>, in text: UnsafeBufferPointer<UInt8>) -> JSONIssue {
        var buffer = LookbackBuffer(whole: text)
        return buffer.located(self, from: token.lowerBound, to: token.upperBound)
    }
}
