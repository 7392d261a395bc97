import GRDB
import Hummingbird
import Sluice

/// An element of a body, by its plan, and a row of the table, by its coding keys.
struct Product: JSONModel, ResponseCodable, FetchableRecord, PersistableRecord, Equatable {
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

/// Opens a database, and creates the table. The pool reads while another request writes.
func openDatabase(_ path: String) throws -> DatabasePool {
    let database = try DatabasePool(path: path)
    try database.write { db in
        try db.create(table: "product", options: .ifNotExists) { table in
            table.primaryKey("id", .integer)
            table.column("name", .text).notNull()
            table.column("price", .double).notNull()
            table.column("city", .text).notNull()
            table.column("note", .text)
        }
    }
    return database
}
