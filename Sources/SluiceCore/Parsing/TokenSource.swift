/// Takes a text and gives its tokens to a sink, whose answers steer it. See `TokenSink` for what they owe each other.
protocol TokenSource: ~Copyable {
    /// Whether the parse has been ended, by an error or because it was enough.
    var isStopped: Bool { get }
    /// How much of the text is an open token: a window that holds less than twice that is too small.
    var openLength: Int { get }
    /// How much of the text has been taken.
    var offset: Int { get }
    /// How much of the text has been fed, also after an error.
    var taken: Int { get }
    /// The error that ended the text.
    var refusal: Refusal? { get }

    /// Takes the next chunk of the text. Its memory may go when this returns, however it returns.
    mutating func feed(_ chunk: UnsafeBufferPointer<UInt8>) throws(JSONModelError)
    /// The text is complete.
    ///
    /// - Throws: what is wrong with it.
    mutating func finish() throws(JSONModelError)
    /// Takes a text that is complete, in one piece, whose memory stays until the source has been asked for all else.
    mutating func run(_ whole: UnsafeBufferPointer<UInt8>) throws(JSONModelError)
    /// Takes the result out of the sink, if there is one: the caller owns it from here on.
    mutating func takeResult() -> Bool
    /// Gathers the issue that ended the text, and closes what the text left open.
    ///
    /// - Returns: false, with nothing done, where the text ended inside of a replay.
    mutating func closeOpen(behind issue: JSONIssue) -> Bool
    /// Every issue that was gathered rather than thrown.
    var gathered: [JSONIssue] { get }
    /// An error at the end of the text.
    mutating func located(_ kind: JSONIssue.Kind) -> JSONModelError
    /// Frees everything, the sink's memory too. The source is not used afterwards.
    ///
    /// A `deinit` would do, but Swift 6.3 does not call that of a generic noncopyable type from other files, unless they are
    /// compiled as one module.
    mutating func dispose()
}

/// An error that ended the text.
struct Refusal {
    let issue: JSONIssue
    /// The excerpt, where what follows the error belongs to it.
    var excerpt: Excerpt?

    /// The error with as much of the excerpt as is known.
    var error: JSONModelError {
        var issue = issue
        if let excerpt { issue.excerpt = excerpt.text }
        return JSONModelError(issues: [issue])
    }

    /// The error without what follows the byte at fault.
    var shortError: JSONModelError {
        var issue = issue
        if let excerpt { issue.excerpt = excerpt.shortText }
        return JSONModelError(issues: [issue])
    }
}

/// UTF-8 in memory, in a file, or in chunks.
enum ByteInput {
    /// Memory that is borrowed.
    case memory(UnsafeBufferPointer<UInt8>)
    /// The file at a path.
    case file(String)
    case standardInput
    /// Chunks that are cut anywhere.
    case chunks(AnyIterator<[UInt8]>)
}

extension TokenSource where Self: ~Copyable {
    /// Takes the whole text of an input.
    ///
    /// - Parameter missing: the path of the value that the sink must have made then, which the caller owns from here
    ///   on; nil if there is none to make.
    mutating func take(_ input: ByteInput, missing: JSONPath?) throws(JSONModelError) {
        do { try take(input) } catch {
            throw JSONModelError(issues: gathered + error.issues)
        }
        if !gathered.isEmpty { throw JSONModelError(issues: gathered) }
        if let missing, !takeResult() { throw located(.pathNotFound(missing)) }
    }

    /// Takes the whole text of an input, or as much as is wanted.
    mutating func take(_ input: ByteInput) throws(JSONModelError) {
        switch input {
        case .memory(let bytes): try run(bytes)
        case .file(let path):
            try FileWindows.read(path) { file throws(JSONModelError) in try file.feed(&self) }
        case .standardInput: try FileWindows.standardInput.feed(&self)
        case .chunks(let chunks):
            do {
                while !isStopped, let chunk = chunks.next() {
                    try chunk.withUnsafeBufferPointer { bytes throws(JSONModelError) in try feed(bytes) }
                }
                try finish()
            } catch {
                throw completed(error) { chunks.next() }
            }
        }
    }

    /// An error with its whole excerpt, for which the next chunks are asked for as long as it lacks something.
    func completed(_ error: JSONModelError, by next: () -> [UInt8]?) -> JSONModelError {
        guard var refusal, refusal.excerpt != nil else { return error }
        var offset = taken
        while refusal.excerpt?.wantsMore == true, let chunk = next() {
            refusal.excerpt?.take(chunk, at: offset)
            offset += chunk.count
        }
        return refusal.error
    }
}
