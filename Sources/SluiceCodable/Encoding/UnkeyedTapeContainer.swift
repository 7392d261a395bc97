import SluiceCore

/// A container of the elements of an array.
struct UnkeyedTapeContainer: UnkeyedEncodingContainer {
    let tape: EncodingTape
    let token: UInt64

    var codingPath: [any CodingKey] { tape.path(of: token) }

    var count: Int { tape.count(token) }

    func encodeNil() throws { tape.element(token) { $0.literal("null") } }

    func encode<T: Encodable>(_ value: T) throws {
        let entry = tape.beginElement(token)
        do { try tape.encodeContents(of: value, entry.value) } catch {
            tape.abandon(entry, isMember: false)
            throw error
        }
        tape.end(entry, nil)
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type
    ) -> KeyedEncodingContainer<NestedKey> {
        tape.keyedContainer(tape.nestedElement(token, .object))
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        UnkeyedTapeContainer(tape: tape, token: tape.nestedElement(token, .array))
    }

    func superEncoder() -> any Encoder {
        let position = count
        return tape.superEncoder(token, .element(position), key: AnyCodingKey(index: position))
    }

    // MARK: Scalars

    func encode(_ value: Double) throws {
        guard value.isFinite else { return try nonConforming(value) }
        tape.element(token) { $0.double(value) }
    }

    func encode(_ value: Float) throws {
        guard value.isFinite else { return try nonConforming(value) }
        tape.element(token) { $0.float(value) }
    }

    private func nonConforming(_ value: some BinaryFloatingPoint) throws {
        let text = try tape.nonConforming(value, token, AnyCodingKey(index: count))
        tape.element(token) { text.write(to: &$0) }
    }

    func encode(_ value: Bool) throws { tape.element(token) { $0.bool(value) } }

    func encode(_ value: String) throws { tape.element(token) { $0.quoted(value) } }

    @inline(__always)
    func encode<T: FixedWidthInteger & Encodable>(_ value: T) throws { tape.element(token) { $0.integer(value) } }

    // Requirements with default implementations, which the compiler would choose instead of the generic function.
    func encode(_ value: Int128) throws { tape.element(token) { $0.integer(value) } }

    func encode(_ value: UInt128) throws { tape.element(token) { $0.integer(value) } }
}
