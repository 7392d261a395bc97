// A copy of a driver between two chunks of its input, from which the value is made as far as it is read.

extension Driver {
    /// Returns a driver in the same state, which has copies of the unfinished values.
    ///
    /// The driver creates a new value, and no replay is open.
    ///
    /// - Parameters:
    ///   - target: Memory for one value of the same type as that of this driver.
    ///   - options: The options of the copy, which the caller keeps alive.
    ///   - emit: Receives each element of a stream.
    func copied(
        to target: UnsafeMutableRawPointer, options: Unmanaged<DecodingOptions.Shared>,
        emit: ((UnsafeMutableRawPointer) throws -> Bool)?
    ) -> Driver {
        precondition(merging == nil && replayDepth == 0, "only a new value between chunks can be copied")
        let result = root.destination.layout
        var copy = Driver(
            slot: ValueSlot(address: target, layout: result), table: root.table, options: options, emit: emit)
        copy.copyRoot(root)
        for frame in frames(above: root) { copy.push(copyOf: frame, in: self) }
        copy.disposition = disposition
        copy.slot = ValueSlot(
            address: copy.position(of: slot.address, in: top, of: self), layout: slot.layout)
        (copy.skipDepth, copy.isCapturing, copy.wrapCount) = (skipDepth, isCapturing, wrapCount)
        (copy.hasElementFailed, copy.isComplete, copy.hasPathBegun) = (hasElementFailed, isComplete, hasPathBegun)
        copy.objectCount = objectCount
        return copy
    }

    private mutating func copyRoot(_ other: FrameReference) {
        (root.presenceBits, root.entry, root.guess) = (other.presenceBits, other.entry, other.guess)
        if root.isFilled(0) {
            let source = other.destination
            ValueCopy.copy(source.layout.shape.type, from: source.address, to: root.destination.address)
        }
    }

    /// Pushes a copy of a frame of another driver, whose outer frames were copied before.
    private mutating func push(copyOf frame: FrameReference, in other: borrowing Driver) {
        let destination = ValueSlot(
            address: position(of: frame.destination.address, in: frame.below, of: other),
            layout: frame.destination.layout)
        push(copyOf: frame.value, for: destination, owner: other.index(of: frame.owner))
        switch frame.form {
        case .object where frame.owner == frame: copyModel(frame)
        case .object, .indexes, .every, .members: top.base = top.owner.base
        case .array, .pairs: copyElements(frame, in: other)
        case .wrapped:
            let layout = frame.layout
            if let union = layout.union {
                top.base = arena.take(union.size, alignmentMask: 63)
            } else {
                let inner = layout.element.unsafelyUnwrapped
                top.base = arena.take(inner.size, alignmentMask: inner.alignmentMask)
            }
        case .union: copyPayload(frame)
        case .root, .update, .elements: preconditionFailure("the frame belongs to a merge")
        }
    }

    /// Returns the position in the top frame's memory that corresponds to an address in the memory of another driver's frame.
    private func position(
        of address: UnsafeMutableRawPointer, in frame: FrameReference, of other: borrowing Driver
    ) -> UnsafeMutableRawPointer {
        switch top.form {
        case .array, .pairs: top.cursor + (address - other.elementsEnd(of: frame))
        default: top.base + (address - frame.base)
        }
    }

    private mutating func copyModel(_ frame: FrameReference) {
        let table = frame.keyTable
        if frame.layout.hasStorage { takeStorage(table) }
        if let bits = frame.furtherBits {
            let count = table.furtherBytes
            top.furtherBits = FurtherBits(bits, copiedTo: arena.take(count, alignmentMask: 7), count)
        }
        // The bytes of each nil. Those of the other values are replaced.
        top.base.copyMemory(from: frame.base, byteCount: table.size)
        let (base, fields) = (top.base, table.fields)
        frame.forEachFilled { fields[$0].copy(from: frame.base, to: base) }
    }

    /// Copies the elements or pairs of a frame to one block.
    private mutating func copyElements(_ frame: FrameReference, in other: borrowing Driver) {
        let (layout, blocks) = (frame.layout, other.blocks(of: frame))
        let count = blocks.reduce(0) { $0 + $1.count }
        let start = arena.take(
            (count + 1) * layout.elementStride, alignmentMask: layout.elementAlignmentMask)
        (top.base, top.cursor) = (start, start)
        layout.withContainer { container in
            for block in blocks {
                ValueCopy.copy(container.elements.type, block.count, from: block.start!, to: top.cursor)
                top.cursor += block.count * layout.elementStride
            }
        }
        guard frame.hasKey else { return }
        let key = other.elementsEnd(of: frame)
        layout.withDictionary { ValueCopy.copy($0.keys.type, from: key, to: top.cursor) }
    }

    private mutating func copyPayload(_ frame: FrameReference) {
        let union = frame.layout.union!
        top.base = arena.take(union.size, alignmentMask: 63)
        // The bytes of a nil payload.
        top.base.copyMemory(from: frame.base, byteCount: union.size)
        guard frame.hasPayload, let payload = payloadSlot(of: frame) else { return }
        ValueCopy.copy(
            payload.layout.shape.type, from: payload.address, to: top.base + ResolvedUnion.payloadOffset)
    }
}

extension FieldInfo {
    /// Copies the value of the field from the memory of one model to that of another.
    func copy(from source: UnsafeMutableRawPointer, to target: UnsafeMutableRawPointer) {
        ValueCopy.copy(declared.type, from: source + offset, to: target + offset)
    }
}
