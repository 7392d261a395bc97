// Recordings and their replays.
//
// Some values can be read only after more of the input is known: an enum with a late tag, an untagged enum, a value with a
// hook, a value read both whole and in parts, JSON in a string. The source records such a value and hands the recording to
// the driver. The driver requests a replay, and `Replayer` sends the recorded tokens to the driver.
//
// Replays nest: a recorded value may contain recorded values. Each replay is an entry of the stack of open replays, with the index
// of the frame on top when the replay began. The frames above that frame belong to the replay.

/// The purpose of a recording.
enum RecordingPurpose {
    /// A `JSONRaw`.
    case raw
    /// A field whose value has a hook, or is read both whole and in parts.
    case field
    /// An enum that can be any value.
    case union
    /// The remaining members of an enum's object, up to and after the tag.
    case members
    /// A model with flattened enums.
    case composite
}

/// The purpose of a replay.
enum ReplayPurpose {
    /// The current value.
    case value
    /// The current value, from the JSON in a string.
    case text
    /// The value of a field as a whole. Its parts are read next.
    case buffered(BufferedField)
    /// The parts of a value that was read as a whole.
    case part
    /// A field of the innermost model, read after all others: a flattened enum, or a missing field for which a hook returned a
    /// value.
    case lateField
    /// A model with flattened enums, which read the same object again.
    case composite(Recording)
    /// The remaining members of an enum's object.
    case members
    /// The value as the payload of one case of an untagged enum.
    case attempt(Attempt)
}

/// A field that is read both whole and in parts.
struct BufferedField {
    let entry: EntryReference
    /// The index, if the field is an element of an array on a path.
    let position: Int
    let recording: Recording
}

/// The recording of the current value, and the open replays.
struct Recorder {
    /// The replays that have begun and have not ended, from the outermost, and their state.
    final class ReplayStack {
        struct Entry {
            /// The index of the frame on top when the replay began.
            let base: Int
            /// The position of the recording's source: after a value, or at the closing bracket of the innermost model.
            let site: FailureSite
            var purpose: ReplayPurpose
        }

        // Only the driver that has the state uses the state, and no access calls back.
        @exclusivity(unchecked) fileprivate var entries: [Entry] = []
        @exclusivity(unchecked) fileprivate var request: ReplayRequest?
        @exclusivity(unchecked) fileprivate var outcomes: [AttemptKey: AttemptOutcome] = [:]
        @exclusivity(unchecked) fileprivate var inner: RecordedValue?
        @exclusivity(unchecked) fileprivate var failed: FailedCase?
    }

    /// Whether the tokens of a container are recorded.
    private(set) var isRecording = false
    /// The purpose of the current or last recording.
    private(set) var purpose = RecordingPurpose.raw
    /// The number of open values from which other values are made.
    var conversionCount = 0
    /// Created for the first replay.
    private var replays: ReplayStack?
    /// Created for the first value that is made from its tokens.
    private var ownedValueTape: ValueTape?
    /// Created for the first string of JSON.
    private var ownedNestedScanner: NestedScanner?

    /// Whether no value was replayed.
    var isUnused: Bool { replays == nil }

    /// Copies the state of another recorder, which has no open replay.
    mutating func continueState(of other: Recorder) {
        (isRecording, purpose, conversionCount) = (other.isRecording, other.purpose, other.conversionCount)
    }

    // MARK: Recordings

    /// Begins the recording of a container.
    mutating func begin(_ purpose: RecordingPurpose) { (isRecording, self.purpose) = (true, purpose) }

    /// Expects the recording of a value that ends with the current token.
    mutating func expectEnd(_ purpose: RecordingPurpose) { self.purpose = purpose }

    /// Ends the recording of a container.
    mutating func end() { isRecording = false }

    /// The recorded JSON that becomes a value decoded later, for the location of the value.
    mutating func keep(_ value: RecordedValue) { makeReplayStack().inner = value }

    /// Returns and removes the JSON that was kept.
    mutating func takeKept() -> RecordedValue? { replays?.inner.take() }

    /// The tape of the values that are made from their tokens; nil before the first one.
    var valueTape: Unmanaged<ValueTape>? { ownedValueTape.map { .passUnretained($0) } }

    mutating func makeValueTape(_ limits: JSONLimits) -> Unmanaged<ValueTape> {
        let tape = ValueTape(limits)
        ownedValueTape = tape
        return .passUnretained(tape)
    }

    /// The scanner of the JSON in strings.
    mutating func nestedScanner(_ limits: JSONLimits) -> Unmanaged<NestedScanner> {
        if let scanner = ownedNestedScanner { return .passUnretained(scanner) }
        let scanner = NestedScanner(limits)
        ownedNestedScanner = scanner
        return .passUnretained(scanner)
    }

    // MARK: Replays

    private mutating func makeReplayStack() -> ReplayStack {
        if let replays { return replays }
        let first = ReplayStack()
        replays = first
        return first
    }

    /// The open replays, from the outermost.
    var open: [ReplayStack.Entry] { replays?.entries ?? [] }

    var depth: Int { replays?.entries.count ?? 0 }

    /// Begins a replay, which the current action requests.
    mutating func begin(_ replay: ReplayStack.Entry, _ request: ReplayRequest) {
        let replays = makeReplayStack()
        replays.entries.append(replay)
        replays.request = request
    }

    /// Returns and removes the requested replay.
    mutating func takeRequest() -> ReplayRequest? { replays?.request.take() }

    /// Ends the innermost replay.
    mutating func endReplay() -> ReplayStack.Entry? { replays?.entries.popLast() }

    /// Changes the purpose of an attempt that has succeeded.
    mutating func endAttempt(at position: Int) { replays?.entries[position].purpose = .value }

    /// Leaves the innermost replays, so that `count` remain open.
    ///
    /// - Returns: The outermost replay that was left.
    mutating func leave(downTo count: Int) -> ReplayStack.Entry? {
        guard let replays, replays.entries.count > count else { return nil }
        let left = replays.entries[count]
        replays.entries.removeSubrange(count...)
        replays.request = nil
        return left
    }

    // MARK: Attempts

    /// Whether an attempt is in progress.
    var isAttempting: Bool {
        replays?.entries.contains { if case .attempt = $0.purpose { true } else { false } } ?? false
    }

    /// Whether the innermost attempt converts no scalars. The JSON in a string is read by its own rules.
    var isExact: Bool {
        guard let replays else { return false }
        for replay in replays.entries.reversed() {
            switch replay.purpose {
            case .attempt(let attempt): return attempt.isExact
            case .text: return false
            default: continue
            }
        }
        return false
    }

    func outcome(of key: AttemptKey) -> AttemptOutcome? { replays?.outcomes[key] }

    mutating func remember(_ outcome: AttemptOutcome, of key: AttemptKey) {
        makeReplayStack().outcomes[key] = outcome
    }

    /// Notes the case that has failed before its container was recorded.
    mutating func noteFailed(_ failed: FailedCase) { makeReplayStack().failed = failed }

    /// Returns and removes the case that has failed before the current container was recorded.
    mutating func takeFailed() -> FailedCase? { replays?.failed.take() }

    /// Forgets all outcomes, because no attempt is open.
    mutating func forgetOutcomes() { replays?.outcomes = [:] }
}
