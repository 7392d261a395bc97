// Adjacent tagging: the case name and the payload are members of one object. `{"type": "circle", "value": {…}}`.

extension Driver {
    /// - Parameter entry: The entry of the tag or content, or nil for another key.
    mutating func adjacentKey(_ entry: EntryReference?, _ union: ResolvedUnion) -> TokenAction {
        guard let entry else { return .proceed }
        let isTag = entry.field == 0
        guard let index = top.unionCase else {
            if !isTag { return captureMembers() }
            aimTag()
            return .proceed
        }
        // The payload of a fallback case is the tag.
        if !isTag, index == union.fallback, union.fallbackValue == .tag, top.hasPayload { return .proceed }
        // The first tag decides. The last content applies.
        if isTag { return rejectsDuplicates ? failDuplicate(entry) : .proceed }
        if rejectsDuplicates, top.hasPayload { return failDuplicate(entry) }
        return aimPayload(index, union)
    }
}
