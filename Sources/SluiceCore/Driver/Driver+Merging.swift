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
    var nulls: JSONMergeNulls
    var nested: JSONMergeNested
    var arrays: JSONMergeArrays
    /// Writes a value as JSON.
    let json: (UnsafePointer<TypeLayout>, UnsafeRawPointer) throws(JSONModelError) -> JSONValue
    /// Makes the copy, at the root of the value.
    let copy: (UnsafeMutableRawPointer) -> Void
    var isCopied = false
    /// The objects that were changed in place.
    var changes = ObjectChanges()
    /// The entry of the changes, or nil if they are the root of the input.
    var entry: UnsafePointer<KeyEntry>?
}

extension Driver {
    /// Changes the existing value instead of making a new one.
    ///
    /// - Parameter entry: The entry of the changes, or nil if they are the root of the input.
    mutating func merge(_ merging: Merging, at entry: UnsafeMutablePointer<KeyEntry>?) {
        self.merging = merging
        if let entry {
            entry.pointee.kind = .merging
            self.merging?.entry = UnsafePointer(entry)
        } else {
            kind = .merging
        }
    }

    /// Whether the current value is the value that the caller merges into.
    var isMergedRoot: Bool {
        top.pointee.form == .root || merging?.entry != nil && top.pointee.entry == merging?.entry
    }

    /// Whether a scalar replaces a value, so that the scalar is handled again when the memory is ready.
    var replacesValue: Bool { kind == .replace || kind == .merging && isReplacedByScalar }

    /// Whether any value except an object replaces the changed value.
    private var isReplacedByScalar: Bool { shape.pointee.kind == .value || shape.pointee.isPatchable }

    /// Prepares memory that holds a value, for a filled field or during a merge, for a value other than null.
    mutating func replaceValue(isObject: Bool = false, isArray: Bool = false) {
        if kind == .merging {
            if isArray, mergesElements(shape) { return }
            // A value other than a model or dictionary is replaced by anything except an object.
            if !isObject, isReplacedByScalar { kind = shape.pointee.kind }
            return
        }
        guard kind == .replace else { return }
        if top.pointee.form == .update || top.pointee.form == .elements {
            return replaceMember(isObject: isObject, isArray: isArray)
        }
        let entry = top.pointee.entry.unsafelyUnwrapped
        kind = entry.pointee.kind
        shape = entry.pointee.shape
        if entry.pointee.isAbsorbed {
            if isObject, merging?.nested == .merge { kind = .patch }
            return
        }
        if isObject, mergesInside(entry) { return }
        if isArray, top.pointee.owner.pointee.isMerged, isFilled(entry), entry.pointee.kind != .tee,
            mergesElements(shape)
        {
            clearField(entry.pointee.field)
            kind = .merging
            return
        }
        if isFilled(entry) { destroyValue(entry) }
    }

    /// Removes the value of a field on null, as if the key were missing.
    mutating func removeField() -> TokenAction {
        let entry = top.pointee.entry.unsafelyUnwrapped
        if entry.pointee.isAbsorbed {
            guard let info = fieldInfo else { return passed() }
            info.shape?.members?.remove(top.pointee.base + info.offset, extras(of: top).key ?? "")
            return passed()
        }
        guard isFilled(entry) else { return passed() }
        if entry.pointee.isRanked {
            if removesField(entry) { destroyValue(entry) }
            return passed()
        }
        if fieldInfo?.isRequired == true {
            (kind, shape) = (entry.pointee.shape.pointee.kind, entry.pointee.shape)
            return fail(.nullValue(expected: expectation))
        }
        destroyValue(entry)
        return passed()
    }

    /// Removes the values of the fields below an object or array on a path, as if their keys were missing.
    mutating func removeFields(of table: UnsafePointer<KeyTable>) {
        for index in 0..<table.pointee.count {
            let entry = table.pointee.entries + index
            if let child = entry.pointee.child { removeFields(of: child) }
            guard entry.pointee.field >= 0, !entry.pointee.isAbsorbed, isFilled(entry) else { continue }
            if removesField(entry) { destroyValue(entry) }
        }
    }

    /// Whether null at the key of an entry removes the value of its field. The null of a later candidate does not: another
    /// candidate may have filled the field.
    private func removesField(_ entry: UnsafePointer<KeyEntry>) -> Bool {
        !entry.pointee.isRanked || entry.pointee.rank == 0 && !hasRank(entry)
    }

    // MARK: Models

    /// Begins to change the model at `target` with the current object. The model belongs to the driver.
    mutating func beginMerged() -> TokenAction {
        copyOriginal()
        do throws(JSONModelError) {
            if let own = try options.planCache.layout(ofObjectAt: target, declaredAs: shape) {
                guard own.pointee.isMergeable else { throw JSONModelError(.invalidPlan(Self.unreadable)) }
                shape = own
            }
        } catch {
            shape.pointee.shape.takeUnretainedValue().destroy(target, 1)
            return fail(error.issues[0].kind, at: .openingBracket)
        }
        pushMerged()
        return .proceed
    }

    /// The defect of a plan whose models cannot be merged into.
    static var unreadable: String {
        "it is filled through a storage that can't be made of a model: give its plan 'read'"
    }

    /// Pushes a frame that changes the model at `target` and now owns the model.
    private mutating func pushMerged() {
        push(.object, shape: shape)
        let frame = top
        let table = shape.pointee.table.unsafelyUnwrapped
        guessNothing()
        frame.pointee.isSpecial = table.pointee.isSpecial
        frame.pointee.isMerged = true
        frame.pointee.changeCount = UInt32(merging?.changes.count ?? 0)
        objectCount &+= 1
        frame.pointee.detail = .model(serial: objectCount)
        let plan = table.pointee.plan.unsafelyUnwrapped.takeUnretainedValue()
        if let storage = plan.erasedPlan.storage, let read = storage.read {
            frame.pointee.base = arena.take(table.pointee.size, alignmentMask: table.pointee.alignmentMask)
            read(target, frame.pointee.base)
            if storage.assign != nil, shape.withModel({ $0.isClass }) {
                extras(of: frame).object = target.assumingMemoryBound(to: AnyObject.self).pointee
            }
            shape.pointee.shape.takeUnretainedValue().destroy(target, 1)
        }
        if table.pointee.furtherBytes > 0 { takeFurtherBits(table.pointee.furtherBytes) }
        for field in plan.fields.indices { setField(field) }
        for group in plan.groups where group.layout.pointee.presence(frame.pointee.base + group.offset) != .value {
            // A flattened model that is nil has no fields.
            for field in group.fields {
                clearField(field)
                guard let layout = plan.fields[field].layout, let none = layout.pointee.none else { continue }
                (frame.pointee.base + plan.fields[field].offset).copyMemory(
                    from: none, byteCount: layout.pointee.size)
            }
        }
    }

    /// Makes the innermost model from its storage, or assigns the storage to the existing object.
    mutating func finishStorage(_ layout: UnsafePointer<TypeLayout>) {
        let (base, target) = (top.pointee.base, top.pointee.target)
        guard let object = top.pointee.extras?.takeUnretainedValue().object,
            let erasedPlan = layout.pointee.table?.pointee.plan?.takeUnretainedValue().erasedPlan
        else {
            return layout.pointee.table.unsafelyUnwrapped.makeModel(from: base, at: target)
        }
        merging?.changes.assign(base, to: object, by: erasedPlan)
        target.initializeMemory(as: AnyObject.self, to: object)
    }

    /// Undoes the changes made to objects since the first merged frame above this one began.
    mutating func undoChanges(above frame: UnsafeMutablePointer<DecodingFrame>) {
        guard merging != nil else { return }
        let merged = (frame + 1...top).first {
            $0.pointee.isMerged || $0.pointee.form == .update || $0.pointee.form == .elements
        }
        if let merged { merging?.changes.undo(downTo: Int(merged.pointee.changeCount)) }
    }

    mutating func copyOriginal() {
        guard merging?.isCopied == false else { return }
        merging?.isCopied = true
        merging?.copy(target)
    }

    /// Aims at a field of a merged model. The current value stays until the next one arrives.
    mutating func aimMerging(_ entry: UnsafePointer<KeyEntry>) {
        guessNothing()
        guard entry.pointee.field >= 0, entry.pointee.child == nil, !entry.pointee.isAbsorbed else { return }
        kind = .replace
        shape = Self.existingValue
    }

    /// Expects no key: an expected key would be accepted without a check of the current value.
    mutating func guessNothing() {
        guard let table = top.pointee.table else { return }
        top.pointee.guess = table.pointee.entries + table.pointee.count
    }

    /// The shape of a value that replaces another. The shape is not optional, so that null is handled too.
    nonisolated(unsafe) static let existingValue = TableBuilder.endEntry().shape

    /// Whether an object changes the value of a field. The value then belongs to the object's frame until the object is
    /// complete.
    private mutating func mergesInside(_ entry: UnsafePointer<KeyEntry>) -> Bool {
        guard top.pointee.owner.pointee.isMerged, merging?.nested == .merge else { return false }
        let layout = entry.pointee.shape
        let address = top.pointee.owner.pointee.base + entry.pointee.offset
        let isPresent = isFilled(entry) && layout.pointee.presence(address) == .value
        if isPresent, layout.pointee.isMergeable, entry.pointee.kind != .tee {
            clearField(entry.pointee.field)
            kind = .merging
            return true
        }
        guard isPatched(layout, isPresent: isPresent) else { return false }
        kind = .patch
        return true
    }

    /// Whether an object changes a value through its JSON. If no value exists, the object's null members are removed.
    func isPatched(_ layout: UnsafePointer<TypeLayout>, isPresent: Bool) -> Bool {
        (layout.pointee.isPatchable || layout.pointee.isMergeable) && (isPresent || merging?.nulls == .clear)
    }
}

extension TypeLayout {
    /// Whether the value is or may be an array with elements that can be merged into.
    var hasMergeableElements: Bool {
        if kind == .value { return true }
        guard kind == .array, shape.takeUnretainedValue().elements != nil, let element else { return false }
        return element.pointee.isMergeable || element.pointee.isPatchable || element.pointee.hasMergeableElements
    }

    /// Whether an object changes the value through its JSON, because the value stores an object's members in another form.
    var isPatchable: Bool {
        switch kind {
        case .union, .wrapped, .raw, .composite: true
        default: false
        }
    }

    /// Whether an object can change the value in memory.
    var isMergeable: Bool {
        switch kind {
        case .model:
            let plan = table.unsafelyUnwrapped.pointee.plan?.takeUnretainedValue()
            return plan?.erasedPlan.storage.map { $0.read != nil } ?? true
        case .value: return true
        case .dictionary: return shape.takeUnretainedValue().members != nil
        default: return false
        }
    }
}
