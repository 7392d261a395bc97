import SluiceCore

/// The form in which an input holds its JSON values. A byte order mark at the start of the input is skipped in every framing.
public enum JSONFraming: Sendable, Hashable, CaseIterable {
    /// One value. The elements are parts of this value.
    case document
    /// One value in each line (JSON Lines, NDJSON). Lines end with LF or CRLF. Blank lines are ignored. The last line needs no
    /// line break.
    case lines
    /// Values that each follow a record separator, U+001E (RFC 7464). White space must follow a number or literal, because
    /// the end of the number or literal may be missing otherwise.
    case textSequence
    /// Consecutive values, with or without white space between them.
    case concatenated
    /// The data of server-sent events, as the HTML standard defines their stream: `data:` lines, with blank lines between the
    /// events. Lines end with LF, CR or CRLF. The lines of an event's data are joined by line breaks. Other fields, comments, and
    /// events whose data is white space or `[DONE]` are ignored.
    ///
    /// Unlike in the standard, the end of the input also ends the last event, so that an event that was cut off is an error. A text that has
    /// neither a field nor a comment, such as the page of an error, is an error, too.
    case serverSentEvents
    /// The data of server-sent events of which each `data:` line is one value, for servers that separate their events by one line
    /// break. Otherwise like ``serverSentEvents``: an event whose data has several lines has several values.
    case dataLines

    /// The values of a text in this framing, and the bytes around them.
    var rules: any FramingRules {
        switch self {
        case .document: DocumentRules()
        case .lines: LineRules()
        case .textSequence: TextSequenceRules()
        case .concatenated: ConcatenatedRules()
        case .serverSentEvents: EventRules(endsWithLine: false)
        case .dataLines: EventRules(endsWithLine: true)
        }
    }

    /// Returns the splitter of an input that begins at a position; nil for a document.
    func splitter(at position: LineCount) -> (any ValueSplitter)? { rules.splitter(at: position) }
}

/// The rules of a document, whose elements are parts of one value. Elements that are appended are further documents.
struct DocumentRules: FramingRules {
    var hasVisibleBorders: Bool { false }

    func splitter(at position: LineCount) -> (any ValueSplitter)? { nil }

    func start(
        of position: JSONElementPosition, after end: JSONLocation, in search: BorderSearch
    ) throws(JSONModelError) -> JSONLocation { position.start }
}
