import SluiceCore

/// The part of a file before a range, which is read when the range, an issue or a position needs its lines and elements.
final class RangeOrigin: Sendable {
    /// The part of a file before an offset.
    struct Preceding: Sendable {
        let lines: LineCount
        let elements: Int
    }

    private let text: RangeText
    private let file: String
    private let framing: JSONFraming
    /// The path of the elements in each value.
    private let path: JSONPath
    private let decoder: JSONModelDecoder
    private let result = Lock<Result<Preceding, JSONModelError>?>(nil)

    /// - Parameters:
    ///   - text: The text of the range, whose lines and index count from the range.
    ///   - path: The path of the elements in each value.
    ///   - decoder: The source and the limits.
    init(
        of text: RangeText, in file: String, _ framing: JSONFraming, at path: JSONPath,
        _ decoder: JSONModelDecoder
    ) {
        (self.text, self.file, self.framing, self.path, self.decoder) = (text, file, framing, path, decoder)
    }

    /// Returns the lines and elements of the file before the text. The first call reads this part of the file.
    ///
    /// - Throws: An error if the part cannot be read, or the range does not begin between two elements.
    func preceding() throws(JSONModelError) -> Preceding {
        try result.withLock { result in
            let known = result ?? Result { () throws(JSONModelError) in try read() }
            result = known
            return known
        }.get()
    }

    // MARK: Issues

    /// Returns an issue of the range with its location and index in the whole file. The line is 0 if the file can no longer be read.
    func located(_ issue: JSONIssue) -> JSONIssue {
        if issue.kind.isOfReading { return issue }
        var issue = issue
        guard let preceding = try? preceding() else {
            issue.location.line = 0
            return issue
        }
        if issue.location.line == text.origin.lines + 1 {
            issue.location.column += text.origin.lineStart - preceding.lines.lineStart
        }
        issue.location.line += preceding.lines.lines - text.origin.lines
        issue.elementIndex = issue.elementIndex.map { $0 + preceding.elements }
        return issue
    }

    /// Returns an error of the range with the locations and indexes of the whole file.
    func located(_ error: JSONModelError) -> JSONModelError {
        JSONModelError(issues: error.issues.map { located($0) })
    }

    // MARK: The part before the range

    private func read() throws(JSONModelError) -> Preceding {
        let search = try BorderSearch(FileReader(file))
        guard let splitter = framing.splitter(at: try search.textStart()) else { return try readElements(search) }
        var elements = 0
        try search.forEachWindow(from: splitter.position.offset, to: text.bytes.lowerBound) { bytes in
            var rest = bytes
            while let piece = splitter.next(in: &rest) { if piece.isEnd { elements += 1 } }
        }
        let position = splitter.position
        if (splitter as? ConcatenatedSplitter)?.isInContainerOrString == true { throw isNoBorder(search) }
        // The range begins with the byte that shows the end of the value before.
        switch splitter.finish() {
        // The lines before the first event have no value.
        case nil, .stray?: break
        case .part?, .text?, .cut?: elements += 1
        }
        return Preceding(lines: position, elements: path.selectsSeveral ? try elementsOfValues() : elements)
    }

    /// Counts the elements of the values before the range, of which each may have several, with the values and elements that a stream
    /// would skip.
    private func elementsOfValues() throws(JSONModelError) -> Int {
        if text.bytes.lowerBound == 0 { return 0 }
        var decoder = JSONModelDecoder()
        (decoder.source, decoder.limits) = (self.decoder.source, self.decoder.limits)
        decoder.elementErrors = .skip
        let memory = UnsafeMutablePointer<JSONRaw>.allocate(capacity: 1)
        defer { memory.deallocate() }
        let stream = try ElementStream(
            decoder, JSONShape.unretained(of: JSONRaw.self), at: path, framing: framing, target: memory,
            lendsElements: true
        ) { _ in true }
        let input = JSONFileInput(.success(file), range: 0..<text.bytes.lowerBound)
        try input.withContent { content throws(JSONModelError) in try stream.read(content) }
        return stream.summary.elements + stream.summary.skipped
    }

    /// Reads the elements of a document before the range.
    private func readElements(_ search: BorderSearch) throws(JSONModelError) -> Preceding {
        let comma = text.beginsArray ? 0 : 1
        let start = try search.firstByte(from: text.bytes.lowerBound + comma)?.offset
        var first: JSONElementPosition?
        try decoder.forEachPosition(inFile: file, at: path, framing) { position in
            if position.start.offset < text.bytes.lowerBound { return true }
            first = position
            return false
        }
        guard let first, first.start.offset == start else { throw isNoBorder(search) }
        return Preceding(
            lines: try search.origin(at: text.bytes.lowerBound, before: LineCount(before: first.start)),
            elements: first.index)
    }

    private func isNoBorder(_ search: BorderSearch) -> JSONModelError {
        search.error(text.bytes, "no element begins there")
    }
}

extension ValuePiece {
    /// Whether the piece is the last one of a value.
    fileprivate var isEnd: Bool {
        switch self {
        case .part(_, let isLast), .text(_, let isLast): isLast
        case .stray, .cut: true
        }
    }
}

extension JSONModelDecoder {
    /// Calls a closure with the position of each element of a file, until the closure returns false. Of the options, only the source and
    /// the limits apply.
    func forEachPosition(
        inFile file: String, at path: JSONPath, _ framing: JSONFraming,
        progressHandler: (@Sendable (JSONProgress) -> Void)? = nil, _ body: (JSONElementPosition) -> Bool
    ) throws(JSONModelError) {
        typealias Element = JSONPositioned<JSONRaw>
        var decoder = JSONModelDecoder()
        (decoder.source, decoder.limits, decoder.progressHandler) = (source, limits, progressHandler)
        let memory = UnsafeMutablePointer<Element>.allocate(capacity: 1)
        defer { memory.deallocate() }
        try withoutActuallyEscaping(body) { body throws(JSONModelError) in
            let stream = try ElementStream(
                decoder, JSONShape.unretained(of: Element.self), at: path, framing: framing, target: memory
            ) { address in body(address.assumingMemoryBound(to: Element.self).move().position) }
            let input = JSONFileInput(.success(file))
            try input.withContent { content throws(JSONModelError) in try stream.read(content) }
        }
    }
}
