// Keys of a model's object that belong to no field.

extension Driver {
    /// Handles an unknown key, if the options or the plan require this.
    mutating func unknownKey(_ key: Key, in table: TableReference) -> TokenAction {
        if table.hasRequired { unknownKeys.note(key, object: top.serial) }
        if let extra = table.extra { return extraKey(String(checkedUTF8: key.text), extra, table) }
        guard let policy = table.plan?.unknownKeys, policy != .ignore else { return .proceed }
        if policy != .reject, !isReporting { return .proceed }
        if isOwnKeyOfComposite(key) { return .proceed }
        let failure = Failure(.unknownKey(String(checkedUTF8: key.text)), at: .key)
        if policy == .reject { return handle(failure) }
        announce(failure, .report)
        return .handlePending
    }

    /// Whether a key in the payload of a flattened enum belongs to the enclosing model.
    private func isOwnKeyOfComposite(_ key: Key) -> Bool {
        if replayDepth == 0 { return false }
        var frame = top.enclosing
        while frame.form == .union { frame = frame.enclosing }
        guard frame.form == .object, let entry = frame.entry, let plan = frame.table?.plan else { return false }
        return plan.flattenedEnums.contains { $0.entry == entry }
            && plan.ownKeys.contains(String(checkedUTF8: key.text))
    }

    /// Aims at the dictionary of extra keys.
    private mutating func extraKey(_ key: String, _ extra: EntryReference, _ table: TableReference) -> TokenAction {
        top.makeExtras().key = key
        if rejectsDuplicates, !top.isMerged, !isFirst(key) { return failDuplicate(extra, key: key) }
        aim(extra)
        let info = table.fields[extra.field]
        if !isFilled(extra) {
            info.makeDefault?(slot.address)
            setField(extra)
        }
        if top.isMerged {
            if let access = info.shape?.members, let layout = info.element,
                !beginMember(key, of: slot.address, access, layout)
            {
                return failDuplicate(extra, key: key)
            }
            (disposition, slot.layout) = (.replace, Self.existingValue)
        }
        return .proceed
    }
}
