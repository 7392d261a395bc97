import SluiceCore

/// Decodes the elements of an input.
///
/// A stream has three parts: a `TextFramer` divides the text into values, an `ElementDecoder` decodes the values, and an `ElementReporter`
/// passes the elements to a closure. The stream itself reads the text and calls the parts.
///
/// Elements are passed on as soon as their last token is read, or in framings other than a document, as soon as their value ends. The
/// elements and errors do not depend on the chunks and windows of the input.
@usableFromInline
final class ElementStream {
    @usableFromInline
    typealias Receiver = (UnsafeMutableRawPointer) throws -> Bool

    /// The path of the elements in each value.
    let path: JSONPath
    let framer: TextFramer
    let elements: ElementDecoder
    let reporter: ElementReporter
    @exclusivity(unchecked) private(set) var reader: TextReader
    /// Decodes the text on other threads; nil if the stream decodes all text.
    @exclusivity(unchecked) private var distributor: ParallelElements?
    /// The error of reading the input that follows the elements of other threads, for which the stream does not wait.
    @exclusivity(unchecked) private var interruption: JSONModelError?
    /// Whether the only element is the value at the path of a document.
    let isValue: Bool
    /// Receives the summary at the end of the stream.
    private let summaryHandler: (@Sendable (JSONStreamSummary) -> Void)?

    /// - Parameters:
    ///   - path: The path of the elements in each value. In a document, a path without wildcards is that of an array of elements.
    ///   - extent: The part of the text that is decoded. The whole text, unless the framing is a document or consecutive values.
    ///   - target: Memory for one element.
    ///   - needsElements: Whether elements are made. False to check values.
    ///   - takesDocument: Whether a document that is not an array is the only element, if `path` is empty.
    ///   - isValue: Whether the value at the path of a document is the only element.
    ///   - envelope: The envelope to read, or nil.
    ///   - lendsElements: Whether the receiver leaves an element in its memory.
    ///   - keepsReports: Whether issues, numbers and progress are kept until `passReports`.
    ///   - cancellation: Ends the stream after the current element, when set by any thread. Nil if no task takes the elements.
    @usableFromInline
    init(
        _ decoder: JSONModelDecoder, _ shape: Unmanaged<JSONShape>, at path: JSONPath, framing: JSONFraming,
        extent: TextExtent = .whole, target: UnsafeMutableRawPointer, needsElements: Bool = true,
        takesDocument: Bool = false, isValue: Bool = false, envelope: EnvelopeState? = nil,
        lendsElements: Bool = false,
        keepsReports: Bool = false, cancellation: SharedFlag? = nil, receive: @escaping Receiver
    ) throws(JSONModelError) {
        if ThreadStack.isUsedUp { throw .stackUsedUp(decoder.limits) }
        if envelope != nil, framing != .document {
            throw JSONModelError(.invalidPath("only a document has an envelope: use the framing .document"))
        }
        var decoder = decoder
        if decoder.elementErrors == .skip { decoder.errorPolicy = .collect(limit: .max) }
        let layout = try decoder.planCache.layout(for: shape)
        (self.path, self.isValue) = (path, isValue)
        summaryHandler = needsElements ? decoder.options.summaryHandler : nil
        reader = TextReader(decoder.limits)
        let mayBeElement =
            takesDocument && !isValue && path.components.isEmpty && framing == .document && envelope == nil
        framer = TextFramer(
            framing, extent, documentStart: mayBeElement ? DocumentStart(limit: decoder.limits.document) : nil)
        reporter = ElementReporter(
            layout, decoder.options, isEnclosed: !framer.isDocument && path.selectsSeveral,
            lendsElements: lendsElements, reports: keepsReports ? ReportQueue() : nil, cancellation,
            receive: receive)
        if let reports = reporter.reports, let handler = decoder.issueHandler {
            decoder.issueHandler = { reports.add($0, or: handler) }
        }
        elements = try ElementDecoder(
            decoder, shape, layout, at: path, isStream: framer.isDocument && !isValue, target: target,
            needsElements: needsElements, envelope: envelope, reporter)
    }

    deinit {
        // The memory of an input in memory is that of the caller.
        distributor?.cancel(waits: reader.isInMemory)
        // A thread that is not waited for keeps the reader.
        reader.close()
        summaryHandler?(reporter.summary(untaken: reporter.untakenCount))
    }

    var decoder: JSONModelDecoder { elements.decoder }

    /// Whether other threads decode text.
    var hasDistributor: Bool { distributor != nil }

    /// Whether all elements of the input, or all before an error, were passed on.
    var isStopped: Bool { reporter.isStopped }

    /// The numbers of elements and the issues so far, if all elements were taken.
    var summary: JSONStreamSummary { reporter.summary(untaken: 0) }

    /// The length of the text; nil if the length is unknown, or that of compressed text.
    var textLength: Int? { reader.compressedCount == nil ? reader.length : nil }

    // MARK: Reading the input

    /// Decodes the elements of a whole input, or as many as are needed.
    func read(_ content: JSONInputContent) throws(JSONModelError) {
        if let tree = content.tree { return try run(tree) }
        if let input = content.text {
            elements.showsWhatFollows = framer.isDocument
            if framer.isDocument, decoder.workers.count == 1, let text = input.memory {
                return try decodeBuffered(text)
            }
            try open(TextReader(input, decoder.limits), input.part)
            distribute()
        }
        while try readNext() {}
        // The issues before the element at which the receiver has stopped the document.
        let issues = reporter.skipsElements ? [] : elements.collectedIssues
        if !issues.isEmpty {
            elements.close()
            throw reporter.stopped(by: JSONModelError(issues: issues))
        }
    }

    /// Begins to read an input. An error ends the stream.
    ///
    /// - Parameter part: The part of a file that is read.
    func open(_ reader: TextReader, _ part: FilePart = .whole) throws(JSONModelError) {
        self.reader = reader
        guard let file = reader.file else { return }
        do throws(JSONModelError) { try begin(part, of: file) } catch {
            reporter.stop()
            throw error
        }
    }

    /// Decodes elements on the number of threads that the decoder states, if an element needs nothing but its text: lines, and the
    /// elements of one array of a document. Called before the first text.
    func distribute() {
        guard decoder.workers.count > 1, framer.extent == .whole else { return }
        if framer.framing.rules.endsWithLineFeed, !elements.selectsSeveral {
            distributor = ParallelElements(self, isLines: true)
        } else if framer.isDocument, elements.hasOneArray {
            distributor = ParallelElements(self, isLines: false)
        }
    }

    /// Passes text to other threads, and elements from them. Afterwards, if the stream has ended, no other thread decodes for a caller that
    /// does not suspend.
    private func withDistributor(
        _ body: (ParallelElements) throws(JSONModelError) -> Void
    ) throws(JSONModelError) {
        guard let distributor else { return }
        defer { if isStopped { distributor.cancel(waits: !distributor.suspends) } }
        try body(distributor)
    }

    /// Passes the elements of all text so far.
    private func flush() throws(JSONModelError) { while try passNext() {} }

    /// Passes the elements of the next text that waits for other threads.
    ///
    /// - Returns: Whether such text was there, and the stream continues.
    private func passNext() throws(JSONModelError) -> Bool {
        guard let distributor, !distributor.isEmpty, !isStopped else { return false }
        try withDistributor { distributor throws(JSONModelError) in try distributor.passNext() }
        return !isStopped
    }

    // MARK: Suspending

    /// Whether the stream suspends a task for other threads, instead of waiting for them.
    var suspends: Bool { distributor?.suspends == true }

    /// Whether elements of other threads have not been passed on, and the stream must not wait for them.
    var isSuspended: Bool { suspends && distributor?.isEmpty == false }

    /// Whether elements of other threads are to be passed on before further text is decoded.
    var isFull: Bool { distributor?.isFull == true }

    /// Whether a stream that suspends cannot continue before elements of other threads were passed on.
    ///
    /// - Parameter isAtEnd: Whether all text so far is to be decoded.
    func mustPass(isAtEnd: Bool) -> Bool { isSuspended && (isFull || isAtEnd || interruption != nil) }

    /// Returns the work of another thread for which `passSuspended` waits, if any.
    func nextWork() -> Completion? { distributor?.nextWork() }

    /// Passes the elements of the next text that other threads decode.
    func passSuspended() throws(JSONModelError) {
        _ = try passNext()
        if distributor?.isEmpty == true, let error = interruption.take() { try interrupt(by: error) }
    }

    /// Ends the stream, and the work of other threads, for a task that is cancelled.
    func cancel() {
        reporter.stop()
        distributor?.cancel(waits: false)
    }

    /// Whether elements may follow without further input.
    var hasMore: Bool { reader.hasMore || reader.readsChunks && distributor?.isEmpty == false }

    /// The numbers of batches whose elements other threads have decoded, and of batches whose elements were not found; nil if the stream
    /// decodes all text alone.
    var distributedBatches: (hits: Int, misses: Int)? { distributor.map { ($0.hits, $0.misses) } }

    /// The minimum length of a chunk of which other threads decode a part; nil if the stream decodes all text alone.
    var minimumDistributedLength: Int? { distributor?.minimumLength }

    /// Decodes the next window of the input, or ends the stream at the end of the input.
    ///
    /// - Parameter limit: The maximum length of the window.
    /// - Returns: Whether the stream continues.
    func readNext(upTo limit: Int = .max) throws(JSONModelError) -> Bool {
        // The elements of the last window may have been passed on since the end of the input.
        let isAtEnd = suspends && reader.isAtEnd
        let hasDecoded = isAtEnd ? false : try decodeNext(upTo: limit)
        if !hasDecoded, reader.isAtEnd, !isSuspended { try finish() }
        return !isStopped
    }

    /// Decodes the next text that the reader has.
    ///
    /// - Returns: Whether text was decoded, and the stream continues.
    func decodeNext(upTo limit: Int = .max) throws(JSONModelError) -> Bool {
        if isStopped { return false }
        let window: UnsafeBufferPointer<UInt8>?
        let minimum = reader.readsChunks ? minimumDistributedLength ?? 0 : 0
        do throws(JSONModelError) {
            if !suspends, distributor?.isEmpty == false, try reader.mustWait(openLength: elements.openLength) {
                // The elements do not wait for the next bytes of a pipe.
                try flush()
                return !isStopped
            }
            window = try reader.next(openLength: elements.openLength, upTo: max(limit, minimum))
        } catch {
            try interrupt(by: error)
            return false
        }
        // The elements of a chunk do not wait for the next chunk.
        guard var text = window else { return reader.readsChunks && !suspends ? try passNext() : false }
        if !reader.hasExcerpts { elements.showsWhatFollows = false }
        if framer.isIgnoring {
            try ignore(&text)
            if framer.isIgnoring || isStopped {
                reportProgress()
                return !isStopped
            }
        }
        try decodeOrDistribute(text)
        return !isStopped
    }

    /// Ends the input.
    func finish() throws(JSONModelError) {
        elements.directDocument = nil
        if isStopped { return }
        let text: UnsafeBufferPointer<UInt8>?
        do { text = try reader.finish() } catch { return try interrupt(by: error) }
        do { try framer.checkIgnored() } catch {
            reporter.stop()
            throw error
        }
        if let text { try decodeOrDistribute(text) }
        try distribute(mark: framer.releaseMark())
        try flush()
        if !isStopped { try finishText() }
    }

    /// Ends the stream with an error of reading the input.
    ///
    /// - Throws: The error with the index of the element that was being read, unless the elements before the error end the stream.
    func interrupt(by error: JSONModelError) throws(JSONModelError) {
        if isSuspended, !isStopped {
            interruption = error
            return
        }
        try flush()
        // The error of the open token precedes the error of reading.
        if !isStopped { do { try elements.checkOpenToken() } catch { try fail(error) } }
        if isStopped { return }
        elements.close()
        throw reporter.stopped(by: error)
    }

    /// Decodes the elements of a value in memory, which is the whole input.
    func run(_ tree: JSONInputContent.Tree) throws(JSONModelError) {
        defer { reporter.stop() }
        if framer.takeDocumentStart() != nil, !tree.isArray(decoder) { elements.makeValue() }
        let outcome: ParseOutcome
        do { outcome = try elements.decode(tree) } catch { return try fail(error) }
        try elements.complete(outcome, after: LineCount())
    }

    // MARK: The text

    private func decodeOrDistribute(_ text: UnsafeBufferPointer<UInt8>) throws(JSONModelError) {
        var text = text
        if framer.awaitsMark {
            let before = framer.byteCount
            let withheld = framer.removeMark(from: &text)
            if framer.byteCount > before {
                Encoding.byteOrderMark.withUnsafeBufferPointer { reporter.positions?.sample.add($0) }
            }
            try distribute(mark: withheld)
            if framer.awaitsMark { return }
        }
        guard distributor != nil else { return try decode(text) }
        let isKept = reader.keepsText
        try withDistributor { distributor throws(JSONModelError) in try distributor.push(text, isKept: isKept) }
    }

    /// Decodes the first bytes of a byte order mark, which are none.
    private func distribute(mark count: Int) throws(JSONModelError) {
        if count == 0 { return }
        try Encoding.byteOrderMark.withUnsafeBufferPointer { mark throws(JSONModelError) in
            try decodeOrDistribute(UnsafeBufferPointer(rebasing: mark.prefix(count)))
        }
    }

    func reportProgress() {
        reporter.reportProgress(reader.compressedCount ?? framer.readCount, of: reader.length)
    }
}
