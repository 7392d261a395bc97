import Foundation
import Sluice
import SluiceRecords
import SystemPackage
import ToolSupport

/// A generated file on disk.
struct RecordFile {
    let path: String
    let bytes: UInt64
    let records: Int

    /// Returns the file with this seed and size in a folder. Writes the file if an earlier run has not written it.
    ///
    /// A file receives its name only when complete, so an existing file is complete.
    static func prepare(_ generator: RecordGenerator, in folder: String) throws -> RecordFile {
        let path = "\(folder)/records-\(generator.size)-seed-\(generator.seed).json"
        if let file = try open(path, atLeast: generator.size) {
            print("  Using \(path) from an earlier run: \(file.summary)")
            return file
        }
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        } catch {
            throw RecordFileError(path: folder, reason: error.localizedDescription)
        }
        var progress = ProgressBar(title: "Writing the records", bytes: generator.size)
        let start = ContinuousClock.now
        let summary = try write(generator, to: path) { progress.update($0) }
        progress.finish()
        let file = RecordFile(path: path, bytes: summary.bytes, records: summary.records)
        print("  Wrote \(path) in \(Amount.duration(start.duration(to: .now) / .seconds(1))): \(file.summary)")
        return file
    }

    /// Writes the records to a file, which receives its name when all records are written.
    static func write(
        _ generator: RecordGenerator, to path: String, progress: ((Double) -> Void)?
    ) throws -> RecordGenerator.Summary {
        var written: UInt64 = 0
        let file = try OutputFile(path)
        let summary = try generator.write { (piece) throws in
            try file.write(piece)
            written += UInt64(piece.count)
            progress?(Double(written) / Double(generator.size))
        }
        try file.commit()
        return summary
    }

    private var summary: String { "\(records.grouped) records, \(Amount.megabytes(bytes))" }

    /// Opens a complete file, or returns nil.
    ///
    /// Only the end of the file is read. Records are numbered from 1, so the last number is the number of records.
    private static func open(_ path: String, atLeast size: UInt64) throws -> RecordFile? {
        guard let file = try? FileDescriptor.open(path, .readOnly) else { return nil }
        return try file.closeAfter {
            let end = try file.seek(offset: 0, from: .end)
            guard end >= size else { return nil }
            var tail = [UInt8](repeating: 0, count: Int(min(end, 16 * 1024)))
            try file.seek(offset: end - Int64(tail.count), from: .start)
            let count = try tail.withUnsafeMutableBytes { try file.read(into: $0) }
            // The tail is "...,\n{ the last record }\n]\n".
            let lines = tail[..<count].split(separator: UInt8(ascii: "\n"))
            guard lines.last?.elementsEqual("]".utf8) == true, let line = lines.dropLast().last else { return nil }
            let last = try JSONModelDecoder().decode(Record.self, from: Array(line))
            return RecordFile(path: path, bytes: UInt64(end), records: last.id)
        }
    }
}

/// The reason why a generated file could not be written.
struct RecordFileError: Error, CustomStringConvertible {
    let path: String
    let reason: String

    var description: String { "\(path) cannot be written: \(reason)." }
}
