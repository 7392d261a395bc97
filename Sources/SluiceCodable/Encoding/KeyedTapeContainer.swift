import SluiceCore

/// A container of the members of an object.
///
/// The container has no state but its tape and token, which `KeyedState` holds so that containers can be used again.
struct KeyedTapeContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let state: KeyedState

    var codingPath: [any CodingKey] { state.use { tape, token in tape.path(of: token) } }

    /// Writes a member with a scalar.
    @inline(__always)
    private func member(_ key: Key, _ write: (inout OutputBuffer) -> Void) {
        state.use { tape, token in tape.entry(token, tape.text(of: key, token), write) }
    }

    func encodeNil(forKey key: Key) throws { member(key) { $0.literal("null") } }

    func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
        try state.use { tape, token in
            try withUnsafePointer(to: value) { try tape.encodeMember($0, token, key) }
        }
    }

    func encodeIfPresent<T: Encodable>(_ value: T?, forKey key: Key) throws {
        guard value != nil else { return }
        try state.use { tape, token in
            try withUnsafePointer(to: value) { address in
                // The value of an optional begins at the optional's address. A copy of the value would take longer.
                let value = UnsafeRawPointer(address).assumingMemoryBound(to: T.self)
                try tape.encodeMember(value, token, key)
            }
        }
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        state.use { tape, token in
            tape.keyedContainer(tape.nestedContainer(token, tape.text(of: key, token), key, .object))
        }
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        state.use { tape, token in
            let nested = tape.nestedContainer(token, tape.text(of: key, token), key, .array)
            return UnkeyedTapeContainer(tape: tape, token: nested)
        }
    }

    func superEncoder() -> any Encoder { superEncoder(AnyCodingKey.super) }

    func superEncoder(forKey key: Key) -> any Encoder { superEncoder(key) }

    private func superEncoder(_ key: some CodingKey) -> any Encoder {
        state.use { tape, token in tape.superEncoder(token, tape.text(of: key, token), key: key) }
    }

    // MARK: Scalars

    func encode(_ value: Double, forKey key: Key) throws {
        guard value.isFinite else { return try nonConforming(value, key) }
        member(key) { $0.double(value) }
    }

    func encode(_ value: Float, forKey key: Key) throws {
        guard value.isFinite else { return try nonConforming(value, key) }
        member(key) { $0.float(value) }
    }

    private func nonConforming(_ value: some BinaryFloatingPoint, _ key: Key) throws {
        let text = try state.use { tape, token in try tape.nonConforming(value, token, key) }
        member(key) { $0.quoted(orNull: text) }
    }

    func encodeIfPresent(_ value: Double?, forKey key: Key) throws {
        if let value { try encode(value, forKey: key) }
    }

    func encodeIfPresent(_ value: Float?, forKey key: Key) throws {
        if let value { try encode(value, forKey: key) }
    }

    func encode(_ value: Bool, forKey key: Key) throws { member(key) { $0.bool(value) } }

    func encodeIfPresent(_ value: Bool?, forKey key: Key) throws {
        if let value { member(key) { $0.bool(value) } }
    }

    func encode(_ value: String, forKey key: Key) throws { member(key) { $0.quoted(value) } }

    func encodeIfPresent(_ value: String?, forKey key: Key) throws {
        if let value { member(key) { $0.quoted(value) } }
    }

    @inline(__always)
    func encode<T: FixedWidthInteger & Encodable>(_ value: T, forKey key: Key) throws {
        member(key) { $0.integer(value) }
    }

    // Requirements with default implementations, which the compiler would choose instead of generic functions.

    func encode(_ value: Int128, forKey key: Key) throws { member(key) { $0.integer(value) } }
    func encode(_ value: UInt128, forKey key: Key) throws { member(key) { $0.integer(value) } }

    func encodeIfPresent(_ value: Int?, forKey key: Key) throws { presentInteger(value, key) }
    func encodeIfPresent(_ value: Int8?, forKey key: Key) throws { presentInteger(value, key) }
    func encodeIfPresent(_ value: Int16?, forKey key: Key) throws { presentInteger(value, key) }
    func encodeIfPresent(_ value: Int32?, forKey key: Key) throws { presentInteger(value, key) }
    func encodeIfPresent(_ value: Int64?, forKey key: Key) throws { presentInteger(value, key) }
    func encodeIfPresent(_ value: Int128?, forKey key: Key) throws { presentInteger(value, key) }
    func encodeIfPresent(_ value: UInt?, forKey key: Key) throws { presentInteger(value, key) }
    func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws { presentInteger(value, key) }
    func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws { presentInteger(value, key) }
    func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws { presentInteger(value, key) }
    func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws { presentInteger(value, key) }
    func encodeIfPresent(_ value: UInt128?, forKey key: Key) throws { presentInteger(value, key) }

    @inline(__always)
    private func presentInteger(_ value: (some FixedWidthInteger)?, _ key: Key) {
        if let value { member(key) { $0.integer(value) } }
    }
}

/// The tape and token of a keyed container.
///
/// Invariant: the tape lives as long as the state is used: the call that encodes keeps the tape until its end, and
/// `owner` keeps the tape for containers that outlive the call.
final class KeyedState {
    private let unretainedTape: Unmanaged<EncodingTape>
    @exclusivity(unchecked) var token: UInt64
    /// The tape, for a container that clients may keep.
    var owner: EncodingTape?

    init(_ tape: EncodingTape, _ token: UInt64) {
        unretainedTape = .passUnretained(tape)
        self.token = token
    }

    /// Calls a closure with the tape, which is not retained.
    @inline(__always)
    func use<Result>(_ body: (EncodingTape, UInt64) throws -> Result) rethrows -> Result {
        try unretainedTape._withUnsafeGuaranteedRef { try body($0, token) }
    }
}
