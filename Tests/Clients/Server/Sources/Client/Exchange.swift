import NIOCore
import NIOHTTP1
import NIOPosix

/// A request and its response, on a connection of their own.
///
/// The response can be read before the request is complete. Nothing is read from the connection while nobody asks for chunks.
struct Exchange: ~Copyable {
    private typealias AsyncChannel = NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>

    /// The channel, for writing from other threads.
    let channel: any Channel
    private let outbound: NIOAsyncChannelOutboundWriter<HTTPClientRequestPart>
    private var inbound: NIOAsyncChannelInboundStream<HTTPClientResponsePart>.AsyncIterator

    /// The response ends before its head, or has a part that is not expected.
    struct Malformed: Error {}

    /// Sends the head of a request, calls a closure, and closes the connection.
    static func begin<Result: Sendable>(
        _ method: HTTPMethod, _ path: String, _ headers: HTTPHeaders = [:], port: Int,
        _ body: (inout Exchange) async throws -> Result
    ) async throws -> Result {
        let connection = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            // A small buffer, so that a reader that waits soon stops the server.
            .channelOption(.socketOption(.so_rcvbuf), value: 1 << 16)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHTTPClientHandlers()
                    return try AsyncChannel(wrappingChannelSynchronously: channel)
                }
            }
        return try await connection.executeThenClose { inbound, outbound in
            var head = HTTPRequestHead(version: .http1_1, method: method, uri: path, headers: headers)
            head.headers.add(name: "host", value: "127.0.0.1")
            head.headers.add(name: "connection", value: "close")
            try await outbound.write(.head(head))
            var exchange = Exchange(
                channel: connection.channel, outbound: outbound, inbound: inbound.makeAsyncIterator())
            return try await body(&exchange)
        }
    }

    func send(_ text: String) async throws {
        try await outbound.write(.body(.byteBuffer(ByteBuffer(string: text))))
    }

    func end() async throws { try await outbound.write(.end(nil)) }

    mutating func status() async throws -> Int {
        guard case .head(let head) = try await inbound.next() else { throw Malformed() }
        return Int(head.status.code)
    }

    /// Returns the next chunk of the response's body, or nil at its end.
    mutating func next() async throws -> ByteBuffer? {
        switch try await inbound.next() {
        case .body(let chunk): return chunk
        case .end: return nil
        default: throw Malformed()
        }
    }

    /// Returns the rest of the response's body.
    mutating func rest() async throws -> [UInt8] {
        var bytes: [UInt8] = []
        while let chunk = try await next() { bytes += chunk.readableBytesView }
        return bytes
    }
}
