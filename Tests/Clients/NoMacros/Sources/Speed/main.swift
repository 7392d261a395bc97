// The speed of Sluice in a client. Without arguments, the program prints a time for each row. With `--count`, the program calls a
// function around each row, at which callgrind writes its counts.
import Foundation
import Sluice

/// A way to decode or encode, with Foundation's way for comparison.
struct Row {
    let name: String
    /// The number of bytes of the text.
    let bytes: Int
    let run: () throws -> Void
    let foundation: () throws -> Void
}

func rows() throws -> [Row] {
    var scanner = JSONModelDecoder()
    scanner.source = .scanner
    var yajl = JSONModelDecoder()
    yajl.source = .yajl
    let standIn = SluiceJSONDecoder()
    let encoder = JSONModelEncoder()
    let decoder = Foundation.JSONDecoder()
    let dates = Foundation.JSONDecoder()
    dates.dateDecodingStrategy = .iso8601
    let (records, entries, record) = (Texts.records, Texts.entries, Array(Texts.record.utf8))
    let (recordData, entryData, shortData) = (Data(records), Data(entries), Data(record))
    let models = try scanner.decode([Record].self, from: records)
    let values = try decoder.decode([CodableRecord].self, from: recordData)
    let foundation = { _ = try decoder.decode([CodableRecord].self, from: recordData) }
    return [
        Row(
            name: "records, scanner", bytes: records.count,
            run: { _ = try scanner.decode([Record].self, from: records) }, foundation: foundation),
        Row(
            name: "records, libyajl", bytes: records.count,
            run: { _ = try yajl.decode([Record].self, from: records) }, foundation: foundation),
        Row(
            name: "one record", bytes: record.count,
            run: { _ = try scanner.decode(Record.self, from: record) },
            foundation: { _ = try decoder.decode(CodableRecord.self, from: shortData) }),
        Row(
            name: "elements of a stream", bytes: records.count,
            run: { try scanner.forEach(Record.self, in: records, at: "[*]") { _ in } }, foundation: foundation),
        Row(
            name: "elements of a cursor", bytes: records.count,
            run: {
                var cursor = scanner.cursor(of: Record.self, in: records, at: "[*]")
                while try cursor.next() != nil {}
            },
            foundation: foundation),
        Row(
            name: "values without a model", bytes: records.count,
            run: { _ = try scanner.decode(JSONValue.self, from: records) },
            foundation: { _ = try JSONSerialization.jsonObject(with: recordData) }),
        Row(
            name: "Codable records", bytes: records.count,
            run: { _ = try standIn.decode([CodableRecord].self, from: recordData) }, foundation: foundation),
        Row(
            name: "types of Foundation", bytes: entries.count,
            run: { _ = try scanner.decode([Entry].self, from: entries) },
            foundation: { _ = try dates.decode([Entry].self, from: entryData) }),
        Row(
            name: "records, encoded", bytes: records.count,
            run: { _ = try encoder.encode(models) },
            foundation: { _ = try Foundation.JSONEncoder().encode(values) }),
    ]
}

/// Makes callgrind write the counts since the last call of the function, which callgrind finds by its name.
@inline(never) @_cdecl("countBoundary") func countBoundary() {}

/// Returns the shortest time of the processor of a few runs, in nanoseconds for a byte.
func time(_ row: Row, _ run: () throws -> Void) throws -> Double {
    let calls = max(1, 200_000 / row.bytes)
    let times = try (0..<7).map { _ in
        let start = clock()
        for _ in 0..<calls { try run() }
        return clock() - start
    }
    return Double(times.min()!) * 1e9 / Double(CLOCKS_PER_SEC) / Double(calls * row.bytes)
}

let counts = CommandLine.arguments.contains("--count")
for row in try rows() {
    if counts {
        for _ in 0..<2 { try row.run() }
        countBoundary()
        try row.run()
        countBoundary()
        print(row.name, row.bytes, separator: "\t")
    } else {
        let (sluice, foundation) = try (time(row, row.run), time(row, row.foundation))
        print(row.name, 1_000 / sluice, foundation / sluice, separator: "\t")
    }
}
