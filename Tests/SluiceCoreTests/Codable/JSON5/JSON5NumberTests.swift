import Testing

@testable import SluiceCore

/// Numbers of JSON5, which are rewritten in JSON's grammar.
@Suite struct JSON5NumberTests {
    @Test(arguments: [
        ("5", "5", 5.0), ("-5", "-5", -5), ("+5", "5", 5), ("5.25", "5.25", 5.25), ("+5.25", "5.25", 5.25),
        ("5.", "5", 5), ("-5.", "-5", -5), ("+5.e2", "5e2", 500), ("5.E-1", "5E-1", 0.5),
        (".5", "0.5", 0.5), ("-.5", "-0.5", -0.5), ("+.5", "0.5", 0.5), (".5e1", "0.5e1", 5), (".0", "0.0", 0),
        ("0.", "0", 0), ("0.e1", "0e1", 0), ("+0", "0", 0), ("5e1", "5e1", 50), ("+5E+1", "5E+1", 50),
        ("0x0", "0", 0), ("0x1F", "31", 31), ("0XfF", "255", 255), ("-0x1f", "-31", -31), ("+0x1f", "31", 31),
        ("0x00000000000000000000000000000000001", "1", 1),
        ("0x10000000000000000", "18446744073709551616", 18_446_744_073_709_551_616),
    ])
    func `numbers are read`(text: String, number: String, value: Double) throws {
        let recorder = try tokens(ofJSON5: Array(text.utf8))
        #expect(recorder.tokens == [number])
        #expect(recorder.doubles == [value])
        #expect(recorder.integers == [Int128(exactly: value)])
        #expect(recorder.hexadecimal.isEmpty != text.lowercased().contains("x"))
        #expect(try tokens(ofJSON5: Array("[\(text),\(text)]".utf8)).tokens == ["[", number, number, "]"])
    }

    @Test(arguments: ["-0", "-0.", "-.0", "-0x0"])
    func `negative zero keeps its sign`(text: String) throws {
        #expect(try tokens(ofJSON5: Array(text.utf8)).doubles.map { $0?.sign } == [.minus])
    }

    @Test(arguments: [
        ("Infinity", Double.infinity), ("+Infinity", .infinity), ("-Infinity", -.infinity), ("NaN", .nan),
        ("+NaN", .nan), ("-NaN", -.nan),
    ])
    func `numbers that are not finite are read`(text: String, value: Double) throws {
        let recorder = try tokens(ofJSON5: Array("{a: \(text)}".utf8))
        #expect(recorder.tokens == ["{", "a:", "\(value)", "}"])
        #expect(recorder.nonFinite.map(\.description) == [value.description])
        #expect(recorder.nonFinite.map(\.sign) == [value.sign])
    }

    @Test func `integers of 128 bits are exact`() throws {
        let recorder = try tokens(ofJSON5: Array("[0x7FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF,+9007199254740993.]".utf8))
        #expect(recorder.integers == [.max, 9_007_199_254_740_993])
    }

    @Test func `numbers that JSON lacks are marked among others`() throws {
        let recorder = try tokens(ofJSON5: Array("[1,0x2,{a:3,b:[-0X4,NaN],c:0},Infinity,5,0x6,-Infinity]".utf8))
        let expected = [
            "[", "1", "2", "{", "a:", "3", "b:", "[", "-4", "nan", "]", "c:", "0", "}", "inf", "5", "6", "-inf",
            "]",
        ]
        #expect(recorder.tokens == expected)
        #expect(recorder.hexadecimal == [1, 3, 6])
    }

    @Test(arguments: [
        ("-", JSONIssue.Kind.unexpectedEnd, 1),
        ("5e", .unexpectedEnd, 2),
        ("5e+", .unexpectedEnd, 3),
        ("0x", .unexpectedEnd, 2),
        (".", .unexpectedEnd, 1),
        ("Infinit", .unexpectedEnd, 7),
        ("[.]", .syntax("a number lacks a digit"), 1),
        ("[.e1]", .syntax("a number lacks a digit"), 1),
        ("[5.e]", .syntax("a number lacks a digit"), 1),
        ("[+]", .syntax("a number lacks a digit"), 1),
        ("++5", .syntax("a number lacks a digit"), 0),
        ("+-5", .syntax("a number lacks a digit"), 0),
        ("0x-1", .syntax("a number lacks a digit"), 0),
        ("01", .syntax("a number cannot begin with a leading zero"), 0),
        ("[-01]", .syntax("a number cannot begin with a leading zero"), 1),
        ("00", .syntax("a number cannot begin with a leading zero"), 0),
        ("5.5.5", .syntax("unexpected character '.' in a number"), 3),
        ("1-1", .syntax("unexpected character '-' in a number"), 1),
        ("1a", .syntax("unexpected character 'a' in a number"), 1),
        ("0x1.8", .syntax("unexpected character '.' in a number"), 3),
        ("0x1p3", .syntax("unexpected character 'p' in a number"), 3),
        ("0x1g", .syntax("unexpected character 'g' in a number"), 3),
        ("NaNs", .syntax("unexpected character 's' in a number"), 3),
        ("Infinity1", .syntax("unexpected character '1' in a number"), 8),
        ("+Inf]", .syntax("expected Infinity"), 0),
        ("nan", .syntax("expected null"), 0),
        (
            "0x100000000000000000000000000000000",
            .numberOutOfRange(type: "UInt128", text: "0x100000000000000000000000000000000"), 0
        ),
    ])
    func `numbers are rejected`(text: String, kind: JSONIssue.Kind, offset: Int) {
        let issue = issue(ofJSON5: Array(text.utf8))
        #expect(issue?.kind == kind)
        #expect(issue?.location.offset == offset)
    }
}
