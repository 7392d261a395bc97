import SluiceCore
import SluiceStreams
import Synchronization
import TestSupport
import Testing

enum StreamInstances: InstanceGroup { static let instances = InstanceCounter() }

@Suite(.serialized, .tags(.streams)) struct ElementSequenceTests {
    typealias Counted = Instance<StreamInstances>

    /// A file whose read fails in the middle.
    private struct ReadFailure: Error, Equatable {}

    /// Counts the chunks that were requested.
    private struct CountedChunks: AsyncSequence {
        let chunks: [[UInt8]]
        let requested: Requests
        var failsAtEnd = false

        final class Requests: Sendable {
            private let requests = Atomic<Int>(0)
            private let released = Atomic<Bool>(false)
            var count: Int { requests.load(ordering: .sequentiallyConsistent) }
            var isReleased: Bool { released.load(ordering: .sequentiallyConsistent) }
            func add() { requests.add(1, ordering: .sequentiallyConsistent) }
            func release() { released.store(true, ordering: .sequentiallyConsistent) }
        }

        final class Token {
            let requests: Requests
            init(_ requests: Requests) { self.requests = requests }
            deinit { requests.release() }
        }

        struct AsyncIterator: AsyncIteratorProtocol {
            var chunks: ArraySlice<[UInt8]>
            let token: Token
            let failsAtEnd: Bool

            mutating func next() async throws -> [UInt8]? {
                if chunks.isEmpty, failsAtEnd { throw ReadFailure() }
                token.requests.add()
                return chunks.popFirst()
            }
        }

        func makeAsyncIterator() -> AsyncIterator {
            AsyncIterator(chunks: chunks[...], token: Token(requested), failsAtEnd: failsAtEnd)
        }
    }

    private static func chunks(_ count: Int, of size: Int = 100) -> [[UInt8]] {
        Array(("[" + (0..<count).map { "\"\($0)\"" }.joined(separator: ",") + "]").utf8).pieces(of: size)
    }

    @Test func `chunks are requested when the elements before are consumed`() async throws {
        let requests = CountedChunks.Requests()
        let chunks = CountedChunks(chunks: Self.chunks(1_000), requested: requests)
        var iterator = JSONModelDecoder().elements(of: String.self, in: chunks).makeAsyncIterator()
        #expect(requests.count == 0)
        for number in 0..<20 { #expect(try await iterator.next() == "\(number)") }
        #expect(requests.count == 1)
    }

    @Test func `iterators have a summary, and feeds take spans`() async throws {
        let decoder = JSONModelDecoder.with { $0.elementErrors = .skip }
        let text = Array("[1,\"x\",3]".utf8)
        var iterator = decoder.elements(of: Int.self, in: text).makeAsyncIterator()
        while try await iterator.next() != nil {}
        #expect(iterator.summary.elements == 2 && iterator.summary.skipped == 1)
        var chunked = decoder.elements(of: Int.self, in: CountedChunks(chunks: [text], requested: .init()))
            .makeAsyncIterator()
        while try await chunked.next() != nil {}
        #expect(chunked.summary.elements == 2 && chunked.summary.skipped == 1)
        var feed = decoder.feed(of: Int.self)
        var elements = try feed.push(text.span.extracting(0..<5))
        elements += try feed.push(text.span.extracting(5..<text.count))
        elements += try feed.finish()
        #expect(elements == [1, 3] && feed.summary.skipped == 1)
    }

    @Test func `break releases the chunks and the elements`() async throws {
        StreamInstances.instances.reset()
        let requests = CountedChunks.Requests()
        let chunks = CountedChunks(chunks: Self.chunks(1_000, of: 1_000), requested: requests)
        for try await element in JSONModelDecoder().elements(of: Counted.self, in: chunks) where element.text == "5"
        { break }
        #expect(StreamInstances.instances.live == 0)
        #expect(requests.isReleased)
    }

    /// The chunks end when the task is cancelled.
    @Test func `cancellation while chunks are awaited is not the end of the text`() async throws {
        final class Issues: Sendable { let count = Atomic<Int>(0) }
        let issues = Issues()
        var decoder = JSONModelDecoder.with { $0.elementErrors = .skip }
        decoder.issueHandler = { _ in issues.count.add(1, ordering: .sequentiallyConsistent) }
        let (chunks, continuation) = AsyncStream.makeStream(of: [UInt8].self)
        let (received, receipt) = AsyncStream.makeStream(of: Int.self)
        let elements = decoder.elements(of: Int.self, in: chunks, framing: .lines)
        let task = Task { for try await element in elements { receipt.yield(element) } }
        continuation.yield(Array("1\n[".utf8))
        for await element in received {
            #expect(element == 1)
            break
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(issues.count.load(ordering: .sequentiallyConsistent) == 0)
    }

    @Test func `cancellation ends the loop and releases everything`() async throws {
        StreamInstances.instances.reset()
        let requests = CountedChunks.Requests()
        let task = Task {
            var count = 0
            let chunks = CountedChunks(chunks: Self.chunks(100_000), requested: requests)
            for try await _ in JSONModelDecoder().elements(of: Counted.self, in: chunks) {
                count += 1
                if count == 50 { withUnsafeCurrentTask { $0?.cancel() } }
            }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(StreamInstances.instances.live == 0)
        #expect(requests.count < 20)
        #expect(requests.isReleased)
    }

    @Test func `an error of the chunks follows the elements before, and is not an end of input`() async throws {
        let chunks = CountedChunks(chunks: [Array("[\"a\",\"b\",\"c".utf8)], requested: .init(), failsAtEnd: true)
        var elements: [String] = []
        do {
            for try await element in JSONModelDecoder().elements(of: String.self, in: chunks) {
                elements.append(element)
            }
            Issue.record("no error")
        } catch { #expect(error is ReadFailure) }
        #expect(elements == ["a", "b"])
    }

    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `an error of the chunks ends the sequence`(_ source: JSONModelDecoder.Source) async throws {
        let chunks = AsyncThrowingStream<[UInt8], any Error> { continuation in
            continuation.yield(Array("1\n23".utf8))
            continuation.finish(throwing: ReadFailure())
        }
        let numbers = JSONModelDecoder(from: source).elements(of: Int.self, in: chunks, framing: .lines)
        var iterator = numbers.makeAsyncIterator()
        #expect(try await iterator.next() == 1)
        await #expect(throws: ReadFailure.self) { _ = try await iterator.next() }
        // The last number may lack digits.
        #expect(try await iterator.next() == nil)
    }

    @Test func `an unusable plan is an error of the first call`() async throws {
        struct Unusable: JSONModel {
            var a = 0
            var b = 0
            static let plan = ModelPlan<Unusable>(JSONField(\.a, key: "a"), JSONField(\.b, key: "a"))
        }
        let decoder = JSONModelDecoder()
        var iterator = decoder.elements(of: Unusable.self, in: "[]").makeAsyncIterator()
        await #expect(throws: JSONModelError.self) { _ = try await iterator.next() }
        #expect(try await iterator.next() == nil)
        var feed = decoder.feed(of: Unusable.self)
        #expect(throws: JSONModelError.self) { _ = try feed.push("[".utf8) }
    }

    @Test func `a sequence can be iterated by another actor, and again`() async throws {
        let elements = JSONModelDecoder().elements(of: Int.self, in: "[1,2,3]")
        let task = Task.detached { () -> Int in
            var sum = 0
            for try await element in elements { sum += element }
            return sum
        }
        #expect(try await task.value == 6)
        var sum = 0
        for try await element in elements { sum += element }
        #expect(sum == 6)
    }

    @Test func `a feed returns elements with their closing token, and an error after them`() throws {
        var feed = JSONModelDecoder().feed(of: Int.self, at: "items[*]")
        #expect(try feed.push("{\"items\":[1".utf8) == [])
        #expect(try feed.push(",22,[".utf8) == [1, 22])
        #expect(throws: JSONModelError.self) { try feed.push("3]".utf8) }
        #expect(try feed.push(",4]}".utf8) == [])
        #expect(try feed.finish() == [])
    }

    @Test func `an open element is released before the plans of its decoder`() throws {
        struct Pair: JSONModel {
            var firstPart: Counted
            var parts: [Counted]
            static let plan = ModelPlan<Pair>(
                JSONField(\.firstPart, name: "firstPart"), JSONField(\.parts, name: "parts"))
        }
        StreamInstances.instances.reset()
        for source in JSONModelDecoder.Source.allCases {
            var decoder = JSONModelDecoder(from: source)
            decoder.keyStrategy = .snakeCase
            var feed = decoder.feed(of: Pair.self, at: "a.b[*]")
            decoder = JSONModelDecoder()
            #expect(try feed.push(#"{"a":{"b":[{"first_part":"x","parts":["y","z""#.utf8).isEmpty)
            #expect(StreamInstances.instances.live >= 2)
            _ = consume feed
            #expect(StreamInstances.instances.live == 0)
        }
    }

    @Test func `a cursor reads an input when asked`() throws {
        StreamInstances.instances.reset()
        do {
            var cursor = JSONModelDecoder().cursor(of: Counted.self, in: .chunks(Self.chunks(1_000)))
            for number in 0..<100 { #expect(try cursor.next()?.text == "\(number)") }
        }
        #expect(StreamInstances.instances.live == 0)
        var numbers = JSONModelDecoder().cursor(of: Int.self, in: JSONValue.array([1, 2]))
        #expect(try numbers.next() == 1 && numbers.next() == 2 && numbers.next() == nil && numbers.next() == nil)
    }

    @Test func `closing brackets deliver values of objects, and the end of the array is not needed`() throws {
        var feed = JSONModelDecoder().feed(of: [Int].self)
        #expect(try feed.push("[[1,2]".utf8) == [[1, 2]])
        #expect(try feed.push(",[3".utf8) == [])
        #expect(try feed.push("]".utf8) == [[3]])
        #expect(throws: JSONModelError.self) { try feed.finish() }
    }
}
