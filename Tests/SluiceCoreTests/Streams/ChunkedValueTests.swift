import SluiceCodable
import SluiceCore
import SluiceStreams
import Synchronization
import TestSupport
import Testing

/// One value from chunks that arrive asynchronously: the result of the whole document.
@Suite(.tags(.streams)) struct ChunkedValueTests {
    private struct ReadFailure: Error {}

    /// Chunks, and the number that was requested.
    private struct Chunks: AsyncSequence, Sendable {
        let chunks: [[UInt8]]
        var failsAtEnd = false
        let requested = Counter()

        final class Counter: Sendable {
            private let value = Atomic(0)
            var count: Int { value.load(ordering: .relaxed) }
            func add() { value.add(1, ordering: .relaxed) }
        }

        init(_ text: some StringProtocol, of size: Int, failsAtEnd: Bool = false) {
            chunks = Array(text.utf8).pieces(of: size)
            self.failsAtEnd = failsAtEnd
        }

        struct AsyncIterator: AsyncIteratorProtocol {
            var chunks: ArraySlice<[UInt8]>
            let whole: Chunks

            mutating func next() async throws -> [UInt8]? {
                if chunks.isEmpty, whole.failsAtEnd { throw ReadFailure() }
                whole.requested.add()
                return chunks.popFirst()
            }
        }

        func makeAsyncIterator() -> AsyncIterator { AsyncIterator(chunks: chunks[...], whole: self) }
    }

    private struct Order: JSONModel, Equatable {
        var id: Int
        var items: [Item]
        static let plan = ModelPlan<Order>(JSONField(\.id), JSONField(\.items))
    }

    /// The same as a type without a plan.
    private struct Plain: Decodable, Equatable {
        struct Item: Decodable, Equatable { var id: Int }
        var id: Int
        var items: [Item]
    }

    private static let valid = #"{"id": 1, "items": [{"id": 2}, {"id": 3}]} "#

    /// Returns the value, or the issues, as a text.
    private func outcome<T>(_ body: () async throws -> T) async throws -> String {
        do { return "\(try await body())" } catch let error as JSONModelError {
            return error.issues.map { "\($0), offset \($0.location.offset), element \($0.elementIndex ?? -1)" }
                .joined(separator: "\n")
        }
    }

    @Test(arguments: [
        valid, #"{"id": 1, "items": []}"#, "", " ", "{", "null", "[]", "7", #"{"id": 1, "items": [{"id": 2}"#,
        #"{"id": true, "items": [{"id": 2}, {"id": "x"}, {}]}"#, #"{"id": 1, "items": []} x"#,
        #"{"id": 1, "items": [{"id": 2}, {"id" 3}]}"#, #"{"items": [{"id": 2}]}"#,
        "\u{FEFF}" + #"{"id": 1, "items": []}"#,
        #"{"id": 1, "items": [], "note": "\#(String(repeating: "a", count: 500))"}"#,
    ])
    func `a value and its errors are those of the whole document`(_ text: String) async throws {
        for source in JSONModelDecoder.Source.allCases {
            var decoder = JSONModelDecoder.collecting
            decoder.source = source
            decoder.limits.document = 400
            for path in ["$", "items", "items[1].id", "items[9]"] as [JSONPath] {
                func compare<T: JSONConvertible>(_ type: T.Type) async throws {
                    let whole = try await outcome { () throws in
                        try decoder.decode(type, from: .chunks([Array(text.utf8)]), at: path)
                    }
                    for size in [1, 7, 1_000] {
                        let chunks = Chunks(text, of: size)
                        let found = try await outcome { try await decoder.decode(type, from: chunks, at: path) }
                        #expect(found == whole, "\(source), chunks of \(size), \(path)")
                    }
                }
                if path.components.isEmpty {
                    try await compare(Order.self)
                    try await compare(JSONValue.self)
                    try await compare([Item].self)
                    let plain = try await outcome { () throws in
                        try decoder.decode(Plain.self, from: Array(text.utf8))
                    }
                    let found = try await outcome {
                        try await decoder.decode(Plain.self, from: Chunks(text, of: 7))
                    }
                    #expect(found.hasPrefix("Plain(") == plain.hasPrefix("Plain("), "\(found)\n\(plain)")
                } else {
                    try await compare([Item].self)
                    try await compare(Int.self)
                }
            }
        }
    }

    @Test func `no chunk is requested after an error, or after the requested values`() async throws {
        let broken = Chunks(#"{"id":1,]"# + String(repeating: " ", count: 100), of: 1)
        await #expect(throws: JSONModelError.self) { try await JSONModelDecoder().decode(Order.self, from: broken) }
        #expect(broken.requested.count == 9)
        let rest = #", "note": "\#(String(repeating: "a", count: 100))"} x"#
        let long = Chunks(Self.valid.dropLast(2) + rest, of: 1)
        let decoder = JSONModelDecoder.with { $0.stopsEarly = true }
        #expect(try await decoder.decode(Order.self, from: long).items.count == 2)
        #expect(long.requested.count < 60)
    }

    @Test func `the error of the chunks is thrown`() async throws {
        let chunks = Chunks(Self.valid, of: 5, failsAtEnd: true)
        await #expect(throws: ReadFailure.self) { try await JSONModelDecoder().decode(Order.self, from: chunks) }
    }

    @Test func `a cancelled task receives no value`() async throws {
        let (stream, continuation) = AsyncStream.makeStream(of: [UInt8].self)
        continuation.yield(Array(Self.valid.utf8))
        let task = Task { try await JSONModelDecoder().decode(Order.self, from: stream) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func `bytes one by one are chunks, and reports are made once`() async throws {
        let log = IssueLog()
        var decoder = JSONModelDecoder()
        decoder.issueHandler = { log.add($0) }
        decoder.elementErrors = .skip
        decoder.summaryHandler = { _ in Issue.record("the value is not an element") }
        let bytes = AsyncStream<UInt8> { continuation in
            for byte in Self.valid.utf8 { continuation.yield(byte) }
            continuation.finish()
        }
        #expect(try await decoder.decode(Order.self, from: bytes.jsonChunks()).id == 1)
        let wrong = Chunks(#"{"id":1,"items":[1]}"#, of: 3)
        await #expect(throws: JSONModelError.self) { try await decoder.decode(Order.self, from: wrong) }
        #expect(log.issues.isEmpty)
    }
}
