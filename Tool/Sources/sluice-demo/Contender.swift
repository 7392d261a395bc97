import ArgumentParser
import Foundation
import Sluice
import SluiceRecords

/// A way to decode the file.
enum Contender: String, CaseIterable, ExpressibleByArgument {
    case scanned = "sluice-scanned"
    case streamed = "sluice-streamed"
    case collected = "sluice-collected"
    case foundation = "foundation"

    /// The name in tables and charts.
    var title: String {
        switch self {
        case .scanned: "Sluice, streamed, own scanner"
        case .streamed: "Sluice, streamed"
        case .collected: "Sluice, into an array"
        case .foundation: "Foundation JSONDecoder"
        }
    }

    /// Returns the approximate memory for a file of this size in bytes, or nil if memory does not depend on the size.
    ///
    /// The factors are from measurements.
    func memory(forFileOf bytes: UInt64) -> UInt64? {
        switch self {
        case .scanned, .streamed: nil
        case .collected: bytes * 2
        case .foundation: bytes * 7
        }
    }

    /// Decodes the file and adds every record to a digest.
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
