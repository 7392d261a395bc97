// The elements of a container that is decoded. They are collected one by one, then moved to the container.

/// Elements, or pairs of key and value, that are contiguous in memory.
@usableFromInline
struct ElementBlock {
    @usableFromInline let start: UnsafeMutableRawPointer?
    @usableFromInline let count: Int

    @inlinable
    init(start: UnsafeMutableRawPointer?, count: Int) {
        self.start = start
        self.count = count
    }
}

extension ElementBlock {
    /// The block of elements of a known type. Their size is a constant, which avoids a division.
    @inline(__always)
    init<Element>(_: Element.Type, from start: UnsafeMutableRawPointer, to end: UnsafeMutableRawPointer) {
        self.init(start: start, count: (end - start) / MemoryLayout<Element>.stride)
    }

    /// Makes an array of trivial elements.
    @inline(__always)
    func copied<Element: BitwiseCopyable>(_: Element.Type) -> [Element] {
        CollectedElements<Element>.elements(of: self).copied()
    }
}

extension UnsafeMutableBufferPointer where Element: BitwiseCopyable {
    /// Makes an array of the elements.
    ///
    /// Short arrays, such as coordinates, are made by literals, which are faster. The initializer that copies a block queries the
    /// allocator for the size of the new memory. A literal does not.
    @inline(__always)
    func copied() -> [Element] {
        switch count {
        case 0: []
        case 1: [self[0]]
        case 2: [self[0], self[1]]
        case 3: [self[0], self[1], self[2]]
        case 4: [self[0], self[1], self[2], self[3]]
        default: Array(self)
        }
    }
}

/// The memory of collected elements. Most containers have one block; a block that is full is followed by another.
@usableFromInline
struct CollectedBlocks {
    /// The blocks before the last.
    @usableFromInline let full: UnsafeBufferPointer<ElementBlock>
    @usableFromInline let last: ElementBlock

    @inlinable
    init(full: UnsafeBufferPointer<ElementBlock>, last: ElementBlock) {
        self.full = full
        self.last = last
    }

    /// Creates the memory of elements that are contiguous.
    @inlinable
    init(_ block: ElementBlock) { self.init(full: .init(start: nil, count: 0), last: block) }

    /// The memory of no elements.
    @inlinable static var none: CollectedBlocks { CollectedBlocks(ElementBlock(start: nil, count: 0)) }
}

/// Collected elements, which are moved out once.
///
/// Invariant: exactly one container is made from the elements, which have no other use.
@usableFromInline
struct CollectedElements<Element> {
    @usableFromInline let blocks: CollectedBlocks

    @inlinable init(_ blocks: CollectedBlocks) { self.blocks = blocks }

    @inlinable var count: Int { blocks.full.reduce(blocks.last.count) { $0 + $1.count } }

    /// Calls a closure with the elements of each block, in order. The closure moves the elements out.
    @inlinable
    func forEachBlock(_ body: (UnsafeMutableBufferPointer<Element>) -> Void) {
        for block in blocks.full { body(Self.elements(of: block)) }
        body(Self.elements(of: blocks.last))
    }

    /// Calls a closure with all elements in one block, to which the elements are moved if necessary. The closure moves the
    /// elements out.
    @inlinable
    func withOneBlock<R>(_ body: (UnsafeMutableBufferPointer<Element>) -> R) -> R {
        if blocks.full.isEmpty { return body(Self.elements(of: blocks.last)) }
        let all = UnsafeMutableBufferPointer<Element>.allocate(capacity: count)
        defer { all.deallocate() }
        move(to: all)
        return body(all)
    }

    /// Moves the elements to uninitialized memory of the right size.
    @inlinable
    func move(to target: UnsafeMutableBufferPointer<Element>) {
        guard var next = target.baseAddress else { return }
        forEachBlock { elements in
            guard let start = elements.baseAddress else { return }
            next.moveInitialize(from: start, count: elements.count)
            next += elements.count
        }
    }

    @inlinable
    static func elements(of block: ElementBlock) -> UnsafeMutableBufferPointer<Element> {
        UnsafeMutableBufferPointer(
            start: block.start?.assumingMemoryBound(to: Element.self), count: block.count)
    }
}

/// The form in which an array takes the elements. Takes 48 ns less for an array than `unsafeUninitializedCapacity`, whose
/// allocation uses generic code.
extension CollectedElements: RandomAccessCollection {
    @inlinable var startIndex: Int { 0 }
    @inlinable var endIndex: Int { count }

    @inlinable
    subscript(index: Int) -> Element {
        var index = index
        for block in blocks.full {
            if index < block.count { return Self.elements(of: block)[index] }
            index -= block.count
        }
        return Self.elements(of: blocks.last)[index]
    }

    @inlinable
    func _copyContents(initializing buffer: UnsafeMutableBufferPointer<Element>) -> (Iterator, Int) {
        move(to: buffer)
        return (IndexingIterator(_elements: self, _position: count), count)
    }
}

extension Array {
    /// Creates an array of collected elements, in one allocation of the exact size.
    ///
    /// Short arrays are made by literals, which are faster. See ``ElementBlock/copied(_:)``.
    @inlinable
    init(taking elements: CollectedElements<Element>) {
        let last = CollectedElements<Element>.elements(of: elements.blocks.last)
        guard elements.blocks.full.isEmpty, last.count <= 4, let first = last.baseAddress else {
            self.init(elements)
            return
        }
        switch last.count {
        case 0: self = []
        case 1: self = [first.move()]
        case 2: self = [first.move(), (first + 1).move()]
        case 3: self = [first.move(), (first + 1).move(), (first + 2).move()]
        default: self = [first.move(), (first + 1).move(), (first + 2).move(), (first + 3).move()]
        }
    }
}

extension Set {
    /// Creates a set of collected elements.
    @inlinable
    init(taking elements: CollectedElements<Element>) {
        self.init(minimumCapacity: elements.count)
        elements.forEachBlock { block in
            for index in block.indices { insert((block.baseAddress! + index).move()) }
        }
    }
}

extension Dictionary {
    /// Creates a dictionary of collected pairs. The last value of a duplicate key wins.
    @inlinable
    init(taking pairs: CollectedElements<(Key, Value)>) {
        self.init(minimumCapacity: pairs.count)
        pairs.forEachBlock { block in
            for index in block.indices {
                let (key, value) = (block.baseAddress! + index).move()
                self[key] = value
            }
        }
    }
}
