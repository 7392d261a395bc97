/// What one open object or array of the text is being made into. Plain data.
struct Frame {
    enum Form: UInt8 {
        /// The whole text: one value.
        case root
        /// An object that fills fields: a model, or an inner node of a model's paths.
        case object
        /// An array gathered as a run of elements.
        case array
        /// An object gathered as a run of pairs.
        case pairs
        /// An array on a path, of which single elements are wanted, or every one.
        case indexes, every
        /// No container: a value of another type, of which the one that is wanted will be made.
        case wrapped
    }

    var form: Form
    /// For pairs: whether the next pair has its key already.
    var hasKey = false
    /// Objects and array nodes: what is known below.
    var table: UnsafePointer<FieldTable>?
    /// What this container becomes.
    var shape: UnsafePointer<ShapeRecord>
    /// A model's memory, or where a run begins.
    var base: UnsafeMutableRawPointer
    /// Where the value goes when it is closed.
    var target: UnsafeMutableRawPointer
    /// Which of the first 64 fields are filled. Only a model's own frame (and the root) holds bits.
    var mask: UInt64 = 0
    /// Bits beyond the first 64, and ranks of candidates.
    var side: UnsafeMutablePointer<UInt8>?
    /// The frame that holds the bits: itself, or the model's for an inner node.
    var owner: UnsafeMutablePointer<Frame>
    /// The field whose value is being read.
    var entry: UnsafePointer<FieldEntry>?
    /// The entry expected next, by the order of the one just read.
    var guess: UnsafePointer<FieldEntry>?
    /// Where the run goes on while a container inside of it is open.
    var cursor: UnsafeMutableRawPointer
    /// For array nodes, the index at hand; for arrays, how many elements were dropped; for models, a serial number; for
    /// enums with values, the case, or −1.
    var index = 0
    /// Whether there is more to do at `}` than to look at the bits.
    var isSpecial = false
    /// Whether the model was there before, and is changed.
    var isMerged = false
    /// The scratch as it was before this frame.
    var mark: Scratch.Mark
}
