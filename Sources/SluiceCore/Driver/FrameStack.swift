/// The driver's stack of frames. The frames move when they outgrow their memory.
///
/// Invariant: the frames from `first` to `top` are initialized. The owner of a frame is a frame of the same stack. `end` is in the
/// memory of the frames, or after it.
struct FrameStack: ~Copyable {
    private var frames: GrowableMemory<DecodingFrame>
    var top: FrameReference
    /// The position of the frame that is pushed only after a check.
    private var end: FrameReference

    /// Creates a stack without frames. `top` is the memory of the first frame.
    ///
    /// - Parameter region: Memory for the first frames.
    init(in region: Region) {
        frames = GrowableMemory(in: region)
        top = FrameReference(frames.start)
        end = FrameReference(frames.start + frames.capacity)
    }

    deinit { frames.deallocate() }

    var first: FrameReference {
        @inline(__always) get { FrameReference(frames.start) }
    }

    /// Prepares the next frame. Returns false if the thread's stack is too small for the runtime to release a value of one more level.
    ///
    /// The thread's stack is measured only when the frames outgrow their memory.
    @inline(__always)
    mutating func reserve() -> Bool { top.above != end || growWithinStack() }

    /// Moves to the memory of the next frame, which the caller initializes.
    ///
    /// References to frames are invalid afterwards, except `top` and the owners in frames.
    @inline(__always)
    mutating func push() -> FrameReference {
        if top.above == end { grow() }
        top = top.above
        return top
    }

    private var count: Int { first.distance(to: top) + 1 }

    /// Moves to larger memory, as far as the thread's stack has room for the levels of a value.
    @inline(never)
    private mutating func growWithinStack() -> Bool {
        let levels = ThreadStack.releasableLevels
        if levels <= count { return false }
        grow()
        end = first.advanced(by: min(frames.capacity, levels))
        return true
    }

    @inline(never)
    private mutating func grow() {
        let count = count
        if count == frames.capacity {
            let owners = (0..<count).map { first.distance(to: first.advanced(by: $0).owner) }
            frames.grow(moving: count)
            for (index, owner) in owners.enumerated() {
                first.advanced(by: index).owner = first.advanced(by: owner)
            }
            top = first.advanced(by: count - 1)
        }
        end = first.advanced(by: frames.capacity)
    }
}

/// A reference to a frame on the stack. The properties of the frame are those of the reference.
///
/// Invariant: the frame is initialized, and neither popped nor moved while the reference is used. ``FrameStack/push()`` can move
/// the frames.
@dynamicMemberLookup
package struct FrameReference: Comparable {
    fileprivate let pointer: UnsafeMutablePointer<DecodingFrame>

    @inline(__always)
    fileprivate init(_ pointer: UnsafeMutablePointer<DecodingFrame>) { self.pointer = pointer }

    @inline(__always)
    func initialize(to frame: DecodingFrame) { pointer.initialize(to: frame) }

    /// The frame, copied.
    var value: DecodingFrame { pointer.pointee }

    @inline(__always)
    package subscript<Value>(dynamicMember property: KeyPath<DecodingFrame, Value>) -> Value {
        pointer.pointee[keyPath: property]
    }

    @inline(__always)
    package subscript<Value>(dynamicMember property: WritableKeyPath<DecodingFrame, Value>) -> Value {
        get { pointer.pointee[keyPath: property] }
        nonmutating set { pointer.pointee[keyPath: property] = newValue }
    }

    /// The next outer frame.
    @inline(__always)
    package var below: FrameReference { FrameReference(pointer - 1) }

    /// The next inner frame.
    @inline(__always)
    package var above: FrameReference { FrameReference(pointer + 1) }

    /// The number of frames from this one to another.
    @inline(__always)
    func distance(to other: FrameReference) -> Int { other.pointer - pointer }

    func advanced(by count: Int) -> FrameReference { FrameReference(pointer + count) }

    package static func < (left: FrameReference, right: FrameReference) -> Bool { left.pointer < right.pointer }
}
