#if YAJL
import CKernels
import CYajl

/// The yajl source: owns the handle, feeds yajl, and sends the tokens to the driver.
///
/// In addition to the callbacks, the source closes gaps of yajl's grammar: form feed and vertical tab as white space, text
/// after the root value, byte order marks and other encodings, and offsets that depend on the chunks.
struct YajlSource<Sink: YajlSink & ~Copyable>: ~Copyable, TokenSource {
    /// The memory of the open containers.
    private let block: ThreadBlock
    private let memory: StateMemory
    private var state: UnsafeMutablePointer<YajlState<Sink>> {
        memory.address.assumingMemoryBound(to: YajlState<Sink>.self)
    }
    /// Chunks that wait until enough bytes are available (see `feed`).
    private var pending: [UInt8] = []
    /// The offset of an open token at the end of the fed bytes, or the end of the fed bytes.
    private var open: Int
    private var openByte: UInt8 = 0
    /// The search for the end of a long open string.
    private var openString: OpenString?
    private var hasBegun = false

    /// - Parameters:
    ///   - origin: The lines of the input before the document.
    ///   - callbacks: The table that yajl calls and keeps. Tests pass tables that also observe the calls.
    /// - Throws: An error that names the package to install, if the installed yajl cannot be used.
    init(
        _ driver: consuming Sink, limits: JSONLimits, after origin: LineCount = LineCount(),
        callbacks: UnsafePointer<yajl_callbacks> = Sink.callbacks
    ) throws(JSONModelError) {
        if let defect = YajlLibrary.defect { throw JSONModelError(.unsupportedLibrary(defect)) }
        let state = UnsafeMutablePointer<YajlState<Sink>>.allocate(capacity: 1)
        guard let handle = YajlHandle(callbacks, context: state) else {
            state.deallocate()
            throw JSONModelError(.unsupportedLibrary("libyajl could not allocate a parser"))
        }
        block = ThreadBlock()
        open = origin.offset
        state.initialize(
            to: YajlState(
                driver: driver, limits: limits, handle: handle, text: LookbackBuffer(after: origin),
                containers: OpenContainers(
                    limit: limits.depth, in: Region(start: block.start, size: ThreadBlock.size)),
                capture: RawCapture(limits: limits)))
        memory = StateMemory(address: state) { address in
            let state = address.assumingMemoryBound(to: YajlState<Sink>.self)
            state.deinitialize(count: 1)
            state.deallocate()
        }
    }

    /// Whether the parse ended, with an error or because the driver needs no more.
    var isStopped: Bool { state.pointee.refusal != nil || stoppedByDriver }
    private var stoppedByDriver = false

    /// The length of the open token in bytes. A window should be at least twice as large.
    var openLength: Int { state.pointee.text.chunkOffset - open }

    var taken: Int { offset }

    /// The number of bytes consumed.
    var offset: Int { state.pointee.text.end + pending.count }

    /// Consumes the next chunk of the input.
    ///
    /// yajl lexes a token that spans chunks from its start in each chunk. So while a long token is open, chunks are collected
    /// until the token may end.
    mutating func feed(_ chunk: UnsafeBufferPointer<UInt8>) throws(JSONModelError) {
        guard !isStopped else { return try rethrow() }
        let isNeeded = isNeeded(chunk)
        if pending.isEmpty, isNeeded { return try take(chunk) }
        pending += chunk
        if isNeeded { try flush() }
    }

    /// Whether yajl needs the pending bytes and the next chunk now.
    ///
    /// A long string is read when its closing quote has arrived, or when it is too long. Another long token is read when its
    /// length has doubled.
    private mutating func isNeeded(_ chunk: UnsafeBufferPointer<UInt8>) -> Bool {
        let count = pending.count + chunk.count
        // Four bytes identify the encoding.
        guard hasBegun else { return count >= 4 }
        if openLength < 1024 { return true }
        guard openByte == UInt8(ascii: "\"") else { return count >= openLength }
        if openLength + count > state.pointee.limits.longestOpen(openByte) { return true }
        if openString == nil {
            let text = state.pointee.text
            var begun = OpenString()
            _ = text.bytes(from: open + 1, to: text.end).withUnsafeBufferPointer { begun.ends(in: $0) }
            openString = begun
        }
        return openString?.ends(in: chunk) == true
    }

    /// Ends the input.
    ///
    /// - Throws: The first error in the input.
    mutating func finish() throws(JSONModelError) {
        if !isStopped, !pending.isEmpty { try flush() }
        try finishTaken()
    }

    /// Consumes complete input in one chunk.
    mutating func run(_ whole: UnsafeBufferPointer<UInt8>) throws(JSONModelError) {
        parse(whole)
        defer { if isStopped { state.pointee.text.retireRest() } }
        try finishTaken()
    }

    /// Hands the result from the driver to the caller, if one exists.
    func takeResult() -> Bool {
        state.pointee.driver.takeResult()
    }

    var collectedIssues: [JSONIssue] { state.pointee.driver.collectedIssues }

    var refusal: Refusal? { state.pointee.refusal }

    mutating func closeOpen(behind issue: JSONIssue) -> Bool {
        state.pointee.capture.closeOpen(&state.pointee.driver, behind: issue)
    }

    /// The token that is not complete.
    var openToken: OpenToken {
        if isStopped { return .none }
        let (text, expectation) = (state.pointee.text, state.pointee.grammar.expectation)
        return OpenToken(
            text.bytes(from: open, to: text.end) + pending, expecting: expectation)
    }

    /// Calls a closure with the sink.
    func withSink<R>(_ body: (borrowing Sink) -> R) -> R { body(state.pointee.driver) }

    /// Calls a closure that changes the sink.
    func withMutableSink<R>(_ body: (inout Sink) -> R) -> R { body(&state.pointee.driver) }

    /// Returns an error at the end of the input.
    func located(_ kind: JSONIssue.Kind) -> JSONModelError {
        let end = state.pointee.text.end
        return JSONModelError(issues: [
            state.pointee.text.located(state.pointee.driver.issue(kind), from: end, to: end)
        ])
    }

    // MARK: Feeding

    private mutating func flush() throws(JSONModelError) {
        let chunk = pending
        pending = []
        try chunk.withUnsafeBufferPointer { bytes throws(JSONModelError) in try take(bytes) }
        // Keep the memory for the next chunks.
        if pending.isEmpty {
            pending = chunk
            pending.removeAll(keepingCapacity: true)
        }
    }

    /// Consumes the next bytes. Afterwards no reference to their memory remains, also after an error.
    private mutating func take(_ chunk: UnsafeBufferPointer<UInt8>) throws(JSONModelError) {
        openString = nil
        defer { state.pointee.text.retireRest() }
        parse(chunk)
        if !isStopped { retire() }
        try rethrow()
    }

    private func rethrow() throws(JSONModelError) {
        if let error = refusal?.error { throw error }
    }

    /// Passes a chunk to yajl. Leaves errors in the state, so that the chunk's memory is still valid for locating them.
    private mutating func parse(_ chunk: UnsafeBufferPointer<UInt8>) {
        state.pointee.text.begin(chunk)
        state.pointee.lastEnd = nil
        if !hasBegun {
            hasBegun = true
            if let encoding = Encoding.other(chunk) { return refuse(.unsupportedEncoding(encoding), at: open) }
            if open == 0, Encoding.hasByteOrderMark(chunk) {
                state.pointee.text.pass(3)
                open = 3
            }
        }
        let whole = UnsafeBufferPointer(start: state.pointee.text.chunk, count: state.pointee.text.count)
        // Examine the bytes within the limit first: their errors are reported first, however the input is cut.
        let allowed = max(documentEnd - state.pointee.text.chunkOffset, 0)
        parseAllowed(UnsafeBufferPointer(rebasing: whole.prefix(allowed)))
        if allowed < whole.count, !isStopped {
            let limit = state.pointee.limits.document
            // If the limit falls in a byte order mark, the input begins after the mark.
            let place = max(documentEnd, state.pointee.text.chunkOffset)
            var walk = self.walk(to: place)
            // The fault of a token that the limit cuts. yajl has not seen its end.
            let fault = walk.fault()
            let isCut = fault.kind == .unexpectedEnd
            refuse(isCut ? .limitExceeded(.document, limit: limit) : fault.kind, at: isCut ? place : fault.offset)
        }
    }

    private mutating func parseAllowed(_ bytes: UnsafeBufferPointer<UInt8>) {
        if state.pointee.isComplete { return checkTrailing(from: 0, of: bytes) }
        // Both are errors anywhere: yajl accepts them as white space and inside strings.
        let bad = ControlBytes.firstVerticalTabOrFormFeed(bytes)
        switch yajl_parse(state.pointee.handle.address, bytes.baseAddress, bad ?? bytes.count) {
        case yajl_status_ok:
            if state.pointee.isComplete {
                checkTrailing(from: Int(yajl_get_bytes_consumed(state.pointee.handle.address)), of: bytes)
            } else if let bad {
                refuseControl(at: bad)
            }
        case yajl_status_client_canceled:
            stoppedByDriver = true
        default:
            diagnose()
        }
    }

    /// Completes a number at the end of the input by passing yajl a space.
    private func closeLastToken(at position: UnsafePointer<UInt8>) -> yajl_status {
        state.pointee.closingPosition = position
        defer { state.pointee.closingPosition = nil }
        var blank = UInt8(ascii: " ")
        return yajl_parse(state.pointee.handle.address, &blank, 1)
    }

    private mutating func refuseControl(at index: Int) {
        let text = state.pointee.text
        if closeLastToken(at: text.chunk + index) == yajl_status_client_canceled {
            stoppedByDriver = true
            return
        }
        let offset = text.chunkOffset + index
        if state.pointee.isComplete { return refuse(.trailingContent, at: offset) }
        diagnose(end: offset + 1)
    }

    private mutating func checkTrailing(from start: Int, of bytes: UnsafeBufferPointer<UInt8>) {
        for index in start..<bytes.count where !bytes[index].isBlank {
            return refuse(.trailingContent, at: state.pointee.text.chunkOffset + index)
        }
    }

    /// The offset at which a document of the greatest allowed length ends.
    private var documentEnd: Int { state.pointee.text.end(ofDocumentWithin: state.pointee.limits.document) }

    private func refuse(_ kind: JSONIssue.Kind, at offset: Int) {
        state.pointee.refuse(kind, at: offset)
    }

    /// Finds the error that made yajl fail, independently of the chunks. (yajl's own offset cannot be used: it depends on the
    /// chunks, and is wrong after some errors.)
    private func diagnose(end: Int? = nil) {
        var walk = self.walk(to: end ?? state.pointee.text.end)
        let fault = walk.fault()
        state.pointee.refuse(fault)
    }

    /// Returns a diagnosis of the input from the last complete string or number on.
    private func walk(to end: Int) -> SyntaxDiagnosis {
        let depth = state.pointee.depth
        return SyntaxDiagnosis(
            text: state.pointee.text, at: firstUnread, end: end, limits: state.pointee.limits,
            grammar: state.pointee.grammar, isInObject: depth > 0 && state.pointee.containers.view.isObject(depth))
    }

    /// The offset after the chunk's last complete string or number. Without one, the start of the open token.
    private var firstUnread: Int {
        let text = state.pointee.text
        if let last = state.pointee.lastEnd { return text.offset(of: last) }
        return open
    }

    // MARK: The end

    private mutating func finishTaken() throws(JSONModelError) {
        try rethrow()
        if stoppedByDriver { return }
        if state.pointee.isComplete { return }
        let text = state.pointee.text
        state.pointee.isAtEnd = true
        if closeLastToken(at: text.chunk + text.count) == yajl_status_client_canceled { stoppedByDriver = true }
        try rethrow()
        if !stoppedByDriver, !state.pointee.isComplete { diagnoseEnd() }
        try rethrow()
    }

    private mutating func diagnoseEnd() {
        let text = state.pointee.text
        // Before the open token is searched: the diagnosis begins at the start of the chunk.
        var walk = self.walk(to: text.end)
        findOpenToken(text)
        var fault = walk.fault()
        if fault.kind == .unexpectedEnd, state.pointee.depth == 0, open == text.end {
            fault = .init(.emptyInput, at: text.end)
        }
        state.pointee.refuse(fault)
    }

    // MARK: Between chunks

    /// Finds the open token at the end of the chunk, and releases the chunk.
    private mutating func retire() {
        let text = state.pointee.text
        var walk = self.walk(to: 0)
        findOpenToken(text)
        // The chunk's punctuation before the open token is released, so keep the resulting grammar state.
        walk.end = open
        _ = walk.fault()
        state.pointee.grammar = walk.grammar
        state.pointee.capture.keep(&state.pointee.text, to: text.end)
        state.pointee.text.retire(open: open)
        state.pointee.lastEnd = nil
        refuseOverlongToken()
    }

    /// Rejects an open token that already exceeds its limit.
    private func refuseOverlongToken() {
        guard openByte != 0, openLength > state.pointee.limits.longestOpen(openByte) else { return }
        var walk = self.walk(to: state.pointee.text.end)
        let fault = walk.fault()
        // A key has its own limit, and a literal has none.
        if fault.kind != .unexpectedEnd { refuse(fault.kind, at: fault.offset) }
    }

    /// Finds the open token. After the last complete string or number follow punctuation, literals and at most one open token.
    private mutating func findOpenToken(_ text: LookbackBuffer) {
        guard text.count > 0 else { return }
        var at: Int
        if let last = state.pointee.lastEnd {
            at = last - text.chunk
        } else if open < text.chunkOffset, openByte == UInt8(ascii: "\"") || Self.isNumberByte(openByte) {
            return
        } else {
            at = 0
        }
        var literal: Int?
        while at < text.count {
            let byte = text.chunk[at]
            if byte == UInt8(ascii: "\"") || Self.isNumberByte(byte) {
                open = text.chunkOffset + at
                openByte = byte
                return
            }
            let isLetter = byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "z")
            if !isLetter { literal = nil } else if literal == nil { literal = at }
            at += 1
        }
        if let literal {
            // A literal at the start of the chunk may continue an open one.
            let goesOn = literal == 0 && state.pointee.lastEnd == nil && openByte == UInt8(ascii: "a")
            if !goesOn { open = text.chunkOffset + literal }
            openByte = UInt8(ascii: "a")
        } else {
            open = text.end
            openByte = 0
        }
    }

    private static func isNumberByte(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "-") || byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
    }
}

/// The memory of a `YajlState`, whose address yajl keeps.
///
/// The type is not generic, so that its `deinit` is called (see ``TokenSource``). The type is not private, because tests that
/// are built for release cannot be linked with a private noncopyable type of another module.
struct StateMemory: ~Copyable {
    let address: UnsafeMutableRawPointer
    let free: (UnsafeMutableRawPointer) -> Void

    deinit { free(address) }
}

enum ControlBytes {
    /// Returns the first vertical tab or form feed, which yajl accepts as white space.
    static func firstVerticalTabOrFormFeed(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        guard let base = bytes.baseAddress else { return nil }
        let first = sluice_vertical_space(base, base + bytes.count) - base
        return first < bytes.count ? first : nil
    }
}
#endif
