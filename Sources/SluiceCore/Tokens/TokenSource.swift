/// Hands the result of a parse, and the issues, to the caller.
protocol ResultSource: ~Copyable {
    /// All issues that were collected rather than thrown.
    var collectedIssues: [JSONIssue] { get }
    /// Hands the result from the sink to the caller, if one exists.
    mutating func takeResult() -> Bool
    /// Returns an error at the end of the input.
    mutating func located(_ kind: JSONIssue.Kind) -> JSONModelError
}

/// Reads JSON and sends its tokens to a sink, whose actions control the source. See `TokenSink` for the contract.
///
/// A source owns its sink. A source is generic and has no `deinit`, because Swift 6.3 calls the `deinit` of a generic
/// noncopyable type from other files only with whole-module compilation. The properties of the source free their memory in
/// their own `deinit`.
protocol TokenSource: ResultSource, ~Copyable {
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

    /// Consumes the next chunk of the input. The chunk's memory may become invalid when this returns or throws.
    mutating func feed(_ chunk: UnsafeBufferPointer<UInt8>) throws(JSONModelError)
    /// Ends the input.
    ///
    /// - Throws: The first error in the input.
    mutating func finish() throws(JSONModelError)
    /// Consumes complete input in one chunk, whose memory must stay valid until the last call to the source.
    mutating func run(_ whole: UnsafeBufferPointer<UInt8>) throws(JSONModelError)
    /// Collects the issue that ended the input, and closes the open containers.
    ///
    /// - Returns: Whether the containers were closed. False, without changes, if the input ended during a replay.
    mutating func closeOpen(behind issue: JSONIssue) -> Bool
}

/// An error that ended the input.
///
/// A class, so that a source, which is moved several times, has a reference instead of a large structure.
final class Rejection {
    let issue: JSONIssue
    /// The excerpt, if bytes after the error belong to it.
    var excerpt: Excerpt?

    init(_ issue: JSONIssue, excerpt: Excerpt? = nil) {
        self.issue = issue
        self.excerpt = excerpt
    }

    /// The error with the known part of the excerpt.
    var error: JSONModelError {
        var issue = issue
        if let excerpt {
            issue.excerpt = excerpt.text
            if case .syntax = issue.kind { issue.hint = issue.hint ?? SyntaxDiagnosis.hint(for: excerpt.word) }
        }
        return JSONModelError(issues: [issue])
    }

    /// The error without the bytes after the byte at fault.
    var shortError: JSONModelError {
        var issue = issue
        if let excerpt { issue.excerpt = excerpt.shortText }
        return JSONModelError(issues: [issue])
    }
}

/// The end of a parse that threw no error.
struct ParseOutcome {
    /// Whether the value was made, which the caller then owns.
    let isPresent: Bool
    /// The issues of the parts that were left out of a partial value.
    let issues: [JSONIssue]
}

extension ResultSource where Self: ~Copyable {
    /// Returns the outcome at the end of the input.
    ///
    /// - Parameters:
    ///   - missing: The path of the value that the sink must have made, which the caller then owns; nil if no value is required.
    ///   - isPartial: Whether the value may be missing if issues say why.
    // Inlined, because a call of another function takes 1 % of the time of a small document.
    @inline(__always)
    mutating func outcome(missing: JSONPath?, isPartial: Bool) throws(JSONModelError) -> ParseOutcome {
        let issues = collectedIssues
        if !isPartial, !issues.isEmpty { throw JSONModelError(issues: issues) }
        guard let missing else { return ParseOutcome(isPresent: false, issues: issues) }
        let isPresent = takeResult()
        if !isPresent, issues.isEmpty { throw located(.pathNotFound(missing)) }
        return ParseOutcome(isPresent: isPresent, issues: issues)
    }
}

/// UTF-8 input in memory, in a file, or in chunks.
enum ByteInput {
    /// Borrowed memory.
    case memory(UnsafeBufferPointer<UInt8>)
    /// The file at a path.
    case file(String)
    /// The rest of the file at a path, from the checkpoint of a stream.
    case rest(of: String, from: JSONCheckpoint)
    /// A file that is already open, such as standard input.
    case reader(FileReader)
    /// Chunks that may be cut at any byte.
    case chunks(AnyIterator<[UInt8]>)
}

extension TokenSource where Self: ~Copyable {
    /// Consumes the whole input.
    ///
    /// - Parameters:
    ///   - missing: The path of the value that the sink must have made at the end, which the caller then owns; nil if no value
    ///     is required.
    ///   - isPartial: Whether the value may be missing if issues say why, and may be made from the part before an error.
    ///   - limits: The limits of compressed input.
    ///   - progressHandler: Receives the progress after each window of a file.
    mutating func take(
        _ input: ByteInput, missing: JSONPath?, isPartial: Bool, limits: JSONLimits,
        progressHandler: ((JSONProgress) -> Void)?
    ) throws(JSONModelError) -> ParseOutcome {
        do { try take(input, limits, progressHandler) } catch {
            let before = collectedIssues
            if isPartial, let last = error.issues.last, closeOpen(behind: last), takeResult() {
                return ParseOutcome(isPresent: true, issues: collectedIssues)
            }
            throw JSONModelError(issues: before + error.issues)
        }
        return try outcome(missing: missing, isPartial: isPartial)
    }

    /// Consumes the whole input, or as much as the sink needs.
    mutating func take(
        _ input: ByteInput, _ limits: JSONLimits = JSONLimits(), _ progressHandler: ((JSONProgress) -> Void)? = nil
    ) throws(JSONModelError) {
        switch input {
        case .memory(let bytes):
            if JSONCompression.mayBegin(bytes) { try takeCompressed(bytes, limits) } else { try run(bytes) }
        case .file(let path): try FileReader(path).feed(&self, limits, progressHandler)
        case .rest:
            throw JSONModelError(.invalidPath("only a stream of elements can continue from a checkpoint"))
        case .reader(let reader): try reader.feed(&self, limits, progressHandler)
        case .chunks(let chunks):
            let decompression = Decompression(limits)
            do {
                while !isStopped, let chunk = chunks.next() {
                    try chunk.withUnsafeBufferPointer { bytes throws(JSONModelError) in
                        try feed(bytes, through: decompression)
                    }
                }
                try finish(decompression)
            } catch {
                guard decompression.compressedCount == nil else { throw rejection?.shortError ?? error }
                throw completed(error) { chunks.next() }
            }
        }
    }

    /// Returns an error with its whole excerpt. Requests further chunks while the excerpt is incomplete.
    func completed(_ error: JSONModelError, by next: () -> [UInt8]?) -> JSONModelError {
        guard let rejection, rejection.excerpt != nil else { return error }
        var offset = taken
        while rejection.excerpt?.wantsMore == true, let chunk = next() {
            rejection.excerpt?.take(chunk, at: offset)
            offset += chunk.count
        }
        return rejection.error
    }
}
