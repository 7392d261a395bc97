/// What of the model is being written: an open object or array, or something that has to be seen to when what is in it
/// has been written. Plain data.
struct EncodingFrame {
    enum Form: UInt8 {
        /// A model, by its steps.
        case model
        /// Elements in a row.
        case run
        /// Pairs of key and value in a row; and those that lie in their model's own object.
        case pairs, innerPairs
        /// An object around a case's value, which ends with it.
        case brace
        /// A value that was made to be written, and is destroyed then.
        case made
    }

    var form: Form
    /// A model's memory, where elements go on, or where pairs begin.
    var base: UnsafeRawPointer
    /// What this is written by; of a run, the container.
    var record: UnsafePointer<TypeLayout>?
    /// A model's first step and its next.
    var steps: UnsafePointer<EncodingInstruction>?
    var step = 0
    /// Memory that goes with the frame: what was gathered or made.
    var owned: UnsafeMutableRawPointer?
    /// How many elements, pairs or values there are, and how many of them have been begun.
    var count = 0
    var place = 0
    /// The order of sorted pairs.
    var order: UnsafeMutablePointer<Int>?
    /// Spread arrays that were open before.
    var spreads = 0
}

/// An array that is written of each element of some fields' arrays.
struct Spread {
    var runs: [ElementBuffer] = []
    /// What the runs are of.
    var records: [UnsafePointer<TypeLayout>] = []
    var index = 0
    var count = 0

    /// Destroys and frees what was copied.
    func free() {
        for (run, record) in zip(runs, records) where run.isOwned {
            let base = UnsafeMutableRawPointer(mutating: run.base.unsafelyUnwrapped)
            record.pointee.shape._withUnsafeGuaranteedRef { $0.destroyRun.unsafelyUnwrapped(base, run.count) }
            base.deallocate()
        }
    }
}
