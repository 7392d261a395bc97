import CodableModels
import Foundation
import GeneratedRecords
import Sluice

/// A comparison of `SluiceJSONDecoder` or `SluiceJSONEncoder` with Foundation, with types that have no plan.
struct CodableRow {
    let name: String
    let bytes: Int
    /// The goal, as a multiple of Foundation's speed.
    let goal: Double
    /// The number of calls in a measured run.
    let calls: Int
    let sluice: () throws -> Void
    let foundation: () throws -> Void
    /// Throws an error unless Sluice and Foundation make equal values.
    let verify: () throws -> Void

    /// Returns the rows of the documents that exist.
    ///
    /// - Parameter size: The size of generated documents in bytes.
    static func all(folder: String?, _ output: Output, size: UInt64 = 4_000_000) throws -> [CodableRow] {
        func file(_ name: String) -> Data? { Corpus.contents(name, in: folder, output).map { Data($0) } }
        let twitter = file("twitter")
        let records = Data(RecordGenerator(size: size).bytes())
        let message = Data(#"{"id":123456,"tag":"swift json"}"#.utf8)
        return [
            try twitter.map { try decode("decode twitter", TwitterSearch.self, $0, goal: 3.2) },
            try file("canada").map { try decode("decode canada", FeatureCollection.self, $0, goal: 6) },
            try file("citm_catalog").map { try decode("decode citm", CitmCatalog.self, $0, goal: 3.5) },
            // Types that are tried one after another.
            try twitter.map { try decode("decode any, twitter", AnyJSON.self, $0, goal: 4) },
            try file("canada").map { try decode("decode any, canada", AnyJSON.self, $0, goal: 4) },
            try decode("decode records", [CodableRecord].self, records, goal: 4),
            try decode("decode message", ShortMessage.self, message, goal: 1, calls: 2_000),
            try twitter.map { try encode("encode twitter", TwitterSearch.self, $0, goal: 3) },
            try encode("encode records", [CodableRecord].self, records, goal: 3),
        ].compactMap { $0 }
    }

    private static func decode<T: Codable & Equatable>(
        _ name: String, _ type: T.Type, _ data: Data, goal: Double, calls: Int = 1
    ) throws -> CodableRow {
        let (sluice, foundation) = (SluiceJSONDecoder(), JSONDecoder())
        return CodableRow(
            name: name, bytes: data.count, goal: goal, calls: calls,
            sluice: { for _ in 0..<calls { keep(try sluice.decode(type, from: data)) } },
            foundation: { for _ in 0..<calls { keep(try foundation.decode(type, from: data)) } },
            verify: {
                guard try sluice.decode(type, from: data) == foundation.decode(type, from: data) else {
                    throw FloorError("\(name): Sluice and Foundation make different values.")
                }
            })
    }

    private static func encode<T: Codable & Equatable>(
        _ name: String, _ type: T.Type, _ data: Data, goal: Double
    ) throws -> CodableRow {
        let value = try SluiceJSONDecoder().decode(type, from: data)
        let (sluice, foundation) = (SluiceJSONEncoder(), JSONEncoder())
        let written = try sluice.encode(value)
        return CodableRow(
            name: name, bytes: written.count, goal: goal, calls: 1, sluice: { keep(try sluice.encode(value)) },
            foundation: { keep(try foundation.encode(value)) },
            verify: {
                guard try JSONDecoder().decode(type, from: written) == value else {
                    throw FloorError("\(name): the output of Sluice decodes to another value.")
                }
            })
    }

    /// Measures both in alternation and returns the median times of a call in seconds.
    func measure(rounds: Int) throws -> (sluice: Double, foundation: Double) {
        try verify()
        let times = try Rounds(count: rounds).medians(of: [sluice, foundation]).map { $0 / Double(calls) }
        return (times[0], times[1])
    }
}
