// Arrays whose elements are merged by their indices.

extension Driver {
    /// Whether an array changes the elements of the existing current value.
    func mergesElements(_ layout: UnsafePointer<TypeLayout>) -> Bool { mergesElements(layout, at: target) }

    func mergesElements(
        _ layout: UnsafePointer<TypeLayout>, at address: UnsafeMutableRawPointer
    ) -> Bool {
        guard let merging, merging.arrays == .byIndex, layout.pointee.hasMergeableElements else { return false }
        // At the root, the copy does not exist yet.
        if !merging.isCopied { return true }
        let elements = layout.pointee.shape.takeUnretainedValue().elements
        return layout.pointee.presence(address) == .value && elements?.isArray(address) == true
    }

    var elementAccess: ElementAccess { top.pointee.shape.elementAccess }

    /// Changes the elements of the array at `target` with the current array, or replaces a value that is not an array.
    mutating func beginElements() -> TokenAction {
        copyOriginal()
        if mergesElements(shape) {
            pushElements()
            return .proceed
        }
        shape.pointee.shape.takeUnretainedValue().destroy(target, 1)
        kind = shape.pointee.kind
        return startArray()
    }

    /// Pushes a frame that changes the elements of the array at `target` and now owns the array. The array moves to memory of
    /// the frame; the result is made from the old and the changed elements.
    private mutating func pushElements() {
        push(.elements, shape: shape)
        top.pointee.changeCount = UInt32(merging?.changes.count ?? 0)
        let container = top.pointee.shape
        let element = memberShape(of: container)
        top.pointee.base = arena.take(element.pointee.size, alignmentMask: element.pointee.alignmentMask)
        top.pointee.cursor = arena.take(container.pointee.size, alignmentMask: container.pointee.alignmentMask)
        top.pointee.cursor.copyMemory(from: top.pointee.target, byteCount: container.pointee.size)
        elementAccess.makeEmpty(top.pointee.target)
        aimElement(0)
    }

    /// Aims at an element. The existing element stays until the value arrives.
    mutating func aimElement(_ index: Int) {
        let hasValue = elementAccess.load(top.pointee.cursor, index, top.pointee.base)
        top.pointee.detail = .element(index: index, hasValue: hasValue)
        kind = .replace
        shape = Self.existingValue
        target = top.pointee.base
    }

    /// Replaces the current element with null.
    mutating func replaceElement() {
        destroyMember()
        aim(at: memberShape(of: top.pointee.shape), top.pointee.base)
    }

    /// Appends the completed element to the result.
    mutating func storeElement() {
        elementAccess.append(top.pointee.target, top.pointee.base)
        top.pointee.hasSlotValue = false
        aimElement(top.pointee.elementIndex + 1)
    }

    /// Keeps the existing element, if any, after the new one was dropped.
    mutating func keepElement() {
        let index = top.pointee.elementIndex
        destroyMember()
        if elementAccess.load(top.pointee.cursor, index, top.pointee.base) {
            elementAccess.append(top.pointee.target, top.pointee.base)
        }
        aimElement(index + 1)
    }

    mutating func endElements() -> TokenAction {
        destroyMember()
        let layout = top.pointee.shape
        layout.pointee.shape.takeUnretainedValue().destroy(top.pointee.cursor, 1)
        layout.injectTag(top.pointee.target)
        freeExtras(of: top)
        return pop()
    }

    /// Destroys both containers of a frame whose elements are changed.
    func destroyElements(_ frame: UnsafeMutablePointer<DecodingFrame>) {
        destroyMember(of: frame)
        let shape = frame.pointee.shape.pointee.shape.takeUnretainedValue()
        shape.destroy(frame.pointee.cursor, 1)
        frame.pointee.shape.injectTag(frame.pointee.target)
        shape.destroy(frame.pointee.target, 1)
    }
}
