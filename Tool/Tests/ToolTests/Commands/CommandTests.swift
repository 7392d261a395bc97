#if !Macros
import Foundation
import Sluice
import Testing

/// The other commands of the tool, as processes.
@Suite struct CommandTests {
    @Test func `paths are printed with their values`() throws {
        let text = #"{"a": [1.50, {"b c": "x\"\u0001"}, []], "": {}, "d.e": null, "é": true}"#
        let run = try ToolProcess("paths", input: text)
        let lines = [
            "a[0] = 1.50", #"a[1].b c = "x\"\u0001""#, "a[2] = []", #"[""] = {}"#, #"["d.e"] = null"#, "é = true",
        ]
        #expect(run.output.split(separator: "\n").map(String.init) == lines)
        #expect(try ToolProcess("paths", input: "1\n2\n").output == "$ = 1\n$ = 2\n")
        // Every path is one for `pick`.
        for line in lines {
            let parts = line.split(separator: " = ", maxSplits: 1).map(String.init)
            #expect(try ToolProcess("pick", parts[0], input: text).output == parts[1] + "\n")
        }
    }

    @Test func `a printed path of any key is an argument`() throws {
        let keys = [
            "", "-1", "--help", "-", "$", "$.a", "*", "a.b", "a[0]", "[*]", "\"", "'", "\"\\\"", "\\", " ", "a,b",
            "=", "a = 1",
            "\n", "\r\n", "\t", "\u{0}", "\u{7F}", "\u{85}", "\u{2028}", "\u{301}", "e\u{301}", "\u{E9}", "👩‍👧", "~",
            "!",
        ]
        let members = keys.enumerated().map { "\(encoded($1)):{\"-\":\($0)}" }
        let text = "{\(members.joined(separator: ","))}"
        let lines = try ToolProcess("paths", input: text).output.utf8.split(separator: UInt8(ascii: "\n"))
        #expect(lines.count == keys.count)
        for (index, line) in lines.enumerated() {
            let path = try #require(String(line.dropLast(" = \(index)".utf8.count)))
            let run = try ToolProcess("pick", path, input: text)
            #expect(run.output == "\(index)\n" && run.status == 0, "\(path): \(run.errors)")
            #expect(try JSONPath(parsing: path).components == [.key(keys[index]), .key("-")])
        }
    }

    private func encoded(_ key: String) -> String {
        "\""
            + key.unicodeScalars.map {
                "\"\\".unicodeScalars.contains($0) || $0.value < 0x20
                    ? "\\u00" + ($0.value < 0x10 ? "0" : "") + String($0.value, radix: 16) : String($0)
            }.joined() + "\""
    }

    @Test func `paths before an error are printed`() throws {
        let run = try ToolProcess("paths", input: #"{"a": 1, "b": [2, }"#)
        #expect(run.output == "a = 1\nb[0] = 2\n" && run.status == 1 && run.errors.hasPrefix("-:1:"))
    }

    @Test func `all invalid lines are reported`() throws {
        let folder = try TestFolder(["a.jsonl": "{}\n{\"a\":}\n[]\n[1\n", "b.json": "{}"])
        let run = try ToolProcess("check", "a.jsonl", "b.json", in: folder.url)
        #expect(run.status == 1 && run.output == "b.json: OK\n")
        let lines = run.errors.split(separator: "\n")
        #expect(lines.first == "a.jsonl:2:6: a value is missing after the colon at $")
        #expect(lines.contains { $0.hasPrefix("a.jsonl:4:3: ") })
        #expect(lines.last == "a.jsonl: 2 of 4 lines are invalid")
        #expect(try ToolProcess("check", "-q", "b.json", in: folder.url).output == "")
        #expect(try ToolProcess("check", "none", in: folder.url).status == 2)
    }

    @Test func `a file of JSON has one value`() throws {
        let text = "{\"a\":1}\n{\"a\":2}\n"
        let folder = try TestFolder(["a.json": text, "b": text, "c.json": "id: 42\nname: x\n"])
        let run = try ToolProcess("check", "a.json", "b", in: folder.url)
        #expect(run.output == "b: OK\n" && run.status == 1)
        #expect(run.errors.hasPrefix("a.json:2:1: unexpected data after the top-level value (--framing reads"))
        #expect(try ToolProcess("check", "a.json", "--framing", "lines", in: folder.url).status == 0)
        #expect(try ToolProcess("check", "c.json", in: folder.url).status == 1)
    }

    @Test(arguments: ["id: 42\nname: x\n", ": x", "data: x", "data:\n", "data: [DONE]\n\n", "", " \n", "x"])
    func `text without JSON is not valid`(text: String) throws {
        let run = try ToolProcess("check", input: text)
        #expect(run.output == "" && run.status == 1 && run.errors.hasPrefix("-:"), "\(run)")
        #expect(try ToolProcess("pick", "$", input: text).status == (text.hasPrefix("data: [") ? 0 : 1))
    }

    @Test(arguments: [
        "{}\n{\n \"a\": 1\n}\n", "{\n}\n[\n]\n1\n", "1 2", "{}\n{}\n[\n1]\n", "[\n1,\n2]\n[\n3]", "{}{}\n", "[]\n",
    ])
    func `values are the same in whatever pieces they arrive`(text: String) throws {
        let folder = try TestFolder(["a": text])
        for arguments in [["pick", "$"], ["paths"], ["check"], ["canonical"], ["pick", "[*]", "--skip-errors"]] {
            let file = try RunningTool(arguments + ["a"], in: folder.url).finish()
            let pipe = try RunningTool(arguments)
            for (index, byte) in text.enumerated() {
                try pipe.write(String(byte))
                if index < 4 { Thread.sleep(forTimeInterval: 0.02) }
            }
            try pipe.closeInput()
            let piped = try pipe.finish()
            let isRejected = arguments.count == 3 && !text.hasPrefix("[\n1") && text != "[]\n"
            #expect(file.status == (isRejected ? 1 : 0) && piped.status == file.status, "\(arguments)")
            #expect(piped.output.replacing("-:", with: "a:") == file.output)
        }
    }

    @Test func `a value that is cut off does not take the next ones`() throws {
        let text = "{\"a\":1}\n{\"a\":2\n{\"a\":\"3\n{\"a\":4}\n{\n \"a\": 5\n}\n"
        let run = try ToolProcess("check", input: text)
        #expect(run.status == 1 && run.errors.hasSuffix("\n-: 2 of 5 values are invalid\n"), "\(run.errors)")
        #expect(try ToolProcess("pick", "a", "--skip-errors", input: text).output == "1\n4\n5\n")
    }

    @Test func `a comma and a framing that is given have no hint of a framing`() throws {
        let comma = try ToolProcess("check", "--framing", "lines", input: "{\"a\":1},\n{\"a\":2}\n")
        #expect(comma.errors.contains("remove the comma") && !comma.errors.contains("--framing"), "\(comma.errors)")
        let two = try ToolProcess("check", "--framing=lines", input: "{} {}\n")
        #expect(two.status == 1 && !two.errors.contains("framing"), "\(two.errors)")
        let folder = try TestFolder(["a.jsonl": "{} {}\n"])
        let named = try ToolProcess("check", "a.jsonl", in: folder.url)
        #expect(named.errors.contains("(--framing concatenated reads several values in a line)"), "\(named.errors)")
    }

    @Test func `the canonical form of a document is printed after its end`() throws {
        #expect(
            try ToolProcess("canonical", input: "{\"b\": 1.0,\n\"a\": \"\\u00e9\"}").output
                == "{\"a\":\"é\",\"b\":1}")
        let run = try ToolProcess("canonical", "--framing", "document", input: "{} {}")
        #expect(run.output == "" && run.status == 1)
        #expect(
            try ToolProcess("canonical", input: "{\"b\": 1, \"a\": 2}\n{}\n").output == "{\"a\":2,\"b\":1}\n{}\n")
    }

    @Test func `the paths of canonical documents differ where the values differ`() throws {
        func paths(_ text: String) throws -> String {
            try ToolProcess("paths", input: ToolProcess("canonical", input: text).output).output
        }
        let first = try paths(#"{"b": [1.0, {"c": "x"}], "a": 1e2}"#)
        #expect(first == "a = 100\nb[0] = 1\nb[1].c = \"x\"\n")
        #expect(try paths(#"{"a": 100, "b": [1, {"c": "\u0078"}]}"#) == first)
        #expect(try paths(#"{"a": 100, "b": [1, {"c": "y"}]}"#) == first.replacing("x", with: "y"))
    }

    @Test func `ranges have all elements`() throws {
        let folder = try TestFolder(["a.json": "{\"items\": [1, 2, 3]}"])
        let run = try ToolProcess("ranges", "a.json", "--at", "items[*]", "--parts", "1", in: folder.url)
        #expect(run.output == "{\"start\":11,\"end\":18,\"index\":0,\"line\":1,\"column\":12}\n")
    }

    @Test func `models are written`() throws {
        let folder = try TestFolder(["orders.jsonl": "{\"id\": 1}\n{\"id\": 2}\n"])
        #expect(try ToolProcess("model", "orders.jsonl", "-o", "Order.swift", in: folder.url).status == 0)
        let source = try #require(folder.text(of: "Order.swift"))
        #expect(source.contains("framing: .lines") && source.contains("    let id: Int\n"))
    }

    @Test func `models have options`() throws {
        let run = try ToolProcess(
            "model", "--for", "decoding", "--prefix", "X", "--dictionary", "a", "--name", "Y",
            input: #"{"a": {"b": 1}}"#)
        #expect(run.output.hasSuffix("struct XY: Sendable {\n    let a: [String: Int]\n}\n"), "\(run.output)")
        #expect(try ToolProcess("model", "--prefix", "1", input: "{}").status == 2)
        #expect(try ToolProcess("model", "--prefix", "App", input: #"{"a": 1}"#).output.contains("struct AppRoot"))
        let view = try ToolProcess("model", "--prefix", "GH", "--name", "View", input: #"{"a": 1}"#)
        #expect(view.output.contains("struct GHView:"), "\(view.errors)")
        #expect(try ToolProcess("model", "--name", "View", input: #"{"a": 1}"#).status == 2)
    }

    @Test func `a schema in a document refers to the document`() throws {
        let order = ##"{"item": {"$ref": "#/parts/a~1b/Item"}, "next": {"$ref": "#/parts/a~1b/Order"}}"##
        let item = #"{"properties": {"id": {"type": "integer"}}}"#
        let document = #"{"parts": {"a/b": {"Order": {"properties": \#(order)}, "Item": \#(item)}}}"#
        let run = try ToolProcess(
            "model", "--schema", "--at", "parts.a/b.Order", "--name", "Order", input: document)
        #expect(
            run.output.contains("final class Order: Sendable {\n    let item: Item?\n    let next: Order?\n}\n"))
        #expect(run.output.contains("struct Item: Sendable {\n    let id: Int?\n}\n"), "\(run.output)\(run.errors)")
        #expect(try ToolProcess("model", "--schema", "--at", "none", input: document).status == 1)
        #expect(try ToolProcess("model", "--schema", "--at", "parts.*", input: document).status == 2)
        #expect(try ToolProcess("model", "--schema", "--framing", "lines", input: "").status == 1)
    }

    @Test func `the name in the comment has no line break`() throws {
        let folder = try TestFolder(["a\nimport Evil\r.json": "{}"])
        let run = try ToolProcess("model", "a\nimport Evil\r.json", in: folder.url)
        #expect(run.output.hasPrefix("// The models of a import Evil .json, inferred"), "\(run.output)")
    }

    @Test func `the call in the comment is Swift`() throws {
        let run = try ToolProcess("model", "--at", #"["a.b"]"#, input: #"{"a.b": {"c": 1}}"#)
        #expect(run.output.contains(#", at: "[\"a.b\"]""#), "\(run.output)")
    }

    @Test func `messages without a reader are no failure of their own`() throws {
        let folder = try TestFolder(["a.json": "[1,", "b.json": "]"])
        let process = ToolProcess.process(["check", "a.json", "b.json"], in: folder.url, environment: [:])
        let errors = Pipe()
        process.standardOutput = FileHandle.nullDevice
        process.standardError = errors.fileHandleForWriting
        try errors.fileHandleForReading.close()
        try process.run()
        try errors.fileHandleForWriting.close()
        process.waitUntilExit()
        #expect(process.terminationReason == .exit && process.terminationStatus == 1)
    }

    @Test(arguments: ["bash", "zsh", "fish"])
    func `the tool writes completions`(shell: String) throws {
        let run = try ToolProcess("--generate-completion-script", shell)
        #expect(run.status == 0 && run.errors == "")
        for command in ["canonical", "check", "model", "paths", "pick", "ranges"] {
            #expect(run.output.contains(command), "\(shell) lacks \(command)")
        }
        let folder = try TestFolder(["script": run.output])
        let shells = ["/bin/\(shell)", "/usr/bin/\(shell)"].filter(FileManager.default.isExecutableFile)
        for path in shells {
            let parser = Process()
            parser.executableURL = URL(fileURLWithPath: path)
            parser.arguments = ["-n", folder.url.appendingPathComponent("script").path]
            try parser.run()
            parser.waitUntilExit()
            #expect(parser.terminationStatus == 0)
        }
    }

    @Test func `usage errors have a status of their own`() throws {
        for arguments in [["none"], ["pick"], ["ranges", "--parts", "0"], ["model", "--name", "1"]] {
            let run = try RunningTool(arguments)
            try run.closeInput()
            let end = try run.finish()
            #expect(end.status == 2 && end.output == "" && end.errors.hasPrefix("Error: "))
        }
        #expect(try ToolProcess("--version").output == "0.1.0\n")
    }
}
#endif
