/// An open object or array of the writer, or a step that is pending until an inner value is complete. The stack owns the memory
/// of a frame.
struct EncodingFrame {
    /// The kind of the open value.
    enum Form: UInt8 {
        /// A model, written by its instructions.
        case model
        /// The elements of a container.
        case elements
        /// The pairs of a dictionary.
        case pairs
        /// The pairs of a dictionary that are written into the object of their model.
        case innerPairs
        /// An object around the payload of a case. Ends with the payload.
        case brace
        /// A temporary value, which is destroyed after it has been written.
        case made
    }

    var form: Form
    /// The memory of a model, the next element, or the first pair.
    var base: UnsafeRawPointer
    /// The layout of the value; for elements and pairs, of their container.
    var layout: LayoutReference?
    /// The first instruction of a model.
    var steps: UnsafePointer<EncodingInstruction>?
    /// The index of the next instruction.
    var step = 0
    /// Memory owned by the frame: copied elements or a temporary value.
    var owned: UnsafeMutableRawPointer?
    /// The number of elements, pairs or values.
    var count = 0
    /// The number of elements or pairs that were begun.
    var place = 0
    /// For an element of an array of models, the number of elements after this one. All elements of the array use the same
    /// frame, one after another.
    var following = 0
    /// The distance between elements that use the same frame.
    var stride = 0
    /// The order of sorted pairs.
    var order: UnsafeMutablePointer<Int>?
    /// The number of spread arrays that were open before this frame.
    var spreads = 0
}

/// An array written from the elements of the arrays of several fields.
final class Spread {
    /// The elements of the arrays.
    private(set) var buffers: [ElementBuffer] = []
    /// The layouts of the arrays.
    private var layouts: [LayoutReference] = []
    /// The index of the next element.
    var index = 0
    /// The number of elements of the longest array.
    private(set) var count = 0

    /// Adds an array. Copied elements belong to the spread array from here on.
    func append(_ elements: ElementBuffer, _ layout: LayoutReference) {
        buffers.append(elements)
        layouts.append(layout)
        count = max(count, elements.count)
    }

    deinit {
        for (elements, layout) in zip(buffers, layouts) where elements.isOwned {
            let base = UnsafeMutableRawPointer(mutating: elements.base.unsafelyUnwrapped)
            layout.withContainer { $0.elements.destroy(base, elements.count) }
            base.deallocate()
        }
    }
}
