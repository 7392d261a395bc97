import Foundation
import Testing

/// Keys in any order, and containers and encoders that are kept, copied or used late.
@Suite struct ReuseTests {
    struct Wide: Codable, Equatable {
        var a = 1
        var identifier = 2
        var identifier1 = 3
        var identifier2 = 4
        var identifierThatIsLonger = "5"
        var identifierThatIsLongest: [Int]? = [6]
        var accented = 7.5
        var emptyList: [String] = []
        var isOn = true
        var nested = Box(value: Box(value: 8))

        enum CodingKeys: String, CodingKey {
            case a, identifier, identifierThatIsLonger, identifierThatIsLongest, emptyList, isOn, nested
            case identifier1 = "identifier_1"
            case identifier2 = "identifier_2"
            case accented = "é"
        }
    }

    @Test func `keys are found in any order`() throws {
        let members = [
            #""a":1"#, #""identifier":2"#, #""identifier_1":3"#, #""identifier_2":4"#,
            #""identifierThatIsLonger":"5""#,
            #""identifierThatIsLongest":[6]"#, #""é":7.5"#, #""emptyList":[]"#, #""isOn":true"#,
            #""nested":{"value":{"value":8}}"#,
        ]
        for shift in 0..<members.count {
            let turned = Array(members[shift...] + members[..<shift])
            for order in [turned, turned.reversed()] {
                #expect(try decode(Wide.self, "{\(order.joined(separator: ","))}") == Wide())
                let extra = order.flatMap { [$0, #""x\#(shift)":[{"a":0}]"#, #""identifier_3":null"#] }
                #expect(try decode([Wide].self, "[{\(extra.joined(separator: ","))}]") == [Wide()])
            }
        }
        #expect(try decode(Wide.self, try encode(Wide())) == Wide())
    }

    @Test func `elements with keys in different orders are decoded`() throws {
        let json =
            #"[{"first":1,"second":"a"},{"second":"b","first":2},{"x":0,"first":3},{"\u0066irst":4,"second":null}]"#
        let values = try decode([TypeTests.Pair<Int, String>].self, json)
        #expect(values.map(\.first) == [1, 2, 3, 4])
        #expect(values.map(\.second) == ["a", "b", nil, nil])
    }

    @Test func `objects with many keys are decoded and encoded`() throws {
        let dictionary = Dictionary(uniqueKeysWithValues: (0..<2000).map { ("key \($0)", $0) })
        #expect(try decode([String: Int].self, try encode(dictionary)) == dictionary)
        let json = "{\((0..<2000).map { "\"key \($0)\":\($0)" }.joined(separator: ","))}"
        let sum = try decode(json) { decoder in
            let container = try decoder.container(keyedBy: AnyKey.self)
            return try (0..<2000).reversed().reduce(0) {
                try $0 + container.decode(Int.self, forKey: AnyKey("key \($1)"))
            }
        }
        #expect(sum == 1_999_000)
    }

    @Test func `containers of siblings are kept`() throws {
        struct Kept: Decodable {
            let container: KeyedDecodingContainer<AnyKey>
            init(from decoder: any Decoder) throws { container = try decoder.container(keyedBy: AnyKey.self) }
            func value() throws -> Int { try container.decode(Box<Int>.self, forKey: AnyKey("k")).value }
        }
        let kept = try decode(
            [String: [Kept]].self, #"{"a":[{"k":{"value":1}},{"k":{"value":2}},{"k":{"value":"x"}}]}"#)
        let list = try #require(kept["a"])
        #expect(try list[1].value() == 2)
        #expect(try list[0].value() == 1)
        #expect(
            list.map { described($0.container.codingPath) } == [
                "a / Index 0(0)", "a / Index 1(1)", "a / Index 2(2)",
            ])
        let error = #expect(throws: DecodingError.self) { try list[2].value() }
        #expect(error.map { described($0) } == mismatch("Int", at: "a / Index 2(2) / k / value", found: "a string"))
        #expect(
            try list[1].container.superDecoder(forKey: AnyKey("k")).container(keyedBy: AnyKey.self).allKeys.count
                == 1)
    }

    @Test func `copies of an unkeyed container are independent`() throws {
        let values = try decode("[1,2,3]") { decoder in
            var first = try decoder.unkeyedContainer()
            _ = try first.decode(Int.self)
            var second = first
            let a = try second.decode(Int.self)
            let b = try second.decode(Int.self)
            let c = try first.decode(Int.self)
            return [a, b, c, first.currentIndex, second.currentIndex]
        }
        #expect(values == [2, 3, 2, 2, 3])
    }

    @Test func `containers of one decoder are used in turn`() throws {
        let values = try decode(#"{"a":{"x":[1,2]},"b":{"x":[3,4]}}"#) { decoder in
            let root = try decoder.container(keyedBy: AnyKey.self)
            let a = try root.nestedContainer(keyedBy: AnyKey.self, forKey: AnyKey("a"))
            let b = try root.nestedContainer(keyedBy: AnyKey.self, forKey: AnyKey("b"))
            var listA = try a.nestedUnkeyedContainer(forKey: AnyKey("x"))
            var listB = try b.nestedUnkeyedContainer(forKey: AnyKey("x"))
            let first = try [listA.decode(Int.self), listB.decode(Int.self)]
            let all = try a.decode([Int].self, forKey: AnyKey("x"))
            return try first + all + [listA.decode(Int.self), listB.decode(Int.self)]
        }
        #expect(values == [1, 3, 1, 2, 2, 4])
    }

    @Test func `errors of earlier values leave paths alone`() throws {
        struct Tolerant: Decodable {
            let path: String
            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: AnyKey.self)
                _ = try? container.decode([Box<[Int]>].self, forKey: AnyKey("bad"))
                _ = try? container.decode([String: Box<Int>].self, forKey: AnyKey("bad"))
                path = described(decoder.codingPath) + " " + described(container.codingPath)
                _ = try container.decode(Box<Int>.self, forKey: AnyKey("worse"))
            }
        }
        let json = #"[[{"bad":[{"value":[1,"x"]}],"worse":{"value":1}},{"bad":{"k":{}},"worse":{"value":"y"}}]]"#
        #expect(
            failure([[Tolerant]].self, json)
                == mismatch("Int", at: "Index 0(0) / Index 1(1) / worse / value", found: "a string")
        )
    }

    @Test func `containers are encoded late`() throws {
        let text = try encode(
            Encoding { encoder in
                var root = encoder.container(keyedBy: AnyKey.self)
                let superEncoder = root.superEncoder()
                var list = root.nestedUnkeyedContainer(forKey: AnyKey("list"))
                let element = list.superEncoder()
                var keyed = list.nestedContainer(keyedBy: AnyKey.self)
                try root.encode("last", forKey: AnyKey("z"))
                try list.encode(3)
                try keyed.encode(2, forKey: AnyKey("k"))
                try ["a": 1].encode(to: element)
                try Box(value: true).encode(to: superEncoder)
            })
        #expect(text == #"{"list":[{"a":1},{"k":2},3],"super":{"value":true},"z":"last"}"#)
    }

    @Test func `a value replaces an earlier value of its key`() throws {
        let text = try encode(
            Encoding { encoder in
                var root = encoder.container(keyedBy: AnyKey.self)
                try root.encode([1, 2], forKey: AnyKey("a"))
                try root.encode(["x": 1], forKey: AnyKey("a"))
                try root.encodeNil(forKey: AnyKey("b"))
                try root.encode(Box(value: [Int]()), forKey: AnyKey("b"))
                try root.encode(Box(value: 5), forKey: AnyKey("c"))
                try root.encode("text", forKey: AnyKey("c"))
            })
        #expect(text == #"{"a":{"x":1},"b":{"value":[]},"c":"text"}"#)
    }

    @Test func `keys of one object are sorted at every depth`() throws {
        let text = try encode(
            Encoding { encoder in
                var root = encoder.container(keyedBy: AnyKey.self)
                for key in ["b", "a", "c"] {
                    var inner = root.nestedContainer(keyedBy: AnyKey.self, forKey: AnyKey(key))
                    for key in ["y", "x"] { try inner.encode(["2": 1, "1": 2], forKey: AnyKey(key)) }
                }
            })
        let inner = #"{"x":{"1":2,"2":1},"y":{"1":2,"2":1}}"#
        #expect(text == #"{"a":\#(inner),"b":\#(inner),"c":\#(inner)}"#)
    }
}
