import SluiceCore

/// The rules of server-sent events, or of events of which each line of data is a value.
struct EventRules: FramingRules {
    let endsWithLine: Bool
    var strayMessage: String { "no line begins with a field of events, such as data:" }
    var prefix: [UInt8] { Array("data: ".utf8) }
    var suffix: [UInt8] { Array((endsWithLine ? "\n" : "\n\n").utf8) }
    var isDividedByLines: Bool { true }

    func splitter(at position: LineCount) -> (any ValueSplitter)? {
        EventSplitter(at: position, endsWithLine: endsWithLine)
    }

    func border(from offset: Int, in search: BorderSearch) throws(JSONModelError) -> Int {
        var ends = LineEnds(from: offset, textStart: try search.textStart().offset, onlyBlank: !endsWithLine)
        return try search.first(from: ends.start, to: search.length) { ends.end(in: $1, at: $0) } ?? search.length
    }

    func lastStart(in bytes: UnsafeBufferPointer<UInt8>, after last: (UInt8, UInt8)) -> Int? {
        if endsWithLine { return bytes.lastIndex(where: \.endsLine).map { $0 + 1 } }
        func byte(_ index: Int) -> UInt8 { index >= 0 ? bytes[index] : index == -1 ? last.1 : last.0 }
        // After an empty line.
        return bytes.indices.last { index in
            guard byte(index).endsLine else { return false }
            let isPair = byte(index) == UInt8(ascii: "\n") && byte(index - 1) == UInt8(ascii: "\r")
            return byte(isPair ? index - 2 : index - 1).endsLine
        }.map { $0 + 1 }
    }

    func separator(after value: LastValue, endingWith last: UInt8) -> [UInt8] {
        endsWithLine && last.endsLine ? [] : suffix
    }
}

/// Finds the end of the first line, or of the first blank line, that ends at or after an offset. Lines end with LF, CR or CRLF.
private struct LineEnds {
    /// The offset from which the bytes are examined. Two ends of lines have at most four bytes.
    let start: Int
    private let minimum: Int
    private let onlyBlank: Bool
    /// The start of the current line; that of the text in a line whose start was not examined.
    private var lineStart: Int
    private var followsReturn = false

    init(from offset: Int, textStart: Int, onlyBlank: Bool) {
        (minimum, self.onlyBlank, lineStart) = (offset, onlyBlank, textStart)
        start = max(offset - 4, textStart)
    }

    mutating func end(in bytes: UnsafeBufferPointer<UInt8>, at offset: Int) -> Int? {
        for (index, byte) in bytes.enumerated() {
            let position = offset + index
            let isFeed = byte == UInt8(ascii: "\n")
            if followsReturn || isFeed {
                let first = followsReturn ? position - 1 : position
                if let end = endLine(at: first, before: isFeed ? position + 1 : position) { return end }
            }
            followsReturn = byte == UInt8(ascii: "\r")
        }
        return nil
    }

    /// - Parameters:
    ///   - position: The offset of the end of the line.
    ///   - next: The start of the next line.
    /// - Returns: The start of the next line, if the line is wanted.
    private mutating func endLine(at position: Int, before next: Int) -> Int? {
        defer { lineStart = next }
        return next >= minimum && (!onlyBlank || lineStart == position) ? next : nil
    }
}

/// Divides an event stream into the data of its server-sent events, as the HTML standard defines. The lines of an event's data
/// are one value, with a line break between the lines, or each line is a value.
///
/// Lines end with LF, CR or CRLF. Bytes between two lines of data are replaced by white space, so that locations are those of the
/// input. An event whose data is white space or `[DONE]` is ignored. The last event needs no blank line.
///
/// The standard ignores a line without the name of a field. A text that has only such lines is none of events, such as the page of an error.
final class EventSplitter: ValueSplitter {
    private enum State {
        /// At the start of a line, or in the name of a field: the number of bytes that are those of `data`.
        case name(matched: Int)
        /// After the colon of a line with data.
        case beforeData
        case data
        /// In a line without data.
        case ignored
    }

    private static let field = Array("data".utf8)
    private static let end = Array("[DONE]".utf8)
    private(set) var position: LineCount
    private var state = State.name(matched: 0)
    /// Whether the last byte was CR. A following LF belongs to the same end of a line.
    private var followsReturn = false
    /// Whether a part of the current event's data has been returned.
    private var hasValue = false
    /// Data that may be the beginning of `[DONE]`.
    private var held: [UInt8] = []
    private var gap = Gap()
    /// The lines before the first field or comment; nil after them.
    private var opening: Opening?
    private(set) var start: LineCount
    /// Whether each line of data is a value.
    private let endsWithLine: Bool

    init(at position: LineCount, endsWithLine: Bool = false) {
        (self.position, start, self.endsWithLine) = (position, position, endsWithLine)
        // The lines before a position that is neither the start of the text nor the end of a byte order mark are not known.
        opening = position.offset <= Encoding.byteOrderMark.count ? Opening() : nil
    }

    func next(in chunk: inout UnsafeBufferPointer<UInt8>) -> ValuePiece? {
        if opening?.consume(chunk, at: position) == true { opening = nil }
        while let byte = chunk.first {
            if followsReturn, byte == UInt8(ascii: "\n") {
                followsReturn = false
                discard(1, of: &chunk)
                position.lineStart = position.offset
                gap.moveLineStart()
                continue
            }
            followsReturn = false
            switch state {
            case .name(let matched):
                if byte.endsLine {
                    endLine(&chunk)
                    if matched == 0, let piece = endEvent() { return piece }
                } else if matched < Self.field.count ? byte == Self.field[matched] : byte == UInt8(ascii: ":") {
                    discard(1, of: &chunk)
                    state = matched < Self.field.count ? .name(matched: matched + 1) : .beforeData
                } else {
                    state = .ignored
                }
            case .ignored:
                discard(chunk.lengthOfLine, of: &chunk)
                if !chunk.isEmpty { endLine(&chunk) }
            case .beforeData:
                if byte == UInt8(ascii: " ") { discard(1, of: &chunk) }
                state = .data
            case .data:
                if let piece = data(&chunk) { return piece }
            }
        }
        return nil
    }

    func finish() -> ValuePiece? {
        if let line = opening?.foreignLine {
            (start, opening) = (line, nil)
            return .stray
        }
        return endEvent()
    }

    /// Removes bytes that are not data and not the end of a line.
    private func discard(_ count: Int, of chunk: inout UnsafeBufferPointer<UInt8>) {
        remove(count, from: &chunk)
        if hasValue { gap.count += count }
    }

    @discardableResult
    private func remove(
        _ count: Int, from chunk: inout UnsafeBufferPointer<UInt8>
    ) -> UnsafeBufferPointer<UInt8> {
        let bytes = UnsafeBufferPointer(rebasing: chunk.prefix(count))
        chunk = UnsafeBufferPointer(rebasing: chunk.dropFirst(count))
        position.offset += count
        return bytes
    }

    /// Removes the first byte, which ends a line.
    private func endLine(_ chunk: inout UnsafeBufferPointer<UInt8>) {
        followsReturn = chunk[0] == UInt8(ascii: "\r")
        remove(1, from: &chunk)
        position.lines += 1
        position.lineStart = position.offset
        if hasValue { gap.endLine() }
        state = .name(matched: 0)
    }

    /// Removes data of the current line. Returns nil if no part results.
    private func data(_ chunk: inout UnsafeBufferPointer<UInt8>) -> ValuePiece? {
        let byte = chunk[0]
        if !hasValue {
            // White space before the value, and after `[DONE]`, is not part of the value.
            if byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t"), held.isEmpty || held == Self.end {
                remove(1, from: &chunk)
                return nil
            }
            if held.count < Self.end.count, byte == Self.end[held.count] {
                if held.isEmpty { start = position }
                held.append(byte)
                remove(1, from: &chunk)
                return nil
            }
            if !held.isEmpty, !byte.endsLine || held != Self.end { return releaseHeld() }
        }
        if byte.endsLine {
            endLine(&chunk)
            return endsWithLine ? endEvent() : nil
        }
        if let space = gap.removeSpace() { return .text(space, isLast: false) }
        if !hasValue { start = position }
        hasValue = true
        return .part(remove(chunk.lengthOfLine, from: &chunk), isLast: false)
    }

    /// Returns the held data, which is not the end of the stream.
    private func releaseHeld() -> ValuePiece? {
        defer { held = [] }
        hasValue = true
        return .text(held, isLast: false)
    }

    /// Ends the current event. Returns nil if the event has no data.
    private func endEvent() -> ValuePiece? {
        // This data is no value. The values of later events are read, so that a range of the stream has the same values.
        if !hasValue, held == Self.end { held = [] }
        let text = held
        let isOpen = hasValue || !held.isEmpty
        (hasValue, held, gap) = (false, [], Gap())
        return isOpen ? .text(text, isLast: true) : nil
    }

    /// The lines of a text up to the first field or comment.
    private struct Opening {
        private static let fields = ["data", "event", "id", "retry"].map { Array($0.utf8) }
        /// The position of the first line that is not blank.
        private var line: LineCount?
        /// The first bytes of the current line, one more than the longest field has.
        private var name: [UInt8] = []
        /// The position after the bytes that have been read.
        private var place = LineCount()
        private var followsReturn = false

        /// The position of the first line that is not blank, at the end of a text; nil if the last line is a field without a value.
        var foreignLine: LineCount? { Self.fields.contains(name) ? nil : line }

        /// Reads the bytes of a chunk that have not been read before. Returns true at the first field or comment.
        ///
        /// - Parameter position: The position of the chunk.
        mutating func consume(_ chunk: UnsafeBufferPointer<UInt8>, at position: LineCount) -> Bool {
            if place.offset < position.offset { place = position }
            for byte in chunk.dropFirst(place.offset - position.offset) {
                let before = place
                let isRest = followsReturn && byte == UInt8(ascii: "\n")
                followsReturn = byte == UInt8(ascii: "\r")
                place.offset += 1
                if isRest {
                    place.lineStart = place.offset
                } else if byte.endsLine {
                    if Self.fields.contains(name) { return true }
                    name = []
                    (place.lines, place.lineStart) = (place.lines + 1, place.offset)
                } else {
                    if byte == UInt8(ascii: ":"), name.isEmpty || Self.fields.contains(name) { return true }
                    if name.count < 6 { name.append(byte) }
                    if byte != UInt8(ascii: " "), byte != UInt8(ascii: "\t") { line = line ?? before }
                }
            }
            return false
        }
    }

    /// The bytes after the last line of data, of which only the numbers are kept. An event may have any number of comments.
    private struct Gap {
        private static var pieceLength: Int { 4_096 }
        var count = 0
        private var lines = 0
        /// The number of bytes up to the start of the last line.
        private var lineStart = 0

        mutating func endLine() {
            count += 1
            lines += 1
            moveLineStart()
        }

        /// Makes the next byte the first of the last line.
        mutating func moveLineStart() { lineStart = count }

        /// Removes the next bytes. Returns as much white space, with as many line breaks, the last of which has its offset.
        mutating func removeSpace() -> [UInt8]? {
            if count == 0 { return nil }
            let length = min(count, Self.pieceLength)
            var space = [UInt8](repeating: UInt8(ascii: " "), count: length)
            let breaks = min(max(lines - 1, 0), length)
            for index in 0..<breaks { space[index] = UInt8(ascii: "\n") }
            lines -= breaks
            if lines == 1, lineStart <= length {
                space[lineStart - 1] = UInt8(ascii: "\n")
                lines = 0
            }
            count -= length
            lineStart = max(lineStart - length, 0)
            return space
        }
    }
}

extension UInt8 {
    /// Whether this byte ends a line of an event stream.
    var endsLine: Bool { self == UInt8(ascii: "\n") || self == UInt8(ascii: "\r") }
}

extension UnsafeBufferPointer<UInt8> {
    /// The number of bytes before the first end of a line.
    ///
    /// Both ends are searched in a part that doubles, because a text may have only one of them: a search for the other one would
    /// examine the whole text for each line.
    var lengthOfLine: Int {
        var (start, length) = (0, 256)
        while start < count {
            let part = UnsafeBufferPointer(rebasing: self[start..<start + Swift.min(length, count - start)])
            let feed = part.count(before: UInt8(ascii: "\n"), within: part.count)
            let end = part.count(before: UInt8(ascii: "\r"), within: feed)
            if end < part.count { return start + end }
            start += part.count
            length *= 2
        }
        return count
    }
}
