/// Receives the tokens of a source: the contract of sources and sinks.
///
/// Tokens arrive in document order and are valid: strings and keys are unescaped UTF-8, numbers match the JSON
/// grammar, and nesting and lengths stay within the limits. Pointers are valid only during the call. A sink holds no
/// offsets: the source has the location of the current token.
///
/// The contract has five parts. A ``SimpleSink`` implements the first one only.
protocol TokenSink: EventSink, SelectiveSink, FastSink, ReportingSink, ReplayingSink, ~Copyable {}

/// The action that a source takes after a token.
enum TokenAction: UInt8 {
    /// Continue with the next token.
    case proceed
    /// End the parse: the sink has an issue, or needs no more input.
    case stop
    /// Record the verbatim bytes of the value that begins or ends with this token, and pass them to `recorded`: of a container if the sink
    /// `isRecording`, and otherwise of this scalar.
    case record
    /// Record the verbatim bytes from this key to the end of the object, including the closing bracket.
    case recordMembers
    /// Continue. The source may read the container that has begun in another way: an array of doubles itself (see
    /// `FastSink.nextDoubles`), or a part of the document for another sink (see `FastSink.readPart`).
    case switchReading
    /// Pass the container that has begun to `lookedAhead`, and take the action that it returns.
    case lookAhead
    /// Deliver pending issues, run a requested replay, or record an open container (see `SelectiveSink.takeRecordingStart`), then continue.
    case handlePending
}

/// Receives the events of JSON.
protocol EventSink: ~Copyable {
    mutating func startObject() -> TokenAction
    mutating func endObject() -> TokenAction
    mutating func startArray() -> TokenAction
    mutating func endArray() -> TokenAction
    mutating func key(_ key: Key) -> TokenAction
    mutating func string(_ bytes: UnsafePointer<UInt8>, _ count: Int, isASCII: Bool) -> TokenAction
    mutating func number(_ token: NumberToken) -> TokenAction
    mutating func bool(_ value: Bool) -> TokenAction
    mutating func null() -> TokenAction
}

/// Ignores or records values.
protocol SelectiveSink: ~Copyable {
    /// Whether the next value is ignored. The source may skip the value and call `skipped` instead, but may also send its
    /// tokens.
    var isSkipping: Bool { get }
    /// Whether the ignored value is recorded.
    var isRecording: Bool { get }
    /// Receives the end of a skipped value.
    mutating func skipped() -> TokenAction
    /// Receives a value that an action requested to record.
    mutating func recorded(_ value: RecordedValue) -> TokenAction
    /// Receives the container that has begun, to examine it before its tokens.
    mutating func lookedAhead(_ container: inout Lookahead) -> TokenAction
    /// Returns and removes the offset of a container whose tokens are not needed, because its value is recorded from there on. The container
    /// was passed to `lookedAhead`. It has ended unless `isRecording`.
    mutating func takeRecordingStart() -> Int?
}

/// Receives tokens in fewer steps.
///
/// A sink that can predict the next key, or the type of the next value, implements these methods. A source may call them instead
/// of the events, with the same result.
protocol FastSink: EventSink, ~Copyable {
    /// Tries the expected key against the bytes after a key's opening quote. `QuotedKey.reach` bytes must be readable.
    ///
    /// - Returns: The key's length if the key was accepted, else nil. Keys longer than `maximumLength` are not accepted.
    mutating func expectedKey(at text: UnsafePointer<UInt8>, maximumLength: Int) -> Int?
    /// Whether the expected key has no field, so that its value is ignored.
    var expectsUnreadKey: Bool { mutating get }
    /// Tries the expected key, which has no field, like `expectedKey`.
    mutating func unreadKey(at text: UnsafePointer<UInt8>, maximumLength: Int) -> Int?
    /// Receives a string like `string`, in memory of which 16 bytes can be read, whatever the length of the string.
    mutating func string(readable bytes: UnsafePointer<UInt8>, _ count: Int, isASCII: Bool) -> TokenAction
    /// Receives an array without elements. Returns false if the source must send its brackets.
    mutating func emptyArray() -> Bool
    /// Whether the sink offers `plainNumber`.
    static var readsPlainNumbers: Bool { get }
    /// Reads the plain number at a position.
    ///
    /// - Parameter start: A position in the ``PlainNumberRange`` of the source's window.
    /// - Returns: The position after the number; nil if the source must send a token.
    mutating func plainNumber(at start: UnsafePointer<UInt8>) -> UnsafePointer<UInt8>?
    /// Memory for the values of the open array's next elements, if they are doubles.
    var nextDoubles: UnsafeMutableBufferPointer<Double>? { get }
    /// Receives the number of values that the source has written to `nextDoubles`, or to `doubleArray` before the array began.
    mutating func doubles(_ count: Int)
    /// Memory for the values of the array that is the next element of the open array, if its elements are doubles.
    var doubleArray: UnsafeMutableBufferPointer<Double>? { get }
    /// Receives a whole array, whose values the source has written to the beginning of `doubleArray`.
    mutating func doubleArray(_ elements: UnsafeMutableBufferPointer<Double>)
    /// Lets a scanner read the open container for another sink, which receives all tokens up to the closing bracket.
    ///
    /// A sink that is called dynamically passes a part with many tokens to a sink for which the scanner is specialized.
    ///
    /// - Returns: The reason why the scanner paused; nil if the tokens are for this sink.
    mutating func readPart(_ scanner: inout Scanner) -> Scanner.Pause?
}

extension FastSink where Self: ~Copyable {
    mutating func expectedKey(at text: UnsafePointer<UInt8>, maximumLength: Int) -> Int? { nil }
    var expectsUnreadKey: Bool { false }
    mutating func unreadKey(at text: UnsafePointer<UInt8>, maximumLength: Int) -> Int? { nil }

    @inline(__always)
    mutating func string(readable bytes: UnsafePointer<UInt8>, _ count: Int, isASCII: Bool) -> TokenAction {
        string(bytes, count, isASCII: isASCII)
    }

    mutating func emptyArray() -> Bool { false }
    static var readsPlainNumbers: Bool { false }
    mutating func plainNumber(at start: UnsafePointer<UInt8>) -> UnsafePointer<UInt8>? { nil }

    var nextDoubles: UnsafeMutableBufferPointer<Double>? { nil }
    mutating func doubles(_ count: Int) {}
    var doubleArray: UnsafeMutableBufferPointer<Double>? { nil }
    mutating func doubleArray(_ elements: UnsafeMutableBufferPointer<Double>) {}
    @inline(__always) mutating func readPart(_ scanner: inout Scanner) -> Scanner.Pause? { nil }
}

/// Makes issues, which the source locates, and receives locations.
protocol ReportingSink: ~Copyable {
    /// Returns an issue without a location.
    ///
    /// - Parameter isAtKey: Whether the issue is at a key of the innermost container that the sink has not received. By default, the
    ///   issue is at the current value.
    func issue(_ kind: JSONIssue.Kind, isAtKey: Bool) -> JSONIssue
    /// Whether the innermost open container is part of an ignored or recorded value, whose path its issues have.
    var isInIgnoredContainer: Bool { get }
    /// The expectation of the current value, for error messages.
    var expectation: String { get }
    /// Returns and removes the issues that the last action announced, without locations.
    mutating func takeIssues() -> [PendingIssue]
    /// Sends an issue with its location to the receiver. Returns false to end the parse.
    mutating func deliver(_ pending: PendingIssue) -> Bool

    /// Whether the sink awaits the location of the current token, after the token's action.
    var awaitsLocation: Bool { get }
    /// Receives the location of the current token of the input.
    mutating func located(from start: JSONLocation, to end: JSONLocation) -> TokenAction
}

extension ReportingSink where Self: ~Copyable {
    var isInIgnoredContainer: Bool { false }

    /// Returns an issue with the current value, without a location.
    func issue(_ kind: JSONIssue.Kind) -> JSONIssue { issue(kind, isAtKey: false) }
}

/// Requests replays of recorded values, and closes containers at an early end of the input.
protocol ReplayingSink: ~Copyable {
    /// Returns and removes the replay that the last action requested.
    mutating func takeReplay() -> ReplayRequest?
    /// The number of open replays. The innermost one is the source of the tokens.
    var replayDepth: Int { get }
    /// Ends the innermost replay, which has sent all its tokens.
    mutating func endReplay() -> TokenAction
    /// Fails the innermost replay, whose input is not JSON.
    mutating func rejectReplay(_ kind: JSONIssue.Kind) -> TokenAction

    /// Ignores the next number, which may lack digits because the input ends after the number inside a container.
    mutating func ignoreCutNumber()
    /// Closes the innermost open container of input that ended early. Returns nil if none is open.
    ///
    /// - Parameter depth: The number of the sink's outer frames that stay open.
    mutating func closeContainer(above depth: Int) -> TokenAction?
}

/// A sink that receives every event once: it ignores, records and replays no values, and makes no issues of its own.
protocol SimpleSink: TokenSink {}

extension SimpleSink {
    var isSkipping: Bool { false }
    var isRecording: Bool { false }
    mutating func skipped() -> TokenAction { .proceed }
    mutating func recorded(_ value: RecordedValue) -> TokenAction { .proceed }
    mutating func lookedAhead(_ container: inout Lookahead) -> TokenAction { .proceed }
    mutating func takeRecordingStart() -> Int? { nil }

    func issue(_ kind: JSONIssue.Kind, isAtKey: Bool) -> JSONIssue { JSONIssue(kind: kind) }
    var expectation: String { "a value" }
    mutating func takeIssues() -> [PendingIssue] { [] }
    mutating func deliver(_ pending: PendingIssue) -> Bool { true }
    var awaitsLocation: Bool { false }
    mutating func located(from start: JSONLocation, to end: JSONLocation) -> TokenAction { .proceed }

    mutating func takeReplay() -> ReplayRequest? { nil }
    var replayDepth: Int { 0 }
    mutating func endReplay() -> TokenAction { .proceed }
    mutating func rejectReplay(_ kind: JSONIssue.Kind) -> TokenAction { .stop }
    mutating func ignoreCutNumber() {}
    mutating func closeContainer(above depth: Int) -> TokenAction? { nil }
}

/// An issue on its way from the sink to the receiver. The source adds the location.
struct PendingIssue {
    /// The receiver of the issue.
    enum Handling: Equatable {
        /// The issue is thrown and the parse ends.
        case stop
        /// The issue waits for the end of the innermost object, and applies unless a better candidate for the field or a
        /// known name of a case arrives.
        case `defer`(Candidate?)
        /// The decoder's `issueHandler` receives the issue, and the parse continues.
        case report
        /// The issue is collected and thrown at the end.
        case record
    }

    var issue: JSONIssue
    var handling: Handling
    /// Whether the issue has its location.
    var isLocated = false
    /// The token that failed, if the token is part of a recording.
    var token: RecordedPart?

    /// The candidate that failed, if the issue waits for a better one.
    var candidate: Candidate? { if case .defer(let candidate) = handling { candidate } else { nil } }

    /// The unknown key; nil for another issue.
    var unknownKey: String? { if case .unknownKey(let key) = issue.kind { key } else { nil } }
}

/// One of several keys or paths that fill a field.
struct Candidate: Equatable {
    let field: Int
    /// The position among the candidates. The best candidate has rank 0.
    let rank: UInt8
    /// Whether the candidate is null, in an optional flattened model that null does not make present.
    var isNullInGroup = false
}
