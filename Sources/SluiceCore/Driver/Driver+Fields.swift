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
    mutating func prepare(_ entry: UnsafePointer<KeyEntry>) -> Preparation {
        if entry.pointee.field < 0 || entry.pointee.isAbsorbed {
            let isElement = entry.pointee.field < 0 && entry.pointee.child == nil && top.pointee.owner == frames
            if isElement { hasElementFailed = false }
            if top == frames + 1 { hasPathBegun = true }
            // Ignored values have no duplicate keys.
            let isChecked = rejectsDuplicates && entry.pointee.kind != .skip && top.pointee.form == .object
            return !isChecked || isFirst(name(of: entry)) ? .ready : .duplicate
        }
        if entry.pointee.isRanked {
            let filled = rank(of: entry)
            if filled > 0, filled - 1 < Int(entry.pointee.rank) { return .unwanted }
        }
        guard isFilled(entry), !replaces(entry) else { return .ready }
        if top.pointee.owner.pointee.isMerged, entry.pointee.child == nil { return .ready }
        if rejectsDuplicates { return .duplicate }
        // The last value wins, so the previous one is destroyed.
        destroyValue(entry)
        return .ready
    }

    /// Whether a key without its own presence bit occurs for the first time in the innermost object. Such a key belongs to an
    /// object on a path, or is one of several that fill a container.
    func isFirst(_ key: String) -> Bool { extras(of: top).seenKeys.insert(key).inserted }

    /// Whether `entry` is a better candidate than the one that filled the field.
    func replaces(_ entry: UnsafePointer<KeyEntry>) -> Bool {
        entry.pointee.isRanked && isFilled(entry) && rank(of: entry) - 1 > Int(entry.pointee.rank)
    }

    func isFilled(_ entry: UnsafePointer<KeyEntry>) -> Bool { isFilled(field: entry.pointee.field) }

    func isFilled(field: Int) -> Bool {
        let owner = top.pointee.owner
        if field < 64 { return owner.pointee.presenceBits & (1 << UInt64(field)) != 0 }
        return furtherWords(owner)[field / 64 - 1] & (1 << UInt64(field % 64)) != 0
    }

    /// Marks the field of `entry` as filled.
    mutating func setField(_ entry: UnsafePointer<KeyEntry>) {
        setField(entry.pointee.field)
        if entry.pointee.isRanked { setRank(entry) }
    }

    mutating func setField(_ field: Int) {
        let owner = top.pointee.owner
        if field < 64 {
            owner.pointee.presenceBits |= 1 << UInt64(field)
        } else {
            furtherWords(owner)[field / 64 - 1] |= 1 << UInt64(field % 64)
        }
    }

    mutating func clearField(_ field: Int) {
        let owner = top.pointee.owner
        if field < 64 {
            owner.pointee.presenceBits &= ~(1 << UInt64(field))
        } else {
            furtherWords(owner)[field / 64 - 1] &= ~(1 << UInt64(field % 64))
        }
    }

    func setRank(_ entry: UnsafePointer<KeyEntry>) { setRank(entry, to: entry.pointee.rank) }

    private func setRank(_ entry: UnsafePointer<KeyEntry>, to rank: UInt8) {
        let owner = top.pointee.owner
        guard let side = owner.pointee.furtherBits, let table = owner.pointee.table else { return }
        side[table.pointee.rankOffset + entry.pointee.field] = rank + 1
    }

    /// Marks the field of `entry` as filled by null. Any other candidate replaces the value.
    mutating func setFieldOfNull(_ entry: UnsafePointer<KeyEntry>) {
        setField(entry.pointee.field)
        if entry.pointee.isRanked { setRank(entry, to: 200) }
    }

    /// Returns the rank of the best candidate read so far, plus one; 0 if none has been read.
    private func rank(of entry: UnsafePointer<KeyEntry>) -> Int {
        let owner = top.pointee.owner
        guard let side = owner.pointee.furtherBits, let table = owner.pointee.table else { return 0 }
        return Int(side[table.pointee.rankOffset + entry.pointee.field])
    }

    /// Whether a candidate for the field of an entry has been read.
    func hasRank(_ entry: UnsafePointer<KeyEntry>) -> Bool { rank(of: entry) > 0 }

    /// Whether a better candidate than this failed one has been read.
    func isBeaten(_ candidate: Candidate) -> Bool {
        let owner = top.pointee.owner
        guard let side = owner.pointee.furtherBits, let table = owner.pointee.table else { return false }
        return side[table.pointee.rankOffset + candidate.field] <= candidate.rank
    }

    func furtherWords(_ owner: UnsafeMutablePointer<DecodingFrame>) -> UnsafeMutablePointer<UInt64> {
        // The words come first in the memory, which has their alignment.
        UnsafeMutableRawPointer(owner.pointee.furtherBits.unsafelyUnwrapped).assumingMemoryBound(to: UInt64.self)
    }

    mutating func destroyValue(_ entry: UnsafePointer<KeyEntry>) {
        let address = top.pointee.owner.pointee.base + entry.pointee.offset
        let layout = entry.pointee.shape
        layout.pointee.shape._withUnsafeGuaranteedRef { $0.destroy(address, 1) }
        if let none = layout.pointee.none { address.copyMemory(from: none, byteCount: layout.pointee.size) }
        clearField(entry.pointee.field)
    }

    /// Calls `body` with the number of every field whose presence bit is set.
    func forEachFilled(_ owner: UnsafeMutablePointer<DecodingFrame>, _ body: (Int) -> Void) {
        func bits(of word: UInt64, from first: Int) {
            var left = word
            while left != 0 {
                body(first + left.trailingZeroBitCount)
                left &= left - 1
            }
        }
        bits(of: owner.pointee.presenceBits, from: 0)
        guard let table = owner.pointee.table, owner.pointee.furtherBits != nil else { return }
        for word in 0..<table.pointee.extraWords { bits(of: furtherWords(owner)[word], from: (word + 1) * 64) }
    }

    /// Fills the missing fields that have a default.
    @inline(never)
    mutating func fillDefaults(_ table: UnsafePointer<KeyTable>) {
        let frame = top
        let fields = table.pointee.fields
        func fill(_ word: UInt64, from first: Int) {
            var left = word
            while left != 0 {
                let field = first + left.trailingZeroBitCount
                fields[field].makeDefault!(frame.pointee.base + fields[field].offset)
                left &= left - 1
            }
        }
        fill(table.pointee.defaults & ~frame.pointee.presenceBits, from: 0)
        for word in 0..<table.pointee.extraWords {
            fill(
                table.pointee.extraDefaults.unsafelyUnwrapped[word] & ~furtherWords(frame)[word],
                from: (word + 1) * 64
            )
        }
    }

    /// Whether every required field after the first 64 is present.
    @inline(never)
    func extraRequiredAreThere(_ table: UnsafePointer<KeyTable>) -> Bool {
        for word in 0..<table.pointee.extraWords
        where table.pointee.extraRequired.unsafelyUnwrapped[word] & ~furtherWords(top)[word] != 0 {
            return false
        }
        return true
    }
}
