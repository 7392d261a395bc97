/// Memory that is allocated and freed last-in-first-out: collected elements, presence bits, and storage of classes.
///
/// An arena consists of slabs. The caller lends the memory of the first slab, and the arena owns the others. Allocated memory
/// keeps its address. If the elements of a container do not fit into a slab, they continue in the next one.
struct Arena: ~Copyable {
    struct Mark {
        var top: UnsafeMutableRawPointer
        var limit: UnsafeMutableRawPointer
        /// The index of the slab in use, or −1 for the first.
        fileprivate var slab: Int32
        /// The number of full chunks of elements.
        fileprivate var fullChunkCount: Int32
    }

    private final class Overflow {
        /// The slabs after the first.
        var slabs = SlabList()
        /// The chunks of elements that are full, each of an open container. Chunks beyond the mark's number have ended.
        var fullChunks: [ElementChunk] = []
    }

    private(set) var mark: Mark
    /// The memory after the first slab. Made when the first slab is full, so that a small document makes no list.
    private var overflow: Overflow?

    /// - Parameter first: The first slab, aligned to 64 bytes.
    init(_ first: Region) {
        mark = Mark(top: first.start, limit: first.start + first.size, slab: -1, fullChunkCount: 0)
    }

    var limit: UnsafeMutableRawPointer {
        @inline(__always) get { mark.limit }
    }

    /// Moves the end of the used memory to `top`.
    @inline(__always)
    mutating func raise(to top: UnsafeMutableRawPointer) { mark.top = top }

    @inline(__always)
    mutating func restore(_ mark: Mark) { self.mark = mark }

    /// Allocates `size` bytes.
    @inline(__always)
    mutating func allocate(_ size: Int, alignmentMask: Int) -> UnsafeMutableRawPointer {
        let start = Self.align(mark.top, alignmentMask)
        if start + size <= mark.limit {
            mark.top = start + size
            return start
        }
        return allocateFromNext(size)
    }

    /// Returns an address with room for at least one element. Does not move the end of the used memory.
    @inline(__always)
    mutating func beginElements(stride: Int, alignmentMask: Int) -> UnsafeMutableRawPointer {
        let start = Self.align(mark.top, alignmentMask)
        return start + stride <= mark.limit ? start : beginElementsInNext(stride)
    }

    /// Returns the rest of the slab, after `end`, as memory for elements of a type; nil if not even one fits. Does not move the
    /// end of the used memory.
    @inline(__always)
    func memory<Element>(of _: Element.Type, from end: UnsafeMutableRawPointer) -> UnsafeMutableBufferPointer<
        Element
    >? {
        let start = Self.align(end, MemoryLayout<Element>.alignment &- 1)
        let count = (limit - start) / MemoryLayout<Element>.stride
        guard count > 0 else { return nil }
        return UnsafeMutableBufferPointer(start: start.assumingMemoryBound(to: Element.self), count: count)
    }

    /// Returns an address with room for at least one more element of the container whose last chunk is full.
    @inline(never)
    mutating func continueElements(after full: ElementChunk, stride: Int) -> UnsafeMutableRawPointer {
        let overflow = makeOverflow()
        overflow.fullChunks.removeSubrange(Int(mark.fullChunkCount)...)
        overflow.fullChunks.append(full)
        mark.fullChunkCount += 1
        return beginElementsInNext(stride)
    }

    @inline(never)
    private mutating func beginElementsInNext(_ stride: Int) -> UnsafeMutableRawPointer {
        mark.top = allocateFromNext(stride)
        return mark.top
    }

    /// Whether a chunk became full after `earlier`.
    @inline(__always)
    func hasFullChunks(since earlier: Mark) -> Bool { mark.fullChunkCount != earlier.fullChunkCount }

    /// The chunks that became full after `earlier` and before `later`.
    func fullChunks(from earlier: Mark, to later: Mark) -> ArraySlice<ElementChunk> {
        overflow?.fullChunks[Int(earlier.fullChunkCount)..<Int(later.fullChunkCount)] ?? []
    }

    @inline(never)
    private mutating func allocateFromNext(_ size: Int) -> UnsafeMutableRawPointer {
        let overflow = makeOverflow()
        let next = Int(mark.slab) + 1
        if next < overflow.slabs.count, overflow.slabs[next].size < size {
            overflow.slabs.removeLast(downTo: next)
        }
        if next == overflow.slabs.count {
            overflow.slabs.append(
                size: max(size, next == 0 ? 32_768 : 65_536), alignment: TypeLayout.maximumAlignmentMask + 1)
        }
        let slab = overflow.slabs[next]
        mark.top = slab.start + size
        mark.limit = slab.start + slab.size
        mark.slab = Int32(next)
        return slab.start
    }

    private mutating func makeOverflow() -> Overflow {
        if let overflow { return overflow }
        let first = Overflow()
        overflow = first
        return first
    }

    @inline(__always)
    private static func align(_ pointer: UnsafeMutableRawPointer, _ mask: Int) -> UnsafeMutableRawPointer {
        pointer + ((mask &+ 1 &- (Int(bitPattern: pointer) & mask)) & mask)
    }
}
