// The decoder is the container of its single value.

extension TapeDecoder: SingleValueDecodingContainer {
    package func decodeNil() -> Bool { isNull }

    package func decode<T: Decodable>(_ type: T.Type) throws -> T {
        beginInitializer()
        return try decodeSelf(type)
    }

    /// Returns a scalar, or throws the error for another value.
    @inline(__always)
    private func scalar<T>(_ value: T?) throws -> T {
        guard let value else { throw unusable(T.self, index, nil) }
        return value
    }

    package func decode(_: Bool.Type) throws -> Bool { try scalar(bool(index)) }
    package func decode(_: String.Type) throws -> String { try scalar(string(index)) }
    package func decode(_: Double.Type) throws -> Double { try scalar(float(Double.self, index)) }
    package func decode(_: Float.Type) throws -> Float { try scalar(float(Float.self, index)) }
    package func decode(_: Int.Type) throws -> Int { try scalar(integer(Int.self, index)) }
    package func decode(_: Int8.Type) throws -> Int8 { try scalar(integer(Int8.self, index)) }
    package func decode(_: Int16.Type) throws -> Int16 { try scalar(integer(Int16.self, index)) }
    package func decode(_: Int32.Type) throws -> Int32 { try scalar(integer(Int32.self, index)) }
    package func decode(_: Int64.Type) throws -> Int64 { try scalar(integer(Int64.self, index)) }
    package func decode(_: Int128.Type) throws -> Int128 { try scalar(integer(Int128.self, index)) }
    package func decode(_: UInt.Type) throws -> UInt { try scalar(integer(UInt.self, index)) }
    package func decode(_: UInt8.Type) throws -> UInt8 { try scalar(integer(UInt8.self, index)) }
    package func decode(_: UInt16.Type) throws -> UInt16 { try scalar(integer(UInt16.self, index)) }
    package func decode(_: UInt32.Type) throws -> UInt32 { try scalar(integer(UInt32.self, index)) }
    package func decode(_: UInt64.Type) throws -> UInt64 { try scalar(integer(UInt64.self, index)) }
    package func decode(_: UInt128.Type) throws -> UInt128 { try scalar(integer(UInt128.self, index)) }
}
