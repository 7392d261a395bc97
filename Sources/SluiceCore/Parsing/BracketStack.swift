/// The kinds of the open containers, by depth.
///
/// Invariant: the kinds at the depths from 0 to the current depth are initialized. Depth 0 is outside of all containers.
struct BracketStack: ~Copyable {
    /// For each depth, whether the open container is an object.
    let isObject: UnsafeMutablePointer<Bool>
    private let isAllocated: Bool

    /// - Parameters:
    ///   - depth: The greatest depth.
    ///   - region: Memory for the stack, if sufficient.
    init(depth: Int, in region: Region) {
        isAllocated = depth + 1 > region.size
        isObject = isAllocated ? .allocate(capacity: depth + 1) : region.start.assumingMemoryBound(to: Bool.self)
        isObject.initialize(to: false)
    }

    deinit { if isAllocated { isObject.deallocate() } }

    @inline(__always)
    subscript(depth: Int) -> Bool {
        get { isObject[depth] }
        nonmutating set { isObject[depth] = newValue }
    }
}
