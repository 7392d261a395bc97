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
    ///
    /// - Throws: ``JSONModelError`` if the value cannot be encoded, or contains an object of a subclass.
    private mutating func existingJSON() throws(JSONModelError) -> JSONValue? {
        if isMergedRoot {
            defer { slot.destroy() }
            return try existingJSON(of: slot)
        }
        switch top.form {
        case .update, .elements: return hasMember ? try existingJSON(of: slot) : nil
        default: break
        }
        guard let entry = top.entry else { return nil }
        if !entry.isAbsorbed { return isFilled(entry) ? try existingJSON(of: slot) : nil }
        return try withExtraMember { driver, member throws(JSONModelError) in try driver.existingJSON(of: member) }
    }

    private mutating func existingJSON(of slot: ValueSlot) throws(JSONModelError) -> JSONValue? {
        guard slot.isPresent else { return nil }
        if let kind = rejection(of: slot) { throw JSONModelError(kind) }
        return try merging?.json(slot)
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
