/// A sink of any type, whose methods are called dynamically.
///
/// Sources are compiled once for all sinks that receive few tokens, or whose work takes much longer than a dynamic call.
struct AnySink: TokenSink {
    var sink: any TokenSink

    init(_ sink: some TokenSink) { self.sink = sink }

    // MARK: Tokens

    mutating func startObject() -> TokenAction { sink.startObject() }
    mutating func endObject() -> TokenAction { sink.endObject() }
    mutating func startArray() -> TokenAction { sink.startArray() }
    mutating func endArray() -> TokenAction { sink.endArray() }
    mutating func expectedKey(at text: UnsafePointer<UInt8>, maximumLength: Int) -> Int? {
        sink.expectedKey(at: text, maximumLength: maximumLength)
    }
    var expectsUnreadKey: Bool { mutating get { sink.expectsUnreadKey } }
    mutating func unreadKey(at text: UnsafePointer<UInt8>, maximumLength: Int) -> Int? {
        sink.unreadKey(at: text, maximumLength: maximumLength)
    }
    mutating func key(_ key: Key) -> TokenAction { sink.key(key) }
    mutating func string(_ bytes: UnsafePointer<UInt8>, _ count: Int, isASCII: Bool) -> TokenAction {
        sink.string(bytes, count, isASCII: isASCII)
    }
    mutating func number(_ token: NumberToken) -> TokenAction { sink.number(token) }
    mutating func bool(_ value: Bool) -> TokenAction { sink.bool(value) }
    mutating func null() -> TokenAction { sink.null() }

    // MARK: Doubles and parts

    var nextDoubles: UnsafeMutableBufferPointer<Double>? { sink.nextDoubles }
    mutating func doubles(_ count: Int) { sink.doubles(count) }
    var doubleArray: UnsafeMutableBufferPointer<Double>? { sink.doubleArray }
    mutating func doubleArray(_ elements: UnsafeMutableBufferPointer<Double>) { sink.doubleArray(elements) }
    mutating func readPart(_ scanner: inout Scanner) -> Scanner.Pause? { sink.readPart(&scanner) }

    // MARK: Skipping and recording

    var isSkipping: Bool { sink.isSkipping }
    var isRecording: Bool { sink.isRecording }
    mutating func skipped() -> TokenAction { sink.skipped() }
    mutating func recorded(_ value: RecordedValue) -> TokenAction { sink.recorded(value) }
    mutating func lookedAhead(_ container: inout Lookahead) -> TokenAction { sink.lookedAhead(&container) }
    mutating func takeRecordingStart() -> Int? { sink.takeRecordingStart() }

    // MARK: Issues and locations

    var expectation: String { sink.expectation }
    var awaitsLocation: Bool { sink.awaitsLocation }
    mutating func takeIssues() -> [PendingIssue] { sink.takeIssues() }
    mutating func deliver(_ pending: PendingIssue) -> Bool { sink.deliver(pending) }
    func issue(_ kind: JSONIssue.Kind, isAtKey: Bool) -> JSONIssue { sink.issue(kind, isAtKey: isAtKey) }
    var isInIgnoredContainer: Bool { sink.isInIgnoredContainer }
    mutating func located(from start: JSONLocation, to end: JSONLocation) -> TokenAction {
        sink.located(from: start, to: end)
    }

    // MARK: Replays

    var replayDepth: Int { sink.replayDepth }
    mutating func takeReplay() -> ReplayRequest? { sink.takeReplay() }
    mutating func endReplay() -> TokenAction { sink.endReplay() }
    mutating func rejectReplay(_ kind: JSONIssue.Kind) -> TokenAction { sink.rejectReplay(kind) }
    mutating func ignoreCutNumber() { sink.ignoreCutNumber() }
    mutating func closeContainer(above depth: Int) -> TokenAction? { sink.closeContainer(above: depth) }
}
