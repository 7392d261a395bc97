/// A document that is read chunk by chunk, for all types of sources and sinks.
///
/// The closures capture a `Parse`, which has the source and the sink. The compiler specializes the closures for their types, but does
/// not specialize the methods of a generic class.
final class OpenDocument {
    /// Consumes the next chunk.
    let feed: (UnsafeBufferPointer<UInt8>) throws(JSONModelError) -> Void
    /// Checks the open token of a document that cannot be read further.
    let checkOpenToken: () throws(JSONModelError) -> Void
    /// Ends the document, whose value must be at a path.
    let finish: (_ missing: JSONPath?) throws(JSONModelError) -> ParseOutcome
    /// Returns the value, or the open element, as far as it is read.
    let snapshot: (_ options: DecodingOptions.Shared) -> ValueSnapshot
    /// Returns the envelope as far as it is read; nil without an envelope.
    let envelopeSnapshot: (_ options: DecodingOptions.Shared) -> ValueSnapshot?
    /// Calls a closure that changes the driver between chunks.
    let withDriver: ((inout Driver) -> Void) -> Void
    /// Returns the position after the text so far.
    let position: () -> LineCount
    /// Whether the document is between two elements of the innermost open array, which are those of the stream.
    let isBetweenElements: () -> Bool
    /// Skips elements, which another document has read.
    let skip: (_ bytes: UnsafeBufferPointer<UInt8>, _ lines: LineCount, _ elements: Int) -> Void
    /// Sets the bytes before the next chunk that excerpts show.
    let setContext: (_ bytes: [UInt8]) -> Void
    /// Sets the offset from which the length of the document counts.
    let setStart: (_ offset: Int) -> Void
    /// Returns the error that ended the document; nil unless the document has one.
    let rejection: () -> Rejection?
    /// Hands the value to the caller before the end of the document, if the value is complete. Returns whether it is.
    let takeResult: () -> Bool
    /// Returns the issues that were collected rather than thrown.
    let collectedIssues: () -> [JSONIssue]
    /// Hands the envelope to the caller, if it is complete. Returns whether it is.
    let takeEnvelope: () -> Bool
    private let getState: () -> State

    /// The state between chunks.
    struct State {
        /// The length of the open token.
        let openLength: Int
        /// Whether the sink needs no more of the document.
        let isStopped: Bool
        /// Whether the value is complete.
        let hasResult: Bool
    }

    var state: State { getState() }

    /// The source and the sink of a document.
    private final class Parse<Source: TokenSource & ~Copyable, Sink: DocumentSink & ~Copyable>: SnapshotReader {
        var source: Source
        var sink: Sink
        /// The snapshots that may read this document until the next chunk.
        private var snapshots: (value: ValueSnapshot?, envelope: ValueSnapshot?) = (nil, nil)

        init(_ source: consuming Source, _ sink: consuming Sink) {
            self.source = source
            self.sink = sink
        }

        deinit { settle() }

        /// The issue of a document that ends here.
        var end: JSONIssue { source.locatedBehindOpenToken(sink.issue(.unexpectedEnd)) }

        // MARK: Snapshots

        func snapshot(_ options: DecodingOptions.Shared) -> ValueSnapshot {
            let snapshot = snapshots.value ?? ValueSnapshot(self, ofEnvelope: false, options: options)
            snapshots.value = snapshot
            return snapshot
        }

        func envelopeSnapshot(_ options: DecodingOptions.Shared) -> ValueSnapshot? {
            guard Sink.hasEnvelope else { return nil }
            let snapshot = snapshots.envelope ?? ValueSnapshot(self, ofEnvelope: true, options: options)
            snapshots.envelope = snapshot
            return snapshot
        }

        /// Ends the access of snapshots, before the document changes. A snapshot that is still in use copies what is read.
        func settle() {
            if !isKnownUniquelyReferenced(&snapshots.value) { snapshots.value?.settle() }
            if !isKnownUniquelyReferenced(&snapshots.envelope) { snapshots.envelope?.settle() }
            snapshots = (nil, nil)
        }

        func overview(ofEnvelope: Bool) -> SnapshotOverview {
            sink.read(envelope: ofEnvelope, source.openToken) { $0.overview($1) }
        }

        func openText(ofEnvelope: Bool) -> String? {
            let isText = sink.read(envelope: ofEnvelope, source.openToken) { $0.isReadingText($1) }
            return isText ? source.openText : nil
        }

        func address(ofPropertyAt offset: Int, ofEnvelope: Bool) -> UnsafeRawPointer? {
            sink.read(envelope: ofEnvelope, source.openToken) { $0.address(ofPropertyAt: offset, $1) }
        }

        func copy(ofEnvelope: Bool, options: DecodingOptions.Shared) -> SnapshotCopy {
            let (text, end) = (openText(ofEnvelope: ofEnvelope), end)
            return sink.read(envelope: ofEnvelope, source.openToken) {
                $0.snapshot($1, text: text, end: end, options: options)
            }
        }
    }

    @inline(__always)
    fileprivate init<Source: TokenSource & ~Copyable, Sink: DocumentSink & ~Copyable>(
        _ source: consuming Source, _ sink: consuming Sink
    ) {
        let parse = Parse(source, sink)
        feed = { chunk throws(JSONModelError) in
            parse.settle()
            try parse.source.feedPart(chunk, to: &parse.sink)
        }
        checkOpenToken = { () throws(JSONModelError) in
            parse.settle()
            try parse.source.checkOpenTokenOfPart(&parse.sink)
        }
        finish = { missing throws(JSONModelError) in
            parse.settle()
            return try parse.source.finishParts(&parse.sink, missing: missing)
        }
        snapshot = { parse.snapshot($0) }
        envelopeSnapshot = { parse.envelopeSnapshot($0) }
        withDriver = {
            parse.settle()
            parse.sink.withDriver($0)
        }
        position = { LineCount(before: parse.end.location) }
        isBetweenElements = { parse.source.isAfterValue && parse.sink.isBetweenElements }
        skip = { bytes, lines, elements in
            parse.settle()
            parse.source.skip(bytes, lines)
            parse.sink.withDriver { $0.skipElements(elements) }
        }
        setContext = {
            parse.settle()
            parse.source.setContext($0)
        }
        setStart = {
            parse.settle()
            parse.source.setDocumentStart($0)
        }
        rejection = { parse.source.rejection }
        takeResult = {
            parse.settle()
            return parse.sink.takeResult()
        }
        collectedIssues = { parse.sink.collectedIssues }
        takeEnvelope = {
            parse.settle()
            return parse.sink.takeEnvelope()
        }
        getState = {
            State(
                openLength: parse.source.openLength, isStopped: parse.source.isStopped,
                hasResult: parse.sink.hasResult)
        }
    }
}

extension JSONModelDecoder {
    /// Begins a document.
    ///
    /// - Parameter origin: The lines of the input before the document.
    func open(_ driver: consuming Driver, after origin: LineCount) throws(JSONModelError) -> OpenDocument {
        switch source {
        #if YAJL
        case .yajl: return OpenDocument(try YajlSource(for: Driver.self, limits: limits, after: origin), driver)
        #endif
        case .scanner: return OpenDocument(ScannerSource(limits: limits, after: origin), driver)
        }
    }

    /// Begins a document whose elements have an envelope.
    ///
    /// - Parameter origin: The lines of the input before the document.
    func open(_ envelope: EnvelopeSink, after origin: LineCount) throws(JSONModelError) -> OpenDocument {
        let sink = AnySink(envelope)
        switch source {
        #if YAJL
        case .yajl: return OpenDocument(try YajlSource(for: AnySink.self, limits: limits, after: origin), sink)
        #endif
        case .scanner: return OpenDocument(ScannerSource(limits: limits, after: origin), sink)
        }
    }

    /// Reads a document that is in one chunk.
    ///
    /// - Parameters:
    ///   - margins: The readable bytes around the document.
    ///   - showsWhatFollows: Whether the excerpt of an error shows the bytes after the byte at fault.
    func read(
        _ driver: consuming Driver, _ bytes: UnsafeBufferPointer<UInt8>, margins: TextMargins,
        after origin: LineCount, missing: JSONPath?, showsWhatFollows: Bool
    ) throws(JSONModelError) -> ParseOutcome {
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
