// Reads elements from the network: with AsyncHTTPClient, and in the pipeline of SwiftNIO.
import AsyncHTTPClient
import NIOCore
import NIOEmbedded
import Sluice

let server = try await Server.start()
guard let port = server.localAddress?.port else { preconditionFailure("the server has no port") }
let decoder = JSONModelDecoder()

/// Reads a response while it arrives. The next chunk is requested when the rows of the chunk before have been consumed.
func rows(_ path: String, _ framing: JSONFraming) async throws -> [Row] {
    let request = HTTPClientRequest(url: "http://127.0.0.1:\(port)\(path)")
    let response = try await HTTPClient.shared.execute(request, timeout: .seconds(30))
    var rows: [Row] = []
    let chunks = response.body.map { $0.readableBytesView }
    for try await row in decoder.elements(of: Row.self, in: chunks, framing: framing) { rows.append(row) }
    return rows
}

for (path, framing) in [("/array", JSONFraming.document), ("/lines", .lines), ("/events", .serverSentEvents)] {
    let rows = try await rows(path, framing)
    precondition(rows == Row.all)
    print("AsyncHTTPClient: \(rows.count) rows from \(path)")
}

// The body of a response can also be collected and decoded as a whole: a buffer's view is an input after a copy to an array.
let request = HTTPClientRequest(url: "http://127.0.0.1:\(port)/array")
let body = try await HTTPClient.shared.execute(request, timeout: .seconds(30)).body.collect(upTo: 10_000_000)
let all = try decoder.decode([Row].self, from: Array(body.readableBytesView))
precondition(all == Row.all)

// A channel without a network, to which chunks are given.
let channel = EmbeddedChannel(handler: RowHandler())
for chunk in ["{\"id\":1,\"na", "me\":\"a\"}\n{\"id\":2,\"name\":\"b\"}\n{\"id\":3,", "\"name\":\"c\"}"] {
    try channel.writeInbound(ByteBuffer(string: chunk))
}
channel.pipeline.fireChannelInactive()
var received: [Row] = []
while let row = try channel.readInbound(as: Row.self) { received.append(row) }
precondition(received.map(\.name) == ["a", "b", "c"])
print("SwiftNIO: \(received.count) rows")

try await server.close().get()
