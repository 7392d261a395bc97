// Keys: tries the field that follows the last one, then looks the key up in the table.

extension Driver {
    /// Tries the expected field against the bytes after a key's opening quote. `QuotedKey.reach` bytes must be readable.
    /// Returns the length of the key, or nil if the key does not match or exceeds `longest`.
    @inline(__always)
    mutating func expectedKey(at text: UnsafePointer<UInt8>, longest: Int) -> Int? {
        guard skipDepth == 0, top.form == .object else { return nil }
        let entry = top.expectedEntry
        guard entry.matches(textAt: text), entry.keyCount <= longest, takesGuess(entry) else { return nil }
        return entry.keyCount
    }

    /// Aims at the field of a matching key, if the field is not filled yet. A filled field takes the general path.
    @inline(__always)
    private mutating func takesGuess(_ entry: EntryReference) -> Bool {
        guard top.owner.presenceBits & entry.presenceBit == 0 else { return false }
        top.guess = entry.next
        aim(entry)
        return true
    }

    /// Handles a key, unescaped and valid. After `.proceed`, the disposition may be `.skip`.
    @inline(__always)
    mutating func key(_ key: Key) -> TokenAction {
        skipDepth == 0 ? wantedKey(key) : .proceed
    }

    @inline(never)
    private mutating func wantedKey(_ key: Key) -> TokenAction {
        if top.hasTag, isTag(key) { return repeatedTag(key) }
        switch top.form {
        case .object: return fieldKey(key)
        case .union: return unionKey(key)
        case .update: return updateKey(key.text)
        case .members: return memberKey(String(checkedUTF8: key.text))
        default: return pairKey(key.text)
        }
    }

    mutating func fieldKey(_ key: Key) -> TokenAction {
        if stopsEarly, hasAllFields { return endEarly() }
        let table = top.keyTable
        guard let entry = table.find(key) else {
            disposition = .skip
            top.entry = nil
            switch table.unknown {
            case .skip: return .proceed
            case .note:
                unknownKeys.note(key, object: top.serial)
                return .proceed
            case .look: return unknownKey(key, in: table)
            }
        }
        top.guess = entry.next
        // Ignored values have no duplicate keys.
        if top.owner.isMerged, entry.disposition != .skip, !beginMember(entry) { return failDuplicate(entry) }
        guard entry.presenceBit == 0 || top.owner.presenceBits & entry.presenceBit != 0 else {
            aim(entry)
            if top.owner.isMerged { aimMerging(entry) }
            return .proceed
        }
        switch prepare(entry) {
        case .unwanted:
            disposition = .skip
            return .proceed
        case .duplicate: return failDuplicate(entry)
        case .ready: break
        }
        aim(entry)
        if entry.isRanked, replaces(entry) { disposition = .replace }
        if top.owner.isMerged { aimMerging(entry) }
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
            return fail(.invalidKey(String(checkedUTF8: text), type: container.keyTypeName), at: .key)
        }
        if rejectsDuplicates, !isFirst(pair, text) {
            container.withDictionary { $0.keys.destroy(pair) }
            return fail(.duplicateKey(String(checkedUTF8: text)), at: .key)
        }
        aimAtValue(ofPair: pair)
        return .proceed
    }

    /// Whether the key of a pair occurs for the first time. The made keys are compared: `"1"` and `"01"` are equal as integer
    /// keys, and canonically equivalent strings are equal as strings.
    private func isFirst(_ pair: UnsafeMutableRawPointer, _ text: UnsafeBufferPointer<UInt8>) -> Bool {
        let extras = top.makeExtras()
        if top.layout.hasTextKeys {
            return extras.seenKeys.insert(String(checkedUTF8: text)).inserted
        }
        return extras.seenMadeKeys.insert(top.layout.withDictionary { $0.keys.hashable(pair) }).inserted
    }
}

extension LayoutReference {
    /// The type of a dictionary's keys, for messages.
    var keyTypeName: String {
        self.kind == .dictionary ? self.withDictionary { String(describing: $0.keys.type) } : self.typeName
    }
}
