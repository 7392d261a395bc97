/// The driver's stack of frames. The frames move when they outgrow their memory.
///
/// Invariant: the frames from `first` to `top` are initialized. The owner of a frame is a frame of the same stack.
struct FrameStack: ~Copyable {
    private(set) var first: UnsafeMutablePointer<DecodingFrame>
    var top: UnsafeMutablePointer<DecodingFrame>
    private var end: UnsafeMutablePointer<DecodingFrame>
    private var isAllocated = false

    /// Creates a stack without frames. `top` is the memory of the first frame.
    ///
    /// - Parameter region: Memory for the first frames.
    init(in region: Region) {
        first = region.start.assumingMemoryBound(to: DecodingFrame.self)
        end = first + region.size / MemoryLayout<DecodingFrame>.stride
        top = first
    }

    deinit { if isAllocated { first.deallocate() } }

    /// Moves to the memory of the next frame, which the caller initializes.
    ///
    /// Pointers to frames are invalid afterwards, except `top` and the owners in frames.
    @inline(__always)
    mutating func push() -> UnsafeMutablePointer<DecodingFrame> {
        if top + 1 == end { grow() }
        top += 1
        return top
    }

    @inline(never)
    private mutating func grow() {
        let count = end - first
        let larger = UnsafeMutablePointer<DecodingFrame>.allocate(capacity: count * 2)
        larger.moveInitialize(from: first, count: count)
        for index in 0..<count { larger[index].owner = larger + (larger[index].owner - first) }
        top = larger + (top - first)
        if isAllocated { first.deallocate() }
        (first, end, isAllocated) = (larger, larger + count * 2, true)
    }
}
