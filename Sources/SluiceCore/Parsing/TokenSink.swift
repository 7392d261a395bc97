/// Receives the tokens of a source.
///
/// Tokens arrive in document order and are valid: strings and keys are unescaped UTF-8, numbers match the JSON
/// grammar, and nesting and lengths stay within the limits. Pointers are valid only during the call. A sink holds no
/// offsets: the source knows the location of the current token.
protocol TokenSink {
    /// Whether the next value is ignored: the source may pass over it and call `skipped` instead. (A source that gives
    /// the tokens all the same does no harm.)
    var isSkipping: Bool { get }
    /// Whether the ignored value is recorded. Its last bracket is then given as a token.
    var isCapturing: Bool { get }

    mutating func startObject() -> TokenAction
    mutating func endObject() -> TokenAction
    mutating func startArray() -> TokenAction
    mutating func endArray() -> TokenAction
    /// Tries the expected key against the bytes behind a key's opening quote, of which `QuotedKey.reach` can be read.
    ///
    /// - Returns: the key's length if the key was taken; else −1. Keys longer than `longest` are not taken.
    mutating func expectedKey(at text: UnsafePointer<UInt8>, longest: Int) -> Int
    mutating func key(_ key: Key) -> TokenAction
    mutating func string(_ bytes: UnsafePointer<UInt8>, _ count: Int, isASCII: Bool) -> TokenAction
    mutating func number(_ token: NumberToken) -> TokenAction
    mutating func bool(_ value: Bool) -> TokenAction
    mutating func null() -> TokenAction
    /// An object or array was passed over.
    mutating func skipped() -> TokenAction
    /// Receives the bytes that an answer asked for.
    mutating func recorded(_ value: RecordedBytes) -> TokenAction

    /// Takes the issues that the last answer announced, without locations.
    mutating func takeIssues() -> [PendingIssue]
    /// Hands an issue with its location to the receiver; false to end the parse.
    mutating func deliver(_ pending: PendingIssue) -> Bool
    /// Every issue that was collected rather than thrown.
    var gathered: [JSONIssue] { get }
    /// The expectation of the current value, for error messages.
    var expectation: String { get }
    /// An issue with the current value, without a location.
    func issue(_ kind: JSONIssue.Kind, atValue: Bool) -> JSONIssue

    /// Takes the replay that the last answer asked for.
    mutating func takeReplay() -> ReplayRequest?
    /// The number of replays that are open. The innermost is the source of the tokens.
    var replayDepth: Int { get }
    /// The innermost replay has given all its tokens.
    mutating func endReplay() -> TokenAction
    /// The text of the innermost replay is not JSON.
    mutating func refuseReplay(_ kind: JSONIssue.Kind) -> TokenAction

    /// The next number may lack digits: the text ends with it, inside of a container.
    mutating func ignoreCutNumber()
    /// Closes the innermost open container of a text that has ended early; nil if none is open.
    mutating func closeContainer() -> TokenAction?

    /// Whether the value that was asked for has been made. The caller then owns the value.
    mutating func takeResult() -> Bool
    /// Frees everything.
    mutating func dispose()
}

extension TokenSink {
    func issue(_ kind: JSONIssue.Kind) -> JSONIssue { issue(kind, atValue: true) }

    mutating func ignoreCutNumber() {}
    mutating func closeContainer() -> TokenAction? { nil }
}
