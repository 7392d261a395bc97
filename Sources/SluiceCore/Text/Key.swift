/// A key of the input, unescaped and borrowed. The first eight bytes are available as a word, and most comparisons need
/// only that word and the length.
struct Key {
    let bytes: UnsafePointer<UInt8>
    let count: Int
    /// The first eight bytes, the first one lowest, filled up with zeros.
    let head: UInt64

    /// Creates a key without reading beyond `count` bytes.
    @inline(__always)
    init(_ bytes: UnsafePointer<UInt8>, _ count: Int) {
        self.bytes = bytes
        self.count = count
        head = Self.head(bytes, count)
    }

    /// Creates a key with a single read of eight bytes.
    ///
    /// - Precondition: Eight bytes can be read, even if the key has fewer.
    @inline(__always)
    init(readable bytes: UnsafePointer<UInt8>, _ count: Int) {
        self.bytes = bytes
        self.count = count
        let word = UInt64(littleEndian: UnsafeRawPointer(bytes).loadUnaligned(as: UInt64.self))
        head = count >= 8 ? word : word & ~(~0 &<< UInt64(truncatingIfNeeded: count &* 8))
    }

    /// Creates a key whose first eight bytes are known.
    @inline(__always)
    init(_ bytes: UnsafePointer<UInt8>, _ count: Int, head: UInt64) {
        self.bytes = bytes
        self.count = count
        self.head = head
    }

    var text: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: bytes, count: count) }

    var string: String { String(checkedUTF8: text) }

    private static func head(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> UInt64 {
        let raw = UnsafeRawPointer(bytes)
        if count >= 8 { return UInt64(littleEndian: raw.loadUnaligned(as: UInt64.self)) }
        var word: UInt64 = 0
        for at in 0..<count { word |= UInt64(bytes[at]) &<< UInt64(truncatingIfNeeded: at &* 8) }
        return word
    }

    /// Returns the slot in which the search of a table begins, before the table's mask is applied.
    ///
    /// The first and the last eight bytes determine the slot with all their bits, because keys often differ only at the end
    /// (`line_1`, `line_2`). The upper half of their product depends on all bits, and the lower half adds the bits that the
    /// upper half loses.
    ///
    /// - Parameter includesMiddle: Whether the other bytes count too, for tables with keys that differ nowhere else.
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
    /// - Precondition: The key has at least eight bytes.
    @inline(__always)
    var last: UInt64 { UnsafeRawPointer(bytes).loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self) }

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
        // Words of UTF-8 contain no byte 0xFF, so neither factor is zero.
        let product = (first ^ 0x9E37_79B9_7F4A_7CFF).multipliedFullWidth(by: last ^ 0xD1B5_4A32_D192_EDFF)
        return product.high ^ product.low
    }
}

/// A key of a plan as JSON without escapes: the bytes and the closing quote, as words. The scanner compares the expected
/// key with these words before the end of the key is known.
struct QuotedKey {
    /// The first eight bytes of the key and quote, and a mask of the bits that are compared.
    let head: UInt64
    let mask: UInt64
    /// The last eight bytes, if the key and quote have more than eight.
    let tail: UInt64

    /// The number of bytes after the opening quote that `matches` may read.
    static let reach = 56

    /// Creates the words of a key. A key that needs escapes, or is longer than `reach`, matches nothing.
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

    /// Whether no text has the words.
    var matchesNothing: Bool { mask == 0 }

    /// The words of a key that matches nothing: no word has these bits under this mask.
    static var none: QuotedKey { QuotedKey(head: 1, mask: 0, tail: 0) }
}
