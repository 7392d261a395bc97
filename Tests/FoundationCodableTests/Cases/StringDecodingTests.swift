import Foundation
import Testing

@Suite struct StringDecodingTests {
    @Test(arguments: [
        (#""""#, ""),
        (#""a""#, "a"),
        (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"),
        (#""\u0041\u00e9\u20AC\ud83d\ude00\uD834\uDD1E""#, "Aé€😀𝄞"),
        (#""\u0000""#, "\0"),
        (#""é€😀""#, "é€😀"),
        (#""a\u0301""#, "a\u{301}"),
        ("\"\u{7F}\u{2028}\u{FEFF}\"", "\u{7F}\u{2028}\u{FEFF}"),
        (#""// /* not a comment */""#, "// /* not a comment */"),
    ])
    func `strings and escapes are decoded`(json: String, expected: String) throws {
        #expect(Array(try decode(String.self, json).unicodeScalars) == Array(expected.unicodeScalars))
        #expect(try decode([String].self, "[\(json),\(json)]") == [expected, expected])
        #expect(try decode([String: Int].self, "{\(json):1}") == [expected: 1])
    }

    @Test func `strings of every length are decoded`() throws {
        for count in [1, 7, 8, 15, 16, 17, 31, 32, 63, 64, 65, 255, 4096] {
            let text = String(repeating: "x", count: count)
            #expect(try decode(String.self, "\"\(text)\"") == text)
            #expect(try decode(String.self, "\"\(text)\\n\"") == text + "\n")
            #expect(try decode(String.self, "\"\(text)é\"") == text + "é")
        }
    }

    @Test(arguments: [
        #""\a""#, #""\x41""#, #""\u12""#, #""\u12G4""#, #""\ud83d""#, #""\ud83dx""#, #""\ude00""#, #""\ud83d\n""#,
        "\"a\nb\"", "\"a\tb\"", "\"\u{1}\"", "\"abc", #""abc\"#, #""abc\""#, "'a'",
    ])
    func `malformed strings are rejected`(json: String) {
        #expect(failure(String.self, json) == notJSON)
    }

    @Test(
        arguments: [
            [0x22, 0xFF, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22], [0x22, 0xC3, 0x22],
            [0x22, 0xF4, 0x90, 0x80, 0x80, 0x22],
        ] as [[UInt8]])
    func `invalid UTF-8 is rejected`(bytes: [UInt8]) {
        #expect(throws: DecodingError.self) { try decode(String.self, bytes) }
        #expect(throws: DecodingError.self) { try decode([String: Int].self, [0x7B] + bytes + [0x3A, 0x31, 0x7D]) }
    }

    @Test func `a string is not made from other values`() {
        #expect(failure(String.self, "1") == mismatch("String", found: "number"))
        #expect(failure(String.self, "true") == mismatch("String", found: "bool"))
        #expect(failure(String.self, "[]") == mismatch("String", found: "an array"))
        #expect(failure(String.self, "{}") == mismatch("String", found: "a dictionary"))
        #expect(failure(String.self, "null") == noValue("String"))
    }

    @Test func `a character is not decodable, but a string of one is`() throws {
        #expect(try decode(Box<String>.self, #"{"value":"e\u0301"}"#).value.count == 1)
    }
}

@Suite struct BoolDecodingTests {
    @Test func `booleans are decoded`() throws {
        #expect(try decode(Bool.self, "true"))
        #expect(try !decode(Bool.self, " false "))
        #expect(try decode([Bool].self, "[true,false]") == [true, false])
    }

    @Test func `a boolean is not made from other values`() {
        #expect(failure(Bool.self, "1") == mismatch("Bool", found: "number"))
        #expect(failure(Bool.self, "0") == mismatch("Bool", found: "number"))
        #expect(failure(Bool.self, #""true""#) == mismatch("Bool", found: "a string"))
        #expect(failure(Bool.self, "null") == mismatch("Bool", found: "null"))
        #expect(failure(Box<Bool>.self, #"{"value":1}"#) == mismatch("Bool", at: "value", found: "number"))
        #expect(failure(Box<Bool>.self, #"{"value":null}"#) == mismatch("Bool", at: "value", found: "null"))
        #expect(failure([Bool].self, "[true,null]") == mismatch("Bool", at: "Index 1(1)", found: "null"))
    }

    @Test(arguments: ["tru", "True", "TRUE", "falsee", "nul", "nil", "undefined", "truefalse"])
    func `malformed literals are rejected`(json: String) {
        #expect(failure(Bool.self, json) == notJSON)
    }
}
