// Input that ends before its value is complete
//
// A syntax error ends the parse while containers are open. For a partial result, the driver closes each open container as
// if the closing bracket followed, innermost first. Complete values are kept, and the value being read is dropped. A model
// that requires the dropped value fails like any model with a missing key. The models around it lack one value each, and
// fail only if that value is required.

extension Driver {
    /// Ignores the next number at the end of the input, which may lack digits.
    mutating func ignoreCutNumber() {
        guard options.isPartial, kind != .skip else { return }
        // The number counts in the paths of later issues.
        switch top.pointee.form {
        case .array:
            top.pointee.cursor = target
            top.pointee.detail = .run(dropped: top.pointee.dropped + 1)
        case .indexes, .every: top.pointee.detail = .position(top.pointee.position + 1)
        default: break
        }
        kind = .skip
        skipDepth = 1
    }

    /// Closes the innermost open container, whose closing bracket is missing.
    ///
    /// - Returns: nil if no container is open.
    mutating func closeContainer() -> TokenAction? {
        if !isEnding {
            isEnding = true
            isCapturing = false
            leaveWholeValues()
        } else if skipDepth > 0 {
            skipDepth = 0
            _ = passed()
        }
        skipDepth = 0
        dropCurrentValue()
        guard top > frames else { return nil }
        switch top.pointee.form {
        case .array, .indexes, .every: return endArray()
        case .object where top.pointee.owner != top: return endObject()
        case .members: return endObject()
        default:
            // The model reports its missing fields once. They are not reported again by the models around it.
            var below = top - 1
            while below.pointee.form == .wrapped { below -= 1 }
            markUnfinished(below)
            return endObject()
        }
    }

    /// Drops the outermost open value that can only be made from a complete value.
    private mutating func leaveWholeValues() {
        var frame = frames
        while frame < top {
            let next = frame + 1
            if next.pointee.form == .wrapped, next.pointee.payloadCase == nil,
                next.pointee.shape.pointee.shape.takeUnretainedValue().needsWhole
            {
                return unwind(to: frame)
            }
            frame = next
        }
    }

    /// Drops the value that is being read.
    private mutating func dropCurrentValue() {
        while top.pointee.form == .wrapped { unwind(to: top - 1) }
        kind = .skip
        switch top.pointee.form {
        case .pairs: destroyPendingKey(of: top)
        case .object, .indexes, .every, .members:
            guard let entry = top.pointee.entry, entry.pointee.field >= 0, entry.pointee.child == nil,
                !entry.pointee.isAbsorbed, !isFilled(entry), let none = entry.pointee.shape.pointee.none
            else { return }
            // A partially read value has left bytes in the slot.
            let address = top.pointee.owner.pointee.base + entry.pointee.offset
            address.copyMemory(from: none, byteCount: entry.pointee.shape.pointee.size)
        default: break
        }
    }

    /// Marks the current value of a frame as possibly incomplete, after its missing parts were reported. The models around it
    /// fail only if they require the value.
    func markUnfinished(_ frame: UnsafeMutablePointer<DecodingFrame>) {
        guard frame.pointee.isNode, let entry = frame.pointee.entry else { return }
        extras(of: frame.pointee.owner).failedFields.formUnion(fields(below: entry))
    }

    /// Marks the current value of a frame as failed because parts of it are missing.
    func markMissing(_ frame: UnsafeMutablePointer<DecodingFrame>) {
        markUnfinished(frame)
        if frame.pointee.form == .union { extras(of: frame).hasFailed = true }
    }
}
