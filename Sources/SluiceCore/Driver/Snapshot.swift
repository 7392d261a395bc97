// The value as far as it is read: the driver is copied, and the open containers of the copy are closed.

// Unchecked because of the values of generic types. Nothing changes after the snapshot is made.
/// A value as far as it is read. Owns the value.
final class ValueSnapshot: @unchecked Sendable {
    private let shape: JSONShape
    fileprivate let memory: UnsafeMutableRawPointer
    /// Whether the value could be made.
    fileprivate(set) var isPresent = false
    /// Whether the value is complete.
    let isComplete: Bool
    /// The plan of a complete model.
    private let plan: ResolvedPlan?
    /// The properties, if the value is a model that is being read.
    fileprivate(set) var model: PartialModel?
    /// The issues of the parts that are missing.
    fileprivate(set) var issues: [JSONIssue] = []
    /// The path of the value that is being read; nil if no value is.
    let openPath: JSONPath?
    /// The text so far of the string that is being read; nil if the open value is not a string.
    let openText: String?

    fileprivate init(_ layout: LayoutReference, isComplete: Bool, openPath: JSONPath?, openText: String?) {
        shape = layout.shape
        plan = isComplete ? layout.table?.plan : nil
        (self.isComplete, self.openPath, self.openText) = (isComplete, openPath, openText)
        memory = .allocate(byteCount: max(layout.size, 1), alignment: layout.alignmentMask + 1)
    }

    /// Creates the snapshot of a complete value, which is moved out of its memory.
    convenience init(moving value: ValueSlot) {
        self.init(value.layout, isComplete: true, openPath: nil, openText: nil)
        memory.copyMemory(from: value.address, byteCount: value.layout.size)
        isPresent = true
    }

    deinit {
        if isPresent { shape.destroy(memory, 1) }
        memory.deallocate()
    }

    /// The names of the model's properties, and how far their values have been read.
    var properties: [(name: String, state: JSONReadState)] {
        if let model { return model.properties }
        return plan?.decodedFields.map { (plan!.fields[$0].name, .complete) } ?? []
    }

    /// Returns a copy of the value; nil if a required part is missing.
    func value<Value>(as type: Value.Type) -> Value? {
        isPresent ? memory.assumingMemoryBound(to: type).pointee : nil
    }
}

/// Copies of the properties of a model that is being read.
///
/// Invariant: the fields in `filled` are initialized in `memory`.
final class PartialModel {
    private let plan: ResolvedPlan
    private let memory: UnsafeMutableRawPointer
    private let filled: [Int]
    private let open: Set<Int>
    /// Whether the fields are the properties of the model itself, and not of its storage.
    private let isInPlace: Bool

    /// - Parameters:
    ///   - frame: The frame of a model.
    ///   - open: The fields whose values are being read.
    init?(copying frame: FrameReference, open: Set<Int>) {
        guard let table = frame.table, let plan = table.plan else { return nil }
        self.plan = plan
        self.open = open
        isInPlace = !frame.layout.hasStorage
        memory = .allocate(byteCount: max(table.size, 1), alignment: table.alignmentMask + 1)
        memory.copyMemory(from: frame.base, byteCount: table.size)
        var filled: [Int] = []
        frame.forEachFilled { filled.append($0) }
        self.filled = filled
        for field in filled { plan.fields[field].copy(from: frame.base, to: memory) }
    }

    deinit {
        for field in filled { plan.fields[field].destroy(memory + plan.fields[field].offset) }
        memory.deallocate()
    }

    /// The names of the properties that are decoded, and how far their values have been read.
    var properties: [(name: String, state: JSONReadState)] {
        plan.decodedFields.map { (plan.fields[$0].name, state(of: $0)) }
    }

    private func state(of field: Int) -> JSONReadState {
        open.contains(field) ? .open : filled.contains(field) ? .complete : .absent
    }

    /// Returns how far the value of a property has been read; nil if the plan has no such property.
    func state(ofPropertyNamed name: String) -> JSONReadState? {
        plan.decodedFields.first { plan.fields[$0].name == name }.map { state(of: $0) }
    }

    /// Returns the field whose memory contains a property, given the property's offset in the model.
    private func field(at offset: Int) -> Int? {
        guard isInPlace else { return nil }
        return plan.fields.indices.first { field in
            let info = plan.fields[field]
            return info.shape != nil && (info.offset..<info.offset + max(info.declared.size, 1)).contains(offset)
        }
    }

    /// Returns how far the value of a property has been read; nil if the plan has no such property.
    func state(ofPropertyAt offset: Int) -> JSONReadState? { field(at: offset).map { state(of: $0) } }

    /// Returns the value of a property; nil if the value is absent.
    func value<Value>(ofPropertyAt offset: Int, as type: Value.Type) -> Value? {
        guard let field = field(at: offset), filled.contains(field) else { return nil }
        return (memory + offset).assumingMemoryBound(to: type).pointee
    }
}

// MARK: Snapshots

extension Driver {
    /// Returns the value, or the open element of a stream, as far as it is read.
    ///
    /// - Parameters:
    ///   - token: The token that is not complete yet.
    ///   - end: The issue of an input that ends here.
    ///   - options: The options of the driver for a partial value.
    func snapshot(_ token: OpenToken, end: JSONIssue, options: DecodingOptions.Shared) -> ValueSnapshot {
        var text: String?
        if case .string(let contents) = token, !isSkipping { text = contents }
        // The value is being replayed when an error ends the input.
        let isReplaying = replayDepth > 0
        let isReading = text != nil || top.owner != root || isCapturing
        let snapshot = ValueSnapshot(
            root.destination.layout, isComplete: hasResult, openPath: isReading ? end.path : nil, openText: text)
        if isReplaying { return snapshot }
        let model = modelFrame
        let open = model.map { openFields(of: $0, token) } ?? []
        defer { withExtendedLifetime(options) {} }
        var copy = copied(
            to: snapshot.memory, options: .passUnretained(options),
            emit: !elements.isStream
                ? nil
                : { _ in
                    snapshot.isPresent = true
                    return false
                })
        copy.read(openText: text)
        // The open string was the element, which has been passed on.
        if snapshot.isPresent { return snapshot }
        var capture = RawCapture(limits: options.value.limits)
        if let model {
            let depth = index(of: model)
            capture.close(&copy, above: depth, at: end)
            if copy.index(of: copy.top) == depth {
                snapshot.model = PartialModel(copying: copy.top, open: open)
            }
        }
        capture.close(&copy, above: 0, at: end)
        snapshot.issues = copy.collectedIssues
        if !elements.isStream { snapshot.isPresent = copy.takeResult() }
        return snapshot
    }

    /// The frame of the model that is the value or the open element; nil if the value is not a model.
    private var modelFrame: FrameReference? {
        frames(above: root).first { $0.owner != root }.flatMap { $0.form == .object ? $0 : nil }
    }

    /// The fields of an open model whose values are being read.
    private func openFields(of model: FrameReference, _ token: OpenToken) -> Set<Int> {
        guard let entry = model.entry else { return [] }
        var isOpen = model < top || isCapturing
        switch token {
        case .scalar, .string: isOpen = isOpen || !isSkipping
        case .none, .key: break
        }
        return isOpen ? Set(fields(below: entry)) : []
    }

    /// Completes the open string with its contents so far, if the value is a string that needs no conversion. The first letters of the tag
    /// of an enum are no tag, and the first letters of a string of JSON are no JSON.
    private mutating func read(openText text: String?) {
        guard let text, !slot.layout.readsText else { return }
        if top.form == .union, case .union(.awaitingTag) = top.state { return }
        switch disposition {
        case .store(.string), .store(.value): _ = string(text)
        default: break
        }
    }
}

// MARK: Copies

extension Driver {
    /// Returns a driver in the same state, which has copies of the unfinished values.
    ///
    /// The driver creates a new value, and no replay is open.
    ///
    /// - Parameters:
    ///   - target: Memory for one value of the same type as that of this driver.
    ///   - options: The options of the copy, which the caller keeps alive.
    ///   - emit: Receives each element of a stream.
    func copied(
        to target: UnsafeMutableRawPointer, options: Unmanaged<DecodingOptions.Shared>,
        emit: ((UnsafeMutableRawPointer) throws -> Bool)?
    ) -> Driver {
        precondition(merging == nil && replayDepth == 0, "only a new value between chunks can be copied")
        let result = root.destination.layout
        var copy = Driver(
            slot: ValueSlot(address: target, layout: result), table: root.table, options: options, emit: emit)
        copy.copyRoot(root)
        for frame in frames(above: root) { copy.push(copyOf: frame, in: self) }
        copy.slot = ValueSlot(
            address: copy.position(of: slot.address, in: top, of: self), layout: slot.layout)
        copy.continueState(of: self)
        return copy
    }

    private mutating func copyRoot(_ other: FrameReference) {
        (root.presenceBits, root.entry, root.guess) = (other.presenceBits, other.entry, other.guess)
        if root.isFilled(0) {
            let source = other.destination
            ValueCopy.copy(source.layout.shape.type, from: source.address, to: root.destination.address)
        }
    }

    /// Pushes a copy of a frame of another driver, whose outer frames were copied before.
    private mutating func push(copyOf frame: FrameReference, in other: borrowing Driver) {
        let destination = ValueSlot(
            address: position(of: frame.destination.address, in: frame.below, of: other),
            layout: frame.destination.layout)
        push(copyOf: frame.value, for: destination, owner: other.index(of: frame.owner))
        switch frame.form {
        case .object where frame.owner == frame: copyModel(frame)
        case .object, .indexes, .anyIndex, .anyKey: top.base = top.owner.base
        case .array, .pairs: copyElements(frame, in: other)
        case .wrapped:
            let layout = frame.layout
            if let union = layout.union {
                top.base = arena.allocate(union.size, alignmentMask: 63)
            } else {
                let inner = layout.element.unsafelyUnwrapped
                top.base = arena.allocate(inner.size, alignmentMask: inner.alignmentMask)
            }
        case .union: copyPayload(frame)
        case .root, .changed: preconditionFailure("the frame belongs to a merge")
        }
    }

    /// Returns the position in the top frame's memory that corresponds to an address in the memory of another driver's frame.
    private func position(
        of address: UnsafeMutableRawPointer, in frame: FrameReference, of other: borrowing Driver
    ) -> UnsafeMutableRawPointer {
        switch top.form {
        case .array, .pairs: top.cursor + (address - other.elementsEnd(of: frame))
        default: top.base + (address - frame.base)
        }
    }

    private mutating func copyModel(_ frame: FrameReference) {
        let table = frame.keyTable
        if frame.layout.hasStorage { allocateStorage(table) }
        if let bits = frame.extendedPresence {
            let count = table.extendedPresenceSize
            top.extendedPresence = ExtendedPresence(bits, copiedTo: arena.allocate(count, alignmentMask: 7), count)
        }
        // Copies the bytes of fields that are nil. The values of filled fields replace the other bytes.
        top.base.copyMemory(from: frame.base, byteCount: table.size)
        let (base, fields) = (top.base, table.fields)
        frame.forEachFilled { fields[$0].copy(from: frame.base, to: base) }
    }

    /// Copies the elements or pairs of a frame to one block.
    private mutating func copyElements(_ frame: FrameReference, in other: borrowing Driver) {
        let (layout, blocks) = (frame.layout, other.blocks(of: frame))
        let count = blocks.reduce(0) { $0 + $1.count }
        let start = arena.allocate(
            (count + 1) * layout.elementStride, alignmentMask: layout.elementAlignmentMask)
        (top.base, top.cursor) = (start, start)
        layout.withContainer { container in
            for block in blocks {
                ValueCopy.copy(container.element.type, block.count, from: block.start!, to: top.cursor)
                top.cursor += block.count * layout.elementStride
            }
        }
        guard frame.hasKey else { return }
        let key = other.elementsEnd(of: frame)
        layout.withDictionary { ValueCopy.copy($0.keys.type, from: key, to: top.cursor) }
    }

    private mutating func copyPayload(_ frame: FrameReference) {
        let union = frame.layout.union!
        top.base = arena.allocate(union.size, alignmentMask: 63)
        // Copies the bytes of a payload that is nil.
        top.base.copyMemory(from: frame.base, byteCount: union.size)
        guard frame.hasPayload, let payload = payloadSlot(of: frame) else { return }
        ValueCopy.copy(
            payload.layout.shape.type, from: payload.address, to: top.base + ResolvedUnion.payloadOffset)
    }
}

extension FieldInfo {
    /// Copies the value of the field from the memory of one model to that of another.
    func copy(from source: UnsafeMutableRawPointer, to target: UnsafeMutableRawPointer) {
        ValueCopy.copy(declared.type, from: source + offset, to: target + offset)
    }
}
