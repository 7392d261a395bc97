#if Macros
import ArgumentParser
import Foundation
import Records
import Sluice

/// One way to read the file.
enum Contender: String, CaseIterable, ExpressibleByArgument, Codable {
    case scanned = "sluice-scanned"
    case streamed = "sluice-streamed"
    case collected = "sluice-collected"
    case foundation = "foundation"

    /// The name in tables and pictures.
    var title: String {
        switch self {
        case .scanned: "Sluice, streamed, own scanner"
        case .streamed: "Sluice, streamed"
        case .collected: "Sluice, into an array"
        case .foundation: "Foundation JSONDecoder"
        }
    }

    /// About how much memory a file of this size takes, from measured runs; nil where the size does not matter.
    func memory(forFileOf bytes: UInt64) -> UInt64? {
        switch self {
        case .scanned, .streamed: nil
        case .collected: bytes * 2
        case .foundation: bytes * 7
        }
    }

    /// Reads the file and adds every record to a digest.
    func read(_ path: String, digest: inout RecordDigest, progress: (Int) -> Void) throws {
        switch self {
        case .scanned, .streamed:
            var decoder = JSONModelDecoder()
            if self == .scanned { decoder.source = .scanner }
            var seen = RecordDigest()
            try decoder.forEach(Record.self, in: .file(path), at: "[*]") { (record: Record) in
                seen.add(record)
                if seen.count & 1023 == 0 { progress(seen.count) }
            }
            digest = seen
        case .collected:
            let records = try JSONModelDecoder().decode([Record].self, from: .file(path))
            for record in records { digest.add(record) }
        case .foundation:
            let data = try Data(contentsOf: URL(fileURLWithPath: path))
            let records = try JSONDecoder().decode([Record].self, from: data)
            for record in records { digest.add(record) }
        }
    }
}
#endif
