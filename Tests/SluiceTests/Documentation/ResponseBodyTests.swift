import Foundation
import Sluice
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The sample with `URLSession` of the article "Streams".
@Suite struct ResponseBodyTests {
    private struct Row: JSONModel, Equatable {
        let id: Int

        static let plan = ModelPlan<Row>(JSONField(\.id, key: "id"))
    }

    private let decoder = JSONModelDecoder()
    private let expected = (0..<2_000).map { Row(id: $0) }

    /// The response of a server with the rows, in chunks that are cut inside of elements.
    private var response: [[UInt8]] {
        get throws {
            let body = Array(#"{"items": "#.utf8) + (try JSONModelEncoder().encode(expected)) + Array("}".utf8)
            let head = "HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\nConnection: close\r\n\r\n"
            return [Array(head.utf8)]
                + stride(from: 0, to: body.count, by: 1_001).map { Array(body[$0..<min($0 + 1_001, body.count)]) }
        }
    }

    @Test func `the body of a response is decoded while it arrives`() async throws {
        let request = URLRequest(url: try LocalServer.answering(with: try response))
        var rows: [Row] = []
        for try await row in decoder.elements(of: Row.self, in: ResponseBody.chunks(of: request), at: "items[*]") {
            rows.append(row)
        }
        #expect(rows == expected)
    }

    @Test func `an error of the connection ends the elements`() async throws {
        // The server ends the response before its length.
        let request = URLRequest(url: try LocalServer.answering(with: try response.dropLast(5)))
        var rows: [Row] = []
        do {
            for try await row in decoder.elements(
                of: Row.self, in: ResponseBody.chunks(of: request), at: "items[*]")
            {
                rows.append(row)
            }
            Issue.record("the response is not complete")
        } catch { #expect(error is URLError) }
        #expect(rows == Array(expected.prefix(rows.count)))
    }

    @Test func `a loop that ends cancels the request`() async throws {
        let request = URLRequest(url: try LocalServer.answering(with: try response))
        for try await row in decoder.elements(of: Row.self, in: ResponseBody.chunks(of: request), at: "items[*]") {
            #expect(row == expected[0])
            break
        }
    }
}

/// A server on this machine that answers one request.
private enum LocalServer {
    /// Starts a server.
    ///
    /// - Returns: The URL of the server.
    static func answering(with response: [[UInt8]]) throws -> URL {
        #if canImport(Glibc) || canImport(Musl)
        let kind = Int32(SOCK_STREAM.rawValue)
        #else
        let kind = SOCK_STREAM
        #endif
        let listener = socket(AF_INET, kind, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        try withUnsafeMutablePointer(to: &address) { address in
            try address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                try #require(bind(listener, address, size) == 0 && listen(listener, 1) == 0)
                try #require(getsockname(listener, address, &size) == 0)
            }
        }
        Thread.detachNewThread {
            let connection = accept(listener, nil, nil)
            close(listener)
            var request = [UInt8](repeating: 0, count: 4_096)
            _ = recv(connection, &request, request.count, 0)
            // A client that has enough closes the connection. Such an end must not be a signal.
            #if canImport(Darwin)
            var isOn: Int32 = 1
            setsockopt(connection, SOL_SOCKET, SO_NOSIGPIPE, &isOn, socklen_t(MemoryLayout<Int32>.size))
            let flags: Int32 = 0
            #else
            let flags = Int32(MSG_NOSIGNAL)
            #endif
            for chunk in response {
                guard send(connection, chunk, chunk.count, flags) == chunk.count else { break }
            }
            close(connection)
        }
        return try #require(URL(string: "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))/rows"))
    }
}
