import SluiceCore

/// A value that another module writes.
package struct EncodedValue {
    private let tape: EncodingTape
    private let token: UInt64

    init(_ tape: EncodingTape, _ token: UInt64) {
        self.tape = tape
        self.token = token
    }

    /// The strategies of the module.
    package var strategies: (any Sendable)? { tape.options.strategies }

    package func write(_ text: String) {
        tape.out.reserve(64)
        tape.out.quoted(text)
    }

    /// Writes text unchanged, which must be a JSON number.
    package func write(number text: String) { tape.out.text(text) }

    /// Writes a number.
    ///
    /// - Parameter isAlwaysFinite: Whether infinite numbers and NaN are errors under each strategy.
    package func write(_ value: Double, isAlwaysFinite: Bool) throws {
        tape.out.reserve(64)
        if value.isFinite {
            tape.out.double(value)
        } else if isAlwaysFinite {
            throw tape.nonConformingFloat(value, token)
        } else {
            tape.out.quoted(orNull: try tape.nonConforming(value, token))
        }
    }

    /// Writes the value that a closure encodes. If the closure encodes nothing, the value is an empty object.
    package func write(_ encode: (any Encoder) throws -> Void) throws {
        // A node with a writer has no container.
        try tape.encodeInner(token) { try encode(TapeEncoder(tape, $0)) }
    }
}

extension EncodedValue {
    /// Returns an error for the value.
    package func invalid(_ value: Any, _ description: String) -> EncodingError {
        tape.invalid(value, description, at: tape.path(of: token))
    }
}
