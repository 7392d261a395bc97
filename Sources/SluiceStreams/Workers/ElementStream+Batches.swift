// Parts of a text that a stream decodes for another stream, on a thread of its own, and decoded parts that a stream receives. See
// `ParallelElements`.

import SluiceCore

// MARK: Decoding for another stream

extension ElementStream {
    /// The offset at which a part of a text begins in a stream that decodes the part for another stream. Greater than the length of the
    /// JSON that takes the place of the document before the part.
    static var partOrigin: Int { 1 << 20 }

    /// Begins with whole lines, at the offset `partOrigin`.
    func continueLines() {
        // Only the first line of an input may begin with a byte order mark.
        framer.begin(at: LineCount(offset: Self.partOrigin, lineStart: Self.partOrigin))
    }

    /// Begins a document after the first element of its array, at the offset `partOrigin`.
    func continueElements() throws(JSONModelError) {
        let steps = elements.missing.components.map { $0.isWildcard ? .index(0) : $0 }
        try elements.resume(
            at: JSONCheckpoint(after: JSONPath(steps), lines: LineCount(offset: Self.partOrigin)))
    }
}

// MARK: Receiving decoded elements

extension ElementStream {
    /// Decodes the next text of a document.
    ///
    /// - Returns: The offset after the last element that ends in the text; nil if none does.
    func decodeLocating(_ text: UnsafeBufferPointer<UInt8>) throws(JSONModelError) -> Int? {
        let start = framer.byteCount
        let locator = elements.locateElements()
        defer { elements.endLocating() }
        try decode(text)
        return locator.end.offset > start ? locator.end.offset : nil
    }

    /// The index of the next element in the open array of elements, or of the open element; nil if the array is not open.
    var elementIndex: Int? { elements.elementIndex }

    /// Whether the input may have several elements; nil before the first byte of a document that decides this.
    var hasSeveralElements: Bool? { framer.awaitsDocument ? nil : elements.selectsSeveral }

    /// Whether an array of elements was open, and has ended.
    var hasEndedArray: Bool { framer.isDocument && elementIndex == nil }

    /// Whether the next bytes can be skipped, if they are whole lines, or elements of the array with the commas before them.
    func canSkip(_ count: Int) -> Bool {
        if !framer.isDocument { return framer.isBetweenLines }
        return elements.isBetweenElements && framer.byteCount + count <= decoder.limits.document
    }

    /// Begins to receive elements that another stream has decoded. The stream then skips the elements, or fails.
    func beginPart(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let positions = reporter.positions else { return }
        let start = framer.position ?? elements.position ?? LineCount()
        positions.beginPart(bytes, at: start, firstIndex: elementIndex)
    }

    /// Skips lines, or elements with the commas before them, which were passed on.
    func skip(_ bytes: UnsafeBufferPointer<UInt8>, _ lines: LineCount, elements count: Int) {
        reporter.positions?.endPart(isDecoded: true)
        if framer.isDocument { elements.skip(bytes, lines, elements: count) }
        framer.skip(lines, count: bytes.count)
        reportProgress()
    }

    /// Ends the stream with the error that its receiver has thrown for an element.
    ///
    /// - Parameters:
    ///   - count: The number of elements that were passed on before, from the start of a text.
    ///   - text: The text.
    func fail(with error: any Error, after count: Int, in text: UnsafeBufferPointer<UInt8>) throws(JSONModelError) {
        reporter.reject(with: error, after: count)
        try decode(text)
    }
}
