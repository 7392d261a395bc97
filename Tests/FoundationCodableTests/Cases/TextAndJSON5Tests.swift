import Foundation
import Testing

@Suite struct TextEncodingTests {
    private static let text = #"{"value":"aé€😀"}"#

    @Test func `a byte order mark is skipped`() throws {
        #expect(try decode(Box<String>.self, [0xEF, 0xBB, 0xBF] + Self.text.utf8).value == "aé€😀")
        #expect(try decode(Int.self, [0xEF, 0xBB, 0xBF, 0x31]) == 1)
    }

    @Test(
        arguments: [
            (String.Encoding.utf16LittleEndian, [0xFF, 0xFE]), (.utf16BigEndian, [0xFE, 0xFF]),
            (.utf32BigEndian, [0, 0, 0xFE, 0xFF]),
        ] as [(String.Encoding, [UInt8])])
    func `other encodings are recognized`(encoding: String.Encoding, mark: [UInt8]) throws {
        let bytes = [UInt8](try #require(Self.text.data(using: encoding)))
        #expect(try decode(Box<String>.self, mark + bytes).value == "aé€😀")
        #expect(try decode(Box<String>.self, bytes).value == "aé€😀")
    }

    @Test func `UTF-32 in little-endian order is recognized without a mark`() throws {
        let bytes = [UInt8](try #require(Self.text.data(using: .utf32LittleEndian)))
        #expect(try decode(Box<String>.self, bytes).value == "aé€😀")
    }

    @Test func `a digit of two bytes is UTF-16`() throws {
        #expect(try decode(Int.self, [0x31, 0]) == 1)
        #expect(try decode(Int.self, [0, 0x31]) == 1)
    }

    @Test func `malformed UTF-16 is rejected`() throws {
        let text = [UInt8](try #require(#"{"value":""#.data(using: .utf16LittleEndian)))
        #expect(throws: DecodingError.self) { try decode(Box<String>.self, text + [0x00, 0xD8, 0x22, 0, 0x7D, 0]) }
    }

    @Test func `an error in other encodings is an error of Codable`() throws {
        let bytes = [UInt8](try #require(#"{"value":1}"#.data(using: .utf16BigEndian)))
        let error = #expect(throws: DecodingError.self) { try decode(Box<String>.self, bytes) }
        #expect(error.map { described($0) } == mismatch("String", at: "value", found: "number"))
    }
}

@Suite struct DepthTests {
    private func nested(_ count: Int) -> String {
        String(repeating: "[", count: count) + String(repeating: "]", count: count)
    }

    private struct Deep: Codable, CustomStringConvertible {
        var depth: Int
        var description: String { "\(depth) levels" }
        init(depth: Int) { self.depth = depth }
        init(from decoder: any Decoder) throws {
            var list = try decoder.unkeyedContainer()
            depth = list.isAtEnd ? 1 : 1 + (try list.decode(Deep.self).depth)
        }
        func encode(to encoder: any Encoder) throws {
            var list = encoder.unkeyedContainer()
            if depth > 1 { try list.encode(Deep(depth: depth - 1)) }
        }
    }

    @Test func `512 levels are decoded`() throws {
        #expect(try decode(Deep.self, nested(512)).depth == 512)
        #expect(failure(Deep.self, nested(513)) == notJSON)
        #expect(failure(Box<Int>.self, "{\"value\":1,\"x\":\(nested(512))}") == notJSON)
        #expect(failure(Deep.self, String(repeating: "[", count: 100_000)) == notJSON)
    }

    @Test func `511 levels are encoded`() throws {
        #expect(try encode(Deep(depth: 511)) == nested(511))
        #expect(
            failure(encoding: Deep(depth: 512))
                == "invalidValue 512 levels |  | Unable to encode the given top-level value to JSON.")
    }
}

@Suite struct JSON5DecodingTests {
    private func json5(_ decoder: JSONDecoder) { decoder.allowsJSON5 = true }

    @Test(arguments: [
        "{value:1}", "{'value':1}", "{\"value\":1,}", "/**/{value:1}//x", "{value:+1}", "{value:1.}", "{value:0x1}",
        "{value:0X00001,}",
        "{value:1e0}", "{value:+1.0e+0}", "{/*a*/value/*b*/:/*c*/1/*d*/,/*e*/}", "{\u{B}\u{C}value:1}",
        "{value:.1e1}",
        "{other:[1,],value:1}",
    ])
    func `JSON5 is decoded`(json: String) throws {
        #expect(try decode(Box<Int>.self, json, json5).value == 1)
        #expect(try decode(Box<Double>.self, json, json5).value == 1)
        #expect(try decode(Box<Decimal>.self, json, json5).value == 1)
        #expect(throws: DecodingError.self) { try decode(Box<Int>.self, json.replacing(",}", with: ",,}") + ",") }
    }

    @Test(arguments: [
        ("'a\"b'", "a\"b"), ("\"a'b\"", "a'b"), (#"'\x41\u00e9\''"#, "Aé'"),
        (#"'\ud83d\ude00'"#, "😀"), ("'//'", "//"),
    ])
    func `strings of JSON5 are decoded`(json: String, text: String) throws {
        #expect(try decode(String.self, json, json5) == text)
        #expect(try decode([String: [String]].self, "{\(json):[\(json),]}", json5) == [text: [text]])
    }

    @Test func `numbers of JSON5 are decoded`() throws {
        #expect(
            try decode([Double].self, "[.5,-.5,+.5,5.,0x10,-0x10,+0,-0.]", json5) == [
                0.5, -0.5, 0.5, 5, 16, -16, 0, 0,
            ])
        #expect(try decode([Int].self, "[0xFF,-0xff,+1,1.,10.e1]", json5) == [255, -255, 1, 1, 100])
        #expect(try decode(UInt64.self, "0xFFFFFFFFFFFFFFFF", json5) == .max)
        #expect(try decode(Int64.self, "-0x8000000000000000", json5) == .min)
        #expect(try decode(UInt128.self, "0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF", json5) == .max)
        #expect(try decode([Decimal].self, "[0xFF,+.25,-5.]", json5) == [255, Decimal(string: "0.25")!, -5])
    }

    @Test func `numbers of JSON5 may be not finite`() throws {
        let doubles = try decode([Double].self, "[Infinity,+Infinity,-Infinity,NaN,-NaN]", json5)
        #expect(doubles.prefix(3) == [.infinity, .infinity, -.infinity])
        #expect(doubles[3].isNaN && doubles[4].isNaN)
        #expect(try decode([Float].self, "[Infinity,-Infinity]", json5) == [.infinity, -.infinity])
        #expect(try decode(Decimal.self, "NaN", json5).isNaN)
        #expect(try decode(Date.self, "Infinity", json5).timeIntervalSinceReferenceDate == .infinity)
    }

    @Test func `hexadecimal numbers are not rounded`() throws {
        #expect(try decode([Double].self, "[0x20000000000000,-0x8000000000000000]", json5) == [0x1p53, -0x1p63])
        #expect(try decode(Float.self, "0x1000002", json5) == 16_777_218)
        #expect(try decode(Double.self, "-0x0", json5).sign == .plus)
        #expect(try decode(Float.self, "-0x0", json5).sign == .plus)
        #expect(
            failure(Double.self, "0x20000000000001", json5) == notRepresentable("9007199254740993", in: "Double"))
        #expect(
            failure([Double].self, "[0x10000000000000000]", json5)
                == notRepresentable("18446744073709551616", in: "Double", at: "Index 0(0)"))
        #expect(
            failure([Double].self, "[-0x8000000000000001]", json5)
                == notRepresentable("-9223372036854775809", in: "Double", at: "Index 0(0)"))
        #expect(failure(Float.self, "0x1000001", json5) == notRepresentable("16777217", in: "Float"))
    }

    @Test func `numbers of JSON5 that do not fit are rejected`() {
        #expect(failure(Int.self, "NaN", json5) == notRepresentable("nan", in: "Int"))
        #expect(failure([Int8].self, "[0x80]", json5) == notRepresentable("128", in: "Int8", at: "Index 0(0)"))
        #expect(failure([UInt8].self, "[-0x1]", json5) == notRepresentable("-1", in: "UInt8", at: "Index 0(0)"))
        #expect(failure(Int.self, "[Infinity]", json5) == mismatch("Int", found: "an array"))
        #expect(failure(String.self, "Infinity", json5) == mismatch("String", found: "number"))
        #expect(failure(Double.self, "1e999", json5) == notRepresentable("1e999", in: "Double"))
        #expect(failure([Int].self, "[1,.5]", json5) == notRepresentable("0.5", in: "Int", at: "Index 1(1)"))
    }

    @Test(arguments: [
        "", "{", "[1,,]", "[,]", "{,}", "{1a:1}", "{a-b:1}", "'a\nb'", "01", "+", ".",
        "0x", "0x1.8",
        "1_0", "Infinityx", "nan", "/*", "1/*", "undefined", "1 2", "{a:1 b:2}", "'a",
    ])
    func `malformed JSON5 is rejected`(json: String) {
        #expect(throws: DecodingError.self) { try decode(Double.self, json, json5) }
        #expect(throws: DecodingError.self) { try decode([[String: Int]].self, "[{a:\(json)}]", json5) }
    }

    @Test func `unquoted keys are identifiers`() throws {
        let json = "{$:1,_b9:2,null:3,Infinity:4,\u{E9}\u{301}\u{203F}:5,\u{2160}a\u{200D}:6}"
        let keys = try decode([String: Int].self, json, json5).sorted { $0.value < $1.value }.map(\.key)
        #expect(keys == ["$", "_b9", "null", "Infinity", "\u{E9}\u{301}\u{203F}", "\u{2160}a\u{200D}"])
    }

    @Test func `errors in JSON5 are errors of Codable`() {
        #expect(failure(Box<Int>.self, "{value:'x'}", json5) == mismatch("Int", at: "value", found: "a string"))
        #expect(failure(Box<Int>.self, "{valu:1}", json5) == noKey("value"))
        #expect(
            failure([Box<Int>].self, "[{value:true}]", json5)
                == mismatch("Int", at: "Index 0(0) / value", found: "bool"))
        #expect(failure([Int].self, "{}", json5) == mismatch(anyArray, found: "a dictionary"))
        #expect(failure(Box<Int>.self, "{value:1,,}", json5) == notJSON)
    }

    @Test func `the braces of the document may be missing`() throws {
        func bare(_ decoder: JSONDecoder) { decoder.assumesTopLevelDictionary = true }
        func both(_ decoder: JSONDecoder) {
            (decoder.assumesTopLevelDictionary, decoder.allowsJSON5) = (true, true)
        }
        for json in [#""value":1"#, #"{"value":1}"#, #" "value" : 1 , "x" : {"value":2} "#, #" {"value":1} "#] {
            #expect(try decode(Box<Int>.self, json, bare).value == 1)
            #expect(try decode(Box<Int>.self, json, both).value == 1)
        }
        for json in ["value:1", "{value:1}", "value:1,//x", "/**/'value':+1, b:[{}]"] {
            #expect(try decode(Box<Int>.self, json, both).value == 1)
        }
        let utf16 = [UInt8](try #require(#""value":1"#.data(using: .utf16BigEndian)))
        for bytes in [[0xEF, 0xBB, 0xBF] + Array(#""value":1"#.utf8), utf16, [0xFE, 0xFF] + utf16] {
            #expect(try decode(Box<Int>.self, bytes, bare).value == 1)
            #expect(try decode(Box<Int>.self, bytes, both).value == 1)
        }
        #expect(try decode([String: Int].self, "", bare) == [:])
        #expect(try decode([String: Int].self, " ", both) == [:])
        for json in [
            #""value":1}"#, "1", "[1]", #""value""#, #""value":1]"#, #"{"value":1"#, #"{"value":1},"#, "}", ",",
        ] {
            #expect(throws: DecodingError.self) { try decode(Box<Int>.self, json, bare) }
            #expect(throws: DecodingError.self) { try decode(Box<Int>.self, json, both) }
        }
        #expect(failure(Box<Int>.self, #""value":"x""#, bare) == mismatch("Int", at: "value", found: "a string"))
        #expect(failure(Box<Int>.self, #""valu":"x""#, both) == noKey("value"))
    }
}
