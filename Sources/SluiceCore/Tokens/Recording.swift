/// A value, or the remaining members of an object, that was recorded: entries of a tape.
///
/// The outermost recorded value is lexed once, to a tape. Recordings of values inside are entries of the same tape.
struct Recording {
    /// The identity of a recording, which is kept: a later recording cannot get its address.
    struct Start: Hashable {
        fileprivate let storage: RecordingStorage
        fileprivate let index: Int
        fileprivate let members: Members?

        static func == (a: Start, b: Start) -> Bool {
            a.storage === b.storage && a.index == b.index && a.members?.ranges == b.members?.ranges
                && a.members?.hasOpeningBracket == b.members?.hasOpeningBracket
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(ObjectIdentifier(storage))
            hasher.combine(index)
        }
    }

    /// Members of an object, in the order of a replay.
    final class Members {
        /// The entry of the object.
        let object: Int
        /// The entries of the members. Each range holds whole members.
        let ranges: [Range<Int>]
        /// Whether the opening bracket is part of the recording. The closing bracket is.
        let hasOpeningBracket: Bool

        init(of object: Int, _ ranges: [Range<Int>], hasOpeningBracket: Bool) {
            self.object = object
            self.ranges = ranges
            self.hasOpeningBracket = hasOpeningBracket
        }
    }

    let storage: RecordingStorage
    /// The entry of the value, or of the object of the members.
    let index: Int
    /// The members; nil for a whole value.
    let members: Members?

    /// Makes a recording of the value at an entry, or of a key.
    init(_ storage: RecordingStorage, at index: Int = Tape.root) {
        self.storage = storage
        self.index = index
        members = nil
    }

    /// Makes a recording of members.
    init(_ storage: RecordingStorage, _ members: Members) {
        self.storage = storage
        self.index = members.object
        self.members = members
    }

    /// Makes a recording of a JSON text that an encoder wrote.
    init(written text: some Collection<UInt8>) {
        self.init(RecordingStorage(text, origin: .none))
    }

    var start: Start { Start(storage: storage, index: index, members: members) }

    private var tape: TapeView { storage.tape }

    /// Returns an issue with the location of the whole recorded value.
    func located(_ issue: JSONIssue) -> JSONIssue {
        var first = index
        if let members, !members.hasOpeningBracket { first = members.ranges.first?.lowerBound ?? index }
        return storage.located(issue, at: RecordedToken(entry: first))
    }

    /// Whether the recording has no tokens, because its text is not JSON.
    private var isEmpty: Bool { index >= tape.count }

    /// Whether the recorded value is an object.
    var isObject: Bool { !isEmpty && tape[index].kind == .object }

    /// Whether the recorded value is neither an object nor an array.
    var isScalar: Bool { members == nil && (isEmpty || tape[index].kind != .object && tape[index].kind != .array) }

    /// The recorded string, or nil if the value is not a string.
    var string: String? { !isEmpty && tape[index].kind == .string ? tape.string(tape[index]) : nil }

    /// The type of the recorded value, as shown in error messages.
    var typeName: String {
        switch isEmpty ? .string : tape[index].kind {
        case .object: "an object"
        case .array: "an array"
        case .number, .nonFinite: "a number"
        case .true, .false: "a boolean"
        case .null: "null"
        case .string, .key, .hiddenKey: "a string"
        }
    }

    /// The bytes of a recorded value.
    var bytes: [UInt8] { storage.bytes(of: self) }

    // MARK: Members

    /// The entries of the members of a recorded object.
    private var memberRanges: [Range<Int>] {
        if let members { return members.ranges }
        let range = index + 1..<tape[index].value
        return range.isEmpty ? [] : [range]
    }

    /// Calls a closure with the entry of each key of a recorded object, in order and without hidden keys, until it returns false.
    func forEachKey(_ body: (Int) -> Bool) {
        guard isObject else { return }
        for range in memberRanges {
            var key = range.lowerBound
            while key < range.upperBound {
                if tape[key].kind == .key, !body(key) { return }
                key = tape.nextKey(key)
            }
        }
    }

    /// Calls a closure with the key of each member of a recorded object, and the entry of its value.
    func forEachMember(_ body: (String, Int) -> Void) {
        forEachKey {
            body(tape.string(tape[$0]), TapeView.value(ofKey: $0))
            return true
        }
    }

    /// The keys of a recorded object, with their tokens.
    var keyParts: [(name: String, part: RecordedPart)] {
        var parts: [(String, RecordedPart)] = []
        forEachKey {
            parts.append((tape.string(tape[$0]), RecordedPart(storage, RecordedToken(entry: $0))))
            return true
        }
        return parts
    }

    /// The members of a recorded object, including the closing bracket.
    var allMembers: Recording {
        isObject ? Recording(storage, Members(of: index, memberRanges, hasOpeningBracket: false)) : self
    }

    /// The keys of a recorded object.
    var keys: [String] {
        var keys: [String] = []
        forEachKey {
            keys.append(tape.string(tape[$0]))
            return true
        }
        return keys
    }

    private func isKey(_ index: Int, _ name: String) -> Bool { tape.bytes(tape[index]).elementsEqual(name.utf8) }

    /// Returns the members of an object with one moved to the front, or nil if the key is missing.
    ///
    /// - Parameter key: The key. The first member with this key is moved.
    func members(first key: String) -> Recording? {
        var found: Int?
        forEachKey {
            if isKey($0, key) { found = $0 }
            return found == nil
        }
        guard let found else { return nil }
        let member = found..<tape.nextKey(found)
        var ranges = [member]
        for range in memberRanges {
            guard range.contains(found) else {
                ranges.append(range)
                continue
            }
            for rest in [range.lowerBound..<found, member.upperBound..<range.upperBound] where !rest.isEmpty {
                ranges.append(rest)
            }
        }
        return Recording(storage, Members(of: index, ranges, hasOpeningBracket: false))
    }

    /// Returns a recorded object without some of its members.
    ///
    /// - Parameter isIncluded: Whether the member with a key is kept.
    func object(where isIncluded: (String) -> Bool) -> Recording {
        var ranges: [Range<Int>] = []
        var isWhole = true
        forEachKey { key in
            let next = tape.nextKey(key)
            guard isIncluded(tape.string(tape[key])) else {
                isWhole = false
                return true
            }
            if let last = ranges.last, last.upperBound == key {
                ranges[ranges.count - 1] = last.lowerBound..<next
            } else {
                ranges.append(key..<next)
            }
            return true
        }
        return isWhole ? self : Recording(storage, Members(of: index, ranges, hasOpeningBracket: true))
    }

    /// Returns the second occurrence of a key in a recorded object; nil if the key is not repeated.
    func repeatedKey(_ key: String) -> Recording? {
        var (count, last) = (0, 0)
        forEachKey {
            if isKey($0, key) { (count, last) = (count + 1, $0) }
            return count < 2
        }
        return count < 2 ? nil : Recording(storage, at: last)
    }

    /// Returns a recorded object with only the first member of each of some keys.
    func withoutRepetitions(of keys: Set<MemberName>) -> Recording {
        var seen: Set<MemberName> = []
        return object { !keys.contains(MemberName($0)) || seen.insert(MemberName($0)).inserted }
    }

    /// The value of the first of the members, if it is a string.
    var firstString: String? {
        members?.ranges.first.flatMap { stringValue(ofKey: $0.lowerBound) }?.string
    }

    // MARK: Values

    /// The recording of a value as it is: of an object without the members that were left out.
    var whole: Recording {
        members == nil ? self : Recording(RecordingStorage(bytes, origin: storage.origin(ofValue: index)))
    }

    /// The recorded value as a `JSONValue`, or nil if it nests too deeply. The last of duplicate keys wins, unless it is hidden.
    var value: JSONValue? {
        if members != nil { return whole.value }
        guard storage.isClosed(index) else { return .null }
        if let known = storage.values[index] { return known }
        // Each level of a model may ask for its value: those inside of a value that was made before are made once more, and kept.
        let isKept = storage.madeRange.contains(index)
        if !isKept, index < tape.count { storage.madeRange = index..<tape.next(index) }
        var open: [OpenValue] = []
        var at = index
        func endContainer() -> JSONValue {
            let container = open.removeLast()
            let value = container.value
            if isKept { storage.values[container.start] = value }
            return value
        }
        while at < tape.count {
            var complete: JSONValue
            let entry = tape[at]
            switch entry.kind {
            case .array, .object:
                if open.count == JSONValue.maximumDepth { return nil }
                open.append(OpenValue(isObject: entry.kind == .object, start: at, end: entry.value))
                if entry.kind == .array { open[open.count - 1].elements.reserveCapacity(Int(entry.count)) }
                at += 1
                guard at == entry.value else { continue }
                complete = endContainer()
            case .key:
                open[open.count - 1].key = tape.string(entry)
                at = TapeView.value(ofKey: at)
                continue
            case .hiddenKey:
                at = tape.nextKey(at)
                guard at == open[open.count - 1].end else { continue }
                complete = endContainer()
            case .string:
                complete = .string(tape.string(entry))
                at += 1
            case .number:
                complete = .number(JSONNumber(tape.number(at)))
                at = tape.next(at)
            case .true, .false:
                complete = .bool(entry.kind == .true)
                at += 1
            case .null, .nonFinite:
                complete = .null
                at = tape.next(at)
            }
            while !open.isEmpty {
                open[open.count - 1].add(complete)
                guard at == open[open.count - 1].end else { break }
                complete = endContainer()
            }
            if open.isEmpty { return complete }
        }
        return .null
    }
}

extension Recording: ExaminedObject {
    func examineMembers(_ body: (Key, Key?) -> Void) -> Bool {
        forEachKey {
            body(name(at: $0), stringValue(ofKey: $0))
            return true
        }
        return isObject
    }

    /// The first of repeated tags decides.
    func tag(_ key: EntryReference) -> ExaminedTag? {
        var tag = ExaminedTag(name: nil)
        forEachKey {
            guard key.matches(name(at: $0)) else { return true }
            tag = ExaminedTag(name: stringValue(ofKey: $0))
            return false
        }
        return tag
    }

    private func name(at index: Int) -> Key { Key(tape.text(tape[index]), Int(tape[index].count)) }

    private func stringValue(ofKey index: Int) -> Key? {
        let value = TapeView.value(ofKey: index)
        return tape[value].kind == .string ? name(at: value) : nil
    }
}

/// An object or array whose end has not been read.
private struct OpenValue {
    let isObject: Bool
    /// The entry of the value.
    let start: Int
    /// The entry after the value.
    let end: Int
    var elements: [JSONValue] = []
    var members = JSONObject()
    var key = ""

    init(isObject: Bool, start: Int, end: Int) { (self.isObject, self.start, self.end) = (isObject, start, end) }

    mutating func add(_ value: JSONValue) {
        if isObject { members[key] = value } else { elements.append(value) }
    }

    var value: JSONValue { isObject ? .object(members) : .array(elements) }
}

/// A token of a recording.
struct RecordedToken: Hashable {
    /// The entry of the value or key.
    let entry: Int
    /// Whether the token is the closing bracket of the container.
    var isEnd = false
}

/// A token of a recording, with the recording that locates the token.
struct RecordedPart {
    let storage: RecordingStorage
    let token: RecordedToken

    init(_ storage: RecordingStorage, _ token: RecordedToken) {
        self.storage = storage
        self.token = token
    }

    /// Returns an issue with the location of the token.
    func located(_ issue: JSONIssue) -> JSONIssue { storage.located(issue, at: token) }

    /// The location of the token.
    var location: JSONLocation { storage.location(of: token) }

    /// Marks the token as having an issue, and returns whether the issue is the first. Issues are found again when a recording is replayed
    /// again.
    var isFirstIssue: Bool { storage.isFirstIssue(at: token) }
}

/// The bytes or the tape that a source recorded for a sink.
enum RecordedValue {
    /// Bytes of the input: a value, or the members of an object with its closing bracket.
    case bytes([UInt8], RecordingOrigin, isMembers: Bool)
    /// A part of a tape.
    case tape(Recording)

    /// The value as JSON.
    var bytes: [UInt8] {
        switch self {
        case .bytes(let bytes, _, _): bytes
        case .tape(let recording): recording.bytes
        }
    }

    /// The location of the first byte, and whether the following bytes have locations of their own.
    var location: (JSONLocation, isExact: Bool) {
        switch self {
        case .bytes(_, .input(let location, _), _): (location, true)
        case .bytes(_, let origin, _): (origin.start, false)
        case .tape(let recording):
            (recording.storage.location(of: RecordedToken(entry: recording.index)), recording.storage.hasLocations)
        }
    }

    var recording: Recording {
        switch self {
        case .tape(let recording): return recording
        case .bytes(let bytes, let origin, let isMembers):
            let storage = RecordingStorage(bytes, origin: origin, isMembers: isMembers)
            return isMembers ? Recording(storage).allMembers : Recording(storage)
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
    /// The same for a token of another recording, which is located when an issue is reported.
    case part(RecordedPart)
    /// The input is a value in memory and has no locations.
    case none

    /// The location of the first byte, or of the token from which the bytes were made.
    var start: JSONLocation {
        switch self {
        case .input(let location, _), .token(let location): location
        case .part(let part): part.location
        case .none: JSONLocation(offset: 0, line: 0, column: 0)
        }
    }
}

/// Recorded JSON: its bytes, and the tape of its tokens. Immutable, except values derived on demand.
final class RecordingStorage {
    let tape: TapeView
    /// The owner of the tape, unless another object keeps the tape.
    private let owner: AnyObject?
    /// The text, from which the tape was made; empty if the tape was made from values in memory.
    private let text: UnsafeMutableBufferPointer<UInt8>
    /// The number of bytes before the text: an opening bracket if the text is members of an object.
    private let lead: Int
    let origin: RecordingOrigin
    /// The first fault in a text that is not JSON.
    let fault: SyntaxFault?
    /// The containers that the text does not close.
    private let unclosed: Set<Int>
    /// The entry of the missing value of a key at the end of a text that is not JSON.
    private let absentValue: Int?
    /// Whether the memory of the tape has been counted by the limit of replays.
    private var isCounted = false
    /// The entries of the last value that was made and is not inside of another, and the containers that were made again inside of it.
    fileprivate var (madeRange, values): (Range<Int>, [Int: JSONValue]) = (0..<0, [:])
    /// The tokens for which an issue was recorded.
    private var reported: Set<RecordedToken> = []
    private lazy var positions = findPositions()
    private lazy var lookback = makeLookback()
    /// The offsets of the lines after the first in the recorded bytes. With these, the locations of tokens in any order take linear
    /// time.
    private lazy var lineStarts = findLineStarts()

    private static var slack: Int { 64 }

    /// Records the tokens of a text.
    ///
    /// - Parameters:
    ///   - isMembers: Whether the text begins with the first key of an object, and ends with its closing bracket.
    ///   - limits: The limits of a text that may not be JSON; nil for JSON.
    init(
        _ bytes: some Collection<UInt8>, origin: RecordingOrigin, isMembers: Bool = false, limits: JSONLimits? = nil
    ) {
        lead = isMembers ? 1 : 0
        let memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: lead + bytes.count + Self.slack)
        if isMembers { memory.initializeElement(at: 0, to: UInt8(ascii: "{")) }
        _ = UnsafeMutableBufferPointer(rebasing: memory[lead...]).initialize(from: bytes)
        let count = lead + bytes.count
        UnsafeMutableBufferPointer(rebasing: memory[count...]).initialize(repeating: UInt8(ascii: "\n"))
        text = UnsafeMutableBufferPointer(rebasing: memory[..<count])
        let input = UnsafeBufferPointer(text)
        self.origin = origin
        let tape = Tape(input: input, capacity: count / 8 + 16)
        var recorder = TapeRecorder(tape, recordsLocations: false, keepsRepeatedKeys: true)
        var source = ScannerSource(limits: limits ?? Self.limits(for: input))
        do throws(JSONModelError) {
            try source.run(input, margins: TextMargins(before: 0, after: Self.slack), to: &recorder)
            fault = nil
            unclosed = []
            absentValue = nil
            _ = recorder.finish()
        } catch {
            let issue = error.issues[0]
            fault = SyntaxFault(issue.kind, at: min(issue.location.offset, count) - lead)
            (unclosed, absentValue) = recorder.closeContainers()
            _ = recorder.finish()
            // A complete value with trailing content is not used.
            if issue.kind == .trailingContent { tape.removeAll() }
        }
        owner = tape
        self.tape = tape.view
    }

    /// Makes a storage of values in memory.
    ///
    /// - Parameter owner: The owner of the tape, if it has no other owner.
    init(_ tape: TapeView, owner: AnyObject? = nil) {
        self.tape = tape
        self.owner = owner
        text = UnsafeMutableBufferPointer(start: nil, count: 0)
        lead = 0
        origin = .none
        (fault, unclosed, absentValue) = (nil, [], nil)
        isCounted = true
    }

    deinit { text.baseAddress?.deallocate() }

    /// Limits that JSON of an unknown depth respects.
    private static func limits(for json: UnsafeBufferPointer<UInt8>) -> JSONLimits {
        var limits = JSONLimits()
        (limits.document, limits.string, limits.key, limits.number) = (.max, .max, .max, .max)
        // A small text has few levels in any case.
        limits.depth = json.count <= 512 ? json.count : json.count { $0 | 0x20 == UInt8(ascii: "{") }
        return limits
    }

    /// Returns the size of the tape's memory in bytes at the first call, and 0 later.
    func takeUncountedSize() -> Int {
        defer { isCounted = true }
        return isCounted ? 0 : tape.count * MemoryLayout<TapeEntry>.stride
    }

    /// The size of the text and of the tape in bytes.
    var size: Int { text.count + ((owner as? Tape)?.size ?? 0) }

    /// Whether an entry represents a value that the text lacks.
    func isAbsent(_ index: Int) -> Bool { index == absentValue }

    func isClosed(_ container: Int) -> Bool { unclosed.isEmpty || !unclosed.contains(container) }

    // MARK: Texts

    /// Returns the bytes of a value.
    fileprivate func bytes(of recording: Recording) -> [UInt8] {
        let index = recording.index
        guard !text.isEmpty else {
            guard let members = recording.members else { return tape.text(ofValue: index) }
            return tape.text(ofMembers: members.ranges)
        }
        var bytes = Array(text[positions[index]])
        guard let members = recording.members else { return bytes }
        // Spaces replace the members that are left out, and the comma after each of them; or before, at the end of the object. Line feeds
        // are kept, so that locations have the lines of the text.
        let start = positions[index].lowerBound
        var (lastEnd, removed): (Int, Int?) = (start + 1, nil)
        // The first member of a replay may come later in the text.
        let ranges = members.ranges.sorted { $0.lowerBound < $1.lowerBound }
        var position = 0
        func blank(_ range: Range<Int>) {
            for offset in range where bytes[offset - start] != UInt8(ascii: "\n") {
                bytes[offset - start] = UInt8(ascii: " ")
            }
        }
        Recording(self, at: index).forEachKey { key in
            if let first = removed { blank(first..<positions[key].lowerBound) }
            while position < ranges.count, ranges[position].upperBound <= key { position += 1 }
            let isKept = position < ranges.count && ranges[position].lowerBound <= key
            removed = isKept ? nil : positions[key].lowerBound
            if isKept { lastEnd = positions[TapeView.value(ofKey: key)].upperBound }
            return true
        }
        if removed != nil { blank(lastEnd..<positions[index].upperBound - 1) }
        return bytes
    }

    /// Returns the origin of the bytes of a value.
    fileprivate func origin(ofValue index: Int) -> RecordingOrigin {
        guard !text.isEmpty, case .input(_, let context) = origin else { return origin }
        let end = positions[index].lowerBound
        let location = location(at: end - lead)
        let line = (context + text[lead..<end]).suffix(location.column - 1)
        return .input(location, context: Array(line))
    }

    /// Calls a closure with the bytes of a value.
    func withText<R, E>(ofValue index: Int, _ body: (UnsafeBufferPointer<UInt8>) throws(E) -> R) throws(E) -> R {
        try body(UnsafeBufferPointer(rebasing: UnsafeBufferPointer(text)[positions[index]]))
    }

    // MARK: Locations

    /// Marks a token as having an issue, and returns whether the issue is the first.
    ///
    /// A value that is read both whole and in parts is replayed twice, and may fail twice for the same reason.
    func isFirstIssue(at token: RecordedToken) -> Bool { reported.insert(token).inserted }

    /// Whether the tokens have locations of their own.
    var hasLocations: Bool { if case .input = origin { true } else { false } }

    /// Returns an issue with the location of a token, or of the fault if no token is given.
    func located(_ issue: JSONIssue, at token: RecordedToken?) -> JSONIssue {
        var issue = issue
        guard !text.isEmpty, !isWithoutLocation else {
            issue.location = location(of: token ?? RecordedToken(entry: Tape.root))
            return issue
        }
        let range = range(of: token)
        let location = location(at: range.lowerBound)
        let (start, lineStart) = (location.offset, location.offset - location.column + 1)
        issue.excerpt =
            issue.kind.showsWhatFollows
            ? lookback.excerpt(at: start, lineStart: lineStart).text
            : lookback.excerpt(from: start, to: start + range.count, lineStart: lineStart)
        issue.location = hasLocations ? location : origin.start
        return issue
    }

    private var isWithoutLocation: Bool { if case .none = origin { true } else { false } }

    /// Returns the location of a token in the input.
    func location(of token: RecordedToken) -> JSONLocation {
        hasLocations ? location(at: range(of: token).lowerBound) : origin.start
    }

    /// Returns the location of an offset in the recorded bytes: in the input, or in the text that was made from a token.
    private func location(at offset: Int) -> JSONLocation {
        var location = hasLocations ? origin.start : JSONLocation()
        location.offset += offset
        let lines = Self.count(of: lineStarts, upTo: offset)
        location.line += lines
        location.column = lines == 0 ? location.column + offset : offset - lineStarts[lines - 1] + 1
        return location
    }

    /// Returns the number of sorted offsets up to a bound.
    private static func count(of offsets: [Int], upTo bound: Int) -> Int {
        var (low, high) = (0, offsets.count)
        while low < high {
            let middle = (low + high) / 2
            if offsets[middle] <= bound { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private func findLineStarts() -> [Int] {
        text[lead...].indices.filter { text[$0] == UInt8(ascii: "\n") }.map { $0 - lead + 1 }
    }

    /// Returns the range of a token in the bytes that were recorded.
    private func range(of token: RecordedToken?) -> Range<Int> {
        let count = text.count - lead
        guard let token else {
            let start = min(fault?.offset ?? 0, count)
            return start..<min(start + 1, count)
        }
        guard token.entry < positions.count else { return 0..<0 }
        var range = positions[token.entry]
        if token.isEnd {
            range = range.upperBound - 1..<range.upperBound
        } else if tape[token.entry].kind.isContainer {
            range = range.lowerBound..<range.lowerBound + 1
        }
        return max(range.lowerBound - lead, 0)..<max(range.upperBound - lead, 0)
    }

    /// Reads the text again to find the ranges of the entries.
    private func findPositions() -> [Range<Int>] {
        let finder = PositionFinder(count: tape.count, end: fault.map { lead + $0.offset } ?? text.count)
        var sink = AnySink(finder)
        var source = ScannerSource(limits: Self.limits(for: UnsafeBufferPointer(text)))
        do throws(JSONModelError) {
            try source.run(UnsafeBufferPointer(text), to: &sink)
        } catch {}
        return finder.positions
    }

    private func makeLookback() -> LookbackBuffer {
        var lookback = LookbackBuffer()
        if case .input(let location, let context) = origin {
            lookback = LookbackBuffer(after: LineCount(before: location), context: context)
        }
        lookback.begin(UnsafeBufferPointer(rebasing: UnsafeBufferPointer(text)[lead...]))
        return lookback
    }
}

/// Finds the ranges of the entries that the tokens of a text have on a tape.
private final class PositionFinder: SimpleSink {
    private(set) var positions: [Range<Int>]
    private var next = Tape.root
    private var open: [Int] = []
    private var current = 0
    private var isEnd = false

    /// - Parameter end: The end of containers that the text does not close.
    init(count: Int, end: Int) { positions = Array(repeating: end..<end, count: count) }

    private func take(_ length: Int) -> TokenAction {
        (current, isEnd) = (next, false)
        next += length
        return .handlePending
    }

    private func start() -> TokenAction {
        open.append(next)
        return take(1)
    }

    private func end() -> TokenAction {
        (current, isEnd) = (open.removeLast(), true)
        return .handlePending
    }

    func startObject() -> TokenAction { start() }
    func endObject() -> TokenAction { end() }
    func startArray() -> TokenAction { start() }
    func endArray() -> TokenAction { end() }
    func key(_ key: Key) -> TokenAction { take(TapeEntry.Kind.key.length) }
    func string(_ bytes: UnsafePointer<UInt8>, _ count: Int, isASCII: Bool) -> TokenAction { take(1) }
    func number(_ token: NumberToken) -> TokenAction { take(TapeEntry.Kind.number.length) }
    func bool(_ value: Bool) -> TokenAction { take(1) }
    func null() -> TokenAction { take(1) }

    var awaitsLocation: Bool { true }

    func located(from start: JSONLocation, to end: JSONLocation) -> TokenAction {
        guard current < positions.count else { return .proceed }
        if isEnd {
            positions[current] = positions[current].lowerBound..<end.offset
        } else if current == open.last {
            positions[current] = start.offset..<max(positions[current].upperBound, start.offset)
        } else {
            positions[current] = start.offset..<end.offset
        }
        return .proceed
    }
}
