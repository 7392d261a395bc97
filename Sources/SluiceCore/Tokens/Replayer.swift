/// Sends the tokens of recordings to a sink.
///
/// Replays nest: during a replay, the sink may request another. The levels are kept on the heap, so that nesting uses no
/// stack. If the sink records a part of a replayed value, the recording is a range of the same tape and costs nothing.
///
/// `JSONLimits.rereads` limits the number of replayed bytes per recorded byte. The memory of a tape counts like replayed bytes.
struct Replayer {
    /// How the parse continues.
    enum Outcome: Error {
        case proceed, stop
        // Indirect, because an outcome is returned for each token, and an issue is large.
        indirect case fail(JSONIssue)
    }

    private let limits: JSONLimits
    private var levels: [Entry] = []
    /// The number of levels that are the input of the sink, not replays: 1 if the input is a tape, or else 0.
    private var inputLevels = 0
    /// The number of bytes that can still be replayed.
    private var allowance: Int

    init(limits: JSONLimits) {
        self.limits = limits
        allowance = JSONLimits.replayAllowance
    }

    /// Increases the allowance by the bytes of a recording of the input.
    mutating func allow(_ count: Int) {
        let (product, overflow) = count.multipliedReportingOverflow(by: max(limits.rereads, 0))
        add(overflow ? .max : product)
    }

    /// Increases the allowance, which is perhaps unlimited.
    private mutating func add(_ count: Int) {
        let (sum, isGreat) = allowance.addingReportingOverflow(count)
        allowance = isGreat ? .max : sum
    }

    /// Sends the tokens of a recorded value, which is the whole input, and hands the value that the sink has made to the caller.
    ///
    /// - Throws: The first error, which has a path and no location.
    static func run(
        _ value: Recording, to sink: inout some ResultSink & ~Copyable, limits: JSONLimits
    ) throws(JSONModelError) -> ParseOutcome {
        var replay = Replayer(limits: limits)
        // The recordings of the input need no memory.
        replay.allowance = .max
        replay.inputLevels = 1
        if case .fail(let issue) = replay.run(.recording(value), &sink, origin: .none) {
            throw JSONModelError(issues: sink.collectedIssues + [issue])
        }
        return try sink.outcome(missing: JSONPath(), isPartial: false) { value.storage.located($0, at: nil) }
    }

    /// Creates a replayer of the parts of a recording, which is the input.
    init(of storage: RecordingStorage, limits: JSONLimits) {
        self.init(limits: limits)
        inputLevels = 1
        _ = storage.takeUncountedSize()
        // Each part is read once, and may be read again.
        add(storage.size)
        allow(storage.size)
    }

    /// Performs an action of the sink at a token of the input, with the replays that the action requests.
    mutating func perform(
        _ action: TokenAction, at token: RecordedToken, of storage: RecordingStorage,
        _ sink: inout some TokenSink & ~Copyable
    ) -> Outcome {
        levels.append(Entry(storage, at: token))
        let outcome = handle(action, &sink)
        guard case .proceed = outcome else { return outcome }
        return run(&sink)
    }

    /// Replays until the sink needs the next token of the input.
    ///
    /// - Parameter origin: The origin of bytes made from the current token of the input. Evaluated only for such bytes.
    mutating func run(
        _ request: ReplayRequest, _ sink: inout some TokenSink & ~Copyable,
        origin: @autoclosure () -> RecordingOrigin
    ) -> Outcome {
        open(request, origin: origin())
        return run(&sink)
    }

    private mutating func run(_ sink: inout some TokenSink & ~Copyable) -> Outcome {
        defer { levels.removeAll(keepingCapacity: true) }
        while !levels.isEmpty {
            let outcome = step(&sink)
            guard case .proceed = outcome else { return outcome }
        }
        return .proceed
    }

    private mutating func open(_ request: ReplayRequest, origin: @autoclosure () -> RecordingOrigin) {
        switch request {
        case .recording(let recording):
            // The memory of the tape counts once, like replayed bytes.
            allowance -= recording.storage.takeUncountedSize()
            levels.append(Entry(recording))
        case .value(let value):
            let text = value.sortedText
            // The value does not come from the input, and is read once.
            add(text.count)
            levels.append(Entry(Recording(RecordingStorage(text, origin: origin()))))
        case .text(let text, let depth):
            var limits = limits
            limits.document = .max
            limits.depth = depth
            let storage = RecordingStorage(text, origin: origin(), limits: limits)
            // A string of the input is a recording of the input.
            if levels.isEmpty { allow(text.count) } else { add(text.count) }
            levels.append(Entry(Recording(storage), fault: storage.fault))
        }
    }

    // MARK: Tokens

    private mutating func step<Sink: TokenSink & ~Copyable>(_ sink: inout Sink) -> Outcome {
        let top = levels.count - 1
        guard let token = levels[top].advance() else {
            // The sink may have left the replay at the last token.
            guard top >= inputLevels, levels.count - inputLevels <= sink.replayDepth else {
                levels.removeLast()
                return .proceed
            }
            guard let fault = levels[top].fault else { return handle(sink.endReplay(), &sink) }
            levels[top].token = nil
            return handle(sink.rejectReplay(kind(of: fault)), &sink)
        }
        let tape = levels[top].storage.tape
        let entry = tape[token.entry]
        allowance -= Self.cost(of: entry)
        if allowance < 0 {
            let issue = sink.issue(.limitExceeded(.rereads, limit: limits.rereads))
            return .fail(levels[top].storage.located(issue, at: token))
        }
        if entry.kind.isContainer, !token.isEnd, sink.isSkipping {
            levels[top].skipContainer()
            let action = sink.skipped()
            return action == .proceed ? .proceed : handle(action, &sink)
        }
        let action = give(token, entry, tape, &sink)
        return action == .proceed ? .proceed : handle(action, &sink)
    }

    /// Returns the issue of a text that is not JSON. The limit of depth is that of the input, which also has the containers around the
    /// text.
    private func kind(of fault: SyntaxFault) -> JSONIssue.Kind {
        if case .limitExceeded(.depth, _) = fault.kind { return .limitExceeded(.depth, limit: limits.depth) }
        return fault.kind
    }

    /// Returns about the number of bytes that a token has in JSON.
    private static func cost(of entry: TapeEntry) -> Int {
        switch entry.kind {
        case .key, .hiddenKey, .string: Int(entry.count) + 3
        case .number: Int(entry.count) + 1
        case .array, .object: 1
        default: 5
        }
    }

    private func give<Sink: TokenSink & ~Copyable>(
        _ token: RecordedToken, _ entry: TapeEntry, _ tape: TapeView, _ sink: inout Sink
    ) -> TokenAction {
        switch entry.kind {
        case .object: return token.isEnd ? sink.endObject() : sink.startObject()
        case .array: return token.isEnd ? sink.endArray() : sink.startArray()
        case .key, .hiddenKey:
            return sink.key(
                Key(tape.text(entry), Int(entry.count), head: tape.words(ofKey: token.entry).head))
        case .string:
            return sink.string(tape.text(entry), Int(entry.count), isASCII: entry.flags.contains(.isASCII))
        case .number: return sink.number(tape.number(token.entry))
        case .true: return sink.bool(true)
        case .false: return sink.bool(false)
        // A value with an infinity or NaN is refused before its replay.
        case .null, .nonFinite: return sink.null()
        }
    }

    // MARK: Actions

    /// Performs the sink's action.
    private mutating func handle(_ action: TokenAction, _ sink: inout some TokenSink & ~Copyable) -> Outcome {
        let action = record(sink.withoutLookahead(action), &sink)
        let (storage, token) = (levels[levels.count - 1].storage, levels[levels.count - 1].token)
        let reported = RecordedPart(storage, token ?? RecordedToken(entry: Tape.root))
        let outcome = sink.deliverIssues(of: action) { pending in
            pending.issue = storage.located(pending.issue, at: token)
            pending.token = reported
        } isNew: { pending in
            pending.handling != .record || (pending.token ?? reported).isFirstIssue
        }
        guard case .proceed = outcome else { return outcome }
        guard let request = sink.takeReplay() else {
            leaveLevels(downTo: inputLevels + sink.replayDepth)
            return .proceed
        }
        let origin = origin(storage, token)
        leaveLevels(downTo: inputLevels + sink.replayDepth - 1)
        open(request, origin: origin)
        return .proceed
    }

    private mutating func leaveLevels(downTo count: Int) {
        if levels.count > count { levels.removeSubrange(count...) }
    }

    /// Returns the origin of bytes made from a token.
    private func origin(_ storage: RecordingStorage, _ token: RecordedToken?) -> RecordingOrigin {
        switch storage.origin {
        case .none, .token, .part: storage.origin
        case .input: .part(RecordedPart(storage, token ?? RecordedToken(entry: Tape.root)))
        }
    }

    /// Passes the requested part of the recording to the sink.
    private mutating func record(_ action: TokenAction, _ sink: inout some TokenSink & ~Copyable) -> TokenAction {
        let top = levels.count - 1
        guard let token = levels[top].token else { return action }
        let recording: Recording
        switch action {
        case .proceed, .switchReading, .lookAhead, .stop, .handlePending: return action
        case .record where !sink.isRecording:
            return sink.recorded(.tape(Recording(levels[top].storage, at: token.entry)))
        case .record:
            let isArray = levels[top].storage.tape[token.entry].kind == .array
            recording = levels[top].takeContainer()
            _ = isArray ? sink.endArray() : sink.endObject()
        case .recordMembers:
            recording = levels[top].takeMembers()
            _ = sink.endObject()
        }
        // A container that the text does not close has the fault, which precedes any error of a value without the rest.
        if let fault = levels[top].fault, !levels[top].storage.isClosed(recording.index) {
            levels[top].token = nil
            return sink.rejectReplay(kind(of: fault))
        }
        // The current token is the closing bracket, as for a source that has read to the end of the value.
        levels[top].token = RecordedToken(entry: recording.index, isEnd: true)
        return sink.recorded(.tape(recording))
    }
}

extension Replayer {
    /// A recording that is being replayed.
    fileprivate struct Entry {
        private struct OpenContainer {
            let entry: Int
            /// The entry after the last member.
            let end: Int
        }

        let storage: RecordingStorage
        /// The last token.
        var token: RecordedToken?
        /// The fault at the end of the recording.
        let fault: SyntaxFault?
        private let members: Recording.Members?
        private var hasBegun: Bool
        private var hasEnded: Bool
        /// The entries that follow the current range.
        private var ranges: ArraySlice<Range<Int>>
        /// The next entry, and the end of the current range.
        private var next: Int
        private var end: Int
        private var open: [OpenContainer] = []

        init(_ recording: Recording, fault: SyntaxFault? = nil) {
            storage = recording.storage
            members = recording.members
            self.fault = fault
            hasBegun = !(recording.members?.hasOpeningBracket ?? false)
            hasEnded = recording.members == nil
            ranges = recording.members?.ranges[...] ?? []
            let count = recording.storage.tape.count
            next = recording.members == nil ? min(recording.index, count) : 0
            end = recording.members == nil && next < count ? recording.storage.tape.next(next) : next
        }

        /// Creates a recording without tokens, after a token.
        init(_ storage: RecordingStorage, at token: RecordedToken) {
            (self.storage, self.token, fault, members) = (storage, token, nil, nil)
            (hasBegun, hasEnded, ranges, next, end) = (true, true, [], 0, 0)
        }

        /// Returns the next token, or nil at the end.
        mutating func advance() -> RecordedToken? {
            let following = following()
            // The issues of the end of a replay are located at the last token.
            if following != nil { token = following }
            return following
        }

        private mutating func following() -> RecordedToken? {
            if !hasBegun, let members {
                hasBegun = true
                return RecordedToken(entry: members.object)
            }
            let tape = storage.tape
            while true {
                if let container = open.last, next == container.end {
                    open.removeLast()
                    if storage.isClosed(container.entry) {
                        return RecordedToken(entry: container.entry, isEnd: true)
                    }
                    continue
                }
                if next < end {
                    let index = next
                    let entry = tape[index]
                    if storage.isAbsent(index) {
                        next = index + 1
                        continue
                    }
                    switch entry.kind {
                    case .hiddenKey:
                        next = tape.nextKey(index)
                        continue
                    case .array, .object:
                        open.append(OpenContainer(entry: index, end: entry.value))
                        next = index + 1
                    default: next = index + entry.kind.length
                    }
                    return RecordedToken(entry: index)
                }
                if let range = ranges.popFirst() {
                    (next, end) = (range.lowerBound, range.upperBound)
                    continue
                }
                guard !hasEnded, let members else { return nil }
                hasEnded = true
                return RecordedToken(entry: members.object, isEnd: true)
            }
        }

        /// Skips the container whose opening bracket was the last token.
        mutating func skipContainer() {
            if let container = open.popLast() { next = container.end } else { leave() }
        }

        /// Ends the recording of members.
        private mutating func leave() {
            (ranges, next, end, hasEnded) = ([], 0, 0, true)
        }

        /// Skips the container whose opening bracket was the last token.
        ///
        /// - Returns: A recording of the container.
        mutating func takeContainer() -> Recording {
            defer { skipContainer() }
            if let container = open.last { return Recording(storage, at: container.entry) }
            return members.map { Recording(storage, $0) } ?? Recording(storage, at: next)
        }

        /// Skips the rest of the innermost object, including the closing bracket. The last token is one of its keys.
        ///
        /// - Returns: The members from that key on.
        mutating func takeMembers() -> Recording {
            let key = token?.entry ?? next
            if let container = open.popLast() {
                next = container.end
                return Recording(
                    storage, Recording.Members(of: container.entry, [key..<container.end], hasOpeningBracket: false)
                )
            }
            let object = members?.object ?? Tape.root
            let rest = [key..<end] + ranges
            leave()
            return Recording(storage, Recording.Members(of: object, rest, hasOpeningBracket: false))
        }
    }
}

extension SelectiveSink where Self: ~Copyable {
    /// Returns the action that the sink takes instead of looking ahead, in a source that has no window.
    mutating func withoutLookahead(_ action: TokenAction) -> TokenAction {
        guard action == .lookAhead else { return action }
        var nothing = Lookahead.nothing
        return lookedAhead(&nothing)
    }
}

extension ReportingSink where Self: ~Copyable {
    /// Delivers the issues that an action announced.
    ///
    /// - Parameters:
    ///   - locate: Adds the location of the current token.
    ///   - isNew: Whether to deliver an issue that does not end the parse.
    mutating func deliverIssues(
        of action: TokenAction, locate: (inout PendingIssue) -> Void, isNew: (PendingIssue) -> Bool = { _ in true }
    ) -> Replayer.Outcome {
        for var pending in takeIssues() {
            if !pending.isLocated {
                locate(&pending)
                pending.isLocated = true
            }
            if pending.handling == .stop { return .fail(pending.issue) }
            if isNew(pending), !deliver(pending) { return .stop }
        }
        return action == .stop ? .stop : .proceed
    }
}

/// A replay requested by a sink.
enum ReplayRequest {
    case recording(Recording)
    /// A value returned by a hook.
    case value(JSONValue)
    /// A string that should hold JSON, and the depth limit for that JSON.
    case text([UInt8], depth: Int)
}
