/// Passes the elements of a stream to one driver, and the fields around them to another.
///
/// The driver of the elements receives all tokens, because it follows the path of the elements. The driver of the envelope receives
/// all tokens outside the elements, so the arrays of elements are empty there, and a single selected member is missing.
///
/// Sources call this sink dynamically. The scanner reads the container of an element for the driver of the elements, for which it is
/// specialized.
final class EnvelopeSink {
    // Only the source that has the sink calls the sink, and no access calls back. A check of each access takes longer than a token.
    @exclusivity(unchecked) private var elements: Driver
    @exclusivity(unchecked) private var envelope: Driver
    /// How the scanner reads the element that has begun.
    @exclusivity(unchecked) private var part = Part.none
    /// The number of announced issues that are those of the elements. The issues of the envelope follow.
    @exclusivity(unchecked) private var elementIssueCount = 0
    /// Whether the scalar to record is one of the envelope. The driver of the elements may be at an element after the scalar.
    @exclusivity(unchecked) private var recordsForEnvelope = false

    private enum Part {
        /// For this sink.
        case none
        /// For the driver of the elements. The scanner is behind the opening bracket.
        case begun
        /// For the driver of the elements, up to the return to a depth.
        case open(above: Int)
    }

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

    /// Sends a token to both drivers.
    private func send(_ token: (inout Driver) -> TokenAction) -> TokenAction {
        if envelope.replayDepth > 0 { return token(&envelope) }
        let first = token(&elements)
        if first == .stop { return .stop }
        // The elements in an enum are not passed over.
        let second = envelope.withoutLookahead(token(&envelope))
        switch second {
        case .proceed, .switchReading, .lookAhead: return first
        case .beginRecording, .recordMembers:
            // The recording would hold all elements.
            return elements.isFollowingPath ? envelope.failRecording() : second
        case .recordScalar:
            recordsForEnvelope = true
            return second
        case .endRecording, .handlePending, .stop: return second
        }
    }
}

extension Driver {
    /// Whether an element's own container is open, or an element is recorded or replayed.
    fileprivate var isBelowPath: Bool {
        @inline(__always) get { top.owner != root || isRecording || replayDepth > 0 }
    }

    /// Whether the next value is an element, or the current value is an element that failed. The value of a rejected key is an element.
    fileprivate var isAtElement: Bool {
        guard let entry = top.entry, entry.field < 0, entry.child == nil else { return false }
        // The entry of an array of which one element is selected stays that of this element.
        return top.form != .indexes || top.keyTable.find(index: top.position) == entry
    }

    /// Whether the current value contains elements.
    fileprivate var isFollowingPath: Bool { skipDepth == 0 }

    /// Fails a value of the envelope that would be recorded.
    fileprivate mutating func failRecording() -> TokenAction {
        session.recorder.end()
        return fail(
            .invalidPlan("a value of the envelope that is read whole contains the elements"), at: .openingBracket)
    }
}

extension EnvelopeSink: ResultSink {
    var isSkipping: Bool {
        elements.isSkipping && (isInElement || envelope.isSkipping)
    }
    var isRecording: Bool { isInElement ? elements.isRecording : envelope.isRecording }

    func startObject() -> TokenAction { start { $0.startObject() } }

    func endObject() -> TokenAction {
        elements.isBelowPath || elements.isInFailedElement ? elements.endObject() : send { $0.endObject() }
    }

    func startArray() -> TokenAction { start { $0.startArray() } }

    func endArray() -> TokenAction {
        elements.isBelowPath || elements.isInFailedElement ? elements.endArray() : send { $0.endArray() }
    }

    func expectedKey(at text: UnsafePointer<UInt8>, maximumLength: Int) -> Int? {
        elements.isBelowPath ? elements.expectedKey(at: text, maximumLength: maximumLength) : nil
    }

    func key(_ key: Key) -> TokenAction {
        elements.isBelowPath || elements.isInFailedElement ? elements.key(key) : memberKey(key)
    }

    /// Handles a key outside the elements. The envelope does not see the key of an element.
    @inline(never)
    private func memberKey(_ key: Key) -> TokenAction {
        if envelope.replayDepth > 0 { return envelope.key(key) }
        let action = elements.key(key)
        if action == .stop || elements.isAtElement { return action }
        let second = envelope.key(key)
        if second == .recordMembers, elements.isFollowingPath { return envelope.failRecording() }
        return second == .proceed ? action : second
    }

    func string(_ bytes: UnsafePointer<UInt8>, _ count: Int, isASCII: Bool) -> TokenAction {
        isInElement
            ? elements.string(bytes, count, isASCII: isASCII) : send { $0.string(bytes, count, isASCII: isASCII) }
    }

    func number(_ token: NumberToken) -> TokenAction {
        isInElement ? elements.number(token) : send { $0.number(token) }
    }

    func bool(_ value: Bool) -> TokenAction {
        isInElement ? elements.bool(value) : send { $0.bool(value) }
    }

    func null() -> TokenAction { isInElement ? elements.null() : send { $0.null() } }

    func skipped() -> TokenAction { isInElement ? elements.skipped() : send { $0.skipped() } }

    // MARK: Tokens in fewer steps

    // Outside the containers of an element, these methods of the elements' driver accept no token, so the envelope misses none.

    var nextDoubles: UnsafeMutableBufferPointer<Double>? { elements.nextDoubles }
    func doubles(_ count: Int) { elements.doubles(count) }
    var doubleArray: UnsafeMutableBufferPointer<Double>? { elements.doubleArray }
    func doubleArray(_ values: UnsafeMutableBufferPointer<Double>) { elements.doubleArray(values) }

    /// Handles the opening bracket of a container.
    private func start(_ token: (inout Driver) -> TokenAction) -> TokenAction {
        if elements.isBelowPath { return token(&elements) }
        return isInElement ? beginElement(token(&elements)) : send(token)
    }

    /// Returns the action after the opening bracket of an element.
    private func beginElement(_ action: TokenAction) -> TokenAction {
        guard action == .proceed || action == .switchReading else {
            part = .none
            return action
        }
        part = .begun
        return .switchReading
    }

    func readPart(_ scanner: inout Scanner) -> Scanner.Pause? {
        guard elements.isBelowPath else {
            part = .none
            return nil
        }
        let floor: Int
        switch part {
        case .none: return nil
        case .begun:
            floor = scanner.currentDepth - 1
            part = .open(above: floor)
        case .open(let depth): floor = depth
        }
        return scanner.scanPart(&elements, above: floor)
    }

    func lookedAhead(_ container: inout Lookahead) -> TokenAction {
        let isBelowPath = elements.isBelowPath
        let action = elements.lookedAhead(&container)
        return isBelowPath || container.isPassed ? action : beginElement(action)
    }

    func takeMark() -> ReadingMark? { elements.takeMark() }

    func recorded(_ value: RecordedValue) -> TokenAction {
        if recordsForEnvelope || envelope.isRecording || !isInElement && !elements.isRecording {
            recordsForEnvelope = false
            return envelope.recorded(value)
        }
        return elements.recorded(value)
    }

    // MARK: Issues

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

    /// The issues of both drivers, in the order of the input.
    var collectedIssues: [JSONIssue] {
        var issues: [JSONIssue] = []
        var others = envelope.collectedIssues[...]
        for issue in elements.collectedIssues {
            let before = others.prefix { $0.location.offset < issue.location.offset }
            issues += before + [issue]
            others = others[before.endIndex...]
        }
        return issues + others
    }

    var expectation: String {
        isInElement || !elements.isSkipping ? elements.expectation : envelope.expectation
    }

    func issue(_ kind: JSONIssue.Kind, isAtKey: Bool) -> JSONIssue {
        isInElement || !elements.isSkipping
            ? elements.issue(kind, isAtKey: isAtKey) : envelope.issue(kind, isAtKey: isAtKey)
    }

    var isInIgnoredContainer: Bool {
        isInElement || !elements.isSkipping ? elements.isInIgnoredContainer : envelope.isInIgnoredContainer
    }

    func ignoreCutNumber() {}
    func closeContainer(above depth: Int) -> TokenAction? { nil }

    // MARK: Locations

    var awaitsLocation: Bool { elements.awaitsLocation }

    func located(from start: JSONLocation, to end: JSONLocation) -> TokenAction {
        elements.located(from: start, to: end)
    }

    // MARK: Replays

    func takeReplay() -> ReplayRequest? { elements.takeReplay() ?? envelope.takeReplay() }

    var replayDepth: Int { elements.replayDepth + envelope.replayDepth }

    func endReplay() -> TokenAction {
        elements.replayDepth > 0 ? elements.endReplay() : envelope.endReplay()
    }

    func rejectReplay(_ kind: JSONIssue.Kind) -> TokenAction {
        elements.replayDepth > 0 ? elements.rejectReplay(kind) : envelope.rejectReplay(kind)
    }

    func takeResult() -> Bool { elements.takeResult() }
}

extension EnvelopeSink: DocumentSink {
    var hasResult: Bool { elements.hasResult }

    var isBetweenElements: Bool { elements.isBetweenElements && !envelope.isRecording && envelope.replayDepth == 0 }

    static var hasEnvelope: Bool { true }

    func read<Result>(
        envelope isOfEnvelope: Bool, _ token: OpenToken, _ body: (borrowing Driver, OpenToken) -> Result
    ) -> Result {
        let token = isInElement == isOfEnvelope ? .none : token
        return isOfEnvelope ? body(envelope, token) : body(elements, token)
    }

    func takeEnvelope() -> Bool { envelope.takeResult() }

    /// Returns the envelope of a value in memory as far as the value has been read.
    func envelopeCopy(_ options: DecodingOptions.Shared) -> SnapshotCopy {
        var end = issue(.unexpectedEnd, isAtKey: false)
        end.location.line = 0
        return envelope.snapshot(.none, text: nil, end: end, options: options)
    }

    func withDriver(_ body: (inout Driver) -> Void) { body(&elements) }
}

/// The document of an envelope, which is the only one whose sink is called dynamically.
extension AnySink: DocumentSink {
    private var envelope: EnvelopeSink {
        guard let envelope = sink as? EnvelopeSink else { preconditionFailure("the sink has no document") }
        return envelope
    }

    var collectedIssues: [JSONIssue] { envelope.collectedIssues }
    mutating func takeResult() -> Bool { envelope.takeResult() }
    var hasResult: Bool { envelope.hasResult }
    static var hasEnvelope: Bool { true }
    var isBetweenElements: Bool { envelope.isBetweenElements }
    func read<Result>(
        envelope isOfEnvelope: Bool, _ token: OpenToken, _ body: (borrowing Driver, OpenToken) -> Result
    ) -> Result {
        envelope.read(envelope: isOfEnvelope, token, body)
    }
    mutating func takeEnvelope() -> Bool { envelope.takeEnvelope() }
    mutating func withDriver(_ body: (inout Driver) -> Void) { envelope.withDriver(body) }
}

extension Driver {
    /// Whether the rest of a failed element is ignored.
    fileprivate var isInFailedElement: Bool { skipDepth > 0 && isAtElement }
}
