import Foundation

/// A server on this machine that replays the stream of a provider, a few bytes at a time.
final class Server: Sendable {
    private let listener: Int32
    private let port: UInt16
    private let stream: [UInt8]
    /// The time between two pieces in microseconds.
    private let pause: UInt32

    struct Failure: Error { let function: String, code = errno }

    /// - Parameters:
    ///   - file: The events of a response.
    ///   - pause: The time between two pieces in microseconds.
    init(replaying file: URL, pause: UInt32) throws {
        stream = Array(try Data(contentsOf: file))
        self.pause = pause
        listener = try Self.openSocket()
        var address = Self.loopback(port: 0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        try withUnsafeMutablePointer(to: &address) { address in
            try address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                try Self.check("bind", bind(listener, address, length))
                try Self.check("listen", listen(listener, 4))
                try Self.check("getsockname", getsockname(listener, address, &length))
            }
        }
        port = UInt16(bigEndian: address.sin_port)
        Thread.detachNewThread { [self] in while serve() {} }
    }

    private static func openSocket() throws -> Int32 {
        #if canImport(Glibc)
        let type = Int32(SOCK_STREAM.rawValue)
        #else
        let type = SOCK_STREAM
        #endif
        return try check("socket", socket(AF_INET, type, 0))
    }

    @discardableResult
    private static func check(_ function: String, _ result: Int32) throws -> Int32 {
        if result < 0 { throw Failure(function: function) }
        return result
    }

    private static func loopback(port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    // MARK: Responses

    /// Answers the next request. Returns false if the server has ended.
    private func serve() -> Bool {
        let connection = accept(listener, nil, nil)
        guard connection >= 0 else { return false }
        defer { close(connection) }
        var request = [UInt8](repeating: 0, count: 65_536)
        _ = recv(connection, &request, request.count, 0)
        Self.write(
            Array("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n".utf8),
            to: connection)
        for start in stride(from: 0, to: stream.count, by: 97) {
            usleep(pause)
            Self.write(Array(stream[start..<min(start + 97, stream.count)]), to: connection)
        }
        return true
    }

    private static func write(_ bytes: [UInt8], to connection: Int32) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, 0) }
            if count <= 0 { return }
            rest = rest.dropFirst(count)
        }
    }

    // MARK: Requests

    /// Sends a request to the server. Returns the body of the response in chunks.
    func post(_ body: [UInt8]) throws -> AsyncStream<[UInt8]> {
        let connection = try Self.openSocket()
        var address = Self.loopback(port: port)
        _ = try withUnsafePointer(to: &address) { address in
            try address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                try Self.check("connect", connect(connection, $0, socklen_t(MemoryLayout<sockaddr_in>.size)))
            }
        }
        let head = "POST /v1/chat/completions HTTP/1.1\r\nhost: localhost\r\ncontent-length: \(body.count)\r\n\r\n"
        Self.write(Array(head.utf8) + body, to: connection)
        return AsyncStream { continuation in
            Thread.detachNewThread {
                defer {
                    close(connection)
                    continuation.finish()
                }
                var (head, isBody) = ([UInt8](), false)
                var buffer = [UInt8](repeating: 0, count: 4_096)
                while true {
                    let count = recv(connection, &buffer, buffer.count, 0)
                    if count <= 0 { return }
                    if isBody {
                        continuation.yield(Array(buffer[..<count]))
                        continue
                    }
                    head += buffer[..<count]
                    guard let end = String(decoding: head, as: UTF8.self).range(of: "\r\n\r\n") else { continue }
                    isBody = true
                    continuation.yield(Array(String(decoding: head, as: UTF8.self)[end.upperBound...].utf8))
                }
            }
        }
    }
}
