/// A set of the fields of a model, with one bit for each. The set of a model with up to 64 fields needs no memory of its own.
package struct FieldSet {
    private var first: UInt64 = 0
    private var others: [UInt64] = []

    package init() {}

    /// The bits of 64 fields.
    package subscript(word: Int) -> UInt64 {
        get { word == 0 ? first : word <= others.count ? others[word - 1] : 0 }
        set {
            if word == 0 {
                first = newValue
                return
            }
            while others.count < word { others.append(0) }
            others[word - 1] = newValue
        }
    }

    package func contains(_ field: Int) -> Bool { self[field / 64] & Self.bit(field) != 0 }

    package mutating func insert(_ field: Int) { self[field / 64] |= Self.bit(field) }

    package mutating func remove(_ field: Int) { self[field / 64] &= ~Self.bit(field) }

    /// The bit of a field in its word.
    static func bit(_ field: Int) -> UInt64 { 1 &<< UInt64(truncatingIfNeeded: field) }

    /// Calls `body` with the field of each bit in a word.
    package static func forEachField(of bits: UInt64, word: Int, _ body: (Int) -> Void) {
        var bits = bits
        while bits != 0 {
            body(word * 64 + bits.trailingZeroBitCount)
            bits &= bits - 1
        }
    }
}
