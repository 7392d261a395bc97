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
    private var source: ScannerSource<Driver>

    init(_ source: consuming ScannerSource<Driver>) { self.source = source }

    override var openLength: Int { source.openLength }

    override var isStopped: Bool { source.isStopped }

    override func feed(_ chunk: UnsafeBufferPointer<UInt8>) throws(JSONModelError) { try source.feedPart(chunk) }

    override func finish(missing: JSONPath?) throws(JSONModelError) -> ParseOutcome {
        try source.finishParts(missing: missing)
    }

    override func snapshot(_ options: DecodingOptions.Shared) -> ValueSnapshot {
        let (token, end) = (source.openToken, source.issueAtEnd(.unexpectedEnd))
        return source.withSink { $0.snapshot(token, end: end, options: options) }
    }

    override func withDriver(_ body: (inout Driver) -> Void) { source.withMutableSink(body) }

    override var hasResult: Bool { source.withSink { $0.hasResult } }

    override func takeResult() -> Bool { source.takeResult() }
}

#if YAJL
/// A document that yajl reads.
private final class YajlDocument: OpenDocument {
    private var source: YajlSource<Driver>

    init(_ source: consuming YajlSource<Driver>) { self.source = source }

    override var openLength: Int { source.openLength }

    override var isStopped: Bool { source.isStopped }

    override func feed(_ chunk: UnsafeBufferPointer<UInt8>) throws(JSONModelError) { try source.feedPart(chunk) }

    override func finish(missing: JSONPath?) throws(JSONModelError) -> ParseOutcome {
        try source.finishParts(missing: missing)
    }

    override func snapshot(_ options: DecodingOptions.Shared) -> ValueSnapshot {
        let (token, end) = (source.openToken, source.located(.unexpectedEnd).issues[0])
        return source.withSink { $0.snapshot(token, end: end, options: options) }
    }

    override func withDriver(_ body: (inout Driver) -> Void) { source.withMutableSink(body) }

    override var hasResult: Bool { source.withSink { $0.hasResult } }

    override func takeResult() -> Bool { source.takeResult() }
}
#endif

extension JSONModelDecoder {
    /// Begins a document.
    ///
    /// - Parameter origin: The lines of the input before the document.
    func open(_ driver: consuming Driver, after origin: LineCount) throws(JSONModelError) -> OpenDocument {
        switch source {
        #if YAJL
        case .yajl: return YajlDocument(try YajlSource(driver, limits: limits, after: origin))
        #endif
        case .scanner: return ScannerDocument(ScannerSource(driver, limits: limits, after: origin))
        }
    }

    /// Begins a document whose elements have an envelope.
    func open(_ sink: consuming EnvelopeSink) throws(JSONModelError) -> OpenDocument {
        switch source {
        #if YAJL
        case .yajl: return YajlEnvelopeDocument(try YajlSource(sink, limits: limits))
        #endif
        case .scanner: return ScannerEnvelopeDocument(ScannerSource(sink, limits: limits))
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
            var tokens = try YajlSource(driver, limits: limits, after: origin)
            return try tokens.read(missing: missing) { tokens throws(JSONModelError) in try tokens.run(bytes) }
        #endif
        case .scanner:
            var tokens = ScannerSource(driver, limits: limits, after: origin)
            return try tokens.read(missing: missing) { tokens throws(JSONModelError) in
                try tokens.run(bytes, padding: padding)
            }
        }
    }
}

// The excerpt of an error ends with the byte at fault, because the bytes after it may not have been fed yet.
extension TokenSource where Self: ~Copyable {
    /// Consumes a document that is in one chunk.
    @inline(__always)
    fileprivate mutating func read(
        missing: JSONPath?, _ run: (inout Self) throws(JSONModelError) -> Void
    ) throws(JSONModelError) -> ParseOutcome {
        do { try run(&self) } catch { throw complete(error) }
        return try outcome(missing: missing, isPartial: false)
    }

    mutating func feedPart(_ chunk: UnsafeBufferPointer<UInt8>) throws(JSONModelError) {
        do { try feed(chunk) } catch { throw complete(error) }
    }

    mutating func finishParts(missing: JSONPath?) throws(JSONModelError) -> ParseOutcome {
        do { try finish() } catch { throw complete(error) }
        return try outcome(missing: missing, isPartial: false)
    }

    /// Returns an error with the issues that were collected before.
    private func complete(_ error: JSONModelError) -> JSONModelError {
        JSONModelError(issues: collectedIssues + (rejection?.shortError ?? error).issues)
    }
}
