/// Sends the tokens of recordings to a sink.
///
/// Replays nest: during a replay, the sink may ask for another. The levels are kept on the heap, so that nesting uses no
/// stack. If the sink records a part of a replayed value, the recording is a range of the same bytes and costs nothing.
///
/// `JSONLimits.replay` limits the number of replayed bytes per recorded byte.
struct Replay {
    /// How the parse continues.
    enum Outcome {
        case proceed, stop
        case fail(JSONIssue)
    }

    private struct Level {
        let storage: RecordingStorage
        var cursor: RecordingCursor
        /// The fault of invalid JSON.
        var fault: Fault?
        /// The last token.
        var token: RecordedToken?
    }

    /// The first fault in invalid JSON.
    private struct Fault {
        let kind: JSONIssue.Kind
        let offset: Int
        /// The offset after the byte at fault.
        let end: Int
    }

    private let limits: JSONLimits
    private var levels: [Level] = []
    /// The number of bytes that can still be replayed.
    private var allowance: Int

    init(limits: JSONLimits) {
        self.limits = limits
        allowance = JSONLimits.freelyReplayed
    }

    /// Increases the allowance by the bytes of a recording of the input.
    mutating func allow(_ count: Int) {
        let (product, overflow) = count.multipliedReportingOverflow(by: max(limits.replay, 0))
        let (sum, isGreat) = allowance.addingReportingOverflow(overflow ? .max : product)
        allowance = isGreat ? .max : sum
    }

    /// Replays until the sink needs the next token of the input.
    ///
    /// - Parameter origin: The origin of bytes made from the current token of the input.
    mutating func run<Sink: TokenSink & ~Copyable>(
        _ request: ReplayRequest, _ sink: inout Sink, origin: RecordingOrigin
    ) -> Outcome {
        defer { levels.removeAll() }
        open(request, origin: origin)
        while !levels.isEmpty {
            let outcome = step(&sink)
            guard case .proceed = outcome else { return outcome }
        }
        return .proceed
    }

    private mutating func open(_ request: ReplayRequest, origin: RecordingOrigin) {
        switch request {
        case .recording(let recording): levels.append(Level(storage: recording.storage, cursor: recording.cursor))
        case .value(let value):
            let text = value.sortedText
            let storage = RecordingStorage(text, origin: origin)
            // The value does not come from the input, and is read once.
            allowance += text.count
            levels.append(Level(storage: storage, cursor: Recording(storage).cursor))
        case .text(let text, let depth):
            let (storage, fault) = Self.validated(text, depth, limits, origin: origin)
            levels.append(Level(storage: storage, cursor: Recording(storage).cursor, fault: fault))
        }
    }

    /// Validates bytes that may not be JSON. Returns the valid part and the first fault.
    private static func validated(
        _ text: [UInt8], _ depth: Int, _ limits: JSONLimits, origin: RecordingOrigin
    ) -> (RecordingStorage, Fault?) {
        var limits = limits
        limits.document = .max
        limits.depth = depth
        var source = ScannerSource(limits: limits)
        var sink = IgnoringSink()
        do throws(JSONModelError) {
            try text.withUnsafeBufferPointer { bytes throws(JSONModelError) in try source.run(bytes, to: &sink) }
            return (RecordingStorage(text, origin: origin), nil)
        } catch {
            let issue = error.issues[0]
            let offset = min(issue.location.offset, text.count)
            // A complete value with trailing content is not used.
            let valid = issue.kind == .trailingContent ? 0 : offset
            let storage = RecordingStorage(Array(text[..<valid]), origin: origin, invalidText: text[valid...])
            return (storage, Fault(kind: issue.kind, offset: offset, end: min(offset + 1, text.count)))
        }
    }

    // MARK: Tokens

    private mutating func step<Sink: TokenSink & ~Copyable>(_ sink: inout Sink) -> Outcome {
        let top = levels.count - 1
        let before = levels[top].cursor.position
        guard let token = levels[top].cursor.next() else {
            // The sink may have left the replay at the last token.
            guard levels.count <= sink.replayDepth else {
                levels.removeLast()
                return .proceed
            }
            guard let fault = levels[top].fault else { return handle(sink.endReplay(), &sink) }
            levels[top].token = RecordedToken(kind: .string, start: fault.offset, end: fault.end)
            return handle(sink.rejectReplay(fault.kind), &sink)
        }
        levels[top].token = token
        allowance -= max(levels[top].cursor.position - before, 0)
        if allowance < 0 {
            let issue = sink.issue(.limitExceeded(.replay, limit: limits.replay))
            return .fail(levels[top].storage.located(issue, from: token.start, to: token.end))
        }
        if token.beginsContainer, sink.isSkipping {
            levels[top].cursor.skipContainer()
            let action = sink.skipped()
            return action == .proceed ? .proceed : handle(action, &sink)
        }
        let action = give(token, levels[top].storage, &sink)
        return action == .proceed ? .proceed : handle(action, &sink)
    }

    private func give<Sink: TokenSink & ~Copyable>(
        _ token: RecordedToken, _ storage: RecordingStorage, _ sink: inout Sink
    ) -> TokenAction {
        switch token.kind {
        case .beginObject: return sink.startObject()
        case .beginArray: return sink.startArray()
        case .endObject: return sink.endObject()
        case .endArray: return sink.endArray()
        case .null: return sink.null()
        case .bool: return sink.bool(storage.bytes[token.start] == UInt8(ascii: "t"))
        case .number:
            return sink.number(NumberToken(checked: storage.bytes + token.start, count: token.end - token.start))
        case .key: return storage.withUTF8(of: token) { sink.key(Key(readable: $0.baseAddress!, $0.count)) }
        case .string:
            return storage.withUTF8(of: token) { bytes in
                let base = bytes.baseAddress.unsafelyUnwrapped
                return sink.string(base, bytes.count, isASCII: UTF8Validation.isASCII(base, bytes.count))
            }
        }
    }

    // MARK: Actions

    /// Performs the sink's action.
    private mutating func handle<Sink: TokenSink & ~Copyable>(_ action: TokenAction, _ sink: inout Sink) -> Outcome
    {
        let action = record(action, &sink)
        let level = levels[levels.count - 1]
        let (start, end) = (level.token?.start ?? 0, level.token?.end ?? 0)
        let outcome = sink.deliverIssues(of: action) { pending in
            pending.issue = level.storage.located(pending.issue, from: start, to: end)
            pending.token = Recording.Start(storage: level.storage, offset: start)
        } isNew: { pending in
            guard pending.handling == .record else { return true }
            let token = pending.token ?? Recording.Start(storage: level.storage, offset: start)
            return token.storage.isFirstIssue(at: token.offset)
        }
        guard case .proceed = outcome else { return outcome }
        guard let request = sink.takeReplay() else {
            leaveLevels(downTo: sink.replayDepth)
            return .proceed
        }
        let origin = origin(level)
        leaveLevels(downTo: sink.replayDepth - 1)
        open(request, origin: origin)
        return .proceed
    }

    private mutating func leaveLevels(downTo count: Int) {
        if levels.count > count { levels.removeSubrange(count...) }
    }

    /// Returns the origin of bytes made from the last token of a level.
    private func origin(_ level: Level) -> RecordingOrigin {
        switch level.storage.origin {
        case .none: .none
        case .token(let location): .token(location)
        case .input: .token(level.storage.location(of: level.token?.start ?? 0))
        }
    }

    /// Passes the requested part of the recording to the sink.
    private mutating func record<Sink: TokenSink & ~Copyable>(_ action: TokenAction, _ sink: inout Sink)
        -> TokenAction
    {
        let top = levels.count - 1
        guard let token = levels[top].token else { return action }
        let recording: Recording
        switch action {
        case .proceed, .readDoubles, .stop, .handlePending, .endCapture: return action
        case .capture: return sink.recorded(.replayed(levels[top].cursor.scalar(token)))
        case .beginCapture:
            recording = levels[top].cursor.container(token)
            levels[top].cursor.skipContainer()
            _ = token.kind == .beginArray ? sink.endArray() : sink.endObject()
        case .captureMembers:
            recording = levels[top].cursor.leaveObject(from: token)
            _ = sink.endObject()
        }
        // The current token is the closing bracket, as for a source that has read to the end of the value.
        let end = recording.segments.last?.end ?? token.end
        let kind: RecordedToken.Kind = token.kind == .beginArray ? .endArray : .endObject
        levels[top].token = RecordedToken(kind: kind, start: end - 1, end: end)
        return sink.recorded(.replayed(recording))
    }
}

extension TokenSink where Self: ~Copyable {
    /// Delivers the issues that an action announced.
    ///
    /// - Parameters:
    ///   - locate: Adds the location of the current token.
    ///   - isNew: Whether to deliver an issue that does not end the parse.
    mutating func deliverIssues(
        of action: TokenAction, locate: (inout PendingIssue) -> Void, isNew: (PendingIssue) -> Bool = { _ in true }
    ) -> Replay.Outcome {
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

/// Accepts every token. For input that is only validated or copied.
struct IgnoringSink: SimpleSink {
    var isSkipping: Bool { true }

    mutating func startObject() -> TokenAction { .proceed }
    mutating func endObject() -> TokenAction { .proceed }
    mutating func startArray() -> TokenAction { .proceed }
    mutating func endArray() -> TokenAction { .proceed }
    mutating func key(_ key: Key) -> TokenAction { .proceed }
    mutating func string(_ bytes: UnsafePointer<UInt8>, _ count: Int, isASCII: Bool) -> TokenAction { .proceed }
    mutating func number(_ token: NumberToken) -> TokenAction { .proceed }
    mutating func bool(_ value: Bool) -> TokenAction { .proceed }
    mutating func null() -> TokenAction { .proceed }
}
