import Foundation
import Testing

@Suite struct EncodingKeyTests {
    private func snake(_ encoder: JSONEncoder) {
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.outputFormatting = .sortedKeys
    }

    private struct Keyed: Encodable {
        let keys: [String]
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: AnyKey.self)
            for key in keys { try container.encode(1, forKey: AnyKey(key)) }
        }
    }

    @Test func `properties are encoded with converted keys`() throws {
        struct Person: Encodable {
            var firstName = "a"
            var homeURL: [Box<Int>] = [Box(value: 1)]
            var emptyValue: Int?
        }
        #expect(try encode(Person(), snake) == #"{"first_name":"a","home_url":[{"value":1}]}"#)
        #expect(
            try encode(["oneTwo": Person()], snake) == #"{"oneTwo":{"first_name":"a","home_url":[{"value":1}]}}"#)
    }

    @Test func `keys of string dictionaries are not converted`() throws {
        #expect(try encode(["oneTwo": 1], snake) == #"{"oneTwo":1}"#)
        #expect(
            try encode(Box(value: ["oneTwo": ["threeFour": 1]]), snake) == #"{"value":{"oneTwo":{"threeFour":1}}}"#)
        #expect(try encode([CollectionDecodingTests.Direction.north: 1], snake) == #"{"north":1}"#)
        #expect(try encode([1: 1], snake) == #"{"1":1}"#)
    }

    @Test func `a closure converts keys`() throws {
        let paths = Paths()
        let json = try encode(Box(value: [Box(value: 1)])) {
            $0.keyEncodingStrategy = .custom { path in
                paths.add(path)
                return AnyKey(path.last!.stringValue.uppercased())
            }
        }
        #expect(json == #"{"VALUE":[{"VALUE":1}]}"#)
        #expect(paths.all.sorted() == ["value", "value / Index 0(0) / value"])
        let dictionary = try encode(["a": Box(value: ["b": 1])]) {
            $0.keyEncodingStrategy = .custom { AnyKey($0.last!.stringValue.uppercased()) }
        }
        #expect(dictionary == #"{"a":{"VALUE":{"b":1}}}"#)
    }

    @Test func `the last of keys that are converted alike wins`() throws {
        #expect(try encode(Keyed(keys: ["oneTwo", "one_two"]), snake) == #"{"one_two":1}"#)
    }

    @Test func `keys are sorted`() throws {
        let keys = [
            "b", "a", "B", "A", "10", "9", "1", "é", "e", "f", "", "aa", "a b", "Z", "_", "z1", "z10", "z2", "😀",
        ]
        #expect(
            try encode(Keyed(keys: keys))
                == #"{"":1,"1":1,"10":1,"9":1,"A":1,"B":1,"Z":1,"_":1,"a":1,"a b":1,"aa":1,"b":1,"e":1,"f":1,"z1":1,"z10":1,"z2":1,"é":1,"😀":1}"#
        )
        #expect(
            try encode(Dictionary(uniqueKeysWithValues: keys.map { ($0, 1) }))
                == #"{"":1,"1":1,"10":1,"9":1,"A":1,"B":1,"Z":1,"_":1,"a":1,"a b":1,"aa":1,"b":1,"e":1,"f":1,"z1":1,"z10":1,"z2":1,"é":1,"😀":1}"#
        )
    }
}

@Suite struct OutputFormattingTests {
    private struct Sample: Encodable {
        var text = "a/b"
        var list = [1, 2]
        var empty: [Int] = []
        var object: [String: [String: Bool]] = ["k": ["x": true], "e": [:]]
        var nested: [[Box<Int>]] = [[], [Box(value: 1)]]
        var none: Int?
    }

    private func formatted(_ value: some Encodable, _ formatting: JSONEncoder.OutputFormatting) throws -> String {
        try encode(value) { $0.outputFormatting = formatting }
    }

    @Test func `output is compact by default`() throws {
        #expect(try formatted([1, 2], []) == "[1,2]")
        #expect(try formatted(["a": ["b"]], []) == #"{"a":["b"]}"#)
        #expect(
            try formatted(Sample(), .sortedKeys)
                == #"{"empty":[],"list":[1,2],"nested":[[],[{"value":1}]],"object":{"e":{},"k":{"x":true}},"text":"a\/b"}"#
        )
    }

    @Test func `output is indented`() throws {
        let expected = """
            {
              "empty" : [

              ],
              "list" : [
                1,
                2
              ],
              "nested" : [
                [

                ],
                [
                  {
                    "value" : 1
                  }
                ]
              ],
              "object" : {
                "e" : {

                },
                "k" : {
                  "x" : true
                }
              },
              "text" : "a\\/b"
            }
            """
        #expect(try formatted(Sample(), [.prettyPrinted, .sortedKeys]) == expected)
    }

    @Test func `scalars and empty containers are indented`() throws {
        #expect(try formatted(1, .prettyPrinted) == "1")
        #expect(try formatted("a", .prettyPrinted) == #""a""#)
        #expect(try formatted(Int?.none, .prettyPrinted) == "null")
        #expect(try formatted([Int](), .prettyPrinted) == "[\n\n]")
        #expect(try formatted([String: Int](), .prettyPrinted) == "{\n\n}")
        #expect(try formatted([[Int]()], .prettyPrinted) == "[\n  [\n\n  ]\n]")
    }

    @Test func `slashes may stay unescaped`() throws {
        #expect(try formatted(["a/b": "c/d"], .withoutEscapingSlashes) == #"{"a/b":"c/d"}"#)
        #expect(try formatted(URL(string: "https://a.b/c")!, .withoutEscapingSlashes) == #""https://a.b/c""#)
        #expect(try formatted(Data([255, 255]), .withoutEscapingSlashes) == #""//8=""#)
        #expect(
            try formatted(["/": [1]], [.withoutEscapingSlashes, .prettyPrinted, .sortedKeys])
                == "{\n  \"/\" : [\n    1\n  ]\n}")
    }

    @Test func `options are sets`() {
        #expect(JSONEncoder.OutputFormatting([.prettyPrinted, .sortedKeys]).contains(.sortedKeys))
        #expect(JSONEncoder.OutputFormatting.prettyPrinted.rawValue == 1)
        #expect(JSONEncoder.OutputFormatting.sortedKeys.rawValue == 2)
        #expect(JSONEncoder.OutputFormatting.withoutEscapingSlashes.rawValue == 8)
        #expect(JSONEncoder().outputFormatting == [])
    }
}
