// Objects and arrays on the paths of fields.

extension Driver {
    /// Pushes the frame of an object on a path, of which members are selected by their keys.
    @inline(__always)
    mutating func pushObjectNode(_ table: TableReference) {
        pushFrame(.object, learnedKeys.isWanted(top.owner.serial) ? learnedKeys.begin(table) : table)
    }

    /// Pushes the frame of an array on a path, or of an object of which every member is selected.
    mutating func pushNode(_ form: DecodingFrame.Form, _ table: TableReference) {
        pushFrame(form, table)
        if form != .indexes, top.owner == root { session.elements.countArray() }
        top.state = .position(0)
        if table.form.isWildcard { beginCollecting(table) }
        if form != .anyKey { targetIndex() }
    }

    @inline(__always)
    private mutating func pushFrame(_ form: DecodingFrame.Form, _ table: TableReference) {
        push(form)
        top.table = table
        // The frames may have moved.
        top.owner = top.below.owner
        top.base = top.below.base
        top.guess = table.first
    }

    /// The table of the current object or array on a path.
    @inline(__always)
    var nodeTable: TableReference {
        mutating get { top.form == .root ? top.keyTable : top.currentEntry.child! }
    }

    mutating func endNode() -> TokenAction {
        let next = top.below
        guard next.form == .anyIndex, replayDepth == 0, !session.stopsEarly, next.owner.form == .object,
            !top.hasUncommonState
        else { return endOtherNode() }
        // The selected values were added one by one: nothing is completed.
        arena.restore(top.mark)
        top = next
        let table = next.keyTable
        if !table.aligned.isEmpty { alignCollected(table) }
        next.state = .position(next.position + 1)
        target(table.entries)
        return .proceed
    }

    @inline(never)
    private mutating func endOtherNode() -> TokenAction {
        top.freeUncommonState()
        return pop()
    }

    /// Ends the current value of an array or object on a path, and advances to the next one.
    mutating func goToNext() {
        if top.form == .anyKey { endMember() } else { nextIndex() }
    }

    /// Advances to the next element of an array on a path.
    mutating func nextIndex() {
        if let table = top.table, !table.aligned.isEmpty { alignCollected(table) }
        top.state = .position(top.position + 1)
        targetIndex()
    }

    mutating func targetIndex() {
        let table = top.keyTable
        let entry = top.form == .anyIndex ? table.entries : table.find(index: top.position)
        guard let entry, prepare(entry) == .ready else {
            disposition = .skip
            return
        }
        if entry.addsToContainer { return targetAddition(entry) }
        target(entry)
        if entry.isRanked, replaces(entry) { disposition = .replace }
    }

    /// Ends the value of a member, in an object on a path that selects every member.
    mutating func endMember() {
        if let table = top.table, !table.aligned.isEmpty { alignCollected(table) }
        top.state = .position(top.position + 1)
        (disposition, top.entry) = (.skip, nil)
    }

    /// Handles a key of an object on a path that selects every member.
    mutating func memberKey(_ key: String) -> TokenAction {
        let entry = top.keyTable.entries
        top.makeUncommonState().key = key
        if session.rejectsDuplicates, !isFirst(key) { return failDuplicate(entry, key: key) }
        // A value that a wildcard selects is added to others, and has no other candidates.
        _ = prepare(entry)
        if entry.addsToContainer {
            targetAddition(entry)
            return .proceed
        }
        target(entry)
        return .proceed
    }

    // MARK: A stream that continues from a checkpoint

    // The driver moves along the path to the element before the checkpoint.

    /// Moves to an element of the array on top, which is on the path of the elements.
    mutating func move(toIndex index: Int) {
        top.state = .position(index)
        targetIndex()
    }

    /// Ignores the next value.
    mutating func ignoreNext() { disposition = .skip }

    /// Whether the innermost open container is the array of the elements of a stream.
    var isBetweenElements: Bool {
        top.form == .anyIndex && top.owner == root && skipDepth == 0 && !isRecording && replayDepth == 0
            && !session.issues.isPending && top.keyTable.entries.field < 0 && top.keyTable.entries.child == nil
    }

    /// The index of the next element, or of the open one, in the array of the elements; nil if no such array is open.
    var elementIndex: Int? {
        for frame in frames(above: root) where frame.form == .anyIndex && frame.owner == root {
            return frame.position
        }
        return nil
    }

    /// Skips elements of the array on top.
    mutating func skipElements(_ count: Int) { move(toIndex: top.position + count) }
}

// MARK: Wildcards

// Fields that collect the values of several locations, by a path with wildcards.
//
// A field with several wildcards collects the values of all its arrays and objects in one array. Fields of optional elements
// have one element for each value that their last wildcard selects. Fields with the same wildcards therefore match by index.

extension Driver {
    /// Begins an array or object on a path that selects every value.
    ///
    /// At the outermost wildcard, the fields that collect values below become empty, so that they are not missing.
    mutating func beginCollecting(_ table: TableReference) {
        let fields = table.fields
        for field in table.collecting {
            let info = fields[field]
            let address = top.base + info.offset
            if isFilled(field: field) { info.destroy(address) }
            info.shape!.makeEmpty(address)
            setField(field)
            reserveAdditions(to: info, at: address)
        }
        if !table.collecting.isEmpty { session.additionCount = 0 }
        // All aligned fields have equally many elements.
        guard table.collecting.isEmpty, let field = table.aligned.first else { return }
        let count = fields[field].shape?.container?.count(top.base + fields[field].offset) ?? 0
        if count > 0 { top.makeUncommonState().collectedCount = count }
    }

    /// Ends a value that a wildcard selects. Fields of optional elements get nil for a missing key, and keep only the last value
    /// of a duplicate key.
    mutating func alignCollected(_ table: TableReference) {
        guard let plan = top.ownerPlan else { return }
        let count = (top.uncommonState?.collectedCount ?? 0) + top.position + 1
        for field in table.aligned {
            let info = plan.fields[field]
            guard let witness = info.shape?.container, let element = info.element else { continue }
            let container = top.base + info.offset
            var found = witness.count(container)
            while found < count {
                element.withTemporaryMemory { memory in
                    // The element is moved out of its memory.
                    element.loadNil(memory)
                    _ = witness.insert?(memory, "", container)
                }
                found += 1
            }
            if found > count { info.shape?.elements?.remove(container, count - 1..<found - 1) }
        }
    }
}
