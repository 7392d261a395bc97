import BenchmarkModels
import Foundation
import GeneratedRecords
import Sluice

/// A measurement of encoding by Sluice and by Foundation's `JSONEncoder`.
struct Writing {
    let name: String
    /// The length of Sluice's output in bytes, from which both speeds are computed.
    let bytes: Int
    let sluice: () throws -> Void
    let foundation: () throws -> Void
    /// Copies the output to new memory.
    let copy: () throws -> Void
    /// Throws an error unless Sluice and Foundation decode the same models from Sluice's output.
    let verify: () throws -> Void

    static let names = ["twitter", "canada", "citm_catalog", "records"]
    /// The goal in MB/s.
    var goal: Double {
        switch name {
        case "twitter": 4_000
        case "canada": 1_000
        case "citm_catalog": 3_000
        default: 1_500
        }
    }

    /// - Parameter size: The size of generated documents in bytes.
    static func load(_ name: String, folder: String?, size: UInt64 = 4_000_000) throws -> Writing? {
        switch name {
        case "twitter": try file(name, in: folder, as: TwitterSearch.self)
        case "canada": try file(name, in: folder, as: FeatureCollection.self)
        case "citm_catalog": try file(name, in: folder, as: CitmCatalog.self)
        default: try Writing(name, RecordGenerator(size: size).bytes(), as: [Record].self)
        }
    }

    private static func file<Model: JSONModel & Codable & Equatable>(
        _ name: String, in folder: String?, as type: Model.Type
    ) throws -> Writing? {
        guard let path = folder.map({ "\($0)/\(name).json" }), let data = FileManager.default.contents(atPath: path)
        else { return nil }
        return try Writing(name, [UInt8](data), as: type)
    }

    /// Creates a measurement with the models of a document.
    private init<Model: JSONConvertible & Codable & Equatable>(_ name: String, _ text: [UInt8], as type: Model.Type)
        throws
    {
        let model = try JSONModelDecoder().decode(type, from: text)
        let encoder = JSONModelEncoder()
        let foundation = JSONEncoder()
        let written = try encoder.encode(model)
        self.name = name
        bytes = written.count
        sluice = { keep(try encoder.encode(model)) }
        self.foundation = { keep(try foundation.encode(model)) }
        copy = {
            keep(
                [UInt8](unsafeUninitializedCapacity: written.count) { memory, count in
                    count = memory.initialize(fromContentsOf: written)
                })
        }
        verify = {
            guard try JSONModelDecoder().decode(type, from: written) == model,
                try JSONDecoder().decode(type, from: Data(written)) == model
            else { throw FloorError("\(name): the output of Sluice decodes to different models.") }
        }
    }

    /// Measures both encoders and a copy of the output in alternation, and returns their speeds in MB/s.
    func measure(rounds: Int) throws -> (sluice: Double, foundation: Double, copy: Double) {
        try verify()
        let speeds = try Rounds(count: rounds).medians(of: [sluice, foundation, copy]).map {
            Double(bytes) / 1e6 / $0
        }
        return (speeds[0], speeds[1], speeds[2])
    }
}
