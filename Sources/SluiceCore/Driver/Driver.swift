/// Consumes the tokens of a source: keeps the stack of open containers, finds the memory of each value by the plan,
/// and writes the value to that memory.
///
/// Tokens are valid and arrive in a valid order (see `TokenSink`). The driver holds no offsets.
///
/// Invariant of all unsafe writes: `target` points to uninitialized memory of the type that `shape` describes.
/// A frame records which memory is initialized (by presence bits, or by the length of an element buffer) before the next token.
struct Driver: ~Copyable {
    // The next value.
    var kind: ValueKind
    var target: UnsafeMutableRawPointer
    var shape: UnsafePointer<TypeLayout>
    /// The memory of the first frames and of the arena's first chunk.
    private let block = ThreadBlock()
    /// The open containers, from the root.
    private var stack: FrameStack
    var arena: Arena
    /// The number of open containers of an ignored value.
    var skipDepth = 0
    /// Whether the ignored value is recorded.
    var isCapturing = false
    /// The purpose of the recording.
    var recordingPurpose = RecordingPurpose.raw
    /// The number of wrapped frames.
    var wrapCount = 0
    /// The open replays and their outcomes. Made for the first replay.
    var replays: ReplayState?
    /// The issues that the last action announced.
    var pendingIssues: [PendingIssue] = []
    /// The issues collected so far.
    var collectedIssues: [JSONIssue] = []
    /// Whether an issue in the current element of a stream was recorded.
    var hasElementFailed = false
    /// How an existing value is changed, or nil to make a new value.
    var merging: Merging?
    /// Whether the input ended early and the open containers are being closed.
    var isEnding = false
    /// Whether the root value is complete.
    var isComplete = false
    /// Whether the first key of a stream's path has been read.
    var hasPathBegun = false
    /// Receives the issues of failed elements, which are then skipped. Returns false for an issue outside of all elements.
    var takeElementIssue: ((JSONIssue) -> Bool)?
    /// Receives each element of a stream. Returns whether to continue.
    let emit: ((UnsafeMutableRawPointer) throws -> Bool)?
    let rejectsDuplicates: Bool
    private let sharedOptions: Unmanaged<DecodingOptions.Shared>
    let isSmallStringKnown = SmallString.isKnown
    var unknownKeys = UnknownKeys()
    /// The number of models begun so far, which is the serial number of the innermost one.
    var objectCount = 0

    /// - Parameters:
    ///   - target: Memory for one value of `shape`. Initialized on success, and only then.
    ///   - table: The path to the value, or nil if the value is the root.
    ///   - options: The options, which the caller keeps alive. The driver does not retain them, because threads that share a
    ///     decoder would then update the same reference count.
    init(
        shape: UnsafePointer<TypeLayout>, target: UnsafeMutableRawPointer, table: UnsafePointer<KeyTable>?,
        options: Unmanaged<DecodingOptions.Shared>, emit: ((UnsafeMutableRawPointer) throws -> Bool)?
    ) {
        let half = ThreadBlock.size / 2
        stack = FrameStack(in: Region(start: block.start, size: half))
        arena = Arena(Region(start: block.start + half, size: half))
        stack.top.initialize(
            to: DecodingFrame(
                form: .root, table: table, shape: shape, base: target, target: target, furtherBits: nil,
                owner: stack.top,
                entry: nil, guess: nil, cursor: target, mark: arena.mark))
        kind = table == nil ? shape.pointee.kind : .node
        self.target = target
        self.shape = shape
        self.emit = emit
        hasPathBegun = table?.pointee.form != .object
        rejectsDuplicates = options._withUnsafeGuaranteedRef { $0.value.rejectsDuplicates }
        sharedOptions = options
    }

    /// The options.
    var options: DecodingOptions { sharedOptions._withUnsafeGuaranteedRef { $0.value } }

    /// Destroys unfinished values, and a result that was not taken.
    deinit {
        destroyAll()
        merging?.changes.undoAll()
    }

    /// Whether the requested value has been made.
    var hasResult: Bool { isComplete && frames.pointee.presenceBits & 1 != 0 }

    /// Hands the result to the caller, if one exists. Returns whether it does; for a stream, whether the path was found.
    mutating func takeResult() -> Bool {
        if emit != nil { return hasPathBegun }
        guard hasResult else { return false }
        frames.pointee.presenceBits = 0
        merging?.changes.keep()
        return true
    }

    // MARK: The stack

    /// The innermost open container.
    var top: UnsafeMutablePointer<DecodingFrame> {
        @inline(__always) get { stack.top }
        @inline(__always) set { stack.top = newValue }
    }

    /// The frame of the root.
    var frames: UnsafeMutablePointer<DecodingFrame> { stack.first }

    /// Pushes a frame.
    ///
    /// Pointers to frames are invalid afterwards, except `top` and the owners in frames.
    @inline(__always)
    mutating func push(_ form: DecodingFrame.Form, shape: UnsafePointer<TypeLayout>) {
        if top.pointee.form == .array {
            top.pointee.cursor = target
            arena.raise(to: target + top.pointee.shape.pointee.runStride)
        }
        let next = stack.push()
        next.initialize(
            to: DecodingFrame(
                form: form, table: shape.pointee.table, shape: shape, base: target, target: target,
                furtherBits: nil,
                owner: next, entry: nil, guess: nil, cursor: target, mark: arena.mark))
    }

    /// Returns the position of a frame on the stack, which stays valid when the frames move.
    func index(of frame: UnsafeMutablePointer<DecodingFrame>) -> Int { frame - frames }

    /// Returns the rare state of a frame, which is made on first use.
    func extras(of frame: UnsafeMutablePointer<DecodingFrame>) -> RareState {
        if let extras = frame.pointee.extras { return extras.takeUnretainedValue() }
        let made = RareState()
        frame.pointee.extras = .passRetained(made)
        frame.pointee.isSpecial = true
        return made
    }

    func freeExtras(of frame: UnsafeMutablePointer<DecodingFrame>) {
        frame.pointee.extras?.release()
        frame.pointee.extras = nil
    }

    // MARK: Where the next value goes

    /// Completes the value at `target` in its container, and finds the slot of the next value.
    @inline(__always)
    mutating func completed() -> TokenAction {
        switch top.pointee.form {
        case .object:
            let entry = top.pointee.entry.unsafelyUnwrapped
            if entry.pointee.presenceBit == 0 { return completedSpecial(entry) }
            top.pointee.owner.pointee.presenceBits |= entry.pointee.presenceBit
            return .proceed
        case .array:
            advanceRun()
            return .proceed
        default:
            return completedElsewhere()
        }
    }

    /// Adds the completed element to the element buffer on top.
    @inline(__always)
    mutating func advanceRun() {
        let stride = top.pointee.shape.pointee.runStride
        target += stride
        if target + stride > arena.limit { continueRun() }
    }

    /// Passes over the value of the current key or index.
    @inline(__always)
    mutating func passed() -> TokenAction {
        if top.pointee.form != .object { passedElsewhere() }
        return .proceed
    }

    @inline(never)
    private mutating func passedElsewhere() {
        switch top.pointee.form {
        case .indexes, .every: nextIndex()
        case .members: endMember()
        case .root: isComplete = true
        // A dropped element.
        case .array: aimAtRun(top.pointee.cursor)
        case .update: dropUpdate()
        case .elements: keepElement()
        case .object, .pairs, .wrapped, .union: break
        }
    }

    @inline(never)
    private mutating func completedSpecial(_ entry: UnsafePointer<KeyEntry>) -> TokenAction {
        if entry.pointee.child != nil {
            if isReplayingWhole(of: entry) { setField(entry) }
            return .proceed
        }
        if entry.pointee.field < 0 { return emitElement() }
        setField(entry)
        return .proceed
    }

    @inline(never)
    private mutating func completedElsewhere() -> TokenAction {
        switch top.pointee.form {
        case .pairs:
            top.pointee.hasKey = false
            top.pointee.cursor += top.pointee.shape.pointee.runStride
            if top.pointee.cursor + top.pointee.shape.pointee.runStride > arena.limit {
                target = top.pointee.cursor
                continueRun()
                top.pointee.cursor = target
            }
        case .indexes, .every, .members:
            let entry = top.pointee.entry.unsafelyUnwrapped
            if entry.pointee.presenceBit == 0 {
                let action = completedSpecial(entry)
                if action != .proceed { return action }
            } else {
                top.pointee.owner.pointee.presenceBits |= entry.pointee.presenceBit
            }
            if top.pointee.form == .members { endMember() } else { nextIndex() }
        case .wrapped: return finishWrapped()
        case .union: return completedUnionKey(top.pointee.entry.unsafelyUnwrapped)
        case .update: storeUpdate()
        case .elements: storeElement()
        case .root:
            // With a table, the presence bit belongs to the value at the end of the path.
            if top.pointee.table == nil { top.pointee.presenceBits |= 1 }
            isComplete = true
        case .object, .array:
            break
        }
        return .proceed
    }

    private mutating func emitElement() -> TokenAction {
        let entry = top.pointee.entry.unsafelyUnwrapped
        let element = target(of: entry)
        if hasElementFailed {
            // The element lacks the part that failed.
            entry.pointee.shape.pointee.shape.takeUnretainedValue().destroy(element, 1)
            return .proceed
        }
        do {
            return try emit!(element) ? .proceed : .stop
        } catch {
            var issue = issue(.thrown)
            issue.underlying = error
            pendingIssues.append(PendingIssue(issue: issue, handling: .stop))
            return .stop
        }
    }

    private func target(of entry: UnsafePointer<KeyEntry>) -> UnsafeMutableRawPointer {
        top.pointee.base + entry.pointee.offset
    }

    /// Aims at the slot of `entry` in the memory of the current model.
    @inline(__always)
    mutating func aim(_ entry: UnsafePointer<KeyEntry>) {
        top.pointee.entry = entry
        kind = entry.pointee.kind
        shape = entry.pointee.shape
        target = top.pointee.base + entry.pointee.offset
    }

    /// Advances to the next element of an array on a path.
    mutating func nextIndex() {
        if let table = top.pointee.table, table.pointee.alignedCount > 0 { alignGathered(table) }
        top.pointee.detail = .position(top.pointee.position + 1)
        aimAtIndex()
    }

    mutating func aimAtIndex() {
        let table = top.pointee.table.unsafelyUnwrapped
        let entry =
            top.pointee.form == .every ? table.pointee.entries : table.pointee.find(index: top.pointee.position)
        guard let entry, prepare(entry) == .ready else {
            kind = .skip
            return
        }
        aim(entry)
        if entry.pointee.isRanked, replaces(entry) { kind = .replace }
        if top.pointee.owner.pointee.isMerged { aimMerging(entry) }
    }

    /// Ends the value of a member, in an object on a path that selects every member.
    mutating func endMember() {
        if let table = top.pointee.table, table.pointee.alignedCount > 0 { alignGathered(table) }
        top.pointee.detail = .position(top.pointee.position + 1)
        kind = .skip
    }

    /// Handles a key of an object on a path that selects every member.
    mutating func memberKey(_ key: String) -> TokenAction {
        let entry = top.pointee.table.unsafelyUnwrapped.pointee.entries
        extras(of: top).key = key
        if rejectsDuplicates, !isFirst(key) { return failDuplicate(entry, key: key) }
        guard prepare(entry) == .ready else {
            kind = .skip
            return .proceed
        }
        aim(entry)
        if top.pointee.owner.pointee.isMerged { aimMerging(entry) }
        return .proceed
    }

    /// Aims at the next element of the element buffer on top.
    @inline(__always)
    mutating func aimAtRun(_ address: UnsafeMutableRawPointer) {
        let element = top.pointee.shape.pointee.element.unsafelyUnwrapped
        kind = element.pointee.kind
        shape = element
        target = address
    }

    /// Continues the full element buffer on top in another block.
    @inline(never)
    mutating func continueRun() {
        target = arena.continueElements(
            after: lastBlock(of: top, to: target), stride: top.pointee.shape.pointee.runStride)
        top.pointee.base = target
    }

    /// The last block of an element buffer that ends at `end`.
    @inline(__always)
    func lastBlock(of frame: UnsafeMutablePointer<DecodingFrame>, to end: UnsafeMutableRawPointer) -> ElementBlock {
        let start = frame.pointee.base
        return ElementBlock(start: start, count: (end - start) / frame.pointee.shape.pointee.runStride)
    }

    /// The full blocks of an element buffer.
    func fullBlocks(of frame: UnsafeMutablePointer<DecodingFrame>) -> ArraySlice<ElementBlock> {
        arena.fullBlocks(from: frame.pointee.mark, to: frame == top ? arena.mark : (frame + 1).pointee.mark)
    }
}
