import SluiceCore

/// The elements of the text of a batch, in memory that is used again for the next text.
///
/// The elements of the text before are destroyed one by one, each before an element is made in its memory. The allocator then makes
/// the parts of an element from those of another one, as in a stream of one thread.
///
/// Invariants: the elements from `removed` to `count` are initialized, and so are the elements `stale` of the text before, which follow
/// `count`. All are in chunks of a power of two of elements.
struct BatchElements: ~Copyable {
    private let layout: LayoutReference
    private var chunks = SlabList()
    private let stride: Int
    /// The binary logarithm of the number of elements of a chunk.
    private let shift: Int
    private(set) var count = 0
    /// The number of elements at the start that were moved out.
    private var removed = 0
    private var stale = 0..<0

    init(_ layout: LayoutReference) {
        (self.layout, stride) = (layout, layout.stride)
        shift = max(32_768 / stride, 1).binaryLogarithm
    }

    deinit { destroy(removed..<count) }

    /// The memory of an element.
    func address(_ index: Int) -> UnsafeMutableRawPointer {
        chunks[index >> shift].start + (index & (1 << shift - 1)) * stride
    }

    /// Makes room for the next element. Returns its memory, which is not initialized.
    mutating func makeRoom() -> UnsafeMutableRawPointer {
        if count >> shift == chunks.count {
            chunks.append(size: stride << shift, alignment: layout.alignmentMask + 1)
        }
        if count == stale.lowerBound, !stale.isEmpty {
            destroy(count..<count + 1)
            stale = count + 1..<stale.upperBound
        }
        return address(count)
    }

    /// Adds the element that was made in the memory of the next one.
    mutating func append() { count += 1 }

    /// Removes the first elements up to an index, which were moved out.
    mutating func removeMoved(upTo end: Int) { removed = end }

    /// Begins with the elements of another text.
    mutating func beginText() { (stale, removed, count) = (removed..<count, 0, 0) }

    /// Destroys the elements of the text before.
    mutating func endText() {
        destroy(stale)
        stale = 0..<0
    }

    /// Destroys the elements of the text.
    mutating func removeAll() {
        destroy(removed..<count)
        (removed, count) = (0, 0)
    }

    private func destroy(_ range: Range<Int>) {
        for index in range { layout.destroy(address(index)) }
    }
}

extension Int {
    /// The binary logarithm of a positive number, rounded down.
    fileprivate var binaryLogarithm: Int { Self.bitWidth - 1 - leadingZeroBitCount }
}
