// Cleanup: destroys unfinished values, from the top of the stack down.

extension Driver {
    /// Destroys all values, including a result that was not taken.
    func destroyAll() {
        destroy(downTo: frames)
        if frames.pointee.presenceBits & 1 != 0 {
            frames.pointee.shape.pointee.shape.takeUnretainedValue().destroy(frames.pointee.target, 1)
        }
        freeExtras(of: frames)
    }

    /// Destroys the unfinished values above a frame and frees their memory.
    mutating func unwind(to frame: UnsafeMutablePointer<DecodingFrame>) {
        guard frame < top else { return }
        let mark = (frame + 1).pointee.mark
        undoChanges(above: frame)
        wrapCount -= (frame + 1...top).count { $0.pointee.form == .wrapped }
        destroy(downTo: frame)
        top = frame
        arena.restore(mark)
        // The end of the element buffer on top, not the memory of the failed value.
        if frame.pointee.form == .array { target = frame.pointee.cursor }
    }

    /// Destroys the unfinished values above a frame.
    private func destroy(downTo last: UnsafeMutablePointer<DecodingFrame>) {
        var frame = top
        while frame > last {
            switch frame.pointee.form {
            case .object where frame.pointee.owner == frame:
                let fields = frame.pointee.table.unsafelyUnwrapped.pointee.fields
                forEachFilled(frame) { fields[$0].destroy(frame.pointee.base + fields[$0].offset) }
            case .array: destroyElements(of: frame, to: frame == top ? target : frame.pointee.cursor)
            case .pairs:
                destroyElements(of: frame, to: frame.pointee.cursor)
                destroyPendingKey(of: frame)
            case .union: destroyPayload(of: frame)
            case .update: destroyUpdate(frame)
            case .elements: destroyElements(frame)
            case .root, .object, .indexes, .every, .members, .wrapped: break
            }
            freeExtras(of: frame)
            frame -= 1
        }
    }

    /// Destroys the collected elements or pairs of a frame, the last of which ends at `end`.
    private func destroyElements(of frame: UnsafeMutablePointer<DecodingFrame>, to end: UnsafeMutableRawPointer) {
        let blocks = fullBlocks(of: frame) + [lastBlock(of: frame, to: end)]
        frame.pointee.shape.withContainer { container in
            for block in blocks { container.elements.destroy(block.start.unsafelyUnwrapped, block.count) }
        }
    }

    /// Destroys the key of a pair without a value.
    func destroyPendingKey(of frame: UnsafeMutablePointer<DecodingFrame>) {
        guard frame.pointee.hasKey else { return }
        frame.pointee.shape.withDictionary { $0.keys.destroy(frame.pointee.cursor) }
        frame.pointee.hasKey = false
    }
}
