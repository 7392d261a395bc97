/// A token of a recording: its kind and its range of bytes.
struct RecordedToken {
    enum Kind {
        case beginObject, beginArray, endObject, endArray, key, string, number, bool, null
    }

    let kind: Kind
    let start: Int
    let end: Int
    /// Whether a string or key contains escapes.
    var isEscaped = false

    var beginsContainer: Bool { kind == .beginObject || kind == .beginArray }
}

/// A position in a recording.
struct RecordingCursor {
    private let storage: RecordingStorage
    private var segments: ArraySlice<Recording.Segment>
    /// The offset of the next byte.
    private(set) var position: Int
    /// The number of containers that begin before this byte.
    private var ordinal: Int
    private var end: Int
    /// The open containers.
    private var open: [OpenContainer] = []

    private struct OpenContainer {
        /// The position of the container in the index.
        let ordinal: Int
        let isObject: Bool
    }

    init(_ recording: Recording) {
        storage = recording.storage
        segments = recording.segments[...]
        (position, ordinal, end) = (0, 0, 0)
        nextSegment()
    }

    /// Advances to the next segment. Returns false at the end.
    @discardableResult
    private mutating func nextSegment() -> Bool {
        guard let segment = segments.popFirst() else { return false }
        (position, ordinal, end) = (segment.start, segment.ordinal, segment.end)
        return true
    }

    /// The rest of the recording.
    var remainder: [Recording.Segment] {
        let rest = Array(segments)
        return position < end ? [Recording.Segment(start: position, end: end, ordinal: ordinal)] + rest : rest
    }

    /// The rest of the recording from a key on. The key is the last token.
    func remainder(from key: RecordedToken) -> [Recording.Segment] {
        [Recording.Segment(start: key.start, end: end, ordinal: ordinal)] + Array(segments)
    }

    /// Returns the next token, or nil at the end or at invalid JSON.
    mutating func next() -> RecordedToken? {
        while true {
            while position < end, Self.isBetweenTokens(storage.bytes[position]) { position += 1 }
            if position < end { break }
            if !nextSegment() { return nil }
        }
        let start = position
        switch storage.bytes[start] {
        case UInt8(ascii: "{"): return enter(.beginObject)
        case UInt8(ascii: "["): return enter(.beginArray)
        case UInt8(ascii: "}"): return leave(.endObject)
        case UInt8(ascii: "]"): return leave(.endArray)
        case UInt8(ascii: "\""): return string()
        case UInt8(ascii: "t"): return word(.bool, length: 4)
        case UInt8(ascii: "f"): return word(.bool, length: 5)
        case UInt8(ascii: "n"): return word(.null, length: 4)
        default: return number()
        }
    }

    /// Skips the container whose opening bracket was the last token.
    mutating func skipContainer() {
        guard let last = open.popLast()?.ordinal else { return }
        position = storage.containers[last].end
        ordinal = storage.containers[last].next
    }

    /// Skips the next value.
    mutating func skipValue() {
        if let token = next(), token.beginsContainer { skipContainer() }
    }

    /// Returns a recording of the container whose opening bracket was the last token.
    func container(_ bracket: RecordedToken) -> Recording {
        guard let last = open.last?.ordinal else { return Recording(storage, []) }
        let segment = Recording.Segment(start: bracket.start, end: storage.containers[last].end, ordinal: last)
        return Recording(storage, [segment])
    }

    /// Returns a recording of a scalar.
    func scalar(_ token: RecordedToken) -> Recording {
        Recording(storage, [Recording.Segment(start: token.start, end: token.end, ordinal: ordinal)])
    }

    /// Skips the rest of the innermost object, including the closing bracket. The last token is one of its keys.
    ///
    /// - Returns: The members from that key on.
    mutating func leaveObject(from key: RecordedToken) -> Recording {
        guard let last = open.popLast()?.ordinal else {
            let members = Recording(storage, remainder(from: key))
            segments = []
            position = end
            return members
        }
        let container = storage.containers[last]
        let segment = Recording.Segment(start: key.start, end: container.end, ordinal: ordinal)
        position = container.end
        ordinal = container.next
        return Recording(storage, [segment])
    }

    // MARK: Tokens

    private static func isBetweenTokens(_ byte: UInt8) -> Bool {
        byte <= 0x20 || byte == UInt8(ascii: ",") || byte == UInt8(ascii: ":")
    }

    private mutating func enter(_ kind: RecordedToken.Kind) -> RecordedToken {
        open.append(OpenContainer(ordinal: ordinal, isObject: kind == .beginObject))
        ordinal += 1
        position += 1
        return RecordedToken(kind: kind, start: position - 1, end: position)
    }

    private mutating func leave(_ kind: RecordedToken.Kind) -> RecordedToken {
        _ = open.popLast()
        position += 1
        return RecordedToken(kind: kind, start: position - 1, end: position)
    }

    /// Reads a string, or a key if a colon follows.
    private mutating func string() -> RecordedToken? {
        let start = position
        let first = storage.bytes + start
        let last = storage.bytes + end
        let behind = RecordingStorage.stringEnd(first, end: last)
        guard behind <= last else { return endOfText() }
        position = behind - storage.bytes
        var next = position
        while next < end, storage.bytes[next] <= 0x20 { next += 1 }
        let isKey = next < end && storage.bytes[next] == UInt8(ascii: ":") || next == end && isInKeyPosition(start)
        let content = UnsafeBufferPointer(start: first + 1, count: position - start - 2)
        return RecordedToken(
            kind: isKey ? .key : .string, start: start, end: position,
            isEscaped: content.contains(UInt8(ascii: "\\")))
    }

    /// Whether a string at the end of truncated JSON is a key without its colon.
    private func isInKeyPosition(_ start: Int) -> Bool {
        guard open.last?.isObject ?? false else { return false }
        var before = start - 1
        while before >= 0, storage.bytes[before] <= 0x20 { before -= 1 }
        return before >= 0 && storage.bytes[before] != UInt8(ascii: ":")
    }

    private mutating func word(_ kind: RecordedToken.Kind, length: Int) -> RecordedToken? {
        guard position + length <= end else { return endOfText() }
        position += length
        return RecordedToken(kind: kind, start: position - length, end: position)
    }

    private mutating func number() -> RecordedToken? {
        let start = position
        while position < end, Self.isInNumber(storage.bytes[position]) { position += 1 }
        guard position > start else { return endOfText() }
        return RecordedToken(kind: .number, start: start, end: position)
    }

    private static func isInNumber(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."),
            UInt8(ascii: "e"), UInt8(ascii: "E"):
            true
        default: false
        }
    }

    /// Ends the recording at a truncated token, whose rest is not JSON.
    private mutating func endOfText() -> RecordedToken? {
        segments = []
        position = end
        return nil
    }
}
