import BenchmarkModels
import Foundation
import Sluice
import SluiceRecords

/// A JSON document, and the ways to decode it.
struct Corpus {
    let name: String
    let bytes: Int
    let bare: () throws -> Void
    let foundation: () throws -> Void
    let sluice: [Way]
    /// Throws an error unless Foundation and Sluice, with each source, decode equal models.
    let verify: () throws -> Void

    /// A measurement of Sluice with one token source.
    struct Way {
        let source: Source
        let goal: Goal
        let run: () throws -> Void
    }

    /// The goals of a measurement: the share of bare yajl's speed, and the multiple of Foundation's speed.
    struct Goal {
        let share: Double
        let multiple: Double

        static func of(_ corpus: String, _ source: Source) -> Goal {
            switch (corpus, source) {
            case ("twitter", .yajl): Goal(share: 0.70, multiple: 3.8)
            case ("twitter", .scanner): Goal(share: 2.0, multiple: 11)
            case ("canada", .yajl): Goal(share: 0.37, multiple: 8)
            case ("canada", .scanner): Goal(share: 0.70, multiple: 15)
            case ("citm_catalog", .yajl): Goal(share: 0.76, multiple: 6)
            case ("citm_catalog", .scanner): Goal(share: 2.8, multiple: 22)
            case ("records", .yajl): Goal(share: 0.60, multiple: 6)
            case ("records", .scanner): Goal(share: 1.3, multiple: 13)
            case (_, .yajl): Goal(share: 0.65, multiple: 6.5)
            case (_, .scanner): Goal(share: 1.6, multiple: 16)
            }
        }
    }

    static let names = ["twitter", "canada", "citm_catalog", "records", "records_stream"]

    /// The size of the generated records in bytes.
    static let recordBytes: UInt64 = 16_000_000

    /// Loads a corpus, or returns nil if its file is not in the folder.
    static func load(_ name: String, sources: [Source], folder: String?, scratch: Scratch) throws -> Corpus? {
        switch name {
        case "twitter": return try file(name, sources, in: folder, as: TwitterSearch.self)
        case "canada": return try file(name, sources, in: folder, as: FeatureCollection.self)
        case "citm_catalog": return try file(name, sources, in: folder, as: CitmCatalog.self)
        case "records":
            let text = RecordGenerator(size: recordBytes).bytes()
            return memory(name, sources, text, as: [Record].self)
        case "records_stream":
            let path = try scratch.records(recordBytes)
            return try stream(name, sources, path)
        default:
            throw FloorError("Unknown corpus \(name). The names are \(names.joined(separator: ", ")).")
        }
    }

    private static func file<Model: JSONModel & Decodable & Equatable>(
        _ name: String, _ sources: [Source], in folder: String?, as type: Model.Type
    ) throws -> Corpus? {
        guard let path = folder.map({ "\($0)/\(name).json" }), let data = FileManager.default.contents(atPath: path)
        else { return nil }
        return memory(name, sources, [UInt8](data), as: type)
    }

    private static func memory<Model: JSONConvertible & Decodable & Equatable>(
        _ name: String, _ sources: [Source], _ text: [UInt8], as type: Model.Type
    ) -> Corpus {
        let data = Data(text)
        let foundation = JSONDecoder()
        return Corpus(
            name: name, bytes: text.count,
            bare: { try text.withUnsafeBytes { try BareYajl.parse($0) } },
            foundation: { keep(try foundation.decode(type, from: data)) },
            sluice: sources.map { source in
                let decoder = source.decoder
                return Way(source: source, goal: .of(name, source)) {
                    keep(try decoder.decode(type, from: text))
                }
            },
            verify: {
                let expected = try foundation.decode(type, from: data)
                for source in sources where try source.decoder.decode(type, from: text) != expected {
                    throw FloorError("\(name): Sluice (\(source)) and Foundation make different models.")
                }
            }
        )
    }

    private static func stream(_ name: String, _ sources: [Source], _ path: String) throws -> Corpus {
        let url = URL(fileURLWithPath: path)
        let foundation = JSONDecoder()
        return Corpus(
            name: name, bytes: try Data(contentsOf: url).count,
            bare: { try BareYajl.parse(contentsOf: path) },
            foundation: { keep(try foundation.decode([Record].self, from: Data(contentsOf: url))) },
            sluice: sources.map { source in
                let decoder = source.decoder
                return Way(source: source, goal: .of(name, source)) {
                    try decoder.forEach(Record.self, in: .file(path), at: "[*]") { (record: Record) in
                        keep(record)
                    }
                }
            },
            verify: {
                let expected = try foundation.decode([Record].self, from: Data(contentsOf: url))
                for source in sources {
                    var streamed: [Record] = []
                    try source.decoder.forEach(Record.self, in: .file(path), at: "[*]") { (record: Record) in
                        streamed.append(record)
                    }
                    guard streamed == expected else {
                        throw FloorError("\(name): Sluice (\(source)) and Foundation make different models.")
                    }
                }
            }
        )
    }
}

/// Uses a value, so that the compiler cannot remove the computation of the value.
@inline(never)
@_optimize(none)
func keep<Value>(_ value: borrowing Value) {}
