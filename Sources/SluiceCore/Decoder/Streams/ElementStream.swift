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
    private let root: RootPath?
    /// Whether each value has any number of elements.
    private let selectsSeveral: Bool
    private let target: UnsafeMutableRawPointer
    private let receive: Receiver
    private var splitter: (any ValueSplitter)?
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

    /// - Parameters:
    ///   - path: The path of the elements in each value, or nil for the default: the elements of an array that is the document,
    ///     or in other framings, each value.
    ///   - target: Memory for one element.
    ///   - needsElements: Whether elements are made. False to check values.
    @usableFromInline
    init(
        _ decoder: JSONModelDecoder, _ shape: Unmanaged<JSONShape>, at path: JSONPath?, framing: JSONFraming,
        target: UnsafeMutableRawPointer, needsElements: Bool = true, receive: @escaping Receiver
    ) throws(JSONModelError) {
        var decoder = decoder
        if decoder.options.elementErrors == .skip { decoder.options.collectedLimit = .max }
        self.decoder = decoder
        decompression = Decompression(decoder.limits)
        self.target = target
        self.receive = receive
        self.needsElements = needsElements
        layout = try decoder.planCache.layout(for: shape)
        splitter = framing.splitter
        selectsSeveral = splitter == nil || path?.selectsSeveral == true
        let path = path ?? (splitter == nil ? "[*]" : JSONPath())
        root =
            selectsSeveral || !path.components.isEmpty
            ? try RootPath(path, to: layout, streams: selectsSeveral) : nil
    }

    // The driver of an open value refers to the tables of the path and to the plans of the decoder.
    deinit { document = nil }

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
        defer {
            decoder.progressHandler?(
                JSONProgress(
                    bytes: decompression.compressedCount ?? byteCount, totalBytes: length,
                    elements: summary.elements))
        }
        while !isStopped, !rest.isEmpty {
            guard splitter != nil else {
                try feed(rest, after: LineCount())
                return
            }
            guard let piece = splitter?.next(in: &rest) else { return }
            try take(piece, before: rest)
        }
    }

    /// Ends the input.
    func finish() throws(JSONModelError) {
        if isStopped { return }
        defer { isStopped = true }
        guard splitter != nil else { return try finishValue(after: LineCount()) }
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
        do { outcome = try tree.run(driver(), decoder, missing: requiredPath) } catch {
            return try fail(error)
        }
        try complete(outcome, after: LineCount())
    }

    // MARK: Values

    /// - Parameter rest: The bytes after the piece.
    private func take(_ piece: ValuePiece, before rest: UnsafeBufferPointer<UInt8>) throws(JSONModelError) {
        let origin = splitter?.start ?? LineCount()
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
            outcome = try openDocument(after: origin).finish(missing: requiredPath)
        } catch { return try fail(error) }
        document = nil
        try complete(outcome, after: origin)
    }

    /// Returns the current document, which is begun if necessary.
    private func openDocument(after origin: LineCount) throws(JSONModelError) -> OpenDocument {
        if let document { return document }
        let made = try decoder.open(driver(), after: origin)
        document = made
        return made
    }

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
        if skipsElements {
            driver.takeElementIssue = { [unowned self] issue in report(issue) }
        }
        return driver
    }

    // MARK: Elements

    private func pass(_ element: UnsafeMutableRawPointer) throws -> Bool {
        summary.elements += 1
        let goesOn = try receive(element)
        if !goesOn { isStopped = true }
        return goesOn
    }

    /// Passes the only element of a value.
    private func complete(_ outcome: ParseOutcome, after origin: LineCount) throws(JSONModelError) {
        guard !selectsSeveral, outcome.isPresent else { return }
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
            error.issues[index].elementIndex = summary.elements + summary.skipped
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
        issue.elementIndex = summary.elements + summary.skipped - 1
        summary.add(issue)
        decoder.issueHandler?(issue)
    }

    /// Skips the current value, or ends the stream with an error.
    private func fail(_ error: JSONModelError) throws(JSONModelError) {
        document = nil
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
