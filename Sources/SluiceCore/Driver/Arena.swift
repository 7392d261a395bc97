/// Memory that is allocated and freed last-in-first-out: element buffers, presence bits, and storage of classes.
///
/// An arena consists of chunks. The caller lends the memory of the first chunk, and the arena owns the others. Only the last
/// element buffer can grow. Between two elements, no pointer into a buffer exists, so a buffer that outgrows its chunk can
/// move to a larger chunk. All other memory keeps its address.
struct Arena: ~Copyable {
    struct Mark {
        var top: UnsafeMutableRawPointer
        var limit: UnsafeMutableRawPointer
        /// The index of the chunk in use, or −1 for the first.
        var chunk: Int
    }

    private struct Chunk {
        var start: UnsafeMutableRawPointer
        var size: Int
    }

    private(set) var mark: Mark
    /// The chunks after the first.
    private var chunks: [Chunk] = []
    private static let alignment = 64

    /// - Parameter first: The first chunk, aligned to 64 bytes.
    init(_ first: Region) {
        mark = Mark(top: first.start, limit: first.start + first.size, chunk: -1)
    }

    var limit: UnsafeMutableRawPointer {
        @inline(__always) get { mark.limit }
    }

    deinit {
        for chunk in chunks { chunk.start.deallocate() }
    }

    /// Moves the end of the used memory to `top`.
    @inline(__always)
    mutating func raise(to top: UnsafeMutableRawPointer) { mark.top = top }

    @inline(__always)
    mutating func restore(_ mark: Mark) { self.mark = mark }

    /// Allocates `size` bytes.
    @inline(__always)
    mutating func take(_ size: Int, alignmentMask: Int) -> UnsafeMutableRawPointer {
        let start = Self.align(mark.top, alignmentMask)
        if start + size <= mark.limit {
            mark.top = start + size
            return start
        }
        return takeFromNext(size)
    }

    /// Returns an address with room for at least one element. Does not move the end of the used memory.
    @inline(__always)
    mutating func beginRun(stride: Int, alignmentMask: Int) -> UnsafeMutableRawPointer {
        let start = Self.align(mark.top, alignmentMask)
        if start + stride <= mark.limit { return start }
        let start2 = takeFromNext(stride)
        mark.top = start2
        return start2
    }

    /// Finds memory for an element buffer of `used` bytes and `stride` more, at least twice as large as the old.
    /// The caller moves the elements, then calls `discard` with the returned chunk.
    @inline(never)
    mutating func growRun(
        used: Int, stride: Int, isAlone: Bool
    ) -> (start: UnsafeMutableRawPointer, old: UnsafeMutableRawPointer?) {
        let needed = max(used * 2, used + stride, 4096)
        guard isAlone else { return (takeFromNext(needed, exact: true), nil) }
        // The buffer has a chunk of its own, which can be replaced.
        let old = chunks[mark.chunk].start
        let made = Self.allocate(needed)
        chunks[mark.chunk] = made
        mark.top = made.start
        mark.limit = made.start + made.size
        return (made.start, old)
    }

    func discard(_ old: UnsafeMutableRawPointer?) { old?.deallocate() }

    @inline(never)
    private mutating func takeFromNext(_ size: Int, exact: Bool = false) -> UnsafeMutableRawPointer {
        let next = mark.chunk + 1
        if next < chunks.count, chunks[next].size < size {
            for chunk in chunks[next...] { chunk.start.deallocate() }
            chunks.removeSubrange(next...)
        }
        if next == chunks.count {
            chunks.append(Self.allocate(max(size, 32_768)))
        }
        let chunk = chunks[next]
        mark = Mark(top: chunk.start + (exact ? 0 : size), limit: chunk.start + chunk.size, chunk: next)
        return chunk.start
    }

    private static func allocate(_ size: Int) -> Chunk {
        Chunk(start: .allocate(byteCount: size, alignment: alignment), size: size)
    }

    @inline(__always)
    private static func align(_ pointer: UnsafeMutableRawPointer, _ mask: Int) -> UnsafeMutableRawPointer {
        pointer + ((mask &+ 1 &- (Int(bitPattern: pointer) & mask)) & mask)
    }
}
