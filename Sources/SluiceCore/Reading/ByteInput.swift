/// UTF-8 input in memory, in a file, or in chunks.
package enum ByteInput {
    /// Borrowed memory.
    case memory(UnsafeBufferPointer<UInt8>)
    /// The file at a path, or a part of it.
    case file(FileInput)
    /// A file that is already open, such as standard input.
    case reader(FileReader)
    /// Chunks that may be cut at any byte.
    case chunks(AnyIterator<[UInt8]>)

    /// The memory of the input, if the whole text is in memory.
    package var memory: UnsafeBufferPointer<UInt8>? {
        guard case .memory(let bytes) = self,
            !JSONCompression.mayBegin(bytes) || JSONCompression.detect(bytes) == .plain
        else { return nil }
        return bytes
    }

    /// The part of the input that is read, if the input is a file.
    package var part: FilePart { if case .file(let file) = self { file.part } else { .whole } }

    /// Whether the input can be read again. A file is opened to determine its kind.
    package var isRepeatable: Bool {
        switch self {
        case .memory: true
        case .file(let file): file.isRepeatable
        case .reader, .chunks: false
        }
    }

    /// Calls a closure with the whole text in memory.
    ///
    /// If the text is longer than the limit of a document, reading ends one byte beyond the limit.
    func withWhole<R>(
        _ limits: JSONLimits, _ progressHandler: ((JSONProgress) -> Void)? = nil,
        _ body: (UnsafeBufferPointer<UInt8>) throws(JSONModelError) -> R
    ) throws(JSONModelError) -> R {
        if let memory { return try body(memory) }
        try part.requireWhole()
        let reader = try TextReader(self, limits)
        var text: [UInt8] = []
        // A byte order mark does not count.
        while text.count - Encoding.byteOrderMark.count <= max(limits.document, 0) {
            guard let window = try reader.next(openLength: 0) else {
                if let last = try reader.finish() { text += last }
                break
            }
            text += window
            reader.reportProgress(to: progressHandler)
        }
        return try text.withUnsafeBufferPointer(body)
    }
}

/// The file of an input, which is opened once, when its bytes or its kind are needed.
///
/// A path shows neither the kind of a file nor that the same file is read twice: another reader has the next bytes of a FIFO, a
/// terminal or `/dev/stdin`, and another file may have replaced this one. So the open file states its kind, and is read again.
package final class FileInput {
    package let path: String
    package let part: FilePart
    private var opened: Result<FileReader, JSONModelError>?
    private var isTaken = false

    init(_ path: String, _ part: FilePart = .whole) { (self.path, self.part) = (path, part) }

    private func open() -> Result<FileReader, JSONModelError> {
        if let opened { return opened }
        let result = Result { () throws(JSONModelError) in try FileReader(path, at: part.offset) }
        opened = result
        return result
    }

    /// Whether the file can be read again from its start: whether the file is regular. Opens the file. False for a file that cannot be
    /// opened.
    var isRepeatable: Bool {
        guard part.isWhole, case .success(let file) = open() else { return false }
        return file.isRegular
    }

    /// Returns a reader of the file. If the file was read before, the next reader begins at the same byte, and the reader before is not
    /// used again.
    package func reader() throws(JSONModelError) -> FileReader {
        let file = try open().get()
        if isTaken { return try file.again() }
        isTaken = true
        return file
    }
}

/// The part of a file that is read.
package indirect enum FilePart: Sendable {
    case whole
    /// The rest of the file, from the checkpoint of a stream.
    case rest(JSONCheckpoint)
    /// A range, and whether its index and location are those of the whole file.
    case range(JSONFileRange, isLocated: Bool)

    /// The offset at which reading begins, if the offset is known before the file is opened.
    package var offset: Int { if case .rest(let checkpoint) = self { checkpoint.offset } else { 0 } }

    var isWhole: Bool { if case .whole = self { true } else { false } }

    /// Throws an error unless the part is the whole file.
    package func requireWhole() throws(JSONModelError) {
        switch self {
        case .whole: break
        case .rest:
            throw JSONModelError(.invalidPath("only a stream of elements can continue from a checkpoint"))
        case .range:
            throw JSONModelError(.invalidRange("only a stream of elements can read a range of a file"))
        }
    }
}

extension TokenSource where Self: ~Copyable {
    /// Reads a whole input, or as much as the sink needs.
    ///
    /// - Parameters:
    ///   - missing: The path of the value that the sink must have made at the end, which the caller then owns; nil if no value
    ///     is required.
    ///   - isPartial: Whether the value may be missing if issues give the reason, and may be made from the part before an error.
    ///   - limits: The limits of compressed input.
    ///   - progressHandler: Receives the progress after each window of a file.
    // Inlined up to the input in memory, because the call of another function takes 1 % of the time of a small document.
    @inline(__always)
    mutating func read(
        _ input: ByteInput, to sink: inout some ResultSink & ~Copyable, missing: JSONPath?, isPartial: Bool,
        limits: JSONLimits, progressHandler: ((JSONProgress) -> Void)?
    ) throws(JSONModelError) -> ParseOutcome {
        do { try read(input, to: &sink, limits, progressHandler) } catch {
            return try sink.outcome(after: error, isPartial: isPartial, limits: limits)
        }
        return try sink.outcome(missing: missing, isPartial: isPartial) { locatedAtEnd($0) }
    }

    /// Reads a whole input, or as much as the sink needs.
    @inline(__always)
    mutating func read(
        _ input: ByteInput, to sink: inout some TokenSink & ~Copyable, _ limits: JSONLimits = JSONLimits(),
        _ progressHandler: ((JSONProgress) -> Void)? = nil
    ) throws(JSONModelError) {
        if let whole = input.memory { return try run(whole, to: &sink) }
        try readWindows(of: input, to: &sink, limits, progressHandler)
    }

    /// Reads the windows of an input that is not in memory.
    @inline(never)
    private mutating func readWindows(
        of input: ByteInput, to sink: inout some TokenSink & ~Copyable, _ limits: JSONLimits,
        _ progressHandler: ((JSONProgress) -> Void)?
    ) throws(JSONModelError) {
        try input.part.requireWhole()
        let reader = try TextReader(input, limits)
        do {
            while !isStopped, let window = try reader.next(openLength: openLength) {
                try feed(window, to: &sink)
                reader.reportProgress(to: progressHandler)
            }
            if !isStopped, let text = try reader.finish() { try feed(text, to: &sink) }
            try finish(&sink)
        } catch {
            var error = error
            // An error of reading comes after the error of the open token.
            do { try checkOpenToken(&sink) } catch let first { error = first }
            guard reader.hasExcerpts else {
                // A word that is cut at the end of a window must be complete for its hint.
                while let rejection, rejection.needsMoreForHint, let window = try? reader.next(openLength: 0) {
                    rejection.excerpt?.append(window)
                }
                throw rejection?.shortError ?? error
            }
            throw completed(error) { reader.nextOfExcerpt() }
        }
    }

    /// Returns an error with its whole excerpt. Requests further bytes while the excerpt is incomplete.
    private func completed(_ error: JSONModelError, by next: () -> [UInt8]?) -> JSONModelError {
        guard let rejection, rejection.excerpt != nil else { return error }
        var offset = taken
        while rejection.excerpt?.wantsMore == true, let chunk = next() {
            rejection.excerpt?.take(chunk, at: offset)
            offset += chunk.count
        }
        return rejection.error
    }
}

extension ResultSink where Self: ~Copyable {
    /// Returns the outcome of an input that ended with an error: the value from the part before the error, if a partial value is
    /// allowed.
    @inline(never)
    mutating func outcome(
        after error: JSONModelError, isPartial: Bool, limits: JSONLimits
    ) throws(JSONModelError) -> ParseOutcome {
        let before = collectedIssues
        if isPartial, let last = error.issues.last {
            var recorder = RawRecorder(limits: limits)
            if recorder.closeOpen(&self, behind: last), takeResult() {
                return ParseOutcome(isPresent: true, issues: collectedIssues)
            }
        }
        throw JSONModelError(issues: before + error.issues)
    }
}
