import Dispatch
import Synchronization

/// The work of the threads that decode batches.
struct BatchTask: Sendable {
    /// The content of the text of a batch.
    enum Content {
        /// Whole lines, each of which is an element.
        case lines
        /// A part of an array of elements.
        case elements(ElementBorder)
    }

    /// The decoder. The stream that receives the elements reports issues, progress and the summary.
    let decoder: JSONModelDecoder
    /// Whether the issues that a decoder reports, and does not throw, are noted.
    let notesIssues: Bool
    let path: JSONPath
    let content: Content

    init(_ stream: ElementStream, _ content: Content) {
        var decoder = stream.decoder
        notesIssues = decoder.options.issueHandler != nil
        var options = decoder.options
        (options.issueHandler, options.progressHandler, options.summaryHandler) = (nil, nil, nil)
        options.elementErrors = .throw
        // An issue ends a batch, which the stream then decodes.
        options.collectedLimit = nil
        options.workers = .exactly(1)
        // The stream that receives the elements checks the length of a document.
        if case .elements = content { options.limits.document = .max }
        decoder.options = options
        (self.decoder, self.content, path) = (decoder, content, stream.path)
    }

    var framing: JSONFraming { if case .lines = content { .lines } else { .document } }
}

/// A part of an input, and its elements, which another thread decodes.
///
/// Invariants: One thread uses a batch at a time: the thread that removes the batch from the pending ones, and then the thread that
/// waits for the batch. The elements from `passed` to `count` are initialized, in blocks of `blockCapacity`.
/// The last block has room for the next element.
final class TextBatch<Element: JSONConvertible>: @unchecked Sendable {
    var text: [UInt8] = []
    /// The position of the text in the input.
    private var start = LineCount()
    /// The position after the text, when the text ends with a line break.
    private(set) var end = LineCount()
    /// The range of the text with the decoded elements of an array: from the end of the element before to the end of the last one.
    private(set) var elements = 0..<0
    /// The lines of these elements, from offset 0.
    private(set) var lines = LineCount()
    private var hasIssues = false
    private let done = DispatchSemaphore(value: 0)
    private let isDecoded = Atomic(false)

    // Memory that is not generic: metadata of generic types would be looked up for each element.
    private var blocks = BlockList()
    private let blockCapacity = max(32_768 / MemoryLayout<Element>.stride, 1)
    private(set) var count = 0
    private(set) var passed = 0

    deinit { removeElements() }

    /// Makes the batch empty. Keeps the memory.
    ///
    /// - Parameter start: The position of the next text.
    func removeAll(at start: LineCount) {
        removeElements()
        isDecoded.store(false, ordering: .relaxed)
        text.removeAll(keepingCapacity: true)
        self.start = start
    }

    /// Removes the bytes after the last line break, and returns them; nil if the text has no line break.
    func removeOpenLine() -> [UInt8]? {
        guard let feed = text.lastIndex(of: UInt8(ascii: "\n")) else { return nil }
        let open = Array(text[(feed + 1)...])
        text.removeLast(open.count)
        end = start
        text.withUnsafeBufferPointer { end.advance(over: $0) }
        return open
    }

    // MARK: Decoding

    /// Decodes the text.
    func decode(_ task: BatchTask) {
        hasIssues = true
        defer {
            isDecoded.store(true, ordering: .relaxed)
            done.signal()
        }
        if blocks.count == 0 { addBlock() }
        switch task.content {
        case .lines: hasIssues = !decodeLines(task)
        case .elements(let border): hasIssues = !decodeElements(task, after: border)
        }
    }

    /// Decodes lines, each of which is an element. Returns whether the text has no issues.
    private func decodeLines(_ task: BatchTask) -> Bool {
        attempt(task) { stream throws(JSONModelError) in
            stream.begin(at: start)
            try text.withUnsafeBufferPointer { bytes throws(JSONModelError) in try stream.decode(bytes) }
            try stream.finish()
            return true
        }
    }

    /// Decodes the elements after the first border in the text, which is a guess.
    ///
    /// - Returns: Whether elements were decoded without issues, and the end of the last one is known.
    private func decodeElements(_ task: BatchTask, after border: ElementBorder) -> Bool {
        text.withUnsafeBufferPointer { text in
            var start = 0
            // A wrong guess, such as a border in a string, usually fails in the first element.
            for _ in 0..<ElementBorder.attempts {
                guard let first = border.firstEnd(in: text, from: start) else { return false }
                var failure = 0
                let rest = UnsafeBufferPointer(rebasing: text[first...])
                let end = decodeElements(task, in: rest, endingIn: border.tail, &failure)
                if let end {
                    elements = first..<first + end
                    lines = LineCount()
                    lines.advance(over: UnsafeBufferPointer(rebasing: text[elements]))
                    return true
                }
                // An element after others is probably at fault itself.
                if count > 0, failure == 0 { return false }
                removeElements()
                start = first + max(failure, 1)
            }
            return false
        }
    }

    /// Decodes the elements of a text that begins after an element.
    ///
    /// - Parameters:
    ///   - tail: The length of the last part of the text, where the ends of elements are determined.
    ///   - failure: Receives the offset of a syntax error.
    /// - Returns: The end of the last complete element; nil if the text has an issue, ends the array, or has no element in its last
    ///   part.
    private func decodeElements(
        _ task: BatchTask, in text: UnsafeBufferPointer<UInt8>, endingIn tail: Int, _ failure: inout Int
    ) -> Int? {
        var end: Int?
        let isValid = attempt(task) { stream throws(JSONModelError) in
            let origin = try stream.continueElements()
            let split = max(text.count - tail, 0)
            do throws(JSONModelError) {
                try stream.decode(UnsafeBufferPointer(rebasing: text[..<split]))
                let locator = ElementLocator()
                stream.locate(with: locator)
                try stream.decode(UnsafeBufferPointer(rebasing: text[split...]))
                if locator.end.offset > origin { end = locator.end.offset - origin }
            } catch {
                if let issue = error.issues.last, Self.isSyntaxError(issue.kind) {
                    failure = min(max(issue.location.offset - origin, 0), text.count)
                }
                throw error
            }
            // The ignored element before the text counts, too.
            return !stream.isStopped && stream.elementIndex == count + 1
        }
        return isValid ? end : nil
    }

    private static func isSyntaxError(_ kind: JSONIssue.Kind) -> Bool {
        switch kind {
        case .syntax, .trailingContent: true
        default: false
        }
    }

    /// Decodes elements with a stream of their own. Returns whether no issue was found.
    private func attempt(
        _ task: BatchTask, _ body: (ElementStream) throws(JSONModelError) -> Bool
    ) -> Bool {
        let hasIssue = IssueFlag()
        var decoder = task.decoder
        if task.notesIssues { decoder.options.issueHandler = { _ in hasIssue.set() } }
        // The elements of a document are made in one memory, and those of lines where they stay.
        let isDocument = task.framing == .document
        let element = UnsafeMutablePointer<Element>.allocate(capacity: 1)
        defer { element.deallocate() }
        do throws(JSONModelError) {
            let stream = try ElementStream(
                decoder, JSONShape.unretained(of: Element.self), at: task.path, framing: task.framing,
                target: isDocument ? UnsafeMutableRawPointer(element) : blocks[0].start
            ) { _ in true }
            defer { stream.receive = { _ in true } }
            stream.receive = { [self] _ in
                if isDocument {
                    address(count).assumingMemoryBound(to: Element.self).moveInitialize(from: element, count: 1)
                }
                count += 1
                if count == blocks.count * blockCapacity { addBlock() }
                if !isDocument { stream.target = address(count) }
                return true
            }
            return try body(stream) && !hasIssue.isSet
        } catch {
            return false
        }
    }

    /// Whether the text is decoded, so that waiting for the batch takes no time.
    var isDone: Bool { isDecoded.load(ordering: .relaxed) }

    /// Waits until the text is decoded.
    ///
    /// - Returns: Whether the text has issues. The batch then has no elements.
    func waitForIssues() -> Bool {
        done.wait()
        // The other thread may still refer to the batch, and would otherwise destroy the elements at a later time.
        if hasIssues { removeElements() }
        return hasIssues
    }

    // MARK: Elements

    /// Passes the elements to a stream, which may end before the last one.
    ///
    /// - Throws: The error of the receiver of the last element that was passed.
    func pass(to stream: ElementStream) throws {
        while passed < count, !stream.isStopped {
            passed += 1
            _ = try stream.pass(address(passed - 1))
        }
    }

    /// Returns the position in the input of a value, which is a line.
    func position(ofValue index: Int) -> LineCount {
        let splitter = LineSplitter(at: start)
        text.withUnsafeBufferPointer { bytes in
            var rest = bytes
            for _ in 0...index { _ = splitter.next(in: &rest) }
        }
        return splitter.start
    }

    /// Destroys the elements that were not passed on.
    func removeElements() {
        while passed < count {
            address(passed).assumingMemoryBound(to: Element.self).deinitialize(count: 1)
            passed += 1
        }
        (passed, count) = (0, 0)
    }

    private func address(_ index: Int) -> UnsafeMutableRawPointer {
        let (block, position) = index.quotientAndRemainder(dividingBy: blockCapacity)
        return blocks[block].start + position * MemoryLayout<Element>.stride
    }

    private func addBlock() {
        blocks.append(
            size: blockCapacity * MemoryLayout<Element>.stride, alignment: MemoryLayout<Element>.alignment)
    }
}

/// Whether an issue was reported.
private final class IssueFlag: Sendable {
    private let flag = Atomic(false)

    func set() { flag.store(true, ordering: .relaxed) }

    var isSet: Bool { flag.load(ordering: .relaxed) }
}
