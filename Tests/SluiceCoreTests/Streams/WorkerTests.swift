import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import SluiceCore
@testable import SluiceStreams

/// Streams that several threads decode. Everything that a caller can observe must be as with one thread.
@Suite(.serialized, .tags(.streams, .workers)) struct WorkerTests {
    fileprivate enum Group: InstanceGroup { static let instances = InstanceCounter() }

    fileprivate struct Row: JSONModel, NotedRow {
        var id: Int
        var name: Instance<Group>?
        static let plan = ModelPlan<Row>(JSONField(\.id), JSONField(\.name))

        var row: Row { self }
        var notedPosition: JSONElementPosition? { nil }
    }

    private struct Refusal: Error {}

    /// The calls that a stream made, in order, and its result.
    private struct Outcome: Equatable, CustomStringConvertible {
        var calls: [String] = []
        var positions: [JSONElementPosition] = []
        var count: Int?
        var error: String?

        var description: String {
            """
            \(calls.suffix(3)), \(calls.count) calls, \(count ?? -1) elements, \(error ?? "no error"), \
            last position \(positions.last.map { "\($0)" } ?? "none")
            """
        }

        init() {}

        /// The chunks and elements in order, and all other calls.
        init(_ calls: [String], _ log: Log, error: JSONModelError?) {
            self.calls = calls + log.calls.withLock { $0 }
            positions = log.positions.withLock { $0 }
            self.error = error.map(Self.text)
        }

        static func text(_ error: JSONModelError) -> String {
            error.issues.map { "\($0), element \($0.elementIndex ?? -1)" }.joined(separator: "; ")
        }
    }

    /// The calls of a stream, and the positions of its elements.
    private final class Log: Sendable {
        let calls = Lock<[String]>([])
        let positions = Lock<[JSONElementPosition]>([])

        func add(_ call: String) { calls.withLock { $0.append(call) } }

        /// Returns a row as text, and notes its position.
        func text(_ row: some NotedRow) -> String {
            if let position = row.notedPosition { positions.withLock { $0.append(position) } }
            return "row \(row.row.id) \(row.row.name?.text ?? "-")"
        }

        /// Notes the issues and the summary of a decoder.
        func observe(_ decoder: inout JSONModelDecoder) {
            decoder.issueHandler = { self.add("\($0), element \($0.elementIndex ?? -1)") }
            decoder.summaryHandler = { self.add($0.description) }
        }
    }

    private struct Case {
        var decoder = JSONModelDecoder()
        var path = JSONPath()
        var framing = JSONFraming.lines
        /// The identifier of the element at which the closure stops, or throws an error.
        var stop: Int?
        var refused: Int?

        /// Whether a cursor is used instead of `forEach`, and the closure is never called.
        var pulls = false
        /// Whether an array is decoded, and the closure is never called.
        var collects = false
        /// Whether nothing is reported. A document is then read without intermediate state.
        var isSilent = false

        /// Whether the elements have positions.
        var hasPositions = false

        func run(_ input: some JSONInput, workers: JSONWorkers) -> Outcome {
            hasPositions
                ? run(JSONPositioned<Row>.self, input, workers: workers) : run(Row.self, input, workers: workers)
        }

        private func run<T: NotedRow>(_ type: T.Type, _ input: some JSONInput, workers: JSONWorkers) -> Outcome {
            let log = Log()
            var decoder = decoder
            decoder.workers = workers
            if !isSilent { log.observe(&decoder) }
            var outcome = Outcome()
            do throws(JSONModelError) {
                if collects {
                    outcome.calls = try decoder.decode([T].self, from: input, at: path).map { log.text($0) }
                    return outcome
                } else if pulls {
                    var cursor = decoder.cursor(of: type, in: input, at: path, framing: framing)
                    while let row = try cursor.next() {
                        log.add(log.text(row))
                        if row.row.id == stop { break }
                    }
                } else {
                    outcome.count = try decoder.forEach(type, in: input, at: path, framing: framing) { element in
                        log.add(log.text(element))
                        if element.row.id == refused { throw Refusal() }
                        return element.row.id == stop ? .stop : .continue
                    }
                }
            } catch { outcome.error = Outcome.text(error) }
            (outcome.calls, outcome.positions) = (log.calls.withLock { $0 }, log.positions.withLock { $0 })
            return outcome
        }

        /// Pushes chunks to a feed. The outcome has the elements, the error and the snapshot after each chunk.
        func feed(_ chunks: [[UInt8]], workers: JSONWorkers) -> Outcome {
            hasPositions
                ? feed(JSONPositioned<Row>.self, chunks, workers: workers)
                : feed(Row.self, chunks, workers: workers)
        }

        private func feed<T: NotedRow>(_ type: T.Type, _ chunks: [[UInt8]], workers: JSONWorkers) -> Outcome {
            let log = Log()
            var decoder = decoder
            decoder.workers = workers
            log.observe(&decoder)
            var calls: [String] = []
            func note(_ push: () throws(JSONModelError) -> [T]) {
                do throws(JSONModelError) { calls += try push().map { log.text($0) } } catch {
                    calls.append(Outcome.text(error))
                }
            }
            do {
                var feed = decoder.feed(of: type, at: path, framing: framing)
                for chunk in chunks {
                    note { () throws(JSONModelError) in try feed.push(chunk) }
                    let snapshot = feed.snapshot()
                    calls.append("\(snapshot.openPath.map { "\($0)" } ?? "-") \(snapshot.value?.row.id ?? -1)")
                }
                for _ in 0..<2 { note { () throws(JSONModelError) in try feed.finish() } }
            }
            return Outcome(calls, log, error: nil)
        }

        /// Reads an asynchronous sequence of chunks up to the element at which to stop. The outcome has the elements between the chunks.
        func elements(_ chunks: [[UInt8]], workers: JSONWorkers) async -> Outcome {
            hasPositions
                ? await elements(JSONPositioned<Row>.self, chunks, workers: workers)
                : await elements(Row.self, chunks, workers: workers)
        }

        private func elements<T: NotedRow>(_ type: T.Type, _ chunks: [[UInt8]], workers: JSONWorkers) async
            -> Outcome
        {
            let log = Log()
            var decoder = decoder
            decoder.workers = workers
            log.observe(&decoder)
            var error: JSONModelError?
            do {
                let source = NotedChunks(chunks: chunks) { log.add("chunk") }
                for try await element in decoder.elements(of: type, in: source, at: path, framing: framing) {
                    log.add(log.text(element))
                    if element.row.id == stop { break }
                }
            } catch let found { error = found as? JSONModelError }
            return Outcome([], log, error: error)
        }
    }

    /// Chunks, of which each request is noted.
    private struct NotedChunks: AsyncSequence, AsyncIteratorProtocol {
        var chunks: [[UInt8]]
        let note: () -> Void
        private var index = 0

        init(chunks: [[UInt8]], note: @escaping () -> Void) { (self.chunks, self.note) = (chunks, note) }

        func makeAsyncIterator() -> NotedChunks { self }

        mutating func next() async -> [UInt8]? {
            note()
            defer { index += 1 }
            return index < chunks.count ? chunks[index] : nil
        }
    }

    private static func workers(_ count: Int, batchSize: Int) -> JSONWorkers {
        var workers = JSONWorkers.exactly(count)
        workers.batchSize = batchSize
        return workers
    }

    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `an error after elements that threads decode has its line and column`(_ source: JSONModelDecoder.Source)
        throws
    {
        let rows = (0..<2_000).map { "{\"id\":\($0),\"name\":\"é\"}" }.joined(separator: ",\n")
        for end in ["],\n \"x\": y}", "],\n \"x\": 1", ",\n {\"id\":\"a\"}]}", ",\n ?]}"] {
            let text = "{\"items\":[\(rows)" + end
            func issue(_ workers: JSONWorkers) -> String {
                let decoder = JSONModelDecoder.with { ($0.source, $0.workers) = (source, workers) }
                var cursor = decoder.cursor(of: Row.self, in: text, at: "items[*]")
                let error = #expect(throws: JSONModelError.self) { while try cursor.next() != nil {} }
                return error.map { "\($0) \($0.issues.map(\.location))" } ?? ""
            }
            let expected = issue(.exactly(1))
            #expect(expected.contains("line 2001"), "\(expected)")
            #expect(issue(Self.workers(3, batchSize: 2_000)) == expected)
        }
    }

    // MARK: Random input

    private static func line(_ id: Int, _ random: inout SeededRandom, faults: Int) -> String {
        let name = String(repeating: random.pick(["x", "é", "\\n", "long text "]), count: random.below(12))
        switch random.below(faults) {
        case 0:
            return random.pick([
                "{\"id\":\"\(id)\"}", "{\"id\":\(id)", "nonsense", "{}", "{\"id\":1}}", "[", "\u{1F}",
                "\u{FEFF}{\"id\":1}",
            ])
        case 1: return "{\"id\":\(id),\"name\":\"refused\"}"
        case 2, 3: return "{\"id\":\(id),\"other\":{\"a\":[\"\(name)\"]}}"
        default:
            switch random.below(12) {
            case 0: return random.pick(["", "  ", "\t"])
            case 1: return "  {\"id\": \(id), \"name\": null } "
            case 2: return "{\"id\":\(id),\"name\":\"\(String(repeating: "y", count: random.below(900)))\"}"
            default: return "{\"id\":\(id),\"name\":\"\(name)\"}"
            }
        }
    }

    private static func text(lines: Int, _ random: inout SeededRandom, faults: Int) -> [UInt8] {
        var text = random.below(6) == 0 ? "\u{FEFF}" : ""
        for id in 0..<lines { text += line(id, &random, faults: faults) + (random.below(8) == 0 ? "\r\n" : "\n") }
        if random.below(3) == 0, text.hasSuffix("\n") { text.removeLast() }
        return Array(text.utf8)
    }

    /// Returns random lines, and a case with random options.
    private static func lines(_ random: inout SeededRandom) -> (bytes: [UInt8], test: Case) {
        let faults = random.pick([8, 60, 1_000_000])
        let bytes = text(lines: random.below(150), &random, faults: faults)
        var test = Case()
        test.decoder.source = random.pick(JSONModelDecoder.Source.allCases)
        test.decoder.unknownKeys = random.pick([.ignore, .report])
        test.decoder.elementErrors = random.pick([.throw, .skip])
        if random.below(3) == 0 { test.decoder.errorPolicy = .collect(limit: 3) }
        return (bytes, test)
    }

    @Test func `elements, issues and errors do not depend on the number of threads`() {
        for index in 0..<Rounds.of(600) {
            var random = SeededRandom(seed: 51, index: index)
            let (bytes, options) = Self.lines(&random)
            var test = options
            if random.below(3) == 0 { test.stop = random.below(150) }
            if random.below(3) == 0 { test.refused = random.below(150) }
            if random.below(6) == 0 { test.path = "$" }
            test.pulls = random.below(3) == 0
            test.hasPositions = random.below(3) == 0
            let expected = test.run(bytes, workers: .exactly(1))
            if test.pulls, test.refused == nil {
                // Issues and the summary come with the element that is taken next, as in `forEach`.
                var called = test
                called.pulls = false
                let other = called.run(bytes, workers: .exactly(1))
                #expect(other.calls == expected.calls && other.error == expected.error, "case \(index)")
            }
            for _ in 0..<3 {
                let workers = Self.workers(2 + random.below(3), batchSize: 1 + random.below(700))
                let size = 1 + random.below(bytes.count + 10)
                let found =
                    random.below(2) == 0
                    ? test.run(bytes, workers: workers)
                    : test.run(.chunks(bytes.pieces(of: size)), workers: workers)
                #expect(found == expected, "case \(index), \(workers), chunks of \(size)")
            }
            Self.expectRelease("case \(index)")
        }
    }

    /// Expects that all instances are released, the last ones by threads whose work is of no use.
    private static func expectRelease(_ comment: Comment) {
        let deadline = Date(timeIntervalSinceNow: 60)
        while Group.instances.live > 0, Date() < deadline { Thread.sleep(forTimeInterval: 0.001) }
        #expect(Group.instances.takeLive() == 0, comment)
    }

    // MARK: Documents

    private static func element(_ id: Int, _ random: inout SeededRandom, faults: Int) -> String {
        switch random.below(faults) {
        case 0:
            return random.pick([
                "{\"id\":\"\(id)\"}", "{\"id\":\(id)", "nonsense", "{}", "{\"id\":1}}", "[", "7", "null", "]", "}",
                "{\"id\":\(id)},", "{\"id\":\(id)}{\"id\":\(id)}",
            ])
        case 1: return "{\"id\":\(id),\"name\":\"refused\"}"
        default: break
        }
        switch random.below(10) {
        case 0: return "{\"id\":\(id),\"other\":[{\"id\":1},{\"id\":2,\"name\":\"a\"},{\"id\":3}]}"
        case 1: return "{\"id\":\(id),\"name\":\"},{\\\"id\\\":5,\\\"name\\\":\\\"x\"}"
        case 2: return "{\"id\":\(id),\"name\":\"\(String(repeating: "y", count: random.below(300)))\"}"
        case 3: return "{\"other\":{\"a\":[[{\"id\":1},{\"id\":2}]]},\"id\":\(id)}"
        case 4: return "{ \"id\" : \(id) }"
        default: return "{\"id\":\(id),\"name\":\"name of \(id)\"}"
        }
    }

    /// A document, and the path of its elements.
    private static func document(elements count: Int, _ random: inout SeededRandom, faults: Int) -> (
        bytes: [UInt8], path: JSONPath
    ) {
        let separator = random.pick([",", ",", ",\n", ",\n  ", " , "])
        var elements = ""
        for id in 0..<count {
            if id > 0 { elements += random.below(40) == 0 ? ", " : separator }
            elements += element(id, &random, faults: faults)
        }
        let array = random.pick(["[\(elements)]", "[ \(elements)\n]"])
        let (text, path): (String, JSONPath) =
            switch random.below(6) {
            case 0, 1: (array, random.pick(["$", "[*]"]))
            case 2: ("{\"items\":\(array),\"end\":[{\"id\":1},{\"id\":2}]}", "items")
            case 3: ("{\"first\":[\(elements)],\"a\":{\"items\":\(array)}}\n", "a.items[*]")
            case 4: ("{\"items\":\(array),\"items\":[{\"id\":1},{\"id\":2}]}", "items[*]")
            default: ("[{\"id\":1},\(array),\(array)]", "[1]")
            }
        var bytes = Array((random.below(6) == 0 ? "\u{FEFF}" : "").utf8) + Array(text.utf8)
        if faults < 100, random.below(4) == 0 { bytes.removeLast(random.below(bytes.count)) }
        if random.below(10) == 0 { bytes += Array("x".utf8) }
        return (bytes, path)
    }

    @Test(arguments: [0, 1, 2, 3])
    func `the elements of a document do not depend on the number of threads`(_ part: Int) {
        for index in stride(from: part, to: Rounds.of(500), by: 4) {
            var random = SeededRandom(seed: 52, index: index)
            let faults = random.pick([30, 300, 1_000_000, 1_000_000])
            let (bytes, path) = Self.document(elements: random.below(400), &random, faults: faults)
            var test = Case(path: path, framing: .document)
            test.decoder.source = random.pick(JSONModelDecoder.Source.allCases)
            test.decoder.unknownKeys = random.pick([.ignore, .ignore, .report])
            test.decoder.elementErrors = random.pick([.throw, .skip])
            if random.below(4) == 0 { test.decoder.errorPolicy = .collect(limit: 3) }
            if random.below(4) == 0 { test.stop = random.below(400) }
            if random.below(4) == 0 { test.refused = random.below(400) }
            if random.below(8) == 0 { test.decoder.limits.document = random.below(bytes.count + 1) }
            test.pulls = random.below(3) == 0
            test.isSilent = random.below(2) == 0
            test.collects = test.isSilent && path.components.last != .anyIndex && random.below(2) == 0
            test.hasPositions = !test.collects && random.below(3) == 0
            let expected = test.run(bytes, workers: .exactly(1))
            for _ in 0..<3 {
                let workers = Self.workers(2 + random.below(3), batchSize: 1 + random.below(700))
                let size = 1 + random.below(bytes.count + 10)
                // The excerpt of an error in chunks, which cannot be read again, ends with the byte at fault.
                let found =
                    test.isSilent || random.below(2) == 0
                    ? test.run(bytes, workers: workers)
                    : test.run(.chunks(bytes.pieces(of: size)), workers: workers)
                #expect(found == expected, "case \(index), \(workers), chunks of \(size)")
            }
            Self.expectRelease("case \(index)")
        }
    }

    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `several threads decode the elements of a document`(_ source: JSONModelDecoder.Source) throws {
        let rows = (0..<2_000).map { "{\"id\":\($0),\"name\":\"name\"}" }.joined(separator: ",\n")
        let text = "{\"items\":[\(rows)],\"count\":2000}"
        var decoder = JSONModelDecoder(from: source)
        decoder.workers = Self.workers(3, batchSize: 2_000)
        let page = JSONEnvelope(of: [String: JSONValue].self)
        var cursor = decoder.cursor(of: Row.self, in: text, at: "items[*]", envelope: page)
        var ids: [Int] = []
        while let row = try cursor.next() { ids.append(row.id) }
        #expect(ids == Array(0..<2_000))
        #expect(page.value?["count"] == 2000)
        #expect(try decoder.decode([Row].self, from: text, at: "items").map(\.id) == ids)
    }

    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `objects beside the elements of a document with an envelope are no elements`(
        _ source: JSONModelDecoder.Source
    ) throws {
        struct Count: JSONModel {
            let count: Int
            static let plan = ModelPlan<Count>(JSONField(\.count))
        }
        func rows(_ ids: Range<Int>) -> String {
            ids.map { "{\"id\":\($0),\"name\":\"name\"}" }.joined(separator: ",\n")
        }
        let text = "{\"items\":[\(rows(0..<500))],\"others\":[\(rows(500..<2_000))],\"count\":500}"
        var decoder = JSONModelDecoder(from: source)
        decoder.workers = Self.workers(3, batchSize: 2_000)
        let page = JSONEnvelope(of: Count.self)
        var cursor = decoder.cursor(of: Row.self, in: text, at: "items[*]", envelope: page)
        var ids: [Int] = []
        while let row = try cursor.next() { ids.append(row.id) }
        #expect(ids == Array(0..<500))
        #expect(page.value?.count == 500)
    }

    @Test func `a part of an array begins and ends after an element`() throws {
        let rows = (0..<100).map { $0 % 10 == 5 ? "{\"id\":{}}" : "{\"id\":\($0),\"name\":\"},{\\\"id\\\":1}\"}" }
        let ends = rows.reduce(into: [0]) { $0.append($0.last! + ($0.count > 1 ? 2 : 1) + $1.utf8.count) }
        let text = Array("[\(rows.joined(separator: ", "))]".utf8)
        let memory = UnsafeMutablePointer<Row>.allocate(capacity: 1)
        defer { memory.deallocate() }
        for source in JSONModelDecoder.Source.allCases {
            let decoder = JSONModelDecoder(from: source)
            let stream = try ElementStream(
                decoder, JSONShape.unretained(of: Row.self), at: "$", framing: .document, target: memory
            ) { _ in true }
            func parts(_ range: Range<Int>) -> [[Int]] {
                Self.withBatch(Array(text[range]), .elements, of: stream) { batch in
                    batch.parts.map {
                        [$0.range.lowerBound + range.lowerBound, $0.range.upperBound + range.lowerBound, $0.end]
                    }
                }
            }
            #expect(parts(ends[1]..<ends[4]) == [[ends[1], ends[4], 3]])
            // The elements before and after one with an issue.
            #expect(parts(ends[3]..<ends[12]) == [[ends[3], ends[5], 2], [ends[6], ends[12], 8]])
            // The end of the array, and text that is cut elsewhere.
            #expect(parts(ends[96]..<text.count) == [[ends[96], ends[100], 4]])
            #expect(parts(ends[1] + 1..<ends[4]).allSatisfy { $0[0] > ends[1] })
        }
        #expect(Group.instances.takeLive() == 0)
    }

    /// Calls a closure with the batch of a text, which a thread has decoded.
    private static func withBatch<Result>(
        _ text: [UInt8], _ content: BatchTask.Content, of stream: ElementStream, _ body: (TextBatch) -> Result
    ) -> Result {
        let batch = TextBatch(of: PendingBatches(threads: 1), stream.elements.layout)
        text.withUnsafeBufferPointer { bytes in
            var rest = bytes
            batch.take(rest.count, from: &rest, isKept: false)
        }
        batch.begin(BatchTask(stream, content, SharedFlag()))
        batch.wait()
        // The thread may still refer to the batch.
        defer { batch.removeElements() }
        return body(batch)
    }

    @Test func `lines with issues are left to the stream`() throws {
        let good = "{\"id\":1}\n"
        let memory = UnsafeMutablePointer<Row>.allocate(capacity: 1)
        defer { memory.deallocate() }
        for source in JSONModelDecoder.Source.allCases {
            let decoder = JSONModelDecoder(from: source)
            let stream = try ElementStream(
                decoder, JSONShape.unretained(of: Row.self), at: "", framing: .lines, target: memory
            ) { _ in true }
            let text = "1}\n\(good)\(good)  {\"id\":\"x\"}\nnonsense\n\n\(good) \n\(good)[\n{\"id\":2"
            Self.withBatch(Array(text.utf8), .lines, of: stream) { batch in
                let parts = batch.parts.map { String(decoding: batch.text($0.range), as: UTF8.self) }
                #expect(parts == ["\(good)\(good)", "\n\(good) \n\(good)"])
                #expect(batch.parts.map(\.end) == [2, 4])
                #expect(batch.parts.map(\.lines.lines) == [2, 4])
            }
        }
    }

    @Test func `values at a path, and several elements in a line`() {
        let text = (0..<200).map { "{\"a\":[{\"id\":\($0)},{\"id\":\($0 + 1_000)}]}\n" }.joined()
        for path: JSONPath in ["a[1]", "a[*]", "a[2]"] {
            for bytes in [Array(text.utf8), Array((text + "{\"b\":1}\n").utf8)] {
                let test = Case(path: path)
                let expected = test.run(bytes, workers: .exactly(1))
                #expect(test.run(bytes, workers: Self.workers(3, batchSize: 100)) == expected)
            }
        }
    }

    @Test func `elements before an error of reading are passed on`() {
        var random = SeededRandom(seed: 52)
        let bytes = Array("{\"id\":-1}\n".utf8) + Self.text(lines: 300, &random, faults: 1_000_000)
        for failure in [0, 1, 777, bytes.count - 1] {
            for (pulls, stop) in [(false, nil), (false, -1), (true, nil)] as [(Bool, Int?)] {
                var reading = FaultyReading(bytes: bytes)
                (reading.sizes, reading.failure, reading.isRegular) = ([333], failure, pulls)
                let test = Case(stop: stop, pulls: pulls)
                let expected = test.run(reading.input, workers: .exactly(1))
                #expect((expected.error != nil) == (stop == nil || failure < 10))
                #expect(test.run(reading.input, workers: Self.workers(2, batchSize: 64)) == expected)
            }
        }
    }

    @Test func `elements of a pipe are passed on before the next bytes are read`() throws {
        let text = Array((0..<50).map { "{\"id\":\($0),\"name\":\"a name\"}\n" }.joined().utf8)
        for size in [1, 7, 90, 400] {
            let received = Lock(0)
            let input = JSONReadingInput(length: nil) {
                var offset = 0
                return { target in
                    let lines = text[..<offset].count { $0 == 10 }
                    #expect(received.withLock { $0 } == lines, "reads of \(size)")
                    let part = text[offset..<min(offset + size, text.count)]
                    target.copyBytes(from: part)
                    offset += part.count
                    return part.count
                }
            }
            let decoder = JSONModelDecoder.with { $0.workers = Self.workers(2, batchSize: 64) }
            try decoder.forEach(Row.self, in: input, framing: .lines) { _ in received.withLock { $0 += 1 } }
            #expect(received.withLock { $0 } == 50)
            received.withLock { $0 = 0 }
            var cursor = decoder.cursor(of: Row.self, in: input, framing: .lines)
            while try cursor.next() != nil { received.withLock { $0 += 1 } }
            #expect(received.withLock { $0 } == 50)
        }
    }

    @Test func `elements of a compressed pipe are passed on before the next bytes are read`() throws {
        for format in JSONCompression.available {
            let pieces = Lock<[[UInt8]]>([])
            let destination = JSONDestination.writing { bytes in
                pieces.withLock { $0.append(Array(bytes)) }
                return bytes.count
            }
            var writer = try JSONModelEncoder().writer(to: destination.compressed(with: format), framing: .lines)
            for id in 0..<50 {
                try writer.write(["id": id])
                try writer.flush()
            }
            try writer.finish()
            let parts = pieces.withLock { $0 }
            try #require(parts.count >= 50)
            // The lines in the first parts, the first of which may have only the header.
            let counts = (0...parts.count).map { end in
                var count = 0
                _ = try? JSONModelDecoder().forEach(Row.self, in: Array(parts[..<end].joined()), framing: .lines) {
                    _ in count += 1
                }
                return count
            }
            let received = Lock(0)
            let input = JSONReadingInput(length: nil) {
                var index = 0
                return { target in
                    #expect(received.withLock { $0 } == counts[index])
                    if index == parts.count { return 0 }
                    target.copyBytes(from: parts[index])
                    index += 1
                    return parts[index - 1].count
                }
            }
            let decoder = JSONModelDecoder.with { $0.workers = Self.workers(2, batchSize: 64) }
            try decoder.forEach(Row.self, in: input, framing: .lines) { _ in received.withLock { $0 += 1 } }
            received.withLock { $0 = 0 }
            var cursor = decoder.cursor(of: Row.self, in: input, framing: .lines)
            while try cursor.next() != nil { received.withLock { $0 += 1 } }
        }
    }

    @Test func `compressed lines, and a stream that continues from a checkpoint`() throws {
        var random = SeededRandom(seed: 53)
        let bytes = Self.text(lines: 400, &random, faults: 100)
        var test = Case()
        test.decoder.elementErrors = .skip
        let workers = Self.workers(3, batchSize: 200)
        let expected = test.run(bytes, workers: .exactly(1))
        for format in JSONCompression.available {
            #expect(test.run(try format.compress(bytes), workers: workers) == expected)
        }
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("workers-\(UUID()).jsonl")
        try Data(bytes).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        var checkpoint: JSONCheckpoint?
        try test.decoder.forEach(JSONPositioned<Row>.self, in: .file(file.path), framing: .lines) { row in
            checkpoint = row.position.checkpoint
            return row.position.index == 100 ? .stop : .continue
        }
        let found: JSONCheckpoint = try #require(checkpoint)
        let rest: JSONFileInput = .file(file.path, from: found)
        let continued = test.run(rest, workers: .exactly(1))
        #expect(continued.calls.count < expected.calls.count)
        #expect(test.run(rest, workers: workers) == continued)
    }

    @Test func `bytes that look compressed only at the start of a batch`() {
        let text = Array("{\"id\":1}\n{\"id\":2}\n".utf8) + [0x1F, 0x8B, 0x08, 0x0A] + Array("{\"id\":3}\n".utf8)
        var test = Case()
        test.decoder.elementErrors = .skip
        let expected = test.run(text, workers: .exactly(1))
        for size in 1...30 { #expect(test.run(text, workers: Self.workers(2, batchSize: size)) == expected) }
    }

    // MARK: Chunks

    /// Compares the ways to read chunks with one thread.
    private static func check(_ test: Case, _ bytes: [UInt8], _ random: inout SeededRandom, index: Int) async {
        for _ in 0..<2 {
            let workers = workers(2 + random.below(3), batchSize: 1 + random.below(700))
            let size = 1 + random.below(bytes.count + 10)
            let chunks = bytes.pieces(of: size)
            let pushed = test.feed(chunks, workers: workers)
            #expect(
                pushed == test.feed(chunks, workers: .exactly(1)), "feed \(index), \(workers), chunks of \(size)")
            let expected = await test.elements(chunks, workers: .exactly(1))
            let found = await test.elements(chunks, workers: workers)
            #expect(found == expected, "elements \(index), \(workers), chunks of \(size)")
        }
        expectRelease("case \(index)")
    }

    @Test func `lines in chunks do not depend on the number of threads`() async {
        for index in 0..<Rounds.of(600) {
            var random = SeededRandom(seed: 54, index: index)
            let (bytes, options) = Self.lines(&random)
            var test = options
            if random.below(4) == 0 { test.stop = random.below(150) }
            test.hasPositions = random.below(3) == 0
            await Self.check(test, bytes, &random, index: index)
        }
    }

    @Test func `documents in chunks do not depend on the number of threads`() async {
        for index in 0..<Rounds.of(500) {
            var random = SeededRandom(seed: 55, index: index)
            let faults = random.pick([30, 300, 1_000_000, 1_000_000])
            var (bytes, path) = Self.document(elements: random.below(300), &random, faults: faults)
            if path == "$" { path = random.pick(["", "$"]) }
            // An object, which is the only element.
            if random.below(30) == 0 {
                bytes = Array("\n{\"id\":1,\"other\":".utf8) + bytes + Array("}".utf8)
                path = ""
            }
            var test = Case(path: path, framing: .document)
            test.decoder.source = random.pick(JSONModelDecoder.Source.allCases)
            test.decoder.unknownKeys = random.pick([.ignore, .ignore, .report])
            test.decoder.elementErrors = random.pick([.throw, .skip])
            if random.below(4) == 0 { test.decoder.errorPolicy = .collect(limit: 3) }
            if random.below(4) == 0 { test.stop = random.below(300) }
            if random.below(8) == 0 { test.decoder.limits.document = random.below(bytes.count + 1) }
            test.hasPositions = random.below(3) == 0
            await Self.check(test, bytes, &random, index: index)
        }
    }

    @Test(arguments: [JSONFraming.lines, .document]) func `compressed chunks`(_ framing: JSONFraming) async throws {
        var random = SeededRandom(seed: 56)
        let bytes =
            framing == .lines
            ? Self.text(lines: 400, &random, faults: 100)
            : Array(
                "[\((0..<400).map { Self.element($0, &random, faults: 1_000_000) }.joined(separator: ","))]".utf8)
        var test = Case(framing: framing)
        test.decoder.elementErrors = .skip
        for format in JSONCompression.available {
            let compressed = try format.compress(bytes)
            for size in [1, 100, 1_000, compressed.count] {
                let chunks = compressed.pieces(of: size)
                let workers = Self.workers(3, batchSize: 200)
                #expect(test.feed(chunks, workers: workers) == test.feed(chunks, workers: .exactly(1)))
                let expected = await test.elements(chunks, workers: .exactly(1))
                #expect(await test.elements(chunks, workers: workers) == expected)
            }
        }
    }

    @Test func `chunks that end with an error`() async throws {
        struct Failing: AsyncSequence, AsyncIteratorProtocol {
            var chunks: [[UInt8]]
            func makeAsyncIterator() -> Failing { self }
            mutating func next() async throws -> [UInt8]? {
                if chunks.isEmpty { throw Refusal() }
                return chunks.removeFirst()
            }
        }
        let text = (0..<1_000).map { "{\"id\":\($0)}\n" }.joined()
        let decoder = JSONModelDecoder.with { $0.workers = Self.workers(3, batchSize: 100) }
        var ids: [Int] = []
        await #expect(throws: Refusal.self) {
            for try await row in decoder.elements(
                of: Row.self, in: Failing(chunks: Array(text.utf8).pieces(of: 5_000)), framing: .lines)
            { ids.append(row.id) }
        }
        #expect(ids == Array(0..<1_000))
    }

    // MARK: Threads

    /// A string, and the thread that decoded the string.
    private struct Origin: JSONConvertible {
        static let threads = Lock<Set<ObjectIdentifier>>([])

        static var jsonShape: JSONShape {
            .scalar(Origin.self, expecting: "a string") { scalar in
                guard scalar.string != nil else { throw JSONModelError.ConversionFailure.mismatch }
                threads.withLock { _ = $0.insert(ObjectIdentifier(Thread.current)) }
                return Origin()
            } write: { _ in
                .null
            }
        }
    }

    @Test func `several threads decode, and the calling thread receives the elements`() throws {
        let text = String(repeating: "\"x\"\n", count: 2_000)
        let decoder = JSONModelDecoder.with { $0.workers = Self.workers(2, batchSize: 100) }
        let caller = ObjectIdentifier(Thread.current)
        var receivers: Set<ObjectIdentifier> = []
        Origin.threads.withLock { $0 = [] }
        let count = try decoder.forEach(Origin.self, in: text, framing: .lines) { _ in
            receivers.insert(ObjectIdentifier(Thread.current))
            // The other thread has batches to decode while this thread waits.
            let deadline = Date(timeIntervalSinceNow: 60)
            while Origin.threads.withLock({ $0.count }) < 2, Date() < deadline {
                Thread.sleep(forTimeInterval: 0.001)
            }
        }
        #expect(count == 2_000)
        #expect(receivers == [caller])
        #expect(Origin.threads.withLock { $0.count } >= 2)
    }

    /// A text of 2,000 elements, and its framing.
    private static let texts: [(String, JSONFraming)] = [
        (String(repeating: "[\"x\"]\n", count: 2_000), .lines),
        ("[\(Array(repeating: "[\"x\"]", count: 2_000).joined(separator: ","))]", .document),
    ]

    /// Decodes lines on two threads. The calling thread waits at the first element until another thread has decoded an element.
    private func expectSeveralThreads(_ input: some JSONInput, batchSize: Int) throws {
        let decoder = JSONModelDecoder.with { $0.workers = Self.workers(2, batchSize: batchSize) }
        Origin.threads.withLock { $0 = [] }
        var count = 0
        try decoder.forEach(Origin.self, in: input, framing: .lines) { _ in
            count += 1
            let deadline = Date(timeIntervalSinceNow: 30)
            while count == 1, Origin.threads.withLock({ $0.count }) < 2, Date() < deadline {
                Thread.sleep(forTimeInterval: 0.001)
            }
        }
        #expect(count == 2_000)
        #expect(Origin.threads.withLock { $0.count } >= 2)
    }

    @Test func `several threads decode a text of two batches, and chunks shorter than two batches`() throws {
        let text = String(repeating: "\"x\"\n", count: 2_000)
        try expectSeveralThreads(text, batchSize: 4_000)
        try expectSeveralThreads(.chunks(Array(text.utf8).pieces(of: 700)), batchSize: 400)
    }

    /// A string, or a value that fails as soon as another thread has decoded a string.
    private struct Held: JSONConvertible {
        let text: Instance<Group>

        static var jsonShape: JSONShape {
            .scalar(Held.self, expecting: "a string") { scalar in
                if let text = scalar.string { return Held(text: Instance(text)) }
                let deadline = Date(timeIntervalSinceNow: 30)
                while Group.instances.live == 0, Date() < deadline { Thread.sleep(forTimeInterval: 0.001) }
                throw JSONModelError.ConversionFailure.mismatch
            } write: { _ in
                .null
            }
        }
    }

    @Test func `an error destroys the elements that other threads have decoded`() {
        let decoder = JSONModelDecoder.with { $0.workers = Self.workers(3, batchSize: 100) }
        Group.instances.reset()
        var feed = decoder.feed(of: Held.self, framing: .lines)
        #expect(throws: JSONModelError.self) {
            try feed.push(("0\n" + String(repeating: "\"x\"\n", count: 2_000)).utf8)
        }
        #expect(Group.instances.live == 0)
        #expect(feed.summary.elements == 0)
    }

    @Test(arguments: texts)
    func `several threads decode elements with a position`(_ text: String, _ framing: JSONFraming) throws {
        let decoder = JSONModelDecoder.with { $0.workers = Self.workers(2, batchSize: 100) }
        Origin.threads.withLock { $0 = [] }
        var indexes: [Int] = []
        try decoder.forEach(JSONPositioned<[Origin]>.self, in: text, framing: framing) { element in
            indexes.append(element.position.index)
        }
        #expect(indexes == Array(0..<2_000))
        #expect(Origin.threads.withLock { $0.count } >= 2)
    }

    @Test(arguments: texts) func `several threads decode a chunk`(_ text: String, _ framing: JSONFraming)
        async throws
    {
        let decoder = JSONModelDecoder.with { $0.workers = Self.workers(2, batchSize: 100) }
        let chunks = Array(text.utf8).pieces(of: 7_000)
        Origin.threads.withLock { $0 = [] }
        var count = 0
        let source = NotedChunks(chunks: chunks) {}
        for try await _ in decoder.elements(of: [Origin].self, in: source, framing: framing) { count += 1 }
        #expect(count == 2_000)
        #expect(Origin.threads.withLock { $0.count } >= 2)
    }

    /// A value whose conversion waits, on a thread without a task, until the main actor has run another task.
    private struct Awaiting: JSONConvertible {
        static let outcome = Lock<DispatchTimeoutResult?>(nil)
        /// Whether the thread runs the task that receives the elements.
        @TaskLocal static var isReceiver = false

        static var jsonShape: JSONShape {
            .scalar(Awaiting.self, expecting: "a string") { _ in
                if !isReceiver, outcome.withLock({ $0 != .timedOut }) {
                    let hasRun = DispatchSemaphore(value: 0)
                    Task { @MainActor in hasRun.signal() }
                    let result = hasRun.wait(timeout: .now() + 30)
                    outcome.withLock { $0 = result }
                }
                return Awaiting()
            } write: { _ in
                .null
            }
        }
    }

    @MainActor
    @Test(
        arguments: texts.map { ($0.0, $0.1, JSONPath()) } + [
            // The text after the array follows elements that other threads decode.
            ("{\"a\":\(texts[1].0),\"b\":\(texts[1].0)}", .document, "a")
        ], [true, false])
    func `a task that waits for other threads does not block its thread`(
        _ text: (String, JSONFraming, JSONPath), _ inChunks: Bool
    ) async throws {
        let decoder = JSONModelDecoder.with { $0.workers = Self.workers(2, batchSize: 100) }
        Awaiting.outcome.withLock { $0 = nil }
        var count = 0
        try await Awaiting.$isReceiver.withValue(true) {
            if inChunks {
                let source = NotedChunks(chunks: Array(text.0.utf8).pieces(of: 7_000)) {}
                for try await _ in decoder.elements(of: [Awaiting].self, in: source, at: text.2, framing: text.1) {
                    count += 1
                }
            } else {
                for try await _ in decoder.elements(of: [Awaiting].self, in: text.0, at: text.2, framing: text.1) {
                    count += 1
                }
            }
        }
        #expect(count == 2_000)
        #expect(Awaiting.outcome.withLock { $0 } == .success)
    }

    /// A value whose conversion waits, on a thread without a task, until the consumer has left the stream.
    private struct Detained: JSONConvertible {
        let text: Instance<Group>
        static let hasLeft = Lock(false)
        static let waiting = Lock(0)
        static let hasFailed = Lock(false)

        static var jsonShape: JSONShape {
            .scalar(Detained.self, expecting: "a string") { scalar in
                if !Awaiting.isReceiver {
                    waiting.withLock { $0 += 1 }
                    let deadline = Date(timeIntervalSinceNow: 60)
                    while !hasLeft.withLock({ $0 }), Date() < deadline { Thread.sleep(forTimeInterval: 0.001) }
                    if Date() >= deadline { hasFailed.withLock { $0 = true } }
                }
                return Detained(text: Instance(scalar.string ?? ""))
            } write: { _ in
                .null
            }
        }
    }

    @Test(
        arguments: [
            (String(repeating: "[\"x\"]\n", count: 20_000), .lines),
            ("[\(Array(repeating: "[\"x\"]", count: 20_000).joined(separator: ","))]", .document),
        ] as [(String, JSONFraming)], [0, 1, 2])
    func `a consumer that leaves a stream waits for no other thread`(
        _ text: (String, JSONFraming), _ way: Int
    ) async throws {
        var decoder = JSONModelDecoder()
        // A batch is longer than a window of a cursor, which would wait for a second batch.
        decoder.workers = Self.workers(3, batchSize: 9_000)
        Detained.hasLeft.withLock { $0 = false }
        Detained.hasFailed.withLock { $0 = false }
        Detained.waiting.withLock { $0 = 0 }
        Group.instances.reset()
        try await Awaiting.$isReceiver.withValue(true) {
            // The consumer decodes the first elements of a document, and a share of the batches.
            if way == 0 {
                var cursor = decoder.cursor(of: [Detained].self, in: text.0, framing: text.1)
                while try cursor.next() != nil, Detained.waiting.withLock({ $0 == 0 }) {
                    try await Task.sleep(for: .milliseconds(1))
                }
            } else if way == 1 {
                for try await _ in decoder.elements(of: [Detained].self, in: text.0, framing: text.1) {
                    if Detained.waiting.withLock({ $0 > 0 }) { break }
                    try await Task.sleep(for: .milliseconds(1))
                }
            } else {
                let source = NotedChunks(chunks: [Array(text.0.utf8)]) {}
                for try await _ in decoder.elements(of: [Detained].self, in: source, framing: text.1) {
                    if Detained.waiting.withLock({ $0 > 0 }) { break }
                    try await Task.sleep(for: .milliseconds(1))
                }
            }
        }
        #expect(Detained.waiting.withLock { 1...2 ~= $0 })
        Detained.hasLeft.withLock { $0 = true }
        Self.expectRelease("the elements of other threads")
        #expect(Detained.hasFailed.withLock { !$0 })
        // Each thread has ended after its current element.
        #expect(Detained.waiting.withLock { 1...2 ~= $0 })
    }

    /// A value whose conversion takes a millisecond.
    private struct Slow: JSONConvertible {
        static let count = Lock(0)
        static let fails = Lock(false)

        static var jsonShape: JSONShape {
            .scalar(Slow.self, expecting: "a string") { _ in
                count.withLock { $0 += 1 }
                Thread.sleep(forTimeInterval: 0.001)
                if fails.withLock({ $0 }) { throw JSONModelError.ConversionFailure.mismatch }
                return Slow()
            } write: { _ in
                .null
            }
        }
    }

    @Test(arguments: texts, [1, 3])
    func `a task that is cancelled ends after the current element`(
        _ text: (String, JSONFraming), _ workers: Int
    ) async throws {
        for (inChunks, fails) in [(false, false), (true, false), (false, true)] {
            var decoder = JSONModelDecoder()
            decoder.workers = Self.workers(workers, batchSize: 6_000)
            decoder.elementErrors = .skip
            let reading = decoder
            Slow.count.withLock { $0 = 0 }
            Slow.fails.withLock { $0 = fails }
            let task = Task.detached {
                if inChunks {
                    let source = NotedChunks(chunks: [Array(text.0.utf8)]) {}
                    for try await _ in reading.elements(of: [Slow].self, in: source, framing: text.1) {}
                } else {
                    for try await _ in reading.elements(of: [Slow].self, in: text.0, framing: text.1) {}
                }
            }
            while Slow.count.withLock({ $0 < 10 }) { try await Task.sleep(for: .milliseconds(1)) }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            // All elements would take the threads a second or two.
            let count = Slow.count.withLock { $0 }
            #expect(count < 1_000, "\(count) of 2000, in chunks: \(inChunks), failing: \(fails)")
            try await Task.sleep(for: .milliseconds(100))
            let further = Slow.count.withLock { $0 } - count
            #expect(further <= workers, "\(further)")
        }
    }

    @Test(arguments: texts)
    func `several threads decode the chunk of a feed`(_ text: String, _ framing: JSONFraming) throws {
        let decoder = JSONModelDecoder.with { $0.workers = Self.workers(3, batchSize: 100) }
        Origin.threads.withLock { $0 = [] }
        var feed = decoder.feed(of: [Origin].self, framing: framing)
        #expect(try feed.push(text.utf8).count == 2_000)
        #expect(Origin.threads.withLock { $0.count } >= 2)
    }

    @Test(arguments: texts) func `the calling thread decodes short chunks`(_ text: String, _ framing: JSONFraming)
        throws
    {
        let decoder = JSONModelDecoder.with { $0.workers = Self.workers(4, batchSize: 500) }
        let chunks = Array(text.utf8).pieces(of: 999)
        Origin.threads.withLock { $0 = [] }
        var feed = decoder.feed(of: [Origin].self, framing: framing)
        for chunk in chunks { _ = try feed.push(chunk) }
        _ = try feed.finish()
        #expect(Origin.threads.withLock { $0 } == [ObjectIdentifier(Thread.current)])
    }

    /// Bytes that are reached one after another, and the number of steps.
    private struct Walked: Collection {
        let bytes: [UInt8]
        static let steps = Lock(0)

        var startIndex: Int { 0 }
        var endIndex: Int { bytes.count }
        subscript(index: Int) -> UInt8 { bytes[index] }

        func index(after index: Int) -> Int {
            Self.steps.withLock { $0 += 1 }
            return index + 1
        }
    }

    @Test func `chunks that are walked are not counted again and again`() async throws {
        let bytes = Array(String(repeating: "\"x\"\n", count: 50_000).utf8)
        var decoder = JSONModelDecoder()
        for (workers, batchSize) in [(1, 1_000), (2, 1_000), (2, 200_000)] {
            decoder.workers = Self.workers(workers, batchSize: batchSize)
            Walked.steps.withLock { $0 = 0 }
            var count = 0
            let chunks = AsyncStream { continuation in
                continuation.yield(Walked(bytes: bytes))
                continuation.finish()
            }
            for try await _ in decoder.elements(of: String.self, in: chunks, framing: .lines) { count += 1 }
            #expect(count == 50_000)
            #expect(Walked.steps.withLock { $0 } < 5 * bytes.count)
        }
    }

    @Test func `a short input needs no other thread`() throws {
        let decoder = JSONModelDecoder.with { $0.workers = .exactly(8) }
        Origin.threads.withLock { $0 = [] }
        try decoder.forEach(Origin.self, in: String(repeating: "\"x\"\n", count: 1_000), framing: .lines) { _ in }
        #expect(Origin.threads.withLock { $0 } == [ObjectIdentifier(Thread.current)])
    }

    @Test func `no thread decodes after the end of the call`() throws {
        let text = String(repeating: "\"x\"\n", count: 10_000)
        let decoder = JSONModelDecoder.with { $0.workers = Self.workers(4, batchSize: 100) }
        for stop in [0, 30, 500] {
            var count = 0
            try decoder.forEach(Origin.self, in: text, framing: .lines) { _ -> JSONModelDecoder.StreamControl in
                count += 1
                return count > stop ? .stop : .continue
            }
            Origin.threads.withLock { $0 = [] }
            Thread.sleep(forTimeInterval: 0.02)
            #expect(Origin.threads.withLock { $0.isEmpty })
        }
    }

    @Test func `progress grows to the length of the input`() throws {
        let text = String(repeating: "\"x\"\n", count: 5_000)
        let reports = Lock<[JSONProgress]>([])
        var decoder = JSONModelDecoder()
        decoder.workers = Self.workers(3, batchSize: 1_000)
        decoder.progressHandler = { progress in reports.withLock { $0.append(progress) } }
        try decoder.forEach(Origin.self, in: text, framing: .lines) { _ in }
        let found = reports.withLock { $0 }
        #expect(found.last == JSONProgress(bytes: text.utf8.count, totalBytes: text.utf8.count, elements: 5_000))
        #expect(found.count > 10)
        #expect(zip(found, found.dropFirst()).allSatisfy { $0.bytes <= $1.bytes && $0.elements <= $1.elements })
    }

    @Test func `numbers of workers`() {
        #expect(JSONModelDecoder().workers == .exactly(1))
        #expect(JSONWorkers.exactly(1).count == 1)
        #expect(JSONWorkers.exactly(0) == .exactly(1))
        #expect(JSONWorkers.exactly(3).count == 3)
        #expect(JSONWorkers.automatic.count == ProcessInfo.processInfo.activeProcessorCount)
    }
}

/// A row, or a row with a position.
private protocol NotedRow: JSONConvertible {
    var row: WorkerTests.Row { get }
    var notedPosition: JSONElementPosition? { get }
}

extension JSONPositioned: NotedRow where Value == WorkerTests.Row {
    fileprivate var row: WorkerTests.Row { value }
    fileprivate var notedPosition: JSONElementPosition? { position }
}
