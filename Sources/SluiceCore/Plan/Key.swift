/// A key of the text, unescaped and borrowed, with its first eight bytes as a word: most keys are compared by that
/// word and their length alone.
struct Key {
    let bytes: UnsafePointer<UInt8>
    let count: Int
    /// The first eight bytes, the first one lowest; zeros where there are fewer.
    let head: UInt64

    /// Reads no byte beyond `count`.
    @inline(__always)
    init(_ bytes: UnsafePointer<UInt8>, _ count: Int) {
        self.bytes = bytes
        self.count = count
        head = Self.head(bytes, count)
    }

    /// Reads eight bytes at once.
    ///
    /// - Precondition: eight bytes can be read, even if the key has fewer.
    @inline(__always)
    init(readable bytes: UnsafePointer<UInt8>, _ count: Int) {
        self.bytes = bytes
        self.count = count
        let word = UInt64(littleEndian: UnsafeRawPointer(bytes).loadUnaligned(as: UInt64.self))
        head = count >= 8 ? word : word & ~(~0 &<< UInt64(truncatingIfNeeded: count &* 8))
    }

    var text: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: bytes, count: count) }

    private static func head(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> UInt64 {
        let raw = UnsafeRawPointer(bytes)
        if count >= 8 { return UInt64(littleEndian: raw.loadUnaligned(as: UInt64.self)) }
        var word: UInt64 = 0
        for at in 0..<count { word |= UInt64(bytes[at]) &<< UInt64(truncatingIfNeeded: at &* 8) }
        return word
    }

    /// Where a table's search begins. Keys of one length often share their head ("coordinates_x"), so the tail counts
    /// too.
    @inline(__always)
    var hash: Int {
        var value = head ^ UInt64(truncatingIfNeeded: count) &* 0x9E37_79B9_7F4A_7C15
        if count > 8 {
            value ^= UnsafeRawPointer(bytes).loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self) &<< 1
        }
        return Int(truncatingIfNeeded: value &* 0x9E37_79B9_7F4A_7C15 &>> 40)
    }
}

extension FieldEntry {
    @inline(__always)
    func matches(_ other: Key) -> Bool {
        guard head == other.head, keyCount == other.count else { return false }
        return keyCount <= 8 || tailMatches(other)
    }

    /// What lies behind the first eight bytes, by words, of which the last may overlap the one before it.
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
