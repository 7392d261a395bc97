/// A document that the scanner reads, whose elements have an envelope.
final class ScannerEnvelopeDocument: OpenDocument {
    private var source: ScannerSource
    private var sink: EnvelopeSink

    init(_ source: consuming ScannerSource, _ sink: consuming EnvelopeSink) {
        self.source = source
        self.sink = sink
    }

    override var openLength: Int { source.openLength }

    override var isStopped: Bool { source.isStopped }

    override func feed(_ chunk: UnsafeBufferPointer<UInt8>) throws(JSONModelError) {
        try source.feedPart(chunk, to: &sink)
    }

    override func finish(missing: JSONPath?) throws(JSONModelError) -> ParseOutcome {
        try source.finishParts(&sink, missing: missing)
    }

    override func snapshot(_ options: DecodingOptions.Shared) -> ValueSnapshot {
        let end = source.locatedBehindOpenToken(sink.issue(.unexpectedEnd))
        return sink.elementSnapshot(source.openToken, end: end, options: options)
    }

    override func envelopeSnapshot(_ options: DecodingOptions.Shared) -> ValueSnapshot? {
        let end = source.locatedBehindOpenToken(sink.issue(.unexpectedEnd))
        return sink.envelopeSnapshot(source.openToken, end: end, options: options)
    }

    override func takeEnvelope() -> Bool { sink.takeEnvelope() }
}

#if YAJL
/// A document that yajl reads, whose elements have an envelope.
final class YajlEnvelopeDocument: OpenDocument {
    private var source: YajlSource
    private var sink: EnvelopeSink

    init(_ source: consuming YajlSource, _ sink: consuming EnvelopeSink) {
        self.source = source
        self.sink = sink
    }

    override var openLength: Int { source.openLength }

    override var isStopped: Bool { source.isStopped }

    override func feed(_ chunk: UnsafeBufferPointer<UInt8>) throws(JSONModelError) {
        try source.feedPart(chunk, to: &sink)
    }

    override func finish(missing: JSONPath?) throws(JSONModelError) -> ParseOutcome {
        try source.finishParts(&sink, missing: missing)
    }

    override func snapshot(_ options: DecodingOptions.Shared) -> ValueSnapshot {
        let end = source.locatedAtEnd(sink.issue(.unexpectedEnd))
        return sink.elementSnapshot(source.openToken, end: end, options: options)
    }

    override func envelopeSnapshot(_ options: DecodingOptions.Shared) -> ValueSnapshot? {
        let end = source.locatedAtEnd(sink.issue(.unexpectedEnd))
        return sink.envelopeSnapshot(source.openToken, end: end, options: options)
    }

    override func takeEnvelope() -> Bool { sink.takeEnvelope() }
}
#endif
