import SluiceCore

/// A container of the elements of an array.
struct UnkeyedTapeContainer: UnkeyedEncodingContainer {
    let tape: EncodingTape
    let token: UInt64

    var codingPath: [any CodingKey] { tape.path(of: token) }

    var count: Int { tape.count(token) }

    /// Writes an element that is a scalar.
    @inline(__always)
    private func element(_ write: (inout OutputBuffer) -> Void) { tape.entry(token, nil, write) }

    func encodeNil() throws { element { $0.literal("null") } }

    func encode<T: Encodable>(_ value: T) throws {
        try withUnsafePointer(to: value) { try tape.encodeElement($0, token) }
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type
    ) -> KeyedEncodingContainer<NestedKey> {
        tape.keyedContainer(tape.nestedContainer(token, nil, AnyCodingKey(index: count), .object))
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        UnkeyedTapeContainer(
            tape: tape, token: tape.nestedContainer(token, nil, AnyCodingKey(index: count), .array))
    }

    func superEncoder() -> any Encoder {
        let position = count
        return tape.superEncoder(token, nil, at: position, key: AnyCodingKey(index: position))
    }

    // MARK: Scalars

    func encode(_ value: Double) throws {
        guard value.isFinite else { return try nonConforming(value) }
        element { $0.double(value) }
    }

    func encode(_ value: Float) throws {
        guard value.isFinite else { return try nonConforming(value) }
        element { $0.float(value) }
    }

    private func nonConforming(_ value: some BinaryFloatingPoint) throws {
        let text = try tape.nonConforming(value, token, AnyCodingKey(index: count))
        element { $0.quoted(orNull: text) }
    }

    func encode(_ value: Bool) throws { element { $0.bool(value) } }

    func encode(_ value: String) throws { element { $0.quoted(value) } }

    @inline(__always)
    func encode<T: FixedWidthInteger & Encodable>(_ value: T) throws { element { $0.integer(value) } }

    // Requirements with default implementations, which the compiler would choose instead of the generic function.
    func encode(_ value: Int128) throws { element { $0.integer(value) } }

    func encode(_ value: UInt128) throws { element { $0.integer(value) } }
}
