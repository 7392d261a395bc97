/// The container of an object's members. A box of the standard library holds this value.
struct KeyedTapeContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: TapeDecoder

    var codingPath: [any CodingKey] { decoder.codingPath }

    var allKeys: [Key] { decoder.allKeys.compactMap { Key(stringValue: $0) } }

    func contains(_ key: Key) -> Bool { decoder.value(of: key) != 0 }

    // MARK: Search

    @inline(__always)
    private func value(_ key: Key) throws -> Int {
        let value = decoder.value(of: key)
        if value == 0 { throw missing(key) }
        return value
    }

    /// Returns the entry of a key's value, or 0 if the value is missing or `null`.
    @inline(__always)
    private func presentValue(_ key: Key) -> Int {
        let value = decoder.value(of: key)
        return value == 0 || decoder.tape[value].kind == .null ? 0 : value
    }

    @inline(never)
    private func missing(_ key: some CodingKey) -> DecodingError {
        .keyNotFound(
            key,
            .init(
                codingPath: codingPath,
                debugDescription: "No value associated with key \(key) (\"\(key.stringValue)\")."))
    }

    // MARK: Values

    func decodeNil(forKey key: Key) throws -> Bool { decoder.tape[try value(key)].kind == .null }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        try decoder.decode(type, try value(key), key)
    }

    func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
        let value = presentValue(key)
        return value == 0 ? nil : try decoder.decode(type, value, key)
    }

    // MARK: Nested containers

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try decoder.nested(try value(key), key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder.nested(try value(key), key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { superDecoder(AnyCodingKey.super) }

    func superDecoder(forKey key: Key) throws -> any Decoder { superDecoder(key) }

    /// Returns the decoder of a value, which is `null` if the key is missing.
    private func superDecoder(_ key: some CodingKey) -> TapeDecoder { decoder.nested(decoder.value(of: key), key) }
}

// MARK: Scalars

extension KeyedTapeContainer {
    func decode(_: Bool.Type, forKey key: Key) throws -> Bool { try decoder.bool(try value(key), key) }

    func decodeIfPresent(_: Bool.Type, forKey key: Key) throws -> Bool? {
        let value = presentValue(key)
        return value == 0 ? nil : try decoder.bool(value, key)
    }

    func decode(_: String.Type, forKey key: Key) throws -> String { try decoder.string(try value(key), key) }

    func decodeIfPresent(_: String.Type, forKey key: Key) throws -> String? {
        let value = presentValue(key)
        return value == 0 ? nil : try decoder.string(value, key)
    }

    @inline(__always)
    private func integer<T: FixedWidthInteger>(_ key: Key) throws -> T {
        try decoder.integer(T.self, try value(key), key)
    }

    @inline(__always)
    private func presentInteger<T: FixedWidthInteger>(_ key: Key) throws -> T? {
        let value = presentValue(key)
        return value == 0 ? nil : try decoder.integer(T.self, value, key)
    }

    @inline(__always)
    private func float<T: DecimalFloat & BinaryFloatingPoint>(_ key: Key) throws -> T {
        try decoder.floatingPoint(T.self, try value(key), key)
    }

    @inline(__always)
    private func presentFloat<T: DecimalFloat & BinaryFloatingPoint>(_ key: Key) throws -> T? {
        let value = presentValue(key)
        return value == 0 ? nil : try decoder.floatingPoint(T.self, value, key)
    }

    func decode(_: Double.Type, forKey key: Key) throws -> Double { try float(key) }
    func decode(_: Float.Type, forKey key: Key) throws -> Float { try float(key) }
    func decode(_: Int.Type, forKey key: Key) throws -> Int { try integer(key) }
    func decode(_: Int8.Type, forKey key: Key) throws -> Int8 { try integer(key) }
    func decode(_: Int16.Type, forKey key: Key) throws -> Int16 { try integer(key) }
    func decode(_: Int32.Type, forKey key: Key) throws -> Int32 { try integer(key) }
    func decode(_: Int64.Type, forKey key: Key) throws -> Int64 { try integer(key) }
    func decode(_: Int128.Type, forKey key: Key) throws -> Int128 { try integer(key) }
    func decode(_: UInt.Type, forKey key: Key) throws -> UInt { try integer(key) }
    func decode(_: UInt8.Type, forKey key: Key) throws -> UInt8 { try integer(key) }
    func decode(_: UInt16.Type, forKey key: Key) throws -> UInt16 { try integer(key) }
    func decode(_: UInt32.Type, forKey key: Key) throws -> UInt32 { try integer(key) }
    func decode(_: UInt64.Type, forKey key: Key) throws -> UInt64 { try integer(key) }
    func decode(_: UInt128.Type, forKey key: Key) throws -> UInt128 { try integer(key) }

    func decodeIfPresent(_: Double.Type, forKey key: Key) throws -> Double? { try presentFloat(key) }
    func decodeIfPresent(_: Float.Type, forKey key: Key) throws -> Float? { try presentFloat(key) }
    func decodeIfPresent(_: Int.Type, forKey key: Key) throws -> Int? { try presentInteger(key) }
    func decodeIfPresent(_: Int8.Type, forKey key: Key) throws -> Int8? { try presentInteger(key) }
    func decodeIfPresent(_: Int16.Type, forKey key: Key) throws -> Int16? { try presentInteger(key) }
    func decodeIfPresent(_: Int32.Type, forKey key: Key) throws -> Int32? { try presentInteger(key) }
    func decodeIfPresent(_: Int64.Type, forKey key: Key) throws -> Int64? { try presentInteger(key) }
    func decodeIfPresent(_: Int128.Type, forKey key: Key) throws -> Int128? { try presentInteger(key) }
    func decodeIfPresent(_: UInt.Type, forKey key: Key) throws -> UInt? { try presentInteger(key) }
    func decodeIfPresent(_: UInt8.Type, forKey key: Key) throws -> UInt8? { try presentInteger(key) }
    func decodeIfPresent(_: UInt16.Type, forKey key: Key) throws -> UInt16? { try presentInteger(key) }
    func decodeIfPresent(_: UInt32.Type, forKey key: Key) throws -> UInt32? { try presentInteger(key) }
    func decodeIfPresent(_: UInt64.Type, forKey key: Key) throws -> UInt64? { try presentInteger(key) }
    func decodeIfPresent(_: UInt128.Type, forKey key: Key) throws -> UInt128? { try presentInteger(key) }
}
