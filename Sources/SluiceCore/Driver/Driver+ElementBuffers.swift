// Element buffers: the elements of an array, or the pairs of an object with any keys.
//
// The elements are written to the arena, one after another. While the frame of an array is on top, the slot of the next value is
// the end of the elements. Otherwise, and for pairs, the frame's `cursor` is the end. Closing the container moves the elements
// to the finished value.

extension Driver {
    /// Pushes the frame of an array or object whose elements are collected.
    @inline(__always)
    mutating func pushElementBuffer(_ form: DecodingFrame.Form, _ container: LayoutReference) {
        push(form, container)
        let start = arena.beginElements(
            stride: container.elementStride, alignmentMask: container.elementAlignmentMask)
        top.base = start
        top.cursor = start
        targetElement(start)
    }

    /// Targets the next element of the container on top.
    @inline(__always)
    private mutating func targetElement(_ address: UnsafeMutableRawPointer) {
        let element = top.elementLayout
        disposition = .store(element.kind)
        slot = ValueSlot(address: address, layout: element)
    }

    /// Prepares the array on top for a frame above, which reads the next element.
    @inline(__always)
    mutating func suspendElements() {
        top.cursor = slot.address
        arena.raise(to: slot.address + top.layout.elementStride)
    }

    /// Continues the array on top, after a frame above was popped or the next element was ignored.
    @inline(__always)
    mutating func resumeElements() { targetElement(top.cursor) }

    /// Adds the completed element to the array on top.
    @inline(__always)
    mutating func completedElement() {
        let stride = top.layout.elementStride
        slot.address += stride
        if slot.address + stride > arena.limit { continueElements() }
    }

    /// Adds the completed pair to the object on top.
    mutating func completedPair() {
        let stride = top.layout.elementStride
        top.flags.remove(.hasKey)
        top.cursor += stride
        guard top.cursor + stride > arena.limit else { return }
        slot.address = top.cursor
        continueElements()
        top.cursor = slot.address
    }

    /// Continues the full buffer on top in another chunk.
    @inline(never)
    mutating func continueElements() {
        let full = lastChunk(of: top, to: slot.address)
        top.countBefore += full.count
        slot.address = arena.continueElements(after: full, stride: top.layout.elementStride)
        top.base = slot.address
    }

    /// Targets a pair's value, after the key was made.
    mutating func targetValue(ofPair pair: UnsafeMutableRawPointer) {
        top.flags.insert(.hasKey)
        let container = top.layout
        targetElement(pair + container.valueOffset)
        arena.raise(to: pair + container.elementStride)
    }

    /// Counts an element that is dropped, so that the indexes in paths stay right. The next element takes its memory.
    func countDropped(_ frame: FrameReference) { frame.countBefore += 1 }

    // MARK: Chunks

    /// The end of the elements of a container.
    @inline(__always)
    func elementsEnd(of frame: FrameReference) -> UnsafeMutableRawPointer {
        frame.form == .array && frame == top ? slot.address : frame.cursor
    }

    /// The last chunk of an element buffer that ends at `end`.
    @inline(__always)
    func lastChunk(of frame: FrameReference, to end: UnsafeMutableRawPointer) -> ElementChunk {
        ElementChunk(start: frame.base, count: (end - frame.base) / frame.layout.elementStride)
    }

    /// The full chunks of an element buffer.
    func fullChunks(of frame: FrameReference) -> ArraySlice<ElementChunk> {
        arena.fullChunks(from: frame.mark, to: frame == top ? arena.mark : frame.above.mark)
    }

    func chunks(of frame: FrameReference) -> [ElementChunk] {
        fullChunks(of: frame) + [lastChunk(of: frame, to: elementsEnd(of: frame))]
    }

    /// The index of the current element of an array. Issues are many: the full chunks are not counted for each.
    func position(inArray frame: FrameReference) -> Int {
        frame.countBefore + lastChunk(of: frame, to: elementsEnd(of: frame)).count
    }

    /// Destroys the collected elements or pairs.
    func destroyElements(of frame: FrameReference) {
        frame.layout.withContainer { container in
            for chunk in chunks(of: frame) { container.element.destroy(chunk.start!, chunk.count) }
        }
    }

    /// Destroys the key of a pair without a value.
    func destroyPendingKey(of frame: FrameReference) {
        guard frame.flags.contains(.hasKey) else { return }
        frame.layout.withDictionary { $0.keys.destroy(frame.cursor) }
        frame.flags.remove(.hasKey)
    }

    // MARK: Closing

    /// Makes the container on top from its elements.
    @inline(__always)
    mutating func endElementBuffer() -> TokenAction {
        let end = top.form == .array ? slot.address : top.cursor
        if arena.hasFullChunks(since: top.mark) {
            finishChunks(to: end)
        } else {
            finishChunk(to: end)
        }
        if session.rejectsDuplicates || top.flags.contains(.checksKeys) { top.freeUncommonState() }
        return pop()
    }

    /// Makes the container of elements that are contiguous.
    @inline(__always)
    private func finishChunk(to end: UnsafeMutableRawPointer) {
        let (start, destination) = (top.base, top.destination)
        switch destination.layout.inlineElementKind {
        case .double:
            destination.initialize(to: ElementChunk(Double.self, from: start, to: end).copied(Double.self))
        case .int: destination.initialize(to: ElementChunk(Int.self, from: start, to: end).copied(Int.self))
        case .string:
            let strings = CollectedChunks(ElementChunk(String.self, from: start, to: end))
            destination.initialize(to: [String](taking: CollectedElements(strings)))
        default:
            let elements = CollectedChunks(lastChunk(of: top, to: end))
            destination.layout.withContainer { $0.finish(elements, destination.address) }
            destination.markPresent()
        }
    }

    /// Makes the array of the current value, without elements.
    @inline(__always)
    func makeEmptyArray() {
        switch slot.layout.inlineElementKind {
        case .double: slot.initialize(to: [Double]())
        case .int: slot.initialize(to: [Int]())
        case .string: slot.initialize(to: [String]())
        default:
            slot.layout.withContainer { $0.finish(.none, slot.address) }
            slot.markPresent()
        }
    }

    /// Makes the container of elements in several chunks.
    @inline(never)
    private mutating func finishChunks(to end: UnsafeMutableRawPointer) {
        let destination = top.destination
        fullChunks(of: top).withUnsafeBufferPointer { full in
            let elements = CollectedChunks(full: full, last: lastChunk(of: top, to: end))
            destination.layout.withContainer { $0.finish(elements, destination.address) }
            destination.markPresent()
        }
    }
}

// MARK: Doubles

// The elements of an array of doubles are written to the arena by the source. Most such arrays are short, such as coordinates.
extension Driver {
    @inline(__always)
    var nextDoubles: UnsafeMutableBufferPointer<Double>? {
        guard top.form == .array, case .store(.double) = disposition, top.layout.collectsDoubles else { return nil }
        return arena.memory(of: Double.self, from: slot.address)
    }

    @inline(__always)
    mutating func doubles(_ count: Int) {
        slot.address += count &* MemoryLayout<Double>.stride
        if slot.address + MemoryLayout<Double>.stride > arena.limit { continueElements() }
    }

    /// The memory after the elements of the open array. Without a frame, the array must end in this memory.
    @inline(__always)
    var doubleArray: UnsafeMutableBufferPointer<Double>? {
        guard top.form == .array, case .store(.array) = disposition, slot.layout.collectsDoubles else { return nil }
        return arena.memory(of: Double.self, from: slot.address + top.layout.elementStride)
    }

    @inline(__always)
    mutating func doubleArray(_ elements: UnsafeMutableBufferPointer<Double>) {
        slot.initialize(to: elements.copied())
        completedElement()
    }
}

extension LayoutReference {
    /// Whether an array is one of doubles that are not transformed.
    @inline(__always)
    var collectsDoubles: Bool { self.inlineElementKind == .double && isInlineArray }
}
