import GRDB
import Sluice

/// An element of the file, by its plan, and a row of the table, by its coding keys.
struct Product: JSONModel, Codable, FetchableRecord, PersistableRecord, Equatable {
    let id: Int
    let name: String
    let price: Double
    let city: String
    let note: String?

    static let plan = ModelPlan<Product> {
        JSONField(\.id, key: "id")
        JSONField(\.name, key: "name")
        JSONField(\.price, key: "price")
        JSONField(\.city, key: "address.city")
        JSONField(\.note, key: "note")
    }
}

/// The part of a file that is in the database. The checkpoint is stored as JSON.
struct ImportState: Codable, FetchableRecord, PersistableRecord {
    let file: String
    let checkpoint: JSONCheckpoint
}

/// Opens a database, and creates its tables.
func openDatabase(_ path: String) throws -> DatabaseQueue {
    let database = try DatabaseQueue(path: path)
    try database.write { db in
        try db.create(table: "product", options: .ifNotExists) { table in
            table.primaryKey("id", .integer)
            table.column("name", .text).notNull()
            table.column("price", .double).notNull()
            table.column("city", .text).notNull()
            table.column("note", .text)
        }
        try db.create(table: "importState", options: .ifNotExists) { table in
            table.primaryKey("file", .text)
            table.column("checkpoint", .jsonText).notNull()
        }
    }
    return database
}
