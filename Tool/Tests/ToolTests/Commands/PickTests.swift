#if !Macros
import Foundation
import Testing

/// The command `sluice pick`, as a process.
@Suite struct PickTests {
    private static let package = """
        {
          "name": "left-pad",
          "version": "1.3.0",
          "tags": ["a", "b\\n", {"x": null}],
          "owner": {"login": "ll\\u00f6yd", "id": 1.50}
        }
        """

    private func pick(_ path: String, _ options: String...) throws -> String {
        let folder = try TestFolder(["package.json": Self.package])
        let run = try RunningTool(["pick", path] + options + ["package.json"], in: folder.url)
            .finish()
        #expect(run.errors == "" && run.status == 0)
        return run.output
    }

    // MARK: Paths

    @Test func `a path without a wildcard is that of one value`() throws {
        #expect(try pick("version") == "\"1.3.0\"\n")
        #expect(try pick("tags") == "[\"a\",\"b\\n\",{\"x\":null}]\n")
        #expect(try pick("tags[2].x") == "null\n")
        #expect(try pick("owner") == "{\"login\":\"ll\\u00f6yd\",\"id\":1.50}\n")
        #expect(try pick("$").hasPrefix("{\"name\":\"left-pad\",\"version\""))
        #expect(try pick("version", "--count") == "1\n")
    }

    @Test func `a path with a wildcard is that of elements`() throws {
        #expect(try pick("tags[*]") == "\"a\"\n\"b\\n\"\n{\"x\":null}\n")
        #expect(try pick("owner.*", "--skip", "1") == "1.50\n")
        #expect(try pick("tags[*]", "--count") == "3\n")
        #expect(try pick("tags[*]", "--limit", "1", "--array") == "[\n\"a\"\n]\n")
        #expect(try pick("tags[*]", "--skip", "3", "--array") == "[]\n")
    }

    @Test func `a value that does not exist is an error with its path`() throws {
        let run = try ToolProcess("pick", "a.c", input: #"{"a": {"b": 1}}"#)
        #expect(run.output == "" && run.status == 1)
        #expect(run.errors.hasPrefix("-:1:16: no value exists at the path a.c"), "\(run.errors)")
        let count = try ToolProcess("pick", "a.c", "--count", input: "{}")
        #expect(count.output == "" && count.status == 1)
    }

    @Test func `a path of jq is answered with the path that it means`() throws {
        for (filter, path) in [(".a", "a"), (".[]", "[*]"), ("a[]", "a[*]"), (".", "$")] {
            let run = try ToolProcess("pick", filter)
            #expect(run.status == 2 && run.output == "")
            #expect(run.errors.contains("'\(filter)' is a path of jq. Here it is '\(path)'."), "\(run.errors)")
        }
        #expect(try ToolProcess("pick", "a..b").errors.contains("'a..b' is not a path"))
    }

    @Test func `an index from the end is answered with the last element`() throws {
        let folder = try TestFolder(["a.json": #"{"a": [1, 2, 3]}"#])
        let run = try ToolProcess("pick", "a[-1]", "a.json", in: folder.url)
        #expect(run.status == 2 && run.output == "")
        #expect(run.errors.contains("sluice pick 'a[*]' | tail -n 1"), "\(run.errors)")
        #expect(try ToolProcess("pick", "a[*]", "a.json", in: folder.url).output.hasSuffix("\n3\n"))
    }

    @Test func `a path with a wildcard that matches nothing is reported`() throws {
        let text = #"{"items": [{"id": 1}, {"id": 2}], "none": []}"#
        for path in ["items[*].name", "items[*].tags[*]", "none[*].id"] {
            let run = try ToolProcess("pick", path, input: text)
            #expect(run.output == "" && run.status == 0)
            #expect(run.errors == "-: no value exists at the path \(path)\n")
            #expect(try ToolProcess("pick", path, "--count", input: text).output == "0\n")
        }
        let empty = try ToolProcess("pick", "none[*]", input: text)
        #expect(empty.output == "" && empty.status == 0 && empty.errors == "")
        let missing = try ToolProcess("pick", "itms[*]", input: text)
        #expect(missing.status == 1 && missing.errors.contains("no value exists at the path itms[*]"))
        let lines = try ToolProcess("pick", "a[*].b", input: "{\"a\":[{}]}\n{\"a\":[{\"b\":1}]}\n")
        #expect(lines.output == "1\n" && lines.errors == "")
    }

    // MARK: Missing parts

    @Test func `a value without the part is null, and the first is reported`() throws {
        let text = "{\"a\":1}\n{}\n\n{\"b\":2}\n{\"a\":{\"c\":1.50}}\n"
        let run = try ToolProcess("pick", "a", input: text)
        #expect(run.output == "1\nnull\nnull\n{\"c\":1.50}\n" && run.status == 0)
        let note = "no value exists at the path a: null is printed for such values (--skip-errors skips them)"
        #expect(run.errors == "-:2:3: \(note)\n")
        let skipped = try ToolProcess("pick", "a", "--skip-errors", input: text)
        #expect(skipped.output == "1\n{\"c\":1.50}\n" && skipped.status == 1)
        #expect(!skipped.errors.contains("null is printed"))
        let rows = try ToolProcess("pick", "a", "--csv", "--only", "c", input: text)
        #expect(rows.output == "c\n\"\"\n\"\"\n\"\"\n1.50\n", "\(rows)")
        let inner = try ToolProcess("pick", "a.c", input: text)
        #expect(inner.output == "null\nnull\nnull\n1.50\n" && inner.status == 0)
        #expect(inner.errors.hasPrefix("-:1:") && inner.errors.split(separator: "\n").count == 1)
        #expect(try ToolProcess("pick", "a", "--count", input: text).output == "4\n")
        #expect(
            try ToolProcess("pick", "a", "--workers", "2", "--framing", "lines", input: text).output == run.output)
    }

    @Test func `a part that no value has is the error of the first value`() throws {
        let run = try ToolProcess("pick", "b", input: "{\"a\":1}\n{\"a\":\n2}\n")
        #expect(run.output == "" && run.status == 1)
        #expect(run.errors.hasPrefix("-:1:8: no value exists at the path b\n"), "\(run.errors)")
        let later = try ToolProcess("pick", "b", "--count", input: "\n {\"a\":\n1}\n{\"a\":2}\n")
        #expect(later.output == "" && later.errors.hasPrefix("-:3:3: no value"), "\(later)")
        let limited = try ToolProcess("pick", "a", "--limit", "2", input: "{}\n{}\n{}\n{\"a\":1}\n")
        #expect(limited.output == "null\nnull\n" && limited.status == 0)
        #expect(try ToolProcess("pick", "a", "--limit", "2", input: #"{"a":1} {} {"a":3}"#).output == "1\nnull\n")
        let stopped = try ToolProcess("pick", "a", "--limit", "2", input: "{\"a\":1}\n{\"a\":2}\n{\"a\":3}\n")
        #expect(stopped.output == "1\n2\n")
    }

    // MARK: Conditions

    @Test func `elements with an equal member are printed`() throws {
        let text = #"[{"t": "a", "n": 1.0}, {"t": "b"}, {"t": "a", "n": 2, "s": "\u00f6"}, {"n": "2"}]"#
        func pick(_ options: String...) throws -> String {
            let tool = try RunningTool(["pick", "[*]"] + options)
            try tool.write(text)
            try tool.closeInput()
            let run = try tool.finish()
            #expect(run.status == 0 && run.errors == "", "\(run)")
            return run.output
        }
        let last = #"{"t":"a","n":2,"s":"\u00f6"}"#
        #expect(try pick("--where", "t=a") == #"{"t":"a","n":1.0}"# + "\n" + last + "\n")
        #expect(try pick("--where", "t=a", "--where", "n=2") == last + "\n")
        #expect(try pick("--where", "n=2", "--count") == "2\n")
        #expect(try pick("--where", "t=null", "--array") == "[\n{\"n\":\"2\"}\n]\n")
        #expect(
            try pick("--where", "t=a", "--skip", "1", "--limit", "1", "--verbatim").contains(#""t": "a", "n": 2"#))
        #expect(try pick("--where", "t=a", "--csv", "--only", "n") == "n\n1.0\n2\n")
        #expect(try pick("--where", "t=a", "--except", "s,n") == "{\"t\":\"a\"}\n{\"t\":\"a\"}\n")
        #expect(try pick("--where", "t=c") == "")
    }

    @Test func `lines with an equal member are printed`() throws {
        let text = "{\"a\":{\"b\":1}}\n{\"a\":{\"b\":2}}\n{\"b\":1}\n"
        #expect(try ToolProcess("pick", "$", "--where", "a.b=2", input: text).output == "{\"a\":{\"b\":2}}\n")
        #expect(try ToolProcess("pick", "a", "--where", "b=1", input: text).output == "{\"b\":1}\n")
        for condition in ["a", "a>1", "a==1", "[*]=1"] {
            #expect(try ToolProcess("pick", "$", "--where", condition, input: text).status == 2)
        }
    }

    // MARK: Inputs

    @Test func `standard input is read where no file is named`() throws {
        #expect(try ToolProcess("pick", "a", input: "{\"a\": 1}").output == "1\n")
        #expect(try ToolProcess("pick", "a", "-", input: "{\"a\": 1}").output == "1\n")
        #expect(try ToolProcess("check", input: "{}").output == "-: OK\n")
        #expect(try ToolProcess("canonical", input: "{\"b\": 1.0, \"a\": []}").output == "{\"a\":[],\"b\":1}")
        #expect(try ToolProcess("paths", input: "{\"a\": 1}").output == "a = 1\n")
        #expect(try ToolProcess("model", input: "{\"a\": 1}").output.contains("struct Root"))
    }

    @Test func `the framing is that of the extension or of the first bytes`() throws {
        let lines = "{\"a\": 1}\n{\"a\": 2}\n"
        let sequence = "\u{1E}{\"a\": 1}\n\u{1E}{\"a\": 2}\n"
        let events = "data: {\"a\": 1}\n\ndata: {\"a\": 2}\n\n"
        let folder = try TestFolder([
            "a.jsonl": lines, "b.log": lines, "c.sse": events, "d": events, "e.json-seq": sequence, "f": sequence,
            "g.json": "{\"a\": 1} {\"a\": 2}", "one.ndjson": "[1, 2]",
        ])
        for name in folder.names where name != "one.ndjson" {
            #expect(try ToolProcess("pick", "a", name, in: folder.url).output == "1\n2\n", "\(name)")
            #expect(try ToolProcess("pick", "a", input: folder.text(of: name) ?? "").output == "1\n2\n", "\(name)")
        }
        #expect(try ToolProcess("pick", "[*]", "one.ndjson", in: folder.url).output == "1\n2\n")
    }

    @Test func `an option overrides the framing of the extension`() throws {
        let folder = try TestFolder(["a.jsonl": "{\"a\": 1}\n{\"a\": 2}\n"])
        let run = try ToolProcess("pick", "a", "a.jsonl", "--framing", "document", in: folder.url)
        #expect(run.status == 1 && run.errors.hasPrefix("a.jsonl:2:1: unexpected data after the top-level value"))
        #expect(!run.errors.contains("--framing"))
    }

    @Test func `values that are invalid are skipped on request`() throws {
        let text = "{\"a\": 1}\n{\"a\":}\n{\"a\": 3}\n"
        let run = try ToolProcess("pick", "a", "--skip-errors", input: text)
        #expect(run.output == "1\n3\n" && run.status == 1)
        #expect(run.errors.hasPrefix("-:2:6: a value is missing after the colon at a\n"))
        let first = try ToolProcess("pick", "a", input: text)
        #expect(first.output == "1\n" && first.status == 1)
    }

    @Test func `limits bound strings and depth`() throws {
        let run = try ToolProcess("pick", "$", "--max-string", "3", input: "\"abcd\"")
        #expect(run.status == 1 && run.errors.contains("3 (--max-string allows more)"), "\(run.errors)")
        #expect(try ToolProcess("pick", "$", "--max-depth", "2", input: "[[[]]]").status == 1)
        #expect(try ToolProcess("pick", "$", "--max-depth", "3", input: "[[[]]]").output == "[[[]]]\n")
        #expect(try ToolProcess("pick", "$", "--max-depth", "5000", input: "1").status == 2)
    }

    @Test func `limits apply to printed elements`() throws {
        let deep = String(repeating: "[", count: 600) + String(repeating: "]", count: 600)
        let run = try ToolProcess("pick", "$", "--except", "x", "--max-depth", "1000", input: deep)
        #expect(run.status == 0 && run.output == deep + "\n", "\(run.errors)")
        let folder = try TestFolder(["a.json": "\"\(String(repeating: "x", count: 21_000_000))\""])
        let long = try ToolProcess("pick", "$", "a.json", "-r", "--max-string", "30MB", "-o", "b", in: folder.url)
        #expect(long.status == 0, "\(long.errors)")
    }

    @Test func `no option is named that does not raise a limit`() throws {
        let deep = String(repeating: "[", count: 1500) + String(repeating: "]", count: 1500)
        let whole = try ToolProcess("pick", "$", "--max-depth", "1000", input: deep)
        #expect(whole.status == 1 && whole.errors.contains("1000 (--max-depth allows more)"), "\(whole.errors)")
        // The values whose members are selected have a limit of their own.
        let selected = try ToolProcess("pick", "$", "--except", "x", "--max-depth", "2000", input: deep)
        #expect(selected.status == 1 && selected.errors.contains("1024 levels"), "\(selected.errors)")
    }

    @Test func `a range of the command ranges is read`() throws {
        let folder = try TestFolder(["a.json": "[1,\n 2, 3]", "a.jsonl": "1\n2\n3\n"])
        let ranges = try ToolProcess("ranges", "a.json", "--at", "[*]", "--parts", "2", in: folder.url).output
        let parts = try ranges.split(separator: "\n").map {
            try ToolProcess("pick", "[*]", "a.json", "--range", String($0), in: folder.url).output
        }
        #expect(parts.count == 2 && parts.joined() == "1\n2\n3\n")
        #expect(try ToolProcess("pick", "$", "a.jsonl", "--range", "2-4", in: folder.url).output == "2\n")
        #expect(try ToolProcess("pick", "$", "--range", "2-4", input: "1").status == 2)
    }

    @Test func `a pipe has no ranges`() throws {
        for arguments in [["pick", "$", "/dev/stdin", "--range", "2-4"], ["ranges", "--parts", "1"]] {
            let tool = try RunningTool(arguments)
            try tool.closeInput()
            let run = try tool.finish()
            #expect(run.status == 2 && run.errors.contains("is not a regular file"), "\(run.errors)")
        }
        let text = try RunningTool(["pick", "$", "/dev/stdin", "--range", "2-4"])
        try text.write("1\n2\n3\n")
        try text.closeInput()
        #expect(try text.finish().output == "")
    }

    @Test func `several threads print the same elements`() throws {
        let text = (0..<40_000).map { "{\"id\": \($0), \"name\": \"a name\"}\n" }.joined()
        let folder = try TestFolder(["a.jsonl": text])
        let expected = (0..<40_000).map { "\($0)\n" }.joined()
        #expect(try ToolProcess("pick", "id", "a.jsonl", "--workers", "2", in: folder.url).output == expected)
        #expect(try ToolProcess("pick", "id", "a.jsonl", "--workers", "0", in: folder.url).status == 2)
    }

    #if Yajl
    @Test func `a variable selects the source`() throws {
        #expect(
            try ToolProcess("pick", "a", input: "{\"a\": 1}", environment: ["SLUICE_SOURCE": "yajl"]).output
                == "1\n")
    }
    #endif

    @Test func `an unknown source is an error`() throws {
        let run = try ToolProcess("pick", "a", input: "{\"a\": 1}", environment: ["SLUICE_SOURCE": "other"])
        #expect(run.status == 2 && run.errors.contains("this tool has no source other"))
    }

    // MARK: Forms

    @Test func `strings are raw on request`() throws {
        #expect(try pick("owner.login", "-r") == "llöyd\n")
        #expect(try pick("tags[*]", "-r") == "a\nb\n\n{\"x\":null}\n")
    }

    @Test func `values are indented on request`() throws {
        #expect(try pick("tags", "--indent", "2") == "[\n  \"a\",\n  \"b\\n\",\n  {\n    \"x\": null\n  }\n]\n")
        #expect(try pick("tags[*]", "--indent", "1", "--array", "--skip", "2") == "[\n {\n  \"x\": null\n }\n]\n")
        #expect(try pick("tags[*]", "--indent", "1", "-c", "--skip", "2") == "{\"x\":null}\n")
    }

    @Test func `elements are verbatim on request`() throws {
        #expect(try pick("tags[2]", "--verbatim") == "{\"x\": null}\n")
    }

    @Test func `members are selected and left out`() throws {
        #expect(try pick("$", "--only", "name,owner.id") == "{\"name\":\"left-pad\",\"owner\":{\"id\":1.50}}\n")
        #expect(try pick("$", "--except", "tags,owner", "--except", "name") == "{\"version\":\"1.3.0\"}\n")
        let run = try ToolProcess("pick", "$", "--only", #"["a,b"],c"#, input: #"{"a,b": 1, "c": 2, "d": 3}"#)
        #expect(run.output == #"{"a,b":1,"c":2}"# + "\n", "\(run.errors)")
        for paths in ["name,", ",name", "name,,version", ""] {
            #expect(try ToolProcess("pick", "$", "--only", paths, input: Self.package).status == 2)
            #expect(try ToolProcess("pick", "$", "--except", paths, input: Self.package).status == 2)
        }
    }

    @Test func `elements are rows with a header`() throws {
        let text = #"[{"id": 1, "o": {"n": "A, \"B\""}}, {"o": {"n": "x\ty\nz"}, "id": null}, {"more": [1, true]}]"#
        let all = try ToolProcess("pick", "[*]", "--csv", input: text)
        #expect(all.output == "id,o.n\n1,\"A, \"\"B\"\"\"\n,\"x\ty\nz\"\n,\n")
        #expect(all.errors.contains("such as more: --only selects columns"))
        let some = try ToolProcess("pick", "[*]", "--tsv", "--only", "o.n,more,id", input: text)
        #expect(some.output == "o.n\tmore\tid\nA, \"B\"\t\t1\nx\\ty\\nz\t\t\n\t[1,true]\t\n" && some.errors == "")
        #expect(try ToolProcess("pick", "[*]", "--csv", "--only", "a,b", input: "[]").output == "a,b\n")
        let one = try ToolProcess("pick", "[*]", "--csv", "--only", "a", input: #"[{"a": 1}, {}, {"a": 3}]"#)
        #expect(one.output == "a\n1\n\"\"\n3\n")
        #expect(try ToolProcess("pick", "[*]", "--csv", input: "[[1, \"b\"], [2]]").output == "[0],[1]\n1,b\n2,\n")
    }

    @Test(
        arguments: [
            (#"[{},{"a":1,"b":2},null]"#, "a,b\n,\n1,2\n,\n", nil), ("[null,[],[1]]", "[0]\n\"\"\n\"\"\n1\n", nil),
            (#"[1,{"a":2},null]"#, "$\n1\n\"{\"\"a\"\":2}\"\n\"\"\n", "a"), ("[true,[2]]", "$\ntrue\n[2]\n", "[0]"),
            ("[null,{}]", "$\n\"\"\n\"\"\n", nil), (#"[{"a":1},2]"#, "a\n1\n\"\"\n", "$"), ("[]", "", nil),
        ] as [(String, String, String?)])
    func `elements without members are rows`(text: String, rows: String, missing: String?) throws {
        let run = try ToolProcess("pick", "[*]", "--csv", input: text)
        #expect(run.output == rows && run.errors.isEmpty == (missing == nil), "\(run)")
        if let missing { #expect(run.errors.contains("such as \(missing): --only")) }
    }

    @Test func `forms exclude each other`() throws {
        #expect(try ToolProcess("pick", "$", "--csv", "--array", input: "1").status == 2)
        #expect(try ToolProcess("pick", "$", "--csv", "--only", "a[*]", input: "1").status == 2)
        #expect(try ToolProcess("pick", "$", "--verbatim", "--only", "a", input: "1").status == 2)
    }

    // MARK: Outputs

    @Test func `a file may be the output and the input`() throws {
        let folder = try TestFolder(["a.json": "{\"a\": [1, 2]}"])
        #expect(try ToolProcess("pick", "a", "a.json", "-o", "a.json", in: folder.url).status == 0)
        #expect(folder.text(of: "a.json") == "[1,2]\n" && folder.names == ["a.json"])
    }

    @Test func `an output file is not changed by a failure`() throws {
        let folder = try TestFolder(["a.jsonl": "1\n2\n]\n", "b": "before"])
        #expect(try ToolProcess("pick", "$", "a.jsonl", "-o", "b", in: folder.url).status == 1)
        #expect(folder.text(of: "b") == "before" && folder.names == ["a.jsonl", "b"])
        #expect(try ToolProcess("pick", "$", "a.jsonl", "-o", "b", "--skip-errors", in: folder.url).status == 1)
        #expect(folder.text(of: "b") == "1\n2\n")
        let run = try ToolProcess("pick", "$", "a.jsonl", "-o", "none/b", in: folder.url)
        #expect(run.status == 2 && run.errors.contains("none/b"))
    }

    @Test func `an output file is not changed by a failure beside skipped values`() throws {
        let folder = try TestFolder(["a.jsonl": "1\n]\n2\n", "a.json": "[1,", "b": "before"])
        let lines = try ToolProcess("pick", "$", "none", "a.jsonl", "-o", "b", "--skip-errors", in: folder.url)
        #expect(lines.status == 2 && folder.text(of: "b") == "before")
        let array = try ToolProcess("pick", "[*]", "a.json", "-o", "b", "--skip-errors", in: folder.url)
        #expect(array.status == 1 && folder.text(of: "b") == "before")
    }

    @Test func `the output through a link may be the input`() throws {
        let folder = try TestFolder(["target.json": #"{"a": [1, 2]}"#, "bad.json": "[1,"])
        try FileManager.default.createSymbolicLink(
            atPath: folder.url.appendingPathComponent("link.json").path, withDestinationPath: "target.json")
        #expect(try ToolProcess("pick", "$", "bad.json", "-o", "link.json", in: folder.url).status == 1)
        #expect(folder.text(of: "target.json") == #"{"a": [1, 2]}"#)
        #expect(try ToolProcess("pick", "a", "link.json", "-o", "link.json", in: folder.url).status == 0)
        #expect(folder.text(of: "target.json") == "[1,2]\n")
        #expect(folder.names == ["bad.json", "link.json", "target.json"])
    }

    @Test func `a pipe that does not block receives all output`() throws {
        let text = (0..<60_000).map { "\($0)\n" }.joined()
        let folder = try TestFolder(["a.jsonl": text])
        let process = ToolProcess.process(["pick", "$", "a.jsonl"], in: folder.url, environment: [:])
        let output = Pipe()
        let descriptor = output.fileHandleForWriting.fileDescriptor
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        process.standardOutput = output.fileHandleForWriting
        process.standardError = FileHandle.nullDevice
        try process.run()
        try output.fileHandleForWriting.close()
        // The pipe is full.
        Thread.sleep(forTimeInterval: 0.5)
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        #expect(String(decoding: data, as: UTF8.self) == text)
    }

    @Test func `elements are printed when the input pauses`() throws {
        for (values, end) in [(["{\"a\": 1}\n", "{\"a\": 2}\n"], ""), (["[{\"a\": 1},\n", "{\"a\": 2}"], "]")] {
            let tool = try RunningTool(["pick", end.isEmpty ? "a" : "[*].a"])
            for (index, value) in values.enumerated() {
                try tool.write(value)
                #expect(tool.nextOutput() == "\(index + 1)\n")
            }
            try tool.write(end)
            try tool.closeInput()
            #expect(try tool.finish().status == 0)
        }
    }

    @Test func `a pause after a value with line breaks does not divide the value`() throws {
        let tool = try RunningTool(["pick", "[*].a"])
        try tool.write("[{\"a\": 1},\n {\"a\": 2}]")
        #expect(tool.nextOutput().hasPrefix("1\n"))
        try tool.closeInput()
        let end = try tool.finish()
        #expect(end.status == 0 && end.errors == "", "\(end.errors)")
    }

    @Test func `the end of a terminal is typed once`() throws {
        let tool = try RunningTool(["pick", "$"], readsKeyboard: true)
        try tool.write("[1]\n\u{04}")
        #expect(tool.nextOutput() == "[1]\n")
        // A tool that waits for a second end would not end.
        try? tool.write("\u{04}")
        #expect(try tool.finish().status == 0)
    }

    @Test func `a file in place of the path is answered with the command`() throws {
        let folder = try TestFolder(["a.json": "[1]"])
        // Without the answer, the tool would wait for the keyboard.
        let run = try RunningTool(["pick", "a.json"], in: folder.url, readsKeyboard: true).finish()
        #expect(run.status == 2 && run.output == "")
        #expect(run.errors.contains("'a.json' is a file. Its value is: sluice pick '$' a.json"), "\(run.errors)")
        #expect(try ToolProcess("pick", "a.json", input: #"{"a": {"json": 2}}"#, in: folder.url).output == "2\n")
        let named = try RunningTool(["pick", "a.json", "a.json"], in: folder.url, readsKeyboard: true).finish()
        #expect(named.status == 1 && named.errors.hasPrefix("a.json:1:"), "\(named.errors)")
    }

    @Test func `an error in an open pipe is printed before the next bytes`() throws {
        let tool = try RunningTool(["check"], showsErrors: true)
        try tool.write("[1,\nx   ")
        #expect(tool.nextOutput().contains(":2:1: unexpected character"))
        try tool.closeInput()
        #expect(try tool.finish().status == 1)
    }

    @Test func `a closed pipe ends the tool with the status of the inputs`() throws {
        let folder = try TestFolder(["a.jsonl": "1\n2\n"])
        for (files, status) in [(["a.jsonl", "-"], 0), (["none", "a.jsonl", "-"], 2)] as [([String], Int32)] {
            let tool = try RunningTool(
                ["pick", "$", "--framing", "lines"] + files, in: folder.url)
            #expect(tool.nextOutput() == "1\n2\n")
            try tool.closeOutput()
            try tool.write("3\n4\n")
            try tool.closeInput()
            #expect(tool.status() == status)
        }
    }

    @Test func `the progress is shown only if the elements are not on the same terminal`() throws {
        for isOutput in [false, true] {
            let tool = try RunningTool(
                ["pick", "$", "--framing", "lines", "--color", "never"], onTerminal: isOutput, showsErrors: true)
            try tool.write("1\n")
            // The bar of a short operation is not shown.
            Thread.sleep(forTimeInterval: 3)
            try tool.write("2\n")
            try tool.closeInput()
            let text = try tool.finish().output
            #expect(text.contains("MB/s") != isOutput && (text == "1\n2\n") == isOutput, "\(text.debugDescription)")
        }
    }

    @Test(arguments: ["canonical", "model", "paths"])
    func `the other commands show their progress`(command: String) throws {
        let tool = try RunningTool([command, "--framing", "lines"], showsErrors: true)
        try tool.write("1\n")
        Thread.sleep(forTimeInterval: 3)
        try tool.write("2\n")
        let bar = tool.nextOutput()
        try tool.closeInput()
        let run = try tool.finish()
        #expect(
            bar.contains("MB/s") && (bar + run.output).hasSuffix("\r\u{1B}[K"), "\(run.output.debugDescription)")
        #expect(run.status == 0)
    }

    @Test func `an error in a value is not on the line of the progress`() throws {
        let tool = try RunningTool(["check", "--framing", "lines"], showsErrors: true)
        try tool.write("1\n")
        Thread.sleep(forTimeInterval: 3)
        try tool.write("2\n")
        #expect(tool.nextOutput().contains("MB/s"))
        try tool.write("]\n")
        try tool.closeInput()
        let text = try tool.finish().output
        #expect(text.contains("\r\u{1B}[K-:3:1:"), "\(text.debugDescription)")
    }

    @Test func `a terminal has colors`() throws {
        let folder = try TestFolder(["a.json": "{\"a\": [\"b\", null, 1]}"])
        let colored = "{\u{1B}[34;1m\"a\"\u{1B}[0m:[\u{1B}[32m\"b\"\u{1B}[0m,\u{1B}[90mnull\u{1B}[0m,1]}\n"
        let plain = "{\"a\":[\"b\",null,1]}\n"
        func onTerminal(_ options: String..., variables: [String: String] = [:]) throws -> String {
            let arguments = ["pick", "$", "a.json"] + options
            let tool = try RunningTool(arguments, in: folder.url, environment: variables, onTerminal: true)
            return try tool.finish().output
        }
        #expect(try onTerminal() == colored)
        #expect(try onTerminal("--color", "never") == plain)
        #expect(try onTerminal(variables: ["NO_COLOR": "1"]) == plain)
        #expect(try onTerminal(variables: ["TERM": "dumb"]) == plain)
        #expect(try ToolProcess("pick", "$", "a.json", in: folder.url).output == plain)
        #expect(try ToolProcess("pick", "$", "a.json", "--color", "always", in: folder.url).output == colored)
    }
}
#endif
