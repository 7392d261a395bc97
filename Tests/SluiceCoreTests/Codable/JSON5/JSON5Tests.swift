import Testing

@testable import SluiceCodable
@testable import SluiceCore

/// The grammar of JSON5.
@Suite struct JSON5Tests {
    @Test(arguments: [
        ("1", "1"),
        (" [ ] ", "[ ]"),
        ("{}", "{ }"),
        (#"{"a":[true,false,null],"b":{}}"#, "{ a: [ true false null ] b: { } }"),
        // Commas before a closing bracket.
        ("[1,]", "[ 1 ]"),
        ("{a:1,}", "{ a: 1 }"),
        ("[[],[],]", "[ [ ] [ ] ]"),
        // Comments and white space.
        ("/**/1", "1"),
        ("//x\n1", "1"),
        ("//x\r1", "1"),
        ("1//x", "1"),
        ("1 /***/", "1"),
        ("/*/*/1", "1"),
        ("/* 'a' \n ** / */1", "1"),
        ("[1/**/,/**/2/**/]", "[ 1 2 ]"),
        ("{/**/a/**/:/**/1/**/}", "{ a: 1 }"),
        ("\u{B}\u{C}\t\r\n 1\u{B}", "1"),
        ("\u{FEFF}1", "1"),
        ("\u{A0}[\u{2028}1\u{FEFF},\u{2029}2\u{3000}\u{1680}]\u{202F}", "[ 1 2 ]"),
        ("//x\u{2028}1", "1"),
        ("//x\u{2029}1//\u{2027}", "1"),
        // Keys.
        ("{a:1,$:2,_b:3,c9:4}", "{ a: 1 $: 2 _b: 3 c9: 4 }"),
        ("{'a':1,\"b\":2,'':3}", "{ a: 1 b: 2 : 3 }"),
        ("{true:1,null:2,Infinity:3,NaN:4}", "{ true: 1 null: 2 Infinity: 3 NaN: 4 }"),
        (
            "{\u{E9}\u{301}:1,\u{2160}:2,a\u{203F}:3,a\u{200C}\u{200D}:4}",
            "{ é́: 1 Ⅰ: 2 a‿: 3 a\u{200C}\u{200D}: 4 }"
        ),
        (#"{\u0061b:1,a\x62:2,x\u0031y:3}"#, #"{ ab: 1 ab: 2 x1y: 3 }"#),
        (#"{'\u0061\x62':1}"#, "{ ab: 1 }"),
        ("{a:1,a:2}", "{ a: 1 a: 2 }"),
    ])
    func `documents are read`(text: String, expected: String) throws {
        #expect(try tokens(ofJSON5: Array(text.utf8)).tokens.joined(separator: " ") == expected)
    }

    @Test(arguments: [
        ("'a\"b'", "a\"b"),
        ("\"a'b\"", "a'b"),
        ("''", ""),
        (#"'\'\"\\\/\b\f\n\r\t'"#, "'\"\\/\u{8}\u{C}\n\r\t"),
        (#"'x\x41\xe9\u20AC\ud83D\uDE00y'"#, "xAé€😀y"),
        ("'a\\\nb'", "ab"),
        ("'a\\\rb'", "ab"),
        ("'a\\\r\nb\\\r'", "ab"),
        ("'a\\\u{2028}b\\\u{2029}'", "ab"),
        (#"'\v\0\x00\u0000\0a'"#, "\u{B}\0\0\0\0a"),
        (#"'\a\q\é\😀\-'"#, "aqé😀-"),
        ("'é€😀\u{2028}'", "é€😀\u{2028}"),
        ("'a\tb\u{0}\u{1}\u{B}\u{C}\u{1F}\\n'", "a\tb\u{0}\u{1}\u{B}\u{C}\u{1F}\n"),
        ("'\(String(repeating: "ab\\n", count: 1000))'", String(repeating: "ab\n", count: 1000)),
    ])
    func `strings are read`(text: String, expected: String) throws {
        #expect(try tokens(ofJSON5: Array(text.utf8)).tokens == ["\"\(expected)\""])
        #expect(try tokens(ofJSON5: Array("{\(text):1}".utf8)).tokens == ["{", expected + ":", "1", "}"])
    }

    @Test(arguments: [
        ("", JSONIssue.Kind.emptyInput, 0),
        (" /**/ ", .emptyInput, 6),
        ("[1", .unexpectedEnd, 2),
        ("[", .unexpectedEnd, 1),
        ("{a", .unexpectedEnd, 2),
        ("{a:1,", .unexpectedEnd, 5),
        ("'abc", .unexpectedEnd, 4),
        ("1 2", .trailingContent, 2),
        ("{}{}", .trailingContent, 2),
        ("1/", .trailingContent, 1),
        ("truex", .trailingContent, 4),
        ("[,]", .syntax("unexpected character ','"), 1),
        ("[1,,]", .syntax("unexpected character ','"), 3),
        ("{,}", .syntax("unexpected character ',' at the beginning of a key"), 1),
        ("[1 2]", .syntax("a comma is missing before '2'"), 3),
        ("{a:1 b:2}", .syntax("a comma is missing before 'b'"), 5),
        ("[1:2]", .syntax("unexpected character ':'"), 2),
        ("{a 1}", .syntax("a colon is missing after the key"), 3),
        ("{a-b:1}", .syntax("a colon is missing after the key"), 2),
        ("{a:}", .syntax("unexpected character '}'"), 3),
        ("{a:1]", .syntax("']' does not close an object"), 4),
        ("[1}", .syntax("'}' does not close an array"), 2),
        ("]", .syntax("unexpected character ']'"), 0),
        ("undefined", .syntax("unexpected character 'u'"), 0),
        ("trux", .syntax("expected true"), 0),
        ("nul", .unexpectedEnd, 3),
        ("[1 /* ", .syntax("a comment is not closed"), 3),
        ("1/*/", .syntax("a comment is not closed"), 1),
        ("/x1", .syntax("unexpected character '/'"), 0),
        ("\u{A9}1", .syntax("unexpected byte 0xC2"), 0),
        ("[1,\u{200B}2]", .syntax("unexpected byte 0xE2"), 3),
        // Keys.
        ("{1a:1}", .syntax("unexpected character '1' at the beginning of a key"), 1),
        ("{😀:1}", .syntax("unexpected byte 0xF0 at the beginning of a key"), 1),
        (#"{\u0020:1}"#, .syntax("an escape represents a character that a key cannot contain"), 1),
        (#"{\ud83d\ude00:1}"#, .loneSurrogate, 1),
        (#"{a\u0000:1}"#, .syntax("an escape represents a character that a key cannot contain"), 2),
        (#"{\u0031:1}"#, .syntax("an escape represents a character that a key cannot contain"), 1),
        (#"{a\u005c:1}"#, .syntax("an escape represents a character that a key cannot contain"), 2),
        (#"{a\q:1}"#, .syntax("a key holds an escape that JSON5 does not know"), 2),
        (#"{a\u006:1}"#, .syntax("a \\u escape lacks its four hexadecimal digits"), 2),
        // Strings.
        ("'a\nb'", .syntax("a string holds a line end: it must be escaped"), 2),
        ("{\"\ra\":1}", .syntax("a string holds a line end: it must be escaped"), 2),
        (#"'\1'"#, .syntax("a string holds an escape that JSON5 does not know"), 1),
        (#"'\07'"#, .syntax("a string holds an escape that JSON5 does not know"), 1),
        (#"'\x4'"#, .syntax("a \\x escape lacks its two hexadecimal digits"), 1),
        (#"'\ud83d'"#, .loneSurrogate, 1),
        (#"'a\ud83d\n'"#, .loneSurrogate, 2),
        (#"'\ude00'"#, .loneSurrogate, 1),
        (#"'\ud83d\u0041'"#, .loneSurrogate, 1),
    ])
    func `documents are rejected`(text: String, kind: JSONIssue.Kind, offset: Int) throws {
        let issue = issue(ofJSON5: Array(text.utf8))
        #expect(issue?.kind == kind)
        #expect(issue?.location.offset == offset)
    }

    @Test func `the byte 0xA0 is not white space`() {
        #expect(issue(ofJSON5: [0xA0, 0x31])?.kind == .syntax("unexpected byte 0xA0"))
    }

    @Test func `comments may hold any bytes`() throws {
        #expect(
            try tokens(ofJSON5: Array("//".utf8) + [0xFF] + Array("\n1/*".utf8) + [0xC3, 0x2A, 0x2F]).tokens == [
                "1"
            ])
    }

    @Test(arguments: [
        ([0x27, 0xFF, 0x27], 1), ([0x27, 0xC0, 0x80, 0x27], 1), ([0x27, 0x61, 0xED, 0xA0, 0x80, 0x27], 2),
        ([0x7B, 0xC3, 0x28, 0x3A, 0x31, 0x7D], 1), ([0x7B, 0x61, 0xC3], 2),
        // The first byte beyond ASCII begins no character.
        ([0x7B, 0x80, 0x3A, 0x31, 0x7D], 1),
    ])
    func `invalid UTF-8 is rejected`(bytes: [UInt8], offset: Int) {
        let issue = issue(ofJSON5: bytes)
        #expect(issue?.kind == .invalidUTF8)
        #expect(issue?.location.offset == offset)
    }

    @Test func `other encodings are rejected`() {
        #expect(issue(ofJSON5: [0x31, 0, 0x32, 0])?.kind == .unsupportedEncoding("UTF-16 (little-endian)"))
    }

    private static let document = """
        // comment
        {a: [1, +2.5e1, .5, 0x1F, -Infinity,], 'b\\'\\u0041\\ud83d\\ude00': "c\\\nd", /* x */ \\u0061é$: {d: true,},
        "e": null}
        """

    @Test func `a document that ends early is rejected`() throws {
        let bytes = Array(Self.document.utf8)
        #expect(try tokens(ofJSON5: bytes).tokens.count == 19)
        for count in 0..<bytes.count {
            #expect(issue(ofJSON5: Array(bytes.prefix(count))) != nil, "\(count) bytes")
        }
    }

    @Test func `a document with a changed byte is read or rejected`() throws {
        let bytes = Array(Self.document.utf8)
        for index in bytes.indices {
            for byte: UInt8 in [0, 0x20, 0x22, 0x27, 0x2C, 0x2F, 0x30, 0x3A, 0x5C, 0x5D, 0x7D, 0x80, 0xC3, 0xFF] {
                var changed = bytes
                changed[index] = byte
                do { _ = try tokens(ofJSON5: changed) } catch {
                    let issues = try #require(error as? JSONModelError).issues
                    #expect(issues.count == 1)
                    #expect(0...bytes.count ~= issues[0].location.offset)
                }
            }
        }
    }

    @Test(arguments: [
        (
            #"{"a\u0041\n":[1,-2.5e-3,0,-0.0,"é\ud83d\ude00",{"b":[[],{}]},true,false,null,""],"":{"c":"x"}} "#,
            #"{"a\u0041\n":[1,-2.5e-3,0,-0.0,"é\ud83d\ude00",{"b":[[],{}]},true,false,null,""],"":{"c":"x"}} "#
        ),
        ("{a: +1, /* x */ 'b': [0x1F, .5,],}", #"{"a": 1, "b": [31, 0.5]}"#),
        ("[+.5, -.5, 5., +5.e1, NaN , -Infinity] // x", "[0.5, -0.5, 5, 5e1, 0 , 0] "),
        ("\u{FEFF}[\u{A0}'a\"\\'b' ,//\n]", "\u{FEFF}[\"a\\\"'b\" ]"),
        (#"{\u0061\x62$: '\x41\v\0\q\u0041\n'}"#, #"{"\u0061\u0062$": "\u0041\u000b\u0000q\u0041\n"}"#),
        ("['a\\\nb', '\t\\\t']", #"["ab", "\u0009\u0009"]"#),
    ])
    func `JSON5 is rewritten as JSON`(text: String, expected: String) throws {
        try Array(text.utf8).withUnsafeBufferPointer { bytes in
            let json5 = try JSON5Normalizer(bytes, limits: JSONLimits(), mayLackBraces: false)
            #expect(String(decoding: json5.json, as: UTF8.self) == expected)
        }
    }

    @Test func `an error is located`() throws {
        let issue = issue(ofJSON5: Array("// first\n{a: 1,\n  b: +x}".utf8))
        #expect(issue?.kind == .syntax("a number lacks a digit"))
        #expect(issue?.location == JSONLocation(offset: 21, line: 3, column: 6))
        #expect(issue?.excerpt == "  b: +x}\n     ^")
    }

    @Test func `values are located`() throws {
        let text = "/*x*/[\n 'a\\n', {\u{E9}: +1,b:+.5}, [\r/**/],\n0x1,-Infinity//\n,//\n /**/true,]"
        #expect(
            try tokens(ofJSON5: Array(text.utf8)).locations == [
                "1:6 /*x*/[", "2:2  'a\\n'", "2:9  'a\\n', {", "2:14  'a\\n', {é: +1", "2:19  'a\\n', {é: +1,b:+.5",
                "2:25  'a\\n', {é: +1,b:+.5}, [", "3:1 0x1", "3:5 0x1,-Infinity", "5:6  /**/true",
            ])
        #expect(
            try tokens(ofJSON5: Array("\u{FEFF} /**/a:{b:1}".utf8), assumesTopLevelDictionary: true).locations == [
                "1:6  /**/", "1:8  /**/a:{", "1:11  /**/a:{b:1",
            ])
    }
}
