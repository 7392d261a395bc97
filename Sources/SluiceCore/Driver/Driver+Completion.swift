// Completed values: records a value in its container, and finds the slot of the next value.

extension Driver {
    /// Completes the value of the slot in its container, and finds the slot of the next value.
    @inline(__always)
    mutating func completed() -> TokenAction {
        switch top.form {
        case .object:
            let entry = top.currentEntry
            if entry.presenceBit == 0 { return completedSpecial(entry) }
            top.owner.presenceBits |= entry.presenceBit
            return .proceed
        case .array:
            completedElement()
            return .proceed
        default:
            return completedElsewhere()
        }
    }

    /// Whether the current value, once complete, is only recorded: `completed` then takes no further action.
    ///
    /// - Precondition: The disposition is to store the value.
    @inline(__always)
    var completesPlainly: Bool {
        top.form == .object ? top.currentEntry.presenceBit != 0 : top.form == .array || top.form == .pairs
    }

    /// Completes the value of the slot, if `completesPlainly`.
    @inline(__always)
    mutating func markCompleted() {
        switch top.form {
        case .array: completedElement()
        case .pairs: completedPair()
        default: top.owner.presenceBits |= top.currentEntry.presenceBit
        }
    }

    /// Passes over the value of the current key or index.
    @inline(__always)
    mutating func endWithoutValue() -> TokenAction {
        top.form == .object ? .proceed : endWithoutValueElsewhere()
    }

    @inline(never)
    private mutating func endWithoutValueElsewhere() -> TokenAction {
        switch top.form {
        case .converted: return endMadeValue()
        case .indexes:
            if let entry = top.entry, isChecked(entry) { setField(entry) }
            nextIndex()
        case .anyIndex: nextIndex()
        case .anyKey: endMember()
        case .root: session.completeRoot()
        case .array:
            countDropped(top)
            resumeElements()
        case .object, .pairs, .union: break
        }
        return .proceed
    }

    @inline(never)
    private mutating func completedSpecial(_ entry: EntryReference) -> TokenAction {
        if entry.addsToContainer { return addValue(to: entry) }
        if entry.child != nil {
            if replayDepth > 0, isReplayingBuffered(of: entry) { setField(entry) }
            return session.stopsEarly && hasEndedElements ? .stop : .proceed
        }
        if entry.field < 0 { return emitElement() }
        setField(entry)
        guard session.stopsEarly, top.owner == root else { return .proceed }
        session.completeRoot()
        return .stop
    }

    @inline(never)
    private mutating func completedElsewhere() -> TokenAction {
        switch top.form {
        case .pairs: completedPair()
        case .indexes, .anyIndex, .anyKey:
            let entry = top.currentEntry
            if entry.presenceBit == 0 {
                let action = completedSpecial(entry)
                if action == .stop { return .stop }
                goToNext()
                return action
            }
            top.owner.presenceBits |= entry.presenceBit
            goToNext()
        case .converted:
            if let index = top.payloadCase, replayDepth == 0, !top.hasUncommonState { return finishCase(index) }
            return finishConversion()
        case .union: return completedUnionKey(top.currentEntry)
        case .root:
            // With a table, the presence bit belongs to the value at the end of the path.
            if top.table == nil { top.presenceBits |= 1 }
            session.completeRoot()
        case .object, .array:
            break
        }
        return .proceed
    }

    private mutating func emitElement() -> TokenAction {
        let element = currentSlot(of: top.currentEntry)
        // An element at an early end may lack parts.
        if session.elements.hasFailed, !session.isEnding {
            // The element lacks the part that failed.
            element.destroy()
            return .proceed
        }
        if let locator = session.locator {
            locator.finish(element.address)
            return .handlePending
        }
        return deliver(element.address)
    }

    /// Passes a complete element to its receiver.
    ///
    /// - Parameter isLocated: Whether the location of the element was awaited. The driver is then at the next element.
    mutating func deliver(_ element: UnsafeMutableRawPointer, isLocated: Bool = false) -> TokenAction {
        do {
            guard let next = try session.elements.receive(element) else { return .stop }
            if next != root.base { moveElements(to: next) }
            return .proceed
        } catch {
            var issue = issue(.thrown)
            if isLocated, case .index(let next) = issue.path.components.last {
                issue.path.components[issue.path.components.count - 1] = .index(next - 1)
            }
            issue.underlying = error
            session.issues.announce(PendingIssue(issue: issue, handling: .stop))
            return .stop
        }
    }

    /// Makes the next elements in other memory, between two elements.
    @inline(never)
    private mutating func moveElements(to memory: UnsafeMutableRawPointer) {
        let distance = memory - root.base
        var frame = top
        while frame != root {
            frame.base += distance
            frame = frame.below
        }
        root.base = memory
        // The slot of the next element, if the array is at its next element.
        slot.address += distance
    }

    /// The slot of an entry in the memory of the current model, or of an object or array on its path.
    @inline(__always)
    func currentSlot(of entry: EntryReference) -> ValueSlot {
        ValueSlot(address: top.base + entry.offset, layout: entry.layout)
    }

    /// Targets the slot of `entry` in the memory of the current model.
    @inline(__always)
    mutating func target(_ entry: EntryReference) {
        top.entry = entry
        disposition = entry.disposition
        slot = currentSlot(of: entry)
    }

    // MARK: Values that are added to a container

    /// Makes room in the empty container of a field for as many values as were last added to one.
    mutating func reserveAdditions(to field: FieldInfo, at container: UnsafeMutableRawPointer) {
        guard session.additionCount > 1 else { return }
        // The number is that of another object. It is bounded, so that small containers take little memory.
        field.shape?.container?.reserve?(container, min(session.additionCount, 64))
    }

    /// Targets memory for a value that is added to the container of a field.
    ///
    /// The memory belongs to the frame on top, and is that of each such value of the frame.
    mutating func targetAddition(_ entry: EntryReference) {
        if top.cursor == top.destination.address {
            let table = top.keyTable
            top.cursor = arena.allocate(table.additionSize, alignmentMask: table.additionAlignmentMask)
        }
        top.entry = entry
        target(at: ValueSlot(address: top.cursor, layout: entry.layout))
    }

    /// Adds the completed value to the container of its field.
    @inline(__always)
    private mutating func addValue(to entry: EntryReference) -> TokenAction {
        session.additionCount &+= 1
        let (value, container) = (top.cursor, top.base + entry.offset)
        let key = top.hasUncommonState ? top.uncommonState?.key ?? "" : ""
        guard entry.container.unsafelyUnwrapped._withUnsafeGuaranteedRef({ $0.insert!(value, key, container) })
        else {
            return failAddition(of: value, to: entry, key)
        }
        if entry.field < 64 { top.owner.presenceBits |= 1 << UInt64(entry.field) } else { setField(entry) }
        return .proceed
    }

    @inline(never)
    private mutating func failAddition(
        of value: UnsafeMutableRawPointer, to entry: EntryReference, _ key: String
    ) -> TokenAction {
        entry.layout.destroy(value)
        return fail(
            .invalidValue(expected: entry.layout.expectation, reason: "\"\(key)\" cannot be a key"))
    }
}

// MARK: Early stop

// The end of a parse when all requested values are present. The rest of the input is not read.

extension Driver {
    /// Whether the array or object that was closed held all elements of a stream.
    var hasEndedElements: Bool {
        mutating get {
            guard session.elements.isStream, top.owner == root, replayDepth == 0 else { return false }
            return frames(above: root).allSatisfy { $0.form != .anyIndex && $0.form != .anyKey }
        }
    }

    /// Whether the innermost model is the result, and has all values that its plan decodes.
    ///
    /// Checked at keys that the plan does not expect next. When all fields have values, no other key is expected. A model whose
    /// end reads more of the input does not stop early.
    var hasAllFields: Bool {
        mutating get {
            guard let plan = top.ownerPlan else { return false }
            let owner = top.owner
            // One comparison per key, while a field is missing.
            guard owner.presenceBits & plan.readBits == plan.readBits, plan.endsEarly else { return false }
            guard !session.elements.isStream, replayDepth == 0 else { return false }
            // One more for a field after the first 64: the one that was missing at the last key, which mostly still is.
            let fields = plan.fields
            func isMissing(_ field: Int) -> Bool { fields[field].isRead && !owner.isFilled(field) }
            if session.awaitedField < fields.count, isMissing(session.awaitedField) { return false }
            // Fields that collect values have one from the beginning of the outermost array or object.
            let isResult = frames(above: root).allSatisfy {
                $0.isNode && ($0.owner == owner || $0.owner == root) && $0.form != .anyIndex && $0.form != .anyKey
            }
            guard isResult else { return false }
            guard let missing = fields.indices.dropFirst(64).first(where: isMissing) else { return true }
            session.awaitedField = missing
            return false
        }
    }

    /// Closes the open containers of the result, which is complete.
    mutating func endEarly() -> TokenAction {
        while top > root {
            let action = top.form == .object ? endObject() : endArray()
            guard action == .proceed else { return action }
        }
        return .stop
    }
}
