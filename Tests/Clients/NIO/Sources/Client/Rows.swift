import NIOCore
import Sluice
import Synchronization

struct Request: JSONModel {
    let rows: Int

    static let plan = ModelPlan<Request>(JSONField(\.rows, key: "rows"))
}

struct Row: JSONModel {
    let id: Int
    let text: String

    static let plan = ModelPlan<Row>(JSONField(\.id, key: "id"), JSONField(\.text, key: "text"))
}

/// The server and the client of rows, on both sides of a connection whose messages are buffers.
enum Rows {
    typealias Connection = NIOAsyncChannel<ByteBuffer, ByteBuffer>

    /// The number of rows that the server has passed to its writer.
    static let sent = Atomic<Int>(0)

    /// Decodes a request, which is complete when the client has closed its side, and sends the rows.
    static func answer(_ connection: Connection) async throws {
        try await connection.executeThenClose { inbound, outbound in
            let body = inbound.map { $0.readableBytesView }
            let request = try await JSONModelDecoder().decode(Request.self, from: body)
            var writer = JSONModelEncoder().writer(
                to: { chunk in try await outbound.write(ByteBuffer(bytes: chunk)) }, framing: .lines)
            for id in 0..<request.rows {
                try await writer.write(Row(id: id, text: String(repeating: "x", count: 1_000)))
                sent.add(1, ordering: .relaxed)
            }
            try await writer.finish()
            outbound.finish()
        }
    }

    /// Requests rows, and calls a closure with each. The next buffer is requested when the rows of the buffer before have been consumed.
    static func request(
        _ count: Int, from connection: Connection, _ body: @Sendable (Row) async throws -> Void
    ) async throws {
        try await connection.executeThenClose { inbound, outbound in
            let request = try JSONModelEncoder().encode(Request(rows: count), as: .bytes)
            try await outbound.write(ByteBuffer(bytes: request))
            outbound.finish()
            let chunks = inbound.map { $0.readableBytesView }
            for try await row in JSONModelDecoder().elements(of: Row.self, in: chunks, framing: .lines) {
                try await body(row)
            }
        }
    }
}
