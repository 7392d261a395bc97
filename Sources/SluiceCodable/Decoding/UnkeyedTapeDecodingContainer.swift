import SluiceCore

/// The container of an array's elements.
struct UnkeyedTapeDecodingContainer: UnkeyedDecodingContainer {
    private let decoder: TapeDecoder
    /// The entry of the next element.
    private var next: Int
    private(set) var currentIndex = 0

    init(_ decoder: TapeDecoder) {
        self.decoder = decoder
        next = decoder.index + 1
    }

    var codingPath: [any CodingKey] { decoder.codingPath }

    var count: Int? { Int(decoder.entry.count) }

    var isAtEnd: Bool { currentIndex >= Int(decoder.entry.count) }

    private var key: AnyCodingKey { AnyCodingKey(index: currentIndex) }

    // MARK: Position

    /// Returns the entry of the next element.
    @inline(__always)
    private func element(_ type: Any.Type) throws -> Int {
        if isAtEnd { throw atEnd(type) }
        return next
    }

    @inline(never)
    private func atEnd(_ type: Any.Type) -> DecodingError {
        let subject = type == (any Decoder).self ? "Cannot get superDecoder() -- unkeyed" : "Unkeyed"
        return .valueNotFound(type, .init(decoder.path(key), "\(subject) container is at end."))
    }

    @inline(__always)
    private mutating func advance() {
        if !isAtEnd { next = decoder.tape.next(next) }
        currentIndex += 1
    }

    /// Calls a closure with the entry of the next element, and advances unless an error is thrown.
    ///
    /// - Parameter type: The type of the error at the end of the array.
    @inline(__always)
    private mutating func take<T>(
        as type: Any.Type = T.self, _ body: (TapeDecoder, Int) throws -> T
    ) throws -> T {
        let value = try body(decoder, try element(type))
        advance()
        return value
    }

    /// Calls a closure with the entry of the next element if that is present and not `null`, and advances.
    @inline(__always)
    private mutating func takeIfPresent<T>(_ body: (TapeDecoder, Int) throws -> T) throws -> T? {
        let isPresent = !isAtEnd && decoder.tape[next].kind != .null
        let value = isPresent ? try body(decoder, next) : nil
        advance()
        return value
    }

    // MARK: Values

    mutating func decodeNil() throws -> Bool {
        let isNull = decoder.tape[try element(Never.self)].kind == .null
        if isNull { advance() }
        return isNull
    }

    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
        let position = currentIndex
        return try take { try $0.decode(type, $1, at: position) }
    }

    mutating func decodeIfPresent<T: Decodable>(_ type: T.Type) throws -> T? {
        let position = currentIndex
        return try takeIfPresent { try $0.decode(type, $1, at: position) }
    }

    // MARK: Nested containers

    mutating func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        let key = key
        return try take { try $0.nestedContainer($1, key).container(keyedBy: type) }
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let key = key
        return try take { try $0.nestedContainer($1, key).unkeyedContainer() }
    }

    mutating func superDecoder() throws -> any Decoder {
        let key = key
        return try take(as: (any Decoder).self) { $0.nested($1, key) }
    }
}

// MARK: Scalars

extension UnkeyedTapeDecodingContainer {
    /// Returns a scalar, or throws the error for another value.
    @inline(__always)
    private mutating func scalar<T>(_ read: (TapeDecoder, Int) -> T?) throws -> T {
        let position = currentIndex
        return try take { try $0.scalar($1, AnyCodingKey(index: position), read) }
    }

    /// Returns a scalar, or nil if the value is missing or `null`.
    @inline(__always)
    private mutating func presentScalar<T>(_ read: (TapeDecoder, Int) -> T?) throws -> T? {
        let position = currentIndex
        return try takeIfPresent { try $0.scalar($1, AnyCodingKey(index: position), read) }
    }

    mutating func decode(_: Bool.Type) throws -> Bool { try scalar { $0.bool($1) } }
    mutating func decode(_: String.Type) throws -> String { try scalar { $0.string($1) } }
    mutating func decode(_: Double.Type) throws -> Double { try scalar { $0.float(Double.self, $1) } }
    mutating func decode(_: Float.Type) throws -> Float { try scalar { $0.float(Float.self, $1) } }
    @inline(__always)
    mutating func decode<T: FixedWidthInteger & Decodable>(_: T.Type) throws -> T {
        try scalar { $0.integer(T.self, $1) }
    }

    // Requirements with default implementations, which the compiler would choose instead of generic functions.

    mutating func decode(_: Int128.Type) throws -> Int128 { try scalar { $0.integer(Int128.self, $1) } }
    mutating func decode(_: UInt128.Type) throws -> UInt128 { try scalar { $0.integer(UInt128.self, $1) } }

    mutating func decodeIfPresent(_: Bool.Type) throws -> Bool? { try presentScalar { $0.bool($1) } }
    mutating func decodeIfPresent(_: String.Type) throws -> String? { try presentScalar { $0.string($1) } }
    mutating func decodeIfPresent(_: Double.Type) throws -> Double? {
        try presentScalar { $0.float(Double.self, $1) }
    }
    mutating func decodeIfPresent(_: Float.Type) throws -> Float? { try presentScalar { $0.float(Float.self, $1) } }
    mutating func decodeIfPresent(_: Int.Type) throws -> Int? { try presentInteger() }
    mutating func decodeIfPresent(_: Int8.Type) throws -> Int8? { try presentInteger() }
    mutating func decodeIfPresent(_: Int16.Type) throws -> Int16? { try presentInteger() }
    mutating func decodeIfPresent(_: Int32.Type) throws -> Int32? { try presentInteger() }
    mutating func decodeIfPresent(_: Int64.Type) throws -> Int64? { try presentInteger() }
    mutating func decodeIfPresent(_: Int128.Type) throws -> Int128? { try presentInteger() }
    mutating func decodeIfPresent(_: UInt.Type) throws -> UInt? { try presentInteger() }
    mutating func decodeIfPresent(_: UInt8.Type) throws -> UInt8? { try presentInteger() }
    mutating func decodeIfPresent(_: UInt16.Type) throws -> UInt16? { try presentInteger() }
    mutating func decodeIfPresent(_: UInt32.Type) throws -> UInt32? { try presentInteger() }
    mutating func decodeIfPresent(_: UInt64.Type) throws -> UInt64? { try presentInteger() }
    mutating func decodeIfPresent(_: UInt128.Type) throws -> UInt128? { try presentInteger() }

    @inline(__always)
    private mutating func presentInteger<T: FixedWidthInteger>() throws -> T? {
        try presentScalar { $0.integer(T.self, $1) }
    }
}
