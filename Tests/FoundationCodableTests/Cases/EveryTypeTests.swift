import Foundation
import Testing

/// The methods of the containers for each type of the standard library, alone, with null, and without a value.
@Suite struct EveryTypeTests {
    /// The compiler makes a call of `encodeIfPresent` and of `decodeIfPresent` for each property.
    struct Optionals: Codable, Equatable {
        var bool: Bool?
        var string: String?
        var double: Double?
        var float: Float?
        var int: Int?
        var int8: Int8?
        var int16: Int16?
        var int32: Int32?
        var int64: Int64?
        var int128: Int128?
        var uint: UInt?
        var uint8: UInt8?
        var uint16: UInt16?
        var uint32: UInt32?
        var uint64: UInt64?
        var uint128: UInt128?

        static let full = Optionals(
            bool: true, string: "a", double: 0.5, float: -0.25, int: 1, int8: -8, int16: 16, int32: -32, int64: 64,
            int128: .min, uint: 2, uint8: 8, uint16: 16, uint32: 32, uint64: .max, uint128: .max)
        static let json = """
            {"bool":true,"double":0.5,"float":-0.25,"int":1,"int128":-170141183460469231731687303715884105728,"int16":16,\
            "int32":-32,"int64":64,"int8":-8,"string":"a","uint":2,"uint128":340282366920938463463374607431768211455,\
            "uint16":16,"uint32":32,"uint64":18446744073709551615,"uint8":8}
            """
    }

    struct Required: Codable, Equatable {
        var bool: Bool
        var string: String
        var double: Double
        var float: Float
        var int: Int
        var int8: Int8
        var int16: Int16
        var int32: Int32
        var int64: Int64
        var int128: Int128
        var uint: UInt
        var uint8: UInt8
        var uint16: UInt16
        var uint32: UInt32
        var uint64: UInt64
        var uint128: UInt128
    }

    /// The same values in an array, each once, and then as optional elements.
    struct Elements: Codable, Equatable {
        var values = Optionals.full
        var optionals = Optionals()

        init(optionals: Optionals) { self.optionals = optionals }

        init(from decoder: any Decoder) throws {
            var container = try decoder.unkeyedContainer()
            values.bool = try container.decode(Bool.self)
            values.string = try container.decode(String.self)
            values.double = try container.decode(Double.self)
            values.float = try container.decode(Float.self)
            values.int = try container.decode(Int.self)
            values.int8 = try container.decode(Int8.self)
            values.int16 = try container.decode(Int16.self)
            values.int32 = try container.decode(Int32.self)
            values.int64 = try container.decode(Int64.self)
            values.int128 = try container.decode(Int128.self)
            values.uint = try container.decode(UInt.self)
            values.uint8 = try container.decode(UInt8.self)
            values.uint16 = try container.decode(UInt16.self)
            values.uint32 = try container.decode(UInt32.self)
            values.uint64 = try container.decode(UInt64.self)
            values.uint128 = try container.decode(UInt128.self)
            optionals.bool = try container.decodeIfPresent(Bool.self)
            optionals.string = try container.decodeIfPresent(String.self)
            optionals.double = try container.decodeIfPresent(Double.self)
            optionals.float = try container.decodeIfPresent(Float.self)
            optionals.int = try container.decodeIfPresent(Int.self)
            optionals.int8 = try container.decodeIfPresent(Int8.self)
            optionals.int16 = try container.decodeIfPresent(Int16.self)
            optionals.int32 = try container.decodeIfPresent(Int32.self)
            optionals.int64 = try container.decodeIfPresent(Int64.self)
            optionals.int128 = try container.decodeIfPresent(Int128.self)
            optionals.uint = try container.decodeIfPresent(UInt.self)
            optionals.uint8 = try container.decodeIfPresent(UInt8.self)
            optionals.uint16 = try container.decodeIfPresent(UInt16.self)
            optionals.uint32 = try container.decodeIfPresent(UInt32.self)
            optionals.uint64 = try container.decodeIfPresent(UInt64.self)
            optionals.uint128 = try container.decodeIfPresent(UInt128.self)
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.unkeyedContainer()
            try container.encode(values.bool!)
            try container.encode(values.string!)
            try container.encode(values.double!)
            try container.encode(values.float!)
            try container.encode(values.int!)
            try container.encode(values.int8!)
            try container.encode(values.int16!)
            try container.encode(values.int32!)
            try container.encode(values.int64!)
            try container.encode(values.int128!)
            try container.encode(values.uint!)
            try container.encode(values.uint8!)
            try container.encode(values.uint16!)
            try container.encode(values.uint32!)
            try container.encode(values.uint64!)
            try container.encode(values.uint128!)
            for value: (any Encodable)? in [optionals.bool, optionals.string, optionals.double, optionals.float] {
                if let value { try container.encode(value) } else { try container.encodeNil() }
            }
            let integers: [(any Encodable)?] = [
                optionals.int, optionals.int8, optionals.int16, optionals.int32, optionals.int64, optionals.int128,
                optionals.uint, optionals.uint8, optionals.uint16, optionals.uint32, optionals.uint64,
                optionals.uint128,
            ]
            for value in integers {
                if let value { try container.encode(value) } else { try container.encodeNil() }
            }
        }
    }

    /// The coding path of its container.
    private struct Path: Codable {
        var path: String

        init() { path = "" }

        init(from decoder: any Decoder) throws {
            path = described(try decoder.unkeyedContainer().codingPath)
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.unkeyedContainer()
            try container.encode(described(container.codingPath))
        }
    }

    private static let elements = """
        true,"a",0.5,-0.25,1,-8,16,-32,64,-170141183460469231731687303715884105728,2,8,16,32,18446744073709551615,\
        340282366920938463463374607431768211455
        """
    private static let nulls = Array(repeating: "null", count: 16).joined(separator: ",")

    @Test func `optional properties of every type are written and read`() throws {
        #expect(try encode(Optionals.full) == Optionals.json)
        #expect(try decode(Optionals.self, Optionals.json) == .full)
        #expect(try encode(Optionals()) == "{}")
        #expect(try decode(Optionals.self, "{}") == Optionals())
        let nulls = Optionals.json.replacing(/:[^,}]*/) { _ in ":null" }
        #expect(try decode(Optionals.self, nulls) == Optionals())
    }

    @Test func `required properties of every type are written and read`() throws {
        let required = try decode(Required.self, Optionals.json)
        #expect(required.uint128 == .max && required.int128 == .min && required.float == -0.25)
        #expect(try encode(required) == Optionals.json)
        let tooLarge = Optionals.json.replacing(#""int8":-8"#, with: #""int8":128"#)
        #expect(failure(Required.self, tooLarge).hasPrefix("dataCorrupted"))
    }

    @Test func `elements of every type are written and read`() throws {
        for (optionals, text) in [(Optionals(), Self.nulls), (.full, Self.elements)] {
            let value = Elements(optionals: optionals)
            let json = "[\(Self.elements),\(text)]"
            #expect(try encode(value) == json)
            #expect(try decode(Elements.self, json) == value)
        }
    }

    @Test func `an element of the wrong type is an error at its index`() throws {
        // Each element in turn has another type, or is missing.
        let elements = "[\(Self.elements),\(Self.elements)]".dropFirst().dropLast().split(separator: ",")
        for index in elements.indices {
            var changed = elements
            changed[index] = "[]"
            let error = failure(Elements.self, "[\(changed.joined(separator: ","))]")
            #expect(error.hasPrefix("typeMismatch") && error.contains("| Index \(index)(\(index)) |"), "\(error)")
            if index >= 16 { continue }
            let short = failure(Elements.self, "[\(elements[..<index].joined(separator: ","))]")
            #expect(short.hasPrefix("valueNotFound"), "\(index): \(short)")
        }
    }

    @Test func `unkeyed containers have a coding path`() throws {
        let path = "a / Index 0(0)"
        let json = try encode(["a": [Path()]])
        #expect(try decode([String: [[String]]].self, json) == ["a": [[path]]])
        #expect(try decode([String: [Path]].self, json)["a"]?.map(\.path) == [path])
    }
}
