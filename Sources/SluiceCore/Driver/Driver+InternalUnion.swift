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
        top.hasTag = true
        return giveTag(tag, name)
    }

    /// Gives the tag to a payload that has a property for it.
    private mutating func giveTag(_ tag: EntryReference, _ name: String) -> TokenAction {
        guard top.form == .object, let table = top.table else { return .proceed }
        let tagKey = Key(tag.key, tag.keyCount)
        guard table.find(tagKey) != nil else { return .proceed }
        let action = fieldKey(tagKey)
        guard action == .proceed else { return action }
        return string(name)
    }

    // MARK: Repeated tags

    /// Whether a key of a payload is the tag of the enum, or of an enum whose payload this enum is.
    func isTag(_ key: Key) -> Bool {
        var frame = top.below
        while frame.form == .wrapped {
            if frame.payloadCase != nil, let tag = frame.entry, tag.ownKey.text.elementsEqual(key.text) {
                return true
            }
            frame = frame.below
        }
        return false
    }

    /// Ignores a tag after the first, which has decided the case and is not part of the payload.
    mutating func repeatedTag(_ key: Key) -> TokenAction {
        disposition = .skip
        top.entry = nil
        guard rejectsDuplicates else { return .proceed }
        return failRepeatedTag(String(checkedUTF8: key.text), at: .key, in: nil)
    }

    /// Fails a tag after the first.
    ///
    /// - Parameter recording: The key, in the recording of the object; nil for the current key.
    mutating func failRepeatedTag(_ tag: String, at site: FailureSite, in recording: Recording?) -> TokenAction {
        var failure = Failure(.duplicateKey(tag), at: site)
        failure.innerPath = [.key(tag)]
        failure.recording = recording
        return handle(failure)
    }
}
