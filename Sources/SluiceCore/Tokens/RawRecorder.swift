/// Records the verbatim bytes of a value while a source passes over the value, and performs the sink's actions. Shared by the
/// scanner and the yajl source.
struct RawRecorder {
    /// A recording that has begun and has not ended.
    private struct OpenRecording {
        /// The offset of the first recorded byte.
        let start: Int
        /// Whether the recorded bytes are members of an object.
        let isMembers: Bool
        /// The recorded bytes before the current chunk.
        var bytes: [UInt8]
        /// The origin of the recorded bytes. Set before the chunk of the first byte is released.
        var origin: RecordingOrigin?
    }

    private let limits: JSONLimits
    private var recording: OpenRecording?
    /// Created for the first recording or replay.
    private var replay: Replayer?

    @inline(__always)
    init(limits: JSONLimits) { self.limits = limits }

    /// Whether a value is being recorded.
    var isOn: Bool { recording != nil }

    /// Whether nothing was recorded or replayed.
    var isUnused: Bool { recording == nil && replay == nil }

    /// Begins a recording at a retained token, which may have begun before the current chunk.
    mutating func begin(at offset: Int, _ text: inout LookbackBuffer, isMembers: Bool = false) {
        let isWhole = offset >= text.chunkOffset
        recording = OpenRecording(
            start: offset, isMembers: isMembers,
            bytes: isWhole ? [] : text.bytes(from: offset, to: text.chunkOffset),
            origin: isWhole ? nil : Self.origin(at: offset, &text))
    }

    /// Copies the recorded bytes of the current chunk up to an offset, before the chunk's memory becomes invalid.
    mutating func keep(_ text: inout LookbackBuffer, to end: Int) {
        guard let start = recording?.start else { return }
        if recording?.origin == nil { recording?.origin = Self.origin(at: start, &text) }
        recording?.bytes += text.bytes(from: max(start, text.chunkOffset), to: end)
    }

    /// Ends the recording before an offset.
    private mutating func finish(_ text: inout LookbackBuffer, at end: Int) -> RecordedValue {
        keep(&text, to: end)
        guard let ended = recording.take(), let origin = ended.origin else { preconditionFailure("no recording") }
        replay = replay ?? Replayer(limits: limits)
        replay?.allow(ended.bytes.count)
        return .bytes(ended.bytes, origin, isMembers: ended.isMembers)
    }

    /// Sends the tokens of a replay to the sink.
    private mutating func run(
        _ request: ReplayRequest, _ sink: inout some TokenSink & ~Copyable,
        origin: @autoclosure () -> RecordingOrigin
    ) -> Replayer.Outcome {
        // Moved out of the recorder, so that the memory of the replay has one owner.
        var replay = self.replay.take() ?? Replayer(limits: limits)
        defer { self.replay = replay }
        return replay.run(request, &sink, origin: origin())
    }

    private static func origin(at offset: Int, _ text: inout LookbackBuffer) -> RecordingOrigin {
        let location = text.location(of: offset)
        return .input(location, context: text.context(of: location))
    }

    /// Collects the issue that ended the input, and closes the open containers. The issues of closing are located at the end of
    /// the input. The sink's limit of issues does not stop this; issues beyond the limit are not collected.
    ///
    /// - Returns: Whether the containers were closed. False, without changes, if the input ended during a replay.
    mutating func closeOpen<Sink: TokenSink & ~Copyable>(_ sink: inout Sink, behind issue: JSONIssue) -> Bool {
        guard sink.replayDepth == 0 else { return false }
        let hasRoom = sink.deliver(PendingIssue(issue: issue, handling: .record, isLocated: true))
        close(&sink, above: 0, at: issue, isFull: !hasRoom)
        return true
    }

    /// Closes open containers.
    ///
    /// - Parameters:
    ///   - depth: The number of the sink's outer frames that stay open.
    ///   - issue: The issue at the end of the input, whose location the issues of closing receive.
    ///   - isFull: Whether the sink collects no more issues.
    mutating func close<Sink: TokenSink & ~Copyable>(
        _ sink: inout Sink, above depth: Int, at issue: JSONIssue, isFull: Bool = false
    ) {
        var isFull = isFull
        while let action = sink.closeContainer(above: depth) {
            let outcome = sink.deliverIssues(of: action) { pending in
                pending.issue.location = issue.location
                pending.issue.excerpt = issue.excerpt
            } isNew: {
                $0.handling != .record || !isFull
            }
            switch outcome {
            case .proceed: break
            case .stop where action != .stop: isFull = true
            case .stop, .fail: return
            }
            guard let request = sink.takeReplay() else { continue }
            switch run(request, &sink, origin: .token(issue.location)) {
            case .proceed: break
            case .stop where sink.replayDepth == 0: isFull = true
            case .stop, .fail: return
            }
        }
    }

    /// Performs the sink's action after a token, and passes the token's location to the sink if requested.
    mutating func handle<Sink: TokenSink & ~Copyable>(
        _ action: TokenAction, _ sink: inout Sink, _ text: inout LookbackBuffer, from first: Int, to end: Int
    ) -> Replayer.Outcome {
        let outcome = perform(action, &sink, &text, from: first, to: end)
        guard case .proceed = outcome, sink.awaitsLocation else { return outcome }
        let start = text.location(of: first)
        let action = sink.located(from: start, to: text.location(of: end))
        return sink.deliverIssues(of: action) { $0.issue = text.located($0.issue, from: first, to: end) }
    }

    private mutating func perform<Sink: TokenSink & ~Copyable>(
        _ action: TokenAction, _ sink: inout Sink, _ text: inout LookbackBuffer, from first: Int, to end: Int
    ) -> Replayer.Outcome {
        var action = sink.withoutLookahead(action)
        switch action {
        case .record, .recordMembers:
            let begins = !isOn
            if begins { begin(at: first, &text, isMembers: action == .recordMembers) }
            // A recording that goes on has only issues of another driver. Their location is not the end of the recording.
            action = begins && sink.isRecording ? .proceed : sink.recorded(finish(&text, at: end))
        case .proceed, .switchReading: return .proceed
        case .lookAhead, .handlePending, .stop: break
        }
        let outcome = sink.deliverIssues(of: action) { $0.issue = text.located($0.issue, from: first, to: end) }
        guard case .proceed = outcome else { return outcome }
        if let request = sink.takeReplay() {
            let outcome = run(request, &sink, origin: .token(text.location(of: first)))
            guard case .proceed = outcome else { return outcome }
        }
        guard let start = sink.takeRecordingStart() else { return .proceed }
        begin(at: start, &text)
        return sink.isRecording ? .proceed : perform(.record, &sink, &text, from: first, to: end)
    }
}
