/// Decodes the elements of an input that arrives in chunks.
///
/// Elements are passed to a closure as soon as their last token is read, or in framings other than a document, as soon as their
/// value ends. The elements and errors do not depend on the chunks.
@usableFromInline
final class ElementStream {
    /// Takes an element out of its memory. Returns whether to continue.
    @usableFromInline
    typealias Receiver = (UnsafeMutableRawPointer) throws -> Bool

    let decoder: JSONModelDecoder
    let layout: LayoutReference
    /// The path in each value; nil if each value is an element.
    var root: RootPath?
    /// Whether each value has any number of elements.
    var selectsSeveral: Bool
    /// The first bytes of a document that is an element unless it is an array; nil when this has been decided.
    var firstBytes: [UInt8]?
    /// The memory of the next element.
    var target: UnsafeMutableRawPointer
    var receive: Receiver
    let framing: JSONFraming
    /// The path of the elements in each value; nil for the default.
    let path: JSONPath?
    var splitter: (any ValueSplitter)?
    /// Decodes the text on other threads; nil if the stream decodes all text.
    var distributor: (any TextDistributor)?
    /// Sets the position of an element, and finds the position; nil for elements without a position.
    let positions: ElementPositions?
    /// The number of elements before the checkpoint from which the stream continues.
    var firstIndex = 0
    /// The number of elements before the checkpoint that are read again.
    var leadingElements = 0
    /// The text before the checkpoint of a compressed file, while it is skipped.
    var skippedText: SkippedText?
    /// The number of bytes of a byte order mark at the start of the text so far, which were withheld; nil after the start of the text,
    /// and in a document, whose source skips the mark.
    var matchedMark: Int?
    /// The value that is being read.
    var document: OpenDocument?
    /// Whether the rest of the current value is ignored, because the value failed.
    var isIgnoring = false
    var isStopped = false
    var summary = JSONStreamSummary()
    /// The number of bytes that were pushed.
    var byteCount = 0
    /// The length of the input, if known.
    var length: Int?
    /// The text of the input, which may be compressed.
    let decompression: Decompression
    /// Whether each value must have an element, or a value at the path.
    let needsElements: Bool
    /// The path of the last failed element in the current value.
    var failedPath: ArraySlice<JSONPath.Component>?
    let envelope: StreamEnvelope?
    /// The options of snapshots.
    lazy var partialOptions = decoder.partialOptions
    /// The last element of a stream whose document is the only element.
    var lastElement: ValueSnapshot?

    /// - Parameters:
    ///   - path: The path of the elements in each value, or nil for the default: the elements of an array that is the document,
    ///     or in other framings, each value.
    ///   - target: Memory for one element.
    ///   - needsElements: Whether elements are made. False to check values.
    ///   - takesDocument: Whether a document that is not an array is the only element, if `path` is nil.
    ///   - envelope: The envelope to read, or nil.
    @usableFromInline
    init(
        _ decoder: JSONModelDecoder, _ shape: Unmanaged<JSONShape>, at path: JSONPath?, framing: JSONFraming,
        target: UnsafeMutableRawPointer, needsElements: Bool = true, takesDocument: Bool = false,
        envelope: EnvelopeState? = nil, receive: @escaping Receiver
    ) throws(JSONModelError) {
        var decoder = decoder
        if decoder.options.elementErrors == .skip { decoder.options.collectedLimit = .max }
        self.decoder = decoder
        decompression = Decompression(decoder.limits)
        self.target = target
        self.receive = receive
        self.needsElements = needsElements
        layout = try decoder.planCache.layout(for: shape)
        self.framing = framing
        self.path = path
        splitter = framing.splitter()
        matchedMark = splitter == nil ? nil : 0
        positions = ElementPositions(layout)
        firstBytes = takesDocument && path == nil && splitter == nil ? [] : nil
        self.envelope = try envelope.map { state throws(JSONModelError) in try StreamEnvelope(state, decoder) }
        selectsSeveral = splitter == nil || path?.selectsSeveral == true
        let path = path ?? (splitter == nil ? "[*]" : JSONPath())
        root =
            selectsSeveral || !path.components.isEmpty
            ? try RootPath(path, to: layout, streams: selectsSeveral) : nil
        envelope?.begin(self)
    }

    deinit {
        if needsElements { decoder.options.summaryHandler?(summary) }
        closeDocument()
        // The driver of an open value refers to the tables of the path and to the plans of the decoder.
        document = nil
    }

    /// The length of the open token.
    var openLength: Int { document?.openLength ?? 0 }

    var skipsElements: Bool { decoder.options.elementErrors == .skip }

    /// The position of the next line.
    var linePosition: LineCount { (splitter as? LineSplitter)?.position ?? LineCount() }

    /// The path of the element, or of the first step to the elements.
    var missing: JSONPath { root?.path ?? JSONPath() }

    /// The path at which each value must have a value; nil if none is required.
    var requiredPath: JSONPath? { needsElements ? missing : root?.path }

    // MARK: The input

    /// Consumes the next text of the input, whose memory may then become invalid.
    func push(_ chunk: UnsafeBufferPointer<UInt8>) throws(JSONModelError) {
        var chunk = chunk
        if matchedMark != nil {
            try removeMark(from: &chunk)
            if matchedMark != nil { return }
        }
        try decodeOrDistribute(chunk)
    }

    private func decodeOrDistribute(_ chunk: UnsafeBufferPointer<UInt8>) throws(JSONModelError) {
        guard let distributor else { return try decode(chunk) }
        try distributor.push(chunk)
    }

    /// Removes the bytes of a byte order mark from the front of the text. Withholds the first bytes of a mark.
    private func removeMark(from chunk: inout UnsafeBufferPointer<UInt8>) throws(JSONModelError) {
        while let matched = matchedMark, let byte = chunk.first {
            guard byte == Encoding.byteOrderMark[matched] else { return try releaseMark() }
            chunk = UnsafeBufferPointer(rebasing: chunk.dropFirst())
            matchedMark = matched + 1
            guard matched + 1 == Encoding.byteOrderMark.count else { continue }
            matchedMark = nil
            byteCount += matched + 1
            splitter = framing.splitter(at: LineCount(offset: matched + 1, lineStart: matched + 1))
            Encoding.byteOrderMark.withUnsafeBufferPointer { positions?.sample.add($0) }
        }
    }

    /// Decodes withheld bytes, which are not a byte order mark.
    private func releaseMark() throws(JSONModelError) {
        guard let matched = matchedMark else { return }
        matchedMark = nil
        if matched == 0 { return }
        try Encoding.byteOrderMark.withUnsafeBufferPointer { mark throws(JSONModelError) in
            try decodeOrDistribute(UnsafeBufferPointer(rebasing: mark.prefix(matched)))
        }
    }

    /// Continues at a position that is not the start of the text.
    func begin(at position: LineCount) {
        splitter = framing.splitter(at: position)
        matchedMark = nil
    }

    /// Decodes the next text of the input.
    func decode(_ chunk: UnsafeBufferPointer<UInt8>) throws(JSONModelError) {
        var rest = chunk
        byteCount += chunk.count
        positions?.sample.begin(chunk)
        defer {
            positions?.sample.end()
            reportProgress()
        }
        while !isStopped, !rest.isEmpty {
            guard splitter != nil else { return try feedDocument(rest) }
            guard let piece = splitter?.next(in: &rest) else { return }
            try take(piece, before: rest)
        }
    }

    /// Counts the next text of the input, which holds whole lines whose elements were passed on.
    func advance(to end: LineCount, over count: Int) {
        byteCount += count
        splitter = framing.splitter(at: end)
        reportProgress()
    }

    func reportProgress() {
        decoder.progressHandler?(
            JSONProgress(
                bytes: decompression.compressedCount ?? byteCount, totalBytes: length,
                elements: firstIndex + summary.elements))
    }

    /// Ends the input.
    func finish() throws(JSONModelError) {
        if isStopped { return }
        try releaseMark()
        try distributor?.flush()
        if isStopped { return }
        let before = summary.elements
        defer {
            isStopped = true
            if summary.elements > before { reportProgress() }
        }
        guard splitter != nil else {
            if let first = firstBytes {
                firstBytes = nil
                try first.withUnsafeBufferPointer { bytes throws(JSONModelError) in try feedDocument(bytes) }
            }
            return try finishValue(after: LineCount())
        }
        if let piece = splitter?.finish() { try take(piece, before: .init(start: nil, count: 0)) }
    }

    /// Consumes the whole input, or as much as is needed.
    func read(_ content: JSONInputContent) throws(JSONModelError) {
        switch content.form {
        case .tree(let tree): return try run(tree)
        case .text(.memory(let bytes)):
            length = bytes.count
            try take(bytes)
        case .text(.file(let path)): try read(FileReader(path))
        case .text(.rest(let path, let checkpoint)):
            let file = try FileReader(path, at: checkpoint.offset)
            try resume(at: checkpoint, in: file)
            try read(file)
        case .text(.reader(let reader)): try read(reader)
        case .text(.chunks(let chunks)):
            while !isStopped, let chunk = chunks.next() {
                try chunk.withUnsafeBufferPointer { bytes throws(JSONModelError) in try take(bytes) }
            }
        }
        try end()
    }

    func read(_ file: FileReader) throws(JSONModelError) {
        length = file.length
        while !isStopped {
            let window: UnsafeBufferPointer<UInt8>?
            do { window = try file.nextWindow(openLength: openLength) } catch { return try interrupt(by: error) }
            guard let window else { return }
            try take(window)
            if file.mayWait { try distributor?.flush() }
        }
    }

    /// Decodes the elements of a value in memory, which is the whole input.
    func run(_ tree: any TreeContent) throws(JSONModelError) {
        defer { isStopped = true }
        let outcome: ParseOutcome
        do throws(JSONModelError) {
            if let envelope {
                var sink = envelope.sink(driver())
                outcome = try tree.run(to: &sink, decoder, missing: requiredPath)
                envelope.end(sink.takeEnvelope())
            } else {
                var driver = driver()
                outcome = try tree.run(to: &driver, decoder, missing: requiredPath)
            }
        } catch {
            return try fail(error)
        }
        try complete(outcome, after: LineCount())
    }

    // MARK: Values

    /// - Parameter rest: The bytes after the piece.
    func take(_ piece: ValuePiece, before rest: UnsafeBufferPointer<UInt8>) throws(JSONModelError) {
        let origin = splitter?.start ?? LineCount()
        positions?.advance(over: piece, from: origin)
        switch piece {
        case .part(let bytes, let isLast):
            if isLast, document == nil, !isIgnoring {
                let padding = rest.first == UInt8(ascii: "\n") ? rest.count : 0
                return try read(bytes, padding: padding, after: origin)
            }
            try feed(bytes, after: origin)
            if isLast { try finishValue(after: origin) }
        case .text(let bytes, let isLast):
            try bytes.withUnsafeBufferPointer { bytes throws(JSONModelError) in try feed(bytes, after: origin) }
            if isLast { try finishValue(after: origin) }
        case .stray:
            try fail(located(.syntax("expected a record separator"), at: origin))
        case .cut:
            if document != nil { try fail(located(.unexpectedEnd, at: origin)) }
            isIgnoring = false
        }
    }

    /// Reads a value that is in one chunk.
    func read(
        _ bytes: UnsafeBufferPointer<UInt8>, padding: Int, after origin: LineCount
    ) throws(JSONModelError) {
        let outcome: ParseOutcome
        do {
            outcome = try decoder.read(
                driver(), bytes, padding: padding, after: origin, missing: requiredPath)
        } catch { return try fail(error) }
        try complete(outcome, after: origin)
    }

    func feed(_ bytes: UnsafeBufferPointer<UInt8>, after origin: LineCount) throws(JSONModelError) {
        if isIgnoring { return }
        do throws(JSONModelError) {
            try openDocument(after: origin).feed(bytes)
        } catch {
            isIgnoring = true
            try fail(error)
        }
    }

    func finishValue(after origin: LineCount) throws(JSONModelError) {
        defer { isIgnoring = false }
        if isIgnoring || isStopped { return }
        let outcome: ParseOutcome
        do throws(JSONModelError) {
            let isTaken = lastElement != nil
            outcome = try openDocument(after: origin).finish(missing: isTaken ? nil : requiredPath)
        } catch { return try fail(error) }
        closeDocument()
        try complete(outcome, after: origin)
    }

    /// Returns the current document, which is begun if necessary.
    func openDocument(after origin: LineCount) throws(JSONModelError) -> OpenDocument {
        if let document { return document }
        let made =
            if let envelope {
                try decoder.open(envelope.sink(driver()))
            } else {
                try decoder.open(driver(), after: origin)
            }
        document = made
        return made
    }

    func closeDocument() {
        if let document, let envelope {
            let isComplete = document.takeEnvelope()
            envelope.end(isComplete, otherwise: isComplete ? nil : document.envelopeSnapshot(partialOptions))
        }
        document = nil
    }

    // MARK: Snapshots

    /// Returns the open element as far as it is read; nil if no element is open.
    func snapshot() -> ValueSnapshot? { lastElement ?? document?.snapshot(partialOptions) }

    /// Returns the envelope as far as it is read.
    func envelopeSnapshot() -> ValueSnapshot? { document?.envelopeSnapshot(partialOptions) }

    /// Makes the driver of the next value.
    func driver() -> Driver {
        failedPath = nil
        var driver = Driver(
            slot: ValueSlot(address: target, layout: layout), table: root?.table,
            options: .passUnretained(decoder.sharedOptions),
            emit: selectsSeveral ? { [unowned self] element in try pass(element) } : nil)
        guard selectsSeveral else { return driver }
        driver.locator = positions?.locator
        if skipsElements {
            driver.elements.skipFailed { [unowned self] issue in report(issue) }
        }
        return driver
    }
}
