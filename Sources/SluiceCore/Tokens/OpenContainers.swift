/// The open containers of the input, by depth, with the white space that is expected before their members.
///
/// Most JSON is written by programs, which indent all members of a container alike. A closing bracket is indented like the
/// members of the outer container. The white space before one member therefore predicts the white space before the next
/// member of that depth. A comparison with the prediction is faster than a search for the end of the white space: the
/// processor predicts the outcome of the comparison and continues with the next token.
///
/// The expected white space of a depth is a prefix of `pattern`, so that only its length is stored.
///
/// Invariants: the containers up to `deepest` are initialized. All 32 bytes of `pattern` are white space, so that bytes that
/// equal a prefix of the pattern are white space.
struct OpenContainers: ~Copyable {
    // Two bytes instead of one: `open` writes the kind, and a load of the length from the same byte would wait for this store.
    fileprivate struct Container {
        var isObject = false
        /// The length of the white space before the last member, at most 32.
        var spaces: UInt8 = 0
    }

    fileprivate static var maximumLength: Int { 32 }

    /// The addresses of the memory, which a loop can keep in registers.
    struct View {
        fileprivate let pattern: UnsafeMutablePointer<UInt8>
        /// The containers by depth, in the memory after the pattern. The first one represents the document.
        fileprivate let containers: UnsafeMutableRawPointer
    }

    let view: View
    private var memory: GrowableMemory<UInt8>
    private var deepest = 0

    /// - Parameters:
    ///   - limit: The greatest depth.
    ///   - region: Memory for the containers. If the memory is too small, other memory is allocated.
    init(limit: Int, in region: Region) {
        let size = Self.size(limit: limit)
        memory = GrowableMemory(in: region)
        if size > memory.capacity { memory.grow(moving: 0, toAtLeast: size) }
        let pattern = memory.start
        pattern.initialize(repeating: 0x20, count: Self.maximumLength)
        pattern[0] = 0x0A
        view = View(pattern: pattern, containers: UnsafeMutableRawPointer(pattern + Self.maximumLength))
        view[0].initialize(to: Container())
    }

    deinit { memory.deallocate() }

    /// The size of the memory in bytes.
    static func size(limit: Int) -> Int { maximumLength + (limit + 1) * MemoryLayout<Container>.stride }

    /// Opens a container. The white space of the last container at this depth is expected.
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

    /// Returns the position after the white space if the white space equals the expected white space of a depth, else nil.
    ///
    /// - Precondition: 64 bytes can be read.
    @inline(__always)
    func expectedSpaceEnd(_ at: UnsafePointer<UInt8>, _ depth: Int) -> UnsafePointer<UInt8>? {
        let count = Int(self[depth].pointee.spaces)
        let next = at + count
        return next.pointee > 0x20 && Kernels.isEqual(at, pattern, count) ? next : nil
    }

    /// Expects the white space between two positions before the next member of a depth.
    @inline(never)
    func expectSpace(from start: UnsafePointer<UInt8>, to end: UnsafePointer<UInt8>, _ depth: Int) {
        let count = end - start
        guard count <= OpenContainers.maximumLength else { return }
        self[depth].pointee.spaces = UInt8(truncatingIfNeeded: count)
        if !Kernels.isEqual(start, pattern, count) { pattern.update(from: start, count: count) }
    }
}
