// The cold side: what the sink answers beside "go on", and what is wrong with the text.

extension Scanner {
    /// Does what the sink asks for; false if the parse is at its end.
    @inline(never)
    mutating func settle(
        _ answer: TokenAction, from start: UnsafePointer<UInt8>, to end: UnsafePointer<UInt8>
    ) -> Bool {
        let outcome = capture.attend(to: answer, &sink, &text, from: offset(of: start), to: offset(of: end))
        // From a key on, the rest of its object is passed over.
        if answer == .captureMembers { skipBase = depth - 1 }
        switch outcome {
        case .goOn: return true
        case .stop:
            isStoppedBySink = true
            text.truncate(at: offset(of: end))
        case .fail(let failure): issue = failure
        }
        return false
    }

    /// The token at `start` may not stand there, is ill-formed, too long, or not complete in this window.
    @inline(never)
    mutating func refuseToken(_ start: UnsafePointer<UInt8>, _ place: Expectation) -> Pause {
        // Too near to the end of what can be read: the next window shows it.
        if start > near { return .more }
        var walk = SyntaxDiagnosis(
            text: text, at: offset(of: start), end: offset(of: end), limits: limits,
            grammar: GrammarState(expectation: place), isInObject: isObject[depth])
        let fault = walk.fault()
        if fault.kind == .unexpectedEnd {
            if !isFinal { return .more }
            if start == end, depth == 0 {
                refuse(.emptyInput, at: fault.offset)
                return .stopped
            }
        }
        refuse(fault.kind, at: fault.offset)
        return .stopped
    }

    @inline(never)
    mutating func refuseDepth(_ start: UnsafePointer<UInt8>) {
        refuse(.limitExceeded(.depth, limit: limits.depth), at: offset(of: start))
    }

    mutating func refuse(_ kind: JSONIssue.Kind, at offset: Int) {
        (issue, excerpt) = text.refused(sink.issue(kind), at: offset, limit: limits.document)
    }

    /// What follows the root value, from the cursor on, may only be white space.
    mutating func checkTrailing(in bytes: UnsafeBufferPointer<UInt8>, at start: Int) {
        guard let index = bytes.firstIndex(where: { !$0.isBlank }) else { return }
        refuse(.trailingContent, at: start + index)
    }
}
