import BenchmarkModels
import Foundation
import GeneratedRecords
import Sluice

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
            case ("twitter", .scanner): Goal(share: 2.7, multiple: 15)
            case ("twitter_escaped", .yajl): Goal(share: 0.65, multiple: 3.8)
            case ("twitter_escaped", .scanner): Goal(share: 2.2, multiple: 12)
            case ("canada", .yajl): Goal(share: 0.37, multiple: 8)
            case ("canada", .scanner): Goal(share: 0.95, multiple: 20)
            case ("citm_catalog", .yajl): Goal(share: 0.76, multiple: 6)
            case ("citm_catalog", .scanner): Goal(share: 4.5, multiple: 30)
            case ("records", .yajl): Goal(share: 0.60, multiple: 6)
            case ("records", .scanner): Goal(share: 1.7, multiple: 16)
            case ("late_tags", .yajl): Goal(share: 0.05, multiple: 1.1)
            case ("late_tags", .scanner): Goal(share: 0.05, multiple: 1.1)
            case ("untagged", .yajl): Goal(share: 0.04, multiple: 0.9)
            case ("untagged", .scanner): Goal(share: 0.04, multiple: 0.9)
            case ("envelope", .yajl): Goal(share: 0.55, multiple: 4.5)
            case ("envelope", .scanner): Goal(share: 1.0, multiple: 8)
            case ("codable_fields", .yajl): Goal(share: 0.07, multiple: 0.8)
            case ("codable_fields", .scanner): Goal(share: 0.1, multiple: 1)
            case ("escaped_keys", .yajl): Goal(share: 0.6, multiple: 3.5)
            case ("escaped_keys", .scanner): Goal(share: 1.7, multiple: 10)
            case (_, .yajl): Goal(share: 0.65, multiple: 6.5)
            case (_, .scanner): Goal(share: 2.0, multiple: 19)
            }
        }
    }

    static let names = [
        "twitter", "twitter_escaped", "canada", "citm_catalog", "records", "records_stream", "late_tags",
        "untagged",
        "envelope", "codable_fields", "escaped_keys",
    ]

    /// The size of the generated records in bytes.
    static let recordBytes: UInt64 = 16_000_000

    /// Loads a corpus, or returns nil if its file is not in the folder.
    ///
    /// - Parameter size: The size of generated documents in bytes.
    static func load(
        _ name: String, sources: [Source], folder: String?, scratch: Scratch, size: UInt64 = recordBytes
    ) throws -> Corpus? {
        switch name {
        case "twitter": return file(name, sources, in: folder, as: TwitterSearch.self)
        case "twitter_escaped":
            return contents("twitter", in: folder).map {
                memory(name, sources, escaped($0), as: TwitterSearch.self)
            }
        case "canada": return file(name, sources, in: folder, as: FeatureCollection.self)
        case "citm_catalog": return file(name, sources, in: folder, as: CitmCatalog.self)
        case "records":
            return memory(name, sources, RecordGenerator(size: size).bytes(), as: [Record].self)
        case "records_stream":
            return try stream(name, sources, scratch.records(size))
        case "late_tags":
            return memory(name, sources, FeatureTexts.events(250_000), as: [TaggedEvent].self)
        case "untagged":
            return memory(name, sources, FeatureTexts.events(250_000), as: [UntaggedEvent].self)
        case "envelope": return envelope(name, sources, FeatureTexts.page(min(size, 4_000_000)))
        case "codable_fields":
            return memory(name, sources, try FeatureTexts.parcels(500_000), as: [Parcel].self)
        case "escaped_keys":
            return memory(name, sources, FeatureTexts.escapedKeys(min(size, 4_000_000)), as: [Record].self)
        default:
            throw FloorError("Unknown corpus \(name). The names are \(names.joined(separator: ", ")).")
        }
    }

    private static func file<Model: JSONModel & Decodable & Equatable>(
        _ name: String, _ sources: [Source], in folder: String?, as type: Model.Type
    ) -> Corpus? {
        contents(name, in: folder).map { memory(name, sources, $0, as: type) }
    }

    /// Returns the text of a file. A note names a file that is not in the folder.
    static func contents(_ name: String, in folder: String?, _ output: Output) -> [UInt8]? {
        let text = contents(name, in: folder)
        if text == nil { output.note("\(name) skipped: use --corpus or set SLUICE_CORPUS.") }
        return text
    }

    private static func contents(_ name: String, in folder: String?) -> [UInt8]? {
        folder.flatMap { FileManager.default.contents(atPath: "\($0)/\(name).json") }.map { [UInt8]($0) }
    }

    /// Returns a document with every character outside ASCII written as `\u` escapes.
    private static func escaped(_ text: [UInt8]) -> [UInt8] {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: text, as: UTF8.self).utf16.flatMap { unit -> [UInt8] in
            if unit < 0x80 { return [UInt8(unit)] }
            return Array("\\u".utf8) + [12, 8, 4, 0].map { digits[Int(unit >> $0 & 0xF)] }
        }
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

    /// The records of a page one after another, with the members around them.
    private static func envelope(_ name: String, _ sources: [Source], _ text: [UInt8]) -> Corpus {
        struct Page: Decodable {
            struct Content: Decodable { let items: [Record] }
            let total: Int
            let next: String
            let data: Content
        }
        func read(_ source: Source, _ body: (Record) -> Void) throws -> RecordPage? {
            let page = JSONEnvelope(of: RecordPage.self)
            var cursor = source.decoder.cursor(of: Record.self, in: text, at: "data.items[*]", envelope: page)
            while let record = try cursor.next() { body(record) }
            return page.value
        }
        let data = Data(text)
        let foundation = JSONDecoder()
        return Corpus(
            name: name, bytes: text.count,
            bare: { try text.withUnsafeBytes { try BareYajl.parse($0) } },
            foundation: { keep(try foundation.decode(Page.self, from: data)) },
            sluice: sources.map { source in
                Way(source: source, goal: .of(name, source)) { keep(try read(source) { keep($0) }) }
            },
            verify: {
                let expected = try foundation.decode(Page.self, from: data)
                for source in sources {
                    var records: [Record] = []
                    let page = try read(source) { records.append($0) }
                    guard records == expected.data.items,
                        page == RecordPage(total: expected.total, next: expected.next)
                    else { throw FloorError("\(name): Sluice (\(source)) and Foundation make different models.") }
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
