import Dispatch
import Synchronization

/// Whole lines of an input, and their elements, which another thread decodes.
///
/// Invariants: One thread uses a batch at a time: the thread that removes the batch from the pending ones, and then the thread that
/// waits for the batch. The elements from `passed` to `count` are initialized, in blocks of `blockCapacity`.
/// The last block has room for the next element.
final class TextBatch<Element: JSONConvertible>: @unchecked Sendable {
    /// The lines.
    var text: [UInt8] = []
    /// The position of the text in the input.
    private var start = LineCount()
    /// The position after the text, when the text ends with a line break.
    private(set) var end = LineCount()
    private var hasIssues = false
    private let done = DispatchSemaphore(value: 0)
    private let isDecoded = Atomic(false)

    // Memory that is not generic: metadata of generic types would be looked up for each element.
    private var blocks = BlockList()
    private let blockCapacity = max(32_768 / MemoryLayout<Element>.stride, 1)
    private var count = 0
    private var passed = 0

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
    func decode(_ decoder: JSONModelDecoder, at path: JSONPath) {
        hasIssues = true
        defer {
            isDecoded.store(true, ordering: .relaxed)
            done.signal()
        }
        let hasIssue = IssueFlag()
        var decoder = decoder
        // The stream that receives the elements reports issues, progress and the summary.
        if decoder.options.issueHandler != nil { decoder.options.issueHandler = { _ in hasIssue.set() } }
        (decoder.options.progressHandler, decoder.options.summaryHandler) = (nil, nil)
        decoder.options.elementErrors = .throw
        if blocks.count == 0 { addBlock() }
        do throws(JSONModelError) {
            let stream = try ElementStream(
                decoder, JSONShape.unretained(of: Element.self), at: path, framing: .lines, target: blocks[0].start
            ) { _ in true }
            stream.begin(at: start)
            defer { stream.receive = { _ in true } }
            stream.receive = { [self] _ in
                count += 1
                if count == blocks.count * blockCapacity { addBlock() }
                stream.target = address(count)
                return true
            }
            try text.withUnsafeBufferPointer { bytes throws(JSONModelError) in try stream.decode(bytes) }
            try stream.finish()
            hasIssues = hasIssue.isSet
        } catch {}
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
    func pass(to stream: ElementStream) throws(JSONModelError) {
        defer { removeElements() }
        while passed < count, !stream.isStopped {
            let element = address(passed)
            passed += 1
            do { _ = try stream.pass(element) } catch {
                throw stream.stopped(by: error, at: position(ofValue: passed - 1))
            }
        }
    }

    /// Returns the position of a value in the input.
    private func position(ofValue index: Int) -> LineCount {
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
