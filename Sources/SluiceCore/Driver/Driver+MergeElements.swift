// Arrays whose elements are merged by their indices.

extension Driver {
    /// Whether an array changes the elements of the existing current value.
    func mergesElements(_ slot: ValueSlot) -> Bool {
        guard let merging, merging.options.arrays == .byIndex, slot.layout.hasMergeableElements else {
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
        push(.elements)
        top.changeCount = UInt32(merging?.changes.count ?? 0)
        let container = top.layout
        takeMember()
        top.cursor = arena.take(container.size, alignmentMask: container.alignmentMask)
        top.cursor.copyMemory(from: top.destination.address, byteCount: container.size)
        elementAccess.makeEmpty(top.destination.address)
        aimElement(0)
    }

    /// Aims at an element. The existing element stays until the value arrives.
    mutating func aimElement(_ index: Int) {
        let hasValue = elementAccess.load(top.cursor, index, top.base)
        top.detail = .element(index: index, hasValue: hasValue)
        aimAtExistingMember()
    }

    /// Replaces the current element with null.
    mutating func replaceElement() {
        destroyMember()
        aim(at: memberSlot(of: top))
    }

    /// Appends the completed element to the result.
    mutating func storeElement() {
        elementAccess.append(top.destination.address, top.base)
        top.hasSlotValue = false
        aimElement(top.elementIndex + 1)
    }

    /// Keeps the existing element, if any, after the new one was dropped.
    mutating func keepElement() {
        let index = top.elementIndex
        destroyMember()
        if elementAccess.load(top.cursor, index, top.base) {
            elementAccess.append(top.destination.address, top.base)
        }
        aimElement(index + 1)
    }

    mutating func endElements() -> TokenAction {
        destroyMember()
        oldArray(of: top).destroy()
        top.destination.markPresent()
        top.freeExtras()
        return pop()
    }

    /// Destroys both containers of a frame whose elements are changed.
    func destroyChangedElements(of frame: FrameReference) {
        destroyMember(of: frame)
        oldArray(of: frame).destroy()
        frame.destination.markPresent()
        frame.destination.destroy()
    }

    /// The array before the change.
    private func oldArray(of frame: FrameReference) -> ValueSlot {
        ValueSlot(address: frame.cursor, layout: frame.layout)
    }
}
