import Foundation
import Sluice

/// Measurements of values that are read while their text arrives in pieces: `feed.snapshot().value` after each piece.
struct Live {
    let name: String
    let bytes: Int
    /// The number of pieces.
    let count: Int
    /// The goal in seconds; nil without one.
    let goal: Double?
    /// The runs: with a snapshot after each piece, of which the last one is held or not, and without snapshots.
    let dropped: () throws -> Void
    let held: () throws -> Void
    let pushed: () throws -> Void

    init(_ name: String, _ text: [UInt8], piece: Int, goal: Double?, _ source: Source) {
        let decoder = source.decoder
        self.name = name
        self.goal = goal
        bytes = text.count
        count = (text.count + piece - 1) / piece
        func read(_ body: (borrowing JSONElementFeed<Plan.Partial>) -> Void) throws {
            var feed = decoder.feed(of: Plan.Partial.self)
            var start = 0
            while start < text.count {
                let end = min(start + piece, text.count)
                keep(try feed.push(text[start..<end]))
                body(feed)
                start = end
            }
            keep(try feed.finish())
        }
        dropped = { try read { keep($0.snapshot().value) } }
        held = {
            var last: (snapshot: JSONSnapshot<Plan.Partial>, value: Plan.Partial?)?
            try read {
                let snapshot = $0.snapshot()
                last = (snapshot, snapshot.value)
            }
            keep(last)
        }
        pushed = { try read { _ in } }
    }

    /// The documents whose instructions and allocations for each piece are counted.
    static func counted(_ source: Source) -> [(live: Live, source: Source)] {
        LiveText.allCases.map { text in
            let document = text.document(10_000)
            return (Live(text.rawValue, document, piece: text.piece, goal: nil, source), source)
        } + [(Live("bytes", LiveText.list.document(4_000), piece: 1, goal: nil, source), source)]
    }

    /// The documents with goals.
    static func goals(_ source: Source) -> [Live] {
        [
            Live("4,000 pieces of one byte", LiveText.list.document(3_950), piece: 1, goal: 0.008, source),
            Live("200 KB of string, 10 bytes", LiveText.string.document(200_000), piece: 10, goal: 0.02, source),
            Live("200 KB in an enum, 10 bytes", LiveText.payload.document(200_000), piece: 10, goal: nil, source),
            Live("1 MB of string, 1 byte", LiveText.string.document(1_000_000), piece: 1, goal: 1, source),
            Live("4,000 elements, 20 bytes", LiveText.elements(4_000), piece: 20, goal: 0.04, source),
            Live(
                "0.87 MB of dictionary, 20 bytes", LiveText.dictionary.document(870_000), piece: 20, goal: nil,
                source),
        ]
    }
}

extension Live {
    /// Returns the shortest processor time of a run in seconds. Long runs are not repeated.
    static func shortestTime(_ run: () throws -> Void) throws -> Double {
        func now() -> Double {
            var time = timespec()
            clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
            return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
        }
        var (shortest, total, count) = (Double.infinity, 0.0, 0)
        repeat {
            let start = now()
            try run()
            let time = now() - start
            (shortest, total, count) = (min(shortest, time), total + time, count + 1)
        } while total < 0.5 && count < 50 || count < 3 && total < 1
        return shortest
    }
}

/// The time of Foundation for the same values: each prefix is completed and decoded.
struct LiveFoundation {
    static func read(_ text: [UInt8], piece: Int) throws {
        let decoder = JSONDecoder()
        var end = 0
        while end < text.count {
            end = min(end + piece, text.count)
            guard let prefix = LiveText.completed(text[..<end]) else { continue }
            keep(try? decoder.decode(PlanDraft.self, from: Data(prefix)))
        }
    }
}

/// The times of documents of growing length.
struct LiveScaling {
    let text: LiveText
    let name: String
    let run: (_ text: [UInt8], _ piece: Int) throws -> Void

    /// A size is left out if the one before took longer.
    private static let longest = 1.5
    static let sizes = [1_000, 4_000, 16_000, 64_000, 256_000, 1_000_000, 4_000_000]

    static func all(_ source: Source) -> [LiveScaling] {
        LiveText.allCases.flatMap { text in
            [
                LiveScaling(text: text, name: "dropped") {
                    try Live("", $0, piece: $1, goal: nil, source).dropped()
                },
                LiveScaling(text: text, name: "held") {
                    try Live("", $0, piece: $1, goal: nil, source).held()
                },
            ]
        }
    }

    static var foundation: [LiveScaling] {
        LiveText.allCases.map { text in
            LiveScaling(text: text, name: "Foundation") { try LiveFoundation.read($0, piece: $1) }
        }
    }

    /// Returns the shortest time of each size in seconds, and the slope of the logarithms.
    func measure() throws -> (times: [(bytes: Int, seconds: Double)], slope: Double) {
        var times: [(bytes: Int, seconds: Double)] = []
        for size in Self.sizes {
            if let last = times.last, last.seconds > Self.longest { break }
            let document = text.document(size)
            times.append((document.count, try Live.shortestTime { try run(document, text.piece) }))
        }
        return (times, Self.slope(times))
    }

    private static func slope(_ times: [(bytes: Int, seconds: Double)]) -> Double {
        let points = times.map { (log(Double($0.bytes)), log($0.seconds)) }
        let count = Double(points.count)
        let middle = points.reduce((0.0, 0.0)) { ($0.0 + $1.0 / count, $0.1 + $1.1 / count) }
        let above = points.reduce(0) { $0 + ($1.0 - middle.0) * ($1.1 - middle.1) }
        let below = points.reduce(0) { $0 + ($1.0 - middle.0) * ($1.0 - middle.0) }
        return above / below
    }
}
