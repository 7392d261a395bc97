/// A value, or the remaining members of an object, recorded by a source: ranges of valid JSON.
///
/// The outermost recorded value is copied once. Recordings of values inside are ranges of the same bytes.
struct Recording {
    /// A range of the recorded bytes that holds whole tokens.
    struct Segment {
        let start: Int
        let end: Int
        /// The number of containers that begin before the segment.
        let ordinal: Int
    }

    /// The identity of a recording: the bytes and the offset of the first.
    struct Start: Hashable {
        let storage: RecordingStorage
        let offset: Int

        static func == (a: Start, b: Start) -> Bool { a.storage === b.storage && a.offset == b.offset }

        func hash(into hasher: inout Hasher) {
            hasher.combine(ObjectIdentifier(storage))
            hasher.combine(offset)
        }
    }

    let storage: RecordingStorage
    /// The segments, in the order of a replay. A recorded value has one segment. The members of an object have several if the
    /// tag was moved to the front.
    let segments: [Segment]

    init(_ storage: RecordingStorage, _ segments: [Segment]) {
        self.storage = storage
        self.segments = segments
    }

    /// Makes a recording of a whole storage.
    init(_ storage: RecordingStorage) {
        self.init(storage, [Segment(start: 0, end: storage.count, ordinal: 0)])
    }

    var start: Start { Start(storage: storage, offset: segments.first?.start ?? 0) }

    /// The bytes of a recorded value.
    var bytes: [UInt8] {
        segments.flatMap { UnsafeBufferPointer(start: storage.bytes + $0.start, count: $0.end - $0.start) }
    }

    /// Returns an issue with the location of the whole recorded value.
    func located(_ issue: JSONIssue) -> JSONIssue {
        var cursor = self.cursor
        guard let first = cursor.next() else { return storage.located(issue, from: 0, to: 0) }
        return storage.located(issue, from: first.start, to: first.end)
    }

    /// Returns the token at an offset from the start.
    func token(at offset: Int) -> RecordingRange {
        let start = self.start.offset + offset
        var cursor = self.cursor
        while let token = cursor.next() {
            if token.end > start { return RecordingRange(storage: storage, start: token.start, end: token.end) }
        }
        return RecordingRange(storage: storage, start: start, end: start)
    }

    // MARK: Reading

    var cursor: RecordingCursor { RecordingCursor(self) }

    private var firstToken: RecordedToken? {
        var cursor = self.cursor
        return cursor.next()
    }

    /// Whether the recorded value is an object.
    var isObject: Bool { firstToken?.kind == .beginObject }

    /// The recorded string, or nil if the value is not a string.
    var string: String? { firstToken.flatMap { $0.kind == .string ? storage.string($0) : nil } }

    /// The type of the recorded value, as shown in error messages.
    var typeName: String {
        switch firstToken?.kind {
        case .beginObject: "an object"
        case .beginArray: "an array"
        case .number: "a number"
        case .bool: "a boolean"
        case .null: "null"
        default: "a string"
        }
    }

    // MARK: Members

    /// The members of a recorded object, including the closing bracket.
    var members: Recording {
        var cursor = self.cursor
        guard cursor.next()?.kind == .beginObject else { return self }
        return Recording(storage, cursor.remainder)
    }

    /// The keys of a recorded object.
    var keys: [String] {
        var keys: [String] = []
        var cursor = members.cursor
        while let key = cursor.next(), key.kind == .key {
            keys.append(storage.string(key))
            cursor.skipValue()
        }
        return keys
    }

    /// Returns the members of an object with one moved to the front, or nil if the key is missing.
    ///
    /// - Parameter key: The key. The first member with this key is moved.
    func members(first key: String) -> Recording? {
        let members = members
        var cursor = members.cursor
        while let token = cursor.next(), token.kind == .key {
            guard storage.isEqual(token, key) else {
                cursor.skipValue()
                continue
            }
            let before = cursor.remainder(from: token)
            cursor.skipValue()
            let after = cursor.remainder
            let last = cursor.position
            // The segments before the member are those of all members before it.
            let count = members.segments.count - before.count
            var leading = Array(members.segments[..<count])
            let open = members.segments[count]
            if open.start < token.start {
                leading.append(Segment(start: open.start, end: token.start, ordinal: open.ordinal))
            }
            let tag = Segment(start: token.start, end: last, ordinal: before[0].ordinal)
            return Recording(storage, [tag] + leading + after)
        }
        return nil
    }

    /// Returns a recorded object without some of its members.
    ///
    /// - Parameter isIncluded: Whether the member with a key is kept.
    func object(where isIncluded: (String) -> Bool) -> Recording {
        guard let first = segments.first, segments.count == 1 else { return self }
        let end = first.end - 1
        var blanks: [Range<Int>] = []
        // The comma after a member is removed with the member. For the last members, the comma before them is removed.
        var (lastEnd, removedStart): (Int, Int?) = (first.start + 1, nil)
        var members = members.cursor
        while let key = members.next(), key.kind == .key {
            if let start = removedStart { blanks.append(start..<key.start) }
            let isKept = isIncluded(storage.string(key))
            members.skipValue()
            removedStart = isKept ? nil : key.start
            if isKept { lastEnd = members.position }
        }
        if removedStart != nil { blanks.append(lastEnd..<end) }
        if blanks.isEmpty { return self }
        return Recording(RecordingStorage(copying: first.start..<first.end, of: storage, blanks: blanks))
    }

    /// Returns the second occurrence of a key in a recorded object; nil if the key is not repeated.
    func repeatedKey(_ key: String) -> Recording? {
        var isRepeated = false
        var members = members.cursor
        while let token = members.next(), token.kind == .key {
            if storage.isEqual(token, key) {
                if isRepeated {
                    return Recording(storage, [Segment(start: token.start, end: token.end, ordinal: 0)])
                }
                isRepeated = true
            }
            members.skipValue()
        }
        return nil
    }

    /// Returns a recorded object with only the first member of each of some keys.
    func withoutRepetitions(of keys: Set<String>) -> Recording {
        var seen: Set<String> = []
        return object { !keys.contains($0) || seen.insert($0).inserted }
    }

    /// The first member's value, if it is a string.
    var firstString: String? {
        var cursor = cursor
        _ = cursor.next()
        guard let value = cursor.next(), value.kind == .string else { return nil }
        return storage.string(value)
    }
}

/// A range of recorded bytes.
struct RecordingRange {
    let storage: RecordingStorage
    let start: Int
    let end: Int

    /// Returns an issue with the location of the range.
    func located(_ issue: JSONIssue) -> JSONIssue { storage.located(issue, from: start, to: end) }
}

/// The bytes that a source recorded for a sink.
enum RecordedBytes {
    /// Bytes of the input.
    case input([UInt8], RecordingOrigin)
    /// A part of the replayed recording.
    case replayed(Recording)

    var bytes: [UInt8] {
        switch self {
        case .input(let bytes, _): bytes
        case .replayed(let recording): recording.bytes
        }
    }

    /// The location of the first byte, and whether the following bytes have locations of their own.
    var location: (JSONLocation, isExact: Bool) {
        switch self {
        case .input(_, .input(let location, _)): (location, true)
        case .input(_, .token(let location)): (location, false)
        case .input(_, .none): (JSONLocation(offset: 0, line: 0, column: 0), false)
        case .replayed(let recording): recording.storage.location(of: recording.start.offset)
        }
    }

    var recording: Recording {
        switch self {
        case .input(let bytes, let origin): Recording(RecordingStorage(bytes, origin: origin))
        case .replayed(let recording): recording
        }
    }
}

/// The origin of recorded bytes, which locates issues in them.
enum RecordingOrigin {
    /// The bytes are part of the input and begin at this location. The context is the end of the line before them, for
    /// excerpts.
    case input(JSONLocation, context: [UInt8])
    /// The bytes were made from a token at this location: a string that holds JSON, or a value returned by a hook.
    case token(JSONLocation)
    /// The input is a value in memory and has no locations.
    case none
}
