// Keys: tries the field that follows the last one, then looks the key up in the table.

extension Driver {
    /// Tries the expected field against the bytes after a key's opening quote. `QuotedKey.reach` bytes must be readable.
    /// Returns the length of the key, or nil if the key does not match or exceeds `maximumLength`.
    @inline(__always)
    mutating func expectedKey(at text: UnsafePointer<UInt8>, maximumLength: Int) -> Int? {
        guard skipDepth == 0, top.form == .object else { return nil }
        let entry = top.expectedEntry
        guard entry.matches(textAt: text), entry.keyCount <= maximumLength, tryExpectedKey(entry) else {
            return entry.expectation == .part && expectOther(entry, at: text, maximumLength: maximumLength)
                ? entry.keyCount : nil
        }
        return entry.keyCount
    }

    /// Targets the field of a matching key, if the field is not filled yet. A filled field takes the general path.
    @inline(__always)
    private mutating func tryExpectedKey(_ entry: EntryReference) -> Bool {
        guard top.owner.presenceBits & entry.presenceBit == 0 else { return false }
        // The tag of an enum around the payload is not a key of the payload.
        if top.flags.contains(.readsTag), isTag(entry.knownKey) { return false }
        top.guess = entry.successor
        target(entry)
        return true
    }

    /// Whether the expected key has no field.
    @inline(__always)
    var expectsUnreadKey: Bool {
        mutating get { skipDepth == 0 && top.form == .object && top.expectedEntry.expectation == .unread }
    }

    /// Expects a key whose entry has no fast path. Returns false for another key, and for a key that must be checked.
    @inline(never)
    private mutating func expectOther(
        _ entry: EntryReference, at text: UnsafePointer<UInt8>, maximumLength: Int
    ) -> Bool {
        guard entry.pointer.pointee.matches(plainTextAt: text), entry.keyCount <= maximumLength,
            !top.flags.contains(.checksKeys), !session.rejectsDuplicates, !session.stopsEarly
        else { return false }
        top.guess = entry.successor
        if entry.addsToContainer { targetAddition(entry) } else { target(entry) }
        return true
    }

    /// Skips the value of the expected key, which has no field. Returns the length of the key, or nil for another key.
    ///
    /// - Precondition: `expectsUnreadKey`
    @inline(__always)
    mutating func unreadKey(at text: UnsafePointer<UInt8>, maximumLength: Int) -> Int? {
        let entry = top.expectedEntry
        guard entry.keyCount <= maximumLength, !top.flags.contains(.checksKeys),
            learnedKeys.reads(entry, textAt: text)
        else { return nil }
        (top.guess, top.entry, disposition) = (entry.successor, nil, .skip)
        if top.keyTable.unknown == .note { unknownKeys.note(kept: entry.knownKey, object: top.serial) }
        return entry.keyCount
    }

    /// Notes a key that was not the expected one.
    @inline(__always)
    private mutating func noteMisprediction(_ entry: EntryReference, in table: TableReference) {
        if top.flags.contains(.checksKeys) { return }
        table.isLearned
            ? learnedKeys.recordSuccessor(top.entry, with: entry, in: table) : learnedKeys.countWrongGuess()
    }

    /// Notes a key without a field. The check for an early end needs each key.
    @inline(__always)
    private mutating func noteMisprediction(unread key: Key, in table: TableReference) {
        if top.flags.contains(.checksKeys) || session.stopsEarly || table.unknown == .look { return }
        guard table.isLearned else { return learnedKeys.countWrongGuess() }
        top.guess = learnedKeys.recordSuccessor(top.entry, withUnread: key, in: table, expecting: top.expectedEntry)
    }

    /// Handles a key, unescaped and valid. After `.proceed`, the disposition may be `.skip`.
    @inline(__always)
    mutating func key(_ key: Key) -> TokenAction {
        skipDepth == 0 ? wantedKey(key) : .proceed
    }

    @inline(never)
    private mutating func wantedKey(_ key: Key) -> TokenAction {
        if top.flags.contains(.checksKeys) { return checkedKey(key) }
        if top.form == .object { return fieldKey(key) }
        guard top.form == .pairs, top.layout.hasTextKeys, !session.rejectsDuplicates else { return otherKey(key) }
        return top.layout.mergesEquivalentKeys && !UTF8Validation.isASCII(key.bytes, key.count)
            && Equivalence.isPossible(key.text) ? pairKey(key.text) : textKey(key)
    }

    /// Stores the key of a pair that is a string.
    @inline(__always)
    private mutating func textKey(_ key: Key) -> TokenAction {
        let pair = top.cursor
        sharedStrings.store(key, at: pair)
        targetValue(ofPair: pair)
        return .proceed
    }

    @inline(never)
    private mutating func checkedKey(_ key: Key) -> TokenAction {
        if isTag(key) { return repeatedTag(key) }
        return top.form == .object ? fieldKey(key) : otherKey(key)
    }

    @inline(never)
    private mutating func otherKey(_ key: Key) -> TokenAction {
        switch top.form {
        case .union: return unionKey(key)
        case .anyKey: return memberKey(String(checkedUTF8: key.text))
        default: return pairKey(key.text)
        }
    }

    /// Targets the field of a key.
    @inline(__always)
    mutating func fieldKey(_ key: Key) -> TokenAction {
        if session.stopsEarly, hasAllFields { return endEarly() }
        let table = top.keyTable
        let expected = top.expectedEntry
        guard let entry = expected.matches(key) && expected.expectation != .unread ? expected : table.find(key)
        else {
            disposition = .skip
            noteMisprediction(unread: key, in: table)
            top.entry = nil
            switch table.unknown {
            case .skip: return .proceed
            case .note:
                unknownKeys.note(key, object: top.serial)
                return .proceed
            case .look: return unknownKey(key, in: table)
            }
        }
        if entry != expected { noteMisprediction(entry, in: table) }
        top.guess = entry.successor
        guard entry.presenceBit == 0 || top.owner.presenceBits & entry.presenceBit != 0 else {
            target(entry)
            return .proceed
        }
        switch prepare(entry) {
        case .unwanted:
            (disposition, top.entry) = (.skip, entry)
            return .proceed
        case .duplicate: return failDuplicate(entry)
        case .ready: break
        }
        if entry.addsToContainer {
            targetAddition(entry)
            return .proceed
        }
        target(entry)
        if entry.isRanked, replaces(entry) { disposition = .replace }
        return .proceed
    }

    /// Fails a duplicate key.
    mutating func failDuplicate(_ entry: EntryReference, key: String? = nil) -> TokenAction {
        disposition = .skip
        top.entry = entry
        return fail(.duplicateKey(key ?? name(of: entry)), at: .key)
    }

    private mutating func pairKey(_ text: UnsafeBufferPointer<UInt8>) -> TokenAction {
        let container = top.layout
        let pair = top.cursor
        let isKey = container.withDictionary { $0.keys.make(text, pair) }
        guard isKey else {
            let key = String(checkedUTF8: text)
            return fail(.invalidKey(key, type: container.keyTypeName), atKey: key)
        }
        if tracksKeys(text), !isDistinct(pair, text) {
            container.withDictionary { $0.keys.destroy(pair) }
            let key = String(checkedUTF8: text)
            return fail(.duplicateKey(key), atKey: key)
        }
        targetValue(ofPair: pair)
        return .proceed
    }

    /// Whether the keys of the dictionary on top are compared with one another: if duplicates are rejected, and from the first key on
    /// that may be canonically equivalent to another.
    private mutating func tracksKeys(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        if session.rejectsDuplicates { return true }
        guard top.layout.mergesEquivalentKeys else { return false }
        if top.flags.contains(.checksKeys) { return true }
        guard Equivalence.isPossible(text) else { return false }
        top.flags.insert(.checksKeys)
        let state = top.makeUncommonState()
        let container = top.layout
        container.withDictionary { dictionary in
            for chunk in chunks(of: top) {
                for index in 0..<chunk.count {
                    let pair = chunk.start.unsafelyUnwrapped + index * container.elementStride
                    state.seenMadeKeys[dictionary.keys.hashable(pair)] = dictionary.keys.text(pair)
                }
            }
        }
        return true
    }

    /// Whether the dictionary on top can hold the key of a pair besides its other keys.
    ///
    /// If duplicates are rejected, the key must be new. The keys are compared, not their text: `"1"` and `"01"` are equal as integer keys.
    /// Otherwise the key may repeat another one with the same text, but may not be canonically equivalent to another text.
    private func isDistinct(_ pair: UnsafeMutableRawPointer, _ text: UnsafeBufferPointer<UInt8>) -> Bool {
        let state = top.makeUncommonState()
        let text = String(checkedUTF8: text)
        if top.layout.hasTextKeys, !top.layout.mergesEquivalentKeys {
            return state.seenKeys.insert(MemberName(text)).inserted
        }
        let key = top.layout.withDictionary { $0.keys.hashable(pair) }
        guard let known = state.seenMadeKeys[key] else {
            state.seenMadeKeys[key] = text
            return true
        }
        return !session.rejectsDuplicates && (known != text || known.hasSameCodeUnits(as: text))
    }
}

extension LayoutReference {
    /// The type of a dictionary's keys, for messages.
    var keyTypeName: String {
        self.kind == .dictionary ? self.withDictionary { String(describing: $0.keys.type) } : self.typeName
    }
}

// MARK: Fields

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
    @inline(__always)
    mutating func prepare(_ entry: EntryReference) -> Preparation {
        if entry.addsToContainer, !session.rejectsDuplicates {
            session.elements.findPath()
            return .ready
        }
        return prepareSlot(of: entry)
    }

    @inline(never)
    private mutating func prepareSlot(of entry: EntryReference) -> Preparation {
        if entry.field < 0 || entry.addsToContainer {
            let isElement = entry.field < 0 && entry.child == nil && top.owner == root
            if isElement { session.elements.begin() }
            // The first key of the path comes before all others that reach this point.
            session.elements.findPath()
            // Ignored values have no duplicate keys.
            let isChecked =
                session.rejectsDuplicates && entry.disposition != .skip && top.form == .object
            return !isChecked || isFirst(name(of: entry)) ? .ready : .duplicate
        }
        if isChecked(entry) {
            if isFilled(entry), session.rejectsDuplicates { return .duplicate }
            // A value follows each key. An array may have no element with the index.
            if top.form == .object { setField(entry) }
            return .ready
        }
        if entry.isRanked {
            let filled = rank(of: entry)
            if filled > 0, filled - 1 < Int(entry.rank) { return .unwanted }
        }
        // Null, a value that a hook leaves out, and a candidate that fails leave the field unset.
        if session.rejectsDuplicates, entry.isRanked || entry.disposition == .record, top.form == .object,
            !isFirst(name(of: entry))
        {
            return .duplicate
        }
        guard isFilled(entry), !replaces(entry) else { return .ready }
        if session.rejectsDuplicates { return .duplicate }
        // The last value wins, so the previous one is destroyed.
        destroyValue(entry)
        return .ready
    }

    /// Whether the value at an entry is the requested one, which is checked and not made.
    func isChecked(_ entry: EntryReference) -> Bool {
        entry.disposition == .skip && entry.field == 0 && top.owner == root
    }

    /// Whether a key without its own presence bit occurs for the first time in the innermost object. Such a key belongs to an
    /// object on a path, or is one of several that fill a container.
    func isFirst(_ key: String) -> Bool { top.makeUncommonState().seenKeys.insert(MemberName(key)).inserted }

    /// Whether `entry` is a better candidate than the one that filled the field.
    mutating func replaces(_ entry: EntryReference) -> Bool {
        entry.isRanked && isFilled(entry) && rank(of: entry) - 1 > Int(entry.rank)
    }

    /// Prepares the memory of a field, which may have the value of a worse candidate, for a value other than null.
    @inline(__always)
    mutating func replaceValue() {
        if disposition == .replace { replaceCandidate() }
    }

    @inline(never)
    private mutating func replaceCandidate() {
        let entry = top.currentEntry
        disposition = entry.disposition
        // A hook may leave out the new value.
        if isFilled(entry), top.fieldInfo?.hook == nil { destroyValue(entry) }
    }

    func isFilled(_ entry: EntryReference) -> Bool { isFilled(field: entry.field) }

    func isFilled(field: Int) -> Bool { top.owner.isFilled(field) }

    /// Marks the field of `entry` as filled.
    mutating func setField(_ entry: EntryReference) {
        setField(entry.field)
        if entry.isRanked { setRank(entry) }
    }

    mutating func setField(_ field: Int) { top.owner.setFilled(field) }

    func clearField(_ field: Int) { top.owner.clearFilled(field) }

    func setRank(_ entry: EntryReference) { top.owner.setRank(of: entry.field, to: entry.rank) }

    /// Marks the field of `entry` as filled by null. Any other candidate replaces the value, except one that is worse than a candidate
    /// that left the field unset.
    mutating func setFieldOfNull(_ entry: EntryReference) {
        setField(entry.field)
        if entry.isRanked, rank(of: entry) == 0 { top.owner.setRank(of: entry.field, to: KeyEntry.nullRank) }
    }

    /// Notes that a candidate is null, for a field whose type has a value for null.
    mutating func noteNull(of entry: EntryReference) {
        guard entry.isRanked, entry.layout.shape.nullValues != nil else { return }
        let state = top.owner.makeUncommonState()
        state.nullRanks[entry.field] = min(state.nullRanks[entry.field] ?? entry.rank, entry.rank)
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
        // A live value may have the destroyed value.
        top.owner.flags.remove(.isFollowed)
    }
}
