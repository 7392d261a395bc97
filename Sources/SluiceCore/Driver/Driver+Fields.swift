// Fields that need more than one presence bit of the first word: objects on paths, candidates, models of more than 64
// fields, and duplicate keys.

extension Driver {
    /// Whether a field can receive a value.
    enum Preparation {
        case ready
        /// The value is ignored: a better candidate has filled the field.
        case unwanted
        /// The key is a duplicate, and duplicates are rejected.
        case duplicate
    }

    /// Prepares the slot of `entry` for a value.
    @inline(never)
    mutating func prepare(_ entry: EntryReference) -> Preparation {
        if entry.field < 0 || entry.isAbsorbed {
            let isElement = entry.field < 0 && entry.child == nil && top.owner == root
            if isElement { hasElementFailed = false }
            if top == openFrame(at: 1) { hasPathBegun = true }
            // Ignored values have no duplicate keys.
            let isChecked =
                rejectsDuplicates && entry.disposition != .skip && top.form == .object && !top.owner.isMerged
            return !isChecked || isFirst(name(of: entry)) ? .ready : .duplicate
        }
        if entry.isRanked {
            let filled = rank(of: entry)
            if filled > 0, filled - 1 < Int(entry.rank) { return .unwanted }
        }
        guard isFilled(entry), !replaces(entry) else { return .ready }
        if top.owner.isMerged, entry.child == nil { return .ready }
        if rejectsDuplicates, !top.owner.isMerged { return .duplicate }
        // The last value wins, so the previous one is destroyed.
        destroyValue(entry)
        if top.owner == root { restartMerge() }
        return .ready
    }

    /// Whether a key without its own presence bit occurs for the first time in the innermost object. Such a key belongs to an
    /// object on a path, or is one of several that fill a container.
    func isFirst(_ key: String) -> Bool { top.makeExtras().seenKeys.insert(key).inserted }

    /// Whether `entry` is a better candidate than the one that filled the field.
    func replaces(_ entry: EntryReference) -> Bool {
        entry.isRanked && isFilled(entry) && rank(of: entry) - 1 > Int(entry.rank)
    }

    func isFilled(_ entry: EntryReference) -> Bool { isFilled(field: entry.field) }

    func isFilled(field: Int) -> Bool { top.owner.isFilled(field) }

    /// Marks the field of `entry` as filled.
    func setField(_ entry: EntryReference) {
        setField(entry.field)
        if entry.isRanked { setRank(entry) }
    }

    func setField(_ field: Int) { top.owner.setFilled(field) }

    func clearField(_ field: Int) { top.owner.clearFilled(field) }

    func setRank(_ entry: EntryReference) { top.owner.setRank(of: entry.field, to: entry.rank) }

    /// Marks the field of `entry` as filled by null. Any other candidate replaces the value.
    func setFieldOfNull(_ entry: EntryReference) {
        setField(entry.field)
        if entry.isRanked { top.owner.setRank(of: entry.field, to: 200) }
    }

    /// Returns the rank of the best candidate read so far, plus one; 0 if none has been read.
    private func rank(of entry: EntryReference) -> Int { top.owner.rank(of: entry.field) }

    /// Whether a candidate for the field of an entry has been read.
    func hasRank(_ entry: EntryReference) -> Bool { rank(of: entry) > 0 }

    /// Whether a better candidate than this failed one has been read.
    func isBeaten(_ candidate: Candidate) -> Bool {
        top.owner.hasRanks && top.owner.rank(of: candidate.field) <= Int(candidate.rank)
    }

    func destroyValue(_ entry: EntryReference) {
        currentSlot(of: entry).reset()
        clearField(entry.field)
    }

    /// Fills the missing fields that have a default.
    @inline(never)
    func fillDefaults(_ table: TableReference) {
        let (base, fields) = (top.base, table.fields)
        top.forEachMissingDefault(table) { fields[$0].makeDefault!(base + fields[$0].offset) }
    }
}
