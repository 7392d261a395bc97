// Adjacent tagging: the name of the case and the payload stand side by side. `{"type": "circle", "value": {…}}`.

extension Driver {
    /// - Parameter entry: the tag's, the content's, or nil for another key.
    mutating func adjacentKey(_ entry: UnsafePointer<KeyEntry>?, _ union: ResolvedUnion) -> TokenAction {
        guard let entry else { return .proceed }
        let isTag = entry.pointee.field == 0
        guard let index = top.pointee.unionCase else {
            if !isTag { return captureMembers() }
            aim(at: Self.stringRecord, top.pointee.base)
            return .proceed
        }
        // The payload of a fallback case is the tag.
        if !isTag, index == union.fallback, union.fallbackValue == .tag, top.pointee.hasPayload { return .proceed }
        // The first tag decides, the last content counts.
        if isTag { return rejectsDuplicates ? failDuplicate(entry) : .proceed }
        if rejectsDuplicates, top.pointee.hasPayload { return failDuplicate(entry) }
        return aimPayload(index, union)
    }
}
