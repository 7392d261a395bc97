// Input that ends before its value is complete.
//
// A syntax error ends the parse while containers are open. For a partial result, the driver closes each open container as
// if the closing bracket followed, innermost first. Complete values are kept, and the value being read is dropped. A model
// that requires the dropped value fails like any model with a missing key. The models around it lack one value each, and
// fail only if that value is required.

extension Driver {
    /// Ignores the next number at the end of the input, which may lack digits.
    mutating func ignoreCutNumber() {
        guard session.isPartial, disposition != .skip else { return }
        // The number counts in the paths of later issues.
        switch top.form {
        case .array:
            top.cursor = slot.address
            countDropped(top)
        case .indexes, .anyIndex: top.state = .position(top.position + 1)
        default: break
        }
        disposition = .skip
        skipDepth = 1
    }

    /// Closes the innermost open container, whose closing bracket is missing.
    ///
    /// - Parameter depth: The index of the innermost frame that stays open.
    /// - Returns: nil if no container is open.
    mutating func closeContainer(above depth: Int) -> TokenAction? {
        if !session.isEnding {
            session.beginEnding()
            session.recorder.end()
            leaveBufferedValues()
        } else if skipDepth > 0 {
            skipDepth = 0
            _ = endWithoutValue()
        }
        skipDepth = 0
        dropCurrentValue()
        guard index(of: top) > depth else { return nil }
        switch top.form {
        case .array, .indexes, .anyIndex: return endArray()
        default: return endObject()
        }
    }

    /// Drops the outermost open value that can only be made from a complete value, or must not be shown before.
    private mutating func leaveBufferedValues() {
        let outermost = frames(above: root).first { $0.below.hidesCurrentValue || $0.needsCompleteValue }
        if let outermost { unwind(to: outermost.below) }
    }

    /// Drops the value that is being read.
    private mutating func dropCurrentValue() {
        while top.form == .converted { unwind(to: top.below) }
        disposition = .skip
        switch top.form {
        case .pairs: destroyPendingKey(of: top)
        case .object, .indexes, .anyIndex, .anyKey:
            guard let entry = top.entry, entry.field >= 0, entry.child == nil, !entry.addsToContainer,
                !isFilled(entry)
            else { return }
            // A partially read value has left bytes in the slot.
            currentSlot(of: entry).loadNil()
        default: break
        }
    }

    /// Marks the current value of a frame as failed because parts of it are missing, which were reported. The models around
    /// it do not report them again, and fail only if they require the value.
    func markMissing(_ frame: FrameReference) {
        if frame.isNode, let entry = frame.entry {
            frame.owner.makeUncommonState().failedFields.formUnion(fields(below: entry))
        }
        if frame.form == .union { frame.makeUncommonState().hasFailed = true }
    }
}

extension FrameReference {
    /// Whether the value is converted from another one, which must be complete.
    var needsCompleteValue: Bool {
        guard case .converted(.conversion) = self.state else { return false }
        return layout.shape.buffersValue
    }

    /// Whether the current value belongs to a field that is left out until its value is complete.
    package var hidesCurrentValue: Bool { isNode && fieldInfo?.declared.isHiddenUntilComplete == true }
}
