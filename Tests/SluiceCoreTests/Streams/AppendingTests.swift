import Foundation
import TestSupport
import Testing

@testable import SluiceCore
@testable import SluiceStreams

/// Files to which elements are appended after a process has ended in the middle, and destinations that fail.
@Suite(.tags(.files)) struct AppendingTests {
    typealias Row = FramingTests.Row

    private static let rows = (0..<4).map { Row(id: $0, name: $0 == 1 ? "a \"quoted\" {[\n\\" : nil) }
    private static let added = [Row(id: 7, name: "new"), Row(id: 8)]
    private static let framings = JSONFraming.allCases.filter { $0 != .document }

    /// Rows in a framing, and the offsets after the JSON of each.
    private func framed(_ rows: [Row], _ framing: JSONFraming) throws -> (text: [UInt8], ends: [Int]) {
        var (text, ends): ([UInt8], [Int]) = ([], [])
        var writer = JSONModelEncoder().writer(
            to: { (chunk: UnsafeRawBufferPointer) in text += chunk }, framing: framing)
        for row in rows {
            try writer.write(row)
            try writer.flush()
            ends.append((text.lastIndex(of: UInt8(ascii: "}")) ?? 0) + 1)
        }
        try writer.finish()
        return (text, ends)
    }

    private func read(_ path: String, _ framing: JSONFraming) -> (rows: [Row], issue: JSONIssue?) {
        var rows: [Row] = []
        do {
            try JSONModelDecoder().forEach(Row.self, in: .file(path), framing: framing) { rows.append($0) }
            return (rows, nil)
        } catch { return (rows, error.issues.first) }
    }

    /// Appends rows. Returns the issue of a file that is refused.
    private func append(
        _ rows: [Row] = Self.added, to path: String, _ framing: JSONFraming, _ removes: Bool,
        _ format: JSONCompression? = nil
    ) throws -> JSONIssue? {
        var destination = JSONDestination.appending(to: path, removesIncompleteEnd: removes)
        if let format { destination = destination.compressed(with: format) }
        do {
            var writer = try JSONModelEncoder().writer(to: destination, framing: framing)
            for row in rows { try writer.write(row) }
            try writer.finish()
            return nil
        } catch {
            let issue = try #require(error.issues.first)
            guard case .notAppendable(let why) = issue.kind else {
                Issue.record("\(error)")
                return issue
            }
            #expect(issue.description == why && why.contains(path))
            return issue
        }
    }

    private func bytes(_ path: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: path))) }

    // MARK: Incomplete ends

    @Test(arguments: AppendingTests.framings)
    func `elements are appended after an end at any byte`(_ framing: JSONFraming) throws {
        let (text, ends) = try framed(Self.rows, framing)
        var refused = 0
        for mark in [[], Encoding.byteOrderMark] {
            for length in 0...text.count {
                let complete = Array(Self.rows.prefix(ends.count { $0 <= length }))
                let torn = mark + text.prefix(length)
                for removes in [false, true] {
                    try withFile(holding: torn) { path in
                        if let issue = try append(to: path, framing, removes) {
                            refused += 1
                            #expect(!removes && !ends.contains(length), "\(length)")
                            #expect(try bytes(path) == torn)
                            #expect(issue.location.offset < torn.count)
                            return
                        }
                        let (rows, issue) = read(path, framing)
                        #expect(rows == complete + Self.added && issue == nil, "\(length), \(removes)")
                        #expect(try bytes(path).starts(with: torn) || removes)
                    }
                }
            }
        }
        #expect(refused > 80)
    }

    @Test(arguments: JSONFraming.allCases)
    func `a byte order mark that was cut is incomplete`(_ framing: JSONFraming) throws {
        for count in 1...2 {
            for format in [nil] + JSONCompression.available.map({ Optional($0) }) {
                let mark = Array(Encoding.byteOrderMark.prefix(count))
                try withFile(holding: format?.compress(mark) ?? mark) { path in
                    let refusal = try append(to: path, framing, false, format)
                    #expect(refusal?.location.offset == 0)
                    let issue = try append(to: path, framing, true, format)
                    #expect(issue == nil && read(path, framing).rows == Self.added)
                }
            }
        }
    }

    @Test func `only the incomplete data line is removed`() throws {
        for end in ["\n", "\r", "\r\n"] {
            let text = "data: {\"id\":0}\(end)data: {\"id\":1}\(end)data: {\"id\":"
            try withFile(holding: Array(text.utf8)) { path in
                let issue = try append([Row(id: 2)], to: path, .dataLines, true)
                #expect(issue == nil)
                #expect(read(path, .dataLines).rows.map(\.id) == [0, 1, 2], "\(end.debugDescription)")
            }
        }
    }

    @Test func `arrays are appended after complete arrays`() throws {
        let whole = try JSONModelEncoder().encode(Self.rows)
        for (text, isComplete) in [
            (whole, true), (whole + [10], true), (Array(whole.dropLast()), false),
            (whole + whole.dropLast(3), false), (Array("1".utf8), false), (Array("true".utf8), true),
            (Array("1 ".utf8), true), ([], true),
        ] {
            for removes in [false, true] {
                try withFile(holding: text) { path in
                    let issue = try append(to: path, .document, removes)
                    #expect((issue == nil) == (isComplete || removes))
                    guard issue == nil else { return }
                    var last: JSONValue?
                    try JSONModelDecoder().forEach(JSONValue.self, in: .file(path), framing: .concatenated) {
                        last = $0
                    }
                    #expect(
                        try last
                            == JSONModelDecoder().decode(
                                JSONValue.self, from: JSONModelEncoder().encode(Self.added)))
                }
            }
        }
    }

    @Test func `a number before an incomplete element stays a number of its own`() throws {
        for (text, expected) in [
            (#"1{"id":"#, "1\n9\n"), (#"[2]true"a"#, "[2]true\n9\n"), (#"1 {"id":"#, "1 9\n"), ("1[2]{", "1[2]9\n"),
        ] {
            for format in [nil] + JSONCompression.available.map({ Optional($0) }) {
                let content = try format?.compress(Array(text.utf8)) ?? Array(text.utf8)
                try withFile(holding: content) { path in
                    var destination = JSONDestination.appending(to: path, removesIncompleteEnd: true)
                    if let format { destination = destination.compressed(with: format) }
                    var writer = try JSONModelEncoder().writer(to: destination, framing: .concatenated)
                    try writer.write(9)
                    try writer.finish()
                    if format == nil { #expect(try String(decoding: bytes(path), as: UTF8.self) == expected) }
                    var (values, expectedValues): ([JSONValue], [JSONValue]) = ([], [])
                    try JSONModelDecoder().forEach(JSONValue.self, in: .file(path), framing: .concatenated) {
                        values.append($0)
                    }
                    try JSONModelDecoder().forEach(JSONValue.self, in: expected, framing: .concatenated) {
                        expectedValues.append($0)
                    }
                    #expect(values == expectedValues)
                }
            }
        }
    }

    @Test func `a number or garbage at the end is incomplete, and a literal is not`() throws {
        let cases: [(JSONFraming, String, String?)] = [
            (.lines, "1\n2", nil), (.lines, "1\ntrue", "1\ntrue\n9\n"), (.lines, "1\n null", "1\n null\n9\n"),
            (.lines, "1\n\"a\"", "1\n\"a\"\n9\n"), (.lines, "1\n\"a\\\"", nil), (.lines, "1\n tru", nil),
            (.lines, "1\r\n2\r\n", "1\r\n2\r\n9\n"), (.lines, "1\n   ", "1\n   9\n"), (.lines, "[\n1\n]", nil),
            (.concatenated, "1 2", nil), (.concatenated, "1 2\t", "1 2\t9\n"), (.concatenated, "1[2]", "1[2]9\n"),
            (.concatenated, "[1]true", "[1]true\n9\n"), (.concatenated, "\"a", nil), (.concatenated, "[\"]\"", nil),
            (.textSequence, "\u{1E}1", nil), (.textSequence, "\u{1E}1\n", "\u{1E}1\n\u{1E}9\n"),
            (.textSequence, "\u{1E}true", "\u{1E}true\n\u{1E}9\n"), (.textSequence, "\u{1E}", "\u{1E}\u{1E}9\n"),
            (.serverSentEvents, "data: 1", nil), (.serverSentEvents, "data: 1\n", "data: 1\n\n\ndata: 9\n\n"),
            (.serverSentEvents, "data: 1\r\r", "data: 1\r\rdata: 9\n\n"),
            (.serverSentEvents, "data: 1\r\n\r\n", "data: 1\r\n\r\ndata: 9\n\n"),
            (.serverSentEvents, "data: 1\r\n", "data: 1\r\n\n\ndata: 9\n\n"),
            (.serverSentEvents, "data: 1\n\r\n", "data: 1\n\r\ndata: 9\n\n"),
            (.serverSentEvents, "data: 1\r\r\n", "data: 1\r\r\ndata: 9\n\n"),
            (.serverSentEvents, "data: 1\r\n\ndata: [\r\n", nil),
            // An empty comment is no empty line.
            (.serverSentEvents, "data: [\n:\r\n", nil), (.serverSentEvents, "data: [\r\n:\r\n", nil),
            (.serverSentEvents, "data: 1\n\ndata: [\ndata: 1", nil), (.serverSentEvents, "data: [", nil),
            (.serverSentEvents, "data: 1\n\n: not", "data: 1\n\n: not\n\ndata: 9\n\n"),
            (.dataLines, "data: 1", nil), (.dataLines, "data: 1\n", "data: 1\ndata: 9\n"),
            (.dataLines, "data: 1\r", "data: 1\rdata: 9\n"), (.dataLines, "data: [1]", "data: [1]\ndata: 9\n"),
            (.dataLines, "data: 1\ndata: [", nil), (.dataLines, "data: 1\n: not", "data: 1\n: not\ndata: 9\n"),
        ]
        for (framing, text, expected) in cases {
            try withFile(holding: Array(text.utf8)) { path in
                do {
                    var writer = try JSONModelEncoder().writer(to: .appending(to: path), framing: framing)
                    try writer.write(9)
                    try writer.finish()
                    #expect(try String(decoding: bytes(path), as: UTF8.self) == expected)
                } catch { #expect(expected == nil, "\(text.debugDescription): \(error)") }
            }
        }
    }

    @Test(arguments: AppendingTests.framings)
    func `long elements and many windows are examined`(_ framing: JSONFraming) throws {
        for length in [65_500, 65_520, 65_530, 65_536, 200_000] {
            let rows = [Row(id: 1), Row(id: 2, name: String(repeating: "x", count: length)), Row(id: 3)]
            let (text, ends) = try framed(rows, framing)
            for cut in [ends[0], ends[0] + 9, ends[1] - 1, ends[1], text.count - 30, text.count] {
                try withFile(holding: Array(text.prefix(cut))) { path in
                    let refusal = try append(to: path, framing, true)
                    #expect(refusal == nil)
                    let found = read(path, framing)
                    #expect(found.rows == rows.prefix(ends.count { $0 <= cut }) + Self.added && found.issue == nil)
                }
            }
        }
    }

    @Test func `a file in another form is refused and stays unchanged`() throws {
        let lines = Array("{\"id\":1}\n".utf8)
        var cases: [([UInt8], JSONFraming, JSONCompression?)] = [(lines, .textSequence, nil)]
        for format in JSONCompression.available {
            cases.append((lines, .lines, format))
            cases.append((try format.compress(lines), .lines, nil))
            cases.append((try format.compress(lines), .textSequence, format))
            for other in JSONCompression.available where other != format {
                cases.append((try format.compress(lines), .lines, other))
            }
        }
        for (content, framing, format) in cases {
            for removes in [false, true] {
                try withFile(holding: content) { path in
                    let refusal = try append(to: path, framing, removes, format)
                    #expect(refusal != nil)
                    #expect(try bytes(path) == content)
                }
            }
        }
    }

    @Test func `a path with a NUL is refused`() {
        #expect(throws: JSONModelError.self) {
            try JSONModelEncoder().write(elements: [1], to: .appending(to: "/tmp/sluice-nul\0.json"))
        }
        #expect(throws: JSONModelError.self) {
            try JSONModelEncoder().write([1], to: .file("/tmp/sluice-nul\0.json"))
        }
        #expect(throws: JSONModelError.self) {
            try JSONModelEncoder().write([1], to: .appending(to: "/tmp/sluice-nul\0.json"))
        }
    }

    @Test func `a value that is written as a whole is appended as it is`() throws {
        try withFile(holding: Array("level=info {\"a\": ".utf8)) { path in
            try JSONModelEncoder().write([1], to: .appending(to: path))
            try JSONModelEncoder().write(elements: [2], to: .appending(to: path))
            #expect(try String(decoding: bytes(path), as: UTF8.self) == "level=info {\"a\": [1][2]")
        }
    }

    // MARK: Compressed files

    @Test(.enabled(if: JSONCompression.gzip.isAvailable), arguments: [false, true])
    func `elements are not appended after the padding of a compressed file`(_ removes: Bool) throws {
        let padded = try JSONCompression.gzip.compress("{\"id\":0}\n") + [UInt8](repeating: 0, count: 512)
        try withFile(holding: padded) { path in
            if let issue = try append(to: path, .lines, removes, .gzip) {
                #expect(!removes && issue.location.offset == 9 && issue.description.contains("is padded"))
                #expect(try bytes(path) == padded)
            } else {
                let (rows, issue) = read(path, .lines)
                #expect(rows == [Row(id: 0)] + Self.added && issue == nil)
            }
        }
    }

    @Test(arguments: JSONCompression.available, AppendingTests.framings)
    func `a compressed file that ends at any byte is repaired`(_ format: JSONCompression, _ framing: JSONFraming)
        throws
    {
        let (text, ends) = try framed(Self.rows, framing)
        // A complete member, and one with flushed elements.
        var whole = try format.compress(Array(text[..<(ends[0] + 1)]))
        let memberStart = whole.count
        let compressor = try OutputCompression(format: format, level: nil).compressor()
        for (start, end) in zip(ends.dropFirst(0), ends.dropFirst()) {
            try text[(start + 1)..<(end + 1)].withUnsafeBytes { bytes in
                try compressor.compress(bytes, .flush) { whole += $0 }
            }
        }
        try text[(ends[3] + 1)...].withUnsafeBytes { bytes in
            try compressor.compress(bytes, .finish) { whole += $0 }
        }
        var refused = 0
        // The other framings end at some bytes: their elements are found in the same way.
        let lengths =
            framing == .lines
            ? Array(0...whole.count) : Array(stride(from: 0, to: whole.count, by: 5)) + [memberStart, whole.count]
        for length in lengths {
            let torn = Array(whole.prefix(length))
            for removes in [false, true] {
                try withFile(holding: torn) { path in
                    let before = length < 4 ? (rows: [], issue: nil) : read(path, framing)
                    if let issue = try append(to: path, framing, removes, format) {
                        refused += 1
                        #expect(!removes && ![0, memberStart, whole.count].contains(length), "\(length)")
                        #expect(try bytes(path) == torn && issue.location.offset <= text.count)
                        return
                    }
                    let (rows, issue) = read(path, framing)
                    #expect(issue == nil && rows.suffix(2) == Self.added, "\(length)")
                    let kept = Array(rows.dropLast(2))
                    #expect(kept == Array(Self.rows.prefix(kept.count)), "\(length)")
                    // Complete elements stay, also one whose separator is missing.
                    #expect(kept.count >= before.rows.count && kept.count <= before.rows.count + 1, "\(length)")
                    if length >= memberStart { #expect(try bytes(path).starts(with: whole.prefix(memberStart))) }
                }
            }
        }
        #expect(refused > lengths.count - 10)
    }

    @Test(arguments: JSONCompression.available)
    func `a crashed writer of a compressed log is continued`(_ format: JSONCompression) throws {
        let rows = (0..<30_000).map { Row(id: $0, name: "row \($0 % 11)") }
        try withFile(holding: []) { path in
            var writer = try JSONModelEncoder().writer(
                to: .appending(to: path).compressed(with: format), framing: .lines)
            for row in rows { try writer.write(row) }
            try writer.flush()
            // The process ends without `finish`.
            let torn = try bytes(path)
            try withFile(holding: Array(torn.dropLast(5))) { path in
                let refusals = try [false, true].map { try append(to: path, .lines, $0, format) }
                #expect(refusals[0] != nil && refusals[1] == nil)
                let (found, issue) = read(path, .lines)
                #expect(issue == nil && found.suffix(2) == Self.added && found.count > 28_000)
                #expect(Array(found.dropLast(2)) == Array(rows.prefix(found.count - 2)))
                // Complete now.
                #expect(try append(to: path, .lines, false, format) == nil)
            }
            try writer.finish()
        }
    }

    // MARK: Destinations that fail

    @Test(arguments: [nil] + JSONCompression.available.map { Optional($0) }, JSONFraming.allCases)
    func `after an error, the next call writes only the rest`(_ format: JSONCompression?, _ framing: JSONFraming)
        throws
    {
        for seed in 0..<16 {
            var random = SeededRandom(seed: 150, index: seed)
            let size = random.pick([1, 50, 3_000, .max])
            let writing = FaultyWriting(size: size, failures: random.pick([2, 4, 30]), seed: seed)
            let count = size > 50 && seed % 4 == 0 ? 6_000 : 60
            let rows = (0..<count).map { Row(id: $0, name: $0 % 3 == 0 ? nil : "row \($0)") }
            var destination = writing.destination
            if let format { destination = destination.compressed(with: format) }
            var writer = try JSONModelEncoder().writer(to: destination, framing: framing)
            var errors = 0
            func check(_ error: JSONModelError) throws {
                errors += 1
                guard case .unwritable(ENOSPC, _)? = error.issues.first?.kind else { throw error }
                // All bytes of the elements that are said to be complete were written.
                if format == nil, framing == .lines, errors < 20 {
                    #expect(error.issues.first?.elementIndex == writing.bytes.count { $0 == 10 })
                }
            }
            for row in rows {
                do { try writer.write(row) } catch { try check(error) }
                if random.below(40) == 0 { do { try writer.flush() } catch { try check(error) } }
            }
            #expect(writer.count == count)
            for _ in 0..<3 { do { try writer.flush() } catch { try check(error) } }
            writing.repair()
            try writer.finish()
            var found: [Row] = []
            try JSONModelDecoder().forEach(Row.self, in: writing.bytes, framing: framing) { found.append($0) }
            #expect(found == rows, "\(seed): \(found.count) of \(count) rows, \(errors) errors")
            if format == nil { #expect(try writing.bytes == framed(rows, framing).text) }
        }
    }

    @Test func `a closure that fails receives its chunk again`() throws {
        struct Full: Error {}
        var (taken, isFull): ([UInt8], Bool) = ([], true)
        var writer = JSONModelEncoder().writer(
            to: { (chunk: UnsafeRawBufferPointer) in
                if isFull { throw Full() }
                taken += chunk
            }, framing: .lines)
        try writer.write(Self.rows[0])
        #expect(throws: JSONModelError.self) { try writer.flush() }
        try writer.write(Self.rows[1])
        isFull = false
        try writer.finish()
        #expect(taken == (try framed(Array(Self.rows.prefix(2)), .lines).text))
    }
}
