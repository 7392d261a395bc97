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
    var takesPlainly: Bool {
        top.form == .object ? top.currentEntry.presenceBit != 0 : top.form == .array
    }

    /// Completes the value of the slot, if `takesPlainly`.
    @inline(__always)
    mutating func takeCompleted() {
        if top.form == .array {
            completedElement()
        } else {
            top.owner.presenceBits |= top.currentEntry.presenceBit
        }
    }

    /// Passes over the value of the current key or index.
    @inline(__always)
    mutating func passed() -> TokenAction {
        if top.form != .object { passedElsewhere() }
        return .proceed
    }

    @inline(never)
    private mutating func passedElsewhere() {
        switch top.form {
        case .indexes, .every: nextIndex()
        case .members: endMember()
        case .root: isComplete = true
        // A dropped element.
        case .array: resumeElements()
        case .update: dropUpdate()
        case .elements: keepElement()
        case .object, .pairs, .wrapped, .union: break
        }
    }

    @inline(never)
    private mutating func completedSpecial(_ entry: EntryReference) -> TokenAction {
        if entry.child != nil {
            if isReplayingWhole(of: entry) { setField(entry) }
            return stopsEarly && hasEndedElements ? .stop : .proceed
        }
        if entry.field < 0 { return emitElement() }
        setField(entry)
        return stopsEarly && top.owner == root ? stopWithResult() : .proceed
    }

    @inline(never)
    private mutating func completedElsewhere() -> TokenAction {
        switch top.form {
        case .pairs: completedPair()
        case .indexes, .every, .members:
            let entry = top.currentEntry
            if entry.presenceBit == 0 {
                let action = completedSpecial(entry)
                if action == .stop { return .stop }
                goToNext()
                return action
            }
            top.owner.presenceBits |= entry.presenceBit
            goToNext()
        case .wrapped: return finishWrapped()
        case .union: return completedUnionKey(top.currentEntry)
        case .update: storeUpdate()
        case .elements: storeElement()
        case .root:
            // With a table, the presence bit belongs to the value at the end of the path.
            if top.table == nil { top.presenceBits |= 1 }
            isComplete = true
        case .object, .array:
            break
        }
        return .proceed
    }

    /// Ends the value of an array or object on a path.
    private mutating func goToNext() {
        if top.form == .members { endMember() } else { nextIndex() }
    }

    private mutating func emitElement() -> TokenAction {
        let element = currentSlot(of: top.currentEntry)
        // An element at an early end may lack parts.
        if hasElementFailed, !isEnding {
            // The element lacks the part that failed.
            element.destroy()
            return .proceed
        }
        if let locator {
            locator.finish(element.address)
            return .handlePending
        }
        return pass(element.address)
    }

    /// Passes a complete element to its receiver.
    mutating func pass(_ element: UnsafeMutableRawPointer) -> TokenAction {
        do {
            return try emit!(element) ? .proceed : .stop
        } catch {
            var issue = issue(.thrown)
            issue.underlying = error
            pendingIssues.append(PendingIssue(issue: issue, handling: .stop))
            return .stop
        }
    }

    /// The slot of an entry in the memory of the current model, or of an object or array on its path.
    @inline(__always)
    func currentSlot(of entry: EntryReference) -> ValueSlot {
        ValueSlot(address: top.base + entry.offset, layout: entry.layout)
    }

    /// Aims at the slot of `entry` in the memory of the current model.
    @inline(__always)
    mutating func aim(_ entry: EntryReference) {
        top.entry = entry
        disposition = entry.disposition
        slot = currentSlot(of: entry)
    }

    /// Advances to the next element of an array on a path.
    mutating func nextIndex() {
        if let table = top.table, !table.aligned.isEmpty { alignGathered(table) }
        top.detail = .position(top.position + 1)
        aimAtIndex()
    }

    mutating func aimAtIndex() {
        let table = top.keyTable
        let entry = top.form == .every ? table.entries : table.find(index: top.position)
        guard let entry, prepare(entry) == .ready else {
            disposition = .skip
            return
        }
        aim(entry)
        if entry.isRanked, replaces(entry) { disposition = .replace }
        if top.owner.isMerged { aimMerging(entry) }
    }

    /// Ends the value of a member, in an object on a path that selects every member.
    mutating func endMember() {
        if let table = top.table, !table.aligned.isEmpty { alignGathered(table) }
        top.detail = .position(top.position + 1)
        disposition = .skip
    }

    /// Handles a key of an object on a path that selects every member.
    mutating func memberKey(_ key: String) -> TokenAction {
        let entry = top.keyTable.entries
        top.makeExtras().key = key
        if rejectsDuplicates, !isFirst(key) { return failDuplicate(entry, key: key) }
        guard prepare(entry) == .ready else {
            disposition = .skip
            return .proceed
        }
        aim(entry)
        if top.owner.isMerged { aimMerging(entry) }
        return .proceed
    }
}
