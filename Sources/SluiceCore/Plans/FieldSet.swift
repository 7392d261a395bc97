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

    package func contains(_ field: Int) -> Bool { self[field / 64] & 1 << UInt64(field % 64) != 0 }

    package mutating func insert(_ field: Int) { self[field / 64] |= 1 << UInt64(field % 64) }

    package mutating func remove(_ field: Int) { self[field / 64] &= ~(1 << UInt64(field % 64)) }
}
