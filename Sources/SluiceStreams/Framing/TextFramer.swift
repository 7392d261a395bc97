import SluiceCore

/// Divides the text of an input into the extents of values.
///
/// The framer knows the form of the input: its framing, a byte order mark, white space before a document, and the text before a checkpoint
/// or a range. The framer does not know the elements. The other parts of a stream are `ElementDecoder` and `ElementReporter`.
final class TextFramer {
    let framing: JSONFraming
    /// Divides the text into values; nil if the text is a document.
    @exclusivity(unchecked) private var splitter: (any ValueSplitter)?
    let extent: TextExtent
    /// Finds the document in other text; nil if the whole text is the document.
    @exclusivity(unchecked) private var surroundings: FirstValueSplitter?
    /// The number of bytes of text.
    @exclusivity(unchecked) private(set) var byteCount = 0
    /// The number of bytes of a byte order mark at the start of the text so far, which were withheld; nil after the start of the text,
    /// and in a document without other text, whose source skips the mark.
    @exclusivity(unchecked) private var matchedMark: Int?
    /// The start of a document that is the only element unless the document is an array; nil after the decision.
    @exclusivity(unchecked) private var documentStart: DocumentStart?
    /// The ignored text before the checkpoint of a compressed file; nil after that text.
    @exclusivity(unchecked) private var ignoredText: TextBeforeCheckpoint?
    /// The part of a file that is read; nil for a whole input.
    @exclusivity(unchecked) private var range: (file: String, bytes: Range<Int>)?

    /// - Parameters:
    ///   - extent: The part of the text that is decoded. The whole text, unless the framing is a document or consecutive values.
    ///   - documentStart: The start of a document that may be the only element; nil for other inputs.
    init(_ framing: JSONFraming, _ extent: TextExtent = .whole, documentStart: DocumentStart? = nil) {
        (self.framing, self.extent) = (framing, extent)
        splitter = Self.splitter(framing, extent, at: LineCount())
        if framing == .document, extent != .whole { surroundings = FirstValueSplitter(extent, at: LineCount()) }
        matchedMark = splitter == nil && surroundings == nil ? nil : 0
        self.documentStart = documentStart
    }

    /// Whether the text is one document, which has no border to find.
    var isDocument: Bool { splitter == nil }

    /// Counts the next text.
    func add(_ text: UnsafeBufferPointer<UInt8>) { byteCount += text.count }

    // MARK: The start of the text

    /// Continues at a position that is not the start of the text.
    func begin(at position: LineCount) {
        splitter = Self.splitter(framing, extent, at: position)
        if surroundings != nil { surroundings = FirstValueSplitter(extent, at: position) }
        matchedMark = nil
    }

    private static func splitter(
        _ framing: JSONFraming, _ extent: TextExtent, at position: LineCount
    ) -> (any ValueSplitter)? {
        framing == .concatenated && extent != .whole
            ? FirstValueSplitter(extent, at: position) : framing.splitter(at: position)
    }

    /// Continues at the offset of a checkpoint.
    func resume(at offset: Int) { byteCount = offset }

    /// Ignores the text before the checkpoint of a compressed file.
    func ignore(_ text: TextBeforeCheckpoint) { ignoredText = text }

    var isIgnoring: Bool { ignoredText != nil }

    /// Removes text before the checkpoint.
    ///
    /// - Returns: The sample of the whole text before the checkpoint; nil if a part of the text follows.
    func removeIgnored(from text: inout UnsafeBufferPointer<UInt8>) throws(JSONModelError) -> TextSample? {
        guard let sample = try ignoredText?.remove(from: &text) else { return nil }
        ignoredText = nil
        return sample
    }

    /// Throws an error if the text has ended before the checkpoint.
    func checkIgnored() throws(JSONModelError) { if let ignoredText { throw ignoredText.shortError } }

    /// Whether the next byte may belong to a byte order mark.
    var awaitsMark: Bool { matchedMark != nil }

    /// Removes the bytes of a byte order mark from the front of the text. Withholds the first bytes of a mark.
    ///
    /// - Returns: The number of withheld bytes that are no mark, and precede the text.
    func removeMark(from text: inout UnsafeBufferPointer<UInt8>) -> Int {
        while let matched = matchedMark, let byte = text.first {
            guard byte == Encoding.byteOrderMark[matched] else { return releaseMark() }
            text = UnsafeBufferPointer(rebasing: text.dropFirst())
            matchedMark = matched + 1
            guard matched + 1 == Encoding.byteOrderMark.count else { continue }
            begin(at: LineCount(offset: matched + 1, lineStart: matched + 1))
            byteCount += matched + 1
        }
        return 0
    }

    /// Ends the start of the text. Returns the number of withheld bytes, which are no byte order mark.
    func releaseMark() -> Int {
        defer { matchedMark = nil }
        return matchedMark ?? 0
    }

    /// Whether the first byte of a document is awaited, which decides whether the document is the only element.
    var awaitsDocument: Bool { documentStart != nil }

    /// Removes white space before a document. Returns whether the document is an array; nil if its first byte follows later.
    func isArray(_ text: inout UnsafeBufferPointer<UInt8>) -> Bool? { documentStart?.isArray(&text) ?? nil }

    /// Ends the start of a document. Returns the white space that is kept; nil without such a start.
    func takeDocumentStart() -> DocumentStart? {
        // A text without a document has an empty one at its end.
        if let surroundings { documentStart?.begin(after: surroundings.start) }
        return documentStart.take()
    }

    // MARK: A document in other text

    /// The lines before the document.
    var documentOrigin: LineCount { surroundings?.start ?? LineCount() }

    /// Removes text around the document. Returns the offset after the rest of the text, which belongs to the document; nil if none does.
    func removeSurroundings(from text: inout UnsafeBufferPointer<UInt8>) -> Int? {
        guard let surroundings else { return byteCount }
        guard case .part(let bytes, _)? = surroundings.next(in: &text) else { return nil }
        text = bytes
        return surroundings.position.offset
    }

    // MARK: Values

    /// The position of the current value.
    var valueStart: LineCount { splitter?.start ?? LineCount() }

    /// The offset after the last value, which has just ended; 0 for a value in memory.
    var valueEnd: Int { splitter?.position.offset ?? 0 }

    /// The position after the values so far, if the text is not a document.
    var position: LineCount? { (splitter as? LineSplitter)?.position }

    /// Removes the next piece of a value from the front of a text. Returns nil if the text is consumed.
    func next(in text: inout UnsafeBufferPointer<UInt8>) -> ValuePiece? { splitter?.next(in: &text) }

    /// Ends the text. Returns the end of the current value, if a value is open.
    func finish() throws(JSONModelError) -> ValuePiece? {
        if range != nil, let splitter = splitter as? ConcatenatedSplitter, splitter.isInContainerOrString {
            throw rangeError("the range ends inside of a value")
        }
        let piece = splitter?.finish()
        // The lines after a range may be those of events.
        if range != nil, !framing.rules.rejectsStrayInRange, case .stray? = piece { return nil }
        return piece
    }

    /// The message of bytes that belong to no value.
    var strayMessage: String { framing.rules.strayMessage }

    /// Replaces the advice for an input of several values, which has been followed.
    func adviseOnTrailingContent(_ error: inout JSONModelError) {
        if isDocument { return }
        for index in error.issues.indices where error.issues[index].hint == SyntaxDiagnosis.severalValuesHint {
            error.issues[index].hint = framing.rules.severalValuesHint
        }
    }

    // MARK: Lines that another stream has divided

    /// Whether the next byte begins a line.
    var isBetweenLines: Bool { (splitter as? LineSplitter)?.isBetweenLines == true }

    /// Skips whole lines.
    func skip(_ lines: LineCount, count: Int) {
        (splitter as? LineSplitter)?.skip(lines)
        byteCount += count
    }

    // MARK: Ranges of a file

    /// Begins at the start of a range.
    func begin(_ text: RangeText, of file: String) {
        range = (file, text.bytes)
        byteCount = text.bytes.lowerBound
    }

    /// Whether a range of a file is read.
    var readsRange: Bool { range != nil }

    /// The number of bytes of the text that were read.
    var readCount: Int { byteCount - (range?.bytes.lowerBound ?? 0) }

    func rangeError(_ reason: String) -> JSONModelError {
        guard let range else { return JSONModelError(.invalidRange(reason)) }
        return JSONFileRange.error(range.bytes, of: range.file, reason)
    }
}
