// Merging
//
// The JSON changes an existing value. The frame of a merged model begins with every field filled; a value that arrives
// replaces the one before. A dictionary or `JSONValue` is changed member by member: an update frame loads the current
// value of a key into a slot, and stores the slot when its new value is complete.
//
// All this works on a copy, so that a failure leaves the original as it was. An object whose properties can be assigned stays
// the same object: the change is assigned when the object is complete, and undone if something fails later.

/// How an existing value is changed.
struct Merging {
    var nulls: JSONModelDecoder.MergeNulls
    var nested: JSONModelDecoder.MergeNested
    /// Makes the copy, at the root.
    var copy: ((UnsafeMutableRawPointer) -> Void)?
    /// The objects that were changed in place.
    var changes = ObjectChanges()
}

extension Driver {
    /// Whether a scalar replaces a value, so that the scalar is looked at again when the memory is ready.
    var replacesValue: Bool { kind == .replace || kind == .merging && shape.pointee.kind == .value }

    /// A value other than null arrives for memory that holds a value: for a field that is filled, or during a merge.
    mutating func replaceValue(isObject: Bool = false) {
        if kind == .merging {
            // A `JSONValue` at the root is replaced by anything but an object.
            if !isObject, shape.pointee.kind == .value { kind = .value }
            return
        }
        guard kind == .replace else { return }
        if top.pointee.form == .update { return replaceMember(isObject: isObject) }
        let entry = top.pointee.entry.unsafelyUnwrapped
        kind = entry.pointee.kind
        shape = entry.pointee.shape
        if isObject, mergesInside(entry) { return }
        destroyValue(entry)
    }

    // MARK: Models

    /// The current object changes the model at `target`, which belongs to the driver.
    mutating func beginMerged() -> Answer {
        copyOriginal()
        do throws(JSONModelError) {
            if let own = try decoder.environment.record(ofObjectAt: target, declaredAs: shape) {
                guard own.pointee.isMergeable else { throw JSONModelError(.invalidPlan(Self.unreadable)) }
                shape = own
            }
        } catch {
            shape.pointee.shape.takeUnretainedValue().destroy(target, 1)
            return fail(error.issues[0].kind, at: .openingBracket)
        }
        pushMerged()
        return .go
    }

    /// The defect of a plan whose models cannot be merged into.
    static var unreadable: String {
        "it is filled through a storage that can't be made of a model: give its plan 'read'"
    }

    /// Changes the model at `target`, which the frame owns from here on.
    private mutating func pushMerged() {
        push(.object, shape: shape)
        let frame = top
        let table = shape.pointee.table.unsafelyUnwrapped
        frame.pointee.guess = table.pointee.entries
        frame.pointee.isSpecial = table.pointee.isSpecial
        frame.pointee.isMerged = true
        frame.pointee.changeCount = UInt32(merging?.changes.count ?? 0)
        objectCount &+= 1
        frame.pointee.detail = .model(serial: objectCount)
        let plan = table.pointee.plan.unsafelyUnwrapped.takeUnretainedValue()
        if let storage = plan.blueprint.storage, let read = storage.read {
            frame.pointee.base = scratch.take(table.pointee.size, alignmentMask: table.pointee.alignmentMask)
            read(target, frame.pointee.base)
            if storage.assign != nil, shape.pointee.shape.takeUnretainedValue().isClass {
                extras(of: frame).object = target.assumingMemoryBound(to: AnyObject.self).pointee
            }
            shape.pointee.shape.takeUnretainedValue().destroy(target, 1)
        }
        if table.pointee.sideBytes > 0 { takeSide(table.pointee.sideBytes) }
        for field in plan.fields.indices { setField(field) }
        for group in plan.groups where group.record.pointee.presence(frame.pointee.base + group.offset) != .value {
            // A flattened model that is nil has no fields.
            for field in group.fields {
                clearField(field)
                guard let record = plan.fields[field].record, let none = record.pointee.none else { continue }
                (frame.pointee.base + plan.fields[field].offset).copyMemory(
                    from: none, byteCount: record.pointee.size)
            }
        }
    }

    /// Makes the model of the innermost frame of its storage, in the object that was there if there is one.
    mutating func finishStorage(_ record: UnsafePointer<ShapeRecord>) {
        let (base, target) = (top.pointee.base, top.pointee.target)
        let shape = record.pointee.shape.takeUnretainedValue()
        guard let object = top.pointee.extras?.takeUnretainedValue().object, let blueprint = shape.blueprint?()
        else {
            return shape.finish.unsafelyUnwrapped(base, 1, target)
        }
        merging?.changes.assign(base, to: object, by: blueprint)
        target.initializeMemory(as: AnyObject.self, to: object)
    }

    /// Undoes what was changed in objects since the first merged frame above this one began.
    mutating func undoChanges(above frame: UnsafeMutablePointer<Frame>) {
        guard merging != nil, frame < top else { return }
        let merged = (frame + 1...top).first { $0.pointee.isMerged || $0.pointee.form == .update }
        if let merged { merging?.changes.undo(downTo: Int(merged.pointee.changeCount)) }
    }

    private mutating func copyOriginal() {
        merging?.copy?(target)
        merging?.copy = nil
    }

    /// The next value is for a field of a merged model. The current value stays until the next one arrives.
    mutating func aimMerging(_ entry: UnsafePointer<FieldEntry>) {
        guard entry.pointee.field >= 0, entry.pointee.child == nil, !entry.pointee.isAbsorbed, isFilled(entry)
        else {
            return
        }
        kind = .replace
        shape = Self.existingValue
    }

    /// The shape of a value that replaces another. The shape is not optional, so that null is looked at.
    nonisolated(unsafe) private static let existingValue = TableBuilder.endEntry().shape

    /// Whether an object changes the value of a field. The value then belongs to the object's frame until that is
    /// complete.
    private mutating func mergesInside(_ entry: UnsafePointer<FieldEntry>) -> Bool {
        guard top.pointee.owner.pointee.isMerged, merging?.nested == .merge else { return false }
        let record = entry.pointee.shape
        let address = top.pointee.owner.pointee.base + entry.pointee.offset
        guard record.pointee.isMergeable, record.pointee.presence(address) == .value else { return false }
        clearField(entry.pointee.field)
        kind = .merging
        return true
    }

    // MARK: Members

    /// The current object changes the members of the container at `target`, which the frame owns from here on.
    mutating func pushUpdate() {
        copyOriginal()
        let members = shape.pointee.shape.takeUnretainedValue().members.unsafelyUnwrapped
        members.open(target)
        push(.update, shape: shape)
        top.pointee.changeCount = UInt32(merging?.changes.count ?? 0)
        top.pointee.detail = .update(hasValue: false)
        let value = memberShape(of: top.pointee.shape)
        top.pointee.base = scratch.take(value.pointee.size, alignmentMask: value.pointee.alignmentMask)
    }

    /// The shape of a container's values.
    private func memberShape(of container: UnsafePointer<ShapeRecord>) -> UnsafePointer<ShapeRecord> {
        let object = container.pointee.kind == .value ? container.pointee.objectForm.unsafelyUnwrapped : container
        return object.pointee.element.unsafelyUnwrapped
    }

    private var members: MemberAccess { top.pointee.shape.pointee.shape.takeUnretainedValue().members! }

    /// Whether the slot of the innermost update frame holds a value.
    private var hasMember: Bool {
        get { if case .update(true) = top.pointee.detail { true } else { false } }
        nonmutating set { top.pointee.detail = .update(hasValue: newValue) }
    }

    mutating func updateKey(_ text: UnsafeBufferPointer<UInt8>) -> Answer {
        let key = String(checkedUTF8: text)
        let extras = extras(of: top)
        if rejectsDuplicates, !extras.seenKeys.insert(key).inserted {
            return fail(.duplicateKey(key), at: .key)
        }
        guard let hasValue = members.load(top.pointee.target, key, top.pointee.base) else {
            let type = top.pointee.shape.pointee.shape.takeUnretainedValue().typeName
            return fail(.invalidKey(key, type: type), at: .key)
        }
        extras.key = key
        hasMember = hasValue
        kind = .replace
        shape = Self.existingValue
        target = top.pointee.base
        return .go
    }

    /// A value other than null arrives for the current member.
    private mutating func replaceMember(isObject: Bool) {
        let value = memberShape(of: top.pointee.shape)
        let slot = top.pointee.base
        let mayMerge = isObject && merging?.nested == .merge && value.pointee.isMergeable
        if mayMerge, hasMember, value.pointee.presence(slot) == .value {
            hasMember = false
            (kind, shape, target) = (.merging, value, slot)
            return
        }
        destroyMember()
        aim(at: value, slot)
        if mayMerge, value.pointee.kind == .value {
            // An object changes a missing `JSONValue` as it changes an empty object.
            slot.initializeMemory(as: JSONValue.self, to: .object([:]))
            kind = .merging
        }
    }

    /// The current member becomes null.
    mutating func clearMember() {
        members.remove(top.pointee.target, extras(of: top).key ?? "")
    }

    /// The new value of the current member is complete.
    mutating func storeUpdate() {
        members.store(top.pointee.target, extras(of: top).key ?? "", top.pointee.base)
        dropUpdate()
    }

    /// The current member stays as it is in its container.
    mutating func dropUpdate() {
        destroyMember()
        extras(of: top).key = nil
    }

    private func destroyMember() { destroyMember(of: top) }

    private func destroyMember(of frame: UnsafeMutablePointer<Frame>) {
        guard case .update(true) = frame.pointee.detail else { return }
        memberShape(of: frame.pointee.shape).pointee.shape.takeUnretainedValue().destroy(frame.pointee.base, 1)
        frame.pointee.detail = .update(hasValue: false)
    }

    /// Destroys the container of an update frame.
    func destroyUpdate(_ frame: UnsafeMutablePointer<Frame>) {
        destroyMember(of: frame)
        frame.pointee.shape.pointee.shape.takeUnretainedValue().destroy(frame.pointee.target, 1)
    }
}

extension ShapeRecord {
    /// Whether an object can change a value in its memory.
    var isMergeable: Bool {
        switch kind {
        case .model:
            let plan = table.unsafelyUnwrapped.pointee.plan?.takeUnretainedValue()
            return plan?.blueprint.storage.map { $0.read != nil } ?? true
        case .value: return true
        case .dictionary: return shape.takeUnretainedValue().members != nil
        default: return false
        }
    }
}
