/// The scanner source: keeps the windows that the scanner reads.
///
/// The caller's bytes are read in place, except the last few, which are copied to a padded window so that the scanner never
/// reads beyond the caller's bytes. An incomplete token in the window is joined with the beginning of the next chunk.
struct ScannerSource<Sink: TokenSink & ~Copyable>: ~Copyable, TokenSource {
    /// The first memory of the scanner and of the window. Both allocate other memory if the block is too small.
    private let block = ThreadBlock()
    private var scanner: Scanner<Sink>
    private var window: ScannerWindow
    private var hasBegun = false
    /// The length of the open token at the last failed attempt.
    private var tried = 0
    /// The search for the end of a long open string.
    private var openString: OpenString?
    /// The number of bytes fed.
    private(set) var taken = 0

    /// - Parameter origin: The lines of the input before the document.
    @inline(__always)
    init(_ sink: consuming Sink, limits: JSONLimits, after origin: LineCount = LineCount()) {
        let half = ThreadBlock.size / 2
        scanner = Scanner(sink, limits: limits, in: Region(start: block.start, size: half), after: origin)
        window = ScannerWindow(in: Region(start: block.start + half, size: half))
    }

    var collectedIssues: [JSONIssue] { scanner.sink.collectedIssues }

    var isStopped: Bool { scanner.isStopped }

    var openLength: Int { window.count }

    var offset: Int { scanner.text.chunkOffset + window.count }

    mutating func takeResult() -> Bool { scanner.sink.takeResult() }

    var refusal: Refusal? { scanner.refusal }

    mutating func closeOpen(behind issue: JSONIssue) -> Bool {
        scanner.capture.closeOpen(&scanner.sink, behind: issue)
    }

    /// The token that is not complete.
    var openToken: OpenToken {
        if isStopped { return .none }
        return OpenToken(window.bytes, expecting: scanner.expectation)
    }

    /// Calls a closure with the sink.
    func withSink<R>(_ body: (borrowing Sink) -> R) -> R { body(scanner.sink) }

    /// Calls a closure that changes the sink.
    mutating func withMutableSink<R>(_ body: (inout Sink) -> R) -> R { body(&scanner.sink) }

    mutating func located(_ kind: JSONIssue.Kind) -> JSONModelError {
        let end = scanner.text.end
        return JSONModelError(issues: [scanner.text.located(scanner.sink.issue(kind), from: end, to: end)])
    }

    /// Returns an issue at the end of the bytes that were fed, which include the token that is not complete.
    func issueAtEnd(_ kind: JSONIssue.Kind) -> JSONIssue {
        var text = scanner.text
        if !isStopped { text.begin(window.bytes) }
        let end = text.end
        return text.located(scanner.sink.issue(kind), from: end, to: end)
    }

    // MARK: Feeding

    mutating func run(_ whole: UnsafeBufferPointer<UInt8>) throws(JSONModelError) {
        try run(whole, padding: 0)
    }

    /// Consumes complete input in one chunk.
    ///
    /// - Parameter padding: The number of readable bytes after the chunk, the first of which is a line feed; or 0. With enough of
    ///   them, the end of the chunk is read in place. No token continues after a line feed.
    mutating func run(_ whole: UnsafeBufferPointer<UInt8>, padding: Int) throws(JSONModelError) {
        defer { if isStopped { scanner.text.retireRest() } }
        begin(whole)
        let bytes = scanner.text.bytes
        let allowed = within(bytes)
        let isWhole = allowed.count == bytes.count
        if !isStopped {
            // One less than the slack, so that `near` is the last byte: the scanner also examines the byte after `near`.
            read(allowed, isLast: isWhole, padding: isWhole ? min(padding, Scanner<Sink>.slack - 1) : 0)
        }
        if allowed.count < bytes.count, !isStopped { refuseLength() }
        try rethrow()
    }

    mutating func feed(_ chunk: UnsafeBufferPointer<UInt8>) throws(JSONModelError) {
        try rethrow()
        if isStopped { return }
        defer { taken += chunk.count }
        if hasBegun || window.isEmpty && chunk.count >= 4 {
            takeNext(chunk)
        } else {
            // Four bytes identify the encoding.
            window.append(chunk)
            if window.count >= 4 { takeFirst() }
        }
        // The rest of the chunk, if the error was in the window.
        scanner.refusal?.excerpt?.take(chunk, at: taken)
        try rethrow()
    }

    mutating func finish() throws(JSONModelError) {
        if !hasBegun { takeFirst() }
        defer { scanner.text.retireRest() }
        if !isStopped, !scanner.isComplete {
            scanner.text.begin(window.bytes)
            read(scanner.text.bytes, isLast: true)
        }
        try rethrow()
    }

    private func rethrow() throws(JSONModelError) {
        if let error = refusal?.error { throw error }
    }

    /// Returns the bytes within the document limit. Their errors are reported first, however the input is cut.
    private func within(_ bytes: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(
            rebasing: bytes.prefix(max(scanner.text.end(ofDocumentWithin: scanner.limits.document) - offset, 0)))
    }

    private mutating func refuseLength() {
        let limit = scanner.limits.document
        // If the limit falls in a byte order mark, the input begins after the mark.
        let end = scanner.text.end(ofDocumentWithin: limit)
        scanner.refuse(.limitExceeded(.document, limit: limit), at: max(end, scanner.text.chunkOffset))
    }

    /// Examines the encoding and byte order mark of the input's first bytes, which become the current chunk.
    private mutating func begin(_ bytes: UnsafeBufferPointer<UInt8>) {
        hasBegun = true
        scanner.text.begin(bytes)
        if let encoding = Encoding.other(bytes) {
            scanner.refuse(.unsupportedEncoding(encoding), at: scanner.text.origin)
        } else if scanner.text.origin == 0, Encoding.hasByteOrderMark(bytes) {
            scanner.text.pass(3)
        }
    }

    /// Consumes the first bytes, which the window has collected.
    private mutating func takeFirst() {
        let first = Array(window.bytes)
        window.removeAll()
        first.withUnsafeBufferPointer { takeNext($0) }
    }

    /// Consumes the next bytes. Afterwards no reference to their memory remains, also after an error.
    private mutating func takeNext(_ bytes: UnsafeBufferPointer<UInt8>) {
        defer { scanner.text.retireRest() }
        if hasBegun { return take(bytes) }
        begin(bytes)
        if !isStopped { take(scanner.text.bytes) }
    }

    /// Consumes the next bytes, up to the document limit.
    private mutating func take(_ chunk: UnsafeBufferPointer<UInt8>) {
        var rest = within(chunk)
        let over = UnsafeBufferPointer(rebasing: chunk.dropFirst(rest.count).prefix(LookbackBuffer.reach))
        while !rest.isEmpty, !isStopped {
            if window.isEmpty {
                scanner.text.begin(rest)
                read(rest, isLast: false)
                retire()
                break
            }
            join(&rest)
        }
        if over.isEmpty || isStopped { return }
        readWindow()
        if isStopped { return }
        window.append(over)
        scanner.text.begin(window.bytes)
        refuseLength()
    }

    /// Completes the token in the window with the beginning of the chunk.
    private mutating func join(_ rest: inout UnsafeBufferPointer<UInt8>) {
        let piece = UnsafeBufferPointer(rebasing: rest.prefix(max(256, window.count)))
        window.append(piece)
        rest = UnsafeBufferPointer(rebasing: rest.dropFirst(piece.count))
        if tried >= 1024, !mayEnd(in: piece) { return }
        readWindow()
        // The rest of the window is part of the chunk, and is read there.
        if !rest.isEmpty, window.count <= piece.count, !isStopped {
            rest = UnsafeBufferPointer(start: rest.baseAddress! - window.count, count: rest.count + window.count)
            window.removeAll()
        }
    }

    /// Whether the long token in the window may end in its last bytes, so that the scanner reads the token again.
    ///
    /// A string is read when its closing quote has arrived, or when it is too long. Another token is read when its length has
    /// doubled. So the time is linear.
    private mutating func mayEnd(in last: UnsafeBufferPointer<UInt8>) -> Bool {
        guard window.start.pointee == UInt8(ascii: "\"") else { return window.count >= tried * 2 }
        if window.count > scanner.limits.longestOpen(UInt8(ascii: "\"")) { return true }
        if openString == nil {
            var begun = OpenString()
            let isComplete = begun.ends(
                in: UnsafeBufferPointer(rebasing: window.bytes.dropLast(last.count).dropFirst()))
            // A key waits for its colon.
            if isComplete { return window.count >= tried * 2 }
            openString = begun
        }
        return openString?.ends(in: last) == true
    }

    private mutating func readWindow() {
        scanner.text.begin(window.bytes)
        read(scanner.text.bytes, isLast: false)
        retire()
    }

    /// Passes bytes of the current chunk to the scanner. Unconsumed bytes remain in the window.
    private mutating func read(_ bytes: UnsafeBufferPointer<UInt8>, isLast: Bool, padding: Int = 0) {
        let start = scanner.text.chunkOffset
        if scanner.isComplete { return scanner.checkTrailing(in: bytes, at: start) }
        var pause = Scanner<Sink>.Pause.more
        var left = bytes
        if bytes.count + padding > Scanner<Sink>.slack, bytes.baseAddress != UnsafePointer(window.start) {
            scanner.move(to: bytes, at: start, padding: padding)
            pause = scanner.advance()
            if pause == .more {
                // White space after the chunk may have been passed over.
                let consumed = min(scanner.cursor - bytes.baseAddress!, bytes.count)
                left = UnsafeBufferPointer(rebasing: bytes[consumed...])
            }
        }
        if pause == .more {
            window.set(left)
            scanner.isFinal = isLast
            scanner.move(to: window.bytes, at: start + (bytes.count - left.count), padding: ScannerWindow.padding)
            pause = scanner.advance()
        }
        if pause == .complete {
            let behind = scanner.offset(of: scanner.cursor)
            scanner.checkTrailing(in: UnsafeBufferPointer(rebasing: bytes[(behind - start)...]), at: behind)
        }
    }

    /// Releases the current chunk up to the scanner's position.
    private mutating func retire() {
        if isStopped { return }
        let text = scanner.text
        let behind = scanner.isComplete ? text.end : scanner.offset(of: scanner.cursor)
        scanner.capture.keep(&scanner.text, to: behind)
        if behind < text.end { refuseOverlongToken(text.byte(at: behind), length: text.end - behind) }
        if isStopped { return }
        scanner.text.retire(upTo: behind)
        window.keep(last: text.end - behind)
        tried = window.count
        openString = nil
    }

    /// Rejects an open token that already exceeds its limit.
    private mutating func refuseOverlongToken(_ first: UInt8, length: Int) {
        if length > scanner.limits.longestOpen(first) {
            _ = scanner.refuseToken(scanner.cursor, scanner.expectation)
        }
    }
}

/// The scanner source's own memory: bytes that wait for more, followed by zeros.
///
/// Invariant: the first `count` bytes are input, and `padding` zeros follow them.
struct ScannerWindow: ~Copyable {
    static let padding = 64

    private(set) var start: UnsafeMutablePointer<UInt8>
    private(set) var count = 0
    private var capacity: Int
    /// The first memory of the window.
    private let region: Region
    private var isAllocated: Bool { UnsafeMutableRawPointer(start) != region.start }

    init(in region: Region) {
        self.region = region
        start = region.start.assumingMemoryBound(to: UInt8.self)
        capacity = region.size - Self.padding
        pad()
    }

    deinit { if isAllocated { start.deallocate() } }

    var isEmpty: Bool { count == 0 }

    var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: start, count: count) }

    private func pad() { (start + count).initialize(repeating: 0, count: Self.padding) }

    mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let from = bytes.baseAddress else { return }
        reserve(count + bytes.count)
        (start + count).update(from: from, count: bytes.count)
        count += bytes.count
        pad()
    }

    /// Replaces the contents with bytes, which may be part of the window.
    mutating func set(_ bytes: UnsafeBufferPointer<UInt8>) {
        if bytes.baseAddress == UnsafePointer(start), bytes.count == count { return }
        count = 0
        append(bytes)
    }

    /// Keeps only the last bytes. Frees the memory of a long token.
    mutating func keep(last left: Int) {
        if capacity > 1 << 20, left < capacity / 8 {
            var smaller = ScannerWindow(in: region)
            smaller.append(UnsafeBufferPointer(start: start + (count - left), count: left))
            self = smaller
            return
        }
        start.update(from: start + (count - left), count: left)
        count = left
        pad()
    }

    mutating func removeAll() {
        count = 0
        pad()
    }

    private mutating func reserve(_ wanted: Int) {
        guard wanted > capacity else { return }
        capacity = max(wanted, capacity * 2)
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity + Self.padding)
        larger.update(from: start, count: count)
        if isAllocated { start.deallocate() }
        start = larger
    }
}
