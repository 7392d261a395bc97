// Objects and arrays: pushes a frame if the value has a destination, otherwise counts brackets.

extension Driver {
    @inline(__always)
    mutating func startObject() -> TokenAction {
        if case .store(.model) = disposition {
            guard reserveFrame() else { return failStack() }
            pushModel()
            return .proceed
        }
        if isSkipping {
            skipDepth &+= 1
            return .proceed
        }
        return startOtherObject()
    }

    @inline(__always)
    mutating func startArray() -> TokenAction {
        if case .store(.array) = disposition {
            guard reserveFrame() else { return failStack() }
            let layout = slot.layout
            pushElementBuffer(.array, layout)
            return layout.collectsDoubles ? .switchReading : .proceed
        }
        if isSkipping {
            skipDepth &+= 1
            return .proceed
        }
        return startOtherArray()
    }

    @inline(__always)
    mutating func emptyArray() -> Bool {
        guard case .store(.array) = disposition, completesPlainly else { return isSkipping && top.form == .object }
        makeEmptyArray()
        markCompleted()
        return true
    }

    @inline(__always)
    mutating func endObject() -> TokenAction {
        if skipDepth != 0 { return endSkipped() }
        if top.form == .object {
            return top.owner == top ? endModel() : endNode()
        }
        return top.form == .pairs ? endElementBuffer() : endOtherObject()
    }

    @inline(never)
    private mutating func endOtherObject() -> TokenAction {
        if top.form == .union { return endUnion() }
        top.freeUncommonState()
        return pop()
    }

    @inline(__always)
    mutating func endArray() -> TokenAction {
        if skipDepth != 0 { return endSkipped() }
        return top.form == .array ? endElementBuffer() : endNode()
    }

    @inline(__always)
    private mutating func endSkipped() -> TokenAction {
        skipDepth &-= 1
        if skipDepth != 0 { return .proceed }
        return isRecording ? .record : endWithoutValue()
    }

    // MARK: Opening

    @inline(never)
    private mutating func startOtherObject() -> TokenAction {
        if disposition == .descend { return startObjectOnPath() }
        guard reserveFrame() else { return failStack() }
        replaceValue()
        switch disposition {
        case .store(.model): pushModel()
        case .store(.dictionary): pushElementBuffer(.pairs, slot.layout)
        case .store(.union): return beginUnion()
        case .store(.converted) where readsTokens && looksAhead: return .lookAhead
        case .store(.converted):
            return beginConversion() ? locating(startObject()) : failNesting(at: .openingBracket)
        case .record: return beginRecording(.field)
        case .store(.composite):
            return looksAhead && slot.layout.keyTable.enumInPlace != nil ? .lookAhead : beginRecording(.composite)
        case .store(.value) where isAtMaximumDepth: return failDeepValue(at: .openingBracket)
        case .store(.value): pushElementBuffer(.pairs, slot.layout.contents!)
        case .store(.raw) where looksAhead && top.form != .converted: return .lookAhead
        case .store(.raw), .store(.recording): return beginRecording(.raw)
        default: return failStart("an object")
        }
        return .proceed
    }

    @inline(__always)
    private mutating func startObjectOnPath() -> TokenAction {
        let table = nodeTable
        switch table.form {
        case .object: pushObjectNode(table)
        case .anyKey: pushNode(.anyKey, table)
        default: return failStart("an object")
        }
        return .proceed
    }

    private mutating func startArrayOnPath() -> TokenAction {
        let table = nodeTable
        switch table.form {
        case .indexes: pushNode(.indexes, table)
        case .anyIndex: pushNode(.anyIndex, table)
        default: return failStart("an array")
        }
        return .proceed
    }

    private mutating func failStart(_ found: String) -> TokenAction {
        fail(.mismatch, found: found, at: .openingBracket)
    }

    @inline(never)
    private mutating func startOtherArray() -> TokenAction {
        if disposition == .descend { return startArrayOnPath() }
        guard reserveFrame() else { return failStack() }
        replaceValue()
        switch disposition {
        case .store(.array): pushElementBuffer(.array, slot.layout)
        case .store(.converted) where readsTokens && looksAhead: return .lookAhead
        case .store(.converted):
            return beginConversion() ? locating(startArray()) : failNesting(at: .openingBracket)
        case .record: return beginRecording(.field)
        case .store(.union) where isBuffered: return looksAhead ? .lookAhead : beginRecording(.union)
        case .store(.value) where isAtMaximumDepth: return failDeepValue(at: .openingBracket)
        case .store(.value): pushElementBuffer(.array, slot.layout.arrayContents!)
        case .store(.raw) where looksAhead && top.form != .converted: return .lookAhead
        case .store(.raw), .store(.recording): return beginRecording(.raw)
        default: return failStart("an array")
        }
        return .proceed
    }

    /// Whether the current value belongs to a `JSONValue` at its greatest depth. Releasing a nested value uses stack per level.
    ///
    /// All values in a `JSONValue` are `JSONValue`s, so the frames of its levels follow each other.
    private var isAtMaximumDepth: Bool {
        mutating get {
            index(of: top) >= JSONValue.maximumDepth && top.advanced(by: 1 - JSONValue.maximumDepth).isOfValue
        }
    }

    /// Fails an object or array that is one level too deep for the thread's stack.
    @inline(never)
    mutating func failStack() -> TokenAction {
        handle(Failure(.stackUsedUp(session.limits.depth), at: .openingBracket))
    }

    mutating func failDeepValue(at site: FailureSite) -> TokenAction {
        fail(.limitExceeded(.depth, limit: JSONValue.maximumDepth), hint: JSONValue.depthHint, at: site)
    }

    mutating func beginRecording(_ purpose: RecordingPurpose) -> TokenAction {
        session.recorder.begin(purpose)
        skipDepth = 1
        disposition = .skip
        return .record
    }

    // MARK: Closing

    /// Pops the frame on top, whose value is complete at the frame's destination.
    @inline(__always)
    mutating func pop() -> TokenAction {
        let closed = top
        arena.restore(closed.mark)
        top = closed.below
        if top.form == .array {
            resumeElements()
            completedElement()
            return .proceed
        }
        slot = closed.destination
        return completed()
    }
}
