// Whole calls.

extension EncodingTape {
    /// Encodes a value as the root.
    ///
    /// - Throws: `EncodingError`, an error of a plan, or an error of the value.
    func encodeRoot<T>(_ value: T, _ encode: (EncodingTape, UInt64) throws -> Void) throws {
        defer { boxes.releaseUsed(self) }
        let token = addValue(key: .none, parent: -1, entry: 0)
        current = token
        do { try encode(self, token) } catch is EncodingDepthError {
            throw tooDeep(value)
        }
        if nodes[0].kind == .empty {
            throw EncodingError.invalidValue(
                value,
                EncodingError.Context(
                    codingPath: [], debugDescription: "Top-level \(T.self) did not encode any values."))
        }
        endValue(token)
        if isTooDeep { throw tooDeep(value) }
    }

    private func tooDeep<T>(_ value: T) -> any Error {
        guard options.throwsEncodingErrors else {
            return JSONModelError(issues: [.encoding(.limitExceeded(.depth, limit: depthLimit))])
        }
        return EncodingError.invalidValue(
            value,
            EncodingError.Context(
                codingPath: [], debugDescription: "Unable to encode the given top-level value to JSON."))
    }
}

/// A tape that calls of an encoder use one after another.
package final class EncodableCall {
    private var tape: EncodingTape

    package init(_ options: EncodableOptions) { tape = EncodingTape(options) }

    /// - Parameter depth: The number of brackets around the value.
    init(_ options: EncodableOptions, depth: Int) { tape = EncodingTape(options, depth: depth) }

    /// Encodes a value, and lends the JSON to a closure.
    package func encode<T: Encodable, Result>(
        _ value: T, _ body: (UnsafeRawBufferPointer) throws -> Result
    ) throws -> Result {
        try encode(value, by: { tape, token in try tape.encodeContents(of: value, token) }, body)
    }

    /// Encodes a value by a closure, and lends the JSON to a closure.
    package func encode<T, Result>(
        _ value: T, to encode: (any Encoder) throws -> Void, _ body: (UnsafeRawBufferPointer) throws -> Result
    ) throws -> Result {
        try self.encode(value, by: { tape, token in try encode(TapeEncoder(tape, token)) }, body)
    }

    private func encode<T, Result>(
        _ value: T, by encode: (EncodingTape, UInt64) throws -> Void,
        _ body: (UnsafeRawBufferPointer) throws -> Result
    ) throws -> Result {
        if !isKnownUniquelyReferenced(&tape) {
            // A client keeps an encoder or container of an earlier call.
            tape = EncodingTape(tape.options, depth: tape.baseDepth)
        }
        let tape = tape
        defer { tape.restart() }
        try tape.encodeRoot(value, encode)
        return try body(tape.out.written)
    }
}
