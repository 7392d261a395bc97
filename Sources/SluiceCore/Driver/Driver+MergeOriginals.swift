// Repeated keys in JSON that is merged.

extension Driver {
    /// Begins the value of a key in a merged model, or in an object on its path. The value of a repeated key finds the fields as
    /// they were before the key's first value. Returns false if duplicate keys are rejected.
    mutating func beginMember(_ entry: EntryReference) -> Bool {
        begin(.entry(entry)) { driver in
            driver.fields(below: entry).map { driver.original(of: $0) }
        } restore: { driver, value in
            // The value of a better candidate stays.
            let rank = driver.top.owner.rank(of: value.field)
            if !entry.isRanked || rank == 0 || rank > Int(entry.rank) { driver.restore(value) }
        }
    }

    /// Forgets the changes that the first value of a repeated key at the path of the input has made.
    mutating func restartMerge() {
        guard merging?.isCopied == true else { return }
        merging?.isCopied = false
        merging?.changes.undo(downTo: 0)
    }

    /// Begins the value of a key in a container that is changed. See `beginMember(_:)`.
    ///
    /// - Parameter container: The container, with the layout of its values.
    mutating func beginMember(
        _ key: String, of container: UnsafeMutableRawPointer, _ access: MemberAccess, _ layout: LayoutReference
    ) -> Bool {
        guard let identity = access.identity(key) else { return true }
        let type = layout.shape.type
        return begin(.member(identity)) { _ in
            let original = layout.withTemporaryMemory { memory in
                guard access.load(container, key, memory) == true else { return MergeOriginals.missing() }
                defer { layout.destroy(memory) }
                return MergeOriginals.copy(of: type, layout, at: memory) { layout.destroy($0) }
            }
            return [original]
        } restore: { _, value in
            guard let original = value.memory else { return access.remove(container, key) }
            layout.withTemporaryMemory { memory in
                ValueCopy.copy(type, from: original, to: memory)
                access.store(container, key, memory)
            }
        }
    }

    private mutating func begin(
        _ key: MergeOriginals.Key, originals: (inout Driver) -> [MergeOriginals.Value],
        restore: (inout Driver, MergeOriginals.Value) -> Void
    ) -> Bool {
        let extras = top.makeExtras()
        let known = extras.originals ?? MergeOriginals()
        extras.originals = known
        let count = merging?.changes.count ?? 0
        if let (values, changes) = known.begin(key, changes: count) {
            if rejectsDuplicates { return false }
            merging?.changes.undo(changes)
            for value in values { restore(&self, value) }
        } else {
            known.record(rejectsDuplicates ? [] : originals(&self), changes: count)
        }
        return true
    }

    /// Returns a copy of a field of the innermost merged model.
    private func original(of field: Int) -> MergeOriginals.Value {
        let rank = top.owner.rank(of: field)
        guard isFilled(field: field), let info = top.ownerPlan?.fields[field], let layout = info.layout else {
            return MergeOriginals.missing(field: field, rank: rank)
        }
        return MergeOriginals.copy(
            of: info.declared.type, layout, at: top.base + info.offset, field: field, rank: rank,
            destroy: info.destroy)
    }

    /// Gives a field of the innermost merged model its original value.
    private mutating func restore(_ value: MergeOriginals.Value) {
        guard let info = top.ownerPlan?.fields[value.field] else { return }
        let address = top.base + info.offset
        if isFilled(field: value.field) { info.destroy(address) }
        if let original = value.memory {
            ValueCopy.copy(info.declared.type, from: original, to: address)
            setField(value.field)
        } else {
            info.layout?.loadNil(address)
            clearField(value.field)
        }
        top.owner.restoreRank(of: value.field, to: value.rank)
    }
}
