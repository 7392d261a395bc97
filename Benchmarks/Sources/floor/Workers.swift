import Foundation
import GeneratedRecords
import Sluice

/// Ways to read large inputs with the threads of a decoder, each compared with one thread.
struct Workers {
    let name: String
    /// The goal: the speed with one thread for each core, in multiples of the speed with one thread.
    let goal: Double
    private let run: (JSONModelDecoder) throws -> Void
    private let decoder: JSONModelDecoder

    static func all(_ source: Source, scratch: Scratch, size: UInt64 = 256_000_000) throws -> [Workers] {
        let array = try scratch.records(size)
        let lines = try scratch.recordLines(size)
        let text = try Data(contentsOf: URL(fileURLWithPath: array))
        let bytes = [UInt8](text)
        let object = scratch.path(of: "object.json")
        try (Data(#"{"items":"#.utf8) + text + Data(#","count":1}"#.utf8)).write(to: URL(fileURLWithPath: object))
        let lineBytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: lines)))
        // Strings with the bytes that are between two elements.
        let misleading = (0..<400_000).map { #"{"id":\#($0),"other":"},{\"id\":},{'id':1},{'id':2}"}"# }
        let strings = [UInt8]("[\(misleading.joined(separator: ","))]".utf8)
        let stringsFile = scratch.path(of: "strings.json")
        try Data(strings).write(to: URL(fileURLWithPath: stringsFile))
        // Identifiers in no order, and elements of two bytes with their commas.
        let identifiers = (0..<2_000_000).map { _ in
            #"{"id":\#(Int.random(in: 0..<1_000_000_000_000))}"#
        }
        let identified = [UInt8]("[\(identifiers.joined(separator: ","))]".utf8)
        let digits = [UInt8]("[\(String(repeating: "1,", count: 16_000_000))1]".utf8)
        // An array of one element, which is an array of records.
        let long = [UInt8(ascii: "[")] + bytes + [UInt8(ascii: "]")]
        let decoder = source.decoder
        func way(_ name: String, goal: Double, _ run: @escaping (JSONModelDecoder) throws -> Void) -> Workers {
            Workers(name: name, goal: goal, run: run, decoder: decoder)
        }
        return [
            way("array, file", goal: 1.8) { decoder in
                try decoder.forEach(Record.self, in: .file(array)) { keep($0 as Record) }
            },
            way("array, memory", goal: 1.8) { decoder in
                try decoder.forEach(Record.self, in: bytes) { keep($0 as Record) }
            },
            way("array, cursor", goal: 1.8) { decoder in
                var cursor = decoder.cursor(of: Record.self, in: .file(array))
                while let record = try cursor.next() { keep(record) }
            },
            way("array of an object, file", goal: 1.8) { decoder in
                try decoder.forEach(Record.self, in: .file(object), at: "items[*]") { keep($0 as Record) }
            },
            way("array, collected", goal: 1.7) { decoder in keep(try decoder.decode([Record].self, from: bytes)) },
            way("lines, file", goal: 1.8) { decoder in
                try decoder.forEach(Record.self, in: .file(lines), framing: .lines) { keep($0 as Record) }
            },
            way("lines, memory", goal: 1.8) { decoder in
                try decoder.forEach(Record.self, in: lineBytes, framing: .lines) { keep($0 as Record) }
            },
            way("array, misleading strings", goal: 1) { decoder in
                try decoder.forEach(Identified.self, in: strings) { keep($0 as Identified) }
            },
            way("misleading strings, file", goal: 1) { decoder in
                try decoder.forEach(Identified.self, in: .file(stringsFile)) { keep($0 as Identified) }
            },
            way("array, random identifiers", goal: 1.8) { decoder in
                try decoder.forEach(Identified.self, in: identified) { keep($0 as Identified) }
            },
            way("elements of two bytes", goal: 1) { decoder in
                try decoder.forEach(Int.self, in: digits) { keep($0 as Int) }
            },
            way("one long element", goal: 1) { decoder in
                try decoder.forEach([Record].self, in: long) { keep($0 as [Record]) }
            },
        ]
    }

    @JSONModel
    struct Identified {
        var id: Int
    }

    /// Returns the speed with one thread for each core, as a multiple of the speed with one thread.
    ///
    /// The shortest times are compared. Other processes need a core now and then, which delays two threads more than one.
    func measure(rounds: Int) throws -> Double {
        var several = decoder
        several.workers = .automatic
        let parallel = several
        let times = try Rounds(count: rounds).shortest(of: [{ try run(decoder) }, { try run(parallel) }])
        return times[0] / times[1]
    }
}
