import Foundation
import Sluice
import TestSupport
import Testing

@Suite struct InputTests {
    private let decoder = JSONModelDecoder()

    @Test func `Data is decoded`() throws {
        let data = Data(#"{"items":[1,2,3]}"#.utf8)
        #expect(try decoder.decode([String: [Int]].self, from: data) == ["items": [1, 2, 3]])
        #expect(try decoder.decode([Int].self, from: data, at: "items") == [1, 2, 3])
        #expect(try decoder.decode(Int.self, from: data, at: "items[1]") == 2)
    }

    @Test func `a slice of Data is decoded`() throws {
        let data = Data("garbage[1,2]garbage".utf8)
        #expect(try decoder.decode([Int].self, from: data[7..<12]) == [1, 2])
    }

    @Test func `errors in Data have a location`() {
        let error = #expect(throws: JSONModelError.self) {
            try decoder.decode([Int].self, from: Data("[1,\n true]".utf8))
        }
        #expect(error?.issues.first?.location.offset == 5)
        #expect(error?.issues.first?.location.line == 2)
        #expect(error?.issues.first?.location.column == 2)
        let empty = #expect(throws: JSONModelError.self) { try decoder.decode([Int].self, from: Data()) }
        #expect(empty?.issues.first?.kind == .emptyInput)
    }

    @Test func `Data is streamed`() throws {
        let data = Data(#"{"items":[1,2,3]}"#.utf8)
        var seen: [Int] = []
        #expect(try decoder.forEach(Int.self, in: data, at: "items[*]") { seen.append($0) } == 3)
        #expect(seen == [1, 2, 3])
        seen = []
        let count = try decoder.forEach(Int.self, in: data, at: "items") { element in
            seen.append(element)
            return element == 2 ? .stop : .continue
        }
        #expect(count == 2)
        #expect(seen == [1, 2])
    }

    @Test func `files are decoded by URL`() throws {
        // A name that a URL has to escape.
        try withFile(named: "a b%20ä.json", text: #"{"items":[1,2,3]}"#) { file in
            #expect(try decoder.decode([String: [Int]].self, from: .file(file)) == ["items": [1, 2, 3]])
            #expect(try decoder.decode(Int.self, from: .file(file), at: "items[2]") == 3)
            #expect(
                try decoder.decode(Int.self, from: .file(file.path(percentEncoded: false)), at: "items[2]") == 3)
            var seen: [Int] = []
            #expect(try decoder.forEach(Int.self, in: .file(file), at: "items") { seen.append($0) } == 3)
            #expect(seen == [1, 2, 3])
            let count = try decoder.forEach(Int.self, in: .file(file), at: "items[*]") { _ in .stop }
            #expect(count == 1)
        }
    }

    @Test func `parts of files are read by URL`() throws {
        typealias Row = [String: Int]
        try withFile(named: "a b.jsonl", text: "{\"id\":1}\n{\"id\":2}\n{\"id\":3}\n") { file in
            var checkpoint: JSONCheckpoint?
            try decoder.forEach(JSONPositioned<Row>.self, in: .file(file), framing: .lines) { row in
                if checkpoint == nil { checkpoint = row.position.checkpoint }
            }
            var seen: [Row] = []
            try decoder.forEach(Row.self, in: .file(file, from: checkpoint), framing: .lines) { seen.append($0) }
            #expect(seen == [["id": 2], ["id": 3]])
            seen = []
            try decoder.forEach(Row.self, in: .file(file, range: 1..<10), framing: .lines) { seen.append($0) }
            #expect(seen == [["id": 2]])
            seen = []
            let ranges = try decoder.ranges(of: .file(file), framing: .lines, parts: 2)
            for range in ranges {
                try decoder.forEach(Row.self, in: .file(file, range: range), framing: .lines) { seen.append($0) }
            }
            #expect(ranges.count == 2 && seen == [["id": 1], ["id": 2], ["id": 3]])
            try JSONModelEncoder().write([4], to: .file(file, inPlace: true))
            #expect(try decoder.decode([Int].self, from: .file(file)) == [4])
        }
    }

    @Test func `elements are appended to the file at a URL`() throws {
        try withFile(named: "a b.jsonl", text: "1\n2") { file in
            func append(_ number: Int, _ destination: JSONDestination) throws -> String {
                var writer = try JSONModelEncoder().writer(to: destination, framing: .lines)
                try writer.write(number)
                try writer.finish()
                return try String(contentsOf: file, encoding: .utf8)
            }
            let error = #expect(throws: JSONModelError.self) { try append(3, .appending(to: file)) }
            guard case .notAppendable? = error?.issues.first?.kind else { throw error! }
            #expect(try append(3, .appending(to: file, removesIncompleteEnd: true)) == "1\n3\n")
            #expect(try append(4, .appending(to: file)) == "1\n3\n4\n")
        }
        let error = #expect(throws: JSONModelError.self) {
            try JSONModelEncoder().write([1], to: .appending(to: URL(string: "https://example.com/a.json")!))
        }
        guard case .invalidPath? = error?.issues.first?.kind else { throw error! }
    }

    @Test func `Data and files are validated`() throws {
        try decoder.validate(Data("[1]".utf8))
        #expect(throws: JSONModelError.self) { try decoder.validate(Data("[1".utf8)) }
        try withFile(named: "a.json", text: "[1]") { try decoder.validate(.file($0)) }
        try withFile(named: "a.json", text: "[1]]") { file in
            #expect(throws: JSONModelError.self) { try decoder.validate(.file(file)) }
        }
    }

    /// Bodies of every form go to the overload that is meant.
    @Test func `closures of every form select the intended overload`() throws {
        struct Enough: Error {}
        let data = Data("[1,2,3]".utf8)
        var seen: [Int] = []
        try decoder.forEach(Int.self, in: data) { seen.append($0) }
        try decoder.forEach(Int.self, in: data) { if $0 > 1 { seen.append($0) } }
        try decoder.forEach(Int.self, in: data) { element in
            let twice = element * 2
            seen.append(twice)
        }
        try decoder.forEach(Int.self, in: data) { element in
            guard element == 3 else { return }
            seen.append(element)
        }
        try decoder.forEach(Int.self, in: data) { _ in }
        #expect(seen == [1, 2, 3, 2, 3, 2, 4, 6, 3])
        #expect(try decoder.forEach(Int.self, in: data) { _ in .stop } == 1)
        #expect(
            try decoder.forEach(Int.self, in: data) { element in
                if element == 2 { return .stop }
                return .continue
            } == 2)
        #expect(throws: JSONModelError.self) {
            try decoder.forEach(Int.self, in: data) { _ in throw Enough() }
        }
        #expect(throws: JSONModelError.self) {
            try decoder.forEach(Int.self, in: data) { element in
                if element == 2 { throw Enough() }
                seen.append(element)
            }
        }
    }

    @Test func `URLs of other schemes are refused`() {
        let file = URL(string: "https://example.com/repos.json")!
        let expected = JSONIssue.Kind.invalidPath(
            "https://example.com/repos.json is not the URL of a file: fetch it, and decode its bytes")
        let one = #expect(throws: JSONModelError.self) { try decoder.decode([Int].self, from: .file(file)) }
        #expect(one?.issues.map(\.kind) == [expected])
        let many = #expect(throws: JSONModelError.self) {
            try decoder.forEach(Int.self, in: .file(file)) { (_: Int) in }
        }
        #expect(many?.issues.map(\.kind) == [expected])
        #expect(
            one?.description
                == "https://example.com/repos.json is not the URL of a file: fetch it, and decode its bytes")
    }

    @Test func `the URL of a file on another machine is refused`() throws {
        try withFile(named: "a.json", text: "[1]") { file in
            let path = file.path(percentEncoded: false)
            for host in ["", "localhost", "LOCALHOST"] {
                let url = try #require(URL(string: "file://\(host)\(path)"))
                #expect(try decoder.decode([Int].self, from: .file(url)) == [1])
                try JSONModelEncoder().write([1], to: .file(url))
            }
            let url = try #require(URL(string: "file://server.example\(path)"))
            let read = #expect(throws: JSONModelError.self) { try decoder.decode([Int].self, from: .file(url)) }
            let why = "\(url.absoluteString) is the URL of a file on another machine, server.example"
            #expect(read?.issues.map(\.kind) == [.invalidPath("\(why): fetch it, and decode its bytes")])
            let written = #expect(throws: JSONModelError.self) { try JSONModelEncoder().write([2], to: .file(url)) }
            #expect(
                written?.issues.map(\.kind) == [
                    .invalidPath("\(why): write to a closure, and send the chunks there")
                ])
            #expect(try decoder.decode([Int].self, from: .file(file)) == [1])
        }
    }

    @Test func `a URL whose path has a NUL character is refused`() throws {
        try withFile(named: "a", text: "[1]") { file in
            let url = try #require(URL(string: file.absoluteString + "%00.json"))
            #expect(throws: JSONModelError.self) { try decoder.decode([Int].self, from: .file(url)) }
            #expect(throws: JSONModelError.self) { try JSONModelEncoder().write([2], to: .file(url)) }
            #expect(try decoder.decode([Int].self, from: .file(file)) == [1])
        }
    }

    @Test func `a file that cannot be read is reported with its path`() {
        let file = URL(filePath: "/nowhere/at all.json")
        let error = #expect(throws: JSONModelError.self) { try decoder.decode([Int].self, from: .file(file)) }
        guard case .unreadable(let errno, let what) = error?.issues.first?.kind else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(errno == ENOENT)
        #expect(what.hasPrefix("/nowhere/at all.json"))
    }

    private func withFile(named name: String, text: String, _ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "sluice-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: name)
        try Data(text.utf8).write(to: file)
        try body(file)
    }
}
