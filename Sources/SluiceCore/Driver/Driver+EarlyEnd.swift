// Text that ends before its value does
//
// An error in the text ends the parse while containers are open. For a partial result each open container is closed as
// if its bracket followed, from the innermost outward: what was complete stays, and the value that was being read is
// dropped. A model that cannot do without that value fails as any model with a missing key does, but the failure is not
// one of the models around it: they lack a value, and only what requires that value fails in turn.

extension Driver {
    /// Ignores the number that comes next: the text ends with it, so that more digits may be missing.
    mutating func ignoreCutNumber() {
        guard options.isPartial, kind != .skip else { return }
        // The number counts in the paths of issues.
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
            // What the model lacks is reported once, and not as missing from the models around it.
            var below = top - 1
            while below.pointee.form == .wrapped { below -= 1 }
            markUnfinished(below)
            return endObject()
        }
    }

    /// Drops the outermost value that is made of a complete value alone.
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

    /// The value that is being read is not completed.
    private mutating func dropCurrentValue() {
        while top.pointee.form == .wrapped { unwind(to: top - 1) }
        kind = .skip
        switch top.pointee.form {
        case .pairs: destroyPendingKey(of: top)
        case .object, .indexes, .every, .members:
            guard let entry = top.pointee.entry, entry.pointee.field >= 0, entry.pointee.child == nil,
                !entry.pointee.isAbsorbed, !isFilled(entry), let none = entry.pointee.shape.pointee.none
            else { return }
            // A value that was read half-way has left bytes there.
            let address = top.pointee.owner.pointee.base + entry.pointee.offset
            address.copyMemory(from: none, byteCount: entry.pointee.shape.pointee.size)
        default: break
        }
    }

    /// The current value of a frame may lack something that is reported. The models around it do not fail by that, unless
    /// they require the value.
    func markUnfinished(_ frame: UnsafeMutablePointer<DecodingFrame>) {
        guard frame.pointee.isNode, let entry = frame.pointee.entry else { return }
        extras(of: frame.pointee.owner).failedFields.formUnion(fields(below: entry))
    }

    /// The current value of a frame has failed for the lack of something.
    func markMissing(_ frame: UnsafeMutablePointer<DecodingFrame>) {
        markUnfinished(frame)
        if frame.pointee.form == .union { extras(of: frame).hasFailed = true }
    }
}
