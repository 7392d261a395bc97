/// A document that the scanner reads, whose elements have an envelope.
final class ScannerEnvelopeDocument: OpenDocument {
    private var source: ScannerSource<EnvelopeSink>

    init(_ source: consuming ScannerSource<EnvelopeSink>) { self.source = source }

    override var openLength: Int { source.openLength }

    override var isStopped: Bool { source.isStopped }

    override func feed(_ chunk: UnsafeBufferPointer<UInt8>) throws(JSONModelError) { try source.feedPart(chunk) }

    override func finish(missing: JSONPath?) throws(JSONModelError) -> ParseOutcome {
        try source.finishParts(missing: missing)
    }

    override func snapshot(_ options: DecodingOptions.Shared) -> ValueSnapshot {
        let (token, end) = (source.openToken, source.issueAtEnd(.unexpectedEnd))
        return source.withSink { $0.elementSnapshot(token, end: end, options: options) }
    }

    override func envelopeSnapshot(_ options: DecodingOptions.Shared) -> ValueSnapshot? {
        let (token, end) = (source.openToken, source.issueAtEnd(.unexpectedEnd))
        return source.withSink { $0.envelopeSnapshot(token, end: end, options: options) }
    }

    override func takeEnvelope() -> Bool { source.withMutableSink { $0.takeEnvelope() } }
}

#if YAJL
/// A document that yajl reads, whose elements have an envelope.
final class YajlEnvelopeDocument: OpenDocument {
    private var source: YajlSource<EnvelopeSink>

    init(_ source: consuming YajlSource<EnvelopeSink>) { self.source = source }

    override var openLength: Int { source.openLength }

    override var isStopped: Bool { source.isStopped }

    override func feed(_ chunk: UnsafeBufferPointer<UInt8>) throws(JSONModelError) { try source.feedPart(chunk) }

    override func finish(missing: JSONPath?) throws(JSONModelError) -> ParseOutcome {
        try source.finishParts(missing: missing)
    }

    override func snapshot(_ options: DecodingOptions.Shared) -> ValueSnapshot {
        let (token, end) = (source.openToken, source.located(.unexpectedEnd).issues[0])
        return source.withSink { $0.elementSnapshot(token, end: end, options: options) }
    }

    override func envelopeSnapshot(_ options: DecodingOptions.Shared) -> ValueSnapshot? {
        let (token, end) = (source.openToken, source.located(.unexpectedEnd).issues[0])
        return source.withSink { $0.envelopeSnapshot(token, end: end, options: options) }
    }

    override func takeEnvelope() -> Bool { source.withMutableSink { $0.takeEnvelope() } }
}
#endif
