/// Reads JSON and sends its tokens to a sink, whose actions control the source. See `TokenSink` for the contract.
///
/// The caller owns the source and the sink, and passes the same sink to each call.
// Functions take a sink `inout` even if they do not change the sink: a borrowed sink, which is large, is copied for each call.
protocol TokenSource: ~Copyable {
    /// Whether the parse ended, with an error or because the sink needs no more.
    var isStopped: Bool { get }
    /// The length of the open token in bytes. A window should be at least twice as large.
    var openLength: Int { get }
    /// The number of bytes consumed.
    var offset: Int { get }
    /// The number of bytes fed, including those after an error.
    var taken: Int { get }
    /// The error that ended the input.
    var rejection: Rejection? { get }

    /// The token that is not complete.
    var openToken: OpenToken { get }
    /// Continues to read the contents of a string that is not complete.
    func readOpenText(_ text: inout OpenText)

    /// Consumes the next chunk of the input, unless the parse has ended. The chunk's memory may become invalid when this returns or
    /// throws.
    mutating func feed(
        _ chunk: UnsafeBufferPointer<UInt8>, to sink: inout some TokenSink & ~Copyable
    ) throws(JSONModelError)
    /// Ends the input.
    ///
    /// - Throws: The first error in the input.
    mutating func finish(_ sink: inout some TokenSink & ~Copyable) throws(JSONModelError)
    /// Checks the open token of an input that cannot be read further. A token that no bytes could complete is an error.
    ///
    /// - Throws: The error of the token.
    mutating func checkOpenToken(_ sink: inout some TokenSink & ~Copyable) throws(JSONModelError)
    /// Whether a value inside of a container is complete, and the bytes after the value have not been fed.
    var isAfterValue: Bool { get }
    /// Skips values and the commas between them, after a value and up to the end of another one in the same container.
    ///
    /// - Parameters:
    ///   - bytes: The bytes of the values, which another source has read.
    ///   - lines: The lines of the bytes.
    mutating func skip(_ bytes: UnsafeBufferPointer<UInt8>, _ lines: LineCount)
    /// Sets the bytes before the next chunk that excerpts show. The source must be between two tokens.
    mutating func setContext(_ bytes: [UInt8])
    /// Sets the offset of the document's first byte, from which its length counts. Called before the first chunk.
    mutating func setDocumentStart(_ offset: Int)
    /// Consumes complete input in one chunk, whose memory must stay valid until the last call to the source.
    mutating func run(
        _ whole: UnsafeBufferPointer<UInt8>, to sink: inout some TokenSink & ~Copyable
    ) throws(JSONModelError)
    /// Returns an issue with the location of the end of the input so far.
    mutating func locatedAtEnd(_ issue: JSONIssue) -> JSONIssue
    /// Returns an issue with the location of the end of the bytes that were fed, which include the token that is not complete.
    func locatedBehindOpenToken(_ issue: JSONIssue) -> JSONIssue
}

/// The token at the end of the input so far, which is not complete.
package enum OpenToken {
    /// No token, or one that is not valid at its position, whose error is found when the token is complete.
    case none
    /// A key or a part of one, or the position of a key.
    case key
    /// A number or a literal.
    case scalar
    /// A string.
    case string

    /// - Parameters:
    ///   - first: The first byte of the token; nil without a token.
    ///   - expectation: The tokens that are valid at the position.
    init(_ first: UInt8?, expecting expectation: GrammarState.Expectation) {
        switch expectation {
        case .key, .keyOrClose: self = .key
        case .value, .valueOrClose: self = first == nil ? .none : first == UInt8(ascii: "\"") ? .string : .scalar
        case .colon, .commaOrClose: self = .none
        }
    }
}

/// A sink that makes a value.
protocol ResultSink: TokenSink, ~Copyable {
    /// All issues that were collected rather than thrown.
    var collectedIssues: [JSONIssue] { get }
    /// Hands the requested value to the caller, if the value is complete. Returns whether it is.
    mutating func takeResult() -> Bool
}

/// The end of a parse that threw no error.
package struct ParseOutcome {
    /// Whether the value was made, which the caller then owns.
    package let isPresent: Bool
    /// The issues of the parts that were left out of a partial value.
    let issues: [JSONIssue]
}

extension ResultSink where Self: ~Copyable {
    /// Returns the outcome at the end of the input.
    ///
    /// - Parameters:
    ///   - missing: The path of the value that the sink must have made, which the caller then owns; nil if no value is required.
    ///   - isPartial: Whether the value may be missing if issues give the reason.
    ///   - locatedAtEnd: Returns an issue with the location of the end of the input.
    // Inlined, because a call of another function takes 1 % of the time of a small document.
    @inline(__always)
    mutating func outcome(
        missing: JSONPath?, isPartial: Bool, locatedAtEnd: (JSONIssue) -> JSONIssue
    ) throws(JSONModelError) -> ParseOutcome {
        let issues = collectedIssues
        if !isPartial, !issues.isEmpty { throw JSONModelError(issues: issues) }
        guard let missing else { return ParseOutcome(isPresent: false, issues: issues) }
        let isPresent = takeResult()
        if !isPresent, issues.isEmpty {
            throw JSONModelError(issues: [locatedAtEnd(issue(.pathNotFound(missing)))])
        }
        return ParseOutcome(isPresent: isPresent, issues: issues)
    }
}
