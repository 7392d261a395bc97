import SluiceCodable
import SluiceCore
import TestSupport
import Testing

/// Values in the containers of types that only `Codable` describes.
@Suite(.serialized) struct CodableContainerTests {
    private enum Key: String, CodingKey { case first, second, x, list }

    @Test func `members that are not finite`() throws {
        struct Odd: Encodable {
            var a = Double.infinity
            var b = -Float.infinity
            var c = Double.nan
        }
        var encoder = JSONModelEncoder()
        encoder.nonConformingFloatStrategy = .write(infinity: "+", negativeInfinity: "-", nan: "?")
        #expect(try encoder.encode(Odd(), as: .string) == #"{"a":"+","b":"-","c":"?"}"#)
        encoder.nonConformingFloatStrategy = .null
        #expect(try encoder.encode(Odd(), as: .string) == #"{"a":null,"b":null,"c":null}"#)
        #expect(throws: JSONModelError.self) { try JSONModelEncoder().encode(Odd()) }
    }

    @Test func `an encoder that is used after its value has no effect`() throws {
        final class Kept { var encoder: (any Encoder)? }
        struct Value: Encodable {
            let kept: Kept
            let number: Int

            func encode(to encoder: any Encoder) throws {
                if let before = kept.encoder {
                    var members = before.container(keyedBy: Key.self)
                    try members.encode(true, forKey: .first)
                    var list = before.unkeyedContainer()
                    try list.encode(true)
                    var single = before.singleValueContainer()
                    try single.encode(true)
                }
                kept.encoder = encoder
                var single = encoder.singleValueContainer()
                try single.encode(number)
            }
        }
        let kept = Kept()
        let values = (1...3).map { Value(kept: kept, number: $0) }
        #expect(try JSONModelEncoder().encode(values, as: .string) == "[1,2,3]")
    }

    @Test func `a value that contains itself is a depth error`() throws {
        final class Node: Encodable { var next: Node? }
        let node = Node()
        node.next = node
        defer { node.next = nil }
        let error = #expect(throws: JSONModelError.self) { try JSONModelEncoder().encode(node) }
        #expect(error?.issues.first?.kind == .limitExceeded(.depth, limit: 512))
    }

    @Test func `the fraction of an integer beyond the precision of Double is ignored`() throws {
        struct Whole: Decodable { let x: Int }
        #expect(
            try JSONModelDecoder().decode(Whole.self, from: #"{"x":-9007199254740993.5}"#).x
                == -9_007_199_254_740_993)
        #expect(
            try JSONModelDecoder().decode(Whole.self, from: #"{"x":9007199254740993.5}"#).x == 9_007_199_254_740_993
        )
    }

    /// A value whose initializer reads a further value of the container around.
    private struct Nested: Decodable {
        struct Leaf: Decodable { let x: Int }
        nonisolated(unsafe) static var outer: KeyedDecodingContainer<Key>?
        let values: [Int]

        init(from decoder: any Decoder) throws {
            let own = try decoder.container(keyedBy: Key.self)
            let other = try #require(Self.outer).decode(Leaf.self, forKey: .second)
            values = [try own.decode(Int.self, forKey: .x), other.x]
        }
    }

    private struct Outer: Decodable {
        let values: [Int]

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            Nested.outer = container
            defer { Nested.outer = nil }
            values = try container.decode(Nested.self, forKey: .first).values
        }
    }

    @Test func `the container around a value is read while the value is read`() throws {
        let outer = try JSONModelDecoder().decode(Outer.self, from: #"{"first":{"x":1},"second":{"x":2}}"#)
        #expect(outer.values == [1, 2])
    }

    @Test(arguments: [(0, 9), (1, 11), (2, 8), (9, 8)])
    func `an error at an element is located at the element, or at the array`(_ index: Int, _ offset: Int) throws {
        struct Picky: Decodable {
            nonisolated(unsafe) static var index = 0
            init(from decoder: any Decoder) throws {
                let list = try decoder.container(keyedBy: Key.self).nestedUnkeyedContainer(forKey: .list)
                throw DecodingError.dataCorrupted(
                    .init(codingPath: list.codingPath + [Index(intValue: Self.index)], debugDescription: "no"))
            }
        }
        struct Index: CodingKey {
            let intValue: Int?
            var stringValue: String { "Index \(intValue ?? 0)" }
            init(intValue: Int) { self.intValue = intValue }
            init?(stringValue: String) { nil }
        }
        Picky.index = index
        let error = #expect(throws: JSONModelError.self) {
            try JSONModelDecoder().decode(Picky.self, from: #"{"list":[1,2],"x":3}"#)
        }
        #expect(error?.issues.first?.location.offset == offset)
    }

    // MARK: Models inside of other types

    private struct Box<Part: Decodable>: Decodable { let part: Part }

    private struct Named: JSONModel, JSONValueHook, Decodable {
        let name: String
        static let plan = ModelPlan<Named>(JSONField(\.name))

        static func transform(_ value: JSONValue?, for property: String) -> JSONValue? { value ?? "nameless" }
    }

    @Test func `a value hook provides a missing value of a model`() throws {
        let box = try JSONModelDecoder().decode(Box<Named>.self, from: #"{"part":{}}"#)
        #expect(box.part.name == "nameless")
    }

    private struct Member: JSONModel, JSONValueHook, Decodable {
        let number: Int
        static let plan = ModelPlan<Member>(JSONField(\.number))

        static func transform(_ value: JSONValue?, for property: String) -> JSONValue? { value?["a"] }
    }

    @Test(arguments: [#"{"a":1,"a":2}"#, #"{"a":1,"a":{"a":2},"b":3}"#, #"{"b":{"c":1,"c":2},"a":1,"a":2}"#])
    func `a value hook of a model receives the first of repeated keys`(_ value: String) throws {
        let text = "{\"part\":{\"number\":\(value)}}"
        #expect(try JSONModelDecoder().decode(Box<Member>.self, from: text).part.number == 1)
    }

    private struct Raw: JSONModel, Decodable {
        let raw: JSONRaw
        static let plan = ModelPlan<Raw>(JSONField(\.raw))

        init(from decoder: any Decoder) throws { throw CancellationError() }
    }

    @Test func `a JSONRaw of a model has the first of repeated keys`() throws {
        let text = #"{"part":{"raw":{"x":1,"x":2,"y":{"z":3,"z":4},"y":5,"v":[{"x":6,"x":7},8]}}}"#
        let raw = try JSONModelDecoder().decode(Box<Raw>.self, from: text).part.raw
        #expect(raw.description == #"{"x":1,"y":{"z":3},"v":[{"x":6},8]}"#)
    }
}
