/// The driver's stack of frames. The frames move when they outgrow their memory.
///
/// Invariant: the frames from `first` to `top` are initialized. The owner of a frame is a frame of the same stack.
struct FrameStack: ~Copyable {
    private(set) var first: FrameReference
    var top: FrameReference
    private var end: FrameReference
    private var isAllocated = false

    /// Creates a stack without frames. `top` is the memory of the first frame.
    ///
    /// - Parameter region: Memory for the first frames.
    init(in region: Region) {
        let memory = region.start.assumingMemoryBound(to: DecodingFrame.self)
        first = FrameReference(memory)
        end = FrameReference(memory + region.size / MemoryLayout<DecodingFrame>.stride)
        top = first
    }

    deinit { if isAllocated { first.pointer.deallocate() } }

    /// Moves to the memory of the next frame, which the caller initializes.
    ///
    /// References to frames are invalid afterwards, except `top` and the owners in frames.
    @inline(__always)
    mutating func push() -> FrameReference {
        if top.above == end { grow() }
        top = top.above
        return top
    }

    @inline(never)
    private mutating func grow() {
        let count = first.distance(to: end)
        let larger = UnsafeMutablePointer<DecodingFrame>.allocate(capacity: count * 2)
        larger.moveInitialize(from: first.pointer, count: count)
        for index in 0..<count {
            larger[index].owner = FrameReference(larger + first.distance(to: larger[index].owner))
        }
        top = FrameReference(larger + first.distance(to: top))
        if isAllocated { first.pointer.deallocate() }
        (first, end, isAllocated) = (FrameReference(larger), FrameReference(larger + count * 2), true)
    }
}

/// A reference to a frame on the stack. The properties of the frame are those of the reference.
///
/// Invariant: the frame is initialized, and neither popped nor moved while the reference is used. ``FrameStack/push()`` can move
/// the frames.
@dynamicMemberLookup
struct FrameReference: Comparable {
    fileprivate let pointer: UnsafeMutablePointer<DecodingFrame>

    @inline(__always)
    fileprivate init(_ pointer: UnsafeMutablePointer<DecodingFrame>) { self.pointer = pointer }

    @inline(__always)
    func initialize(to frame: DecodingFrame) { pointer.initialize(to: frame) }

    /// The frame, copied.
    var value: DecodingFrame { pointer.pointee }

    @inline(__always)
    subscript<Value>(dynamicMember property: KeyPath<DecodingFrame, Value>) -> Value {
        pointer.pointee[keyPath: property]
    }

    @inline(__always)
    subscript<Value>(dynamicMember property: WritableKeyPath<DecodingFrame, Value>) -> Value {
        get { pointer.pointee[keyPath: property] }
        nonmutating set { pointer.pointee[keyPath: property] = newValue }
    }

    /// The next outer frame.
    @inline(__always)
    var below: FrameReference { FrameReference(pointer - 1) }

    /// The next inner frame.
    @inline(__always)
    var above: FrameReference { FrameReference(pointer + 1) }

    /// The number of frames from this one to another.
    @inline(__always)
    func distance(to other: FrameReference) -> Int { other.pointer - pointer }

    func advanced(by count: Int) -> FrameReference { FrameReference(pointer + count) }

    static func < (left: FrameReference, right: FrameReference) -> Bool { left.pointer < right.pointer }
}
