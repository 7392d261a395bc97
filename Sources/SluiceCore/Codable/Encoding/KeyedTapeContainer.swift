/// A container of the members of an object.
///
/// The container has no state but its tape and token, which `KeyedState` holds so that containers can be used again.
struct KeyedTapeContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let state: KeyedState

    var codingPath: [any CodingKey] { state.tape.path(of: state.token) }

    /// The name of a key in the output.
    @inline(__always)
    private func name(_ key: Key) -> String {
        state.tape.options.keepsKeys ? key.stringValue : state.tape.name(of: key, state.token)
    }

    func encodeNil(forKey key: Key) throws { state.tape.member(state.token, name(key)) { $0.literal("null") } }

    func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
        try withUnsafePointer(to: key) { try state.tape.encodeMember(value, state.token, name(key), KeyReference($0)) }
    }

    func encodeIfPresent<T: Encodable>(_ value: T?, forKey key: Key) throws {
        if let value { try encode(value, forKey: key) }
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        let tape = state.tape
        return tape.keyedContainer(tape.nestedMember(state.token, name(key), key, .object))
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        let tape = state.tape
        return UnkeyedTapeContainer(tape: tape, token: tape.nestedMember(state.token, name(key), key, .array))
    }

    func superEncoder() -> any Encoder {
        let key = AnyCodingKey.super
        return state.tape.superEncoder(state.token, .member(state.tape.name(of: key, state.token)), key: key)
    }

    func superEncoder(forKey key: Key) -> any Encoder {
        state.tape.superEncoder(state.token, .member(name(key)), key: key)
    }

    // MARK: Scalars

    func encode(_ value: Double, forKey key: Key) throws {
        guard value.isFinite else { return try nonConforming(value, key) }
        state.tape.member(state.token, name(key)) { $0.number(value) }
    }

    func encode(_ value: Float, forKey key: Key) throws {
        guard value.isFinite else { return try nonConforming(value, key) }
        state.tape.member(state.token, name(key)) { $0.number(value) }
    }

    private func nonConforming(_ value: some BinaryFloatingPoint, _ key: Key) throws {
        guard let write = state.tape.nonConforming(value) else {
            throw state.tape.nonConformingFloat(value, state.token, key)
        }
        state.tape.member(state.token, name(key)) { write.write(to: &$0) }
    }

    func encodeIfPresent(_ value: Double?, forKey key: Key) throws { if let value { try encode(value, forKey: key) } }

    func encodeIfPresent(_ value: Float?, forKey key: Key) throws { if let value { try encode(value, forKey: key) } }

    func encode(_ value: Bool, forKey key: Key) throws {
        state.tape.member(state.token, name(key)) { $0.bool(value) }
    }

    func encodeIfPresent(_ value: Bool?, forKey key: Key) throws {
        if let value { try encode(value, forKey: key) }
    }

    func encode(_ value: String, forKey key: Key) throws {
        state.tape.member(state.token, name(key)) { $0.quoted(value) }
    }

    func encodeIfPresent(_ value: String?, forKey key: Key) throws {
        if let value { try encode(value, forKey: key) }
    }

    func encode(_ value: Int, forKey key: Key) throws {
        state.tape.member(state.token, name(key)) { $0.integer(value) }
    }

    func encodeIfPresent(_ value: Int?, forKey key: Key) throws {
        if let value { try encode(value, forKey: key) }
    }

    func encode(_ value: Int8, forKey key: Key) throws {
        state.tape.member(state.token, name(key)) { $0.integer(value) }
    }

    func encodeIfPresent(_ value: Int8?, forKey key: Key) throws {
        if let value { try encode(value, forKey: key) }
    }

    func encode(_ value: Int16, forKey key: Key) throws {
        state.tape.member(state.token, name(key)) { $0.integer(value) }
    }

    func encodeIfPresent(_ value: Int16?, forKey key: Key) throws {
        if let value { try encode(value, forKey: key) }
    }

    func encode(_ value: Int32, forKey key: Key) throws {
        state.tape.member(state.token, name(key)) { $0.integer(value) }
    }

    func encodeIfPresent(_ value: Int32?, forKey key: Key) throws {
        if let value { try encode(value, forKey: key) }
    }

    func encode(_ value: Int64, forKey key: Key) throws {
        state.tape.member(state.token, name(key)) { $0.integer(value) }
    }

    func encodeIfPresent(_ value: Int64?, forKey key: Key) throws {
        if let value { try encode(value, forKey: key) }
    }

    func encode(_ value: Int128, forKey key: Key) throws {
        state.tape.member(state.token, name(key)) { $0.integer(value) }
    }

    func encodeIfPresent(_ value: Int128?, forKey key: Key) throws {
        if let value { try encode(value, forKey: key) }
    }

    func encode(_ value: UInt, forKey key: Key) throws {
        state.tape.member(state.token, name(key)) { $0.integer(value) }
    }

    func encodeIfPresent(_ value: UInt?, forKey key: Key) throws {
        if let value { try encode(value, forKey: key) }
    }

    func encode(_ value: UInt8, forKey key: Key) throws {
        state.tape.member(state.token, name(key)) { $0.integer(value) }
    }

    func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws {
        if let value { try encode(value, forKey: key) }
    }

    func encode(_ value: UInt16, forKey key: Key) throws {
        state.tape.member(state.token, name(key)) { $0.integer(value) }
    }

    func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws {
        if let value { try encode(value, forKey: key) }
    }

    func encode(_ value: UInt32, forKey key: Key) throws {
        state.tape.member(state.token, name(key)) { $0.integer(value) }
    }

    func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws {
        if let value { try encode(value, forKey: key) }
    }

    func encode(_ value: UInt64, forKey key: Key) throws {
        state.tape.member(state.token, name(key)) { $0.integer(value) }
    }

    func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws {
        if let value { try encode(value, forKey: key) }
    }

    func encode(_ value: UInt128, forKey key: Key) throws {
        state.tape.member(state.token, name(key)) { $0.integer(value) }
    }

    func encodeIfPresent(_ value: UInt128?, forKey key: Key) throws {
        if let value { try encode(value, forKey: key) }
    }
}

extension EncodingTape {
    /// Encodes a value as a member.
    @inline(__always)
    func encodeMember<T: Encodable>(_ value: T, _ token: UInt64, _ name: String, _ key: KeyReference) throws {
        let entry = beginMember(token, name, key)
        do { try encodeContents(of: value, entry.value) } catch {
            abandon(entry, isMember: true)
            throw error
        }
        end(entry, name)
    }

    /// Returns the name of a key in the output.
    @inline(never)
    func name(of key: some CodingKey, _ token: UInt64) -> String {
        switch options.keys {
        case .none: key.stringValue
        case .snakeCase: SnakeCase.convert(key.stringValue)
        case .custom(let convert): convert(path(of: token) + [key]).stringValue
        }
    }
}
