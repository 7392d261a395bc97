import Benchmark
import BenchmarkModels
import Foundation
import GeneratedRecords
import Sluice

/// The wall-clock time and throughput of Sluice alone, for `Scripts/measure.sh bench`, which compares runs before and after a change.
///
/// `make floor` compares Sluice with bare yajl and Foundation.
let benchmarks: @Sendable () -> Void = {
    Benchmark.defaultConfiguration = .init(
        metrics: [.wallClock, .throughput], warmupIterations: 2, maxDuration: .seconds(4), maxIterations: 300
    )
    document("twitter", TwitterSearch.self)
    document("canada", FeatureCollection.self)
    document("citm_catalog", CitmCatalog.self)

    let records = RecordGenerator(size: 4_000_000).bytes()
    Benchmark("records, 4 MB") { benchmark in
        for _ in benchmark.scaledIterations {
            blackHole(try JSONModelDecoder().decode([Record].self, from: records))
        }
    }
    Benchmark("records, 4 MB, one at a time") { benchmark in
        for _ in benchmark.scaledIterations {
            try JSONModelDecoder().forEach(Record.self, in: records, at: "[*]") { (record: Record) in
                blackHole(record)
            }
        }
    }
}

/// Adds a benchmark for a file in the folder SLUICE_CORPUS. Adds nothing if the file does not exist.
private func document<Model: JSONModel>(_ name: String, _ type: Model.Type) {
    guard let folder = ProcessInfo.processInfo.environment["SLUICE_CORPUS"],
        let data = FileManager.default.contents(atPath: "\(folder)/\(name).json")
    else { return }
    let text = [UInt8](data)
    Benchmark(name) { benchmark in
        for _ in benchmark.scaledIterations {
            blackHole(try JSONModelDecoder().decode(type, from: text))
        }
    }
}
