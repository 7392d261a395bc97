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

    /// Appends the JSON of a value to a buffer, whose written bytes are not passed on during the call.
    func write<T: Encodable>(at address: UnsafePointer<T>, to out: inout OutputBuffer) throws {
        renewTape()
        try Unmanaged.passUnretained(tape)._withUnsafeGuaranteedRef { tape in
            defer { tape.restart() }
            try tape.withOutput(&out) { try $0.encodeRoot(at: address) }
        }
    }

    /// Replaces the tape if a client keeps an encoder or container of an earlier call. Removes what a container that is kept no
    /// longer has added to the tape after its call.
    private func renewTape() {
        if !isKnownUniquelyReferenced(&tape) {
            tape = EncodingTape(like: tape)
        } else if tape.hasNodes {
            tape.restart()
        }
    }

    private func encode<T, Result>(
        _ value: T, by encode: (EncodingTape, UInt64) throws -> Void,
        _ body: (UnsafeRawBufferPointer) throws -> Result
    ) throws -> Result {
        renewTape()
        let tape = tape
        defer { tape.restart() }
        try tape.encodeRoot(value, encode)
        return try body(tape.out.written)
    }
}
