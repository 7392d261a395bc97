/// Passes the elements of a stream to one driver, and the fields around them to another.
///
/// The driver of the elements receives all tokens, because it follows the path of the elements. The driver of the envelope receives
/// all tokens outside the elements, so the arrays of elements are empty there, and a single selected member is missing. An entry for
/// the elements in the tables of the envelope could not take the place of the path: a `JSONValue`, an array or a dictionary that
/// contains the elements has no tables.
///
/// Sources call this sink dynamically. The scanner reads the container of an element for the driver of the elements, for which it is
/// specialized.
final class EnvelopeSink {
    // Only the source that has the sink calls the sink, and no access calls back. A check of each access takes longer than a token.
    @exclusivity(unchecked) private var elements: Driver
    @exclusivity(unchecked) private var envelope: Driver
    /// The number of announced issues that are those of the elements. The issues of the envelope follow.
    @exclusivity(unchecked) private var elementIssueCount = 0
    /// Whether the recorded value is one of the envelope. The driver of the elements may be at an element after the scalar.
    @exclusivity(unchecked) private var recordsForEnvelope = false

    init(elements: consuming Driver, envelope: consuming Driver) {
        self.elements = elements
        self.envelope = envelope
        // The envelope may continue after the elements.
        self.elements.session.stopsEarly = false
        self.envelope.session.stopsEarly = false
    }

    /// Whether the next token belongs to an element. A value of the envelope may be replayed before an element.
    private var isInElement: Bool {
        envelope.replayDepth == 0 && (elements.isBelowPath || elements.isAtElement)
    }

    /// Whether the next key or closing bracket belongs to an element.
    private var isInContainerOfElement: Bool {
        elements.isBelowPath || elements.skipDepth > 0 && elements.isAtElement
    }

    /// Whether an issue of the source is one of the elements.
    private var reportsForElements: Bool { isInElement || !elements.isSkipping }

    /// Sends a token to both drivers. The envelope does not see the key of an element.
    private func send(isKey: Bool = false, _ token: (inout Driver) -> TokenAction) -> TokenAction {
        if envelope.replayDepth > 0 { return token(&envelope) }
        let first = token(&elements)
        if first == .stop || isKey && elements.isAtElement { return first }
        // The elements in an enum are not passed over.
        let second = envelope.withoutLookahead(token(&envelope))
        switch second {
        case .proceed, .switchReading, .lookAhead: return first
        case .record where envelope.skipDepth > 0, .recordMembers:
            // The recording would hold all elements.
            return elements.skipDepth == 0 ? envelope.failRecording() : second
        case .record:
            recordsForEnvelope = true
            return second
        case .handlePending, .stop: return second
        }
    }

    /// Sends the first token of a value.
    private func begin(_ token: (inout Driver) -> TokenAction) -> TokenAction {
        isInElement ? token(&elements) : send(token)
    }

    /// Returns the action after the opening bracket of a value. The scanner reads the container of an element by `readPart`.
    private func open(_ action: TokenAction) -> TokenAction {
        action == .proceed && elements.isBelowPath ? .switchReading : action
    }
}

extension Driver {
    /// Whether an element's own container is open, or an element is recorded or replayed.
    fileprivate var isBelowPath: Bool {
        @inline(__always) get { top.owner != root || isRecording || replayDepth > 0 }
    }

    /// The number of open containers on the path of the elements.
    fileprivate var pathDepth: Int { frames(above: root).count { $0.owner == root } }

    /// Whether the next value is an element, or the current value is an element that failed. The value of a rejected key is an element.
    fileprivate var isAtElement: Bool {
        guard let entry = top.entry, entry.field < 0, entry.child == nil else { return false }
        // The entry of an array of which one element is selected stays that of this element.
        return top.form != .indexes || top.keyTable.find(index: top.position) == entry
    }

    /// Fails a value of the envelope that would be recorded.
    fileprivate mutating func failRecording() -> TokenAction {
        session.recorder.end()
        return fail(
            .invalidPlan("a value of the envelope that is read whole contains the elements"), at: .openingBracket)
    }
}

extension EnvelopeSink: TokenSink {
    func startObject() -> TokenAction { open(begin { $0.startObject() }) }
    func startArray() -> TokenAction { open(begin { $0.startArray() }) }
    func endObject() -> TokenAction { isInContainerOfElement ? elements.endObject() : send { $0.endObject() } }
    func endArray() -> TokenAction { isInContainerOfElement ? elements.endArray() : send { $0.endArray() } }
    func key(_ key: Key) -> TokenAction {
        isInContainerOfElement ? elements.key(key) : send(isKey: true) { $0.key(key) }
    }
    func string(_ bytes: UnsafePointer<UInt8>, _ count: Int, isASCII: Bool) -> TokenAction {
        begin { $0.string(bytes, count, isASCII: isASCII) }
    }
    func number(_ token: NumberToken) -> TokenAction { begin { $0.number(token) } }
    func bool(_ value: Bool) -> TokenAction { begin { $0.bool(value) } }
    func null() -> TokenAction { begin { $0.null() } }

    // MARK: Tokens in fewer steps

    // Outside the containers of an element, these methods of the elements' driver accept no token, so the envelope misses none.

    func expectedKey(at text: UnsafePointer<UInt8>, maximumLength: Int) -> Int? {
        elements.isBelowPath ? elements.expectedKey(at: text, maximumLength: maximumLength) : nil
    }
    var expectsUnreadKey: Bool { elements.isBelowPath && elements.expectsUnreadKey }
    func unreadKey(at text: UnsafePointer<UInt8>, maximumLength: Int) -> Int? {
        elements.unreadKey(at: text, maximumLength: maximumLength)
    }
    var nextDoubles: UnsafeMutableBufferPointer<Double>? { elements.nextDoubles }
    func doubles(_ count: Int) { elements.doubles(count) }
    var doubleArray: UnsafeMutableBufferPointer<Double>? { elements.doubleArray }
    func doubleArray(_ values: UnsafeMutableBufferPointer<Double>) { elements.doubleArray(values) }

    func readPart(_ scanner: inout Scanner) -> Scanner.Pause? {
        elements.isBelowPath ? scanner.scanPart(&elements, above: elements.pathDepth) : nil
    }

    // MARK: Skipping and recording

    var isSkipping: Bool { elements.isSkipping && (isInElement || envelope.isSkipping) }
    var isRecording: Bool { isInElement ? elements.isRecording : envelope.isRecording }
    func skipped() -> TokenAction { begin { $0.skipped() } }
    func lookedAhead(_ container: inout Lookahead) -> TokenAction { open(elements.lookedAhead(&container)) }
    func takeRecordingStart() -> Int? { elements.takeRecordingStart() }

    func recorded(_ value: RecordedValue) -> TokenAction {
        if recordsForEnvelope || envelope.isRecording || !isInElement && !elements.isRecording {
            recordsForEnvelope = false
            return envelope.recorded(value)
        }
        return elements.recorded(value)
    }

    // MARK: Issues and locations

    func takeIssues() -> [PendingIssue] {
        let issues = elements.takeIssues()
        elementIssueCount = issues.count
        // Both have one if a token is neither what is on the path of the elements nor what the envelope expects.
        return issues + envelope.takeIssues()
    }

    func deliver(_ pending: PendingIssue) -> Bool {
        guard elementIssueCount > 0 else { return envelope.deliver(pending) }
        elementIssueCount -= 1
        return elements.deliver(pending)
    }

    var expectation: String { reportsForElements ? elements.expectation : envelope.expectation }
    func issue(_ kind: JSONIssue.Kind, isAtKey: Bool) -> JSONIssue {
        reportsForElements ? elements.issue(kind, isAtKey: isAtKey) : envelope.issue(kind, isAtKey: isAtKey)
    }
    var isInIgnoredContainer: Bool {
        reportsForElements ? elements.isInIgnoredContainer : envelope.isInIgnoredContainer
    }
    var awaitsLocation: Bool { elements.awaitsLocation }
    func located(from start: JSONLocation, to end: JSONLocation) -> TokenAction {
        elements.located(from: start, to: end)
    }

    // MARK: Replays

    func takeReplay() -> ReplayRequest? { elements.takeReplay() ?? envelope.takeReplay() }
    var replayDepth: Int { elements.replayDepth + envelope.replayDepth }
    func endReplay() -> TokenAction { elements.replayDepth > 0 ? elements.endReplay() : envelope.endReplay() }
    func rejectReplay(_ kind: JSONIssue.Kind) -> TokenAction {
        elements.replayDepth > 0 ? elements.rejectReplay(kind) : envelope.rejectReplay(kind)
    }
    func ignoreCutNumber() {}
    func closeContainer(above depth: Int) -> TokenAction? { nil }
}

// MARK: The document

/// The document of an envelope, which is the only one whose sink is called dynamically.
extension AnySink: DocumentSink {
    private var envelope: EnvelopeSink {
        guard let envelope = sink as? EnvelopeSink else { preconditionFailure("the sink has no document") }
        return envelope
    }

    static var hasEnvelope: Bool { true }
    var hasResult: Bool { envelope.hasResult }
    var collectedIssues: [JSONIssue] { envelope.collectedIssues }
    func read<Result>(
        envelope isOfEnvelope: Bool, _ token: OpenToken, _ body: (borrowing Driver, OpenToken) -> Result
    ) -> Result {
        envelope.read(envelope: isOfEnvelope, token, body)
    }
    mutating func change<Result>(envelope isOfEnvelope: Bool, _ body: (inout Driver) -> Result) -> Result {
        envelope.change(envelope: isOfEnvelope, body)
    }
}

extension EnvelopeSink {
    fileprivate var hasResult: Bool { elements.hasResult }

    /// The issues of both drivers, in the order of the input.
    fileprivate var collectedIssues: [JSONIssue] {
        var issues: [JSONIssue] = []
        var others = envelope.collectedIssues[...]
        for issue in elements.collectedIssues {
            let before = others.prefix { $0.location.offset < issue.location.offset }
            issues += before + [issue]
            others = others[before.endIndex...]
        }
        return issues + others
    }

    fileprivate func read<Result>(
        envelope isOfEnvelope: Bool, _ token: OpenToken, _ body: (borrowing Driver, OpenToken) -> Result
    ) -> Result {
        let token = isInElement == isOfEnvelope ? .none : token
        return isOfEnvelope ? body(envelope, token) : body(elements, token)
    }

    fileprivate func change<Result>(envelope isOfEnvelope: Bool, _ body: (inout Driver) -> Result) -> Result {
        isOfEnvelope ? body(&envelope) : body(&elements)
    }
}
