import GRDB
import Sluice

/// The import of a JSON array of products. An import that was interrupted continues where it ended.
struct ProductImport {
    let file: String
    let database: DatabaseQueue
    var decoder = JSONModelDecoder()
    /// The number of rows of a transaction.
    var batch = 10_000

    /// Imports the products that are not in the database, and returns their number.
    func run() throws -> Int {
        let state = try database.read { db in try ImportState.fetchOne(db, key: file) }
        var cursor = decoder.cursor(
            of: JSONPositioned<Product>.self, in: .file(file, from: state?.checkpoint), at: "[*]")
        var count = 0
        var isComplete = false
        while !isComplete {
            try Task.checkCancellation()
            try database.write { db in
                var last: JSONElementPosition?
                for _ in 0..<batch {
                    guard let product = try cursor.next() else {
                        isComplete = true
                        break
                    }
                    try product.value.insert(db)
                    last = product.position
                    count += 1
                }
                if let last { try ImportState(file: file, checkpoint: last.checkpoint).upsert(db) }
            }
        }
        return count
    }
}
