/// The open containers of a text, by depth, and the white space expected in each.
///
/// JSON is mostly written by programs, which indent all members of a container alike, and its closing bracket like the
/// members of the container outside. The run before the last member therefore predicts the next run. A comparison with
/// the prediction, unlike a search, lets the processor continue before it has read the run.
///
/// Invariants: the containers up to `deepest` are initialized. `pattern` has 32 bytes, all white space, so that equal bytes
/// are white space. Runs are prefixes of the pattern.
struct OpenContainers: ~Copyable {
    // Two bytes: in one, the length would have to wait for the kind, which has just been written.
    fileprivate struct Container {
        var isObject = false
        /// The length of the last run before a member, at most 32.
        var spaces: UInt8 = 0
    }

    fileprivate static var longest: Int { 32 }

    /// The addresses, for a loop that keeps them in registers.
    struct View {
        fileprivate let pattern: UnsafeMutablePointer<UInt8>
        /// The containers by depth, in the memory after the pattern. The first one stands for the root.
        fileprivate let containers: UnsafeMutableRawPointer
    }

    let view: View
    private var deepest = 0
    private let isAllocated: Bool

    /// - Parameters:
    ///   - limit: The greatest depth.
    ///   - region: Memory for the containers, if sufficient.
    init(limit: Int, in region: Region) {
        let size = Self.longest + (limit + 1) * MemoryLayout<Container>.stride
        isAllocated = size > region.size
        let pattern: UnsafeMutablePointer<UInt8> =
            isAllocated ? .allocate(capacity: size) : region.start.assumingMemoryBound(to: UInt8.self)
        pattern.initialize(repeating: 0x20, count: Self.longest)
        pattern[0] = 0x0A
        view = View(pattern: pattern, containers: UnsafeMutableRawPointer(pattern + Self.longest))
        view[0].initialize(to: Container())
    }

    deinit { if isAllocated { view.pattern.deallocate() } }

    /// Opens a container. The expected white space is that of the last container of this depth.
    @inline(__always)
    mutating func open(_ depth: Int, isObject: Bool) {
        if depth > deepest {
            deepest = depth
            view[depth].initialize(to: Container())
        }
        view[depth].pointee.isObject = isObject
    }
}

extension OpenContainers.View {
    @inline(__always)
    fileprivate subscript(depth: Int) -> UnsafeMutablePointer<OpenContainers.Container> {
        containers.assumingMemoryBound(to: OpenContainers.Container.self) + depth
    }

    @inline(__always)
    func isObject(_ depth: Int) -> Bool { self[depth].pointee.isObject }

    /// Returns the position after the white space, if that is as expected before a member of the depth.
    ///
    /// - Precondition: 64 bytes can be read.
    @inline(__always)
    func expectedSpaceEnd(_ at: UnsafePointer<UInt8>, _ depth: Int) -> UnsafePointer<UInt8>? {
        let count = Int(self[depth].pointee.spaces)
        let next = at + count
        return next.pointee > 0x20 && Kernels.isEqual(at, pattern, count) ? next : nil
    }

    /// Expects the same white space next time.
    @inline(never)
    func expectSpace(from start: UnsafePointer<UInt8>, to end: UnsafePointer<UInt8>, _ depth: Int) {
        let count = end - start
        guard count <= OpenContainers.longest else { return }
        self[depth].pointee.spaces = UInt8(truncatingIfNeeded: count)
        if !Kernels.isEqual(start, pattern, count) { pattern.update(from: start, count: count) }
    }
}
