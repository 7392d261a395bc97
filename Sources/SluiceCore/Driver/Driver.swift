/// Consumes the tokens of a source: keeps the stack of open containers, finds the memory of each value by the plan,
/// and writes the value to that memory.
///
/// Tokens are valid and arrive in a valid order (see `TokenSink`). The driver holds no offsets.
///
/// A method that is called for each value and not inlined is `mutating`, even if it changes nothing: a driver that is borrowed for a
/// call is copied.
///
/// Invariant of all unsafe writes: the memory of `slot` is uninitialized. A frame records which memory is initialized (by presence bits,
/// or by the end of an element buffer) before the next token.
package struct Driver: ~Copyable {
    /// How the next value is handled.
    var disposition: Disposition
    /// The memory and type of the next value. Unused if the value is ignored.
    package var slot: ValueSlot
    /// The memory of the first frames, of the arena's first slab, and of the unknown keys.
    private let slab = ThreadSlab()
    /// The open containers, from the root.
    private var stack: FrameStack
    var arena: Arena
    /// The number of open containers of an ignored value.
    var skipDepth = 0
    var learnedKeys = LearnedKeys()
    var unknownKeys: UnknownKeys
    var sharedStrings = SharedStrings()
    var session: DecodingSession

    /// - Parameters:
    ///   - slot: Memory for one value. Initialized on success, and only then.
    ///   - table: The path to the value, or nil if the value is the root.
    ///   - options: The options, which the caller keeps alive.
    @inline(__always)
    init(
        slot: ValueSlot, table: TableReference?, options: Unmanaged<DecodingOptions.Shared>,
        emit: ElementReceiver.Closure?
    ) {
        let half = (ThreadSlab.size - UnknownKeys.size) / 2
        stack = FrameStack(in: Region(start: slab.start, size: half))
        arena = Arena(Region(start: slab.start + half, size: half))
        unknownKeys = UnknownKeys(in: slab.start + 2 * half)
        session = DecodingSession(options, ElementReceiver(emit, hasPath: table?.form == .object))
        stack.top.initialize(
            to: DecodingFrame(.root, for: slot, table: table, owner: stack.top, mark: arena.mark))
        disposition = table == nil ? Disposition(result: slot.layout) : .descend
        self.slot = slot
    }

    /// Whether the driver can make another value: the last one is complete, and was taken or is none, and no other state is left.
    var isReusable: Bool { session.isReusable && top == root && !root.isFilled(0) }

    /// Makes another value of the same type, at the same path, if the driver is reusable. The order of keys that the driver has learned
    /// is kept.
    ///
    /// - Parameter address: Memory for the value, as in the initializer.
    @inline(__always)
    mutating func beginValue(at address: UnsafeMutableRawPointer) {
        let (table, layout, mark) = (root.table, root.layout, root.mark)
        root.freeUncommonState()
        slot = ValueSlot(address: address, layout: layout)
        arena.restore(mark)
        root.initialize(to: DecodingFrame(.root, for: slot, table: table, owner: root, mark: mark))
        disposition = table == nil ? Disposition(result: layout) : .descend
        skipDepth = 0
        unknownKeys.forget()
        session.beginValue()
    }

    /// The kind of the next value if a new value is stored; nil for all other dispositions.
    var kind: ValueKind? { if case .store(let kind) = disposition { kind } else { nil } }

    // Neither inlined nor using a property: the compiler would first move the driver, or the property, to the stack.
    @inline(never)
    deinit { destroyAll() }

    /// Whether the requested value has been made.
    package var hasResult: Bool { session.isComplete && root.isFilled(0) }

    /// Hands the result to the caller, if one exists. Returns whether it does; for a stream, whether the path was found.
    mutating func takeResult() -> Bool {
        if session.elements.isStream { return session.elements.isPathFound }
        guard hasResult else { return false }
        root.clearFilled(0)
        return true
    }

    // MARK: The stack

    /// The innermost open container.
    package var top: FrameReference {
        @inline(__always) get { stack.top }
        @inline(__always) set { stack.top = newValue }
    }

    /// The frame of the root.
    var root: FrameReference { stack.first }

    /// Prepares the next frame. Returns false if the thread's stack is too small for the runtime to release a value of one more level.
    @inline(__always)
    mutating func reserveFrame() -> Bool { stack.reserve() }

    /// Pushes the frame of a value of a type, which the memory of the current slot receives.
    ///
    /// References to frames are invalid afterwards, except `top` and the owners in frames.
    @inline(__always)
    mutating func push(_ form: DecodingFrame.Form, _ layout: LayoutReference) {
        if top.form == .array { suspendElements() }
        let next = stack.push()
        let destination = ValueSlot(address: slot.address, layout: layout)
        next.initialize(
            to: DecodingFrame(form, for: destination, table: layout.table, owner: next, mark: arena.mark))
    }

    /// Pushes a copy of another driver's frame.
    ///
    /// - Parameter owner: The position of the frame's owner on the stack.
    mutating func push(copyOf frame: DecodingFrame, for destination: ValueSlot, owner: Int) {
        let copy = stack.push()
        copy.initialize(
            to: DecodingFrame(frame, for: destination, owner: openFrame(at: owner), mark: arena.mark))
    }

    /// Pushes the frame of the current value.
    @inline(__always)
    mutating func push(_ form: DecodingFrame.Form) { push(form, slot.layout) }

    /// Counts the frame on top as that of a converted value.
    mutating func countConversion() { session.recorder.conversionCount += 1 }

    /// Pops the frame of a converted value, whose inner value is complete, and targets the slot of the converted value.
    mutating func popConversion() {
        let closed = top
        arena.restore(closed.mark)
        session.recorder.conversionCount -= 1
        closed.freeUncommonState()
        top = closed.below
        (disposition, slot) = (.store(closed.layout.kind), closed.destination)
    }

    /// Copies the state of another driver, whose frames were copied before.
    mutating func continueState(of other: borrowing Driver) {
        (disposition, skipDepth) = (other.disposition, other.skipDepth)
        session.continueState(of: other.session)
        unknownKeys.continueCount(of: other.unknownKeys)
    }

    /// Returns the position of a frame on the stack, which stays valid when the frames move.
    package func index(of frame: FrameReference) -> Int { root.distance(to: frame) }

    /// Returns the frame at a position on the stack.
    package func openFrame(at index: Int) -> FrameReference { root.advanced(by: index) }

    /// The frames above a frame, the outermost first.
    func frames(above frame: FrameReference) -> some Sequence<FrameReference> {
        (0..<frame.distance(to: top)).lazy.map { frame.advanced(by: $0 + 1) }
    }
}

// MARK: Destruction of unfinished values

// Values are destroyed from the top of the stack down.
extension Driver {
    /// Destroys unfinished values, and a result that was not taken.
    private func destroyAll() {
        destroy(downTo: root)
        if root.isFilled(0) { root.destination.destroy() }
        root.freeUncommonState()
    }

    /// Destroys the unfinished values above a frame and frees their memory.
    mutating func unwind(to frame: FrameReference) {
        guard frame < top else { return }
        let mark = frame.above.mark
        session.recorder.conversionCount -= frames(above: frame).count { $0.form == .converted || $0.isJoined }
        destroy(downTo: frame)
        top = frame
        arena.restore(mark)
        // The next element goes to the end of the buffer, not to the memory of the failed value.
        if frame.form == .array { slot.address = frame.cursor }
    }

    /// Destroys the unfinished values above a frame.
    private func destroy(downTo last: FrameReference) {
        var frame = top
        while frame > last {
            switch frame.form {
            case .object where frame.owner == frame:
                let fields = frame.keyTable.fields
                frame.forEachFilled { fields[$0].destroy(frame.base + fields[$0].offset) }
            case .array: destroyElements(of: frame)
            case .pairs:
                destroyElements(of: frame)
                destroyPendingKey(of: frame)
            case .union: destroyPayload(of: frame)
            case .root, .object, .indexes, .anyIndex, .anyKey, .converted: break
            }
            frame.uncommonState?.undoChanges?()
            frame.freeUncommonState()
            frame = frame.below
        }
    }
}
