import SluiceCore
import SluiceStreams
import TestSupport
import Testing

@Suite(.tags(.framing)) struct FramingTests {
    struct Row: JSONModel, Equatable, CustomStringConvertible {
        var id: Int
        var name: String?
        static let plan = ModelPlan<Row>(JSONField(\.id), JSONField(\.name))
        var description: String { "\(id):\(name ?? "-")" }
    }

    private func read<Element: JSONConvertible & Equatable>(
        _ type: Element.Type = Element.self, _ text: String, at path: JSONPath = JSONPath(), _ framing: JSONFraming,
        with decoder: JSONModelDecoder = JSONModelDecoder(), sourceLocation: SourceLocation = #_sourceLocation
    ) async -> StreamVerb.Outcome<Element> {
        await StreamVerb.readAll(type, text, at: path, framing, with: decoder) {
            Issue.record("\($0)", sourceLocation: sourceLocation)
        }
    }

    @Test(arguments: [#"{"id":1,"name":"a"}"#, "\u{FEFF} \n" + #"{"id":1,"name":"a"} "#])
    func `a document that is not an array is the only element`(_ text: String) async throws {
        for path: JSONPath in ["", "$"] {
            let outcome = await read(Row.self, text, at: path, .document)
            #expect(outcome.elements == [Row(id: 1, name: "a")] && outcome.error == nil)
        }
        for workers in [JSONWorkers.exactly(1), .exactly(2)] {
            let decoder = JSONModelDecoder.with { $0.workers = workers }
            var rows: [Row] = []
            try decoder.forEach(Row.self, in: text) { rows.append($0) }
            try decoder.forEach(Row.self, in: decoder.decode(JSONValue.self, from: text)) { rows.append($0) }
            #expect(rows == [Row(id: 1, name: "a"), Row(id: 1, name: "a")])
        }
        for (text, elements) in [("7", [7]), ("[]", []), ("[7]", [7])] {
            let outcome = await read(Int.self, text, .document)
            #expect(outcome.elements == elements && outcome.error == nil)
        }
    }

    @Test func `the error of a document without an array names the cure`() async {
        for (text, path, cure) in [
            (#"{"rows":[{"id":1}]}"#, "", #"at: "items""#), (#"{"id":"#, "[*]", "without a path"),
            (#"{"rows":{"a":{"id":1}}}"#, "rows", "'rows.*' selects"), ("7", "", #"at: "items""#),
        ] as [(String, JSONPath, String)] {
            let outcome = await read(Row.self, text, at: path, .document)
            #expect(outcome.elements.isEmpty && outcome.error?.contains(cure) == true, "\(outcome)")
        }
    }

    private static let rows = [Row(id: 1, name: "a"), Row(id: 2, name: "b\n{}"), Row(id: 3)]

    @Test(
        arguments: [
            (.document, #"[{"id":1,"name":"a"}, {"id":2,"name":"b\n{}"} ,{"id":3}]"#),
            (.lines, "{\"id\":1,\"name\":\"a\"}\n{\"id\":2,\"name\":\"b\\n{}\"}\n{\"id\":3}"),
            (
                .lines,
                "{\"id\":1,\"name\":\"a\"}\r\n\r\n  {\"id\":2,\"name\":\"b\\n{}\"} \r\n\n\t\n{\"id\":3}\r\n\n"
            ), (.lines, "\u{FEFF}{\"id\":1,\"name\":\"a\"}\n{\"id\":2,\"name\":\"b\\n{}\"}\n{\"id\":3}\n"),
            (
                .textSequence,
                "\u{1E}{\"id\":1,\"name\":\"a\"}\n\u{1E}{\"id\":2,\n\"name\":\"b\\n{}\"}\n\u{1E}\u{1E} {\"id\":3}\n"
            ), (.concatenated, #"{"id":1,"name":"a"}{"id":2,"name":"b\n{}"} {"id" : 3} "#),
            (.concatenated, " {\"id\":1,\"name\":\"a\"}\n{\"id\":2,\n\"name\":\"b\\n{}\"}\n{\"id\":3}"),
            (
                .serverSentEvents,
                """
                : a comment
                data: {"id":1,"name":"a"}

                event: row
                data:{"id":2,
                id: 7
                data:  "name":"b\\n{}"}

                id: 8

                data: {"id":3}

                data: [DONE]


                """
            ),
            (
                .serverSentEvents,
                "data: {\"id\":1,\"name\":\"a\"}\r\n\r\ndata:{\"id\":2,\"name\":\"b\\n{}\"}\r\n\r\ndata: {\"id\":3}\r\n\r\ndata: [DONE]\r\n\r\n"
            ),
            (
                .serverSentEvents,
                "data: {\"id\":1,\"name\":\"a\"}\n\ndata:{\"id\":2,\"name\":\"b\\n{}\"}\n\ndata: {\"id\":3}"
            ),
        ] as [(JSONFraming, String)])
    func `every verb reads every framing in all cuts`(_ framing: JSONFraming, _ text: String) async {
        #expect(await read(Row.self, text, framing).elements == Self.rows)
        #expect(await read(Row.self, text, framing).error == nil)
    }

    @Test func `values of any type are elements`() async {
        #expect(await read(Int.self, "1\n2\n\n-3", .lines).elements == [1, 2, -3])
        #expect(await read(Int.self, "1 2\n-3 ", .concatenated).elements == [1, 2, -3])
        #expect(await read(JSONValue.self, "1\"a\"[]{}null[1]true", .concatenated).elements.count == 7)
        #expect(await read(Int.self, "\u{1E}1\n\u{1E}2 \u{1E}-3\n", .textSequence).elements == [1, 2, -3])
        #expect(
            await read([Int].self, "data: [1]\n\ndata: [\ndata: 2]\n\n", .serverSentEvents).elements == [[1], [2]])
    }

    @Test(arguments: JSONFraming.allCases.filter { $0 != .document })
    func `input without values has no elements`(_ framing: JSONFraming) async {
        for text in ["", " \n\r\n ", "\n"] { #expect(await read(Int.self, text, framing) == StreamVerb.Outcome()) }
    }

    @Test func `a path applies inside each value`() async {
        let text = "{\"a\":{\"b\":[1,2]}}\n{\"a\":{\"b\":[]}}\n{\"a\":{\"b\":[3]}}\n"
        #expect(await read(Int.self, text, at: "a.b[*]", .lines).elements == [1, 2, 3])
        #expect(await read([Int].self, text, at: "a.b", .lines).elements == [[1, 2], [], [3]])
        let missing = await read(Int.self, "{\"a\":1}\n{\"b\":2}\n", at: "a", .lines)
        #expect(missing.elements == [1])
        #expect(missing.error == "no value exists at the path a (line 2, column 8, offset 15)")
        let groups = #"{"groups":[{"items":[1,2]},{"items":[]},{"other":0},{"items":[3]}]}"#
        #expect(await read(Int.self, groups, at: "groups[*].items[*]", .document).elements == [1, 2, 3])
    }

    @Test func `errors have the location in the input, after the elements before`() async {
        let lines = await read(Row.self, "{\"id\":1}\n\n {\"id\":x}\n{\"id\":3}\n", .lines)
        #expect(lines.elements == [Row(id: 1)])
        #expect(lines.error?.hasSuffix("(line 3, column 8, offset 17)") == true, "\(lines)")
        let mismatch = await read(Row.self, "{\"id\":1}\n{\"id\":\"2\"}\n", .lines)
        #expect(
            mismatch.error
                == "expected an integer, found a string (allowed with coercion: .lenient) at id, for Row.id "
                + "(line 2, column 7, offset 15)")
        let twice = await read(Row.self, "{\"id\":1} {\"id\":2}\n", .lines)
        #expect(twice.elements == [])
        #expect(twice.error?.hasSuffix("(line 1, column 10, offset 9)") == true, "\(twice)")
        let cut = await read(Row.self, "{\"id\":1}\n{\"id\":", .lines)
        #expect(cut.elements == [Row(id: 1)])
        #expect(cut.error?.contains("the text ends before its value does") == true, "\(cut)")
        let sequence = await read(Int.self, "\u{1E}1\n\u{1E}2\u{1E}3\n", .textSequence)
        #expect(sequence.elements == [1])
        #expect(sequence.error?.contains("(line 2, column 2, offset 4)") == true, "\(sequence)")
        let stray = await read(Int.self, " 0 \u{1E}1\n", .textSequence)
        #expect(stray.elements == [])
        #expect(stray.error?.contains("expected a record separator") == true, "\(stray)")
        let event = await read(
            Row.self, "data: {\"id\":1}\n\nid: 2\ndata: {\"id\":\nid: 3\ndata: x}\n\n", .serverSentEvents)
        #expect(event.elements == [Row(id: 1)])
        #expect(event.error?.hasSuffix("(line 6, column 7, offset 47)") == true, "\(event)")
        let array = await read(Int.self, "[1,2,x]", .document)
        #expect(array.elements == [1, 2])
    }

    @Test func `a byte order mark is accepted only at the start`() async {
        #expect(await read(Int.self, "\u{FEFF}1\n2", .lines).elements == [1, 2])
        for (framing, text) in [
            (.lines, "1\n\u{FEFF}2"), (.lines, "1 \u{FEFF}"), (.concatenated, "1 \u{FEFF}2"),
            (.textSequence, "\u{1E}1\n\u{1E}\u{FEFF}2\n"), (.serverSentEvents, "data: 1\n\ndata: \u{FEFF}2\n\n"),
            (.document, "[1, \u{FEFF}2]"), (.document, "[1]\u{FEFF}"),
        ] as [(JSONFraming, String)] {
            let later = await read(Int.self, text, framing)
            #expect(later.elements == (text.contains("1 \u{FEFF}") && framing == .lines ? [] : [1]))
            #expect(
                later.error?.contains(
                    "(a byte order mark is allowed only at the start of the input: remove U+FEFF)") == true,
                "\(framing): \(later)")
        }
    }

    @Test func `an invalid value ends before a line that begins with an opening bracket`() async {
        let decoder = JSONModelDecoder.with { $0.elementErrors = .skip }
        let text =
            "{\"id\":1}\n{\"id\":2\n{\"id\":3}\r\n[\"id\r\n\n{\"id\":4}\n{\n\"id\":5}{\"id\":6,\n{\"id\":7}\n{\"id\":8}"
        #expect(await read(Row.self, text, .concatenated, with: decoder).elements.map(\.id) == [1, 3, 4, 5, 8])
        let valid = await read(JSONValue.self, "[\n[1],\n\n[2]\n]\n{\"a\":\n{},\"b\"\n:\n[\n[]]}", .concatenated)
        #expect(valid.elements == [[[1], [2]], ["a": [:], "b": [[]]]])
    }

    @Test(
        arguments: [
            (.lines, "1,\n2,\n"), (.lines, ",1\n"), (.document, "[1],"), (.document, "[1],[2]"),
            (.document, " ,[1]"), (.textSequence, "\u{1E}1,\n"), (.concatenated, "1,2"), (.concatenated, ",1"),
            (.serverSentEvents, "data: 1,\n\n"), (.dataLines, "data: ,1\n"),
        ] as [(JSONFraming, String)])
    func `a comma outside of an array is named`(_ framing: JSONFraming, _ text: String) async {
        let outcome = await read(Int.self, text, framing)
        #expect(
            outcome.error?.contains("remove the comma, or enclose the values in brackets") == true, "\(outcome)")
    }
}
