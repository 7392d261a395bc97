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
    ///   - isPartial: Whether the value may be missing if issues say why.
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
                do { token = try walk.next() } catch { throw failure(error, sink) }
                guard let token else { return }
                action = try capture(token, give(token, &sink), &sink)
                if walk.depth > depth { throw failed(.limitExceeded(.depth, limit: depth), sink) }
            }
            if try !handle(action, &sink) { return }
        }
    }

    /// Performs the driver's action. Returns false at the end of the parse.
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
            throw failure(error, sink)
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

    private func failure(_ error: any Error, _ sink: borrowing some TokenSink & ~Copyable) -> JSONModelError {
        if error is TreeWalk<Value>.TooDeep { return failed(.limitExceeded(.depth, limit: depth), sink) }
        if let problem = error as? JSONModelError.ConversionFailure, case .invalid(let why, _) = problem {
            return failed(.invalidValue(expected: sink.expectation, reason: why), sink)
        }
        var issue = sink.issue(.thrown)
        issue.underlying = error
        return JSONModelError(issues: [Self.withoutLocation(issue)])
    }

    /// Returns an error at the current value.
    private func failed(_ kind: JSONIssue.Kind, _ sink: borrowing some TokenSink & ~Copyable) -> JSONModelError {
        JSONModelError(issues: [Self.withoutLocation(sink.issue(kind))])
    }

    private static func withoutLocation(_ issue: JSONIssue) -> JSONIssue {
        var issue = issue
        issue.location.line = 0
        return issue
    }
}

/// A value that is not text, as one of JSON's kinds with nested values.
package enum TreeNode<Value> {
    case null
    case bool(Bool)
    case number(JSONNumber)
    case string(String)
    case array([Value])
    case object([(key: String, value: Value)])
}

/// Traverses a tree of values and returns its tokens one by one, without recursion.
struct TreeWalk<Value> {
    enum Token {
        case null
        case bool(Bool)
        case number(JSONNumber)
        case string(String)
        case startArray, endArray, startObject, endObject
        case key(String)
    }

    private enum Level {
        case array([Value], next: Int)
        case object([(key: String, value: Value)], next: Int)
    }

    /// Returns the JSON kind of a value.
    private let look: (Value) throws -> TreeNode<Value>
    private var levels: [Level] = []
    /// The current or next value.
    private(set) var current: Value
    private var isPending = true

    init(_ root: Value, look: @escaping (Value) throws -> TreeNode<Value>) {
        current = root
        self.look = look
    }

    /// The number of open objects and arrays.
    var depth: Int { levels.count }
    /// Whether the next token begins a value.
    var isAtValue: Bool {
        if isPending { return true }
        if case .array(let values, let next)? = levels.last { return next < values.count }
        return false
    }

    /// Returns the next token, or nil at the end.
    ///
    /// - Throws: The error thrown by `look`; `current` is then the value at fault.
    mutating func next() throws -> Token? {
        if isPending { return try begin() }
        guard let top = levels.popLast() else { return nil }
        switch top {
        case .array(let values, let next):
            if next == values.count { return .endArray }
            levels.append(.array(values, next: next + 1))
            current = values[next]
            return try begin()
        case .object(let pairs, let next):
            if next == pairs.count { return .endObject }
            levels.append(.object(pairs, next: next + 1))
            current = pairs[next].value
            isPending = true
            return .key(pairs[next].key)
        }
    }

    private mutating func begin() throws -> Token {
        isPending = false
        switch try look(current) {
        case .null: return .null
        case .bool(let value): return .bool(value)
        case .number(let number): return .number(number)
        case .string(let text): return .string(text)
        case .array(let values):
            levels.append(.array(values, next: 0))
            return .startArray
        case .object(let pairs):
            levels.append(.object(pairs, next: 0))
            return .startObject
        }
    }

    /// Skips the next value.
    mutating func skip() {
        if isPending {
            isPending = false
        } else if case .array(let values, let next)? = levels.popLast() {
            levels.append(.array(values, next: next + 1))
        }
    }

    /// Leaves the object or array that has just begun.
    mutating func leave() { levels.removeLast() }

    /// Leaves the object whose key was the last token, and returns its members from that key on.
    mutating func leaveWithMembers() -> ArraySlice<(key: String, value: Value)> {
        isPending = false
        guard case .object(let pairs, let next)? = levels.popLast() else { return [] }
        return pairs[(next - 1)...]
    }

    /// Returns a value as JSON.
    ///
    /// - Parameter depth: The maximum number of levels.
    static func text(
        of root: Value, depth: Int, look: @escaping (Value) throws -> TreeNode<Value>
    ) throws -> [UInt8] {
        var out = OutputBuffer()
        var walk = TreeWalk(root, look: look)
        var isBehindKey = true
        while let token = try walk.next() {
            if walk.depth > depth { throw TooDeep() }
            switch token {
            case .endArray:
                out.close("]")
                continue
            case .endObject:
                out.close("}")
                continue
            case .key(let key):
                out.key(key)
                isBehindKey = true
                continue
            default: break
            }
            out.reserve(64)
            if !isBehindKey { out.comma() }
            isBehindKey = false
            out.first = 0
            switch token {
            case .null: out.literal("null")
            case .bool(let value): out.literal(value ? "true" : "false")
            case .number(let number): out.text(number.description)
            case .string(let text): out.string(text)
            case .startArray: out.open("[")
            case .startObject: out.open("{")
            case .endArray, .endObject, .key: break
            }
        }
        return Array(out.written)
    }

    /// A value nests more deeply than allowed.
    struct TooDeep: Error {}
}

extension JSONValue {
    /// The value as a node of a tree walk.
    var node: TreeNode<JSONValue> {
        switch self {
        case .null: .null
        case .bool(let value): .bool(value)
        case .number(let number): .number(number)
        case .string(let text): .string(text)
        case .array(let values): .array(values)
        case .object(let members): .object(members.map { ($0.key, $0.value) })
        }
    }
}

extension JSONValue: CustomStringConvertible {
    /// The value as JSON.
    public var description: String { String(decoding: text, as: UTF8.self) }

    /// The value as JSON, in UTF-8.
    var text: [UInt8] {
        // The walk throws only for values that are not JSON or too deep.
        do { return try TreeWalk.text(of: self, depth: .max) { $0.node } } catch { preconditionFailure("\(error)") }
    }

    /// The value as JSON with sorted keys. Equal values have equal JSON.
    var sortedText: [UInt8] {
        do { return try TreeWalk.text(of: self, depth: .max) { $0.sortedNode } } catch {
            preconditionFailure("\(error)")
        }
    }

    private var sortedNode: TreeNode<JSONValue> {
        guard case .object(let members) = self else { return node }
        return .object(members.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
    }
}
