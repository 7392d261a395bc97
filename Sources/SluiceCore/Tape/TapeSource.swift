/// Sends the tokens of a recorded value to a sink.
///
/// A tape has no text, so errors have a path and no location.
struct TapeSource {
    private let tape: TapeView
    private let limits: JSONLimits
    private var replay: Replay
    /// The open containers: the entry after the last member, and whether the container is an object.
    private var open: [(end: Int, isObject: Bool)] = []
    /// The entry of the current token, and the next one.
    private var current: Int
    private var next: Int

    init(_ tape: TapeView, at index: Int, limits: JSONLimits) {
        self.tape = tape
        self.limits = limits
        replay = Replay(limits: limits)
        (current, next) = (index, index)
    }

    private static func withoutLocation(_ issue: JSONIssue) -> JSONIssue {
        var issue = issue
        issue.location.line = 0
        return issue
    }

    /// Sends all tokens, and hands the value that the sink has made to the caller.
    mutating func run(to sink: inout some ResultSink & ~Copyable) throws(JSONModelError) -> ParseOutcome {
        do { try sendAll(&sink) } catch { throw JSONModelError(issues: sink.collectedIssues + error.issues) }
        return try sink.outcome(missing: JSONPath(), isPartial: false) { Self.withoutLocation($0) }
    }

    private mutating func sendAll(_ sink: inout some TokenSink & ~Copyable) throws(JSONModelError) {
        let end = tape.next(next)
        while next < end || !open.isEmpty {
            let action: TokenAction
            if let container = open.last, next == container.end {
                open.removeLast()
                action = container.isObject ? sink.endObject() : sink.endArray()
            } else {
                action = sendNext(&sink)
            }
            if action != .proceed, try !handle(action, &sink) { return }
        }
    }

    // MARK: Tokens

    private mutating func sendNext(_ sink: inout some TokenSink & ~Copyable) -> TokenAction {
        current = next
        let entry = tape[current]
        switch entry.kind {
        case .key:
            next = TapeView.value(ofKey: current)
            let bytes = tape.bytes(entry)
            return captured(sink.key(Key(bytes.baseAddress.unsafelyUnwrapped, bytes.count)), &sink)
        case .hiddenKey:
            next = tape.nextKey(current)
            return .proceed
        case .array, .object:
            let isObject = entry.kind == .object
            if sink.isSkipping {
                next = entry.value
                return sink.skipped()
            }
            next = current + 1
            open.append((entry.value, isObject))
            return captured(isObject ? sink.startObject() : sink.startArray(), &sink)
        default: break
        }
        next = tape.next(current)
        return captured(sendScalar(entry, &sink), &sink)
    }

    private mutating func sendScalar(
        _ entry: TapeEntry, _ sink: inout some TokenSink & ~Copyable
    ) -> TokenAction {
        switch entry.kind {
        case .true: return sink.bool(true)
        case .false: return sink.bool(false)
        case .number: return sink.number(tape.number(current))
        case .string:
            return sink.string(tape.text(entry), Int(entry.count), isASCII: entry.flags.contains(.isASCII))
        case .nonFinite:
            // JSON has no such number. A property that is not a string rejects the text.
            let text = Array("\(tape.nonFinite(current))".utf8)
            return text.withUnsafeBufferPointer {
                sink.string($0.baseAddress.unsafelyUnwrapped, $0.count, isASCII: true)
            }
        case .null, .key, .hiddenKey, .array, .object: return sink.null()
        }
    }

    // MARK: Recorded text

    /// Passes the requested JSON to the sink, instead of further tokens.
    private mutating func captured(
        _ action: TokenAction, _ sink: inout some TokenSink & ~Copyable
    ) -> TokenAction {
        let isObject: Bool
        let text: [UInt8]
        switch action {
        case .proceed, .readDoubles, .stop, .handlePending, .endCapture: return action
        case .capture: return recorded(tape.text(ofValue: current), &sink)
        case .beginCapture:
            isObject = open.removeLast().isObject
            text = tape.text(ofValue: current)
            next = tape.next(current)
        case .captureMembers:
            let end = open.removeLast().end
            isObject = true
            text = tape.text(ofMembersFrom: current, to: end)
            next = end
        }
        _ = isObject ? sink.endObject() : sink.endArray()
        return recorded(text, &sink)
    }

    private mutating func recorded(_ bytes: [UInt8], _ sink: inout some TokenSink & ~Copyable) -> TokenAction {
        replay.allow(bytes.count)
        return sink.recorded(.input(bytes, .none))
    }

    // MARK: Actions

    /// Performs the sink's action. Returns false at the end of the parse.
    private mutating func handle(
        _ action: TokenAction, _ sink: inout some TokenSink & ~Copyable
    ) throws(JSONModelError) -> Bool {
        var outcome = sink.deliverIssues(of: action) { $0.issue = Self.withoutLocation($0.issue) }
        if case .proceed = outcome, let request = sink.takeReplay() {
            outcome = replay.run(request, &sink, origin: .none)
        }
        switch outcome {
        case .proceed: return true
        case .stop: return false
        case .fail(let issue): throw JSONModelError(issues: [issue])
        }
    }
}

extension TapeView {
    /// Returns a value as JSON.
    func text(ofValue index: Int) -> [UInt8] {
        var out = OutputBuffer()
        write(from: index, to: next(index), to: &out)
        return Array(out.written)
    }

    /// Returns the members of an object from a key on as JSON, with the closing bracket.
    func text(ofMembersFrom key: Int, to end: Int) -> [UInt8] {
        var out = OutputBuffer()
        write(from: key, to: end, to: &out)
        out.reserve(1)
        out.byte(UInt8(ascii: "}"))
        return Array(out.written)
    }

    private func write(from start: Int, to end: Int, to out: inout OutputBuffer) {
        var open: [(end: Int, bracket: UInt8)] = []
        var at = start
        // Whether a comma precedes the next key or element.
        var needsComma = false
        while true {
            while let container = open.last, at == container.end {
                out.reserve(1)
                out.byte(container.bracket)
                open.removeLast()
                needsComma = true
            }
            if at >= end { return }
            let entry = self[at]
            out.reserve(Int(entry.kind == .number ? entry.count : 0) + 64)
            if needsComma { out.byte(UInt8(ascii: ",")) }
            needsComma = true
            switch entry.kind {
            case .hiddenKey:
                at = nextKey(at)
                continue
            case .key:
                out.string(string(entry))
                out.reserve(1)
                out.byte(UInt8(ascii: ":"))
                needsComma = false
            case .array, .object:
                let isObject = entry.kind == .object
                out.byte(isObject ? UInt8(ascii: "{") : UInt8(ascii: "["))
                open.append((entry.value, isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")))
                needsComma = false
                at += 1
                continue
            case .string: out.string(string(entry))
            case .number: out.verbatim(bytes(entry))
            case .true: out.literal("true")
            case .false: out.literal("false")
            case .null: out.literal("null")
            case .nonFinite: out.string("\(nonFinite(at))")
            }
            at += entry.kind.length
        }
    }
}
