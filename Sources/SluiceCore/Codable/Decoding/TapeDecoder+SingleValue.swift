// The decoder is the container of its single value.

extension TapeDecoder: SingleValueDecodingContainer {
    package func decodeNil() -> Bool { isNull }

    package func decode<T: Decodable>(_ type: T.Type) throws -> T { try decodeSelf(type) }

    package func decode(_: Bool.Type) throws -> Bool { try bool(index, AnyCodingKey?.none) }
    package func decode(_: String.Type) throws -> String { try string(index, AnyCodingKey?.none) }
    package func decode(_: Double.Type) throws -> Double { try floatingPoint(Double.self, index, AnyCodingKey?.none) }
    package func decode(_: Float.Type) throws -> Float { try floatingPoint(Float.self, index, AnyCodingKey?.none) }
    package func decode(_: Int.Type) throws -> Int { try integer(Int.self, index, AnyCodingKey?.none) }
    package func decode(_: Int8.Type) throws -> Int8 { try integer(Int8.self, index, AnyCodingKey?.none) }
    package func decode(_: Int16.Type) throws -> Int16 { try integer(Int16.self, index, AnyCodingKey?.none) }
    package func decode(_: Int32.Type) throws -> Int32 { try integer(Int32.self, index, AnyCodingKey?.none) }
    package func decode(_: Int64.Type) throws -> Int64 { try integer(Int64.self, index, AnyCodingKey?.none) }
    package func decode(_: Int128.Type) throws -> Int128 { try integer(Int128.self, index, AnyCodingKey?.none) }
    package func decode(_: UInt.Type) throws -> UInt { try integer(UInt.self, index, AnyCodingKey?.none) }
    package func decode(_: UInt8.Type) throws -> UInt8 { try integer(UInt8.self, index, AnyCodingKey?.none) }
    package func decode(_: UInt16.Type) throws -> UInt16 { try integer(UInt16.self, index, AnyCodingKey?.none) }
    package func decode(_: UInt32.Type) throws -> UInt32 { try integer(UInt32.self, index, AnyCodingKey?.none) }
    package func decode(_: UInt64.Type) throws -> UInt64 { try integer(UInt64.self, index, AnyCodingKey?.none) }
    package func decode(_: UInt128.Type) throws -> UInt128 { try integer(UInt128.self, index, AnyCodingKey?.none) }
}
