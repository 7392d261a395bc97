/// Sends the tokens of a tree of values to a driver, like the sources of JSON text.
///
/// A tree has no text, so errors have a path and no location.
struct TreeSource<Value, Sink: TokenSink & ~Copyable>: ResultSource, ~Copyable {
    private var driver: Sink
    private var walk: TreeWalk<Value>
    private let look: (Value) throws -> TreeNode<Value>
    private let depth: Int
    private var replay: Replay

    init(
        _ driver: consuming Sink, _ root: Value, limits: JSONLimits,
        look: @escaping (Value) throws -> TreeNode<Value>
    ) {
        self.driver = driver
        depth = limits.depth
        replay = Replay(limits: limits)
        self.look = look
        walk = TreeWalk(root, look: look)
    }

    /// Sends all tokens.
    ///
    /// - Parameters:
    ///   - missing: The path of the value that the driver must have made at the end, which the caller then owns; nil if no
    ///     value is required.
    ///   - isPartial: Whether the value may be missing if issues say why.
    mutating func run(missing: JSONPath?, isPartial: Bool) throws(JSONModelError) -> ParseOutcome {
        do { try run() } catch { throw JSONModelError(issues: collectedIssues + error.issues) }
        return try outcome(missing: missing, isPartial: isPartial)
    }

    var collectedIssues: [JSONIssue] { driver.collectedIssues }

    mutating func takeResult() -> Bool { driver.takeResult() }

    mutating func withMutableSink(_ body: (inout Sink) -> Void) { body(&driver) }

    /// Returns an error at the current value.
    func located(_ kind: JSONIssue.Kind) -> JSONModelError { located(driver.issue(kind)) }

    private mutating func run() throws(JSONModelError) {
        while true {
            let action: TokenAction
            if driver.isSkipping, walk.isAtValue {
                walk.skip()
                action = driver.skipped()
            } else {
                let token: TreeWalk<Value>.Token?
                do { token = try walk.next() } catch { throw failure(error) }
                guard let token else { return }
                action = try capture(token, give(token))
                if walk.depth > depth { throw located(.limitExceeded(.depth, limit: depth)) }
            }
            if try !handle(action) { return }
        }
    }

    /// Performs the driver's action. Returns false at the end of the parse.
    private mutating func handle(_ action: TokenAction) throws(JSONModelError) -> Bool {
        if action == .proceed { return true }
        var outcome = driver.deliverIssues(of: action) { $0.issue = Self.withoutLocation($0.issue) }
        if case .proceed = outcome, let request = driver.takeReplay() {
            outcome = replay.run(request, &driver, origin: .none)
        }
        if case .proceed = outcome, driver.awaitsLocation {
            let nowhere = JSONLocation(offset: 0, line: 0, column: 0)
            let action = driver.located(from: nowhere, to: nowhere)
            outcome = driver.deliverIssues(of: action) { $0.issue = Self.withoutLocation($0.issue) }
        }
        switch outcome {
        case .proceed: return true
        case .stop: return false
        case .fail(let issue): throw located(issue)
        }
    }

    private mutating func give(_ token: TreeWalk<Value>.Token) -> TokenAction {
        switch token {
        case .null: return driver.null()
        case .bool(let value): return driver.bool(value)
        case .startArray: return driver.startArray()
        case .endArray: return driver.endArray()
        case .startObject: return driver.startObject()
        case .endObject: return driver.endObject()
        case .key(let key):
            return lend(key) { driver, bytes, count in driver.key(Key(bytes, count)) }
        case .string(let text):
            return lend(text) { driver, bytes, count in
                driver.string(bytes, count, isASCII: UTF8Validation.isASCII(bytes, count))
            }
        case .number(let number):
            return lend(number.description) { driver, bytes, count in
                driver.number(NumberToken(checked: bytes, count: count))
            }
        }
    }

    private mutating func lend(
        _ text: String, to body: (inout Sink, UnsafePointer<UInt8>, Int) -> TokenAction
    ) -> TokenAction {
        var text = text
        return text.withUTF8 { bytes in
            if let base = bytes.baseAddress { return body(&driver, base, bytes.count) }
            return withUnsafePointer(to: 0) { body(&driver, $0, 0) }
        }
    }

    /// Passes the requested JSON to the driver, instead of further tokens.
    private mutating func capture(_ token: TreeWalk<Value>.Token, _ action: TokenAction) throws(JSONModelError)
        -> TokenAction
    {
        let left = depth - walk.depth + 1
        let bytes: [UInt8]
        do {
            switch action {
            case .capture: return recorded(try TreeWalk.text(of: walk.current, depth: left, look: look))
            case .beginCapture:
                bytes = try TreeWalk.text(of: walk.current, depth: left, look: look)
                walk.leave()
            case .captureMembers:
                bytes = try TreeWalk.text(ofMembers: walk.leaveWithMembers(), depth: left, look: look)
            case .proceed, .readDoubles, .stop, .handlePending, .endCapture: return action
            }
        } catch {
            throw failure(error)
        }
        if case .startArray = token { _ = driver.endArray() } else { _ = driver.endObject() }
        return recorded(bytes)
    }

    private mutating func recorded(_ bytes: [UInt8]) -> TokenAction {
        replay.allow(bytes.count)
        return driver.recorded(.input(bytes, .none))
    }

    private func failure(_ error: any Error) -> JSONModelError {
        if error is TreeWalk<Value>.TooDeep {
            return located(.limitExceeded(.depth, limit: depth))
        }
        if let problem = error as? JSONModelError.ConversionFailure, case .invalid(let why, _) = problem {
            return located(.invalidValue(expected: driver.expectation, reason: why))
        }
        var issue = driver.issue(.thrown)
        issue.underlying = error
        return located(issue)
    }

    private func located(_ issue: JSONIssue) -> JSONModelError {
        JSONModelError(issues: [Self.withoutLocation(issue)])
    }

    private static func withoutLocation(_ issue: JSONIssue) -> JSONIssue {
        var issue = issue
        issue.location.line = 0
        return issue
    }
}
