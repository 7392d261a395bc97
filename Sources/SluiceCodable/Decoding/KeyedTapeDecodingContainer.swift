import SluiceCore

/// A decoder, borrowed or owned: the only property of a container, so that a box can be changed without the type of its keys.
///
/// Both cases are one word with the same address, so that another thread can use a reference whose case changes. The type is not
/// generic, because a copy of a generic type looks up the type.
enum TapeDecoderReference {
    /// A decoder that lives longer than the reference.
    case borrowed(Unmanaged<TapeDecoder>)
    case owned(TapeDecoder)

    @inline(__always)
    var unretained: Unmanaged<TapeDecoder> {
        switch self {
        case .borrowed(let decoder): decoder
        case .owned(let decoder): .passUnretained(decoder)
        }
    }
}

/// The container of an object's members, in a box of the standard library.
///
/// Each call of a box copies the container. The container of a decoder that runs an initializer therefore borrows the decoder,
/// so that a copy needs no reference. See `ContainerBoxes` for a box that outlives the initializer.
struct KeyedTapeDecodingContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    private let reference: TapeDecoderReference

    /// Creates a container that borrows its decoder.
    init(borrowing decoder: Unmanaged<TapeDecoder>) { reference = .borrowed(decoder) }

    /// Creates a container that owns its decoder.
    init(owning decoder: TapeDecoder) { reference = .owned(decoder) }

    /// Calls a closure with the decoder, without retaining the decoder for each value.
    @inline(__always)
    private func withDecoder<R>(_ body: (TapeDecoder) throws -> R) rethrows -> R {
        try reference.unretained._withUnsafeGuaranteedRef(body)
    }

    private var decoder: TapeDecoder { reference.unretained.takeUnretainedValue() }

    var codingPath: [any CodingKey] { decoder.codingPath }

    var allKeys: [Key] { decoder.allKeys.compactMap { Key(stringValue: $0) } }

    func contains(_ key: Key) -> Bool { withDecoder { $0.value(of: key) } != 0 }

    // MARK: Search

    /// Returns the entry of a key's value.
    @inline(__always)
    private func value(_ key: Key, _ decoder: TapeDecoder) throws -> Int {
        let value = decoder.value(of: key)
        if value == 0 { throw missing(key) }
        return value
    }

    /// Returns the entry of a key's value, or 0 if the value is missing or `null`.
    @inline(__always)
    private func presentValue(_ key: Key, _ decoder: TapeDecoder) -> Int {
        let value = decoder.value(of: key)
        return value == 0 || decoder.tape[value].kind == .null ? 0 : value
    }

    @inline(never)
    private func missing(_ key: some CodingKey) -> DecodingError {
        .keyNotFound(key, .init(codingPath, "No value associated with key \(key) (\"\(key.stringValue)\")."))
    }

    // MARK: Values

    func decodeNil(forKey key: Key) throws -> Bool {
        try withDecoder { $0.tape[try value(key, $0)].kind == .null }
    }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        try withDecoder { try $0.decode(type, try value(key, $0), key) }
    }

    func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
        try withDecoder { decoder in
            let value = presentValue(key, decoder)
            return value == 0 ? nil : try decoder.decode(type, value, key)
        }
    }

    // MARK: Nested containers

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try decoder.nestedContainer(try value(key, decoder), key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder.nestedContainer(try value(key, decoder), key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { superDecoder(AnyCodingKey.super) }

    func superDecoder(forKey key: Key) throws -> any Decoder { superDecoder(key) }

    /// Returns the decoder of a value, which is `null` if the key is missing.
    private func superDecoder(_ key: some CodingKey) -> TapeDecoder { decoder.nested(decoder.value(of: key), key) }
}

// MARK: Scalars

extension KeyedTapeDecodingContainer {
    /// Returns a scalar, or throws the error for another value.
    @inline(__always)
    private func scalar<T>(_ key: Key, _ read: (TapeDecoder, Int) -> T?) throws -> T {
        try withDecoder { try $0.scalar(try value(key, $0), key, read) }
    }

    /// Returns a scalar, or nil if the value is missing or `null`.
    @inline(__always)
    private func presentScalar<T>(_ key: Key, _ read: (TapeDecoder, Int) -> T?) throws -> T? {
        try withDecoder { decoder in
            let value = presentValue(key, decoder)
            return value == 0 ? nil : try decoder.scalar(value, key, read)
        }
    }

    func decode(_: Bool.Type, forKey key: Key) throws -> Bool { try scalar(key) { $0.bool($1) } }
    func decode(_: String.Type, forKey key: Key) throws -> String { try scalar(key) { $0.string($1) } }
    func decode(_: Double.Type, forKey key: Key) throws -> Double { try scalar(key) { $0.float(Double.self, $1) } }
    func decode(_: Float.Type, forKey key: Key) throws -> Float { try scalar(key) { $0.float(Float.self, $1) } }
    @inline(__always)
    func decode<T: FixedWidthInteger & Decodable>(_: T.Type, forKey key: Key) throws -> T {
        try scalar(key) { $0.integer(T.self, $1) }
    }

    // Requirements with default implementations, which the compiler would choose instead of generic functions.

    func decode(_: Int128.Type, forKey key: Key) throws -> Int128 {
        try scalar(key) { $0.integer(Int128.self, $1) }
    }
    func decode(_: UInt128.Type, forKey key: Key) throws -> UInt128 {
        try scalar(key) { $0.integer(UInt128.self, $1) }
    }

    func decodeIfPresent(_: Bool.Type, forKey key: Key) throws -> Bool? { try presentScalar(key) { $0.bool($1) } }
    func decodeIfPresent(_: String.Type, forKey key: Key) throws -> String? {
        try presentScalar(key) { $0.string($1) }
    }
    func decodeIfPresent(_: Double.Type, forKey key: Key) throws -> Double? {
        try presentScalar(key) { $0.float(Double.self, $1) }
    }
    func decodeIfPresent(_: Float.Type, forKey key: Key) throws -> Float? {
        try presentScalar(key) { $0.float(Float.self, $1) }
    }
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

    @inline(__always)
    private func presentInteger<T: FixedWidthInteger>(_ key: Key) throws -> T? {
        try presentScalar(key) { $0.integer(T.self, $1) }
    }
}
