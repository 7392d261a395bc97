/// The scanner source: keeps the windows that the scanner reads.
///
/// The caller's bytes are read in place, except the last few, which are copied to a padded window so that the scanner never
/// reads beyond the caller's bytes. An incomplete token in the window is joined with the beginning of the next chunk.
struct ScannerSource: ~Copyable, TokenSource {
    /// The first memory of the scanner and of the window. Both allocate other memory if the block is too small.
    private let block = ThreadSlab()
    private var scanner: Scanner
    private var window: TokenWindow
    private var hasBegun = false
    /// The length of the open token at the last failed attempt.
    private var tried = 0
    private var wait = TokenWait()
    /// The number of bytes fed.
    private(set) var taken = 0
    /// The offset of the first byte fed.
    private var start: Int
    private let addressOnly = AddressOnly()

    /// - Parameter origin: The lines of the input before the document.
    @inline(__always)
    init(limits: JSONLimits, after origin: LineCount = LineCount()) {
        let half = ThreadSlab.size / 2
        scanner = Scanner(limits: limits, in: Region(start: block.start, size: half), after: origin)
        window = TokenWindow(in: Region(start: block.start + half, size: half))
        start = origin.offset
    }

    var isStopped: Bool { scanner.isStopped }

    /// Whether the source can read another document: the last one is complete, and no value was recorded or replayed.
    var isReusable: Bool { !isStopped && scanner.isComplete && scanner.recorder.isUnused }

    /// Begins another document, if the source is reusable.
    ///
    /// - Parameter origin: The lines of the input before the document.
    @inline(__always)
    mutating func beginDocument(after origin: LineCount) {
        scanner.beginDocument(after: origin)
        if !window.isEmpty { window.keep(last: 0) }
        (hasBegun, tried, taken, start) = (false, 0, 0, origin.offset)
        wait.reset()
    }

    var openLength: Int { window.count }

    var offset: Int { scanner.text.chunkOffset + window.count }

    var rejection: Rejection? { scanner.rejection }

    /// The token that is not complete.
    var openToken: OpenToken {
        if isStopped || scanner.isSkipping { return .none }
        return OpenToken(window.bytes.first { !$0.isBlank }, expecting: scanner.expectation)
    }

    func readOpenText(_ text: inout OpenText) {
        let bytes = window.bytes
        guard let quote = bytes.firstIndex(where: { !$0.isBlank }) else { return }
        text.begin(at: scanner.text.chunkOffset + quote)
        text.append(UnsafeBufferPointer(rebasing: bytes.dropFirst(quote + 1 + text.readCount)))
    }

    mutating func locatedAtEnd(_ issue: JSONIssue) -> JSONIssue {
        let end = scanner.text.end
        return scanner.text.located(issue, from: end, to: end)
    }

    func locatedBehindOpenToken(_ issue: JSONIssue) -> JSONIssue {
        var text = scanner.text
        if !isStopped { text.begin(window.bytes) }
        let end = text.end
        return text.located(issue, from: end, to: end)
    }

    // MARK: Feeding

    mutating func run(
        _ whole: UnsafeBufferPointer<UInt8>, to sink: inout some TokenSink & ~Copyable
    ) throws(JSONModelError) {
        try run(whole, margins: .none, to: &sink)
    }

    /// Consumes complete input in one chunk.
    ///
    /// - Parameter margins: The readable bytes around the chunk. With enough bytes after the chunk, its end is read in place. No token
    ///   continues after a line feed.
    mutating func run(
        _ whole: UnsafeBufferPointer<UInt8>, margins: TextMargins, to sink: inout some TokenSink & ~Copyable
    ) throws(JSONModelError) {
        defer { if isStopped { scanner.text.retireRest() } }
        begin(whole, &sink)
        let bytes = scanner.text.bytes
        let allowed = within(bytes)
        let isWhole = allowed.count == bytes.count
        if !isStopped {
            // One less than the slack, so that `safeEnd` is the last byte: the scanner also examines the byte after `safeEnd`.
            let after = isWhole ? min(margins.after, Scanner.slack - 1) : 0
            read(allowed, isLast: isWhole, margins: TextMargins(before: margins.before, after: after), &sink)
        }
        if allowed.count < bytes.count, !isStopped { rejectLength(&sink) }
        try rethrow()
    }

    mutating func feed(
        _ chunk: UnsafeBufferPointer<UInt8>, to sink: inout some TokenSink & ~Copyable
    ) throws(JSONModelError) {
        if isStopped { return }
        defer { taken += chunk.count }
        if hasBegun || window.isEmpty && Encoding.isDetermined(by: chunk) {
            takeNext(chunk, &sink)
        } else {
            window.append(chunk)
            if Encoding.isDetermined(by: window.bytes) { takeFirst(&sink) }
        }
        guard let rejection else { return }
        // The rest of the chunk, if the error was in the window.
        rejection.excerpt?.take(chunk, at: start + taken)
        throw rejection.error
    }

    mutating func finish(_ sink: inout some TokenSink & ~Copyable) throws(JSONModelError) {
        if !hasBegun { takeFirst(&sink) }
        defer { scanner.text.retireRest() }
        if !isStopped, !scanner.isComplete {
            scanner.text.begin(window.bytes)
            read(scanner.text.bytes, isLast: true, &sink)
        }
        try rethrow()
    }

    mutating func checkOpenToken(_ sink: inout some TokenSink & ~Copyable) throws(JSONModelError) {
        if !hasBegun { takeFirst(&sink) }
        if !isStopped, !scanner.isComplete {
            scanner.text.begin(window.bytes)
            defer { scanner.text.retireRest() }
            scanner.move(
                to: window.bytes, at: scanner.text.chunkOffset, margins: TokenWindow.margins, endsTokens: false)
            _ = scanner.rejectToken(scanner.cursor, scanner.expectation, &sink)
        }
        try rethrow()
    }

    var isAfterValue: Bool {
        !isStopped && window.isEmpty && scanner.expectation == .commaOrClose && !scanner.isComplete
            && !scanner.recorder.isOn
    }

    mutating func setContext(_ bytes: [UInt8]) { scanner.text.setContext(bytes) }

    mutating func setDocumentStart(_ offset: Int) { scanner.text.setDocumentStart(offset) }

    mutating func skip(_ bytes: UnsafeBufferPointer<UInt8>, _ lines: LineCount) {
        scanner.text.skip(bytes, lines)
        taken += bytes.count
    }

    private func rethrow() throws(JSONModelError) {
        if let error = rejection?.error { throw error }
    }

    /// Returns the bytes within the document limit. Their errors are reported first, however the input is cut.
    @inline(__always)
    private func within(_ bytes: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(
            rebasing: bytes.prefix(max(scanner.text.end(ofDocumentWithin: scanner.limits.document) - offset, 0)))
    }

    private mutating func rejectLength(_ sink: inout some TokenSink & ~Copyable) {
        let limit = scanner.limits.document
        // If the limit falls in a byte order mark, the input begins after the mark.
        let end = scanner.text.end(ofDocumentWithin: limit)
        scanner.reject(.limitExceeded(.document, limit: limit), at: max(end, scanner.text.chunkOffset), &sink)
    }

    /// Examines the encoding and byte order mark of the input's first bytes, which become the current chunk.
    @inline(__always)
    private mutating func begin(
        _ bytes: UnsafeBufferPointer<UInt8>, _ sink: inout some TokenSink & ~Copyable
    ) {
        hasBegun = true
        scanner.text.begin(bytes)
        if let encoding = Encoding.other(bytes) {
            scanner.reject(.unsupportedEncoding(encoding), at: scanner.text.origin, &sink)
        } else if scanner.text.origin == 0, Encoding.hasByteOrderMark(bytes) {
            scanner.text.dropByteOrderMark()
        }
    }

    /// Consumes the first bytes, which the window has collected.
    private mutating func takeFirst(_ sink: inout some TokenSink & ~Copyable) {
        let first = Array(window.bytes)
        window.keep(last: 0)
        first.withUnsafeBufferPointer { takeNext($0, &sink) }
    }

    /// Consumes the next bytes. Afterwards no reference to their memory remains, also after an error.
    private mutating func takeNext(
        _ bytes: UnsafeBufferPointer<UInt8>, _ sink: inout some TokenSink & ~Copyable
    ) {
        defer { scanner.text.retireRest() }
        if hasBegun { return take(bytes, &sink) }
        begin(bytes, &sink)
        if !isStopped { take(scanner.text.bytes, &sink) }
    }

    /// Consumes the next bytes, up to the document limit.
    private mutating func take(
        _ chunk: UnsafeBufferPointer<UInt8>, _ sink: inout some TokenSink & ~Copyable
    ) {
        let allowed = within(chunk)
        var rest = allowed
        while !rest.isEmpty, !isStopped {
            if window.isEmpty {
                scanner.text.begin(rest)
                read(rest, isLast: false, &sink)
                retire(&sink)
                break
            }
            join(&rest, &sink)
        }
        if allowed.count < chunk.count, !isStopped { rejectLength(of: chunk.dropFirst(allowed.count), &sink) }
    }

    /// Rejects bytes beyond the document limit.
    @inline(never)
    private mutating func rejectLength(
        of over: Slice<UnsafeBufferPointer<UInt8>>, _ sink: inout some TokenSink & ~Copyable
    ) {
        readWindow(&sink)
        if isStopped { return }
        window.append(UnsafeBufferPointer(rebasing: over.prefix(LookbackBuffer.reach)))
        scanner.text.begin(window.bytes)
        rejectLength(&sink)
    }

    /// Completes the token in the window with the beginning of the chunk.
    private mutating func join(
        _ rest: inout UnsafeBufferPointer<UInt8>, _ sink: inout some TokenSink & ~Copyable
    ) {
        let piece = UnsafeBufferPointer(rebasing: rest.prefix(max(256, window.count)))
        window.append(piece)
        rest = UnsafeBufferPointer(rebasing: rest.dropFirst(piece.count))
        if tried > 0, !mayEnd(in: piece) { return }
        readWindow(&sink)
        // The rest of the window is part of the chunk, and is read there.
        if !rest.isEmpty, window.count <= piece.count, !isStopped {
            rest = UnsafeBufferPointer(start: rest.baseAddress! - window.count, count: rest.count + window.count)
            window.keep(last: 0)
        }
    }

    /// Whether the token in the window may end in its last bytes, so that the scanner reads the token again.
    private mutating func mayEnd(in last: UnsafeBufferPointer<UInt8>) -> Bool {
        let bytes = window.bytes
        return wait.mayEnd(
            in: last, first: window.start.pointee, isKey: scanner.expectation.isKey, length: bytes.count,
            tried: tried, limits: scanner.limits,
            begun: OpenString(UnsafeBufferPointer(rebasing: bytes.dropLast(last.count).dropFirst())))
    }

    private mutating func readWindow(_ sink: inout some TokenSink & ~Copyable) {
        scanner.text.begin(window.bytes)
        read(scanner.text.bytes, isLast: false, &sink)
        retire(&sink)
    }

    /// Passes bytes of the current chunk to the scanner. Unconsumed bytes remain in the window.
    private mutating func read(
        _ bytes: UnsafeBufferPointer<UInt8>, isLast: Bool, margins: TextMargins = .none,
        _ sink: inout some TokenSink & ~Copyable
    ) {
        let start = scanner.text.chunkOffset
        if scanner.isComplete { return scanner.checkTrailing(in: bytes, at: start, &sink) }
        var pause = Scanner.Pause.more
        var left = bytes
        if bytes.count + margins.after > Scanner.slack, bytes.baseAddress != UnsafePointer(window.start) {
            scanner.move(to: bytes, at: start, margins: margins, endsTokens: margins.after > 0)
            pause = scanner.advance(&sink)
            if pause == .more {
                // White space after the chunk may have been passed over.
                let consumed = min(scanner.cursor - bytes.baseAddress!, bytes.count)
                left = UnsafeBufferPointer(rebasing: bytes[consumed...])
            }
        }
        if pause == .more {
            window.set(left)
            scanner.isFinal = isLast
            scanner.move(
                to: window.bytes, at: start + (bytes.count - left.count), margins: TokenWindow.margins,
                endsTokens: isLast)
            pause = scanner.advance(&sink)
        }
        if pause == .complete {
            let behind = scanner.offset(of: scanner.cursor)
            scanner.checkTrailing(in: UnsafeBufferPointer(rebasing: bytes[(behind - start)...]), at: behind, &sink)
        }
    }

    /// Releases the current chunk up to the scanner's position.
    private mutating func retire(_ sink: inout some TokenSink & ~Copyable) {
        if isStopped { return }
        let end = scanner.text.end
        let behind = scanner.isComplete ? end : scanner.offset(of: scanner.cursor)
        scanner.recorder.keep(&scanner.text, to: behind)
        if behind < end { rejectOverlongToken(scanner.text.byte(at: behind), length: end - behind, &sink) }
        if isStopped { return }
        scanner.text.retire(upTo: behind)
        window.keep(last: end - behind)
        tried = window.count
        wait.reset()
    }

    /// Rejects an open token that already exceeds its limit.
    private mutating func rejectOverlongToken(
        _ first: UInt8, length: Int, _ sink: inout some TokenSink & ~Copyable
    ) {
        if length > scanner.limits.maximumOpenLength(first, isKey: scanner.expectation.isKey) {
            _ = scanner.rejectToken(scanner.cursor, scanner.expectation, &sink)
        }
    }
}

/// The numbers of readable bytes around a text. The first byte after the text is a line feed or zero, unless none is readable.
package struct TextMargins {
    package var before: Int
    package var after: Int

    package static var none: TextMargins { TextMargins(before: 0, after: 0) }
}
