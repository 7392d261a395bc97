// The cold paths: actions other than `proceed`, and errors in the input.

extension Scanner {
    /// Performs the sink's action. Returns false at the end of the parse.
    @inline(never)
    mutating func apply(
        _ action: TokenAction, from start: UnsafePointer<UInt8>, to end: UnsafePointer<UInt8>,
        _ sink: inout some TokenSink & ~Copyable
    ) -> Bool {
        isSwitched = action == .beginCapture || action == .readDoubles
        if action == .readDoubles { return true }
        let outcome = capture.handle(action, &sink, &text, from: offset(of: start), to: offset(of: end))
        // Skips the rest of the object from a key on.
        if action == .captureMembers { skipBase = depth - 1 }
        switch outcome {
        case .proceed: return true
        case .stop:
            isStoppedBySink = true
            text.truncate(at: offset(of: end))
        case .fail(let failure): rejection = Rejection(failure)
        }
        return false
    }

    /// Rejects the token at `start`, which is at an invalid position, malformed, too long, or incomplete in this window.
    @inline(never)
    mutating func rejectToken(
        _ start: UnsafePointer<UInt8>, _ state: Expectation, _ sink: borrowing some TokenSink & ~Copyable
    ) -> Pause {
        // Too near to the end of the readable bytes. The next window decides.
        if start > safeEnd { return .more }
        var walk = SyntaxDiagnosis(
            text: text, at: offset(of: start), end: offset(of: end), limits: limits,
            grammar: GrammarState(expectation: state), isInObject: containers.view.isObject(depth))
        let fault = walk.fault()
        if fault.kind == .unexpectedEnd {
            if !isFinal { return .more }
            if start == end, depth == 0 {
                reject(.emptyInput, at: fault.offset, sink)
                return .stopped
            }
        }
        reject(fault.issue(in: sink), at: fault.offset)
        return .stopped
    }

    @inline(never)
    mutating func rejectDepth(_ start: UnsafePointer<UInt8>, _ sink: borrowing some TokenSink & ~Copyable) {
        reject(.limitExceeded(.depth, limit: limits.depth), at: offset(of: start), sink)
    }

    mutating func reject(
        _ kind: JSONIssue.Kind, at offset: Int, _ sink: borrowing some TokenSink & ~Copyable
    ) {
        reject(sink.issue(kind), at: offset)
    }

    private mutating func reject(_ issue: JSONIssue, at offset: Int) {
        rejection = text.rejected(issue, at: offset, limit: text.end(ofDocumentWithin: limits.document))
    }

    /// Rejects anything except white space after the root value.
    mutating func checkTrailing(
        in bytes: UnsafeBufferPointer<UInt8>, at start: Int, _ sink: borrowing some TokenSink & ~Copyable
    ) {
        guard let index = bytes.firstIndex(where: { !$0.isBlank }) else { return }
        reject(.trailingContent, at: start + index, sink)
    }
}
