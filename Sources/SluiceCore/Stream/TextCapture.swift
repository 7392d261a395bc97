/// The recording of a value's verbatim text while it is passed over, and the places of what is wrong in it.
struct TextCapture {
    /// The offset of its first byte, or −1 while nothing is recorded.
    private(set) var start = -1
    /// What of it lies before the text at hand.
    private var bytes: [UInt8] = []
    /// The place of its beginning, once that is not retained any more.
    private var place: TextPlace?
    /// How long what will stand before the text is when that is read: a bracket that was not recorded.
    private var lead = 0

    var isOn: Bool { start >= 0 }

    /// - Parameter offset: of a token that is retained, which may have begun before the text at hand.
    mutating func begin(at offset: Int, _ text: inout RetainedText, lead: Int = 0) {
        start = offset
        self.lead = lead
        let isWhole = offset >= text.chunkOffset
        place = isWhole ? nil : text.place(of: offset)
        bytes = isWhole ? [] : text.bytes(from: offset, to: text.chunkOffset)
    }

    /// Copies what is recorded of the text at hand, which goes, up to an offset.
    mutating func keep(_ text: inout RetainedText, to end: Int) {
        guard isOn else { return }
        if place == nil { place = text.place(of: start) }
        bytes += text.bytes(from: max(start, text.chunkOffset), to: end)
    }

    /// The recording ends just before an offset: its text.
    mutating func finish(_ text: RetainedText, at end: Int) -> [UInt8] {
        defer { bytes = [] }
        return bytes + text.bytes(from: max(start, text.chunkOffset), to: end)
    }

    /// An issue at a token, or in recorded text, with its place.
    func located(_ issue: JSONIssue, in text: inout RetainedText, from first: Int, to end: Int) -> JSONIssue {
        guard issue.isInner else { return text.located(issue, from: first, to: end) }
        var place = place ?? text.place(of: isOn ? start : first)
        place.offset -= lead
        place.column -= lead
        var issue = issue
        issue.isInner = false
        if issue.line == 1 { issue.column += place.column - 1 }
        issue.line += place.line - 1
        issue.offset += place.offset
        return issue
    }
}

extension TextCapture {
    /// What a sink says to a token, or to recorded text, as far as it is the same for all sources.
    enum Outcome {
        case goOn, stop
        /// It has an issue, and the parse is at its end.
        case fail(JSONIssue)
    }

    /// Does what the sink asks for at a token.
    mutating func settle<Sink: TokenSink>(
        _ answer: Answer, _ sink: inout Sink, _ text: inout RetainedText, from first: Int, to end: Int
    ) -> Outcome {
        switch answer {
        case .beginCapture, .captureMembers:
            begin(at: first, &text, lead: answer == .captureMembers ? 1 : 0)
            return .goOn
        case .capture:
            begin(at: first, &text)
            // A token is retained as a whole.
            return tell(sink.captured(text.bytes(from: first, to: end)), &sink, &text, from: first, to: end)
        case .endCapture:
            return tell(sink.captured(finish(text, at: end)), &sink, &text, from: first, to: end)
        case .go, .report, .stop:
            return tell(answer, &sink, &text, from: first, to: end)
        }
    }

    /// Gives the sink its issues with their places.
    private mutating func tell<Sink: TokenSink>(
        _ answer: Answer, _ sink: inout Sink, _ text: inout RetainedText, from first: Int, to end: Int
    ) -> Outcome {
        // Text that was not captured may be read in the middle of this one too, and has its place at the token.
        defer { (start, place, lead) = (-1, nil, 0) }
        for inner in sink.takeInnerIssues() {
            if !sink.noted(located(inner, in: &text, from: first, to: end)) { return .stop }
        }
        guard let failure = sink.failure else { return answer == .stop ? .stop : .goOn }
        let placed = located(failure, in: &text, from: first, to: end)
        if answer == .stop { return .fail(placed) }
        return sink.noted(placed) ? .goOn : .stop
    }
}
