import Foundation
import Sluice

struct Item: JSONModel, Equatable {
    let id: Int
    var name: String?

    static let plan = ModelPlan<Item>(JSONField(\.id, key: "id"), JSONField(\.name, key: "name"))
}

struct Page: JSONModel {
    let total: Int

    static let plan = ModelPlan<Page>(JSONField(\.total, key: "total"))
}

/// A type with Codable alone.
struct Record: Codable, Equatable {
    let id: Int
    let name: String?
}

/// The inputs of the loops: three elements, and lines of which the third is not JSON.
struct Inputs: Sendable {
    let lines: [UInt8]
    let broken: [UInt8]
    let page: String
    let path: String

    init() throws {
        lines = Array("{\"id\":1,\"name\":\"a\"}\n{\"id\":2}\n{\"id\":3,\"name\":null}\n".utf8)
        broken = Array("{\"id\":1}\n{\"id\":2}\nnonsense\n{\"id\":4}\n".utf8)
        page = #"{"items":[{"id":1},{"id":2},{"id":3}],"total":3}"#
        path =
            FileManager.default.temporaryDirectory.appendingPathComponent("sluice-loops-\(UUID().uuidString)").path
        try Data(lines).write(to: URL(fileURLWithPath: path))
    }

    func remove() { try? FileManager.default.removeItem(atPath: path) }

    /// The lines in chunks that end anywhere.
    var chunks: [[UInt8]] {
        stride(from: 0, to: lines.count, by: 7).map { Array(lines[$0..<min($0 + 7, lines.count)]) }
    }

    var stream: AsyncStream<[UInt8]> {
        AsyncStream { continuation in
            for chunk in chunks { continuation.yield(chunk) }
            continuation.finish()
        }
    }

    var failingStream: AsyncThrowingStream<[UInt8], any Error> {
        AsyncThrowingStream { continuation in
            for chunk in chunks.prefix(3) { continuation.yield(chunk) }
            continuation.finish(throwing: Lost())
        }
    }

    var ready: ReadySequence<[UInt8]> { ReadySequence(values: chunks) }

    var bytes: ReadySequence<UInt8> { ReadySequence(values: lines) }
}

struct Lost: Error {}

/// A sequence whose iterator never waits.
struct ReadySequence<Element: Sendable>: AsyncSequence, Sendable {
    let values: [Element]

    struct AsyncIterator: AsyncIteratorProtocol {
        var rest: ArraySlice<Element>

        mutating func next() async -> Element? { rest.popFirst() }

        mutating func next(isolation actor: isolated (any Actor)?) async -> Element? { rest.popFirst() }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(rest: values[...]) }
}

func check(_ condition: Bool, _ message: @autoclosure () -> String, line: Int = #line) {
    guard condition else { fatalError("line \(line): \(message())") }
}
