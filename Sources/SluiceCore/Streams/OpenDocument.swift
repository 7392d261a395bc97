/// A document that is read chunk by chunk.
///
/// A class for each source, so that the code that feeds chunks is specialized, and called once for each chunk.
class OpenDocument {
    /// Whether the rest of the document need not be fed.
    var isStopped: Bool { fatalError("abstract") }
    /// The length of the open token.
    var openLength: Int { fatalError("abstract") }
    func feed(_ chunk: UnsafeBufferPointer<UInt8>) throws(JSONModelError) { fatalError("abstract") }
    /// Ends the document.
    func finish(missing: JSONPath?) throws(JSONModelError) -> ParseOutcome { fatalError("abstract") }
}

/// A document that a source reads.
private final class SourceDocument<Source: TokenSource & ~Copyable>: OpenDocument {
    private var source: Source

    init(_ source: consuming Source) { self.source = source }

    override var isStopped: Bool { source.isStopped }
    override var openLength: Int { source.openLength }

    override func feed(_ chunk: UnsafeBufferPointer<UInt8>) throws(JSONModelError) {
        do { try source.feed(chunk) } catch { throw complete(error) }
    }

    override func finish(missing: JSONPath?) throws(JSONModelError) -> ParseOutcome {
        do { try source.finish() } catch { throw complete(error) }
        return try source.outcome(missing: missing, isPartial: false)
    }

    /// Returns an error with the issues that were collected before. The excerpt ends with the byte at fault, because the bytes
    /// after it may not have been fed yet.
    private func complete(_ error: JSONModelError) -> JSONModelError {
        JSONModelError(issues: source.collectedIssues + (source.refusal?.shortError ?? error).issues)
    }
}

extension JSONModelDecoder {
    /// Begins a document.
    ///
    /// - Parameter origin: The lines of the input before the document.
    func open(_ driver: consuming Driver, after origin: LineCount) throws(JSONModelError) -> OpenDocument {
        switch source {
        #if YAJL
        case .yajl: return SourceDocument(try YajlSource(driver, limits: limits, after: origin))
        #endif
        case .scanner: return SourceDocument(ScannerSource(driver, limits: limits, after: origin))
        }
    }

    /// Reads a document that is in one chunk.
    func read(
        _ driver: consuming Driver, _ bytes: UnsafeBufferPointer<UInt8>, after origin: LineCount, missing: JSONPath?
    ) throws(JSONModelError) -> ParseOutcome {
        switch source {
        #if YAJL
        case .yajl:
            var tokens = try YajlSource(driver, limits: limits, after: origin)
            return try tokens.read(bytes, missing: missing)
        #endif
        case .scanner:
            var tokens = ScannerSource(driver, limits: limits, after: origin)
            return try tokens.read(bytes, missing: missing)
        }
    }
}

extension TokenSource where Self: ~Copyable {
    /// Consumes a document that is in one chunk. The excerpt of an error ends with the byte at fault.
    fileprivate mutating func read(
        _ bytes: UnsafeBufferPointer<UInt8>, missing: JSONPath?
    ) throws(JSONModelError) -> ParseOutcome {
        do { try run(bytes) } catch {
            throw JSONModelError(issues: collectedIssues + (refusal?.shortError ?? error).issues)
        }
        return try outcome(missing: missing, isPartial: false)
    }
}
