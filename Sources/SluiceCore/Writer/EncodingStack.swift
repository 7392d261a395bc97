/// The open objects and arrays of a writer, and the temporary values being written.
///
/// Invariant: the first `count` frames are initialized. Popping a frame frees the memory that the frame owns, and the spread
/// arrays that were opened above it.
struct EncodingStack: ~Copyable {
    private var frames: UnsafeMutablePointer<EncodingFrame>
    private var capacity = 16
    /// The number of frames.
    private(set) var count = 0
    /// The open spread arrays, the innermost last.
    var spreads: [Spread] = []

    init() { frames = .allocate(capacity: capacity) }

    deinit {
        for index in (0..<count).reversed() { Self.release(frames[index]) }
        frames.deallocate()
    }

    /// The frame at an index. Index 0 is the outermost.
    @inline(__always)
    subscript(index: Int) -> EncodingFrame {
        unsafeAddress { UnsafePointer(frames + index) }
        nonmutating unsafeMutableAddress { frames + index }
    }

    /// The innermost frame.
    @inline(__always)
    var top: EncodingFrame {
        unsafeAddress { UnsafePointer(frames + (count &- 1)) }
        nonmutating unsafeMutableAddress { frames + (count &- 1) }
    }

    @inline(__always)
    mutating func push(_ frame: consuming EncodingFrame) {
        if count == capacity { grow() }
        (frames + count).initialize(to: frame)
        count &+= 1
    }

    @inline(never)
    private mutating func grow() {
        let larger = UnsafeMutablePointer<EncodingFrame>.allocate(capacity: capacity * 2)
        larger.update(from: frames, count: count)
        frames.deallocate()
        frames = larger
        capacity *= 2
    }

    /// Removes the innermost frame, with its memory and its spread arrays.
    @inline(__always)
    mutating func pop() {
        count &-= 1
        let frame = frames + count
        if frame.pointee.owned != nil || frame.pointee.order != nil || spreads.count > frame.pointee.spreads {
            clear(frame.pointee)
        }
    }

    @inline(never)
    private mutating func clear(_ frame: EncodingFrame) {
        while spreads.count > frame.spreads { spreads.removeLast() }
        Self.release(frame)
    }

    /// Destroys the values that a frame owns, and frees their memory.
    private static func release(_ frame: EncodingFrame) {
        frame.order?.deallocate()
        guard let owned = frame.owned else { return }
        if let layout = frame.layout {
            switch frame.form {
            case .elements, .pairs, .innerPairs: layout.withContainer { $0.elements.destroy(owned, frame.count) }
            case .model:
                layout.table?.plan?.erasedPlan.storage?.destroy(owned)
            case .made where frame.count > 0: layout.destroy(owned)
            case .made, .brace: break
            }
        }
        owned.deallocate()
    }
}
