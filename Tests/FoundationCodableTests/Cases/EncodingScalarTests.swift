import Foundation
import Testing

@Suite struct EncodingScalarTests {
    @Test func `integers of every width are encoded`() throws {
        #expect(try encode([Int8.min, .max, 0]) == "[-128,127,0]")
        #expect(try encode([UInt8.min, .max]) == "[0,255]")
        #expect(try encode([Int16.min, .max]) == "[-32768,32767]")
        #expect(try encode([UInt16.max]) == "[65535]")
        #expect(try encode([Int32.min, .max]) == "[-2147483648,2147483647]")
        #expect(try encode([UInt32.max]) == "[4294967295]")
        #expect(try encode([Int64.min, .max]) == "[-9223372036854775808,9223372036854775807]")
        #expect(try encode([UInt64.max]) == "[18446744073709551615]")
        #expect(try encode([Int.min, .max, -1, 10, 100]) == "[-9223372036854775808,9223372036854775807,-1,10,100]")
        #expect(try encode([UInt.max]) == "[18446744073709551615]")
        #expect(try encode([Int128.min]) == "[-170141183460469231731687303715884105728]")
        #expect(try encode([UInt128.max]) == "[340282366920938463463374607431768211455]")
    }

    @Test func `booleans are encoded`() throws {
        #expect(try encode([true, false]) == "[true,false]")
    }

    @Test func `values at the top level are encoded`() throws {
        #expect(try encode(1) == "1")
        #expect(try encode("a") == #""a""#)
        #expect(try encode(1.5) == "1.5")
        #expect(try encode(true) == "true")
        #expect(try encode(Int?.none) == "null")
        #expect(try encode(Int?.some(1)) == "1")
        #expect(try encode(Date(timeIntervalSinceReferenceDate: 1)) == "1")
        #expect(try encode(URL(string: "a/b")!) == #""a\/b""#)
        #expect(try encode(Data([1])) == #""AQ==""#)
        #expect(try encode(Decimal(string: "0.10")!) == "0.1")
    }

    @Test func `strings stand for numbers that are not finite`() throws {
        func strings(_ encoder: JSONEncoder) {
            encoder.nonConformingFloatEncodingStrategy = .convertToString(
                positiveInfinity: "+\"", negativeInfinity: "-", nan: "?")
        }
        #expect(try encode([Double.infinity, -.infinity, .nan, 1.5], strings) == #"["+\"","-","?",1.5]"#)
        #expect(try encode([Float.infinity, -.infinity, .nan, 1.5], strings) == #"["+\"","-","?",1.5]"#)
        #expect(try encode(["a": Double.nan], strings) == #"{"a":"?"}"#)
        #expect(try encode(Double.infinity, strings) == #""+\"""#)
    }
}

@Suite struct EncodingTypeTests {
    private func date(_ date: Date, _ strategy: JSONEncoder.DateEncodingStrategy) throws -> String {
        try encode(["a": date]) { $0.dateEncodingStrategy = strategy }
    }

    @Test func `a closure encodes dates`() throws {
        let moment = Date(timeIntervalSince1970: 5)
        #expect(
            try date(
                moment,
                .custom { date, encoder in
                    var container = encoder.unkeyedContainer()
                    try container.encode(date.timeIntervalSince1970)
                    try container.encode(described(encoder.codingPath))
                }) == #"{"a":[5,"a"]}"#)
        #expect(try date(moment, .custom { _, _ in }) == #"{"a":{}}"#)
        struct Refusal: Error {}
        #expect(
            failure(encoding: [moment]) { $0.dateEncodingStrategy = .custom { _, _ in throw Refusal() } }
                == "Refusal()")
    }

    @Test func `enums are encoded`() throws {
        #expect(try encode([CollectionDecodingTests.Direction.north, .south]) == #"["north","south"]"#)
        #expect(try encode(CollectionDecodingTests.Level.high) == "2")
        let shapes: [OtherTypeDecodingTests.Shape] = [.point, .circle(radius: 1.5), .rectangle(2, height: 3)]
        #expect(
            try encode(shapes) == #"[{"point":{}},{"circle":{"radius":1.5}},{"rectangle":{"_0":2,"height":3}}]"#)
    }

    @Test func `optionals are encoded`() throws {
        #expect(try encode([1, nil, 3] as [Int?]) == "[1,null,3]")
        #expect(try encode(["a": nil, "b": 1] as [String: Int?]) == #"{"a":null,"b":1}"#)
        #expect(try encode(Box<Int?>(value: nil)) == #"{"value":null}"#)
        #expect(try encode(Box<Int?>(value: 1)) == #"{"value":1}"#)
        #expect(try encode([nil] as [Date?]) == "[null]")
        #expect(try encode([[nil]] as [[Int??]]) == "[[null]]")
    }

    @Test func `collections are encoded`() throws {
        #expect(try encode([[Int]]()) == "[]")
        #expect(try encode([[], [1], [2, 3]]) == "[[],[1],[2,3]]")
        #expect(try encode([String: Int]()) == "{}")
        #expect(try encode(Set([1])) == "[1]")
        #expect(try encode(1..<5) == "[1,5]")
        #expect(try encode(SIMD3<Float>(1, 2, 3)) == "[1,2,3]")
        #expect(try encode(Array(0..<1000)) == "[\((0..<1000).map(String.init).joined(separator: ","))]")
    }

    @Test func `dictionaries are objects or arrays of pairs`() throws {
        typealias Types = CollectionDecodingTests
        #expect(try encode(["b": 1, "a": 2]) == #"{"a":2,"b":1}"#)
        #expect(try encode([10: "a", 9: "b", -1: "c"]) == #"{"-1":"c","10":"a","9":"b"}"#)
        #expect(try encode([Types.Direction.south: 1, .north: 2]) == #"{"north":2,"south":1}"#)
        #expect(try encode([Types.Level.low: 1, .high: 2]) == #"{"1":1,"2":2}"#)
        #expect(try encode([UInt8(1): "a"]) == #"[1,"a"]"#)
        #expect(try encode([Types.Plain.a: 1]) == #"["a",1]"#)
    }
}
