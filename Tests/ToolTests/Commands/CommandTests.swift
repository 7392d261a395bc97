#if !Macros
import Foundation
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
