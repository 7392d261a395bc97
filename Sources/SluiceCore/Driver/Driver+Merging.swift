// A model that is there is changed: its frame begins with every field filled, and a value that comes takes the place of
// the one before.

/// How a model that is there is changed.
struct Merging {
    var nulls: JSONModelDecoder.MergeNulls
    var nested: JSONModelDecoder.MergeNested
    /// Whether the next model's memory holds a model already.
    var isNext = true
    /// The innermost frame that is merged into.
    var frame: Int = -1
}

extension Driver {
    /// The frame on top is a model's: where that is there, it begins with all its fields.
    mutating func beginMerging() {
        guard merging?.isNext == true else { return }
        merging?.isNext = false
    }

    func keepsForMerging(_ entry: UnsafePointer<FieldEntry>) -> Bool { false }
    mutating func aimMerging(_ entry: UnsafePointer<FieldEntry>) {}
    func mergesInside(_ entry: UnsafePointer<FieldEntry>) -> Bool { false }
}
