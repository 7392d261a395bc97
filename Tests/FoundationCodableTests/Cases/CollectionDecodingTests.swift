import Foundation
import Testing

@Suite struct CollectionDecodingTests {
    enum Direction: String, Codable, CodingKeyRepresentable {
        case north, south
    }

    enum Level: Int, Codable, CodingKeyRepresentable {
        case low = 1
        case high = 2
    }

    enum Plain: String, Codable { case a, b }

    struct Name: Hashable, Decodable, CodingKeyRepresentable {
        let text: String
        init(text: String) { self.text = text }
        init?(codingKey: some CodingKey) { text = codingKey.stringValue.uppercased() }
        var codingKey: any CodingKey { AnyKey(text) }
    }

    @Test func `arrays are decoded`() throws {
        #expect(try decode([[Int]].self, "[[],[1],[2,3]]") == [[], [1], [2, 3]])
        #expect(try decode([Box<String>].self, #"[{"value":"a"},{"value":"b"}]"#).map(\.value) == ["a", "b"])
        #expect(try decode(Set<Int>.self, "[1,2,2]") == [1, 2])
        #expect(try decode(ContiguousArray<Int>.self, "[1]") == [1])
        #expect(
            try decode([Int].self, "[\((0..<1000).map(String.init).joined(separator: ","))]") == Array(0..<1000))
    }

    @Test func `dictionaries with string keys are decoded`() throws {
        #expect(try decode([String: Int].self, #"{"a":1,"b":2,"":3}"#) == ["a": 1, "b": 2, "": 3])
        #expect(try decode([String: [String: [Int]]].self, #"{"a":{"b":[1]}}"#) == ["a": ["b": [1]]])
    }

    @Test func `dictionaries with integer keys are decoded`() throws {
        #expect(try decode([Int: String].self, #"{"1":"a","-20":"b"}"#) == [1: "a", -20: "b"])
    }

    @Test func `keys that are no integers are rejected`() {
        #expect(
            failure([Int: String].self, #"{"1":"a","x":"b"}"#)
                == "typeMismatch Int | x | Expected Int key but found String key instead.")
        #expect(
            failure([Int: String].self, #"{"1.0":"a"}"#)
                == "typeMismatch Int | 1.0 | Expected Int key but found String key instead.")
    }

    @Test func `dictionaries with other integer keys are arrays`() throws {
        #expect(try decode([UInt8: String].self, #"[1,"a",2,"b"]"#) == [1: "a", 2: "b"])
        #expect(failure([UInt8: String].self, #"{"1":"a"}"#) == mismatch(anyArray, found: "a dictionary"))
        #expect(
            failure([UInt8: String].self, #"[1,"a",2]"#)
                == "dataCorrupted - |  | Expected collection of key-value pairs; encountered odd-length array instead."
        )
    }

    @Test func `dictionaries with enum keys are decoded`() throws {
        #expect(try decode([Direction: Int].self, #"{"north":1,"south":2}"#) == [.north: 1, .south: 2])
        #expect(try decode([Level: Int].self, #"{"1":10,"2":20}"#) == [.low: 10, .high: 20])
        #expect(try decode([Name: Int].self, #"{"ab":10}"#) == [Name(text: "AB"): 10])
        #expect(try decode([Plain: Int].self, #"["a",1,"b",2]"#) == [.a: 1, .b: 2])
    }

    @Test func `unknown enum keys are rejected`() {
        #expect(
            failure([Direction: Int].self, #"{"east":1}"#)
                == "dataCorrupted - | east | Could not convert key to type Direction")
        #expect(
            failure([Level: Int].self, #"{"3":1}"#)
                == "dataCorrupted - | 3(3) | Could not convert key to type Level")
        #expect(
            failure([Plain: Int].self, #"["c",1]"#)
                == "dataCorrupted - | Index 0(0) | Cannot initialize Plain from invalid String value c")
    }

    @Test func `the first of duplicate keys wins`() throws {
        #expect(try decode([String: Int].self, #"{"a":1,"b":2,"a":3}"#) == ["a": 1, "b": 2])
        #expect(try decode(Box<Int>.self, #"{"value":1,"value":2}"#).value == 1)
        #expect(try decode(Box<Int?>.self, #"{"value":null,"value":2}"#).value == nil)
        #expect(try decode(Box<Int>.self, #"{"value":1,"value":"x"}"#).value == 1)
        #expect(
            failure(Box<Int>.self, #"{"value":"x","value":1}"#)
                == mismatch("Int", at: "value", found: "a string"))
        #expect(try decode(Box<Int>.self, #"{"\u0076alue":1,"value":2}"#).value == 1)
    }

    @Test func `canonically equivalent keys are equal`() throws {
        #expect(try decode([String: Int].self, "{\"\u{E9}\":1,\"e\u{301}\":2}") == ["\u{E9}": 1])
        struct Accented: Decodable {
            let value: Int
            enum CodingKeys: String, CodingKey { case value = "e\u{301}" }
        }
        #expect(try decode(Accented.self, "{\"\u{E9}\":1}").value == 1)
    }

    @Test func `empty keys are keys`() throws {
        struct Empty: Decodable {
            let value: Int
            enum CodingKeys: String, CodingKey { case value = "" }
        }
        #expect(try decode(Empty.self, #"{"":5}"#).value == 5)
        #expect(failure(Empty.self, #"{"":"x"}"#) == mismatch("Int", found: "a string"))
        #expect(failure(Empty.self, "{}") == noKey(""))
    }

    @Test func `a collection is not made from other values`() {
        #expect(failure([Int].self, "{}") == mismatch(anyArray, found: "a dictionary"))
        #expect(failure([Int].self, "1") == mismatch(anyArray, found: "number"))
        #expect(failure([Int].self, #""a""#) == mismatch(anyArray, found: "a string"))
        #expect(failure([String: Int].self, "[]") == mismatch(anyDictionary, found: "an array"))
        #expect(failure([String: Int].self, "true") == mismatch(anyDictionary, found: "bool"))
        #expect(failure([[Int]].self, "[[1],{}]") == mismatch(anyArray, at: "Index 1(1)", found: "a dictionary"))
        #expect(
            failure([String: [Int]].self, #"{"a":[1,"b"]}"#)
                == mismatch("Int", at: "a / Index 1(1)", found: "a string"))
        #expect(failure(Box<Int>.self, "[1]") == mismatch(anyDictionary, found: "an array"))
        #expect(failure(Box<Int>.self, "1.5") == mismatch(anyDictionary, found: "number"))
        #expect(failure(Box<Int>.self, #""x""#) == mismatch(anyDictionary, found: "a string"))
        #expect(failure(Box<Int>.self, "null") == noKeyedContainer())
    }

    @Test func `tuplelike types of the standard library are decoded`() throws {
        #expect(try decode(Range<Int>.self, "[1,5]") == 1..<5)
        #expect(try decode(ClosedRange<Int>.self, "[1,5]") == 1...5)
        #expect(try decode(PartialRangeFrom<Int>.self, "[1]").lowerBound == 1)
        #expect(
            failure(Range<Int>.self, "[5,1]")
                == "dataCorrupted - |  | Cannot initialize Range<Int> with a lowerBound (5) greater than upperBound (1)"
        )
        #expect(failure(Range<Int>.self, "[5]") == noElement("Int", at: "Index 1(1)"))
        #expect(try decode(SIMD3<Float>.self, "[1,2,3]") == SIMD3(1, 2, 3))
        #expect(
            failure(SIMD2<Float>.self, "[1]") == "dataCorrupted - |  | Expected vector with exactly 2 elements.")
    }
}
