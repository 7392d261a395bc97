/// A value that is validated but not decoded until ``value`` is first read. Its JSON is kept. Use this type for large
/// parts that are rarely used.
public struct JSONLazy<Value: JSONConvertible> {
    // Unchecked: the result is stored once, under the lock, and only read afterwards. Code of clients never runs under the lock.
    private final class Storage: @unchecked Sendable {
        private struct State: @unchecked Sendable {
            var result: Result<Value, JSONModelError>?
            /// The threads that decode the value.
            var threads: [UInt] = []
        }

        private enum Step {
            case decode
            case result(Result<Value, JSONModelError>)
        }

        private let decoder: JSONModelDecoder
        private let state = Lock(State())

        init(_ decoder: JSONModelDecoder) { self.decoder = decoder }

        /// Returns the result of the first call, and decodes the JSON if there was none.
        func result(_ raw: JSONRaw) -> Result<Value, JSONModelError> {
            let thread = ThreadStack.threadID
            let step = state.withLock { state -> Step in
                if let result = state.result { return .result(result) }
                if state.threads.contains(thread) { return .result(.failure(Self.recursion)) }
                state.threads.append(thread)
                return .decode
            }
            if case .result(let result) = step { return result }
            let result = decode(raw)
            return state.withLock { state in
                state.threads.removeAll { $0 == thread }
                if let first = state.result { return first }
                if case .failure(let error) = result, error.isOfStack {
                    // A call with more stack can decode the value.
                    return result
                }
                state.result = result
                return result
            }
        }

        private static var recursion: JSONModelError {
            let reason = "a hook or transform reads the lazy value that it helps to decode"
            var issue = JSONIssue(kind: .invalidValue(expected: "a value", reason: reason))
            issue.location.line = 0
            return JSONModelError(issues: [issue])
        }

        private func decode(_ raw: JSONRaw) -> Result<Value, JSONModelError> {
            var decoder = decoder
            let fragment = decoder.options.fragment
            if let fragment, let handler = decoder.options.issueHandler {
                decoder.options.issueHandler = { handler(fragment.located($0)) }
            }
            do throws(JSONModelError) {
                return .success(try decoder.decode(Value.self, from: raw.bytes))
            } catch {
                guard let fragment else { return .failure(error) }
                return .failure(JSONModelError(issues: error.issues.map(fragment.located)))
            }
        }
    }

    /// The JSON of the value.
    public let raw: JSONRaw
    private let storage: Storage

    /// Creates a lazy value from its JSON.
    ///
    /// - Parameters:
    ///   - raw: The JSON.
    ///   - decoder: The decoder that makes the value on first use.
    public init(_ raw: JSONRaw, decoder: JSONModelDecoder = JSONModelDecoder()) {
        self.raw = raw
        storage = Storage(decoder)
    }

    /// The value, decoded on first use with the options of the decoder that read the enclosing JSON.
    ///
    /// Several threads that read the value for the first time may each decode the JSON. All receive the same value: the first that is
    /// complete.
    ///
    /// - Throws: ``JSONModelError``. If the value was decoded from a document, the paths and locations are those in the
    ///   document. Otherwise, they begin at this value's JSON. A hook or transform that reads the value while it is being decoded
    ///   receives an error.
    public var value: Value {
        get throws(JSONModelError) { try storage.result(raw).get() }
    }
}

// A copy on another thread returns the same value.
extension JSONLazy: Sendable where Value: Sendable {}

extension JSONLazy: Equatable {
    /// Whether two values have the same JSON, byte for byte.
    @_documentation(visibility: internal) public static func == (a: JSONLazy, b: JSONLazy) -> Bool {
        a.raw == b.raw
    }
}

extension JSONLazy: Hashable {
    /// Hashes the JSON of the value.
    @_documentation(visibility: internal) public func hash(into hasher: inout Hasher) { hasher.combine(raw) }
}

extension JSONLazy: JSONConvertible {
    @_documentation(visibility: internal) public static var jsonShape: JSONShape {
        .converted(Self.self, around: JSONShape.of(JSONRaw.self), keepsLocation: true) { raw, target, context, _ in
            let raw = raw.assumingMemoryBound(to: JSONRaw.self).move()
            // The paths of ``JSONModelDecoder/only`` begin at the root, and this value was selected.
            var decoder = JSONModelDecoder(context()).unfiltered
            decoder.options.isPartial = false
            target.assumingMemoryBound(to: Self.self).initialize(to: JSONLazy(raw, decoder: decoder))
        } makeEncodedForm: { value, raw in
            raw.assumingMemoryBound(to: JSONRaw.self)
                .initialize(to: value.assumingMemoryBound(to: Self.self).pointee.raw)
        }
        .described { JSONShape.of(Value.self) }
    }
}
