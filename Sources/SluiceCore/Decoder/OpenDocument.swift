/// A document that is read chunk by chunk, for all types of sources and sinks.
///
/// The closures capture a `Parse`, which has the source and the sink. The compiler specializes the closures for their types, but does
/// not specialize the methods of a generic class.
package final class OpenDocument {
    /// Consumes the next chunk. Returns whether the value is complete, or the sink needs no more of the document.
    package let feed: (UnsafeBufferPointer<UInt8>) throws(JSONModelError) -> Bool
    /// Checks the open token of a document that cannot be read further.
    package let checkOpenToken: () throws(JSONModelError) -> Void
    /// Ends the document, whose value must be at a path.
    package let finish: (_ missing: JSONPath?) throws(JSONModelError) -> ParseOutcome
    /// Returns the value, or the open element, as far as it is read.
    package let snapshot: (_ options: DecodingOptions.Shared) -> ValueSnapshot
    /// Returns the envelope as far as it is read; nil without an envelope.
    package let envelopeSnapshot: (_ options: DecodingOptions.Shared) -> ValueSnapshot?
    /// Calls a closure that changes the driver between chunks.
    private let withDriver: ((inout Driver) -> Void) -> Void
    /// Returns the position after the text so far.
    package let position: () -> LineCount
    /// Whether the document is between two elements of the innermost open array, which are those of the stream.
    package let isBetweenElements: () -> Bool
    /// Skips elements, which another document has read.
    package let skip: (_ bytes: UnsafeBufferPointer<UInt8>, _ lines: LineCount, _ elements: Int) -> Void
    /// Sets the bytes before the next chunk that excerpts show.
    package let setContext: (_ bytes: [UInt8]) -> Void
    /// Sets the offset from which the length of the document counts.
    package let setStart: (_ offset: Int) -> Void
    /// Returns the error that ended the document; nil unless the document has one.
    private let rejection: () -> Rejection?
    /// Hands the value to the caller before the end of the document, if the value is complete. Returns whether it is.
    package let takeResult: () -> Bool
    /// Returns the issues that were collected rather than thrown.
    package let collectedIssues: () -> [JSONIssue]
    /// Hands the envelope to the caller, if it is complete. Returns whether it is.
    package let takeEnvelope: () -> Bool
    private let getState: () -> State

    /// The state between chunks.
    package struct State {
        /// The length of the open token.
        package let openLength: Int
        /// Whether the sink needs no more of the document.
        package let isStopped: Bool
        /// Whether the value is complete.
        package let hasResult: Bool
    }

    package var state: State { getState() }

    // MARK: The driver of the elements

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

    /// Adds bytes after the error to its excerpt.
    package func addToExcerpt(_ bytes: UnsafeBufferPointer<UInt8>) { rejection()?.excerpt?.append(bytes) }

    /// Whether the hint of the error, or its whole excerpt, may depend on the next bytes.
    ///
    /// - Parameter showsWhatFollows: Whether the excerpt shows the bytes after the byte at fault.
    package func needsMore(showsWhatFollows: Bool) -> Bool {
        guard let rejection = rejection() else { return false }
        return showsWhatFollows ? rejection.excerpt?.wantsMore == true : rejection.needsMoreForHint
    }

    /// Returns an error of the document with the hint and the excerpt that the bytes so far show.
    ///
    /// - Parameter showsWhatFollows: Whether the excerpt shows the bytes after the byte at fault.
    package func shown(_ error: JSONModelError, showsWhatFollows: Bool) -> JSONModelError {
        guard let rejection = rejection() else { return error }
        let last = showsWhatFollows ? rejection.error : rejection.shortError
        return JSONModelError(issues: error.issues.dropLast() + last.issues)
    }

    /// The source and the sink of a document.
    private final class Parse<Source: TokenSource & ~Copyable, Sink: DocumentSink & ~Copyable> {
        // Accesses are not checked for exclusivity: one thread at a time uses a document.
        @exclusivity(unchecked) var source: Source
        @exclusivity(unchecked) var sink: Sink
        /// The snapshots that may read this document until the next chunk.
        @exclusivity(unchecked) private var snapshots: (value: ValueSnapshot?, envelope: ValueSnapshot?) = (
            nil, nil
        )
        /// A snapshot that is no longer in use.
        @exclusivity(unchecked) private var unusedSnapshot: ValueSnapshot?
        /// The options of snapshots, after the first one.
        @exclusivity(unchecked) private var options: DecodingOptions.Shared?
        /// Reads the value; nil before the first snapshot.
        @exclusivity(unchecked) private var reader: SnapshotReader?
        /// Held while a snapshot reads the document. Made before the first snapshot.
        fileprivate lazy var lock = SnapshotLock()
        /// Makes the readers of the value and of the envelope.
        @exclusivity(unchecked) fileprivate var makeReader: ((_ ofEnvelope: Bool) -> SnapshotReader)?
        /// Follows the value; nil before the first look at an open value.
        @exclusivity(unchecked) private var liveValue: LiveValue?
        /// The value at its last look since the last chunk; nil without a look, or if the value cannot be followed.
        @exclusivity(unchecked) private var look: LiveCopy?
        @exclusivity(unchecked) private var hasLooked = false

        init(_ source: consuming Source, _ sink: consuming Sink) {
            self.source = source
            self.sink = sink
        }

        deinit { settle() }

        /// The issue of a document that ends here. The caller has the lock, or changes the document.
        var end: JSONIssue { source.locatedBehindOpenToken(sink.issue(.unexpectedEnd)) }

        // MARK: Snapshots

        func snapshot(_ options: DecodingOptions.Shared) -> ValueSnapshot {
            if let snapshot = snapshots.value { return snapshot }
            if self.options == nil { self.options = options }
            if unusedSnapshot == nil {
                if reader == nil { reader = makeReader!(false) }
                unusedSnapshot = ValueSnapshot(reader!)
            }
            swap(&snapshots.value, &unusedSnapshot)
            return snapshots.value!
        }

        func envelopeSnapshot(_ options: DecodingOptions.Shared) -> ValueSnapshot? {
            guard Sink.hasEnvelope else { return nil }
            if self.options == nil { self.options = options }
            let snapshot = snapshots.envelope ?? ValueSnapshot(makeReader!(true))
            snapshots.envelope = snapshot
            return snapshot
        }

        /// Ends the access of snapshots, before the document changes. A snapshot that is still in use copies what is read.
        @inline(__always)
        func settle() { if snapshots.value != nil || snapshots.envelope != nil { settleSnapshots() } }

        @inline(never)
        private func settleSnapshots() {
            if isKnownUniquelyReferenced(&snapshots.value) {
                // Another thread may have looked at the value.
                snapshots.value!.restart()
                swap(&snapshots.value, &unusedSnapshot)
            } else if let snapshot = snapshots.value.take() {
                snapshot.settle()
            }
            if isKnownUniquelyReferenced(&snapshots.envelope) {
                snapshots.envelope!.restart()
                snapshots.envelope = nil
            } else if let snapshot = snapshots.envelope.take() {
                snapshot.settle()
            }
            look = nil
            hasLooked = false
        }

        /// Releases the values that follow the value, which is complete.
        func releaseLook() { liveValue = nil }

        func overview(ofEnvelope: Bool) -> SnapshotOverview {
            sink.read(envelope: ofEnvelope, source.openToken) { $0.overview($1) }
        }

        func openText(ofEnvelope: Bool) -> String? {
            let isText = sink.read(envelope: ofEnvelope, source.openToken) { $0.isReadingText($1) }
            if !isText { return nil }
            if !ofEnvelope, let look { return look.openText }
            if !ofEnvelope, let liveValue { return liveValue.text { source.readOpenText(&$0) } }
            var text = OpenText()
            source.readOpenText(&text)
            return text.text
        }

        /// Returns the value as far as it is read; nil if the value cannot be followed.
        private func lookAtValue() -> LiveCopy? {
            if hasLooked { return look }
            hasLooked = true
            guard let options else { return nil }
            look = sink.read(envelope: false, source.openToken) { driver, token in
                if liveValue == nil { liveValue = LiveValue(following: driver, options) }
                return liveValue?.look(
                    driver, token, readText: { self.source.readOpenText(&$0) }, end: { self.end })
            }
            return look
        }

        /// Returns what has changed in the value since the last call.
        func changes() -> [JSONChange] {
            guard let options else { return [] }
            return sink.read(envelope: false, source.openToken) { driver, token in
                if liveValue == nil { liveValue = LiveValue(following: driver, options) }
                guard let liveValue else { return LiveValue.replacement(driver, token) }
                return liveValue.changes(driver, token, readText: { self.source.readOpenText(&$0) })
            }
        }

        func value(ofEnvelope: Bool) -> UnsafeRawPointer? {
            ofEnvelope ? nil : lookAtValue().map { UnsafeRawPointer($0.memory) }
        }

        func address(ofPropertyAt offset: Int, size: Int, ofEnvelope: Bool) -> UnsafeRawPointer? {
            sink.read(envelope: ofEnvelope, source.openToken) { $0.address(ofPropertyAt: offset, size: size, $1) }
        }

        func copy(ofEnvelope: Bool) -> SnapshotCopy {
            guard let options else { preconditionFailure("no snapshot was made") }
            if !ofEnvelope, let look = lookAtValue() { return SnapshotCopy(of: look, overview(ofEnvelope: false)) }
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
        let reference = Unmanaged.passUnretained(parse)
        parse.makeReader = { isOfEnvelope in
            SnapshotReader(
                reference._withUnsafeGuaranteedRef { $0.lock },
                overview: { reference._withUnsafeGuaranteedRef { $0.overview(ofEnvelope: isOfEnvelope) } },
                openText: { reference._withUnsafeGuaranteedRef { $0.openText(ofEnvelope: isOfEnvelope) } },
                propertyAddress: { offset, size in
                    reference._withUnsafeGuaranteedRef {
                        $0.address(ofPropertyAt: offset, size: size, ofEnvelope: isOfEnvelope)
                    }
                },
                value: { reference._withUnsafeGuaranteedRef { $0.value(ofEnvelope: isOfEnvelope) } },
                copy: { reference._withUnsafeGuaranteedRef { $0.copy(ofEnvelope: isOfEnvelope) } },
                changes: { reference._withUnsafeGuaranteedRef { $0.changes() } })
        }
        feed = { chunk throws(JSONModelError) in
            parse.settle()
            try parse.source.feedPart(chunk, to: &parse.sink)
            return parse.source.isStopped || parse.sink.hasResult
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
            parse.sink.change(envelope: false, $0)
        }
        position = { LineCount(before: parse.lock { parse.end.location }) }
        isBetweenElements = { parse.source.isAfterValue && parse.sink.isBetweenElements }
        skip = { bytes, lines, elements in
            parse.settle()
            parse.source.skip(bytes, lines)
            parse.sink.change(envelope: false) { $0.skipElements(elements) }
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
            parse.releaseLook()
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
        case .yajl: return OpenDocument(try YajlSource(for: AnySink.self, limits: limits, after: origin), sink)
        #endif
        case .scanner: return OpenDocument(ScannerSource(limits: limits, after: origin), sink)
        }
    }

    private func open(_ driver: consuming Driver, after origin: LineCount) throws(JSONModelError) -> OpenDocument {
        switch source {
        #if YAJL
        case .yajl: return OpenDocument(try YajlSource(for: Driver.self, limits: limits, after: origin), driver)
        #endif
        case .scanner: return OpenDocument(ScannerSource(limits: limits, after: origin), driver)
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
        endEnvelope: (_ isComplete: Bool, _ partial: ValueSnapshot?) -> Void
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
                        ValueSnapshot($0.snapshot($1, text: nil, end: end, options: partialOptions))
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
