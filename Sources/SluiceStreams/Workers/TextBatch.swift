import Dispatch
import SluiceCore

/// The work of the threads that decode batches.
struct BatchTask: Sendable {
    /// The content of the text of a batch.
    enum Content {
        /// Any part of lines, each of which is an element.
        case lines
        /// Whole elements of an array, from the end of an element to the end of another one.
        case elements
    }

    /// The decoder. The stream that receives the elements reports issues, progress and the summary.
    let decoder: JSONModelDecoder
    /// Whether the issues that a decoder reports, and does not throw, are noted.
    let notesIssues: Bool
    /// Whether a thread rests while the elements that it has made are passed on: the receiver may destroy them, and an allocator keeps the
    /// memory of a thread together, and locks this memory when another thread frees a part.
    let restsThreads: Bool
    let shape: Unmanaged<JSONShape>
    let path: JSONPath
    let content: Content
    /// Ends the work after the current element.
    let cancellation: SharedFlag
    /// Keeps the memory of the text, which a thread may read after the end of the stream.
    private nonisolated(unsafe) let reader: TextReader

    init(_ stream: ElementStream, _ content: Content, _ cancellation: SharedFlag) {
        (reader, self.cancellation) = (stream.reader, cancellation)
        var decoder = stream.decoder
        notesIssues = decoder.options.issueHandler != nil
        restsThreads = !stream.reporter.lendsElements
        var options = decoder.options
        (options.issueHandler, options.progressHandler, options.summaryHandler) = (nil, nil, nil)
        options.elementErrors = .throw
        // An issue ends a batch, which the stream then decodes.
        options.errorPolicy = .first
        options.workers = .exactly(1)
        // The stream that receives the elements checks the length of a document.
        if case .elements = content { options.limits.document = .max }
        decoder.options = options
        (self.decoder, self.content, shape, path) = (decoder, content, stream.elements.shape, stream.path)
    }

    var framing: JSONFraming { if case .lines = content { .lines } else { .document } }
}

/// A part of an input, and its elements, which another thread decodes.
///
/// Invariants: One thread uses a batch at a time: the thread that removes the batch from the pending ones, and then the thread that
/// waits for the batch. If no thread waits, the first one also releases the batch. `text` is in `copy`, in memory that the reader of the
/// stream keeps, or in memory of the caller, who then waits.
final class TextBatch: ThreadWork, @unchecked Sendable {
    /// A part of the text that consists of whole elements without issues.
    struct Part {
        /// The range in the text. In an array, the range begins after an element.
        let range: Range<Int>
        /// The lines of the range, from offset 0.
        let lines: LineCount
        /// The number of elements of the batch up to the end of the range.
        let end: Int
    }

    private(set) var text = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
    private var copy = GrowableMemory<UInt8>()
    /// The decoded parts of the text, in the order of the text.
    private(set) var parts: [Part] = []

    private let pending: PendingBatches
    /// The thread that decodes the batch, until the elements were passed on.
    private var thread: WorkThread?
    private var task: BatchTask?
    let completion = Completion()
    /// Whether another thread decodes the batch, or is to decode the batch.
    var isBegun = false
    /// The nanoseconds in which the text was decoded.
    private(set) var time = 0.0
    /// Receives the ranges of elements, in text that has an issue.
    @exclusivity(unchecked) private var locator: ElementRanges?
    /// The offset after the last element that was located.
    @exclusivity(unchecked) private var lastEnd = 0
    @exclusivity(unchecked) private var elements: BatchElements
    /// The number of elements that were passed on.
    @exclusivity(unchecked) private(set) var deliveredCount = 0
    /// The number of bytes of the text whose elements were passed on.
    var passedCount = 0

    /// - Parameters:
    ///   - pending: The batches to which the batch is added when the batch is begun.
    ///   - layout: The layout of an element.
    init(of pending: PendingBatches, _ layout: LayoutReference) {
        self.pending = pending
        elements = BatchElements(layout)
    }

    deinit {
        copy.deallocate()
        releaseThread()
    }

    // MARK: The text

    /// Makes the batch empty. Keeps the memory. Elements that were lent are destroyed by the thread that decodes next.
    func removeAll() {
        (isBegun, passedCount) = (false, 0)
        text = UnsafeBufferPointer(start: nil, count: 0)
        parts.removeAll(keepingCapacity: true)
    }

    /// Moves bytes from the front of the next text to the batch.
    ///
    /// - Parameter isKept: Whether the memory of the text stays valid.
    func take(_ count: Int, from rest: inout UnsafeBufferPointer<UInt8>, isKept: Bool) {
        let taken = UnsafeBufferPointer(rebasing: rest.prefix(count))
        rest = UnsafeBufferPointer(rebasing: rest.dropFirst(count))
        if isKept, text.isEmpty {
            text = taken
            return
        }
        let length = text.count + count
        let isCopied = text.baseAddress.map { $0 == UnsafePointer(copy.start) } ?? true
        if copy.capacity < length { copy.grow(moving: isCopied ? text.count : 0, toAtLeast: length) }
        if !isCopied, let start = text.baseAddress { copy.start.update(from: start, count: text.count) }
        if let start = taken.baseAddress { (copy.start + text.count).update(from: start, count: count) }
        text = UnsafeBufferPointer(start: copy.start, count: length)
    }

    /// Returns a range of the text.
    func text(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(rebasing: text[range]) }

    // MARK: Threads

    /// Begins to decode the text, when a thread may run.
    func begin(_ task: BatchTask) {
        (self.task, isBegun) = (task, true)
        completion.begin()
        pending.append(self)
    }

    /// Decodes the batch on a thread, which the batch keeps.
    func start(on thread: WorkThread) {
        self.thread = thread
        thread.begin(self)
    }

    /// Makes the thread available to other batches.
    func releaseThread() {
        guard let thread = thread.take() else { return }
        BatchThreads.shared.giveBack(thread)
    }

    func perform() {
        let (pending, rests) = (pending, task?.restsThreads == true)
        var batch: TextBatch? = self
        while let current = batch {
            current.decode()
            // The thread goes on, because waking another one takes a tenth of the time of a batch.
            batch = rests ? nil : pending.takeNext()
            batch?.thread = current.thread.take()
            current.completion.end()
        }
        if rests { pending.startNext() }
    }

    /// Waits until the text is decoded.
    func wait() { completion.wait() }

    // MARK: Decoding

    private func decode() {
        let start = DispatchTime.now().uptimeNanoseconds
        defer { time = Double(DispatchTime.now().uptimeNanoseconds - start) }
        deliveredCount = 0
        elements.beginText()
        defer { elements.endText() }
        guard let task else { return }
        switch task.content {
        case .lines: decodeLines(task)
        case .elements: decodeElements(task)
        }
    }

    private func append(_ range: Range<Int>) {
        var lines = LineCount()
        lines.advance(over: text(range))
        parts.append(Part(range: range, lines: lines, end: elements.count))
    }

    /// Decodes the whole lines of the text, each of which is an element, except for lines with issues.
    private func decodeLines(_ task: BatchTask) {
        guard let first = text.firstIndex(of: UInt8(ascii: "\n")),
            let last = text.lastIndex(of: UInt8(ascii: "\n"))
        else { return }
        var (start, issues) = (first + 1, 0)
        // If most lines have issues, nothing is gained.
        while start <= last, mayFail(task, again: issues) {
            let valid = decodeLines(task, in: text(start..<last + 1))
            if valid > 0 { append(start..<start + valid) }
            // The line with an issue.
            start += valid
            start += text(start..<last + 1).count(before: UInt8(ascii: "\n"), within: last + 1 - start) + 1
            issues += 1
        }
    }

    /// The number of issues from which there must be more elements than issues.
    private static var toleratedIssues: Int { 16 }

    /// Whether to decode on after a number of issues.
    private func mayFail(_ task: BatchTask, again issues: Int) -> Bool {
        (issues < Self.toleratedIssues || issues < elements.count) && !task.cancellation.isSet
    }

    /// Decodes lines up to the first one with an issue.
    ///
    /// - Returns: The length of the lines before.
    private func decodeLines(_ task: BatchTask, in lines: UnsafeBufferPointer<UInt8>) -> Int {
        var valid = 0
        let isValid = attempt(task) { stream throws(JSONModelError) in
            stream.continueLines()
            defer { valid = stream.framer.valueStart.lineStart - ElementStream.partOrigin }
            try stream.decode(lines)
            return !stream.isStopped
        }
        return isValid ? lines.count : valid
    }

    /// Decodes the elements of the text, except for those with issues.
    private func decodeElements(_ task: BatchTask) {
        let isValid = attempt(task) { stream throws(JSONModelError) in
            try stream.continueElements()
            try stream.decode(text)
            // The ignored element before the text counts, too.
            return !stream.isStopped && stream.elements.isBetweenElements
                && stream.elementIndex == elements.count + 1
        }
        if isValid { return append(0..<text.count) }
        elements.removeAll()
        var (start, issues) = (0, 0)
        // If most elements have issues, nothing is gained.
        while start < text.count, mayFail(task, again: issues) {
            let valid = decodeElements(task, in: text(start..<text.count))
            if valid > 0 { append(start..<start + valid) }
            // The element with an issue.
            start += valid
            var position = ArrayPosition.afterElement
            start += position.advance(over: text(start..<text.count), stopsAtElement: true)
            issues += 1
        }
    }

    /// Decodes elements up to the first one with an issue.
    ///
    /// - Returns: The length of the elements before.
    private func decodeElements(_ task: BatchTask, in text: UnsafeBufferPointer<UInt8>) -> Int {
        lastEnd = ElementStream.partOrigin
        _ = attempt(task) { stream throws(JSONModelError) in
            try stream.continueElements()
            locator = stream.elements.locateElements()
            defer { locator = nil }
            try stream.decode(text)
            return true
        }
        return lastEnd - ElementStream.partOrigin
    }

    /// Decodes elements with a stream of their own. Returns whether no issue was found.
    private func attempt(
        _ task: BatchTask, _ body: (ElementStream) throws(JSONModelError) -> Bool
    ) -> Bool {
        let hasIssue = SharedFlag()
        var decoder = task.decoder
        if task.notesIssues { decoder.options.issueHandler = { _ in hasIssue.isSet = true } }
        do throws(JSONModelError) {
            let stream = try ElementStream(
                decoder, task.shape, at: task.path, framing: task.framing,
                target: elements.makeRoom(), cancellation: task.cancellation
            ) { _ in true }
            defer { stream.reporter.interceptor = nil }
            stream.reporter.interceptor = { [self] target in
                if hasIssue.isSet {
                    stream.elements.layout.destroy(target)
                    return false
                }
                elements.append()
                if let locator { lastEnd = locator.end.offset }
                stream.elements.target = elements.makeRoom()
                return true
            }
            return try body(stream) && !hasIssue.isSet
        } catch {
            return false
        }
    }

    // MARK: Elements

    /// Passes elements to a stream, which may end before the last one.
    ///
    /// - Parameter end: The number of elements after which to end.
    /// - Throws: The error of the receiver of the last element that was passed.
    func deliver(upTo end: Int, to stream: ElementStream) throws {
        while deliveredCount < end, !stream.isStopped {
            deliveredCount += 1
            if !stream.reporter.lendsElements { elements.removeMoved(upTo: deliveredCount) }
            _ = try stream.reporter.show(elements.address(deliveredCount - 1))
        }
    }

    /// Destroys the elements, except for those that were moved out of the batch.
    func removeElements() { elements.removeAll() }
}
