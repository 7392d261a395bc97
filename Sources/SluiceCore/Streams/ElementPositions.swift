/// Determines the positions of the elements of a stream.
final class ElementPositions {
    /// Finds the ranges of elements that are parts of a value.
    let locator = ElementLocator()
    /// The offset of the position in an element.
    private let offset: Int
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
    private var startDigest: Int?
    private var endDigest: Int?
    /// The number of elements of the current value so far.
    private var elementsInValue = 0

    /// Creates the positions of elements, or returns nil if the elements have none.
    init?(_ layout: LayoutReference) {
        guard let offset = layout.shape.positionOffset else { return nil }
        self.offset = offset
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
        (element + offset).assumingMemoryBound(to: JSONElementPosition.self).pointee = position
    }
}
