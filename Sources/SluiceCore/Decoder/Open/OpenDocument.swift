/// A document that is read chunk by chunk, for all types of sources and sinks.
package class OpenDocument {
    /// The functions that read text. The compiler specializes closures for the types of the source and the sink, but does not specialize the
    /// methods of a generic class.
    fileprivate struct Steps {
        let feed: (OpenDocument, UnsafeBufferPointer<UInt8>) throws(JSONModelError) -> Bool
        let checkOpenToken: (OpenDocument) throws(JSONModelError) -> Void
        let finish: (OpenDocument, JSONPath?) throws(JSONModelError) -> ParseOutcome
    }

    private let steps: Steps
    /// Reads the document between two chunks; nil if nothing does.
    @exclusivity(unchecked) package final var reader: (any DocumentReader)?

    fileprivate init(_ steps: Steps) { self.steps = steps }

    // MARK: Reading text

    /// Consumes the next chunk. Returns whether the value is complete, or the sink needs no more of the document.
    package final func feed(_ chunk: UnsafeBufferPointer<UInt8>) throws(JSONModelError) -> Bool {
        reader?.settle()
        return try steps.feed(self, chunk)
    }

    /// Checks the open token of a document that cannot be read further.
    package final func checkOpenToken() throws(JSONModelError) {
        reader?.settle()
        try steps.checkOpenToken(self)
    }

    /// Ends the document, whose value must be at a path.
    package final func finish(_ missing: JSONPath?) throws(JSONModelError) -> ParseOutcome {
        reader?.settle()
        return try steps.finish(self, missing)
    }

    /// Skips elements, which another document has read.
    package final func skip(_ bytes: UnsafeBufferPointer<UInt8>, _ lines: LineCount, _ elements: Int) {
        skip(bytes, lines)
        withDriver { $0.skipElements(elements) }
    }

    fileprivate func skip(_ bytes: UnsafeBufferPointer<UInt8>, _ lines: LineCount) { lacksSource() }

    /// Sets the bytes before the next chunk that excerpts show.
    package func setContext(_ bytes: [UInt8]) { lacksSource() }
    /// Sets the offset from which the length of the document counts.
    package func setStart(_ offset: Int) { lacksSource() }

    // MARK: The state between chunks

    /// The state between chunks.
    package struct State {
        /// The length of the open token.
        package let openLength: Int
        /// Whether the sink needs no more of the document.
        package let isStopped: Bool
        /// Whether the value is complete.
        package let hasResult: Bool
    }

    package var state: State { lacksSource() }
    /// Returns the position after the text so far.
    package func position() -> LineCount { lacksSource() }
    /// Whether the document is between two elements of the innermost open array, which are those of the stream.
    package func isBetweenElements() -> Bool { lacksSource() }
    /// Whether the document has an envelope.
    package var hasEnvelope: Bool { lacksSource() }

    /// Calls a closure with the driver of the value, or of the envelope.
    ///
    /// - Parameter body: A closure that receives the driver, and the token that is not complete, if the token belongs to the driver's value.
    package func read<Result>(envelope: Bool, _ body: (borrowing Driver, OpenToken) -> Result) -> Result {
        lacksSource()
    }

    /// Continues to read the contents of a string that is not complete.
    package func readOpenText(_ text: inout OpenText) { lacksSource() }
    /// The issue of a document that ends here.
    package var end: JSONIssue { lacksSource() }

    // MARK: Results

    /// Hands the value to the caller before the end of the document, if the value is complete. Returns whether it is.
    package func takeResult() -> Bool { lacksSource() }
    /// Returns the issues that were collected rather than thrown.
    package func collectedIssues() -> [JSONIssue] { lacksSource() }
    /// Hands the envelope to the caller, if it is complete. Returns whether it is.
    package func takeEnvelope() -> Bool { lacksSource() }

    private func lacksSource() -> Never { preconditionFailure("a document has a source and a sink") }

    // MARK: The driver of the elements

    /// Calls a closure that changes the driver between chunks.
    fileprivate func withDriver(_ body: (inout Driver) -> Void) { lacksSource() }

    /// The number of arrays of elements that have begun; nil after null on the path to an array.
    package var arrayCount: Int? {
        var count: Int?
        withDriver { count = $0.session.elements.arrayCount }
        return count
    }

    /// The index of the next element in the open array of elements, or of the open element; nil if the array is not open.
    package var elementIndex: Int? {
        var index: Int?
        withDriver { index = $0.elementIndex }
        return index
    }

    /// Continues the open array at an index.
    package func move(toIndex index: Int) { withDriver { $0.move(toIndex: index) } }

    /// Ignores the next value.
    package func ignoreNext() { withDriver { $0.ignoreNext() } }

    /// Determines the ranges of further elements; nil if they are not needed.
    package func setLocator(_ locator: ElementRanges?) { withDriver { $0.session.locator = locator } }

    // MARK: The error that ended the document

    /// The error that ended the document; nil unless the document has one.
    fileprivate var rejection: Rejection? { lacksSource() }

    /// Adds bytes after the error to its excerpt.
    package func addToExcerpt(_ bytes: UnsafeBufferPointer<UInt8>) { rejection?.excerpt?.append(bytes) }

    /// Whether the hint of the error, or its whole excerpt, may depend on the next bytes.
    ///
    /// - Parameter showsWhatFollows: Whether the excerpt shows the bytes after the byte at fault.
    package func needsMore(showsWhatFollows: Bool) -> Bool {
        guard let rejection else { return false }
        return showsWhatFollows ? rejection.excerpt?.wantsMore == true : rejection.needsMoreForHint
    }

    /// Returns an error of the document with the hint and the excerpt that the bytes so far show.
    ///
    /// - Parameter showsWhatFollows: Whether the excerpt shows the bytes after the byte at fault.
    package func shown(_ error: JSONModelError, showsWhatFollows: Bool) -> JSONModelError {
        guard let rejection else { return error }
        let last = showsWhatFollows ? rejection.error : rejection.shortError
        return JSONModelError(issues: error.issues.dropLast() + last.issues)
    }
}

/// Reads a document between two chunks.
package protocol DocumentReader: AnyObject {
    /// Ends the access to the document, before the document changes.
    func settle()
    /// Ends the access to the value, which is handed over.
    func release()
}

/// A document with its source and its sink.
private final class Document<Source: TokenSource & ~Copyable, Sink: DocumentSink & ~Copyable>: OpenDocument {
    // Accesses are not checked for exclusivity: one thread at a time uses a document.
    @exclusivity(unchecked) var source: Source
    @exclusivity(unchecked) var sink: Sink

    private init(_ source: consuming Source, _ sink: consuming Sink, _ steps: Steps) {
        self.source = source
        self.sink = sink
        super.init(steps)
    }

    deinit { reader?.settle() }

    @inline(__always)
    static func make(_ source: consuming Source, _ sink: consuming Sink) -> OpenDocument {
        let steps = Steps { document, chunk throws(JSONModelError) in
            let document = unsafeDowncast(document, to: Document<Source, Sink>.self)
            try document.source.feedPart(chunk, to: &document.sink)
            return document.source.isStopped || document.sink.hasResult
        } checkOpenToken: { document throws(JSONModelError) in
            let document = unsafeDowncast(document, to: Document<Source, Sink>.self)
            try document.source.checkOpenTokenOfPart(&document.sink)
        } finish: { document, missing throws(JSONModelError) in
            let document = unsafeDowncast(document, to: Document<Source, Sink>.self)
            return try document.source.finishParts(&document.sink, missing: missing)
        }
        return Document(source, sink, steps)
    }

    override func skip(_ bytes: UnsafeBufferPointer<UInt8>, _ lines: LineCount) {
        reader?.settle()
        source.skip(bytes, lines)
    }

    override func setContext(_ bytes: [UInt8]) {
        reader?.settle()
        source.setContext(bytes)
    }

    override func setStart(_ offset: Int) {
        reader?.settle()
        source.setDocumentStart(offset)
    }

    override var state: State {
        State(openLength: source.openLength, isStopped: source.isStopped, hasResult: sink.hasResult)
    }

    override func position() -> LineCount {
        // Another thread may read the driver.
        LineCount(before: source.locatedBehindOpenToken(JSONIssue(kind: .unexpectedEnd)).location)
    }

    override func isBetweenElements() -> Bool { source.isAfterValue && sink.isBetweenElements }

    override var hasEnvelope: Bool { Sink.hasEnvelope }

    override func read<Result>(envelope: Bool, _ body: (borrowing Driver, OpenToken) -> Result) -> Result {
        sink.read(envelope: envelope, source.openToken, body)
    }

    override func readOpenText(_ text: inout OpenText) { source.readOpenText(&text) }

    override var end: JSONIssue { source.locatedBehindOpenToken(sink.issue(.unexpectedEnd)) }

    override func takeResult() -> Bool {
        reader?.settle()
        reader?.release()
        return sink.takeResult()
    }

    override func collectedIssues() -> [JSONIssue] { sink.collectedIssues }

    override func takeEnvelope() -> Bool {
        reader?.settle()
        return sink.takeEnvelope()
    }

    override func withDriver(_ body: (inout Driver) -> Void) {
        reader?.settle()
        sink.change(envelope: false, body)
    }

    override var rejection: Rejection? { source.rejection }
}

extension JSONModelDecoder {
    /// Begins a document.
    ///
    /// - Parameters:
    ///   - envelope: The memory of the envelope; nil without one.
    ///   - origin: The lines of the input before the document.
    package func open(
        _ target: ElementTarget, _ envelope: EnvelopeTarget?, after origin: LineCount
    ) throws(JSONModelError) -> OpenDocument {
        let driver = target.driver(self)
        guard let envelope else { return try open(driver, after: origin) }
        let sink = envelope.sink(driver)
        switch source {
        #if YAJL
        case .yajl: return Document.make(try YajlSource(for: AnySink.self, limits: limits, after: origin), sink)
        #endif
        case .scanner: return Document.make(ScannerSource(limits: limits, after: origin), sink)
        }
    }

    private func open(_ driver: consuming Driver, after origin: LineCount) throws(JSONModelError) -> OpenDocument {
        switch source {
        #if YAJL
        case .yajl: return Document.make(try YajlSource(for: Driver.self, limits: limits, after: origin), driver)
        #endif
        case .scanner: return Document.make(ScannerSource(limits: limits, after: origin), driver)
        }
    }

    /// Reads a document that is in one chunk.
    ///
    /// - Parameters:
    ///   - margins: The readable bytes around the document.
    ///   - showsWhatFollows: Whether the excerpt of an error shows the bytes after the byte at fault.
    package func read(
        _ bytes: UnsafeBufferPointer<UInt8>, margins: TextMargins, to target: ElementTarget,
        after origin: LineCount, missing: JSONPath?, showsWhatFollows: Bool
    ) throws(JSONModelError) -> ParseOutcome {
        var driver = target.driver(self)
        switch source {
        #if YAJL
        case .yajl:
            var tokens = try YajlSource(for: Driver.self, limits: limits, after: origin)
            do { try tokens.run(bytes, to: &driver) } catch {
                throw tokens.complete(error, &driver, showsWhatFollows: showsWhatFollows)
            }
            return try tokens.outcome(&driver, missing: missing)
        #endif
        case .scanner:
            var tokens = ScannerSource(limits: limits, after: origin)
            do { try tokens.run(bytes, margins: margins, to: &driver) } catch {
                throw tokens.complete(error, &driver, showsWhatFollows: showsWhatFollows)
            }
            return try tokens.outcome(&driver, missing: missing)
        }
    }

    /// Reads a value in memory that is no text.
    ///
    /// - Parameter endEnvelope: Receives whether the envelope is complete, and is handed over, and otherwise the envelope so far. Called at
    ///   the end of the value, and after an error.
    package func read(
        _ tree: JSONInputContent.Tree, to target: ElementTarget, _ envelope: EnvelopeTarget?, missing: JSONPath?,
        endEnvelope: (_ isComplete: Bool, _ partial: SnapshotCopy?) -> Void
    ) throws(JSONModelError) -> ParseOutcome {
        guard let envelope else {
            var driver = target.driver(self)
            return try tree.content.run(to: &driver, self, missing: missing)
        }
        var sink = envelope.sink(target.driver(self))
        defer {
            let isComplete = sink.takeEnvelope()
            let end = sink.issue(.unexpectedEnd).withoutLocation
            endEnvelope(
                isComplete,
                isComplete
                    ? nil
                    : sink.read(envelope: true, .none) {
                        $0.snapshot($1, text: nil, end: end, options: partialOptions)
                    })
        }
        return try tree.content.run(to: &sink, self, missing: missing)
    }
}

// The excerpt of an error ends with the byte at fault, because the bytes after it may not have been fed yet.
extension TokenSource where Self: ~Copyable {
    mutating func feedPart(
        _ chunk: UnsafeBufferPointer<UInt8>, to sink: inout some ResultSink & ~Copyable
    ) throws(JSONModelError) {
        do { try feed(chunk, to: &sink) } catch { throw complete(error, &sink) }
    }

    mutating func checkOpenTokenOfPart(
        _ sink: inout some ResultSink & ~Copyable
    ) throws(JSONModelError) {
        do { try checkOpenToken(&sink) } catch { throw complete(error, &sink) }
    }

    mutating func finishParts(
        _ sink: inout some ResultSink & ~Copyable, missing: JSONPath?
    ) throws(JSONModelError) -> ParseOutcome {
        do { try finish(&sink) } catch { throw complete(error, &sink) }
        return try outcome(&sink, missing: missing)
    }

    @inline(__always)
    mutating func outcome(
        _ sink: inout some ResultSink & ~Copyable, missing: JSONPath?
    ) throws(JSONModelError) -> ParseOutcome {
        try sink.outcome(missing: missing, isPartial: false) { locatedAtEnd($0) }
    }

    /// Returns an error with the issues that were collected before.
    func complete(
        _ error: JSONModelError, _ sink: inout some ResultSink & ~Copyable, showsWhatFollows: Bool = false
    ) -> JSONModelError {
        let error = showsWhatFollows ? error : rejection?.shortError ?? error
        return JSONModelError(issues: sink.collectedIssues + error.issues)
    }
}
