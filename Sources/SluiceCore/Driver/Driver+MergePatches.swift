// Values that JSON Merge Patch changes as JSON, because their type has no members of its own.

extension Driver {
    nonisolated(unsafe) private static let valueLayout = UnsafePointer(JSONShape.of(JSONValue.self).layout)

    /// Begins to change the JSON of the current value with an object. When the object is complete, the value is made again.
    mutating func beginPatch() -> TokenAction {
        copyOriginal()
        let json: JSONValue
        do { json = try existingJSON() ?? .object([:]) } catch {
            return fail(error.issues[0].kind, at: .openingBracket)
        }
        let inner = Self.valueLayout
        guard wrap(.patch, around: inner, size: inner.pointee.size, alignmentMask: inner.pointee.alignmentMask)
        else {
            return failWrapping(at: .openingBracket)
        }
        target.initializeMemory(as: JSONValue.self, to: json)
        kind = .merging
        pushUpdate()
        return .proceed
    }

    /// Returns the JSON of the current value, or nil if no value exists.
    mutating func existingJSON() throws(JSONModelError) -> JSONValue? {
        guard let merging else { return nil }
        func json(
            _ layout: UnsafePointer<TypeLayout>, _ address: UnsafeRawPointer
        ) throws(JSONModelError) -> JSONValue? {
            layout.pointee.presence(address) == .value ? try merging.json(layout, address) : nil
        }
        if isMergedRoot {
            defer { shape.pointee.shape.takeUnretainedValue().destroy(target, 1) }
            return try json(shape, target)
        }
        switch top.pointee.form {
        case .update, .elements: return hasMember ? try json(shape, target) : nil
        default: break
        }
        guard let entry = top.pointee.entry else { return nil }
        if !entry.pointee.isAbsorbed { return isFilled(entry) ? try json(shape, target) : nil }
        guard let info = fieldInfo, let members = info.shape?.members, let layout = info.element else {
            return nil
        }
        let value = UnsafeMutableRawPointer.allocate(
            byteCount: max(layout.pointee.size, 1), alignment: layout.pointee.alignmentMask + 1)
        defer { value.deallocate() }
        guard members.load(top.pointee.base + info.offset, extras(of: top).key ?? "", value) == true else {
            return nil
        }
        defer { layout.pointee.shape.takeUnretainedValue().destroy(value, 1) }
        return try json(layout, value)
    }

    /// Makes the value from its changed JSON.
    mutating func finishPatch(_ json: JSONValue) -> TokenAction {
        switch top.pointee.form {
        case .update, .elements:
            destroyMember()
            aim(at: shape, target)
        default:
            if isMergedRoot {
                kind = shape.pointee.kind
                break
            }
            let entry = top.pointee.entry.unsafelyUnwrapped
            if !entry.pointee.isAbsorbed, isFilled(entry) { destroyValue(entry) }
            return replayField(json, entry)
        }
        return replay(.value(json), as: .value)
    }
}
