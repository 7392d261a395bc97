import SluiceCore

/// The text of a document before its first byte other than white space. This byte determines whether the elements of the stream are
/// the elements of an array, or the document is the only element.
///
/// Memory holds the last bytes of the text, whatever the limit of the document is.
struct DocumentStart {
    /// The number of bytes that are kept for the excerpts of errors.
    private static let keptLength = LookbackBuffer.reach
    private static let mark = Encoding.byteOrderMark
    private var bytes: [UInt8] = []
    /// The lines before the kept bytes.
    private(set) var origin = LineCount()
    /// The offset of the document, which is not 0 after other text.
    private(set) var offset = 0
    /// The maximum length of the document.
    private let limit: Int

    /// - Parameter limit: The maximum length of the document.
    init(limit: Int) { self.limit = max(limit, 0) }

    /// Ignores the text before the document.
    ///
    /// - Parameter origin: The lines before the first byte of the document.
    mutating func begin(after origin: LineCount) { (self.origin, offset) = (origin, origin.offset) }

    /// The number of bytes of white space and of a byte order mark so far.
    private var length: Int { origin.offset - offset + bytes.count }

    /// The lines before the first byte that is neither white space nor a part of a byte order mark.
    var end: LineCount {
        var (lines, kept) = (origin, bytes[...])
        Self.advance(&lines, over: &kept)
        return lines
    }

    /// Removes white space and a byte order mark from the front of the next text.
    ///
    /// - Returns: Whether the document is an array; nil if its first byte follows later. A document that is white space up to its limit
    ///   is no array.
    mutating func isArray(_ text: inout UnsafeBufferPointer<UInt8>) -> Bool? {
        let maximum = min(text.count, limit - min(length, limit))
        var count = 0
        while count < maximum, isSpace(text[count], at: length + count, after: text[0]) { count += 1 }
        let isAtLimit = count == maximum && count < text.count
        take(UnsafeBufferPointer(rebasing: text[..<count]))
        text = UnsafeBufferPointer(rebasing: text[count...])
        return isAtLimit ? false : text.first.map { $0 == UInt8(ascii: "[") }
    }

    /// Whether a byte is white space, or continues a byte order mark.
    ///
    /// - Parameter next: The first byte of the text, which is that of the document if no bytes are before.
    private func isSpace(_ byte: UInt8, at offset: Int, after next: UInt8) -> Bool {
        if offset >= Self.mark.count { return byte.isBlank }
        let isMark = offset == 0 ? byte == Self.mark[0] : (bytes.first ?? next) == Self.mark[0]
        return isMark ? byte == Self.mark[offset] : byte.isBlank
    }

    /// Takes the next bytes, and keeps the last ones.
    private mutating func take(_ text: UnsafeBufferPointer<UInt8>) {
        // The kept bytes contain a byte order mark until the whole mark is removed.
        var text = text[...]
        let first = text.prefix(max(Self.mark.count - length, 0))
        bytes += first
        text = text.dropFirst(first.count)
        if bytes.count + text.count > 2 * Self.keptLength {
            var removed = bytes[...]
            if text.count < Self.keptLength { removed = removed.dropLast(Self.keptLength - text.count) }
            let count = removed.count
            Self.advance(&origin, over: &removed)
            bytes.removeFirst(count)
            let rest = text.dropLast(Self.keptLength)
            origin.advance(over: UnsafeBufferPointer(rebasing: rest))
            text = text.dropFirst(rest.count)
        }
        bytes += text
    }

    /// Advances over bytes, which may begin with the byte order mark of the document.
    private static func advance(_ lines: inout LineCount, over bytes: inout ArraySlice<UInt8>) {
        if lines.offset == 0, bytes.starts(with: mark) {
            lines = LineCount(offset: mark.count, lineStart: mark.count)
            bytes = bytes.dropFirst(mark.count)
        }
        bytes.withUnsafeBufferPointer { lines.advance(over: $0) }
    }

    /// Calls a closure with the kept text, from `origin` on.
    func withText(_ body: (UnsafeBufferPointer<UInt8>) throws(JSONModelError) -> Void) throws(JSONModelError) {
        try bytes.withUnsafeBufferPointer(body)
    }
}
