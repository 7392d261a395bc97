import BenchmarkModels
import Foundation
import Sluice

/// A measurement of values without a model.
struct Values {
    let name: String
    let bytes: Int
    /// The code that the speed is compared with.
    let comparison: String
    /// The goal, as a multiple of the speed of that code.
    let goal: Double
    private let sluice: () throws -> Void
    private let base: () throws -> Void

    /// Returns the rows of the documents that exist: values read and written, and models decoded from values.
    static func all(folder: String?, _ output: Output) throws -> [Values] {
        func file(_ name: String) -> [UInt8]? { Corpus.contents(name, in: folder, output) }
        return try [
            file("twitter").map { try rows("twitter", $0, TwitterSearch.self, read: 20, written: 180) },
            file("canada").map { try rows("canada", $0, FeatureCollection.self, read: 30, written: 140) },
            file("citm_catalog").map { try rows("citm", $0, CitmCatalog.self, read: 25, written: 66) },
        ].flatMap { $0 ?? [] }
    }

    private static func rows<Model: JSONModel>(
        _ name: String, _ text: [UInt8], _ type: Model.Type, read: Double, written: Double
    ) throws -> [Values] {
        let (decoder, encoder, data) = (Source.scanner.decoder, JSONModelEncoder(), Data(text))
        let value = try decoder.decode(JSONValue.self, from: text)
        let object = try JSONSerialization.jsonObject(with: data)
        guard try decoder.decode(JSONValue.self, from: encoder.encode(value)) == value else {
            throw FloorError("\(name): the output of Sluice decodes to another value.")
        }
        return [
            Values(
                name: "read \(name)", bytes: text.count, comparison: "JSONSerialization", goal: read,
                sluice: { keep(try decoder.decode(JSONValue.self, from: text)) },
                base: { keep(try JSONSerialization.jsonObject(with: data)) }),
            Values(
                name: "write \(name)", bytes: try encoder.encode(value).count, comparison: "JSONSerialization",
                goal: written,
                sluice: { keep(try encoder.encode(value)) },
                base: { keep(try JSONSerialization.data(withJSONObject: object)) }),
            Values(
                name: "model of \(name)", bytes: text.count, comparison: "model from bytes", goal: 1,
                sluice: { keep(try decoder.decode(type, from: value)) },
                base: { keep(try decoder.decode(type, from: text)) }),
        ]
    }

    /// Measures both in alternation and returns the median times of a call in seconds.
    func measure(rounds: Int) throws -> (sluice: Double, base: Double) {
        let times = try Rounds(count: rounds).medians(of: [sluice, base])
        return (times[0], times[1])
    }
}
