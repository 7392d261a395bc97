/// The text of a document before its first byte other than white space. This byte determines whether the elements of the stream are
/// the elements of an array, or the document is the only element.
struct DocumentStart {
    /// The number of bytes of white space that are kept for the excerpts of errors.
    private static let keptLength = 64
    private var bytes: [UInt8] = []
    /// The lines before the kept bytes.
    private(set) var origin = LineCount()
    private let keepsAll: Bool

    /// - Parameter keepsAll: Whether all white space is kept.
    init(keepsAll: Bool) { self.keepsAll = keepsAll }

    /// Consumes the next text of the document.
    ///
    /// - Returns: The first byte other than white space and a byte order mark; nil if the byte follows later.
    mutating func firstByte(in text: UnsafeBufferPointer<UInt8>) -> UInt8? {
        bytes.append(contentsOf: text)
        if let first = text.first(where: { !$0.isBlank && !Encoding.byteOrderMark.contains($0) }) { return first }
        if !keepsAll, bytes.count > 2 * Self.keptLength { return removeBlanks() }
        return nil
    }

    /// Removes white space except for the last bytes. Returns a byte that is not white space.
    private mutating func removeBlanks() -> UInt8? {
        if origin.offset == 0, bytes.withUnsafeBufferPointer({ Encoding.hasByteOrderMark($0) }) {
            let count = Encoding.byteOrderMark.count
            bytes.removeFirst(count)
            origin = LineCount(offset: count, lineStart: count)
        }
        let removed = bytes.dropLast(Self.keptLength)
        // Bytes of a mark elsewhere are an error, which the source finds.
        if let byte = removed.first(where: { !$0.isBlank }) { return byte }
        removed.withUnsafeBufferPointer { origin.advance(over: $0) }
        bytes.removeFirst(removed.count)
        return nil
    }

    /// Calls a closure with the text so far, from `origin` on.
    func withText(_ body: (UnsafeBufferPointer<UInt8>) throws(JSONModelError) -> Void) throws(JSONModelError) {
        try bytes.withUnsafeBufferPointer(body)
    }
}
