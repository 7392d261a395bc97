/// Sends the tokens of a tree of values to a sink, like the sources of JSON text.
///
/// A tree has no text, so errors have a path and no location.
struct TreeSource<Value> {
    private var walk: TreeWalk<Value>
    private let look: (Value) throws -> TreeNode<Value>
    private let depth: Int
    private var replay: Replay

    init(_ root: Value, limits: JSONLimits, look: @escaping (Value) throws -> TreeNode<Value>) {
        depth = limits.depth
        replay = Replay(limits: limits)
        self.look = look
        walk = TreeWalk(root, look: look)
    }

    /// Sends all tokens.
    ///
    /// - Parameters:
    ///   - missing: The path of the value that the sink must have made at the end, which the caller then owns; nil if no
    ///     value is required.
    ///   - isPartial: Whether the value may be missing if issues give the reason.
    mutating func run(
        to sink: inout some ResultSink & ~Copyable, missing: JSONPath?, isPartial: Bool
    ) throws(JSONModelError) -> ParseOutcome {
        do { try run(to: &sink) } catch { throw JSONModelError(issues: sink.collectedIssues + error.issues) }
        return try sink.outcome(missing: missing, isPartial: isPartial) { Self.withoutLocation($0) }
    }

    /// Sends all tokens.
    mutating func run(to sink: inout some TokenSink & ~Copyable) throws(JSONModelError) {
        while true {
            let action: TokenAction
            if sink.isSkipping, walk.isAtValue {
                walk.skip()
                action = sink.skipped()
            } else {
                let token: TreeWalk<Value>.Token?
                do { token = try walk.next() } catch { throw failure(error, &sink) }
                guard let token else { return }
                action = try capture(token, give(token, &sink), &sink)
                if walk.depth > depth { throw failed(.limitExceeded(.depth, limit: depth), &sink) }
            }
            if try !handle(action, &sink) { return }
        }
    }

    /// Performs the sink's action. Returns false at the end of the parse.
    private mutating func handle(
        _ action: TokenAction, _ sink: inout some TokenSink & ~Copyable
    ) throws(JSONModelError) -> Bool {
        if action == .proceed { return true }
        var outcome = sink.deliverIssues(of: action) { $0.issue = Self.withoutLocation($0.issue) }
        if case .proceed = outcome, let request = sink.takeReplay() {
            outcome = replay.run(request, &sink, origin: .none)
        }
        if case .proceed = outcome, sink.awaitsLocation {
            let nowhere = JSONLocation(offset: 0, line: 0, column: 0)
            let action = sink.located(from: nowhere, to: nowhere)
            outcome = sink.deliverIssues(of: action) { $0.issue = Self.withoutLocation($0.issue) }
        }
        switch outcome {
        case .proceed: return true
        case .stop: return false
        case .fail(let issue): throw JSONModelError(issues: [issue])
        }
    }

    private func give(
        _ token: TreeWalk<Value>.Token, _ sink: inout some TokenSink & ~Copyable
    ) -> TokenAction {
        switch token {
        case .null: return sink.null()
        case .bool(let value): return sink.bool(value)
        case .startArray: return sink.startArray()
        case .endArray: return sink.endArray()
        case .startObject: return sink.startObject()
        case .endObject: return sink.endObject()
        case .key(let key):
            return Self.lend(key, to: &sink) { sink, bytes, count in sink.key(Key(bytes, count)) }
        case .string(let text):
            return Self.lend(text, to: &sink) { sink, bytes, count in
                sink.string(bytes, count, isASCII: UTF8Validation.isASCII(bytes, count))
            }
        case .number(let number):
            return Self.lend(number.description, to: &sink) { sink, bytes, count in
                sink.number(NumberToken(checked: bytes, count: count))
            }
        }
    }

    private static func lend<Sink: TokenSink & ~Copyable>(
        _ text: String, to sink: inout Sink, _ body: (inout Sink, UnsafePointer<UInt8>, Int) -> TokenAction
    ) -> TokenAction {
        var text = text
        return text.withUTF8 { bytes in
            if let base = bytes.baseAddress { return body(&sink, base, bytes.count) }
            return withUnsafePointer(to: 0) { body(&sink, $0, 0) }
        }
    }

    /// Passes a tape of the requested value to the sink, instead of further tokens.
    private mutating func capture(
        _ token: TreeWalk<Value>.Token, _ action: TokenAction, _ sink: inout some TokenSink & ~Copyable
    ) throws(JSONModelError) -> TokenAction {
        let recording: Recording
        do {
            switch action {
            case .capture: return sink.recorded(.tape(try record(walk.current)))
            case .beginCapture:
                recording = try record(walk.current)
                walk.leave()
            case .captureMembers: recording = try recordMembers(walk.leaveWithMembers())
            case .proceed, .readDoubles, .stop, .handlePending, .endCapture: return action
            }
        } catch {
            throw failure(error, &sink)
        }
        if case .startArray = token { _ = sink.endArray() } else { _ = sink.endObject() }
        return sink.recorded(.tape(recording))
    }

    private mutating func record(_ value: Value) throws -> Recording {
        var recorder = TapeRecorder(
            Tape(input: nil, capacity: 64), recordsLocations: false, keepsRepeatedKeys: true)
        try record(value, with: &recorder)
        return finish(recorder)
    }

    private mutating func recordMembers(_ members: ArraySlice<(key: String, value: Value)>) throws -> Recording {
        var recorder = TapeRecorder(
            Tape(input: nil, capacity: 64), recordsLocations: false, keepsRepeatedKeys: true)
        _ = recorder.startObject()
        for (key, value) in members {
            _ = give(.key(key), &recorder)
            try record(value, with: &recorder)
        }
        _ = recorder.endObject()
        return finish(recorder).allMembers
    }

    private func record(_ value: Value, with recorder: inout TapeRecorder) throws {
        let left = depth - walk.depth + 1
        var inner = TreeWalk(value, look: look)
        while let token = try inner.next() {
            if inner.depth > left { throw TreeWalk<Value>.TooDeep() }
            _ = give(token, &recorder)
        }
    }

    private mutating func finish(_ recorder: TapeRecorder) -> Recording {
        let tape = recorder.finish()
        replay.allow(tape.size)
        return Recording(RecordingStorage(tape.view, owner: tape))
    }

    private func failure(_ error: any Error, _ sink: inout some TokenSink & ~Copyable) -> JSONModelError {
        if error is TreeWalk<Value>.TooDeep { return failed(.limitExceeded(.depth, limit: depth), &sink) }
        if let problem = error as? JSONModelError.ConversionFailure, case .invalid(let why, _) = problem {
            return failed(.invalidValue(expected: sink.expectation, reason: why), &sink)
        }
        var issue = sink.issue(.thrown)
        issue.underlying = error
        return JSONModelError(issues: [Self.withoutLocation(issue)])
    }

    /// Returns an error at the current value.
    private func failed(_ kind: JSONIssue.Kind, _ sink: inout some TokenSink & ~Copyable) -> JSONModelError {
        JSONModelError(issues: [Self.withoutLocation(sink.issue(kind))])
    }

    private static func withoutLocation(_ issue: JSONIssue) -> JSONIssue {
        var issue = issue
        issue.location.line = 0
        return issue
    }
}
