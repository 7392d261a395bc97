import Foundation
import TestSupport
import Testing

@testable import SluiceCore
@testable import SluiceStreams

/// Borders between the elements of an array, at which several threads begin, and the number of these threads.
@Suite(.serialized, .tags(.workers)) struct BorderTests {
    private static func array(_ rows: some Sequence<String>, _ separator: String = ",") -> [UInt8] {
        Array("[\(rows.joined(separator: separator))]".utf8)
    }

    /// Returns the end of each element that is an object or array, from the end of the first one on.
    private func ends(_ text: [UInt8], from first: Int, piece: Int) throws -> [Int] {
        var position = try #require(ArrayPosition(after: text[first - 1]))
        var ends: [Int] = []
        text.withUnsafeBufferPointer { text in
            var start = first
            while start < text.count, !position.isAtEndOfArray {
                let next = UnsafeBufferPointer(rebasing: text[start..<min(start + piece, text.count)])
                start += position.advance(over: next, stopsAtElement: true)
                if position.isAtEndOfElement { ends.append(start) }
            }
        }
        #expect(position.isAtEndOfArray)
        return ends
    }

    @Test func `the ends of elements are found in any text`() throws {
        let element = [
            #"{"id":1}"#, "{}", "[]", #"[{"a":[[{}]]},"}"]"#, #"{"k\"}":"],[{\\"}"#, #"{"\\\\":"\\\""}"#,
            #"{"a":"\#(String(repeating: "},{", count: 40))"}"#,
            #"{"a":"\#(String(repeating: #"\\"#, count: 70))","b":[1]}"#, "{\n  \"é\" : \"\\u005D\" }",
        ]
        var random = SeededRandom(seed: 5)
        for _ in 0..<200 {
            var text = Array("[{}".utf8)
            var expected: [Int] = []
            for _ in 0..<Int.random(in: 0..<12, using: &random) {
                text += Array([",", " , ", ",\n"].randomElement(using: &random)!.utf8)
                text += Array(element.randomElement(using: &random)!.utf8)
                expected.append(text.count)
            }
            text += Array("]} ]".utf8)
            for piece in [1, 7, 63, 64, 65, 1_000] { #expect(try ends(text, from: 3, piece: piece) == expected) }
        }
    }

    /// Decodes an array with two workers. Returns the identifiers, and the numbers of batches.
    private func batches(
        _ text: [UInt8], batchSize: Int, elementErrors: JSONModelDecoder.ElementErrorPolicy = .throw
    ) throws -> (ids: [Int], hits: Int, misses: Int) {
        var decoder = JSONModelDecoder(from: .scanner)
        decoder.elementErrors = elementErrors
        decoder.workers = .exactly(2)
        decoder.workers.batchSize = batchSize
        var ids: [Int] = []
        let memory = UnsafeMutablePointer<Item>.allocate(capacity: 1)
        defer { memory.deallocate() }
        let stream = try ElementStream(
            decoder, JSONShape.unretained(of: Item.self), at: "", framing: .document, target: memory,
            lendsElements: true
        ) { element in
            ids.append(element.assumingMemoryBound(to: Item.self).pointee.id)
            return true
        }
        try text.withContent { content throws(JSONModelError) in try stream.read(content) }
        let batches = try #require(stream.distributedBatches)
        return (ids, batches.hits, batches.misses)
    }

    @Test func `the elements of other threads are found whatever their first values are`() throws {
        let text = Self.array((0..<40_000).map { "{\"id\":\(1_000_000 + $0),\"name\":\"n\"}" })
        let (ids, _, misses) = try batches(text, batchSize: 4_096)
        #expect(ids == Array(1_000_000..<1_040_000))
        #expect(misses == 0)
    }

    @Test func `the elements of other threads are found whatever their form is`() throws {
        let forms = [
            { (id: Int) in "{\"id\":\(id),\"name\":\"},{\\\"id\\\":0}\"}" },
            { (id: Int) in "{\"name\":[{\"id\":0},{\"id\":0}],\"id\":\(id)}" },
            { (id: Int) in "{ \"id\" : \(id) }" }, { (id: Int) in "{\"key\\n\":[],\"id\":\(id)}" },
            { (id: Int) in "{\"name\":\"\(String(repeating: "},{", count: 3_000))\",\"id\":\(id)}" },
        ]
        let rows = (0..<5_000).map { forms[$0 * 13 % 5]($0) }
        let (ids, hits, misses) = try batches(Self.array(rows), batchSize: 4_096)
        #expect(ids == Array(0..<5_000))
        #expect(hits > 0 && misses == 0, "\(hits) hits, \(misses) misses")
    }

    @Test func `elements between failed ones are those of other threads`() throws {
        let rows = (0..<20_000).map { $0 % 50 == 49 ? "{\"id\":null}" : "{\"id\":\($0)}" }
        let (ids, hits, misses) = try batches(Self.array(rows), batchSize: 4_096, elementErrors: .skip)
        #expect(ids == (0..<20_000).filter { $0 % 50 != 49 })
        #expect(hits > 0 && misses == 0, "\(hits) hits, \(misses) misses")
    }

    private struct RefusedRow: JSONModel, JSONHooks {
        struct Refusal: Error {}

        static let calls = Lock(0)
        var id: Int
        static let plan = ModelPlan<RefusedRow>(JSONField(\.id))

        func validate() throws {
            Self.calls.withLock { $0 += 1 }
            if id >= 500 { throw Refusal() }
        }
    }

    @Test(arguments: [JSONFraming.lines, .document])
    func `other threads leave a text in which each element fails`(_ framing: JSONFraming) throws {
        let count = 20_000
        let rows = (0..<count).map { "{\"id\":\($0)}" }
        let text = framing == .lines ? Array(rows.joined(separator: "\n").utf8) : Self.array(rows)
        var decoder = JSONModelDecoder(from: .scanner)
        decoder.elementErrors = .skip
        decoder.workers = .exactly(2)
        decoder.workers.batchSize = 4_096
        RefusedRow.calls.withLock { $0 = 0 }
        let passed = try decoder.forEach(RefusedRow.self, in: text, framing: framing) { _ in }
        #expect(passed == 500)
        let repeated = RefusedRow.calls.withLock { $0 } - count
        #expect(0...2_000 ~= repeated, "\(repeated)")
    }

    @Test func `many streams share their threads`() throws {
        let text = Self.array((0..<20_000).map { "{\"id\":\($0)}" })
        var decoder = JSONModelDecoder(from: .scanner)
        decoder.workers = .exactly(12)
        decoder.workers.batchSize = 2_048
        // Each cursor has batches that wait.
        var first: [Int] = []
        var greatest = 0
        func read(_ depth: Int) throws {
            var cursor = decoder.cursor(of: Item.self, in: text)
            first.append(try #require(try cursor.next()).id)
            greatest = max(greatest, BatchThreads.shared.count)
            if depth > 0 { try read(depth - 1) }
            var last = 0
            while let row = try cursor.next() { last = row.id }
            #expect(last == 19_999)
        }
        try read(40)
        #expect(first.count == 41 && first.allSatisfy { $0 == 0 })
        #expect(greatest <= BatchThreads.shared.limit)
    }

    @Test func `any number of workers can be set`() throws {
        let text = Self.array((0..<5_000).map { "{\"id\":\($0)}" })
        for count in [Int.min, -1, 0, 1, 1_000, .max] {
            var decoder = JSONModelDecoder()
            decoder.workers = .exactly(count)
            decoder.workers.batchSize = 1_000
            #expect(try decoder.decode([Item].self, from: text).map(\.id) == Array(0..<5_000))
        }
    }

    // MARK: Indexes of arrays

    @Test func `elements of an array are found by their indexes`() throws {
        struct Selected: JSONModel, Equatable {
            var a: Int?
            var b: Int?
            var c: Int?
            var d: Int?
            var e: Int?
            var f: Int?
            static let plan = ModelPlan<Selected>(
                JSONField(\.a, key: "x[0]"), JSONField(\.b, key: "x[1]"), JSONField(\.c, key: "x[8]"),
                JSONField(\.d, key: "x[64]"), JSONField(\.e, key: "x[4095]"), JSONField(\.f, key: "x[99999]"))
        }
        for count in [0, 1, 2, 9, 65, 4_095, 4_096, 5_000] {
            let text = "{\"x\":[\((0..<count).map(String.init).joined(separator: ","))]}"
            func element(_ index: Int) -> Int? { index < count ? index : nil }
            let expected = Selected(
                a: element(0), b: element(1), c: element(8), d: element(64), e: element(4_095), f: nil)
            for source in JSONModelDecoder.Source.allCases {
                #expect(try JSONModelDecoder(from: source).decode(Selected.self, from: text) == expected)
            }
        }
    }
}
