#if Macros
import ArgumentParser
import Foundation
import Records
import Sluice

/// What one contender did with a file.
@JSONModel
struct Measurement: Codable {
    let contender: Contender
    let models: Int
    let bytes: UInt64
    let seconds: Double
    /// The highest memory of the process.
    let peakMemory: UInt64
    /// The memory before the first byte was read: what any program with Foundation in it takes.
    let startMemory: UInt64
    let digest: String

    var megabytesPerSecond: Double { Double(bytes) / 1e6 / seconds }
}

/// Reads a file in one way and prints a line of JSON about it. The demonstration starts the tool again with this
/// command, because the peak memory of a process says nothing about its parts.
struct MeasureCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "measure",
        abstract: "Reads generated records in one way and prints the measurement as JSON.",
        shouldDisplay: false
    )

    @Option var contender: Contender
    @Option(help: "The number of records, for the progress bar.") var records: Int
    @Argument var file: String

    func run() throws {
        let bytes = UInt64(try FileManager.default.attributesOfItem(atPath: file)[.size] as? Int ?? 0)
        var progress = ProgressBar(title: contender.title, bytes: bytes)
        var digest = RecordDigest()
        let startMemory = ProcessMemory.peak
        let start = ContinuousClock.now
        try contender.read(file, digest: &digest) { progress.update(Double($0) / Double(max(records, 1))) }
        let seconds = start.duration(to: .now) / .seconds(1)
        progress.finish()
        let measurement = Measurement(
            contender: contender, models: digest.count, bytes: bytes, seconds: seconds,
            peakMemory: ProcessMemory.peak, startMemory: startMemory, digest: digest.hex
        )
        print(String(decoding: try JSONEncoder().encode(measurement), as: UTF8.self))
    }
}

extension Measurement {
    /// Runs a contender in a process of its own.
    static func run(_ contender: Contender, on file: RecordFile) throws -> Measurement {
        let process = Process()
        let path = Bundle.main.executablePath ?? CommandLine.arguments[0]
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = [
            "measure", "--contender", contender.rawValue, "--records", "\(file.records)", file.path,
        ]
        let output = Pipe()
        process.standardOutput = output
        fflush(nil)
        try process.run()
        let line = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0, process.terminationReason == .exit else {
            throw ContenderFailure(contender: contender, status: process.terminationStatus)
        }
        return try JSONModelDecoder().decode(Measurement.self, from: Array(line))
    }
}

/// A contender's process that did not end well.
struct ContenderFailure: Error, CustomStringConvertible {
    let contender: Contender
    let status: Int32

    var description: String { "\(contender.title) ended with status \(status)." }
}
#endif
