import NIOCore
import NIOHTTP1
import NIOPosix
import Sluice

/// An HTTP server on this machine, whose responses arrive in chunks that are cut inside of elements.
enum Server {
    static func start() async throws -> any Channel {
        try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(Handler())
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
    }

    /// Sends all rows in the form that the path of the request names.
    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard case .head(let request) = unwrapInboundIn(data) else { return }
            let head = HTTPResponseHead(version: request.version, status: .ok, headers: ["connection": "close"])
            context.write(wrapOutboundOut(.head(head)), promise: nil)
            for chunk in Self.chunks(request.uri) {
                let buffer = context.channel.allocator.buffer(bytes: chunk)
                context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(buffer))), promise: nil)
            }
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        }

        private static func chunks(_ path: String) -> [ArraySlice<UInt8>] {
            var bytes: [UInt8] = []
            let framing: JSONFraming = path == "/lines" ? .lines : path == "/events" ? .serverSentEvents : .document
            var writer = JSONModelEncoder().writer(
                to: { (chunk: UnsafeRawBufferPointer) in
                    bytes += chunk
                }, framing: framing)
            do {
                for row in Row.all { try writer.write(row) }
                try writer.finish()
            } catch { preconditionFailure("\(error)") }
            return stride(from: 0, to: bytes.count, by: 7_001).map { bytes[$0..<min($0 + 7_001, bytes.count)] }
        }
    }
}
