/// A document that is read chunk by chunk.
///
/// Each source has its own class, because the methods of a generic class are not specialized.
class OpenDocument {
    /// The length of the open token.
    var openLength: Int { fatalError("abstract") }
    func feed(_ chunk: UnsafeBufferPointer<UInt8>) throws(JSONModelError) { fatalError("abstract") }
    /// Ends the document.
    func finish(missing: JSONPath?) throws(JSONModelError) -> ParseOutcome { fatalError("abstract") }
}

/// A document that the scanner reads.
private final class ScannerDocument: OpenDocument {
    private var source: ScannerSource<Driver>

    init(_ source: consuming ScannerSource<Driver>) { self.source = source }

    override var openLength: Int { source.openLength }

    override func feed(_ chunk: UnsafeBufferPointer<UInt8>) throws(JSONModelError) { try source.feedPart(chunk) }

    override func finish(missing: JSONPath?) throws(JSONModelError) -> ParseOutcome {
        try source.finishParts(missing: missing)
    }
}

#if YAJL
/// A document that yajl reads.
private final class YajlDocument: OpenDocument {
    private var source: YajlSource<Driver>

    init(_ source: consuming YajlSource<Driver>) { self.source = source }

    override var openLength: Int { source.openLength }

    override func feed(_ chunk: UnsafeBufferPointer<UInt8>) throws(JSONModelError) { try source.feedPart(chunk) }

    override func finish(missing: JSONPath?) throws(JSONModelError) -> ParseOutcome {
        try source.finishParts(missing: missing)
    }
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

    fileprivate mutating func feedPart(_ chunk: UnsafeBufferPointer<UInt8>) throws(JSONModelError) {
        do { try feed(chunk) } catch { throw complete(error) }
    }

    fileprivate mutating func finishParts(missing: JSONPath?) throws(JSONModelError) -> ParseOutcome {
        do { try finish() } catch { throw complete(error) }
        return try outcome(missing: missing, isPartial: false)
    }

    /// Returns an error with the issues that were collected before.
    private func complete(_ error: JSONModelError) -> JSONModelError {
        JSONModelError(issues: collectedIssues + (refusal?.shortError ?? error).issues)
    }
}
