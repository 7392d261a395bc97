import SluiceCore
import SluiceStreams

/// The framing of an input, from the name of its file or from its first bytes.
package enum FramingGuess: Hashable {
    case framing(JSONFraming)
    /// The first bytes are one value on one line. Another may follow.
    case oneValue
    /// The first bytes are one value with line breaks, and end with its last byte. Another may follow.
    case oneValueOfLines
    /// The first value, which is on one line so far, has no end.
    case openLine

    /// Returns the framing that the extension of a name tells, before the extension of a compressed file.
    package static func framing(ofFile name: String) -> JSONFraming? {
        var parts = name.lowercased().split(separator: "/").last?.split(separator: ".").dropFirst() ?? []
        if let last = parts.last, ["gz", "gzip", "zst", "zstd"].contains(last) { parts.removeLast() }
        return switch parts.last {
        case "jsonl", "ndjson", "ldjson", "jsonlines", "geojsonl", "ndgeojson": .lines
        case "json-seq", "jsonseq", "geojsons", "geojsonseq": .textSequence
        case "sse": .serverSentEvents
        default: nil
        }
    }

    /// Guesses the framing from the first bytes of an input, which may be compressed.
    package init(_ head: [UInt8]) {
        guard JSONCompression.isCompressed(head) else {
            self.init(text: head[...])
            return
        }
        // Owns the memory of the text.
        let decompression = Decompression(JSONLimits())
        let text = try? head.withUnsafeBufferPointer { head in
            var head = head
            return try withExtendedLifetime(decompression) {
                try decompression.text(from: &head, openLength: 0).map(Array.init) ?? []
            }
        }
        if let text { self.init(text: text[...]) } else { self = .framing(.document) }
    }

    private init(text: ArraySlice<UInt8>) {
        var text = text
        if text.starts(with: Encoding.byteOrderMark) { text.removeFirst(Encoding.byteOrderMark.count) }
        text = text.drop(while: \.isBlank)
        if text.first == 0x1E {
            self = .framing(.textSequence)
        } else if Self.beginsEvent(text) {
            self = .framing(.serverSentEvents)
        } else {
            self = Self.guess(text)
        }
    }

    /// The framing if the input has no further bytes.
    package var framingAtEnd: JSONFraming { if case .framing(let framing) = self { framing } else { .document } }

    /// Whether a text begins with a field of an event, or with a comment.
    private static func beginsEvent(_ text: ArraySlice<UInt8>) -> Bool {
        ["data:", "event:", "id:", "retry:", ":"].contains { text.starts(with: $0.utf8) }
    }

    private static func guess(_ text: ArraySlice<UInt8>) -> FramingGuess {
        if text.isEmpty { return .openLine }
        guard let length = text.withUnsafeBufferPointer(ConcatenatedSplitter.lengthToEnd) else {
            return text.contains(0x0A) ? .framing(.document) : .openLine
        }
        let value = text.prefix(length)
        let rest = text.dropFirst(length)
        guard let next = rest.first(where: { !$0.isBlank }) else {
            if !value.contains(0x0A) { return .oneValue }
            return rest.isEmpty ? .oneValueOfLines : .framing(.document)
        }
        let space = rest.prefix(while: \.isBlank)
        guard beginsValue(next), !space.isEmpty || "{[\"".utf8.contains(next) else { return .framing(.document) }
        // The values of lines have no line breaks.
        return .framing(space.contains(0x0A) && !value.contains(0x0A) ? .lines : .concatenated)
    }

    private static func beginsValue(_ byte: UInt8) -> Bool { "{[\"-0123456789tfn".utf8.contains(byte) }
}
