import Foundation
import TestSupport
import Testing

@testable import SluiceCore
@testable import SluiceStreams

/// Ranges of files, which together have the elements and the errors of the whole file.
@Suite(.tags(.streams, .files)) struct RangeTests {
    /// What the streams of several inputs deliver, up to the first error.
    private struct Outcome: Equatable, CustomStringConvertible {
        var rows: [Int] = []
        /// The issues of skipped elements.
        var issues: [String] = []
        var error: String?

        var description: String { "\(rows), \(issues), \(error ?? "no error")" }
    }

    /// Reads inputs one after another.
    ///
    /// - Parameter pulls: Whether a cursor reads them instead of `forEach`.
    private func read(
        _ inputs: [JSONFileInput], at path: JSONPath = JSONPath(), _ framing: JSONFraming, skips: Bool = true,
        workers: Int = 1, pulls: Bool = false, _ source: JSONModelDecoder.Source = .scanner
    ) -> Outcome {
        let issues = Lock<[String]>([])
        var decoder = JSONModelDecoder(from: source)
        decoder.workers = .exactly(workers)
        if skips { decoder.elementErrors = .skip }
        // The index of an issue is known in streams alone, as those that skip elements.
        @Sendable func text(_ issue: JSONIssue) -> String {
            "\(issue)" + (skips ? ", element \(issue.elementIndex ?? -1)" : "")
        }
        decoder.issueHandler = { issue in issues.withLock { $0.append(text(issue)) } }
        var outcome = Outcome()
        do throws(JSONModelError) {
            for input in inputs {
                if pulls {
                    var cursor = decoder.cursor(of: Item.self, in: input, at: path, framing: framing)
                    while let row = try cursor.next() { outcome.rows.append(row.id) }
                } else {
                    try decoder.forEach(Item.self, in: input, at: path, framing: framing) { row in
                        outcome.rows.append(row.id)
                    }
                }
            }
        } catch { outcome.error = error.issues.map(text).joined(separator: "; ") }
        outcome.issues = issues.withLock { $0 }
        return outcome
    }

    /// Texts with all forms of borders, and with elements that fail.
    private static let texts: [(JSONFraming, String)] = [
        (.lines, "{\"id\":0}\n\n  {\"id\":1}\r\n{\"id\":\"x\"}\n\t\n {\"id\":\n{\"id\":4}\n"),
        (.lines, "\u{FEFF}{\"id\":\"é\"}\n{\"id\":1}\n\r\n\n{\"id\":2,\n{\"id\":3}"), (.lines, "\n \n{\"id\":0}"),
        (.lines, "{\"id\":0} {\n"), (.lines, "\u{FEFF}\n{\"id\":true}"),
        (.textSequence, "\u{1E}{\"id\":0}\n\u{1E}{\"id\":\"x\"}\n\u{1E}\u{1E} 12 \u{1E}34\u{1E}\n{\"id\":2}\n"),
        (.textSequence, "{\"id\":9}\n\u{1E}{\"id\":0}\n\u{1E} {\"id\":\n1} \u{1E}{\"id\":[\n]}"),
        (
            .serverSentEvents,
            "data: {\"id\":0}\n\nevent: x\r\ndata: {\"id\":\ndata: 1}\r\n\r\n: c\rdata: {\"id\":\"x\"}\r\r"
        ),
        (
            .serverSentEvents,
            "\n\n\r\ndata:{\"id\":0}\r\n\n\rdata\rdata: {\"id\":1}\n\ndata: {\"id\":\n\n\ndata:{\"id\":3}"
        ),
        (.serverSentEvents, "\u{FEFF}data:{\"id\":0}\r\n\r\n\r\n\r\ndata:{\"id\":{}}\r\n\r\ndata:{\"id\":2}\r\n"),
        (
            .dataLines,
            "data: {\"id\":0}\ndata: {\"id\":\"x\"}\r\n: c\n\ndata:{\"id\":\ndata\ndata: {\"id\":4}\rdata: {\"id\":5}\n"
        ), (.dataLines, "\u{FEFF}data: {\"id\":0}\n\nid: 1\ndata: [DONE]\ndata: {\"id\":2}"),
        (.serverSentEvents, "text\n\ndata: {\"id\":\"x\"}\n\ndata: {\"id\":1}\n\n"),
        (.dataLines, "text\r\ndata: {\"id\":\"x\"}\r\ndata: {\"id\":1}\r\n"),
        (.dataLines, "data: {\"id\":0}\rdata: {\"id\":1}\r\rdata: {\"id\":\"x\"}\r\n\r: c\rdata: {\"id\":3}\r"),
    ]

    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `adjacent ranges have each value that begins in them`(source: JSONModelDecoder.Source) throws {
        for (framing, text) in Self.texts {
            try withFile(holding: text) { file in
                let length = text.utf8.count
                for skips in [true, false] {
                    let whole = read([.file(file)], framing, skips: skips, source)
                    for cut in 0...length {
                        for pulls in [false, true] {
                            let parts = read(
                                [.file(file, range: 0..<cut), .file(file, range: cut..<length + 10)], framing,
                                skips: skips, pulls: pulls, source)
                            #expect(parts == whole, "\(framing), \(cut): \(text.debugDescription)")
                        }
                    }
                    for width in 1...12 {
                        let ranges = stride(from: 0, to: length, by: width).map { $0..<$0 + width }
                        let parts = read(ranges.map { .file(file, range: $0) }, framing, skips: skips, source)
                        #expect(parts == whole, "\(framing), \(width): \(text.debugDescription)")
                    }
                }
            }
        }
    }

    @Test(arguments: ["\n", "\r", "\r\n", "\n\n", "\r\r", "\n\r\n"], ["", "\u{FEFF}"])
    func `an event after blank lines at the start of a file begins there`(_ lines: String, _ mark: String) throws {
        let (text, start) = (mark + lines + "data: {\"id\":0}\n\n", (mark + lines).utf8.count)
        try withFile(holding: text) { file in
            #expect(read([.file(file, range: 0..<start)], .serverSentEvents) == Outcome())
            #expect(read([.file(file, range: start..<text.utf8.count)], .serverSentEvents) == Outcome(rows: [0]))
        }
    }

    @Test func `a range has the data lines that begin in it`() throws {
        for end in ["\n", "\r", "\r\n"] {
            let lines = (0..<3).map { "data: {\"id\":\($0)}\(end)" }
            let (text, width) = (lines.joined(), lines[0].utf8.count)
            try withFile(holding: text) { file in
                for start in 0...text.utf8.count {
                    let first = (start + width - 1) / width
                    let part = read([.file(file, range: start..<text.utf8.count)], .dataLines)
                    #expect(part == Outcome(rows: Array(first..<3)), "\(end.debugDescription), \(start)")
                }
            }
        }
    }

    /// The first bytes of compressed data.
    @Test func `a file that is shorter than a magic number is not compressed`() throws {
        for bytes in [[0x1F], [0x28], [0x28, 0xB5, 0x2F], [0x50, 0x2A]] as [[UInt8]] {
            try withFile(holding: bytes) { file in
                #expect(read([.file(file, range: 0..<9)], .serverSentEvents) == Outcome())
                #expect(read([.file(file, range: 0..<9)], .lines).issues == read([.file(file)], .lines).issues)
            }
        }
    }

    /// Documents, and texts of other framings, each with the path of its elements.
    private static let divisible: [(JSONFraming, JSONPath, String)] = [
        (.document, "", "[{\"id\":0},{\"id\":\"x\"} , {\"id\":2}\n,\n{\"id\":3}]"), (.document, "[*]", " [ 1 ]"),
        (.document, "[*]", "[]"), (.document, "", "[{\"id\":7}\n]\n"),
        (
            .document, "a.items[*]",
            "\u{FEFF}{\"b\":[{\"id\":9}],\"a\":{\"items\":[\n  {\"id\":0,\"n\":[{\"id\":7},{\"id\":8}]},\r\n  {\"id\":1.5},{\"id\":2}\n],\"c\":\"},{\"}}"
        ), (.document, "[1].é[*]", "[[],{\"é\":[{\"id\":0}, 12,null,{\"id\":3},\"},{\\\"id\"]}]"),
        (.concatenated, "", "{\"id\":0}{\"id\":\"x\"}\n[1] 12 {\"id\":\n2}null"),
        (.lines, "", "{\"id\":0}\n\n  {\"id\":1}\r\n{\"id\":\"x\"}\n\t\n {\"id\":[\t]}\n{\"id\":4}\n"),
        (.concatenated, "", "\u{FEFF}12 {\"id\":34}"), (.lines, "", "\u{FEFF}{\"id\":0}\n{\"id\":1}\n"),
        (.lines, "", "\u{FEFF}{\"id\":0}"),
        (.serverSentEvents, "", "\u{FEFF}data:{\"id\":0}\n\ndata:{\"id\":1}\n\n"),
        (.textSequence, "", "\u{1E}{\"id\":0}\n\u{1E}{\"id\":\"x\"}\n\u{1E}\u{1E} 12 \u{1E}\n\n{\"id\":2}\n"),
        (.dataLines, "", "data: {\"id\":0}\rdata: {\"id\":\"x\"}\rdata: {\"id\":2}\r"),
        (
            .serverSentEvents, "",
            "data: {\"id\":0}\n\nevent: x\r\ndata: {\"id\":\ndata: 1}\r\n\r\n: c\rdata: {\"id\":\"x\"}\r\rdata:{\"id\":3}"
        ),
    ]

    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `the ranges of a file have all elements`(source: JSONModelDecoder.Source) throws {
        let decoder = JSONModelDecoder(from: source)
        for (framing, path, text) in Self.divisible {
            try withFile(holding: text) { file in
                var most = 0
                for parts in 1...9 {
                    let ranges = try decoder.ranges(of: .file(file), at: path, framing: framing, parts: parts)
                    #expect(ranges.count <= parts)
                    most = max(most, ranges.count)
                    let coded = try JSONDecoder().decode([JSONFileRange].self, from: JSONEncoder().encode(ranges))
                    #expect(coded == ranges)
                    for skips in [true, false] {
                        let whole = read([.file(file)], at: path, framing, skips: skips, source)
                        for inputs: [JSONFileInput] in [
                            ranges.map { .file(file, range: $0) }, ranges.map { .file(file, range: $0.bytes) },
                        ] {
                            for pulls in [false, true] {
                                let outcome = read(inputs, at: path, framing, skips: skips, pulls: pulls, source)
                                #expect(outcome == whole, "\(framing), \(parts): \(text.debugDescription)")
                            }
                        }
                    }
                }
                var count = 0
                try decoder.forEach(JSONRaw.self, in: .file(file), at: path, framing: framing) { _ in count += 1 }
                #expect(count < 2 || most > 1)
            }
        }
    }

    @Test func `positions and checkpoints in ranges are those of the file`() throws {
        typealias Element = JSONPositioned<JSONRaw>
        for (framing, path, text) in Self.divisible {
            try withFile(holding: text) { file in
                var whole: [Element] = []
                let decoder = JSONModelDecoder()
                try decoder.forEach(Element.self, in: .file(file), at: path, framing: framing) { whole.append($0) }
                for parts in 1...5 {
                    let ranges = try decoder.ranges(of: .file(file), at: path, framing: framing, parts: parts)
                    for inputs: [JSONFileInput] in [
                        ranges.map { .file(file, range: $0) }, ranges.map { .file(file, range: $0.bytes) },
                    ] {
                        var elements: [Element] = []
                        for input in inputs {
                            try decoder.forEach(Element.self, in: input, at: path, framing: framing) {
                                elements.append($0)
                            }
                        }
                        #expect(elements == whole)
                        #expect(elements.map(\.position.checkpoint) == whole.map(\.position.checkpoint))
                    }
                }
            }
        }
    }

    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `bytes are a range only between elements`(source: JSONModelDecoder.Source) throws {
        let decoder = JSONModelDecoder(from: source)
        for (framing, path, text) in Self.divisible where !framing.rules.hasVisibleBorders {
            let bytes = Array(text.utf8)
            try withFile(holding: bytes) { file in
                let elements = try decoder.all(
                    JSONPositioned<JSONRaw>.self, in: .file(file), at: path, framing: framing)
                var accepted = 0
                for start in 0...bytes.count {
                    for end in start...bytes.count + 1 {
                        var read: [JSONRaw] = []
                        do throws(JSONModelError) {
                            try decoder.forEach(
                                JSONRaw.self, in: .file(file, range: start..<end), at: path, framing: framing
                            ) { read.append($0) }
                        } catch {
                            #expect(
                                error.issues[0].kind.name == "invalidRange",
                                "\(error) for \(start)..<\(end) of \(text.debugDescription)")
                            continue
                        }
                        let inside = elements.filter {
                            start <= $0.position.start.offset && $0.position.end.offset <= end
                        }
                        #expect(read == inside.map(\.value), "\(start)..<\(end) of \(text.debugDescription)")
                        if !read.isEmpty { accepted += 1 }
                    }
                }
                #expect(accepted >= elements.count * (elements.count + 1) / 2)
            }
        }
    }

    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `the collected issues of a range are thrown at its end`(source: JSONModelDecoder.Source) throws {
        var decoder = JSONModelDecoder(from: source)
        decoder.errorPolicy = .collect(limit: 10)
        try withFile(holding: #"[{"id":0},{"id":"x"},{"id":2}]"#) { file in
            for range in [1..<20, 10..<20, 10..<29] {
                let error = #expect(throws: JSONModelError.self) {
                    try decoder.forEach(Item.self, in: .file(file, range: range)) { _ in }
                }
                #expect(error?.issues.map { "\($0.path) \($0.location.offset)" } == ["[1].id 16"])
            }
        }
    }

    /// The bytes around such a range are those around elements.
    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `a range that ends inside of an element is an error`(source: JSONModelDecoder.Source) throws {
        struct Tagged: JSONModel {
            var note = 0
            let id: Int
            let tags: [String]
            static let plan = ModelPlan<Tagged>(
                JSONField(\.note, default: 0).ignored(.decoding), JSONField(\.id),
                JSONField(\.tags, key: "tags[*].name", default: []))
        }
        let decoder = JSONModelDecoder.with { ($0.source, $0.elementErrors) = (source, .skip) }
        func check<T: JSONConvertible>(_ type: T.Type, _ text: String, at path: JSONPath) throws {
            try withFile(holding: text) { file in
                let positions = try decoder.all(JSONPositioned<JSONRaw>.self, in: .file(file), at: path).map(
                    \.position)
                let (first, last) = try (#require(positions.first), #require(positions.last))
                for end in first.start.offset + 1...last.end.offset {
                    let range = first.start.offset..<end
                    var kind: JSONIssue.Kind?
                    do throws(JSONModelError) {
                        try decoder.forEach(type, in: .file(file, range: range), at: path) { _ in }
                    } catch { kind = error.issues[0].kind }
                    if positions.contains(where: { $0.start.offset < end && end < $0.end.offset }) {
                        #expect(kind?.name == "invalidRange", "\(kind as Any) for \(range) of \(text)")
                    } else if positions.contains(where: { $0.end.offset == end }) {
                        #expect(kind == nil, "\(range) of \(text)")
                    }
                }
            }
        }
        let rows =
            #"[{"id":1,"tags":[{"name":"a"},{"name":"b"}],"note":1},{"id":"x","tags":[{"name":"c"}]},{"id":3,"tags":[]}]"#
        try check(Tagged.self, rows, at: "[*]")
        try check(Int.self, #"{"a":[1,[2,3],{"b":[4,5]},"c",6]}"#, at: "a[*]")
        try check([Int].self, #"[[1,2],[{"a":[3]},4],5,[6]]"#, at: "[*]")
    }

    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `a number or literal at the end of a range has the error of the whole file`(
        source: JSONModelDecoder.Source
    ) throws {
        let decoder = JSONModelDecoder(from: source)
        for (text, end) in [("[1,2.,3]", 5), ("[1,nul,3]", 6), ("[1,-,3]", 4)] {
            try withFile(holding: text) { file in
                let whole = #expect(throws: JSONModelError.self) {
                    try decoder.forEach(JSONValue.self, in: .file(file), at: "[*]") { _ in }
                }
                let error = #expect(throws: JSONModelError.self) {
                    try decoder.forEach(JSONValue.self, in: .file(file, range: 1..<end), at: "[*]") { _ in }
                }
                let (expected, issue) = try (#require(whole?.issues.first), #require(error?.issues.first))
                #expect(issue.location == expected.location && issue.path == expected.path, "\(issue)")
                if case .invalidRange = issue.kind { Issue.record("\(issue) for \(text)") }
            }
        }
    }

    /// The bytes around such a range are those around elements.
    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `a range that ends with a comma is refused`(source: JSONModelDecoder.Source) throws {
        let decoder = JSONModelDecoder(from: source)
        for (text, end) in [
            ("[[0],,[1]]", 5), ("[[0], ,[1]]", 6), ("[[0],[1],]", 9), ("[\"a\",,1]", 5), ("[12,,3]", 4),
        ] {
            try withFile(holding: text) { file in
                func read(_ range: Range<Int>) throws {
                    try decoder.forEach(JSONRaw.self, in: .file(file, range: range), at: "[*]") { _ in }
                }
                let error = #expect(throws: JSONModelError.self, "\(text)") { try read(1..<end) }
                #expect(
                    error?.issues[0].kind.name == "invalidRange",
                    "\(error.map { "\($0)" } ?? "no error") for \(text)")
                let comma = text.utf8.prefix(end).lastIndex(of: UInt8(ascii: ","))!
                #expect(throws: Never.self, "\(text)") {
                    try read(1..<text.utf8.distance(from: text.startIndex, to: comma))
                }
            }
        }
    }

    @Test func `large ranges are decoded on several threads`() throws {
        var text = "{\"items\":["
        for id in 0..<40_000 {
            if id > 0 { text += id % 5 == 0 ? ",\n" : "," }
            text += id == 35_000 ? "{\"id\":\"},{\"}" : "{\"id\":\(id),\"name\":\"row \(id)\"}"
        }
        text += "]}"
        let lines = text.dropFirst(10).dropLast(2).replacing("\n", with: "").replacing(
            "},{\"id\":", with: "}\n{\"id\":")
        for (framing, path, text) in [(.document, "items[*]", text), (.lines, "", String(lines))]
            as [(JSONFraming, JSONPath, String)]
        {
            try withFile(holding: text) { file in
                let ranges = try JSONModelDecoder().ranges(of: .file(file), at: path, framing: framing, parts: 3)
                #expect(ranges.count == 3)
                for skips in [true, false] {
                    let whole = read([.file(file)], at: path, framing, skips: skips)
                    for source in JSONModelDecoder.Source.allCases {
                        let inputs: [JSONFileInput] = ranges.map { .file(file, range: $0) }
                        let outcome = read(inputs, at: path, framing, skips: skips, workers: 3, source)
                        #expect(outcome == whole)
                    }
                }
            }
        }
    }

    @Test func `excerpts show the bytes before a range`() throws {
        var decoder = JSONModelDecoder()
        decoder.elementErrors = .skip
        try withFile(holding: "[{\"id\":0}, {\"id\":1}, {\"id\":true}]") { file in
            let excerpts = Lock<[String]>([])
            decoder.issueHandler = { issue in excerpts.withLock { $0.append(issue.excerpt) } }
            let range = try #require(try decoder.ranges(of: .file(file), parts: 3).last)
            for input: JSONFileInput in [.file(file), .file(file, range: range)] {
                try decoder.forEach(Item.self, in: input) { _ in }
            }
            let both = excerpts.withLock { $0 }
            #expect(both.count == 2 && both[0] == both[1] && both[0].contains("{\"id\":1}, {\"id\":true"))
        }
    }

    @Test func `progress in a range is that of its bytes`() throws {
        let text = String(repeating: "{\"id\":1}\n", count: 10_000)
        try withFile(holding: text) { file in
            let reports = Lock<[JSONProgress]>([])
            var decoder = JSONModelDecoder()
            decoder.progressHandler = { progress in reports.withLock { $0.append(progress) } }
            try decoder.forEach(Item.self, in: .file(file, range: 9..<81_009), framing: .lines) { _ in }
            let last = try #require(reports.withLock { $0.last })
            #expect(last == JSONProgress(bytes: 81_000, totalBytes: 81_000, elements: 9_000))
        }
    }

    @Test func `inputs without ranges are errors`() throws {
        func isInvalidRange(_ body: () throws -> Void) -> Bool {
            do { try body() } catch let error as JSONModelError {
                if case .invalidRange = error.issues[0].kind { return true }
            } catch {}
            return false
        }
        let decoder = JSONModelDecoder()
        func read(_ input: JSONFileInput, at path: JSONPath = "[*]", framing: JSONFraming = .document) throws {
            try decoder.forEach(JSONRaw.self, in: input, at: path, framing: framing) { _ in }
        }
        try withFile(holding: "[1, 2]") { file in
            #expect(isInvalidRange { try read(.file(file, range: -1..<3), framing: .lines) })
            #expect(isInvalidRange { try read(.file(file, range: 1..<2), at: "*") })
            #expect(isInvalidRange { try read(.file(file, range: 1..<2), at: "[*].a[*]") })
            #expect(isInvalidRange { _ = try decoder.decode([Int].self, from: .file(file, range: 1..<5)) })
            #expect(isInvalidRange { _ = try decoder.ranges(of: .file(file), at: "*", parts: 2) })
            #expect(isInvalidRange { _ = try decoder.ranges(of: .file(file, range: 0..<1), parts: 2) })
            #expect(isInvalidRange { _ = try decoder.ranges(of: .file(file), at: "a", framing: .lines, parts: 2) })
            let range = JSONFileRange(bytes: 1..<2, index: 3, line: 1, column: 2)
            #expect(isInvalidRange { try read(.file(file, range: range)) })
            let page = JSONEnvelope(of: JSONValue.self)
            var cursor = decoder.cursor(of: Int.self, in: .file(file, range: 1..<2), at: "[*]", envelope: page)
            #expect(isInvalidRange { _ = try cursor.next() })
        }
        try withFile(holding: "{\"a\":[1,2],\"a\":[3]}") { file in
            #expect(isInvalidRange { _ = try decoder.ranges(of: .file(file), at: "a", parts: 2) })
        }
        for format in JSONCompression.available {
            try withFile(holding: try format.compressInMembers(Array("1\n2\n".utf8), of: 100)) { file in
                #expect(isInvalidRange { try read(.file(file, range: 0..<2), framing: .lines) })
                #expect(isInvalidRange { _ = try decoder.ranges(of: .file(file), framing: .lines, parts: 2) })
            }
        }
        #expect(isInvalidRange { try read(.file("/dev/null", range: 0..<2), framing: .lines) })
        let malformed = Data("{\"start\":2,\"end\":1,\"index\":0,\"line\":1,\"column\":1}".utf8)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(JSONFileRange.self, from: malformed) }
    }

    // MARK: Several elements in each value

    @Test func `the indexes of several elements in each value are those of the whole file`() throws {
        let texts: [(JSONFraming, String)] = [
            (
                .lines,
                "{\"a\":[{\"id\":0},{\"id\":1}]}\n{\"a\":[]}\n{\"a\":[{\"id\":\"x\"},{\"id\":3}]}\n{\"a\":[{\"id\":\n{\"a\":[{\"id\":true}]}\n12\n{\"b\":1}\n{\"a\":[{\"id\":\"y\"}]}\n"
            ),
            (
                .textSequence,
                "\u{1E}{\"a\":[{\"id\":0},{\"id\":1}]}\n\u{1E}{\"a\":[{\"id\":\"x\"}]}\n\u{1E}{\"a\":[{\"id\":\"y\"},{\"id\":\"z\"}]}\n"
            ),
            (
                .serverSentEvents,
                "data: {\"a\":[{\"id\":0},{\"id\":1}]}\n\ndata: [DONE]\n\ndata: {\"a\":[{\"id\":\"x\"}]}\n\n"
            ),
        ]
        for (framing, text) in texts {
            let bytes = Array(text.utf8)
            for source in JSONModelDecoder.Source.allCases {
                try withFile(holding: bytes) { path in
                    let whole = read([.file(path)], at: "a[*]", framing, source)
                    #expect(whole.error == nil)
                    for cut in 1..<bytes.count {
                        let parts = [
                            JSONFileInput.file(path, range: 0..<cut), .file(path, range: cut..<bytes.count),
                        ]
                        let outcome = read(parts, at: "a[*]", framing, source)
                        #expect(outcome == whole, "\(framing), \(source), cut at \(cut)")
                    }
                    // Positions have the same indexes.
                    var decoder = JSONModelDecoder(from: source)
                    decoder.elementErrors = .skip
                    func indexes(_ input: JSONFileInput) throws -> [Int] {
                        let indexes = try decoder.all(
                            JSONPositioned<Item>.self, in: input, at: "a[*]", framing: framing
                        ).map(\.position.index)
                        return indexes
                    }
                    let cut = bytes.count / 2
                    let first = try indexes(.file(path, range: 0..<cut))
                    let second = try indexes(.file(path, range: cut..<bytes.count))
                    let all = try indexes(.file(path))
                    #expect(first + second == all)
                }
            }
        }
    }

    // MARK: Byte order marks

    @Test func `the first line after a byte order mark has the same excerpt in a range`() throws {
        for (framing, text) in [
            (.lines, "\u{FEFF}{\"id\":\"x\"}\n"), (.textSequence, "\u{FEFF}\u{1E}{\"id\":\"x\"}\n"),
            (.serverSentEvents, "\u{FEFF}data: {\"id\":\"x\"}\n\n"), (.concatenated, "\u{FEFF}{\"id\":\"x\"}\n"),
        ] as [(JSONFraming, String)] {
            try withFile(holding: text) { path in
                func issue(_ input: JSONFileInput) -> JSONIssue? {
                    do throws(JSONModelError) {
                        try JSONModelDecoder().forEach(Item.self, in: input, framing: framing) { _ in }
                        return nil
                    } catch { return error.issues.first }
                }
                let whole = try #require(issue(.file(path)))
                if framing == .lines || framing == .concatenated { #expect(!whole.excerpt.contains("…")) }
                for start in framing == .concatenated
                    ? [3] : framing == .serverSentEvents ? [1, 2, 3] : [0, 1, 2, 3]
                {
                    let part = try #require(issue(.file(path, range: start..<text.utf8.count)))
                    #expect(part.excerpt == whole.excerpt, "\(framing), \(start)")
                    #expect(part.location == whole.location, "\(framing), \(start)")
                }
            }
        }
    }
}
