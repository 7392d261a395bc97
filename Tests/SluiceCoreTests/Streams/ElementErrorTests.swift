import SluiceCore
import SluiceStreams
import Synchronization
import TestSupport
import Testing

@Suite(.tags(.streams, .errors)) struct ElementErrorTests {
    typealias Row = FramingTests.Row

    /// A decoder that skips failed elements, and the issues that it reports.
    private final class Skipping: Sendable {
        private let log = Mutex<[String]>([])
        var decoder: JSONModelDecoder {
            .with { decoder in
                decoder.elementErrors = .skip
                decoder.issueHandler = { [self] issue in
                    log.withLock { $0.append("\(issue.elementIndex ?? -1): \(issue)") }
                }
            }
        }

        func take() -> [String] {
            log.withLock { log in
                defer { log = [] }
                return log
            }
        }
    }

    private func read<Element: JSONConvertible & Equatable>(
        _ type: Element.Type, _ text: String, at path: JSONPath = JSONPath(), _ framing: JSONFraming
    ) async -> (outcome: StreamVerb.Outcome<Element>, issues: [String]) {
        let skipping = Skipping()
        let bytes = Array(text.utf8)
        var first: (StreamVerb.Outcome<Element>, [String])?
        for source in JSONModelDecoder.Source.allCases {
            for size in [1, 2, 3, 7, 20, bytes.count] {
                for verb in StreamVerb.allCases {
                    var decoder = skipping.decoder
                    decoder.source = source
                    var outcome = await verb.read(type, bytes.pieces(of: size), at: path, framing, decoder)
                    outcome.summary = nil
                    let issues = skipping.take()
                    if let first, first != (outcome, issues) {
                        Issue.record("\(verb) \(source) \(size): \(outcome) \(issues), not \(first)")
                    }
                    first = first ?? (outcome, issues)
                }
            }
        }
        return first!
    }

    @Test func `failed lines are skipped and reported, also after syntax errors`() async {
        let text = """
            {"id":1}
            {"id":"2"}
            {"id":3
            nonsense

            {"id":4}
            {"name":"x"}
            """
        let (outcome, issues) = await read(Row.self, text, .lines)
        #expect(outcome.elements == [Row(id: 1), Row(id: 4)])
        #expect(outcome.error == nil)
        #expect(issues.map { $0.prefix(2) } == ["1:", "2:", "3:", "5:"])
        #expect(issues.first?.hasSuffix("(line 2, column 7, offset 15)") == true)
        #expect(issues.last?.contains("missing key \"id\"") == true)
    }

    @Test func `failed elements of an array are skipped and reported`() async {
        let text = #"{"items":[{"id":1},{"id":"2","name":7},3,{"id":4},{"id":5,"name":[{}]}]}"#
        let (outcome, issues) = await read(Row.self, text, at: "items[*]", .document)
        #expect(outcome.elements == [Row(id: 1), Row(id: 4)])
        #expect(outcome.error == nil)
        // Both issues of an element have its index.
        #expect(issues.map { $0.prefix(2) } == ["1:", "1:", "2:", "4:"])
        #expect(issues.first?.contains("items[1].id") == true)
    }

    @Test func `each value has elements that fail`() async {
        let text = "{\"a\":[1,\"x\"]}\n{\"a\":[2,\"x\",3]}\n{\"a\":[\"x\"]}\n"
        let (outcome, issues) = await read(Int.self, text, at: "a[*]", .lines)
        #expect(outcome.elements == [1, 2, 3])
        #expect(issues.map { $0.prefix(2) } == ["1:", "3:", "5:"])
    }

    @Test func `errors outside of the elements end the stream`() async {
        let (outcome, _) = await read(Row.self, #"{"items":{"id":1}}"#, at: "items[*]", .document)
        #expect(outcome.error?.contains("expected an array") == true, "\(outcome)")
        let (cut, issues) = await read(Row.self, #"[{"id":1},{"id":x},{"id":3}]"#, .document)
        #expect(cut.elements == [Row(id: 1)] && cut.error != nil && issues == [])
    }

    @Test func `the summary of a stream is passed on when the stream ends`() async throws {
        let log = Mutex<[String]>([])
        var decoder = JSONModelDecoder()
        decoder.elementErrors = .skip
        decoder.summaryHandler = { summary in log.withLock { $0.append("\(summary.elements) \(summary.skipped)") } }
        let text = #"[{"id":1},{"id":"2"},{"id":3}]"#
        try decoder.forEach(Row.self, in: text) { (_: Row) in }
        for try await _ in decoder.elements(of: Row.self, in: text) {}
        do {
            var cursor = decoder.cursor(of: Row.self, in: text)
            _ = try cursor.next()
        }
        #expect(throws: JSONModelError.self) { try decoder.forEach(Row.self, in: #"[{"id":1},"#) { (_: Row) in } }
        decoder.elementErrors = .throw
        #expect(throws: JSONModelError.self) { try decoder.forEach(Row.self, in: text) { (_: Row) in } }
        #expect(log.withLock { $0 } == ["2 1", "2 1", "1 0", "1 0", "1 0"])
        // Values that are checked have no elements.
        try decoder.validate("1\n2", framing: .lines)
        #expect(log.withLock { $0.count } == 5)
    }

    @Test func `validation rejects an invalid value, also if failed elements are skipped`() {
        let decoder = JSONModelDecoder.with { $0.elementErrors = .skip }
        for text in ["1\n[}\n2", "1\n2 3"] {
            #expect(throws: JSONModelError.self) { try decoder.validate(text, framing: .lines) }
        }
        #expect(throws: JSONModelError.self) { try decoder.validate("{\"a\":1}\n{}", at: "a", framing: .lines) }
        #expect(throws: Never.self) { try decoder.validate("1\n[]\n2", framing: .lines) }
    }

    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `validation checks all of each value, also if the decoder stops early`(_ source: JSONModelDecoder.Source) {
        let decoder = JSONModelDecoder.with { ($0.source, $0.stopsEarly) = (source, true) }
        for path: JSONPath in ["items", "items[*]"] {
            #expect(throws: JSONModelError.self) {
                try decoder.validate(#"{"items":[1],"x":nonsense}"#, at: path, framing: .lines)
            }
            #expect(throws: Never.self) { try decoder.validate(#"{"items":[1],"x":2}"#, at: path, framing: .lines) }
        }
    }

    /// Paths, and texts with and without a value at the path.
    private static let pathCases: [(path: String, valid: [String], invalid: [String])] = [
        (
            "items",
            [#"{"items":1}"#, #"{"x":{},"items":[{"a":1}]}"#, #"{"items":null}"#, #"{"items":1,"items":[2]}"#],
            ["{}", #"{"x":{"items":1}}"#]
        ), ("a.b", [#"{"a":{"b":"x","c":2},"d":3}"#], [#"{"a":{}}"#, #"{"a":null}"#]), ("[0]", ["[[]]"], ["[]"]),
        ("a[1]", [#"{"a":[0,{}]}"#], [#"{"a":[0]}"#, #"{"a":[]}"#]),
        ("a[1].b", [#"{"a":[0,{"b":[1]},2]}"#], [#"{"a":[{"b":1}]}"#]),
    ]

    @Test func `validation requires a value at the path`() throws {
        for (path, valid, invalid) in Self.pathCases {
            let path = try JSONPath(parsing: path)
            for text in valid { requireOutcome(of: text, at: path, isValid: true) }
            for text in invalid { requireOutcome(of: text, at: path, isValid: false) }
        }
    }

    private func requireOutcome(of text: String, at path: JSONPath, isValid: Bool) {
        for source in JSONModelDecoder.Source.allCases {
            for stopsEarly in [false, true] {
                let decoder = JSONModelDecoder.with { ($0.source, $0.stopsEarly) = (source, stopsEarly) }
                func isAccepted(_ validate: () throws -> Void) -> Bool {
                    do { try validate() } catch {
                        #expect((error as? JSONModelError)?.issues.first?.kind == .pathNotFound(path), "\(error)")
                        return false
                    }
                    return true
                }
                let chunks = text.utf8.map { [$0] }
                #expect(isAccepted { try decoder.validate(text, at: path) } == isValid)
                #expect(isAccepted { try decoder.validate(.chunks(chunks), at: path) } == isValid)
                #expect(isAccepted { try decoder.validate(text, at: path, framing: .lines) } == isValid)
                #expect(isAccepted { try decoder.validate(.chunks(chunks), at: path, framing: .lines) } == isValid)
                let twice = text + "\n" + text
                #expect(isAccepted { try decoder.validate(twice, at: path, framing: .concatenated) } == isValid)
            }
        }
    }

    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `validation takes a path with wildcards in each framing`(_ source: JSONModelDecoder.Source) {
        for stopsEarly in [false, true] {
            let decoder = JSONModelDecoder.with { ($0.source, $0.stopsEarly) = (source, stopsEarly) }
            for framing in [JSONFraming.document, .lines, .concatenated] {
                for text in [#"{"items":[{"id":1},{}],"x":2}"#, #"{"items":[]}"#] {
                    #expect(throws: Never.self, "\(framing)") {
                        try decoder.validate(text, at: "items[*].id", framing: framing)
                    }
                }
                for text in [#"{"x":[]}"#, #"{"items":[{"id":1}],"x":nonsense}"#] {
                    #expect(throws: JSONModelError.self, "\(framing)") {
                        try decoder.validate(text, at: "items[*].id", framing: framing)
                    }
                }
            }
        }
    }

    @Test func `validation rejects a repeated key on the path, if repeated keys are rejected`() {
        let decoder = JSONModelDecoder.with { $0.duplicateKeys = .reject }
        let error = #expect(throws: JSONModelError.self) {
            try decoder.validate(#"{"items":1,"items":2}"#, at: "items")
        }
        #expect(error?.issues.first?.kind == .duplicateKey("items"))
    }

    @Test func `validation ignores the selection of properties`() {
        let decoder = JSONModelDecoder.with { $0.only = ["id"] }
        for framing in [JSONFraming.document, .lines, .textSequence] {
            let start = framing == .textSequence ? "\u{1E}" : ""
            #expect(throws: Never.self, "\(framing)") {
                try decoder.validate("\(start){\"a\":1}\n", framing: framing)
            }
            #expect(throws: JSONModelError.self, "\(framing)") {
                try decoder.validate("\(start){\"a\":}\n", framing: framing)
            }
        }
    }

    @Test func `the summary of one element is in the singular`() throws {
        let decoder = JSONModelDecoder.with { $0.elementErrors = .skip }
        var cursor = decoder.cursor(of: Int.self, in: #"[1,"x"]"#)
        while (try cursor.next()) != nil {}
        #expect(cursor.summary.description.hasPrefix("1 element, 1 skipped\n"))
    }

    @Test func `issues beyond a thousand groups are counted`() throws {
        let members = (0..<1_200).map { #""k\#($0)":"x""# } + [#""good":1"#]
        let log = Mutex<[JSONStreamSummary]>([])
        var decoder = JSONModelDecoder()
        decoder.elementErrors = .skip
        decoder.summaryHandler = { summary in log.withLock { $0.append(summary) } }
        var found: [Int] = []
        try decoder.forEach(Int.self, in: "{" + members.joined(separator: ",") + "}", at: "*") { found.append($0) }
        #expect(found == [1])
        let first = log.withLock { $0.first }
        let summary = try #require(first)
        #expect((summary.elements, summary.skipped) == (1, 1_200))
        #expect((summary.issues.count, summary.otherIssues) == (1_000, 200))
        #expect(summary.description.hasSuffix("\n200 other issues"))
    }

    @Test func `the summary groups issues by kind and path`() throws {
        let rows = (0..<10_000).map { row in
            row % 10 == 0 ? #"{"id":"x"}"# : row % 25 == 1 ? #"{"name":"\#(row)"}"# : #"{"id":\#(row)}"#
        }
        for (framing, text) in [
            (.lines, rows.joined(separator: "\n")), (.document, "[" + rows.joined(separator: ",") + "]"),
        ] as [(JSONFraming, String)] {
            let decoder = JSONModelDecoder.with { $0.elementErrors = .skip }
            var cursor = decoder.cursor(of: Row.self, in: text, framing: framing)
            var count = 0
            while (try cursor.next()) != nil { count += 1 }
            #expect(count == 8_600 && cursor.summary.elements == 8_600 && cursor.summary.skipped == 1_400)
            #expect(cursor.summary.issues.map(\.count) == [1_000, 400])
            #expect(cursor.summary.issues.map(\.first.elementIndex) == [0, 1])
            #expect(cursor.summary.issues.first?.path.description == (framing == .lines ? "id" : "[*].id"))
        }
    }

    @Test func `the option does not affect single values`() {
        let decoder = Skipping().decoder
        #expect(throws: JSONModelError.self) { try decoder.decode(Row.self, from: #"{"id":"1"}"#) }
        #expect(throws: JSONModelError.self) { try decoder.decode([Row].self, from: #"[{"id":"1"}]"#) }
    }

    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `the excerpt of an error in a document shows the bytes after the byte at fault`(
        _ source: JSONModelDecoder.Source
    ) throws {
        var decoder = JSONModelDecoder(from: source)
        // The byte at fault is in the middle and at the end of a window, or begins the next one.
        for (workers, lead) in [1, 3].flatMap({ workers in [0, 65_500, 65_519, 65_520].map { (workers, $0) } }) {
            decoder.workers = .exactly(workers)
            decoder.workers.batchSize = 1_000
            let text = String(repeating: " ", count: lead) + #"[{"id":1},{"id":x},{"id":3}]"#
            func check(_ input: some JSONInput) {
                var ids: [Int] = []
                let error = #expect(throws: JSONModelError.self) {
                    try decoder.forEach(Row.self, in: input) { (row: Row) in ids.append(row.id) }
                }
                #expect(ids == [1] && error?.issues.first?.location.offset == lead + 16)
                let shown = #"[{"id":1},{"id":x},{"id":3}]"#
                #expect(error?.issues.first?.excerpt.contains(shown + "\n") == true, "\(String(describing: error))")
            }
            check(text)
            for size in [1, 1_000] { check(.chunks(Array(text.utf8).pieces(of: size))) }
            for sizes in [[Int.max], [7]] { check(FaultyReading(bytes: Array(text.utf8), sizes: sizes).input) }
        }
    }

    private struct Refusal: Error {}

    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `an error of the body ends a stream that skips failed elements`(_ source: JSONModelDecoder.Source) {
        let decoder = JSONModelDecoder.with { ($0.source, $0.elementErrors) = (source, .skip) }
        for (framing, text) in [
            (.document, "[1,2,3]"), (.lines, "[1,2]\n[3]\n"), (.concatenated, "[1,2][3]"),
            (.serverSentEvents, "data: [1,2]\n\ndata: [3]\n\n"),
        ] as [(JSONFraming, String)] {
            for size in [1, 4, 100] {
                var received: [Int] = []
                let error = #expect(throws: JSONModelError.self, "\(framing)") {
                    let chunks = Array(text.utf8).pieces(of: size)
                    try decoder.forEach(Int.self, in: .chunks(chunks), at: "[*]", framing: framing) {
                        (number: Int) in
                        received.append(number)
                        if number == 2 { throw Refusal() }
                    }
                }
                #expect(error?.issues.first?.underlying is Refusal, "\(framing)")
                #expect(error?.issues.first?.elementIndex == 1, "\(framing)")
                #expect(received == [1, 2], "\(framing)")
            }
        }
    }

    @Test(arguments: JSONModelDecoder.Source.allCases, [1, 2])
    func `an error of the body has the index of its element`(_ source: JSONModelDecoder.Source, _ workers: Int) {
        var decoder = JSONModelDecoder(from: source)
        decoder.workers = .exactly(workers)
        decoder.workers.batchSize = 10
        let rows = (0..<20).map { "{\"id\":\($0)}" }
        for (framing, text) in [
            (.document, "[\(rows.joined(separator: ","))]"), (.lines, rows.joined(separator: "\n")),
            (.concatenated, rows.joined()),
        ] as [(JSONFraming, String)] {
            for refused in [0, 1, 15] {
                let error = #expect(throws: JSONModelError.self) {
                    try decoder.forEach(Row.self, in: text, framing: framing) { (row: Row) in
                        if row.id == refused { throw Refusal() }
                    }
                }
                #expect(error?.issues.first?.elementIndex == refused, "\(framing)")
            }
        }
    }

    @Test func `all verbs report the same index of an element at fault`() throws {
        for text in [#"[{"id":1},{"id":"2"}]"#, #"[{"id":1},{"id":x}]"#, #"[{"id":1},{"id":2"#] {
            let decoder = JSONModelDecoder()
            var reporting = decoder
            reporting.progressHandler = { _ in }
            for decoder in [decoder, reporting] {
                let error = #expect(throws: JSONModelError.self) {
                    try decoder.forEach(Row.self, in: text) { (_: Row) in }
                }
                #expect(error?.issues.map(\.elementIndex) == [1])
            }
            let error = #expect(throws: JSONModelError.self) {
                var cursor = decoder.cursor(of: Row.self, in: text)
                while try cursor.next() != nil {}
            }
            #expect(error?.issues.map(\.elementIndex) == [1])
        }
    }
}
