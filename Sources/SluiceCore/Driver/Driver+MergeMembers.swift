// Dictionaries and `JSONValue` that are changed member by member.

extension Driver {
    /// Pushes a frame that changes the members of the container in the slot and now owns the container.
    mutating func pushUpdate() {
        copyOriginal()
        slot.layout.memberAccess.open(slot.address)
        push(.update)
        top.changeCount = UInt32(merging?.changes.count ?? 0)
        top.detail = .update(hasValue: false)
        takeMember()
    }

    /// The slot that holds the current member or element of a changed container, if `hasSlotValue` is true.
    func memberSlot(of frame: FrameReference) -> ValueSlot {
        ValueSlot(address: frame.base, layout: frame.layout.memberLayout)
    }

    /// Allocates the slot of the members or elements.
    mutating func takeMember() {
        let member = top.layout.memberLayout
        top.base = arena.take(member.size, alignmentMask: member.alignmentMask)
    }

    /// Aims at the current member or element. The existing value stays until the new one arrives.
    mutating func aimAtExistingMember() {
        disposition = .replace
        slot = ValueSlot(address: top.base, layout: Self.existingValue)
    }

    private var members: MemberAccess { top.layout.memberAccess }

    /// Whether the slot of the innermost update frame holds a value.
    var hasMember: Bool {
        get { top.hasSlotValue }
        nonmutating set { top.hasSlotValue = newValue }
    }

    mutating func updateKey(_ text: UnsafeBufferPointer<UInt8>) -> TokenAction {
        let key = String(checkedUTF8: text)
        let extras = top.makeExtras()
        guard beginMember(key, of: top.destination.address, members, memberSlot(of: top).layout) else {
            return fail(.duplicateKey(key), at: .key)
        }
        guard let hasValue = members.load(top.destination.address, key, top.base) else {
            return fail(.invalidKey(key, type: top.layout.keyTypeName), at: .key)
        }
        extras.key = key
        hasMember = hasValue
        aimAtExistingMember()
        return .proceed
    }

    /// Prepares the slot of the current member for a value other than null.
    ///
    /// - Returns: The reason why an object or array cannot replace the member; nil if it can.
    mutating func replaceMember(isObject: Bool, isArray: Bool) -> JSONIssue.Kind? {
        let member = memberSlot(of: top)
        let isPresent = hasMember && member.isPresent
        // Elements are merged, whichever option applies to values nested in models.
        if isObject, merging?.options.nested == .merge || top.form == .elements {
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
        aim(at: member)
        return nil
    }

    /// Removes the current member, for which the JSON has null.
    mutating func clearMember() {
        members.remove(top.destination.address, top.makeExtras().key ?? "")
    }

    /// Stores the completed value of the current member.
    mutating func storeUpdate() {
        members.store(top.destination.address, top.makeExtras().key ?? "", top.base)
        dropUpdate()
    }

    /// Leaves the current member of the container unchanged.
    mutating func dropUpdate() {
        destroyMember()
        top.makeExtras().key = nil
    }

    func destroyMember() { destroyMember(of: top) }

    func destroyMember(of frame: FrameReference) {
        guard frame.hasSlotValue else { return }
        memberSlot(of: frame).destroy()
        frame.hasSlotValue = false
    }

    /// Destroys the container of an update frame.
    func destroyUpdate(of frame: FrameReference) {
        destroyMember(of: frame)
        frame.destination.destroy()
    }
}

extension LayoutReference {
    /// The layout of a changed container's values or elements.
    fileprivate var memberLayout: LayoutReference {
        // The elements and the members of a `JSONValue` have the same type.
        let container = self.kind == .value ? self.objectForm! : self
        return container.element!
    }
}
