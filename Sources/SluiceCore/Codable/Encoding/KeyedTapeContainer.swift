/// A container of the members of an object.
///
/// The container has no state but its tape and token, which `KeyedState` holds so that containers can be used again.
struct KeyedTapeContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let state: KeyedState

    var codingPath: [any CodingKey] { state.use { tape, token in tape.path(of: token) } }

    /// Writes a member with a scalar.
    @inline(__always)
    private func member(_ key: Key, _ write: (inout OutputBuffer) -> Void) {
        state.use { tape, token in tape.member(token, tape.text(of: key, token), write) }
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
            tape.keyedContainer(tape.nestedMember(token, tape.text(of: key, token), key, .object))
        }
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        state.use { tape, token in
            let nested = tape.nestedMember(token, tape.text(of: key, token), key, .array)
            return UnkeyedTapeContainer(tape: tape, token: nested)
        }
    }

    func superEncoder() -> any Encoder { superEncoder(AnyCodingKey.super) }

    func superEncoder(forKey key: Key) -> any Encoder { superEncoder(key) }

    private func superEncoder(_ key: some CodingKey) -> any Encoder {
        state.use { tape, token in tape.superEncoder(token, .member(tape.text(of: key, token)), key: key) }
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
        member(key) { text.write(to: &$0) }
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

    func encode(_ value: Int, forKey key: Key) throws { member(key) { $0.integer(value) } }

    func encodeIfPresent(_ value: Int?, forKey key: Key) throws {
        if let value { member(key) { $0.integer(value) } }
    }

    func encode(_ value: Int8, forKey key: Key) throws { member(key) { $0.integer(value) } }

    func encodeIfPresent(_ value: Int8?, forKey key: Key) throws {
        if let value { member(key) { $0.integer(value) } }
    }

    func encode(_ value: Int16, forKey key: Key) throws { member(key) { $0.integer(value) } }

    func encodeIfPresent(_ value: Int16?, forKey key: Key) throws {
        if let value { member(key) { $0.integer(value) } }
    }

    func encode(_ value: Int32, forKey key: Key) throws { member(key) { $0.integer(value) } }

    func encodeIfPresent(_ value: Int32?, forKey key: Key) throws {
        if let value { member(key) { $0.integer(value) } }
    }

    func encode(_ value: Int64, forKey key: Key) throws { member(key) { $0.integer(value) } }

    func encodeIfPresent(_ value: Int64?, forKey key: Key) throws {
        if let value { member(key) { $0.integer(value) } }
    }

    func encode(_ value: Int128, forKey key: Key) throws { member(key) { $0.integer(value) } }

    func encodeIfPresent(_ value: Int128?, forKey key: Key) throws {
        if let value { member(key) { $0.integer(value) } }
    }

    func encode(_ value: UInt, forKey key: Key) throws { member(key) { $0.integer(value) } }

    func encodeIfPresent(_ value: UInt?, forKey key: Key) throws {
        if let value { member(key) { $0.integer(value) } }
    }

    func encode(_ value: UInt8, forKey key: Key) throws { member(key) { $0.integer(value) } }

    func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws {
        if let value { member(key) { $0.integer(value) } }
    }

    func encode(_ value: UInt16, forKey key: Key) throws { member(key) { $0.integer(value) } }

    func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws {
        if let value { member(key) { $0.integer(value) } }
    }

    func encode(_ value: UInt32, forKey key: Key) throws { member(key) { $0.integer(value) } }

    func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws {
        if let value { member(key) { $0.integer(value) } }
    }

    func encode(_ value: UInt64, forKey key: Key) throws { member(key) { $0.integer(value) } }

    func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws {
        if let value { member(key) { $0.integer(value) } }
    }

    func encode(_ value: UInt128, forKey key: Key) throws { member(key) { $0.integer(value) } }

    func encodeIfPresent(_ value: UInt128?, forKey key: Key) throws {
        if let value { member(key) { $0.integer(value) } }
    }
}

extension EncodingTape {
    /// Encodes a value as a member.
    @inline(__always)
    func encodeMember<T: Encodable, Key: CodingKey>(
        _ value: UnsafePointer<T>, _ token: UInt64, _ key: Key
    ) throws {
        let name = text(of: key, token)
        try withUnsafePointer(to: key) { key in
            let entry = beginMember(token, name, KeyReference(key))
            do { try encode(at: value, by: types.writer(for: T.self), entry.value) } catch {
                abandon(entry, isMember: true)
                throw error
            }
            end(entry, name)
        }
    }

    /// Returns the text of a key in the output.
    @inline(__always)
    func text(of key: some CodingKey, _ token: UInt64) -> String {
        keepsKeys ? key.stringValue : convertedText(of: key, token)
    }

    @inline(never)
    private func convertedText(of key: some CodingKey, _ token: UInt64) -> String {
        switch options.keys {
        case .none: key.stringValue
        case .snakeCase: SnakeCase.convert(key.stringValue)
        case .custom(let convert): convert(path(of: token) + [key]).stringValue
        }
    }
}
