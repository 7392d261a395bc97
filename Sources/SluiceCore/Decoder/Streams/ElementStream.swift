/// Decodes the elements of an input that arrives in chunks.
///
/// Elements are passed to a closure as soon as their last token is read, or in framings other than a document, as soon as their
/// value ends. The elements and errors do not depend on the chunks.
@usableFromInline
final class ElementStream {
    /// Takes an element out of its memory. Returns whether to continue.
    @usableFromInline
    typealias Receiver = (UnsafeMutableRawPointer) throws -> Bool

    private let decoder: JSONModelDecoder
    private let layout: LayoutReference
    /// The path in each value; nil if each value is an element.
    private var root: RootPath?
    /// Whether each value has any number of elements.
    private var selectsSeveral: Bool
    /// The first bytes of a document that is an element unless it is an array; nil when this has been decided.
    private var firstBytes: [UInt8]?
    private let target: UnsafeMutableRawPointer
    private let receive: Receiver
    private let framing: JSONFraming
    private var splitter: (any ValueSplitter)?
    /// Sets the position of an element, and finds the position; nil for elements without a position.
    private let positions: ElementPositions?
    /// The number of elements before the checkpoint from which the stream continues.
    private var firstIndex = 0
    /// The number of elements before the checkpoint that are read again.
    private var leadingElements = 0
    /// The length of the decompressed text before the checkpoint, which is skipped.
    var skippedText = 0
    /// The value that is being read.
    private var document: OpenDocument?
    /// Whether the rest of the current value is ignored, because the value failed.
    private var isIgnoring = false
    private(set) var isStopped = false
    private(set) var summary = JSONStreamSummary()
    /// The number of bytes that were pushed.
    private var byteCount = 0
    /// The length of the input, if known.
    var length: Int?
    /// The text of the input, which may be compressed.
    let decompression: Decompression
    /// Whether each value must have an element, or a value at the path.
    private let needsElements: Bool
    /// The path of the last failed element in the current value.
    private var failedPath: ArraySlice<JSONPath.Component>?
    private let envelope: StreamEnvelope?
    /// The options of snapshots.
    private lazy var partialOptions = decoder.partialOptions
    /// The last element of a stream whose document is the only element.
    private var lastElement: ValueSnapshot?

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
        splitter = framing.splitter()
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

    private var skipsElements: Bool { decoder.options.elementErrors == .skip }

    /// The path of the element, or of the first step to the elements.
    private var missing: JSONPath { root?.path ?? JSONPath() }

    /// The path at which each value must have a value; nil if none is required.
    private var requiredPath: JSONPath? { needsElements ? missing : root?.path }

    // MARK: The input

    /// Consumes the next text of the input, whose memory may then become invalid.
    func push(_ chunk: UnsafeBufferPointer<UInt8>) throws(JSONModelError) {
        var rest = chunk
        byteCount += chunk.count
        defer { reportProgress() }
        while !isStopped, !rest.isEmpty {
            guard splitter != nil else { return try feedDocument(rest) }
            guard let piece = splitter?.next(in: &rest) else { return }
            try take(piece, before: rest)
        }
    }

    private func reportProgress() {
        decoder.progressHandler?(
            JSONProgress(
                bytes: decompression.compressedCount ?? byteCount, totalBytes: length,
                elements: summary.elements))
    }

    /// Ends the input.
    func finish() throws(JSONModelError) {
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

    private func read(_ file: FileReader) throws(JSONModelError) {
        length = file.length
        while !isStopped {
            let window: UnsafeBufferPointer<UInt8>?
            do { window = try file.nextWindow(openLength: openLength) } catch { throw interrupted(error) }
            guard let window else { return }
            try take(window)
        }
    }

    /// Decodes the elements of a value in memory, which is the whole input.
    func run(_ tree: any TreeContent) throws(JSONModelError) {
        defer { isStopped = true }
        let outcome: ParseOutcome
        do throws(JSONModelError) {
            if let envelope {
                outcome = try tree.run(envelope.sink(driver()), decoder, missing: requiredPath) {
                    envelope.end($0.takeEnvelope())
                }
            } else {
                outcome = try tree.run(driver(), decoder, missing: requiredPath)
            }
        } catch {
            return try fail(error)
        }
        try complete(outcome, after: LineCount())
    }

    // MARK: Values

    /// - Parameter rest: The bytes after the piece.
    private func take(_ piece: ValuePiece, before rest: UnsafeBufferPointer<UInt8>) throws(JSONModelError) {
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
    private func read(
        _ bytes: UnsafeBufferPointer<UInt8>, padding: Int, after origin: LineCount
    ) throws(JSONModelError) {
        let outcome: ParseOutcome
        do {
            outcome = try decoder.read(
                driver(), bytes, padding: padding, after: origin, missing: requiredPath)
        } catch { return try fail(error) }
        try complete(outcome, after: origin)
    }

    private func feed(_ bytes: UnsafeBufferPointer<UInt8>, after origin: LineCount) throws(JSONModelError) {
        if isIgnoring { return }
        do throws(JSONModelError) {
            try openDocument(after: origin).feed(bytes)
        } catch {
            isIgnoring = true
            try fail(error)
        }
    }

    private func finishValue(after origin: LineCount) throws(JSONModelError) {
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
    private func openDocument(after origin: LineCount) throws(JSONModelError) -> OpenDocument {
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

    private func closeDocument() {
        if let document, let envelope {
            let isComplete = document.takeEnvelope()
            envelope.end(isComplete, otherwise: isComplete ? nil : document.envelopeSnapshot(partialOptions))
        }
        document = nil
    }

    /// Feeds the next bytes of a document.
    private func feedDocument(_ bytes: UnsafeBufferPointer<UInt8>) throws(JSONModelError) {
        if !selectsSeveral { positions?.advance(over: .part(bytes, isLast: false), from: LineCount()) }
        guard let before = firstBytes else {
            try feed(bytes, after: LineCount())
            try passDocument()
            // Issues outside of the elements, and the end of the requested values, stop the source.
            if document?.isStopped == true, !isStopped {
                defer { isStopped = true }
                try finishValue(after: LineCount())
            }
            return
        }
        let first = before + bytes
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        guard let byte = first.first(where: { !$0.isBlank && !mark.contains($0) }) else {
            firstBytes = first
            return
        }
        firstBytes = nil
        if byte != UInt8(ascii: "[") { (root, selectsSeveral) = (nil, false) }
        try first.withUnsafeBufferPointer { bytes throws(JSONModelError) in try feedDocument(bytes) }
    }

    /// Passes a document that is the only element, at its closing token.
    private func passDocument() throws(JSONModelError) {
        guard !selectsSeveral, lastElement == nil, let document else { return }
        let snapshot = document.snapshot(partialOptions)
        guard document.takeResult() else { return }
        lastElement = snapshot
        try complete(ParseOutcome(isPresent: true, issues: []), after: LineCount())
    }

    // MARK: Continuing

    /// Continues after the elements before a checkpoint. Called before the first chunk.
    ///
    /// - Parameter file: The file, which is read from the checkpoint on, or from its start if it is compressed.
    func resume(at checkpoint: JSONCheckpoint, in file: FileReader) throws(JSONModelError) {
        skippedText = file.skippedText
        (firstIndex, leadingElements) = (checkpoint.elements, checkpoint.leading)
        byteCount = checkpoint.offset
        if splitter == nil { return try resumeDocument(at: checkpoint) }
        guard leadingElements == 0 || framing.continuesInValues else {
            throw JSONModelError(.invalidPath("a stream in this framing cannot continue inside of a value"))
        }
        splitter = framing.splitter(at: checkpoint.lines)
    }

    /// Opens the containers on the path of a checkpoint, by JSON that takes the place of the document before the checkpoint.
    private func resumeDocument(at checkpoint: JSONCheckpoint) throws(JSONModelError) {
        firstBytes = nil
        let steps = checkpoint.path.components
        let pattern = missing.components
        guard envelope == nil, steps.count == pattern.count, zip(pattern, steps).allSatisfy({ $0.selects($1) })
        else {
            throw JSONModelError(
                .invalidPath("the checkpoint at '\(checkpoint.path)' is not that of a stream at '\(missing)'"))
        }
        let openings = steps.map(\.opening)
        let ignored = Array("\"\"  ".utf8)
        var origin = checkpoint.lines
        origin.offset -= openings.reduce(ignored.count) { $0 + $1.count }
        let document = try openDocument(after: origin)
        for (step, opening) in zip(steps, openings) {
            try opening.withUnsafeBufferPointer { bytes throws(JSONModelError) in try document.feed(bytes) }
            if case .index(let index) = step { document.withDriver { $0.move(toIndex: index) } }
        }
        document.withDriver { $0.ignoreNext() }
        try ignored.withUnsafeBufferPointer { bytes throws(JSONModelError) in try document.feed(bytes) }
    }

    // MARK: Snapshots

    /// Returns the open element as far as it is read; nil if no element is open.
    func snapshot() -> ValueSnapshot? { lastElement ?? document?.snapshot(partialOptions) }

    /// Returns the envelope as far as it is read.
    func envelopeSnapshot() -> ValueSnapshot? { document?.envelopeSnapshot(partialOptions) }

    /// Makes the driver of the next value.
    private func driver() -> Driver {
        failedPath = nil
        guard selectsSeveral else {
            return Driver(
                slot: ValueSlot(address: target, layout: layout), table: root?.table,
                options: .passUnretained(decoder.sharedOptions),
                emit: nil)
        }
        var driver = Driver(
            slot: ValueSlot(address: target, layout: layout), table: root?.table,
            options: .passUnretained(decoder.sharedOptions)
        ) { [unowned self] element in try pass(element) }
        driver.locator = positions?.locator
        if skipsElements {
            driver.takeElementIssue = { [unowned self] issue in report(issue) }
        }
        return driver
    }

    // MARK: Elements

    /// The index of the next element.
    private var nextIndex: Int { firstIndex + summary.elements + summary.skipped }

    private func pass(_ element: UnsafeMutableRawPointer) throws -> Bool {
        positions?.set(element, index: nextIndex, isEnclosed: selectsSeveral && splitter != nil)
        if leadingElements > 0 {
            leadingElements -= 1
            layout.destroy(element)
            return true
        }
        summary.elements += 1
        let goesOn = try receive(element)
        if !goesOn { isStopped = true }
        return goesOn
    }

    /// Passes the only element of a value.
    private func complete(_ outcome: ParseOutcome, after origin: LineCount) throws(JSONModelError) {
        guard !selectsSeveral, outcome.isPresent else { return }
        positions?.locateValue()
        do { _ = try pass(target) } catch {
            isStopped = true
            throw located(.thrown, at: origin, underlying: error)
        }
    }

    // MARK: Errors

    /// Ends the stream with an error of reading the input. Returns the error with the position of the element that was being read.
    func interrupted(_ error: JSONModelError) -> JSONModelError {
        document = nil
        isStopped = true
        return located(error)
    }

    private func located(_ error: JSONModelError) -> JSONModelError {
        var error = error
        for index in error.issues.indices where error.issues[index].elementIndex == nil {
            error.issues[index].elementIndex = nextIndex
        }
        return error
    }

    /// Reports an issue of an element that is skipped. Returns false for an issue outside of all elements.
    private func report(_ issue: JSONIssue) -> Bool {
        guard issue.path.components.count >= missing.components.count else { return false }
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
        summary.add(issue)
        decoder.issueHandler?(issue)
    }

    /// Skips the current value, or ends the stream with an error.
    private func fail(_ error: JSONModelError) throws(JSONModelError) {
        closeDocument()
        if skipsElements, splitter != nil {
            summary.skipped += 1
            for issue in error.issues { reportSkipped(issue) }
            return
        }
        isStopped = true
        throw located(error)
    }

    private func located(
        _ kind: JSONIssue.Kind, at origin: LineCount, underlying: (any Error)? = nil
    ) -> JSONModelError {
        JSONModelError(issues: [
            JSONIssue(kind: kind, path: missing, location: origin.location, underlying: underlying)
        ])
    }
}
