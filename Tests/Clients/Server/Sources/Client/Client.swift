// Starts a server on this machine, and sends requests: small bodies, bodies with errors, and a large body with its download.
// The memory of the process, which is that of the server and of the client together, is measured.
import Foundation
import GeneratedRecords
import Hummingbird
import NIOCore
import Sluice

@main enum Client {
    static func main() async throws {
        let size = CommandLine.arguments.count > 1 ? bytes(CommandLine.arguments[1]) : 64_000_000
        let folder = FileManager.default.temporaryDirectory.appending(path: "sluice-server-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let database = try openDatabase(folder.appending(path: "products.sqlite").path())

        let router = Router(context: ServerContext.self)
        ProductRoutes(database: database).add(to: router)
        let (ports, port) = AsyncStream<Int>.makeStream()
        var application = Application(
            router: router,
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in
                if let number = channel.localAddress?.port { port.yield(number) }
            })
        application.logger.logLevel = .critical
        let server = Task { [application] in try await application.runService(gracefulShutdownSignals: []) }
        defer { server.cancel() }

        var iterator = ports.makeAsyncIterator()
        guard let number = await iterator.next() else { preconditionFailure("the server has no port") }
        let checks = Checks(port: number, database: database)
        try await checks.smallBodies()
        try await checks.badElement()
        try await checks.incompleteBodies()
        try await checks.coders()
        try await largeBodies(checks, RecordGenerator(size: size))

        server.cancel()
        _ = await server.result
    }

    /// Uploads records, and downloads them with a slow reader and with a fast one.
    private static func largeBodies(_ checks: Checks, _ records: RecordGenerator) async throws {
        let clock = ContinuousClock()
        // The sockets of both sides hold some megabytes. A smaller download would never wait for its reader.
        precondition(records.size >= 64_000_000, "the size is less than 64 MB")
        Memory.resetPeak()
        let idle = ProcessMemory.peak
        print("idle: \(idle / 1_000_000) MB")

        let start = clock.now
        let summary = try await checks.upload(records)
        let uploading = start.duration(to: clock.now)
        report("upload", summary.records, summary.bytes, uploading, idle)
        var expected = try Totals.generated(records)
        precondition(expected.products == summary.records)

        // A product is stored while the reader waits after the first row. The last row of the response is this product, so the
        // server has not read the last rows when the first row arrived.
        Memory.resetPeak()
        let late = Product(id: summary.records + 1, name: "late", price: 0, city: "", note: nil)
        expected.add(late)
        var slow = (totals: Totals(), last: Product?.none, bytes: 0)
        let reading = try await clock.measure {
            slow = try await checks.download(pause: .milliseconds(10)) {
                try await Task.sleep(for: .seconds(1))
                try await checks.database.write { db in try late.insert(db) }
            }
        }
        report("download by a slow reader", slow.totals.products, UInt64(slow.bytes), reading, idle)
        precondition(slow.last == late, "the server did not wait for the reader")
        precondition(slow.totals == expected, "the products are not those that were sent")

        Memory.resetPeak()
        var fast = slow
        let downloading = try await clock.measure { fast = try await checks.download() }
        report("download", fast.totals.products, UInt64(fast.bytes), downloading, idle)
        precondition(fast.totals == expected && fast.bytes == slow.bytes)
    }

    /// Prints the figures of a phase, and checks its peak memory.
    private static func report(_ name: String, _ count: Int, _ bytes: UInt64, _ time: Duration, _ idle: UInt64) {
        let peak = ProcessMemory.peak
        let speed = Double(bytes) / 1e6 / (time / .seconds(1))
        print(
            "\(name): \(count) products, \(bytes / 1_000_000) MB, \(Int(speed)) MB/s, peak \(peak / 1_000_000) MB")
        precondition(peak < idle + 100_000_000, "the memory is not flat")
    }

    /// Returns the number of bytes of a size such as 64MB or 1GB.
    private static func bytes(_ text: String) -> UInt64 {
        let unit: UInt64 = text.hasSuffix("GB") ? 1_000_000_000 : text.hasSuffix("MB") ? 1_000_000 : 0
        guard unit > 0, let number = UInt64(text.dropLast(2)) else {
            preconditionFailure("\(text) is not a size such as 64MB")
        }
        return number * unit
    }
}

/// The peak memory of a part of the run.
enum Memory {
    /// Sets the peak to the present memory. Outside of Linux, the peak remains that of the process.
    static func resetPeak() {
        guard let handle = FileHandle(forWritingAtPath: "/proc/self/clear_refs") else { return }
        try? handle.write(contentsOf: Data("5".utf8))
    }
}
