#if YAJL
import CYajl
#endif

/// Passes the elements of a stream to one driver, and the fields around them to another.
///
/// The driver of the elements receives all tokens, because it follows the path of the elements. The driver of the envelope receives
/// all tokens outside the elements, so the arrays of elements are empty there, and a single selected member is missing.
struct EnvelopeSink: ~Copyable {
    private(set) var elements: Driver
    private(set) var envelope: Driver
    /// Whether the last announced issues are those of the envelope.
    private var isEnvelopeAtFault = false

    init(elements: consuming Driver, envelope: consuming Driver) {
        self.elements = elements
        self.envelope = envelope
        // The envelope may continue after the elements.
        self.elements.stopsEarly = false
        self.envelope.stopsEarly = false
    }

    /// Whether the next token belongs to an element.
    private var isInElement: Bool {
        @inline(__always) get { elements.isBelowPath || elements.isAtElement }
    }

    /// Sends a token to both drivers.
    private mutating func send(_ token: (inout Driver) -> TokenAction) -> TokenAction {
        if envelope.replayDepth > 0 { return token(&envelope) }
        let first = token(&elements)
        if first == .stop { return .stop }
        let second = token(&envelope)
        switch second {
        case .proceed, .readDoubles: return first
        case .beginCapture, .captureMembers:
            // The recording would hold all elements.
            return elements.isFollowingPath ? envelope.failRecording() : second
        case .capture, .endCapture, .handlePending, .stop: return second
        }
    }
}

extension Driver {
    /// Whether an element's own container is open, or an element is recorded or replayed.
    fileprivate var isBelowPath: Bool {
        @inline(__always) get { top.owner != root || isCapturing || replayDepth > 0 }
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
        capture.end()
        return fail(
            .invalidPlan("a value of the envelope that is read whole contains the elements"), at: .openingBracket)
    }
}

extension EnvelopeSink: ResultSink {
    var isSkipping: Bool {
        @inline(__always) get { elements.isSkipping && (isInElement || envelope.isSkipping) }
    }
    var isCapturing: Bool { isInElement ? elements.isCapturing : envelope.isCapturing }

    @inline(__always)
    mutating func startObject() -> TokenAction {
        isInElement ? elements.startObject() : send { $0.startObject() }
    }

    @inline(__always)
    mutating func endObject() -> TokenAction {
        elements.isBelowPath || elements.isInFailedElement ? elements.endObject() : send { $0.endObject() }
    }

    @inline(__always)
    mutating func startArray() -> TokenAction {
        isInElement ? elements.startArray() : send { $0.startArray() }
    }

    @inline(__always)
    mutating func endArray() -> TokenAction {
        elements.isBelowPath || elements.isInFailedElement ? elements.endArray() : send { $0.endArray() }
    }

    @inline(__always)
    mutating func expectedKey(at text: UnsafePointer<UInt8>, longest: Int) -> Int? {
        elements.isBelowPath ? elements.expectedKey(at: text, longest: longest) : nil
    }

    @inline(__always)
    mutating func key(_ key: Key) -> TokenAction {
        elements.isBelowPath || elements.isInFailedElement ? elements.key(key) : memberKey(key)
    }

    /// Handles a key outside the elements. The envelope does not see the key of an element.
    @inline(never)
    private mutating func memberKey(_ key: Key) -> TokenAction {
        if envelope.replayDepth > 0 { return envelope.key(key) }
        let action = elements.key(key)
        if action == .stop || elements.isAtElement { return action }
        let second = envelope.key(key)
        if second == .captureMembers, elements.isFollowingPath { return envelope.failRecording() }
        return second == .proceed ? action : second
    }

    @inline(__always)
    mutating func string(_ bytes: UnsafePointer<UInt8>, _ count: Int, isASCII: Bool) -> TokenAction {
        isInElement
            ? elements.string(bytes, count, isASCII: isASCII) : send { $0.string(bytes, count, isASCII: isASCII) }
    }

    @inline(__always)
    mutating func number(_ token: NumberToken) -> TokenAction {
        isInElement ? elements.number(token) : send { $0.number(token) }
    }

    @inline(__always)
    mutating func bool(_ value: Bool) -> TokenAction {
        isInElement ? elements.bool(value) : send { $0.bool(value) }
    }

    @inline(__always)
    mutating func null() -> TokenAction { isInElement ? elements.null() : send { $0.null() } }

    @inline(__always)
    mutating func skipped() -> TokenAction { isInElement ? elements.skipped() : send { $0.skipped() } }

    // MARK: Tokens in fewer steps

    // Outside the containers of an element, these methods of the elements' driver accept no token, so the envelope misses none.

    @inline(__always)
    mutating func string(readable bytes: UnsafePointer<UInt8>, _ count: Int, isASCII: Bool) -> TokenAction {
        isInElement
            ? elements.string(readable: bytes, count, isASCII: isASCII)
            : send { $0.string(bytes, count, isASCII: isASCII) }
    }

    @inline(__always)
    mutating func emptyArray() -> Bool { elements.emptyArray() }

    static var readsPlainNumbers: Bool { true }

    @inline(__always)
    mutating func plainNumber(at start: UnsafePointer<UInt8>) -> UnsafePointer<UInt8>? {
        elements.plainNumber(at: start)
    }

    var nextDoubles: UnsafeMutableBufferPointer<Double>? { elements.nextDoubles }
    mutating func doubles(_ count: Int) { elements.doubles(count) }
    var doubleArray: UnsafeMutableBufferPointer<Double>? { elements.doubleArray }
    mutating func doubleArray(_ values: UnsafeMutableBufferPointer<Double>) { elements.doubleArray(values) }

    mutating func recorded(_ value: RecordedValue) -> TokenAction {
        elements.isCapturing || !envelope.isCapturing && isInElement
            ? elements.recorded(value) : envelope.recorded(value)
    }

    // MARK: Issues

    mutating func takeIssues() -> [PendingIssue] {
        let issues = elements.takeIssues()
        isEnvelopeAtFault = issues.isEmpty
        return issues.isEmpty ? envelope.takeIssues() : issues
    }

    mutating func deliver(_ pending: PendingIssue) -> Bool {
        isEnvelopeAtFault ? envelope.deliver(pending) : elements.deliver(pending)
    }

    var collectedIssues: [JSONIssue] { elements.collectedIssues + envelope.collectedIssues }

    var expectation: String {
        isInElement || !elements.isSkipping ? elements.expectation : envelope.expectation
    }

    func issue(_ kind: JSONIssue.Kind, isAtKey: Bool) -> JSONIssue {
        isInElement || !elements.isSkipping
            ? elements.issue(kind, isAtKey: isAtKey) : envelope.issue(kind, isAtKey: isAtKey)
    }

    mutating func ignoreCutNumber() {}
    mutating func closeContainer(above depth: Int) -> TokenAction? { nil }

    // MARK: Locations

    var awaitsLocation: Bool { elements.awaitsLocation }

    mutating func located(from start: JSONLocation, to end: JSONLocation) -> TokenAction {
        elements.located(from: start, to: end)
    }

    // MARK: Replays

    mutating func takeReplay() -> ReplayRequest? { elements.takeReplay() ?? envelope.takeReplay() }

    var replayDepth: Int { elements.replayDepth + envelope.replayDepth }

    mutating func endReplay() -> TokenAction {
        elements.replayDepth > 0 ? elements.endReplay() : envelope.endReplay()
    }

    mutating func rejectReplay(_ kind: JSONIssue.Kind) -> TokenAction {
        elements.replayDepth > 0 ? elements.rejectReplay(kind) : envelope.rejectReplay(kind)
    }

    mutating func takeResult() -> Bool { elements.takeResult() }
}

extension EnvelopeSink: DocumentSink {
    var hasResult: Bool { elements.hasResult }

    var isBetweenElements: Bool { elements.isBetweenElements && !envelope.isCapturing && envelope.replayDepth == 0 }

    static var hasEnvelope: Bool { true }

    func read<Result>(
        envelope isOfEnvelope: Bool, _ token: OpenToken, _ body: (borrowing Driver, OpenToken) -> Result
    ) -> Result {
        let token = isInElement == isOfEnvelope ? .none : token
        return isOfEnvelope ? body(envelope, token) : body(elements, token)
    }

    mutating func takeEnvelope() -> Bool { envelope.takeResult() }

    mutating func withDriver(_ body: (inout Driver) -> Void) { body(&elements) }
}

extension Driver {
    /// Whether the rest of a failed element is ignored.
    fileprivate var isInFailedElement: Bool { skipDepth > 0 && isAtElement }
}

#if YAJL
extension EnvelopeSink: YajlSink {
    nonisolated(unsafe) static let callbacks: UnsafePointer<yajl_callbacks> = {
        let table = UnsafeMutablePointer<yajl_callbacks>.allocate(capacity: 1)
        table.initialize(
            to: yajl_callbacks(
                yajl_null: { call($0).null() },
                yajl_boolean: { call($0).bool($1) },
                yajl_integer: nil,
                yajl_double: nil,
                yajl_number: { call($0).number($1, $2) },
                yajl_string: { call($0).string($1, $2) },
                yajl_start_map: { call($0).startObject() },
                yajl_map_key: { call($0).key($1, $2) },
                yajl_end_map: { call($0).endObject() },
                yajl_start_array: { call($0).startArray() },
                yajl_end_array: { call($0).endArray() }))
        return UnsafePointer(table)
    }()
}
#endif
