// Dictionaries and `JSONValue` that are changed member by member.

extension Driver {
    /// Pushes a frame that changes the members of the container at `target` and now owns the container.
    mutating func pushUpdate() {
        copyOriginal()
        shape.memberAccess.open(target)
        push(.update, shape: shape)
        top.pointee.changeCount = UInt32(merging?.changes.count ?? 0)
        top.pointee.detail = .update(hasValue: false)
        let value = memberShape(of: top.pointee.shape)
        top.pointee.base = arena.take(value.pointee.size, alignmentMask: value.pointee.alignmentMask)
    }

    /// The shape of a container's values.
    func memberShape(of container: UnsafePointer<TypeLayout>) -> UnsafePointer<TypeLayout> {
        // The elements and the members of a `JSONValue` have the same type.
        let object = container.pointee.kind == .value ? container.pointee.objectForm.unsafelyUnwrapped : container
        return object.pointee.element.unsafelyUnwrapped
    }

    private var members: MemberAccess { top.pointee.shape.memberAccess }

    /// Whether the slot of the innermost update frame holds a value.
    var hasMember: Bool {
        get { top.pointee.hasSlotValue }
        nonmutating set { top.pointee.hasSlotValue = newValue }
    }

    mutating func updateKey(_ text: UnsafeBufferPointer<UInt8>) -> TokenAction {
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
        return .proceed
    }

    /// Prepares the slot of the current member for a value other than null.
    mutating func replaceMember(isObject: Bool, isArray: Bool) {
        let value = memberShape(of: top.pointee.shape)
        let slot = top.pointee.base
        let isPresent = hasMember && value.pointee.presence(slot) == .value
        // Elements are merged, whichever option applies to values nested in models.
        if isObject, merging?.nested == .merge || top.pointee.form == .elements {
            if isPresent, value.pointee.isMergeable {
                hasMember = false
                (kind, shape, target) = (.merging, value, slot)
                return
            }
            if isPatched(value, isPresent: isPresent) {
                (kind, shape, target) = (.patch, value, slot)
                return
            }
        }
        if isArray, isPresent, mergesElements(value, at: slot) {
            hasMember = false
            (kind, shape, target) = (.merging, value, slot)
            return
        }
        destroyMember()
        aim(at: value, slot)
    }

    /// Removes the current member, for which the JSON has null.
    mutating func clearMember() {
        members.remove(top.pointee.target, extras(of: top).key ?? "")
    }

    /// Stores the completed value of the current member.
    mutating func storeUpdate() {
        members.store(top.pointee.target, extras(of: top).key ?? "", top.pointee.base)
        dropUpdate()
    }

    /// Leaves the current member of the container unchanged.
    mutating func dropUpdate() {
        destroyMember()
        extras(of: top).key = nil
    }

    func destroyMember() { destroyMember(of: top) }

    func destroyMember(of frame: UnsafeMutablePointer<DecodingFrame>) {
        guard frame.pointee.hasSlotValue else { return }
        memberShape(of: frame.pointee.shape).pointee.shape.takeUnretainedValue().destroy(frame.pointee.base, 1)
        frame.pointee.hasSlotValue = false
    }

    /// Destroys the container of an update frame.
    func destroyUpdate(_ frame: UnsafeMutablePointer<DecodingFrame>) {
        destroyMember(of: frame)
        frame.pointee.shape.pointee.shape.takeUnretainedValue().destroy(frame.pointee.target, 1)
    }
}
