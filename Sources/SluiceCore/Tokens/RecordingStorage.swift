/// Recorded bytes, and an index of the containers in them. Immutable, except values derived on demand.
///
/// Invariant: 64 bytes after the end are readable, and the first of them is zero.
final class RecordingStorage {
    /// The index entry of a container.
    struct Container {
        /// The offset after the closing bracket.
        var end: Int
        /// The number of containers that begin before that offset.
        var next: Int
    }

    let bytes: UnsafePointer<UInt8>
    let count: Int
    /// The number of context bytes before the recorded ones, for excerpts.
    private let contextCount: Int
    let origin: RecordingOrigin
    /// The text after the recorded bytes that is not JSON. Shown by excerpts.
    private let invalidText: ArraySlice<UInt8>
    /// The storage from which these bytes were copied, and the offset of the first byte in that storage.
    private let original: (storage: RecordingStorage, offset: Int)?
    /// The containers, in the order of their opening brackets.
    let containers: [Container]
    /// The offsets of the tokens for which an issue was recorded.
    private var reported: Set<Int> = []
    private lazy var lineStarts = findLineStarts()

    private static let slack = 64

    init(_ bytes: [UInt8], origin: RecordingOrigin, invalidText: ArraySlice<UInt8> = []) {
        original = nil
        var context: [UInt8] = []
        if case .input(_, let before) = origin { context = before }
        contextCount = context.count
        let start = UnsafeMutablePointer<UInt8>.allocate(capacity: context.count + bytes.count + Self.slack)
        _ = UnsafeMutableBufferPointer(start: start, count: context.count).initialize(from: context)
        let memory = start + context.count
        _ = UnsafeMutableBufferPointer(start: memory, count: bytes.count).initialize(from: bytes)
        (memory + bytes.count).initialize(repeating: 0, count: Self.slack)
        self.bytes = UnsafePointer(memory)
        count = bytes.count
        self.origin = origin
        self.invalidText = invalidText
        containers = Self.index(UnsafePointer(memory), bytes.count)
    }

    /// Copies a range of a storage and overwrites parts of the range with spaces. Issues in the copy have the locations and
    /// excerpts of the original.
    ///
    /// - Parameters:
    ///   - range: The offsets to copy.
    ///   - blanks: The offsets to overwrite, within `range`.
    init(copying range: Range<Int>, of storage: RecordingStorage, blanks: [Range<Int>]) {
        original = (storage, range.lowerBound)
        origin = storage.origin
        (contextCount, invalidText) = (0, [])
        count = range.count
        let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: range.count + Self.slack)
        memory.initialize(from: storage.bytes + range.lowerBound, count: range.count)
        (memory + range.count).initialize(repeating: 0, count: Self.slack)
        for blank in blanks {
            (memory + (blank.lowerBound - range.lowerBound)).update(
                repeating: UInt8(ascii: " "), count: blank.count)
        }
        bytes = UnsafePointer(memory)
        containers = Self.index(bytes, count)
    }

    deinit { (bytes - contextCount).deallocate() }

    /// Finds the containers. In invalid JSON, containers that stay open end with the bytes.
    private static func index(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> [Container] {
        var containers: [Container] = []
        var open: [Int] = []
        var at = bytes
        let end = bytes + count
        while at < end {
            switch at.pointee {
            case UInt8(ascii: "\""): at = min(stringEnd(at, end: end), end)
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                open.append(containers.count)
                containers.append(Container(end: count, next: 0))
                at += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                at += 1
                if let last = open.popLast() {
                    containers[last] = Container(end: at - bytes, next: containers.count)
                }
            default: at += 1
            }
        }
        for index in open { containers[index].next = containers.count }
        return containers
    }

    /// Returns the end of the string that begins at a quote. Beyond `end` if the string is truncated.
    static func stringEnd(_ quote: UnsafePointer<UInt8>, end: UnsafePointer<UInt8>) -> UnsafePointer<UInt8> {
        let last = end + (slack - 16)
        var isASCII = true
        var at = quote + 1
        while true {
            at = Kernels.stringEnd(at, last: last, isASCII: &isASCII)
            if at >= end { return end + 1 }
            if at.pointee == UInt8(ascii: "\"") { return at + 1 }
            // An escaped character does not end the string. The validation finds control characters.
            at += at.pointee == UInt8(ascii: "\\") ? 2 : 1
        }
    }

    // MARK: Tokens

    /// Returns the contents of a string or key.
    func string(_ token: RecordedToken) -> String {
        withUTF8(of: token) { String(checkedUTF8: $0) }
    }

    /// Returns the bytes of a member's value.
    ///
    /// - Parameters:
    ///   - start: The offset after the key.
    ///   - end: The offset after the value.
    func value(from start: Int, to end: Int) -> UnsafeBufferPointer<UInt8> {
        var start = start
        while start < end, bytes[start] <= 0x20 || bytes[start] == UInt8(ascii: ":") { start += 1 }
        return UnsafeBufferPointer(start: bytes + start, count: end - start)
    }

    func isEqual(_ token: RecordedToken, _ key: String) -> Bool {
        withUTF8(of: token) { bytes in bytes.elementsEqual(key.utf8) }
    }

    /// Calls `body` with the unescaped bytes of a string or key. Eight more bytes are readable.
    func withUTF8<R>(of token: RecordedToken, _ body: (UnsafeBufferPointer<UInt8>) -> R) -> R {
        let start = bytes + (token.start + 1)
        let length = token.end - token.start - 2
        guard token.isEscaped else { return body(UnsafeBufferPointer(start: start, count: length)) }
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: length + 2 * Unescaping.slack) { buffer in
            let out = buffer.baseAddress.unsafelyUnwrapped
            var text = Unescaping(from: start, into: out)
            _ = text.proceed(last: start + length, outLast: out + (length + Unescaping.slack))
            let count = text.at == start + length ? text.out - out : 0
            (out + count).initialize(repeating: 0, count: 8)
            return body(UnsafeBufferPointer(start: out, count: count))
        }
    }

    // MARK: Locations

    /// Marks the token at an offset as having an issue, and returns whether the issue is the first.
    ///
    /// A value that is read both whole and in parts is replayed twice, and may fail twice for the same reason.
    func isFirstIssue(at offset: Int) -> Bool {
        if let original { return original.storage.isFirstIssue(at: offset + original.offset) }
        return reported.insert(offset).inserted
    }

    /// Returns an issue with the location of the token from `start` to `end`.
    func located(_ issue: JSONIssue, from start: Int, to end: Int) -> JSONIssue {
        if let original {
            return original.storage.located(issue, from: start + original.offset, to: end + original.offset)
        }
        var issue = issue
        issue.excerpt = excerpt(of: issue.kind, from: start, to: end)
        issue.location = location(of: start)
        return issue
    }

    private func excerpt(of kind: JSONIssue.Kind, from start: Int, to end: Int) -> String {
        if case .none = origin { return "" }
        let shown = UnsafeBufferPointer(start: bytes - contextCount, count: contextCount + count)
        func excerpt(in shown: UnsafeBufferPointer<UInt8>) -> String {
            var text = LookbackBuffer()
            text.begin(shown)
            if kind.showsWhatFollows {
                return text.excerpt(
                    at: contextCount + start, lineStart: contextCount + lineStart(of: start)
                ).text
            }
            return text.excerpt(
                from: contextCount + start, to: contextCount + end, lineStart: contextCount + lineStart(of: start))
        }
        return invalidText.isEmpty
            ? excerpt(in: shown) : (Array(shown) + invalidText).withUnsafeBufferPointer { excerpt(in: $0) }
    }

    /// Whether the tokens have locations of their own.
    var hasLocations: Bool { if case .input = origin { true } else { false } }

    /// Returns the location of a token in the input.
    func location(of start: Int) -> JSONLocation {
        if let original { return original.storage.location(of: start + original.offset) }
        switch origin {
        case .none: return JSONLocation(offset: 0, line: 0, column: 0)
        case .token(let location): return location
        case .input(let origin, _):
            return JSONLocation(
                offset: origin.offset + start, line: origin.line + line(of: start),
                column: start - lineStart(of: start) + 1)
        }
    }

    /// Returns the offset where the line of an offset begins; negative if the line begins before the bytes.
    private func lineStart(of offset: Int) -> Int {
        let line = line(of: offset)
        guard line == 0, case .input(let origin, _) = origin else { return lineStarts[line] }
        return 1 - origin.column
    }

    /// Returns the line of an offset, counted from 0.
    private func line(of offset: Int) -> Int {
        var (low, high) = (0, lineStarts.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if lineStarts[middle] <= offset { low = middle } else { high = middle }
        }
        return low
    }

    private func findLineStarts() -> [Int] {
        var starts = [0]
        for at in 0..<count where bytes[at] == UInt8(ascii: "\n") { starts.append(at + 1) }
        for (at, byte) in zip(count..., invalidText) where byte == UInt8(ascii: "\n") { starts.append(at + 1) }
        return starts
    }
}
