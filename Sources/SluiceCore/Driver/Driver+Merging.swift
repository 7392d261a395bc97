// Merging
//
// The JSON changes an existing value. The frame of a merged model begins with every field filled, and each value in the
// JSON replaces the existing one. A dictionary or `JSONValue` is changed member by member: an update frame loads the
// current value of a key into a slot, and stores the slot when the new value is complete.
//
// The changes are made to a copy, so that a failure leaves the original unchanged. An object with assignable properties keeps
// its identity: the change is assigned when the JSON object is complete, and undone if a later value fails.

/// How an existing value is changed.
struct Merging {
    let options: JSONMergeOptions
    /// Writes a value as JSON.
    let json: (ValueSlot) throws(JSONModelError) -> JSONValue
    /// Returns the name of the first class of an object in a value that is not the declared class; nil if all are.
    let subclass: (ValueSlot) -> String?
    /// Makes the copy, at the root of the value.
    let copy: (UnsafeMutableRawPointer) -> Void
    var isCopied = false
    /// The objects that were changed in place.
    var changes = ObjectChanges()
    /// Whether a type may contain objects, by layout.
    var objectTypes: [LayoutReference: Bool] = [:]
    /// The entry of the changes, or nil if they are the root of the input.
    var entry: EntryReference?
}

extension Driver {
    /// Changes the existing value instead of making a new one.
    ///
    /// - Parameter entry: The entry of the changes, or nil if they are the root of the input.
    mutating func merge(_ merging: Merging, at entry: EntryReference?) {
        self.merging = merging
        self.merging?.entry = entry
        if entry == nil { disposition = .merge }
    }

    /// Whether the current value is the value that the caller merges into.
    var isMergedRoot: Bool {
        top.form == .root || merging?.entry != nil && top.entry == merging?.entry
    }

    /// Whether a scalar replaces a value, so that the scalar is handled again when the memory is ready.
    var replacesValue: Bool { disposition == .replace || disposition == .merge && isReplacedByScalar }

    /// Whether any value except an object replaces the changed value.
    private var isReplacedByScalar: Bool { slot.layout.kind == .value || slot.layout.isPatchable }

    /// Prepares memory that holds a value, for a filled field or during a merge, for a value other than null.
    ///
    /// - Returns: The reason why an object or array cannot replace the value; nil if it can.
    @discardableResult
    mutating func replaceValue(isObject: Bool = false, isArray: Bool = false) -> JSONIssue.Kind? {
        if disposition == .merge {
            if isArray, mergesElements(slot) { return nil }
            // A value other than a model or dictionary is replaced by anything except an object.
            if !isObject, isReplacedByScalar { disposition = .store(slot.layout.kind) }
            return nil
        }
        guard disposition == .replace else { return nil }
        if top.form == .update || top.form == .elements {
            return replaceMember(isObject: isObject, isArray: isArray)
        }
        let entry = top.currentEntry
        disposition = entry.disposition
        slot.layout = entry.layout
        if entry.isAbsorbed {
            if isObject, merging?.options.nested == .merge {
                disposition = .patch
                return nil
            }
            return isObject || isArray ? withExtraMember { $0.rejection(of: $1) } : nil
        }
        if isObject, mergesInside(entry) { return nil }
        if isArray, top.owner.isMerged, isFilled(entry), entry.disposition != .record,
            mergesElements(slot)
        {
            clearField(entry.field)
            disposition = .merge
            return nil
        }
        guard isFilled(entry) else { return nil }
        if isObject || isArray, let kind = rejection(of: currentSlot(of: entry)) { return kind }
        destroyValue(entry)
        return nil
    }

    /// Calls a closure with a copy of the current member of the extra keys. Returns nil if the key is missing.
    mutating func withExtraMember<Result, Failure: Error>(
        _ body: (inout Driver, ValueSlot) throws(Failure) -> Result?
    ) throws(Failure) -> Result? {
        guard let info = top.fieldInfo, let members = info.shape?.members, let layout = info.element else {
            return nil
        }
        let (container, key) = (top.base + info.offset, top.extras?.key ?? "")
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
        guard let name = merging?.subclass(in: slot) else { return nil }
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
        if entry.isAbsorbed {
            guard let info = top.fieldInfo else { return passed() }
            info.shape?.members?.remove(top.base + info.offset, top.makeExtras().key ?? "")
            return passed()
        }
        guard isFilled(entry) else { return passed() }
        if entry.isRanked {
            if removesField(entry) { destroyValue(entry) }
            return passed()
        }
        if top.fieldInfo?.isRequired == true {
            (disposition, slot.layout) = (.store(entry.layout.kind), entry.layout)
            return fail(.nullValue(expected: expectation))
        }
        destroyValue(entry)
        return passed()
    }

    /// Removes the values of the fields below an object or array on a path, as if their keys were missing.
    mutating func removeFields(of table: TableReference) {
        for entry in table.allEntries {
            if let child = entry.child { removeFields(of: child) }
            guard entry.field >= 0, !entry.isAbsorbed, isFilled(entry) else { continue }
            if removesField(entry) { destroyValue(entry) }
        }
    }

    /// Whether null at the key of an entry removes the value of its field. The null of a later candidate does not: another
    /// candidate may have filled the field.
    private func removesField(_ entry: EntryReference) -> Bool {
        !entry.isRanked || entry.rank == 0 && !hasRank(entry)
    }

    // MARK: Models

    /// Begins to change the model in the slot with the current object. The model belongs to the driver.
    mutating func beginMerged() -> TokenAction {
        copyOriginal()
        do throws(JSONModelError) {
            if let own = try options.planCache.layout(ofObjectAt: slot.address, declaredAs: slot.layout) {
                guard own.isMergeable else { throw JSONModelError(.invalidPlan(Self.unreadable)) }
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
        frame.isSpecial = table.isSpecial
        frame.isMerged = true
        frame.changeCount = UInt32(merging?.changes.count ?? 0)
        objectCount &+= 1
        frame.detail = .model(serial: objectCount)
        let plan = table.plan!
        if let storage = plan.erasedPlan.storage, let read = storage.read {
            takeStorage(table)
            read(slot.address, frame.base)
            if storage.assign != nil, slot.layout.withModel({ $0.isClass }) {
                frame.makeExtras().object = slot.memory(of: AnyObject.self).pointee
            }
            slot.destroy()
        }
        if table.furtherBytes > 0 { takeFurtherBits(table.furtherBytes) }
        for field in plan.fields.indices { setField(field) }
        for group in plan.groups where group.layout.presence(frame.base + group.offset) != .value {
            // A flattened model that is nil has no fields.
            for field in group.fields {
                clearField(field)
                plan.fields[field].layout?.loadNil(frame.base + plan.fields[field].offset)
            }
        }
    }

    /// Makes the innermost model from its storage, or assigns the storage to the existing object.
    mutating func finishStorage() {
        let (storage, destination) = (top.base, top.destination)
        let table = destination.layout.keyTable
        guard let object = top.extras?.object, let erasedPlan = table.plan?.erasedPlan else {
            return table.makeModel(from: storage, at: destination.address)
        }
        merging?.changes.assign(storage, to: object, by: erasedPlan)
        destination.initialize(to: object)
    }

    /// Undoes the changes made to objects since the first merged frame above this one began.
    mutating func undoChanges(above frame: FrameReference) {
        guard merging != nil else { return }
        let merged = frames(above: frame).first {
            $0.isMerged || $0.form == .update || $0.form == .elements
        }
        if let merged { merging?.changes.undo(downTo: Int(merged.changeCount)) }
    }

    mutating func copyOriginal() {
        guard merging?.isCopied == false else { return }
        merging?.isCopied = true
        merging?.copy(slot.address)
    }

    /// Aims at a field of a merged model. The current value stays until the next one arrives.
    mutating func aimMerging(_ entry: EntryReference) {
        top.expectNoKey()
        guard entry.field >= 0, entry.child == nil, !entry.isAbsorbed else { return }
        disposition = .replace
        slot.layout = Self.existingValue
    }

    /// The shape of a value that replaces another. The shape is not optional, so that null is handled too.
    nonisolated(unsafe) static let existingValue = TableBuilder.endEntry().layout

    /// Whether an object changes the value of a field. The value then belongs to the object's frame until the object is
    /// complete.
    private mutating func mergesInside(_ entry: EntryReference) -> Bool {
        guard top.owner.isMerged, merging?.options.nested == .merge else { return false }
        let layout = entry.layout
        let isPresent = isFilled(entry) && currentSlot(of: entry).isPresent
        if isPresent, layout.isMergeable, entry.disposition != .record {
            clearField(entry.field)
            disposition = .merge
            return true
        }
        guard isPatched(layout, isPresent: isPresent) else { return false }
        disposition = .patch
        return true
    }

    /// Whether an object changes a value through its JSON. If no value exists, the object's null members are removed.
    func isPatched(_ layout: LayoutReference, isPresent: Bool) -> Bool {
        (layout.isPatchable || layout.isMergeable) && (isPresent || merging?.options.nulls == .clear)
    }
}

extension Merging {
    static func rejection(ofReplacing name: String) -> JSONIssue.Kind {
        .invalidValue(
            expected: "a change of an existing object",
            reason:
                "the new value would have no object of the subclass \(name): use nested: .merge, and arrays: .byIndex for arrays"
        )
    }

    /// Returns the name of the first class of an object in a value that is not the declared class; nil if all are.
    mutating func subclass(in slot: ValueSlot) -> String? {
        mayHaveObjects(slot.layout) && slot.isPresent ? subclass(slot) : nil
    }

    /// Whether values of a type may contain objects of a class with a plan.
    private mutating func mayHaveObjects(_ layout: LayoutReference) -> Bool {
        if let known = objectTypes[layout] { return known }
        var visited: Set<LayoutReference> = [layout]
        var open = [layout]
        while let next = open.popLast() {
            if next.kind != .union, next.isOfModel, next.withModel({ $0.isClass }) {
                objectTypes[layout] = true
                return true
            }
            let plan = next.table?.plan
            let parts =
                [next.element, next.objectForm].compactMap { $0 } + (plan?.fields.compactMap(\.layout) ?? [])
                + (plan?.fields.compactMap(\.element) ?? []) + (plan?.union?.cases.compactMap(\.layout) ?? [])
            for part in parts where visited.insert(part).inserted { open.append(part) }
        }
        objectTypes[layout] = false
        return false
    }
}

extension LayoutReference {
    /// Whether values are models.
    fileprivate var isOfModel: Bool { self.kind == .model || self.kind == .composite }

    /// Whether the value is or may be an array with elements that can be merged into.
    var hasMergeableElements: Bool {
        if self.kind == .value { return true }
        guard self.kind == .array, self.shape.elements != nil, let element = self.element else { return false }
        return element.isMergeable || element.isPatchable || element.hasMergeableElements
    }

    /// Whether an object changes the value through its JSON, because the value stores an object's members in another form.
    var isPatchable: Bool {
        switch self.kind {
        case .union, .wrapped, .raw, .composite: true
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
}
