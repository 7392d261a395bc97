/// The measured speeds of a corpus with a token source, in MB/s.
struct Result {
    let corpus: Corpus
    let way: Corpus.Way
    let floor: Double
    let sluice: Double
    let foundation: Double

    var share: Double { sluice / floor }
    var multiple: Double { sluice / foundation }
}

/// A measurement in rounds. Each round runs all ways in turn.
///
/// Changes in the speed of the machine therefore affect all ways equally.
struct Rounds {
    let count: Int

    func measure(_ corpus: Corpus) throws -> [Result] {
        try corpus.verify()
        let times = try medians(of: [corpus.bare, corpus.foundation] + corpus.sluice.map(\.run))
        let speeds = times.map { Double(corpus.bytes) / 1e6 / $0 }
        return zip(corpus.sluice, speeds.dropFirst(2)).map { way, speed in
            Result(corpus: corpus, way: way, floor: speeds[0], sluice: speed, foundation: speeds[1])
        }
    }

    /// Returns the median time of each way, in seconds.
    func medians(of ways: [() throws -> Void]) throws -> [Double] { try samples(of: ways).map { Self.median($0) } }

    /// Returns the shortest time of each way, in seconds.
    func shortest(of ways: [() throws -> Void]) throws -> [Double] { try samples(of: ways).map { $0.min() ?? 0 } }

    private func samples(of ways: [() throws -> Void]) throws -> [[Double]] {
        // The first run of each way warms the caches and determines the number of runs in a sample.
        let repeats = try ways.map { way in sampleSize(for: try time(way, 1)) }
        var samples = [[Double]](repeating: [], count: ways.count)
        for round in 0..<count {
            for step in ways.indices {
                // The order rotates, so that no way always follows the slowest one.
                let way = (step + round) % ways.count
                samples[way].append(try time(ways[way], repeats[way]))
            }
        }
        return samples
    }

    /// Returns the number of runs in a sample of about 30 ms.
    ///
    /// Such a sample is long compared with the resolution of the clock, and short compared with changes in machine speed.
    private func sampleSize(for seconds: Double) -> Int {
        max(1, min(100, Int(0.03 / seconds)))
    }

    /// Returns the time of a run in seconds.
    private func time(_ way: () throws -> Void, _ repeats: Int) rethrows -> Double {
        let start = ContinuousClock.now
        for _ in 0..<repeats { try way() }
        return start.duration(to: .now) / .seconds(1) / Double(repeats)
    }

    static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        let middle = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }
}
