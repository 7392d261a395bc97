import CKernels
import SluiceCore

/// The bytes between two elements of an array, by which the borders of other elements are found in text.
///
/// The bytes begin with the last byte of an element and end after the opening brackets of the next one, or inside of its first key, at the
/// latest at the colon. The first value does not belong to them: values that are equal in some elements differ in others. A string, or an
/// array inside of an element, may contain the same bytes.
struct ElementBorder: Sendable {
    /// The number of places in a text at which elements are tried to be decoded.
    static let attempts = 32
    /// The maximum number of bytes after the opening bracket.
    private static let maximumStartLength = 16
    private static let maximumBatchSize = 1 << 24
    /// The number of elements from which a border is determined.
    static let minimumElements = 2

    private let bytes: [UInt8]
    /// The length of the last part of a text, which probably contains the end of an element.
    let tail: Int
    /// The length of a text that probably contains several elements.
    let batchSize: Int

    /// Creates a border from elements, or returns nil if they do not show one.
    ///
    /// - Parameters:
    ///   - ends: The ends of successive elements in a text.
    ///   - batchSize: The minimum length of a batch.
    init?(after ends: [Int], in text: UnsafeBufferPointer<UInt8>, batchSize: Int) {
        guard ends.count > Self.minimumElements else { return nil }
        var common: UnsafeBufferPointer<UInt8>.SubSequence?
        var required = 0
        for end in ends {
            guard let start = Self.nextElement(in: text, after: end) else { continue }
            let border = text[end - 1..<Self.endOfFirstKey(in: text, from: start)]
            required = max(required, start - end + 2)
            let length = common.map { zip($0, border).prefix { $0 == $1 }.count } ?? border.count
            common = border.prefix(length)
        }
        // Without the brackets of both elements, a border could be found almost anywhere.
        guard let common, common.count >= required,
            common.first == UInt8(ascii: "}") || common.first == UInt8(ascii: "]")
        else { return nil }
        bytes = Array(common)
        let maximumLength = zip(ends, ends.dropFirst()).map { $1 - $0 }.max() ?? 0
        tail = 2 * maximumLength + 64
        self.batchSize = max(batchSize, 4 * tail)
        if self.batchSize > Self.maximumBatchSize { return nil }
    }

    /// Returns the start of the element after the comma that follows an element.
    private static func nextElement(in text: UnsafeBufferPointer<UInt8>, after end: Int) -> Int? {
        guard let comma = text[end...].firstIndex(where: { !$0.isBlank }), text[comma] == UInt8(ascii: ",") else {
            return nil
        }
        return text[(comma + 1)...].firstIndex { !$0.isBlank }
    }

    /// Returns the offset after the brackets with which an element begins, and after the colon of its first key, at most `maximumStartLength`
    /// bytes after the start of the element.
    private static func endOfFirstKey(in text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        let limit = min(start + maximumStartLength, text.count)
        var end = start
        while end < limit, text[end] == UInt8(ascii: "[") || end > start && text[end].isBlank { end += 1 }
        guard end < limit, text[end] == UInt8(ascii: "{") else { return max(end, min(start + 1, limit)) }
        let brackets = end + 1
        // Elements without members, or with a key that has an escape, show no more than the brackets.
        guard let quote = text[brackets..<limit].firstIndex(where: { !$0.isBlank }),
            text[quote] == UInt8(ascii: "\"")
        else { return brackets }
        guard
            let last = text[(quote + 1)..<limit].firstIndex(where: {
                $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\")
            })
        else { return limit }
        if text[last] == UInt8(ascii: "\\") { return last }
        return text[last..<limit].firstIndex(of: UInt8(ascii: ":")).map { $0 + 1 } ?? limit
    }

    /// Returns the end of the first element that is followed by such a border.
    func firstEnd(in text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
        guard let base = text.baseAddress, start < text.count else { return nil }
        return sluice_find(base + start, text.count - start, bytes, bytes.count).map { $0 - base + 1 }
    }
}
