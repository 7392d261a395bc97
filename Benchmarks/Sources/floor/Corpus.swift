import BenchmarkModels
import BenchmarkRecords
import Foundation
import Sluice

/// A text, and the three ways to read it.
struct Corpus {
    let name: String
    let bytes: Int
    let goal: Goal
    let bare: () throws -> Void
    let sluice: () throws -> Void
    let foundation: () throws -> Void
    /// Throws unless Sluice and Foundation make equal models.
    let verify: () throws -> Void

    /// What is to be reached: the share of bare yajl's speed, and the multiple of Foundation's.
    struct Goal {
        let share: Double
        let multiple: Double
    }

    static let names = ["twitter", "canada", "citm_catalog", "records", "records_stream"]

    /// The size of the generated records.
    static let recordBytes: UInt64 = 16_000_000

    /// Makes a corpus ready to run; nil when its file is in no folder that was given.
    static func load(_ name: String, folder: String?, scratch: Scratch) throws -> Corpus? {
        switch name {
        case "twitter":
            return try file(name, in: folder, as: TwitterSearch.self, Goal(share: 0.70, multiple: 3.8))
        case "canada":
            return try file(name, in: folder, as: FeatureCollection.self, Goal(share: 0.37, multiple: 8))
        case "citm_catalog":
            return try file(name, in: folder, as: CitmCatalog.self, Goal(share: 0.76, multiple: 6))
        case "records":
            let text = RecordGenerator(size: recordBytes).bytes()
            return memory(name, text, as: [Record].self, Goal(share: 0.60, multiple: 6))
        case "records_stream":
            let path = try scratch.records(recordBytes)
            return try stream(name, path, Goal(share: 0.65, multiple: 6.5))
        default:
            throw FloorError("There is no corpus \(name): \(names.joined(separator: ", ")).")
        }
    }

    private static func file<Model: JSONModel & Decodable & Equatable>(
        _ name: String, in folder: String?, as type: Model.Type, _ goal: Goal
    ) throws -> Corpus? {
        guard let path = folder.map({ "\($0)/\(name).json" }), let data = FileManager.default.contents(atPath: path)
        else { return nil }
        return memory(name, [UInt8](data), as: type, goal)
    }

    private static func memory<Model: JSONFillable & Decodable & Equatable>(
        _ name: String, _ text: [UInt8], as type: Model.Type, _ goal: Goal
    ) -> Corpus {
        let data = Data(text)
        let decoder = JSONModelDecoder()
        let foundation = JSONDecoder()
        return Corpus(
            name: name, bytes: text.count, goal: goal,
            bare: { try text.withUnsafeBytes { try BareYajl.parse($0) } },
            sluice: { keep(try decoder.decode(type, from: text)) },
            foundation: { keep(try foundation.decode(type, from: data)) },
            verify: {
                guard try decoder.decode(type, from: text) == foundation.decode(type, from: data) else {
                    throw FloorError("\(name): Sluice and Foundation make different models.")
                }
            }
        )
    }

    private static func stream(_ name: String, _ path: String, _ goal: Goal) throws -> Corpus {
        let url = URL(fileURLWithPath: path)
        let decoder = JSONModelDecoder()
        let foundation = JSONDecoder()
        return Corpus(
            name: name, bytes: try Data(contentsOf: url).count, goal: goal,
            bare: { try BareYajl.parse(contentsOf: path) },
            sluice: {
                try decoder.forEach(Record.self, at: "[*]", contentsOf: path) { (record: Record) in keep(record) }
            },
            foundation: { keep(try foundation.decode([Record].self, from: Data(contentsOf: url))) },
            verify: {
                var streamed: [Record] = []
                try decoder.forEach(Record.self, at: "[*]", contentsOf: path) { (record: Record) in
                    streamed.append(record)
                }
                guard try streamed == foundation.decode([Record].self, from: Data(contentsOf: url)) else {
                    throw FloorError("\(name): Sluice and Foundation make different models.")
                }
            }
        )
    }
}

/// Takes a value in such a way that the compiler cannot leave its making out.
@inline(never)
@_optimize(none)
func keep<Value>(_ value: borrowing Value) {}
