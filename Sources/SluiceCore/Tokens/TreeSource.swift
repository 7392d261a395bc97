/// A position in a tree of values. The values before it have been sent as tokens.
protocol TreeCursor {
    /// The number of open objects and arrays.
    var depth: Int { get }
    /// Whether the next token begins a value.
    var isAtValue: Bool { get }

    /// Sends the next token.
    ///
    /// - Parameter depth: The greatest number of open objects and arrays.
    /// - Returns: The sink's action; nil at the end of the tree.
    /// - Throws: ``DepthError`` before an object or array that is too deep, or an error if the next value has no JSON form.
    mutating func send(to sink: inout some TokenSink & ~Copyable, depth: Int) throws -> TokenAction?
    /// Skips the next value.
    mutating func skip()

    /// A cursor before the value whose first token was sent last.
    var atCurrentValue: Self { get }
    /// Leaves the object or array whose first token was sent last. Returns whether it is an array.
    mutating func leave() -> Bool
    /// Leaves the innermost object, whose key was sent last.
    ///
    /// - Returns: A cursor before that key, whose last token is the end of the object.
    mutating func leaveWithMembers() -> Self
}

/// Sends the tokens of a tree of values to a sink, like the sources of JSON text.
///
/// A tree has no text, so errors have a path and no location.
struct TreeSource<Cursor: TreeCursor> {
    private var cursor: Cursor
    private let limits: JSONLimits
    private var replay: Replayer

    private var depth: Int { limits.depth }

    init(_ cursor: Cursor, limits: JSONLimits) {
        self.cursor = cursor
        self.limits = limits
        replay = Replayer(limits: limits)
    }

    /// Sends all tokens.
    ///
    /// - Parameters:
    ///   - missing: The path of the value that the sink must have made at the end, which the caller then owns; nil if no
    ///     value is required.
    ///   - isPartial: Whether the value may be missing if issues give the reason, and may be made from the part before an error.
    mutating func run(
        to sink: inout some ResultSink & ~Copyable, missing: JSONPath?, isPartial: Bool
    ) throws(JSONModelError) -> ParseOutcome {
        do { try run(to: &sink) } catch {
            return try sink.outcome(after: error, isPartial: isPartial, limits: limits)
        }
        return try sink.outcome(missing: missing, isPartial: isPartial) { $0.withoutLocation }
    }

    /// Sends all tokens.
    mutating func run(to sink: inout some TokenSink & ~Copyable) throws(JSONModelError) {
        while true {
            var action: TokenAction
            if sink.isSkipping, cursor.isAtValue {
                cursor.skip()
                action = sink.skipped()
            } else {
                do {
                    guard let next = try cursor.send(to: &sink, depth: depth) else { return }
                    action = next
                } catch {
                    throw failure(error, &sink)
                }
                if action != .proceed { action = try record(sink.withoutLookahead(action), &sink) }
            }
            if action != .proceed, try !handle(action, &sink) { return }
        }
    }

    /// Performs the sink's action. Returns false at the end of the parse.
    private mutating func handle(
        _ action: TokenAction, _ sink: inout some TokenSink & ~Copyable
    ) throws(JSONModelError) -> Bool {
        var outcome = sink.deliverIssues(of: action) { $0.issue = $0.issue.withoutLocation }
        if case .proceed = outcome, let request = sink.takeReplay() {
            outcome = replay.run(request, &sink, origin: .none)
        }
        if case .proceed = outcome, sink.awaitsLocation {
            let nowhere = JSONLocation(offset: 0, line: 0, column: 0)
            let action = sink.located(from: nowhere, to: nowhere)
            outcome = sink.deliverIssues(of: action) { $0.issue = $0.issue.withoutLocation }
        }
        switch outcome {
        case .proceed: return true
        case .stop: return false
        case .fail(let issue): throw JSONModelError(issues: [issue])
        }
    }

    // MARK: Recordings

    /// Passes a tape of the requested value to the sink, instead of further tokens.
    private mutating func record(
        _ action: TokenAction, _ sink: inout some TokenSink & ~Copyable
    ) throws(JSONModelError) -> TokenAction {
        // The value or the members to record begin inside of the containers that stay open.
        let depth = cursor.depth
        switch action {
        case .record where !sink.isRecording:
            return sink.recorded(.tape(try record(cursor.atCurrentValue, inside: depth, &sink)))
        case .record:
            let value = cursor.atCurrentValue
            let isArray = cursor.leave()
            let recording = try record(value, inside: depth - 1, &sink)
            _ = isArray ? sink.endArray() : sink.endObject()
            return sink.recorded(.tape(recording))
        case .recordMembers:
            let members = cursor.leaveWithMembers()
            let recording = try record(members, inside: depth - 1, &sink).allMembers
            _ = sink.endObject()
            return sink.recorded(.tape(recording))
        case .proceed, .switchReading, .lookAhead, .stop, .handlePending: return action
        }
    }

    /// Records the values after a cursor.
    ///
    /// - Parameter outerDepth: The number of containers around these values.
    private mutating func record(
        _ start: Cursor, inside outerDepth: Int, _ sink: inout some TokenSink & ~Copyable
    ) throws(JSONModelError) -> Recording {
        var recorder = TapeRecorder(
            Tape(input: nil, capacity: 64), recordsLocations: false, keepsRepeatedKeys: true)
        var cursor = start
        // Members are recorded as an object.
        if cursor.depth > 0 { _ = recorder.startObject() }
        do {
            while try cursor.send(to: &recorder, depth: depth - outerDepth) != nil {}
        } catch {
            throw failure(error, &sink)
        }
        if recorder.hasOverlongText {
            throw failed(.limitExceeded(.string, limit: JSONLimits.maximumTokenLength), &sink)
        }
        let tape = recorder.finish()
        replay.allow(tape.size)
        return Recording(RecordingStorage(tape.view, owner: tape))
    }

    // MARK: Errors

    private func failure(_ error: any Error, _ sink: inout some TokenSink & ~Copyable) -> JSONModelError {
        if error is DepthError { return failed(.limitExceeded(.depth, limit: depth), &sink) }
        if let problem = error as? JSONModelError.ConversionFailure, case .invalid(let why, _) = problem {
            return failed(.invalidValue(expected: sink.expectation, reason: why), &sink)
        }
        var issue = sink.issue(.thrown)
        issue.underlying = error
        return JSONModelError(issues: [issue.withoutLocation])
    }

    /// Returns an error at the current value.
    private func failed(_ kind: JSONIssue.Kind, _ sink: inout some TokenSink & ~Copyable) -> JSONModelError {
        JSONModelError(issues: [sink.issue(kind).withoutLocation])
    }
}

extension JSONIssue {
    /// The issue without a location, which a tree does not have.
    var withoutLocation: JSONIssue {
        var issue = self
        issue.location.line = 0
        return issue
    }
}

extension TreeWalk: TreeCursor {
    mutating func send(to sink: inout some TokenSink & ~Copyable, depth limit: Int) throws -> TokenAction? {
        guard let token = try next() else { return nil }
        // The walk has entered the object or array that begins.
        if depth > limit { throw DepthError() }
        switch token {
        case .null: return sink.null()
        case .bool(let value): return sink.bool(value)
        case .startArray: return sink.startArray()
        case .endArray: return sink.endArray()
        case .startObject: return sink.startObject()
        case .endObject: return sink.endObject()
        case .key(let key): return key.lend(to: &sink) { bytes, count, sink in sink.key(Key(bytes, count)) }
        case .string(let text):
            return text.lend(to: &sink) { bytes, count, sink in
                sink.string(bytes, count, isASCII: UTF8Validation.isASCII(bytes, count))
            }
        case .number(let number):
            return number.description.lend(to: &sink) { bytes, count, sink in
                sink.number(NumberToken(checked: bytes, count: count))
            }
        }
    }
}
