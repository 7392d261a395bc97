// Imports a generated file of 256 MB into a database of SQLite. The first process that imports is killed in the middle of a
// transaction, and a second one continues. Then the rows are compared with the file.
import Foundation
import GRDB
import GeneratedRecords
import Sluice

let arguments = CommandLine.arguments
if arguments.count == 4 {
    try importProducts(arguments[1], into: arguments[2], killedAfter: Int(arguments[3]))
} else {
    try test()
}

/// The part of the file that the progress reports.
final class Fractions: @unchecked Sendable {
    var first: Double?
    var last = 0.0
}

/// Imports a file, and prints the number of rows, the progress and the peak memory.
func importProducts(_ file: String, into path: String, killedAfter limit: Int?) throws {
    var products = ProductImport(file: file, database: try openDatabase(path))
    // The handler is called on the thread of the import.
    let fractions = Fractions()
    products.decoder.progressHandler = { progress in
        if let limit, progress.elements >= limit { kill(getpid(), SIGKILL) }
        fractions.last = progress.fraction ?? 0
        fractions.first = fractions.first ?? fractions.last
    }
    let count = try products.run()
    print(count, fractions.first ?? 0, fractions.last, ProcessMemory.peak)
}

/// Runs the import in a process of its own. The result is empty if the process was killed.
func runImport(_ file: String, _ path: String, killedAfter limit: Int? = nil) throws -> [Double] {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: arguments[0])
    process.arguments = [file, path, limit.map(String.init) ?? "never"]
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    precondition(
        (process.terminationReason == .uncaughtSignal) == (limit != nil), "the process has ended otherwise")
    precondition(limit != nil || process.terminationStatus == 0, "the import has failed")
    return text.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
}

func test() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "sluice-import-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "products.json").path()
    let path = folder.appending(path: "products.sqlite").path()

    try Data().write(to: URL(filePath: file))
    guard let handle = FileHandle(forWritingAtPath: file) else { preconditionFailure("\(file) cannot be written") }
    let total = try RecordGenerator(size: 256_000_000).write { piece in try handle.write(contentsOf: Data(piece)) }
    try handle.close()

    _ = try runImport(file, path, killedAfter: total.records / 2)
    let database = try openDatabase(path)
    let (before, state) = try database.read { db in
        (try Product.fetchCount(db), try ImportState.fetchOne(db, key: file))
    }
    print("\(before) of \(total.records) rows before the process was killed")
    precondition(before > 0 && before < total.records / 2 && before % 10_000 == 0, "a transaction was divided")
    precondition(state?.checkpoint.elements == before, "the checkpoint is not that of the rows")

    let rest = try runImport(file, path)
    print("\(Int(rest[0])) rows from \(Int(rest[1] * 100)) to \(Int(rest[2] * 100)) %, in \(Int(rest[3] / 1e6)) MB")
    precondition(before + Int(rest[0]) == total.records, "rows are missing or repeated")
    precondition(rest[1] > 0.4 && rest[2] == 1, "the progress is not that of the whole file")
    precondition(rest[3] < 64e6, "the memory is not flat")

    let again = try runImport(file, path)
    precondition(again[0] == 0, "a complete import was repeated")

    let decoder = JSONModelDecoder()
    try database.read { db in
        let rows = try Product.order(Column("id")).fetchCursor(db)
        let count = try decoder.forEach(Product.self, in: .file(file)) { product in
            let row = try rows.next()
            precondition(row == product, "product \(product.id) is not the one in the file")
        }
        let last = try rows.next()
        precondition(last == nil && count == total.records)
    }
    print("The rows are those of the file.")
}
