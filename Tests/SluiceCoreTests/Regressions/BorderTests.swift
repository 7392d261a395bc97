import Foundation
import TestSupport
import Testing

@testable import SluiceCore
@testable import SluiceStreams

extension Regressions {
    /// Borders between the elements of an array, which several threads search, and the number of these threads.
    @Suite(.serialized)
    struct BorderTests {
        private struct Row: JSONModel, Equatable {
            var id: Int
            static let plan = ModelPlan<Row>(JSONField(\.id, key: "id"))
        }

        /// Returns the border that the first bytes of a text show.
        private func border(_ text: [UInt8], in count: Int, batchSize: Int) throws -> ElementBorder? {
            let memory = UnsafeMutablePointer<JSONPositioned<JSONRaw>>.allocate(capacity: 1)
            defer { memory.deallocate() }
            var ends: [Int] = []
            let stream = try ElementStream(
                JSONModelDecoder(from: .scanner), JSONShape.unretained(of: JSONPositioned<JSONRaw>.self), at: "",
                framing: .document, target: memory
            ) { element in
                ends.append(
                    element.assumingMemoryBound(to: JSONPositioned<JSONRaw>.self).move().position.end.offset)
                return true
            }
            return try text.withUnsafeBufferPointer { bytes in
                let first = UnsafeBufferPointer(rebasing: bytes.prefix(count))
                try stream.decode(first)
                return ElementBorder(after: ends, in: first, batchSize: batchSize)
            }
        }

        private static func array(_ rows: some Sequence<String>, _ separator: String = ",") -> [UInt8] {
            Array("[\(rows.joined(separator: separator))]".utf8)
        }

        @Test func `a border learned from the first elements is found in all batches`() throws {
            // The first batch has the numbers from 1,000,000 to 1,000,340 or so, and no later batch has.
            let texts = [
                Self.array((0..<40_000).map { "{\"id\":\(1_000_000 + $0),\"name\":\"n\"}" }),
                Self.array((0..<40_000).map { "{\n    \"id\": \"a-\($0 / 10_000)\",\n    \"n\": 1\n  }" }, ",\n  "),
                Self.array((0..<40_000).map { "[\($0 / 20_000),2]" }),
                Self.array((0..<40_000).map { "[{\"id\":\(1_000_000 + $0)}]" }),
                Self.array((0..<40_000).map { "{\"a\\u0062\":\(1_000_000 + $0)}" }),
                Self.array((0..<40_000).map { $0 < 400 ? "{}" : "{\"id\":\($0)}" }),
                Self.array((0..<40_000).map { "{\"a very long first key\":\(1_000_000 + $0)}" }),
            ]
            for (index, text) in texts.enumerated() {
                let size = 8_192
                let border = try #require(try border(text, in: size, batchSize: size), "\(index)")
                var start = size
                while start + size < text.count {
                    let end = text[start..<start + size].withUnsafeBufferPointer {
                        border.firstEnd(in: $0, from: 0)
                    }
                    #expect(end != nil, "text \(index), batch at \(start)")
                    start += size
                }
            }
        }

        /// Decodes an array with two workers. Returns the identifiers, and the numbers of batches.
        private func batches(_ text: [UInt8], batchSize: Int) throws -> (ids: [Int], hits: Int, misses: Int) {
            var decoder = JSONModelDecoder(from: .scanner)
            decoder.workers = .exactly(2)
            decoder.workers.batchSize = batchSize
            var ids: [Int] = []
            let memory = UnsafeMutablePointer<Row>.allocate(capacity: 1)
            defer { memory.deallocate() }
            let stream = try ElementStream(
                decoder, JSONShape.unretained(of: Row.self), at: "", framing: .document, target: memory,
                lendsElements: true
            ) { element in
                ids.append(element.assumingMemoryBound(to: Row.self).pointee.id)
                return true
            }
            try text.withContent { content throws(JSONModelError) in try stream.read(content, of: Row.self) }
            let batches = try #require(stream.distributedBatches)
            return (ids, batches.hits, batches.misses)
        }

        @Test func `the elements of other threads are found whatever their first values are`() throws {
            let text = Self.array((0..<40_000).map { "{\"id\":\(1_000_000 + $0),\"name\":\"n\"}" })
            let (ids, _, misses) = try batches(text, batchSize: 4_096)
            #expect(ids == Array(1_000_000..<1_040_000))
            #expect(misses == 0)
        }

        @Test func `a border that is no longer found is learned again`() throws {
            let forms = [
                { (id: Int) in "{\"id\":\(id),\"name\":\"n\"}" }, { (id: Int) in "{\"name\":\"n\",\"id\":\(id)}" },
                { (id: Int) in "{ \"id\" : \(id) }" }, { (id: Int) in "{\"key\\n\":[],\"id\":\(id)}" },
            ]
            let rows = (0..<80_000).map { forms[$0 / 20_000]($0) }
            let (ids, hits, misses) = try batches(Self.array(rows), batchSize: 4_096)
            #expect(ids == Array(0..<80_000))
            // About 450 batches, of which five follow each change before its border is known.
            #expect(misses <= 30, "\(hits) hits, \(misses) misses")
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
                var cursor = decoder.cursor(of: Row.self, in: text)
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
                #expect(try decoder.decode([Row].self, from: text).map(\.id) == Array(0..<5_000))
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
                    JSONField(\.d, key: "x[64]"), JSONField(\.e, key: "x[4095]"), JSONField(\.f, key: "x[4000000]"))
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
}
