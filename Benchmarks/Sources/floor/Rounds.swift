/// The measured speeds of one corpus with one source, in MB/s.
struct Result {
    let corpus: Corpus
    let way: Corpus.Way
    let floor: Double
    let sluice: Double
    let foundation: Double

    var share: Double { sluice / floor }
    var multiple: Double { sluice / foundation }
}

/// Measures the ways in turn, round after round, so that a machine that drifts drifts for all of them.
struct Rounds {
    let count: Int

    func measure(_ corpus: Corpus) throws -> [Result] {
        try corpus.verify()
        let ways = [corpus.bare, corpus.foundation] + corpus.sluice.map(\.run)
        // A first run of each warms the caches and tells how often to repeat it in a sample.
        let repeats = try ways.map { way in sampleSize(for: try time(way, 1)) }
        var samples = [[Double]](repeating: [], count: ways.count)
        for round in 0..<count {
            for step in ways.indices {
                // No way is always the one after the slowest.
                let way = (step + round) % ways.count
                samples[way].append(try time(ways[way], repeats[way]))
            }
        }
        let speeds = samples.map { Double(corpus.bytes) / 1e6 / median($0) }
        return zip(corpus.sluice, speeds.dropFirst(2)).map { way, speed in
            Result(corpus: corpus, way: way, floor: speeds[0], sluice: speed, foundation: speeds[1])
        }
    }

    /// Samples of some 30 ms: long beside the clock's grain, short beside the machine's moods.
    private func sampleSize(for seconds: Double) -> Int {
        max(1, min(100, Int(0.03 / seconds)))
    }

    /// Seconds a run.
    private func time(_ way: () throws -> Void, _ repeats: Int) rethrows -> Double {
        let start = ContinuousClock.now
        for _ in 0..<repeats { try way() }
        return start.duration(to: .now) / .seconds(1) / Double(repeats)
    }

    private func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        let middle = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }
}
