import CKernels

/// The current chunk of the input, and the preceding bytes that an error may show.
///
/// All locations are absolute offsets, so that results do not depend on the division of the input into chunks.
package struct LookbackBuffer {
    /// The number of bytes before a token that its excerpt may show.
    package static let reach = 64
    /// The number of bytes of a token that its excerpt shows.
    private static let shownTokenLength = 40

    /// The bytes of the chunk, or an address without bytes after the chunk was retired.
    private(set) var chunk: UnsafePointer<UInt8>
    private(set) var count = 0
    /// The offset of the chunk's first byte.
    private(set) var chunkOffset: Int
    /// The retained bytes before the chunk, including all bytes of an incomplete token.
    private(set) var tail: [UInt8]
    /// The offset of the document's first byte. Each of several consecutive values in an input is a document.
    private(set) var origin: Int
    /// The lines before the chunk.
    private var linesBefore: LineCount
    /// The lines before the last located offset of the chunk. Locations in increasing order read each byte once.
    private var linesCounted: LineCount

    /// The address of the chunk before the first and after the last, which has no bytes.
    static var nothing: UnsafePointer<UInt8> { UnsafePointer(bitPattern: 64).unsafelyUnwrapped }

    /// - Parameters:
    ///   - origin: The lines of the input before the document.
    ///   - context: The bytes before the document that excerpts show.
    init(after origin: LineCount = LineCount(), context: [UInt8] = []) {
        chunk = Self.nothing
        chunkOffset = origin.offset
        self.origin = origin.offset
        linesBefore = origin
        linesCounted = origin
        tail = context
    }

    /// Begins the next document, whose first chunk follows.
    ///
    /// - Parameter start: The lines of the input before the document.
    mutating func beginDocument(after start: LineCount) {
        (chunk, count) = (Self.nothing, 0)
        (chunkOffset, origin) = (start.offset, start.offset)
        (linesBefore, linesCounted) = (start, start)
        if !tail.isEmpty { tail = [] }
    }

    /// Returns the offset at which a document of the greatest allowed length ends.
    func end(ofDocumentWithin limit: Int) -> Int {
        let (end, overflows) = origin.addingReportingOverflow(max(limit, 0))
        return overflows ? .max : end
    }

    /// The offset just after the chunk.
    var end: Int { chunkOffset + count }

    /// Whether an address is in the chunk.
    @inline(__always)
    func holds(_ bytes: UnsafePointer<UInt8>) -> Bool {
        // One comparison checks both ends.
        UInt(bitPattern: bytes) &- UInt(bitPattern: chunk) < UInt(bitPattern: count)
    }

    /// Returns the offset of an address in the chunk.
    func offset(of pointer: UnsafePointer<UInt8>) -> Int { chunkOffset + (pointer - chunk) }

    /// Begins the next chunk. The bytes must stay valid until the chunk is retired.
    mutating func begin(_ bytes: UnsafeBufferPointer<UInt8>) {
        chunk = bytes.baseAddress ?? Self.nothing
        count = bytes.count
        linesCounted = linesBefore
    }

    /// Ends the input inside of the chunk. Bytes from the offset on are not read.
    mutating func truncate(at offset: Int) {
        count = min(max(offset - chunkOffset, 0), count)
    }

    /// Skips the byte order mark at the start of the chunk.
    mutating func dropByteOrderMark() {
        let bytes = Encoding.byteOrderMark.count
        chunk += bytes
        count -= bytes
        chunkOffset += bytes
        linesBefore = LineCount(offset: chunkOffset, lines: linesBefore.lines, lineStart: chunkOffset)
        linesCounted = linesBefore
    }

    /// The bytes of the chunk.
    var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: chunk, count: count) }

    /// Retires the chunk up to an offset. The caller provides the bytes from that offset on again.
    mutating func retire(upTo offset: Int) {
        truncate(at: offset)
        retire(open: offset)
    }

    /// Retires the whole chunk, unless the chunk was retired before. A source calls this method after every chunk, whatever the
    /// outcome of the parse, because the caller may then free the memory of the chunk.
    mutating func retireRest() {
        if chunk != Self.nothing { retire(open: end) }
    }

    /// Retires the chunk: counts its lines and copies the bytes that may be needed.
    ///
    /// - Parameter open: The offset of an incomplete token, or the end of the chunk.
    mutating func retire(open: Int) {
        let bytes = UnsafeBufferPointer(start: chunk, count: count)
        countLines(to: end)
        linesBefore = linesCounted
        let from = max(open - Self.reach, chunkOffset - tail.count)
        if from < chunkOffset {
            // Small chunks share one removal, and a single byte is not copied as a buffer.
            let unneeded = from - (chunkOffset - tail.count)
            if unneeded >= Self.reach { tail.removeFirst(unneeded) }
            if count == 1 { tail.append(chunk.pointee) } else { tail += bytes }
        } else {
            tail = Array(bytes[(from - chunkOffset)...])
        }
        chunkOffset += count
        chunk = Self.nothing
        count = 0
    }

    /// Skips bytes after the last chunk, which was retired.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - lines: The lines of the bytes.
    mutating func skip(_ bytes: UnsafeBufferPointer<UInt8>, _ lines: LineCount) {
        tail = Array((tail + bytes.suffix(Self.reach)).suffix(Self.reach))
        linesBefore.advance(by: lines)
        chunkOffset = linesBefore.offset
        linesCounted = linesBefore
    }

    /// Sets the offset of the document's first byte, if white space before the first chunk was not passed.
    mutating func setDocumentStart(_ offset: Int) { origin = offset }

    /// Sets the bytes before the next chunk that excerpts show, after the last chunk was retired.
    mutating func setContext(_ bytes: [UInt8]) { tail = bytes }

    /// Returns the byte at an offset, which must be retained.
    func byte(at offset: Int) -> UInt8 {
        offset >= chunkOffset ? chunk[offset - chunkOffset] : tail[tail.count + (offset - chunkOffset)]
    }

    /// Returns the bytes of a range, which must be retained.
    func bytes(from start: Int, to end: Int) -> [UInt8] {
        if start >= chunkOffset {
            return Array(UnsafeBufferPointer(start: chunk + (start - chunkOffset), count: end - start))
        }
        return (start..<end).map { byte(at: $0) }
    }

    /// Calls a closure with the bytes from a retained offset to the end of the last chunk, which was retired.
    func withRetiredBytes<Result>(from start: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        tail.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0.suffix(chunkOffset - start))) }
    }

    /// Returns the offset of the opening quote of the string that ends just before `end`: the nearest quote after an even
    /// number of backslashes. All quotes inside of a string are escaped.
    ///
    /// - Parameter least: The least number of bytes between the quotes, which are not searched.
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

    /// Whether the JSON of a string contains the escape of a surrogate.
    func mayHoldSurrogates(from start: Int, to end: Int) -> Bool {
        if start >= chunkOffset {
            let text = UnsafeBufferPointer(start: chunk + (start - chunkOffset), count: end - start)
            return Self.mayHoldSurrogates(text)
        }
        return bytes(from: start, to: end).withUnsafeBufferPointer { Self.mayHoldSurrogates($0) }
    }

    private static func mayHoldSurrogates(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let base = text.baseAddress else { return false }
        // The escape of a surrogate has four more bytes after its backslash and u.
        let end = text.count - 6
        let raw = UnsafeRawPointer(base)
        var at = 0
        while at < end {
            if at &+ 8 <= end {
                // A word without a backslash has no hits: subtracting 1 borrows only from bytes that are 0 after the xor.
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

    // MARK: Locations

    /// The line of a retained offset, from 1, and the offset of its first byte.
    mutating func line(of start: Int) -> (number: Int, start: Int) {
        countLines(to: min(start, end))
        let count = start < chunkOffset ? linesBefore : linesCounted
        return (count.lines + 1, count.lineStart)
    }

    /// Counts the lines up to an offset of the chunk. Starts at the last counted offset, or at the chunk's first byte for an
    /// earlier offset.
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

    /// Returns the line before an offset, in the form of an excerpt.
    private func lead(to start: Int, lineStart: Int) -> String {
        let retained = chunkOffset - tail.count
        var first = min(max(lineStart, start - (Self.reach - 4), retained), start)
        let isCut = first > lineStart
        // An excerpt does not begin inside of a character.
        while first < start, byte(at: first) & 0xC0 == 0x80 { first += 1 }
        let before = Excerpt.plain(bytes(from: first, to: start)[...])
        return isCut && !before.isEmpty ? "…" + before : before
    }

    /// Returns the excerpt of a syntax error, with the available bytes after the error.
    ///
    /// - Parameter limit: The offset of the document limit, beyond which the excerpt does not extend.
    func excerpt(at start: Int, lineStart: Int, limit: Int = .max) -> Excerpt {
        var excerpt = Excerpt(lead: lead(to: start, lineStart: lineStart), at: start, limit: limit)
        if start < end { excerpt.take(bytes(from: start, to: min(end, start + Self.reach)), at: start) }
        return excerpt
    }

    /// Returns the line up to the end of a token, and a caret below the start of the token. Omits bytes after the token: a
    /// stream may not have delivered them yet, and the excerpt must not depend on the division into chunks.
    func excerpt(from start: Int, to end: Int, lineStart: Int) -> String {
        let last = max(start, min(end, start + Self.shownTokenLength, self.end))
        let bytes = bytes(from: start, to: last)[...]
        // An excerpt does not end inside of a character, at which a limit may also cut the token.
        let shown = bytes.dropLast(Excerpt.lengthOfCutCharacter(bytes))
        let lead = lead(to: start, lineStart: lineStart)
        let token = Excerpt.plain(shown)
        if lead.isEmpty, token.isEmpty { return "" }
        let caret = String(repeating: " ", count: lead.count) + "^"
        return "\(lead)\(token)\(last < end ? "…" : "")\n\(caret)"
    }
}

/// The lines before an offset.
package struct LineCount {
    package var offset = 0
    /// The number of line feeds before the offset.
    package var lines = 0
    /// The offset just after the last line feed.
    package var lineStart = 0

    package init(offset: Int = 0, lines: Int = 0, lineStart: Int = 0) {
        (self.offset, self.lines, self.lineStart) = (offset, lines, lineStart)
    }

    /// Moves the offset beyond the bytes that follow.
    package mutating func advance(over bytes: UnsafeBufferPointer<UInt8>) {
        let feeds = LineFeeds.count(bytes)
        if feeds.count > 0 {
            lines += feeds.count
            lineStart = offset + feeds.last + 1
        }
        offset += bytes.count
    }

    /// Moves the offset beyond bytes whose lines were counted from offset 0.
    package mutating func advance(by following: LineCount) {
        if following.lines > 0 { lineStart = offset + following.lineStart }
        lines += following.lines
        offset += following.offset
    }
}

/// Counts line feeds.
enum LineFeeds {
    /// Returns the number of line feeds, and the offset of the last one or −1 without any.
    static func count(_ bytes: UnsafeBufferPointer<UInt8>) -> (count: Int, last: Int) {
        guard let base = bytes.baseAddress else { return (0, -1) }
        let total = sluice_line_feeds(base, bytes.count)
        if total == 0 { return (0, -1) }
        var last = bytes.count - 1
        while base[last] != 10 { last -= 1 }
        return (total, last)
    }
}
