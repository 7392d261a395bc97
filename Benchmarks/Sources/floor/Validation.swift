import Foundation
import GeneratedRecords
import Sluice

/// A measurement of validation, compared with bare yajl and with `JSONSerialization`, which makes a tree.
struct Validation {
    let name: String
    private let text: [UInt8]

    var bytes: Int { text.count }

    /// Returns the documents that exist.
    static func all(folder: String?, _ output: Output) -> [Validation] {
        let files = ["twitter", "canada", "citm_catalog"].compactMap { name -> Validation? in
            Corpus.contents(name, in: folder, output).map { Validation(name: name, text: $0) }
        }
        return files + [Validation(name: "records", text: RecordGenerator(size: 4_000_000).bytes())]
    }

    /// Measures all in alternation and returns the median speeds in MB/s: bare yajl, `JSONSerialization`, and each source of Sluice.
    func measure(_ sources: [Source], rounds: Int) throws -> (bare: Double, foundation: Double, sluice: [Double]) {
        let data = Data(text)
        let ways: [() throws -> Void] = sources.map { source in
            let decoder = source.decoder
            return { try decoder.validate(text) }
        }
        let others: [() throws -> Void] = [
            { try text.withUnsafeBytes { try BareYajl.parse($0) } },
            { keep(try JSONSerialization.jsonObject(with: data)) },
        ]
        let speeds = try Rounds(count: rounds).medians(of: others + ways).map { Double(text.count) / 1e6 / $0 }
        return (speeds[0], speeds[1], Array(speeds.dropFirst(2)))
    }
}
