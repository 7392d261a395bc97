// The value as far as it is read. Its parts are copied when they are first asked for, or when the input continues while the snapshot is
// in use: the driver is copied, and the open containers of the copy are closed.

/// Reads the value or the envelope of a document between two chunks.
///
/// The closures do not retain the document, and are not called after its end.
final class SnapshotReader {
    /// Returns the facts that need no copy of a value.
    let overview: () -> SnapshotOverview
    /// Returns the text so far of the string that is being read; nil if the open value is not a string.
    let openText: () -> String?
    /// Returns the address of the complete property of the open model that has an offset in the model and a size; nil if it is not complete.
    let propertyAddress: (_ offset: Int, _ size: Int) -> UnsafeRawPointer?
    /// Returns the address of the value, which is valid until the document continues; nil if the value cannot be followed.
    let value: () -> UnsafeRawPointer?
    /// Returns copies of all that is read.
    let copy: () -> SnapshotCopy
    /// Returns what has changed since the last call.
    let changes: () -> [JSONChange]
    /// The lock of the document, which all of its snapshots share.
    let lock: SnapshotLock

    init(
        _ lock: SnapshotLock, overview: @escaping () -> SnapshotOverview, openText: @escaping () -> String?,
        propertyAddress: @escaping (_ offset: Int, _ size: Int) -> UnsafeRawPointer?,
        value: @escaping () -> UnsafeRawPointer?, copy: @escaping () -> SnapshotCopy,
        changes: @escaping () -> [JSONChange]
    ) {
        self.lock = lock
        (self.overview, self.openText, self.propertyAddress) = (overview, openText, propertyAddress)
        (self.value, self.copy, self.changes) = (value, copy, changes)
    }
}

/// Guards a document between two chunks, when snapshots on other threads read the document. A look at the open value marks frames.
final class SnapshotLock: Sendable {
    private let lock = Lock<Void>(())

    func callAsFunction<Result>(_ body: () -> Result) -> Result { lock.withLock { _ in body() } }
}

/// A value as far as it is read.
///
/// Invariant: the document of the reader exists and is between two chunks as long as `isLive` is set. The document calls `settle` before
/// it continues.
// Unchecked because a reader is not `Sendable`. One thread at a time uses the reader and the variables: the one that has the lock.
package final class ValueSnapshot: @unchecked Sendable {
    private let lock: SnapshotLock
    /// Nil for the snapshot of a complete value.
    private let reader: SnapshotReader?
    private var isLive: Bool
    private var knownOverview: SnapshotOverview?
    private var knownCopy: SnapshotCopy?

    /// Creates a snapshot of the value or the envelope that a reader reads.
    init(_ reader: SnapshotReader) {
        self.reader = reader
        lock = reader.lock
        isLive = true
    }

    /// Creates the snapshot of a value that is not read further.
    init(_ copy: SnapshotCopy) {
        reader = nil
        lock = SnapshotLock()
        (isLive, knownCopy) = (false, copy)
    }

    /// Creates the snapshot of a complete value, which is moved out of its memory.
    convenience init(moving value: ValueSlot) { self.init(SnapshotCopy(moving: value)) }

    /// Copies all that is read, before the reader continues.
    func settle() {
        lock {
            _ = copy()
            isLive = false
        }
    }

    /// Forgets all that was read, so that the snapshot serves the next look.
    ///
    /// - Precondition: No other object uses the snapshot, and the reader reads it.
    func restart() {
        lock {
            if knownCopy != nil { knownCopy = nil }
            if knownOverview != nil { knownOverview = nil }
        }
    }

    private func copy() -> SnapshotCopy {
        if let knownCopy { return knownCopy }
        guard isLive, let copy = reader?.copy() else { preconditionFailure("a snapshot has no value") }
        knownCopy = copy
        return copy
    }

    /// The facts that need no copy of a value.
    package var overview: SnapshotOverview {
        lock {
            if let knownCopy { return knownCopy.overview }
            if let knownOverview { return knownOverview }
            guard isLive, let overview = reader?.overview() else { preconditionFailure("a snapshot has no value") }
            knownOverview = overview
            return overview
        }
    }

    /// The text so far of the string that is being read; nil if the open value is not a string.
    package var openText: String? {
        lock {
            if let knownCopy { return knownCopy.openText }
            return isLive ? reader?.openText() : nil
        }
    }

    /// Returns what has changed in the value since the last call; nil if the value is complete.
    package func takeChanges() -> [JSONChange]? { lock { isLive ? reader?.changes() : nil } }

    /// The issues of the parts that are missing.
    package var issues: [JSONIssue] { lock { copy().issues } }

    // The closures return the values themselves: a variable around them would copy a value once more.

    /// Returns a copy of the value; nil if a required part is missing.
    package func value<Value>(as type: Value.Type) -> Value? {
        lock { () -> Value? in
            if knownCopy == nil, isLive, let address = reader?.value() {
                return address.assumingMemoryBound(to: type).pointee
            }
            return copy().value(as: type)
        }
    }

    /// Returns the value of a property of the model that is being read; nil if the value is absent.
    package func value<Value>(ofPropertyAt offset: Int, as type: Value.Type) -> Value? {
        lock { () -> Value? in
            if isLive, let address = reader?.propertyAddress(offset, MemoryLayout<Value>.size) {
                return address.assumingMemoryBound(to: type).pointee
            }
            return copy().value(ofPropertyAt: offset, as: type)
        }
    }
}

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
final class SnapshotCopy: @unchecked Sendable {
    private let shape: JSONShape
    fileprivate let memory: UnsafeMutableRawPointer
    /// Whether the value could be made.
    fileprivate(set) var isPresent = false
    let overview: SnapshotOverview
    /// The properties, if the value is a model that is being read.
    fileprivate(set) var model: PartialModel?
    /// The issues of the parts that are missing.
    fileprivate(set) var issues: [JSONIssue] = []
    /// The text so far of the string that is being read; nil if the open value is not a string.
    let openText: String?
    /// Whether the value is one that followed the input.
    private var isFollowed = false
    /// The property of a model that followed the input whose value is open.
    private var openField: Int?

    fileprivate init(_ layout: LayoutReference, _ overview: consuming SnapshotOverview, openText: consuming String?)
    {
        shape = layout.shape
        self.overview = overview
        self.openText = openText
        memory = .allocate(byteCount: max(layout.size, 1), alignment: layout.alignmentMask + 1)
    }

    /// Creates the copy of a complete value, which is moved out of its memory.
    fileprivate convenience init(moving value: ValueSlot) {
        let model = value.layout.table?.plan.map {
            ModelStates(plan: $0, filled: nil, open: FieldSet(), isInPlace: true)
        }
        self.init(value.layout, SnapshotOverview(isComplete: true, openPath: nil, model: model), openText: nil)
        ValueCopy.move(shape.type, from: value.address, to: memory)
        isPresent = true
    }

    /// Creates a copy of a value that follows the input.
    convenience init(of value: LiveCopy, _ overview: consuming SnapshotOverview) {
        self.init(value.layout, overview, openText: value.openText)
        ValueCopy.copy(shape.type, from: value.memory, to: memory)
        (isPresent, isFollowed, openField) = (true, true, value.openField)
        if !value.issues.isEmpty { issues = value.issues }
    }

    deinit {
        if isPresent { shape.destroy(memory, 1) }
        memory.deallocate()
    }

    /// Returns a copy of the value; nil if a required part is missing.
    func value<Value>(as type: Value.Type) -> Value? {
        isPresent ? memory.assumingMemoryBound(to: type).pointee : nil
    }

    /// Returns the value of a property of the model that was being read; nil if the value is absent.
    func value<Value>(ofPropertyAt offset: Int, as type: Value.Type) -> Value? {
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
    func overview(_ token: OpenToken) -> SnapshotOverview {
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
    func isReadingText(_ token: OpenToken) -> Bool { token == .string && !isSkipping }

    /// Returns the address of a property of the open model that is complete.
    func address(ofPropertyAt offset: Int, size: Int, _ token: OpenToken) -> UnsafeRawPointer? {
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
    func snapshot(
        _ token: OpenToken, text: String?, end: JSONIssue, options: DecodingOptions.Shared
    ) -> SnapshotCopy {
        let snapshot = SnapshotCopy(root.destination.layout, overview(token), openText: text)
        if replayDepth > 0 { return snapshot }
        let model = modelFrame
        let open = model.map { openFields(of: $0, token) } ?? FieldSet()
        defer { withExtendedLifetime(options) {} }
        var copy = copied(
            to: snapshot.memory, options: .passUnretained(options),
            emit: !session.elements.isStream
                ? nil
                : { _ in
                    snapshot.isPresent = true
                    return nil
                })
        copy.read(openText: text)
        // The open string was the element, which has been passed on.
        if snapshot.isPresent { return snapshot }
        var recorder = RawRecorder(limits: options.value.limits)
        if let model {
            let depth = index(of: model)
            recorder.close(&copy, above: depth, at: end)
            if copy.index(of: copy.top) == depth, let states = copy.modelStates(of: copy.top, open: open) {
                snapshot.model = PartialModel(copying: copy.top, states)
            }
        }
        recorder.close(&copy, above: 0, at: end)
        snapshot.issues = copy.collectedIssues
        if !session.elements.isStream { snapshot.isPresent = copy.takeResult() }
        return snapshot
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

    /// Completes the open string with its contents so far, if the value is a string that needs no conversion. The first letters of the tag
    /// of an enum are no tag, and the first letters of a string of JSON are no JSON.
    private mutating func read(openText text: String?) {
        guard let text, !slot.layout.readsText, !top.hidesCurrentValue else { return }
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
        emit: ElementReceiver.Closure?
    ) -> Driver {
        precondition(replayDepth == 0, "only a new value between chunks can be copied")
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

    /// Makes the value of a frame and of the frames above it, as far as it is read.
    ///
    /// - Parameters:
    ///   - frame: A frame that owns all frames above it.
    ///   - target: Memory for the value.
    ///   - text: The contents so far, if the open token is a string of the value.
    ///   - end: The issue of an input that ends here.
    ///   - options: The options of the driver for a partial value.
    /// - Returns: Whether the value could be made, and the issues of its parts.
    func makePart(
        _ frame: FrameReference, at target: UnsafeMutableRawPointer, text: String?, end: JSONIssue,
        options: DecodingOptions.Shared
    ) -> (isPresent: Bool, issues: [JSONIssue]) {
        defer { withExtendedLifetime(options) {} }
        let slot = ValueSlot(address: target, layout: frame.layout)
        var copy = Driver(slot: slot, table: nil, options: .passUnretained(options), emit: nil)
        for inner in frames(above: frame.below) { copy.push(copyOf: inner, in: self, from: frame) }
        copy.slot = ValueSlot(
            address: copy.position(of: self.slot.address, in: top, of: self), layout: self.slot.layout)
        copy.continueState(of: self)
        copy.read(openText: text)
        var recorder = RawRecorder(limits: options.value.limits)
        recorder.close(&copy, above: 0, at: end)
        var issues = copy.collectedIssues
        if !issues.isEmpty {
            if isLossyContainer(frame.below) { return (false, []) }
            let path = path(atValue: true, to: frame)
            for index in issues.indices { issues[index].path.components.insert(contentsOf: path.components, at: 0) }
        }
        return (copy.takeResult(), issues)
    }

    /// Whether a frame is an array or a dictionary that drops an element in which something is missing.
    func isLossyContainer(_ frame: FrameReference) -> Bool {
        (frame.form == .array || frame.form == .pairs) && frame.layout.isLossy
    }

    private mutating func copyRoot(_ other: FrameReference) {
        (root.presenceBits, root.entry, root.guess) = (other.presenceBits, other.entry, other.guess)
        if root.isFilled(0) {
            let source = other.destination
            ValueCopy.copy(source.layout.shape.type, from: source.address, to: root.destination.address)
        }
    }

    /// Pushes a copy of a frame of another driver, whose outer frames were copied before.
    ///
    /// - Parameter first: The frame whose value this driver makes; nil for that of the root.
    private mutating func push(
        copyOf frame: FrameReference, in other: borrowing Driver, from first: FrameReference? = nil
    ) {
        let address =
            frame == first
            ? root.destination.address : position(of: frame.destination.address, in: frame.below, of: other)
        let destination = ValueSlot(address: address, layout: frame.destination.layout)
        let outer = first.map { other.index(of: $0) - 1 } ?? 0
        push(copyOf: frame.value, for: destination, owner: other.index(of: frame.owner) - outer)
        switch frame.form {
        case .object where frame.owner == frame:
            copyModel(frame)
            copyAddition(frame)
        case .object, .indexes, .anyIndex, .anyKey:
            top.base = top.owner.base
            copyAddition(frame)
        case .array, .pairs: copyElements(frame, in: other)
        case .converted:
            let layout = frame.layout
            if let union = layout.union {
                top.base = arena.allocate(union.size, alignmentMask: TypeLayout.maximumAlignmentMask)
            } else {
                let inner = layout.element.unsafelyUnwrapped
                top.base = arena.allocate(inner.size, alignmentMask: inner.alignmentMask)
            }
        case .union: copyPayload(frame)
        case .root: preconditionFailure("the root has no frame above")
        }
    }

    /// Returns the position in the top frame's memory that corresponds to an address in the memory of another driver's frame.
    private func position(
        of address: UnsafeMutableRawPointer, in frame: FrameReference, of other: borrowing Driver
    ) -> UnsafeMutableRawPointer {
        switch top.form {
        case .array, .pairs: top.cursor + (address - other.elementsEnd(of: frame))
        case _ where frame.isNode && frame.entry?.addsToContainer == true: top.cursor + (address - frame.cursor)
        default: top.base + (address - frame.base)
        }
    }

    private mutating func copyModel(_ frame: FrameReference) {
        let table = frame.keyTable
        // The table of a joined model is larger than the model. Its object is complete in the window, and never open between chunks.
        assert(!frame.isJoined)
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

    /// Targets memory for the value that is being added to a container, as the frame does.
    private mutating func copyAddition(_ frame: FrameReference) {
        guard let entry = frame.entry, entry.addsToContainer else { return }
        targetAddition(entry)
    }

    /// Copies the elements or pairs of a frame to one chunk.
    private mutating func copyElements(_ frame: FrameReference, in other: borrowing Driver) {
        let (layout, chunks) = (frame.layout, other.chunks(of: frame))
        let count = chunks.reduce(0) { $0 + $1.count }
        top.countBefore = frame.countBefore - chunks.dropLast().reduce(0) { $0 + $1.count }
        let start = arena.allocate(
            (count + 1) * layout.elementStride, alignmentMask: layout.elementAlignmentMask)
        (top.base, top.cursor) = (start, start)
        layout.withContainer { container in
            for chunk in chunks {
                ValueCopy.copy(container.element.type, chunk.count, from: chunk.start!, to: top.cursor)
                top.cursor += chunk.count * layout.elementStride
            }
        }
        guard frame.flags.contains(.hasKey) else { return }
        let key = other.elementsEnd(of: frame)
        layout.withDictionary { ValueCopy.copy($0.keys.type, from: key, to: top.cursor) }
    }

    private mutating func copyPayload(_ frame: FrameReference) {
        let union = frame.layout.union!
        top.base = arena.allocate(union.size, alignmentMask: TypeLayout.maximumAlignmentMask)
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
