import Hummingbird
import NIOCore
import Sluice

// swift-format-ignore: AvoidRetroactiveConformances
extension SluiceJSONDecoder: @retroactive RequestDecoder {
    public func decode<T: Decodable>(
        _ type: T.Type, from request: Request, context: some RequestContext
    ) async throws -> T {
        let body = try await request.body.collect(upTo: context.maxUploadSize)
        return try body.withUnsafeReadableBytes { bytes in try decode(type, from: bytes) }
    }
}

// swift-format-ignore: AvoidRetroactiveConformances
extension SluiceJSONEncoder: @retroactive ResponseEncoder {
    public func encode(
        _ value: some Encodable, from request: Request, context: some RequestContext
    ) throws -> Response {
        let body = ByteBuffer(bytes: try encode(value, as: .bytes))
        return Response(
            status: .ok, headers: [.contentType: "application/json"], body: ResponseBody(byteBuffer: body))
    }
}

/// A context whose coders are those of Sluice.
struct ServerContext: RequestContext {
    var coreContext: CoreRequestContextStorage

    init(source: ApplicationRequestContextSource) { coreContext = CoreRequestContextStorage(source: source) }

    // The coders are shared, because a coder keeps tables for its options.
    private static let decoder = SluiceJSONDecoder()
    private static let encoder = SluiceJSONEncoder()

    var requestDecoder: SluiceJSONDecoder { Self.decoder }
    var responseEncoder: SluiceJSONEncoder { Self.encoder }
}
