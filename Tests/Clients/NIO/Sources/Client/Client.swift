// Exchanges values with SwiftNIO as buffers, and checks that a reader that waits stops the writer.
import Foundation
import NIOCore
import NIOPosix
import Sluice
import Synchronization

@main
enum Client {
    /// The rows have 203 MB of text.
    private static let count = 200_000

    static func main() async throws {
        let group = MultiThreadedEventLoopGroup.singleton
        let server = try await ServerBootstrap(group: group)
            // The client closes its side after the request.
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .bind(host: "127.0.0.1", port: 0) { wrap($0) }
        guard let port = server.channel.localAddress?.port else { preconditionFailure("the server has no port") }
        let serving = Task {
            try await server.executeThenClose { connections in
                for try await connection in connections { try await Rows.answer(connection) }
            }
        }
        let connection = try await ClientBootstrap(group: group)
            .connect(host: "127.0.0.1", port: port) { wrap($0) }

        let received = Atomic<Int>(0)
        let ahead = Atomic<Int>(0)
        try await Rows.request(count, from: connection) { row in
            precondition(row.id == received.load(ordering: .relaxed) && row.text.utf8.count == 1_000)
            if row.id == 0 {
                try await Task.sleep(for: .seconds(1))
                ahead.store(Rows.sent.load(ordering: .relaxed), ordering: .relaxed)
            }
            received.add(1, ordering: .relaxed)
        }
        serving.cancel()
        _ = await serving.result

        let waiting = ahead.load(ordering: .relaxed)
        precondition(received.load(ordering: .relaxed) == count)
        precondition(waiting < count / 4, "\(waiting) rows were written while the reader waited")
        print("SwiftNIO: \(count) rows of 1 KB, of which \(waiting) were written while the reader waited")
        guard let peak = peakMemory() else { return }
        precondition(peak < 100_000_000, "the peak memory is \(peak) bytes")
        print("The peak memory is \(peak / 1_000_000) MB.")
    }

    @Sendable private static func wrap(_ channel: any Channel) -> EventLoopFuture<Rows.Connection> {
        channel.eventLoop.makeCompletedFuture {
            try Rows.Connection(
                wrappingChannelSynchronously: channel, configuration: .init(isOutboundHalfClosureEnabled: true))
        }
    }

    /// The largest resident size of the process; nil on systems other than Linux.
    private static func peakMemory() -> Int? {
        let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status?.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }.map { $0 * 1024 }
    }
}
