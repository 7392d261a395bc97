import Foundation
import GeneratedRecords
import Sluice
import Synchronization

/// A measurement of decodes that run on several threads at once and share no data except a decoder.
struct Threads {
    let name: String
    /// Decodes once. Called by every thread.
    let run: @Sendable () throws -> Void
    /// The number of runs of a thread in one sample.
    let runs: Int
    /// The goal: the throughput of two threads, in multiples of the throughput of one thread.
    let goal: Double

    static func all(_ source: Source, scratch: Scratch) throws -> [Threads] {
        let size: UInt64 = 4_000_000
        let text = RecordGenerator(size: size).bytes()
        let path = try scratch.records(size)
        let small = try Array(JSONModelDecoder().decode([JSONRaw].self, from: text)[0].description.utf8)
        let decoder = source.decoder
        return [
            Threads(name: "records_stream", runs: 8, goal: 1.9) {
                try decoder.forEach(Record.self, in: .file(path), at: "[*]") { (record: Record) in keep(record) }
            },
            Threads(name: "records", runs: 8, goal: 1.8) { keep(try decoder.decode([Record].self, from: text)) },
            Threads(name: "record, decoder shared", runs: 40_000, goal: 1.9) {
                keep(try decoder.decode(Record.self, from: small))
            },
            // No decoding: the loop shows the multiple that the machine allows.
            Threads(name: "(plain loop)", runs: 40, goal: 0) {
                var sum = 0
                for value in 0..<1_000_000 { sum = sum &* 31 &+ value }
                keep(sum)
            },
        ]
    }

    private init(name: String, runs: Int, goal: Double, run: @escaping @Sendable () throws -> Void) {
        (self.name, self.runs, self.goal, self.run) = (name, runs, goal, run)
    }

    /// Returns the throughput of two threads, as a multiple of the throughput of one thread.
    ///
    /// The shortest times are compared. Other processes need a core now and then, which delays two threads more than one.
    func measure(rounds: Int) throws -> Double {
        try run()
        let times = try Rounds(count: rounds).shortest(of: [{ try self.time(1) }, { try self.time(2) }])
        return 2 * times[0] / times[1]
    }

    /// Performs the runs on a number of threads at once.
    private func time(_ threads: Int) throws {
        let failure = Mutex<(any Error)?>(nil)
        DispatchQueue.concurrentPerform(iterations: threads) { _ in
            do { for _ in 0..<runs { try run() } } catch { failure.withLock { $0 = error } }
        }
        if let failure = failure.withLock({ $0 }) { throw failure }
    }
}
