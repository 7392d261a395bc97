// Fields that need more than one bit of the first word: nodes, candidates, models of more than 64 fields, and keys
// that stand twice.

extension Driver {
    /// Whether a field can receive a value.
    enum Readiness {
        case ready
        /// The value is ignored: a better candidate has filled the field.
        case unwanted
        /// The key stands twice, and that is refused.
        case duplicate
    }

    /// Makes the memory of `entry` ready for a value.
    @inline(never)
    mutating func prepare(_ entry: UnsafePointer<KeyEntry>) -> Readiness {
        if entry.pointee.field < 0 || entry.pointee.isAbsorbed {
            let isElement = entry.pointee.field < 0 && entry.pointee.child == nil && top.pointee.owner == frames
            if isElement { hasElementFailed = false }
            if top == frames + 1 { hasPathBegun = true }
            // Nothing is refused of an ignored value.
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
        // The last one wins: the one before is destroyed.
        destroyValue(entry)
        return .ready
    }

    /// Whether a key without a presence bit of its own occurs for the first time in the innermost object: the key of an
    /// object on a path, or one of several that fill a container.
    func isFirst(_ key: String) -> Bool { extras(of: top).seenKeys.insert(key).inserted }

    /// Whether `entry` is a better candidate for a field that another has filled.
    func replaces(_ entry: UnsafePointer<KeyEntry>) -> Bool {
        entry.pointee.isRanked && isFilled(entry) && rank(of: entry) - 1 > Int(entry.pointee.rank)
    }

    func isFilled(_ entry: UnsafePointer<KeyEntry>) -> Bool { isFilled(field: entry.pointee.field) }

    func isFilled(field: Int) -> Bool {
        let owner = top.pointee.owner
        if field < 64 { return owner.pointee.presenceBits & (1 << UInt64(field)) != 0 }
        return furtherWords(owner)[field / 64 - 1] & (1 << UInt64(field % 64)) != 0
    }

    /// Notes that the field of `entry` is filled.
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

    /// Notes that the field of `entry` has what null makes of it, which gives way to any other candidate.
    mutating func setFieldOfNull(_ entry: UnsafePointer<KeyEntry>) {
        setField(entry.pointee.field)
        if entry.pointee.isRanked { setRank(entry, to: 200) }
    }

    /// The rank that filled the field, plus one; 0 if none has.
    private func rank(of entry: UnsafePointer<KeyEntry>) -> Int {
        let owner = top.pointee.owner
        guard let side = owner.pointee.furtherBits, let table = owner.pointee.table else { return 0 }
        return Int(side[table.pointee.rankOffset + entry.pointee.field])
    }

    /// Whether a candidate for the field of an entry has been read.
    func hasRank(_ entry: UnsafePointer<KeyEntry>) -> Bool { rank(of: entry) > 0 }

    /// Whether a better candidate has been read than this one, which failed.
    func isBeaten(_ candidate: Candidate) -> Bool {
        let owner = top.pointee.owner
        guard let side = owner.pointee.furtherBits, let table = owner.pointee.table else { return false }
        return side[table.pointee.rankOffset + candidate.field] <= candidate.rank
    }

    func furtherWords(_ owner: UnsafeMutablePointer<DecodingFrame>) -> UnsafeMutablePointer<UInt64> {
        // The words come first in the side memory, which is taken with their alignment.
        UnsafeMutableRawPointer(owner.pointee.furtherBits.unsafelyUnwrapped).assumingMemoryBound(to: UInt64.self)
    }

    mutating func destroyValue(_ entry: UnsafePointer<KeyEntry>) {
        let address = top.pointee.owner.pointee.base + entry.pointee.offset
        let record = entry.pointee.shape
        record.pointee.shape._withUnsafeGuaranteedRef { $0.destroy(address, 1) }
        if let none = record.pointee.none { address.copyMemory(from: none, byteCount: record.pointee.size) }
        clearField(entry.pointee.field)
    }

    /// Calls `body` with the number of every field whose bit is set.
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

    /// Fills the fields that the text left out and that have a default.
    @inline(never)
    mutating func fillDefaults(_ table: UnsafePointer<KeyTable>) {
        let frame = top
        let fields = table.pointee.fields
        func fill(_ word: UInt64, from first: Int) {
            var left = word
            while left != 0 {
                let field = first + left.trailingZeroBitCount
                fields[field].makeDefault.unsafelyUnwrapped(frame.pointee.base + fields[field].offset)
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

    /// Whether every required field beyond the first 64 is there.
    @inline(never)
    func extraRequiredAreThere(_ table: UnsafePointer<KeyTable>) -> Bool {
        for word in 0..<table.pointee.extraWords
        where table.pointee.extraRequired.unsafelyUnwrapped[word] & ~furtherWords(top)[word] != 0 {
            return false
        }
        return true
    }
}
