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

    /// The slot in which a table's search begins, before the table's mask.
    ///
    /// The first and the last eight bytes count, each to its last bit: keys often differ only at the end (`line_1`,
    /// `line_2`). The upper half of their product depends on all bits, and the lower half has what the upper one loses.
    ///
    /// - Parameter includesMiddle: whether the other bytes count too, for tables whose keys differ nowhere else.
    @inline(__always)
    func hash(includesMiddle: Bool) -> Int {
        var first = head ^ UInt64(truncatingIfNeeded: count) &<< 56
        var last: UInt64 = 0
        if count > 8 {
            last = self.last
            if includesMiddle, count > 16 { first = mixingMiddle(into: first) }
        }
        return Int(truncatingIfNeeded: Self.mix(first, last))
    }

    /// The last eight bytes.
    ///
    /// - Precondition: there are as many.
    @inline(__always)
    private var last: UInt64 { UnsafeRawPointer(bytes).loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self) }

    @inline(never)
    private func mixingMiddle(into first: UInt64) -> UInt64 {
        var value = first
        var at = 8
        repeat {
            value = Self.mix(value, UnsafeRawPointer(bytes).loadUnaligned(fromByteOffset: at, as: UInt64.self))
            at &+= 8
        } while at < count &- 8
        return value
    }

    @inline(__always)
    private static func mix(_ first: UInt64, _ last: UInt64) -> UInt64 {
        // Words of UTF-8 have no byte of 0xFF, so neither factor is zero.
        let product = (first ^ 0x9E37_79B9_7F4A_7CFF).multipliedFullWidth(by: last ^ 0xD1B5_4A32_D192_EDFF)
        return product.high ^ product.low
    }
}

/// A key of a plan as it stands in a text that writes it without escapes: the bytes and the closing quote, in words,
/// so that the scanner can try the expected key without looking for its end first.
struct QuotedKey {
    /// The first eight bytes of key and quote, and which bits of them count.
    let head: UInt64
    let mask: UInt64
    /// The last eight, where there are more.
    let tail: UInt64

    /// How many bytes a text must have behind the opening quote for `matches` to look at.
    static let reach = 56

    /// Of a key that needs escapes, or is longer than that, nothing matches.
    init(_ key: [UInt8]) {
        let bytes = key + [UInt8(ascii: "\"")]
        let isPlain = !key.contains { $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }
        guard isPlain, bytes.count <= Self.reach else {
            self = .none
            return
        }
        func word(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) } }
        head = word(bytes.prefix(8))
        mask = bytes.count >= 8 ? ~0 : ~(~0 << UInt64(bytes.count * 8))
        tail = word(bytes.suffix(8))
    }

    private init(head: UInt64, mask: UInt64, tail: UInt64) {
        self.head = head
        self.mask = mask
        self.tail = tail
    }

    /// No word has these bits under this mask.
    static var none: QuotedKey { QuotedKey(head: 1, mask: 0, tail: 0) }
}
