/// The open objects and arrays of a writer, and the temporary values being written.
///
/// Invariant: the first `count` frames are initialized. Popping a frame frees the memory that the frame owns. The instructions of a
/// model close the structs of arrays that they have opened, before the frame of the model is popped.
struct EncodingStack: ~Copyable {
    private var frames = GrowableMemory<EncodingFrame>(capacity: 16)
    /// The number of frames.
    private(set) var count = 0
    /// The open structs of arrays, the innermost last.
    var structs: [StructOfArrays] = []
    /// The memory of temporary values.
    var temporaries = TemporaryMemory()

    deinit {
        for index in (0..<count).reversed() {
            guard let owned = self[index].owned else { continue }
            if !self[index].isBorrowed { Self.destroy(owned, of: frames.start + index) }
            temporaries.free(owned)
        }
        frames.deallocate()
    }

    /// The frame at an index. Index 0 is the outermost.
    @inline(__always)
    subscript(index: Int) -> EncodingFrame {
        unsafeAddress { UnsafePointer(frames.start + index) }
        nonmutating unsafeMutableAddress { frames.start + index }
    }

    /// The innermost frame.
    @inline(__always)
    var top: EncodingFrame {
        unsafeAddress { UnsafePointer(topAddress) }
        nonmutating unsafeMutableAddress { topAddress }
    }

    /// The address of the innermost frame, until another frame is pushed.
    @inline(__always)
    var topAddress: UnsafeMutablePointer<EncodingFrame> { frames.start + (count &- 1) }

    @inline(__always)
    mutating func push(_ frame: consuming EncodingFrame) {
        if count == frames.capacity { frames.grow(moving: count) }
        (frames.start + count).initialize(to: frame)
        count &+= 1
    }

    /// Removes the innermost frame, which owns no memory.
    @inline(__always)
    mutating func popUnowned() { count &-= 1 }

    /// Removes the innermost frame, with its memory.
    @inline(__always)
    mutating func pop() {
        count &-= 1
        let frame = frames.start + count
        guard let owned = frame.pointee.owned else { return }
        if !frame.pointee.isBorrowed { Self.destroy(owned, of: frame) }
        temporaries.release(owned)
    }

    /// Destroys the values in the memory of the innermost frame, which is used again.
    @inline(__always)
    func destroyTop() { Self.destroy(top.owned.unsafelyUnwrapped, of: topAddress) }

    /// Destroys the values that a frame owns.
    @inline(never)
    private static func destroy(_ owned: UnsafeMutableRawPointer, of frame: UnsafeMutablePointer<EncodingFrame>) {
        if let payload = frame.pointee.payload {
            return payload.pointee.functions._withUnsafeGuaranteedRef { $0.destroy(owned) }
        }
        frame.pointee.order?.deallocate()
        if let layout = frame.pointee.layout {
            switch frame.pointee.form {
            case .elements, .pairs, .innerPairs, .sorted:
                layout.withContainer { $0.element.destroy(owned, frame.pointee.count) }
            case .model:
                layout.table?.storageFunctions?._withUnsafeGuaranteedRef { $0.destroy(owned) }
            case .temporary: layout.destroy(owned)
            case .brace, .values, .members: break
            }
        }
    }
}

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
        /// The elements of a `JSONValue`.
        case values
        /// The members of a `JSONValue`.
        case members
        /// The pairs of a dictionary that are written into the object of their model.
        case innerPairs
        /// An object around the payload of a case. Ends with the payload.
        case brace
        /// A temporary value, which is destroyed after it has been written.
        case temporary
        /// The elements of a set, which are sorted by their text.
        case sorted
    }

    var form: Form
    /// For a temporary value: whether writing has begun.
    var hasBegun = false
    /// Whether the values in the memory of the frame are copies of bytes only, which are not destroyed.
    var isBorrowed = false
    /// The memory of a model, the next element, or the first pair.
    var base: UnsafeRawPointer
    /// The layout of the value; for elements and pairs, of their container.
    var layout: LayoutReference?
    /// The first instruction of a model.
    var steps: UnsafePointer<EncodingInstruction>?
    /// The next instruction of a model.
    var next: UnsafePointer<EncodingInstruction>?
    /// Memory owned by the frame: copied elements or a temporary value.
    var owned: UnsafeMutableRawPointer?
    /// The number of elements, pairs or values.
    var count = 0
    /// The number of elements or pairs that were begun.
    var begunCount = 0
    /// For an element of an array of models, the number of elements after this one. All elements of the array use the same
    /// frame, one after another.
    var following = 0
    /// The distance between elements that use the same frame. 0 if the frame has no other elements.
    var stride = 0
    /// The order of sorted pairs. The frame then owns the pairs, too.
    var order: UnsafeMutablePointer<Int>?
    /// For a model that is the payload of a case, whose text has been written: the case. The frame owns the payload. For the object around
    /// a payload: the case.
    var payload: CaseReference?

    /// The index of the next instruction.
    var step: Int {
        get { next.unsafelyUnwrapped - steps.unsafelyUnwrapped }
        set { next = steps.unsafelyUnwrapped + newValue }
    }
}

/// An array written from the elements of the arrays of several fields.
final class StructOfArrays {
    // Only the writer that has the arrays uses them, and no access calls back.
    /// The elements of the arrays.
    @exclusivity(unchecked) private(set) var buffers: [ElementBuffer] = []
    /// The layouts of the arrays.
    @exclusivity(unchecked) private var layouts: [LayoutReference] = []
    /// The index of the next element.
    @exclusivity(unchecked) var index = 0
    /// The number of elements of the longest array.
    @exclusivity(unchecked) private(set) var count = 0

    /// Adds an array. Copied elements belong to the struct of arrays from here on.
    func append(_ elements: ElementBuffer, _ layout: LayoutReference) {
        buffers.append(elements)
        layouts.append(layout)
        count = max(count, elements.count)
    }

    deinit {
        for (elements, layout) in zip(buffers, layouts) where elements.isOwned {
            layout.withContainer { $0.free(elements) }
        }
    }
}
