import Testing
import ToolSupport

struct CompactTextTests {
    @Test(arguments: [
        ("{\n  \"a b\" : [ 1 ,\t2 ]\r\n}", "{\"a b\":[1,2]}"), ("[\n]", "[]"), ("1.50", "1.50"), ("\" \"", "\" \""),
        ("[ \"x \\\" \\\\\" , \" y\" ]", "[\"x \\\" \\\\\",\" y\"]"), ("\"\\\\\"", "\"\\\\\""), ("{}", "{}"),
        ("{ \"a\" : \"é ü\" }", "{\"a\":\"é ü\"}"),
    ])
    func `white space between tokens is removed`(json: String, line: String) {
        var output = Array("> ".utf8)
        CompactText.append(Array(json.utf8), to: &output)
        #expect(String(decoding: output, as: UTF8.self) == "> " + line)
    }
}
