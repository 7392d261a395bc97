// The cold side: what the sink answers beside "go on", and what is wrong with the text.

extension Scanner {
    /// Does what the sink asks for; false if the parse is at its end.
    @inline(never)
    mutating func settle(
        _ answer: Answer, from start: UnsafePointer<UInt8>, to end: UnsafePointer<UInt8>
    ) -> Bool {
        let (first, behind) = (offset(of: start), offset(of: end))
        var answer = answer
        while answer != .go {
            switch answer {
            case .go: break
            case .stop:
                if let failure = sink.failure {
                    issue = text.located(failure, from: first, to: behind)
                } else {
                    isStoppedBySink = true
                }
                return false
            case .beginCapture:
                captureStart = first
                captured = []
                return true
            case .capture:
                captured = text.bytes(from: first, to: behind)
            case .endCapture:
                keepCaptured(to: behind)
                captureStart = -1
            }
            let bytes = captured
            captured = []
            answer = sink.captured(bytes)
        }
        return true
    }

    /// Copies what is recorded of the text at hand, up to an offset.
    mutating func keepCaptured(to end: Int) {
        if captureStart >= 0 { captured += text.bytes(from: max(captureStart, text.chunkOffset), to: end) }
    }

    /// The token at `start` may not stand there, is ill-formed, too long, or not complete in this window.
    @inline(never)
    mutating func refuseToken(_ start: UnsafePointer<UInt8>, _ place: Expectation) -> Pause {
        // Too near to the end of what can be read: the next window shows it.
        if start > near { return .more }
        var walk = TokenWalk(
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
        issue = text.located(sink.issue(kind), from: offset, to: kind.shownEnd(from: offset, in: text))
    }

    /// What follows the root value, from the cursor on, may only be white space.
    mutating func checkTrailing(in bytes: UnsafeBufferPointer<UInt8>, at start: Int) {
        guard let index = bytes.firstIndex(where: { !$0.isBlank }) else { return }
        refuse(.trailingContent, at: start + index)
    }
}
