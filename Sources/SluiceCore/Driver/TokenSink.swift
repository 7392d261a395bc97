/// What a source of tokens gives them to: the driver, or in tests something that writes them down.
///
/// A source owes well-formed tokens in a well-formed order, so that a sink never checks text again: strings and keys
/// unescaped and valid UTF-8; numbers of checked grammar, in parts; depth and lengths within the limits. Bytes are
/// borrowed: valid during the call. A sink holds no offsets: where it stops, the source knows where it stands.
protocol TokenSink {
    /// Whether the value that comes next is wanted by nobody: it may be passed over, and `skipped` called in its
    /// place. (A source that gives its tokens all the same does no harm.)
    var isSkipping: Bool { get }
    /// Whether what is skipped is recorded: then the last bracket of it is given as a token.
    var isCapturing: Bool { get }
    /// Why it answered `stop`; nil if it was enough.
    var failure: JSONIssue? { get }

    mutating func startObject() -> Answer
    mutating func endObject() -> Answer
    mutating func startArray() -> Answer
    mutating func endArray() -> Answer
    /// Tries the key that is expected against the text behind a key's opening quote, of which `QuotedKey.reach` bytes
    /// can be read: its length if it is there, and then it has been taken; else −1. Longer ones than `longest` are
    /// not taken.
    mutating func expectedKey(at text: UnsafePointer<UInt8>, longest: Int) -> Int
    mutating func key(_ key: Key) -> Answer
    mutating func string(_ bytes: UnsafePointer<UInt8>, _ count: Int, isASCII: Bool) -> Answer
    mutating func number(_ token: NumberToken) -> Answer
    mutating func bool(_ value: Bool) -> Answer
    mutating func null() -> Answer
    /// An object or array has been passed over.
    mutating func skipped() -> Answer
    /// The verbatim text that an answer asked for.
    mutating func captured(_ bytes: [UInt8]) -> Answer

    /// An issue that it had, now with its place; false to end the parse.
    mutating func noted(_ issue: JSONIssue) -> Bool
    /// Issues that are placed in captured text alone; the places of it go with them to `noted`.
    mutating func takeInnerIssues() -> [JSONIssue]
    /// Every issue that was gathered rather than thrown.
    var gathered: [JSONIssue] { get }
    /// An issue with the value at hand, still without a place.
    func issue(_ kind: JSONIssue.Kind, atValue: Bool) -> JSONIssue
    /// Whether the value that was asked for has been made; the caller then owns it.
    mutating func takeResult() -> Bool
    /// Frees everything.
    mutating func dispose()
}

extension TokenSink {
    func issue(_ kind: JSONIssue.Kind) -> JSONIssue { issue(kind, atValue: true) }
}

extension Driver: TokenSink {
    @inline(__always)
    var isSkipping: Bool { kind == .skip }

    mutating func skipped() -> Answer { skipDepth == 0 ? passed() : .go }
}
