/// The one consumer of tokens: keeps the stack of what is open, finds each value's place by the plan, writes it.
///
/// A source owes it well-formed tokens in a well-formed order: strings and keys unescaped and valid UTF-8, numbers
/// of checked grammar, depth and lengths within the limits, and the bytes valid during the call. It holds no
/// offsets: where it fails, the source knows where it stands.
///
/// Invariant of all unsafe writes: `target` points to uninitialised memory of the type that `shape` describes;
/// what has been initialised is known by a frame (bits, or the length of a run) before the next token.
struct Driver {
    // The place of the next value.
    var kind: Kind
    var target: UnsafeMutableRawPointer
    var shape: UnsafePointer<ShapeRecord>
    // The open containers, from the root.
    var top: UnsafeMutablePointer<Frame>
    let frames: UnsafeMutablePointer<Frame>
    var scratch = Scratch()
    /// Open containers of a value that nobody wants.
    var skipDepth = 0
    /// Whether what is skipped is recorded, and what for.
    var isCapturing = false
    var capturedFor = Kind.raw
    /// Frames of values that are made of others.
    var wrapCount = 0
    /// The frame on top when the reading of captured text began; nil outside of that.
    var replayBase: UnsafeMutablePointer<Frame>?
    /// The field of a value wanted whole and in parts, while it is read as a whole.
    var wholeEntry: UnsafePointer<FieldEntry>?
    /// The case of the enum that comes next, known from captured text.
    var knownCase = UnionCase.unknown
    /// The keys of values that go into dictionaries of extra keys, by frame.
    var extraKeys: [Int: String] = [:]
    /// Of models whose values go through a hook: the fields for which it has been asked, by frame.
    var askedFields: [Int: Set<Int>] = [:]
    /// How the last failure was got over.
    var recovery = Recovery.none
    /// Where all issues are gathered: those so far, and the fields that failed in models that are open, by frame.
    var gathered: [JSONIssue] = []
    var failedFields: [Int: Set<Int>] = [:]
    /// Issues with places in text that has been read in the middle of another, until the place of that is known.
    var innerIssues: [JSONIssue] = []
    /// Issues with places in the text of the same kind that is being read.
    var placedIssues: [JSONIssue] = []
    /// How a model that is there is changed; its first frame is to be filled from the model.
    var merging: Merging?
    /// Whether the root value is complete.
    var isComplete = false
    /// Why the parse was stopped; nil if it was enough.
    var failure: JSONIssue?
    /// Takes each element where they are streamed; true to go on.
    let emit: ((UnsafeMutableRawPointer) throws -> Bool)?
    let rejectsDuplicates: Bool
    /// Whose options hold.
    let decoder: JSONModelDecoder
    let isSmallStringKnown = SmallString.isKnown
    /// Where duplicates are refused: the keys of every open dictionary, by frame.
    var seenKeys: [Int: Set<String>] = [:]
    /// And the model, by frame, whose keys they are.
    var seenObjects: [Int: Int] = [:]
    var unknownKeys = UnknownKeys()
    /// Models begun so far: the serial number of the one on top is in its frame.
    var objectCount = 0

    /// - Parameters:
    ///   - target: memory for one value of `shape`; on success, and only then, it is initialised.
    ///   - table: what leads to the value, where it isn't the root.
    init(
        shape: UnsafePointer<ShapeRecord>, target: UnsafeMutableRawPointer, table: UnsafePointer<FieldTable>?,
        decoder: JSONModelDecoder, emit: ((UnsafeMutableRawPointer) throws -> Bool)?
    ) {
        // Beside those of the text's containers, as many for values that are made of others.
        frames = .allocate(capacity: 2 * decoder.limits.depth + 8)
        top = frames
        frames.initialize(
            to: Frame(
                form: .root, table: table, shape: shape, base: target, target: target, side: nil, owner: frames,
                entry: nil, guess: nil, cursor: target, mark: scratch.mark))
        kind = table == nil ? shape.pointee.kind : .node
        self.target = target
        self.shape = shape
        self.emit = emit
        rejectsDuplicates = decoder.duplicateKeys == .reject
        self.decoder = decoder
    }

    /// Whether the value that was asked for has been made.
    var hasResult: Bool { isComplete && frames.pointee.mask & 1 != 0 }

    /// Whether there is a result, which the caller then owns.
    mutating func takeResult() -> Bool {
        guard hasResult else { return false }
        frames.pointee.mask = 0
        return true
    }

    /// Frees everything; what is half made is destroyed, and so is a result that nobody took.
    mutating func dispose() {
        destroyOpen()
        scratch.free()
        unknownKeys.free()
        frames.deallocate()
    }

    // MARK: Where the next value goes

    /// The value at `target` is there: what holds it is told, and the next place is found.
    @inline(__always)
    mutating func completed() -> Answer {
        switch top.pointee.form {
        case .object:
            let entry = top.pointee.entry.unsafelyUnwrapped
            if entry.pointee.bit == 0 { return completedSpecial(entry) }
            top.pointee.owner.pointee.mask |= entry.pointee.bit
            return .go
        case .array:
            advanceRun()
            return .go
        default:
            return completedElsewhere()
        }
    }

    /// One more element of the run on top is there.
    @inline(__always)
    mutating func advanceRun() {
        let stride = top.pointee.shape.pointee.runStride
        target += stride
        if target + stride > scratch.limit { growRun() }
    }

    /// The value under the key at hand, or at the index, was passed over.
    @inline(__always)
    mutating func passed() -> Answer {
        if top.pointee.form != .object { passedElsewhere() }
        return .go
    }

    @inline(never)
    private mutating func passedElsewhere() {
        switch top.pointee.form {
        case .indexes, .every: nextIndex()
        case .root: isComplete = true
        // An element that was dropped.
        case .array: aimAtRun(top.pointee.cursor)
        case .object, .pairs, .wrapped: break
        }
    }

    @inline(never)
    private mutating func completedSpecial(_ entry: UnsafePointer<FieldEntry>) -> Answer {
        if top.pointee.table.unsafelyUnwrapped.pointee.isUnion { return completedUnionKey(entry) }
        if entry.pointee.child != nil {
            if wholeEntry == entry { setField(entry) }
            return .go
        }
        if entry.pointee.field < 0 { return emitElement() }
        setField(entry)
        return .go
    }

    @inline(never)
    private mutating func completedElsewhere() -> Answer {
        switch top.pointee.form {
        case .pairs:
            top.pointee.hasKey = false
            top.pointee.cursor += top.pointee.shape.pointee.runStride
            if top.pointee.cursor + top.pointee.shape.pointee.runStride > scratch.limit {
                target = top.pointee.cursor
                growRun()
                top.pointee.cursor = target
            }
        case .indexes, .every:
            let entry = top.pointee.entry.unsafelyUnwrapped
            if entry.pointee.bit == 0 {
                let answer = completedSpecial(entry)
                if answer != .go { return answer }
            } else {
                top.pointee.owner.pointee.mask |= entry.pointee.bit
            }
            nextIndex()
        case .wrapped: return finishWrapped()
        case .root:
            // With a table, the bit belongs to what the path led to.
            if top.pointee.table == nil { top.pointee.mask |= 1 }
            isComplete = true
        case .object, .array:
            break
        }
        return .go
    }

    private mutating func emitElement() -> Answer {
        do {
            return try emit.unsafelyUnwrapped(target(of: top.pointee.entry.unsafelyUnwrapped)) ? .go : .stop
        } catch {
            var issue = issue(.thrown)
            issue.underlying = error
            failure = issue
            return .stop
        }
    }

    private func target(of entry: UnsafePointer<FieldEntry>) -> UnsafeMutableRawPointer {
        top.pointee.base + entry.pointee.offset
    }

    /// Points at the value of `entry`, in the memory of the model at hand.
    @inline(__always)
    mutating func aim(_ entry: UnsafePointer<FieldEntry>) {
        top.pointee.entry = entry
        kind = entry.pointee.kind
        shape = entry.pointee.shape
        target = top.pointee.base + entry.pointee.offset
    }

    /// Goes on to the next element of an array that lies on a path.
    mutating func nextIndex() {
        top.pointee.index += 1
        aimAtIndex()
    }

    mutating func aimAtIndex() {
        let table = top.pointee.table.unsafelyUnwrapped
        let entry =
            top.pointee.form == .every ? table.pointee.entries : table.pointee.find(index: top.pointee.index)
        guard let entry, prepare(entry) else {
            kind = .skip
            return
        }
        aim(entry)
        if entry.pointee.isRanked, replaces(entry) { kind = .replace }
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
        let (start, old) = scratch.growRun(
            used: used, stride: stride, isAlone: scratch.mark.chunk > top.pointee.mark.chunk)
        shape.pointee.shape._withUnsafeGuaranteedRef { $0.moveRun.unsafelyUnwrapped(base, used / stride, start) }
        scratch.discard(old)
        top.pointee.base = start
        target = start + used
    }
}
