// Merging of JSON into existing values.
//
// The JSON changes an existing value. The frame of a merged model begins with every field filled, and each value in the
// JSON replaces the existing one. A dictionary or `JSONValue` is changed member by member: a frame of the container loads the
// current value of a key into a slot, and stores the slot when the new value is complete.
//
// The changes are made to a copy, so that a failure leaves the original unchanged. An object with assignable properties keeps
// its identity: the change is assigned when the JSON object is complete, and undone if a later value fails.

extension Driver {
    /// Changes the existing value instead of making a new one.
    ///
    /// - Parameter entry: The entry of the changes, or nil if they are the root of the input.
    mutating func merge(_ merging: Merging, at entry: EntryReference?) {
        session.merging = merging
        session.merging?.entry = entry
        if entry == nil { disposition = .merge }
    }

    /// Whether the current value is the value that the caller merges into.
    var isMergedRoot: Bool {
        if top.form == .root { return true }
        guard session.merging?.entry != nil, top.owner == root, let entry = top.entry else { return false }
        // Each path leads to the value. The entry may be a copy in a table of `LearnedKeys`.
        return entry.child == nil
    }

    /// Whether a scalar replaces a value, so that the scalar is handled again when the memory is ready.
    var replacesValue: Bool { disposition == .replace || disposition == .merge && isReplacedByScalar }

    /// Whether any value except an object replaces the changed value.
    private var isReplacedByScalar: Bool { slot.layout.kind == .value || slot.layout.isPatchable }

    /// Prepares the memory of an existing value, which a filled field has or a merge changes, for a new value other than null.
    ///
    /// - Returns: The reason why an object or array cannot replace the value; nil if it can.
    @discardableResult @inline(__always)
    mutating func replaceValue(isObject: Bool = false, isArray: Bool = false) -> JSONIssue.Kind? {
        guard disposition == .replace || disposition == .merge else { return nil }
        return replaceExisting(isObject: isObject, isArray: isArray)
    }

    @inline(never)
    private mutating func replaceExisting(isObject: Bool, isArray: Bool) -> JSONIssue.Kind? {
        if disposition == .merge {
            // The first value of a repeated key on the path has failed, and the copy was destroyed.
            if isMergedRoot { restartMerge() }
            if isArray, mergesElements(slot) { return nil }
            // A value other than a model or dictionary is replaced by anything except an object.
            if !isObject, isReplacedByScalar { disposition = .store(slot.layout.kind) }
            return nil
        }
        if top.form == .changed {
            return replaceMember(isObject: isObject, isArray: isArray)
        }
        let entry = top.currentEntry
        if entry.addsToContainer {
            targetAddition(entry)
            if isObject, session.merging?.options.nested == .merge {
                disposition = .patch
                return nil
            }
            return isObject || isArray ? withExtraMember { $0.rejection(of: $1) } : nil
        }
        if entry.isRanked, top.owner.flags.contains(.isMerged) { beginCandidate(entry) }
        disposition = entry.disposition
        slot.layout = entry.layout
        if isObject, beginNestedMerge(entry) { return nil }
        if isArray, top.owner.flags.contains(.isMerged), isFilled(entry), entry.disposition != .record,
            mergesElements(slot)
        {
            clearField(entry.field)
            disposition = .merge
            return nil
        }
        guard isFilled(entry) else { return nil }
        if isObject || isArray, let kind = rejection(of: currentSlot(of: entry)) { return kind }
        // The hook of a candidate may leave out the new value.
        if top.owner.flags.contains(.isMerged) || top.fieldInfo?.hook == nil { destroyValue(entry) }
        return nil
    }

    /// Handles null for an existing value: leaves or removes the value.
    ///
    /// - Returns: nil if null is the new value.
    mutating func replaceByNull() -> TokenAction? {
        if top.change.index != nil {
            replaceElement()
            return nil
        }
        // The fields below an array on a path have been removed. Null is the new value.
        if isField, top.entry?.isRanked == false, isBelowArray { return nil }
        guard session.merging?.options.nulls == .clear else {
            if isField, let entry = top.entry { noteNull(of: entry) }
            return endWithoutValue()
        }
        guard top.form == .changed else { return removeField() }
        clearMember()
        return endWithoutValue()
    }

    /// Whether the path of the current field leads through an array.
    private var isBelowArray: Bool {
        var frame = top
        while frame != frame.owner {
            if frame.form == .indexes { return true }
            frame = frame.below
        }
        return false
    }

    /// Begins to change an existing value with the members of an object.
    mutating func mergeObject() -> TokenAction {
        if disposition == .patch || slot.layout.isPatchable { return beginPatch() }
        // No frame would own the copy of an array.
        if slot.layout.kind == .array { return fail(.mismatch, found: "an object", at: .openingBracket) }
        if slot.layout.isOptional, isMergedRoot {
            copyOriginal()
            guard slot.isPresent else { return replaceNil() }
        }
        if slot.layout.kind == .model { return beginMerged() }
        pushMembers()
        return .proceed
    }

    /// Begins the object that replaces nil at the root of the merge, as in a field.
    private mutating func replaceNil() -> TokenAction {
        if isPatched(slot.layout, isPresent: false) { return beginPatch() }
        disposition = .store(slot.layout.kind)
        return startObject()
    }

    /// Calls a closure with a copy of the current member of the extra keys. Returns nil if the key is missing.
    mutating func withExtraMember<Result, Failure: Error>(
        _ body: (inout Driver, ValueSlot) throws(Failure) -> Result?
    ) throws(Failure) -> Result? {
        guard let info = top.fieldInfo, let members = top.table?.extraAccess, let layout = info.element else {
            return nil
        }
        let (container, key) = (top.base + info.offset, top.uncommonState?.key ?? "")
        return try layout.withTemporaryMemory { memory throws(Failure) in
            guard members.load(container, key, memory) == true else { return nil }
            let member = ValueSlot(address: memory, layout: layout)
            defer { member.destroy() }
            return try body(&self, member)
        }
    }

    // MARK: Objects of subclasses

    /// Returns the reason why a value cannot be replaced: it contains an object of a subclass, and a new value would have an
    /// object of the declared class.
    mutating func rejection(of slot: ValueSlot) -> JSONIssue.Kind? {
        guard let name = session.merging?.subclasses.name(in: slot) else { return nil }
        return Merging.rejection(ofReplacing: name)
    }

    /// Returns the reason why an array or object on a path cannot replace the fields below.
    mutating func rejectionOfFields(below table: TableReference) -> JSONIssue.Kind? {
        for entry in table.allEntries {
            if let child = entry.child, let kind = rejectionOfFields(below: child) { return kind }
            guard entry.field >= 0, isFilled(entry), let info = top.ownerPlan?.fields[entry.field],
                let layout = info.layout
            else { continue }
            let field = ValueSlot(address: top.base + info.offset, layout: layout)
            if let kind = rejection(of: field) { return kind }
        }
        return nil
    }

    /// Removes the value of a field on null, as if the key were missing.
    mutating func removeField() -> TokenAction {
        let entry = top.currentEntry
        // Other fields may have parts of the value.
        if let child = entry.child { removeFields(of: child) }
        if entry.addsToContainer {
            guard let info = top.fieldInfo else { return endWithoutValue() }
            top.table?.extraAccess?.remove(top.base + info.offset, top.makeUncommonState().key ?? "")
            return endWithoutValue()
        }
        guard isFilled(entry) else { return endWithoutValue() }
        if entry.isRanked {
            if removesField(entry) { destroyValue(entry) }
            return endWithoutValue()
        }
        if top.fieldInfo?.isRequired == true {
            (disposition, slot.layout) = (.store(entry.layout.kind), entry.layout)
            return fail(.nullValue(expected: expectation))
        }
        destroyValue(entry)
        return endWithoutValue()
    }

    /// Removes the values of the fields below an object or array on a path, as if their keys were missing.
    mutating func removeFields(of table: TableReference) {
        if let extra = table.extra, isFilled(extra), let access = table.extraAccess {
            access.removeAll(top.base + extra.offset)
        }
        for entry in table.allEntries {
            if let child = entry.child { removeFields(of: child) }
            guard entry.field >= 0, !entry.addsToContainer, isFilled(entry) else { continue }
            if removesField(entry) { destroyValue(entry) }
        }
    }

    /// Whether null at the key of an entry removes the value of its field. The null of a later candidate does not: another
    /// candidate may have filled the field.
    private mutating func removesField(_ entry: EntryReference) -> Bool {
        !entry.isRanked || entry.rank == 0 && !hasRank(entry)
    }

    // MARK: Models

    /// Begins to change the model in the slot with the current object. The model belongs to the driver.
    mutating func beginMerged() -> TokenAction {
        copyOriginal()
        do throws(JSONModelError) {
            if let own = try session.planCache.layout(ofObjectAt: slot.address, declaredAs: slot.layout) {
                guard own.isMergeable else {
                    let isModel = own.kind == .model
                    throw JSONModelError(
                        isModel ? .invalidPlan(Self.unreadable) : Merging.rejection(ofChanging: own.typeName))
                }
                slot.layout = own
            }
        } catch {
            slot.destroy()
            return fail(error.issues[0].kind, at: .openingBracket)
        }
        pushMerged()
        return .proceed
    }

    /// The defect of a plan whose models cannot be merged into.
    static var unreadable: String {
        "its plan makes models from a storage, and no storage from a model: give the plan 'read:'"
    }

    /// Pushes a frame that changes the model in the slot and now owns the model.
    private mutating func pushMerged() {
        push(.object)
        let frame = top
        let table = slot.layout.keyTable
        top.expectNoKey()
        frame.flags = [.isMerged, .checksKeys]
        frame.state = .model(serial: unknownKeys.beginObject())
        noteChangeCount()
        let plan = table.plan!
        if let storage = plan.erasedPlan.storage, let read = storage.read {
            allocateStorage(table)
            read(slot.address, frame.base)
            if storage.assign != nil, slot.layout.withModel({ $0.isClass }) {
                frame.makeUncommonState().object = slot.memory(of: AnyObject.self).pointee
            }
            slot.destroy()
        }
        if table.extendedPresenceSize > 0 { allocateExtendedPresence(table.extendedPresenceSize) }
        for field in plan.fields.indices { setField(field) }
        for group in plan.groups where group.isNil(in: top.base) { clearFields(of: group, plan) }
    }

    /// Marks the fields of an optional flattened model that is nil as missing.
    private func clearFields(of group: FieldGroup, _ plan: ResolvedPlan) {
        for field in group.fields {
            let info = plan.fields[field]
            clearField(field)
            info.layout?.loadNil(top.base + info.offset)
        }
    }

    /// Removes the values of an optional flattened model of which the JSON of the merged model would have no member: the flattened model
    /// becomes nil.
    func removeMemberless(_ group: FieldGroup, _ plan: ResolvedPlan) {
        if group.fields.contains(where: { isMember($0, plan.fields[$0]) }) { return }
        for field in group.fields where isFilled(field: field) {
            plan.fields[field].destroy(top.base + plan.fields[field].offset)
            clearField(field)
        }
    }

    /// Whether a field of an optional flattened model has a member in the JSON of the merged model. A field that is not decoded counts, too,
    /// if null removes no values.
    private func isMember(_ field: Int, _ info: FieldInfo) -> Bool {
        guard isFilled(field: field) else { return false }
        guard info.declared.isDecoded, let layout = info.layout else {
            return session.merging?.options.nulls != .clear
        }
        let address = top.base + info.offset
        if info.isExtra, let shape = info.shape {
            return shape.container?.isEmpty(address, as: shape.type) == false
        }
        let presence = layout.presence(address)
        return presence == .value || presence == .null
    }

    /// Makes the innermost model from its storage, or assigns the storage to the existing object.
    mutating func finishStorage() {
        let (storage, destination) = (top.base, top.destination)
        let table = destination.layout.keyTable
        guard let object = top.uncommonState?.object, let erasedPlan = table.plan?.erasedPlan else {
            return table.makeModel(from: storage, at: destination.address)
        }
        session.merging?.changes.assign(storage, to: object, by: erasedPlan)
        destination.initialize(to: object)
    }

    /// Records the number of objects that were changed before the frame on top.
    private mutating func noteChangeCount() {
        top.makeUncommonState().changeCount = session.merging?.changes.count ?? 0
    }

    /// Undoes the changes made to objects since the first merged frame above this one began.
    mutating func undoChanges(above frame: FrameReference) {
        guard session.merging != nil else { return }
        let merged = frames(above: frame).first {
            $0.flags.contains(.isMerged) || $0.form == .changed
        }
        if let state = merged?.uncommonState { session.merging?.changes.undo(downTo: state.changeCount) }
    }

    mutating func copyOriginal() {
        guard session.merging?.isCopied == false else { return }
        session.merging?.isCopied = true
        session.merging?.copy(slot.address)
    }

    /// Targets a field of a merged model. The current value stays until the next one arrives.
    mutating func targetMerged(_ entry: EntryReference) {
        guard entry.field >= 0, !entry.addsToContainer else { return }
        disposition = .replace
        slot.layout = Self.existingValue
    }

    /// The layout while an existing value may be replaced. The layout is not optional, so that the driver handles null, too.
    nonisolated(unsafe) static let existingValue = TableBuilder.sentinel().layout

    /// Whether an object changes the value of a field. The value then belongs to the object's frame until the object is
    /// complete.
    private mutating func beginNestedMerge(_ entry: EntryReference) -> Bool {
        // A value of which other fields have parts is replaced.
        guard top.owner.flags.contains(.isMerged), session.merging?.options.nested == .merge, entry.child == nil
        else { return false }
        let layout = entry.layout
        let isPresent = isFilled(entry) && currentSlot(of: entry).isPresent
        if isPresent, layout.isMergeable, entry.disposition != .record {
            clearField(entry.field)
            disposition = .merge
            return true
        }
        // A value in an array on the path is new, with its nulls.
        guard isPatched(layout, isPresent: isPresent), isPresent || !isBelowArray else { return false }
        disposition = .patch
        return true
    }

    /// Whether an object changes a value through its JSON. If no value exists, the object's null members are removed.
    func isPatched(_ layout: LayoutReference, isPresent: Bool) -> Bool {
        (layout.isPatchable || layout.isMergeable) && (isPresent || session.merging?.options.nulls == .clear)
    }
}

// MARK: Members

// Dictionaries and `JSONValue` that are changed member by member.

extension Driver {
    /// Pushes a frame that changes the members of the container in the slot and now owns the container.
    mutating func pushMembers() {
        copyOriginal()
        slot.layout.memberAccess.open(slot.address)
        push(.changed)
        noteChangeCount()
        top.change = DecodingFrame.Change()
        allocateMember()
    }

    /// The slot that holds the current member or element of a changed container, if the change has a value.
    func memberSlot(of frame: FrameReference) -> ValueSlot {
        ValueSlot(address: frame.base, layout: frame.layout.memberLayout)
    }

    /// Allocates the slot of the members or elements.
    mutating func allocateMember() {
        let member = top.layout.memberLayout
        top.base = arena.allocate(member.size, alignmentMask: member.alignmentMask)
    }

    /// Targets the current member or element. The existing value stays until the new one arrives.
    mutating func targetExistingMember() {
        disposition = .replace
        slot = ValueSlot(address: top.base, layout: Self.existingValue)
    }

    private var members: MemberAccess { top.layout.memberAccess }

    /// Whether the slot of the changed container on top holds a value.
    var hasMember: Bool {
        get { top.change.hasValue }
        nonmutating set { top.change.hasValue = newValue }
    }

    mutating func changedKey(_ text: UnsafeBufferPointer<UInt8>) -> TokenAction {
        let key = String(checkedUTF8: text)
        top.makeUncommonState().key = key
        if key.utf8.mayHaveEquivalents, members.hasEquivalent(top.destination.address, key) {
            return fail(.duplicateKey(key), at: .key)
        }
        guard beginMember(key, of: top.destination.address, members, memberSlot(of: top).layout) else {
            return fail(.duplicateKey(key), at: .key)
        }
        guard let hasValue = members.load(top.destination.address, key, top.base) else {
            return fail(.invalidKey(key, type: top.layout.keyTypeName), at: .key)
        }
        hasMember = hasValue
        targetExistingMember()
        return .proceed
    }

    /// Prepares the slot of the current member for a value other than null.
    ///
    /// - Returns: The reason why an object or array cannot replace the member; nil if it can.
    mutating func replaceMember(isObject: Bool, isArray: Bool) -> JSONIssue.Kind? {
        let member = memberSlot(of: top)
        let isPresent = hasMember && member.isPresent
        // Elements are merged, whichever option applies to values nested in models.
        if isObject, session.merging?.options.nested == .merge || top.change.index != nil {
            if isPresent, member.layout.isMergeable {
                hasMember = false
                (disposition, slot) = (.merge, member)
                return nil
            }
            if isPatched(member.layout, isPresent: isPresent) {
                (disposition, slot) = (.patch, member)
                return nil
            }
        }
        if isArray, isPresent, mergesElements(member) {
            hasMember = false
            (disposition, slot) = (.merge, member)
            return nil
        }
        if isPresent, isObject || isArray, let kind = rejection(of: member) { return kind }
        destroyMember()
        target(at: member)
        return nil
    }

    /// Removes the current member, for which the JSON has null.
    mutating func clearMember() {
        members.remove(top.destination.address, top.makeUncommonState().key ?? "")
    }

    /// Stores the completed value of the current member or element.
    mutating func storeMember() {
        guard let index = top.change.index else {
            members.store(top.destination.address, top.makeUncommonState().key ?? "", top.base)
            return keepMember()
        }
        elementAccess.append(top.destination.address, top.base)
        hasMember = false
        targetMergedElement(index + 1)
    }

    /// Leaves the current member or element of the container unchanged, after the new one was dropped.
    mutating func keepMember() {
        destroyMember()
        guard let index = top.change.index else {
            top.makeUncommonState().key = nil
            return
        }
        if elementAccess.load(top.cursor, index, top.base) {
            elementAccess.append(top.destination.address, top.base)
        }
        targetMergedElement(index + 1)
    }

    func destroyMember() { destroyMember(of: top) }

    func destroyMember(of frame: FrameReference) {
        guard frame.change.hasValue else { return }
        memberSlot(of: frame).destroy()
        frame.change.hasValue = false
    }

    /// Destroys a changed container, or both arrays of a frame whose elements are changed.
    func destroyChanged(of frame: FrameReference) {
        destroyMember(of: frame)
        if frame.change.index != nil {
            oldArray(of: frame).destroy()
            frame.destination.markPresent()
        }
        frame.destination.destroy()
    }
}

// MARK: Elements

// Arrays whose elements are merged by their indices.

extension Driver {
    /// Whether an array changes the elements of the existing current value.
    mutating func mergesElements(_ slot: ValueSlot) -> Bool {
        guard let merging = session.merging, merging.options.arrays == .byIndex, slot.layout.hasMergeableElements
        else {
            return false
        }
        // At the root, the copy does not exist yet.
        if !merging.isCopied { return true }
        return slot.isPresent && slot.layout.shape.elements?.isArray(slot.address) == true
    }

    var elementAccess: ElementAccess { top.layout.elementAccess }

    /// Changes the elements of the array in the slot with the current array, or replaces a value that is not an array.
    mutating func beginElements() -> TokenAction {
        copyOriginal()
        if mergesElements(slot) {
            pushElements()
            return .proceed
        }
        slot.destroy()
        disposition = .store(slot.layout.kind)
        return startArray()
    }

    /// Pushes a frame that changes the elements of the array in the slot and now owns the array. The array moves to memory of
    /// the frame; the result is made from the old and the changed elements.
    private mutating func pushElements() {
        push(.changed)
        noteChangeCount()
        let container = top.layout
        allocateMember()
        top.cursor = arena.allocate(container.size, alignmentMask: container.alignmentMask)
        top.cursor.copyMemory(from: top.destination.address, byteCount: container.size)
        elementAccess.makeEmpty(top.destination.address)
        targetMergedElement(0)
    }

    /// Targets an element. The existing element stays until the value arrives.
    mutating func targetMergedElement(_ index: Int) {
        let hasValue = elementAccess.load(top.cursor, index, top.base)
        top.change = DecodingFrame.Change(index: index, hasValue: hasValue)
        targetExistingMember()
    }

    /// Replaces the current element with null.
    mutating func replaceElement() {
        destroyMember()
        target(at: memberSlot(of: top))
    }

    mutating func endElements() -> TokenAction {
        destroyMember()
        oldArray(of: top).destroy()
        top.destination.markPresent()
        top.freeUncommonState()
        return pop()
    }

    /// The array before the change.
    private func oldArray(of frame: FrameReference) -> ValueSlot {
        ValueSlot(address: frame.cursor, layout: frame.layout)
    }
}

// MARK: Patches

// Values that JSON Merge Patch changes as JSON, because their type has no members of its own.

extension Driver {
    nonisolated(unsafe) private static let valueLayout = LayoutReference(JSONShape.of(JSONValue.self).layout)

    /// Begins to change the JSON of the current value with an object. When the object is complete, the value is made again.
    mutating func beginPatch() -> TokenAction {
        copyOriginal()
        let json: JSONValue
        do { json = try existingJSON() ?? .object([:]) } catch {
            return fail(error.issues[0].kind, at: .openingBracket)
        }
        guard pushConversion(.patch, around: Self.valueLayout) else { return failNesting(at: .openingBracket) }
        slot.initialize(to: json)
        disposition = .merge
        pushMembers()
        return .proceed
    }

    /// Returns the JSON of the current value, or nil if no value exists.
    ///
    /// - Throws: ``JSONModelError`` if the value cannot be encoded, or contains an object of a subclass.
    private mutating func existingJSON() throws(JSONModelError) -> JSONValue? {
        if isMergedRoot {
            defer { slot.destroy() }
            return try existingJSON(of: slot)
        }
        switch top.form {
        case .changed: return hasMember ? try existingJSON(of: slot) : nil
        default: break
        }
        guard let entry = top.entry else { return nil }
        if !entry.addsToContainer { return isFilled(entry) ? try existingJSON(of: slot) : nil }
        return try withExtraMember { driver, member throws(JSONModelError) in try driver.existingJSON(of: member) }
    }

    private mutating func existingJSON(of slot: ValueSlot) throws(JSONModelError) -> JSONValue? {
        guard slot.isPresent else { return nil }
        if let kind = rejection(of: slot) { throw JSONModelError(kind) }
        return try session.merging?.json(slot)
    }

    /// Makes the value from its changed JSON, whose frame was popped.
    mutating func finishPatch(of changed: UnsafeMutableRawPointer) -> TokenAction {
        let json = ValueSlot(address: changed, layout: Self.valueLayout).move(JSONValue.self)
        switch top.form {
        case .changed:
            destroyMember()
            target(at: slot)
        default:
            if isMergedRoot {
                disposition = .store(slot.layout.kind)
                break
            }
            let entry = top.currentEntry
            if !entry.addsToContainer, isFilled(entry) { destroyValue(entry) }
            return replayField(json, entry)
        }
        return replay(.value(json), as: .value)
    }
}

// MARK: Repeated keys

// Repeated keys in JSON that is merged.

extension Driver {
    /// Begins the value of a key in a merged model, or in an object on its path. The value of a repeated key finds the fields as
    /// they were before the key's first value. Returns false if duplicate keys are rejected.
    mutating func beginMember(_ entry: EntryReference) -> Bool {
        begin(.entry(entry)) { driver in
            driver.fields(below: entry).map { driver.original(of: $0) }
        } restore: { driver, value in
            // The value of another candidate stays.
            let rank = driver.top.owner.rank(of: value.field)
            if rank == 0 || driver.isCandidate(rank - 1, of: value.field, at: entry) { driver.restore(value) }
        }
    }

    /// Whether the candidate of a rank for a field is at an entry or below.
    private func isCandidate(_ rank: Int, of field: Int, at entry: EntryReference) -> Bool {
        if entry.field == field, Int(entry.rank) == rank { return true }
        guard let table = entry.child else { return false }
        return table.allEntries.contains { isCandidate(rank, of: field, at: $0) }
    }

    /// Begins a value other than null for a field of a merged model that has several candidates. The value finds the field as it was
    /// before a worse candidate, whatever the order of the keys.
    private mutating func beginCandidate(_ entry: EntryReference) {
        let state = top.owner.makeUncommonState()
        let known = state.candidates ?? MergeOriginals()
        state.candidates = known
        let count = session.merging?.changes.count ?? 0
        if let (values, changes) = known.begin(.field(entry.field), changes: count) {
            session.merging?.changes.undo(changes)
            for value in values { restore(value) }
        } else {
            known.record([original(of: entry.field)], changes: count)
        }
    }

    /// Ends the value of a candidate for a field of a merged model.
    mutating func endCandidate() {
        top.owner.uncommonState?.candidates?.end(changes: session.merging?.changes.count ?? 0)
    }

    /// Undoes the changes by the first value of a repeated key on the path of the input.
    mutating func restartMerge() {
        guard session.merging?.isCopied == true else { return }
        session.merging?.isCopied = false
        session.merging?.changes.undo(downTo: 0)
    }

    /// Begins the value of a key in a container that is changed. See `beginMember(_:)`.
    ///
    /// - Parameter container: The container, with the layout of its values.
    mutating func beginMember(
        _ key: String, of container: UnsafeMutableRawPointer, _ access: MemberAccess, _ layout: LayoutReference
    ) -> Bool {
        guard let identity = access.identity(key) else { return true }
        let type = layout.shape.type
        return begin(.member(identity)) { _ in
            let original = layout.withTemporaryMemory { memory in
                guard access.load(container, key, memory) == true else { return MergeOriginals.missing() }
                defer { layout.destroy(memory) }
                return MergeOriginals.copy(of: type, layout, at: memory) { layout.destroy($0) }
            }
            return [original]
        } restore: { _, value in
            guard let original = value.memory else { return access.remove(container, key) }
            layout.withTemporaryMemory { memory in
                ValueCopy.copy(type, from: original, to: memory)
                access.store(container, key, memory)
            }
        }
    }

    private mutating func begin(
        _ key: MergeOriginals.Key, originals: (inout Driver) -> [MergeOriginals.Value],
        restore: (inout Driver, MergeOriginals.Value) -> Void
    ) -> Bool {
        let state = top.makeUncommonState()
        let known = state.originals ?? MergeOriginals()
        state.originals = known
        let count = session.merging?.changes.count ?? 0
        if let (values, changes) = known.begin(key, changes: count) {
            if session.rejectsDuplicates { return false }
            session.merging?.changes.undo(changes)
            for value in values { restore(&self, value) }
        } else {
            known.record(session.rejectsDuplicates ? [] : originals(&self), changes: count)
        }
        return true
    }

    /// Returns a copy of a field of the innermost merged model.
    private func original(of field: Int) -> MergeOriginals.Value {
        let rank = top.owner.rank(of: field)
        guard isFilled(field: field), let info = top.ownerPlan?.fields[field], let layout = info.layout else {
            return MergeOriginals.missing(field: field, rank: rank)
        }
        return MergeOriginals.copy(
            of: info.declared.type, layout, at: top.base + info.offset, field: field, rank: rank,
            destroy: info.destroy)
    }

    /// Gives a field of the innermost merged model its original value.
    private mutating func restore(_ value: MergeOriginals.Value) {
        guard let info = top.ownerPlan?.fields[value.field] else { return }
        let address = top.base + info.offset
        if isFilled(field: value.field) { info.destroy(address) }
        if let original = value.memory {
            ValueCopy.copy(info.declared.type, from: original, to: address)
            setField(value.field)
        } else {
            info.layout?.loadNil(address)
            clearField(value.field)
        }
        top.owner.restoreRank(of: value.field, to: value.rank)
    }
}

// MARK: Types

extension LayoutReference {
    /// Whether values are models.
    var isOfModel: Bool { self.kind == .model || self.kind == .composite }

    /// Whether the value is or may be an array with elements that can be merged into.
    var hasMergeableElements: Bool {
        if self.kind == .value { return true }
        guard self.kind == .array, self.shape.elements != nil, let element = self.element else { return false }
        return element.isMergeable || element.isPatchable || element.hasMergeableElements
    }

    /// Whether an object changes the value through its JSON, because the value stores an object's members in another form.
    var isPatchable: Bool {
        switch self.kind {
        case .union, .converted, .raw, .composite: true
        // A dictionary of another type makes its members only as a whole.
        case .dictionary: self.shape.members == nil
        default: false
        }
    }

    /// Whether an object can change the value in memory.
    var isMergeable: Bool {
        switch self.kind {
        case .model:
            let plan = self.table?.plan
            return plan?.erasedPlan.storage.map { $0.read != nil } ?? true
        case .value: return true
        case .dictionary: return self.shape.members != nil
        default: return false
        }
    }

    /// The layout of a changed container's values or elements.
    fileprivate var memberLayout: LayoutReference {
        // The elements and the members of a `JSONValue` have the same type.
        let container = self.kind == .value ? self.contents! : self
        return container.element!
    }
}
