// Internal tagging: the case name is a member of the payload's object. `{"type": "circle", "radius": 1}`.

extension Driver {
    /// - Parameter entry: The entry of the tag, or nil for another key.
    mutating func internalKey(_ entry: EntryReference?) -> TokenAction {
        guard let entry else { return top.unionCase != nil ? .proceed : captureMembers() }
        // The first tag decides.
        if top.unionCase != nil { return rejectsDuplicates ? failDuplicate(entry) : .proceed }
        aimTag()
        return .proceed
    }

    /// Handles the tag: the remaining members belong to the payload, so this frame becomes the payload's.
    mutating func internalTagRead(_ index: Int, _ name: String, _ union: ResolvedUnion) -> TokenAction {
        guard let layout = union.cases[index].layout else {
            top.detail = .union(.known(index, hasPayload: false))
            return .proceed
        }
        guard mayWrap else { return failWrapping(at: .value) }
        let tag = top.entry
        top.form = .wrapped
        top.detail = .wrapped(.payload(of: index))
        top.table = nil
        top.owner = top
        wrapCount += 1
        aim(at: ValueSlot(address: top.base, layout: layout))
        if takesAnything {
            let why = "an enum whose payload is recorded as a whole cannot be the payload of an enum in a payload"
            return fail(.invalidPlan(why))
        }
        let action = startObject()
        guard action == .proceed, let tag else { return action }
        return giveTag(tag, name)
    }

    /// Gives the tag to a payload that has a property for it.
    private mutating func giveTag(_ tag: EntryReference, _ name: String) -> TokenAction {
        guard top.form == .object, let table = top.table else { return .proceed }
        let tagKey = Key(tag.key, tag.keyCount)
        guard table.find(tagKey) != nil else { return .proceed }
        let action = key(tagKey)
        guard action == .proceed else { return action }
        return string(name)
    }
}
