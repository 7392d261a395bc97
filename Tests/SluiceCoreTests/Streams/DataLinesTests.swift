import SluiceCore
import SluiceStreams
import TestSupport
import Testing

/// Server-sent events of which each line of data is a value.
@Suite(.tags(.framing)) struct DataLinesTests {
    private func read(_ text: String) async -> StreamVerb.Outcome<JSONValue> {
        await StreamVerb.readAll(JSONValue.self, text, .dataLines) { Issue.record("\($0)") }
    }

    @Test(
        arguments: [
            ("data: 1\ndata: 2\ndata: [DONE]\n", [1, 2]), ("data: 1\r\ndata: 2\r\n", [1, 2]),
            ("data: 1\rdata: 2", [1, 2]), ("data:1\n\n\ndata:  2 \n: note\nid: 3\ndata:\ndata: 3\n", [1, 2, 3]),
            ("data: [DONE]\ndata: 1\n", [1]), ("\u{FEFF}data: 1\nevent: x\ndata: [\"DONE]\"]\n", [1, ["DONE]"]]),
            ("", []), (": only a comment\n", []),
        ] as [(String, [JSONValue])]) func `each line of data is a value`(_ text: String, _ values: [JSONValue])
        async
    {
        let outcome = await read(text)
        #expect(outcome.elements == values && outcome.error == nil, "\(outcome)")
    }

    @Test func `an event with blank lines is read by both framings`() async {
        let text = "event: a\ndata: {\"id\": 1}\n\nevent: b\ndata: {\"id\": 2}\n\n"
        let outcome = await read(text)
        #expect(outcome.elements == [["id": 1], ["id": 2]])
    }

    @Test func `a value that continues in the next line is an error`() async {
        let outcome = await read("data: 1\ndata: [\ndata: 2]\n")
        #expect(outcome.elements == [1])
        #expect(outcome.error?.hasSuffix("(line 2, column 8, offset 15)") == true, "\(outcome)")
    }

    @Test func `without blank lines, the other framing joins the lines`() async {
        let outcome = await StreamVerb.readAll(JSONValue.self, "data: {\ndata: \"id\": 2}\n", .serverSentEvents) {
            Issue.record("\($0)")
        }
        #expect(outcome.elements == [["id": 2]])
    }
}
