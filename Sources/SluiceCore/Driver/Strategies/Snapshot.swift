// The value as far as it is read. Its parts are copied when they are first asked for, or when the input continues while the snapshot is
// in use: the driver is copied, and the open containers of the copy are closed.

/// Reads the value of a document between two chunks.
protocol SnapshotReader: AnyObject {
    /// Returns the facts about the value or the envelope that need no copy of a value.
    func overview(ofEnvelope: Bool) -> SnapshotOverview
    /// Returns the text so far of the string that is being read; nil if the open value is not a string.
    func openText(ofEnvelope: Bool) -> String?
    /// Returns the address of the complete property of the open model that has an offset in the model; nil if it is not complete.
    func address(ofPropertyAt offset: Int, ofEnvelope: Bool) -> UnsafeRawPointer?
    /// Returns copies of all that is read.
    func copy(ofEnvelope: Bool, options: DecodingOptions.Shared) -> SnapshotCopy
}

/// A value as far as it is read.
///
/// Invariant: the reader exists and is between two chunks as long as the state is `live`. The reader calls `settle` before it
/// continues.
package final class ValueSnapshot: Sendable {
    private let state: Lock<State>

    // Unchecked because a reader is not `Sendable`. One thread at a time uses the reader: the one that has locked the state.
    private struct State: @unchecked Sendable {
        var live: Live?
        var copy: SnapshotCopy?
    }

    private struct Live {
        unowned(unsafe) let reader: any SnapshotReader
        let isEnvelope: Bool
        let options: DecodingOptions.Shared
        var overview: SnapshotOverview?
    }

    /// Creates a snapshot of the value or the envelope that a reader reads.
    init(_ reader: any SnapshotReader, ofEnvelope: Bool, options: DecodingOptions.Shared) {
        state = Lock(State(live: Live(reader: reader, isEnvelope: ofEnvelope, options: options)))
    }

    /// Creates the snapshot of a complete value, which is moved out of its memory.
    init(moving value: ValueSlot) { state = Lock(State(copy: SnapshotCopy(moving: value))) }

    /// Copies all that is read, before the reader continues.
    func settle() { state.withLock { _ = Self.copy(&$0) } }

    private static func copy(_ state: inout State) -> SnapshotCopy {
        if let copy = state.copy { return copy }
        guard let live = state.live else { preconditionFailure("a snapshot has no value") }
        let copy = live.reader.copy(ofEnvelope: live.isEnvelope, options: live.options)
        state = State(copy: copy)
        return copy
    }

    /// The facts that need no copy of a value.
    package var overview: SnapshotOverview {
        state.withLock { state in
            if let copy = state.copy { return copy.overview }
            if let overview = state.live?.overview { return overview }
            let live = state.live!
            let overview = live.reader.overview(ofEnvelope: live.isEnvelope)
            state.live?.overview = overview
            return overview
        }
    }

    /// The text so far of the string that is being read; nil if the open value is not a string.
    package var openText: String? {
        state.withLock { state in
            if let live = state.live { return live.reader.openText(ofEnvelope: live.isEnvelope) }
            return state.copy?.openText
        }
    }

    /// The issues of the parts that are missing.
    package var issues: [JSONIssue] { state.withLock { Self.copy(&$0).issues } }

    /// Returns a copy of the value; nil if a required part is missing.
    package func value<Value>(as type: Value.Type) -> Value? {
        state.withLock { Self.copy(&$0) }.value(as: type)
    }

    /// Returns the value of a property of the model that is being read; nil if the value is absent.
    package func value<Value>(ofPropertyAt offset: Int, as type: Value.Type) -> Value? {
        var value: Value?
        let copy = state.withLock { state -> SnapshotCopy? in
            if let live = state.live,
                let address = live.reader.address(ofPropertyAt: offset, ofEnvelope: live.isEnvelope)
            {
                value = address.assumingMemoryBound(to: type).pointee
                return nil
            }
            return Self.copy(&state)
        }
        return value ?? copy?.model?.value(ofPropertyAt: offset, as: type)
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
    let filled: Set<Int>?
    /// The fields whose values are being read.
    let open: Set<Int>
    /// Whether the fields are the properties of the model itself, and not of its storage.
    let isInPlace: Bool

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
    func field(at offset: Int) -> Int? {
        guard isInPlace else { return nil }
        return plan.fields.indices.first { field in
            let info = plan.fields[field]
            return info.shape != nil && (info.offset..<info.offset + max(info.declared.size, 1)).contains(offset)
        }
    }

    /// Returns how far the value of a property has been read; nil if the plan has no such property.
    package func state(ofPropertyAt offset: Int) -> ReadState? { field(at: offset).map { state(of: $0) } }
}

// Unchecked because of the values of generic types. Nothing changes after the copy is made.
/// Copies of a value as far as it is read. Owns the value.
final class SnapshotCopy: @unchecked Sendable {
    private let shape: JSONShape
    fileprivate let memory: UnsafeMutableRawPointer
    /// Whether the value could be made.
    fileprivate(set) var isPresent = false
    fileprivate(set) var overview: SnapshotOverview
    /// The properties, if the value is a model that is being read.
    fileprivate(set) var model: PartialModel?
    /// The issues of the parts that are missing.
    fileprivate(set) var issues: [JSONIssue] = []
    /// The text so far of the string that is being read; nil if the open value is not a string.
    let openText: String?

    fileprivate init(_ layout: LayoutReference, _ overview: SnapshotOverview, openText: String?) {
        shape = layout.shape
        (self.overview, self.openText) = (overview, openText)
        memory = .allocate(byteCount: max(layout.size, 1), alignment: layout.alignmentMask + 1)
    }

    /// Creates the copy of a complete value, which is moved out of its memory.
    fileprivate convenience init(moving value: ValueSlot) {
        let model = value.layout.table?.plan.map { ModelStates(plan: $0, filled: nil, open: [], isInPlace: true) }
        self.init(value.layout, SnapshotOverview(isComplete: true, openPath: nil, model: model), openText: nil)
        memory.copyMemory(from: value.address, byteCount: value.layout.size)
        isPresent = true
    }

    deinit {
        if isPresent { shape.destroy(memory, 1) }
        memory.deallocate()
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
        guard let field = states.field(at: offset), filled.contains(field) else { return nil }
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
        let path = isReading ? issue(.unexpectedEnd, isAtKey: token == .key).path : nil
        return SnapshotOverview(isComplete: hasResult, openPath: path, model: modelStates(token))
    }

    private func modelStates(_ token: OpenToken) -> ModelStates? {
        if hasResult {
            return root.destination.layout.table?.plan.map {
                ModelStates(plan: $0, filled: nil, open: [], isInPlace: true)
            }
        }
        // The value is being replayed when an error ends the input.
        guard replayDepth == 0, let model = modelFrame else { return nil }
        return modelStates(of: model, open: openFields(of: model, token))
    }

    private func modelStates(of model: FrameReference, open: Set<Int>) -> ModelStates? {
        guard let plan = model.table?.plan else { return nil }
        var filled: Set<Int> = []
        model.forEachFilled { filled.insert($0) }
        return ModelStates(plan: plan, filled: filled, open: open, isInPlace: !model.layout.hasStorage)
    }

    /// Whether the value is a string whose contents so far can be shown.
    func isReadingText(_ token: OpenToken) -> Bool { token == .string && !isSkipping }

    /// Returns the address of a property of the open model that is complete.
    func address(ofPropertyAt offset: Int, _ token: OpenToken) -> UnsafeRawPointer? {
        guard let model = modelFrame, let states = modelStates(token), states.isOpen,
            let field = states.field(at: offset), states.filled?.contains(field) == true,
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
        let open = model.map { openFields(of: $0, token) } ?? []
        defer { withExtendedLifetime(options) {} }
        var copy = copied(
            to: snapshot.memory, options: .passUnretained(options),
            emit: !session.elements.isStream
                ? nil
                : { _ in
                    snapshot.isPresent = true
                    return false
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
    private func openFields(of model: FrameReference, _ token: OpenToken) -> Set<Int> {
        guard let entry = model.entry else { return [] }
        var isOpen = model < top || isRecording
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
        precondition(session.merging == nil && replayDepth == 0, "only a new value between chunks can be copied")
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
        case _ where frame.isNode && frame.entry?.addsToContainer == true: top.cursor + (address - frame.cursor)
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

    /// Targets memory for the value that is being added to a container, as the frame does.
    private mutating func copyAddition(_ frame: FrameReference) {
        guard let entry = frame.entry, entry.addsToContainer else { return }
        targetAddition(entry)
    }

    /// Copies the elements or pairs of a frame to one chunk.
    private mutating func copyElements(_ frame: FrameReference, in other: borrowing Driver) {
        let (layout, chunks) = (frame.layout, other.chunks(of: frame))
        let count = chunks.reduce(0) { $0 + $1.count }
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
