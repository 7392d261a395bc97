import SluiceCore

/// Decodes the extents of values into the memory of an element, and passes the elements to a reporter.
///
/// The decoder keeps the open value: its source and driver, its error as long as the error depends on further bytes, and its snapshots. The
/// decoder does not know the origin of the text. The other parts of a stream are `TextFramer` and `ElementReporter`.
final class ElementDecoder {
    // Accesses are not checked for exclusivity: only the thread of the stream uses the parts of a stream.
    @exclusivity(unchecked) private(set) var decoder: JSONModelDecoder
    /// The shape of the elements.
    let shape: Unmanaged<JSONShape>
    let layout: LayoutReference
    private let reporter: ElementReporter
    private let envelope: StreamEnvelope?
    /// Whether each value must have an element, or a value at the path.
    private let needsElements: Bool
    /// The path in each value; nil if each value is an element.
    @exclusivity(unchecked) private var root: RootPath?
    /// Whether each value has any number of elements.
    @exclusivity(unchecked) private(set) var selectsSeveral: Bool
    /// The memory of the next element.
    @exclusivity(unchecked) var target: UnsafeMutableRawPointer
    /// The options of snapshots.
    private lazy var partialOptions = decoder.partialOptions

    /// The open value.
    @exclusivity(unchecked) private var document: OpenDocument? {
        didSet { directDocument = nil }
    }
    /// The open value, if its next part needs no other steps than to be decoded. A part of one byte then takes a tenth of the time.
    @exclusivity(unchecked) var directDocument: Unmanaged<OpenDocument>?
    /// Decodes values in one chunk; nil before the first, and after one whose source and driver do not serve the next value.
    @exclusivity(unchecked) private var values: ScannedValues?
    /// Whether the rest of the current value is ignored, because the value failed.
    @exclusivity(unchecked) private var isIgnoring = false
    /// The error of the current value, if its hint or its excerpt depends on the next bytes.
    @exclusivity(unchecked) private var openError: JSONModelError?
    /// Whether the excerpt of an error shows the bytes after the byte at fault.
    @exclusivity(unchecked) var showsWhatFollows = false
    /// The only element of a document, which has no array of elements.
    @exclusivity(unchecked) private var onlyElement: OnlyElement?
    /// Finds the ends of elements without a position.
    @exclusivity(unchecked) private var elementLocator: ElementRanges?
    /// The number of arrays at the path of the elements, in a document that has ended; nil if null is on the path.
    @exclusivity(unchecked) private(set) var arrayCount: Int?

    /// A document that is the only element.
    private struct OnlyElement {
        /// The lines before the document.
        let start: LineCount
        /// Whether the element was passed on, here or before a checkpoint.
        var isPassed = false
        /// The element that was passed on.
        var value: ValueSnapshot?
    }

    /// - Parameters:
    ///   - path: The path of the elements in each value. In a document, a path without wildcards is that of an array of elements.
    ///   - isStream: Whether the text is a document with any number of elements.
    ///   - target: Memory for one element.
    ///   - needsElements: Whether elements are made. False to check values.
    init(
        _ decoder: JSONModelDecoder, _ shape: Unmanaged<JSONShape>, _ layout: LayoutReference, at path: JSONPath,
        isStream: Bool, target: UnsafeMutableRawPointer, needsElements: Bool, envelope: EnvelopeState?,
        _ reporter: ElementReporter
    ) throws(JSONModelError) {
        (self.decoder, self.shape, self.layout, self.reporter) = (decoder, shape, layout, reporter)
        (self.target, self.needsElements) = (target, needsElements)
        self.envelope = try envelope.map { state throws(JSONModelError) in try StreamEnvelope(state, decoder) }
        selectsSeveral = isStream || path.selectsSeveral
        root =
            selectsSeveral || !path.components.isEmpty
            ? try RootPath(path, to: layout, streams: selectsSeveral, stopsEarly: decoder.stopsEarly) : nil
        if root == nil { try path.checkMembers(layout) }
        self.envelope?.begin(self)
    }

    deinit {
        close()
        // The driver of an open value refers to the tables of the path and to the plans of the decoder.
        (document, values) = (nil, nil)
    }

    /// The path of the element, or of the first step to the elements.
    var missing: JSONPath { root?.path ?? JSONPath() }

    /// The path at which each value must have a value; nil if none is required.
    private var requiredPath: JSONPath? { needsElements ? missing : root?.path }

    /// Whether the elements of a document are those of one array.
    var hasOneArray: Bool { root?.path.selectsOneArray == true }

    var hasEnvelope: Bool { envelope != nil }

    /// Reports the issues that a driver does not throw to a closure.
    func setIssueHandler(_ handler: @escaping @Sendable (JSONIssue) -> Void) { decoder.issueHandler = handler }

    /// A closure that passes elements on, and retains nothing.
    private var receiver: ElementReceiver.Closure {
        let decoder = Unmanaged.passUnretained(self)
        return { element in
            try decoder._withUnsafeGuaranteedRef { try $0.reporter.deliver(element) ? $0.target : nil }
        }
    }

    /// Begins a value. Returns where its driver makes the elements.
    private func beginValue() -> ElementTarget {
        reporter.beginValue()
        var value = ElementTarget(target, layout, at: root, receive: selectsSeveral ? receiver : nil)
        guard selectsSeveral else { return value }
        value.locator = reporter.positions?.locator ?? elementLocator
        if reporter.skipsElements {
            let depth = missing.components.count
            value.receiveIssue = { [unowned reporter] issue, failure in
                reporter.report(issue, elementDepth: depth, failure: failure)
            }
        }
        return value
    }

    // MARK: Values

    /// Decodes a value that is in one chunk.
    func decode(
        _ bytes: UnsafeBufferPointer<UInt8>, margins: TextMargins, after origin: LineCount
    ) throws(JSONModelError) -> ParseOutcome {
        if decoder.source == .scanner, !selectsSeveral, !showsWhatFollows {
            return try scan(bytes, margins: margins, after: origin)
        }
        return try decoder.read(
            bytes, margins: margins, to: beginValue(), after: origin, missing: requiredPath,
            showsWhatFollows: showsWhatFollows)
    }

    /// Decodes a value that is one element, with the source and the driver of the value before.
    private func scan(
        _ bytes: UnsafeBufferPointer<UInt8>, margins: TextMargins, after origin: LineCount
    ) throws(JSONModelError) -> ParseOutcome {
        let values = self.values.take() ?? ScannedValues(beginValue(), decoder)
        let outcome = try values.decode(bytes, margins: margins, into: target, after: origin, missing: requiredPath)
        if values.isReusable { self.values = values }
        return outcome
    }

    /// Decodes the elements of a value in memory, which is the whole input.
    func decode(_ tree: JSONInputContent.Tree) throws(JSONModelError) -> ParseOutcome {
        try decoder.read(tree, to: beginValue(), envelope?.target, missing: requiredPath) { isComplete, partial in
            envelope?.end(isComplete, otherwise: partial.map { ValueSnapshot($0) })
        }
    }

    /// Passes the only element of a value, or counts a value that is only checked.
    func complete(_ outcome: ParseOutcome, after origin: LineCount) throws(JSONModelError) {
        if !selectsSeveral, outcome.isPresent {
            try passTarget(after: origin)
        } else if !needsElements {
            reporter.countCheckedValue()
        }
    }

    private func passTarget(after origin: LineCount) throws(JSONModelError) {
        reporter.positions?.locateValue()
        do { _ = try reporter.deliver(target) } catch {
            throw reporter.stopped(by: error, at: missing, after: origin)
        }
    }

    // MARK: Values in several parts

    /// Whether no part of a value has been decoded, so that the next part may be the whole value.
    var isBetweenValues: Bool { document == nil && !isIgnoring }

    /// Decodes the next part of a value.
    ///
    /// - Parameters:
    ///   - origin: The lines of the input before the value.
    ///   - end: The offset after the bytes, in a document.
    /// - Throws: The error of the value, whose further parts are then ignored.
    func feed(
        _ bytes: UnsafeBufferPointer<UInt8>, after origin: LineCount, endingAt end: Int = 0
    ) throws(JSONModelError) {
        if isIgnoring { return try ignore(bytes) }
        do throws(JSONModelError) { _ = try openDocument(after: origin).feed(bytes) } catch {
            try fail(error, in: bytes, endingAt: end)
        }
    }

    /// Handles the error of a part of a value.
    func fail(
        _ error: JSONModelError, in bytes: UnsafeBufferPointer<UInt8>, endingAt end: Int
    ) throws(JSONModelError) {
        isIgnoring = true
        // The error may follow the only element.
        let fault = error.issues.last?.location.offset ?? .max
        try passOnlyElement(UnsafeBufferPointer(rebasing: bytes.prefix(max(fault - (end - bytes.count), 0))))
        openError = error
        try throwOpenError(ifComplete: true)
    }

    /// Decodes the next parts of the open value without other steps, if the value has not failed.
    func findDirectDocument() {
        directDocument = isIgnoring || hasOpenError ? nil : document.map { .passUnretained($0) }
    }

    /// Ignores bytes of a value that failed, except for those of the hint and the excerpt.
    private func ignore(_ bytes: UnsafeBufferPointer<UInt8>) throws(JSONModelError) {
        guard openError != nil else { return }
        document?.addToExcerpt(bytes)
        try throwOpenError(ifComplete: true)
    }

    /// Whether the value has an error that depends on the next bytes.
    var hasOpenError: Bool { openError != nil }

    /// Throws the error of the current value, if the value has an open error.
    ///
    /// - Parameter ifComplete: Whether the error remains open if the next bytes belong to its hint or its excerpt.
    func throwOpenError(ifComplete: Bool = false) throws(JSONModelError) {
        guard let error = openError else { return }
        if ifComplete, document?.needsMore(showsWhatFollows: showsWhatFollows) == true { return }
        openError = nil
        throw shown(error)
    }

    /// Returns an error of the current value with the hint and the excerpt that the bytes so far show.
    private func shown(_ error: JSONModelError) -> JSONModelError {
        document?.shown(error, showsWhatFollows: showsWhatFollows) ?? error
    }

    /// Ends a value in several parts. Returns nil for a value that has failed.
    func finish(after origin: LineCount) throws(JSONModelError) -> ParseOutcome? {
        defer { isIgnoring = false }
        try throwOpenError()
        if isIgnoring || reporter.isStopped { return nil }
        let outcome: ParseOutcome
        do throws(JSONModelError) {
            outcome = try openDocument(after: origin).finish(onlyElement?.isPassed == true ? nil : requiredPath)
        } catch { throw shown(error) }
        close()
        return outcome
    }

    /// Ends a value that may lack its last bytes.
    func finishCut(after origin: LineCount) throws(JSONModelError) {
        defer { isIgnoring = false }
        try throwOpenError()
        if document != nil { throw JSONModelError(.unexpectedEnd, at: missing, after: origin) }
    }

    /// Throws the error of the open token of an input that cannot be read further.
    func checkOpenToken() throws(JSONModelError) {
        try throwOpenError()
        guard let document, !isIgnoring else { return }
        do throws(JSONModelError) { try document.checkOpenToken() } catch { throw shown(error) }
    }

    /// Returns the current document, which is begun if necessary.
    private func openDocument(after origin: LineCount) throws(JSONModelError) -> OpenDocument {
        if let document { return document }
        let newDocument = try decoder.open(beginValue(), envelope?.target, after: origin)
        document = newDocument
        return newDocument
    }

    /// Ends the open value without a result.
    func close() {
        if let document { arrayCount = document.arrayCount }
        if let document, let envelope {
            let isComplete = document.takeEnvelope()
            envelope.end(isComplete, otherwise: isComplete ? nil : document.envelopeSnapshot(partialOptions))
        }
        document = nil
    }

    // MARK: Documents

    /// The length of the open token.
    var openLength: Int { document?.state.openLength ?? 0 }

    /// Whether issues outside of the elements, or the end of the requested values, have stopped the source.
    var isSourceStopped: Bool { document?.state.isStopped == true }

    /// The issues of the open document that were collected rather than thrown.
    var collectedIssues: [JSONIssue] { document?.collectedIssues() ?? [] }

    /// Decodes the kept part of the white space before a document.
    func begin(_ start: DocumentStart) throws(JSONModelError) {
        if onlyElement != nil { onlyElement = OnlyElement(start: start.end) }
        // White space that is not kept counts in the length of the document.
        try openDocument(after: start.origin).setStart(start.offset)
        try start.withText { text throws(JSONModelError) in try feed(text, after: start.origin) }
    }

    /// Makes the document the only element. Called before the document.
    ///
    /// - Parameter isPassed: Whether the element was passed on before a checkpoint.
    func makeOnlyElement(isPassed: Bool = false) {
        makeValue()
        onlyElement = OnlyElement(start: LineCount(), isPassed: isPassed)
    }

    /// Makes the document the only element, which is passed on at the end of the document. Called before the document.
    func makeValue() { (root, selectsSeveral) = (nil, false) }

    /// Passes a document that is the only element, at its closing token.
    ///
    /// - Parameter text: The last text of the document.
    func passOnlyElement(_ text: UnsafeBufferPointer<UInt8>) throws(JSONModelError) {
        guard let element = onlyElement, !element.isPassed, let document else { return }
        reporter.positions?.advance(over: .part(text, isLast: false), from: element.start)
        // An element that lacks the parts that failed is an error at the end of the document.
        guard document.state.hasResult, document.collectedIssues().isEmpty else { return }
        onlyElement?.isPassed = true
        onlyElement?.value = document.snapshot(partialOptions)
        _ = document.takeResult()
        try passTarget(after: LineCount())
    }

    /// Adds to the error of a document without an array of elements how the elements are found.
    func advise(_ error: inout JSONModelError) {
        let array = Array(root?.path.components.dropLast() ?? [])
        for index in error.issues.indices where error.issues[index].hint == nil {
            guard error.issues[index].path.components == array else { continue }
            switch error.issues[index].kind {
            case .missingKeys where root == nil, .typeMismatch where root == nil:
                error.issues[index].hint =
                    "the document is not an array, and so is the only element: an array in it is found by its path, as in at: \"items\""
            case .typeMismatch(expected: "an array", _) where hasOneArray:
                error.issues[index].hint =
                    "the elements of a stream are those of an array: "
                    + (array.isEmpty
                        ? "without a path, the document is the only element"
                        : "'\(JSONPath(array)).*' selects the members of an object, and decode(_:from:at:) one value")
            default: break
            }
        }
    }

    // MARK: Snapshots

    /// Returns the open element so far; nil if no element is open.
    func snapshot() -> ValueSnapshot? { onlyElement?.value ?? document?.snapshot(partialOptions) }

    /// Returns the envelope so far.
    func envelopeSnapshot() -> ValueSnapshot? { document?.envelopeSnapshot(partialOptions) }

    // MARK: Parts of a document

    /// Opens the containers on the path of a checkpoint, by JSON that replaces the document before the checkpoint.
    ///
    /// - Parameter isAfterElement: Whether an element precedes the checkpoint in its array.
    func resume(at checkpoint: JSONCheckpoint, isAfterElement: Bool = true) throws(JSONModelError) {
        if hasEnvelope {
            throw JSONModelError(.invalidPath("a stream with an envelope cannot continue from a checkpoint"))
        }
        let opening = try checkpoint.opening(of: missing, ignoresValue: isAfterElement)
        let document = try openDocument(after: opening.origin)
        for (step, text) in opening.steps {
            try text.withUnsafeBufferPointer { bytes throws(JSONModelError) in _ = try document.feed(bytes) }
            if case .index(let index) = step { document.move(toIndex: index) }
        }
        guard isAfterElement else { return }
        document.ignoreNext()
        try JSONCheckpoint.Opening.ignoredValue.withUnsafeBufferPointer { bytes throws(JSONModelError) in
            _ = try document.feed(bytes)
        }
    }

    /// Sets the bytes before the next text that excerpts show.
    func setContext(_ bytes: [UInt8]) { document?.setContext(bytes) }

    /// The index of the next element in the open array of elements, or of the open element; nil if the array is not open.
    var elementIndex: Int? { document?.elementIndex }

    /// Whether a document is open.
    var isOpen: Bool { document != nil }

    /// Whether the document is between two elements of the array of the elements.
    var isBetweenElements: Bool { document?.isBetweenElements() == true }

    /// The position after the text of the open document.
    var position: LineCount? { document?.position() }

    /// Skips elements with the commas before them, which another stream has decoded.
    func skip(_ bytes: UnsafeBufferPointer<UInt8>, _ lines: LineCount, elements: Int) {
        document?.skip(bytes, lines, elements)
    }

    /// Determines the ends of the next elements.
    ///
    /// - Returns: The receiver of the ends.
    func locateElements() -> ElementRanges {
        let locator = reporter.positions?.locator ?? ElementRanges()
        elementLocator = locator
        document?.setLocator(locator)
        return locator
    }

    /// Determines the ends of further elements only for their positions.
    func endLocating() {
        elementLocator = nil
        document?.setLocator(reporter.positions?.locator)
    }
}
