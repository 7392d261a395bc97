import Foundation
import GeneratedRecords
import Sluice
import Synchronization

/// The ways to read the elements of a file of records, each compared with `forEach` on an array.
struct Streams {
    /// A verb and a framing.
    struct Way {
        let name: String
        /// The least speed, as a share of that of `forEach`.
        let goal: Double
        let run: () throws -> Void
    }

    let bytes: Int
    /// The first way is `forEach` on an array.
    let ways: [Way]

    init(_ source: Source, scratch: Scratch, size: UInt64 = Corpus.recordBytes) throws {
        let array = try scratch.records(size)
        let lines = try scratch.recordLines(size)
        let text = [UInt8](try Data(contentsOf: URL(fileURLWithPath: array)))
        let decoder = source.decoder
        bytes = text.count
        ways = [
            Way(name: "forEach", goal: 0) {
                try decoder.forEach(Record.self, in: .file(array)) { (record: Record) in keep(record) }
            },
            Way(name: "cursor", goal: 0) {
                var cursor = decoder.cursor(of: Record.self, in: .file(array))
                while let record = try cursor.next() { keep(record) }
            },
            Way(name: "elements", goal: 0.95) {
                try wait {
                    for try await record in decoder.elements(of: Record.self, in: .file(array)) { keep(record) }
                }
            },
            Way(name: "feed", goal: 0) {
                var feed = decoder.feed(of: Record.self)
                for start in stride(from: 0, to: text.count, by: 65_536) {
                    for record in try feed.push(text[start..<min(start + 65_536, text.count)]) { keep(record) }
                }
                _ = try feed.finish()
            },
            Way(name: "forEach, lines", goal: 0.95) {
                try decoder.forEach(Record.self, in: .file(lines), framing: .lines) { (record: Record) in
                    keep(record)
                }
            },
            Way(name: "lines, all cores", goal: 0) {
                var decoder = decoder
                decoder.workers = .automatic
                try decoder.forEach(Record.self, in: .file(lines), framing: .lines) { (record: Record) in
                    keep(record)
                }
            },
            Way(name: "elements, lines", goal: 0) {
                try wait {
                    let records = decoder.elements(of: Record.self, in: .file(lines), framing: .lines)
                    for try await record in records { keep(record) }
                }
            },
        ]
    }

    /// Returns the speed of each way as a share of that of the first.
    func measure(rounds: Int) throws -> [Double] {
        let times = try Rounds(count: rounds).medians(of: ways.map(\.run))
        return times.map { times[0] / $0 }
    }
}

/// Waits for the end of an asynchronous function.
private func wait(_ body: @escaping @Sendable () async throws -> Void) throws {
    let end = DispatchSemaphore(value: 0)
    let failure = Mutex<(any Error)?>(nil)
    Task.detached {
        do { try await body() } catch { failure.withLock { $0 = error } }
        end.signal()
    }
    end.wait()
    if let error = failure.withLock({ $0 }) { throw error }
}
