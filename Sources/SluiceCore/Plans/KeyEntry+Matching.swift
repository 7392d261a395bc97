extension KeyEntry {
    /// The key of the entry; an empty key for the element of an array.
    var ownKey: Key { Key(key, max(keyCount, 0)) }

    @inline(__always)
    func matches(_ other: Key) -> Bool {
        guard head == other.head, keyCount == other.count else { return false }
        return keyCount <= 8 || tailMatches(other)
    }

    /// Whether the bytes after the first eight are equal. Compares words, of which the last may overlap the previous one.
    @inline(__always)
    private func tailMatches(_ other: Key) -> Bool {
        let mine = UnsafeRawPointer(key)
        let theirs = UnsafeRawPointer(other.bytes)
        var at = 8
        while at < keyCount &- 8 {
            if mine.loadUnaligned(fromByteOffset: at, as: UInt64.self)
                != theirs.loadUnaligned(fromByteOffset: at, as: UInt64.self)
            {
                return false
            }
            at &+= 8
        }
        return mine.loadUnaligned(fromByteOffset: keyCount &- 8, as: UInt64.self)
            == theirs.loadUnaligned(fromByteOffset: keyCount &- 8, as: UInt64.self)
    }
}

extension KeyEntry {
    /// Whether the bytes after an opening quote are this key and its closing quote. Returns false for a key written with
    /// escapes.
    ///
    /// - Precondition: `QuotedKey.reach` bytes can be read.
    @inline(__always)
    func matches(textAt at: UnsafePointer<UInt8>) -> Bool {
        let text = UnsafeRawPointer(at)
        guard UInt64(littleEndian: text.loadUnaligned(as: UInt64.self)) & quoted.mask == quoted.head else {
            return false
        }
        if keyCount < 8 { return true }
        if keyCount > 15, !middleMatches(text) { return false }
        return UInt64(littleEndian: text.loadUnaligned(fromByteOffset: keyCount &- 7, as: UInt64.self))
            == quoted.tail
    }

    @inline(__always)
    private func middleMatches(_ text: UnsafeRawPointer) -> Bool {
        let mine = UnsafeRawPointer(key)
        var at = 8
        while at < keyCount &- 7 {
            // The last word overlaps the tail.
            let from = min(at, keyCount &- 8)
            if mine.loadUnaligned(fromByteOffset: from, as: UInt64.self)
                != text.loadUnaligned(fromByteOffset: from, as: UInt64.self)
            {
                return false
            }
            at &+= 8
        }
        return true
    }
}
