/// Decodes the elements of an input.
///
/// Elements are passed to a closure as soon as their last token is read, or in framings other than a document, as soon as their
/// value ends. The elements and errors do not depend on the chunks and windows of the input.
@usableFromInline
final class ElementStream {
    /// Receives an element, which is moved out of its memory unless the stream lends its elements. Returns whether to continue.
    @usableFromInline
    typealias Receiver = (UnsafeMutableRawPointer) throws -> Bool

    private(set) var decoder: JSONModelDecoder
    /// The path of the elements in each value.
    let path: JSONPath
    private let framing: JSONFraming
    private let layout: LayoutReference
    /// Whether each value must have an element, or a value at the path.
    private let needsElements: Bool
    private let envelope: StreamEnvelope?
    /// Receives the issues of failed elements.
    private let issueHandler: (@Sendable (JSONIssue) -> Void)?
    /// The options of snapshots.
    private lazy var partialOptions = decoder.partialOptions

    // MARK: The text

    private(set) var reader: TextReader
    /// Divides the text into values; nil if the text is a document.
    @exclusivity(unchecked) private var splitter: (any ValueSplitter)?
    /// Decodes the text on other threads; nil if the stream decodes all text.
    private var distributor: (any TextDistributor)?
    /// The text before the checkpoint of a compressed file, while it is ignored.
    private var ignoredText: TextBeforeCheckpoint?
    /// The number of bytes of a byte order mark at the start of the text so far, which were withheld; nil after the start of the text,
    /// and in a document, whose source skips the mark.
    private var matchedMark: Int?
    /// The number of bytes of text.
    @exclusivity(unchecked) private(set) var byteCount = 0
    /// The range of a file that is read; nil for a whole input.
    private var range: OpenRange?

    private struct OpenRange {
        let file: String
        /// The offsets of the text.
        let bytes: Range<Int>
        /// The part of the file before, if the location of the range is unknown.
        let origin: RangeOrigin?
    }

    // MARK: The current value

    /// The path in each value; nil if each value is an element.
    private var root: RootPath?
    /// Whether each value has any number of elements.
    private var selectsSeveral: Bool
    /// The start of a document that is an element unless it is an array; nil when this has been decided.
    private var documentStart: DocumentStart?
    @exclusivity(unchecked) private var document: OpenDocument?
    /// Decodes values in one chunk; nil before the first, and after one whose source and driver do not serve the next value.
    @exclusivity(unchecked) private var values: ScannedValues?
    /// Whether the rest of the current value is ignored, because the value failed.
    @exclusivity(unchecked) private var isIgnoring = false
    /// The error of the current value, if its hint or its excerpt depends on the next bytes.
    private var openError: JSONModelError?
    /// Whether the bytes after the error of a document are read for its excerpt, which then does not wait for another chunk.
    private var readsAfterErrors = false
    /// The lines before the value of a document that is the only element.
    private var valueStart = LineCount()
    /// The text of a document that is being decoded.
    private var documentText: UnsafeBufferPointer<UInt8>?
    /// The last element of a stream whose document is the only element.
    private var lastElement: ValueSnapshot?

    // MARK: The elements

    /// The shape of the elements.
    let shape: Unmanaged<JSONShape>
    /// The memory of the next element.
    var target: UnsafeMutableRawPointer
    // Constant, so that a call does not retain the closure.
    private let receive: Receiver
    /// Receives the elements instead, if other streams decode them.
    @exclusivity(unchecked) var interceptor: Receiver?
    /// Whether the receiver leaves an element in its memory, and the stream destroys the element.
    let lendsElements: Bool
    /// The positions of the elements; nil for elements without a position.
    private let positions: ElementPositions?
    /// Finds the ends of elements without a position.
    @exclusivity(unchecked) private var elementLocator: ElementLocator?
    /// The number of elements before the checkpoint from which the stream continues.
    @exclusivity(unchecked) private var firstIndex = 0
    /// The number of elements before the checkpoint that are read again.
    @exclusivity(unchecked) private var leadingElements = 0
    /// The path of the last failed element in the current value.
    @exclusivity(unchecked) private var failedPath: ArraySlice<JSONPath.Component>?
    @exclusivity(unchecked) private(set) var summary = JSONStreamSummary()
    /// The number of arrays at the path of the elements, in a document that has ended.
    private(set) var arrayCount = 0
    /// Whether all elements of the input, or all before an error, were passed on.
    @exclusivity(unchecked) private(set) var isStopped = false

    /// - Parameters:
    ///   - path: The path of the elements in each value. In a document, a path without wildcards is that of an array of elements.
    ///   - target: Memory for one element.
    ///   - needsElements: Whether elements are made. False to check values.
    ///   - takesDocument: Whether a document that is not an array is the only element, if `path` is empty.
    ///   - envelope: The envelope to read, or nil.
    ///   - lendsElements: Whether the receiver leaves an element in its memory.
    @usableFromInline
    init(
        _ decoder: JSONModelDecoder, _ shape: Unmanaged<JSONShape>, at path: JSONPath, framing: JSONFraming,
        target: UnsafeMutableRawPointer, needsElements: Bool = true, takesDocument: Bool = false,
        envelope: EnvelopeState? = nil, lendsElements: Bool = false, receive: @escaping Receiver
    ) throws(JSONModelError) {
        if ThreadStack.isUsedUp { throw .stackUsedUp(decoder.limits) }
        if envelope != nil, framing != .document {
            throw JSONModelError(.invalidPath("only a document has an envelope: use the framing .document"))
        }
        var decoder = decoder
        if decoder.options.skipsFailedElements { decoder.options.collectedLimit = .max }
        self.decoder = decoder
        issueHandler = decoder.issueHandler
        reader = TextReader(decoder.limits)
        self.target = target
        self.receive = receive
        self.lendsElements = lendsElements
        self.needsElements = needsElements
        self.shape = shape
        layout = try decoder.planCache.layout(for: shape)
        self.framing = framing
        self.path = path
        splitter = framing.splitter()
        matchedMark = splitter == nil ? nil : 0
        positions = ElementPositions(layout)
        documentStart =
            takesDocument && path.components.isEmpty && splitter == nil
            ? DocumentStart(limit: decoder.limits.document) : nil
        self.envelope = try envelope.map { state throws(JSONModelError) in try StreamEnvelope(state, decoder) }
        selectsSeveral = splitter == nil || path.selectsSeveral
        root =
            selectsSeveral || !path.components.isEmpty
            ? try RootPath(path, to: layout, streams: selectsSeveral) : nil
        if root == nil { try path.checkMembers(layout) }
        envelope?.begin(self)
    }

    deinit {
        // Other threads may read the text of the reader.
        distributor?.cancel()
        if needsElements { decoder.options.summaryHandler?(summary) }
        closeDocument()
        // The driver of an open value refers to the tables of the path and to the plans of the decoder.
        (document, values) = (nil, nil)
    }

    /// Ends the stream without a further element.
    func stop() { isStopped = true }

    /// Whether the elements of a document are those of one array.
    private var hasOneArray: Bool { root?.path.selectsOneArray == true }

    private var skipsElements: Bool { decoder.options.skipsFailedElements }

    /// The path of the element, or of the first step to the elements.
    private var missing: JSONPath { root?.path ?? JSONPath() }

    /// The path at which each value must have a value; nil if none is required.
    private var requiredPath: JSONPath? { needsElements ? missing : root?.path }

    // MARK: Reading the input

    /// Decodes the elements of a whole input, or as many as are needed.
    ///
    /// - Parameter type: The type of the elements, of which several threads may decode lines.
    func read<Element>(
        _ content: JSONInputContent, of type: Element.Type
    ) throws(JSONModelError) {
        switch content.form {
        case .tree(let tree): return try run(tree)
        case .text(let input):
            readsAfterErrors = splitter == nil
            if splitter == nil, decoder.workers.count == 1, let text = input.memory {
                return try decodeBuffered(text)
            }
            try open(TextReader(input, decoder.limits), input.part)
            distribute(elementsOf: type)
        }
        while try readNext() {}
        // The issues before the element at which the receiver has stopped the document.
        if !skipsElements, let issues = document?.collectedIssues(), !issues.isEmpty {
            closeDocument()
            throw located(JSONModelError(issues: issues))
        }
    }

    /// Begins to read an input. An error ends the stream.
    ///
    /// - Parameter part: The part of a file that is read.
    func open(_ reader: TextReader, _ part: FilePart = .whole) throws(JSONModelError) {
        self.reader = reader
        guard let file = reader.file else { return }
        do throws(JSONModelError) {
            switch part {
            case .whole: break
            case .rest(let checkpoint): try resume(at: checkpoint, in: file)
            case .range(let range, let isLocated): try begin(range, isLocated: isLocated, in: file)
            }
        } catch {
            isStopped = true
            throw error
        }
    }

    /// Decodes elements on the number of threads that the decoder states, if an element needs nothing but its text: lines, and the
    /// elements of one array of a document. Called before the first text.
    func distribute<Element>(elementsOf type: Element.Type) {
        guard needsElements, decoder.workers.count > 1 else { return }
        if framing == .lines, !selectsSeveral {
            distributor = ParallelElements(self, of: type, isLines: true)
        } else if framing == .document, hasOneArray {
            distributor = ParallelElements(self, of: type, isLines: false)
        }
    }

    /// Passes text to other threads, and elements from them. Afterwards, if the stream has ended, no other thread decodes.
    private func withDistributor(
        _ body: (any TextDistributor) throws(JSONModelError) -> Void
    ) throws(JSONModelError) {
        guard let distributor else { return }
        defer { if isStopped { distributor.cancel() } }
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

    /// Whether elements may follow without further input.
    var hasMore: Bool { reader.hasMore || reader.readsChunks && distributor?.isEmpty == false }

    /// The numbers of batches whose elements other threads have decoded, and of batches whose elements were not found; nil if the stream
    /// decodes all text alone.
    var distributedBatches: (hits: Int, misses: Int)? { distributor.map { ($0.hits, $0.misses) } }

    /// The least length of a chunk of which other threads decode a part; nil if the stream decodes all text alone.
    var leastDistributedLength: Int? { distributor?.leastLength }

    /// Decodes the next window of the input, or ends the stream at the end of the input.
    ///
    /// - Parameter limit: The greatest length of the window.
    /// - Returns: Whether the stream continues.
    func readNext(upTo limit: Int = .max) throws(JSONModelError) -> Bool {
        if try !decodeNext(upTo: limit), reader.isAtEnd { try finish() }
        return !isStopped
    }

    /// Decodes the next text that the reader has.
    ///
    /// - Returns: Whether text was decoded, and the stream continues.
    func decodeNext(upTo limit: Int = .max) throws(JSONModelError) -> Bool {
        if isStopped { return false }
        let window: UnsafeBufferPointer<UInt8>?
        let least = reader.readsChunks ? leastDistributedLength ?? 0 : 0
        do { window = try reader.next(openLength: openLength, upTo: max(limit, least)) } catch {
            try interrupt(by: error)
            return false
        }
        // The elements of a chunk do not wait for the next chunk.
        guard var text = window else { return reader.readsChunks ? try passNext() : false }
        if ignoredText != nil {
            try ignore(&text)
            if ignoredText != nil {
                reportProgress()
                return true
            }
        }
        try decodeOrDistribute(text)
        if reader.mayWait { try flush() }
        return !isStopped
    }

    /// Ends the input.
    func finish() throws(JSONModelError) {
        if isStopped { return }
        let text: UnsafeBufferPointer<UInt8>?
        do { text = try reader.finish() } catch { return try interrupt(by: error) }
        if let ignoredText {
            isStopped = true
            throw ignoredText.shortError
        }
        if let text { try decodeOrDistribute(text) }
        try finishText()
    }

    /// Ends the stream with an error of reading the input.
    ///
    /// - Throws: The error with the index of the element that was being read, unless the elements before the error end the stream.
    func interrupt(by error: JSONModelError) throws(JSONModelError) {
        try flush()
        try checkOpenToken()
        if isStopped { return }
        closeDocument()
        isStopped = true
        throw located(error)
    }

    /// Fails with the error of the open token, which precedes the error of reading.
    private func checkOpenToken() throws(JSONModelError) {
        try failWithOpenError()
        guard let document, !isStopped, !isIgnoring else { return }
        do throws(JSONModelError) { try document.checkOpenToken() } catch { try fail(shown(error)) }
    }

    /// Decodes the elements of a value in memory, which is the whole input.
    func run(_ tree: any TreeContent) throws(JSONModelError) {
        defer { isStopped = true }
        let outcome: ParseOutcome
        do throws(JSONModelError) {
            if let envelope {
                let sink = envelope.sink(driver())
                outcome = try tree.run(to: sink, decoder, missing: requiredPath)
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

    // MARK: Continuing from a checkpoint

    /// Continues after the elements before a checkpoint.
    ///
    /// - Parameter file: The file, which is read from the checkpoint on, or from its start if it is compressed.
    private func resume(at checkpoint: JSONCheckpoint, in file: FileReader) throws(JSONModelError) {
        (firstIndex, leadingElements) = (checkpoint.elements, checkpoint.leading)
        byteCount = checkpoint.offset
        if splitter == nil {
            try resumeDocument(at: checkpoint)
        } else if leadingElements > 0, !framing.continuesInValues {
            throw JSONModelError(.invalidPath("a stream in this framing cannot continue inside of a value"))
        } else if checkpoint.offset > 0 {
            begin(at: checkpoint.lines)
        }
        if file.isCompressed {
            if checkpoint.offset > 0 { ignoredText = TextBeforeCheckpoint(checkpoint, of: file.name) }
            return
        }
        try checkpoint.check(file)
        if checkpoint.offset > 0 { reader.readPlain() }
        continueText(after: file.sample)
    }

    /// Continues after the text of a sample, which positions and excerpts need.
    private func continueText(after sample: TextSample) {
        positions?.sample = sample
        document?.setContext(sample.tail)
    }

    /// Removes text before the checkpoint. An error ends the stream.
    private func ignore(_ text: inout UnsafeBufferPointer<UInt8>) throws(JSONModelError) {
        do throws(JSONModelError) {
            guard let sample = try ignoredText?.remove(from: &text) else { return }
            ignoredText = nil
            continueText(after: sample)
        } catch {
            isStopped = true
            throw error
        }
    }

    /// Opens the containers on the path of a checkpoint, by JSON that replaces the document before the checkpoint.
    ///
    /// - Parameter isAfterElement: Whether an element precedes the checkpoint in its array.
    private func resumeDocument(
        at checkpoint: JSONCheckpoint, isAfterElement: Bool = true
    ) throws(JSONModelError) {
        documentStart = nil
        if envelope != nil { throw checkpoint.pathMismatch(missing) }
        let opening = try checkpoint.opening(of: missing, ignoresValue: isAfterElement)
        let document = try openDocument(after: opening.origin)
        for (step, text) in opening.steps {
            try text.withUnsafeBufferPointer { bytes throws(JSONModelError) in try document.feed(bytes) }
            if case .index(let index) = step { document.withDriver { $0.move(toIndex: index) } }
        }
        guard isAfterElement else { return }
        document.withDriver { $0.ignoreNext() }
        try JSONCheckpoint.Opening.ignoredValue.withUnsafeBufferPointer { bytes throws(JSONModelError) in
            try document.feed(bytes)
        }
    }

    // MARK: Ranges of a file

    /// Begins at the start of a range.
    ///
    /// - Parameter isLocated: Whether the index and the location of the range are those of the whole file.
    private func begin(
        _ range: JSONFileRange, isLocated: Bool, in file: FileReader
    ) throws(JSONModelError) {
        if splitter == nil, !hasOneArray || envelope != nil {
            throw JSONModelError(
                .invalidRange("the elements at '\(missing)' are not those of one array, or have an envelope"))
        }
        var text = try RangeText(range, framing, in: file)
        var origin: RangeOrigin?
        if !isLocated, !text.bytes.isEmpty {
            let unread = RangeOrigin(of: text, in: file.name, framing, at: missing, decoder)
            if positions != nil || !framing.hasVisibleBorders {
                let preceding = try unread.preceding()
                (text.origin, text.index) = (preceding.lines, preceding.elements)
            } else {
                origin = unread
                if let handler = issueHandler { decoder.issueHandler = { handler(unread.located($0)) } }
            }
        }
        self.range = OpenRange(file: file.name, bytes: text.bytes, origin: origin)
        reader.length = text.bytes.count
        (byteCount, firstIndex) = (text.bytes.lowerBound, text.index)
        if text.bytes.isEmpty {
            isStopped = true
            return
        }
        try file.restrict(to: text.bytes)
        reader.readPlain()
        if splitter == nil {
            try beginElements(text)
        } else if byteCount > 0 {
            begin(at: text.origin)
        }
        continueText(after: file.sample)
    }

    /// Opens the array whose elements a range has.
    private func beginElements(_ text: RangeText) throws(JSONModelError) {
        if text.beginsArray, text.index != 0 { throw rangeError("element \(text.index) does not begin there") }
        var path = missing
        path.components[path.components.count - 1] = .index(text.beginsArray ? 0 : text.index - 1)
        let checkpoint = JSONCheckpoint(after: path, lines: text.origin)
        try resumeDocument(at: checkpoint, isAfterElement: !text.beginsArray)
    }

    /// Ends the text of a range, which must end after an element.
    private func finishRange() throws(JSONModelError) {
        try failWithOpenError()
        // A number ends before the next byte.
        try [UInt8(ascii: " ")].withUnsafeBufferPointer { space throws(JSONModelError) in
            try feed(space, after: LineCount())
        }
        if isStopped { return }
        guard document?.isBetweenElements() == true else {
            closeDocument()
            throw rangeError("the range ends inside of an element")
        }
        let issues = document?.collectedIssues() ?? []
        closeDocument()
        if !skipsElements, !issues.isEmpty { throw located(JSONModelError(issues: issues)) }
    }

    private func rangeError(_ reason: String) -> JSONModelError {
        guard let range else { return JSONModelError(.invalidRange(reason)) }
        return JSONFileRange.error(range.bytes, of: range.file, reason)
    }

    /// The error of a range of a document in which the array of the elements ends.
    private var arrayEndError: JSONModelError? {
        guard range != nil, splitter == nil, document != nil, elementIndex == nil else { return nil }
        return rangeError("the array of the elements ends in the range")
    }

    // MARK: Elements that other streams decode

    /// The offset at which a part of a text begins in a stream that decodes the part for another stream. Greater than the length of the
    /// JSON that takes the place of the document before the part.
    static var partOrigin: Int { 1 << 20 }

    /// Begins a document after the first element of its array, at the offset `partOrigin`.
    func continueElements() throws(JSONModelError) {
        let steps = missing.components.map { $0.isWildcard ? .index(0) : $0 }
        try resumeDocument(at: JSONCheckpoint(after: JSONPath(steps), lines: LineCount(offset: Self.partOrigin)))
    }

    /// Determines the ends of the next elements.
    ///
    /// - Returns: The receiver of the ends.
    func locateElements() -> ElementLocator {
        let locator = positions?.locator ?? ElementLocator()
        elementLocator = locator
        document?.withDriver { $0.locator = locator }
        return locator
    }

    /// Determines the ends of further elements only for their positions.
    private func endLocating() {
        elementLocator = nil
        document?.withDriver { $0.locator = positions?.locator }
    }

    /// Decodes the next text of a document, and calls a closure with the end of each element.
    func decodeLocating(
        _ text: UnsafeBufferPointer<UInt8>, _ body: @escaping (Int) -> Void
    ) throws(JSONModelError) {
        let (locator, receive) = (locateElements(), receive)
        interceptor = { element in
            body(locator.end.offset)
            return try receive(element)
        }
        defer {
            interceptor = nil
            endLocating()
        }
        try decode(text)
    }

    /// The index of the next element in the open array of elements, or of the open element; nil if the array is not open.
    var elementIndex: Int? {
        var index: Int?
        document?.withDriver { index = $0.elementIndex }
        return index
    }

    /// Whether the input may have several elements; nil before the first byte of a document that decides this.
    var hasSeveralElements: Bool? { documentStart == nil ? selectsSeveral : nil }

    /// Whether an array of elements was open, and has ended.
    var hasEndedArray: Bool { splitter == nil && elementIndex == nil }

    /// Whether the next bytes can be skipped, if they are whole lines, or elements of the array with the commas before them.
    func canSkip(_ count: Int) -> Bool {
        if let splitter { return (splitter as? LineSplitter)?.isBetweenLines == true }
        return document?.isBetweenElements() == true && byteCount + count <= decoder.limits.document
    }

    /// Begins to receive elements that another stream has decoded. The stream then skips the elements, or fails.
    func beginPart(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let positions else { return }
        let start = (splitter as? LineSplitter)?.position ?? document?.position() ?? LineCount()
        positions.beginPart(bytes, at: start, firstIndex: elementIndex)
    }

    /// Skips lines, or elements with the commas before them, which were passed on.
    func skip(_ bytes: UnsafeBufferPointer<UInt8>, _ lines: LineCount, elements: Int) {
        positions?.endPart(isDecoded: true)
        if let splitter { (splitter as? LineSplitter)?.skip(lines) } else { document?.skip(bytes, lines, elements) }
        byteCount += bytes.count
        reportProgress()
    }

    /// Ends the stream with the error that its receiver has thrown for an element.
    ///
    /// - Parameters:
    ///   - count: The number of elements that were passed on before, from the start of a text.
    ///   - text: The text.
    func fail(with error: any Error, after count: Int, in text: UnsafeBufferPointer<UInt8>) throws(JSONModelError) {
        positions?.endPart(isDecoded: false)
        summary.elements -= 1
        leadingElements += count
        interceptor = { [layout, lendsElements] element in
            if !lendsElements { layout.destroy(element) }
            throw error
        }
        try decode(text)
    }

    // MARK: The text

    /// The length of the open token.
    var openLength: Int { document?.state.openLength ?? 0 }

    /// The start of the current line.
    var lineStart: Int { splitter?.start.lineStart ?? 0 }

    /// Continues at a position that is not the start of the text.
    func begin(at position: LineCount) {
        splitter = framing.splitter(at: position)
        matchedMark = nil
    }

    private func decodeOrDistribute(_ text: UnsafeBufferPointer<UInt8>) throws(JSONModelError) {
        var text = text
        if matchedMark != nil {
            try removeMark(from: &text)
            if matchedMark != nil { return }
        }
        guard distributor != nil else { return try decode(text) }
        let isKept = reader.keepsText
        try withDistributor { distributor throws(JSONModelError) in try distributor.push(text, isKept: isKept) }
    }

    /// Removes the bytes of a byte order mark from the front of the text. Withholds the first bytes of a mark.
    private func removeMark(from text: inout UnsafeBufferPointer<UInt8>) throws(JSONModelError) {
        while let matched = matchedMark, let byte = text.first {
            guard byte == Encoding.byteOrderMark[matched] else { return try releaseMark() }
            text = UnsafeBufferPointer(rebasing: text.dropFirst())
            matchedMark = matched + 1
            guard matched + 1 == Encoding.byteOrderMark.count else { continue }
            begin(at: LineCount(offset: matched + 1, lineStart: matched + 1))
            byteCount += matched + 1
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

    /// Decodes the next text.
    func decode(_ text: UnsafeBufferPointer<UInt8>) throws(JSONModelError) {
        var rest = text
        byteCount += text.count
        positions?.sample.begin(text)
        defer {
            positions?.sample.end()
            reportProgress()
        }
        while !isStopped, !rest.isEmpty {
            guard splitter != nil else { return try decodeDocument(rest) }
            guard let piece = splitter?.next(in: &rest) else { return }
            try decode(piece, in: text, before: rest)
        }
    }

    /// Ends the text.
    private func finishText() throws(JSONModelError) {
        try releaseMark()
        try flush()
        if isStopped { return }
        let before = summary.elements
        defer {
            isStopped = true
            if summary.elements > before { reportProgress() }
        }
        guard splitter != nil else {
            if range != nil { return try finishRange() }
            try decodeDocumentStart()
            try failWithOpenError()
            return try finishValue(after: LineCount())
        }
        if range != nil, let splitter = splitter as? ConcatenatedSplitter, splitter.isInContainerOrString {
            throw rangeError("the range ends inside of a value")
        }
        if let piece = splitter?.finish() { try decode(piece) }
    }

    private func reportProgress() {
        let start = range?.bytes.lowerBound ?? 0
        decoder.progressHandler?(
            JSONProgress(
                bytes: reader.compressedCount ?? byteCount - start, totalBytes: reader.length,
                elements: (range == nil ? firstIndex : 0) + summary.elements))
    }

    // MARK: Values

    /// - Parameters:
    ///   - text: The text that has the piece; nil if the text has ended.
    ///   - rest: The text after the piece.
    private func decode(
        _ piece: ValuePiece, in text: UnsafeBufferPointer<UInt8>? = nil,
        before rest: UnsafeBufferPointer<UInt8> = .init(start: nil, count: 0)
    ) throws(JSONModelError) {
        let origin = splitter?.start ?? LineCount()
        positions?.advance(over: piece, from: origin)
        switch piece {
        case .part(let bytes, let isLast):
            if isLast, document == nil, !isIgnoring {
                var margins = TextMargins.none
                if let start = text?.baseAddress, let first = bytes.baseAddress { margins.before = first - start }
                if rest.first == UInt8(ascii: "\n") { margins.after = rest.count }
                return try decodeValue(bytes, margins: margins, after: origin)
            }
            try feed(bytes, after: origin)
            if isLast { try finishValue(after: origin) }
        case .text(let bytes, let isLast):
            try bytes.withUnsafeBufferPointer { bytes throws(JSONModelError) in try feed(bytes, after: origin) }
            if isLast { try finishValue(after: origin) }
        case .stray:
            try fail(located(.syntax("expected a record separator"), at: origin))
        case .cut:
            try failWithOpenError()
            if document != nil { try fail(located(.unexpectedEnd, at: origin)) }
            isIgnoring = false
        }
    }

    /// Decodes a value that is in one chunk.
    private func decodeValue(
        _ bytes: UnsafeBufferPointer<UInt8>, margins: TextMargins, after origin: LineCount
    ) throws(JSONModelError) {
        let outcome: ParseOutcome
        do throws(JSONModelError) {
            outcome =
                if decoder.source == .scanner, !selectsSeveral {
                    try scan(bytes, margins: margins, after: origin)
                } else {
                    try decoder.read(
                        driver(), bytes, margins: margins, after: origin, missing: requiredPath,
                        showsWhatFollows: readsAfterErrors)
                }
        } catch { return try fail(error) }
        try complete(outcome, after: origin)
    }

    /// Decodes a value that is one element, with the source and the driver of the value before.
    private func scan(
        _ bytes: UnsafeBufferPointer<UInt8>, margins: TextMargins, after origin: LineCount
    ) throws(JSONModelError) -> ParseOutcome {
        let values = self.values ?? ScannedValues(driver(), limits: decoder.limits)
        self.values = nil
        let outcome = try values.decode(bytes, margins: margins, into: target, after: origin, missing: requiredPath)
        if values.isReusable { self.values = values }
        return outcome
    }

    private func feed(_ bytes: UnsafeBufferPointer<UInt8>, after origin: LineCount) throws(JSONModelError) {
        if isIgnoring { return try ignore(bytes) }
        do throws(JSONModelError) {
            try openDocument(after: origin).feed(bytes)
        } catch {
            isIgnoring = true
            // The error may follow the only element.
            if splitter == nil { try passDocument(before: error.issues.last?.location.offset ?? .max) }
            openError = error
            if !needsMore(document?.rejection()) { try failWithOpenError() }
        }
    }

    /// Ignores bytes of a value that failed, except for those of the hint and the excerpt.
    private func ignore(_ bytes: UnsafeBufferPointer<UInt8>) throws(JSONModelError) {
        guard openError != nil else { return }
        let rejection = document?.rejection()
        rejection?.excerpt?.append(bytes)
        if !needsMore(rejection) { try failWithOpenError() }
    }

    /// Whether the error of the current value depends on the next bytes.
    private func needsMore(_ rejection: Rejection?) -> Bool {
        guard let rejection else { return false }
        return showsWhatFollows ? rejection.excerpt?.wantsMore == true : rejection.needsMoreForHint
    }

    /// Whether the excerpt of an error shows the bytes after the byte at fault.
    private var showsWhatFollows: Bool { readsAfterErrors && reader.hasExcerpts }

    /// Fails with the error of the current value, if its hint or its excerpt was incomplete.
    private func failWithOpenError() throws(JSONModelError) {
        guard let error = openError.take() else { return }
        try fail(shown(error))
    }

    /// Returns an error of the current value with the hint and the excerpt that the bytes so far show.
    private func shown(_ error: JSONModelError) -> JSONModelError {
        guard let rejection = document?.rejection() else { return error }
        let last = showsWhatFollows ? rejection.error : rejection.shortError
        return JSONModelError(issues: error.issues.dropLast() + last.issues)
    }

    private func finishValue(after origin: LineCount) throws(JSONModelError) {
        defer { isIgnoring = false }
        try failWithOpenError()
        if isIgnoring || isStopped { return }
        let outcome: ParseOutcome
        do throws(JSONModelError) {
            let isTaken = lastElement != nil
            outcome = try openDocument(after: origin).finish(isTaken ? nil : requiredPath)
        } catch { return try fail(shown(error)) }
        closeDocument()
        try complete(outcome, after: origin)
    }

    /// Returns the current document, which is begun if necessary.
    private func openDocument(after origin: LineCount) throws(JSONModelError) -> OpenDocument {
        if let document { return document }
        let newDocument =
            if let envelope {
                try decoder.open(envelope.sink(driver()), after: origin)
            } else {
                try decoder.open(driver(), after: origin)
            }
        document = newDocument
        return newDocument
    }

    private func closeDocument() {
        document?.withDriver { arrayCount = $0.elements.arrayCount }
        if let document, let envelope {
            let isComplete = document.takeEnvelope()
            envelope.end(isComplete, otherwise: isComplete ? nil : document.envelopeSnapshot(partialOptions))
        }
        document = nil
    }

    /// Returns a closure that passes elements, and retains nothing.
    private var passing: Receiver {
        let stream = Unmanaged.passUnretained(self)
        return { element in try stream._withUnsafeGuaranteedRef { try $0.pass(element) } }
    }

    /// Makes the driver of the next value.
    private func driver() -> Driver {
        failedPath = nil
        var driver = Driver(
            slot: ValueSlot(address: target, layout: layout), table: root?.table,
            options: .passUnretained(decoder.sharedOptions),
            // The stream owns the driver.
            emit: selectsSeveral ? passing : nil)
        guard selectsSeveral else { return driver }
        driver.locator = positions?.locator ?? elementLocator
        if skipsElements {
            driver.elements.skipFailed { [unowned self] issue in report(issue) }
        }
        return driver
    }

    // MARK: Documents, which have one value and no splitter

    /// Decodes a document that is in memory.
    private func decodeBuffered(_ text: UnsafeBufferPointer<UInt8>) throws(JSONModelError) {
        reader.length = text.count
        byteCount = text.count
        positions?.sample.begin(text)
        defer {
            isStopped = true
            positions?.sample.end()
            reportProgress()
        }
        try decodeValue(text, margins: .none, after: LineCount())
    }

    /// Decodes the next text of a document.
    private func decodeDocument(_ text: UnsafeBufferPointer<UInt8>) throws(JSONModelError) {
        var text = text
        if documentStart != nil {
            guard let isArray = documentStart?.isArray(&text) else { return }
            if !isArray { (root, selectsSeveral) = (nil, false) }
            try decodeDocumentStart()
        }
        documentText = text
        defer { documentText = nil }
        try feed(text, after: LineCount())
        if openError != nil { return }
        if let arrayEndError, !isStopped {
            isStopped = true
            throw arrayEndError
        }
        try passDocument()
        // Issues outside of the elements, and the end of the requested values, stop the source.
        if document?.state.isStopped == true, !isStopped {
            defer { isStopped = true }
            try finishValue(after: LineCount())
        }
    }

    /// Decodes the white space before the first byte of a document, as far as it is kept.
    private func decodeDocumentStart() throws(JSONModelError) {
        guard let start = documentStart.take() else { return }
        valueStart = start.end
        // White space that is not kept counts in the length of the document.
        try openDocument(after: start.origin).setStart(0)
        try start.withText { text throws(JSONModelError) in try feed(text, after: start.origin) }
    }

    /// Passes a document that is the only element, at its closing token.
    ///
    /// - Parameter end: The offset of the next text that is not part of the element.
    private func passDocument(before end: Int = .max) throws(JSONModelError) {
        guard !selectsSeveral, lastElement == nil, let document else { return }
        if let positions, let text = documentText {
            let count = max(end - (byteCount - text.count), 0)
            positions.advance(
                over: .part(UnsafeBufferPointer(rebasing: text.prefix(count)), isLast: false), from: valueStart)
        }
        guard document.state.hasResult else { return }
        lastElement = document.snapshot(partialOptions)
        _ = document.takeResult()
        try complete(ParseOutcome(isPresent: true, issues: []), after: LineCount())
    }

    // MARK: Elements

    /// The index of the next element.
    private var nextIndex: Int { firstIndex + summary.elements + summary.skipped }

    /// Passes an element to the receiver, and destroys an element that the receiver leaves in its memory. Returns whether to continue.
    func pass(_ element: UnsafeMutableRawPointer) throws -> Bool {
        defer { if lendsElements { layout.destroy(element) } }
        return try show(element)
    }

    /// Passes an element to the receiver. Returns whether to continue.
    func show(_ element: UnsafeMutableRawPointer) throws -> Bool {
        positions?.set(element, index: nextIndex, isEnclosed: selectsSeveral && splitter != nil)
        if leadingElements > 0 {
            leadingElements -= 1
            if !lendsElements { layout.destroy(element) }
            return true
        }
        summary.elements += 1
        let continues = if let interceptor { try interceptor(element) } else { try receive(element) }
        if !continues { isStopped = true }
        return continues
    }

    /// Passes the only element of a value.
    private func complete(_ outcome: ParseOutcome, after origin: LineCount) throws(JSONModelError) {
        guard !selectsSeveral, outcome.isPresent else { return }
        positions?.locateValue()
        do { _ = try pass(target) } catch { throw stopped(by: error, at: origin) }
    }

    // MARK: Snapshots

    /// Returns the open element as far as it is read; nil if no element is open.
    func snapshot() -> ValueSnapshot? { lastElement ?? document?.snapshot(partialOptions) }

    /// Returns the envelope as far as it is read.
    func envelopeSnapshot() -> ValueSnapshot? { document?.envelopeSnapshot(partialOptions) }

    // MARK: Errors

    /// Ends the stream with an error that was thrown by the receiver of a value.
    func stopped(by error: any Error, at origin: LineCount) -> JSONModelError {
        isStopped = true
        let error = located(.thrown, at: origin, underlying: error)
        return range?.origin?.located(error) ?? error
    }

    /// Skips the current value, or ends the stream with an error.
    private func fail(_ error: JSONModelError) throws(JSONModelError) {
        var error = arrayEndError ?? error
        if splitter != nil { adviseOnTrailingContent(&error) }
        closeDocument()
        if skipsElements, splitter != nil {
            summary.skipped += 1
            for issue in error.issues { reportSkipped(issue) }
            return
        }
        isStopped = true
        throw located(error)
    }

    /// Replaces the advice for an input of several values, which has been followed.
    private func adviseOnTrailingContent(_ error: inout JSONModelError) {
        for index in error.issues.indices where error.issues[index].hint == SyntaxDiagnosis.severalValuesHint {
            error.issues[index].hint = framing == .lines ? SyntaxDiagnosis.severalValuesInLineHint : nil
        }
    }

    /// Reports an issue of an element that is skipped. Returns false for an issue outside of all elements.
    private func report(_ issue: JSONIssue) -> Bool {
        guard issue.path.components.count >= missing.components.count else { return false }
        // The issues of elements before a checkpoint were reported before.
        if leadingElements > 0 { return true }
        let element = issue.path.components.prefix(missing.components.count)
        if failedPath != element {
            failedPath = element
            summary.skipped += 1
        }
        reportSkipped(issue)
        return true
    }

    private func reportSkipped(_ issue: JSONIssue) {
        var issue = issue
        issue.elementIndex = nextIndex - 1
        issue = range?.origin?.located(issue) ?? issue
        summary.add(issue)
        issueHandler?(issue)
    }

    private func located(_ error: JSONModelError) -> JSONModelError {
        var error = error
        for index in error.issues.indices where error.issues[index].elementIndex == nil {
            error.issues[index].elementIndex = nextIndex
        }
        return range?.origin?.located(error) ?? error
    }

    private func located(
        _ kind: JSONIssue.Kind, at origin: LineCount, underlying: (any Error)? = nil
    ) -> JSONModelError {
        JSONModelError(issues: [
            JSONIssue(kind: kind, path: missing, location: origin.location, underlying: underlying)
        ])
    }
}
