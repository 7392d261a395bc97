import SluiceCore

/// The encoder of a value on a tape, which is also the container of a single value.
struct TapeEncoder: Encoder {
    let tape: EncodingTape
    let token: UInt64

    @inline(__always)
    init(_ tape: EncodingTape, _ token: UInt64) {
        self.tape = tape
        self.token = token
    }

    var codingPath: [any CodingKey] { tape.path(of: token) }

    var userInfo: [CodingUserInfoKey: Any] { tape.options.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        tape.openContainer(token, .object)
        return tape.keyedContainer(token)
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        tape.openContainer(token, .array)
        return UnkeyedTapeContainer(tape: tape, token: token)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }
}

extension TapeEncoder: JSONValueEncoder {
    func encodeMembers(of object: JSONObject) throws {
        // Written by its plan, an object has names that are canonically equivalent, of which a container has the last one.
        if try tape.encodeFirst(JSONValue.object(object), token) { return }
        var members = container(keyedBy: PlainCodingKey.self)
        for (key, value) in object { try members.encode(value, forKey: PlainCodingKey(stringValue: key)) }
    }

    func encodeDigits(of number: JSONNumber) throws { tape.single(token) { $0.text(number.description) } }
}

extension TapeEncoder: SingleValueEncodingContainer {
    func encodeNil() throws { tape.single(token) { $0.literal("null") } }

    func encode<T: Encodable>(_ value: T) throws { try tape.encodeSingle(value, token) }

    func encode(_ value: Double) throws {
        guard value.isFinite else { return try tape.single(token, nonConforming: value) }
        tape.single(token) { $0.double(value) }
    }

    func encode(_ value: Float) throws {
        guard value.isFinite else { return try tape.single(token, nonConforming: value) }
        tape.single(token) { $0.float(value) }
    }

    func encode(_ value: Bool) throws { tape.single(token) { $0.bool(value) } }

    func encode(_ value: String) throws { tape.single(token) { $0.quoted(value) } }

    @inline(__always)
    func encode<T: FixedWidthInteger & Encodable>(_ value: T) throws { tape.single(token) { $0.integer(value) } }

    // Requirements with default implementations, which the compiler would choose instead of the generic function.
    func encode(_ value: Int128) throws { tape.single(token) { $0.integer(value) } }

    func encode(_ value: UInt128) throws { tape.single(token) { $0.integer(value) } }
}
