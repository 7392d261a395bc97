import SluiceCore

/// The text that a stream reads for a range of a file.
///
/// In lines, text sequences and event streams, the bytes around an offset show whether a value begins there. A range has the values that
/// begin in it, as the input splits of Hadoop have lines. In other framings, both ends of the range must be those of elements. The bytes
/// around the ends are checked, and the stream checks that the range ends after an element.
struct RangeText {
    /// The offsets of the text. In a document, the text begins with the comma before the first element.
    let bytes: Range<Int>
    /// The lines before the text. If the location of the range is unknown, they count from the range.
    var origin: LineCount
    /// The number of elements before the text. If the index of the range is unknown, they count from the range.
    var index: Int
    /// Whether the first element of an array begins the text.
    let beginsArray: Bool

    /// - Parameter range: The range. Its index and location are those of the whole file, or count from the range.
    init(_ range: JSONFileRange, _ framing: JSONFraming, in file: FileReader) throws(JSONModelError) {
        let search = try BorderSearch(file)
        if range.bytes.lowerBound < 0 { throw search.error(range.bytes, "the range begins before the file") }
        guard range.isPossible else {
            throw search.error(range.bytes, "the index or the location of the range is not that of a text")
        }
        // A range after the end of the file is empty.
        var start = min(range.bytes.lowerBound, search.length)
        var end = range.bytes.isEmpty ? start : max(start, range.bytes.upperBound)
        var (origin, beginsArray) = (range.lines, false)
        switch framing {
        case let framing where framing.rules.hasVisibleBorders:
            start = try search.border(from: start, framing.rules)
            end = max(start, try search.border(from: end, framing.rules))
            let first = try search.textStart()
            // The first line begins after a byte order mark.
            origin = start > 0 && start <= first.offset ? first : try search.lines(origin, to: start, framing.rules)
        case .document where start < end:
            if end > search.length { throw search.error(range.bytes, "the file has \(search.length) bytes") }
            guard let (byte, offset) = try search.lastByte(before: start),
                byte == UInt8(ascii: ",") || byte == UInt8(ascii: "[")
            else { throw search.error(range.bytes, "no element of an array begins at byte \(start)") }
            guard let next = try search.firstByte(from: end)?.byte,
                next == UInt8(ascii: ",") || next == UInt8(ascii: "]")
            else { throw search.error(range.bytes, "no element of an array ends at byte \(end)") }
            beginsArray = byte == UInt8(ascii: "[")
            if !beginsArray {
                origin = try search.origin(at: offset, before: origin)
                start = offset
            }
        case .document: break
        default:
            if end > search.length { throw search.error(range.bytes, "the file has \(search.length) bytes") }
            for end in [start, end] where try search.isInScalar(end) {
                throw search.error(range.bytes, "byte \(end) is in a value")
            }
        }
        (bytes, self.origin, index) = (start..<end, origin, range.index)
        self.beginsArray = beginsArray
    }
}

extension JSONFileRange {
    /// The error of a range that a stream cannot read.
    static func error(_ bytes: Range<Int>, of file: String, _ reason: String) -> JSONModelError {
        JSONModelError(
            .invalidRange("cannot read bytes \(bytes.lowerBound) to \(bytes.upperBound) of \(file): \(reason)"))
    }
}

/// Finds borders between values of a file by the bytes around them.
struct BorderSearch {
    private let file: FileReader
    let length: Int
    private static var windowLength: Int { 65_536 }

    /// - Throws: An error if the file is not regular, or is compressed.
    init(_ file: FileReader) throws(JSONModelError) {
        guard let length = file.length else {
            throw JSONModelError(
                .invalidRange("\(file.name) is not a regular file, of which a range could be read"))
        }
        (self.file, self.length) = (file, length)
        let head = try bytes(0..<min(length, TextSample.length))
        if JSONCompression.isCompressed(head) {
            throw JSONModelError(
                .invalidRange("\(file.name) is compressed: no range of a compressed file can be read"))
        }
    }

    func error(_ bytes: Range<Int>, _ reason: String) -> JSONModelError {
        JSONFileRange.error(bytes, of: file.name, reason)
    }

    private func bytes(_ range: Range<Int>) throws(JSONModelError) -> [UInt8] {
        do { return try file.bytes(at: range.lowerBound, count: range.count) } catch {
            throw FileReader.unreadable(error, file.name, offset: range.lowerBound)
        }
    }

    /// Returns the start of the text, after a byte order mark.
    func textStart() throws(JSONModelError) -> LineCount {
        let head = try bytes(0..<min(length, Encoding.byteOrderMark.count))
        let count = head.elementsEqual(Encoding.byteOrderMark) ? head.count : 0
        return LineCount(offset: count, lineStart: count)
    }

    /// Calls a closure with the bytes between two offsets in windows.
    func forEachWindow(
        from start: Int, to end: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Void
    ) throws(JSONModelError) {
        let _: Never? = try first(from: start, to: end) { _, bytes in
            body(bytes)
            return nil
        }
    }

    /// Calls a closure with the bytes between two offsets in windows, and the offset of each, until the closure returns a result.
    func first<Result>(
        from start: Int, to end: Int, _ body: (Int, UnsafeBufferPointer<UInt8>) -> Result?
    ) throws(JSONModelError) -> Result? {
        var offset = start
        while offset < end {
            let window = try bytes(offset..<min(offset + Self.windowLength, end))
            // The file has become shorter.
            if window.isEmpty { return nil }
            if let result = window.withUnsafeBufferPointer({ body(offset, $0) }) { return result }
            offset += window.count
        }
        return nil
    }

    // MARK: Lines, text sequences and event streams

    /// Returns the first offset from an offset on at which a value may begin, or the length of the file.
    func border(from offset: Int, _ rules: any FramingRules) throws(JSONModelError) -> Int {
        if offset <= 0 { return 0 }
        if offset <= Encoding.byteOrderMark.count {
            // The first value begins after a byte order mark.
            let start = try textStart().offset
            if offset <= start { return start }
        }
        return try rules.border(from: offset, in: self)
    }

    func first(_ byte: UInt8, from offset: Int) throws(JSONModelError) -> Int? {
        try first(from: offset, to: length) { start, bytes in
            let count = bytes.count(before: byte, within: bytes.count)
            return count < bytes.count ? start + count : nil
        }
    }

    /// Returns the lines before an offset, from the lines before another one.
    func lines(
        _ lines: LineCount, to offset: Int, _ rules: any FramingRules
    ) throws(JSONModelError) -> LineCount {
        let splitter = rules.splitter(at: lines)
        var position = lines
        try forEachWindow(from: lines.offset, to: offset) { bytes in
            var rest = bytes
            while splitter?.next(in: &rest) != nil {}
            position.advance(over: bytes)
        }
        return splitter?.position ?? position
    }

    // MARK: Other framings

    /// Whether the bytes before and after an offset are parts of one number or literal.
    func isInScalar(_ offset: Int) throws(JSONModelError) -> Bool {
        if offset == 0 || offset >= length { return false }
        if offset <= Encoding.byteOrderMark.count, try textStart().offset == offset { return false }
        return try bytes(offset - 1..<offset + 1).allSatisfy { !$0.isBlank && !$0.isStructural }
    }

    /// Returns the last byte before an offset that is not white space, and its offset.
    func lastByte(before offset: Int) throws(JSONModelError) -> (byte: UInt8, offset: Int)? {
        var end = offset
        while end > 0 {
            let start = max(end - 64, 0)
            let window = try bytes(start..<end)
            if let index = window.lastIndex(where: { !$0.isBlank }) { return (window[index], start + index) }
            end = start
        }
        return nil
    }

    /// Returns the first byte from an offset on that is not white space, and its offset.
    func firstByte(from offset: Int) throws(JSONModelError) -> (byte: UInt8, offset: Int)? {
        try first(from: offset, to: length) { start, bytes in
            bytes.firstIndex { !$0.isBlank }.map { (bytes[$0], start + $0) }
        }
    }

    /// Returns the lines before the comma at an offset, which precedes a position after white space.
    func origin(at comma: Int, before position: LineCount) throws(JSONModelError) -> LineCount {
        var following = LineCount()
        try forEachWindow(from: comma, to: position.offset) { following.advance(over: $0) }
        return LineCount(
            offset: comma, lines: position.lines - following.lines,
            lineStart: following.lines == 0 ? position.lineStart : comma)
    }
}
