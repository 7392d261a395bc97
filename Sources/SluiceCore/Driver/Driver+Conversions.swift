// Values made from values of another type. A frame holds the inner value while the value is read; then a closure makes
// the result.

extension Driver {
    /// Begins the inner value from which the current value is made. Returns false at the limit of nested values.
    mutating func beginConversion() -> Bool {
        if session.locator != nil { locateElement() }
        return pushConversion(.conversion, around: slot.layout.element!)
    }

    /// The number of converted values that are allowed beyond the limit of depth: the value at the greatest depth may be converted, too.
    static var nestingAllowance: Int { 4 }

    /// Whether the limit allows one more converted value.
    var mayNest: Bool {
        session.recorder.conversionCount < 2 * session.limits.depth + Self.nestingAllowance
    }

    mutating func pushConversion(_ conversion: DecodingFrame.Conversion, around inner: LayoutReference) -> Bool {
        pushConversion(conversion, around: inner, size: inner.size, alignmentMask: inner.alignmentMask)
    }

    /// Pushes the frame of an inner value. Returns false at the limit of nested values.
    mutating func pushConversion(
        _ conversion: DecodingFrame.Conversion, around inner: LayoutReference, size: Int, alignmentMask: Int
    ) -> Bool {
        guard mayNest, reserveFrame() else { return false }
        push(.converted)
        top.state = .converted(conversion)
        countConversion()
        top.base = arena.allocate(size, alignmentMask: alignmentMask)
        target(at: ValueSlot(address: top.base, layout: inner))
        return true
    }

    /// Targets memory other than a field or an element buffer.
    mutating func target(at slot: ValueSlot) {
        disposition = .store(slot.layout.kind)
        self.slot = slot
        slot.loadNil()
    }

    mutating func failNesting(at site: FailureSite) -> TokenAction {
        handle(nestingFailure(at: site))
    }

    /// Returns the failure of a value that cannot be converted or replayed.
    mutating func nestingFailure(at site: FailureSite) -> Failure {
        reserveFrame()
            ? Failure(.limitExceeded(.depth, limit: session.limits.depth), at: site)
            : Failure(.stackUsedUp(session.limits.depth), at: site)
    }

    /// Makes the value from its completed inner value.
    mutating func finishConversion() -> TokenAction {
        let inner = top.base
        let payloadCase = top.payloadCase
        if hasFailed(top) {
            // The inner value lacks the part that failed.
            let layout = top.layout
            if let index = payloadCase {
                layout.union!.cases[index].layout?.destroy(inner)
            } else {
                layout.element?.destroy(inner)
            }
            return discard()
        }
        if top.isNestedText {
            top.state = .converted(.completeText)
            return .proceed
        }
        popConversion()
        if let index = payloadCase { return finishPayload(index, inner) }
        if let contents = slot.layout.contents {
            // Another scalar, which was converted to a string.
            var text = ValueSlot(address: inner, layout: slot.layout.element!).move(String.self)
            return text.withUTF8 { readNestedText($0, as: contents) }
        }
        if readsTokens {
            return makeValue(of: ValueSlot(address: inner, layout: slot.layout.element!).move(Recording.self))
        }
        let json = session.recorder.takeKept()
        var fragment: FragmentLocation?
        if let json, slot.layout.shape.keepsLocation { fragment = self.fragment(of: json) }
        do {
            let key = memberKey
            try session.withUserInfo {
                try slot.layout.withConversion {
                    try $0.convert(inner, slot.address, { session.options(at: fragment) }, key)
                }
            }
        } catch let failure as PartFailure {
            return fail(failure.issues[0])
        } catch {
            return fail(thrown: error, at: .value)
        }
        return completedConversion()
    }

    /// Completes a converted value, whose frame was popped.
    mutating func completedConversion() -> TokenAction {
        slot.markPresent()
        if top.form == .array { resumeElements() }
        return completed()
    }

    /// The key of the member whose value is converted; nil if the value is not that of a member.
    private var memberKey: String? {
        mutating get {
            if top.form != .converted {
                return top.form == .anyKey || top.entry?.addsToContainer == true ? top.uncommonState?.key : nil
            }
            let member = top.enclosing
            return member.form == .anyKey ? member.uncommonState?.key : nil
        }
    }

    /// Returns the location of the JSON of the current value.
    private func fragment(of json: RecordedValue) -> FragmentLocation {
        let (location, isExact) = json.location
        return FragmentLocation(
            issue(.thrown).path, location, isExact: isExact, tags: tagsAround, in: session.fragment)
    }

    /// Reads the current value from the JSON in a string.
    mutating func beginNestedText(_ text: UnsafeBufferPointer<UInt8>, _ contents: LayoutReference) -> TokenAction {
        guard mayNest, reserveFrame() else { return failNesting(at: .value) }
        if session.locator != nil { locateElement() }
        return readNestedText(text, as: contents)
    }

    private mutating func readNestedText(
        _ text: UnsafeBufferPointer<UInt8>, as contents: LayoutReference
    ) -> TokenAction {
        (disposition, slot.layout) = (.store(contents.kind), contents)
        return readNestedText(text)
    }

    /// Reads the current value from JSON text. A text that is not a whole value of the type is recorded, which locates its issues.
    mutating func readNestedText(_ text: UnsafeBufferPointer<UInt8>) -> TokenAction {
        scanNestedText(text) ?? replay(.text(Array(text), depth: allowedDepth), as: .text)
    }

    /// The number of levels that the limit allows in the current value. The containers around a string count, too.
    private var allowedDepth: Int {
        mutating get { session.limits.depth - frames(above: root).count { $0.isContainer && !$0.sharesObject } }
    }

    // MARK: JSON in strings, without a recording

    /// Reads the current value from the object or array in a text. Returns nil, and leaves no trace, if the text must be recorded.
    private mutating func scanNestedText(_ text: UnsafeBufferPointer<UInt8>) -> TokenAction? {
        guard looksAhead, session.mayAttempt, let first = text.first,
            first == UInt8(ascii: "{") || first == UInt8(ascii: "["), mayNest, reserveFrame()
        else { return nil }
        let limits = session.limits
        let scanner = session.recorder.nestedScanner(limits)
        if scanner._withUnsafeGuaranteedRef({ $0.isReading }) { return nil }
        let (levels, disposition, slot, below) = (allowedDepth, disposition, slot, index(of: top))
        push(.converted)
        top.state = .converted(.text)
        countConversion()
        target(at: slot)
        let isRead = scanner._withUnsafeGuaranteedRef { $0.send(text, levels: levels, to: &self) }
        let isComplete = index(of: top) == below + 1 && top.isCompleteNestedText
        if isRead, isComplete {
            popConversion()
            self.slot = slot
            if top.form == .array { resumeElements() }
            return completed()
        }
        if isComplete { slot.destroy() }
        leaveNestedText(to: openFrame(at: below))
        (self.disposition, self.slot) = (disposition, slot)
        return nil
    }

    /// Returns to the frame below a text that must be recorded.
    private mutating func leaveNestedText(to frame: FrameReference) {
        session.recorder.end()
        // The value of the failure is made again.
        if let tape = session.recorder.valueTape { _ = tape._withUnsafeGuaranteedRef { $0.takeFailure() } }
        _ = session.recorder.leave(downTo: 0)
        _ = session.issues.takePending()
        skipDepth = 0
        unwind(to: frame)
    }

    /// Whether the current value is being read from the JSON in a string. A string in the text is not read as JSON again.
    var isReadingNestedText: Bool {
        mutating get {
            if top.isNestedText { return true }
            guard let last = session.recorder.open.last, case .text = last.purpose else { return false }
            return last.base == index(of: top)
        }
    }
}
