import Foundation

/// A measurement in rounds. Each round runs all ways in turn.
///
/// Changes in the speed of the machine therefore affect all ways equally.
struct Rounds {
    let count: Int
    /// Whether a time is that of the processor for this process. Other work on the machine then has less effect.
    var countsProcessorTime = false

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
        let start = now
        for _ in 0..<repeats { try way() }
        return (now - start) / Double(repeats)
    }

    /// The seconds of a clock.
    private var now: Double {
        var time = timespec()
        clock_gettime(countsProcessorTime ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        let middle = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }
}

/// Uses a value, so that the compiler cannot remove the computation of the value.
@inline(never)
@_optimize(none)
func keep<Value>(_ value: borrowing Value) {}
