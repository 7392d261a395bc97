import Foundation
import Testing

@Suite struct FragmentTests {
    @Test func `any value may be at the top level`() throws {
        #expect(try decode(Int.self, "12") == 12)
        #expect(try decode(Double.self, " -1.5 ") == -1.5)
        #expect(try decode(String.self, "\n\"a\"\t") == "a")
        #expect(try decode(Bool.self, "true") == true)
        #expect(try decode([Int].self, "[]") == [])
        #expect(try decode([String: Int].self, "{}") == [:])
        #expect(try decode(Date.self, "1") == Date(timeIntervalSinceReferenceDate: 1))
        #expect(try decode(URL.self, #""a""#) == URL(string: "a"))
        #expect(try decode(Decimal.self, "0.1") == Decimal(string: "0.1"))
        #expect(try decode(Data.self, #""AA==""#) == Data([0]))
    }

    @Test func `white space is skipped`() throws {
        #expect(try decode([Int].self, " \t\r\n[ \n1\r\n,\t2 ] \n") == [1, 2])
        #expect(try decode([String: Int].self, " { \"a\" : 1 , \"b\" : 2 } ") == ["a": 1, "b": 2])
    }

    @Test(arguments: [
        "", " ", "\n\t", "[", "]", "{", "}", "[1", "[1,", "[,1]", "[1,,2]", "[1 2]", "{\"a\"", "{\"a\":",
        "{\"a\":1",
        "{\"a\":1,", "{\"a\" 1}", "{\"a\":}", "{a:1}", "{1:1}", "{,}", "[1]]", "{}}", "1 2", "1,", "[1}",
        "{\"a\":1]", "//1", "1//",
        "[1,/**/2]", "\u{B}1", "\u{A0}1", ":", ",", "\"", "tru",
    ])
    func `malformed JSON is rejected`(json: String) {
        #expect(failure([Int].self, json) == notJSON)
    }

    @Test(arguments: [
        "-", "+1", "01", "-01", "1.", ".5", "-.5", "1e", "1e+", "1.e1", "1..2", "1.2.3", "0x10", "1_000", "--1",
        "1-",
        "1e1.5", "00", "1a", "e1", "Infinity",
    ])
    func `malformed numbers are rejected`(json: String) {
        #expect(failure(Double.self, json) == notJSON)
        #expect(failure(Int.self, json) == notJSON)
        #expect(failure([Double].self, "[\(json)]") == notJSON)
    }

    @Test func `a comma may precede a closing bracket`() throws {
        #expect(try decode([Int].self, "[1,2,]") == [1, 2])
        #expect(try decode([String: Int].self, #"{"a":1,}"#) == ["a": 1])
        // A comma in a string is text, also after an escaped quote or backslash.
        #expect(try decode([String].self, #"["\",]", "]\",}", "\\", ",]",]"#) == ["\",]", "]\",}", "\\", ",]"])
    }

    @Test func `values that nobody reads are skipped`() throws {
        let json = #"{"skipped":{"a":[1,{"b":"\u00e9\n"}],"c":null},"value":1,"more":[[[]]],"text":"\\\""}"#
        #expect(try decode(Box<Int>.self, json).value == 1)
    }
}
