// Cleanup: destroys unfinished values, from the top of the stack down.

extension Driver {
    /// Destroys all values, including a result that was not taken.
    func destroyAll() {
        destroy(downTo: root)
        if root.isFilled(0) { root.destination.destroy() }
        root.freeExtras()
    }

    /// Destroys the unfinished values above a frame and frees their memory.
    mutating func unwind(to frame: FrameReference) {
        guard frame < top else { return }
        let mark = frame.above.mark
        undoChanges(above: frame)
        wrapCount -= frames(above: frame).count { $0.form == .wrapped }
        destroy(downTo: frame)
        top = frame
        arena.restore(mark)
        // The end of the element buffer on top, not the memory of the failed value.
        if frame.form == .array { slot.address = frame.cursor }
    }

    /// Destroys the unfinished values above a frame.
    private func destroy(downTo last: FrameReference) {
        var frame = top
        while frame > last {
            switch frame.form {
            case .object where frame.owner == frame:
                let fields = frame.keyTable.fields
                frame.forEachFilled { fields[$0].destroy(frame.base + fields[$0].offset) }
            case .array: destroyElements(of: frame)
            case .pairs:
                destroyElements(of: frame)
                destroyPendingKey(of: frame)
            case .union: destroyPayload(of: frame)
            case .update: destroyUpdate(of: frame)
            case .elements: destroyChangedElements(of: frame)
            case .root, .object, .indexes, .every, .members, .wrapped: break
            }
            frame.freeExtras()
            frame = frame.below
        }
    }
}
