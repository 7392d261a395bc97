// Objects and arrays: pushes a frame if the value has a destination, otherwise counts brackets.

extension Driver {
    @inline(__always)
    mutating func startObject() -> TokenAction {
        if kind == .model {
            pushModel()
            return .proceed
        }
        if kind == .skip {
            skipDepth &+= 1
            return .proceed
        }
        return startOtherObject()
    }

    @inline(__always)
    mutating func startArray() -> TokenAction {
        if kind == .array {
            pushRun(.array, shape)
            return .proceed
        }
        if kind == .skip {
            skipDepth &+= 1
            return .proceed
        }
        return startOtherArray()
    }

    @inline(__always)
    mutating func endObject() -> TokenAction {
        if skipDepth != 0 { return endSkipped() }
        if top.pointee.form == .object {
            return top.pointee.owner == top ? endModel() : endNode()
        }
        return top.pointee.form == .pairs ? endRun() : endOtherObject()
    }

    @inline(never)
    private mutating func endOtherObject() -> TokenAction {
        if top.pointee.form == .union { return endUnion() }
        freeExtras(of: top)
        return pop()
    }

    @inline(__always)
    mutating func endArray() -> TokenAction {
        if skipDepth != 0 { return endSkipped() }
        if top.pointee.form == .array { return endRun() }
        return top.pointee.form == .elements ? endElements() : endNode()
    }

    @inline(__always)
    private mutating func endSkipped() -> TokenAction {
        skipDepth &-= 1
        if skipDepth != 0 { return .proceed }
        return isCapturing ? .endCapture : passed()
    }

    // MARK: Opening

    @inline(__always)
    private mutating func pushModel() {
        push(.object, shape: shape)
        let table = shape.pointee.table.unsafelyUnwrapped
        top.pointee.guess = table.pointee.entries
        if shape.pointee.hasStorage {
            top.pointee.base = arena.take(table.pointee.size, alignmentMask: table.pointee.alignmentMask)
        }
        if table.pointee.furtherBytes > 0 { takeFurtherBits(table.pointee.furtherBytes) }
        if let template = table.pointee.template {
            top.pointee.base.copyMemory(from: template, byteCount: table.pointee.size)
        }
        objectCount &+= 1
        top.pointee.detail = .model(serial: objectCount)
        top.pointee.isSpecial = table.pointee.isSpecial
    }

    @inline(never)
    mutating func takeFurtherBits(_ count: Int) {
        let side = arena.take(count, alignmentMask: 7)
        side.initializeMemory(as: UInt8.self, repeating: 0, count: count)
        top.pointee.furtherBits = side.assumingMemoryBound(to: UInt8.self)
    }

    @inline(__always)
    private mutating func pushRun(_ form: DecodingFrame.Form, _ container: UnsafePointer<TypeLayout>) {
        push(form, shape: container)
        let start = arena.beginElements(
            stride: container.pointee.runStride, alignmentMask: container.pointee.runAlignmentMask)
        top.pointee.base = start
        top.pointee.cursor = start
        aimAtRun(start)
    }

    private mutating func pushNode(_ form: DecodingFrame.Form, _ table: UnsafePointer<KeyTable>) {
        push(form, shape: shape)
        top.pointee.table = table
        top.pointee.owner = (top - 1).pointee.owner
        top.pointee.base = (top - 1).pointee.base
        top.pointee.guess = table.pointee.entries
        if top.pointee.owner.pointee.isMerged { guessNothing() }
        if form != .object {
            top.pointee.detail = .position(0)
            // An array, or all members of an object, are replaced as a whole.
            if top.pointee.owner.pointee.isMerged { removeFields(of: table) }
            if table.pointee.gatheringCount > 0 { beginGathering(table) }
            if form != .members { aimAtIndex() }
        }
    }

    /// The table of the current object or array on a path.
    var nodeTable: UnsafePointer<KeyTable> {
        if top.pointee.form == .root { return top.pointee.table.unsafelyUnwrapped }
        return top.pointee.entry.unsafelyUnwrapped.pointee.child.unsafelyUnwrapped
    }

    @inline(never)
    private mutating func startOtherObject() -> TokenAction {
        replaceValue(isObject: true)
        switch kind {
        case .model: pushModel()
        case .dictionary: pushRun(.pairs, shape)
        case .union: return beginUnion()
        case .wrapped: return beginWrapped() ? startObject() : failWrapping(at: .openingBracket)
        case .tee: return beginCapture(.field)
        case .composite: return beginCapture(.composite)
        case .merging where shape.pointee.kind == .model: return beginMerged()
        case .merging where shape.pointee.isPatchable: return beginPatch()
        case .merging where shape.pointee.kind == .array:
            return fail(.mismatch, found: "an object", at: .openingBracket)
        case .merging: pushUpdate()
        case .patch: return beginPatch()
        case .value where isAtGreatestDepth: return failDeepValue(at: .openingBracket)
        case .value: pushRun(.pairs, shape.pointee.objectForm.unsafelyUnwrapped)
        case .raw: return beginCapture(.raw)
        case .node where nodeTable.pointee.form == .object: pushNode(.object, nodeTable)
        case .node where nodeTable.pointee.form == .members: pushNode(.members, nodeTable)
        default: return fail(.mismatch, found: "an object", at: .openingBracket)
        }
        return .proceed
    }

    @inline(never)
    private mutating func startOtherArray() -> TokenAction {
        replaceValue(isArray: true)
        switch kind {
        case .merging where mergesElements(shape): return beginElements()
        case .array: pushRun(.array, shape)
        case .wrapped: return beginWrapped() ? startArray() : failWrapping(at: .openingBracket)
        case .tee: return beginCapture(.field)
        case .union where takesAnything: return beginCapture(.union)
        case .value where isAtGreatestDepth: return failDeepValue(at: .openingBracket)
        case .value: pushRun(.array, shape.pointee.arrayForm.unsafelyUnwrapped)
        case .raw: return beginCapture(.raw)
        case .node where nodeTable.pointee.form == .indexes: pushNode(.indexes, nodeTable)
        case .node where nodeTable.pointee.form == .every: pushNode(.every, nodeTable)
        default: return fail(.mismatch, found: "an array", at: .openingBracket)
        }
        return .proceed
    }

    /// Whether the current value belongs to a `JSONValue` at its greatest depth. Releasing a nested value uses stack per level.
    private var isAtGreatestDepth: Bool {
        guard index(of: top) >= JSONValue.greatestDepth else { return false }
        return (0..<JSONValue.greatestDepth).allSatisfy { (top - $0).pointee.isOfValue }
    }

    mutating func failDeepValue(at site: FailureSite) -> TokenAction {
        fail(.limitExceeded(.depth, limit: JSONValue.greatestDepth), at: site)
    }

    mutating func beginCapture(_ purpose: RecordingPurpose) -> TokenAction {
        recordingPurpose = purpose
        isCapturing = true
        skipDepth = 1
        kind = .skip
        return .beginCapture
    }

    // MARK: Closing

    /// Pops the frame on top, whose value is complete at the frame's target.
    @inline(__always)
    mutating func pop() -> TokenAction {
        let closed = top
        arena.restore(closed.pointee.mark)
        top = closed - 1
        if top.pointee.form == .array {
            aimAtRun(top.pointee.cursor)
        } else {
            target = closed.pointee.target
        }
        return completed()
    }

    @inline(__always)
    private mutating func endModel() -> TokenAction {
        let table = top.pointee.table.unsafelyUnwrapped
        let filled = top.pointee.presenceBits
        if top.pointee.isSpecial { return endSpecial(table) }
        if table.pointee.required & ~filled != 0 { return failMissing(table) }
        if table.pointee.defaults & ~filled != 0 { fillDefaults(table) }
        let layout = top.pointee.shape
        if layout.pointee.hasStorage {
            table.makeModel(from: top.pointee.base, at: top.pointee.target)
        }
        layout.injectTag(top.pointee.target)
        return pop()
    }

    private mutating func endNode() -> TokenAction {
        freeExtras(of: top)
        return pop()
    }

    @inline(__always)
    private mutating func endRun() -> TokenAction {
        let end = top.pointee.form == .array ? target : top.pointee.cursor
        if arena.hasFullBlocks(since: top.pointee.mark) {
            finishBlocks(to: end)
        } else {
            finishBlock(from: top.pointee.base, to: end)
        }
        if rejectsDuplicates { freeExtras(of: top) }
        return pop()
    }

    /// Makes the container of elements that are contiguous.
    @inline(__always)
    private func finishBlock(from start: UnsafeMutableRawPointer, to end: UnsafeMutableRawPointer) {
        let (container, target) = (top.pointee.shape, top.pointee.target)
        switch container.pointee.leaf {
        case .double: target.initializeMemory(as: [Double].self, to: Self.array(start, end))
        case .int: target.initializeMemory(as: [Int].self, to: Self.array(start, end))
        case .string:
            let strings = ElementBlock(start: start, count: (end - start) / MemoryLayout<String>.stride)
            target.initializeMemory(
                as: [String].self, to: Array(taking: CollectedElements(CollectedBlocks(strings))))
        default:
            let elements = CollectedBlocks(lastBlock(of: top, to: end))
            container.withContainer { $0.finish(elements, target) }
        }
    }

    /// Makes the container of elements in several blocks.
    @inline(never)
    private func finishBlocks(to end: UnsafeMutableRawPointer) {
        let (container, target) = (top.pointee.shape, top.pointee.target)
        fullBlocks(of: top).withUnsafeBufferPointer { full in
            let elements = CollectedBlocks(full: full, last: lastBlock(of: top, to: end))
            container.withContainer { $0.finish(elements, target) }
        }
    }

    /// Makes an array of trivial elements.
    ///
    /// Short arrays, such as coordinates, are made by literals, which are faster. The initializer that copies a block asks the
    /// allocator for the size of the new memory. A literal does not.
    @inline(__always)
    private static func array<T: BitwiseCopyable>(
        _ start: UnsafeMutableRawPointer, _ end: UnsafeMutableRawPointer
    ) -> [T] {
        let elements = start.assumingMemoryBound(to: T.self)
        let count = (end - start) / MemoryLayout<T>.stride
        switch count {
        case 1: return [elements[0]]
        case 2: return [elements[0], elements[1]]
        case 3: return [elements[0], elements[1], elements[2]]
        case 4: return [elements[0], elements[1], elements[2], elements[3]]
        default: return Array(UnsafeBufferPointer(start: elements, count: count))
        }
    }
}
