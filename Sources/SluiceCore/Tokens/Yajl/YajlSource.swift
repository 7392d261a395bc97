#if YAJL
import CKernels
import CYajl

/// The yajl source: owns the handle, feeds yajl, and sends the tokens to the sink.
///
/// In addition to the callbacks, the source closes gaps of yajl's grammar: form feed and vertical tab as white space, text
/// after the root value, byte order marks and other encodings, and offsets that depend on the chunks.
struct YajlSource: ~Copyable, TokenSource {
    /// The memory of the open containers.
    private let block: ThreadSlab
    private let memory: StateMemory
    private var state: UnsafeMutablePointer<YajlState> { memory.address }
    /// The type of the sink that the callbacks expect.
    private let sinkType: ObjectIdentifier
    /// Chunks that wait until enough bytes are available (see `feed`).
    private var pending: TokenWindow
    /// The offset of an open token at the end of the fed bytes, or the end of the fed bytes.
    private var open: Int
    private var openByte: UInt8 = 0
    private var wait = TokenWait()
    private var hasBegun = false

    /// - Parameters:
    ///   - type: The type of the sink that receives the tokens.
    ///   - origin: The lines of the input before the document.
    ///   - callbacks: The table that yajl calls and keeps. Tests pass tables that also observe the calls.
    /// - Throws: An error that names the package to install, if the installed yajl cannot be used.
    init<Sink: YajlSink & ~Copyable>(
        for type: Sink.Type, limits: JSONLimits, after origin: LineCount = LineCount(),
        callbacks: UnsafePointer<yajl_callbacks> = Sink.callbacks
    ) throws(JSONModelError) {
        if let defect = YajlLibrary.defect { throw JSONModelError(.unsupportedLibrary(defect)) }
        let state = UnsafeMutablePointer<YajlState>.allocate(capacity: 1)
        guard let handle = YajlHandle(callbacks, context: state) else {
            state.deallocate()
            throw JSONModelError(.unsupportedLibrary("libyajl could not allocate a parser"))
        }
        block = ThreadSlab()
        let half = ThreadSlab.size / 2
        pending = TokenWindow(in: Region(start: block.start + half, size: half))
        sinkType = ObjectIdentifier(type)
        open = origin.offset
        state.initialize(
            to: YajlState(
                limits: limits, handle: handle, text: LookbackBuffer(after: origin),
                containers: OpenContainers(
                    limit: limits.depth, in: Region(start: block.start, size: half)),
                recorder: RawRecorder(limits: limits)))
        memory = StateMemory(address: state)
    }

    /// Whether the parse ended, with an error or because the sink needs no more.
    var isStopped: Bool { state.pointee.rejection != nil || isStoppedBySink }
    private var isStoppedBySink = false

    /// The length of the open token in bytes. A window should be at least twice as large.
    var openLength: Int { state.pointee.text.chunkOffset - open }

    var taken: Int { offset }

    /// The number of bytes consumed.
    var offset: Int { state.pointee.text.end + pending.count }

    /// Consumes the next chunk of the input.
    ///
    /// yajl lexes a token that spans chunks from its start in each chunk. So chunks are collected while a token is open that does not
    /// end in them.
    mutating func feed(
        _ chunk: UnsafeBufferPointer<UInt8>, to sink: inout some TokenSink & ~Copyable
    ) throws(JSONModelError) {
        if isStopped { return }
        let isNeeded = isNeeded(chunk)
        if pending.isEmpty, isNeeded { return try take(chunk, &sink) }
        pending.append(chunk)
        if isNeeded { try flush(&sink) }
    }

    /// Whether yajl needs the pending bytes and the next chunk now.
    private mutating func isNeeded(_ chunk: UnsafeBufferPointer<UInt8>) -> Bool {
        guard hasBegun else { return Encoding.isDetermined(by: Array(pending.bytes) + chunk.prefix(4)) }
        let count = pending.count + chunk.count
        if openByte == 0 { return true }
        // A document that is too long is refused with its first byte beyond the limit.
        let limit = state.pointee.limits.document
        if offset + chunk.count > state.pointee.text.end(ofDocumentWithin: limit) { return true }
        let (state, start) = (state, open + 1)
        return wait.mayEnd(
            in: chunk, first: openByte, isKey: isAtKey, length: openLength + count, tried: openLength,
            limits: state.pointee.limits,
            begun: state.pointee.text.withRetiredBytes(from: start) { OpenString($0) })
    }

    /// Ends the input.
    ///
    /// - Throws: The first error in the input.
    mutating func finish(_ sink: inout some TokenSink & ~Copyable) throws(JSONModelError) {
        if !isStopped, !pending.isEmpty { try flush(&sink) }
        try finishTaken(&sink)
    }

    mutating func checkOpenToken(_ sink: inout some TokenSink & ~Copyable) throws(JSONModelError) {
        if !isStopped, !pending.isEmpty { try flush(&sink) }
        if !isStopped, !state.pointee.isComplete { rejectOpenToken(&sink) }
        try rethrow()
    }

    /// Consumes complete input in one chunk.
    mutating func run(
        _ whole: UnsafeBufferPointer<UInt8>, to sink: inout some TokenSink & ~Copyable
    ) throws(JSONModelError) {
        parse(whole, &sink)
        defer { if isStopped { state.pointee.text.retireRest() } }
        try finishTaken(&sink)
    }

    var isAfterValue: Bool {
        !isStopped && pending.isEmpty && openLength == 0 && state.pointee.depth > 0
            && state.pointee.grammar.expectation == .commaOrClose && !state.pointee.recorder.isOn
    }

    mutating func setContext(_ bytes: [UInt8]) { state.pointee.text.setContext(bytes) }

    mutating func setDocumentStart(_ offset: Int) { state.pointee.text.setDocumentStart(offset) }

    mutating func skip(_ bytes: UnsafeBufferPointer<UInt8>, _ lines: LineCount) {
        state.pointee.text.skip(bytes, lines)
        open = state.pointee.text.end
    }

    var rejection: Rejection? { state.pointee.rejection }

    /// The token that is not complete.
    var openToken: OpenToken {
        if isStopped || hasCompleteLiteral { return .none }
        let (text, expectation) = (state.pointee.text, state.pointee.grammar.expectation)
        let first = (open..<text.end).lazy.map { text.byte(at: $0) }.first { !$0.isBlank }
        return OpenToken(first ?? pending.bytes.first { !$0.isBlank }, expecting: expectation)
    }

    /// Whether the text ends with a literal, which yajl passes on with its last letter.
    private var hasCompleteLiteral: Bool {
        guard openByte == UInt8(ascii: "a"), openLength == 4 || openLength == 5 else { return false }
        let text = state.pointee.text
        return ["null", "true", "false"].contains {
            $0.utf8.elementsEqual((open..<text.end).map { text.byte(at: $0) })
        }
    }

    func readOpenText(_ text: inout OpenText) {
        let read = state.pointee.text
        let count = read.end - open
        guard
            let quote = (open..<read.end).first(where: { !read.byte(at: $0).isBlank })
                ?? pending.bytes.firstIndex(where: { !$0.isBlank }).map({ read.end + $0 })
        else { return }
        text.begin(at: quote)
        let start = quote + 1 - open + text.readCount
        if start < count {
            (read.bytes(from: open + start, to: read.end) + pending.bytes).withUnsafeBufferPointer {
                text.append($0)
            }
        } else {
            text.append(UnsafeBufferPointer(rebasing: pending.bytes.dropFirst(start - count)))
        }
    }

    func locatedAtEnd(_ issue: JSONIssue) -> JSONIssue {
        // A copy, because another thread may read the state between two chunks.
        var text = state.pointee.text
        return text.located(issue, from: text.end, to: text.end)
    }

    func locatedBehindOpenToken(_ issue: JSONIssue) -> JSONIssue {
        var text = state.pointee.text
        if !isStopped { text.begin(pending.bytes) }
        return text.located(issue, from: text.end, to: text.end)
    }

    // MARK: Feeding

    private mutating func flush(_ sink: inout some TokenSink & ~Copyable) throws(JSONModelError) {
        defer { pending.keep(last: 0) }
        try take(pending.bytes, &sink)
    }

    /// Consumes the next bytes. Afterwards no reference to their memory remains, also after an error.
    private mutating func take(
        _ chunk: UnsafeBufferPointer<UInt8>, _ sink: inout some TokenSink & ~Copyable
    ) throws(JSONModelError) {
        wait.reset()
        defer { state.pointee.text.retireRest() }
        parse(chunk, &sink)
        if !isStopped { retire(&sink) }
        try rethrow()
    }

    private func rethrow() throws(JSONModelError) {
        if let error = rejection?.error { throw error }
    }

    /// Passes a chunk to yajl. Leaves errors in the state, so that the chunk's memory is still valid for locating them.
    private mutating func parse(
        _ chunk: UnsafeBufferPointer<UInt8>, _ sink: inout some TokenSink & ~Copyable
    ) {
        state.pointee.text.begin(chunk)
        state.pointee.lastEnd = nil
        if !hasBegun {
            hasBegun = true
            if let encoding = Encoding.other(chunk) {
                return reject(.unsupportedEncoding(encoding), at: open, &sink)
            }
            if open == 0, Encoding.hasByteOrderMark(chunk) {
                state.pointee.text.dropByteOrderMark()
                open = 3
            }
        }
        let whole = UnsafeBufferPointer(start: state.pointee.text.chunk, count: state.pointee.text.count)
        // Examine the bytes within the limit first: their errors are reported first, however the input is cut.
        let allowed = max(documentEnd - state.pointee.text.chunkOffset, 0)
        parseAllowed(UnsafeBufferPointer(rebasing: whole.prefix(allowed)), &sink)
        if allowed < whole.count, !isStopped {
            let limit = state.pointee.limits.document
            // If the limit falls in a byte order mark, the input begins after the mark.
            let offset = max(documentEnd, state.pointee.text.chunkOffset)
            var walk = self.walk(to: offset)
            // The fault of a token that the limit cuts. yajl has not seen its end.
            let fault = walk.fault()
            let isCut = fault.kind == .unexpectedEnd
            if isCut {
                reject(.limitExceeded(.document, limit: limit), at: offset, &sink)
            } else {
                state.pointee.reject(fault, &sink)
            }
        }
    }

    private mutating func parseAllowed(
        _ bytes: UnsafeBufferPointer<UInt8>, _ sink: inout some TokenSink & ~Copyable
    ) {
        if state.pointee.isComplete { return checkTrailing(from: 0, of: bytes, &sink) }
        // Both are errors anywhere: yajl accepts them as white space and inside strings.
        let bad = ControlBytes.firstVerticalTabOrFormFeed(bytes)
        switch callParser(bytes.baseAddress, bad ?? bytes.count, &sink) {
        case yajl_status_ok:
            if state.pointee.isComplete {
                checkTrailing(from: Int(yajl_get_bytes_consumed(state.pointee.handle.address)), of: bytes, &sink)
            } else if let bad {
                rejectControl(at: bad, &sink)
            }
        case yajl_status_client_canceled:
            isStoppedBySink = true
        default:
            diagnose(&sink)
        }
    }

    /// Passes bytes to yajl, whose callbacks use the sink during this call only.
    private func callParser<Sink: TokenSink & ~Copyable>(
        _ bytes: UnsafePointer<UInt8>?, _ count: Int, _ sink: inout Sink
    ) -> yajl_status {
        precondition(ObjectIdentifier(Sink.self) == sinkType, "the source was made for another type of sink")
        return withUnsafeMutablePointer(to: &sink) { sink in
            state.pointee.sink = UnsafeMutableRawPointer(sink)
            defer { state.pointee.sink = nil }
            return yajl_parse(state.pointee.handle.address, bytes, count)
        }
    }

    /// Completes a number at the end of the input by passing yajl a space.
    private func closeLastToken(
        at position: UnsafePointer<UInt8>, _ sink: inout some TokenSink & ~Copyable
    ) -> yajl_status {
        state.pointee.closingPosition = position
        defer { state.pointee.closingPosition = nil }
        var blank = UInt8(ascii: " ")
        return callParser(&blank, 1, &sink)
    }

    private mutating func rejectControl(at index: Int, _ sink: inout some TokenSink & ~Copyable) {
        let text = state.pointee.text
        if closeLastToken(at: text.chunk + index, &sink) == yajl_status_client_canceled {
            isStoppedBySink = true
            return
        }
        let offset = text.chunkOffset + index
        if state.pointee.isComplete { return reject(.trailingContent, at: offset, &sink) }
        diagnose(end: offset + 1, &sink)
    }

    @inline(__always)
    private mutating func checkTrailing(
        from start: Int, of bytes: UnsafeBufferPointer<UInt8>, _ sink: inout some TokenSink & ~Copyable
    ) {
        for index in start..<bytes.count where !bytes[index].isBlank {
            return reject(.trailingContent, at: state.pointee.text.chunkOffset + index, &sink)
        }
    }

    /// The offset at which a document of the greatest allowed length ends.
    private var documentEnd: Int { state.pointee.text.end(ofDocumentWithin: state.pointee.limits.document) }

    private func reject(_ kind: JSONIssue.Kind, at offset: Int, _ sink: inout some TokenSink & ~Copyable) {
        state.pointee.reject(kind, at: offset, &sink)
    }

    /// Finds the error that made yajl fail, independently of the chunks. (yajl's own offset cannot be used: it depends on the
    /// chunks, and is wrong after some errors.)
    private func diagnose(end: Int? = nil, _ sink: inout some TokenSink & ~Copyable) {
        var walk = self.walk(to: end ?? state.pointee.text.end)
        let fault = walk.fault()
        state.pointee.reject(fault, &sink)
    }

    /// Returns a diagnosis of the input from the last complete string or number on.
    private func walk(to end: Int) -> SyntaxDiagnosis {
        let depth = state.pointee.depth
        return SyntaxDiagnosis(
            text: state.pointee.text, at: firstUnread, end: end, limits: state.pointee.limits,
            grammar: state.pointee.grammar, isInObject: depth > 0 && state.pointee.containers.view.isObject(depth))
    }

    /// Returns the state of the grammar before an offset. No reference to the text remains, which would be copied when it changes.
    private func grammar(from start: Int, to end: Int) -> GrammarState {
        var walk = self.walk(to: end)
        walk.at = start
        _ = walk.fault()
        return walk.grammar
    }

    /// The offset after the chunk's last complete string or number. Without one, the start of the open token.
    private var firstUnread: Int {
        let text = state.pointee.text
        if let last = state.pointee.lastEnd { return text.offset(of: last) }
        return open
    }

    // MARK: The end

    private mutating func finishTaken(_ sink: inout some TokenSink & ~Copyable) throws(JSONModelError) {
        try rethrow()
        if isStoppedBySink { return }
        if state.pointee.isComplete { return }
        let text = state.pointee.text
        state.pointee.isAtEnd = true
        if closeLastToken(at: text.chunk + text.count, &sink) == yajl_status_client_canceled {
            isStoppedBySink = true
        }
        if !isStoppedBySink, !state.pointee.isComplete { diagnoseEnd(&sink) }
        try rethrow()
    }

    private mutating func diagnoseEnd(_ sink: inout some TokenSink & ~Copyable) {
        let text = state.pointee.text
        // Before the open token is searched: the diagnosis begins at the start of the chunk.
        var walk = self.walk(to: text.end)
        findOpenToken(text)
        var fault = walk.fault()
        if fault.kind == .unexpectedEnd, state.pointee.depth == 0, open == text.end {
            fault = .init(.emptyInput, at: text.end)
        }
        state.pointee.reject(fault, &sink)
    }

    // MARK: Between chunks

    /// Finds the open token at the end of the chunk, and releases the chunk.
    private mutating func retire(_ sink: inout some TokenSink & ~Copyable) {
        let start = firstUnread
        findOpenToken(state.pointee.text)
        // The chunk's punctuation before the open token is released, so keep the resulting grammar state.
        if start < open { state.pointee.grammar = grammar(from: start, to: open) }
        state.pointee.recorder.keep(&state.pointee.text, to: state.pointee.text.end)
        state.pointee.text.retire(open: open)
        state.pointee.lastEnd = nil
        rejectOverlongToken(&sink)
    }

    /// Rejects an open token that already exceeds its limit.
    private func rejectOverlongToken(_ sink: inout some TokenSink & ~Copyable) {
        let limits = state.pointee.limits
        guard openByte != 0, openLength > limits.maximumOpenLength(openByte, isKey: isAtKey) else { return }
        // A literal has no limit.
        rejectOpenToken(&sink)
    }

    /// Whether the open token is a key, if it is a string. Valid after a chunk was retired.
    private var isAtKey: Bool { state.pointee.grammar.expectation.isKey }

    /// Rejects the open token if no further bytes could complete the token.
    private func rejectOpenToken(_ sink: inout some TokenSink & ~Copyable) {
        var walk = self.walk(to: state.pointee.text.end)
        let fault = walk.fault()
        if fault.kind != .unexpectedEnd { state.pointee.reject(fault, &sink) }
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
            let continues = literal == 0 && state.pointee.lastEnd == nil && openByte == UInt8(ascii: "a")
            if !continues { open = text.chunkOffset + literal }
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
/// The type is not private, because tests that are built for release cannot be linked with a private noncopyable type of another
/// module.
struct StateMemory: ~Copyable {
    let address: UnsafeMutablePointer<YajlState>

    deinit {
        address.deinitialize(count: 1)
        address.deallocate()
    }
}

enum ControlBytes {
    /// Returns the first vertical tab or form feed, which yajl accepts as white space.
    static func firstVerticalTabOrFormFeed(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        guard let base = bytes.baseAddress else { return nil }
        let first = sluice_vertical_space(base, base + bytes.count) - base
        return first < bytes.count ? first : nil
    }
}

/// The installed libyajl, and whether the library is safe to use.
enum YajlLibrary {
    /// A defect of the library, or nil. Determined once.
    static let defect: String? = findDefect()

    /// Tests for the fix of CVE-2017-16516, an out-of-bounds read at an escaped unpaired surrogate. Debian's libyajl
    /// 2.1.0-3+deb12u2 has this and other fixes that upstream's last release lacks. A fixed library returns `?abc` here.
    private static func findDefect() -> String? {
        let box = UnsafeMutablePointer<[UInt8]>.allocate(capacity: 1)
        box.initialize(to: [])
        defer {
            box.deinitialize(count: 1)
            box.deallocate()
        }
        var callbacks = yajl_callbacks()
        callbacks.yajl_string = { context, bytes, count in
            context!.assumingMemoryBound(to: [UInt8].self).pointee += UnsafeBufferPointer(
                start: bytes, count: count)
            return 1
        }
        let text = Array("[\"\\ud800abc\"]".utf8)
        let status = withUnsafePointer(to: callbacks) { table in
            guard let handle = yajl_alloc(table, nil, box) else { return yajl_status_error }
            defer { yajl_free(handle) }
            return yajl_parse(handle, text, text.count)
        }
        if status == yajl_status_ok, box.pointee == Array("?abc".utf8) { return nil }
        return
            "the installed libyajl lacks the fix for CVE-2017-16516: install libyajl-dev 2.1.0-3+deb12u2 or later "
            + "(Debian, Ubuntu) or the newest yajl of your system"
    }
}
#endif
