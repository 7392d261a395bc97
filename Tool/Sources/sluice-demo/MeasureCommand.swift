import ArgumentParser
import Foundation
import Sluice
import SluiceRecords
import ToolSupport

/// The measurement of one contender with a file.
struct Measurement: JSONModel {
    let contender: Contender
    let models: Int
    let bytes: UInt64
    let seconds: Double
    /// The peak memory of the process, in bytes.
    let peakMemory: UInt64
    /// The memory before reading, in bytes, as needed by any program that links Foundation.
    let startMemory: UInt64
    let digest: String

    static let plan = ModelPlan<Measurement> {
        JSONField(\.contender, key: "contender")
        JSONField(\.models, key: "models")
        JSONField(\.bytes, key: "bytes")
        JSONField(\.seconds, key: "seconds")
        JSONField(\.peakMemory, key: "peakMemory")
        JSONField(\.startMemory, key: "startMemory")
        JSONField(\.digest, key: "digest")
    }

    var megabytesPerSecond: Double { Double(bytes) / 1e6 / seconds }
}

/// Decodes a file in one way and prints the measurement as a line of JSON.
///
/// The demonstration runs this command in a new process for each contender, because peak memory is known only for a whole
/// process.
struct MeasureCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "measure",
        abstract: "Decodes generated records in one way and prints the measurement as JSON.",
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
        print(try JSONModelEncoder().encode(measurement, as: .string))
    }
}

extension Measurement {
    /// Runs a contender in a new process.
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

/// The failure of a contender's process.
struct ContenderFailure: Error, CustomStringConvertible {
    let contender: Contender
    let status: Int32

    var description: String { "\(contender.title) ended with status \(status)." }
}
