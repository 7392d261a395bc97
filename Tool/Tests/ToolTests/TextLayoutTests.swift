import Testing
import ToolSupport

struct TextLayoutTests {
    private func text(_ json: String, _ layout: TextLayout, depth: Int = 0) -> String {
        var output = Array("> ".utf8)
        layout.append(Array(json.utf8), to: &output, depth: depth)
        return String(decoding: output.dropFirst(2), as: UTF8.self)
    }

    @Test(arguments: [
        ("{\n  \"a b\" : [ 1 ,\t2 ]\r\n}", "{\"a b\":[1,2]}"), ("[\n]", "[]"), ("1.50", "1.50"), ("\" \"", "\" \""),
        ("[ \"x \\\" \\\\\" , \" y\" ]", "[\"x \\\" \\\\\",\" y\"]"), ("\"\\\\\"", "\"\\\\\""), ("{}", "{}"),
        ("{ \"a\" : \"é ü\" }", "{\"a\":\"é ü\"}"),
    ])
    func `white space between tokens is removed`(json: String, line: String) {
        #expect(text(json, TextLayout()) == line)
        // Colors are printed token by token.
        #expect(text(json, TextLayout(hasColors: true)).replacing(#/\u{1B}\[[0-9;]*m/#, with: "") == line)
    }

    @Test func `each value has a line`() {
        let layout = TextLayout(indentation: 2)
        #expect(
            text(#"{"a":[1,{ }],"b":{"c":"\"{"}}"#, layout) == """
                {
                  "a": [
                    1,
                    {}
                  ],
                  "b": {
                    "c": "\\"{"
                  }
                }
                """)
        #expect(text("[ ]", layout) == "[]")
        #expect(text("[1]", TextLayout(indentation: 0)) == "[\n1\n]")
        #expect(text("[1]", layout, depth: 1) == "[\n    1\n  ]")
    }

    @Test func `keys, strings and null have colors`() {
        #expect(
            text(#"{"a":["b",null,true,1]}"#, TextLayout(hasColors: true))
                == "{\u{1B}[34;1m\"a\"\u{1B}[0m:[\u{1B}[32m\"b\"\u{1B}[0m,\u{1B}[90mnull\u{1B}[0m,true,1]}")
    }
}
