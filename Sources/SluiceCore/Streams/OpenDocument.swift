/// A document that is read chunk by chunk.
///
/// Each source has its own class, because the methods of a generic class are not specialized.
class OpenDocument {
    /// The length of the open token.
    var openLength: Int { fatalError("abstract") }
    /// Whether the driver needs no more of the document.
    var isStopped: Bool { fatalError("abstract") }
    func feed(_ chunk: UnsafeBufferPointer<UInt8>) throws(JSONModelError) { fatalError("abstract") }
    /// Ends the document.
    func finish(missing: JSONPath?) throws(JSONModelError) -> ParseOutcome { fatalError("abstract") }
    /// Returns the value, or the open element, as far as it is read.
    ///
    /// - Parameter options: The options of a driver for a partial value.
    func snapshot(_ options: DecodingOptions.Shared) -> ValueSnapshot { fatalError("abstract") }
    /// Calls a closure that changes the driver between chunks.
    func withDriver(_ body: (inout Driver) -> Void) { fatalError("abstract") }
    /// Whether the value is complete.
    var hasResult: Bool { fatalError("abstract") }
    /// Hands the value to the caller before the end of the document, if the value is complete. Returns whether it is.
    func takeResult() -> Bool { fatalError("abstract") }
    /// Returns the envelope as far as it is read; nil without an envelope.
    func envelopeSnapshot(_ options: DecodingOptions.Shared) -> ValueSnapshot? { nil }
    /// Hands the envelope to the caller, if it is complete. Returns whether it is.
    func takeEnvelope() -> Bool { false }
}

/// A document that the scanner reads.
private final class ScannerDocument: OpenDocument {
    private var source: ScannerSource
    private var driver: Driver

    init(_ source: consuming ScannerSource, _ driver: consuming Driver) {
        self.source = source
        self.driver = driver
    }

    override var openLength: Int { source.openLength }

    override var isStopped: Bool { source.isStopped }

    override func feed(_ chunk: UnsafeBufferPointer<UInt8>) throws(JSONModelError) {
        try source.feedPart(chunk, to: &driver)
    }

    override func finish(missing: JSONPath?) throws(JSONModelError) -> ParseOutcome {
        try source.finishParts(&driver, missing: missing)
    }

    override func snapshot(_ options: DecodingOptions.Shared) -> ValueSnapshot {
        let end = source.locatedBehindOpenToken(driver.issue(.unexpectedEnd))
        return driver.snapshot(source.openToken, end: end, options: options)
    }

    override func withDriver(_ body: (inout Driver) -> Void) { body(&driver) }

    override var hasResult: Bool { driver.hasResult }

    override func takeResult() -> Bool { driver.takeResult() }
}

#if YAJL
/// A document that yajl reads.
private final class YajlDocument: OpenDocument {
    private var source: YajlSource
    private var driver: Driver

    init(_ source: consuming YajlSource, _ driver: consuming Driver) {
        self.source = source
        self.driver = driver
    }

    override var openLength: Int { source.openLength }

    override var isStopped: Bool { source.isStopped }

    override func feed(_ chunk: UnsafeBufferPointer<UInt8>) throws(JSONModelError) {
        try source.feedPart(chunk, to: &driver)
    }

    override func finish(missing: JSONPath?) throws(JSONModelError) -> ParseOutcome {
        try source.finishParts(&driver, missing: missing)
    }

    override func snapshot(_ options: DecodingOptions.Shared) -> ValueSnapshot {
        let end = source.locatedAtEnd(driver.issue(.unexpectedEnd))
        return driver.snapshot(source.openToken, end: end, options: options)
    }

    override func withDriver(_ body: (inout Driver) -> Void) { body(&driver) }

    override var hasResult: Bool { driver.hasResult }

    override func takeResult() -> Bool { driver.takeResult() }
}
#endif

extension JSONModelDecoder {
    /// Begins a document.
    ///
    /// - Parameter origin: The lines of the input before the document.
    func open(_ driver: consuming Driver, after origin: LineCount) throws(JSONModelError) -> OpenDocument {
        switch source {
        #if YAJL
        case .yajl: return YajlDocument(try YajlSource(for: Driver.self, limits: limits, after: origin), driver)
        #endif
        case .scanner: return ScannerDocument(ScannerSource(limits: limits, after: origin), driver)
        }
    }

    /// Begins a document whose elements have an envelope.
    func open(_ sink: consuming EnvelopeSink) throws(JSONModelError) -> OpenDocument {
        switch source {
        #if YAJL
        case .yajl: return YajlEnvelopeDocument(try YajlSource(for: EnvelopeSink.self, limits: limits), sink)
        #endif
        case .scanner: return ScannerEnvelopeDocument(ScannerSource(limits: limits), sink)
        }
    }

    /// Reads a document that is in one chunk.
    ///
    /// - Parameter padding: The number of readable bytes after the document, the first of which is a line feed; or 0.
    func read(
        _ driver: consuming Driver, _ bytes: UnsafeBufferPointer<UInt8>, padding: Int, after origin: LineCount,
        missing: JSONPath?
    ) throws(JSONModelError) -> ParseOutcome {
        switch source {
        #if YAJL
        case .yajl:
            var tokens = try YajlSource(for: Driver.self, limits: limits, after: origin)
            do { try tokens.run(bytes, to: &driver) } catch { throw tokens.complete(error, driver) }
            return try tokens.outcome(&driver, missing: missing)
        #endif
        case .scanner:
            var tokens = ScannerSource(limits: limits, after: origin)
            do { try tokens.run(bytes, padding: padding, to: &driver) } catch {
                throw tokens.complete(error, driver)
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
        do { try feed(chunk, to: &sink) } catch { throw complete(error, sink) }
    }

    mutating func finishParts(
        _ sink: inout some ResultSink & ~Copyable, missing: JSONPath?
    ) throws(JSONModelError) -> ParseOutcome {
        do { try finish(&sink) } catch { throw complete(error, sink) }
        return try outcome(&sink, missing: missing)
    }

    @inline(__always)
    fileprivate mutating func outcome(
        _ sink: inout some ResultSink & ~Copyable, missing: JSONPath?
    ) throws(JSONModelError) -> ParseOutcome {
        try sink.outcome(missing: missing, isPartial: false) { locatedAtEnd($0) }
    }

    /// Returns an error with the issues that were collected before.
    fileprivate func complete(
        _ error: JSONModelError, _ sink: borrowing some ResultSink & ~Copyable
    ) -> JSONModelError {
        JSONModelError(issues: sink.collectedIssues + (rejection?.shortError ?? error).issues)
    }
}
