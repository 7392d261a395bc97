import SluiceCore

/// Finds the end of the last complete element of a text, to which elements are appended.
struct FramedEnd {
    enum Verdict {
        /// Elements can follow after some bytes, which end the last element.
        case complete(first: [UInt8])
        /// The last element, which starts at an offset, is incomplete. Without this element, other elements can follow after some bytes,
        /// which end the element before.
        case incomplete(from: Int, first: [UInt8] = [])
        /// The text has another framing.
        case foreign
    }

    private let rules: any FramingRules
    private var offset: Int
    /// The offset at which the last element, its line or its event starts.
    private var start: Int
    /// The last bytes before the next ones, or line breaks before the start of the text.
    private var last: (UInt8, UInt8) = (UInt8(ascii: "\n"), UInt8(ascii: "\n"))
    /// Finds the data of the last element; nil if the text consists of values, or no byte follows the start of the element.
    private var splitter: (any ValueSplitter)?
    private var value = LastValue()
    /// The first bytes of the text, as many as a byte order mark has.
    private var head: [UInt8] = []
    /// Whether the last element does not begin as in the framing.
    private var isForeign = false

    /// - Parameter offset: The offset of the first byte, which starts an element.
    init(_ framing: JSONFraming, at offset: Int = 0) {
        rules = framing.rules
        (self.offset, start) = (offset, offset)
    }

    /// An offset that is not after the start of the last element.
    var lastStart: Int { rules.hasVisibleBorders ? start : value.start }

    /// Consumes the next bytes of the text.
    mutating func consume(_ bytes: UnsafeBufferPointer<UInt8>) {
        if bytes.isEmpty { return }
        var rest = bytes
        if offset == head.count { head += bytes.prefix(Encoding.byteOrderMark.count - head.count) }
        if offset == 0, Encoding.hasByteOrderMark(bytes) { rest = UnsafeBufferPointer(rebasing: rest.dropFirst(3)) }
        if let count = rules.lastStart(in: rest, after: last) {
            start = offset + (bytes.count - rest.count) + count
            rest = UnsafeBufferPointer(rebasing: rest.dropFirst(count))
            (value, splitter, isForeign) = (LastValue(), nil, false)
        }
        if !rest.isEmpty { consumeElement(rest, at: offset + bytes.count - rest.count) }
        offset += bytes.count
        last = bytes.count > 1 ? (bytes[bytes.count - 2], bytes[bytes.count - 1]) : (last.1, bytes[0])
    }

    private mutating func consumeElement(_ bytes: UnsafeBufferPointer<UInt8>, at offset: Int) {
        guard rules.hasVisibleBorders, let splitter = splitter ?? rules.splitter(at: LineCount(offset: offset))
        else {
            return value.consume(bytes, at: offset)
        }
        self.splitter = splitter
        var rest = bytes
        while let piece = splitter.next(in: &rest) { consume(piece) }
    }

    private mutating func consume(_ piece: ValuePiece) {
        switch piece {
        case .part(let bytes, _): value.consume(bytes)
        case .text(let bytes, _): bytes.withUnsafeBufferPointer { value.consume($0) }
        case .stray: isForeign = rules.rejectsStrayInRange
        case .cut: break
        }
    }

    /// Ends the text.
    mutating func finish() -> Verdict {
        // A byte order mark that was cut.
        if !head.isEmpty, head.count == offset, head.count < Encoding.byteOrderMark.count,
            Encoding.byteOrderMark.starts(with: head)
        {
            return .incomplete(from: 0)
        }
        if let splitter {
            if let piece = splitter.finish() { consume(piece) }
            // The end of a line is also the end of a number.
            if last.1.endsLine { consume(.text([last.1], isLast: false)) }
        } else if rules.hasVisibleBorders {
            return .complete(first: [])
        }
        if isForeign { return .foreign }
        if value.isIncomplete {
            let isAfterScalar = !rules.hasVisibleBorders && value.followsScalar
            return .incomplete(from: lastStart, first: isAfterScalar ? rules.suffix : [])
        }
        return .complete(first: rules.separator(after: value, endingWith: last.1))
    }
}

/// The last of several consecutive values.
struct LastValue {
    /// Finds the ends of the values; nil before the first byte.
    private var splitter: ConcatenatedSplitter?
    private var isBetween = true
    private var isScalar = false
    /// The first bytes of a number or literal, as many as distinguish a literal.
    private var first: [UInt8] = []
    /// The offset after the last value that has ended.
    private var end = 0
    /// The offset of the value.
    private(set) var start = 0
    private(set) var isEmpty = true
    /// Whether no white space divides the value from a number or literal before.
    private(set) var followsScalar = false

    /// Whether the value is a number or literal that further bytes would continue.
    var isOpen: Bool { !isBetween && isScalar }

    /// Whether the value lacks its end, or is a number whose last digits may be missing.
    var isIncomplete: Bool {
        !isBetween && !(isScalar && ["true", "false", "null"].contains { first.elementsEqual($0.utf8) })
    }

    /// - Parameter offset: The offset of the first bytes.
    mutating func consume(_ bytes: UnsafeBufferPointer<UInt8>, at offset: Int = 0) {
        let splitter = splitter ?? ConcatenatedSplitter(at: LineCount(offset: offset))
        self.splitter = splitter
        var rest = bytes
        while case .part(let part, let isLast)? = splitter.next(in: &rest) {
            if isBetween, let byte = part.first {
                let isAfterScalar = isScalar && end == splitter.start.offset
                isScalar = byte != UInt8(ascii: "{") && byte != UInt8(ascii: "[") && byte != UInt8(ascii: "\"")
                (followsScalar, start, isEmpty, first) = (isAfterScalar, splitter.start.offset, false, [])
            }
            if isScalar { first += part.prefix(6 - first.count) }
            isBetween = isLast
            if isLast { end = splitter.position.offset }
        }
    }
}
