/// Consumes the tokens of a source: keeps the stack of open containers, finds the memory of each value by the plan,
/// and writes the value there.
///
/// Tokens are valid and arrive in a valid order (see `TokenSink`). The driver holds no offsets.
///
/// Invariant of all unsafe writes: `target` points to uninitialised memory of the type that `shape` describes.
/// A frame knows which memory has been initialised (presence bits, or the length of a run) before the next token.
struct Driver {
    // The next value.
    var kind: ValueKind
    var target: UnsafeMutableRawPointer
    var shape: UnsafePointer<TypeLayout>
    // The open containers, from the root. They move when they outgrow their memory: see `push`.
    var top: UnsafeMutablePointer<DecodingFrame>
    private(set) var frames: UnsafeMutablePointer<DecodingFrame>
    private var framesEnd: UnsafeMutablePointer<DecodingFrame>
    var arena = Arena()
    /// The number of open containers of an ignored value.
    var skipDepth = 0
    /// Whether the ignored value is recorded.
    var isCapturing = false
    /// The purpose of the recording.
    var recordingPurpose = RecordingPurpose.raw
    /// The number of wrapped frames.
    var wrapCount = 0
    /// The replays that are open, and their outcomes. Made for the first one.
    var replays: ReplayState?
    /// The issues that the last answer announced.
    var pendingIssues: [PendingIssue] = []
    /// The issues that were collected.
    var gathered: [JSONIssue] = []
    /// Whether an issue with the current element of a stream was recorded.
    var hasElementFailed = false
    /// How an existing value is changed. Its first frame is filled from that value.
    var merging: Merging?
    /// Whether the text has ended early, and what is open is being closed.
    var isEnding = false
    /// Whether the root value is complete.
    var isComplete = false
    /// Of a stream: whether the first key of its path has been read.
    var hasPathBegun = false
    /// Receives each element of a stream; true to continue.
    let emit: ((UnsafeMutableRawPointer) throws -> Bool)?
    let rejectsDuplicates: Bool
    /// The options.
    let options: DecodingOptions
    let isSmallStringKnown = SmallString.isKnown
    var unknownKeys = UnknownKeys()
    /// The number of models begun so far: the serial number of the innermost.
    var objectCount = 0

    /// - Parameters:
    ///   - target: memory for one value of `shape`; on success, and only then, it is initialised.
    ///   - table: the path to the value, where it isn't the root.
    init(
        shape: UnsafePointer<TypeLayout>, target: UnsafeMutableRawPointer, table: UnsafePointer<KeyTable>?,
        options: DecodingOptions, emit: ((UnsafeMutableRawPointer) throws -> Bool)?
    ) {
        let capacity = 32
        frames = .allocate(capacity: capacity)
        framesEnd = frames + capacity
        top = frames
        frames.initialize(
            to: DecodingFrame(
                form: .root, table: table, shape: shape, base: target, target: target, furtherBits: nil,
                owner: frames,
                entry: nil, guess: nil, cursor: target, mark: arena.mark))
        kind = table == nil ? shape.pointee.kind : .node
        self.target = target
        self.shape = shape
        self.emit = emit
        hasPathBegun = table?.pointee.form != .object
        rejectsDuplicates = options.rejectsDuplicates
        self.options = options
    }

    /// Whether the value that was asked for has been made.
    var hasResult: Bool { isComplete && frames.pointee.presenceBits & 1 != 0 }

    /// Whether there is a result, which the caller then owns; for a stream, whether there is something at the path's beginning.
    mutating func takeResult() -> Bool {
        if emit != nil { return hasPathBegun }
        guard hasResult else { return false }
        frames.pointee.presenceBits = 0
        merging?.changes.keep()
        return true
    }

    /// Frees everything. Unfinished values are destroyed, and so is a result that nobody took.
    mutating func dispose() {
        destroyOpen()
        merging?.changes.undo(downTo: 0)
        arena.free()
        unknownKeys.free()
        frames.deallocate()
    }

    // MARK: The stack

    /// Pushes a frame.
    ///
    /// Pointers to frames are invalid afterwards, but for `top` and the owners in frames.
    @inline(__always)
    mutating func push(_ form: DecodingFrame.Form, shape: UnsafePointer<TypeLayout>) {
        if top.pointee.form == .array {
            top.pointee.cursor = target
            arena.raise(to: target + top.pointee.shape.pointee.runStride)
        }
        if top + 1 == framesEnd { growFrames() }
        let next = top + 1
        next.initialize(
            to: DecodingFrame(
                form: form, table: shape.pointee.table, shape: shape, base: target, target: target,
                furtherBits: nil,
                owner: next, entry: nil, guess: nil, cursor: target, mark: arena.mark))
        top = next
    }

    @inline(never)
    private mutating func growFrames() {
        let count = framesEnd - frames
        let larger = UnsafeMutablePointer<DecodingFrame>.allocate(capacity: count * 2)
        larger.moveInitialize(from: frames, count: count)
        for index in 0..<count { larger[index].owner = larger + (larger[index].owner - frames) }
        top = larger + (top - frames)
        frames.deallocate()
        frames = larger
        framesEnd = larger + count * 2
    }

    /// The position of a frame on the stack, which stays valid when the frames move.
    func index(of frame: UnsafeMutablePointer<DecodingFrame>) -> Int { frame - frames }

    /// The rare state of a frame, made on first use.
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

    /// The value at `target` is there: what holds it is told, and the next place is found.
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

    /// One more element of the run on top is there.
    @inline(__always)
    mutating func advanceRun() {
        let stride = top.pointee.shape.pointee.runStride
        target += stride
        if target + stride > arena.limit { growRun() }
    }

    /// The value under the key at hand, or at the index, was passed over.
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
        // An element that was dropped.
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
                growRun()
                top.pointee.cursor = target
            }
        case .indexes, .every, .members:
            let entry = top.pointee.entry.unsafelyUnwrapped
            if entry.pointee.presenceBit == 0 {
                let answer = completedSpecial(entry)
                if answer != .proceed { return answer }
            } else {
                top.pointee.owner.pointee.presenceBits |= entry.pointee.presenceBit
            }
            if top.pointee.form == .members { endMember() } else { nextIndex() }
        case .wrapped: return finishWrapped()
        case .union: return completedUnionKey(top.pointee.entry.unsafelyUnwrapped)
        case .update: storeUpdate()
        case .elements: storeElement()
        case .root:
            // With a table, the bit belongs to what the path led to.
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
            return try emit.unsafelyUnwrapped(element) ? .proceed : .stop
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

    /// Points at the value of `entry`, in the memory of the model at hand.
    @inline(__always)
    mutating func aim(_ entry: UnsafePointer<KeyEntry>) {
        top.pointee.entry = entry
        kind = entry.pointee.kind
        shape = entry.pointee.shape
        target = top.pointee.base + entry.pointee.offset
    }

    /// Goes on to the next element of an array that lies on a path.
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

    /// The value of a member is complete, of an object of which every member is wanted.
    mutating func endMember() {
        if let table = top.pointee.table, table.pointee.alignedCount > 0 { alignGathered(table) }
        top.pointee.detail = .position(top.pointee.position + 1)
        kind = .skip
    }

    /// A key of an object of which every member is wanted.
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

    /// Points at the next element of the run on top.
    @inline(__always)
    mutating func aimAtRun(_ address: UnsafeMutableRawPointer) {
        let element = top.pointee.shape.pointee.element.unsafelyUnwrapped
        kind = element.pointee.kind
        shape = element
        target = address
    }

    @inline(never)
    mutating func growRun() {
        let shape = top.pointee.shape
        let stride = shape.pointee.runStride
        let base = top.pointee.base
        let used = target - base
        // Without a stride there is nothing to keep.
        if stride == 0 { return }
        let (start, old) = arena.growRun(
            used: used, stride: stride, isAlone: arena.mark.chunk > top.pointee.mark.chunk)
        shape.pointee.shape._withUnsafeGuaranteedRef { $0.moveRun.unsafelyUnwrapped(base, used / stride, start) }
        arena.discard(old)
        top.pointee.base = start
        target = start + used
    }
}
