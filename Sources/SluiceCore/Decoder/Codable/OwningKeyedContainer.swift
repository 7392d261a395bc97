/// The container of an object's members that owns its decoder: a nested container, or one of a decoder that a client has kept.
///
/// The other containers belong to decoders that outlive them, see `ContainerBoxes`.
struct OwningKeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    private let owner: TapeDecoder
    private let members: KeyedTapeDecodingContainer<Key>

    init(_ decoder: TapeDecoder) {
        owner = decoder
        members = KeyedTapeDecodingContainer(decoder)
    }

    /// Calls a closure with the members while the decoder exists.
    private func read<R>(_ body: (KeyedTapeDecodingContainer<Key>) throws -> R) rethrows -> R {
        try withExtendedLifetime(owner) { try body(members) }
    }

    var codingPath: [any CodingKey] { read(\.codingPath) }

    var allKeys: [Key] { read(\.allKeys) }

    func contains(_ key: Key) -> Bool { read { $0.contains(key) } }

    func decodeNil(forKey key: Key) throws -> Bool { try read { try $0.decodeNil(forKey: key) } }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        try read { try $0.decode(type, forKey: key) }
    }

    // The generic method reads scalars too, but with the initializers of their types.
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try read { try $0.decode(type, forKey: key) } }
    func decode(_ type: String.Type, forKey key: Key) throws -> String {
        try read { try $0.decode(type, forKey: key) }
    }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
        try read { try $0.decode(type, forKey: key) }
    }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float {
        try read { try $0.decode(type, forKey: key) }
    }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try read { try $0.decode(type, forKey: key) } }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try read { try $0.decode(type, forKey: key) } }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 {
        try read { try $0.decode(type, forKey: key) }
    }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 {
        try read { try $0.decode(type, forKey: key) }
    }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 {
        try read { try $0.decode(type, forKey: key) }
    }
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 {
        try read { try $0.decode(type, forKey: key) }
    }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try read { try $0.decode(type, forKey: key) } }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 {
        try read { try $0.decode(type, forKey: key) }
    }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 {
        try read { try $0.decode(type, forKey: key) }
    }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 {
        try read { try $0.decode(type, forKey: key) }
    }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 {
        try read { try $0.decode(type, forKey: key) }
    }
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 {
        try read { try $0.decode(type, forKey: key) }
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try read { try $0.nestedContainer(keyedBy: type, forKey: key) }
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try read { try $0.nestedUnkeyedContainer(forKey: key) }
    }

    func superDecoder() throws -> any Decoder { try read { try $0.superDecoder() } }

    func superDecoder(forKey key: Key) throws -> any Decoder { try read { try $0.superDecoder(forKey: key) } }
}
