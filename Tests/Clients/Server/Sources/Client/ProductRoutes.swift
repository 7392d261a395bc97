import GRDB
import Hummingbird
import NIOCore
import Sluice

/// The routes of the products in a database.
struct ProductRoutes: Sendable {
    let database: DatabasePool
    var decoder = JSONModelDecoder()
    var encoder = JSONModelEncoder()
    /// The number of rows of a transaction that writes, and of one that reads.
    var batch = 10_000

    func add(to router: Router<ServerContext>) {
        router.post("products") { request, _ in try await upload(request) }
        router.get("products") { _, _ in download() }
        router.put("products/:id") { request, context in try await put(request, context) }
        router.get("products/:id") { _, context in try await get(context) }
    }

    /// Inserts the products of a body while they arrive. The body is an array, or lines.
    ///
    /// The products before an error are stored. A product that is sent again replaces the row with its identifier.
    private func upload(_ request: Request) async throws -> Stored {
        let isLines = request.headers[.contentType] == "application/jsonl"
        let chunks = request.body.map { $0.readableBytesView }
        var products: [Product] = []
        var stored = 0
        do {
            for try await product in decoder.elements(
                of: Product.self, in: chunks, framing: isLines ? .lines : .document)
            {
                products.append(product)
                if products.count == batch { try await store(&products, &stored) }
            }
        } catch let error as JSONModelError {
            try await store(&products, &stored)
            throw Rejection(error, stored: stored)
        }
        try await store(&products, &stored)
        return Stored(stored: stored)
    }

    /// Writes products in one transaction.
    private func store(_ products: inout [Product], _ stored: inout Int) async throws {
        try await database.write { [products] db in for product in products { try product.upsert(db) } }
        stored += products.count
        products.removeAll(keepingCapacity: true)
    }

    /// Sends all products as lines. The next rows are read when the client has received most of the rows before.
    private func download() -> Response {
        let body = ResponseBody { body in
            var output = body
            var writer = encoder.writer(
                to: { chunk in try await output.write(ByteBuffer(bytes: chunk)) }, framing: .lines)
            var products = try await page(after: nil)
            while let last = products.last {
                for product in products { try await writer.write(product) }
                products = try await page(after: last)
            }
            try await writer.finish()
            try await output.finish(nil)
        }
        return Response(status: .ok, headers: [.contentType: "application/jsonl"], body: body)
    }

    /// Returns the next rows in the order of their identifiers.
    private func page(after last: Product?) async throws -> [Product] {
        try await database.read { [batch] db in
            let rest = last.map { Product.filter(Column("id") > $0.id) } ?? Product.all()
            return try rest.order(Column("id")).limit(batch).fetchAll(db)
        }
    }

    /// Stores one product, which the decoder of the context decodes.
    private func put(_ request: Request, _ context: ServerContext) async throws -> Product {
        let product = try await request.decode(as: Product.self, context: context)
        let id = try context.parameters.require("id", as: Int.self)
        guard product.id == id else { throw HTTPError(.badRequest, message: "the product has another identifier") }
        try await database.write { db in try product.upsert(db) }
        return product
    }

    /// Returns one product, which the encoder of the context encodes.
    private func get(_ context: ServerContext) async throws -> Product {
        let id = try context.parameters.require("id", as: Int.self)
        guard let product = try await database.read({ db in try Product.fetchOne(db, key: id) }) else {
            throw HTTPError(.notFound)
        }
        return product
    }
}

/// The response to a body whose products are stored.
struct Stored: ResponseCodable {
    let stored: Int
}
