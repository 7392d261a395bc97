// Values that JSON Merge Patch changes as JSON, because their type has no members of its own.

extension Driver {
    nonisolated(unsafe) private static let valueLayout = LayoutReference(JSONShape.of(JSONValue.self).layout)

    /// Begins to change the JSON of the current value with an object. When the object is complete, the value is made again.
    mutating func beginPatch() -> TokenAction {
        copyOriginal()
        let json: JSONValue
        do { json = try existingJSON() ?? .object([:]) } catch {
            return fail(error.issues[0].kind, at: .openingBracket)
        }
        guard wrap(.patch, around: Self.valueLayout) else { return failWrapping(at: .openingBracket) }
        slot.initialize(to: json)
        disposition = .merge
        pushUpdate()
        return .proceed
    }

    /// Returns the JSON of the current value, or nil if no value exists.
    private func existingJSON() throws(JSONModelError) -> JSONValue? {
        guard let merging else { return nil }
        func json(_ slot: ValueSlot) throws(JSONModelError) -> JSONValue? {
            slot.isPresent ? try merging.json(slot) : nil
        }
        if isMergedRoot {
            defer { slot.destroy() }
            return try json(slot)
        }
        switch top.form {
        case .update, .elements: return hasMember ? try json(slot) : nil
        default: break
        }
        guard let entry = top.entry else { return nil }
        if !entry.isAbsorbed { return isFilled(entry) ? try json(slot) : nil }
        guard let info = top.fieldInfo, let members = info.shape?.members, let layout = info.element else {
            return nil
        }
        let (container, key) = (top.base + info.offset, top.extras?.key ?? "")
        return try layout.withTemporaryMemory { memory throws(JSONModelError) in
            guard members.load(container, key, memory) == true else { return nil }
            let member = ValueSlot(address: memory, layout: layout)
            defer { member.destroy() }
            return try json(member)
        }
    }

    /// Makes the value from its changed JSON, whose frame was popped.
    mutating func finishPatch(of changed: UnsafeMutableRawPointer) -> TokenAction {
        let json = ValueSlot(address: changed, layout: Self.valueLayout).take(JSONValue.self)
        switch top.form {
        case .update, .elements:
            destroyMember()
            aim(at: slot)
        default:
            if isMergedRoot {
                disposition = .store(slot.layout.kind)
                break
            }
            let entry = top.currentEntry
            if !entry.isAbsorbed, isFilled(entry) { destroyValue(entry) }
            return replayField(json, entry)
        }
        return replay(.value(json), as: .value)
    }
}
