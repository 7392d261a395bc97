#if YAJL
import CYajl

/// A parser of yajl.
struct YajlHandle: ~Copyable {
    let address: yajl_handle

    /// Allocates a parser, or returns nil.
    ///
    /// - Parameter context: The argument of all callbacks.
    init?(_ callbacks: UnsafePointer<yajl_callbacks>, context: UnsafeMutableRawPointer) {
        guard let parser = yajl_alloc(callbacks, nil, context) else { return nil }
        address = parser
        // yajl's UTF-8 check is unsound, and Sluice validates every string. Content after the root is checked by the source.
        _ = sluice_yajl_enable(parser, yajl_dont_validate_strings)
        _ = sluice_yajl_enable(parser, yajl_allow_trailing_garbage)
    }

    deinit { yajl_free(address) }
}

/// The state of yajl's callbacks: the current chunk, and the retained bytes before it.
///
/// The callbacks close yajl's gaps: they validate strings and keys, reject escapes that yajl repairs, and limit depth and
/// lengths.
struct YajlState: ~Copyable {
    /// The sink while yajl is called.
    var sink: UnsafeMutableRawPointer?
    let limits: JSONLimits
    let handle: YajlHandle
    var text: LookbackBuffer
    var depth = 0
    /// Whether the root value is complete.
    var isComplete = false
    var containers: OpenContainers
    /// The tokens that may follow the last string or number, and the number accepted since.
    var grammar = GrammarState()
    /// The end of the last complete string or number of this chunk. The bytes from this end to yajl's position are
    /// punctuation, literals, and at most one more token.
    var lastEnd: UnsafePointer<UInt8>?
    /// The recording of a value, which also performs the sink's actions.
    var recorder: RawRecorder
    var extraReading = ExtraReading()
    /// The error that ended the parse.
    var rejection: Rejection?
    /// The position in the input while an added space, which is not part of the input, closes the last token.
    var closingPosition: UnsafePointer<UInt8>?
    /// Whether yajl has received the whole input.
    var isAtEnd = false

    // MARK: Callbacks (1 continues, 0 ends the parse)

    @inline(__always)
    mutating func null(_ sink: inout some TokenSink & ~Copyable) -> Int32 {
        grammar.accepted &+= 1
        if depth == 0 { isComplete = true }
        return apply(sink.null(), length: 4, &sink)
    }

    @inline(__always)
    mutating func bool(_ value: Bool, _ sink: inout some TokenSink & ~Copyable) -> Int32 {
        grammar.accepted &+= 1
        if depth == 0 { isComplete = true }
        return apply(sink.bool(value), length: value ? 4 : 5, &sink)
    }

    @inline(__always)
    mutating func number(
        _ bytes: UnsafePointer<CChar>, _ count: Int, _ sink: inout some TokenSink & ~Copyable
    ) -> Int32 {
        let bytes = UnsafeRawPointer(bytes).assumingMemoryBound(to: UInt8.self)
        if text.holds(bytes) {
            lastEnd = bytes + count
        } else {
            lastEnd = position
            // A number beyond the limit is an error at its own path.
            if closingPosition != nil, depth > 0, isAtEnd, count <= limits.number { sink.ignoreCutNumber() }
        }
        grammar = GrammarState(expectation: .commaOrClose)
        if depth == 0 { isComplete = true }
        if count > limits.number { return rejectLength(.number, limits.number, length: count, &sink) }
        if sink.isSkipping { return apply(sink.skipped(), length: count, &sink) }
        return apply(sink.number(NumberToken(checked: bytes, count: count)), length: count, &sink)
    }

    @inline(__always)
    mutating func string(
        _ bytes: UnsafePointer<UInt8>, _ count: Int, _ sink: inout some TokenSink & ~Copyable
    ) -> Int32 {
        grammar = GrammarState(expectation: .commaOrClose)
        if depth == 0 { isComplete = true }
        if text.holds(bytes) {
            lastEnd = bytes + (count + 1)
            if count > limits.string { return rejectString(.string, &sink) }
        } else if !checkCopied(
            UnsafeBufferPointer(start: bytes, count: count), limit: limits.string, .string, &sink)
        {
            return 0
        }
        let verdict = UTF8Validation.verdict(bytes, count)
        if verdict == .invalid { return rejectString(.string, &sink) }
        let action = sink.string(bytes, count, isASCII: verdict == .ascii)
        return action == .proceed ? 1 : applyToString(action, &sink)
    }

    @inline(__always)
    mutating func key(
        _ bytes: UnsafePointer<UInt8>, _ count: Int, _ sink: inout some TokenSink & ~Copyable
    ) -> Int32 {
        grammar = GrammarState(expectation: .colon)
        let key: Key
        if text.holds(bytes) {
            lastEnd = bytes + (count + 1)
            if count > limits.key { return rejectString(.key, &sink) }
            // A matching key needs no validation, because the plan's own bytes are valid.
            if text.holds(bytes + QuotedKey.reach) {
                if sink.expectedKey(at: bytes, maximumLength: count) != nil { return 1 }
                if sink.expectsUnreadKey, sink.unreadKey(at: bytes, maximumLength: count) != nil { return 1 }
            }
            key = text.holds(bytes + 8) ? Key(readable: bytes, count) : Key(bytes, count)
        } else {
            key = Key(bytes, count)
            guard checkCopied(key.text, limit: limits.key, .key, &sink) else { return 0 }
        }
        if UTF8Validation.verdict(bytes, count) == .invalid { return rejectString(.key, &sink) }
        let action = sink.key(key)
        return action == .proceed ? 1 : applyToString(action, &sink)
    }

    @inline(__always)
    mutating func startObject(_ sink: inout some TokenSink & ~Copyable) -> Int32 {
        depth &+= 1
        if depth > limits.depth { return rejectLength(.depth, limits.depth, length: 1, &sink) }
        containers.open(depth, isObject: true)
        grammar.accepted &+= 1
        return apply(sink.startObject(), length: 1, &sink)
    }

    @inline(__always)
    mutating func startArray(_ sink: inout some TokenSink & ~Copyable) -> Int32 {
        depth &+= 1
        if depth > limits.depth { return rejectLength(.depth, limits.depth, length: 1, &sink) }
        containers.open(depth, isObject: false)
        grammar.accepted &+= 1
        let action = sink.startArray()
        // yajl sends a token for each number.
        return action == .switchReading ? 1 : apply(action, length: 1, &sink)
    }

    @inline(__always)
    mutating func endObject(_ sink: inout some TokenSink & ~Copyable) -> Int32 {
        depth &-= 1
        if depth == 0 { isComplete = true }
        grammar.accepted &+= 1
        return apply(sink.endObject(), length: 1, &sink)
    }

    @inline(__always)
    mutating func endArray(_ sink: inout some TokenSink & ~Copyable) -> Int32 {
        depth &-= 1
        if depth == 0 { isComplete = true }
        grammar.accepted &+= 1
        return apply(sink.endArray(), length: 1, &sink)
    }

    @inline(__always)
    private mutating func apply(
        _ action: TokenAction, length: Int, _ sink: inout some TokenSink & ~Copyable
    ) -> Int32 {
        action == .proceed ? 1 : applyCold(action, length: length, &sink)
    }

    // MARK: Cold paths

    /// The position of yajl in the chunk. In a callback, the end of the token.
    var position: UnsafePointer<UInt8> {
        closingPosition ?? text.chunk + Int(yajl_get_bytes_consumed(handle.address))
    }

    private var tokenEnd: Int { text.offset(of: position) }

    @inline(never)
    private mutating func applyCold(
        _ action: TokenAction, length: Int, _ sink: inout some TokenSink & ~Copyable
    ) -> Int32 {
        let end = tokenEnd
        return apply(action, from: end - length, to: end, &sink)
    }

    @inline(never)
    private mutating func applyToString(
        _ action: TokenAction, _ sink: inout some TokenSink & ~Copyable
    ) -> Int32 {
        let end = tokenEnd
        return apply(action, from: text.startOfString(endingAt: end), to: end, &sink)
    }

    private mutating func apply(
        _ action: TokenAction, from start: Int, to end: Int, _ sink: inout some TokenSink & ~Copyable
    ) -> Int32 {
        let action = action == .lookAhead ? lookAhead(from: end, &sink) : action
        if action == .proceed || action == .switchReading { return 1 }
        switch recorder.handle(action, &sink, &text, from: start, to: end) {
        case .proceed: return 1
        case .stop:
            text.truncate(at: end)
            return 0
        case .fail(let failure):
            rejection = Rejection(failure)
            return 0
        }
    }

    /// Passes the container that has begun to the sink. Returns the action to take.
    ///
    /// - Parameter start: The offset after the opening bracket.
    @inline(never)
    private mutating func lookAhead(from start: Int, _ sink: inout some TokenSink & ~Copyable) -> TokenAction {
        let end = min(text.end, text.end(ofDocumentWithin: limits.document))
        // A chunk is not followed by readable bytes, and less than the slack is not examined.
        guard start > text.chunkOffset, end - start >= Scanner.slack else {
            return sink.withoutLookahead(.lookAhead)
        }
        var container = Lookahead(
            at: text.chunk + (start - text.chunkOffset), in: text.chunk, end: text.chunk + (end - text.chunkOffset),
            readable: 0, depth: depth, limits: limits, offset: start - 1, canResumeInside: false)
        return extraReading.lookAhead(in: &container, of: end - text.origin, &sink)
    }

    @inline(never)
    private mutating func rejectLength(
        _ name: JSONLimits.Name, _ limit: Int, length: Int, _ sink: inout some TokenSink & ~Copyable
    ) -> Int32 {
        let end = tokenEnd
        reject(.limitExceeded(name, limit: limit), at: end - length, &sink)
        return 0
    }

    mutating func reject(
        _ kind: JSONIssue.Kind, at offset: Int, _ sink: inout some TokenSink & ~Copyable
    ) {
        reject(sink.issue(kind), at: offset)
    }

    mutating func reject(_ fault: SyntaxFault, _ sink: inout some TokenSink & ~Copyable) {
        reject(fault.issue(in: &sink), at: fault.offset)
    }

    private mutating func reject(_ issue: JSONIssue, at offset: Int) {
        rejection = text.rejected(issue, at: offset, limit: text.end(ofDocumentWithin: limits.document))
    }

    /// Rejects the current string or key, which is malformed or too long. A diagnosis finds the first fault and its
    /// location.
    @inline(never)
    private mutating func rejectString(
        _ name: JSONLimits.Name, _ sink: inout some TokenSink & ~Copyable
    ) -> Int32 {
        let end = tokenEnd
        var walk = SyntaxDiagnosis(text: text, at: text.startOfString(endingAt: end), end: end, limits: limits)
        let fault = walk.string(name) ?? .init(.invalidUTF8, at: end)
        reject(fault, &sink)
        return 0
    }

    /// Checks a string in yajl's own memory, which had an escape or spanned chunks. yajl replaces unpaired surrogates silently,
    /// so the input is checked for them.
    @inline(never)
    private mutating func checkCopied(
        _ string: UnsafeBufferPointer<UInt8>, limit: Int, _ name: JSONLimits.Name,
        _ sink: inout some TokenSink & ~Copyable
    ) -> Bool {
        let position = position
        lastEnd = position
        // An escape is at most six times as long as its character.
        if !mayBeRepaired(string), string.count <= limit / 6 { return true }
        let end = text.offset(of: position)
        // Unescaping never makes a string longer.
        let start = text.startOfString(endingAt: end, least: string.count)
        if end - start - 2 > limit {
            return rejectString(name, &sink) != 0
        }
        if text.mayHoldSurrogates(from: start, to: end) {
            var walk = SyntaxDiagnosis(text: text, at: start, end: end, limits: limits)
            if let fault = walk.string(name) {
                reject(fault, &sink)
                return false
            }
        }
        return true
    }

    /// Whether yajl may have repaired an escape: an unpaired surrogate becomes `?`, an invalid pair a character of four bytes.
    private func mayBeRepaired(_ string: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let base = string.baseAddress else { return false }
        var at = 0
        while at &+ 8 <= string.count {
            let word = Kernels.word(base + at)
            let marks = word ^ (Kernels.ones &* 0x3F)
            // A zero byte borrows from its high bit. Four high bits in a row are 0xF0 or more.
            let hits = (marks &- Kernels.ones) & ~marks | word & word &<< 1 & word &<< 2 & word &<< 3
            if hits & Kernels.highs != 0 { return true }
            at &+= 8
        }
        while at < string.count {
            if base[at] == UInt8(ascii: "?") || base[at] >= 0xF0 { return true }
            at &+= 1
        }
        return false
    }
}
#endif
