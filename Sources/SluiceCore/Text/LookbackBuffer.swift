/// The chunk of the text at hand, and as much of what was before it as an error may have to show.
///
/// All places are absolute offsets, so that nothing depends on how the text was cut.
struct LookbackBuffer {
    /// Bytes before a token that its excerpt may show.
    static let reach = 64

    private(set) var chunk: UnsafePointer<UInt8>
    private(set) var count = 0
    /// The offset of the chunk's first byte.
    private(set) var chunkOffset = 0
    /// What lies before the chunk: the last bytes, and all of a token that is still open.
    private(set) var tail: [UInt8] = []
    /// The lines before the chunk.
    private var linesBefore = LineCount()
    /// The lines before the last offset of the chunk that was located. Locating in increasing order reads each byte once.
    private var linesCounted = LineCount()

    nonisolated(unsafe) private static let nothing = UnsafePointer(
        UnsafeMutablePointer<UInt8>.allocate(capacity: 1))

    init() { chunk = Self.nothing }

    /// The offset just after the chunk.
    var end: Int { chunkOffset + count }

    @inline(__always)
    func holds(_ bytes: UnsafePointer<UInt8>) -> Bool {
        // One comparison for both ends.
        UInt(bitPattern: bytes) &- UInt(bitPattern: chunk) < UInt(bitPattern: count)
    }

    func offset(of pointer: UnsafePointer<UInt8>) -> Int { chunkOffset + (pointer - chunk) }

    /// The next chunk begins; the bytes stay valid until it is retired.
    mutating func begin(_ bytes: UnsafeBufferPointer<UInt8>) {
        chunk = bytes.baseAddress.map { $0 } ?? Self.nothing
        count = bytes.count
        linesCounted = linesBefore
    }

    /// Ends the text inside of the chunk: what follows the offset is not read.
    mutating func truncate(at offset: Int) {
        count = min(max(offset - chunkOffset, 0), count)
        if linesCounted.offset > end { linesCounted = linesBefore }
    }

    /// Passes over the first bytes of the chunk: a byte order mark.
    mutating func pass(_ bytes: Int) {
        chunk += bytes
        count -= bytes
        chunkOffset += bytes
        linesBefore = LineCount(offset: chunkOffset, lines: linesBefore.lines, lineStart: chunkOffset)
        linesCounted = linesBefore
    }

    /// The chunk.
    var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: chunk, count: count) }

    /// The chunk's memory goes, and what of it lies from an offset on will come again.
    mutating func retire(upTo offset: Int) {
        truncate(at: offset)
        retire(open: offset)
    }

    /// Retires the chunk as a whole, if that has not been done. A source calls this whenever it has taken a chunk, however
    /// the parse goes on, for the chunk's memory may be freed then.
    mutating func retireRest() {
        if chunk != Self.nothing { retire(open: end) }
    }

    /// The chunk's memory goes: its lines are counted, and what may be needed is copied.
    ///
    /// - Parameter open: the offset of a token that is still open, or the chunk's end.
    mutating func retire(open: Int) {
        let bytes = UnsafeBufferPointer(start: chunk, count: count)
        countLines(to: end)
        linesBefore = linesCounted
        let from = max(open - Self.reach, chunkOffset - tail.count)
        if from < chunkOffset {
            tail.removeFirst(from - (chunkOffset - tail.count))
            tail += bytes
        } else {
            tail = Array(bytes[(from - chunkOffset)...])
        }
        chunkOffset += count
        chunk = Self.nothing
        count = 0
    }

    /// The byte at an offset that is retained.
    func byte(at offset: Int) -> UInt8 {
        offset >= chunkOffset ? chunk[offset - chunkOffset] : tail[tail.count + (offset - chunkOffset)]
    }

    /// The bytes of a range that is retained.
    func bytes(from start: Int, to end: Int) -> [UInt8] {
        if start >= chunkOffset {
            return Array(UnsafeBufferPointer(start: chunk + (start - chunkOffset), count: end - start))
        }
        return (start..<end).map { byte(at: $0) }
    }

    /// Where the string begins that ends just before `end`: at the nearest quote that no odd run of backslashes
    /// precedes. Inside of a string every quote is escaped.
    ///
    /// - Parameter least: how many bytes at least lie between its quotes, which need no look.
    func startOfString(endingAt end: Int, least: Int = 0) -> Int {
        var at = end - 2 - least
        let first = chunkOffset - tail.count
        while at > first {
            if byte(at: at) == UInt8(ascii: "\"") {
                var backslashes = 0
                while at - 1 - backslashes >= first, byte(at: at - 1 - backslashes) == UInt8(ascii: "\\") {
                    backslashes += 1
                }
                if backslashes % 2 == 0 { return at }
            }
            at -= 1
        }
        return at
    }

    /// Whether the text of a string has an escape of a surrogate.
    func mayHoldSurrogates(from start: Int, to end: Int) -> Bool {
        if start >= chunkOffset {
            let text = UnsafeBufferPointer(start: chunk + (start - chunkOffset), count: end - start)
            return Self.mayHoldSurrogates(text)
        }
        return bytes(from: start, to: end).withUnsafeBufferPointer { Self.mayHoldSurrogates($0) }
    }

    private static func mayHoldSurrogates(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let base = text.baseAddress else { return false }
        // An escape of a surrogate has four more bytes after its backslash and u.
        let end = text.count - 6
        let raw = UnsafeRawPointer(base)
        var at = 0
        while at < end {
            if at &+ 8 <= end {
                // No byte of the word is a backslash: each less 1 borrows only where one was 0 after the xor.
                let word = raw.loadUnaligned(fromByteOffset: at, as: UInt64.self) ^ 0x5C5C_5C5C_5C5C_5C5C
                let hits = (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080
                if hits == 0 {
                    at &+= 8
                    continue
                }
                at &+= UInt64(littleEndian: hits).trailingZeroBitCount >> 3
            }
            guard base[at] == UInt8(ascii: "\\") else {
                at &+= 1
                continue
            }
            if base[at + 1] == UInt8(ascii: "u"), base[at + 2] | 0x20 == UInt8(ascii: "d"),
                base[at + 3] >= UInt8(ascii: "8")
            {
                return true
            }
            at &+= 2
        }
        return false
    }

    // MARK: Places

    /// The line of a retained offset, from 1, and the offset of its first byte.
    mutating func line(of start: Int) -> (number: Int, start: Int) {
        countLines(to: min(start, end))
        let count = start < chunkOffset ? linesBefore : linesCounted
        return (count.lines + 1, count.lineStart)
    }

    /// Counts the lines up to an offset of the chunk: from the last one counted, or for an earlier one from the chunk's
    /// first byte.
    private mutating func countLines(to offset: Int) {
        if offset < chunkOffset { return }
        if offset < linesCounted.offset { linesCounted = linesBefore }
        let from = linesCounted.offset
        guard offset > from else { return }
        let found = LineFeeds.count(UnsafeBufferPointer(start: chunk + (from - chunkOffset), count: offset - from))
        linesCounted.offset = offset
        if found.count > 0 {
            linesCounted.lines += found.count
            linesCounted.lineStart = from + found.last + 1
        }
    }

    /// The line before an offset, as an excerpt shows it.
    private func lead(to start: Int, lineStart: Int) -> String {
        let retained = chunkOffset - tail.count
        var first = min(max(lineStart, start - (Self.reach - 4), retained), start)
        let isCut = first > lineStart
        // Not in the middle of a character.
        while first < start, byte(at: first) & 0xC0 == 0x80 { first += 1 }
        let before = Self.plain(String(decoding: bytes(from: first, to: start), as: UTF8.self))
        return isCut && !before.isEmpty ? "…" + before : before
    }

    private static func plain(_ text: String) -> String {
        String(text.map { $0.isNewline || $0 == "\t" ? " " : $0 })
    }

    /// The excerpt of an error in the text, with as much of what follows as has come.
    ///
    /// - Parameter limit: the offset at which the text may be no longer.
    func excerpt(at start: Int, lineStart: Int, limit: Int = .max) -> Excerpt {
        var excerpt = Excerpt(lead: lead(to: start, lineStart: lineStart), at: start, limit: limit)
        if start < end { excerpt.take(bytes(from: start, to: min(end, start + Self.reach)), at: start) }
        return excerpt
    }

    /// The line up to and with the token, and a caret below where it begins. What follows the token is not shown:
    /// in a stream it may not have come yet, and the excerpt is to be the same however the text is cut.
    func excerpt(from start: Int, to end: Int, lineStart: Int) -> String {
        var last = max(start, min(end, start + 40, self.end))
        while last > start, last < end, last < self.end, byte(at: last) & 0xC0 == 0x80 { last -= 1 }
        let lead = lead(to: start, lineStart: lineStart)
        let token = Self.plain(String(decoding: bytes(from: start, to: last), as: UTF8.self))
        if lead.isEmpty, token.isEmpty { return "" }
        let caret = String(repeating: " ", count: lead.count) + "^"
        return "\(lead)\(token)\(last < end ? "…" : "")\n\(caret)"
    }
}

/// The lines before an offset.
private struct LineCount {
    var offset = 0
    /// Line feeds before the offset.
    var lines = 0
    /// The offset just after the last of them.
    var lineStart = 0
}

/// Counts line feeds.
enum LineFeeds {
    /// How many there are, and where the last of them is.
    static func count(_ bytes: UnsafeBufferPointer<UInt8>) -> (count: Int, last: Int) {
        guard let base = bytes.baseAddress else { return (0, -1) }
        var total = 0
        var at = 0
        while at < bytes.count {
            // A block short enough for a sum in a byte, so that the compiler makes vector code of it.
            let end = min(at &+ 240, bytes.count)
            var sum: UInt8 = 0
            while at < end {
                sum &+= base[at] == 10 ? 1 : 0
                at &+= 1
            }
            total &+= Int(sum)
        }
        if total == 0 { return (0, -1) }
        var last = bytes.count - 1
        while base[last] != 10 { last -= 1 }
        return (total, last)
    }
}
