import Foundation
import GeneratedRecords
import Sluice

/// A temporary folder for generated files, which is removed at the end of the run.
final class Scratch {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "sluice-floor-\(getpid())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Returns the path of a file in the folder.
    func path(of name: String) -> String { folder.appending(path: name).path }

    /// Writes a file of records and returns its path.
    func records(_ bytes: UInt64) throws -> String {
        let path = path(of: "records-\(bytes).json")
        guard FileManager.default.createFile(atPath: path, contents: nil),
            let file = FileHandle(forWritingAtPath: path)
        else { throw FloorError("\(path) cannot be written.") }
        try RecordGenerator(size: bytes).write { (piece) throws in try file.write(contentsOf: Data(piece)) }
        try file.close()
        return path
    }

    /// Writes a file with a record in each line and returns its path.
    func recordLines(_ bytes: UInt64) throws -> String {
        let path = path(of: "records-\(bytes).jsonl")
        var writer = try JSONModelEncoder().writer(to: .file(path), framing: .lines)
        try JSONModelDecoder().forEach(JSONRaw.self, in: .file(try records(bytes))) { (record: JSONRaw) in
            try writer.write(record)
        }
        try writer.finish()
        return path
    }
}
