// A model that is there is changed: its frame begins with every field filled, and a value that comes takes the place of
// the one before. It works on a copy, so that a failure leaves the model as it was.

/// How what is there is changed.
struct Merging {
    var nulls: JSONModelDecoder.MergeNulls
    var nested: JSONModelDecoder.MergeNested
    /// Makes the copy, at the root.
    var copy: ((UnsafeMutableRawPointer) -> Void)?
}

extension Driver {
    /// The object at hand changes the model at `target`, which is the frame's from here on.
    mutating func pushMerged() {
        merging?.copy?(target)
        merging?.copy = nil
        push(.object, shape: shape)
        let frame = top
        let table = shape.pointee.table.unsafelyUnwrapped
        frame.pointee.guess = table.pointee.entries
        frame.pointee.isSpecial = table.pointee.isSpecial
        frame.pointee.isMerged = true
        objectCount &+= 1
        frame.pointee.index = objectCount
        let plan = table.pointee.plan.unsafelyUnwrapped.takeUnretainedValue()
        if let storage = plan.blueprint.storage, let read = storage.read {
            frame.pointee.base = scratch.take(table.pointee.size, alignmentMask: table.pointee.alignmentMask)
            read(target, frame.pointee.base)
            shape.pointee.shape.takeUnretainedValue().destroy(target, 1)
        }
        if table.pointee.sideBytes > 0 { takeSide(table.pointee.sideBytes) }
        for field in plan.fields.indices { setField(field) }
        for group in plan.groups where group.record.pointee.presence(frame.pointee.base + group.offset) != .value {
            // Of a flattened model that is nil, no field is there.
            for field in group.fields {
                clearField(field)
                guard let record = plan.fields[field].record, let none = record.pointee.none else { continue }
                (frame.pointee.base + plan.fields[field].offset).copyMemory(
                    from: none, byteCount: record.pointee.size)
            }
        }
    }

    /// The value at hand is for a field of a model that is changed: it stays until there is another.
    mutating func aimMerging(_ entry: UnsafePointer<FieldEntry>) {
        guard entry.pointee.field >= 0, entry.pointee.child == nil, !entry.pointee.isAbsorbed, isFilled(entry)
        else {
            return
        }
        kind = .replace
        // Of a shape that is not optional, so that null is looked at.
        shape = top.pointee.table.unsafelyUnwrapped.pointee.endEntry.pointee.shape
    }

    /// Whether an object changes what the field holds, which then is no longer the field's until it is complete.
    mutating func mergesInside(_ entry: UnsafePointer<FieldEntry>) -> Bool {
        guard top.pointee.owner.pointee.isMerged, merging?.nested == .merge else { return false }
        let record = entry.pointee.shape
        let address = top.pointee.owner.pointee.base + entry.pointee.offset
        guard record.pointee.isMergeable, record.pointee.presence(address) == .value else { return false }
        clearField(entry.pointee.field)
        kind = .merging
        return true
    }

    /// The text of an object that changes a dictionary or a `JSONValue`.
    mutating func mergeCaptured(_ bytes: [UInt8]) -> Answer {
        guard let merging else { return .stop }
        let shape = shape.pointee.shape.takeUnretainedValue()
        do { try decoder.mergeNested(shape, bytes, into: target, merging) } catch {
            if let none = self.shape.pointee.none {
                target.copyMemory(from: none, byteCount: self.shape.pointee.size)
            }
            return fail(thrown: error, at: .value)
        }
        return completed()
    }
}

extension ShapeRecord {
    /// Whether an object can change a value in its place.
    var isMergeable: Bool {
        switch kind {
        case .model:
            let plan = table.unsafelyUnwrapped.pointee.plan?.takeUnretainedValue()
            return plan?.blueprint.storage.map { $0.read != nil } ?? true
        case .value: return true
        case .dictionary: return shape.takeUnretainedValue().update != nil
        default: return false
        }
    }
}

extension FieldTable {
    /// The entry behind the last, which matches no key.
    var endEntry: UnsafePointer<FieldEntry> { entries + count }
}
