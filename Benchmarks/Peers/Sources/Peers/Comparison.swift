import BenchmarkModels
import CodableModels
import Foundation
import Sluice

/// The decoder of another package.
public protocol Peer {
    /// The name of the package.
    static var name: String { get }

    func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T
}

extension Peer {
    /// Compares the decoder with Sluice and Foundation, and prints a row for each document. With the argument `--json`, a row is a
    /// JSON object.
    ///
    /// The documents are twitter.json, canada.json and citm_catalog.json in the folder `SLUICE_CORPUS`.
    ///
    /// - Parameter skipped: Names of documents that are left out.
    public func compare(without skipped: Set<String> = []) throws {
        guard let folder = ProcessInfo.processInfo.environment["SLUICE_CORPUS"], !folder.isEmpty else {
            throw ComparisonError(
                "Set SLUICE_CORPUS to the folder of twitter.json, canada.json and citm_catalog.json.")
        }
        let table = Table(peer: Self.name, json: CommandLine.arguments.contains("--json"))
        table.header()
        func row<Model: JSONModel & Decodable & Equatable, Plain: Decodable & Equatable>(
            _ document: String, _ model: Model.Type, _ codable: Plain.Type
        ) throws {
            if skipped.contains(document) { return }
            let data = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(document).json"))
            table.row(document, bytes: data.count, times: try times(document, data, model, codable))
        }
        try row("twitter", BenchmarkModels.TwitterSearch.self, CodableModels.TwitterSearch.self)
        try row("canada", BenchmarkModels.FeatureCollection.self, CodableModels.FeatureCollection.self)
        try row("citm_catalog", BenchmarkModels.CitmCatalog.self, CodableModels.CitmCatalog.self)
    }

    /// Returns the times of Foundation, of this decoder, of Sluice without a plan, and of Sluice with a plan and each source, in
    /// seconds of the processor.
    ///
    /// - Parameters:
    ///   - model: The type with a plan of Sluice. All decoders except `SluiceJSONDecoder` decode this type.
    ///   - codable: The same type without a plan, for `SluiceJSONDecoder`.
    private func times<Model: JSONModel & Decodable & Equatable, Plain: Decodable & Equatable>(
        _ document: String, _ data: Data, _ model: Model.Type, _ codable: Plain.Type
    ) throws -> [Double] {
        let text = [UInt8](data)
        let (foundation, codableSluice) = (JSONDecoder(), SluiceJSONDecoder())
        let sources: [JSONModelDecoder.Source] = [.yajl, .scanner]
        let decoders = sources.map { source in
            var decoder = JSONModelDecoder()
            decoder.source = source
            return decoder
        }
        let expected = try foundation.decode(model, from: data)
        guard try decode(model, from: data) == expected else {
            throw ComparisonError("\(document): \(Self.name) and Foundation make different values.")
        }
        guard try decoders.allSatisfy({ try $0.decode(model, from: text) == expected }),
            try codableSluice.decode(codable, from: data) == foundation.decode(codable, from: data)
        else { throw ComparisonError("\(document): Sluice and Foundation make different values.") }
        return try Rounds(count: Table.rounds, countsProcessorTime: true).medians(
            of: [
                { keep(try foundation.decode(model, from: data)) },
                { keep(try decode(model, from: data)) },
                { keep(try codableSluice.decode(codable, from: data)) },
            ] + decoders.map { decoder in { keep(try decoder.decode(model, from: text)) } })
    }
}

struct ComparisonError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// The output: a table of MB/s, with ratios, or a JSON object for each document.
private struct Table {
    static let rounds = 15

    let peer: String
    let json: Bool

    func header() {
        guard !json else { return }
        print("MB in a second of the processor, medians of \(Self.rounds) interleaved rounds")
        print("")
        print(
            "corpus        " + cells(["Foundation", peer, "Sluice: Codable", "libyajl", "scanner"])
                + cells(["of Foundation", "of the scanner"]))
    }

    func row(_ document: String, bytes: Int, times: [Double]) {
        let speeds = times.map { Double(bytes) / 1e6 / $0 }
        let ratios = [speeds[1] / speeds[0], speeds[1] / speeds[4]]
        if json {
            let names = ["foundation_mbps", "peer_mbps", "sluice_codable_mbps", "sluice_yajl_mbps", "sluice_mbps"]
            let members = zip(names + ["peer_over_foundation", "peer_over_sluice"], speeds + ratios)
                .map { name, value in ",\"\(name)\":\(String(format: "%.3f", value))" }
            print(#"{"corpus":"\#(document)","peer":"\#(peer)","bytes":\#(bytes)\#(members.joined())}"#)
        } else {
            let texts = speeds.map { String(format: $0 < 10 ? "%.1f" : "%.0f", $0) }
            let padded = document + String(repeating: " ", count: max(0, 14 - document.count))
            print(padded + cells(texts + ratios.map { String(format: "%.3f", $0) }))
        }
        fflush(nil)
    }

    private func cells(_ texts: [String]) -> String {
        texts.map { String(repeating: " ", count: max(0, 16 - $0.count)) + $0 }.joined()
    }
}
