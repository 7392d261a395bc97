import SluiceCore

/// Determines the positions of the elements of a stream.
final class ElementPositions {
    /// Finds the ranges of elements that are parts of a value.
    let locator = ElementRanges()
    /// The offset of the position in an element.
    private let offset: Int
    /// The shape of the elements if they are optional, else nil.
    private let optional: JSONShape?
    /// The current value, in framings other than a document.
    private var valueStart = LineCount()
    private var valueEnd = LineCount()
    /// Whether the current element is a value, in framings other than a document.
    private var isLocated = false
    /// The position after the bytes of the value so far.
    private var position = LineCount()
    /// The bytes by which a checkpoint recognizes the text.
    var sample = TextSample()
    /// The digests of the text before the current value, and before the end of its bytes so far.
    private var startDigest: Int64?
    private var endDigest: Int64?
    /// The number of elements of the current value so far.
    private var elementsInValue = 0
    /// The part of the text whose elements are passed on, if another stream has decoded the part.
    private var part: Part?
    /// The bytes before the part.
    private var sampleBeforePart = TextSample()

    /// Creates the positions of elements, or returns nil if the elements have none.
    init?(_ layout: LayoutReference) {
        let shape = layout.shape
        guard let offset = shape.positionOffset else { return nil }
        self.offset = offset
        optional = layout.isOptional ? shape : nil
    }

    /// Counts the bytes of a value.
    func advance(over piece: ValuePiece, from start: LineCount) {
        if start.offset != valueStart.offset || valueEnd.offset == 0 {
            (valueStart, valueEnd, position, elementsInValue) = (start, start, start, 0)
            startDigest = sample.digest(before: start.offset)
        }
        switch piece {
        case .part(let bytes, _): advance(over: bytes)
        case .text(let bytes, _): bytes.withUnsafeBufferPointer { advance(over: $0) }
        case .stray, .cut: break
        }
    }

    private func advance(over bytes: UnsafeBufferPointer<UInt8>) {
        if let last = bytes.lastIndex(where: { !$0.isBlank }) {
            position.advance(over: UnsafeBufferPointer(rebasing: bytes[...last]))
            valueEnd = position
            endDigest = sample.digest(before: position.offset)
            position.advance(over: UnsafeBufferPointer(rebasing: bytes[(last + 1)...]))
        } else {
            position.advance(over: bytes)
        }
    }

    /// Sets the range of an element that is a value.
    func locateValue() {
        locator.set(from: valueStart.location, to: valueEnd.location)
        isLocated = true
    }

    /// Sets the position of an element.
    ///
    /// - Parameter isEnclosed: Whether the element is one of several in a value of a stream.
    func set(_ element: UnsafeMutableRawPointer, index: Int, isEnclosed: Bool) {
        if let optional, !optional.hasPosition(element) {
            // Nil has no position, but counts.
            if part == nil { elementsInValue += 1 }
            return
        }
        let target = (element + offset).assumingMemoryBound(to: JSONElementPosition.self)
        if let part {
            part.move(&target.pointee)
            target.pointee.index = index
            target.pointee.digest = sample.digest(before: target.pointee.end.offset)
            return
        }
        var position = JSONElementPosition()
        (position.index, position.path) = (index, locator.path)
        (position.start, position.end) = (locator.start, locator.end)
        if isEnclosed {
            position.enclosing = .init(start: valueStart.location, elements: elementsInValue)
            position.digest = startDigest
        } else {
            position.digest = isLocated ? endDigest : sample.digest(before: locator.end.offset)
        }
        elementsInValue += 1
        target.pointee = position
    }

    /// Counts an element of the current value that is skipped.
    func countSkipped() { elementsInValue += 1 }

    // MARK: Parts of the text that other streams decode

    /// Begins a part of the text. Its elements have positions in the part, until `set` moves them to the text.
    ///
    /// - Parameters:
    ///   - start: The position of the part in the text.
    ///   - firstIndex: The index of the first element in its array; nil if each element is a value.
    func beginPart(_ bytes: UnsafeBufferPointer<UInt8>, at start: LineCount, firstIndex: Int?) {
        part = Part(start: start, firstIndex: firstIndex)
        sampleBeforePart = sample
        sample.begin(bytes)
    }

    /// Ends the part.
    ///
    /// - Parameter isDecoded: Whether the elements of the part were passed on. If not, the stream decodes the part.
    func endPart(isDecoded: Bool) {
        guard part != nil else { return }
        part = nil
        if isDecoded { sample.end() } else { sample = sampleBeforePart }
    }

    /// A part of the text. In the stream that has decoded the part, the part begins in the first line, at the offset `partOrigin`, and
    /// one element is before the first one of the part.
    private struct Part {
        let start: LineCount
        let firstIndex: Int?

        /// Moves a position from the part to the text.
        func move(_ position: inout JSONElementPosition) {
            (position.start, position.end) = (location(of: position.start), location(of: position.end))
            if let firstIndex, case .index(let index) = position.path.components.last {
                position.path.components[position.path.components.count - 1] = .index(firstIndex + index - 1)
            }
        }

        private func location(of location: JSONLocation) -> JSONLocation {
            let offset = start.offset + location.offset - ElementStream.partOrigin
            return JSONLocation(
                offset: offset, line: start.lines + location.line,
                column: location.line == 1 ? offset - start.lineStart + 1 : location.column)
        }
    }
}
