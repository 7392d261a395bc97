// The value as far as it is read, as a value of its own: the driver is copied, and the open containers of the copy are closed.

/// The facts about a value that is being read that need no copy of the value.
package struct SnapshotOverview {
    /// Whether the value is complete.
    package let isComplete: Bool
    /// The path of the value that is being read; nil if no value is.
    package let openPath: JSONPath?
    /// The properties of the model that is complete or is being read; nil if the value is not a model.
    package let model: ModelStates?
}

/// How far the properties of a model have been read.
package struct ModelStates {
    /// How far the value of a property has been read.
    package enum ReadState { case absent, open, complete }

    let plan: ResolvedPlan
    /// The fields that have values; nil for all.
    let filled: FieldSet?
    /// The fields whose values are being read.
    let open: FieldSet
    /// Whether the fields are the properties of the model itself, and not of its storage.
    package let isInPlace: Bool

    /// Whether the model is being read.
    package var isOpen: Bool { filled != nil }

    /// The names of the properties that are decoded, and how far their values have been read.
    package var properties: [(name: String, state: ReadState)] {
        plan.decodedFields.map { (plan.fields[$0].name, state(of: $0)) }
    }

    private func state(of field: Int) -> ReadState {
        guard let filled else { return .complete }
        return open.contains(field) ? .open : filled.contains(field) ? .complete : .absent
    }

    /// Returns how far the value of a property has been read; nil if the plan has no such property.
    package func state(ofPropertyNamed name: String) -> ReadState? {
        plan.decodedFields.first { plan.fields[$0].name == name }.map { state(of: $0) }
    }

    /// Returns the field whose memory contains a property, given the property's offset in the model.
    func field(at offset: Int, size: Int) -> Int? { isInPlace ? fields(at: offset, size: size).first : nil }

    /// Returns the field that is a property, or the fields that have memory in common with the property.
    private func fields(at offset: Int, size: Int) -> [Int] {
        func fields(where isFound: (_ bytes: Range<Int>) -> Bool) -> [Int] {
            plan.fields.indices.filter { field in
                let info = plan.fields[field]
                return info.shape != nil && isFound(info.offset..<info.offset + info.declared.size)
            }
        }
        // A field without bytes, such as a model without properties, may have the offset of the next one.
        let equal = fields { $0 == offset..<offset + size }
        return equal.isEmpty ? fields { $0.overlaps(offset..<offset + max(size, 1)) } : equal
    }

    /// Whether the memory of a property is not that of one field, or of a part of one: a flattened model may have several fields.
    package func isSpread(at offset: Int, size: Int) -> Bool {
        let fields = fields(at: offset, size: size)
        guard let first = fields.first else { return false }
        let info = plan.fields[first]
        return fields.count > 1 || offset < info.offset || offset + size > info.offset + info.declared.size
    }

    /// Returns how far the value of a property has been read; nil if the plan has no such property. A property with several fields is being
    /// read until all of them are complete.
    package func state(ofPropertyAt offset: Int, size: Int) -> ReadState? {
        let states = fields(at: offset, size: size).filter { plan.fields[$0].isRead }.map { state(of: $0) }
        guard let first = states.first else { return nil }
        return states.allSatisfy { $0 == first } ? first : .open
    }
}

// Unchecked because of the values of generic types. Nothing changes after the copy is made.
/// Copies of a value as far as it is read. Owns the value.
package final class SnapshotCopy: @unchecked Sendable {
    private let shape: JSONShape
    fileprivate let memory: UnsafeMutableRawPointer
    /// Whether the value could be made.
    fileprivate(set) var isPresent = false
    package let overview: SnapshotOverview
    /// The properties, if the value is a model that is being read.
    fileprivate(set) var model: PartialModel?
    /// The issues of the parts that are missing.
    package fileprivate(set) var issues: [JSONIssue] = []
    /// The text so far of the string that is being read; nil if the open value is not a string.
    package let openText: String?
    /// Whether the value is one that followed the input.
    private var isFollowed = false
    /// The property of a model that followed the input whose value is open.
    private var openField: Int?

    fileprivate init(
        _ layout: LayoutReference, _ overview: consuming SnapshotOverview, openText: consuming String?
    ) {
        shape = layout.shape
        self.overview = overview
        self.openText = openText
        memory = .allocate(byteCount: max(layout.size, 1), alignment: layout.alignmentMask + 1)
    }

    /// Creates the copy of a complete value, which is moved out of its memory.
    convenience init(moving value: ValueSlot) {
        let model = value.layout.table?.plan.map {
            ModelStates(plan: $0, filled: nil, open: FieldSet(), isInPlace: true)
        }
        self.init(value.layout, SnapshotOverview(isComplete: true, openPath: nil, model: model), openText: nil)
        ValueCopy.move(shape.type, from: value.address, to: memory)
        isPresent = true
    }

    /// Creates a copy of a value that follows the input.
    ///
    /// - Parameter openField: The field of the outermost model whose value is open and can be shown.
    package convenience init(
        of value: UnsafeRawPointer, _ layout: LayoutReference, _ overview: consuming SnapshotOverview,
        openText: consuming String?, openField: Int?, issues: [JSONIssue]
    ) {
        self.init(layout, overview, openText: openText)
        ValueCopy.copy(shape.type, from: value, to: memory)
        (isPresent, isFollowed, self.openField) = (true, true, openField)
        if !issues.isEmpty { self.issues = issues }
    }

    deinit {
        if isPresent { shape.destroy(memory, 1) }
        memory.deallocate()
    }

    /// Returns a copy of the value; nil if a required part is missing.
    package func value<Value>(as type: Value.Type) -> Value? {
        isPresent ? memory.assumingMemoryBound(to: type).pointee : nil
    }

    /// Returns the value of a property of the model that was being read; nil if the value is absent.
    package func value<Value>(ofPropertyAt offset: Int, as type: Value.Type) -> Value? {
        if let model { return model.value(ofPropertyAt: offset, as: type) }
        guard isFollowed, let states = overview.model,
            let field = states.field(at: offset, size: MemoryLayout<Value>.size),
            field == openField || states.filled?.contains(field) == true
        else { return nil }
        return (memory + offset).assumingMemoryBound(to: type).pointee
    }
}

/// Copies of the properties of a model that is being read.
///
/// Invariant: the fields in `filled` are initialized in `memory`.
final class PartialModel {
    private let states: ModelStates
    private let memory: UnsafeMutableRawPointer
    private let filled: [Int]

    /// - Parameters:
    ///   - frame: The frame of a model.
    ///   - states: The fields that have values and those that are being read.
    fileprivate init(copying frame: FrameReference, _ states: ModelStates) {
        self.states = states
        let (table, fields) = (frame.keyTable, states.plan.fields)
        memory = .allocate(byteCount: max(table.size, 1), alignment: table.alignmentMask + 1)
        memory.copyMemory(from: frame.base, byteCount: table.size)
        var filled: [Int] = []
        frame.forEachFilled { filled.append($0) }
        self.filled = filled
        for field in filled { fields[field].copy(from: frame.base, to: memory) }
    }

    deinit {
        for field in filled { states.plan.fields[field].destroy(memory + states.plan.fields[field].offset) }
        memory.deallocate()
    }

    /// Returns the value of a property; nil if the value is absent.
    func value<Value>(ofPropertyAt offset: Int, as type: Value.Type) -> Value? {
        guard let field = states.field(at: offset, size: MemoryLayout<Value>.size), filled.contains(field) else {
            return nil
        }
        return (memory + offset).assumingMemoryBound(to: type).pointee
    }
}

// MARK: Snapshots

extension Driver {
    /// Returns the facts about the value, or about the open element of a stream, that need no copy of the value.
    ///
    /// - Parameter token: The token that is not complete yet.
    package func overview(_ token: OpenToken) -> SnapshotOverview {
        let isReading = token == .string && !isSkipping || top.owner != root || isRecording
        let path = isReading ? path(atValue: token != .key || skipDepth > 0) : nil
        return SnapshotOverview(isComplete: hasResult, openPath: path, model: modelStates(token))
    }

    private func modelStates(_ token: OpenToken) -> ModelStates? {
        if hasResult {
            return root.destination.layout.table?.plan.map {
                ModelStates(plan: $0, filled: nil, open: FieldSet(), isInPlace: true)
            }
        }
        // The value is being replayed when an error ends the input.
        guard replayDepth == 0, let model = modelFrame else { return nil }
        return modelStates(of: model, open: openFields(of: model, token))
    }

    private func modelStates(of model: FrameReference, open: FieldSet) -> ModelStates? {
        guard let plan = model.table?.plan else { return nil }
        var filled = FieldSet()
        model.forEachFilled { filled.insert($0) }
        return ModelStates(plan: plan, filled: filled, open: open, isInPlace: !model.layout.hasStorage)
    }

    /// Whether the value is a string whose contents so far can be shown.
    package func isReadingText(_ token: OpenToken) -> Bool { token == .string && !isSkipping }

    /// Returns the address of a property of the open model that is complete.
    package func address(ofPropertyAt offset: Int, size: Int, _ token: OpenToken) -> UnsafeRawPointer? {
        guard let model = modelFrame, let states = modelStates(token), states.isOpen,
            let field = states.field(at: offset, size: size), states.filled?.contains(field) == true,
            !states.open.contains(field)
        else { return nil }
        return UnsafeRawPointer(model.base + offset)
    }

    /// Returns copies of the value, or of the open element of a stream, as far as it is read.
    ///
    /// - Parameters:
    ///   - token: The token that is not complete yet.
    ///   - text: The contents so far, if the token is a string of the value.
    ///   - end: The issue of an input that ends here.
    ///   - options: The options of the driver for a partial value.
    package func snapshot(
        _ token: OpenToken, text: String?, end: JSONIssue, options: DecodingOptions.Shared
    ) -> SnapshotCopy {
        let snapshot = SnapshotCopy(root.destination.layout, overview(token), openText: text)
        if replayDepth > 0 { return snapshot }
        let model = modelFrame
        let open = model.map { openFields(of: $0, token) } ?? FieldSet()
        var copy = DriverCopy(
            of: self, at: snapshot.memory, options,
            emit: !session.elements.isStream
                ? nil
                : { _ in
                    snapshot.isPresent = true
                    return nil
                })
        copy.read(openText: text)
        // The open string was the element, which has been passed on.
        if snapshot.isPresent { return snapshot }
        if let model {
            let depth = index(of: model)
            copy.close(above: depth, at: end)
            let top = copy.driver.top
            if copy.driver.index(of: top) == depth, let states = copy.driver.modelStates(of: top, open: open) {
                snapshot.model = PartialModel(copying: top, states)
            }
        }
        copy.close(above: 0, at: end)
        snapshot.issues = copy.driver.collectedIssues
        if !session.elements.isStream { snapshot.isPresent = copy.driver.takeResult() }
        return snapshot
    }

    /// Makes the value of a frame and of the frames above it, as far as it is read.
    ///
    /// - Parameters:
    ///   - frame: A frame that owns all frames above it.
    ///   - target: Memory for the value.
    ///   - text: The contents so far, if the open token is a string of the value.
    ///   - end: The issue of an input that ends here.
    ///   - options: The options of the driver for a partial value.
    /// - Returns: Whether the value could be made, and the issues of its parts.
    package func makePart(
        _ frame: FrameReference, at target: UnsafeMutableRawPointer, text: String?, end: JSONIssue,
        options: DecodingOptions.Shared
    ) -> (isPresent: Bool, issues: [JSONIssue]) {
        var copy = DriverCopy(of: self, from: frame, at: target, options)
        copy.read(openText: text)
        copy.close(above: 0, at: end)
        var issues = copy.driver.collectedIssues
        if !issues.isEmpty {
            if isLossyContainer(frame.below) { return (false, []) }
            let path = path(atValue: true, to: frame)
            for index in issues.indices { issues[index].path.components.insert(contentsOf: path.components, at: 0) }
        }
        return (copy.driver.takeResult(), issues)
    }

    /// The frame of the model that is the value or the open element; nil if the value is not a model.
    private var modelFrame: FrameReference? {
        frames(above: root).first { $0.owner != root }.flatMap { $0.form == .object ? $0 : nil }
    }

    /// The fields of an open model whose values are being read.
    private func openFields(of model: FrameReference, _ token: OpenToken) -> FieldSet {
        var fields = FieldSet()
        guard let entry = model.entry else { return fields }
        var isOpen = model < top || isRecording
        switch token {
        case .scalar, .string: isOpen = isOpen || !isSkipping
        case .none, .key: break
        }
        if !isOpen { return fields }
        if entry.child == nil {
            if entry.field >= 0 { fields.insert(entry.field) }
        } else {
            for field in self.fields(below: entry) { fields.insert(field) }
        }
        return fields
    }
}

// MARK: Copies

/// A driver in the state of another one between two chunks, with copies of the unfinished values.
struct DriverCopy: ~Copyable {
    var driver: Driver
    private let options: DecodingOptions.Shared
    private var recorder: RawRecorder

    /// - Parameters:
    ///   - other: A driver that creates a new value, and has no open replay.
    ///   - first: A frame that owns all frames above it, whose value the copy makes; nil for the value of the driver.
    ///   - target: Memory for the value.
    ///   - options: The options of the copy.
    ///   - emit: Receives each element of a stream.
    init(
        of other: borrowing Driver, from first: FrameReference? = nil, at target: UnsafeMutableRawPointer,
        _ options: DecodingOptions.Shared, emit: ElementReceiver.Closure? = nil
    ) {
        precondition(other.replayDepth == 0, "only a new value between chunks can be copied")
        self.options = options
        recorder = RawRecorder(limits: options.value.limits)
        let root = first ?? other.root
        driver = Driver(
            slot: ValueSlot(address: target, layout: root.layout), table: first == nil ? root.table : nil,
            options: .passUnretained(options), emit: emit)
        if first == nil { copyRoot(root) }
        for frame in other.frames(above: first?.below ?? root) { push(copyOf: frame, in: other, from: first) }
        driver.slot = ValueSlot(
            address: position(of: other.slot.address, in: other.top, of: other), layout: other.slot.layout)
        driver.continueState(of: other)
    }

    /// Closes open containers, as if the input ended.
    ///
    /// - Parameter depth: The number of outer frames that stay open.
    mutating func close(above depth: Int, at end: JSONIssue) { recorder.close(&driver, above: depth, at: end) }

    /// Completes the open string with its contents so far, if the value is a string that needs no conversion. The first letters of the tag
    /// of an enum are no tag, and the first letters of a string of JSON are no JSON.
    mutating func read(openText text: String?) {
        guard let text, driver.storesText else { return }
        if driver.top.form == .union, case .union(.awaitingTag) = driver.top.state { return }
        _ = driver.string(text)
    }

    private mutating func copyRoot(_ other: FrameReference) {
        (driver.root.presenceBits, driver.root.entry, driver.root.guess) = (
            other.presenceBits, other.entry, other.guess
        )
        if driver.root.isFilled(0) {
            let source = other.destination
            ValueCopy.copy(source.layout.shape.type, from: source.address, to: driver.root.destination.address)
        }
    }

    /// Pushes a copy of a frame, whose outer frames were copied before.
    private mutating func push(
        copyOf frame: FrameReference, in other: borrowing Driver, from first: FrameReference?
    ) {
        let address =
            frame == first
            ? driver.root.destination.address : position(of: frame.destination.address, in: frame.below, of: other)
        let destination = ValueSlot(address: address, layout: frame.destination.layout)
        let outer = first.map { other.index(of: $0) - 1 } ?? 0
        driver.push(copyOf: frame.value, for: destination, owner: other.index(of: frame.owner) - outer)
        switch frame.form {
        case .object where frame.owner == frame:
            copyModel(frame)
            copyAddition(frame)
        case .object, .indexes, .anyIndex, .anyKey:
            driver.top.base = driver.top.owner.base
            copyAddition(frame)
        case .array, .pairs: copyElements(frame, in: other)
        case .converted:
            let layout = frame.layout
            if let union = layout.union {
                driver.top.base = driver.arena.allocate(union.size, alignmentMask: TypeLayout.maximumAlignmentMask)
            } else {
                let inner = layout.element.unsafelyUnwrapped
                driver.top.base = driver.arena.allocate(inner.size, alignmentMask: inner.alignmentMask)
            }
        case .union: copyPayload(frame)
        case .root: preconditionFailure("the root has no frame above")
        }
    }

    /// Returns the position in the top frame's memory that corresponds to an address in the memory of another driver's frame.
    private func position(
        of address: UnsafeMutableRawPointer, in frame: FrameReference, of other: borrowing Driver
    ) -> UnsafeMutableRawPointer {
        switch driver.top.form {
        case .array, .pairs: driver.top.cursor + (address - other.elementsEnd(of: frame))
        case _ where frame.isNode && frame.entry?.addsToContainer == true:
            driver.top.cursor + (address - frame.cursor)
        default: driver.top.base + (address - frame.base)
        }
    }

    private mutating func copyModel(_ frame: FrameReference) {
        let table = frame.keyTable
        // The table of a joined model is larger than the model. Its object is complete in the window, and never open between chunks.
        assert(!frame.isJoined)
        if frame.layout.hasStorage { driver.allocateStorage(table) }
        if let bits = frame.extendedPresence {
            driver.allocateExtendedPresence(table.extendedPresenceSize)
            driver.top.extendedPresence?.copy(bits, table.extendedPresenceSize)
        }
        // Copies the bytes of fields that are nil. The values of filled fields replace the other bytes.
        driver.top.base.copyMemory(from: frame.base, byteCount: table.size)
        let (base, fields) = (driver.top.base, table.fields)
        frame.forEachFilled { fields[$0].copy(from: frame.base, to: base) }
    }

    /// Targets memory for the value that is being added to a container, as the frame does.
    private mutating func copyAddition(_ frame: FrameReference) {
        guard let entry = frame.entry, entry.addsToContainer else { return }
        driver.targetAddition(entry)
    }

    /// Copies the elements or pairs of a frame to one chunk.
    private mutating func copyElements(_ frame: FrameReference, in other: borrowing Driver) {
        let (layout, chunks) = (frame.layout, other.chunks(of: frame))
        let count = chunks.reduce(0) { $0 + $1.count }
        driver.top.countBefore = frame.countBefore - chunks.dropLast().reduce(0) { $0 + $1.count }
        let start = driver.arena.allocate(
            (count + 1) * layout.elementStride, alignmentMask: layout.elementAlignmentMask)
        (driver.top.base, driver.top.cursor) = (start, start)
        layout.withContainer { container in
            for chunk in chunks {
                ValueCopy.copy(container.element.type, chunk.count, from: chunk.start!, to: driver.top.cursor)
                driver.top.cursor += chunk.count * layout.elementStride
            }
        }
        guard frame.flags.contains(.hasKey) else { return }
        let key = other.elementsEnd(of: frame)
        layout.withDictionary { ValueCopy.copy($0.keys.type, from: key, to: driver.top.cursor) }
    }

    private mutating func copyPayload(_ frame: FrameReference) {
        let union = frame.layout.union!
        driver.top.base = driver.arena.allocate(union.size, alignmentMask: TypeLayout.maximumAlignmentMask)
        // Copies the bytes of a payload that is nil.
        driver.top.base.copyMemory(from: frame.base, byteCount: union.size)
        guard frame.hasPayload, let payload = driver.payloadSlot(of: frame) else { return }
        ValueCopy.copy(
            payload.layout.shape.type, from: payload.address, to: driver.top.base + ResolvedUnion.payloadOffset)
    }
}

extension FieldInfo {
    /// Copies the value of the field from the memory of one model to that of another.
    package func copy(from source: UnsafeMutableRawPointer, to target: UnsafeMutableRawPointer) {
        ValueCopy.copy(declared.type, from: source + offset, to: target + offset)
    }
}
