/// The form in which an input holds its JSON values.
public enum JSONFraming: Sendable, Hashable, CaseIterable {
    /// One value. The elements are parts of this value.
    case document
    /// One value in each line (JSON Lines, NDJSON). Lines end with LF or CRLF. Blank lines are ignored. The last line needs no
    /// line break.
    case lines
    /// Values that each follow a record separator, U+001E (RFC 7464). White space must follow a number or literal, because
    /// the end of the number or literal may be missing otherwise.
    case textSequence
    /// Values one after another, with or without white space between them.
    case concatenated
    /// The data of server-sent events: `data:` lines, with blank lines between the events. The data `[DONE]` ends the stream.
    /// Other fields of an event are ignored.
    case serverSentEvents

    /// Returns the splitter of an input that begins at a position; nil for a document.
    func splitter(at position: LineCount = LineCount()) -> (any ValueSplitter)? {
        switch self {
        case .document: nil
        case .lines: LineSplitter(at: position)
        case .textSequence: TextSequenceSplitter(at: position)
        case .concatenated: ConcatenatedSplitter(at: position)
        case .serverSentEvents: EventSplitter(at: position)
        }
    }

    /// Whether a stream can continue in the middle of a value.
    var continuesInValues: Bool { self == .lines || self == .concatenated }
}
