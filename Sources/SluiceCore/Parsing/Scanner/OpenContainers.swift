/// The scanner's open containers, by depth, and the white space expected in each.
///
/// JSON is mostly written by programs, which indent all members of a container alike, and its closing bracket like the
/// members of the container outside. The run before the last member therefore predicts the next run. A comparison with
/// the prediction, unlike a search, lets the processor continue before it has read the run.
///
/// Invariants: `pattern` has 32 bytes, all white space, so that equal bytes are white space. Runs are prefixes of it.
struct OpenContainers {
    // Two bytes: in one, the length would have to wait for the kind, which has just been written.
    private struct Container {
        var isObject = false
        /// The length of the last run before a member, at most 32.
        var spaces: UInt8 = 0
    }

    private static var longest: Int { 32 }

    private let pattern: UnsafeMutablePointer<UInt8>
    /// The containers by depth, in the memory after the pattern. The first one stands for the root.
    private let containers: UnsafeMutablePointer<Container>

    /// Allocates memory for depths of up to `limit`.
    init(limit: Int) {
        let count = limit + 1
        pattern = .allocate(capacity: Self.longest + count * MemoryLayout<Container>.stride)
        pattern.initialize(repeating: 0x20, count: Self.longest)
        pattern[0] = 0x0A
        containers = UnsafeMutableRawPointer(pattern + Self.longest).bindMemory(to: Container.self, capacity: count)
        containers.initialize(repeating: Container(), count: count)
    }

    func free() { pattern.deallocate() }

    @inline(__always)
    func isObject(_ depth: Int) -> Bool { containers[depth].isObject }

    /// Opens a container. The expected white space is that of the last container of this depth.
    @inline(__always)
    func open(_ depth: Int, isObject: Bool) { containers[depth].isObject = isObject }

    /// Returns the position after the white space, if that is as expected before a member of the depth.
    ///
    /// - Precondition: 64 bytes can be read.
    @inline(__always)
    func expectedSpaceEnd(_ at: UnsafePointer<UInt8>, _ depth: Int) -> UnsafePointer<UInt8>? {
        let count = Int(containers[depth].spaces)
        let next = at + count
        return next.pointee > 0x20 && Kernels.isEqual(at, pattern, count) ? next : nil
    }

    /// Expects the same white space next time.
    @inline(never)
    func expectSpace(from start: UnsafePointer<UInt8>, to end: UnsafePointer<UInt8>, _ depth: Int) {
        let count = end - start
        guard count <= Self.longest else { return }
        containers[depth].spaces = UInt8(truncatingIfNeeded: count)
        if !Kernels.isEqual(start, pattern, count) { pattern.update(from: start, count: count) }
    }
}
