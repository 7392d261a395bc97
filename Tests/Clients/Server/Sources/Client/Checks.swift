import Foundation
import GRDB
import GeneratedRecords
import NIOCore
import NIOHTTP1
import Sluice

/// The requests that a client sends, and the expected responses.
struct Checks {
    let port: Int
    let database: DatabasePool
    private let decoder = JSONModelDecoder()

    init(port: Int, database: DatabasePool) {
        self.port = port
        self.database = database
    }

    // MARK: Small bodies

    func smallBodies() async throws {
        let (status, body) = try await post("[\n\(Self.product(1)),\n\(Self.product(2))\n]")
        let stored = try decoder.decode(Int.self, from: body, at: "stored")
        precondition(status == 200 && stored == 2, "\(status) \(stored)")

        // Rows replace those with the same identifier.
        let lines = (2...4).map(Self.product).joined(separator: "\n")
        let again = try await post(lines, ["content-type": "application/jsonl"])
        precondition(again.status == 200, "\(again.status)")
        try await expectRows([1, 2, 3, 4])

        let empty = try await post("")
        let notArray = try await post(#"{"a": 1}"#)
        precondition(empty.status == 422 && notArray.status == 422)
        print("arrays and lines are stored")
    }

    func badElement() async throws {
        let text =
            "[\n\(Self.product(5)),\n\(Self.product(6).replacing("1.5", with: #""1.5""#)),\n\(Self.product(7))\n]"
        let (status, body) = try await post(text)
        let rejection = try decoder.decode(Rejection.self, from: body)
        print(status, String(decoding: body, as: UTF8.self))
        precondition(status == 422 && rejection.path == "[1].price")
        precondition(rejection.line == 3 && rejection.column == text.column(of: #""1.5""#), "\(rejection)")
        precondition(rejection.message.hasPrefix("expected a number, found a string"), rejection.message)
        precondition(rejection.stored == 1)
        try await expectRows([1, 2, 3, 4, 5])
    }

    /// Elements are stored, and an error is answered, while the request is incomplete.
    func incompleteBodies() async throws {
        let first = 1_000
        let text = (0..<25_000).map { Self.product(first + $0) + ",\n" }.joined()
        try await Exchange.begin(.POST, "/products", port: port) { exchange in
            try await exchange.send("[" + text)
            try await waitUntil { db in try Product.filter(Column("id") >= first).fetchCount(db) == 20_000 }
            try await exchange.send(#"{"id": x"#)
            let status = try await exchange.status()
            let rejection = try decoder.decode(Rejection.self, from: try await exchange.rest())
            precondition(status == 422 && rejection.stored == 25_000 && rejection.line == 25_001, "\(rejection)")
        }
        try await database.write { db in _ = try Product.filter(Column("id") >= first).deleteAll(db) }

        // A connection that is closed in the middle of a body leaves complete transactions.
        try await Exchange.begin(.POST, "/products", port: port) { exchange in
            try await exchange.send("[" + text)
            try await waitUntil { db in try Product.filter(Column("id") >= first).fetchCount(db) == 20_000 }
        }
        try await Task.sleep(for: .milliseconds(500))
        let left = try await database.read { db in try Product.filter(Column("id") >= first).fetchCount(db) }
        print("\(left) rows of a body that was cut")
        precondition(left == 20_000)
        try await database.write { db in _ = try Product.filter(Column("id") >= first).deleteAll(db) }
        print("elements are stored, and errors are answered, before the end of the request")
    }

    /// The stand-ins code the bodies of other routes.
    func coders() async throws {
        let put = try await send(.PUT, "/products/8", Self.product(8))
        let get = try await send(.GET, "/products/8")
        let product = try decoder.decode(Product.self, from: get.body)
        precondition(put.status == 200 && get.status == 200 && put.body == get.body && product.id == 8)
        let bad = try await send(.PUT, "/products/8", #"{"id": 8, "name": 1}"#)
        precondition(bad.status == 400, "\(bad.status)")
        let missing = try await send(.GET, "/products/9")
        precondition(missing.status == 404)
        try await database.write { db in _ = try Product.deleteAll(db) }
        print("the coders of Hummingbird are those of Sluice")
    }

    // MARK: Large bodies

    /// Uploads generated records, and returns their number.
    func upload(_ records: RecordGenerator) async throws -> RecordGenerator.Summary {
        try await Exchange.begin(.POST, "/products", port: port) { exchange in
            let channel = exchange.channel
            let summary: RecordGenerator.Summary = try await withCheckedThrowingContinuation { continuation in
                // A thread generates records, and waits until the connection has taken each piece.
                Thread.detachNewThread {
                    continuation.resume(
                        with: Result {
                            try records.write { piece in
                                let part = HTTPClientRequestPart.body(.byteBuffer(ByteBuffer(bytes: piece)))
                                try channel.writeAndFlush(part).wait()
                            }
                        })
                }
            }
            try await exchange.end()
            let status = try await exchange.status()
            let body = try await exchange.rest()
            let stored = try decoder.decode(Int.self, from: body, at: "stored")
            precondition(status == 200 && stored == summary.records, "\(status): \(stored) of \(summary.records)")
            return summary
        }
    }

    /// Downloads all products, and waits after the first one and in each part of the body.
    ///
    /// - Parameters:
    ///   - pause: The pause after each 256 KB.
    ///   - afterFirst: A closure that is called after the first row.
    func download(
        pause: Duration? = nil, afterFirst: () async throws -> Void = {}
    ) async throws -> (totals: Totals, last: Product?, bytes: Int) {
        try await Exchange.begin(.GET, "/products", port: port) { exchange in
            try await exchange.end()
            let status = try await exchange.status()
            precondition(status == 200)
            var feed = decoder.feed(of: Product.self, framing: .lines)
            var totals = Totals()
            var last: Product?
            var bytes = 0
            var unpaused = 0
            while let chunk = try await exchange.next() {
                bytes += chunk.readableBytes
                unpaused += chunk.readableBytes
                for product in try feed.push(chunk.readableBytesView) {
                    totals.add(product)
                    if last == nil { try await afterFirst() }
                    last = product
                }
                if let pause, unpaused >= 1 << 18 {
                    unpaused = 0
                    try await Task.sleep(for: pause)
                }
            }
            for product in try feed.finish() {
                totals.add(product)
                last = product
            }
            return (totals, last, bytes)
        }
    }

    // MARK: Requests

    private func post(_ text: String, _ headers: HTTPHeaders = [:]) async throws -> (status: Int, body: [UInt8]) {
        try await send(.POST, "/products", text, headers)
    }

    private func send(
        _ method: HTTPMethod, _ path: String, _ text: String = "", _ headers: HTTPHeaders = [:]
    ) async throws -> (status: Int, body: [UInt8]) {
        try await Exchange.begin(method, path, headers, port: port) { exchange in
            if !text.isEmpty { try await exchange.send(text) }
            try await exchange.end()
            let status = try await exchange.status()
            return (status, try await exchange.rest())
        }
    }

    /// Checks that the database and a download have the products with the identifiers.
    private func expectRows(_ ids: [Int]) async throws {
        let rows = try await database.read { db in try Product.order(Column("id")).fetchAll(db) }
        let expected = try ids.map { try decoder.decode(Product.self, from: Self.product($0)) }
        precondition(rows == expected, "\(rows)")
        let lines = try await send(.GET, "/products").body
        var received: [Product] = []
        try decoder.forEach(Product.self, in: lines, framing: .lines) { received.append($0) }
        precondition(received == expected, "\(received)")
    }

    /// Waits until the database is in a state.
    private func waitUntil(_ condition: @escaping @Sendable (Database) throws -> Bool) async throws {
        let start = ContinuousClock.now
        while try await !database.read(condition) {
            precondition(start.duration(to: .now) < .seconds(60), "the rows are not stored")
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    private static func product(_ id: Int) -> String {
        #"{"id": \#(id), "name": "product \#(id)", "price": 1.5, "address": {"city": "Łódź"}}"#
    }
}

extension String {
    /// The column of a text in its line, from 1, in bytes.
    fileprivate func column(of text: String) -> Int {
        guard let range = firstRange(of: text) else { return 0 }
        let line = self[..<range.lowerBound].lastIndex(of: "\n").map { index(after: $0) } ?? startIndex
        return self[line..<range.lowerBound].utf8.count + 1
    }
}
